/* The tasks and threads of worker.h in the state. All zero at first. */
#ifndef SYCLZE_DETAIL_SYNC_WORKER_SET_H
#define SYCLZE_DETAIL_SYNC_WORKER_SET_H

#include "rank.h"
#include "threads.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__WORKERS = 8 /* threads at most */ };

struct syclze__task {
  struct syclze__task *next;
  /* Waits for the task's events, at most `nanoseconds`: ZE_RESULT_NOT_READY after that. Only
   * ZE_RESULT_SUCCESS means that all are signalled. */
  ze_result_t (*wait)(struct syclze__task *task, uint64_t nanoseconds);
  /* Runs when all are signalled, or with an error when the wait has finally failed. The function
   * owns the task: it may free it, or submit it again. */
  void (*run)(struct syclze__task *task, ze_result_t result);
  uint32_t failures;   /* of `wait`, in a row */
  bool is_application; /* `run` calls a function of the application */
};

struct syclze__worker {
  syclze__thread_id thread;
  syclze__thread_id former; /* the former thread here, which `thread` joins first */
  bool exists, runs;        /* a task */
  bool has_left;            /* ended without work; to be joined */
  bool has_former;
};

struct syclze__workers {
  SYCLZE__LOCK(SYCLZE__RANK_WORKERS) lock;
  uint32_t change; /* changes when sleeping workers must wake: for a task, or the end */
  uint32_t ended;  /* changes with each completed task */
  uint32_t count, running;
  uint32_t idle;                       /* threads that sleep on `change` */
  uint32_t woken;                      /* of these, already woken: 0 or 1 */
  uint32_t waiting;                    /* in the driver, for a task each */
  uint32_t helping;                    /* threads of the application that run tasks */
  struct syclze__task *first, *last;   /* `first` is read without the lock too */
  struct syclze__task *last_ready;     /* the last of the known ready ones at the head, or null */
  const struct syclze__worker *poller; /* wakes regularly to poll the queue; null for none */
  struct syclze__worker all[SYCLZE__WORKERS];
  void (*help)(void); /* makes waiting threads of the application poll the queue; usually null */
  bool registered;    /* the end */
  bool awaited;       /* the end waits for `ended`; read without the lock too */
  bool ending;        /* idle workers end */
  bool given_up;      /* waiting workers end too; read without the lock too */
};

SYCLZE_EXTERN_C_END

#endif
