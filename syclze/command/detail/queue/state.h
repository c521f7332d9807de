/* The state of a queue: its native order, its last commands, and the events that later ones wait
 * for.
 *
 * The first submission creates it; it is freed when the queue is released and no access refers to
 * it. On 64 bits a submission with an event takes 192 bytes until a later one finds that event
 * signalled (pending.h), and each of its accesses 120 (access.h) while work may have to wait for
 * it.
 *
 * The lock protects all members except the constant ones.
 *
 * Without an obstacle a command is appended at once, and the native list orders it:
 *
 * | obstacle     begins                                  ends
 * | KIND         queue_state_create                      with the state
 * | AFTER        queue_state_set_after of an event       queue_state_set_after of null
 * | BARRIER      queue_state_set_barrier, if deferred    deferred_complete, and
 * |                                                      queue_state_set_barrier of null
 * | LENT         queue_state_lend, first borrower        host_task_return, last borrower
 * | RECORDING    queue_state_set_recording of a graph's  queue_state_set_recording of null
 */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_STATE_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_STATE_H

#include "../../../queue.h"
#include "../../../detail/sync/lock.h"
#include "../../../detail/sync/worker_set.h"
#include "../plain/wait_list.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__recording;
struct syclze__regular_list;

/* Reasons why a command without requirements and event cannot simply be appended to the native
 * list. */
enum {
  SYCLZE__OBSTACLE_KIND = 1,    /* a command queue, or an in-order queue on an out-of-order list */
  SYCLZE__OBSTACLE_AFTER = 2,   /* `after` is not null */
  SYCLZE__OBSTACLE_BARRIER = 4, /* `barrier` is deferred, and not in the native list */
  SYCLZE__OBSTACLE_LENT = 8,    /* `borrowers` is not null */
  SYCLZE__OBSTACLE_RECORDING = 16 /* `recording` is not null */
};

/* The signals of deferred_signal.h. */
struct syclze__signals {
  struct syclze__task task; /* for the first of the submissions */
  struct syclze__event *first, *last;
  uint32_t waited; /* events of the first's wait list that are signalled */
  SYCLZE__LOCK(SYCLZE__RANK_SIGNALS) lock;
};

/* A host task that uses the native list. */
struct syclze__borrower {
  struct syclze__borrower *next;
  struct syclze__event *done; /* of its group */
};

struct syclze__queue_state {
  struct syclze__attachment attachment; /* of the queue */
  struct syclze__queue *queue;
  SYCLZE__LOCK(SYCLZE__RANK_QUEUE) lock;
  /* Lower half: references, one of the queue and one of each access by position or in order. Upper
   * half: tasks of the workers that the queue's wait covers. */
  uint64_t holds;
  uint32_t task_waits; /* threads that sleep until there are no such tasks */
  /* Tasks, in `holds` or not, without a pending submission of this queue: they wait for other work,
   * or call the application. */
  uint32_t open_tasks;
  uint32_t obstacles;
  bool in_order;            /* each command waits for the one before */
  bool driver_in_order;     /* the native list runs its commands in order, whatever the queue does,
                               and its appends do not block */
  bool is_synchronous;      /* an immediate list whose appends return once the work is done */
  bool waits_apart;         /* synchronous, or waited for by low-power events */
  bool is_list;             /* an immediate list */
  bool is_ordered;          /* the native list orders its commands as the queue demands */
  uint8_t event_kind;       /* syclze__event_kind; with times while tags are on their way, too */
  bool has_plain_launches;  /* kernels were launched without an event that keeps them */
  bool has_host_work;       /* the host may have to signal pending submissions */
  bool is_unmarked;         /* released without memory for its last marker */
  bool has_ended;           /* the queue is destroyed, and all its work done */
  uint64_t order;           /* the state's number in its context, where the native list has the
                               queue's order; else 0 */
  uint64_t position;        /* of the last appended command, from 1 */
  uint64_t marker_position; /* `marker` covers all commands up to this one */
  struct syclze__event *marker; /* null for none, or once it is done; one of `first` */
  struct syclze__event *after; /* an in-order queue's next submission waits for it; null for none */
  bool is_after_listed;        /* a command of the native list signals `after` */
  struct syclze__event *barrier; /* commands outside the native list's order wait for it; or null */
  /* The last barrier that waits for all earlier work, one of `first`; null if none is pending. */
  const struct syclze__event *cut;
  /* Host tasks that borrow the native list: nothing else is appended to it until they end. */
  struct syclze__borrower *borrowers;
  /* Events of pending submissions, oldest first. A wait reads `first` without the lock. */
  struct syclze__event *first, **last;
  struct syclze__regular_list *idle;
  /* The event for the marker at a kept list's release, which cannot be appended later; or null. */
  struct syclze__event *reserve;
  uint64_t run_position; /* of the last run of a graph whose accesses are not recorded (runs.h) */
  uint64_t lost;         /* memory objects that the queue owned once (access.h) */
  struct syclze__signals signals;
  /* The recording while the queue records to a graph (recording.h); else null. Written with the
   * lock. */
  struct syclze__recording *recording;
  uint32_t tags; /* profiling tags being submitted (queue_order.h) */
  /* Ended with the queue; or null. Protected by the lock of the context's pools (memory_pool.h). */
  struct syclze__attachment *attached;
  /* Ends the queue after its release, once pending work is done. */
  struct syclze__task task;
  const struct syclze__event *left; /* the first event that the task has not seen signalled */
};

/* Null before the queue's first submission. */
SYCLZE_INLINE struct syclze__queue_state *syclze__queue_state_get(
    const struct syclze__queue *queue) {
  return (struct syclze__queue_state *)(void *)__atomic_load_n(&queue->state, __ATOMIC_ACQUIRE);
}

SYCLZE_INLINE bool syclze__queue_state_records(const struct syclze__queue_state *state) {
  return __atomic_load_n(&state->recording, __ATOMIC_RELAXED) != NULL;
}

/* True if the queue, which may be null, records a graph. */
SYCLZE_INLINE bool syclze__queue_records(const struct syclze__queue *queue) {
  const struct syclze__queue_state *state = queue != NULL ? syclze__queue_state_get(queue) : NULL;
  return state != NULL && syclze__queue_state_records(state);
}

#if SYCLZE__BODIES

SYCLZE_INLINE void syclze__queue_state_retain(struct syclze__queue_state *state) {
  __atomic_fetch_add(&state->holds, 1, __ATOMIC_RELAXED);
}

SYCLZE_LOCAL void syclze__queue_state_free(struct syclze__queue_state *state) {
  free(state);
}

SYCLZE_INLINE void syclze__queue_state_release(struct syclze__queue_state *state) {
  if (__atomic_sub_fetch(&state->holds, 1, __ATOMIC_ACQ_REL) == 0) syclze__queue_state_free(state);
}

#define SYCLZE__TASK_HOLD ((uint64_t)1 << 32)

/* The half of `holds` that counts tasks, to sleep on. */
SYCLZE_INLINE uint32_t *syclze__queue_state_tasks(struct syclze__queue_state *state) {
  return (uint32_t *)(void *)&state->holds + (__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__);
}

SYCLZE_INLINE void syclze__queue_state_begin_task(struct syclze__queue_state *state) {
  __atomic_fetch_add(&state->holds, SYCLZE__TASK_HOLD, __ATOMIC_RELAXED);
}

SYCLZE_INLINE void syclze__queue_state_open_task(struct syclze__queue_state *state) {
  __atomic_fetch_add(&state->open_tasks, 1, __ATOMIC_RELAXED);
}

SYCLZE_INLINE void syclze__queue_state_close_task(struct syclze__queue_state *state) {
  __atomic_fetch_sub(&state->open_tasks, 1, __ATOMIC_RELEASE);
}

/* Records an error of a task, whose handler may release the queue. */
SYCLZE_LOCAL void syclze__queue_state_failed(struct syclze__queue_state *state, ze_result_t error) {
  syclze__queue_state_open_task(state);
  syclze__queue_failed(state->queue, error);
  syclze__queue_state_close_task(state);
}

/* True if only last steps of tasks, which wait for nothing, are left once all pending submissions
 * are done. */
SYCLZE_INLINE bool syclze__queue_state_tasks_end(const struct syclze__queue_state *state) {
  return __atomic_load_n(&state->open_tasks, __ATOMIC_ACQUIRE) == 0;
}

SYCLZE_INLINE uint32_t syclze__queue_state_task_count(const struct syclze__queue_state *state) {
  return (uint32_t)(__atomic_load_n(&state->holds, __ATOMIC_SEQ_CST) >> 32);
}

SYCLZE_INLINE bool syclze__queue_state_has_ended_tasks(const struct syclze__queue_state *state) {
  return syclze__queue_state_tasks_end(state) && syclze__queue_state_task_count(state) == 0;
}

/* The last step of a task, which holds nothing else of the queue. Before others can see its signals
 * it drops its reference to the queue, so that the application's releases end the queue and its
 * context if the work is done. The queue is not destroyed before its last task reaches this. */
SYCLZE_LOCAL_WARM void syclze__queue_state_end_task(struct syclze__queue_state *state) {
  uint32_t *tasks = syclze__queue_state_tasks(state);
  const bool waits = __atomic_load_n(&state->task_waits, __ATOMIC_SEQ_CST) != 0;
  const uint64_t left = __atomic_sub_fetch(&state->holds, SYCLZE__TASK_HOLD, __ATOMIC_SEQ_CST);
  if (left == 0)
    syclze__queue_state_free(state);
  else if (waits && left < SYCLZE__TASK_HOLD)
    syclze__word_wake(tasks, INT32_MAX);
}

/* Waits until the last step of the queue's last task. */
SYCLZE_LOCAL void syclze__queue_state_await_tasks(struct syclze__queue_state *state) {
  uint32_t *tasks = syclze__queue_state_tasks(state), count;
  if (syclze__is_forked()) return;
  __atomic_add_fetch(&state->task_waits, 1, __ATOMIC_SEQ_CST);
  while ((count = syclze__queue_state_task_count(state)) != 0) {
    if (syclze__word_sleep(tasks, count, SYCLZE__LOCK_SLEEP)) continue;
    void (*help)(void) = __atomic_load_n(&SYCLZE__STATE.workers.help, __ATOMIC_RELAXED);
    if (help != NULL) help();
  }
  __atomic_sub_fetch(&state->task_waits, 1, __ATOMIC_SEQ_CST);
}

/* Creates an event of the queue's kind. */
SYCLZE_INLINE ze_result_t syclze__queue_event(
    const struct syclze__queue_state *state, struct syclze__event **event) {
  return syclze__event_acquire(
      state->queue->context, (enum syclze__event_kind)state->event_kind, event);
}

/* Checks the state's invariants, whenever its lock is released. */
SYCLZE_INLINE void syclze__queue_state_check(const struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  SYCLZE__ASSERT(((state->obstacles & SYCLZE__OBSTACLE_AFTER) != 0) == (state->after != NULL));
  SYCLZE__ASSERT((state->obstacles & SYCLZE__OBSTACLE_BARRIER) == 0 || state->barrier != NULL);
  SYCLZE__ASSERT(((state->obstacles & SYCLZE__OBSTACLE_LENT) != 0) == (state->borrowers != NULL));
  SYCLZE__ASSERT(
      ((state->obstacles & SYCLZE__OBSTACLE_RECORDING) != 0) == (state->recording != NULL));
  SYCLZE__ASSERT(state->marker_position <= state->position);
  SYCLZE__ASSERT(state->first != NULL || state->last == &state->first);
  SYCLZE__ASSERT(state->first != NULL || (state->marker == NULL && state->cut == NULL));
  (void)state;
}

SYCLZE_LOCAL void syclze__queue_state_wake(struct syclze__queue_state *state) {
  syclze__lock_wake(&state->lock);
}

SYCLZE_INLINE void syclze__queue_state_unlock(struct syclze__queue_state *state)
    SYCLZE__RELEASES(state->lock.any);

/* Releases the lock: as syclze__lock_release, without the lock's address in a register. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN void syclze__queue_state_unlock(
    struct syclze__queue_state *state) {
  syclze__queue_state_check(state);
  if (SYCLZE__UNLIKELY(syclze__lock_clear(&state->lock))) syclze__queue_state_wake(state);
}

/* Sets the event that the next submission of an in-order queue waits for, or null. */
SYCLZE_INLINE void syclze__queue_state_set_after(
    struct syclze__queue_state *state, struct syclze__event *event) {
  SYCLZE__HELD(&state->lock);
  syclze__event_assign(&state->after, event);
  state->is_after_listed = false;
  if (event != NULL)
    state->obstacles |= SYCLZE__OBSTACLE_AFTER;
  else
    state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_AFTER;
}

/* Sets the barrier that later work waits for, or null once it is done. */
SYCLZE_INLINE void syclze__queue_state_set_barrier(
    struct syclze__queue_state *state, struct syclze__event *event, bool is_deferred) {
  SYCLZE__HELD(&state->lock);
  syclze__event_assign(&state->barrier, event);
  if (is_deferred)
    state->obstacles |= SYCLZE__OBSTACLE_BARRIER;
  else if (event == NULL)
    state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_BARRIER;
}

/* Sets where submissions go from here on; null ends the recording. */
SYCLZE_INLINE void syclze__queue_state_set_recording(
    struct syclze__queue_state *state, struct syclze__recording *recording) {
  if (recording != NULL)
    state->obstacles |= SYCLZE__OBSTACLE_RECORDING;
  else
    state->obstacles &= ~(uint32_t)SYCLZE__OBSTACLE_RECORDING;
  __atomic_store_n(&state->recording, recording, __ATOMIC_RELEASE);
}

/* Sets the event of a pending submission that covers all commands of the native list so far. */
SYCLZE_INLINE void syclze__queue_state_set_marker(
    struct syclze__queue_state *state, struct syclze__event *event) {
  SYCLZE__HELD(&state->lock);
  state->marker = event;
  state->marker_position = state->position;
}

#endif

SYCLZE_EXTERN_C_END

#endif
