/* Events of the application (syclze/command/event_sync.h): signals by queues of every kind and by
   the host, resets, waits with a time limit, callbacks, and two processes. */
#define _POSIX_C_SOURCE 200809L
#include "support/made.h"
#include "support/partner.h"
#include "support/refused.h"
#include "support/spy.h"
#include "tests/soon.h"

#include "syclze/command/event_sync.h"
#include "syclze/command/graph.h"
#include "syclze/command/host_accessor.h"
#include "syclze/ipc.h"

#include <stdlib.h>

__attribute__((constructor)) static void share_memory(void) {
  given_environment("ZECL_IPC", "1");
}

enum { QUEUES = 4, BYTES = 4096, LITTLE = 1000000 /* ns */ };
#define LONG 600000000000ull

static const uint32_t kinds[QUEUES] = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0,
    SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST,
    SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS};

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES];
  syclze_event target; /* of the application */
  syclze_event gate;   /* the same, to hold work back */
  unsigned char *memory;
};

static struct world begin(void) {
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  made_queues(w.context, w.device, kinds, w.queues, QUEUES);
  w.target = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  w.gate = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_malloc_shared(BYTES, w.device, w.context, &memory), ZE_RESULT_SUCCESS);
  w.memory = memory;
  return w;
}

static void end(struct world *w) {
  release_queues(w->queues, QUEUES);
  CHECK_EQ(syclze_release(w->target), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->memory, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

static struct world begin_to_run(void) {
  given_needs_execution();
  return begin();
}

static bool is_signalled(syclze_event event) {
  return zeEventQueryStatus(syclze_get_native(event)) == ZE_RESULT_SUCCESS;
}

static void check_bytes(const struct world *w, unsigned char value) {
  for (int i = 0; i < BYTES; i++)
    CHECK_EQ(w->memory[i], value);
}

static syclze_event fill(const struct world *w, int i, unsigned char value, syclze_event gate) {
  syclze_event filled;
  CHECK_EQ(syclze_queue_fill(w->queues[i], w->memory, &value, 1, BYTES, &gate, 1, &filled),
      ZE_RESULT_SUCCESS);
  return filled;
}

/* A synchronous queue cannot be held back. */
static bool is_held(const struct world *w, int i) {
  (void)w;
  return (kinds[i] & SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS) == 0;
}

TEST(a_queue_signals_behind_all_earlier_work) { // shows queues 3
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES; i++) {
    const syclze_event none = {0};
    syclze_event filled = fill(&w, i, (unsigned char)(i + 1), is_held(&w, i) ? w.gate : none);
    syclze_event done = none;
    CHECK_EQ(syclze_queue_signal_event(w.queues[i], w.target, NULL, 0, i % 2 ? &done : NULL),
        ZE_RESULT_SUCCESS);
    if (is_held(&w, i)) CHECK(!is_signalled(w.target));
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(w.target, LONG), ZE_RESULT_SUCCESS);
    check_bytes(&w, (unsigned char)(i + 1));
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait_for(w.queues[i], LONG), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Events of another queue, and of a host task, which defers the signal. */
TEST(a_signal_follows_the_events_that_it_names) { // shows queues 3
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES - 1; i++) {
    syclze_event waits[2] = {fill(&w, (i + 1) % 3, 9, w.gate), {0}}, done;
    CHECK_EQ(syclze_queue_signal_event(w.queues[i], w.target, waits, 2, &done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(w.target, LITTLE), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_wait_for(done, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(waits[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

static ze_result_t await_gate(syclze_interop_handle handle, void *argument) {
  const struct world *w = argument;
  (void)handle;
  return syclze_event_wait_for(w->gate, LONG);
}

TEST(a_signal_behind_a_host_task_is_deferred) { // shows queues 3
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES - 1; i++) {
    syclze_event task, done;
    syclze_group group = syclze_group_begin(w.queues[i]);
    CHECK_EQ(syclze_group_host_task(&group, await_gate, &w, &task), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(w.queues[i]);
    syclze_group_depends_on(&group, task);
    CHECK_EQ(syclze_group_signal_event(&group, w.target, &done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait_for(w.queues[i], LITTLE), ZE_RESULT_NOT_READY);
    CHECK(!is_signalled(w.target));
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait_for(w.queues[i], LONG), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* The n-th call of a signal fails, and is counted if it is a barrier. False if there were fewer
   calls. */
static bool signal_fails(int i, unsigned n, unsigned *barriers) {
  struct world w = begin_to_run();
  syclze_event gate = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER), done;
  ze_event_handle_t native = syclze_get_native(gate);
  /* The library's events exist then. */
  CHECK_EQ(syclze_queue_submit_barrier(w.queues[i], &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  spy_fail_at(n, ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  syclze_queue_signal_event(w.queues[i], w.target, &gate, 1, &done);
  const char *call = spy_failed_call();
  spy_fail_at(0, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
  *barriers += call != NULL && strcmp(call, "zeCommandListAppendBarrier") == 0;
  CHECK(*barriers < 2 || spy_is_alive(SPY_EVENT, native));
  if (spy_is_alive(SPY_EVENT, native)) CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  end(&w);
  return call != NULL;
}

/* The first of two barriers may be in the list when the second fails: it waits for its events. */
TEST(a_signal_that_fails_halfway_keeps_what_it_waits_for) { // shows queues 3
  given_needs_execution();
  for (int i = 0; i < 2; i++) {
    unsigned barriers = 0, n = 1;
    while (signal_fails(i, n, &barriers))
      n++;
    CHECK(barriers == 2);
  }
}

TEST(the_host_signals_and_resets) { // shows queues 3
  struct world w = begin();
  given_needs_execution();
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(syclze_event_wait_for(w.target, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(w.target, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(w.target, UINT64_MAX), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.target), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(the_library_s_own_events_are_not_the_application_s_to_signal) { // shows queues 3
  struct world w = begin();
  given_needs_execution();
  syclze_event created, done;
  const syclze_event none = {0};
  const char *const rule = "the library's own";
  CHECK_EQ(syclze_event_create(w.context, 0, &created), ZE_RESULT_SUCCESS);
  const ze_event_handle_t native = syclze_get_native(created);
  const ze_command_list_handle_t list = syclze_get_native(w.queues[0]).list;
  FAILED(syclze_event_signal(created), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_signal", rule,
      native);
  FAILED(
      syclze_event_reset(created), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_reset", rule, native);
  REFUSED(done, syclze_queue_signal_event(w.queues[0], created, NULL, 0, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_signal_event", rule, list);
  FAILED(syclze_event_signal(none), ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_event_signal",
      "the event is null", NULL);
  FAILED(syclze_event_reset(none), ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_event_reset",
      "the event is null", NULL);
  REFUSED(done, syclze_queue_signal_event(w.queues[0], none, NULL, 0, &done),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_signal_event", "the event is null", list);
  const syclze_queue no_queue = {0};
  REFUSED(done, syclze_queue_signal_event(no_queue, w.target, NULL, 0, &done),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_queue_signal_event", "the queue is null", NULL);
  REFUSED(done, syclze_queue_signal_event(w.queues[0], w.target, NULL, 1, &done),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_queue_signal_event", "the list of events",
      list);
  CHECK_EQ(syclze_event_wait_for(w.target, 0), ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_release(created), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_signal_of_another_context_and_of_a_queue_that_records_is_refused) { // shows queues 3
  struct world w = begin();
  syclze_context other;
  syclze_queue queue;
  syclze_event done, recorded;
  syclze_graph graph;
  CHECK_EQ(syclze_context_create(&w.device, 1, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(other, w.device, NULL, &queue), ZE_RESULT_SUCCESS);
  REFUSED(done, syclze_queue_signal_event(queue, w.target, NULL, 0, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_signal_event", "must be of the queue's context",
      syclze_get_native(queue).list);
  CHECK_EQ(syclze_graph_create(w.context, w.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  REFUSED(done, syclze_queue_signal_event(w.queues[0], w.target, NULL, 0, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_signal_event", "are not recorded",
      syclze_get_native(w.queues[0]).list);
  syclze_group group = syclze_group_begin(w.queues[0]);
  REFUSED(done, syclze_group_signal_event(&group, w.target, &done), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_signal_event", "are not recorded", syclze_get_native(w.queues[0]).list);
  /* Nor does another queue begin to record. */
  CHECK_EQ(syclze_queue_submit_barrier(w.queues[0], &recorded), ZE_RESULT_SUCCESS);
  REFUSED(done, syclze_queue_signal_event(w.queues[1], w.target, &recorded, 1, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_signal_event", "are not recorded",
      syclze_get_native(w.queues[1]).list);
  group = syclze_group_begin(w.queues[1]);
  syclze_group_depends_on(&group, recorded);
  REFUSED(done, syclze_group_signal_event(&group, w.target, &done), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_signal_event", "are not recorded", syclze_get_native(w.queues[1]).list);
  CHECK(!syclze_queue_is_recording(w.queues[1]));
  CHECK_EQ(syclze_release(recorded), ZE_RESULT_SUCCESS);
  FAILED(syclze_queue_wait_for(w.queues[0], LITTLE), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_wait", "records to a graph", syclze_get_native(w.queues[0]).list);
  CHECK_EQ(syclze_graph_end_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(waits_end_with_their_time_and_give_no_diagnostic) { // shows queues 4
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES - 1; i++) {
    syclze_event filled = fill(&w, i, 5, w.gate);
    const syclze_event events[3] = {{0}, w.target, filled};
    refused_begin();
    CHECK_EQ(syclze_event_wait_for(filled, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_wait_for(filled, LITTLE), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_events_wait_for(events, 3, LITTLE), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_queue_wait_for(w.queues[i], LITTLE), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait_for(w.queues[i], LONG), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_events_wait_for(events, 3, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_events_wait_for(events, 3, LONG), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_events_wait_for(NULL, 0, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(refused_count(), 0);
    CHECK_EQ(syclze_event_reset(w.target), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  }
  FAILED(syclze_events_wait_for(NULL, 1, 0), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_events_wait_for", "the list of events is null", NULL);
  end(&w);
}

TEST(what_follows_an_event_follows_it_after_a_wait_that_has_timed_out) { // shows queues 4
  struct world w = begin_to_run();
  for (int i = 0; i < 3; i++) {
    syclze_event first = fill(&w, i, 5, w.gate);
    CHECK_EQ(syclze_event_wait_for(first, 0), ZE_RESULT_NOT_READY);
    syclze_event second = fill(&w, (i + 1) % 3, 6, first);
    CHECK_EQ(syclze_event_wait_for(second, 20 * LITTLE), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(second, LONG), ZE_RESULT_SUCCESS);
    CHECK(is_signalled(first));
    check_bytes(&w, 6);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(first, second), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* Between slices of a wait (SYCLZE__EVENT_SLICE) too. */
TEST(a_wait_lasts_as_long_as_its_limit) { // shows queues 4
  struct world w = begin();
  given_needs_execution();
  struct timespec from, until;
  clock_gettime(CLOCK_MONOTONIC, &from);
  CHECK_EQ(syclze_event_wait_for(w.target, 250000000), ZE_RESULT_NOT_READY);
  clock_gettime(CLOCK_MONOTONIC, &until);
  CHECK((until.tv_sec - from.tv_sec) * 1000000000 + until.tv_nsec - from.tv_nsec >= 250000000);
  end(&w);
}

TEST(a_host_accessor_is_waited_for_with_a_limit) { // shows queues 4
  struct world w = begin_to_run();
  syclze_buffer_input input = {.native_handle = w.memory, .ownership = SYCLZE_OWNERSHIP_KEEP};
  const unsigned char three = 3;
  syclze_buffer buffer;
  syclze_host_accessor accessor;
  CHECK_EQ(syclze_make_native(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queues[0]);
  const syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  syclze_group_depends_on(&group, w.gate);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(all), &three, 1, BYTES, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_host_accessor_begin(buffer, SYCLZE_ACCESS_READ, &accessor, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait_for(accessor, 0), ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_host_accessor_wait_for(accessor, LITTLE), ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait_for(accessor, LONG), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait_for(accessor, UINT64_MAX), ZE_RESULT_SUCCESS);
  CHECK_EQ(*(unsigned char *)syclze_host_accessor_get_pointer(accessor), 3);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

struct called {
  unsigned count;
  ze_result_t result;
};

static void note(void *argument, ze_result_t result) {
  struct called *called = argument;
  called->result = result;
  __atomic_add_fetch(&called->count, 1, __ATOMIC_RELEASE);
}

static unsigned calls(const struct called *called) {
  return __atomic_load_n(&called->count, __ATOMIC_ACQUIRE);
}

TEST(a_callback_is_called_once_when_its_event_is_complete) { // shows queues 5
  struct world w = begin_to_run();
  for (int i = 0; i < QUEUES - 1; i++) {
    struct called filled = {0, ZE_RESULT_NOT_READY}, null = filled, own = filled;
    syclze_event event = fill(&w, i, 5, w.gate);
    const syclze_event none = {0};
    CHECK_EQ(syclze_event_on_complete(event, note, &filled), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_on_complete(w.gate, note, &own), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_on_complete(none, note, &null), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS); /* the callback keeps it */
    CHECK_SOON(calls(&null) == 1);
    CHECK_EQ(calls(&filled) + calls(&own), 0);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_SOON(calls(&filled) == 1 && calls(&own) == 1);
    check_bytes(&w, 5);
    CHECK_EQ(filled.result, ZE_RESULT_SUCCESS);
    CHECK_EQ(own.result, ZE_RESULT_SUCCESS);
    CHECK_EQ(calls(&filled), 1);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

/* More than there are threads, for an event of each: none waits for another. */
TEST(many_callbacks_wait_at_once) { // shows queues 5
  enum { MANY = 40 };
  struct world w = begin_to_run();
  struct called called = {0, ZE_RESULT_NOT_READY};
  syclze_event events[MANY];
  for (int i = 0; i < MANY; i++) {
    events[i] = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_EQ(syclze_event_on_complete(events[i], note, &called), ZE_RESULT_SUCCESS);
  }
  for (unsigned i = 0; i < MANY; i++) {
    CHECK_EQ(syclze_event_signal(events[MANY - 1 - i]), ZE_RESULT_SUCCESS);
    CHECK_SOON(calls(&called) == i + 1);
    CHECK_EQ(syclze_release(events[MANY - 1 - i]), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

TEST(a_callback_without_a_function_or_of_a_recorded_group_is_refused) { // shows queues 5
  struct world w = begin();
  struct called called = {0, ZE_RESULT_NOT_READY};
  syclze_graph graph;
  syclze_event recorded;
  FAILED(syclze_event_on_complete(w.target, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_event_on_complete", "the function is null", syclze_get_native(w.target));
  CHECK_EQ(syclze_graph_create(w.context, w.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(w.queues[0], &recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  FAILED(syclze_event_on_complete(recorded, note, &called), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_on_complete", "recorded to a graph", NULL);
  FAILED(syclze_event_wait_for(recorded, 0), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_wait",
      "recorded to a graph", NULL);
  FAILED(syclze_event_signal(recorded), SYCLZE_RESULT_ERROR_INVALID, "syclze_event_signal",
      "the library's own", NULL);
  CHECK_EQ(calls(&called), 0);
  CHECK_EQ(syclze_release(recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

enum { ROUNDS = 20 };

/* Two events of one pool, that of the process that creates it first. */
struct pair {
  syclze_ipc_event_pool pool;
  syclze_event mine, theirs;
};

static void take_pair(struct pair *pair, uint32_t mine) {
  CHECK_EQ(syclze_ipc_event_pool_get_event(pair->pool, mine, &pair->mine), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_get_event(pair->pool, 1 - mine, &pair->theirs), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_ipc_event_pool_release(pair->pool), ZE_RESULT_SUCCESS);
}

static void release_pair(const struct pair *pair) {
  CHECK_EQ(syclze_release(pair->mine), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(pair->theirs), ZE_RESULT_SUCCESS);
}

static struct world begin_to_share(void) {
  struct world w = begin_to_run();
  ze_ipc_property_flags_t support = 0;
  CHECK_EQ(
      syclze_ipc_get_support(syclze_device_get_platform(w.device), &support), ZE_RESULT_SUCCESS);
  if ((support & ZE_IPC_PROPERTY_FLAG_EVENT_POOL) == 0) SKIP("the driver shares no events");
  return w;
}

static struct pair export_pair(const struct world *w, int link) {
  struct pair pair;
  CHECK_EQ(syclze_ipc_event_pool_create(w->context, 2, &pair.pool), ZE_RESULT_SUCCESS);
  const syclze_ipc_handle handle = syclze_ipc_event_pool_get_handle(pair.pool);
  CHECK_EQ(syclze_ipc_event_pool_retain(pair.pool), ZE_RESULT_SUCCESS);
  take_pair(&pair, 0);
  partner_send(link, &handle, sizeof handle);
  return pair;
}

static struct pair import_pair(const struct world *w, int link) {
  struct pair pair;
  syclze_ipc_handle handle;
  partner_receive(link, &handle, sizeof handle);
  CHECK_EQ(syclze_ipc_event_pool_open(&handle, w->context, &pair.pool), ZE_RESULT_SUCCESS);
  take_pair(&pair, 1);
  return pair;
}

static void await_turn(const struct pair *pair) {
  CHECK_EQ(syclze_event_wait_for(pair->theirs, LONG), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_reset(pair->theirs), ZE_RESULT_SUCCESS);
}

/* In turns, by a queue that waits for the other process on the device too. */
TEST(two_processes_hand_over_by_events_of_a_pool) { // shows queues 7
  struct world w = begin_to_share();
  struct partner other = partner_begin("partner_hands_back");
  struct pair pair = export_pair(&w, other.link);
  for (int i = 0; i < ROUNDS; i++) {
    syclze_event filled = fill(&w, i % 3, (unsigned char)i, (syclze_event){0});
    CHECK_EQ(
        syclze_queue_signal_event(w.queues[i % 3], pair.mine, NULL, 0, NULL), ZE_RESULT_SUCCESS);
    await_turn(&pair);
    CHECK_EQ(syclze_event_wait_for(filled, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  }
  partner_end(&other);
  release_pair(&pair);
  CHECK_EQ(syclze_ipc_event_pool_release(pair.pool), ZE_RESULT_SUCCESS);
  end(&w);
}

PARTNER(partner_hands_back, link) {
  struct world w = begin_to_share();
  struct pair pair = import_pair(&w, link);
  for (int i = 0; i < ROUNDS; i++) {
    syclze_event filled = fill(&w, i % 3, (unsigned char)i, pair.theirs);
    CHECK_EQ(syclze_event_wait_for(filled, LONG), ZE_RESULT_SUCCESS);
    await_turn(&pair);
    CHECK_EQ(
        syclze_queue_signal_event(w.queues[i % 3], pair.mine, &filled, 1, NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[2]), ZE_RESULT_SUCCESS);
  release_pair(&pair);
  end(&w);
}

/* The survivor signals for the other one, and its work goes on. */
static void survive(struct world *w, const struct pair *pair) {
  struct called called = {0, ZE_RESULT_NOT_READY};
  syclze_event filled = fill(w, 1, 8, pair->theirs);
  CHECK_EQ(syclze_event_on_complete(filled, note, &called), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait_for(filled, LITTLE), ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_queue_wait_for(w->queues[1], LITTLE), ZE_RESULT_NOT_READY);
  CHECK_EQ(syclze_event_signal(pair->theirs), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait_for(filled, LONG), ZE_RESULT_SUCCESS);
  check_bytes(w, 8);
  CHECK_SOON(calls(&called) == 1);
  CHECK_EQ(syclze_release(filled), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_signal_event(w->queues[0], pair->mine, NULL, 0, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait_for(pair->mine, LONG), ZE_RESULT_SUCCESS);
  release_pair(pair);
}

TEST(the_exporter_survives_the_importer) { // shows queues 7
  struct world w = begin_to_share();
  struct partner other = partner_begin("partner_imports_and_is_killed");
  struct pair pair = export_pair(&w, other.link);
  char word;
  partner_receive(other.link, &word, 1);
  partner_kill(&other);
  survive(&w, &pair);
  CHECK_EQ(syclze_ipc_event_pool_release(pair.pool), ZE_RESULT_SUCCESS);
  end(&w);
}

PARTNER(partner_imports_and_is_killed, link) {
  struct world w = begin_to_share();
  struct pair pair = import_pair(&w, link);
  syclze_event filled = fill(&w, 0, 1, pair.theirs);
  partner_send(link, "w", 1);
  CHECK_EQ(syclze_event_wait(filled), ZE_RESULT_SUCCESS); /* for ever */
}

TEST(the_importer_survives_the_exporter) { // shows queues 7
  struct world w = begin_to_share();
  struct partner other = partner_begin("partner_exports_and_is_killed");
  struct pair pair = import_pair(&w, other.link);
  partner_kill(&other);
  survive(&w, &pair);
  end(&w);
}

PARTNER(partner_exports_and_is_killed, link) {
  struct world w = begin_to_share();
  struct pair pair = export_pair(&w, link);
  CHECK_EQ(syclze_event_wait(pair.theirs), ZE_RESULT_SUCCESS); /* for ever */
}

TEST_MAIN(a_queue_signals_behind_all_earlier_work, a_signal_follows_the_events_that_it_names,
    a_signal_behind_a_host_task_is_deferred, a_signal_that_fails_halfway_keeps_what_it_waits_for,
    the_host_signals_and_resets, the_library_s_own_events_are_not_the_application_s_to_signal,
    a_signal_of_another_context_and_of_a_queue_that_records_is_refused,
    waits_end_with_their_time_and_give_no_diagnostic,
    what_follows_an_event_follows_it_after_a_wait_that_has_timed_out,
    a_wait_lasts_as_long_as_its_limit, a_host_accessor_is_waited_for_with_a_limit,
    a_callback_is_called_once_when_its_event_is_complete, many_callbacks_wait_at_once,
    a_callback_without_a_function_or_of_a_recorded_group_is_refused,
    two_processes_hand_over_by_events_of_a_pool, the_exporter_survives_the_importer,
    the_importer_survives_the_exporter)
