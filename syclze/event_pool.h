/* The native events that a context keeps for the library's own use.
 *
 * They come from native pools that grow by doubling, and are used again: a returned event is reset
 * when it is next taken. All go, events before pools, when the context goes. Any thread. */
#ifndef SYCLZE_EVENT_POOL_H
#define SYCLZE_EVENT_POOL_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

/* One place in a native pool, and its event once there is one. */
struct syclze__native_event {
  struct syclze__slot slot;
  ze_event_handle_t native; /* null until it is first taken */
  ze_event_pool_handle_t pool;
  uint32_t index; /* in the pool */
  uint32_t kind;  /* which of the context's lists it returns to */
};

enum syclze__event_kind {
  SYCLZE__EVENT_PLAIN,
  SYCLZE__EVENT_TIMESTAMP, /* takes kernel timestamps */
  SYCLZE__EVENT_KINDS
};

struct syclze__event_pool {
  ze_event_pool_handle_t native;
  struct syclze__event_pool *older;
  uint32_t capacity;
  uint32_t used;
};

struct syclze__event_pools {
  struct syclze__attachment attachment;
  struct {
    struct syclze__list idle;
    struct syclze__event_pool *newest;
  } of[SYCLZE__EVENT_KINDS];
};

enum { SYCLZE__EVENT_POOL_FIRST = 32, SYCLZE__EVENT_POOL_MOST = 4096 };

/* An unsignalled event of the kind. Passes through what zeEventPoolCreate, zeEventCreate and
 * zeEventHostReset return. */
SYCLZE_COLD
ze_result_t syclze__native_event_take(struct syclze__context *context, enum syclze__event_kind kind,
    struct syclze__native_event **event) SYCLZE_LINK_NAME(syclze__native_event_take);

/* The list that idle events of the context wait in; there is one once an event was taken. */
SYCLZE_INLINE struct syclze__list *syclze__idle_events(
    struct syclze__context *context, uint32_t kind) {
  struct syclze__attachment *attachment = __atomic_load_n(&context->event_pools, __ATOMIC_ACQUIRE);
  return &((struct syclze__event_pools *)(void *)attachment)->of[kind].idle;
}

/* Gives an event back to its context. */
SYCLZE_INLINE void syclze__native_event_give(
    struct syclze__context *context, struct syclze__native_event *event) {
  syclze__list_put(syclze__idle_events(context, event->kind), &event->slot);
}

SYCLZE_INLINE struct syclze__native_event *syclze__idle_event(struct syclze__list *idle) {
  return (struct syclze__native_event *)syclze__list_take(
      idle, &SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT]);
}

SYCLZE_COLD
ze_result_t syclze__event_pools_end(struct syclze__attachment *attachment)
    SYCLZE_LINK_NAME(syclze__event_pools_end);

SYCLZE_COLD
ze_result_t syclze__event_pools_end(struct syclze__attachment *attachment) {
  struct syclze__event_pools *pools = (struct syclze__event_pools *)(void *)attachment;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t kind = 0; kind < SYCLZE__EVENT_KINDS; kind++) {
    struct syclze__native_event *event;
    while ((event = syclze__idle_event(&pools->of[kind].idle)) != NULL) {
      if (event->native != NULL) {
        ze_result_t destroyed = zeEventDestroy(event->native);
        if (result == ZE_RESULT_SUCCESS) result = destroyed;
      }
      syclze__list_put(&SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT].free, &event->slot);
    }
    while (pools->of[kind].newest != NULL) {
      struct syclze__event_pool *pool = pools->of[kind].newest;
      pools->of[kind].newest = pool->older;
      ze_result_t destroyed = zeEventPoolDestroy(pool->native);
      if (result == ZE_RESULT_SUCCESS) result = destroyed;
      free(pool);
    }
  }
  free(pools);
  return result;
}

SYCLZE_COLD
struct syclze__event_pools *syclze__event_pools_of(struct syclze__context *context)
    SYCLZE_LINK_NAME(syclze__event_pools_of);

/* The context's pools, which the first call attaches; null without memory. */
SYCLZE_COLD
struct syclze__event_pools *syclze__event_pools_of(struct syclze__context *context) {
  struct syclze__attachment *there = __atomic_load_n(&context->event_pools, __ATOMIC_ACQUIRE);
  if (there == NULL) {
    struct syclze__event_pools *fresh = (struct syclze__event_pools *)calloc(1, sizeof *fresh);
    if (fresh == NULL) return NULL;
    fresh->attachment.end = syclze__event_pools_end;
    if (__atomic_compare_exchange_n(&context->event_pools, &there, &fresh->attachment, false,
            __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return fresh;
    free(fresh);
  }
  return (struct syclze__event_pools *)(void *)there;
}

SYCLZE_COLD
ze_result_t syclze__event_pool_create(struct syclze__context *context, enum syclze__event_kind kind,
    struct syclze__event_pool *older, struct syclze__event_pool **created)
    SYCLZE_LINK_NAME(syclze__event_pool_create);

/* A native pool, twice as large as the one before, for all devices of the context. */
SYCLZE_COLD
ze_result_t syclze__event_pool_create(struct syclze__context *context, enum syclze__event_kind kind,
    struct syclze__event_pool *older, struct syclze__event_pool **created) {
  uint32_t capacity = SYCLZE__EVENT_POOL_FIRST;
  if (older != NULL && older->capacity < SYCLZE__EVENT_POOL_MOST)
    capacity = 2 * older->capacity;
  else if (older != NULL)
    capacity = SYCLZE__EVENT_POOL_MOST;
  struct syclze__event_pool *pool = (struct syclze__event_pool *)calloc(1, sizeof *pool);
  ze_device_handle_t *devices =
      (ze_device_handle_t *)calloc(context->device_count, sizeof *devices);
  ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (pool != NULL && devices != NULL) {
    ze_event_pool_desc_t desc;
    memset(&desc, 0, sizeof desc);
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
    desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
    if (kind == SYCLZE__EVENT_TIMESTAMP) desc.flags |= ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
    desc.count = capacity;
    for (uint32_t i = 0; i < context->device_count; i++)
      devices[i] = context->devices[i]->native;
    pool->capacity = capacity;
    pool->older = older;
    result =
        zeEventPoolCreate(context->native, &desc, context->device_count, devices, &pool->native);
  }
  free(devices);
  if (result != ZE_RESULT_SUCCESS)
    free(pool);
  else
    *created = pool;
  return result;
}

SYCLZE_COLD
ze_result_t syclze__event_place(struct syclze__context *context, enum syclze__event_kind kind,
    struct syclze__native_event **event) SYCLZE_LINK_NAME(syclze__event_place);

/* A place of which no event was made yet. */
SYCLZE_COLD
ze_result_t syclze__event_place(struct syclze__context *context, enum syclze__event_kind kind,
    struct syclze__native_event **event) {
  struct syclze__event_pools *pools = syclze__event_pools_of(context);
  struct syclze__pool *places = &SYCLZE__STATE.pools[SYCLZE__POOL_NATIVE_EVENT];
  if (pools == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  /* Pooled under sanitizers too: only what is in a pool can wait in a list. */
  struct syclze__native_event *place = syclze__idle_event(&places->free);
  if (place == NULL)
    place = (struct syclze__native_event *)syclze__pool_grow(places, sizeof *place);
  if (place == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (;;) {
    struct syclze__event_pool *newest = __atomic_load_n(&pools->of[kind].newest, __ATOMIC_ACQUIRE);
    if (newest != NULL) {
      uint32_t index = __atomic_load_n(&newest->used, __ATOMIC_RELAXED);
      while (index < newest->capacity && !__atomic_compare_exchange_n(&newest->used, &index,
                                             index + 1, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED))
        continue;
      if (index < newest->capacity) {
        place->native = NULL;
        place->pool = newest->native;
        place->index = index;
        place->kind = (uint32_t)kind;
        *event = place;
        return ZE_RESULT_SUCCESS;
      }
    }
    struct syclze__event_pool *fresh = NULL;
    ze_result_t result = syclze__event_pool_create(context, kind, newest, &fresh);
    if (result != ZE_RESULT_SUCCESS) {
      syclze__list_put(&places->free, &place->slot);
      return result;
    }
    if (!__atomic_compare_exchange_n(
            &pools->of[kind].newest, &newest, fresh, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED)) {
      zeEventPoolDestroy(fresh->native);
      free(fresh);
    }
  }
}

SYCLZE_COLD
ze_result_t syclze__native_event_take(struct syclze__context *context, enum syclze__event_kind kind,
    struct syclze__native_event **event) {
  struct syclze__native_event *taken = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (__atomic_load_n(&context->event_pools, __ATOMIC_ACQUIRE) != NULL)
    taken = syclze__idle_event(syclze__idle_events(context, (uint32_t)kind));
  if (taken == NULL) result = syclze__event_place(context, kind, &taken);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (taken->native != NULL)
    result = zeEventHostReset(taken->native);
  else {
    ze_event_desc_t desc;
    memset(&desc, 0, sizeof desc);
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    desc.index = taken->index;
    desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
    desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
    result = zeEventCreate(taken->pool, &desc, &taken->native);
    if (result != ZE_RESULT_SUCCESS) taken->native = NULL;
  }
  if (result == ZE_RESULT_SUCCESS)
    *event = taken;
  else
    syclze__native_event_give(context, taken);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
