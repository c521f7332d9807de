/* The library's checks of itself: a violation is reported and ends the program, and what keeps to
   the rules does not. In each configuration. */
#ifndef SYCLZE__INVARIANTS
#undef SYCLZE_DECLARATIONS
#define SYCLZE__INVARIANTS 1
#endif
#define _POSIX_C_SOURCE 200809L
#include "syclze/detail/sync/lock.h"
#include "tests/check.h"

#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static SYCLZE__LOCK(SYCLZE__RANK_MEMORY) memory, other_memory;
static SYCLZE__LOCK(SYCLZE__RANK_QUEUE) queue;
static SYCLZE__LOCK(SYCLZE__RANK_POOL) pool;

/* True if the body, in a process of its own, ends it by an abort that says the text. */
static bool aborts(void (*body)(void), const char *text) {
  char said[1024];
  int ends[2], status = -1;
  size_t length = 0;
  fflush(stdout);
  CHECK_EQ(pipe(ends), 0);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    const struct rlimit none = {0, 0};
    setrlimit(RLIMIT_CORE, &none);
    signal(SIGABRT, SIG_DFL);
    dup2(ends[1], 2);
    body();
    _exit(0);
  }
  close(ends[1]);
  for (ssize_t got; (got = read(ends[0], said + length, sizeof said - 1 - length)) > 0;)
    length += (size_t)got;
  said[length] = 0;
  close(ends[0]);
  CHECK_EQ(waitpid(child, &status, 0), child);
  if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT) return false;
  CHECK(strstr(said, text) != NULL);
  return true;
}

/* A function that needs the lock. */
static void needs_queue(void) {
  SYCLZE__HELD(&queue);
}

static void *needs_queue_elsewhere(void *unused) {
  needs_queue();
  return unused;
}

static void with_lock_of_another(void) {
  pthread_t thread;
  syclze__lock_acquire(&queue);
  CHECK_EQ(pthread_create(&thread, NULL, needs_queue_elsewhere, NULL), 0);
  pthread_join(thread, NULL);
}

TEST(a_function_that_needs_a_lock_ends_without_it) { // shows promises 43
  CHECK(aborts(needs_queue, "invariants.c"));
  CHECK(aborts(needs_queue, "&queue"));
  CHECK(aborts(with_lock_of_another, "&queue"));
  syclze__lock_acquire(&queue);
  needs_queue();
  syclze__lock_release(&queue);
  CHECK(syclze__lock_try(&queue));
  needs_queue();
  if (syclze__lock_clear(&queue)) syclze__lock_wake(&queue);
  CHECK(aborts(needs_queue, "&queue"));
}

/* A lock of a file that is compiled without the checks: it sets the first byte alone. */
TEST(the_holder_may_be_unknown) { // shows promises 43
  uint8_t *word = (uint8_t *)&queue.any.word;
  __atomic_store_n(word, 1, __ATOMIC_RELAXED);
  needs_queue();
  __atomic_store_n(word, 0, __ATOMIC_RELAXED);
}

static void release_free(void) {
  syclze__lock_release(&queue);
}

static void upwards(void) {
  syclze__lock_acquire(&queue);
  syclze__lock_acquire(&memory);
}

static void two_of_a_rank(void) {
  syclze__lock_acquire(&memory);
  syclze__lock_acquire(&other_memory);
}

static void upwards_behind_a_tried_one(void) {
  CHECK(syclze__lock_try(&pool));
  syclze__lock_acquire(&queue);
}

TEST(locks_are_acquired_by_rank) { // shows promises 43
  CHECK(aborts(release_free, "released"));
  CHECK(aborts(upwards, "order of locks"));
  CHECK(aborts(two_of_a_rank, "order of locks"));
  CHECK(aborts(upwards_behind_a_tried_one, "order of locks"));
  syclze__lock_acquire(&memory);
  CHECK(syclze__lock_try(&other_memory));
  syclze__lock_acquire(&queue);
  syclze__lock_acquire(&pool);
  CHECK_EQ(syclze__held_count(), 4);
  /* In any order. */
  syclze__lock_release(&memory);
  syclze__lock_release(&queue);
  syclze__lock_release(&other_memory);
  syclze__lock_release(&pool);
  CHECK_EQ(syclze__held_count(), 0);
}

/* One that is tried may be of any rank. */
TEST(a_lock_out_of_its_rank_is_tried) { // shows promises 43
  syclze__lock_acquire(&pool);
  CHECK(syclze__lock_try(&queue));
  CHECK(syclze__lock_try(&memory));
  CHECK(!syclze__lock_try(&memory));
  CHECK_EQ(syclze__held_count(), 3);
  syclze__lock_release(&memory);
  syclze__lock_release(&queue);
  syclze__lock_release(&pool);
  CHECK_EQ(syclze__held_count(), 0);
}

static void calls_with_a_lock(void) {
  syclze__lock_acquire(&pool);
  SYCLZE__HELD_NONE();
}

static void *holds_pool(void *count) {
  syclze__lock_acquire(&pool);
  *(uint32_t *)count = syclze__held_count();
  syclze__lock_release(&pool);
  return NULL;
}

TEST(each_thread_has_its_own_locks) { // shows promises 43
  pthread_t thread;
  uint32_t theirs = 0;
  CHECK(aborts(calls_with_a_lock, "lock of the library is held"));
  CHECK_EQ(pthread_create(&thread, NULL, holds_pool, &theirs), 0);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  CHECK_EQ(theirs, 1);
  CHECK_EQ(syclze__held_count(), 0);
  SYCLZE__HELD_NONE();
}

enum { THREADS = 4, ROUNDS = 20000 };
static uint64_t shared;

static void *counts(void *unused) {
  for (int i = 0; i < check_repeats(ROUNDS); i++) {
    syclze__lock_acquire(&queue);
    SYCLZE__HELD(&queue);
    shared++;
    syclze__lock_release(&queue);
  }
  return unused;
}

/* A lock with its holder excludes others, and wakes them. */
TEST(contended_locks_are_checked_too) { // shows promises 43
  pthread_t threads[THREADS];
  shared = 0;
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, counts, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(shared, THREADS * (uint64_t)check_repeats(ROUNDS));
  CHECK_EQ(queue.any.word & 0xffff00ff, 0);
}

static void three_is_two(void) {
  SYCLZE__ASSERT(shared == 2);
}

TEST(a_state_that_is_wrong_ends_the_program) { // shows promises 43
  shared = 3;
  CHECK(aborts(three_is_two, "shared == 2"));
  shared = 2;
  three_is_two();
}

/* Layouts are those of files without the checks. */
TEST(a_lock_is_a_word) { // shows promises 43
  struct with_lock {
    SYCLZE__LOCK(SYCLZE__RANK_POOL) lock;
    uint32_t behind;
  };
  CHECK_EQ(sizeof pool, sizeof(uint32_t));
  CHECK_EQ(sizeof(struct with_lock), 2 * sizeof(uint32_t));
  CHECK_EQ(SYCLZE__RANK_OF(&pool), SYCLZE__RANK_POOL);
  CHECK_EQ(SYCLZE__RANK_OF(&memory), SYCLZE__RANK_MEMORY);
}

TEST_MAIN(a_function_that_needs_a_lock_ends_without_it, the_holder_may_be_unknown,
    locks_are_acquired_by_rank, a_lock_out_of_its_rank_is_tried, each_thread_has_its_own_locks,
    contended_locks_are_checked_too, a_state_that_is_wrong_ends_the_program, a_lock_is_a_word)
