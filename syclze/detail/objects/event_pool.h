/* Native events of a context for the library's own use. Any thread.
 *
 * |  event_pool_add            native_event_acquire, idle_object: reset if used
 * | ----------------->  idle  --------------------------------------------------->  in use
 * |                     |  ^                                                        |  |  ^
 * |  event_pools_end    |  |       native_event_release, idle_event_keep: used      |  |  |
 * | <-------------------+  +--------------------------------------------------------+  |  |
 * |                                                              pending_reuse: reset  |  |
 * |                                                                                    +--+
 *
 * All events of a native pool are created with it, by one thread. Events and then pools are
 * destroyed with the context. Events in use may be open (command/detail/plain/open_event.h). */
#ifndef SYCLZE_DETAIL_OBJECTS_EVENT_POOL_H
#define SYCLZE_DETAIL_OBJECTS_EVENT_POOL_H

#include "../../context.h"
#include "../driver/image.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__native_event {
  struct syclze__slot slot;
  ze_event_handle_t native;
  uint32_t kind; /* of the context's lists */
  bool used;     /* to be reset */
  /* While idle: the object for the next acquisition, which refers to the event but is not counted
     as a child of the context; or null. Unspecified while in use. */
  struct syclze__slot *object;
  /* With timestamps: an event that is signalled when a graph's run begins, whose end this one
     signals; null until the first such run. */
  struct syclze__native_event *since;
};

SYCLZE__POOLED(struct syclze__native_event);

/* Bits, and their number of combinations. */
enum syclze__event_kind {
  SYCLZE__EVENT_PLAIN = 0,
  SYCLZE__EVENT_TIMESTAMP = 1, /* takes kernel timestamps */
  SYCLZE__EVENT_LOW_POWER = 2, /* waits of the host sleep until an interrupt */
  SYCLZE__EVENT_KINDS = 4
};

/* A native pool. */
struct syclze__event_pool {
  ze_event_pool_handle_t native;
  struct syclze__event_pool *older;
  uint32_t capacity;
};

/* The pools of a context. Attached to it, so that a program without events of the library's own has
 * none of their code. */
struct syclze__event_pools {
  struct syclze__attachment attachment;
  void (*push)(struct syclze__event_pools *pools, struct syclze__native_event *event);
  uint32_t lost; /* why an awaited event cannot be signalled; 0 while all can */
  SYCLZE__LOCK(SYCLZE__RANK_IDLE_EVENTS) lock; /* of the idle events */
  struct {
    struct syclze__native_event *idle; /* except those in threads' entries */
    struct syclze__event_pool *newest;
  } of[SYCLZE__EVENT_KINDS];
};

/* Capacities: each pool is twice as large as the one before. */
enum { SYCLZE__EVENT_POOL_FIRST = 32, SYCLZE__EVENT_POOL_MOST = 512 };

/* The context's pools; null before the first event. */
SYCLZE_INLINE struct syclze__event_pools *syclze__event_pools_there(
    const struct syclze__context *context) {
  return __atomic_load_n(&context->event_pools, __ATOMIC_ACQUIRE);
}

SYCLZE_INLINE struct syclze__native_event *syclze__native_event_next(
    const struct syclze__native_event *event) {
  return (struct syclze__native_event *)(void *)event->slot.next;
}

SYCLZE_INLINE void syclze__native_event_push(
    struct syclze__native_event **list, struct syclze__native_event *event) {
  event->slot.next = (struct syclze__slot *)(void *)*list;
  *list = event;
}

/* Returns an event to the calling thread's entry, or to its context. */
SYCLZE_INLINE void syclze__native_event_release(
    const struct syclze__context *context, struct syclze__native_event *event) {
  struct syclze__event_pools *pools;
  event->used = true;
  event->object = NULL;
#if SYCLZE_HAS_THREAD_CACHE
  {
    struct syclze__entry *entry = syclze__entry_of(&context->parent);
    if (SYCLZE__LIKELY(entry->idle_room[event->kind] != 0)) {
      syclze__native_event_push(&entry->idle[event->kind], event);
      entry->idle_room[event->kind]--;
      return;
    }
  }
#endif
  pools = syclze__event_pools_there(context);
  pools->push(pools, event);
}

#if SYCLZE_HAS_THREAD_CACHE && SYCLZE_HAS_POOLS && !SYCLZE__CHECKED
#define SYCLZE__HAS_IDLE_OBJECTS 1
#else
#define SYCLZE__HAS_IDLE_OBJECTS 0
#endif

#if SYCLZE__BODIES

#if SYCLZE__HAS_IDLE_OBJECTS
/* Resets the calling thread's first idle event, and takes its object, which counts as a child
 * again. Null if it has none, or after an error: then nothing has changed. */
SYCLZE_INLINE struct syclze__slot *syclze__idle_object(
    const struct syclze__context *context, uint32_t kind, ze_result_t *result) {
  struct syclze__entry *entry = syclze__entry_of(&context->parent);
  struct syclze__native_event *event = entry->idle[kind];
  struct syclze__slot *object = event != NULL ? event->object : NULL;
  if (object == NULL) return NULL;
  *result = SYCLZE__ZE(zeEventHostReset)(event->native);
  if (SYCLZE__UNLIKELY(*result != ZE_RESULT_SUCCESS)) return NULL;
  entry->idle[kind] = syclze__native_event_next(event);
  entry->idle_room[kind]++;
  __atomic_store_n(&entry->base, entry->base + 1, __ATOMIC_RELAXED);
  return object;
}

/* Keeps an event and its object for the calling thread, and counts the object off, as
 * syclze__child_release does; syclze__idle_event_kept must follow. False without room. */
SYCLZE_INLINE bool syclze__idle_event_keep(const struct syclze__context *context,
    struct syclze__native_event *event, struct syclze__slot *object) {
  struct syclze__entry *entry = syclze__entry_of(&context->parent);
  if (SYCLZE__UNLIKELY(entry->idle_room[event->kind] == 0)) return false;
  event->object = object;
  syclze__native_event_push(&entry->idle[event->kind], event);
  entry->idle_room[event->kind]--;
  __atomic_store_n(&entry->base, entry->base - 1, __ATOMIC_RELEASE);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  return true;
}

/* Ends the context if the object was its last child. */
SYCLZE_INLINE ze_result_t syclze__idle_event_kept(
    struct syclze__context *context, struct syclze__slot *object) {
  if (SYCLZE__LIKELY(__atomic_load_n(&context->parent.closing, __ATOMIC_RELAXED) == 0))
    return ZE_RESULT_SUCCESS;
  return __atomic_load_n(&context->parent.slow, __ATOMIC_RELAXED)(
      &context->parent, SYCLZE__CHILD_LOOK, SYCLZE__POOL_EVENT, object, 0)
      .result;
}
#endif

/* Returns an event to its context. */
SYCLZE_LOCAL_WARM void syclze__event_pools_push(
    struct syclze__event_pools *pools, struct syclze__native_event *event) {
  syclze__lock_acquire(&pools->lock);
  syclze__native_event_push(&pools->of[event->kind].idle, event);
  syclze__lock_release(&pools->lock);
}

/* Takes an idle event, and more for the calling thread; null if there is none. */
SYCLZE_LOCAL_WARM struct syclze__native_event *syclze__event_pools_pop(
    const struct syclze__context *context, uint32_t kind) {
  struct syclze__event_pools *pools = syclze__event_pools_there(context);
  struct syclze__native_event *event;
#if SYCLZE_HAS_THREAD_CACHE
  struct syclze__entry *entry = syclze__entry_of(&context->parent);
#endif
  if (pools == NULL) return NULL;
  syclze__lock_acquire(&pools->lock);
  event = pools->of[kind].idle;
  if (event != NULL) pools->of[kind].idle = syclze__native_event_next(event);
#if SYCLZE_HAS_THREAD_CACHE
  while (pools->of[kind].idle != NULL && entry->idle_room[kind] > SYCLZE__IDLE_EVENTS / 2) {
    struct syclze__native_event *more = pools->of[kind].idle;
    pools->of[kind].idle = syclze__native_event_next(more);
    syclze__native_event_push(&entry->idle[kind], more);
    entry->idle_room[kind]--;
  }
#endif
  syclze__lock_release(&pools->lock);
  return event;
}

/* Takes an idle event, of the calling thread if it has one; null if there is none. */
SYCLZE_INLINE struct syclze__native_event *syclze__idle_event(
    const struct syclze__context *context, uint32_t kind) {
#if SYCLZE_HAS_THREAD_CACHE
  struct syclze__entry *entry = syclze__entry_of(&context->parent);
  struct syclze__native_event *event = entry->idle[kind];
  if (SYCLZE__LIKELY(event != NULL)) {
    entry->idle[kind] = syclze__native_event_next(event);
    entry->idle_room[kind]++;
    return event;
  }
#endif
  return syclze__event_pools_pop(context, kind);
}

/* Destroys all events and pools. Returns the first error. */
SYCLZE_LOCAL ze_result_t syclze__event_pools_end(struct syclze__attachment *attachment) {
  struct syclze__event_pools *pools = (struct syclze__event_pools *)(void *)attachment;
  const bool destroys = !syclze__is_forked();
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t kind = 0; kind < SYCLZE__EVENT_KINDS; kind++) {
    struct syclze__native_event *event;
    while ((event = pools->of[kind].idle) != NULL) {
      ze_result_t destroyed =
          destroys ? SYCLZE__ZE(zeEventDestroy)(event->native) : ZE_RESULT_SUCCESS;
      if (result == ZE_RESULT_SUCCESS) result = destroyed;
      pools->of[kind].idle = syclze__native_event_next(event);
      if (event->since != NULL) syclze__native_event_push(&pools->of[kind].idle, event->since);
      if (event->object != NULL) syclze__pool_release(event->object);
      syclze__pool_release(&event->slot);
    }
    while (pools->of[kind].newest != NULL) {
      struct syclze__event_pool *pool = pools->of[kind].newest;
      ze_result_t destroyed =
          destroys ? SYCLZE__ZE(zeEventPoolDestroy)(pool->native) : ZE_RESULT_SUCCESS;
      pools->of[kind].newest = pool->older;
      if (result == ZE_RESULT_SUCCESS) result = destroyed;
      free(pool);
    }
  }
  free(pools);
  return result;
}

/* The context's pools, created by the first call; null without memory. */
SYCLZE_LOCAL struct syclze__event_pools *syclze__event_pools_get(struct syclze__context *context) {
  struct syclze__event_pools *there = syclze__event_pools_there(context), *created;
  if (there != NULL) return there;
  created = (struct syclze__event_pools *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  syclze__image_attach(&context->parent.ref.slot);
  created->attachment.end = syclze__event_pools_end;
  created->push = syclze__event_pools_push;
  __atomic_store_n(&context->parent.used, 1, __ATOMIC_RELAXED);
  if (__atomic_compare_exchange_n(
          &context->event_pools, &there, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return there;
}

/* Creates the native pool, for all devices of the context. */
SYCLZE_LOCAL ze_result_t syclze__event_pool_create(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__event_pool *pool) {
  ze_device_handle_t *devices =
      (ze_device_handle_t *)calloc(context->device_count, sizeof *devices);
  if (devices == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  SYCLZE__ZE_STRUCT(ze_event_pool_desc_t, desc, EVENT_POOL_DESC);
  desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  if (kind & SYCLZE__EVENT_TIMESTAMP) desc.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  desc.count = pool->capacity;
  for (uint32_t i = 0; i < context->device_count; i++)
    devices[i] = context->devices[i]->native;
  ze_result_t result = SYCLZE__ZE(zeEventPoolCreate)(
      context->native, &desc, context->device_count, devices, &pool->native);
  free(devices);
  return result;
}

/* ze_intel_event_sync_mode_exp_desc_t: a hint, which drivers without it ignore. */
struct syclze__event_sync_mode {
  uint32_t stype;
  const void *next;
  uint32_t flags;
  uint32_t interrupt; /* of an external interrupt */
};

/* Creates the event at an index of the pool. */
SYCLZE_LOCAL ze_result_t syclze__native_event_create(const struct syclze__event_pool *pool,
    enum syclze__event_kind kind, uint32_t index, struct syclze__native_event **event) {
  struct syclze__native_event *created = (struct syclze__native_event *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT], sizeof *created);
  enum { WAITS_BY_SYSTEM = 1, SIGNALS_BY_INTERRUPT = 2 };
  struct syclze__event_sync_mode low_power = {
      0x00030016, NULL, WAITS_BY_SYSTEM | SIGNALS_BY_INTERRUPT, 0};
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  SYCLZE__ZE_STRUCT(ze_event_desc_t, desc, EVENT_DESC);
  if (kind & SYCLZE__EVENT_LOW_POWER) desc.pNext = &low_power;
  desc.index = index;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
  ze_result_t result = SYCLZE__ZE(zeEventCreate)(pool->native, &desc, &created->native);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE && desc.pNext != NULL) {
    /* Intel's driver without interrupts. */
    low_power.flags = WAITS_BY_SYSTEM;
    result = SYCLZE__ZE(zeEventCreate)(pool->native, &desc, &created->native);
  }
  if (result != ZE_RESULT_SUCCESS) {
    syclze__pool_release(&created->slot);
    return result;
  }
  created->kind = (uint32_t)kind;
  created->object = NULL;
  created->since = NULL;
  created->used = false;
  *event = created;
  return result;
}

/* Adds a native pool, and returns one of its events; the others are idle. Level Zero allows one
 * thread at a time to use a pool, so all its events are created before other threads can see it. */
SYCLZE_LOCAL ze_result_t syclze__event_pool_add(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__native_event **event) {
  struct syclze__event_pools *pools = syclze__event_pools_get(context);
  struct syclze__event_pool *pool = (struct syclze__event_pool *)calloc(1, sizeof *pool), *newest;
  struct syclze__native_event *other;
  if (pools == NULL || pool == NULL) {
    free(pool);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  newest = __atomic_load_n(&pools->of[kind].newest, __ATOMIC_ACQUIRE);
  pool->capacity = SYCLZE__EVENT_POOL_FIRST;
  if (newest != NULL)
    pool->capacity =
        newest->capacity < SYCLZE__EVENT_POOL_MOST ? 2 * newest->capacity : newest->capacity;
  ze_result_t result = syclze__event_pool_create(context, kind, pool);
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze__native_event_create(pool, kind, 0, event);
    if (result != ZE_RESULT_SUCCESS) SYCLZE__ZE(zeEventPoolDestroy)(pool->native);
  }
  if (result != ZE_RESULT_SUCCESS) {
    free(pool);
    return result;
  }
  /* A pool with fewer events than its capacity is not a failure. */
  for (uint32_t i = 1; i < pool->capacity; i++) {
    if (syclze__native_event_create(pool, kind, i, &other) != ZE_RESULT_SUCCESS) break;
    syclze__event_pools_push(pools, other);
  }
  pool->older = newest;
  while (!__atomic_compare_exchange_n(
      &pools->of[kind].newest, &pool->older, pool, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
  return result;
}

/* Acquires an unsignalled event of the kind. Error: what zeEventPoolCreate, zeEventCreate and
 * zeEventHostReset return. */
SYCLZE_LOCAL_WARM ze_result_t syclze__native_event_acquire(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__native_event **event) {
  struct syclze__native_event *idle = syclze__idle_event(context, (uint32_t)kind);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (idle == NULL) return syclze__event_pool_add(context, kind, event);
  if (idle->used) result = SYCLZE__ZE(zeEventHostReset)(idle->native);
  if (result == ZE_RESULT_SUCCESS)
    *event = idle;
  else
    syclze__native_event_release(context, idle);
  return result;
}

/* Returns a thread's idle events to the context, at its end. */
SYCLZE_LOCAL void syclze__idle_events_return(
    struct syclze__parent *parent, struct syclze__entry *entry) {
  struct syclze__context *context = (struct syclze__context *)(void *)parent;
  for (uint32_t kind = 0; kind < SYCLZE__EVENT_KINDS; kind++)
    while (entry->idle[kind] != NULL) {
      struct syclze__native_event *event = entry->idle[kind];
      entry->idle[kind] = syclze__native_event_next(event);
      syclze__event_pools_push(syclze__event_pools_there(context), event);
    }
}

#endif

SYCLZE_EXTERN_C_END

#endif
