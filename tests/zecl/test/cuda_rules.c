/* The rules of the libcuda of the tests for contexts, streams, libraries and launches: see
 * support/cuda_rules.h. */
#define _GNU_SOURCE
#include "support/cuda_rules.h"
#include "support/libcuda.h"

#include "test/harness/check.h"

#include <sys/eventfd.h>

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(64, 2);
}

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .entry add(.param .u32 by, .param .u64 to) {\n  ret;\n}\n";

static CUkernel kernel_of(CUlibrary *library) {
  CUkernel kernel;
  CU(library_load)(library, ptx, NULL, NULL, 0, NULL, NULL, 0);
  CU(library_kernel)(&kernel, *library, "add");
  return kernel;
}

static void launch(CUkernel kernel, unsigned groups, unsigned shared, void **arguments) {
  CU(launch)
  ((CUfunction)(void *)kernel, groups, 1, 1, 1, 1, 1, shared, rules_made.stream, arguments, NULL);
}

static void nothing_is_broken(void) {
  uint32_t by = 1;
  void *arguments[] = {&by, &rules_made.device};
  CUlibrary library;
  rules_make();
  CUkernel kernel = kernel_of(&library);
  launch(kernel, 1, 0, arguments);
  CU(stream_write)(rules_made.stream, (CUdeviceptr)(uintptr_t)rules_made.host, 1, 0);
  CU(stream_synchronize)(rules_made.stream);
  CU(library_unload)(library);
  rules_unmake();
}

static void before_init(void) {
  int value;
  CU(device_attribute)(&value, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 0);
}

static void without_a_context(void) {
  CU(init)(0);
  CU(alloc_device)(&rules_made.device, 1);
}

static void no_stream(void) {
  rules_make();
  CU(stream_query)((CUstream)(void *)&rules_made);
}

static void destroyed_stream(void) {
  rules_make();
  CU(stream_destroy)(rules_made.stream);
  CU(stream_query)(rules_made.stream);
}

static void other_context(void) {
  rules_make();
  CU(context_set)(rules_made.contexts[1]);
  CU(copy)(rules_made.device, rules_made.device, 1, rules_made.stream);
}

static void unloaded_twice(void) {
  CUlibrary library;
  rules_make();
  kernel_of(&library);
  CU(library_unload)(library);
  CU(library_unload)(library);
}

static void kernel_of_an_unloaded_library(void) {
  CUlibrary library;
  rules_make();
  CUkernel kernel = kernel_of(&library);
  CU(library_unload)(library);
  launch(kernel, 1, 0, NULL);
}

static void null_parameter(void) {
  CUlibrary library;
  void *arguments[] = {NULL, NULL};
  rules_make();
  launch(kernel_of(&library), 1, 0, arguments);
}

static void no_groups(void) {
  CUlibrary library;
  rules_make();
  launch(kernel_of(&library), 0, 0, NULL);
}

static void too_much_shared_memory(void) {
  CUlibrary library;
  rules_make();
  launch(kernel_of(&library), 1, 100 << 10, NULL);
}

static void full_stream(void) {
  rules_make();
  memset(rules_made.host, 0, 4);
  CU(stream_wait)
  (rules_made.stream, (CUdeviceptr)(uintptr_t)rules_made.host, 1, CU_STREAM_WAIT_VALUE_AND);
  for (int i = 0; i < 1001; i++)
    CU(set_8)(rules_made.device, 1, 1, rules_made.stream);
}

static void too_many_groups_that_wait(void) {
  CUlibrary library;
  uint32_t by = 1;
  void *arguments[] = {&by, &rules_made.device};
  rules_make();
  CU(launch_cooperative)
  ((CUfunction)(void *)kernel_of(&library), 265, 1, 1, 1024, 1, 1, 0, rules_made.stream, arguments);
}

static CUexternalSemaphore semaphore_of(CUexternalSemaphoreHandleType type) {
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC desc = {
      .type = type, .handle.fd = eventfd(0, EFD_SEMAPHORE)};
  CUexternalSemaphore semaphore = NULL;
  CU(semaphore_import)(&semaphore, &desc);
  return semaphore;
}

static void wait_for(CUexternalSemaphore semaphore) {
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS params = {.flags = 0};
  CU(semaphore_wait)(&semaphore, &params, 1, rules_made.stream);
}

static void semaphore_of_another_type(void) {
  rules_make();
  semaphore_of((CUexternalSemaphoreHandleType)2);
}

static void semaphore_destroyed_twice(void) {
  rules_make();
  CUexternalSemaphore semaphore = semaphore_of(CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
  CU(semaphore_destroy)(semaphore);
  CU(semaphore_destroy)(semaphore);
}

static void wait_for_no_semaphore(void) {
  rules_make();
  wait_for((CUexternalSemaphore)(void *)&rules_made);
}

static void semaphore_destroyed_in_use(void) {
  rules_make();
  CUexternalSemaphore semaphore = semaphore_of(CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD);
  wait_for(semaphore);
  CU(semaphore_destroy)(semaphore);
}

TEST(what_is_right_passes) {
  rules_check_right(nothing_is_broken);
}

TEST(each_rule_is_kept) {
  static const struct rule rules[] = {{before_init, "before cuInit"},
      {without_a_context, "without a context"}, {no_stream, "in what is no stream"},
      {destroyed_stream, "in a destroyed stream"},
      {other_context, "in a stream of another context"}, {unloaded_twice, "of an unloaded library"},
      {kernel_of_an_unloaded_library, "of a kernel of an unloaded library"},
      {null_parameter, "parameter 0 is null"}, {no_groups, "a size is out of range"},
      {too_much_shared_memory, "more shared memory than was allowed"},
      {semaphore_of_another_type, "cuImportExternalSemaphore: flags, or another type"},
      {semaphore_destroyed_twice, "of a semaphore that was destroyed"},
      {wait_for_no_semaphore, "of what is no semaphore"},
      {semaphore_destroyed_in_use, "of one that a stream uses"},
      {full_stream, "in a full stream, which does not go on"},
      {too_many_groups_that_wait, "more groups than run at once"}};
  rules_check_each(rules, sizeof rules / sizeof *rules);
}

TEST_MAIN(what_is_right_passes, each_rule_is_kept)
