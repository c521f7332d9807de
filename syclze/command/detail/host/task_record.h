/* Records of host tasks and native commands, kept until they have run. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_TASK_RECORD_H
#define SYCLZE_COMMAND_DETAIL_HOST_TASK_RECORD_H

#include "../submit/submission.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__HOST_TASK_WAITS = 2, SYCLZE__HOST_TASK_ACCESSORS = 1 }; /* without an allocation */

/* Same type as syclze_host_function, which host_task.h declares. */
typedef ze_result_t (*syclze__host_function)(syclze_interop_handle handle, void *argument);

struct syclze__host_task {
  struct syclze__interop interop; /* first: the slot */
  struct syclze__event_task events;
  struct syclze__deferral deferral; /* of the events that are open */
  syclze__host_function function;   /* null once it has run */
  void *argument;
  struct syclze__dependent
      *dependents;                   /* one for each event; they live until `done` is signalled */
  void *more_waits, *more_accessors; /* allocations that stay; null for none */
  uint32_t wait_room, accessor_room; /* in these */
  struct syclze__trace_node *traced; /* null unless it is traced */
  struct syclze__event *left; /* marks commands that the function left in its native list; with a
                                 reference, null for none */
  bool keeps;                 /* has references to the queue and the event of the group */
  struct syclze__dependent few_dependents[SYCLZE__HOST_TASK_WAITS];
  ze_event_handle_t few_waits[SYCLZE__HOST_TASK_WAITS];
  void *few_memories[SYCLZE__HOST_TASK_ACCESSORS];
  syclze_accessor few_accessors[SYCLZE__HOST_TASK_ACCESSORS];
};

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__host_task_end(struct syclze__slot *slot) {
  const struct syclze__host_task *host = (const struct syclze__host_task *)(void *)slot;
  free(host->interop.events);
  free(host->more_waits);
  free(host->more_accessors);
}

/* Takes a record from a slab in every configuration, since stale handles refer to it. The record
 * keeps its arrays. Null without memory. */
SYCLZE_INLINE struct syclze__host_task *syclze__host_task_acquire(void) {
  struct syclze__pool *pool = &SYCLZE__STATE.pools[SYCLZE__POOL_HOST_TASK];
  void *taken = syclze__pool_take(pool);
  if (SYCLZE__UNLIKELY(taken == NULL)) {
    __atomic_store_n(&pool->end, &syclze__host_task_end, __ATOMIC_RELAXED);
    taken = syclze__pool_acquire_lasting(pool, sizeof(struct syclze__host_task));
  }
  return (struct syclze__host_task *)taken;
}

/* Releases all that the record holds except its reference to the group's event, which is returned.
 */
SYCLZE_LOCAL_WARM struct syclze__event *syclze__host_task_free(struct syclze__host_task *host) {
  struct syclze__event *done = host->interop.borrower.done;
  syclze_queue queue = {host->interop.queue};
  const bool keeps = host->keeps;
  syclze__pool_release(&host->interop.slot);
  if (keeps) syclze__queue_release_impl(queue);
  return done;
}

SYCLZE_LOCAL void syclze__host_task_release(struct syclze__host_task *host) {
  syclze__event_release(syclze__host_task_free(host));
}

/* Makes room for a number of elements in an allocation that stays; false without memory. */
SYCLZE_LOCAL bool syclze__host_task_room(
    void **array, uint32_t *room, uint32_t count, size_t size) {
  if (count <= *room) return true;
  void *larger = realloc(*array, count * size);
  if (larger == NULL) return false;
  *array = larger;
  *room = count;
  return true;
}

/* Makes room for the group's accessors and a wait list; false without memory. */
SYCLZE_INLINE bool syclze__host_task_reserve(
    struct syclze__host_task *host, uint32_t accessors, uint32_t waits) {
  const size_t accessor_size = sizeof(syclze_accessor) + sizeof(void *);
  const size_t wait_size = sizeof(struct syclze__dependent) + sizeof(ze_event_handle_t);
  host->interop.accessors = host->few_accessors;
  host->interop.memories = host->few_memories;
  host->dependents = host->few_dependents;
  host->events.waits = host->few_waits;
  if (SYCLZE__UNLIKELY(accessors > SYCLZE__HOST_TASK_ACCESSORS)) {
    if (!syclze__host_task_room(
            &host->more_accessors, &host->accessor_room, accessors, accessor_size))
      return false;
    host->interop.accessors = (syclze_accessor *)host->more_accessors;
    host->interop.memories =
        (void **)(void *)((char *)host->more_accessors + accessors * sizeof(syclze_accessor));
  }
  if (SYCLZE__UNLIKELY(waits > SYCLZE__HOST_TASK_WAITS)) {
    if (!syclze__host_task_room(&host->more_waits, &host->wait_room, waits, wait_size))
      return false;
    host->dependents = (struct syclze__dependent *)host->more_waits;
    host->events.waits = (ze_event_handle_t *)(void *)(host->dependents + waits);
  }
  return true;
}

/* Keeps the queue and the event of the group until the record is released. */
SYCLZE_INLINE void syclze__host_task_keep(struct syclze__host_task *host) {
  host->keeps = true;
  syclze__ref_retain(&host->interop.queue->ref);
  syclze__ref_retain(&host->interop.borrower.done->ref);
}

SYCLZE_INLINE void syclze__host_task_init(struct syclze__host_task *host, const syclze_group *group,
    struct syclze__event *done, syclze__host_function function, void *argument) {
  struct syclze__interop *interop = &host->interop;
  host->function = function;
  host->argument = argument;
  host->traced = NULL;
  host->left = NULL;
  host->keeps = false;
  interop->borrower.done = done;
  interop->queue = group->queue;
  interop->accessor_count = group->accessor_count;
  interop->waits = host->events.waits;
  interop->wait_count = 0;
  interop->borrow = NULL;
  interop->has_queue = false;
  interop->event_count = 0;
}

/* Creates a record, with copies of the group's accessors and of so many events of the wait list;
 * null without memory. */
SYCLZE_LOCAL_WARM struct syclze__host_task *syclze__host_task_new(const syclze_group *group,
    const struct syclze__submission *submission, uint32_t waits, syclze__host_function function,
    void *argument) {
  struct syclze__host_task *host = syclze__host_task_acquire();
  if (host == NULL) return NULL;
  const syclze_accessor *given = syclze__group_accessors(group);
  const uint32_t count = group->accessor_count;
  if (!syclze__host_task_reserve(host, count, waits)) {
    syclze__pool_release(&host->interop.slot);
    return NULL;
  }
  if (waits > 0)
    memcpy((void *)(uintptr_t)host->events.waits, submission->at.waits,
        waits * sizeof *host->events.waits);
  for (uint32_t i = 0; i < count; i++) {
    ((syclze_accessor *)(uintptr_t)host->interop.accessors)[i] = given[i];
    host->interop.memories[i] = given[i].memory->native;
  }
  syclze__host_task_init(host, group, submission->at.event, function, argument);
  return host;
}

#endif

SYCLZE_EXTERN_C_END

#endif
