/* The native events that a context keeps for the library's own use.
 *
 * They come from native pools, all events of a pool being created with it, by one thread. An event
 * that comes back is reset when it is next taken. All go, events before pools, when the context
 * goes. Any thread. */
#ifndef SYCLZE_EVENT_POOL_H
#define SYCLZE_EVENT_POOL_H

#include "../context.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__native_event {
  struct syclze__slot slot;
  ze_event_handle_t native;
  uint32_t kind; /* which of the context's lists it returns to */
  bool used;     /* to be reset */
};

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

/* What hangs on the context. */
struct syclze__event_pools {
  struct syclze__attachment attachment;
  struct syclze__pool *places; /* where the structs of the events come from */
  uint32_t lost; /* why an event cannot be signalled that others wait for; 0 while all can */
  struct {
    struct syclze__list idle;
    struct syclze__event_pool *newest;
  } of[SYCLZE__EVENT_KINDS];
};

/* Each pool is twice as large as the one before. */
enum { SYCLZE__EVENT_POOL_FIRST = 32, SYCLZE__EVENT_POOL_MOST = 512 };

/* What hangs on the context already; null before the first event. */
SYCLZE_INLINE struct syclze__event_pools *syclze__event_pools_there(
    const struct syclze__context *context) {
  return (struct syclze__event_pools *)(void *)__atomic_load_n(
      &context->event_pools, __ATOMIC_ACQUIRE);
}

/* Gives an event back to its context. */
SYCLZE_INLINE void syclze__native_event_release(
    const struct syclze__context *context, struct syclze__native_event *event) {
  struct syclze__event_pools *pools = syclze__event_pools_there(context);
  event->used = true;
  syclze__list_put(&pools->of[event->kind].idle, &event->slot);
}

SYCLZE_INLINE struct syclze__native_event *syclze__idle_event(
    struct syclze__event_pools *pools, uint32_t kind) {
  return (struct syclze__native_event *)syclze__list_acquire(&pools->of[kind].idle, pools->places);
}

SYCLZE_LOCAL ze_result_t syclze__event_pools_end(struct syclze__attachment *attachment) {
  struct syclze__event_pools *pools = (struct syclze__event_pools *)(void *)attachment;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t kind = 0; kind < SYCLZE__EVENT_KINDS; kind++) {
    struct syclze__native_event *event;
    while ((event = syclze__idle_event(pools, kind)) != NULL) {
      ze_result_t destroyed = SYCLZE__ZE(zeEventDestroy)(event->native);
      if (result == ZE_RESULT_SUCCESS) result = destroyed;
      syclze__list_put(&pools->places->free, &event->slot);
    }
    while (pools->of[kind].newest != NULL) {
      struct syclze__event_pool *pool = pools->of[kind].newest;
      pools->of[kind].newest = pool->older;
      ze_result_t destroyed = SYCLZE__ZE(zeEventPoolDestroy)(pool->native);
      if (result == ZE_RESULT_SUCCESS) result = destroyed;
      free(pool);
    }
  }
  free(pools);
  return result;
}

/* The context's pools, which the first call attaches; null without memory. */
SYCLZE_LOCAL struct syclze__event_pools *syclze__event_pools_of(struct syclze__context *context) {
  struct syclze__event_pools *there = syclze__event_pools_there(context);
  if (there != NULL) return there;
  struct syclze__event_pools *created = (struct syclze__event_pools *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  created->attachment.end = syclze__event_pools_end;
  created->places = &SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT];
  struct syclze__attachment *none = NULL;
  if (__atomic_compare_exchange_n(&context->event_pools, &none, &created->attachment, false,
          __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return syclze__event_pools_there(context);
}

/* The native pool, for all devices of the context. */
SYCLZE_LOCAL ze_result_t syclze__event_pool_create(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__event_pool *pool) {
  ze_device_handle_t *devices =
      (ze_device_handle_t *)calloc(context->device_count, sizeof *devices);
  if (devices == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_event_pool_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  if (kind == SYCLZE__EVENT_TIMESTAMP) desc.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  desc.count = pool->capacity;
  for (uint32_t i = 0; i < context->device_count; i++)
    devices[i] = context->devices[i]->native;
  ze_result_t result = SYCLZE__ZE(zeEventPoolCreate)(
      context->native, &desc, context->device_count, devices, &pool->native);
  free(devices);
  return result;
}

/* The event at an index of the pool. Pooled under sanitizers too, and never an allocation of its
 * own: only what is in a pool can wait in a list. */
SYCLZE_LOCAL ze_result_t syclze__event_create(struct syclze__pool *places,
    const struct syclze__event_pool *pool, enum syclze__event_kind kind, uint32_t index,
    struct syclze__native_event **event) {
  struct syclze__native_event *created =
      (struct syclze__native_event *)syclze__list_acquire(&places->free, places);
  if (created == NULL)
    created = (struct syclze__native_event *)syclze__pool_grow(places, sizeof *created);
  if (created != NULL && created->slot.self == 0) {
    free(created);
    created = NULL;
  }
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_event_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  desc.index = index;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
  ze_result_t result = SYCLZE__ZE(zeEventCreate)(pool->native, &desc, &created->native);
  if (result != ZE_RESULT_SUCCESS) {
    syclze__list_put(&places->free, &created->slot);
    return result;
  }
  created->kind = (uint32_t)kind;
  created->used = false;
  *event = created;
  return result;
}

/* One more native pool: an event for the caller, the others idle. Level Zero allows one thread at a
 * time in a pool, so all its events are created here, before the pool is known to others. */
SYCLZE_LOCAL ze_result_t syclze__event_pool_add(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__native_event **event) {
  struct syclze__event_pools *pools = syclze__event_pools_of(context);
  struct syclze__event_pool *pool = (struct syclze__event_pool *)calloc(1, sizeof *pool);
  if (pools == NULL || pool == NULL) {
    free(pool);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  struct syclze__event_pool *newest = __atomic_load_n(&pools->of[kind].newest, __ATOMIC_ACQUIRE);
  pool->capacity = SYCLZE__EVENT_POOL_FIRST;
  if (newest != NULL)
    pool->capacity =
        newest->capacity < SYCLZE__EVENT_POOL_MOST ? 2 * newest->capacity : newest->capacity;
  ze_result_t result = syclze__event_pool_create(context, kind, pool);
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze__event_create(pools->places, pool, kind, 0, event);
    if (result != ZE_RESULT_SUCCESS) SYCLZE__ZE(zeEventPoolDestroy)(pool->native);
  }
  if (result != ZE_RESULT_SUCCESS) {
    free(pool);
    return result;
  }
  /* One event is what was asked for; a pool that yields fewer than it might is no failure. */
  struct syclze__native_event *other;
  for (uint32_t i = 1; i < pool->capacity; i++) {
    if (syclze__event_create(pools->places, pool, kind, i, &other) != ZE_RESULT_SUCCESS) break;
    syclze__list_put(&pools->of[kind].idle, &other->slot);
  }
  pool->older = newest;
  while (!__atomic_compare_exchange_n(
      &pools->of[kind].newest, &pool->older, pool, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    continue;
  return result;
}

/* An unsignalled event of the kind. Passes through what zeEventPoolCreate, zeEventCreate and
 * zeEventHostReset return. */
SYCLZE_LOCAL ze_result_t syclze__native_event_acquire(struct syclze__context *context,
    enum syclze__event_kind kind, struct syclze__native_event **event) {
  struct syclze__event_pools *pools = syclze__event_pools_there(context);
  struct syclze__native_event *taken =
      pools != NULL ? syclze__idle_event(pools, (uint32_t)kind) : NULL;
  if (taken == NULL) return syclze__event_pool_add(context, kind, event);
  ze_result_t result =
      taken->used ? SYCLZE__ZE(zeEventHostReset)(taken->native) : ZE_RESULT_SUCCESS;
  if (result == ZE_RESULT_SUCCESS)
    *event = taken;
  else
    syclze__native_event_release(context, taken);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
