#include "events/event_counted.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"

#include <pthread.h>

/* Of the `latest` of all events. */
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

struct zecl_event *zecl_event_next(const struct zecl_event *event) {
  return zecl_event_hidden(event->has_timestamps);
}

void zecl_event_advance(struct zecl_event *event, struct zecl_event *next) {
  pthread_mutex_lock(&lock);
  struct zecl_event *before = event->latest;
  event->latest = next;
  pthread_mutex_unlock(&lock);
  if (before) zecl_event_release(before);
}

/* Without a pool of the application's: the event has one of its own, which is no handle. */
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
  ZECL_REQUIRE(!(desc->flags & (ZECL_COUNTER_BASED_IPC | GRAPH_EXTERNAL)),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  for (const ze_base_desc_t *next = desc->pNext; next; next = next->pNext)
    ZECL_REQUIRE(
        (unsigned)next->stype != EXTERNAL_STORAGE && (unsigned)next->stype != EXTERNAL_AGGREGATE,
        ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  const bool has_timestamps = (desc->flags & TIMESTAMPS) != 0;
  struct zecl_event_pool *pool =
      zecl_event_pool_new(context, has_timestamps ? ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP : 0, 1);
  if (!pool) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pool->is_counted = true;
  pool->counting_lists = zecl_event_counting_lists(desc->flags) | ZECL_COUNTED_FOR_ALL;
  const ze_event_desc_t plain = {.signal = desc->signal, .wait = desc->wait};
  const ze_result_t result = zecl_event_create(pool, &plain, handle);
  zecl_object_kill(pool, ZECL_EVENT_POOL);
  zecl_event_pool_release(pool);
  return result;
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
