/* Eight threads run kernels of one bundle, each with its own kernel and queue. */
#include "support/made.h"
#include "support/spy.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 10, ITEMS = 1024, GROUP = 64 };

struct worker {
  pthread_t thread;
  syclze_device device;
  syclze_context context;
  syclze_kernel_bundle bundle; /* with one reference per thread */
  int first;
};

static void run(const struct worker *w, syclze_kernel kernel, syclze_queue queue, void *memory) {
  ze_kernel_handle_t native = syclze_get_native(kernel);
  ze_group_count_t groups = {ITEMS / GROUP, 1, 1};
  syclze_event event;
  memset(memory, 0, ITEMS * sizeof(int));
  CHECK_EQ(syclze_event_create(w->context, 0, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetGroupSize(native, GROUP, 1, 1), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(native, 0, sizeof memory, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeKernelSetArgumentValue(native, 1, sizeof w->first, &w->first), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListAppendLaunchKernel(
               syclze_get_native(queue).list, native, &groups, syclze_get_native(event), 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSynchronize(syclze_get_native(event), UINT64_MAX), ZE_RESULT_SUCCESS);
  for (int i = 0; i < ITEMS && given_executes(); i++)
    CHECK_EQ(((int *)memory)[i], w->first + i);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
}

static void *work(void *argument) {
  const struct worker *w = argument;
  syclze_queue queue;
  void *memory;
  CHECK_EQ(syclze_queue_create(w->context, w->device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_malloc_shared(ITEMS * sizeof(int), w->device, w->context, &memory), ZE_RESULT_SUCCESS);
  for (int round = 0; round < ROUNDS; round++) {
    syclze_kernel kernel;
    CHECK_EQ(syclze_kernel_create(w->bundle, "iota", &kernel), ZE_RESULT_SUCCESS);
    run(w, kernel, queue, memory);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_free(memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->bundle), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(kernels_of_one_bundle_run_on_all_threads) {
  struct given g = given();
  g.module = given_module(&g, "tests/kernels/basic.spv");
  struct worker workers[THREADS];
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_TRANSFER);
  for (int i = 0; i < THREADS; i++) {
    CHECK_EQ(syclze_retain(bundle), ZE_RESULT_SUCCESS);
    workers[i] = (struct worker){
        .device = made_device(&g), .context = context, .bundle = bundle, .first = 10000 * i};
  }
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(workers[i].thread, NULL), 0);
  CHECK_EQ(spy_alive(SPY_KERNEL), 0);
  CHECK_EQ(spy_destroys_of(g.module), 1);
  CHECK_EQ(syclze_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(kernels_of_one_bundle_run_on_all_threads)
