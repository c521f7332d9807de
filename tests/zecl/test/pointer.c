/* Pointers to functions of SPIR-V: where they come from, and calls through them by kernels. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/launch.h"

#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 8, FUNCTION_POINTER_CALL = 5601, ON_CUDA = 77 };

static const char pointers[] = "test/kernels/pointers.spv";

/* Functions have no addresses for the host on CUDA: they are refused. */
static void needs_addresses(void) {
  void *pointer;
  if (!test_on_cuda()) return;
  ze_module_handle_t module = test_module(pointers);
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeModuleGetFunctionPointer(module, "twice", &pointer));
  OK(zeModuleDestroy(module));
  SKIP("the engine gives no addresses of functions");
}

static uint64_t address_of(ze_module_handle_t module, const char *name) {
  void *pointer = NULL;
  OK(zeModuleGetFunctionPointer(module, name, &pointer));
  CHECK(pointer);
  return (uintptr_t)pointer;
}

static void set(ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value) {
  OK(zeKernelSetArgumentValue(kernel, index, size, value));
}

/* Runs a kernel of one group of ITEMS with a first argument and a place for its ints. */
static void run(ze_module_handle_t module, const char *name, uint64_t first, const int *to) {
  ze_kernel_handle_t kernel = test_kernel(module, name);
  const int value = 70;
  OK(zeKernelSetGroupSize(kernel, ITEMS, 1, 1));
  set(kernel, 0, sizeof first, &first);
  set(kernel, 1, sizeof to, &to);
  if (strcmp(name, "call_procedure") == 0 || strcmp(name, "choose") == 0)
    set(kernel, 2, sizeof value, &value);
  test_launch(kernel, 1, 1, 1);
  OK(zeKernelDestroy(kernel));
}

TEST(a_pointer_calls_its_function) {
  needs_addresses();
  ze_module_handle_t module = test_module(pointers);
  int *to = test_shared(ITEMS * sizeof *to);
  run(module, "call", address_of(module, "twice"), to);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(to[i], 10);
  run(module, "call", address_of(module, "plus_place"), to);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(to[i], 5 + i);
  OK(zeModuleDestroy(module));
  test_free(to);
}

TEST(functions_without_results_and_with_barriers) {
  needs_addresses();
  ze_module_handle_t module = test_module(pointers);
  int *to = test_shared(ITEMS * sizeof *to);
  run(module, "choose", 1, to);
  if (to[0] != 70) {
    test_free(to);
    OK(zeModuleDestroy(module));
    SKIP("the engine skips the work beside a barrier in a branch, as PoCL 7.1 does");
  }
  run(module, "call_procedure", address_of(module, "put"), to);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(to[i], 70);
  run(module, "call_procedure", address_of(module, "pass_on"), to);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(to[i], 70 + (i + 1) % ITEMS);
  OK(zeModuleDestroy(module));
  test_free(to);
}

/* Addresses that the module takes are those that the host gets, and work-items of one group may
 * call different functions. */
TEST(pointers_in_memory) {
  needs_addresses();
  ze_module_handle_t module = test_module(pointers);
  uint64_t *own = test_shared(2 * sizeof *own), *table = test_shared(ITEMS * sizeof *table);
  int *to = test_shared(ITEMS * sizeof *to);
  ze_kernel_handle_t kernel = test_kernel(module, "addresses");
  OK(zeKernelSetGroupSize(kernel, 1, 1, 1));
  set(kernel, 0, sizeof own, &own);
  test_launch(kernel, 1, 1, 1);
  OK(zeKernelDestroy(kernel));
  CHECK_EQ(own[1], address_of(module, "twice"));
  CHECK(own[0] && own[0] != own[1]);
  for (int i = 0; i < ITEMS; i++)
    table[i] = i % 3 == 0 ? own[0] : address_of(module, i % 3 == 1 ? "twice" : "plus_place");
  run(module, "call_each", (uintptr_t)table, to);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(to[i], i % 3 == 0 ? 9 : i % 3 == 1 ? 20 : 10 + i);
  OK(zeModuleDestroy(module));
  test_free(own);
  test_free(table);
  test_free(to);
}

TEST(names) {
  needs_addresses();
  ze_module_handle_t module = test_module(pointers), other = test_module(pointers);
  void *pointer = module;
  CHECK_EQ(address_of(module, "twice"), address_of(module, "twice"));
  CHECK(address_of(module, "twice") != address_of(module, "put"));
  CHECK(address_of(module, "twice") != address_of(other, "twice"));
  RETURNS(ERROR_UNSUPPORTED_FEATURE, zeModuleGetFunctionPointer(module, "call", &pointer));
  CHECK_EQ(pointer, NULL);
  RETURNS(ERROR_INVALID_FUNCTION_NAME, zeModuleGetFunctionPointer(module, "minus_one", &pointer));
  RETURNS(ERROR_INVALID_FUNCTION_NAME, zeModuleGetFunctionPointer(module, "unknown", &pointer));
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "twice", NULL, &pointer));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeModuleGetFunctionPointer(module, NULL, &pointer));
  RETURNS(ERROR_INVALID_NULL_POINTER, zeModuleGetFunctionPointer(module, "twice", NULL));
  OK(zeModuleDestroy(module));
  OK(zeModuleDestroy(other));
}

/* A function that is linked to a program with calls through pointers can be called by it. */
TEST(functions_of_joined_modules) {
  needs_addresses();
  struct test_file files[] = {test_read("test/kernels/exports.spv"), test_read(pointers)};
  const size_t sizes[] = {files[0].size, files[1].size};
  const uint8_t *inputs[] = {files[0].bytes, files[1].bytes};
  ze_module_program_exp_desc_t several = {.stype = ZE_STRUCTURE_TYPE_MODULE_PROGRAM_EXP_DESC,
      .count = 2,
      .inputSizes = sizes,
      .pInputModules = inputs};
  const ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .pNext = &several,
      .format = ZE_MODULE_FORMAT_IL_SPIRV};
  ze_module_handle_t module = NULL;
  ze_module_build_log_handle_t log = NULL;
  const ze_result_t result = zeModuleCreate(test_context(), test_device(), &desc, &module, &log);
  char *text = test_log_text(log);
  const int has_linker = !strstr(text, "spirv-tools");
  free(text);
  if (has_linker) {
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
    int *to = test_shared(ITEMS * sizeof *to);
    run(module, "call", address_of(module, "twice_and_one"), to);
    CHECK_EQ(to[3], 11);
    run(module, "call", address_of(module, "twice"), to);
    CHECK_EQ(to[3], 10);
    OK(zeModuleDestroy(module));
    test_free(to);
  }
  free(files[0].bytes);
  free(files[1].bytes);
  if (!has_linker) SKIP("no spirv-link");
}

/* A sanitizer ends the process its own way. The driver is for the child alone. */
TEST(any_other_pointer_ends_the_process) {
  int *seen = mmap(NULL, sizeof *seen, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  CHECK(seen != MAP_FAILED);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    const struct rlimit no_dump = {0, 0};
    CHECK_EQ(setrlimit(RLIMIT_CORE, &no_dump), 0);
    CHECK(freopen("/dev/null", "w", stderr));
    if (test_on_cuda()) _exit(ON_CUDA);
    ze_module_handle_t module = test_module(pointers);
    int *to = test_shared(ITEMS * sizeof *to);
    run(module, "call", address_of(module, "twice"), to);
    *seen = to[0];
    run(module, "call", address_of(module, "put"), to);
    _exit(0);
  }
  int status = 0;
  CHECK_EQ(waitpid(child, &status, 0), child);
  if (WIFEXITED(status) && WEXITSTATUS(status) == ON_CUDA)
    SKIP("the engine gives no addresses of functions");
  CHECK(WIFSIGNALED(status) || WEXITSTATUS(status) != 0);
  CHECK_EQ(*seen, 10);
  CHECK_EQ(munmap(seen, sizeof *seen), 0);
}

static char *reason_of(struct test_file file) {
  ze_module_handle_t module = NULL;
  char *text = NULL;
  RETURNS(ERROR_MODULE_BUILD_FAILURE,
      test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, NULL, NULL, &module, &text));
  free(file.bytes);
  return text;
}

TEST(refusals) {
  needs_addresses();
  char *text = reason_of(test_read("test/kernels/pointers_recursive.spv"));
  CHECK(strstr(text, "recursion"));
  free(text);
  struct test_file file = test_read(pointers);
  uint32_t *words = (uint32_t *)(void *)file.bytes;
  size_t at = 5;
  while ((words[at] & 0xffff) != FUNCTION_POINTER_CALL)
    at += words[at] >> 16;
  words[at + 3] = words[at + 1];
  text = reason_of(file);
  CHECK(strstr(text, "no pointer to a function"));
  free(text);
}

TEST_MAIN(any_other_pointer_ends_the_process, a_pointer_calls_its_function,
    functions_without_results_and_with_barriers, pointers_in_memory, names,
    functions_of_joined_modules, refusals)
