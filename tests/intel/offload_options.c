/* The build options of images, as Intel's compiler sees them: the built kernel's own description
   has the size of the register file. */
#include "tests/device/support/offload.h"

#include "syclze/offload/zebin.h"

/* A number in the description of the one kernel `kernel`, which stands after its name; -1: none. */
static int number_of(syclze_text info, const char *kernel, const char *key) {
  char text[1 << 16], line[64];
  CHECK(info.size < sizeof text);
  memcpy(text, info.data, info.size);
  text[info.size] = '\0';
  snprintf(line, sizeof line, "name: %s\n", kernel);
  const char *at = strstr(text, line);
  if (at == NULL) {
    snprintf(line, sizeof line, "name:            %s\n", kernel);
    at = strstr(text, line);
  }
  if (at != NULL) at = strstr(at, key);
  return at != NULL ? atoi(at + strlen(key)) : -1;
}

/* Registers of a thread, for which `options` and `more` are the image's and the program's. */
static int registers(const char *options, const char *more) {
  struct offload o;
  offload_begin(&o, NULL);
  const struct given_file file = given_file("tests/offload/samples/two.clang22.spv");
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file.bytes, file.size));
  const syclze_offload_string strings[] = {
      {syclze_text_of("compile-opts"), syclze_bytes_of(options, strlen(options))}};
  syclze_offload_image_set_strings(&image, strings, 1);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
  const syclze_program_desc desc = {.set = o.set, .build_flags = more, .cache_folder = ""};
  CHECK_EQ(syclze_program_release(o.program), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_create(o.context, &desc, &o.program), ZE_RESULT_SUCCESS);
  size_t size;
  uint8_t *binary = offload_native_binary(&o, "axpy", &size);
  syclze_zebin zebin;
  CHECK_EQ(syclze_zebin_open(syclze_bytes_of(binary, size), &zebin), ZE_RESULT_SUCCESS);
  const int count = number_of(zebin.info, "axpy", "grf_count:");
  CHECK(count > 0);
  free(binary);
  offload_end(&o);
  free(file.bytes);
  return count;
}

static bool is_pvc(void) {
  struct offload o;
  syclze_device_traits traits;
  offload_begin(&o, NULL);
  CHECK_EQ(syclze_device_get_traits(o.device, &traits), ZE_RESULT_SUCCESS);
  offload_end(&o);
  return (traits.device_id & 0xff00u) == 0x0b00u;
}

/* DPC++'s own option is translated on PVC, and dropped elsewhere. Handed over as it stands in the
   image, this compiler finds the driver's option in it, on any device that has such a register
   file. */
TEST(the_register_mode_of_dpcpp_is_translated_by_device) { // shows offload 48
  CHECK_EQ(registers("", NULL), 128);
  CHECK_EQ(registers("-ftarget-register-alloc-mode=pvc:-ze-opt-large-register-file", NULL),
      is_pvc() ? 256 : 128);
  CHECK_EQ(registers("-ftarget-register-alloc-mode=dg2:-ze-opt-large-register-file", NULL), 128);
}

/* What dpnp's images have. */
TEST(the_automatic_mode_is_accepted) {
  CHECK(
      registers("-ftarget-register-alloc-mode=pvc:-ze-intel-enable-auto-large-GRF-mode", NULL) > 0);
  CHECK(registers("-ftarget-compile-fast -foffload-fp32-prec-div", NULL) > 0);
}

TEST_MAIN(the_register_mode_of_dpcpp_is_translated_by_device, the_automatic_mode_is_accepted)
