/* A program split by requirements, on a device without fp64: the kernel that needs fp64 is refused
   with the reasons, the others run, whether the compiler divided the module or its set allows
   that. */
#define _POSIX_C_SOURCE 200809L
#include "support/offload.h"
#include "support/refused.h"

#include "syclze/offload/division.h"

static const char *const module = "tests/kernels/mixed.spv";

/* The embedded device reads its environment once, at first use. */
static void begin_without_fp64(struct offload *o) {
  syclze_device_traits traits;
  setenv("ZECL_NO_FP64", "1", 1);
  offload_begin(o, NULL);
  CHECK_EQ(syclze_device_get_traits(o->device, &traits), ZE_RESULT_SUCCESS);
  if (!traits.has_fp64) return;
  CHECK(!given_is_zecl(o->g.driver));
  offload_end(o);
  SKIP("the device has fp64");
}

static void check_refused(struct offload *o, const char *kernel, const char *reason) {
  char why[1024];
  const syclze_program_request request = {.kernel = kernel, .log = why, .log_size = sizeof why};
  syclze_kernel refused;
  refused_begin();
  CHECK_EQ(syclze_program_get_kernel(o->program, o->device, &request, &refused),
      SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
  refused_check(SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED, "syclze_selection_find",
      "fits the device", NULL, __FILE__, __LINE__);
  CHECK_STR_EQ(refused_detail(), why);
  if (strstr(why, reason) == NULL) check_fail(__FILE__, __LINE__, "%s: %s", kernel, why);
  CHECK(refused.rep == NULL);
}

static void run_on_ints(struct offload *o, const char *name, uint32_t size) {
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    o->ints[i] = i;
  syclze_kernel kernel = offload_kernel(o, name, NULL, 0);
  offload_argument(kernel, 0, &o->ints, sizeof o->ints);
  offload_run(o, kernel, OFFLOAD_ITEMS / size, size);
}

TEST(an_fp64_kernel_does_not_block_others_on_a_device_without_fp64) { // shows offload 30
  struct offload o;
  syclze_split split;
  void *parts[8] = {NULL};
  begin_without_fp64(&o);
  const struct given_file file = given_file(module);
  CHECK_EQ(syclze_split_make(
               syclze_bytes_of(file.bytes, file.size), SYCLZE_SPLIT_BY_REQUIREMENT, &split),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(split.part_count, 3);
  const uint32_t count = split.part_count;
  for (uint32_t i = 0; i < count; i++) {
    size_t size = 0;
    CHECK_EQ(syclze_split_write(&split, i, NULL, &size), ZE_RESULT_SUCCESS);
    parts[i] = malloc(size);
    CHECK(parts[i] != NULL);
    CHECK_EQ(syclze_split_write(&split, i, parts[i], &size), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_offload_set_add_bytes(o.set, syclze_bytes_of(parts[i], size), parts[i]),
        ZE_RESULT_SUCCESS);
  }
  syclze_split_end(&split);
  check_refused(
      &o, "with_double", "image 2 (SPIR-V): its SPIR-V needs fp64, which the device does not have");
  run_on_ints(&o, "plain", 64);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.ints[i] == 2 * i + 1);
  run_on_ints(&o, "of_32", 32);
  OFFLOAD_CHECK(o.ints[0] == 32 && o.ints[OFFLOAD_ITEMS - 1] == 32);
  /* The two kernels that share a variable share a module. */
  const uint64_t built = syclze_program_get_counts(o.program).built;
  run_on_ints(&o, "adds", 64);
  OFFLOAD_CHECK(o.ints[7] == 8);
  run_on_ints(&o, "takes", 64);
  OFFLOAD_CHECK(o.ints[7] == 0);
  CHECK_EQ(syclze_program_get_counts(o.program).built, built);
  offload_end(&o);
  for (uint32_t i = 0; i < count; i++)
    free(parts[i]);
  free(file.bytes);
}

TEST(an_undivided_module_runs_its_kernels_without_fp64) { // shows offload 32
  struct offload o;
  begin_without_fp64(&o);
  offload_add(&o, module);
  check_refused(&o, "plain", "image 1 (SPIR-V): its SPIR-V needs fp64");
  CHECK_EQ(syclze_offload_set_allow_division(o.set), ZE_RESULT_SUCCESS);
  check_refused(&o, "with_double", "image 1 (SPIR-V): its SPIR-V needs fp64");
  run_on_ints(&o, "plain", 64);
  for (int i = 0; i < OFFLOAD_ITEMS; i++)
    OFFLOAD_CHECK(o.ints[i] == 2 * i + 1);
  const uint64_t built = syclze_program_get_counts(o.program).built;
  run_on_ints(&o, "adds", 64);
  run_on_ints(&o, "plain", 64);
  CHECK_EQ(syclze_program_get_counts(o.program).built, built);
  offload_end(&o);
}

TEST(the_driver_refuses_fp64_too) {
  struct offload o;
  begin_without_fp64(&o);
  given_needs_zecl(o.g.driver);
  const struct given_file file = given_file(module);
  ze_module_handle_t made = NULL;
  ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = file.size,
      .pInputModule = file.bytes};
  CHECK_EQ(zeModuleCreate(syclze_context_get_native(o.context), syclze_device_get_native(o.device),
               &desc, &made, NULL),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  free(file.bytes);
  offload_end(&o);
}

TEST_MAIN(an_fp64_kernel_does_not_block_others_on_a_device_without_fp64,
    an_undivided_module_runs_its_kernels_without_fp64, the_driver_refuses_fp64_too)
