/* Memory of buffers and images, and samplers: uses by work in queues, and release while work is
 * pending.
 *
 * Each use is an event that is signalled when the work is done. Under keep, the last release waits
 * for all uses; under transfer it does not wait, and the memory is freed once all uses and the
 * available event are signalled. Only success of a query means that work is done. If that cannot be
 * determined, without host memory or in a lost context (command/detail/submit/event_fail.h), a
 * release under keep returns the error, and transferred memory is not freed, which is reported. Any
 * thread that holds a reference may add uses. */
#ifndef SYCLZE_DETAIL_OBJECTS_MEMORY_OBJECT_H
#define SYCLZE_DETAIL_OBJECTS_MEMORY_OBJECT_H

#include "../../event.h"
#include "../sync/worker.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__use {
  struct syclze__slot slot;
  struct syclze__use *next;
  struct syclze__event *event; /* with a reference */
};

SYCLZE__POOLED(struct syclze__use);

struct syclze__memory;
struct syclze__outcome; /* background_result.h */

/* Accesses of command groups to memory. `settle` converts them to uses; after an error some could
 * not be converted. `cover`, which may be repeated, first creates the events that this needs.
 * `released` becomes an error of the release of dependent memory, which does not stop the release.
 * `update` submits a copy of the contents from another context if they are newer there; the outcome
 * is that of the copy. It is null if no other context uses the memory. */
struct syclze__accesses_base {
  struct syclze__slot slot;
  ze_result_t (*cover)(struct syclze__memory *memory);
  ze_result_t (*settle)(struct syclze__memory *memory, ze_result_t *released);
  ze_result_t (*update)(struct syclze__memory *memory, struct syclze__outcome **outcome);
};

/* Extra state of created buffers and of sub-buffers. */
struct syclze__origin {
  ze_result_t (*end)(struct syclze__memory *memory); /* after the last release */
  struct syclze__buffer *root; /* of which the buffer is part, with a reference; null for none */
  size_t offset;               /* of the buffer's first byte in it */
  void *host;                  /* the host's data, which may be written; null for none */
  void *final_data;            /* written by the last release; null for none */
  bool waits;                  /* the last release waits, since there are data of the host */
  bool writes_back;
  bool is_host;    /* the memory is the host's data, and is not freed */
  bool is_written; /* a group or the host has required write access */
  bool is_sub;     /* a sub-buffer, not a reinterpretation of the whole root */
};

struct syclze__memory {
  struct syclze__ref ref;
  void *native; /* the allocation, or the ze_image_handle_t */
  struct syclze__context *context;
  size_t range[3];                     /* elements or pixels; 1 beyond the dimensions */
  struct syclze__context *required_in; /* the context; null if requirements must read `origin` */
  struct syclze__origin *origin;       /* in `state`; null for memory of the application */
  struct syclze__use *uses;
  struct syclze__accesses_base *accesses; /* null until the first */
  struct syclze__event *available;        /* gates the first use, with a reference; null if none */
  bool is_image;                          /* or a sampler */
  bool is_sampler;
  bool traced; /* its construction was reported */
  union {
    struct syclze__origin origin; /* until the last release */
    struct syclze__task task;     /* then, while work is under way */
  } state;
  const struct syclze__use *left; /* the first use that the task has not seen completed */
};

/* Ends transferred memory, and memory with uses, after the last release; or reports a release
 * without a reference. */
SYCLZE_WARM ze_result_t syclze__memory_last(struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__memory_last);

/* Traces the end of the object, before it is freed. */
SYCLZE_COLD void syclze__memory_trace_destroyed(const struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__memory_trace_destroyed);

/* Returns the object to its pool, and drops its reference to the context. */
SYCLZE_INLINE ze_result_t syclze__memory_free(struct syclze__memory *memory) {
  struct syclze__context *context = memory->context;
  if (SYCLZE__UNLIKELY(memory->traced)) syclze__memory_trace_destroyed(memory);
  return syclze__child_release(&context->parent,
      memory->is_image ? SYCLZE__POOL_IMAGE : SYCLZE__POOL_BUFFER, &memory->ref.slot);
}

SYCLZE_INLINE void syclze__memory_retain(struct syclze__memory *memory) {
  syclze__ref_retain(&memory->ref);
}

/* Drops a reference. `memory` is not null. */
SYCLZE_INLINE ze_result_t syclze__memory_release(struct syclze__memory *memory) {
  const enum syclze__dropped dropped = syclze__ref_drop(&memory->ref);
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_ONE)) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_LAST || memory->uses != NULL ||
                       memory->available != NULL || memory->accesses != NULL))
    return syclze__memory_last(memory);
  SYCLZE__CHECK_UNWRAPPED(memory->native);
  return syclze__memory_free(memory);
}

SYCLZE_INLINE void syclze__memory_init(struct syclze__memory *memory, void *native,
    struct syclze__context *context, struct syclze__event *available, uint32_t ownership) {
  syclze__ref_init(&memory->ref, ownership);
  memory->native = native;
  memory->context = context;
  memory->uses = NULL;
  memory->accesses = NULL;
  memory->required_in = context;
  memory->origin = NULL;
  memory->is_image = memory->is_sampler = memory->traced = false;
  memory->available = available;
  if (available != NULL) syclze__ref_retain(&available->ref);
}

/* Checks the event that gates the first use of an object. */
SYCLZE_INLINE struct syclze__status syclze__check_available(const struct syclze__event *available) {
  if (available == NULL) return syclze__null_handle("the available event is null");
  if (!syclze__event_is_recorded(available)) return syclze__allowed();
  return syclze__invalid(
      "sycl_ext_oneapi_graph: the available event is of a command group that was recorded to a "
      "graph, and is never signalled");
}

/* Begins the origin of a new object, all zero. */
SYCLZE_INLINE struct syclze__origin *syclze__memory_begin_origin(struct syclze__memory *memory) {
  memory->origin = &memory->state.origin;
  memset(memory->origin, 0, sizeof *memory->origin);
  return memory->origin;
}

#if SYCLZE__BODIES

SYCLZE_COLD void syclze__memory_trace_destroyed(const struct syclze__memory *memory) {
  SYCLZE__TRACE_COMMAND(memory_destroyed, (memory, memory->native, memory->is_image));
  (void)memory;
}

SYCLZE_LOCAL struct syclze__trace_node *syclze__memory_trace_storage(
    struct syclze__memory *memory, const void *queue, bool is_freed) {
  const struct syclze__trace_storage_info storage = {NULL, NULL, NULL, 0, NULL, is_freed,
      memory->is_image, memory, memory->native, queue, memory->context->native,
      memory->context->devices[0]->native};
  return syclze__trace_storage_begin(&storage);
}

/* Traces an allocation by the library, for a queue's command; `queue` is null for none. */
SYCLZE_LOCAL void syclze__memory_trace_acquired(struct syclze__memory *memory, const void *queue) {
  struct syclze__trace_node *node = syclze__memory_trace_storage(memory, queue, false);
  SYCLZE__TRACE_HOST_END(node, true);
}

/* The public function that releases the object. */
SYCLZE_LOCAL const char *syclze__memory_released_by(const struct syclze__memory *memory) {
  if (memory->is_sampler) return "syclze_sampler_release";
  return memory->is_image ? "syclze_image_release" : "syclze_buffer_release";
}

/* Frees the allocation, destroys the image or the sampler, or calls the owner for that. */
SYCLZE_LOCAL ze_result_t syclze__native_memory_destroy(const struct syclze__memory *memory) {
  ze_result_t result;
  if (syclze__is_forked()) return ZE_RESULT_SUCCESS;
  if (syclze__ref_is_owned(&memory->ref)) return syclze__owner_end(&memory->ref);
  if (memory->is_sampler) {
    result = SYCLZE__ZE(zeSamplerDestroy)((ze_sampler_handle_t)memory->native);
    if (result == ZE_RESULT_SUCCESS) return result;
    return syclze__fail(
        result, "syclze_sampler_release", "zeSamplerDestroy failed", memory->native);
  }
  if (memory->is_image) {
    result = SYCLZE__ZE(zeImageDestroy)((ze_image_handle_t)memory->native);
    if (result == ZE_RESULT_SUCCESS) return result;
    return syclze__fail(result, "syclze_image_release", "zeImageDestroy failed", memory->native);
  }
  result = SYCLZE__ZE(zeMemFree)(memory->context->native, memory->native);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_buffer_release", "zeMemFree failed", memory->native);
}

/* Ends transferred memory without pending work. */
SYCLZE_LOCAL ze_result_t syclze__memory_destroy(struct syclze__memory *memory) {
  struct syclze__trace_node *node = NULL;
  ze_result_t result;
  SYCLZE__CHECK_UNWRAPPED(memory->native);
  if (memory->traced) node = syclze__memory_trace_storage(memory, NULL, true);
  result = syclze__native_memory_destroy(memory);
  SYCLZE__TRACE_HOST_END(node, true);
  return syclze__first_error(result, syclze__memory_free(memory));
}

SYCLZE_LOCAL bool syclze__event_is_done(const struct syclze__event *event) {
  return SYCLZE__ZE(zeEventQueryStatus)(event->native) == ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL void syclze__use_end(struct syclze__use *use) {
  const syclze_event event = {use->event};
  syclze__event_release_impl(event);
  syclze__pool_release(&use->slot);
}

/* Ends completed uses, and returns the others. The list is not shared meanwhile. */
SYCLZE_LOCAL struct syclze__use *syclze__uses_pruned(struct syclze__use *uses) {
  struct syclze__use **link = &uses;
  while (*link != NULL) {
    struct syclze__use *use = *link;
    if (!syclze__event_is_done(use->event))
      link = &use->next;
    else {
      *link = use->next;
      syclze__use_end(use);
    }
  }
  return uses;
}

/* Waits for every use. If a wait fails, the uses that are not done stay. */
SYCLZE_LOCAL ze_result_t syclze__memory_wait(struct syclze__memory *memory) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (memory->uses != NULL) {
    struct syclze__use *use = memory->uses;
    const ze_result_t waited = syclze__event_await(use->event);
    result = syclze__first_error(result, waited);
    if (waited != ZE_RESULT_SUCCESS && !syclze__event_is_done(use->event)) return result;
    memory->uses = use->next;
    syclze__use_end(use);
  }
  return result;
}

/* Ends all uses, and the available event. */
SYCLZE_LOCAL void syclze__memory_end_uses(struct syclze__memory *memory) {
  const syclze_event available = {memory->available};
  while (memory->uses != NULL) {
    struct syclze__use *use = memory->uses;
    memory->uses = use->next;
    syclze__use_end(use);
  }
  memory->available = NULL;
  syclze__event_release_impl(available);
}

/* Leaks transferred memory, which work may still use. */
SYCLZE_LOCAL ze_result_t syclze__memory_abandon(struct syclze__memory *memory, ze_result_t result) {
  syclze__memory_end_uses(memory);
  return syclze__fail(result, syclze__memory_released_by(memory),
      "the memory is not freed: completion of its work is unknown", memory->native);
}

SYCLZE_LOCAL struct syclze__memory *syclze__memory_of_task(struct syclze__task *task) {
  return (struct syclze__memory *)(void *)((char *)task - offsetof(struct syclze__memory, state));
}

/* Waits for uses without ending any, since the workers' lock may be held. */
SYCLZE_LOCAL ze_result_t syclze__memory_task_wait(struct syclze__task *task, uint64_t nanoseconds) {
  struct syclze__memory *memory = syclze__memory_of_task(task);
  const struct syclze__event *event;
  for (; memory->left != NULL; memory->left = memory->left->next) {
    event = memory->left->event;
    const ze_result_t result = syclze__task_await(task, event->native, event->context, nanoseconds);
    if (result != ZE_RESULT_SUCCESS) return result;
  }
  event = memory->available;
  return event == NULL ? ZE_RESULT_SUCCESS
                       : syclze__task_await(task, event->native, event->context, nanoseconds);
}

/* The memory of a task that has waited, now without uses; null if the wait failed, and the memory
 * was leaked. */
SYCLZE_LOCAL struct syclze__memory *syclze__memory_of_ended_task(
    struct syclze__task *task, ze_result_t result) {
  struct syclze__memory *memory = syclze__memory_of_task(task);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__memory_abandon(memory, result);
    return NULL;
  }
  syclze__memory_end_uses(memory);
  return memory;
}

SYCLZE_LOCAL void syclze__memory_task_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__memory *memory = syclze__memory_of_ended_task(task, result);
  if (memory != NULL) syclze__memory_destroy(memory);
}

/* Hands the memory to a worker, which waits for the uses and the available event, and then calls
 * `run`. */
SYCLZE_LOCAL void syclze__memory_leave(
    struct syclze__memory *memory, void (*run)(struct syclze__task *task, ze_result_t result)) {
  memory->left = memory->uses;
  memory->state.task.wait = syclze__memory_task_wait;
  memory->state.task.run = run;
  memory->state.task.is_application = false;
  syclze__workers_leave(&memory->state.task);
}

/* Ends the object, and leaves the native memory to the application. */
SYCLZE_LOCAL ze_result_t syclze__memory_unwrap(struct syclze__memory *memory) {
  SYCLZE__CHECK_UNWRAPPED(memory->native);
  return syclze__memory_free(memory);
}

SYCLZE_LOCAL ze_result_t syclze__memory_end_kept(struct syclze__memory *memory) {
  /* In SYCL the release of a sampler does not wait. */
  ze_result_t result = memory->is_sampler ? ZE_RESULT_SUCCESS : syclze__memory_wait(memory);
  syclze__memory_end_uses(memory);
  return syclze__first_error(result, syclze__memory_unwrap(memory));
}

SYCLZE_LOCAL ze_result_t syclze__memory_end_transferred(struct syclze__memory *memory) {
  memory->uses = syclze__uses_pruned(memory->uses);
  if (memory->available != NULL && syclze__event_is_done(memory->available)) {
    const syclze_event available = {memory->available};
    memory->available = NULL;
    syclze__event_release_impl(available);
  }
  if (memory->uses == NULL && memory->available == NULL) return syclze__memory_destroy(memory);
  syclze__memory_leave(memory, syclze__memory_task_run);
  return ZE_RESULT_SUCCESS;
}

/* Ends memory without an origin. */
SYCLZE_LOCAL ze_result_t syclze__memory_end(struct syclze__memory *memory) {
  ze_result_t settled = ZE_RESULT_SUCCESS, released = ZE_RESULT_SUCCESS, ended;
  if (syclze__is_forked()) return syclze__memory_free(memory); /* the work is the parent's */
  if (memory->accesses != NULL) settled = memory->accesses->settle(memory, &released);
  if (memory->ref.ownership == SYCLZE__KEPT) {
    ended = syclze__memory_end_kept(memory);
    if (settled != ZE_RESULT_SUCCESS) return settled;
  } else if (settled != ZE_RESULT_SUCCESS)
    return syclze__memory_abandon(memory, settled);
  else
    ended = syclze__memory_end_transferred(memory);
  return released != ZE_RESULT_SUCCESS ? released : ended;
}

SYCLZE_WARM ze_result_t syclze__memory_last(struct syclze__memory *memory) {
  if (SYCLZE__UNLIKELY(syclze__ref_is_missing(&memory->ref)))
    return syclze__ref_underflow(&memory->ref, syclze__memory_released_by(memory));
  return memory->origin != NULL ? memory->origin->end(memory) : syclze__memory_end(memory);
}

#endif

SYCLZE_EXTERN_C_END

#endif
