/* A thread that misses a lock sleeps in the kernel, on that lock, also where it only tries it: so
   it does not keep the holder from the processor, whatever their priorities are. */
#define _GNU_SOURCE
#undef SYCLZE_DECLARATIONS
#include "support/native_task.h"

#include "syclze/command/graph.h"

#include <dlfcn.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>

enum { MANY = 10000 };

static _Thread_local bool is_watched;
static unsigned yields;      /* of watched threads */
static const void *slept_on; /* the last word that one of them slept on */

static int nap(void) {
  return nanosleep(&(const struct timespec){.tv_nsec = 1000}, NULL);
}

/* In place of the C library's. */
int sched_yield(void) {
  if (is_watched) __atomic_add_fetch(&yields, 1, __ATOMIC_RELAXED);
  return nap();
}

long syscall(long number, ...) {
  long (*next)(long, ...);
  long values[6] = {0};
  const int count = number == SYS_futex ? 6 : 5;
  va_list list;
  void *found = dlsym(RTLD_NEXT, "syscall");
  memcpy(&next, &found, sizeof next);
  va_start(list, number);
  for (int i = 0; i < count; i++)
    values[i] = va_arg(list, long);
  va_end(list);
  if (is_watched && number == SYS_futex && (values[1] & 127) == 0 /* FUTEX_WAIT */)
    __atomic_store_n(&slept_on, (const void *)values[0], __ATOMIC_RELEASE);
  return next(number, values[0], values[1], values[2], values[3], values[4], values[5]);
}

static struct scene_base scene;
static syclze_kernel kernel;
static syclze_queue owner, other;
static syclze_buffer buffers[2];
static syclze_graph graph;
static uint32_t *awaited;

static const syclze_nd_range one = {.global = {1}};

static void launch_on(syclze_queue queue, bool with_accessors) {
  struct node *none = NULL;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor accessors[2];
  for (int i = 0; with_accessors && i < 2; i++)
    accessors[i] = syclze_require(&group, buffers[i], SYCLZE_ACCESS_READ_WRITE);
  if (with_accessors)
    CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(none), syclze_arg(accessors[0])),
        ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(syclze_launch(&group, kernel, &one, NULL, syclze_arg(none), syclze_arg(none)),
        ZE_RESULT_SUCCESS);
}

static void use_memory(void) {
  launch_on(other, true);
}
static void use_queue(void) {
  launch_on(owner, true);
}
static void use_kernel(void) {
  launch_on(other, false);
}
static void finalize(void) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
}
static void await_word(void) {
  syclze__word_await(awaited, 1);
}

static void *watched(void *argument) {
  void (*const *run)(void) = argument;
  is_watched = true;
  (*run)();
  is_watched = false;
  return NULL;
}

/* Runs a function while the word, which `free_it` lets go, stops it. Returns how often it yielded.
 */
static unsigned run_stopped(void (*run)(void), uint32_t *word, void (*free_it)(uint32_t *word)) {
  pthread_t thread;
  bool sleeps = false;
  __atomic_store_n(&slept_on, NULL, __ATOMIC_RELAXED);
  __atomic_store_n(&yields, 0, __ATOMIC_RELAXED);
  CHECK_EQ(pthread_create(&thread, NULL, watched, &run), 0);
  while (!sleeps && __atomic_load_n(&yields, __ATOMIC_RELAXED) < MANY) {
    nap();
    sleeps = __atomic_load_n(&slept_on, __ATOMIC_ACQUIRE) == word;
  }
  free_it(word);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK(sleeps);
  return yields;
}

static void release_lock(uint32_t *lock) {
  syclze__lock_release_any((struct syclze__lock *)(void *)lock, SYCLZE__RANK_MEMORY);
}

static void check_sleeps(void (*run)(void), struct syclze__lock *lock) {
  syclze__lock_acquire_any(lock, SYCLZE__RANK_MEMORY);
  run_stopped(run, &lock->word, release_lock);
}

static struct syclze__lock *lock_of_queue(syclze_queue queue) {
  return &syclze__queue_state_get(queue.rep)->lock.any;
}

static struct syclze__lock *lock_of_buffer(syclze_buffer buffer) {
  return &syclze__memory_lock(&buffer.rep->memory)->word.any;
}

/* The first queue owns the kernel, and in-order ones the buffers. */
static void begin(uint32_t flags) {
  strict_begin(1, STRICT_RANDOM);
  scene_begin(&scene);
  kernel = scene_kernel(&scene, "iota");
  owner = scene_queue(&scene, flags);
  other = scene_queue(&scene, flags);
  for (int i = 0; i < 2; i++)
    buffers[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  launch_on(owner, true);
}

static void end(void) {
  const syclze_queue queues[] = {owner, other};
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(buffers[i]), ZE_RESULT_SUCCESS);
  }
  scene_end_with(&scene, kernel);
}

static const uint32_t orders[] = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};

TEST(a_submission_sleeps_on_the_lock_of_its_memory) { // shows promises 44
  for (int order = 0; order < 2; order++)
    for (int i = 0; i < 2; i++) {
      begin(orders[order]);
      check_sleeps(use_memory, lock_of_buffer(buffers[i]));
      end();
    }
}

TEST(a_submission_sleeps_on_the_lock_of_its_queue) { // shows promises 44
  for (int order = 0; order < 2; order++) {
    begin(orders[order]);
    check_sleeps(use_queue, lock_of_queue(owner));
    end();
  }
}

TEST(a_launch_sleeps_on_the_queue_that_has_its_kernel) { // shows promises 44
  for (int order = 0; order < 2; order++) {
    begin(orders[order]);
    check_sleeps(use_kernel, lock_of_queue(owner));
    launch_on(owner, false);
    check_sleeps(use_memory, lock_of_queue(owner));
    end();
  }
}

/* When a launch is recorded, and when the graph is finalized. */
TEST(a_graph_sleeps_on_the_queue_that_has_its_kernel) { // shows promises 44
  begin(0);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, other), ZE_RESULT_SUCCESS);
  check_sleeps(use_kernel, lock_of_queue(owner));
  CHECK_EQ(syclze_graph_end_recording(graph, other), ZE_RESULT_SUCCESS);
  launch_on(owner, false);
  check_sleeps(finalize, lock_of_queue(owner));
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end();
}

static void clear(uint32_t *word) {
  __atomic_store_n(word, 0, __ATOMIC_RELEASE);
}

/* A word that changes soon is polled a few times first. */
TEST(a_wait_for_what_changes_soon_sleeps_after_some_looks) { // shows promises 44
  uint32_t word = 1;
  awaited = &word;
  CHECK_EQ(run_stopped(await_word, &word, clear), SYCLZE__LOCK_SPINS);
}

TEST_MAIN(a_submission_sleeps_on_the_lock_of_its_memory,
    a_submission_sleeps_on_the_lock_of_its_queue, a_launch_sleeps_on_the_queue_that_has_its_kernel,
    a_graph_sleeps_on_the_queue_that_has_its_kernel,
    a_wait_for_what_changes_soon_sleeps_after_some_looks)
