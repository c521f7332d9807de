/* Children of a process whose threads are inside the checker at the time of the fork. Under
   valgrind a record that such a thread has allocated and not entered yet is lost in the child,
   whose exit code would be valgrind's: tests/valgrind.supp names it. */
#undef SYCLZE_DECLARATIONS
#define _POSIX_C_SOURCE 200809L
#define SYCLZE_CHECK
#include "support/world.h"
#include "tests/check.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { THREADS = 3, CHILDREN = 40, HANG = 600 /* seconds */ };

static int stop;

static void *churn(void *argument) {
  while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
    const syclze_event_input input = {(ze_event_handle_t)argument, SYCLZE_OWNERSHIP_KEEP};
    syclze_event event;
    if (syclze_make_event(&input, world.context, &event) == ZE_RESULT_SUCCESS)
      syclze_event_release(event);
  }
  return NULL;
}

static pid_t parent;

/* Exits with the number of diagnostics. */
static void leave_child(void) {
  if (getpid() != parent) _exit((int)notes.count);
}

/* Registered before the checker's handler, so that it runs after it. */
__attribute__((constructor)) static void leave_last(void) {
  parent = getpid();
  atexit(leave_child);
}

static void check_child(void) {
  int status = -1;
  fflush(stdout);
  const pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    alarm(HANG);
    notes.count = 0;
    exit(0);
  }
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

/* Handles wrapped in the parent are not reported at the child's exit. */
TEST(children_exit_while_threads_of_the_parent_are_in_the_checker) { // shows promises 60
  world_begin();
  const ze_event_pool_handle_t pool = fake_event_pool(world.native_context);
  ze_event_handle_t events[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    events[i] = fake_event(pool);
    CHECK_EQ(pthread_create(&threads[i], NULL, churn, events[i]), 0);
  }
  for (int i = 0, count = check_repeats(CHILDREN); i < count; i++)
    check_child();
  __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
}

TEST_MAIN(children_exit_while_threads_of_the_parent_are_in_the_checker)
