/* Failed appends and released queues without memory and threads for what remains to be done:
   neither waits in the caller, and dependents complete after their dependencies. */
#define _DEFAULT_SOURCE
#include "support/failing.h"

#include "support/queue_kinds.h"
#include "support/spy.h"
#include "tests/soon.h"

#include <sched.h>
#include <unistd.h>

enum { ITEMS = 64, MOST = 200 };

static const ze_result_t broken = ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET;

struct world {
  struct given g;
  syclze_context context;
  syclze_queue queue, other; /* of the submission, and of the work before it */
  uint32_t *memory;
  syclze_buffer buffer;
  syclze_event gate, before;
};

static ze_result_t fill(const struct world *w, syclze_queue queue, uint32_t value,
    syclze_event gate, syclze_event *done) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, w->buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, gate);
  return syclze_group_fill(
      &group, syclze_mem_arg(all), &value, sizeof value, ITEMS * sizeof value, done);
}

/* A fill on the other queue waits for the gate. */
static struct world begin(enum kind kind) {
  given_needs_execution();
  struct world w = {.g = given()};
  w.context = made_context_here(&w.g, SYCLZE_OWNERSHIP_KEEP);
  w.queue = queue_of_kind(&w.g, w.context, kind);
  w.other = queue_of_kind(&w.g, w.context, OUT_OF_ORDER);
  w.memory = zeros(&w.g, w.context, ITEMS * sizeof *w.memory);
  syclze_buffer_input input = {.native_handle = w.memory, .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(&w, w.other, 9, w.gate, &w.before), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  CHECK_EQ(syclze_queue_wait(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->before), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* The driver's function, which the spy neither counts nor fails. */
ze_result_t __real_zeEventHostSignal(ze_event_handle_t event);

static void open_gate(void *world) {
  const struct world *w = world;
  CHECK_EQ(__real_zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
}

static bool is_signalled(syclze_event event) {
  return zeEventQueryStatus(syclze_get_native(event)) == ZE_RESULT_SUCCESS;
}

static ze_result_t look(syclze_interop_handle handle, void *argument) {
  struct world *w = argument;
  (void)handle;
  CHECK(is_signalled(w->before));
  CHECK_EQ(w->memory[ITEMS - 1], 9);
  return ZE_RESULT_SUCCESS;
}

static bool is_open(const struct world *w) {
  return !is_signalled(w->gate);
}

/* A submission whose n-th driver call fails, and every allocation and thread from the m-th on;
   0 for none. Later work on its queue or buffer waits for the work before it. Without threads all
   is done by the waits of the application. */
static const char *abandon(
    enum kind kind, unsigned n, long m, bool without_threads, bool *without_memory) {
  const syclze_event none = {NULL};
  struct world w = begin(kind);
  syclze_event event = {NULL}, last;
  spy_fail_at(n, broken);
  failing_threads(without_threads);
  failing_from(m);
  ze_result_t result = fill(&w, w.queue, 5, none, &event);
  *without_memory = failing_end();
  const char *failed = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK(is_open(&w)); /* not waited for */
  CHECK(result == (failed ? broken : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) ||
        (!failed && !*without_memory && result == ZE_RESULT_SUCCESS));
  if (result != ZE_RESULT_SUCCESS) CHECK_EQ(event.rep, NULL);
  if (result != ZE_RESULT_SUCCESS && !without_threads) {
    syclze_group group = syclze_group_begin(w.queue);
    syclze_require(&group, w.buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_host_task(&group, look, &w, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(fill(&w, w.queue, 3, none, &last), ZE_RESULT_SUCCESS);
  CHECK(!is_signalled(last));
  open_gate(&w);
  CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
  CHECK(is_signalled(w.before));
  CHECK_EQ(w.memory[ITEMS - 1], 3);
  CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
  end(&w);
  failing_threads(false);
  return failed;
}

/* The driver call of a submission that is the append, counted from 1. */
static unsigned append_of(enum kind kind, bool without_threads) {
  bool without_memory;
  unsigned n = 0;
  const char *failed = "";
  while (n < MOST && failed && strcmp(failed, "zeCommandListAppendMemoryFill") != 0)
    failed = abandon(kind, ++n, 0, without_threads, &without_memory);
  CHECK(failed != NULL);
  CHECK(n < MOST);
  return n;
}

/* First: no thread exists yet. */
TEST(a_failed_append_loses_no_dependency_where_no_thread_can_start) {
  for (int kind = 0; kind < KINDS; kind++)
    append_of((enum kind)kind, true);
  CHECK(failing_threads_failed() >= KINDS);
}

/* Nothing is allocated after the append: with one allocation less either the submission fails
   before it or the append fails with all its memory there. */
TEST(a_failed_append_needs_no_memory_and_loses_no_dependency) {
  for (int kind = 0; kind < KINDS; kind++) {
    bool without_memory = true;
    const unsigned n = append_of((enum kind)kind, false);
    const char *failed;
    long m = 0;
    do {
      failed = abandon((enum kind)kind, n, ++m, false, &without_memory);
      CHECK((failed == NULL) == without_memory);
    } while (without_memory && m < MOST);
    CHECK(m > 1);
    CHECK(m < MOST);
  }
}

/* Later calls of the application, or threads that they start, do the deferred work. */
static void await_destruction(const struct world *w, const void *native) {
  while (spy_destroys_of(native) == 0) {
    const syclze_event none = {NULL};
    syclze_event last;
    CHECK_EQ(fill(w, w->other, 2, none, &last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(last), ZE_RESULT_SUCCESS);
    sched_yield();
  }
  CHECK_EQ(spy_destroys_of(native), 1);
}

/* Work of the queue that an event marks, and no memory or thread for what the release leaves. */
static void release_without_threads(enum kind kind) {
  const syclze_event none = {NULL};
  struct world w = begin(kind);
  syclze_event done;
  CHECK_EQ(fill(&w, w.queue, 5, none, &done), ZE_RESULT_SUCCESS);
  const void *native = w.queue.rep->native.queue;
  failing_threads(true);
  failing_from(1);
  CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
  failing_end();
  CHECK(is_open(&w));
  CHECK(!is_signalled(done));
  CHECK_EQ(spy_destroys_of(native), 0);
  open_gate(&w);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(w.memory[ITEMS - 1], 5);
  await_destruction(&w, native);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  end(&w);
  failing_threads(false);
}

/* Second: no thread exists yet. */
TEST(a_released_queue_is_destroyed_by_later_calls_where_no_thread_can_start) { // shows promises 55
  const unsigned before = failing_threads_failed();
  for (int kind = 0; kind < KINDS; kind++)
    release_without_threads((enum kind)kind);
  CHECK(failing_threads_failed() >= before + KINDS);
}

/* A wait of another thread. */
struct waiter {
  struct world w;
  uint32_t begun, returned;
};

static void *wait_for_queue(void *argument) {
  struct waiter *waiter = argument;
  __atomic_store_n(&waiter->begun, 1, __ATOMIC_RELEASE);
  CHECK_EQ(syclze_queue_wait(waiter->w.queue), ZE_RESULT_SUCCESS);
  __atomic_store_n(&waiter->returned, 1, __ATOMIC_RELEASE);
  return NULL;
}

/* The commands are done: the waiter waits for the host task alone, for which no thread can be had.
   It is given the time to get there; a right library passes whatever the time is. */
static void let_wait_for_task(void *argument) {
  struct waiter *waiter = argument;
  const struct syclze__queue_state *state = syclze__queue_state_get(waiter->w.queue.rep);
  open_gate(&waiter->w);
  for (int i = 0; i < 1000 && __atomic_load_n(&state->task_waits, __ATOMIC_ACQUIRE) == 0; i++)
    usleep(100);
}

/* Third: no thread exists yet. */
TEST(a_wait_returns_when_a_host_task_is_refused_for_lack_of_a_thread) { // shows promises 56
  const syclze_event none = {NULL};
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    static struct waiter waiter;
    pthread_t thread;
    waiter = (struct waiter){.w = begin((enum kind)kind)};
    CHECK_EQ(fill(&waiter.w, waiter.w.queue, 5, none, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(pthread_create(&thread, NULL, wait_for_queue, &waiter), 0);
    for (int i = 0; i < 100 && __atomic_load_n(&waiter.begun, __ATOMIC_ACQUIRE) == 0; i++)
      usleep(100);
    usleep(5000);
    failing_threads(true);
    failing_notify(let_wait_for_task, &waiter);
    syclze_group group = syclze_group_begin(waiter.w.queue);
    CHECK_EQ(
        syclze_group_host_task(&group, look, &waiter.w, NULL), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(failing_threads_failed() != 0);
    CHECK_SOON(__atomic_load_n(&waiter.returned, __ATOMIC_ACQUIRE) != 0);
    CHECK_EQ(pthread_join(thread, NULL), 0);
    failing_threads(false);
    CHECK_EQ(syclze_release(waiter.w.queue), ZE_RESULT_SUCCESS);
    end(&waiter.w);
  }
}

/* Without memory the last command cannot be marked at once: it is marked later, the queue is
   destroyed once its work is done, and until then dependents of its work still wait. */
TEST(a_queue_that_is_released_without_memory_is_destroyed_after_its_work) { // shows promises 55
  const syclze_event none = {NULL};
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    struct world w = begin((enum kind)kind);
    ze_command_list_handle_t native = syclze_get_native(w.queue).list;
    syclze_event middle, last = none;
    CHECK_EQ(syclze_event_create(w.context, 0, &middle), ZE_RESULT_SUCCESS);
    ze_event_handle_t gate = syclze_get_native(middle);
    CHECK_EQ(fill(&w, w.queue, 4, none, NULL), ZE_RESULT_SUCCESS);
    /* Work that only a marker covers. */
    CHECK_EQ(zeCommandListAppendWaitOnEvents(native, 1, &gate), ZE_RESULT_SUCCESS);
    if (kind == IN_ORDER) CHECK_EQ(fill(&w, w.queue, 5, none, NULL), ZE_RESULT_SUCCESS);
    failing_from(1);
    CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
    CHECK(failing_end());
    CHECK_EQ(spy_destroys_of(native), 0);
    if (kind == IN_ORDER) CHECK_EQ(fill(&w, w.other, 3, none, &last), ZE_RESULT_SUCCESS);
    open_gate(&w);
    CHECK_EQ(syclze_event_wait(w.before), ZE_RESULT_SUCCESS);
    usleep(50000);
    CHECK_EQ(spy_destroys_of(native), 0);
    if (kind == IN_ORDER) CHECK(!is_signalled(last));
    CHECK_EQ(__real_zeEventHostSignal(gate), ZE_RESULT_SUCCESS);
    if (kind == IN_ORDER) CHECK_EQ(syclze_event_wait(last), ZE_RESULT_SUCCESS);
    if (kind == IN_ORDER) CHECK_EQ(w.memory[ITEMS - 1], 3);
    await_destruction(&w, native);
    CHECK_EQ(syclze_event_release(last), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(middle), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

/* A kept list may be destroyed after the queue's release: what marks its last launch is there by
   then. */
TEST(a_kernel_that_a_kept_list_runs_is_not_destroyed_before_its_end) {
  static const syclze_nd_range one = {.global = {1}, .local = {1}};
  struct world w = begin(OUT_OF_ORDER);
  ze_event_handle_t gate = syclze_get_native(w.gate);
  syclze_queue queue =
      made_queue(&w.g, w.context, syclze_native_queue_of(w.g.list), SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel_bundle bundle = made_kernel_bundle(
      w.context, given_module(&w.g, "tests/kernels/basic.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel kernel;
  CHECK_EQ(syclze_kernel_create(bundle, "nothing", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  const void *native = syclze_get_native(kernel);
  CHECK_EQ(zeCommandListAppendWaitOnEvents(w.g.list, 1, &gate), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &one, NULL), ZE_RESULT_SUCCESS);
  failing_from(1);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  failing_end();
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK(spy_is_alive(SPY_KERNEL, native));
  open_gate(&w);
  while (spy_is_alive(SPY_KERNEL, native)) {
    CHECK_EQ(syclze_event_wait(w.before), ZE_RESULT_SUCCESS);
    sched_yield();
  }
  CHECK_EQ(spy_destroys_of(native), 1);
  CHECK_EQ(syclze_release(w.queue), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(releasing_a_queue_with_work_returns_the_code_of_its_destruction) {
  const syclze_event none = {NULL};
  for (int kind = 0; kind < COMMAND_QUEUE; kind++) {
    struct world w = begin((enum kind)kind);
    ze_command_list_handle_t native = syclze_get_native(w.queue).list;
    CHECK_EQ(fill(&w, w.queue, 5, none, NULL), ZE_RESULT_SUCCESS);
    open_gate(&w);
    CHECK_EQ(syclze_queue_wait(w.queue), ZE_RESULT_SUCCESS);
    spy_fail_named("zeCommandListDestroy", broken);
    CHECK_EQ(syclze_release(w.queue), broken);
    spy_fail_at(0, ZE_RESULT_SUCCESS);
    CHECK_EQ(zeCommandListDestroy(native), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

TEST_MAIN(a_failed_append_loses_no_dependency_where_no_thread_can_start,
    a_released_queue_is_destroyed_by_later_calls_where_no_thread_can_start,
    a_wait_returns_when_a_host_task_is_refused_for_lack_of_a_thread,
    a_failed_append_needs_no_memory_and_loses_no_dependency,
    a_queue_that_is_released_without_memory_is_destroyed_after_its_work,
    a_kernel_that_a_kept_list_runs_is_not_destroyed_before_its_end,
    releasing_a_queue_with_work_returns_the_code_of_its_destruction)
