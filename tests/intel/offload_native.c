/* Native code before SPIR-V: images of Intel's offline compiler, by the version of the device; code
   for other devices is left, and the SPIR-V in it compiled. */
#include "tests/device/support/offload.h"

static syclze_candidate choice_of(struct offload *o, const char *kernel) {
  const syclze_program_request request = {.kernel = kernel};
  syclze_candidate choice;
  CHECK_EQ(syclze_program_get_choice(o->program, o->device, &request, &choice), ZE_RESULT_SUCCESS);
  syclze_kernel_release(offload_kernel(o, kernel, NULL, 0));
  return choice;
}

static uint32_t version_of(const struct offload *o) {
  syclze_device_traits traits;
  CHECK_EQ(syclze_device_get_traits(o->device, &traits), ZE_RESULT_SUCCESS);
  return traits.ip_version;
}

/* The sample is ocloc's code for DG2, 12.55.8, with its SPIR-V. */
TEST(native_code_is_chosen_on_its_device_only) { // shows offload 2
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  offload_add(&o, "tests/offload/samples/two.ocloc.dg2.zebin");
  const uint32_t version = version_of(&o);
  const syclze_candidate choice = choice_of(&o, "axpy");
  if (version == syclze_ip_version_of(12, 55, 8)) {
    CHECK_EQ(choice.fit, SYCLZE_FIT_NATIVE);
    CHECK_EQ(choice.serial, 2);
    CHECK_EQ(choice.format, ZE_MODULE_FORMAT_NATIVE);
  } else {
    CHECK_EQ(choice.fit, SYCLZE_FIT_JIT);
    CHECK_EQ(choice.serial, 1);
  }
  offload_end(&o);
}

TEST(the_spirv_in_native_code_of_another_device_is_compiled) { // shows offload 3
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/offload/samples/two.ocloc.dg2.zebin");
  const syclze_candidate choice = choice_of(&o, "axpy");
  const bool is_its = version_of(&o) == syclze_ip_version_of(12, 55, 8);
  CHECK_EQ(choice.fit, is_its ? SYCLZE_FIT_NATIVE : SYCLZE_FIT_JIT);
  CHECK_EQ(choice.format, is_its ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV);
  offload_end(&o);
}

/* The archive holds code for DG2 and for PVC, and the driver picks. */
TEST(the_driver_takes_its_code_out_of_an_archive) { // shows offload 42
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/offload/samples/two.ocloc.dg2_pvc.ar");
  const uint32_t version = version_of(&o);
  const syclze_candidate choice = choice_of(&o, "axpy");
  const bool is_in_it = version == syclze_ip_version_of(12, 55, 8) ||
                        version >> 14 == syclze_ip_version_of(12, 60, 0) >> 14;
  CHECK_EQ(choice.fit != SYCLZE_FIT_JIT, is_in_it);
  CHECK_EQ(choice.format, is_in_it ? ZE_MODULE_FORMAT_NATIVE : ZE_MODULE_FORMAT_IL_SPIRV);
  offload_end(&o);
}

/* The driver's own binary, of this very device. */
TEST(the_driver_accepts_its_own_binary_before_spirv) { // shows offload 2
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  size_t size;
  uint8_t *binary = offload_native_binary(&o, "axpy", &size);
  CHECK_EQ(syclze_offload_set_add_bytes(o.set, syclze_bytes_of(binary, size), binary),
      ZE_RESULT_SUCCESS);
  const syclze_candidate choice = choice_of(&o, "axpy");
  CHECK_EQ(choice.serial, 2);
  CHECK(choice.fit == SYCLZE_FIT_NATIVE || choice.fit == SYCLZE_FIT_MAYBE_NATIVE);
  CHECK_EQ(choice.format, ZE_MODULE_FORMAT_NATIVE);
  offload_end(&o);
  free(binary);
}

/* Images of other makers' targets are refused by name. */
// shows offload 43
TEST(code_for_other_targets_is_refused_by_name) {
  static const char ptx[] = "//\n.version 7.0\n.target sm_90\n.entry axpy() { ret; }\n";
  struct offload o;
  char log[1024];
  const syclze_program_request request = {.kernel = "axpy", .log = log, .log_size = sizeof log};
  syclze_kernel kernel;
  offload_begin(&o, NULL);
  const syclze_offload_string strings[] = {
      {syclze_text_of("triple"), syclze_bytes_of("nvptx64-nvidia-cuda", 19)},
      {syclze_text_of("symbols"), syclze_bytes_of("axpy", 4)}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(ptx, sizeof ptx));
  image.image_kind = SYCLZE_OFFLOAD_IMAGE_KIND_PTX;
  syclze_offload_image_set_strings(&image, strings, 2);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel),
      SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
  CHECK(strstr(log, "it is for nvptx64-nvidia-cuda") != NULL);
  offload_end(&o);
}

TEST_MAIN(native_code_is_chosen_on_its_device_only,
    the_spirv_in_native_code_of_another_device_is_compiled,
    the_driver_takes_its_code_out_of_an_archive, the_driver_accepts_its_own_binary_before_spirv,
    code_for_other_targets_is_refused_by_name)
