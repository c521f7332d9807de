/* Modules and kernels on several threads. */
#include <pthread.h>
#include "support/handles.h"
#include "support/launch.h"

struct worker {
  pthread_t thread;
  ze_module_handle_t module;
  float *memory;
};

static void *work(void *argument) {
  struct worker *worker = argument;
  ze_kernel_handle_t kernel = test_kernel(worker->module, "axpy");
  for (int i = 1; i <= 50; i++) {
    test_axpy_args(kernel, (float)i, worker->memory, worker->memory + 1);
    test_launch(kernel, 1, 1, 1);
  }
  CHECK_EQ(zeKernelDestroy(kernel), ZE_RESULT_SUCCESS);
  return NULL;
}

/* Kernels of one module, each on a thread of its own. */
TEST(kernels_of_one_module) {
  enum { WORKERS = 4 };
  struct worker workers[WORKERS];
  ze_module_handle_t modules[] = {test_module("test/kernels/basic.spv"), test_native("native")};
  for (int i = 0; i < WORKERS; i++) {
    workers[i].module = modules[i % 2];
    workers[i].memory = test_shared(2 * sizeof(float));
    workers[i].memory[0] = (float)(i + 1);
    CHECK_EQ(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i].thread, NULL);
  for (int i = 0; i < WORKERS; i++) {
    CHECK(workers[i].memory[1] == (float)(1275 * (i + 1)));
    test_free(workers[i].memory);
  }
  for (int i = 0; i < 2; i++)
    CHECK_EQ(zeModuleDestroy(modules[i]), ZE_RESULT_SUCCESS);
}

enum { BUILDERS = 4 };

static void *build_again(void *flags) {
  struct test_file file = test_read("test/kernels/basic.spv");
  for (int i = 0; i < 5; i++) {
    ze_module_handle_t module = NULL;
    CHECK_EQ(
        test_make(ZE_MODULE_FORMAT_IL_SPIRV, file, flags, NULL, &module, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeKernelDestroy(test_kernel(module, "axpy")), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeModuleDestroy(module), ZE_RESULT_SUCCESS);
  }
  free(file.bytes);
  return NULL;
}

/* Two threads each build the same program at the same time, beside two that build another. */
TEST(builds_of_one_program) {
  static char flags[2][32] = {"-cl-denorms-are-zero", "-cl-finite-math-only"};
  pthread_t threads[BUILDERS];
  test_context();
  test_device();
  for (int i = 0; i < BUILDERS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, build_again, flags[i % 2]), 0);
  for (int i = 0; i < BUILDERS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

TEST_MAIN(kernels_of_one_module, builds_of_one_program)
