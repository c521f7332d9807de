#define _GNU_SOURCE
#include "modules.h"

#include "folder.h"

#include "test/harness/check.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static ze_driver_handle_t test_driver(void) {
  static ze_driver_handle_t driver;
  uint32_t count = 1;
  if (!driver) {
    CHECK_EQ(zeInit(0), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeDriverGet(&count, &driver), ZE_RESULT_SUCCESS);
  }
  return driver;
}

ze_device_handle_t test_device(void) {
  static ze_device_handle_t device;
  uint32_t count = 1;
  if (!device) CHECK_EQ(zeDeviceGet(test_driver(), &count, &device), ZE_RESULT_SUCCESS);
  return device;
}

ze_context_handle_t test_context(void) {
  static ze_context_handle_t context;
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  if (!context) CHECK_EQ(zeContextCreate(test_driver(), &desc, &context), ZE_RESULT_SUCCESS);
  return context;
}

struct test_file test_read(const char *path) {
  enum { LIMIT = 1 << 20 };
  struct test_file file = {malloc(LIMIT), 0};
  FILE *stream = fopen(test_source(path), "rb");
  CHECK(stream && file.bytes);
  file.size = fread(file.bytes, 1, LIMIT - 1, stream);
  file.bytes[file.size] = 0;
  CHECK(file.size > 0 && feof(stream));
  fclose(stream);
  return file;
}

const char *test_native_path(const char *name) {
  static char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  CHECK(length > 0);
  path[length] = 0;
  *strrchr(path, '/') = 0;
  const size_t used = strlen(path);
  snprintf(path + used, sizeof path - used, "/kernels/%s.so", name);
  return path;
}

char *test_log_text(ze_module_build_log_handle_t log) {
  size_t size = 0;
  CHECK_EQ(zeModuleBuildLogGetString(log, &size, NULL), ZE_RESULT_SUCCESS);
  CHECK(size > 0);
  char *text = malloc(size);
  CHECK(text);
  CHECK_EQ(zeModuleBuildLogGetString(log, &size, text), ZE_RESULT_SUCCESS);
  CHECK_EQ(strlen(text) + 1, size);
  CHECK_EQ(zeModuleBuildLogDestroy(log), ZE_RESULT_SUCCESS);
  return text;
}

ze_result_t test_make(ze_module_format_t format, struct test_file file, const char *flags,
    const ze_module_constants_t *constants, ze_module_handle_t *module, char **text) {
  const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = format,
      .inputSize = file.size,
      .pInputModule = file.bytes,
      .pBuildFlags = flags,
      .pConstants = constants};
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result =
      zeModuleCreate(test_context(), test_device(), &desc, module, text ? &log : NULL);
  if (text) {
    CHECK(log);
    *text = test_log_text(log);
  }
  return result;
}

static ze_module_handle_t must_make(ze_module_format_t format, const char *path) {
  struct test_file file = test_read(path);
  ze_module_handle_t module = NULL;
  CHECK_EQ(test_make(format, file, NULL, NULL, &module, NULL), ZE_RESULT_SUCCESS);
  CHECK(module);
  free(file.bytes);
  return module;
}

ze_module_handle_t test_module(const char *path) {
  return must_make(ZE_MODULE_FORMAT_IL_SPIRV, path);
}

ze_module_handle_t test_native(const char *name) {
  return must_make(ZE_MODULE_FORMAT_NATIVE, test_native_path(name));
}

ze_kernel_handle_t test_kernel(ze_module_handle_t module, const char *name) {
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  CHECK_EQ(zeKernelCreate(module, &desc, &kernel), ZE_RESULT_SUCCESS);
  CHECK(kernel);
  return kernel;
}
