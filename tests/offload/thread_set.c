/* Threads that add, find and remove images of one set at once. */
#include "support/sample.h"

#include "syclze/offload/registry.h"
#include "tests/check.h"

#include <pthread.h>
#include <sched.h>

enum { THREADS = 4, ROUNDS = 200 };

static syclze_offload_set set;
static syclze_bytes sample;
static uint32_t wrong;

static void note(bool right) {
  if (!right) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
}

static void *work(void *own) {
  for (int i = 0; i < ROUNDS; i++) {
    uint32_t count = THREADS + 1, exports = 0;
    syclze_offload_found found[THREADS + 1];
    note(syclze_offload_set_add_bytes(set, sample, own) == ZE_RESULT_SUCCESS);
    note(syclze_offload_set_find(set, "axpy", &count, found) == ZE_RESULT_SUCCESS);
    note(count >= 1 && count <= THREADS && found[0].image.bytes.data == sample.data);
    note(syclze_offload_set_find_export(set, syclze_text_of("axpy"), &exports, NULL) ==
         ZE_RESULT_SUCCESS);
    syclze_offload_set_retain(set);
    note(syclze_offload_set_remove(set, own) == 1);
    syclze_offload_set_release(set);
  }
  return NULL;
}

TEST(images_are_added_and_removed_by_four_threads) {
  pthread_t threads[THREADS];
  static char owners[THREADS];
  sample = sample_read("two.llvmspirv15.spv");
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, work, &owners[i]), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(wrong, 0);
  uint32_t count = 0;
  syclze_offload_set_list(set, &count, NULL);
  CHECK_EQ(count, 0);
  syclze_offload_set_release(set);
  free((void *)(uintptr_t)sample.data);
}

static struct syclze__offload_set *registered[THREADS];

static void *get_registered(void *at) {
  *(struct syclze__offload_set **)at = syclze_offload_registered().rep;
  return NULL;
}

TEST(all_threads_share_the_registered_set) {
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, get_registered, &registered[i]), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK(registered[i] != NULL && registered[i] == registered[0]);
}

static uint32_t arrived;

/* Returns in two threads at about the same time. */
static void meet(uint32_t *meetings) {
  *meetings += 2;
  __atomic_fetch_add(&arrived, 1, __ATOMIC_ACQ_REL);
  for (int i = 1; __atomic_load_n(&arrived, __ATOMIC_ACQUIRE) < *meetings; i++)
    if (i % 1000 == 0) sched_yield();
}

static void *register_together(void *unused) {
  uint32_t meetings = 0;
  for (int i = 0; i < 25 * ROUNDS; i++) {
    uint32_t count = 0;
    meet(&meetings);
    note(syclze_register_image(sample) == ZE_RESULT_SUCCESS);
    meet(&meetings);
    syclze_offload_set_list(syclze_offload_registered(), &count, NULL);
    note(count == 1);
    meet(&meetings);
    syclze_unregister_image(sample);
  }
  return unused;
}

/* Only the last removal removes the images. */
TEST(registrations_of_two_threads_at_once_are_counted) {
  pthread_t thread;
  uint32_t count = 0;
  sample = sample_read("two.llvmspirv15.spv");
  CHECK_EQ(pthread_create(&thread, NULL, register_together, NULL), 0);
  register_together(NULL);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(wrong, 0);
  syclze_offload_set_list(syclze_offload_registered(), &count, NULL);
  CHECK_EQ(count, 0);
  free((void *)(uintptr_t)sample.data);
}

TEST_MAIN(images_are_added_and_removed_by_four_threads, all_threads_share_the_registered_set,
    registrations_of_two_threads_at_once_are_counted)
