/* A device without half and double precision, whatever the engine has: the properties say so, and
 * modules that need either are refused by the name of what the device lacks. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>
#include <string.h>

/* The driver reads the variables when zeInit loads it. */
__attribute__((constructor)) static void lack_floats(void) {
  setenv("ZECL_NO_FP16", "1", 1);
  setenv("ZECL_NO_FP64", "1", 1);
}

TEST(properties_deny_them) {
  ze_device_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  OK(zeDeviceGetModuleProperties(test_device(), &properties));
  CHECK_EQ(properties.flags & (ZE_DEVICE_MODULE_FLAG_FP16 | ZE_DEVICE_MODULE_FLAG_FP64), 0);
  CHECK_EQ(properties.fp16flags, 0);
  CHECK_EQ(properties.fp64flags, 0);
  CHECK(properties.fp32flags != 0);
}

static void refused(uint32_t capability, const char *name) {
  enum { CAPABILITY = 17 };
  struct test_file file = test_read("test/kernels/saxpy.spv");
  uint32_t *words = (uint32_t *)(void *)file.bytes;
  char *log = NULL;
  CHECK_EQ(words[5], 2 << 16 | CAPABILITY);
  words[6] = capability;
  ze_module_handle_t module;
  CHECK_EQ(test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, &log),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK(strstr(log, name));
  free(log);
  free(file.bytes);
}

TEST(modules_that_need_them_are_refused) {
  enum { FLOAT16 = 9, FLOAT64 = 10 };
  if (test_on_cuda()) SKIP("its modules are not checked");
  refused(FLOAT16, "the module needs Float16, which the device lacks");
  refused(FLOAT64, "the module needs Float64, which the device lacks");
}

TEST_MAIN(properties_deny_them, modules_that_need_them_are_refused)
