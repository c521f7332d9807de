#include "events/event_counted.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"

#include <pthread.h>

/* Guards the `latest` of all events. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct zecl_event *zecl_event_seen(struct zecl_event *event) {
  if (!event->is_counted) {
    zecl_object_retain(event);
    return event;
  }
  pthread_mutex_lock(&lock);
  struct zecl_event *latest = event->latest;
  if (latest) zecl_object_retain(latest);
  pthread_mutex_unlock(&lock);
  return latest;
}

struct zecl_event *zecl_event_followed(struct zecl_event *event, ze_result_t *result) {
  struct zecl_event *seen = zecl_event_seen(event), *follower = NULL;
  if (!seen || !seen->is_of_tape || zecl_engine()->streams) return seen;
  pthread_mutex_lock(&lock);
  const bool is_begun = atomic_load(&seen->begun) == atomic_load(&seen->submitted);
  if (!is_begun && (follower = zecl_event_hidden(false))) {
    zecl_object_retain(follower);
    follower->execution = atomic_load(&seen->submitted);
    follower->next = seen->followers;
    seen->followers = follower;
  }
  pthread_mutex_unlock(&lock);
  if (is_begun) return seen;
  zecl_event_release(seen);
  if (!follower) *result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return follower;
}

void zecl_event_complete_tape(struct zecl_event *event, uint64_t start, uint64_t end) {
  pthread_mutex_lock(&lock);
  zecl_event_signal(event, start, end);
  for (struct zecl_event **link = &event->followers; *link;) {
    struct zecl_event *follower = *link;
    if ((int)(atomic_load(&event->begun) - follower->execution) < 0) {
      link = &follower->next;
      continue;
    }
    *link = follower->next;
    zecl_event_signal(follower, 0, 0);
    zecl_event_release(follower);
  }
  pthread_mutex_unlock(&lock);
}

struct zecl_event *zecl_event_next(const struct zecl_event *event) {
  if (!(event->counter_flags & ZECL_COUNTER_BASED_IPC))
    return zecl_event_hidden(event->has_timestamps);
  struct zecl_event_pool *pool = zecl_event_pool_new(
      (ze_context_handle_t)(void *)event->pool->context, ZE_EVENT_POOL_FLAG_IPC, 1);
  if (!pool) return NULL;
  if (zecl_event_pool_share(pool)) return zecl_event_hidden_of(pool);
  zecl_object_kill(pool, ZECL_EVENT_POOL);
  zecl_event_pool_release(pool);
  return NULL;
}

struct zecl_event *zecl_event_seen_or_set(struct zecl_event *event) {
  struct zecl_event *latest = zecl_event_seen(event), *made = NULL;
  if (latest) return latest;
  made = zecl_event_next(event);
  if (!made) return NULL;
  zecl_event_signal(made, 0, 0);
  pthread_mutex_lock(&lock);
  if (!event->latest) {
    event->latest = made;
    made = NULL;
  }
  latest = event->latest;
  zecl_object_retain(latest);
  pthread_mutex_unlock(&lock);
  if (made) zecl_event_release(made);
  return latest;
}

void zecl_event_advance(struct zecl_event *event, struct zecl_event *next) {
  pthread_mutex_lock(&lock);
  struct zecl_event *before = event->latest;
  event->latest = next;
  pthread_mutex_unlock(&lock);
  if (before) zecl_event_release(before);
}

ze_result_t zecl_event_counted_create(ze_context_handle_t context,
    const ze_event_counter_based_desc_t *desc, ze_event_handle_t *handle) {
  enum { TIMESTAMPS = ZECL_COUNTER_BASED_DEVICE_TIMESTAMP | ZECL_COUNTER_BASED_HOST_TIMESTAMP };
  const bool has_timestamps = (desc->flags & TIMESTAMPS) != 0;
  struct zecl_event_pool *pool =
      zecl_event_pool_new(context, has_timestamps ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0, 1);
  if (!pool) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pool->is_counted = true;
  pool->counting_lists = zecl_event_counting_lists(desc->flags) | ZECL_COUNTED_FOR_ALL;
  const ze_event_desc_t plain = {.signal = desc->signal, .wait = desc->wait};
  const ze_result_t result = zecl_event_create(pool, &plain, handle);
  if (result == ZE_RESULT_SUCCESS) zecl_event_of(*handle)->counter_flags = desc->flags;
  zecl_object_kill(pool, ZECL_EVENT_POOL);
  zecl_event_pool_release(pool);
  return result;
}

static ze_result_t create(ze_context_handle_t context, ze_device_handle_t device,
    const ze_event_counter_based_desc_t *desc, ze_event_handle_t *handle) {
  enum { TIMESTAMPS = ZECL_COUNTER_BASED_DEVICE_TIMESTAMP | ZECL_COUNTER_BASED_HOST_TIMESTAMP };
  enum { EXTERNAL_STORAGE = 0x0002003b, EXTERNAL_AGGREGATE = 0x0002003f, GRAPH_EXTERNAL = 0x40 };
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= ZECL_COUNTER_BASED_KNOWN, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE((desc->flags & TIMESTAMPS) != TIMESTAMPS, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(!(desc->flags & ZECL_COUNTER_BASED_IPC) || !(desc->flags & TIMESTAMPS),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(!(desc->flags & GRAPH_EXTERNAL), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  for (const ze_base_desc_t *next = desc->pNext; next; next = next->pNext)
    ZECL_REQUIRE(
        (unsigned)next->stype != EXTERNAL_STORAGE && (unsigned)next->stype != EXTERNAL_AGGREGATE,
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return zecl_event_counted_create(context, desc, handle);
}

ze_result_t zecl_zeEventCounterBasedCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_event_counter_based_desc_t *desc, ze_event_handle_t *handle) {
  ZECL_ENTER(zeEventCounterBasedCreate);
  return create(context, device, desc, handle);
}

ze_result_t zecl_zexCounterBasedEventCreate2(ze_context_handle_t context, ze_device_handle_t device,
    const ze_event_counter_based_desc_t *desc, ze_event_handle_t *handle) {
  ZECL_ENTER(zexCounterBasedEventCreate2);
  return create(context, device, desc, handle);
}

ze_result_t zecl_zeEventGetCounterBasedFlags(
    ze_event_handle_t handle, ze_event_counter_based_flags_t *flags) {
  ZECL_ENTER(zeEventGetCounterBasedFlags);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_POINTER(flags);
  *flags = zecl_event_of(handle)->counter_flags;
  return ZE_RESULT_SUCCESS;
}
