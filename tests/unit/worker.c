/* Scans of the queue of background tasks: the calls of a task's `wait`, sleeps and wake-ups,
 * counted on one thread. Sleeps take no time, and no thread is created. */
#undef SYCLZE_DECLARATIONS
#include "support/threads.h"
#include "support/world.h"
#include "syclze/command/detail/host/worker_task.h"
#include "tests/check.h"
#include "tests/soon.h"

#include <pthread.h>
#include <signal.h>

enum { JOBS = 300, SLEEPS = 32 };

struct job {
  struct syclze__task task; /* first */
  ze_result_t answer;       /* of the wait */
  unsigned asked, awaited;  /* calls of the wait, and those that may take time */
  uint64_t nanoseconds;     /* of the last */
  unsigned runs;
  ze_result_t result; /* that the run got */
};

static struct job jobs[JOBS];
static struct syclze__workers *const all = &SYCLZE__STATE.workers;

static struct {
  unsigned count;
  int64_t total;
  long first[SLEEPS]; /* nanoseconds of each */
  unsigned at;        /* the sleep, counted from 1, in which `then` is called */
  void (*then)(void);
} slept;

static void sleep_without_time(long nanoseconds) {
  if (slept.count < SLEEPS) slept.first[slept.count] = nanoseconds;
  slept.total += nanoseconds;
  if (++slept.count == slept.at) slept.then();
}

static ze_result_t job_wait(struct syclze__task *task, uint64_t nanoseconds) {
  struct job *job = (struct job *)task;
  job->asked++;
  if (nanoseconds > 0) {
    job->awaited++;
    job->nanoseconds = nanoseconds;
  }
  return job->answer;
}

static void job_run(struct syclze__task *task, ze_result_t result) {
  struct job *job = (struct job *)task;
  job->runs++;
  job->result = result;
}

/* Jobs that are not ready, of which the first `count` stand in line. */
static void begin(unsigned count) {
  fake_begin();
  memset(&slept, 0, sizeof slept);
  memset(jobs, 0, sizeof jobs);
  memset(all, 0, sizeof *all);
  all->registered = true;
  threads_allow(0);
  threads_sleep_by(sleep_without_time);
  for (unsigned i = 0; i < JOBS; i++) {
    jobs[i].task.wait = job_wait;
    jobs[i].task.run = job_run;
    jobs[i].answer = ZE_RESULT_NOT_READY;
  }
  syclze__lock_acquire(&all->lock);
  for (unsigned i = 0; i < count; i++)
    syclze__workers_put(all, &jobs[i].task);
  syclze__lock_release(&all->lock);
  for (unsigned i = 0; i < count; i++)
    jobs[i].asked = 0;
}

static void end(void) {
  threads_sleep_by(NULL);
  threads_allow(1);
  memset(all, 0, sizeof *all);
  fake_end();
}

/* Begins as a thread that works with the lock. */
static void begin_locked(unsigned count) {
  begin(count);
  syclze__lock_acquire(&all->lock);
}

static void end_locked(void) {
  syclze__lock_release(&all->lock);
  end();
}

/* The jobs in line, from the first. */
static void check_line(unsigned count, const unsigned *numbers) {
  const struct syclze__task *task = all->first, *last = NULL;
  for (unsigned i = 0; i < count; i++, task = task->next) {
    CHECK(task != NULL);
    CHECK_EQ(task, &jobs[numbers[i]].task);
    last = task;
  }
  CHECK_EQ(task, NULL);
  if (count > 0) CHECK_EQ(all->last, last);
}

/* Pretends that an idle thread exists. */
static void begin_with_thread(unsigned count) {
  begin(count);
  all->count = 1;
  all->idle = 1;
}

TEST(a_wait_that_goes_on_failing_is_given_up) { // shows promises 58
  begin(0);
  struct job *job = &jobs[0];
  job->answer = ZE_RESULT_ERROR_DEVICE_LOST;
  for (unsigned round = 0; round < 2; round++) {
    slept.count = 0;
    for (unsigned i = 1; i < SYCLZE__WORKER_FAILURES; i++) {
      CHECK_EQ(syclze__task_wait(&job->task, 1), ZE_RESULT_NOT_READY);
      CHECK_EQ(slept.count, i);
      CHECK_EQ(slept.first[i - 1], SYCLZE__WORKER_TICK);
    }
    if (round == 0) {
      /* One that does not fail begins the count anew. */
      job->answer = ZE_RESULT_NOT_READY;
      CHECK_EQ(syclze__task_wait(&job->task, 1), ZE_RESULT_NOT_READY);
      job->answer = ZE_RESULT_ERROR_DEVICE_LOST;
    }
  }
  CHECK_EQ(syclze__task_wait(&job->task, 1), ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(slept.count, SYCLZE__WORKER_FAILURES - 1);
  end();
}

TEST(a_query_that_fails_does_not_sleep) {
  begin(0);
  jobs[0].answer = ZE_RESULT_ERROR_DEVICE_LOST;
  CHECK_EQ(syclze__task_wait(&jobs[0].task, 0), ZE_RESULT_NOT_READY);
  CHECK_EQ(jobs[0].task.failures, 1);
  jobs[0].answer = ZE_RESULT_SUCCESS;
  CHECK_EQ(syclze__task_wait(&jobs[0].task, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(jobs[0].task.failures, 0);
  CHECK_EQ(slept.count, 0);
  end();
}

/* An event that is not signalled within a long wait never will be; a short one decides nothing. */
TEST(a_long_wait_in_a_lost_context_is_the_last) {
  world_begin();
  syclze_event event;
  struct job *job = &jobs[0];
  memset(job, 0, sizeof *job);
  CHECK_OK(syclze_event_create(world.context, 0, &event));
  const ze_event_handle_t native = syclze_event_get_native(event);
  for (int is_lost = 0; is_lost < 2; is_lost++) {
    const ze_result_t result = is_lost ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_NOT_READY;
    if (is_lost) syclze__event_pools_there(world.context.rep)->lost = (uint32_t)result;
    CHECK_EQ(
        syclze__task_await(&job->task, native, world.context.rep, SYCLZE__WORKER_TURN - 1), result);
    CHECK_EQ(job->task.failures, 0);
    CHECK_EQ(
        syclze__task_await(&job->task, native, world.context.rep, SYCLZE__WORKER_TURN), result);
    CHECK_EQ(job->task.failures, is_lost ? SYCLZE__WORKER_FAILURES : 0);
  }
  CHECK_OK(syclze_event_release(event));
  world_end();
}

/* Signals 32 to 34 are the C library's. */
TEST(threads_block_all_signals_but_those_of_faults) { // shows promises 58
  static const int open[] = {SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, 32, 33, 34};
  sigset_t before, after;
  begin_locked(0);
  uint64_t expected = UINT64_MAX & ~((uint64_t)1 << (SIGKILL - 1) | (uint64_t)1 << (SIGSTOP - 1));
  for (unsigned i = 0; i < sizeof open / sizeof *open; i++)
    expected &= ~((uint64_t)1 << (open[i] - 1));
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &before), 0);
  CHECK(!syclze__workers_wake(all));
  CHECK_EQ(threads_blocked(), expected);
  CHECK_EQ(pthread_sigmask(SIG_BLOCK, NULL, &after), 0);
  for (int i = 1; i < 64; i++)
    CHECK_EQ(sigismember(&before, i), sigismember(&after, i));
  end_locked();
}

TEST(a_task_begins_without_failures) {
  begin_with_thread(1);
  for (unsigned i = 1; i < 4; i++)
    jobs[i].task.failures = 5;
  CHECK_EQ(syclze__workers_submit(&jobs[1].task), ZE_RESULT_SUCCESS);
  syclze__workers_leave(&jobs[2].task);
  syclze__workers_line_up(&jobs[3].task);
  for (unsigned i = 1; i < 4; i++)
    CHECK_EQ(jobs[i].task.failures, 0);
  check_line(4, (const unsigned[]){0, 1, 2, 3});
  end();
}

/* Each wakes one that has nothing to do, once. */
TEST(a_new_task_wakes_a_thread) {
  begin_with_thread(0);
  const unsigned wakes = threads_wakes();
  CHECK_EQ(syclze__workers_submit(&jobs[0].task), ZE_RESULT_SUCCESS);
  CHECK_EQ(threads_wakes(), wakes + 1);
  CHECK_EQ(all->change, 1);
  all->idle = 0; /* it scans the line now, and finds what is added to it */
  CHECK_EQ(syclze__workers_submit(&jobs[1].task), ZE_RESULT_SUCCESS);
  CHECK_EQ(threads_wakes(), wakes + 1);
  CHECK_EQ(all->change, 1);
  CHECK(all->help == NULL);
  all->running = 1; /* no thread is left */
  CHECK_EQ(syclze__workers_submit(&jobs[2].task), ZE_RESULT_SUCCESS);
  CHECK(all->help == syclze__workers_help);
  end();
}

TEST(a_thread_on_its_way_to_the_line_is_woken_once) { // shows promises 42
  begin_with_thread(0);
  const unsigned wakes = threads_wakes();
  for (unsigned i = 0; i < 3; i++)
    CHECK_EQ(syclze__workers_submit(&jobs[i].task), ZE_RESULT_SUCCESS);
  CHECK_EQ(threads_wakes(), wakes + 1);
  CHECK_EQ(all->change, 1);
  syclze__lock_acquire(&all->lock);
  syclze__workers_sleep(all, 1); /* it comes to the line */
  syclze__lock_release(&all->lock);
  CHECK_EQ(syclze__workers_submit(&jobs[3].task), ZE_RESULT_SUCCESS);
  CHECK_EQ(threads_wakes(), wakes + 2);
  CHECK_EQ(all->change, 2);
  end();
}

/* Whatever another thread has stand in line still has a thread look at it. */
TEST(a_thread_that_ends_a_task_takes_what_the_end_made_ready) { // shows promises 42
  begin_with_thread(0);
  const unsigned wakes = threads_wakes();
  syclze__workers_line_up_here(&jobs[0].task);
  CHECK_EQ(threads_wakes(), wakes);
  CHECK_EQ(all->change, 0);
  syclze__workers_line_up(&jobs[1].task);
  CHECK_EQ(threads_wakes(), wakes + 1);
  check_line(2, (const unsigned[]){0, 1});
  end();
}

static struct syclze__task *left_behind;

static void leave_another(struct syclze__task *task, ze_result_t result) {
  job_run(task, result);
  all->idle = 1; /* meanwhile another thread ends its task */
  all->running--;
  syclze__workers_line_up_here(left_behind);
}

/* A thread that only helps goes on with what it did before: what a task leaves in line is looked at
   by another one. */
TEST(what_a_helper_leaves_in_line_wakes_a_thread) { // shows promises 42
  begin(1);
  all->count = all->running = 1;
  all->all[0].exists = true;
  all->all[0].thread = pthread_self();
  jobs[0].task.run = leave_another;
  jobs[0].answer = ZE_RESULT_SUCCESS;
  left_behind = &jobs[1].task;
  const unsigned wakes = threads_wakes();
  syclze__workers_help();
  CHECK_EQ(jobs[0].runs, 1);
  check_line(1, (const unsigned[]){1});
  CHECK_EQ(threads_wakes(), wakes + 1);
  end();
}

TEST(without_threads_a_task_is_left_as_it_was) {
  begin(0);
  jobs[0].task.failures = 5;
  CHECK_EQ(syclze__workers_submit(&jobs[0].task), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_EQ(jobs[0].task.failures, 5);
  check_line(0, NULL);
  end();
}

TEST(ready_tasks_stand_before_others) {
  begin_locked(2);
  jobs[2].answer = jobs[3].answer = ZE_RESULT_SUCCESS;
  for (unsigned i = 2; i < 5; i++)
    syclze__workers_put(all, &jobs[i].task);
  check_line(5, (const unsigned[]){2, 3, 0, 1, 4});
  CHECK_EQ(all->last_ready, &jobs[3].task);
  syclze__workers_take(all, &jobs[2].task, &jobs[3].task);
  CHECK_EQ(all->last_ready, &jobs[2].task);
  syclze__workers_take(all, &jobs[1].task, &jobs[4].task);
  check_line(3, (const unsigned[]){2, 0, 1});
  syclze__workers_take(all, NULL, &jobs[2].task);
  CHECK_EQ(all->last_ready, NULL);
  check_line(2, (const unsigned[]){0, 1});
  end_locked();
}

TEST(a_look_has_a_length) {
  begin_locked(6);
  ze_result_t result = ZE_RESULT_SUCCESS;
  CHECK_EQ(syclze__workers_look(all, (struct syclze__look){3, false, false}, &result), NULL);
  for (unsigned i = 0; i < 6; i++)
    CHECK_EQ(jobs[i].asked, i < 3 ? 1 : 0);
  jobs[3].answer = ZE_RESULT_SUCCESS;
  CHECK_EQ(syclze__workers_look(all, (struct syclze__look){3, false, false}, &result), NULL);
  CHECK_EQ(
      syclze__workers_look(all, (struct syclze__look){9, false, false}, &result), &jobs[3].task);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(jobs[4].asked, 0);
  check_line(5, (const unsigned[]){0, 1, 2, 4, 5});
  end_locked();
}

/* Failures count in polls some time apart; what fails for good is taken. */
TEST(a_poll_counts_failures_or_does_not) {
  begin_locked(2);
  const struct syclze__look plain = {9, false, false}, counting = {9, true, false};
  ze_result_t result = ZE_RESULT_SUCCESS;
  jobs[0].answer = ZE_RESULT_ERROR_DEVICE_LOST;
  for (unsigned i = 0; i < 2 * SYCLZE__WORKER_FAILURES; i++)
    CHECK_EQ(syclze__workers_look(all, plain, &result), NULL);
  for (unsigned i = 1; i < SYCLZE__WORKER_FAILURES; i++)
    CHECK_EQ(syclze__workers_look(all, counting, &result), NULL);
  CHECK_EQ(syclze__workers_look(all, counting, &result), &jobs[0].task);
  CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_LOST);
  check_line(1, (const unsigned[]){1});
  end_locked();
}

TEST(a_restricted_look_leaves_the_applications_functions) {
  begin_locked(2);
  ze_result_t result = ZE_RESULT_SUCCESS;
  jobs[0].answer = jobs[1].answer = ZE_RESULT_SUCCESS;
  jobs[0].task.is_application = true;
  CHECK_EQ(
      syclze__workers_look(all, (struct syclze__look){9, false, true}, &result), &jobs[1].task);
  CHECK_EQ(syclze__workers_look(all, (struct syclze__look){9, false, true}, &result), NULL);
  CHECK_EQ(jobs[0].asked, 0);
  CHECK_EQ(
      syclze__workers_look(all, (struct syclze__look){9, false, false}, &result), &jobs[0].task);
  end_locked();
}

TEST(the_line_goes_round) {
  begin_locked(5);
  syclze__workers_rotate(all, 2);
  check_line(5, (const unsigned[]){2, 3, 4, 0, 1});
  syclze__workers_rotate(all, 5); /* all have been looked at */
  check_line(5, (const unsigned[]){2, 3, 4, 0, 1});
  syclze__workers_rotate(all, 9);
  check_line(5, (const unsigned[]){2, 3, 4, 0, 1});
  syclze__workers_rotate(all, 4);
  check_line(5, (const unsigned[]){1, 2, 3, 4, 0});
  jobs[5].answer = ZE_RESULT_SUCCESS;
  syclze__workers_put(all, &jobs[5].task);
  syclze__workers_rotate(all, 2); /* what is ready stays first */
  check_line(6, (const unsigned[]){5, 1, 2, 3, 4, 0});
  end_locked();
}

TEST(six_threads_wait_in_the_driver) {
  begin_locked(1);
  all->waiting = SYCLZE__WORKER_WAITS - 1;
  CHECK(syclze__worker_may_wait(all));
  all->waiting = SYCLZE__WORKER_WAITS;
  CHECK(!syclze__worker_may_wait(all));
  end_locked();
}

TEST(another_thread_polls_the_others_meanwhile) {
  begin_locked(2);
  CHECK(!syclze__worker_may_wait(all));
  all->idle = 1;
  const unsigned wakes = threads_wakes();
  CHECK(syclze__worker_may_wait(all));
  CHECK_EQ(threads_wakes(), wakes + 1);
  end_locked();
}

static void give_up(void) {
  all->given_up = true;
}

/* From 20 us they double up to two milliseconds, and begin anew when something has changed. */
TEST(naps_get_longer_while_nothing_changes) {
  static const long naps[] = {
      20000, 40000, 80000, 160000, 320000, 640000, 1280000, 2000000, 2000000, 2000000};
  enum { NAPS = sizeof naps / sizeof *naps };
  static const struct syclze__worker self;
  begin_locked(JOBS);
  ze_result_t result;
  jobs[0].answer = ZE_RESULT_ERROR_DEVICE_LOST;
  slept.at = NAPS;
  slept.then = give_up;
  CHECK_EQ(syclze__worker_poll(all, &self, &result), NULL);
  CHECK_EQ(slept.count, NAPS);
  for (unsigned i = 0; i < NAPS; i++)
    CHECK_EQ(slept.first[i], naps[i]);
  CHECK_EQ(all->poller, NULL);
  /* 256 tasks at first, then 64 after each nap, and the last look. */
  unsigned asked = 0;
  for (unsigned i = 0; i < JOBS; i++)
    asked += jobs[i].asked;
  CHECK_EQ(asked, 256 + NAPS * 64);
  end_locked();
}

TEST(what_becomes_ready_ends_the_naps) {
  static const struct syclze__worker self;
  begin_locked(2);
  ze_result_t result = ZE_RESULT_NOT_READY;
  slept.at = 3;
  jobs[1].answer = ZE_RESULT_NOT_READY;
  slept.then = give_up;
  CHECK_EQ(syclze__worker_poll(all, &self, &result), NULL);
  all->given_up = false;
  jobs[1].answer = ZE_RESULT_SUCCESS;
  CHECK_EQ(syclze__worker_poll(all, &self, &result), &jobs[1].task);
  CHECK_EQ(result, ZE_RESULT_SUCCESS);
  CHECK_EQ(slept.count, 3);
  check_line(1, (const unsigned[]){0});
  /* One alone is waited for in the driver. */
  CHECK_EQ(syclze__worker_poll(all, &self, &result), NULL);
  CHECK_EQ(slept.count, 3);
  end_locked();
}

static void failing_now(void) {
  jobs[0].answer = ZE_RESULT_ERROR_DEVICE_LOST;
}

/* A wait in the driver is repeated as long as nothing else is to be done. */
TEST(a_wait_in_the_driver_has_a_length) {
  begin_locked(1);
  ze_result_t result = ZE_RESULT_SUCCESS;
  failing_now();
  CHECK_EQ(syclze__worker_wait(all, &result), &jobs[0].task);
  CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_EQ(jobs[0].awaited, SYCLZE__WORKER_FAILURES);
  CHECK_EQ(jobs[0].nanoseconds, SYCLZE__WORKER_SLICE);
  CHECK_EQ(all->waiting, 0);
  end_locked();
  begin_locked(2);
  all->count = SYCLZE__WORKERS;
  CHECK_EQ(syclze__worker_wait(all, &result), NULL);
  CHECK_EQ(result, ZE_RESULT_NOT_READY);
  CHECK_EQ(jobs[0].awaited, 1);
  CHECK_EQ(jobs[0].nanoseconds, SYCLZE__WORKER_TURN);
  check_line(2, (const unsigned[]){1, 0});
  CHECK_EQ(all->waiting, 0);
  end_locked();
}

static unsigned turns;

static ze_result_t wait_in_turn(struct syclze__task *task, uint64_t nanoseconds) {
  const ze_result_t result = job_wait(task, nanoseconds);
  if (nanoseconds > 0 && ++turns == 7) all->given_up = true;
  return result;
}

TEST(waits_in_the_driver_take_turns) {
  begin_locked(3);
  ze_result_t result = ZE_RESULT_SUCCESS;
  turns = 0;
  all->idle = 1; /* polls the others */
  for (unsigned i = 0; i < 3; i++)
    jobs[i].task.wait = wait_in_turn;
  CHECK_EQ(syclze__worker_wait(all, &result), NULL);
  for (unsigned i = 0; i < 3; i++)
    CHECK_EQ(jobs[i].awaited, i == 0 ? 3 : 2);
  check_line(3, (const unsigned[]){1, 2, 0});
  end_locked();
}

TEST(the_end_of_a_task_wakes_the_end_of_the_program) {
  begin_locked(0);
  const unsigned wakes = threads_wakes();
  syclze__workers_run(all, &jobs[0].task, ZE_RESULT_SUCCESS, false);
  CHECK_EQ(all->ended, 1);
  CHECK_EQ(threads_wakes(), wakes);
  all->awaited = true;
  syclze__workers_run(all, &jobs[1].task, ZE_RESULT_ERROR_DEVICE_LOST, false);
  CHECK_EQ(all->ended, 2);
  CHECK_EQ(threads_wakes(), wakes + 1);
  CHECK_EQ(jobs[1].result, ZE_RESULT_ERROR_DEVICE_LOST);
  end_locked();
}

TEST(without_a_free_thread_tasks_run_here) {
  begin(3);
  for (unsigned i = 0; i < 3; i++)
    jobs[i].answer = ZE_RESULT_SUCCESS;
  jobs[0].task.is_application = true;
  all->count = all->running = 1; /* which runs a task: the application's functions are left to it */
  all->help = syclze__workers_help;
  syclze__workers_help();
  CHECK_EQ(jobs[0].runs, 0);
  CHECK_EQ(jobs[1].runs + jobs[2].runs, 2);
  CHECK_EQ(all->helping, 0);
  CHECK(all->help != NULL);
  all->count = all->running = 0;
  syclze__workers_help();
  CHECK_EQ(jobs[0].runs, 1);
  CHECK_EQ(all->help, NULL);
  end();
}

static void *end_at_once(void *argument) {
  return argument;
}

TEST(threads_that_run_a_task_are_not_joined) {
  begin_locked(0);
  threads_allow(1);
  all->all[0].exists = all->all[0].runs = true;
  all->all[2].exists = all->all[7].exists = true;
  CHECK_EQ(pthread_create(&all->all[2].thread, NULL, end_at_once, NULL), 0);
  CHECK_EQ(pthread_create(&all->all[7].thread, NULL, end_at_once, NULL), 0);
  all->count = 1; /* those that have ended are counted no more */
  syclze__workers_join(all);
  CHECK(all->all[0].exists && !all->all[2].exists && !all->all[7].exists);
  CHECK_EQ(all->count, 1);
  end_locked();
}

static void put_a_ready_job(void) {
  jobs[0].answer = ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&all->lock);
  syclze__workers_put(all, &jobs[0].task);
  syclze__lock_release(&all->lock);
}

/* A task that came at the end of the second is not left behind. */
TEST(a_thread_ends_after_a_second_without_work) { // shows promises 34
  ze_result_t result;
  begin_locked(0);
  CHECK_EQ(syclze__worker_next(all, &all->all[0], &result), NULL);
  CHECK_EQ(slept.count, 1);
  CHECK_EQ(slept.first[0], 1000000000);
  CHECK_EQ(all->idle, 0);
  slept.at = 2;
  slept.then = put_a_ready_job;
  CHECK_EQ(syclze__worker_next(all, &all->all[0], &result), &jobs[0].task);
  CHECK_EQ(slept.count, 2);
  end_locked();
}

static unsigned jobs_run(void) {
  unsigned runs = 0;
  for (unsigned i = 0; i < SYCLZE__WORKERS; i++)
    runs += __atomic_load_n(&jobs[i].runs, __ATOMIC_RELAXED);
  return runs;
}

static unsigned threads_that_work(void) {
  syclze__lock_acquire(&all->lock);
  const unsigned count = all->count;
  syclze__lock_release(&all->lock);
  return count;
}

/* Their places are taken by new ones, which join them. */
TEST(threads_that_have_ended_are_followed_by_others) { // shows promises 34
  begin(0);
  threads_allow(1);
  threads_sleep_by(NULL);
  for (unsigned round = 1; round <= 2; round++) {
    for (unsigned i = 0; i < SYCLZE__WORKERS; i++) {
      jobs[i].answer = ZE_RESULT_SUCCESS;
      syclze__workers_leave(&jobs[i].task);
    }
    CHECK_SOON(jobs_run() == round * SYCLZE__WORKERS);
    CHECK(round == 1 || all->all[0].has_former);
    CHECK_SOON(threads_that_work() == 0);
  }
  syclze__lock_acquire(&all->lock);
  syclze__workers_join(all);
  for (unsigned i = 0; i < SYCLZE__WORKERS; i++)
    CHECK(!all->all[i].exists && !all->all[i].has_left);
  syclze__lock_release(&all->lock);
  end();
}

enum { PATIENCE_TICKS = 10000, PATIENCE_SLICES = 100 };

static void finish_one(void) {
  jobs[1].answer = ZE_RESULT_SUCCESS;
}

/* Ten seconds without the end of a task: each end begins them anew. */
TEST(the_patience_at_the_end_begins_anew_with_each_task) {
  begin(2);
  notes_start();
  slept.at = 9000;
  slept.then = finish_one;
  syclze__workers_end();
  CHECK_EQ(jobs[1].runs, 1);
  CHECK_EQ(jobs[0].runs, 0);
  CHECK_EQ(slept.count, 9000 + PATIENCE_TICKS);
  CHECK_EQ(slept.total, (9000 + PATIENCE_TICKS) * (int64_t)SYCLZE__WORKER_TICK);
  CHECK_EQ(notes.count, 1);
  CHECK_STR_EQ(notes.first.function, "exit");
  CHECK(all->given_up && all->ending && !all->registered && !all->awaited);
  end();
}

TEST(the_end_sleeps_longer_where_threads_look_at_the_line) {
  begin_with_thread(1);
  notes_start();
  const unsigned wakes = threads_wakes();
  syclze__workers_end();
  CHECK_EQ(slept.count, PATIENCE_SLICES);
  CHECK_EQ(slept.first[0], SYCLZE__WORKER_SLICE);
  CHECK_EQ(threads_wakes(), wakes + PATIENCE_SLICES + 1);
  CHECK_EQ(notes.count, 1);
  CHECK_EQ(jobs[0].runs, 0);
  end();
}

TEST(the_end_awaits_tasks_in_line_in_waits_in_helpers_and_in_threads) {
  uint32_t *const counts[] = {&all->waiting, &all->helping, &all->running};
  begin_locked(1);
  CHECK(!syclze__workers_are_done(all, NULL));
  end_locked();
  begin_locked(0);
  CHECK(syclze__workers_are_done(all, NULL));
  for (int i = 0; i < 3; i++) {
    ++*counts[i];
    CHECK(!syclze__workers_are_done(all, NULL));
    --*counts[i];
  }
  /* A task that ends the program itself. */
  CHECK(!syclze__workers_are_done(all, &all->all[0]));
  all->running = 1;
  CHECK(syclze__workers_are_done(all, &all->all[0]));
  end_locked();
}

TEST(the_end_without_tasks_does_not_sleep) {
  begin(0);
  notes_start();
  syclze__workers_end();
  CHECK_EQ(slept.count, 0);
  CHECK_EQ(notes.count, 0);
  CHECK(!all->given_up && !all->ending && !all->registered && !all->awaited);
  end();
}

TEST_MAIN(a_wait_that_goes_on_failing_is_given_up, a_query_that_fails_does_not_sleep,
    a_long_wait_in_a_lost_context_is_the_last, threads_block_all_signals_but_those_of_faults,
    a_task_begins_without_failures, a_new_task_wakes_a_thread,
    a_thread_on_its_way_to_the_line_is_woken_once,
    a_thread_that_ends_a_task_takes_what_the_end_made_ready,
    what_a_helper_leaves_in_line_wakes_a_thread, without_threads_a_task_is_left_as_it_was,
    ready_tasks_stand_before_others, a_look_has_a_length, a_poll_counts_failures_or_does_not,
    a_restricted_look_leaves_the_applications_functions, the_line_goes_round,
    six_threads_wait_in_the_driver, another_thread_polls_the_others_meanwhile,
    naps_get_longer_while_nothing_changes, what_becomes_ready_ends_the_naps,
    a_wait_in_the_driver_has_a_length, waits_in_the_driver_take_turns,
    the_end_of_a_task_wakes_the_end_of_the_program, without_a_free_thread_tasks_run_here,
    threads_that_run_a_task_are_not_joined, a_thread_ends_after_a_second_without_work,
    threads_that_have_ended_are_followed_by_others,
    the_patience_at_the_end_begins_anew_with_each_task,
    the_end_sleeps_longer_where_threads_look_at_the_line, the_end_without_tasks_does_not_sleep,
    the_end_awaits_tasks_in_line_in_waits_in_helpers_and_in_threads)
