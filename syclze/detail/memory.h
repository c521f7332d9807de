/* What buffers and images have in common: memory that work in queues uses, and a release that must
 * mind that work.
 *
 * Each use is an event that is signalled when the work is done. Under keep, the last release waits
 * for all of them; under transfer it does not wait, and the memory is destroyed when the last of
 * them, and the event that says that the memory is available, have been signalled. Where it cannot
 * be known that the work is done, for want of memory or in a context that is lost
 * (command/detail/host_signal.h), a release under keep returns the error, and transferred memory is
 * left as it is, which is reported. Uses may be added by any thread that holds a reference. */
#ifndef SYCLZE_MEMORY_OBJECT_H
#define SYCLZE_MEMORY_OBJECT_H

#include "../event.h"

#include <pthread.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__use {
  struct syclze__slot slot;
  struct syclze__use *next;
  struct syclze__event *event; /* with a reference */
};

struct syclze__memory;

/* What command groups know of their accesses to memory, and how it becomes uses. An error says that
 * some did not. */
struct syclze__accesses_base {
  struct syclze__slot slot;
  ze_result_t (*settle)(struct syclze__memory *memory);
};

struct syclze__memory {
  struct syclze__ref ref;
  void *native; /* the allocation, or the ze_image_handle_t */
  struct syclze__context *context;
  size_t range[3]; /* elements or pixels; 1 beyond the dimensions */
  struct syclze__use *uses;
  struct syclze__accesses_base *accesses; /* null until the first */
  struct syclze__event *available;        /* gates the first use, with a reference; null if none */
  /* How a transferred native goes: zeMemFree or zeImageDestroy. */
  ze_result_t (*destroy)(struct syclze__memory *memory);
  bool is_image;
  bool traced; /* its construction was reported */
};

/* The end of memory that nobody refers to any more, but that work may still use. */
SYCLZE_COLD ze_result_t syclze__memory_end_used(struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__memory_end_used);

/* Hands back the object itself, and its reference to the context. */
SYCLZE_INLINE ze_result_t syclze__memory_forget(struct syclze__memory *memory) {
  struct syclze__context *context = memory->context;
  if (SYCLZE__UNLIKELY(memory->traced))
    SYCLZE__TRACE_COMMAND(memory_destroyed, (memory, memory->native, memory->is_image));
  SYCLZE__CHECK_UNWRAPPED(memory->native);
  syclze__pool_release(&memory->ref.slot);
  return syclze__context_release(context);
}

/* The library has just allocated the memory for a queue's command, null for none, or frees it. */
SYCLZE_LOCAL struct syclze__trace_node *syclze__memory_trace_storage(
    struct syclze__memory *memory, const void *queue, bool is_freed) {
  const struct syclze__trace_storage_info storage = {is_freed, memory->is_image, memory,
      memory->native, queue, memory->context->native, memory->context->devices[0]->native};
  return syclze__trace_storage_begin(&storage);
}

SYCLZE_LOCAL void syclze__memory_trace_acquired(struct syclze__memory *memory, const void *queue) {
  struct syclze__trace_node *node = syclze__memory_trace_storage(memory, queue, false);
  SYCLZE__TRACE_HOST_END(node, true);
}

SYCLZE_COLD ze_result_t syclze__memory_traced_destroy(struct syclze__memory *memory)
    SYCLZE_LINK_NAME(syclze__memory_traced_destroy);

SYCLZE_COLD ze_result_t syclze__memory_traced_destroy(struct syclze__memory *memory) {
  struct syclze__trace_node *node = syclze__memory_trace_storage(memory, NULL, true);
  const ze_result_t result = memory->destroy(memory);
  SYCLZE__TRACE_HOST_END(node, true);
  return result;
}

SYCLZE_INLINE ze_result_t syclze__memory_destroy(struct syclze__memory *memory) {
  ze_result_t result = SYCLZE__UNLIKELY(memory->traced) ? syclze__memory_traced_destroy(memory)
                                                        : memory->destroy(memory);
  ze_result_t released = syclze__memory_forget(memory);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

/* Drops a reference to memory that is not null. */
SYCLZE_INLINE ze_result_t syclze__memory_release(struct syclze__memory *memory) {
  if (!syclze__ref_release(&memory->ref)) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(
          memory->uses != NULL || memory->available != NULL || memory->accesses != NULL))
    return syclze__memory_end_used(memory);
  if (memory->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER) return syclze__memory_destroy(memory);
  return syclze__memory_forget(memory);
}

SYCLZE_INLINE void syclze__memory_init(struct syclze__memory *memory, void *native,
    struct syclze__context *context, struct syclze__event *available, syclze_ownership ownership) {
  syclze__ref_init(&memory->ref, ownership);
  syclze__ref_retain(&context->ref);
  memory->native = native;
  memory->context = context;
  memory->uses = NULL;
  memory->accesses = NULL;
  memory->is_image = memory->traced = false;
  memory->available = available;
  if (available != NULL) syclze__ref_retain(&available->ref);
  SYCLZE__CHECK_WRAPPED(native, ownership);
}

SYCLZE_LOCAL void syclze__use_end(struct syclze__use *use) {
  syclze_event event = {use->event};
  syclze_event_release(event);
  syclze__pool_release(&use->slot);
}

/* Without uses that are complete. The list is nobody else's meanwhile. */
SYCLZE_LOCAL struct syclze__use *syclze__uses_pruned(struct syclze__use *uses) {
  struct syclze__use **link = &uses;
  while (*link != NULL) {
    struct syclze__use *use = *link;
    if (SYCLZE__ZE(zeEventQueryStatus)(use->event->native) == ZE_RESULT_NOT_READY)
      link = &use->next;
    else {
      *link = use->next;
      syclze__use_end(use);
    }
  }
  return uses;
}

/* Notes that work which signals `event` uses the memory. The list keeps a reference to the event
 * until it is signalled, or the memory goes. */
SYCLZE_LOCAL ze_result_t syclze__memory_use(
    struct syclze__memory *memory, struct syclze__event *event) {
  struct syclze__use *use = (struct syclze__use *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_USE], sizeof *use);
  if (use == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze__ref_retain(&event->ref);
  use->event = event;
  /* The list is taken off as a whole while it is pruned, so that nobody walks what another frees;
   * it is short as long as work completes. */
  use->next = syclze__uses_pruned(__atomic_exchange_n(&memory->uses, NULL, __ATOMIC_ACQUIRE));
  struct syclze__use *last = use;
  while (last->next != NULL)
    last = last->next;
  struct syclze__use *others = NULL;
  while (!__atomic_compare_exchange_n(
      &memory->uses, &others, use, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    last->next = others;
  return ZE_RESULT_SUCCESS;
}

/* Waits for every use. Those that are not done when a wait fails stay. */
SYCLZE_LOCAL ze_result_t syclze__memory_wait(struct syclze__memory *memory) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (memory->uses != NULL) {
    struct syclze__use *use = memory->uses;
    ze_result_t waited = syclze__event_await(use->event);
    if (result == ZE_RESULT_SUCCESS) result = waited;
    if (waited != ZE_RESULT_SUCCESS &&
        SYCLZE__ZE(zeEventQueryStatus)(use->event->native) == ZE_RESULT_NOT_READY)
      return result;
    memory->uses = use->next;
    syclze__use_end(use);
  }
  return result;
}

/* Forgets every use, and what gates the first. */
SYCLZE_LOCAL void syclze__memory_end_uses(struct syclze__memory *memory) {
  syclze_event available = {memory->available};
  while (memory->uses != NULL) {
    struct syclze__use *use = memory->uses;
    memory->uses = use->next;
    syclze__use_end(use);
  }
  memory->available = NULL;
  syclze_event_release(available);
}

/* Leaves transferred memory as it is, as work may use it for ever. */
SYCLZE_LOCAL ze_result_t syclze__memory_abandon(struct syclze__memory *memory, ze_result_t result) {
  syclze__memory_end_uses(memory);
  return syclze__fail(result, memory->is_image ? "syclze_image_release" : "syclze_buffer_release",
      "the memory is not freed: it cannot be known when the work on it is done", memory->native);
}

/* Waits for the uses and for the event that says the memory is available, then destroys. */
SYCLZE_LOCAL ze_result_t syclze__memory_finish(struct syclze__memory *memory) {
  ze_result_t result = syclze__memory_wait(memory);
  bool done = memory->uses == NULL;
  if (done && memory->available != NULL) {
    result = syclze__event_await(memory->available);
    done = SYCLZE__ZE(zeEventQueryStatus)(memory->available->native) != ZE_RESULT_NOT_READY;
  }
  if (!done) return syclze__memory_abandon(memory, result);
  syclze__memory_end_uses(memory);
  return syclze__memory_destroy(memory);
}

SYCLZE_LOCAL void *syclze__memory_reap(void *memory) {
  syclze__memory_finish((struct syclze__memory *)memory);
  return NULL;
}

SYCLZE_LOCAL ze_result_t syclze__memory_end_kept(struct syclze__memory *memory) {
  ze_result_t result = syclze__memory_wait(memory);
  syclze__memory_end_uses(memory);
  ze_result_t released = syclze__memory_forget(memory);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_COLD ze_result_t syclze__memory_end_used(struct syclze__memory *memory) {
  syclze_event available = {memory->available};
  ze_result_t settled = ZE_RESULT_SUCCESS;
  if (memory->accesses != NULL) settled = memory->accesses->settle(memory);
  if (memory->ref.ownership == SYCLZE_OWNERSHIP_KEEP) {
    ze_result_t ended = syclze__memory_end_kept(memory);
    return settled != ZE_RESULT_SUCCESS ? settled : ended;
  }
  if (settled != ZE_RESULT_SUCCESS) return syclze__memory_abandon(memory, settled);
  memory->uses = syclze__uses_pruned(memory->uses);
  if (available.rep != NULL &&
      SYCLZE__ZE(zeEventQueryStatus)(available.rep->native) != ZE_RESULT_NOT_READY) {
    memory->available = NULL;
    syclze_event_release(available);
  }
  if (memory->uses == NULL && memory->available == NULL) return syclze__memory_destroy(memory);
  /* Rare enough for a thread of its own. Where there is none to be had, waiting here is the only
   * way to lose nothing. */
  pthread_t thread;
  if (pthread_create(&thread, NULL, syclze__memory_reap, memory) != 0)
    return syclze__memory_finish(memory);
  pthread_detach(thread);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_EXTERN_C_END

#endif
