/* Kernel bundles built from SPIR-V, and kernels created from them. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#define FUNCTION "syclze_kernel_bundle_create"

struct build_case {
  struct given g;
  syclze_context context;
  syclze_device device;
  struct given_file file;
};

static struct build_case begin(const char *path) {
  struct build_case c = {.g = given(), .file = given_file(path)};
  c.context = made_context(&c.g, SYCLZE_OWNERSHIP_KEEP);
  c.device = made_device(&c.g);
  return c;
}

static void end(struct build_case *c) {
  free(c->file.bytes);
  CHECK_EQ(syclze_context_release(c->context), ZE_RESULT_SUCCESS);
  given_end(&c->g);
}

static syclze_kernel_bundle_desc desc_of(const struct build_case *c) {
  return (syclze_kernel_bundle_desc){.spirv = c->file.bytes, .size = c->file.size};
}

static syclze_kernel_bundle built(
    const struct build_case *c, const syclze_kernel_bundle_desc *desc) {
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_kernel_bundle_create(c->context, c->device, desc, &bundle), ZE_RESULT_SUCCESS);
  return bundle;
}

TEST(a_bundle_is_built_and_destroyed) {
  struct build_case c = begin("tests/kernels/basic.spv");
  syclze_kernel_bundle_desc desc = desc_of(&c);
  syclze_kernel_bundle bundle = built(&c, &desc);
  CHECK_EQ(syclze_kernel_bundle_get_native(bundle).count, 1);
  ze_module_handle_t module = syclze_kernel_bundle_get_native(bundle).modules[0];
  CHECK_EQ(spy_alive(SPY_MODULE), 1);
  CHECK_EQ(spy_alive(SPY_BUILD_LOG), 0);
  works_module(module, "axpy");
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(module), 1);
  end(&c);
}

TEST(a_kernel_is_created_runs_and_is_destroyed) {
  struct build_case c = begin("tests/kernels/basic.spv");
  syclze_kernel_bundle_desc desc = desc_of(&c);
  syclze_kernel_bundle bundle = built(&c, &desc);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, "iota", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  ze_module_handle_t module =
      syclze_kernel_bundle_get_native(syclze_kernel_get_kernel_bundle(kernel)).modules[0];
  CHECK(spy_is_alive(SPY_MODULE, module));
  works_iota(&c.g, c.g.list, native);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(spy_destroys_of(module), 1);
  spy_check_order(native, module);
  end(&c);
}

TEST(an_unknown_kernel_name_is_refused) {
  struct build_case c = begin("tests/kernels/basic.spv");
  syclze_kernel_bundle_desc desc = desc_of(&c);
  syclze_kernel_bundle bundle = built(&c, &desc), no_bundle = {0};
  ze_module_handle_t module = syclze_kernel_bundle_get_native(bundle).modules[0];
  syclze_kernel kernel;
  REFUSED(kernel, syclze_kernel_create(bundle, "absent", &kernel),
      ZE_RESULT_ERROR_INVALID_KERNEL_NAME, "syclze_kernel_create", "zeKernelCreate", module);
  REFUSED(kernel, syclze_kernel_create(bundle, NULL, &kernel), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_kernel_create", "name", NULL);
  REFUSED(kernel, syclze_kernel_create(no_bundle, "iota", &kernel),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_kernel_create", "null", NULL);
  FAILED(syclze_kernel_create(bundle, "iota", NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_kernel_create", "null", NULL);
  works_module(module, "iota");
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  end(&c);
}

/* Runs the kernel of spec.spv, which writes its specialization constants 0 to 3. */
static void check_specialised(
    struct build_case *c, const ze_module_constants_t *constants, const float expected[4]) {
  syclze_kernel_bundle_desc desc = desc_of(c);
  desc.constants = constants;
  syclze_kernel_bundle bundle = built(c, &desc);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, "specialised", &kernel), ZE_RESULT_SUCCESS);
  void *memory;
  CHECK_EQ(
      syclze_malloc_shared(4 * sizeof(float), c->device, c->context, &memory), ZE_RESULT_SUCCESS);
  ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  CHECK_EQ(zeKernelSetGroupSize(native, 4, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(native, 0, sizeof memory, &memory), ZE_RESULT_SUCCESS);
  ze_group_count_t groups = {1, 1, 1};
  CHECK_EQ(zeCommandListAppendLaunchKernel(c->g.list, native, &groups, NULL, 0, NULL),
      ZE_RESULT_SUCCESS);
  works_wait(&c->g, c->g.list);
  for (int i = 0; i < 4 && given_executes(); i++)
    CHECK(((const float *)memory)[i] == expected[i]);
  CHECK_EQ(syclze_free(memory, c->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
}

TEST(specialization_constants_reach_the_kernel) {
  struct build_case c = begin("tests/kernels/spec.spv");
  const uint32_t ids[] = {0, 1, 2, 3};
  const int a = -12;
  const float b = 6.25f;
  const double d = 1024.5;
  const char e = 9;
  const void *values[] = {&a, &b, &d, &e};
  ze_module_constants_t constants = {4, ids, values};
  check_specialised(&c, NULL, (const float[]){4, 2, 0.5f, 1});
  check_specialised(&c, &constants, (const float[]){-12, 6.25f, 1024.5f, 9});
  constants.numConstants = 1;
  check_specialised(&c, &constants, (const float[]){-12, 2, 0.5f, 1});
  end(&c);
}

/* Skipped on drivers that end the process on invalid SPIR-V. */
TEST(invalid_spirv_is_refused_with_a_build_log) {
  struct build_case c = begin("tests/kernels/basic.spv");
  given_needs_zecl(c.g.driver);
  static const char junk[] = "This is not SPIR-V but it is long enough to be looked at.";
  char log[1024] = "before";
  syclze_kernel_bundle_desc desc = {
      .spirv = junk, .size = sizeof junk, .build_log = log, .build_log_size = sizeof log};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_kernel_bundle_create(c.context, c.device, &desc, &bundle),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, FUNCTION, "zeModuleCreate", NULL);
  CHECK(strlen(log) > 0 && strcmp(log, "before") != 0);
  CHECK_STR_EQ(refused_detail(), log);
  end(&c);
}

TEST(a_build_log_is_truncated_and_terminated) {
  struct build_case c = begin("tests/kernels/basic.spv");
  given_needs_zecl(c.g.driver);
  static const char junk[64] = "junk";
  char whole[1024], log[16];
  syclze_kernel_bundle_desc desc = {
      .spirv = junk, .size = sizeof junk, .build_log = whole, .build_log_size = sizeof whole};
  syclze_kernel_bundle bundle;
  CHECK_EQ(syclze_kernel_bundle_create(c.context, c.device, &desc, &bundle),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK(strlen(whole) > sizeof log);
  desc.build_log = log;
  for (size_t size = 0; size <= sizeof log; size++) {
    memset(log, '#', sizeof log);
    desc.build_log_size = size;
    REFUSED(bundle, syclze_kernel_bundle_create(c.context, c.device, &desc, &bundle),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, FUNCTION, "zeModuleCreate", NULL);
    CHECK_STR_EQ(refused_detail(), whole);
    if (size > 0) CHECK_EQ(strlen(log), size - 1);
    CHECK(size == 0 || memcmp(log, whole, size - 1) == 0);
    CHECK(size == sizeof log || log[size] == '#');
  }
  end(&c);
}

TEST(a_successful_build_empties_the_log) {
  struct build_case c = begin("tests/kernels/basic.spv");
  char log[16] = "before";
  syclze_kernel_bundle_desc desc = desc_of(&c);
  desc.build_log = log;
  desc.build_log_size = sizeof log;
  syclze_kernel_bundle bundle = built(&c, &desc);
  CHECK_STR_EQ(log, "");
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST(a_module_with_unresolved_imports_is_refused_and_destroyed) {
  struct build_case c = begin("tests/kernels/imports.spv");
  syclze_kernel_bundle_desc desc = desc_of(&c);
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_kernel_bundle_create(c.context, c.device, &desc, &bundle),
      SYCLZE_RESULT_ERROR_INVALID, FUNCTION, "unresolved imports", NULL);
  CHECK_EQ(spy_alive(SPY_MODULE), 0);
  end(&c);
}

TEST(null_is_refused) {
  struct build_case c = begin("tests/kernels/basic.spv");
  syclze_context no_context = {0};
  syclze_device no_device = {0};
  syclze_kernel_bundle_desc desc = desc_of(&c), nothing = {0};
  syclze_kernel_bundle bundle;
  REFUSED(bundle, syclze_kernel_bundle_create(no_context, c.device, &desc, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "context", NULL);
  REFUSED(bundle, syclze_kernel_bundle_create(c.context, no_device, &desc, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "device", NULL);
  REFUSED(bundle, syclze_kernel_bundle_create(c.context, c.device, NULL, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "null", NULL);
  REFUSED(bundle, syclze_kernel_bundle_create(c.context, c.device, &nothing, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "null", NULL);
  FAILED(syclze_kernel_bundle_create(c.context, c.device, &desc, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION, "null", NULL);
  end(&c);
}

/* A kernel that signals a created event, and the event's timestamps. */
TEST(a_kernel_signals_a_created_event) {
  given_needs_execution();
  struct build_case c = begin("tests/kernels/basic.spv");
  syclze_kernel_bundle_desc desc = desc_of(&c);
  syclze_kernel_bundle bundle = built(&c, &desc);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, "nothing", &kernel), ZE_RESULT_SUCCESS);
  syclze_event event;
  CHECK_EQ(syclze_event_create(c.context, SYCLZE_EVENT_FLAG_PROFILING, &event), ZE_RESULT_SUCCESS);
  ze_event_handle_t native = syclze_event_get_native(event);
  ze_group_count_t groups = {1, 1, 1};
  CHECK_EQ(zeCommandListAppendLaunchKernel(
               c.g.list, syclze_kernel_get_native(kernel), &groups, native, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(native, UINT64_MAX), ZE_RESULT_SUCCESS);
  ze_kernel_timestamp_result_t stamps = {{0, 0}, {0, 0}};
  CHECK_EQ(zeEventQueryKernelTimestamp(native, &stamps), ZE_RESULT_SUCCESS);
  CHECK(stamps.global.kernelStart != 0 && stamps.global.kernelStart <= stamps.global.kernelEnd);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  end(&c);
}

TEST_MAIN(a_bundle_is_built_and_destroyed, a_kernel_is_created_runs_and_is_destroyed,
    an_unknown_kernel_name_is_refused, specialization_constants_reach_the_kernel,
    invalid_spirv_is_refused_with_a_build_log, a_build_log_is_truncated_and_terminated,
    a_successful_build_empties_the_log, a_module_with_unresolved_imports_is_refused_and_destroyed,
    null_is_refused, a_kernel_signals_a_created_event)
