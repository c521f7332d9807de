#include "commands/worker.h"

#include "commands/lanes.h"
#include "commands/tape.h"
#include "core/clock.h"
#include "memory/discrete.h"

#include <stdlib.h>
#include <unistd.h>

/* Few: spinning takes a processor from the kernels that are awaited. */
enum { WORKER_SPINS = 20, WAITER_SPINS = 20, END_SPINS = 400, GIVE_BACK = 32, POLL_US = 50 };
static const uint64_t exit_patience_ns = 2 * (uint64_t)ZECL_NS_PER_S;

/* The workers that have a thread, so that all can be ended when the process exits. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zecl_worker *newest;
static pid_t owner; /* a forked child has no threads to end */
static uint64_t last_id;
static atomic_uint ending; /* workers that have left the list while their threads still run */

static void wake(struct zecl_worker *worker) {
  if (atomic_load(&worker->sleeping) && atomic_exchange(&worker->sleeping, 0))
    zecl_futex_wake(&worker->sleeping);
}

static void give_back(struct zecl_worker *worker) {
  if (!worker->used_first) return;
  zecl_command_give(&worker->pool, worker->used_first, worker->used_last);
  worker->used_first = NULL;
  worker->used_count = 0;
}

/* `current` was run and is not needed any more. */
static void retire(struct zecl_worker *worker, struct zecl_command *command) {
  if (command == &worker->start) return;
  atomic_store_explicit(&command->next, worker->used_first, memory_order_relaxed);
  if (!worker->used_first) worker->used_last = command;
  worker->used_first = command;
  if (++worker->used_count >= GIVE_BACK) give_back(worker);
}

/* From here on the thread that appends may use the executor, as long as nothing is in line. */
static void publish(struct zecl_worker *worker) {
  atomic_store(&worker->done, worker->run_count);
  if (atomic_load(&worker->waiters)) zecl_futex_wake(&worker->done);
}

static struct zecl_command *next_in_line(struct zecl_worker *worker) {
  return atomic_load_explicit(&worker->current->next, memory_order_acquire);
}

static void open_memory(struct zecl_worker *worker) {
  if (!worker->is_open) zecl_discrete_open();
  worker->is_open = true;
}

static void close_memory(struct zecl_worker *worker) {
  if (worker->is_open) zecl_discrete_close();
  worker->is_open = false;
}

/* The next command, or null when the thread is to end. */
static struct zecl_command *wait_for_command(struct zecl_worker *worker) {
  struct zecl_command *next = next_in_line(worker);
  if (next) return next;
  if (atomic_load_explicit(&worker->done, memory_order_relaxed) != worker->run_count) {
    zecl_executor_flush(&worker->executor);
    close_memory(worker);
    publish(worker);
  }
  close_memory(worker);
  give_back(worker);
  for (;;) {
    for (unsigned i = 0; i < WORKER_SPINS; i++) {
      if ((next = next_in_line(worker))) return next;
      zecl_pause();
    }
    atomic_store(&worker->sleeping, 1);
    if (atomic_load(&worker->submitted) == worker->run_count) {
      if (atomic_load(&worker->stop)) return NULL;
      zecl_futex_wait(&worker->sleeping, 1, ZECL_FOREVER);
    }
    atomic_store(&worker->sleeping, 0);
  }
}

/* Moves what is in line to the window. `current` stays until the next one has left the line. */
static void fill_window(struct zecl_worker *worker) {
  struct zecl_command *next;
  while (zecl_window_has_room(&worker->window) && (next = next_in_line(worker))) {
    if (worker->current_was_run || worker->current == &worker->start)
      retire(worker, worker->current);
    worker->current = next;
    worker->current_was_run = false;
    zecl_window_add(&worker->window, next);
  }
}

/* A command of the window that may run; waits until there is one. */
static struct zecl_command *choose(struct zecl_worker *worker) {
  for (;;) {
    fill_window(worker);
    struct zecl_command *command = zecl_window_draw(&worker->window);
    if (command) return command;
    if (atomic_load(&worker->executor.cancel)) return zecl_window_take_oldest(&worker->window);
    zecl_executor_flush(&worker->executor);
    if ((command = zecl_window_draw(&worker->window))) return command;
    close_memory(worker);
    usleep(POLL_US);
  }
}

/* Does the same as work(), in an order of ZECL_ORDER. Results are published when nothing is held
 * back. */
static void work_unordered(struct zecl_worker *worker) {
  while (wait_for_command(worker)) {
    fill_window(worker);
    while (worker->window.count) {
      struct zecl_command *command = choose(worker);
      open_memory(worker);
      zecl_execute(&worker->executor, command);
      zecl_command_forget(command);
      if (command == worker->current)
        worker->current_was_run = true;
      else
        retire(worker, command);
      worker->run_count++;
    }
    if (worker->executor.kernels == 0) {
      close_memory(worker);
      publish(worker);
    }
  }
}

static void *work(void *argument) {
  struct zecl_worker *worker = argument;
  if (worker->is_unordered && zecl_order_is_random()) {
    work_unordered(worker);
    atomic_store(&worker->stopped, true);
    return NULL;
  }
  struct zecl_command *command;
  while ((command = wait_for_command(worker))) {
    open_memory(worker);
    zecl_execute(&worker->executor, command);
    zecl_command_forget(command);
    retire(worker, worker->current);
    worker->current = command;
    worker->run_count++;
    if (worker->executor.kernels == 0) {
      close_memory(worker);
      publish(worker);
    }
  }
  atomic_store(&worker->stopped, true);
  return NULL;
}

/* Ends the thread; false if it has not ended at the deadline. A wait that begins just now may miss
 * the first wake, so that waking goes on until the thread has ended. */
static bool end_thread(struct zecl_worker *worker, uint64_t deadline) {
  atomic_store(&worker->stop, true);
  atomic_store(&worker->executor.cancel, true);
  while (!atomic_load(&worker->stopped)) {
    wake(worker);
    struct zecl_flag *flag = atomic_load(&worker->executor.waiting_for);
    if (flag) zecl_flag_wake(&flag->word, flag->is_shared);
    if (zecl_now() >= deadline) return false;
    for (unsigned i = 0; i < END_SPINS && !atomic_load(&worker->stopped); i++)
      zecl_pause();
    if (!atomic_load(&worker->stopped)) usleep(POLL_US);
  }
  return true;
}

static void end_all_threads(void) {
  if (getpid() != owner) return;
  const uint64_t deadline = zecl_now() + exit_patience_ns;
  pthread_mutex_lock(&lock);
  for (struct zecl_worker *worker = newest; worker; worker = worker->older)
    if (end_thread(worker, deadline)) pthread_join(worker->thread, NULL);
  newest = NULL;
  pthread_mutex_unlock(&lock);
}

void zecl_workers_start(void) {
  owner = getpid();
  atexit(end_all_threads);
}

static ze_result_t start_thread(struct zecl_worker *worker) {
  if (pthread_create(&worker->thread, NULL, work, worker) != 0)
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  worker->has_thread = true;
  zecl_contender_enter(&worker->executor.contender);
  pthread_mutex_lock(&lock);
  worker->id = ++last_id;
  worker->older = newest;
  if (newest) newest->newer = worker;
  newest = worker;
  pthread_mutex_unlock(&lock);
  return ZE_RESULT_SUCCESS;
}

/* False when the process exits and the thread was ended already. */
static bool leave(struct zecl_worker *worker) {
  pthread_mutex_lock(&lock);
  const bool there = newest != NULL;
  if (there) {
    if (worker->older) worker->older->newer = worker->newer;
    if (worker->newer)
      worker->newer->older = worker->older;
    else
      newest = worker->older;
  }
  pthread_mutex_unlock(&lock);
  return there;
}

void zecl_worker_init(struct zecl_worker *worker, uint32_t device, enum zecl_priority priority) {
  worker->device = device;
  worker->last = &worker->start;
  worker->current = &worker->start;
  worker->executor.contender = (struct zecl_contender){.priority = priority,
      .submitted = &worker->submitted,
      .done = &worker->done,
      .waiting_for = &worker->executor.waiting_for};
}

void zecl_worker_finish(struct zecl_worker *worker) {
  if (zecl_engine()->streams) {
    if (worker->lanes) zecl_lanes_finish(worker->lanes);
    return;
  }
  atomic_fetch_add(&ending, 1);
  if (worker->has_thread && leave(worker)) {
    end_thread(worker, ZECL_FOREVER);
    pthread_join(worker->thread, NULL);
  }
  atomic_fetch_sub(&ending, 1);
  if (worker->has_thread) zecl_contender_leave(&worker->executor.contender);
  zecl_executor_free(&worker->executor);
  zecl_command_pool_free(&worker->pool);
}

/* The lanes are made with the first command. */
static ze_result_t submit_to_stream(struct zecl_worker *worker, struct zecl_command *draft) {
  struct zecl_lanes *lanes = atomic_load_explicit(&worker->lanes, memory_order_relaxed);
  if (!lanes) {
    lanes = zecl_lanes_create(
        worker->device, (unsigned)worker->executor.contender.priority, worker->is_unordered);
    if (!lanes) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    atomic_store(&worker->lanes, lanes);
  }
  return zecl_lanes_submit(lanes, draft);
}

static ze_result_t submit(struct zecl_worker *worker, struct zecl_command *draft) {
  if (zecl_engine()->streams) return submit_to_stream(worker, draft);
  if (!worker->has_thread) {
    const ze_result_t result = start_thread(worker);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  struct zecl_command *command = zecl_command_take(&worker->pool);
  if (!command) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const ze_result_t result = zecl_command_record(command, draft);
  if (result != ZE_RESULT_SUCCESS) {
    zecl_command_give(&worker->pool, command, command);
    return result;
  }
  atomic_store_explicit(&command->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&worker->last->next, command, memory_order_release);
  worker->last = command;
  atomic_fetch_add(&worker->submitted, 1);
  wake(worker);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_worker_submit(struct zecl_worker *worker, struct zecl_command *draft) {
  if (draft->kind != ZECL_COMMAND_EXECUTE) return submit(worker, draft);
  zecl_tape_expect(draft->execute.tape);
  const ze_result_t result = submit(worker, draft);
  if (result != ZE_RESULT_SUCCESS)
    zecl_tape_unexpect(draft->execute.tape, draft->execute.tape->first);
  return result;
}

bool zecl_worker_may_run_here(struct zecl_worker *worker) {
  return !zecl_engine()->streams && zecl_worker_is_idle(worker);
}

void zecl_worker_run_here(struct zecl_worker *worker, struct zecl_command *draft) {
  zecl_discrete_open();
  zecl_execute(&worker->executor, draft);
  zecl_executor_flush(&worker->executor);
  zecl_discrete_close();
  zecl_command_discard(draft);
}

static ze_result_t run_stream_to_end(struct zecl_worker *worker, struct zecl_command *draft) {
  ze_result_t result = zecl_worker_submit(worker, draft);
  if (result != ZE_RESULT_SUCCESS)
    zecl_command_discard(draft);
  else
    result = zecl_lanes_synchronize(worker->lanes, ZECL_FOREVER);
  if (worker->lanes) zecl_lanes_drop_errors(worker->lanes);
  return result;
}

ze_result_t zecl_worker_run_to_end(struct zecl_worker *worker, struct zecl_command *draft) {
  if (zecl_engine()->streams) return run_stream_to_end(worker, draft);
  if (draft->kind == ZECL_COMMAND_EXECUTE) zecl_tape_expect(draft->execute.tape);
  atomic_store_explicit(&worker->submitted, ++worker->run_count, memory_order_relaxed);
  zecl_worker_run_here(worker, draft);
  publish(worker);
  const ze_result_t error = atomic_load_explicit(&worker->executor.error, memory_order_relaxed);
  if (error != ZE_RESULT_SUCCESS) atomic_store(&worker->executor.error, ZE_RESULT_SUCCESS);
  return error;
}

static bool is_done(struct zecl_worker *worker, unsigned target) {
  return (int)(atomic_load(&worker->done) - target) >= 0;
}

static bool wait_until_done(struct zecl_worker *worker, unsigned target, uint64_t deadline) {
  for (unsigned i = 0; i < WAITER_SPINS; i++) {
    if (is_done(worker, target)) return true;
    zecl_pause();
  }
  atomic_fetch_add(&worker->waiters, 1);
  for (;;) {
    const unsigned done = atomic_load(&worker->done);
    if ((int)(done - target) >= 0) break;
    if (deadline != ZECL_FOREVER && zecl_now() >= deadline) break;
    zecl_futex_wait(&worker->done, done, deadline);
  }
  atomic_fetch_sub(&worker->waiters, 1);
  return is_done(worker, target);
}

ze_result_t zecl_worker_synchronize(struct zecl_worker *worker, uint64_t timeout) {
  if (zecl_engine()->streams)
    return worker->lanes ? zecl_lanes_synchronize(worker->lanes, timeout) : ZE_RESULT_SUCCESS;
  const unsigned target = atomic_load(&worker->submitted);
  if (!is_done(worker, target)) {
    if (timeout == 0) return ZE_RESULT_NOT_READY;
    if (!wait_until_done(worker, target, zecl_deadline(timeout))) return ZE_RESULT_NOT_READY;
  }
  return atomic_load(&worker->executor.error);
}

struct mark {
  uint64_t id;
  unsigned target;
};

struct zecl_worker_marks {
  size_t count;
  struct mark marks[];
};

struct zecl_worker_marks *zecl_worker_marks_take(void) {
  size_t count = 0;
  pthread_mutex_lock(&lock);
  for (const struct zecl_worker *worker = newest; worker; worker = worker->older)
    count++;
  struct zecl_worker_marks *marks = malloc(sizeof *marks + count * sizeof *marks->marks);
  if (marks) {
    marks->count = 0;
    for (struct zecl_worker *worker = newest; worker; worker = worker->older)
      if (!zecl_worker_is_idle(worker))
        marks->marks[marks->count++] = (struct mark){worker->id, atomic_load(&worker->submitted)};
  }
  pthread_mutex_unlock(&lock);
  return marks;
}

static bool has_passed(const struct mark *mark) {
  for (struct zecl_worker *worker = newest; worker; worker = worker->older)
    if (worker->id == mark->id) return is_done(worker, mark->target);
  return true;
}

bool zecl_worker_marks_passed(const struct zecl_worker_marks *marks) {
  if (zecl_engine()->streams) return zecl_streams_are_idle();
  pthread_mutex_lock(&lock);
  bool passed = marks->count == 0 || atomic_load(&ending) == 0;
  for (size_t i = 0; passed && i < marks->count; i++)
    passed = has_passed(&marks->marks[i]);
  pthread_mutex_unlock(&lock);
  return passed;
}
