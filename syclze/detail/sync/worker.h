/* Background threads, for host tasks, copies between contexts, and the end of memory and queues
 * that were released while their work was pending. Each task waits for native events, and then
 * runs.
 *
 * There are at most eight threads, which begin with the first tasks, end after a second without
 * work, and block all signals. Up to six of them wait in zeEventHostSynchronize for one task each,
 * and run it themselves. Further tasks are queued. An idle thread runs the first ready task among
 * the next 16; if none is ready and six threads wait, it polls the whole queue, sleeping in
 * between: at first for 20 us, then longer, up to two milliseconds. A new task, or the end of one,
 * makes it poll at once. So a ready task runs whatever precedes it, and tasks that stay blocked
 * cost little. If a task's function waits through the library for a queued task and no thread is
 * left, that task runs meanwhile; eight nested waits outside the library deadlock.
 *
 * If no thread can be created, later releases and waits of the application poll the queue.
 *
 * A failed wait is repeated, since only success means that work is done. A task whose wait keeps
 * failing is given up, and `run` gets the error.
 *
 * At the end of the program, or of the linked image, the threads are awaited as long as some task
 * ends within the patience; the rest is given up and reported. */
#ifndef SYCLZE_DETAIL_SYNC_WORKER_H
#define SYCLZE_DETAIL_SYNC_WORKER_H

#include "../../event.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__WORKER_WAITS = 6,   /* threads that wait in the driver, at most */
  SYCLZE__WORKER_NEAR = 16,   /* tasks at the head of the queue */
  SYCLZE__WORKER_LOOKS = 256, /* queued tasks to poll after a change */
  SYCLZE__WORKER_LATER = 64,  /* and otherwise */
  SYCLZE__WORKER_NAP = 20000, /* nanoseconds between two polls, at first */
  SYCLZE__WORKER_NAP_MOST = 2000000,
  SYCLZE__WORKER_TICK = 1000000,    /* between two failures of a wait that count */
  SYCLZE__WORKER_TURN = 20000000,   /* of a wait while all threads wait */
  SYCLZE__WORKER_SLICE = 100000000, /* and while more threads are available */
  SYCLZE__WORKER_IDLE = 1000000000, /* without work, before a thread ends */
  SYCLZE__WORKER_FAILURES = 16,     /* in a row that give a task up */
  SYCLZE__WORKER_PATIENCE = 10      /* seconds without an end of a task, at exit */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL_WARM syclze__thread_result syclze__worker_main(void *argument);
SYCLZE_LOCAL void syclze__workers_end(void);
SYCLZE_LOCAL void syclze__workers_help(void);

/* Adds a task to the queue: behind the known ready ones if it is ready, else at the end. */
SYCLZE_LOCAL_WARM void syclze__workers_put(struct syclze__workers *all, struct syclze__task *task) {
  SYCLZE__HELD(&all->lock);
  struct syclze__task **link = &all->first;
  if (SYCLZE__UNLIKELY(all->first != NULL)) {
    const bool is_ready = task->wait(task, 0) == ZE_RESULT_SUCCESS;
    struct syclze__task *before = is_ready ? all->last_ready : all->last;
    if (is_ready) all->last_ready = task;
    if (before != NULL) link = &before->next;
  }
  task->next = *link;
  __atomic_store_n(link, task, __ATOMIC_RELAXED);
  if (task->next == NULL) all->last = task;
}

/* Removes a task from the queue; `before` precedes it, or is null. */
SYCLZE_INLINE void syclze__workers_take(
    struct syclze__workers *all, struct syclze__task *before, struct syclze__task *task) {
  SYCLZE__HELD(&all->lock);
  if (before != NULL)
    before->next = task->next;
  else
    __atomic_store_n(&all->first, task->next, __ATOMIC_RELAXED);
  if (all->last == task) all->last = before;
  if (all->last_ready == task) all->last_ready = before;
}

/* Starts a thread that blocks all signals except those of faults, so that it runs no other handlers
 * of the application. */
SYCLZE_LOCAL int syclze__worker_create(struct syclze__worker *worker) {
  const syclze__thread_id former = worker->thread;
  worker->former = former;
  worker->has_former = worker->has_left;
#ifdef SYS_rt_sigprocmask
  /* SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE and SIGSEGV, and the C library's 32 to 34. */
  const uint64_t faults = 1u << 3 | 1u << 4 | 1u << 5 | 1u << 6 | 1u << 7 | 1u << 10;
  const uint64_t blocked = ~(faults | (uint64_t)7 << 31);
  uint64_t before;
  syclze__syscall(SYS_rt_sigprocmask, 0 /* SIG_BLOCK */, &blocked, &before, sizeof before);
#endif
  const int error = syclze__thread_start(&worker->thread, syclze__worker_main, worker);
  if (error == 0)
    worker->has_left = false;
  else
    worker->thread = former;
#ifdef SYS_rt_sigprocmask
  syclze__syscall(SYS_rt_sigprocmask, 2 /* SIG_SETMASK */, &before, NULL, sizeof before);
#endif
  return error;
}

/* Selects a sleeping thread; true if it must be woken once the lock is released. One woken thread
 * suffices: if it leaves a task queued, it wakes the next one. */
SYCLZE_INLINE bool syclze__workers_rouse(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  if (all->woken != 0) return false;
  all->woken = 1;
  __atomic_add_fetch(&all->change, 1, __ATOMIC_SEQ_CST);
  return true;
}

/* Wakes or starts an idle thread; false if there is none. */
SYCLZE_LOCAL bool syclze__workers_wake(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  if (all->idle > 0) {
    if (syclze__workers_rouse(all)) syclze__word_wake(&all->change, 1);
    return true;
  }
  for (uint32_t i = 0; i < SYCLZE__WORKERS; i++) {
    struct syclze__worker *worker = &all->all[i];
    if (worker->exists && !worker->has_left) continue;
    if (syclze__worker_create(worker) != 0) break;
    worker->exists = true;
    all->count++;
    return true;
  }
  return false;
}

/* syclze__workers_wake if none sleeps. */
SYCLZE_LOCAL bool syclze__workers_call_another(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  if (all->ending) return false;
  if (syclze__workers_wake(all)) return true;
  if (all->running == all->count)
    __atomic_store_n(&all->help, &syclze__workers_help, __ATOMIC_RELAXED);
  return all->count > 0;
}

/* Ensures that a thread takes tasks; false if there is none. With `*wakes` a sleeper must be woken
 * once the lock is released. */
SYCLZE_INLINE bool syclze__workers_call(struct syclze__workers *all, bool *wakes) {
  SYCLZE__HELD(&all->lock);
  *wakes = false;
  if (SYCLZE__UNLIKELY(all->idle == 0 || all->ending)) return syclze__workers_call_another(all);
  *wakes = syclze__workers_rouse(all);
  return true;
}

/* Releases the lock, and wakes a sleeper if `wakes`. */
SYCLZE_INLINE void syclze__workers_unlock(struct syclze__workers *all, bool wakes) {
  SYCLZE__HELD(&all->lock);
  syclze__lock_release(&all->lock);
  if (wakes) syclze__word_wake(&all->change, 1);
}

/* Registers the end of the workers at the end of the program. */
SYCLZE_INLINE void syclze__workers_register(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  if (SYCLZE__UNLIKELY(!all->registered)) all->registered = atexit(syclze__workers_end) == 0;
}

/* Sleeps until the word changes from `value`, at most some nanoseconds; false after a timeout. The
 * lock is released meanwhile. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN bool syclze__workers_doze(
    struct syclze__workers *all, uint32_t *word, uint32_t value, long nanoseconds) {
  SYCLZE__HELD(&all->lock);
  syclze__lock_release(&all->lock);
  const bool in_time = syclze__word_sleep(word, value, nanoseconds);
  syclze__lock_acquire(&all->lock);
  return in_time;
}

/* Sleeps until an idle thread is woken; false after a timeout. */
SYCLZE_INLINE bool syclze__workers_sleep(struct syclze__workers *all, long nanoseconds) {
  SYCLZE__HELD(&all->lock);
  const uint32_t change = __atomic_load_n(&all->change, __ATOMIC_RELAXED);
  all->idle++;
  const bool in_time = syclze__workers_doze(all, &all->change, change, nanoseconds);
  all->idle--;
  all->woken = 0;
  return in_time;
}

/* Waits for one event of a task. In a lost context (command/detail/submit/event_fail.h) an event
 * that is not signalled within a long wait, or several polls, never will be. */
SYCLZE_LOCAL_WARM ze_result_t syclze__task_await(struct syclze__task *task, ze_event_handle_t event,
    const struct syclze__context *context, uint64_t nanoseconds) {
  const ze_result_t result = SYCLZE__ZE(zeEventHostSynchronize)(event, nanoseconds);
  if (result != ZE_RESULT_NOT_READY) return result;
  const ze_result_t lost = syclze__context_lost(context);
  if (lost == ZE_RESULT_SUCCESS) return result;
  if (nanoseconds >= SYCLZE__WORKER_TURN) task->failures = SYCLZE__WORKER_FAILURES;
  return lost;
}

/* Waits for the task's events, at most `nanoseconds`. A failure counts as not done, unless it
 * persists. */
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

/* Options of a poll of the queue. */
struct syclze__look {
  uint32_t most;      /* tasks */
  bool counts;        /* counts failures of waits, some time apart */
  bool is_restricted; /* only tasks that call no function of the application */
};

/* Removes the first of some queued tasks that is ready or given up; null if there is none. */
SYCLZE_INLINE struct syclze__task *syclze__workers_look(
    struct syclze__workers *all, struct syclze__look look, ze_result_t *result) {
  SYCLZE__HELD(&all->lock);
  struct syclze__task *before = NULL, *task = all->first;
  for (; task != NULL && look.most > 0; before = task, task = task->next, look.most--) {
    if (look.is_restricted && task->is_application) continue;
    *result = look.counts ? syclze__task_wait(task, 0) : task->wait(task, 0);
    if (*result != ZE_RESULT_SUCCESS && (!look.counts || *result == ZE_RESULT_NOT_READY)) continue;
    syclze__workers_take(all, before, task);
    return task;
  }
  return NULL;
}

/* Makes the next poll begin behind `count` tasks, none of which is ready. */
SYCLZE_LOCAL void syclze__workers_rotate(struct syclze__workers *all, uint32_t count) {
  SYCLZE__HELD(&all->lock);
  struct syclze__task *last = all->first;
  while (last != NULL && --count > 0)
    last = last->next;
  if (last == NULL || last->next == NULL || all->last_ready != NULL) return;
  all->last->next = all->first;
  __atomic_store_n(&all->first, last->next, __ATOMIC_RELAXED);
  all->last = last;
  last->next = NULL;
}

/* Waits in the driver for the first queued task, and in turns for others; the lock is released
 * meanwhile. Null if the queue must be polled, or all is given up. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__task *syclze__worker_wait(
    struct syclze__workers *all, ze_result_t *result) {
  SYCLZE__HELD(&all->lock);
  struct syclze__task *task = NULL;
  all->waiting++;
  do {
    if (task != NULL && all->first != NULL && task->failures == 0) {
      syclze__workers_put(all, task);
      task = NULL;
    }
    if (task == NULL) {
      task = all->first;
      syclze__workers_take(all, NULL, task);
    }
    const bool is_full = all->count == SYCLZE__WORKERS;
    syclze__lock_release(&all->lock);
    *result = syclze__task_wait(task, is_full ? SYCLZE__WORKER_TURN : SYCLZE__WORKER_SLICE);
    syclze__lock_acquire(&all->lock);
  } while (
      *result == ZE_RESULT_NOT_READY && !all->given_up && (all->first == NULL || all->idle > 0));
  all->waiting--;
  if (*result != ZE_RESULT_NOT_READY) return task;
  syclze__workers_put(all, task);
  return NULL;
}

/* True if the thread may wait in the driver for the first queued task, since another one polls the
 * rest. */
SYCLZE_LOCAL bool syclze__worker_may_wait(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  return all->waiting < SYCLZE__WORKER_WAITS &&
         (all->first->next == NULL || syclze__workers_wake(all));
}

/* Polls the queue until a task is ready, or the thread may wait in the driver. The last of several
 * such threads polls; the others sleep until they are woken. */
SYCLZE_LOCAL struct syclze__task *syclze__worker_poll(
    struct syclze__workers *all, const struct syclze__worker *self, ze_result_t *result) {
  SYCLZE__HELD(&all->lock);
  struct syclze__task *task = NULL;
  long nap = SYCLZE__WORKER_NAP;
  bool in_time = true;
  all->poller = self;
  for (;;) {
    const uint32_t most = in_time ? SYCLZE__WORKER_LOOKS : SYCLZE__WORKER_LATER;
    const struct syclze__look look = {most, nap >= SYCLZE__WORKER_TICK, false};
    task = syclze__workers_look(all, look, result);
    if (task != NULL || all->first == NULL || all->given_up) break;
    syclze__workers_rotate(all, look.most);
    if (all->first->next == NULL && all->waiting < SYCLZE__WORKER_WAITS) break;
    in_time = syclze__workers_sleep(all, all->poller == self ? nap : -1);
    if (in_time) {
      all->poller = self;
      nap = SYCLZE__WORKER_NAP;
    } else if (nap * 2 < SYCLZE__WORKER_NAP_MOST)
      nap *= 2;
    else
      nap = SYCLZE__WORKER_NAP_MOST;
  }
  if (all->poller == self) all->poller = NULL;
  return task;
}

/* The next ready or given up task for a thread; null at the end, and after a long time without
 * one. */
SYCLZE_INLINE struct syclze__task *syclze__worker_next(
    struct syclze__workers *all, const struct syclze__worker *self, ze_result_t *result) {
  SYCLZE__HELD(&all->lock);
  const struct syclze__look near = {SYCLZE__WORKER_NEAR, false, false};
  for (;;) {
    struct syclze__task *task = all->first;
    if (task != NULL) task = syclze__workers_look(all, near, result);
    if (task == NULL && all->first != NULL && !all->given_up)
      task = syclze__worker_may_wait(all) ? syclze__worker_wait(all, result)
                                          : syclze__worker_poll(all, self, result);
    if (task != NULL) return task;
    if (all->given_up || (all->ending && all->first == NULL)) return NULL;
    if (all->first == NULL && !syclze__workers_sleep(all, SYCLZE__WORKER_IDLE) &&
        all->first == NULL)
      return NULL;
  }
}

/* Counts a completed task. */
SYCLZE_INLINE void syclze__workers_count_end(struct syclze__workers *all) {
  __atomic_add_fetch(&all->ended, 1, __ATOMIC_SEQ_CST);
  if (SYCLZE__UNLIKELY(__atomic_load_n(&all->awaited, __ATOMIC_RELAXED)))
    syclze__word_wake(&all->ended, INT32_MAX);
}

/* Runs a task, with the lock released meanwhile; `wakes` a sleeper before. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN void syclze__workers_run(
    struct syclze__workers *all, struct syclze__task *task, ze_result_t result, bool wakes) {
  SYCLZE__HELD(&all->lock);
  syclze__workers_unlock(all, wakes);
  task->run(task, result);
  syclze__lock_acquire(&all->lock);
  syclze__workers_count_end(all);
}

SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN syclze__thread_result syclze__worker_main(void *argument) {
  struct syclze__worker *worker = (struct syclze__worker *)argument;
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  struct syclze__task *task;
  ze_result_t result;
#ifdef SYS_prctl
  syclze__syscall(SYS_prctl, 29 /* PR_SET_TIMERSLACK */, 1000, 0, 0, 0);
#endif
  if (worker->has_former) syclze__thread_join(worker->former);
  syclze__lock_acquire(&all->lock);
  while ((task = syclze__worker_next(all, worker, &result)) != NULL) {
    bool wakes = false;
    all->running++;
    worker->runs = true;
    if (all->first != NULL) syclze__workers_call(all, &wakes);
    syclze__workers_run(all, task, result, wakes);
    worker->runs = false;
    all->running--;
  }
  worker->has_left = true;
  all->count--;
  syclze__lock_release(&all->lock);
  syclze__thread_leave();
  return (syclze__thread_result)0;
}

/* The thread's worker; null for a thread of the application. */
SYCLZE_LOCAL struct syclze__worker *syclze__worker_self(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  for (uint32_t i = 0; i < SYCLZE__WORKERS; i++)
    if (all->all[i].exists && !all->all[i].has_left &&
        syclze__thread_equal(all->all[i].thread, syclze__thread_self()))
      return &all->all[i];
  return NULL;
}

/* Runs ready tasks on this thread if no worker is free. Functions of the application run on workers
 * only, as long as there is one, since this thread may hold a lock of the application's. */
SYCLZE_LOCAL void syclze__workers_look_here(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  const bool runs_all = all->count == 0 || syclze__worker_self(all) != NULL;
  const struct syclze__look look = {SYCLZE__WORKER_LOOKS, true, !runs_all};
  struct syclze__task *task;
  ze_result_t result;
  while ((task = syclze__workers_look(all, look, &result)) != NULL) {
    all->helping++;
    syclze__workers_run(all, task, result, false);
    all->helping--;
  }
  syclze__workers_rotate(all, SYCLZE__WORKER_LOOKS);
}

/* Polls the queue in a wait of the application. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN void syclze__workers_help(void) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  bool wakes = false;
  syclze__lock_acquire(&all->lock);
  if (all->first != NULL) syclze__workers_call(all, &wakes);
  if (all->running == all->count) {
    syclze__workers_look_here(all);
    if (all->first != NULL && !wakes) syclze__workers_call(all, &wakes);
  }
  if (all->first == NULL || all->running != all->count)
    __atomic_store_n(&all->help, NULL, __ATOMIC_RELAXED);
  syclze__workers_unlock(all, wakes);
}

/* Hands over a task that must not be lost. If no thread can be created it stays queued, and later
 * calls poll it. No lock is held: ready tasks may run here. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN void syclze__workers_leave(struct syclze__task *task) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  bool wakes;
  task->failures = 0;
  syclze__lock_acquire(&all->lock);
  syclze__workers_register(all);
  const bool is_seen = syclze__workers_call(all, &wakes);
  syclze__workers_put(all, task);
  if (!is_seen) syclze__workers_look_here(all);
  syclze__workers_unlock(all, wakes);
}

/* True if all tasks have run, except one that ends the program itself. */
SYCLZE_INLINE bool syclze__workers_are_done(
    const struct syclze__workers *all, const struct syclze__worker *self) {
  SYCLZE__HELD(&all->lock);
  return all->first == NULL && all->waiting == 0 && all->helping == 0 &&
         all->running == (self != NULL ? 1 : 0);
}

/* Joins the threads that run no task any more; the lock is released meanwhile. */
SYCLZE_LOCAL void syclze__workers_join(struct syclze__workers *all) {
  SYCLZE__HELD(&all->lock);
  for (uint32_t i = 0; i < SYCLZE__WORKERS; i++) {
    struct syclze__worker *worker = &all->all[i];
    if (!worker->exists || worker->runs) continue;
    syclze__lock_release(&all->lock);
    syclze__thread_join(worker->thread);
    syclze__lock_acquire(&all->lock);
    worker->exists = worker->has_left = false;
  }
}

/* Ends the threads at exit, and when the linked image is closed. Later tasks start new ones, unless
 * some tasks were given up.
 */
SYCLZE_LOCAL void syclze__workers_end(void) {
  struct syclze__workers *all = &SYCLZE__STATE.workers;
  if (syclze__is_forked()) return; /* the threads are the parent's */
  syclze__lock_acquire(&all->lock);
  const struct syclze__worker *self = syclze__worker_self(all);
  uint32_t ended = all->ended;
  __atomic_store_n(&all->awaited, true, __ATOMIC_RELAXED);
  for (int64_t left = SYCLZE__WORKER_PATIENCE * 1000000000ll;
       !syclze__workers_are_done(all, self);) {
    bool wakes = false;
    all->woken = 0; /* the woken thread may not have run */
    const bool is_seen = all->first == NULL || syclze__workers_call(all, &wakes);
    if (wakes) syclze__word_wake(&all->change, 1);
    const long slice = is_seen ? SYCLZE__WORKER_SLICE : SYCLZE__WORKER_TICK;
    if (!is_seen) syclze__workers_look_here(all);
    if (ended != all->ended) left = SYCLZE__WORKER_PATIENCE * 1000000000ll;
    ended = all->ended;
    if (!syclze__workers_doze(all, &all->ended, ended, slice)) left -= slice;
    __atomic_store_n(&all->given_up, left <= 0, __ATOMIC_RELAXED);
    if (all->given_up) break;
  }
  const bool given_up = all->given_up;
  all->ending = true;
  __atomic_add_fetch(&all->change, 1, __ATOMIC_SEQ_CST);
  syclze__word_wake(&all->change, INT32_MAX);
  syclze__workers_join(all);
  __atomic_store_n(&all->awaited, false, __ATOMIC_RELAXED);
  all->registered = false;
  if (!given_up) all->ending = false;
  syclze__lock_release(&all->lock);
  if (given_up)
    syclze__fail(ZE_RESULT_NOT_READY, "exit",
        "work in the background was given up: what it waits for was not signalled", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
