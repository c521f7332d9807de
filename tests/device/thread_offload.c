/* Threads that get the same kernels from one program with a disk cache, while images are added and
   removed. */
#define _GNU_SOURCE
#include "support/offload.h"

#include <pthread.h>
#include <unistd.h>

enum { THREADS = 4, ROUNDS = 30 };

static struct offload o;
static uint32_t wrong;

static void note(bool right) {
  if (!right) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void *get_kernels(void *own) {
  static const char *const names[] = {"axpy", "iota", "lsum", "scale"};
  for (int i = 0; i < ROUNDS; i++) {
    const int n = i % 2;
    const syclze_spec_value value = {NULL, 0, &n, sizeof n};
    const syclze_program_request request = {
        .kernel = names[i % 4], .values = &value, .value_count = 1};
    syclze_kernel kernel;
    const ze_result_t result = syclze_program_get_kernel(o.program, o.device, &request, &kernel);
    note(result == ZE_RESULT_SUCCESS);
    if (result == ZE_RESULT_SUCCESS) note(syclze_kernel_release(kernel) == ZE_RESULT_SUCCESS);
    if (i % 10 != 9) continue;
    const syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("none", 4));
    note(syclze_offload_set_add(o.set, &image, own, NULL) == ZE_RESULT_SUCCESS);
    note(syclze_offload_set_remove(o.set, own) == 1);
  }
  return NULL;
}

TEST(four_threads_share_one_program) {
  char folder[64], command[128];
  pthread_t threads[THREADS];
  static char owners[THREADS];
  snprintf(folder, sizeof folder, "/tmp/syclze-threads-%d", (int)getpid());
  offload_begin(&o, folder);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  offload_add(&o, "tests/offload/samples/spec.clang22.spv");
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, get_kernels, &owners[i]), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(wrong, 0);
  /* Two modules, each built by one thread while the others wait. */
  const syclze_program_counts counts = syclze_program_get_counts(o.program);
  CHECK_EQ(counts.built, 2);
  CHECK_EQ(counts.from_disk, 0);
  offload_end(&o);
  snprintf(command, sizeof command, "rm -r %s", folder);
  CHECK_EQ(system(command), 0);
}

enum { CROWD = 8 };

static pthread_barrier_t together;

static void *get_one(void *own) {
  const syclze_program_request request = {.kernel = "axpy"};
  syclze_kernel kernel;
  (void)own;
  pthread_barrier_wait(&together);
  const ze_result_t result = syclze_program_get_kernel(o.program, o.device, &request, &kernel);
  note(result == ZE_RESULT_SUCCESS && syclze_kernel_release(kernel) == ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(eight_threads_that_need_one_kernel_build_it_once) { // shows offload 56
  pthread_t threads[CROWD];
  offload_begin(&o, NULL);
  offload_add(&o, "tests/offload/samples/two.clang22.spv");
  CHECK_EQ(pthread_barrier_init(&together, NULL, CROWD), 0);
  for (int i = 0; i < CROWD; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, get_one, NULL), 0);
  for (int i = 0; i < CROWD; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(wrong, 0);
  const syclze_program_counts counts = syclze_program_get_counts(o.program);
  CHECK_EQ(counts.built, 1);
  CHECK_EQ(counts.from_memory, CROWD - 1);
  CHECK_EQ(pthread_barrier_destroy(&together), 0);
  offload_end(&o);
}

TEST_MAIN(four_threads_share_one_program, eight_threads_that_need_one_kernel_build_it_once)
