/* First host tasks of a process without workers, and with memory that no task used before, with
   each allocation and thread start failing once: a task is refused and does not run, or runs
   once. */
#include "support/failing.h"

#include "support/child.h"
#include "support/made.h"

enum { MANY = 20, MOST = 100 };

/* Exit status of a child. */
enum { NONE_FAILED, ONE_FAILED };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_buffer buffer;
  syclze_event events[MANY]; /* signalled */
  int many;                  /* number of events that a task depends on and adds */
  atomic_int runs;
};

static struct world begin(int many) {
  struct world w = {.g = given(), .many = many};
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &w.queue), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_malloc_host(64, w.context, &input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MANY; i++) {
    CHECK_EQ(syclze_event_create(w.context, 0, &w.events[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSignal(syclze_event_get_native(w.events[i])), ZE_RESULT_SUCCESS);
  }
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_wait(w->queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < MANY; i++)
    CHECK_EQ(syclze_event_release(w->events[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(w->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* Counts its runs, and adds events. */
static ze_result_t run(syclze_interop_handle handle, void *argument) {
  struct world *w = (struct world *)argument;
  ze_result_t result = ZE_RESULT_SUCCESS;
  atomic_fetch_add(&w->runs, 1);
  for (int i = 0; i < w->many && result == ZE_RESULT_SUCCESS; i++)
    result = syclze_interop_handle_add_event(handle, syclze_event_get_native(w->events[i]));
  return result;
}

typedef ze_result_t submission(
    syclze_group *group, syclze_host_function function, void *argument, syclze_event *event);

static ze_result_t submit(struct world *w, submission *as, syclze_event *event) {
  syclze_group group = syclze_group_begin(w->queue);
  if (w->many != 0) syclze_require(&group, w->buffer, SYCLZE_ACCESS_READ_WRITE);
  for (int i = 0; i < w->many; i++)
    syclze_group_depends_on(&group, w->events[i]);
  return as(&group, run, w, event);
}

/* True if the n-th allocation or thread start was reached, and failed. */
static bool one_fails(submission *as, int many, int n) {
  struct world w = begin(many);
  syclze_event event;
  failing_at(n);
  ze_result_t result = submit(&w, as, &event);
  ze_result_t waited = result == ZE_RESULT_SUCCESS ? syclze_queue_wait(w.queue) : ZE_RESULT_SUCCESS;
  bool failed = failing_end();
  if (failed && as == syclze_group_native_command)
    CHECK(result != ZE_RESULT_SUCCESS || waited != ZE_RESULT_SUCCESS);
  if (result != ZE_RESULT_SUCCESS) {
    CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    CHECK_EQ(event.rep, NULL);
    /* The allocation may be one of the native command's function. */
    CHECK(atomic_load(&w.runs) == 0 || as == syclze_group_native_command);
  } else {
    /* The failure was of add_event, or of the wait. */
    CHECK(waited == ZE_RESULT_SUCCESS || waited == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(atomic_load(&w.runs), 1);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  }
  /* It succeeds once memory is available. */
  atomic_store(&w.runs, 0);
  syclze_queue_take_asynchronous_error(w.queue);
  CHECK_EQ(submit(&w, as, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(atomic_load(&w.runs), 1);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  end(&w);
  return failed;
}

static int host_task(int n) {
  return one_fails(syclze_group_host_task, 0, n) ? ONE_FAILED : NONE_FAILED;
}

TEST(the_first_host_task_of_a_process_is_refused_or_runs_once) {
  given_needs_execution();
  int n = 1;
  while (n < MOST && in_child(host_task, n) == ONE_FAILED)
    n++;
  /* Memory and a thread at least; how many threads depends on how soon the first one is there. */
  CHECK(n > 2);
  CHECK(n < MOST);
}

/* All host tasks that there were are in use. */
static void lose_host_tasks(void) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[SYCLZE__POOL_HOST_TASK];
#if SYCLZE_HAS_THREAD_CACHE
  struct syclze__thread *thread = SYCLZE__STATE.threads;
  for (; thread != NULL; thread = thread->next) {
    struct syclze__cache *cache = &thread->caches[SYCLZE__POOL_HOST_TASK];
    cache->free = cache->full = NULL;
    cache->room = SYCLZE__BATCH;
  }
#endif
  pool->free = pool->batches = NULL;
  pool->free_count = 0;
  pool->unused = pool->unused_end;
}

/* Allocations of a task are reused by later ones. */
static void fail_each(submission *as) {
  given_needs_execution();
  int n = 0;
  bool failed = true;
  while (failed && n < MOST) {
    lose_host_tasks();
    failed = one_fails(as, MANY, ++n);
  }
  CHECK(n > 10);
  CHECK(!failed);
}

TEST(a_host_task_in_new_memory_is_refused_or_runs_once) {
  fail_each(syclze_group_host_task);
}

TEST(a_native_command_in_new_memory_is_refused_or_runs_once) {
  fail_each(syclze_group_native_command);
}

/* These run first, before any call of Level Zero. */
TEST_MAIN(the_first_host_task_of_a_process_is_refused_or_runs_once,
    a_host_task_in_new_memory_is_refused_or_runs_once,
    a_native_command_in_new_memory_is_refused_or_runs_once)
