/* Kernels by name, from the samples: each kernel that the device supports runs, with the right
   results. */
#include "support/offload.h"
#include "support/refused.h"
#include "support/works.h"
#include "support/spy.h"

static const char *const samples = "tests/offload/samples/";

static void add(struct offload *o, const char *name) {
  char path[256];
  snprintf(path, sizeof path, "%s%s", samples, name);
  offload_add(o, path);
}

static void run_two(const char *file) {
  struct offload o;
  offload_begin(&o, NULL);
  add(&o, file);

  const uint32_t base = 1000;
  offload_run_axpy(&o, 3.0f);

  syclze_kernel iota = offload_kernel(&o, "iota", NULL, 0);
  offload_argument(iota, 0, &o.ints, sizeof o.ints);
  offload_argument(iota, 1, &base, sizeof base);
  offload_run(&o, iota, OFFLOAD_ITEMS / 64, 64);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.ints[i] == 1000 + i);

  int *sums = (int *)(void *)o.out;
  syclze_kernel lsum = offload_kernel(&o, "lsum", NULL, 0);
  offload_argument(lsum, 0, &o.ints, sizeof o.ints);
  offload_argument(lsum, 1, &sums, sizeof sums);
  offload_argument(lsum, 2, NULL, 16 * sizeof(int));
  offload_run(&o, lsum, OFFLOAD_ITEMS / 16, 16);
  for (int i = 0; i < OFFLOAD_ITEMS / 16; i++)
    OFFLOAD_CHECK(sums[i] == 16 * (1000 + 16 * i) + 120);

  /* One module for three kernels. */
  const syclze_program_counts counts = syclze_program_get_counts(o.program);
  CHECK_EQ(counts.built, 1);
  CHECK_EQ(counts.from_memory, 2);
  offload_end(&o);
}

TEST(two_kernels_from_spirv) { // shows offload 1
  run_two("two.clang22.spv");
  run_two("two.llvmspirv15.spv");
}

TEST(two_kernels_from_containers) {
  run_two("pack16.ob");
  run_two("pack23.ob");
  run_two("host_clang22.o");
}

/* Containers that pack images without gaps have such addresses. */
TEST(an_image_at_an_odd_address_is_read) {
  struct offload o;
  offload_begin(&o, NULL);
  const struct given_file file = given_file("tests/offload/samples/two.clang22.spv");
  unsigned char *odd = malloc(file.size + 1);
  CHECK(odd != NULL);
  memcpy(odd + 1, file.bytes, file.size);
  CHECK_EQ(syclze_offload_set_add_bytes(o.set, syclze_bytes_of(odd + 1, file.size), odd),
      ZE_RESULT_SUCCESS);
  const uint32_t base = 7;
  syclze_kernel iota = offload_kernel(&o, "iota", NULL, 0);
  offload_argument(iota, 0, &o.ints, sizeof o.ints);
  offload_argument(iota, 1, &base, sizeof base);
  offload_run(&o, iota, 4, 64);
  OFFLOAD_CHECK(o.ints[OFFLOAD_ITEMS - 1] == OFFLOAD_ITEMS + 6);
  offload_end(&o);
  free(odd);
  free(file.bytes);
}

/* Native code for another device is skipped or refused; the SPIR-V in the same image runs. */
TEST(two_kernels_from_native_code_of_another_device) { // shows offload 3
  run_two("two.ocloc.dg2.zebin");
  run_two("two.ocloc.dg2_pvc.ar");
}

static float scaled(struct offload *o, const syclze_spec_value *values, uint32_t count) {
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o->out[i] = 1.0f;
  syclze_kernel scale = offload_kernel(o, "scale", values, count);
  offload_argument(scale, 0, &o->out, sizeof o->out);
  offload_run(o, scale, 4, 64);
  for (int i = 1; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o->out[i] == o->out[0]);
  return o->out[0];
}

static void run_spec(const char *file) {
  struct offload o;
  const int three = 3, two = 2;
  const float half = 0.5f;
  const syclze_spec_value n3 = {NULL, 0, &three, sizeof three}, n2 = {NULL, 0, &two, sizeof two},
                          f = {NULL, 1, &half, sizeof half}, absent = {NULL, 77, &two, sizeof two};
  const syclze_spec_value both[] = {n3, f, absent}, one[] = {n2}, other[] = {absent};
  offload_begin(&o, NULL);
  add(&o, file);
  OFFLOAD_CHECK(scaled(&o, NULL, 0) == 16.0f);
  OFFLOAD_CHECK(scaled(&o, both, 3) == 0.125f);
  OFFLOAD_CHECK(scaled(&o, one, 1) == 4.0f);
  CHECK_EQ(syclze_program_get_counts(o.program).built, 3);
  OFFLOAD_CHECK(scaled(&o, both, 3) == 0.125f);
  OFFLOAD_CHECK(scaled(&o, other, 1) == 16.0f); /* the same module as without values */
  CHECK_EQ(syclze_program_get_counts(o.program).built, 3);
  CHECK_EQ(syclze_program_get_counts(o.program).from_memory, 2);
  offload_end(&o);
}

TEST(specialization_constants_are_set_and_read_back) { // shows offload 34
  run_spec("spec.clang22.spv");
  run_spec("spec.llvmspirv15.spv");
}

TEST(fp64_kernels_run_where_the_device_has_fp64) {
  struct offload o;
  syclze_device_traits traits;
  offload_begin(&o, NULL);
  add(&o, "two.clang22.spv");
  add(&o, "dbl.clang22.spv");
  CHECK_EQ(syclze_device_get_traits(o.device, &traits), ZE_RESULT_SUCCESS);
  double *numbers = (double *)(void *)o.out;
  if (traits.has_fp64) {
    for (int i = 0; i < OFFLOAD_ITEMS; i++)
      numbers[i] = i + 0.5;
    syclze_kernel dsq = offload_kernel(&o, "dsq", NULL, 0);
    offload_argument(dsq, 0, &numbers, sizeof numbers);
    offload_run(&o, dsq, 4, 64);
    for (int i = 0; i < OFFLOAD_ITEMS; i++)
      OFFLOAD_CHECK(numbers[i] == (i + 0.5) * (i + 0.5));
  } else {
    const syclze_program_request request = {.kernel = "dsq"};
    syclze_kernel kernel;
    CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel),
        SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
  }
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "iota", NULL, 0)), ZE_RESULT_SUCCESS);
  offload_end(&o);
}

TEST(sub_group_kernels_run_where_the_device_has_sub_groups) {
  struct offload o;
  syclze_device_traits traits;
  char why[512];
  offload_begin(&o, NULL);
  add(&o, "sg.clang22.spv");
  CHECK_EQ(syclze_device_get_traits(o.device, &traits), ZE_RESULT_SUCCESS);
  bool has_16 = false;
  for (uint32_t i = 0; i < traits.sub_group_size_count; i++)
    has_16 = has_16 || traits.sub_group_sizes[i] == 16;
  if (has_16) {
    syclze_kernel kernel = offload_kernel(&o, "sgk", NULL, 0);
    offload_argument(kernel, 0, &o.ints, sizeof o.ints);
    offload_run(&o, kernel, 4, 64);
    OFFLOAD_CHECK(o.ints[OFFLOAD_ITEMS - 1] == 1);
  } else {
    const syclze_program_request request = {.kernel = "sgk", .log = why, .log_size = sizeof why};
    syclze_kernel kernel;
    refused_begin();
    CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel),
        SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
    refused_check(SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED, "syclze_selection_find",
        "fits the device", NULL, __FILE__, __LINE__);
    CHECK_STR_EQ(refused_detail(), why);
    CHECK(strstr(why, "image 1 (SPIR-V): it requires sub-groups") != NULL);
  }
  offload_end(&o);
}

TEST(a_clang_closure_is_launched) { // shows offload 1 5
  struct offload o;
  offload_begin(&o, NULL);
  add(&o, "pf22.clang22.spv");
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o.out[i] = (float)i;
  struct closure {
    float *p;
    float a;
  } closure;
  memset(&closure, 0, sizeof closure);
  closure.p = o.out;
  closure.a = 2.5f;
  syclze_kernel kernel = offload_kernel(&o, "_ZTS2KV", NULL, 0);
  offload_argument(kernel, 0, &closure, sizeof closure);
  offload_run(&o, kernel, 4, 64);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.out[i] == 2.5f * (float)i);
  offload_end(&o);
}

TEST(images_with_imports_are_linked) { // shows offload 21
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/kernels/imports.spv");
  const syclze_program_request request = {.kernel = "imported"};
  syclze_kernel kernel;
  CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel),
      ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  offload_add(&o, "tests/kernels/exports.spv");
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o.ints[i] = i;
  kernel = offload_kernel(&o, "imported", NULL, 0);
  offload_argument(kernel, 0, &o.ints, sizeof o.ints);
  offload_run(&o, kernel, 4, 64);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.ints[i] == 2 * i + 1);
  offload_end(&o);
}

/* The kernel's own image stays, but what it was linked with is gone. */
TEST(an_image_is_not_linked_with_one_that_was_removed) { // shows offload 25
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/kernels/imports.spv");
  offload_add(&o, "tests/kernels/exports.spv");
  const syclze_program_request request = {.kernel = "imported"};
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "imported", NULL, 0)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_remove(o.set, o.files[1].bytes), 1);
  CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel),
      ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  offload_add(&o, "tests/kernels/exports.spv");
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "imported", NULL, 0)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_get_counts(o.program).built, 2);
  offload_end(&o);
}

static int read_global(struct offload *o, const void *pointer) {
  CHECK_EQ(
      zeCommandListAppendMemoryCopy(o->g.list, o->ints, pointer, sizeof *o->ints, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  works_wait(&o->g, o->g.list);
  return o->ints[0];
}

TEST(a_global_is_found_and_shared_with_kernels) {
  struct offload o;
  size_t size = 0;
  void *pointer = NULL;
  const int five = 5;
  const syclze_program_request request = {.kernel = "add_to_counter"};
  syclze_device_traits traits;
  offload_begin(&o, NULL);
  CHECK_EQ(syclze_device_get_traits(o.device, &traits), ZE_RESULT_SUCCESS);
  if (!traits.has_fp64) {
    offload_end(&o);
    SKIP("a variable of the program needs fp64, which the device does not have");
  }
  offload_add(&o, "tests/kernels/globals.spv");
  CHECK_EQ(syclze_program_get_global(o.program, o.device, &request, "counter", &pointer, &size),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(size, sizeof(int));
  OFFLOAD_CHECK(read_global(&o, pointer) == 7);
  syclze_kernel kernel = offload_kernel(&o, "add_to_counter", NULL, 0);
  offload_argument(kernel, 0, &five, sizeof five);
  offload_run(&o, kernel, 1, 1);
  OFFLOAD_CHECK(read_global(&o, pointer) == 12);
  refused_begin();
  const ze_result_t result =
      syclze_program_get_global(o.program, o.device, &request, "none", &pointer, &size);
  /* Intel's driver has its own code for it. */
  CHECK(result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME ||
        result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  refused_check(
      result, "syclze_program_get_global", "does not find the variable", NULL, __FILE__, __LINE__);
  CHECK(pointer == NULL && size == 0);
  offload_end(&o);
}

TEST(a_kernel_outlives_its_program) {
  struct offload o;
  offload_begin(&o, NULL);
  offload_add(&o, "tests/kernels/imports.spv");
  offload_add(&o, "tests/kernels/exports.spv");
  syclze_kernel kernel = offload_kernel(&o, "imported", NULL, 0);
  CHECK_EQ(syclze_program_release(o.program), ZE_RESULT_SUCCESS);
  o.program.rep = NULL;
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o.ints[i] = i;
  offload_argument(kernel, 0, &o.ints, sizeof o.ints);
  offload_run(&o, kernel, 4, 64);
  OFFLOAD_CHECK(o.ints[7] == 15);
  offload_end(&o);
}

/* Invalid native code, beside a SPIR-V image with the same kernel. */
TEST(the_next_image_is_tried_where_the_driver_refuses_one) {
  struct offload o;
  static const char junk[64] = "\177ELF\2\1\1";
  const syclze_offload_string symbols = {
      syclze_text_of("symbols"), syclze_bytes_of("iota\nghost", 10)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(junk, sizeof junk));
  syclze_offload_image_set_strings(&image, &symbols, 1);
  offload_begin(&o, NULL);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, junk, NULL), ZE_RESULT_SUCCESS);
  add(&o, "two.clang22.spv");
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "iota", NULL, 0)), ZE_RESULT_SUCCESS);
  const syclze_program_request iota = {.kernel = "iota"};
  syclze_candidate choice;
  CHECK_EQ(syclze_program_get_choice(o.program, o.device, &iota, &choice), ZE_RESULT_SUCCESS);
  CHECK_EQ(choice.serial, 2);
  CHECK_EQ(choice.format, ZE_MODULE_FORMAT_IL_SPIRV);
  char log[512];
  const syclze_program_request request = {.kernel = "ghost", .log = log, .log_size = sizeof log};
  syclze_kernel kernel;
  refused_begin();
  const ze_result_t result = syclze_program_get_kernel(o.program, o.device, &request, &kernel);
  CHECK(result != ZE_RESULT_SUCCESS);
  CHECK_EQ(refused_count(), 1);
  CHECK(strstr(refused_detail(), "image 1: ZE_RESULT_ERROR") != NULL);
  CHECK_STR_EQ(refused_detail(), log);
  /* Only the embedded device has a build log for native code. */
  if (given_is_zecl(o.g.driver))
    CHECK(strlen(log) > strlen("image 1: ZE_RESULT_ERROR_MODULE_BUILD_FAILURE: \n"));
  CHECK(kernel.rep == NULL);
  offload_end(&o);
}

/* The second request asks the driver for nothing but the device's traits, and has the same log. */
TEST(a_build_that_failed_is_not_repeated) { // shows offload 56
  struct offload o;
  static const char junk[64] = "\177ELF\2\1\1";
  const syclze_offload_string symbols = {syclze_text_of("symbols"), syclze_bytes_of("ghost", 5)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(junk, sizeof junk));
  syclze_offload_image_set_strings(&image, &symbols, 1);
  offload_begin(&o, NULL);
  CHECK_EQ(syclze_offload_set_add(o.set, &image, junk, NULL), ZE_RESULT_SUCCESS);
  char logs[2][512];
  ze_result_t results[2];
  unsigned calls[2];
  for (int i = 0; i < 2; i++) {
    const syclze_program_request request = {
        .kernel = "ghost", .log = logs[i], .log_size = sizeof logs[i]};
    syclze_kernel kernel;
    const unsigned before = spy_calls();
    results[i] = syclze_program_get_kernel(o.program, o.device, &request, &kernel);
    calls[i] = spy_calls() - before;
  }
  syclze_device_traits traits;
  const unsigned before = spy_calls();
  CHECK_EQ(syclze_device_get_traits(o.device, &traits), ZE_RESULT_SUCCESS);
  CHECK(results[0] != ZE_RESULT_SUCCESS);
  CHECK_EQ(results[1], results[0]);
  CHECK_STR_EQ(logs[1], logs[0]);
  CHECK(calls[0] > calls[1]);
  CHECK_EQ(calls[1], spy_calls() - before);
  offload_end(&o);
}

TEST(removed_images_are_not_found) { // shows offload 25
  struct offload o;
  offload_begin(&o, NULL);
  add(&o, "two.clang22.spv");
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "iota", NULL, 0)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_remove(o.set, o.files[0].bytes), 1);
  const syclze_program_request request = {.kernel = "iota"};
  syclze_kernel kernel;
  CHECK_EQ(syclze_program_get_kernel(o.program, o.device, &request, &kernel),
      ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  add(&o, "two.llvmspirv15.spv");
  CHECK_EQ(syclze_kernel_release(offload_kernel(&o, "iota", NULL, 0)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_program_get_counts(o.program).built, 2);
  offload_end(&o);
}

/* Queried before and after the kernel is built, with the constants of the image. */
TEST(a_program_returns_the_image_it_selected) {
  struct offload o;
  offload_begin(&o, NULL);
  add(&o, "two.clang22.spv");
  add(&o, "spec.clang22.spv");
  const syclze_program_request scale = {.kernel = "scale"}, iota = {.kernel = "iota"},
                               unknown = {.kernel = "unknown"};
  syclze_candidate choice;
  syclze_spec_constants constants;
  for (uint32_t i = 0; i < 2; i++) {
    CHECK_EQ(syclze_program_get_choice(o.program, o.device, &scale, &choice), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_program_get_counts(o.program).built, 1);
    CHECK_EQ(syclze_program_get_counts(o.program).from_memory, i);
    CHECK_EQ(choice.serial, 2);
    CHECK_EQ(choice.fit, SYCLZE_FIT_JIT);
    CHECK_EQ(choice.format, ZE_MODULE_FORMAT_IL_SPIRV);
    CHECK(choice.module.data == o.files[1].bytes && choice.module.size == o.files[1].size);
    CHECK_EQ(syclze_spec_constants_make(&choice.image, &constants), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_spec_constant_count(constants), 2);
    CHECK(syclze_spec_constants_blob(constants).size != 0);
    syclze_spec_constants_end(constants);
  }
  CHECK_EQ(syclze_program_get_choice(o.program, o.device, &iota, &choice), ZE_RESULT_SUCCESS);
  CHECK_EQ(choice.serial, 1);
  CHECK_EQ(syclze_offload_set_remove(o.set, o.files[0].bytes), 1);
  add(&o, "two.llvmspirv15.spv");
  CHECK_EQ(syclze_program_get_choice(o.program, o.device, &iota, &choice), ZE_RESULT_SUCCESS);
  CHECK_EQ(choice.serial, 3);
  const char *const function = "syclze_program_get_choice";
  const syclze_program nothing = {NULL};
  CHECK_EQ(syclze_program_get_choice(o.program, o.device, &unknown, &choice),
      ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  CHECK_EQ(choice.serial, 0);
  FAILED(syclze_program_get_choice(nothing, o.device, &iota, &choice),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "program", NULL);
  CHECK(choice.serial == 0 && choice.module.data == NULL);
  FAILED(syclze_program_get_choice(o.program, o.device, NULL, &choice),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "request", NULL);
  FAILED(syclze_program_get_choice(o.program, o.device, &iota, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "result", NULL);
  offload_end(&o);
}

TEST(null_requests_are_refused) {
  struct offload o;
  const syclze_program_request no_name = {.kernel = NULL}, good = {.kernel = "iota"},
                               no_values = {.kernel = "iota", .value_count = 1};
  const syclze_program nothing = {NULL};
  const syclze_device no_device = {NULL};
  syclze_kernel_bundle bundle;
  syclze_program program;
  offload_begin(&o, NULL);
  const char *const function = "syclze_program_get_bundle";
  REFUSED(bundle, syclze_program_get_bundle(nothing, o.device, &good, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "program", NULL);
  REFUSED(bundle, syclze_program_get_bundle(o.program, no_device, &good, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "device", NULL);
  REFUSED(bundle, syclze_program_get_bundle(o.program, o.device, NULL, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "request", NULL);
  REFUSED(bundle, syclze_program_get_bundle(o.program, o.device, &no_name, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "kernel", NULL);
  REFUSED(bundle, syclze_program_get_bundle(o.program, o.device, &no_values, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "values", NULL);
  const syclze_context no_context = {NULL};
  REFUSED(program, syclze_program_create(no_context, NULL, &program),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_program_create", "context", NULL);
  CHECK_EQ(syclze_program_release(nothing), ZE_RESULT_SUCCESS);
  offload_end(&o);
}

/* A handle whose destruction failed is destroyed here. */
static void destroy_what_refused(const char *failed) {
  if (strcmp(failed, "zeModuleBuildLogDestroy") == 0)
    CHECK_EQ(zeModuleBuildLogDestroy(spy_survivor(SPY_BUILD_LOG)), ZE_RESULT_SUCCESS);
  if (strcmp(failed, "zeKernelDestroy") == 0)
    CHECK_EQ(zeKernelDestroy(spy_survivor(SPY_KERNEL)), ZE_RESULT_SUCCESS);
}

/* No failing driver call leaks anything. */
TEST(a_failing_driver_leaks_nothing) {
  for (unsigned n = 1;; n++) {
    struct offload o;
    offload_begin(&o, NULL);
    offload_add(&o, "tests/kernels/imports.spv");
    offload_add(&o, "tests/kernels/exports.spv");
    const syclze_program_request request = {.kernel = "imported"};
    syclze_kernel kernel;
    spy_fail_at(n, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    const ze_result_t result = syclze_program_get_kernel(o.program, o.device, &request, &kernel);
    const char *failed = spy_failed_call();
    spy_fail_at(0, ZE_RESULT_SUCCESS);
    if (result == ZE_RESULT_SUCCESS) CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
    if (failed != NULL) destroy_what_refused(failed);
    offload_end(&o);
    if (failed == NULL) break;
    CHECK(n < 64);
  }
}

TEST_MAIN(two_kernels_from_spirv, two_kernels_from_containers, an_image_at_an_odd_address_is_read,
    two_kernels_from_native_code_of_another_device, specialization_constants_are_set_and_read_back,
    fp64_kernels_run_where_the_device_has_fp64,
    sub_group_kernels_run_where_the_device_has_sub_groups, a_clang_closure_is_launched,
    images_with_imports_are_linked, an_image_is_not_linked_with_one_that_was_removed,
    a_global_is_found_and_shared_with_kernels, a_kernel_outlives_its_program,
    the_next_image_is_tried_where_the_driver_refuses_one, a_build_that_failed_is_not_repeated,
    removed_images_are_not_found, a_program_returns_the_image_it_selected,
    null_requests_are_refused, a_failing_driver_leaks_nothing)
