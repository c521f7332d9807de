/* The worker threads of host tasks: each task runs once, when its events are signalled; tasks
   beyond the waiter limit are polled; tasks blocked on one another get more threads. */
#undef SYCLZE_DECLARATIONS
#include "support/made.h"

#include "syclze/command/detail/host/worker_task.h"

#include <stdatomic.h>

enum { MOST = 400 };

struct job {
  struct syclze__event_task events; /* first */
  ze_event_handle_t wait, signal;   /* either may be null */
  ze_event_handle_t inside;         /* awaited inside the running task */
  atomic_int runs;
  ze_result_t result;
};

static struct job jobs[MOST];

static void run(struct syclze__task *task, ze_result_t result) {
  struct job *job = (struct job *)task;
  job->result = result;
  if (job->wait) CHECK_EQ(zeEventQueryStatus(job->wait), ZE_RESULT_SUCCESS);
  if (job->inside) CHECK_EQ(zeEventHostSynchronize(job->inside, UINT64_MAX), ZE_RESULT_SUCCESS);
  atomic_fetch_add(&job->runs, 1);
  if (job->signal) CHECK_EQ(zeEventHostSignal(job->signal), ZE_RESULT_SUCCESS);
}

static void submit(struct job *job) {
  job->events = (struct syclze__event_task){.task.wait = syclze__event_task_wait,
      .task.run = run,
      .task.is_application = true,
      .context = NULL,
      .waits = &job->wait,
      .wait_count = job->wait != NULL ? 1 : 0};
  CHECK_EQ(syclze__workers_submit(&job->events.task), ZE_RESULT_SUCCESS);
}

/* Events from a separate pool, destroyed with it. */
struct events {
  ze_event_pool_handle_t pool;
  ze_event_handle_t of[MOST];
};

static void events_begin(struct events *events, const struct given *g) {
  memset(jobs, 0, sizeof jobs);
  ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = MOST};
  ze_device_handle_t device = g->device;
  CHECK_EQ(zeEventPoolCreate(g->context, &desc, 1, &device, &events->pool), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < MOST; i++) {
    ze_event_desc_t event = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = i};
    CHECK_EQ(zeEventCreate(events->pool, &event, &events->of[i]), ZE_RESULT_SUCCESS);
  }
}

static void events_end(struct events *events, struct given *g) {
  for (uint32_t i = 0; i < MOST; i++)
    CHECK_EQ(zeEventDestroy(events->of[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(events->pool), ZE_RESULT_SUCCESS);
  given_end(g);
}

static void check_once(int count) {
  for (int i = 0; i < count; i++) {
    CHECK_EQ(atomic_load(&jobs[i].runs), 1);
    CHECK_EQ(jobs[i].result, ZE_RESULT_SUCCESS);
  }
}

static void wait_for(ze_event_handle_t event) {
  CHECK_EQ(zeEventHostSynchronize(event, UINT64_MAX), ZE_RESULT_SUCCESS);
}

TEST(a_chain_runs_in_order) {
  struct given g = given();
  given_needs_execution();
  struct events events;
  events_begin(&events, &g);
  for (int i = 0; i + 1 < MOST; i++) {
    jobs[i].wait = events.of[i];
    jobs[i].signal = events.of[i + 1];
    submit(&jobs[i]);
  }
  CHECK_EQ(atomic_load(&jobs[0].runs), 0);
  CHECK_EQ(zeEventHostSignal(events.of[0]), ZE_RESULT_SUCCESS);
  wait_for(events.of[MOST - 1]);
  check_once(MOST - 1);
  events_end(&events, &g);
}

TEST(a_chain_submitted_in_reverse_runs) {
  struct given g = given();
  given_needs_execution();
  struct events events;
  events_begin(&events, &g);
  for (int i = MOST - 2; i >= 0; i--) {
    jobs[i].wait = events.of[i];
    jobs[i].signal = events.of[i + 1];
    submit(&jobs[i]);
  }
  CHECK_EQ(zeEventHostSignal(events.of[0]), ZE_RESULT_SUCCESS);
  wait_for(events.of[MOST - 1]);
  check_once(MOST - 1);
  events_end(&events, &g);
}

TEST(ready_tasks_overtake_waiting_ones) {
  struct given g = given();
  given_needs_execution();
  struct events events;
  events_begin(&events, &g);
  for (int i = 0; i < 100; i++) {
    jobs[i].wait = events.of[0];
    jobs[i].signal = events.of[200 + i];
    submit(&jobs[i]);
  }
  jobs[100].signal = events.of[1];
  submit(&jobs[100]);
  wait_for(events.of[1]);
  CHECK_EQ(atomic_load(&jobs[0].runs), 0);
  CHECK_EQ(zeEventHostSignal(events.of[0]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 100; i++)
    wait_for(events.of[200 + i]);
  check_once(101);
  events_end(&events, &g);
}

/* Each task waits, while it runs, for the task submitted after it, as many as there are threads. */
TEST(tasks_blocked_on_one_another_get_threads) {
  enum { STUCK = SYCLZE__WORKERS };
  struct given g = given();
  given_needs_execution();
  struct events events;
  events_begin(&events, &g);
  for (int i = 0; i < STUCK; i++) {
    jobs[i].inside = i + 1 < STUCK ? events.of[i + 1] : NULL;
    jobs[i].signal = events.of[i];
    submit(&jobs[i]);
  }
  wait_for(events.of[0]);
  check_once(STUCK);
  events_end(&events, &g);
}

TEST_MAIN(a_chain_runs_in_order, a_chain_submitted_in_reverse_runs,
    ready_tasks_overtake_waiting_ones, tasks_blocked_on_one_another_get_threads)
