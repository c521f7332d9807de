/* Kernel bundles that syclze builds, and the logs of failed builds. */
#include "support/memory.h"
#include "support/world.h"
#include "tests/check.h"

static const char *const function = "syclze_kernel_bundle_create";

static syclze_kernel_bundle_desc desc_of(const char *text) {
  syclze_kernel_bundle_desc desc = {0};
  desc.spirv = text;
  desc.size = strlen(text);
  return desc;
}

TEST(a_created_bundle_owns_one_module) {
  world_begin();
  syclze_kernel_bundle_desc desc = desc_of("add scale");
  ze_module_constants_t constants = {0};
  desc.build_flags = "-ze-opt-level=2";
  desc.constants = &constants;
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle));
  CHECK_EQ(fake_calls(FAKE_zeModuleCreate), 1);
  CHECK_EQ(fake_seen.module_format, ZE_MODULE_FORMAT_IL_SPIRV);
  CHECK_EQ(fake_seen.build_flags, desc.build_flags);
  CHECK_EQ(fake_seen.constants, &constants);
  ze_module_handle_t module = syclze_kernel_bundle_get_native(bundle).modules[0];
  CHECK_EQ(syclze_kernel_bundle_get_context(bundle).rep, world.context.rep);
  CHECK_EQ(fake_calls(FAKE_zeModuleBuildLogDestroy), 1);
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  CHECK_EQ(fake_destroys(module), 1);
  world_end();
}

TEST(a_failed_build_returns_its_log) {
  world_begin();
  char log[64] = "before";
  syclze_kernel_bundle_desc desc = desc_of("!line 1: no such thing");
  desc.build_log = log;
  desc.build_log_size = sizeof log;
  syclze_kernel_bundle bundle = {(struct syclze__kernel_bundle *)&desc};
  CHECK_FAILED(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, function, NULL);
  CHECK_EQ(bundle.rep, NULL);
  CHECK_STR_EQ(log, "line 1: no such thing");
  CHECK_STR_EQ(notes.detail, "line 1: no such thing");
  CHECK_EQ(fake_calls(FAKE_zeModuleBuildLogDestroy), 1);
  world_end();
}

TEST(a_long_build_log_is_truncated_and_terminated) {
  world_begin();
  char log[8];
  memset(log, 'x', sizeof log);
  syclze_kernel_bundle_desc desc = desc_of("!0123456789");
  syclze_kernel_bundle bundle;
  desc.build_log = log;
  for (size_t size = 1; size < sizeof log; size++) {
    desc.build_log_size = size;
    CHECK_FAILED(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, function, NULL);
    CHECK_EQ(strlen(log), size - 1);
    CHECK_EQ(log[size], 'x');
    CHECK_STR_EQ(notes.detail, "0123456789");
  }
  desc.build_log_size = 0;
  log[0] = 'x';
  CHECK_FAILED(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, function, NULL);
  CHECK_EQ(log[0], 'x');
  world_end();
}

TEST(an_unavailable_build_log_is_empty) {
  for (int i = 0; i < 6; i++) {
    world_begin();
    char log[8] = "before";
    syclze_kernel_bundle_desc desc = desc_of(i == 4 ? "!" : "!text");
    desc.build_log = log;
    desc.build_log_size = sizeof log;
    syclze_kernel_bundle bundle;
    if (i == 0) fake.silent_build = 1;
    if (i == 1) fake_fail(FAKE_zeModuleBuildLogGetString, 1, ZE_RESULT_ERROR_UNKNOWN);
    if (i == 2) fake_fail(FAKE_zeModuleBuildLogGetString, 2, ZE_RESULT_ERROR_UNKNOWN);
    if (i == 3) memory_fail(1);
    if (i == 5) fake.empty_log = 1;
    CHECK_FAILED(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle),
        ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, function, NULL);
    CHECK_STR_EQ(log, "");
    CHECK_STR_EQ(notes.detail, "");
    /* The size, and then the text where there is one to be had. */
    CHECK_EQ(fake_calls(FAKE_zeModuleBuildLogGetString), i == 0 ? 0 : i % 2 != 0 ? 1 : 2);
    world_end();
  }
}

TEST(a_build_that_succeeds_leaves_the_log_empty) {
  world_begin();
  char log[8] = "before";
  syclze_kernel_bundle_desc desc = desc_of("add");
  desc.build_log = log;
  desc.build_log_size = sizeof log;
  syclze_kernel_bundle bundle;
  CHECK_OK(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle));
  CHECK_STR_EQ(log, "");
  CHECK_OK(syclze_kernel_bundle_release(bundle));
  world_end();
}

TEST(a_built_module_with_unresolved_imports_is_refused_and_destroyed) {
  world_begin();
  fake.build_imports = "elsewhere";
  syclze_kernel_bundle_desc desc = desc_of("add");
  syclze_kernel_bundle bundle = {(struct syclze__kernel_bundle *)&desc};
  CHECK_FAILED(syclze_kernel_bundle_create(world.context, world.device, &desc, &bundle),
      SYCLZE_RESULT_ERROR_INVALID, function, NULL);
  CHECK_EQ(bundle.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeModuleDestroy), 1);
  world_end();
}

TEST(wrong_arguments_are_refused) {
  world_begin();
  syclze_kernel_bundle_desc desc = desc_of("add"), empty = {0};
  syclze_context no_context = {0};
  syclze_device no_device = {0};
  syclze_kernel_bundle bundle = {(struct syclze__kernel_bundle *)&desc};
  CHECK_REFUSED(syclze_kernel_bundle_create(no_context, world.device, &desc, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, NULL);
  CHECK_EQ(bundle.rep, NULL);
  CHECK_REFUSED(syclze_kernel_bundle_create(world.context, no_device, &desc, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, NULL);
  CHECK_REFUSED(syclze_kernel_bundle_create(world.context, world.device2, &desc, &bundle),
      SYCLZE_RESULT_ERROR_INVALID, function, NULL);
  CHECK_REFUSED(syclze_kernel_bundle_create(world.context, world.device, NULL, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(syclze_kernel_bundle_create(world.context, world.device, &empty, &bundle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_REFUSED(syclze_kernel_bundle_create(world.context, world.device, &desc, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, NULL);
  CHECK_EQ(fake_calls(FAKE_zeModuleCreate), 0);
  world_end();
}

TEST_MAIN(a_created_bundle_owns_one_module, a_failed_build_returns_its_log,
    a_long_build_log_is_truncated_and_terminated, an_unavailable_build_log_is_empty,
    a_build_that_succeeds_leaves_the_log_empty,
    a_built_module_with_unresolved_imports_is_refused_and_destroyed, wrong_arguments_are_refused)
