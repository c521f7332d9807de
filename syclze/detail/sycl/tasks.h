/* Host tasks of SYCL's that this library submits: they signal events, or wait for them. Those that
 * signal are joins. */
#ifndef SYCLZE_DETAIL_SYCL_TASKS_H
#define SYCLZE_DETAIL_SYCL_TASKS_H

#include "shared.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The data of a host task of SYCL's, with references to its events. */
struct syclze__sycl_task {
  uint32_t references;
  bool signals;           /* the events; else waits for them */
  syclze_event events[2]; /* may be null */
};

/* A command group of SYCL's, as it is submitted. */
struct syclze__sycl_submission {
  const struct syclze__sycl *sycl;
  struct syclze__sycl_vector events; /* that the task depends on */
  struct syclze__sycl_function task;
};

/* True if SYCL's event has a native one. The runtime answers no other question about the event of a
 * host task: those for its backend and its native event end the process. */
SYCLZE_LOCAL bool syclze__sycl_event_has_native(
    const struct syclze__sycl *sycl, const void *event) {
  return sycl->event_references(event) != 0;
}

SYCLZE_LOCAL bool syclze__sycl_event_is_complete(
    const struct syclze__sycl *sycl, const void *event) {
  return sycl->event_status(event) == SYCLZE__SYCL_COMPLETE;
}

/* True for a pending host task, and a command behind one. */
SYCLZE_LOCAL bool syclze__sycl_event_is_held(const struct syclze__sycl *sycl, const void *event) {
  return !syclze__sycl_event_has_native(sycl, event) &&
         !syclze__sycl_event_is_complete(sycl, event);
}

SYCLZE_INLINE struct syclze__status syclze__sycl_check_executing(
    const struct syclze__sycl *sycl, const void *queue) {
  if (sycl->queue_state(queue) == SYCLZE__SYCL_EXECUTING) return syclze__allowed();
  return syclze__invalid(
      "the queue records to a command graph of SYCL's, which takes no native commands");
}

SYCLZE_LOCAL bool syclze__sycl_task_manage(void **to, void *const *from, int operation) {
  struct syclze__sycl_task *task;
  switch (operation) {
  case SYCLZE__SYCL_CLONE:
    task = (struct syclze__sycl_task *)from[0];
    __atomic_fetch_add(&task->references, 1, __ATOMIC_RELAXED);
    to[0] = task;
    break;
  case SYCLZE__SYCL_DESTROY:
    task = (struct syclze__sycl_task *)to[0];
    if (__atomic_sub_fetch(&task->references, 1, __ATOMIC_ACQ_REL) != 0) break;
    for (uint32_t i = 0; i < 2; i++)
      (void)syclze_event_release(task->events[i]);
    free(task);
    break;
  default:
    to[0] = operation == SYCLZE__SYCL_ADDRESS_OF ? (void *)(uintptr_t)from : NULL;
  }
  return false;
}

SYCLZE_LOCAL void syclze__sycl_task_run(void *const *data, void *unused) {
  const struct syclze__sycl_task *task = (const struct syclze__sycl_task *)data[0];
  (void)unused;
  for (uint32_t i = 0; i < 2; i++)
    if (task->events[i].rep != NULL) {
      if (task->signals)
        (void)SYCLZE__ZE(zeEventHostSignal)(syclze_event_get_native(task->events[i]));
      else
        (void)syclze_event_wait(task->events[i]);
    }
}

SYCLZE_LOCAL void syclze__sycl_task_group(const void *object, void *handler) {
  struct syclze__sycl_submission *submission = (struct syclze__sycl_submission *)(uintptr_t)object;
  submission->sycl->handler_depends_on(handler, &submission->events);
  submission->sycl->handler_host_task(handler, &submission->task);
}

/* Submits a host task behind the events to SYCL's queue. Takes the references to `first` and
 * `second`, which may be null, also on failure. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_submit(const struct syclze__sycl *sycl,
    const void *queue, struct syclze__sycl_vector events, bool signals, syclze_event first,
    syclze_event second, struct syclze__sycl_object *submitted) {
  const uint64_t defaults[16] = {0}; /* of a submission and of a place in the source */
  struct syclze__sycl_task *task = (struct syclze__sycl_task *)calloc(1, sizeof *task);
  struct syclze__sycl_submission submission;
  struct {
    const void *object;
    void (*call)(const void *object, void *handler);
  } group = {&submission, syclze__sycl_task_group};
  struct syclze__status status =
      sycl->missing[SYCLZE__SYCL_TASK] == NULL
          ? syclze__allowed()
          : syclze__unsupported("host tasks are pending, and the SYCL runtime (libsycl) "
                                "exports no submission of a host task");
  if (task == NULL) status = syclze__out_of_memory();
  if (status.result != ZE_RESULT_SUCCESS) {
    (void)syclze_event_release(first);
    (void)syclze_event_release(second);
    free(task);
    return status;
  }
  task->references = 1;
  task->signals = signals;
  task->events[0] = first;
  task->events[1] = second;
  memset(&submission, 0, sizeof submission);
  submission.sycl = sycl;
  submission.events = events;
  submission.task.data[0] = task;
  submission.task.manage = syclze__sycl_task_manage;
  submission.task.call = syclze__sycl_task_run;
  const struct syclze__sycl_result event =
      sycl->queue_submit(queue, &group, defaults, defaults, true);
  /* Null after a move. */
  if (submission.task.manage != NULL)
    (void)submission.task.manage(submission.task.data, submission.task.data, SYCLZE__SYCL_DESTROY);
  *submitted = syclze__sycl_object_of(&event);
  return status;
}

/* Forgets the joins that SYCL has started. The others are in `pending`, with a reference to each,
 * where that is not null. */
SYCLZE_LOCAL uint32_t syclze__sycl_joins_prune(
    struct syclze__sycl *sycl, struct syclze__sycl_object *pending) {
  const uint32_t former = sycl->join_count;
  uint32_t left = 0;
  for (uint32_t i = 0; i < former; i++) {
    struct syclze__sycl_object weak = sycl->joins[i], join = weak;
    const bool exists = syclze__sycl_lock_weak(&weak),
               is_held = exists && syclze__sycl_event_is_held(sycl, &join);
    if (is_held && pending != NULL)
      pending[left] = join;
    else if (exists)
      syclze__sycl_release(&join);
    if (is_held)
      sycl->joins[left++] = weak;
    else
      syclze__sycl_release_weak(&weak);
  }
  return sycl->join_count = left;
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_joins_add(
    struct syclze__sycl *sycl, const struct syclze__sycl_object *join) {
  struct syclze__status status = syclze__allowed();
  syclze__sycl_mutex_acquire(&sycl->joins_mutex);
  if (syclze__sycl_joins_prune(sycl, NULL) == sycl->join_capacity) {
    const uint32_t capacity = 2 * sycl->join_capacity + 8;
    struct syclze__sycl_object *joins =
        (struct syclze__sycl_object *)realloc((void *)sycl->joins, capacity * sizeof *joins);
    if (joins == NULL)
      status = syclze__out_of_memory();
    else {
      sycl->joins = joins;
      sycl->join_capacity = capacity;
    }
  }
  if (status.result == ZE_RESULT_SUCCESS)
    sycl->joins[sycl->join_count++] = syclze__sycl_retain_weak(join);
  syclze__sycl_mutex_release(&sycl->joins_mutex);
  return status;
}

/* The joins that SYCL has not started, in allocated memory, with a reference to each. Null without
 * memory. */
SYCLZE_LOCAL struct syclze__sycl_object *syclze__sycl_joins_pending(
    struct syclze__sycl *sycl, uint32_t *count) {
  syclze__sycl_mutex_acquire(&sycl->joins_mutex);
  struct syclze__sycl_object *pending =
      (struct syclze__sycl_object *)calloc(sycl->join_count + 1, sizeof *pending);
  *count = pending != NULL ? syclze__sycl_joins_prune(sycl, pending) : 0;
  syclze__sycl_mutex_release(&sycl->joins_mutex);
  return pending;
}

/* A new event of this library's, which is signalled once SYCL's is complete. `task` is SYCL's last
 * in the queue afterwards. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_join(struct syclze__sycl *sycl, const void *queue,
    const void *event, syclze_context context, syclze_event *joined,
    struct syclze__sycl_object *task) {
  struct syclze__sycl_object awaited = *(const struct syclze__sycl_object *)event;
  const ze_result_t result = syclze_event_create(context, 0, joined);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "syclze_event_create failed");
  const syclze_event none = {NULL};
  (void)syclze_event_retain(*joined);
  struct syclze__status status = syclze__sycl_submit(
      sycl, queue, syclze__sycl_vector_of(&awaited, sizeof awaited), true, *joined, none, task);
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__sycl_joins_add(sycl, task);
    if (status.result != ZE_RESULT_SUCCESS) syclze__sycl_release(task);
  }
  if (status.result != ZE_RESULT_SUCCESS) (void)syclze_event_release(*joined);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
