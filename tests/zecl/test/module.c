/* Modules: formats, logs, names, linkage, addresses. */
#define _GNU_SOURCE
#include "support/modules.h"
#include "test/harness/check.h"

#define SPIRV ZE_MODULE_FORMAT_IL_SPIRV
#define NATIVE ZE_MODULE_FORMAT_NATIVE

static int names_have(ze_module_handle_t module, const char *name) {
  const char *names[32];
  uint32_t count = 32;
  CHECK_EQ(zeModuleGetKernelNames(module, &count, names), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++)
    if (strcmp(names[i], name) == 0) return 1;
  return 0;
}

static ze_module_property_flags_t flags_of(ze_module_handle_t module) {
  ze_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, .flags = 99};
  CHECK_EQ(zeModuleGetProperties(module, &properties), ZE_RESULT_SUCCESS);
  return properties.flags;
}

static ze_result_t try_kernel(ze_module_handle_t module, const char *name) {
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ze_kernel_handle_t kernel = NULL;
  ze_result_t result = zeKernelCreate(module, &desc, &kernel);
  if (result == ZE_RESULT_SUCCESS)
    CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(kernel, NULL);
  return result;
}

/* Builds what must not build, and looks for a word of the reason in the log. */
static void must_refuse(ze_module_format_t format, struct test_file file, const char *flags,
    const ze_module_constants_t *constants, const char *reason) {
  ze_module_handle_t module = (ze_module_handle_t)&file;
  char *text = NULL;
  CHECK_EQ(test_make(format, file, flags, constants, &module, &text),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  CHECK_EQ(module, NULL);
  if (!strstr(text, reason)) CHECK_STR_EQ(text, reason);
  free(text);
}

TEST(kernel_names) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  uint32_t count = 0;
  CHECK_EQ(zeModuleGetKernelNames(module, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 8);
  const char *names[10] = {0};
  count = 0;
  CHECK_EQ(zeModuleGetKernelNames(module, &count, names), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 8);
  CHECK_EQ(names[0], NULL);
  count = 10;
  CHECK_EQ(zeModuleGetKernelNames(module, &count, names), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 8);
  CHECK_STR_EQ(names[0], "axpy");
  CHECK_STR_EQ(names[7], "constant_table");
  CHECK_EQ(names[8], NULL);
  names[2] = NULL;
  count = 2;
  CHECK_EQ(zeModuleGetKernelNames(module, &count, names), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 2);
  CHECK_EQ(names[2], NULL);
  CHECK_EQ(zeModuleGetKernelNames(module, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(flags_of(module), 0);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
}

TEST(create_checks_arguments) {
  struct test_file file = test_read("test/kernels/basic.spv");
  ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = SPIRV,
      .inputSize = file.size,
      .pInputModule = file.bytes};
  ze_module_handle_t module = (ze_module_handle_t)&desc;
  ze_context_handle_t context = test_context();
  ze_device_handle_t device = test_device();
  CHECK_EQ(zeModuleCreate(NULL, device, &desc, &module, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(
      zeModuleCreate(context, NULL, &desc, &module, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(
      zeModuleCreate(context, device, NULL, &module, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      zeModuleCreate(context, device, &desc, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  desc.inputSize = 0;
  CHECK_EQ(zeModuleCreate(context, device, &desc, &module, NULL), ZE_RESULT_ERROR_INVALID_SIZE);
  desc.inputSize = file.size;
  desc.format = (ze_module_format_t)7;
  CHECK_EQ(
      zeModuleCreate(context, device, &desc, &module, NULL), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  desc.format = SPIRV;
  desc.pInputModule = NULL;
  CHECK_EQ(
      zeModuleCreate(context, device, &desc, &module, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(module, NULL);
  CHECK_EQ(zeModuleDestroy(NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  free(file.bytes);
}

TEST(log_sizes) {
  struct test_file junk = {(unsigned char[]){"junk, not a module"}, 18};
  const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = SPIRV,
      .inputSize = junk.size,
      .pInputModule = junk.bytes};
  ze_module_handle_t module;
  ze_module_build_log_handle_t log;
  CHECK_EQ(zeModuleCreate(test_context(), test_device(), &desc, &module, &log),
      ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  size_t whole = 0, size = 5;
  char text[256] = "";
  CHECK_EQ(zeModuleBuildLogGetString(log, &whole, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleBuildLogGetString(log, &size, text), ZE_RESULT_SUCCESS);
  CHECK_STR_EQ(text, "inva");
  CHECK_EQ(size, whole);
  size = sizeof text;
  CHECK_EQ(zeModuleBuildLogGetString(log, &size, text), ZE_RESULT_SUCCESS);
  CHECK_EQ(size, whole);
  CHECK_EQ(strlen(text) + 1, whole);
  CHECK_EQ(zeModuleBuildLogGetString(log, NULL, text), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(zeModuleBuildLogDestroy(log), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleBuildLogDestroy(log), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST(build_flags) {
  static const char *const good[] = {"", " ", "-ze-opt-disable", "-ze-opt-level 0",
      "-ze-opt-level=2,-ze-opt-large-register-file", "-cl-mad-enable -ze-intel-some-hint"};
  struct test_file file = test_read("test/kernels/basic.spv");
  ze_module_handle_t module;
  char *text = NULL;
  for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
    CHECK_EQ(test_make(SPIRV, file, good[i], NULL, &module, &text), ZE_RESULT_SUCCESS);
    CHECK(!strstr(text, "ignored"));
    CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
    free(text);
  }
  CHECK_EQ(test_make(SPIRV, file, "-ze-opt-disable,-ze-no-such-flag", NULL, &module, &text),
      ZE_RESULT_SUCCESS);
  CHECK(strstr(text, "warning") && strstr(text, "-ze-no-such-flag"));
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  free(text);
  must_refuse(SPIRV, file, "-no-such-flag", NULL, "cannot build");
  must_refuse(SPIRV, file, "-no-such-flag", NULL, "-no-such-flag"); /* from the engine's log */
  free(file.bytes);
}

TEST(unknown_constant) {
  struct test_file file = test_read("test/kernels/spec.spv");
  const uint32_t ids[] = {0, 77};
  const int value = 1;
  const void *values[] = {&value, &value};
  const ze_module_constants_t constants = {2, ids, values};
  must_refuse(SPIRV, file, NULL, &constants, "77");
  free(file.bytes);
}

TEST(translator_is_missing_or_fails) {
  struct test_file file = test_read("test/kernels/basic.spv");
  ze_module_handle_t module;
  char *text = NULL;
  CHECK_EQ(setenv("ZECL_LLVM_SPIRV", "/nonexistent/llvm-spirv", 1), 0);
  ze_result_t result = test_make(SPIRV, file, "-cl-no-signed-zeros", NULL, &module, &text);
  const int named = strstr(text, "/nonexistent/llvm-spirv") != NULL;
  free(text);
  CHECK_EQ(setenv("ZECL_LLVM_SPIRV", "/bin/false", 1), 0);
  if (result == ZE_RESULT_SUCCESS) {
    zeModuleDestroy(module);
  } else {
    CHECK_EQ(result, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
    CHECK(named);
    must_refuse(SPIRV, file, "-cl-no-signed-zeros", NULL, "ended with status 1");
  }
  CHECK_EQ(unsetenv("ZECL_LLVM_SPIRV"), 0);
  free(file.bytes);
  if (result == ZE_RESULT_SUCCESS) SKIP("the platform takes SPIR-V itself");
}

TEST(unlinked_module) {
  ze_module_handle_t module = test_module("test/kernels/imports.spv");
  CHECK_EQ(flags_of(module), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
  CHECK(names_have(module, "imported"));
  CHECK_EQ(try_kernel(module, "imported"), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  CHECK_EQ(try_kernel(module, "unknown"), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  ze_module_build_log_handle_t log = NULL;
  CHECK_EQ(zeModuleDynamicLink(1, &module, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  char *text = test_log_text(log);
  CHECK(strstr(text, "twice_and_one"));
  free(text);
  CHECK_EQ(try_kernel(module, "imported"), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
}

TEST(link_makes_kernels) {
  ze_module_handle_t modules[] = {
      test_module("test/kernels/imports.spv"), test_module("test/kernels/exports.spv")};
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result = zeModuleDynamicLink(2, modules, &log);
  char *text = test_log_text(log);
  const int has_linker = !strstr(text, "install spirv-tools");
  if (has_linker) {
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    CHECK_EQ(try_kernel(modules[0], "imported"), ZE_RESULT_SUCCESS);
    CHECK_EQ(try_kernel(modules[0], "exporter"), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    CHECK_EQ(try_kernel(modules[1], "exporter"), ZE_RESULT_SUCCESS);
    CHECK_EQ(flags_of(modules[0]), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
    CHECK_EQ(zeModuleDynamicLink(2, modules, NULL), ZE_RESULT_SUCCESS);
  } else {
    CHECK_EQ(result, ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  }
  free(text);
  CHECK_EQ(zeModuleDestroy(modules[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(modules[1]), ZE_RESULT_SUCCESS);
  if (!has_linker) SKIP("no spirv-link");
}

TEST(ambiguous_import) {
  ze_module_handle_t modules[] = {test_module("test/kernels/imports.spv"),
      test_module("test/kernels/exports.spv"), test_module("test/kernels/exports.spv")};
  ze_module_build_log_handle_t log = NULL;
  CHECK_EQ(zeModuleDynamicLink(3, modules, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  char *text = test_log_text(log);
  CHECK(strstr(text, "ambiguous"));
  free(text);
  for (int i = 0; i < 3; i++)
    CHECK_EQ(zeModuleDestroy(modules[i]), ZE_RESULT_SUCCESS);
}

TEST(linkage_inspection) {
  ze_module_handle_t modules[] = {
      test_module("test/kernels/imports.spv"), test_module("test/kernels/exports.spv")};
  ze_linkage_inspection_ext_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_LINKAGE_INSPECTION_EXT_DESC,
      .flags = ZE_LINKAGE_INSPECTION_EXT_FLAG_UNRESOLVABLE_IMPORTS};
  ze_module_build_log_handle_t log = NULL;
  ze_result_t result = zeModuleInspectLinkageExt(&desc, 1, modules, &log);
  if (result == ZE_RESULT_SUCCESS) {
    char *text = test_log_text(log);
    CHECK(strstr(text, "twice_and_one"));
    free(text);
    CHECK_EQ(zeModuleInspectLinkageExt(&desc, 2, modules, &log), ZE_RESULT_SUCCESS);
    text = test_log_text(log);
    CHECK(!strstr(text, "twice_and_one"));
    free(text);
  }
  CHECK_EQ(zeModuleDestroy(modules[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(modules[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
}

TEST(addresses_in_spirv) {
  ze_module_handle_t module = test_module("test/kernels/exports.spv");
  void *pointer;
  CHECK_EQ(zeModuleGetFunctionPointer(module, "twice_and_one", &pointer),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_EQ(zeModuleGetFunctionPointer(module, "exporter", &pointer),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_EQ(zeModuleGetFunctionPointer(module, "unknown", &pointer),
      ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
  CHECK_EQ(zeModuleGetGlobalPointer(module, "unknown", NULL, &pointer),
      ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
}

/* Makes a module anew from what zeModuleGetNativeBinary gives. */
static ze_module_handle_t round_trip(ze_module_handle_t module) {
  struct test_file binary = {NULL, 0};
  CHECK_EQ(zeModuleGetNativeBinary(module, &binary.size, NULL), ZE_RESULT_SUCCESS);
  CHECK(binary.size > 0);
  binary.bytes = malloc(binary.size);
  CHECK(binary.bytes);
  size_t less = binary.size - 1;
  CHECK_EQ(zeModuleGetNativeBinary(module, &less, binary.bytes), ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK_EQ(zeModuleGetNativeBinary(module, &binary.size, binary.bytes), ZE_RESULT_SUCCESS);
  ze_module_handle_t again = NULL;
  CHECK_EQ(test_make(NATIVE, binary, NULL, NULL, &again, NULL), ZE_RESULT_SUCCESS);
  binary.size--;
  must_refuse(NATIVE, binary, NULL, NULL, "");
  free(binary.bytes);
  return again;
}

TEST(native_binary) {
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_module_handle_t again = round_trip(module);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  CHECK_EQ(try_kernel(again, "axpy"), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(again), ZE_RESULT_SUCCESS);
  module = test_native("native");
  again = round_trip(module);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  CHECK_EQ(try_kernel(again, "axpy"), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(again), ZE_RESULT_SUCCESS);
}

TEST(native_module) {
  ze_module_handle_t module = test_native("native");
  uint32_t count = 0;
  CHECK_EQ(zeModuleGetKernelNames(module, &count, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, 4);
  CHECK(names_have(module, "nothing"));
  CHECK_EQ(flags_of(module), 0);
  CHECK_EQ(try_kernel(module, "nothing"), ZE_RESULT_SUCCESS);
  CHECK_EQ(try_kernel(module, "unknown"), ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
}

TEST(native_addresses) {
  ze_module_handle_t module = test_native("native");
  void *pointer = NULL;
  size_t size = 0;
  CHECK_EQ(
      zeModuleGetGlobalPointer(module, "zecl_test_number", &size, &pointer), ZE_RESULT_SUCCESS);
  CHECK_EQ(size, sizeof(int));
  CHECK_EQ(*(const int *)pointer, 42);
  CHECK_EQ(zeModuleGetGlobalPointer(module, "zecl_test_twice", NULL, &pointer),
      ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  CHECK_EQ(zeModuleGetGlobalPointer(module, "stdout", NULL, &pointer),
      ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  int (*twice)(int) = NULL;
  CHECK_EQ(zeModuleGetFunctionPointer(module, "zecl_test_twice", &pointer), ZE_RESULT_SUCCESS);
  memcpy(&twice, &pointer, sizeof twice);
  CHECK_EQ(twice(21), 42);
  CHECK_EQ(zeModuleGetFunctionPointer(module, "axpy", &pointer), ZE_RESULT_SUCCESS);
  CHECK(pointer);
  CHECK_EQ(zeModuleGetFunctionPointer(module, "malloc", &pointer),
      ZE_RESULT_ERROR_INVALID_FUNCTION_NAME);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
}

TEST(native_link) {
  ze_module_handle_t modules[] = {test_native("native_imports"), test_native("native_exports")};
  CHECK_EQ(flags_of(modules[0]), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
  CHECK_EQ(flags_of(modules[1]), 0);
  CHECK_EQ(try_kernel(modules[0], "imported"), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  ze_module_build_log_handle_t log = NULL;
  CHECK_EQ(zeModuleDynamicLink(1, modules, &log), ZE_RESULT_ERROR_MODULE_LINK_FAILURE);
  char *text = test_log_text(log);
  CHECK(strstr(text, "zecl_test_next") && strstr(text, "zecl_test_counter"));
  free(text);
  CHECK_EQ(zeModuleDynamicLink(2, modules, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(try_kernel(modules[0], "imported"), ZE_RESULT_SUCCESS);
  CHECK_EQ(flags_of(modules[0]), ZE_MODULE_PROPERTY_FLAG_IMPORTS);
  CHECK_EQ(zeModuleDestroy(modules[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(modules[1]), ZE_RESULT_SUCCESS);
}

TEST(junk_is_no_native_module) {
  struct test_file file = test_read(test_native_path("native"));
  struct test_file whole = test_read(test_native_path("native")), part = file;
  must_refuse(NATIVE, (struct test_file){(unsigned char[]){"junk"}, 4}, NULL, NULL, "neither");
  for (part.size = 4; part.size < file.size; part.size += 97)
    must_refuse(NATIVE, part, NULL, NULL, "native module");
  memset(file.bytes + 64 + 32, 0x3f, 8); /* the file size of the first segment */
  must_refuse(NATIVE, file, NULL, NULL, "segments");
  memcpy(file.bytes, whole.bytes, file.size);
  file.bytes[18] = 0x7f; /* the machine */
  must_refuse(NATIVE, file, NULL, NULL, "");
  free(file.bytes);
  free(whole.bytes);
}

TEST(destroyed_module_is_refused) {
  ze_module_handle_t module = test_native("native");
  uint32_t count = 0;
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  CHECK_EQ(zeModuleGetKernelNames(module, &count, NULL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

TEST_MAIN(kernel_names, create_checks_arguments, log_sizes, build_flags, unknown_constant,
    translator_is_missing_or_fails, unlinked_module, link_makes_kernels, ambiguous_import,
    linkage_inspection, addresses_in_spirv, native_binary, native_module, native_addresses,
    native_link, junk_is_no_native_module, destroyed_module_is_refused)
