/* The threads that run host work: each task waits for native events, and then runs.
 *
 * A task whose events are not signalled yet holds a seat, of which there are few: its thread waits
 * in zeEventHostSynchronize and runs the task itself, with no thread in between. Tasks beyond the
 * seats stand in line, and whoever took the last seat looks at them every millisecond, so that what
 * is ready runs whatever stands before it. Tasks may wait for one another, by events or in their
 * own code: where all that run are stuck, one more thread comes every millisecond. Threads begin
 * with the first task and stay. Any thread may submit.
 *
 * At exit the program waits for the tasks, as long as some task ends within the patience; what is
 * still stuck then is given up and reported. */
#ifndef SYCLZE_COMMAND_WORKER_H
#define SYCLZE_COMMAND_WORKER_H

#include "../../detail/fork.h"

#include <pthread.h>
#include <time.h>

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__WORKER_SEATS = 8,
  SYCLZE__WORKER_RUNNING = 16, /* at once, unless they are stuck */
  SYCLZE__WORKER_LOOKS = 256,  /* at tasks in line, between two waits */
  SYCLZE__WORKER_TICK = 1000000,
  SYCLZE__WORKER_SLICE = 100000000,        /* nanoseconds after which a wait begins anew */
  SYCLZE__WORKER_EXIT_TIMEOUT_SLICES = 100 /* slices without an end of a task, at exit */
};

struct syclze__task {
  struct syclze__task *next;
  const ze_event_handle_t *waits; /* lives as long as the task waits */
  uint32_t wait_count;
  uint32_t waited;   /* how many of them are signalled */
  const void *owner; /* whose wait covers the task; compared, and nothing else */
  /* Runs when all are. `result` is of the first wait that failed. The task is the function's own
   * then: it may be freed, or submitted anew. */
  void (*run)(struct syclze__task *task, ze_result_t result);
};

struct syclze__worker {
  struct syclze__worker *next;
  pthread_t thread;
  const void *owner; /* of the task that runs; null for none */
};

struct syclze__workers {
  pthread_mutex_t lock;
  pthread_cond_t change; /* for idle workers: a task came, a seat became free, or the end */
  pthread_cond_t ended;  /* for the end of the program, and for who waits for tasks */
  struct syclze__task *first, **last;
  struct syclze__worker *all;
  uint32_t idle, waiting, running;
  uint64_t ends; /* of tasks */
  bool ending;   /* idle workers leave */
  bool given_up; /* and so do those that wait */
};

SYCLZE_LOCAL void *syclze__worker_main(void *argument);
SYCLZE_LOCAL void syclze__workers_end(void);
/* The workers, made by the first call; null without memory. */
SYCLZE_LOCAL struct syclze__workers *syclze__workers_get(void) {
  struct syclze__workers *there = __atomic_load_n(&SYCLZE__STATE.workers, __ATOMIC_ACQUIRE);
  if (there != NULL) return there;
  struct syclze__workers *created = (struct syclze__workers *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  pthread_mutex_init(&created->lock, NULL);
  pthread_cond_init(&created->change, NULL);
  pthread_cond_init(&created->ended, NULL);
  created->last = &created->first;
  if (__atomic_compare_exchange_n(
          &SYCLZE__STATE.workers, &there, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    atexit(syclze__workers_end);
    return created;
  }
  free(created);
  return there;
}

SYCLZE_INLINE void syclze__workers_put(struct syclze__workers *all, struct syclze__task *task) {
  task->next = NULL;
  *all->last = task;
  all->last = &task->next;
}

/* The task that is first in line; there is one. */
SYCLZE_INLINE struct syclze__task *syclze__workers_pop(struct syclze__workers *all) {
  struct syclze__task *task = all->first;
  all->first = task->next;
  if (all->first == NULL) all->last = &all->first;
  return task;
}

/* Sees to it that somebody looks at the line, with the lock held; false if there is nobody. */
SYCLZE_LOCAL bool syclze__workers_call(struct syclze__workers *all) {
  if (all->idle > 0) {
    pthread_cond_signal(&all->change);
    return true;
  }
  struct syclze__worker *worker = (struct syclze__worker *)calloc(1, sizeof *worker);
  if (worker != NULL && pthread_create(&worker->thread, NULL, syclze__worker_main, worker) == 0) {
    worker->next = all->all;
    all->all = worker;
    return true;
  }
  free(worker);
  return all->all != NULL;
}

/* Hands a task to the workers. Fails without memory or threads; then the task is as it was. */
SYCLZE_LOCAL ze_result_t syclze__workers_submit(struct syclze__task *task) {
  struct syclze__workers *all;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  all = syclze__workers_get();
  if (all == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&all->lock);
  bool somebody = syclze__workers_call(all);
  if (somebody) syclze__workers_put(all, task);
  pthread_mutex_unlock(&all->lock);
  return somebody ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* The same, without failure: where no thread can be had, the task waits in line for the next one.
 * It is a worker that submits, as a rule. */
SYCLZE_LOCAL void syclze__workers_submit_any(struct syclze__task *task) {
  struct syclze__workers *all = syclze__workers_get();
  if (all == NULL) return;
  pthread_mutex_lock(&all->lock);
  syclze__workers_call(all);
  syclze__workers_put(all, task);
  pthread_mutex_unlock(&all->lock);
}

/* Waits for the lock's condition for some nanoseconds; false when they are over. */
SYCLZE_INLINE bool syclze__workers_doze(
    struct syclze__workers *all, pthread_cond_t *condition, long nanoseconds) {
  struct timespec until;
#ifdef _WIN32
  clock_gettime(CLOCK_REALTIME, &until);
#else
  timespec_get(&until, TIME_UTC);
#endif
  until.tv_nsec += nanoseconds;
  if (until.tv_nsec >= 1000000000L) {
    until.tv_nsec -= 1000000000L;
    until.tv_sec++;
  }
  return pthread_cond_timedwait(condition, &all->lock, &until) == 0;
}

/* The next task for a thread of its own, with the lock held; null at the end. */
SYCLZE_LOCAL struct syclze__task *syclze__worker_next(struct syclze__workers *all) {
  bool stuck = false;
  while (all->first == NULL || all->waiting >= SYCLZE__WORKER_SEATS ||
         (all->running >= SYCLZE__WORKER_RUNNING && !stuck)) {
    uint64_t ends = all->ends;
    if (all->ending) return NULL;
    all->idle++;
    if (all->first != NULL && all->waiting < SYCLZE__WORKER_SEATS)
      stuck = !syclze__workers_doze(all, &all->change, SYCLZE__WORKER_TICK) && ends == all->ends;
    else
      pthread_cond_wait(&all->change, &all->lock);
    all->idle--;
  }
  return syclze__workers_pop(all);
}

/* Waits for the task's next events, together at most so many nanoseconds. */
SYCLZE_INLINE ze_result_t syclze__task_wait(struct syclze__task *task, uint64_t nanoseconds) {
  while (task->waited < task->wait_count) {
    ze_event_handle_t event = task->waits[task->waited];
    ze_result_t result = SYCLZE__ZE(zeEventHostSynchronize)(event, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
    task->waited++;
  }
  return ZE_RESULT_SUCCESS;
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

/* Waits on a seat until a task is ready, as a rule the one given. With the lock held, but for the
 * waits. ZE_RESULT_NOT_READY when it was given up. */
SYCLZE_LOCAL ze_result_t syclze__worker_wait(
    struct syclze__workers *all, struct syclze__task **task) {
  ze_result_t result;
  all->waiting++;
  for (;;) {
    bool last_seat = all->waiting == SYCLZE__WORKER_SEATS;
    if (!last_seat && all->first != NULL) syclze__workers_call(all);
    pthread_mutex_unlock(&all->lock);
    result = syclze__task_wait(*task, last_seat ? SYCLZE__WORKER_TICK : SYCLZE__WORKER_SLICE);
    pthread_mutex_lock(&all->lock);
    if (result == ZE_RESULT_NOT_READY && all->first != NULL)
      result = syclze__worker_look(all, task);
    if (result != ZE_RESULT_NOT_READY || all->given_up) break;
  }
  all->waiting--;
  return result;
}

SYCLZE_LOCAL void *syclze__worker_main(void *argument) {
  struct syclze__worker *worker = (struct syclze__worker *)argument;
  struct syclze__workers *all = __atomic_load_n(&SYCLZE__STATE.workers, __ATOMIC_ACQUIRE);
  struct syclze__task *task;
  pthread_mutex_lock(&all->lock);
  while ((task = syclze__worker_next(all)) != NULL) {
    ze_result_t result = syclze__worker_wait(all, &task);
    if (result == ZE_RESULT_NOT_READY) {
      syclze__workers_put(all, task);
      break;
    }
    all->running++;
    worker->owner = task->owner;
    if (all->first != NULL) syclze__workers_call(all);
    pthread_mutex_unlock(&all->lock);
    task->run(task, result);
    pthread_mutex_lock(&all->lock);
    worker->owner = NULL;
    all->running--;
    all->ends++;
    pthread_cond_broadcast(&all->ended);
  }
  pthread_mutex_unlock(&all->lock);
  return NULL;
}

/* Whether some thread runs a task of the owner. With the lock held. */
SYCLZE_LOCAL bool syclze__workers_run(const struct syclze__workers *all, const void *owner) {
  const struct syclze__worker *worker = all->all;
  while (worker != NULL && worker->owner != owner)
    worker = worker->next;
  return worker != NULL;
}

/* Waits until the owner's number of tasks, which each of them counts down, is zero, and the last of
 * them has let go of everything. */
SYCLZE_LOCAL void syclze__workers_wait(const void *owner, const uint32_t *tasks) {
  struct syclze__workers *all = __atomic_load_n(&SYCLZE__STATE.workers, __ATOMIC_ACQUIRE);
  if (all == NULL || syclze__is_forked()) return;
  pthread_mutex_lock(&all->lock);
  while (__atomic_load_n(tasks, __ATOMIC_ACQUIRE) != 0 || syclze__workers_run(all, owner))
    pthread_cond_wait(&all->ended, &all->lock);
  pthread_mutex_unlock(&all->lock);
}

/* All tasks have run, but for one that ends the program itself. */
SYCLZE_INLINE bool syclze__workers_are_done(
    const struct syclze__workers *all, const struct syclze__worker *self) {
  return all->first == NULL && all->waiting == 0 && all->running == (self != NULL ? 1 : 0);
}

SYCLZE_LOCAL void syclze__workers_end(void) {
  struct syclze__workers *all = __atomic_load_n(&SYCLZE__STATE.workers, __ATOMIC_ACQUIRE);
  if (syclze__is_forked()) return; /* the threads are the parent's */
  pthread_mutex_lock(&all->lock);
  struct syclze__worker *self = all->all;
  while (self != NULL && !pthread_equal(self->thread, pthread_self()))
    self = self->next;
  uint64_t ends = all->ends;
  for (int slices = 0; !syclze__workers_are_done(all, self) && !all->given_up;) {
    if (!syclze__workers_doze(all, &all->ended, SYCLZE__WORKER_SLICE)) slices++;
    if (ends != all->ends) slices = 0;
    ends = all->ends;
    all->given_up = slices == SYCLZE__WORKER_EXIT_TIMEOUT_SLICES;
  }
  all->ending = true;
  pthread_cond_broadcast(&all->change);
  bool given_up = all->given_up;
  struct syclze__worker *worker = all->all;
  all->all = NULL;
  while (worker != NULL) {
    struct syclze__worker *next = worker->next;
    bool runs = worker->owner != NULL;
    pthread_mutex_unlock(&all->lock);
    if (!runs) {
      pthread_join(worker->thread, NULL);
      free(worker);
    }
    pthread_mutex_lock(&all->lock);
    worker = next;
  }
  pthread_mutex_unlock(&all->lock);
  if (given_up)
    syclze__fail(ZE_RESULT_NOT_READY, "exit",
        "host tasks were given up: what they wait for was not signalled", NULL);
}

SYCLZE_EXTERN_C_END

#endif
