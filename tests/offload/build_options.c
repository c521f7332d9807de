/* Build options of images, by device: what the reference runtime passes to Level Zero. */
#define _POSIX_C_SOURCE 200809L
#include "syclze/offload/module_build.h"
#include "tests/check.h"

static syclze_device_traits device(ze_device_type_t type, uint32_t vendor, uint32_t id) {
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.type = type;
  traits.vendor_id = vendor;
  traits.device_id = id;
  return traits;
}

/* An image with these options and properties; both may be null. */
static const char *options_of(const char *compile, const char *link, const char *properties,
    const syclze_device_traits *traits, const char *more) {
  static char text[512];
  size_t size = 0;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_string strings[2] = {
      {syclze_text_of("compile-opts"), {compile, 0}}, {syclze_text_of("link-opts"), {link, 0}}};
  strings[0].value.size = syclze_text_of(compile).size;
  strings[1].value.size = syclze_text_of(link).size;
  syclze_offload_image_set_strings(&image, strings, 2);
  image.property_text = syclze_bytes_of(properties, syclze_text_of(properties).size);
  CHECK_EQ(syclze_build_options(&image, traits, more, NULL, &size), ZE_RESULT_SUCCESS);
  CHECK(size <= sizeof text);
  CHECK_EQ(syclze_build_options(&image, traits, more, text, &size), ZE_RESULT_SUCCESS);
  CHECK_EQ(strlen(text) + 1, size);
  return text;
}

#define CHECK_OPTIONS(expected, ...) CHECK(strcmp(options_of(__VA_ARGS__), expected) == 0)

#define AUTOMATIC "-ftarget-register-alloc-mode=pvc:-ze-intel-enable-auto-large-GRF-mode"
#define MISC(text) "[SYCL/misc properties]\n" text "\n"

TEST(register_allocation_is_for_its_device_only) { // shows offload 48
  const syclze_device_traits pvc = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x0bd5);
  const syclze_device_traits dg2 = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x56a0);
  const syclze_device_traits other = device(ZE_DEVICE_TYPE_GPU, 0x10de, 0x0bd5);
  const syclze_device_traits cpu = device(ZE_DEVICE_TYPE_CPU, 0x8086, 0x0bd5);
  CHECK_OPTIONS("-ze-intel-enable-auto-large-GRF-mode", AUTOMATIC, NULL, NULL, &pvc, NULL);
  CHECK_OPTIONS("", AUTOMATIC, NULL, NULL, &dg2, NULL);
  CHECK_OPTIONS("", AUTOMATIC, NULL, NULL, &other, NULL);
  CHECK_OPTIONS("", AUTOMATIC, NULL, NULL, &cpu, NULL);
  CHECK_OPTIONS("-g -ze-opt-large-register-file -x",
      "-g -ftarget-register-alloc-mode=pvc:-ze-opt-large-register-file  -x", NULL, NULL, &pvc,
      NULL);
  CHECK_OPTIONS(
      "", "-ftarget-register-alloc-mode=bmg:-ze-opt-large-register-file", NULL, NULL, &pvc, NULL);
}

TEST(options_of_the_front_end_are_translated) {
  const syclze_device_traits intel = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x56a0);
  const syclze_device_traits other = device(ZE_DEVICE_TYPE_CPU, 0x8086, 0);
  CHECK_OPTIONS("-igc_opts 'PartitionUnit=1,SubroutineThreshold=50000' -g",
      "-ftarget-compile-fast -g", NULL, NULL, &intel, NULL);
  CHECK_OPTIONS("-g", "-ftarget-compile-fast -g", NULL, NULL, &other, NULL);
  CHECK_OPTIONS("-ze-fp32-correctly-rounded-divide-sqrt", "-foffload-fp32-prec-sqrt", NULL, NULL,
      &other, NULL);
  CHECK_OPTIONS("-igc_opts 'A=1, B=2' -ftarget-compile-fastest",
      "-igc_opts 'A=1, B=2'  -ftarget-compile-fastest", NULL, NULL, &intel, NULL);
}

TEST(link_options_and_the_callers_follow) {
  const syclze_device_traits intel = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x56a0);
  CHECK_OPTIONS("-c -l -m", "-c", "-l", NULL, &intel, "-m");
  CHECK_OPTIONS("-m", NULL, "", NULL, &intel, "-m");
  CHECK_OPTIONS("", NULL, NULL, NULL, &intel, NULL);
}

TEST(properties_imply_options) { // shows offload 48
  const syclze_device_traits intel = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x56a0);
  CHECK_OPTIONS("-a -ze-opt-large-register-file", "-a", NULL, MISC("sycl-register-alloc-mode=1|2"),
      &intel, NULL);
  CHECK_OPTIONS("-ze-intel-enable-auto-large-GRF-mode", NULL, NULL,
      MISC("sycl-register-alloc-mode=1|0"), &intel, NULL);
  CHECK_OPTIONS(
      "-ze-opt-large-register-file", NULL, NULL, MISC("sycl-grf-size=1|256"), &intel, NULL);
  CHECK_OPTIONS("", NULL, NULL, MISC("sycl-grf-size=1|128"), &intel, NULL);
  CHECK_OPTIONS("-ze-opt-disable", NULL, NULL, MISC("optLevel=1|0"), &intel, NULL);
  CHECK_OPTIONS("-ze-opt-level=2", NULL, NULL, MISC("optLevel=1|3"), &intel, NULL);
  CHECK_OPTIONS("", NULL, NULL, MISC("optLevel=1|4"), &intel, NULL);
  CHECK_OPTIONS("-vc-codegen -disable-finalizer-msg -doubleGRF", NULL, NULL,
      MISC("isEsimdImage=1|1\nsycl-grf-size=1|256\noptLevel=1|3"), &intel, NULL);
  CHECK_OPTIONS("", NULL, NULL, "malformed", &intel, NULL);
}

TEST(the_environment_replaces_and_appends) { // shows offload 48
  const syclze_device_traits intel = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x56a0);
  setenv("SYCL_PROGRAM_COMPILE_OPTIONS", "-mine -ftarget-compile-fast", 1);
  CHECK_OPTIONS("-mine -ftarget-compile-fast -ze-opt-large-register-file -l -m", "-c", "-l",
      MISC("sycl-grf-size=1|256\noptLevel=1|0"), &intel, "-m");
  setenv("SYCL_PROGRAM_LINK_OPTIONS", "-linked", 1);
  setenv("SYCL_PROGRAM_APPEND_COMPILE_OPTIONS", "-more", 1);
  setenv("SYCL_PROGRAM_APPEND_LINK_OPTIONS", "-last", 1);
  unsetenv("SYCL_PROGRAM_COMPILE_OPTIONS");
  CHECK_OPTIONS("-c -more -linked -last -m", "-c", "-l", NULL, &intel, "-m");
  unsetenv("SYCL_PROGRAM_LINK_OPTIONS");
  unsetenv("SYCL_PROGRAM_APPEND_COMPILE_OPTIONS");
  unsetenv("SYCL_PROGRAM_APPEND_LINK_OPTIONS");
}

TEST(small_buffers_and_null_are_refused) {
  const syclze_device_traits intel = device(ZE_DEVICE_TYPE_GPU, 0x8086, 0x56a0);
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  char text[4];
  size_t size = sizeof text;
  CHECK_EQ(syclze_build_options(&image, &intel, "-abc", text, &size), ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK_EQ(size, 5);
  CHECK_EQ(
      syclze_build_options(NULL, &intel, NULL, NULL, &size), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      syclze_build_options(&image, NULL, NULL, NULL, &size), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      syclze_build_options(&image, &intel, NULL, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_MAIN(register_allocation_is_for_its_device_only, options_of_the_front_end_are_translated,
    link_options_and_the_callers_follow, properties_imply_options,
    the_environment_replaces_and_appends, small_buffers_and_null_are_refused)
