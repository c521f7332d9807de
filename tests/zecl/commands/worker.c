#include "commands/worker.h"

#include "core/clock.h"

#include <stdlib.h>
#include <unistd.h>

/* Who spins takes a processor from the kernels that it waits for, so that none does so for long. */
enum { WORKER_SPINS = 20, WAITER_SPINS = 20, END_SPINS = 400, GIVE_BACK = 32, POLL_US = 50 };
static const uint64_t exit_patience_ns = 2 * (uint64_t)ZECL_NS_PER_S;

/* The engines that have a worker, so that all can be ended when the process exits. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zecl_engine *newest;
static pid_t owner; /* a forked child has no workers to end */
static uint64_t last_id;
static atomic_uint ending; /* engines that have left the others while their workers still run */

static void wake(struct zecl_engine *engine) {
  if (atomic_load(&engine->sleeping) && atomic_exchange(&engine->sleeping, 0))
    zecl_futex_wake(&engine->sleeping);
}

static void give_back(struct zecl_engine *engine) {
  if (!engine->used_first) return;
  zecl_command_give(&engine->pool, engine->used_first, engine->used_last);
  engine->used_first = NULL;
  engine->used_count = 0;
}

/* `current` was run and is not needed any more. */
static void retire(struct zecl_engine *engine, struct zecl_command *command) {
  if (command == &engine->start) return;
  atomic_store_explicit(&command->next, engine->used_first, memory_order_relaxed);
  if (!engine->used_first) engine->used_last = command;
  engine->used_first = command;
  if (++engine->used_count >= GIVE_BACK) give_back(engine);
}

/* From here on the thread that appends may use the executor, as long as nothing is in line. */
static void publish(struct zecl_engine *engine) {
  atomic_store(&engine->done, engine->run_count);
  if (atomic_load(&engine->waiters)) zecl_futex_wake(&engine->done);
}

static struct zecl_command *next_in_line(struct zecl_engine *engine) {
  return atomic_load_explicit(&engine->current->next, memory_order_acquire);
}

/* The next command, or null when the worker is to end. */
static struct zecl_command *wait_for_command(struct zecl_engine *engine) {
  struct zecl_command *next = next_in_line(engine);
  if (next) return next;
  if (atomic_load_explicit(&engine->done, memory_order_relaxed) != engine->run_count) {
    zecl_executor_flush(&engine->executor);
    publish(engine);
  }
  give_back(engine);
  for (;;) {
    for (unsigned i = 0; i < WORKER_SPINS; i++) {
      if ((next = next_in_line(engine))) return next;
      zecl_pause();
    }
    atomic_store(&engine->sleeping, 1);
    if (atomic_load(&engine->submitted) == engine->run_count) {
      if (atomic_load(&engine->stop)) return NULL;
      zecl_futex_wait(&engine->sleeping, 1, ZECL_FOREVER);
    }
    atomic_store(&engine->sleeping, 0);
  }
}

static void *work(void *argument) {
  struct zecl_engine *engine = argument;
  struct zecl_command *command;
  while ((command = wait_for_command(engine))) {
    zecl_execute(&engine->executor, command);
    zecl_command_forget(command);
    retire(engine, engine->current);
    engine->current = command;
    engine->run_count++;
    if (engine->executor.kernels == 0) publish(engine);
  }
  atomic_store(&engine->stopped, true);
  return NULL;
}

/* Ends the worker; false if it has not ended at the deadline. A wait that begins just now may miss
 * the first wake, so that waking goes on until the worker has ended. */
static bool end_worker(struct zecl_engine *engine, uint64_t deadline) {
  atomic_store(&engine->stop, true);
  atomic_store(&engine->executor.cancel, true);
  while (!atomic_load(&engine->stopped)) {
    wake(engine);
    struct zecl_flag *flag = atomic_load(&engine->executor.waiting_for);
    if (flag) zecl_flag_wake(&flag->word, flag->is_shared);
    if (zecl_now() >= deadline) return false;
    for (unsigned i = 0; i < END_SPINS && !atomic_load(&engine->stopped); i++)
      zecl_pause();
    if (!atomic_load(&engine->stopped)) usleep(POLL_US);
  }
  return true;
}

static void end_all_workers(void) {
  if (getpid() != owner) return;
  const uint64_t deadline = zecl_now() + exit_patience_ns;
  pthread_mutex_lock(&lock);
  for (struct zecl_engine *engine = newest; engine; engine = engine->older)
    if (end_worker(engine, deadline)) pthread_join(engine->thread, NULL);
  newest = NULL;
  pthread_mutex_unlock(&lock);
}

static void register_exit(void) {
  owner = getpid();
  atexit(end_all_workers);
}

static ze_result_t start_worker(struct zecl_engine *engine) {
  /* Registered after OpenCL was found, and so run before OpenCL takes itself apart. */
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, register_exit);
  if (pthread_create(&engine->thread, NULL, work, engine) != 0)
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  engine->has_worker = true;
  zecl_contender_enter(&engine->executor.contender);
  pthread_mutex_lock(&lock);
  engine->id = ++last_id;
  engine->older = newest;
  if (newest) newest->newer = engine;
  newest = engine;
  pthread_mutex_unlock(&lock);
  return ZE_RESULT_SUCCESS;
}

/* False when the process exits and the worker was ended already. */
static bool leave(struct zecl_engine *engine) {
  pthread_mutex_lock(&lock);
  const bool there = newest != NULL;
  if (there) {
    if (engine->older) engine->older->newer = engine->newer;
    if (engine->newer)
      engine->newer->older = engine->older;
    else
      newest = engine->older;
  }
  pthread_mutex_unlock(&lock);
  return there;
}

void zecl_engine_init(struct zecl_engine *engine, enum zecl_priority priority) {
  engine->last = &engine->start;
  engine->current = &engine->start;
  engine->executor.contender = (struct zecl_contender){.priority = priority,
      .submitted = &engine->submitted,
      .done = &engine->done,
      .waiting_for = &engine->executor.waiting_for};
}

void zecl_engine_finish(struct zecl_engine *engine) {
  atomic_fetch_add(&ending, 1);
  if (engine->has_worker && leave(engine)) {
    end_worker(engine, ZECL_FOREVER);
    pthread_join(engine->thread, NULL);
  }
  atomic_fetch_sub(&ending, 1);
  if (engine->has_worker) zecl_contender_leave(&engine->executor.contender);
  zecl_executor_free(&engine->executor);
  zecl_command_pool_free(&engine->pool);
}

ze_result_t zecl_engine_submit(struct zecl_engine *engine, const struct zecl_command *draft) {
  if (!engine->has_worker) {
    const ze_result_t result = start_worker(engine);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  struct zecl_command *command = zecl_command_take(&engine->pool);
  if (!command) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const ze_result_t result = zecl_command_record(command, draft);
  if (result != ZE_RESULT_SUCCESS) {
    zecl_command_give(&engine->pool, command, command);
    return result;
  }
  atomic_store_explicit(&command->next, NULL, memory_order_relaxed);
  atomic_store_explicit(&engine->last->next, command, memory_order_release);
  engine->last = command;
  atomic_fetch_add(&engine->submitted, 1);
  wake(engine);
  return ZE_RESULT_SUCCESS;
}

void zecl_engine_run_here(struct zecl_engine *engine, struct zecl_command *draft) {
  zecl_execute(&engine->executor, draft);
  zecl_executor_flush(&engine->executor);
  zecl_command_discard(draft);
}

ze_result_t zecl_engine_run_to_end(struct zecl_engine *engine, struct zecl_command *draft) {
  atomic_store_explicit(&engine->submitted, ++engine->run_count, memory_order_relaxed);
  zecl_engine_run_here(engine, draft);
  publish(engine);
  const ze_result_t error = atomic_load_explicit(&engine->executor.error, memory_order_relaxed);
  if (error != ZE_RESULT_SUCCESS) atomic_store(&engine->executor.error, ZE_RESULT_SUCCESS);
  return error;
}

static bool is_done(struct zecl_engine *engine, unsigned target) {
  return (int)(atomic_load(&engine->done) - target) >= 0;
}

static bool wait_until_done(struct zecl_engine *engine, unsigned target, uint64_t deadline) {
  for (unsigned i = 0; i < WAITER_SPINS; i++) {
    if (is_done(engine, target)) return true;
    zecl_pause();
  }
  atomic_fetch_add(&engine->waiters, 1);
  for (;;) {
    const unsigned done = atomic_load(&engine->done);
    if ((int)(done - target) >= 0) break;
    if (deadline != ZECL_FOREVER && zecl_now() >= deadline) break;
    zecl_futex_wait(&engine->done, done, deadline);
  }
  atomic_fetch_sub(&engine->waiters, 1);
  return is_done(engine, target);
}

ze_result_t zecl_engine_synchronize(struct zecl_engine *engine, uint64_t timeout) {
  const unsigned target = atomic_load(&engine->submitted);
  if (!is_done(engine, target)) {
    if (timeout == 0) return ZE_RESULT_NOT_READY;
    if (!wait_until_done(engine, target, zecl_deadline(timeout))) return ZE_RESULT_NOT_READY;
  }
  return atomic_load(&engine->executor.error);
}

struct mark {
  uint64_t id;
  unsigned target;
};

struct zecl_engine_marks {
  size_t count;
  struct mark marks[];
};

struct zecl_engine_marks *zecl_engine_marks_take(void) {
  size_t count = 0;
  pthread_mutex_lock(&lock);
  for (const struct zecl_engine *engine = newest; engine; engine = engine->older)
    count++;
  struct zecl_engine_marks *marks = malloc(sizeof *marks + count * sizeof *marks->marks);
  if (marks) {
    marks->count = 0;
    for (struct zecl_engine *engine = newest; engine; engine = engine->older)
      if (!zecl_engine_is_idle(engine))
        marks->marks[marks->count++] = (struct mark){engine->id, atomic_load(&engine->submitted)};
  }
  pthread_mutex_unlock(&lock);
  return marks;
}

static bool has_passed(const struct mark *mark) {
  for (struct zecl_engine *engine = newest; engine; engine = engine->older)
    if (engine->id == mark->id) return is_done(engine, mark->target);
  return true;
}

bool zecl_engine_marks_passed(const struct zecl_engine_marks *marks) {
  pthread_mutex_lock(&lock);
  bool passed = marks->count == 0 || atomic_load(&ending) == 0;
  for (size_t i = 0; passed && i < marks->count; i++)
    passed = has_passed(&marks->marks[i]);
  pthread_mutex_unlock(&lock);
  return passed;
}
