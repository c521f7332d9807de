/* The tasks and threads of worker.h, as the state holds them. All zero at first. */
#ifndef SYCLZE_DETAIL_SYNC_WORKER_SET_H
#define SYCLZE_DETAIL_SYNC_WORKER_SET_H

#include "rank.h"
#include "threads.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__WORKERS = 8 /* threads at most */ };

struct syclze__task {
  struct syclze__task *next;
  /* Waits for what the task waits for, at most so many nanoseconds: ZE_RESULT_NOT_READY when that
   * is not done by then. Only ZE_RESULT_SUCCESS means that all is done. */
  ze_result_t (*wait)(struct syclze__task *task, uint64_t nanoseconds);
  /* Runs when all is done; or with an error, when waiting failed for good. The task is the
   * function's own then: it may be freed, or submitted anew. */
  void (*run)(struct syclze__task *task, ze_result_t result);
  uint32_t failures;   /* of `wait`, in a row */
  bool is_application; /* `run` calls a function of the application */
};

struct syclze__worker {
  syclze__thread_id thread;
  syclze__thread_id former; /* of this place, which `thread` joins first */
  bool exists, runs;        /* a task */
  bool has_left;            /* for want of work; to be joined */
  bool has_former;
};

struct syclze__workers {
  SYCLZE__LOCK(SYCLZE__RANK_WORKERS) lock;
  uint32_t change; /* moves when sleeping workers have to look: a task came, or the end */
  uint32_t ended;  /* moves with each task that has run */
  uint32_t count, running;
  uint32_t idle;                     /* threads that sleep on `change` */
  uint32_t woken;                    /* of these, on their way to the line: 0 or 1 */
  uint32_t waiting;                  /* in the driver, for a task each */
  uint32_t helping;                  /* threads of the application that run tasks */
  struct syclze__task *first, *last; /* `first` is read without the lock too */
  struct syclze__task *last_ready;   /* of those at the head that are known to be ready, or null */
  const struct syclze__worker *poller; /* wakes by itself to look at the line; null for none */
  struct syclze__worker all[SYCLZE__WORKERS];
  void (*help)(void); /* has waiting threads of the application look at the line; null as a rule */
  bool registered;    /* the end */
  bool awaited;       /* the end waits for `ended`; read without the lock too */
  bool ending;        /* idle workers leave */
  bool given_up;      /* and so do those that wait; read without the lock too */
};

SYCLZE_EXTERN_C_END

#endif
