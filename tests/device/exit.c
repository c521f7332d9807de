/* The end of the process: objects that are released late, when the driver may be gone, or never.
 * Each case is a process of its own, which calls Level Zero for the first time after it has said
 * when to release. */
#define _GNU_SOURCE
#include "support/made.h"
#include "support/spy.h"
#include "support/works.h"

#include <sys/wait.h>
#include <unistd.h>

static struct {
  syclze_object objects[6];
  int count;
  int by_destructor;
  struct given g; /* reachable, so that what is left of it is no leak */
} late;

/* A release answers what the driver, or the loader in its place, still answers; what matters is
 * that it returns, once for each. */
static void release_all(void) {
  while (late.count > 0)
    syclze_object_release(late.objects[--late.count]);
}

__attribute__((destructor)) static void at_the_end(void) {
  if (late.by_destructor) release_all();
}

static void add(syclze_object_kind kind, const void *rep) {
  syclze_object *object = &late.objects[late.count++];
  object->kind = kind;
  memcpy(&object->platform, &rep, sizeof rep);
}

/* Transferred objects of each kind that needs no kernel, with work behind them. */
static void make_all(void) {
  late.g = given();
  syclze_context context = made_context(&late.g, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_queue queue =
      made_queue(&late.g, context, syclze_native_queue_of(late.g.list), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_event event = made_event(context, given_event(&late.g), SYCLZE_OWNERSHIP_TRANSFER),
               created;
  CHECK_EQ(syclze_event_create(context, 0, &created), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_malloc_host(64, context, &input.native_handle), ZE_RESULT_SUCCESS);
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, context, &buffer), ZE_RESULT_SUCCESS);
  works_list(&late.g, late.g.list);
  add(SYCLZE_OBJECT_CONTEXT, context.rep);
  add(SYCLZE_OBJECT_QUEUE, queue.rep);
  add(SYCLZE_OBJECT_EVENT, event.rep);
  add(SYCLZE_OBJECT_EVENT, created.rep);
  add(SYCLZE_OBJECT_BUFFER, buffer.rep);
}

/* The child ends as if from main; the parent sees that it ended well. */
static void in_child(void (*body)(void)) {
  fflush(stdout);
  pid_t child = fork();
  CHECK(child >= 0);
  if (child == 0) {
    check_case_end = NULL; /* a failed check leads nowhere: the child goes on, and says so */
    body();
    exit(check_program.case_failed);
  }
  int status = -1;
  CHECK_EQ(waitpid(child, &status, 0), child);
  CHECK(WIFEXITED(status));
  CHECK_EQ(WEXITSTATUS(status), 0);
}

/* Registered before the loader loads the driver, the handler runs after the driver's own. */
static void with_a_handler(void) {
  atexit(release_all);
  make_all();
}

static void with_a_destructor(void) {
  late.by_destructor = 1;
  make_all();
}

TEST(objects_may_be_released_by_a_handler_at_exit) {
  in_child(with_a_handler);
}

TEST(objects_may_be_released_by_a_destructor) {
  in_child(with_a_destructor);
}

TEST(objects_may_be_left_to_the_end_of_the_process) {
  in_child(make_all);
}

TEST_MAIN(objects_may_be_released_by_a_handler_at_exit, objects_may_be_released_by_a_destructor,
    objects_may_be_left_to_the_end_of_the_process)
