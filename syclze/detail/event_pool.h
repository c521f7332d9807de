/* Native events of a context for the library's own use.
 *
 * All events of a native pool are created with it, by one thread. An event that comes back is reset
 * when it is acquired again. Events and then pools are destroyed with the context. Any thread. */
#ifndef SYCLZE_EVENT_POOL_H
#define SYCLZE_EVENT_POOL_H

#include "../context.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__native_event {
  struct syclze__slot slot;
  ze_event_handle_t native;
  uint32_t kind; /* of the context's lists */
  bool used;     /* to be reset */
};

SYCLZE__POOLED(struct syclze__native_event);

enum syclze__event_kind {
  SYCLZE__EVENT_PLAIN,
  SYCLZE__EVENT_TIMESTAMP, /* takes kernel timestamps */
  SYCLZE__EVENT_KINDS
};

/* A native pool. */
struct syclze__event_pool {
  ze_event_pool_handle_t native;
  struct syclze__event_pool *older;
  uint32_t capacity;
};

/* The pools of a context. */
struct syclze__event_pools {
  struct syclze__pool *slots; /* of the structs of the events */
  uint32_t lost; /* why an event cannot be signalled that others wait for; 0 while all can */
  struct {
    struct syclze__list idle;
    struct syclze__event_pool *newest;
  } of[SYCLZE__EVENT_KINDS];
};

/* Each pool is twice as large as the one before. */
enum { SYCLZE__EVENT_POOL_FIRST = 32, SYCLZE__EVENT_POOL_MOST = 512 };

/* The context's pools; null before the first event. */
SYCLZE_INLINE struct syclze__event_pools *syclze__event_pools_there(
    const struct syclze__context *context) {
  return __atomic_load_n(&context->event_pools, __ATOMIC_ACQUIRE);
}

/* Returns an event to its context. */
SYCLZE_INLINE void syclze__native_event_release(
    const struct syclze__context *context, struct syclze__native_event *event) {
  struct syclze__event_pools *pools = syclze__event_pools_there(context);
  event->used = true;
  syclze__list_put(&pools->of[event->kind].idle, &event->slot);
}

SYCLZE_INLINE struct syclze__native_event *syclze__idle_event(
    struct syclze__event_pools *pools, uint32_t kind) {
  return (struct syclze__native_event *)syclze__list_acquire(&pools->of[kind].idle, pools->slots);
}

#if SYCLZE__BODIES

/* Destroys all events and pools. Returns the first error. */
SYCLZE_LOCAL ze_result_t syclze__event_pools_destroy(struct syclze__event_pools *pools) {
  const bool destroys = !syclze__is_forked();
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t kind = 0; kind < SYCLZE__EVENT_KINDS; kind++) {
    struct syclze__native_event *event;
    while ((event = syclze__idle_event(pools, kind)) != NULL) {
      ze_result_t destroyed =
          destroys ? SYCLZE__ZE(zeEventDestroy)(event->native) : ZE_RESULT_SUCCESS;
      if (result == ZE_RESULT_SUCCESS) result = destroyed;
      syclze__list_put(&pools->slots->free, &event->slot);
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

/* The context's pools, which the first call creates; null without memory. */
SYCLZE_LOCAL struct syclze__event_pools *syclze__event_pools_get(struct syclze__context *context) {
  struct syclze__event_pools *there = syclze__event_pools_there(context), *created;
  if (there != NULL) return there;
  created = (struct syclze__event_pools *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  created->slots = &SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT];
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
  ze_event_pool_desc_t desc;
  ze_result_t result;
  if (devices == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  if (kind == SYCLZE__EVENT_TIMESTAMP) desc.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  desc.count = pool->capacity;
  for (uint32_t i = 0; i < context->device_count; i++)
    devices[i] = context->devices[i]->native;
  result = SYCLZE__ZE(zeEventPoolCreate)(
      context->native, &desc, context->device_count, devices, &pool->native);
  free(devices);
  return result;
}

/* Creates the event at an index of the pool. Its struct is pooled under sanitizers too, and never
 * an allocation of its own: lists hold slots of a pool only. */
SYCLZE_LOCAL ze_result_t syclze__native_event_create(struct syclze__pool *slots,
    const struct syclze__event_pool *pool, enum syclze__event_kind kind, uint32_t index,
    struct syclze__native_event **event) {
  struct syclze__native_event *created =
      (struct syclze__native_event *)syclze__list_acquire(&slots->free, slots);
  ze_event_desc_t desc;
  ze_result_t result;
  if (created == NULL)
    created = (struct syclze__native_event *)syclze__pool_grow(slots, sizeof *created);
  if (created != NULL && created->slot.self == 0) {
    free(created);
    created = NULL;
  }
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  desc.index = index;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
  result = SYCLZE__ZE(zeEventCreate)(pool->native, &desc, &created->native);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__list_put(&slots->free, &created->slot);
    return result;
  }
  created->kind = (uint32_t)kind;
  created->used = false;
  *event = created;
  return result;
}

/* Adds a native pool: one event is the caller's, the others are idle. Level Zero allows one thread
 * at a time in a pool, so all its events are created before other threads can see it. */
SYCLZE_LOCAL ze_result_t syclze__event_pool_add(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__native_event **event) {
  struct syclze__event_pools *pools = syclze__event_pools_get(context);
  struct syclze__event_pool *pool = (struct syclze__event_pool *)calloc(1, sizeof *pool), *newest;
  struct syclze__native_event *other;
  ze_result_t result;
  if (pools == NULL || pool == NULL) {
    free(pool);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  newest = __atomic_load_n(&pools->of[kind].newest, __ATOMIC_ACQUIRE);
  pool->capacity = SYCLZE__EVENT_POOL_FIRST;
  if (newest != NULL)
    pool->capacity =
        newest->capacity < SYCLZE__EVENT_POOL_MOST ? 2 * newest->capacity : newest->capacity;
  result = syclze__event_pool_create(context, kind, pool);
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze__native_event_create(pools->slots, pool, kind, 0, event);
    if (result != ZE_RESULT_SUCCESS) SYCLZE__ZE(zeEventPoolDestroy)(pool->native);
  }
  if (result != ZE_RESULT_SUCCESS) {
    free(pool);
    return result;
  }
  /* A pool with fewer events than its capacity is no failure. */
  for (uint32_t i = 1; i < pool->capacity; i++) {
    if (syclze__native_event_create(pools->slots, pool, kind, i, &other) != ZE_RESULT_SUCCESS)
      break;
    syclze__list_put(&pools->of[kind].idle, &other->slot);
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
  struct syclze__event_pools *pools = syclze__event_pools_there(context);
  struct syclze__native_event *idle =
      pools != NULL ? syclze__idle_event(pools, (uint32_t)kind) : NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (idle == NULL) return syclze__event_pool_add(context, kind, event);
  if (idle->used) result = SYCLZE__ZE(zeEventHostReset)(idle->native);
  if (result == ZE_RESULT_SUCCESS)
    *event = idle;
  else
    syclze__native_event_release(context, idle);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
