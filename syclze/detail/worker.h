/* The threads that work in the background: host tasks, copies between contexts, and the end of
 * memory and queues that were released while their work was under way. Each task waits for native
 * events, and then runs.
 *
 * There are eight threads at most, which begin with the first tasks, stay, and block all signals. A
 * thread waits in zeEventHostSynchronize for one task and runs it itself, with no thread in
 * between. Tasks beyond the threads stand in line: one of those that wait looks at the line every
 * millisecond, so that what is ready runs whatever stands before it. A task whose function waits
 * through the library for one in line has it run meanwhile where no thread is left; a function
 * that waits in any other way for tasks, eight deep, waits for ever.
 *
 * Where no thread can be had, the line is looked at by later releases and waits of the application.
 *
 * A wait that fails is repeated, since only success means that work is done; what goes on failing
 * is given up, and `run` gets the error.
 *
 * At the end of the program, or of the linked image, the threads are awaited, as long as some task
 * ends within the patience; what is still stuck then is given up and reported. */
#ifndef SYCLZE_DETAIL_WORKER_H
#define SYCLZE_DETAIL_WORKER_H

#include "../event.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__WORKER_LOOKS = 256, /* at tasks in line, between two waits */
  SYCLZE__WORKER_TICK = 1000000,
  SYCLZE__WORKER_TURN = 10000000,   /* nanoseconds of a wait where all threads wait */
  SYCLZE__WORKER_SLICE = 100000000, /* and where more threads can be had */
  SYCLZE__WORKER_FAILURES = 16,     /* in a row that give a task up */
  SYCLZE__WORKER_PATIENCE = 10      /* seconds without an end of a task, at exit */
};

/* A task that waits for native events. */
struct syclze__event_task {
  struct syclze__task task;
  const struct syclze__context *context; /* of the events; null for any */
  const ze_event_handle_t *waits;        /* lives as long as the task waits */
  uint32_t wait_count;
  uint32_t waited; /* how many of them are signalled */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL void *syclze__worker_main(void *argument);
SYCLZE_LOCAL void syclze__workers_end(void);
SYCLZE_LOCAL void syclze__workers_help(void);

SYCLZE_INLINE void syclze__workers_put(struct syclze__workers *all, struct syclze__task *task) {
  task->next = NULL;
  if (all->first == NULL)
    all->first = task;
  else
    all->last->next = task;
  all->last = task;
}

/* The task that is first in line; there is one. */
SYCLZE_INLINE struct syclze__task *syclze__workers_pop(struct syclze__workers *all) {
  struct syclze__task *task = all->first;
  all->first = task->next;
  return task;
}

/* A thread that no handler of the application's signals runs on, but for those of faults. */
SYCLZE_LOCAL int syclze__worker_create(struct syclze__worker *worker) {
#ifdef SYS_rt_sigprocmask
  /* SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE and SIGSEGV, and the C library's 32 to 34. */
  const uint64_t faults = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 10;
  const uint64_t blocked = ~(faults | (uint64_t)7 << 31);
  uint64_t before;
  syclze__syscall(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, &blocked, &before, sizeof before);
#endif
  const int error = pthread_create(&worker->thread, NULL, syclze__worker_main, worker);
#ifdef SYS_rt_sigprocmask
  syclze__syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &before, NULL, sizeof before);
#endif
  return error;
}

/* Sees to it that a thread looks at the line, with the lock held; false if there is none. */
SYCLZE_LOCAL bool syclze__workers_call(struct syclze__workers *all) {
  if (all->ending) return false;
  if (all->idle > 0) {
    __atomic_add_fetch(&all->change, 1, __ATOMIC_SEQ_CST);
    syclze__word_wake(&all->change, 1);
    return true;
  }
  for (uint32_t i = 0; i < SYCLZE__WORKERS; i++) {
    struct syclze__worker *worker = &all->all[i];
    if (worker->exists) continue;
    if (syclze__worker_create(worker) != 0) break;
    worker->exists = true;
    all->count++;
    return true;
  }
  if (all->running == all->count)
    __atomic_store_n(&all->help, &syclze__workers_help, __ATOMIC_RELAXED);
  return all->count > 0;
}

/* Has the end of the program end the workers too. With the lock held. */
SYCLZE_INLINE void syclze__workers_register(struct syclze__workers *all) {
  if (SYCLZE__UNLIKELY(!all->registered)) all->registered = atexit(syclze__workers_end) == 0;
}

/* Hands a task to the workers. Fails without threads; then the task is as it was. */
SYCLZE_LOCAL ze_result_t syclze__workers_submit(struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  syclze__lock_acquire(&all->lock);
  syclze__workers_register(all);
  const bool is_seen = syclze__workers_call(all);
  if (is_seen) {
    task->failures = 0;
    syclze__workers_put(all, task);
  }
  syclze__lock_release(&all->lock);
  return is_seen ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Sleeps until the word moves from `value`, at most some nanoseconds; false when they are over.
 * Without the lock meanwhile. */
SYCLZE_INLINE bool syclze__workers_doze(
    struct syclze__workers *all, uint32_t *word, uint32_t value, long nanoseconds) {
  syclze__lock_release(&all->lock);
  const bool in_time = syclze__word_sleep(word, value, nanoseconds);
  syclze__lock_acquire(&all->lock);
  return in_time;
}

/* The next task for a thread of its own, with the lock held; null at the end. */
SYCLZE_LOCAL struct syclze__task *syclze__worker_next(struct syclze__workers *all) {
  while (all->first == NULL) {
    if (all->ending) return NULL;
    const uint32_t change = __atomic_load_n(&all->change, __ATOMIC_RELAXED);
    all->idle++;
    syclze__workers_doze(all, &all->change, change, -1);
    all->idle--;
  }
  return syclze__workers_pop(all);
}

/* One event of what a task waits for. In a lost context (command/detail/host_signal.h) an event
 * that is not signalled within a wait never will be. */
SYCLZE_LOCAL ze_result_t syclze__task_await(struct syclze__task *task, ze_event_handle_t event,
    const struct syclze__context *context, uint64_t nanoseconds) {
  const ze_result_t result = SYCLZE__ZE(zeEventHostSynchronize)(event, nanoseconds);
  if (result != ZE_RESULT_NOT_READY || nanoseconds < SYCLZE__WORKER_TURN) return result;
  const ze_result_t lost = syclze__context_lost(context);
  if (lost == ZE_RESULT_SUCCESS) return result;
  task->failures = SYCLZE__WORKER_FAILURES;
  return lost;
}

SYCLZE_LOCAL ze_result_t syclze__event_task_wait(struct syclze__task *task, uint64_t nanoseconds) {
  struct syclze__event_task *events = (struct syclze__event_task *)(void *)task;
  while (events->waited < events->wait_count) {
    const ze_event_handle_t event = events->waits[events->waited];
    const ze_result_t result = syclze__task_await(task, event, events->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
    events->waited++;
  }
  return ZE_RESULT_SUCCESS;
}

/* Waits for what the task waits for, at most so many nanoseconds. A failure counts as not done,
 * unless it stays. */
SYCLZE_LOCAL ze_result_t syclze__task_wait(struct syclze__task *task, uint64_t nanoseconds) {
  const ze_result_t result = task->wait(task, nanoseconds);
  uint32_t never = 0;
  if (result == ZE_RESULT_SUCCESS || result == ZE_RESULT_NOT_READY) {
    task->failures = 0;
    return result;
  }
  if (++task->failures >= SYCLZE__WORKER_FAILURES) return result;
  if (nanoseconds > 0) syclze__word_sleep(&never, 0, SYCLZE__WORKER_TICK);
  return ZE_RESULT_NOT_READY;
}

/* Changes a task that is not ready for one in line that is, or for the one that was looked at last.
 * With the lock held. */
SYCLZE_LOCAL ze_result_t syclze__worker_look(
    struct syclze__workers *all, struct syclze__task **task) {
  ze_result_t result;
  const struct syclze__task *given = *task;
  uint32_t looks = 0;
  do {
    syclze__workers_put(all, *task);
    *task = syclze__workers_pop(all);
    result = syclze__task_wait(*task, 0);
  } while (result == ZE_RESULT_NOT_READY && *task != given && ++looks < SYCLZE__WORKER_LOOKS);
  return result;
}

/* Waits until a task is ready, as a rule the one given. With the lock held, but for the waits.
 * ZE_RESULT_NOT_READY when it was given up. */
SYCLZE_LOCAL ze_result_t syclze__worker_wait(
    struct syclze__workers *all, struct syclze__task **task) {
  ze_result_t result;
  all->waiting++;
  for (;;) {
    if (all->first != NULL) syclze__workers_call(all);
    const bool is_full = all->count == SYCLZE__WORKERS && all->idle == 0;
    const bool ticks = is_full && !all->ticking;
    if (ticks) all->ticking = true;
    syclze__lock_release(&all->lock);
    result = syclze__task_wait(*task, ticks     ? SYCLZE__WORKER_TICK
                                      : is_full ? SYCLZE__WORKER_TURN
                                                : SYCLZE__WORKER_SLICE);
    syclze__lock_acquire(&all->lock);
    if (ticks) all->ticking = false;
    if (result == ZE_RESULT_NOT_READY && all->first != NULL)
      result = syclze__worker_look(all, task);
    if (result != ZE_RESULT_NOT_READY || all->given_up) break;
  }
  all->waiting--;
  return result;
}

/* Runs a task, without the lock meanwhile. */
SYCLZE_INLINE void syclze__workers_run(
    struct syclze__workers *all, struct syclze__task *task, ze_result_t result) {
  syclze__lock_release(&all->lock);
  task->run(task, result);
  syclze__lock_acquire(&all->lock);
  __atomic_add_fetch(&all->ended, 1, __ATOMIC_SEQ_CST);
  if (SYCLZE__UNLIKELY(all->awaited)) syclze__word_wake(&all->ended, INT32_MAX);
}

SYCLZE_LOCAL void *syclze__worker_main(void *argument) {
  struct syclze__worker *worker = (struct syclze__worker *)argument;
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  struct syclze__task *task;
  syclze__lock_acquire(&all->lock);
  while ((task = syclze__worker_next(all)) != NULL) {
    const ze_result_t result = syclze__worker_wait(all, &task);
    if (result == ZE_RESULT_NOT_READY) {
      syclze__workers_put(all, task);
      break;
    }
    all->running++;
    worker->runs = true;
    if (all->first != NULL) syclze__workers_call(all);
    syclze__workers_run(all, task, result);
    worker->runs = false;
    all->running--;
  }
  syclze__lock_release(&all->lock);
  return NULL;
}

/* The thread's place among the workers; null for a thread of the application. With the lock. */
SYCLZE_LOCAL struct syclze__worker *syclze__worker_self(struct syclze__workers *all) {
  for (uint32_t i = 0; i < SYCLZE__WORKERS; i++)
    if (all->all[i].exists && pthread_equal(all->all[i].thread, pthread_self()))
      return &all->all[i];
  return NULL;
}

/* Runs the tasks in line that are ready, on this thread, where no worker is free: functions of the
 * application on workers only, as long as there is one, since this thread may hold a lock of the
 * application's. */
SYCLZE_LOCAL void syclze__workers_look_here(struct syclze__workers *all) {
  const bool runs_all = all->count == 0 || syclze__worker_self(all) != NULL;
  for (uint32_t looks = 0; all->first != NULL && looks < SYCLZE__WORKER_LOOKS; looks++) {
    struct syclze__task *task = syclze__workers_pop(all);
    const ze_result_t result =
        !runs_all && task->is_application ? ZE_RESULT_NOT_READY : syclze__task_wait(task, 0);
    if (result == ZE_RESULT_NOT_READY) {
      syclze__workers_put(all, task);
      continue;
    }
    all->helping++;
    syclze__workers_run(all, task, result);
    all->helping--;
  }
}

/* From waits of the application. */
SYCLZE_LOCAL void syclze__workers_help(void) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  syclze__lock_acquire(&all->lock);
  if (all->first != NULL) syclze__workers_call(all);
  if (all->running == all->count) syclze__workers_look_here(all);
  if (all->first == NULL || all->running != all->count)
    __atomic_store_n(&all->help, NULL, __ATOMIC_RELAXED);
  syclze__lock_release(&all->lock);
}

/* Hands over a task that must not be lost. Where no thread can be had it stays in line, which later
 * calls look at. Without locks: what is ready may run here. */
SYCLZE_LOCAL void syclze__workers_leave(struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  task->failures = 0;
  syclze__lock_acquire(&all->lock);
  syclze__workers_register(all);
  syclze__workers_put(all, task);
  if (!syclze__workers_call(all)) syclze__workers_look_here(all);
  syclze__lock_release(&all->lock);
}

/* The same with locks: nothing runs here. */
SYCLZE_LOCAL void syclze__workers_line_up(struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  task->failures = 0;
  syclze__lock_acquire(&all->lock);
  syclze__workers_register(all);
  syclze__workers_put(all, task);
  syclze__workers_call(all);
  syclze__lock_release(&all->lock);
}

/* All tasks have run, but for one that ends the program itself. */
SYCLZE_INLINE bool syclze__workers_are_done(
    const struct syclze__workers *all, const struct syclze__worker *self) {
  return all->first == NULL && all->waiting == 0 && all->helping == 0 &&
         all->running == (self != NULL ? 1 : 0);
}

/* Joins the threads that run no task any more. With the lock, but for the joins. */
SYCLZE_LOCAL void syclze__workers_join(struct syclze__workers *all) {
  for (uint32_t i = 0; i < SYCLZE__WORKERS; i++) {
    struct syclze__worker *worker = &all->all[i];
    if (!worker->exists || worker->runs) continue;
    syclze__lock_release(&all->lock);
    pthread_join(worker->thread, NULL);
    syclze__lock_acquire(&all->lock);
    worker->exists = false;
    all->count--;
  }
}

/* At exit, and when the linked image is closed. Later tasks begin anew, unless some were given up.
 */
SYCLZE_LOCAL void syclze__workers_end(void) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  if (syclze__is_forked()) return; /* the threads are the parent's */
  syclze__lock_acquire(&all->lock);
  const struct syclze__worker *self = syclze__worker_self(all);
  uint32_t ended = all->ended;
  all->awaited = true;
  for (int64_t left = SYCLZE__WORKER_PATIENCE * 1000000000ll;
       !syclze__workers_are_done(all, self);) {
    const bool is_seen = all->first == NULL || syclze__workers_call(all);
    const long slice = is_seen ? SYCLZE__WORKER_SLICE : SYCLZE__WORKER_TICK;
    if (!is_seen) syclze__workers_look_here(all);
    if (ended != all->ended) left = SYCLZE__WORKER_PATIENCE * 1000000000ll;
    ended = all->ended;
    if (!syclze__workers_doze(all, &all->ended, ended, slice)) left -= slice;
    all->given_up = left <= 0;
    if (all->given_up) break;
  }
  const bool given_up = all->given_up;
  all->ending = true;
  __atomic_add_fetch(&all->change, 1, __ATOMIC_SEQ_CST);
  syclze__word_wake(&all->change, INT32_MAX);
  syclze__workers_join(all);
  all->awaited = all->registered = false;
  if (!given_up) all->ending = false;
  syclze__lock_release(&all->lock);
  if (given_up)
    syclze__fail(ZE_RESULT_NOT_READY, "exit",
        "work in the background was given up: what it waits for was not signalled", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
