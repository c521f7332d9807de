/* Threads that add, find and remove images of one set at once. */
#define _DEFAULT_SOURCE
#include "support/properties.h"
#include "support/sample.h"

#include "syclze/offload/registry.h"
#include "syclze/offload/selection.h"
#include "tests/check.h"

#include <pthread.h>
#include <sched.h>
#include <sys/mman.h>

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

/* Adds an image, with properties, and removes it before its memory goes. */
static void *add_and_unmap(void *is_over) {
  static const char text[] = "[SYCL/misc]\nno-property-of-note=1|0\n";
  for (int i = 0; i < check_repeats(10 * ROUNDS); i++) {
    char *memory = (char *)mmap(NULL, sample.size + sizeof text, PROT_READ | PROT_WRITE,
        MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    note(memory != MAP_FAILED);
    memcpy(memory, sample.data, sample.size);
    memcpy(memory + sample.size, text, sizeof text);
    syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(memory, sample.size));
    image.property_text = syclze_bytes_of(memory + sample.size, sizeof text - 1);
    note(syclze_offload_set_add(set, &image, memory, NULL) == ZE_RESULT_SUCCESS);
    sched_yield();
    note(syclze_offload_set_remove(set, memory) == 1);
    munmap(memory, sample.size + sizeof text);
  }
  __atomic_store_n((int *)is_over, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* Neither a kernel that no image has, nor virtual functions of other images, are of that image. */
TEST(images_of_other_kernels_go_during_a_call) {
  const struct properties_bytes name = properties_bytes_of("x", 1);
  const struct properties_property used = properties_property("uses-virtual-functions-set", &name);
  const struct properties_set sets = {SYCLZE_PROPERTY_SET_VIRTUAL_FUNCTIONS, &used, &used + 1};
  pthread_t thread;
  syclze_device_traits traits;
  syclze_candidate candidate, others[4];
  char why[512];
  int is_over = 0;
  syclze_bytes caller = sample_read("two.llvmspirv15.spv");
  sample = sample_read("sg.clang22.spv");
  memset(&traits, 0, sizeof traits);
  traits.max_group_size = 256;
  syclze_offload_image image = syclze_offload_image_of(caller);
  image.property_sets_begin = &sets;
  image.property_sets_end = &sets + 1;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add(set, &image, NULL, NULL), ZE_RESULT_SUCCESS);
  uint32_t count = 1;
  CHECK_EQ(syclze_selection_find(set, "axpy", &traits, &count, &candidate, why, sizeof why),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(pthread_create(&thread, NULL, add_and_unmap, &is_over), 0);
  while (!__atomic_load_n(&is_over, __ATOMIC_ACQUIRE)) {
    syclze_candidate none;
    count = 1;
    note(syclze_selection_find(set, "absent", &traits, &count, &none, why, sizeof why) ==
         ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
    count = 4;
    note(syclze_selection_link(set, &candidate, &traits, &count, others) == ZE_RESULT_SUCCESS);
    note(count == 0);
  }
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(wrong, 0);
  syclze_offload_set_release(set);
  free((void *)(uintptr_t)sample.data);
  free((void *)(uintptr_t)caller.data);
}

TEST_MAIN(images_are_added_and_removed_by_four_threads, all_threads_share_the_registered_set,
    registrations_of_two_threads_at_once_are_counted, images_of_other_kernels_go_during_a_call)
