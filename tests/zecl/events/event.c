#include "events/event.h"

#include "commands/backlog.h"
#include "commands/capture.h"
#include "commands/stream.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "events/event_counted.h"
#include "events/event_state.h"

enum { KNOWN_SCOPES = 0x7, LOST_NS = 10000000 }; /* between two checks of the device */

static void finish(void *object) {
  struct zecl_event *event = object;
  if (event->latest) zecl_event_release(event->latest);
  while (event->followers) {
    struct zecl_event *follower = event->followers;
    event->followers = follower->next;
    zecl_event_release(follower);
  }
  if (event->state != &event->own && event->state && !(event->pool && event->pool->states))
    zecl_event_state_give(event->state);
  if (event->pool) zecl_event_pool_release(event->pool);
}

bool zecl_event_take_state(struct zecl_event *event) {
  event->state = zecl_engine()->streams ? zecl_event_state_take() : &event->own;
  return event->state != NULL;
}

/* A state of a pool in shared memory, in which each process that uses it writes the same. The pool
 * does not: it would touch the memory of all events that it could have. */
static struct zecl_event_state *state_of(const struct zecl_event_pool *pool, uint32_t index) {
  struct zecl_event_state *state = &pool->states[index];
  state->flag.is_shared = true;
  state->flag.is_polled = zecl_engine()->streams != NULL;
  return state;
}

struct zecl_event *zecl_event_hidden(bool has_timestamps) {
  struct zecl_event *event = zecl_object_create(ZECL_EVENT, sizeof *event);
  if (!event) return NULL;
  zecl_object_kill(event, ZECL_EVENT);
  event->has_timestamps = has_timestamps;
  if (zecl_event_take_state(event)) return event;
  zecl_event_release(event);
  return NULL;
}

struct zecl_event *zecl_event_hidden_of(struct zecl_event_pool *pool) {
  zecl_object_kill(pool, ZECL_EVENT_POOL);
  struct zecl_event *event = zecl_object_create(ZECL_EVENT, sizeof *event);
  if (!event) {
    zecl_event_pool_release(pool);
    return NULL;
  }
  zecl_object_kill(event, ZECL_EVENT);
  event->pool = pool;
  event->state = state_of(pool, 0);
  return event;
}

void zecl_event_release(struct zecl_event *event) {
  zecl_object_release(event, sizeof *event, finish);
}

ze_kernel_timestamp_result_t zecl_event_timestamps(struct zecl_event *event) {
  const ze_kernel_timestamp_data_t data = {
      .kernelStart = atomic_load_explicit(&event->state->start, memory_order_relaxed),
      .kernelEnd = atomic_load_explicit(&event->state->end, memory_order_relaxed)};
  return (ze_kernel_timestamp_result_t){.global = data, .context = data};
}

ze_result_t zecl_event_create(
    struct zecl_event_pool *pool, const ze_event_desc_t *desc, ze_event_handle_t *handle) {
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->signal <= KNOWN_SCOPES && desc->wait <= KNOWN_SCOPES,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(desc->index < pool->count, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_event *event = zecl_object_create(ZECL_EVENT, sizeof *event);
  if (!event) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(pool);
  event->pool = pool;
  if (pool->states) {
    event->state = state_of(pool, desc->index);
  } else if (!zecl_event_take_state(event)) {
    zecl_object_kill(event, ZECL_EVENT);
    zecl_event_release(event);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (!event->pool->is_opened) zecl_flag_reset(&event->state->flag);
  event->has_timestamps = (event->pool->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP) != 0;
  event->is_counted = event->pool->is_counted;
  event->counting_lists = event->pool->counting_lists;
  event->signal_scope = desc->signal;
  event->wait_scope = desc->wait;
  *handle = (ze_event_handle_t)(void *)event;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventCreate(
    ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *handle) {
  ZECL_ENTER(zeEventCreate);
  ZECL_CHECK_HANDLE(pool, ZECL_EVENT_POOL);
  return zecl_event_create(zecl_event_pool_of(pool), desc, handle);
}

ze_result_t zecl_zeEventDestroy(ze_event_handle_t handle) {
  ZECL_ENTER(zeEventDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_REQUIRE(!zecl_event_of(handle)->is_opened && zecl_object_kill(handle, ZECL_EVENT),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_event_release(zecl_event_of(handle));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventHostSignal(ze_event_handle_t handle) {
  ZECL_ENTER(zeEventHostSignal);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  struct zecl_event *event = zecl_event_of(handle);
  ZECL_REQUIRE(!event->is_counted, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const uint64_t now = event->has_timestamps ? zecl_stamp() : 0;
  atomic_store(&event->signaller, ZECL_SIGNALLED_BY_HOST);
  zecl_event_signal(event, now, now);
  zecl_backlog_push();
  return ZE_RESULT_SUCCESS;
}

static bool is_ready(struct zecl_event *event) {
  return atomic_load(&event->begun) == atomic_load(&event->submitted) &&
         zecl_flag_is_set(&event->state->flag);
}

/* A device that is lost begins nothing any more, and wakes no thread. */
static bool wait(struct zecl_event *event, uint64_t deadline) {
  unsigned begun;
  while ((begun = atomic_load(&event->begun)) != atomic_load(&event->submitted)) {
    const uint64_t now = zecl_now();
    if (now >= deadline || zecl_streams_are_lost(ZECL_ANY_DEVICE)) return false;
    const bool checks_again = zecl_engine()->streams && deadline - now > LOST_NS;
    zecl_futex_wait(&event->begun, begun, checks_again ? now + LOST_NS : deadline);
  }
  return zecl_flag_wait(&event->state->flag, deadline, NULL);
}

ze_result_t zecl_zeEventHostSynchronize(ze_event_handle_t handle, uint64_t timeout) {
  ZECL_ENTER(zeEventHostSynchronize);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_REQUIRE(!zecl_capture_has(zecl_event_of(handle)), (ze_result_t)ZECL_CAPTURE_UNSUPPORTED);
  struct zecl_event *event = zecl_event_seen(zecl_event_of(handle));
  if (!event) return ZE_RESULT_SUCCESS;
  const bool set = is_ready(event) || (timeout != 0 && wait(event, zecl_deadline(timeout)));
  zecl_event_release(event);
  return zecl_flag_result(set, timeout);
}

ze_result_t zecl_zeEventQueryStatus(ze_event_handle_t handle) {
  ZECL_ENTER(zeEventQueryStatus);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  struct zecl_event *event = zecl_event_of(handle);
  /* A plain event's state is its own; the caller keeps the event. */
  if (!event->is_counted)
    return zecl_flag_is_set(&event->state->flag) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
  event = zecl_event_seen(event);
  if (!event) return ZE_RESULT_SUCCESS;
  const bool set = is_ready(event);
  zecl_event_release(event);
  return set ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t zecl_zeEventHostReset(ze_event_handle_t handle) {
  ZECL_ENTER(zeEventHostReset);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_REQUIRE(!zecl_event_of(handle)->is_counted, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  atomic_store_explicit(&zecl_event_of(handle)->signaller, 0, memory_order_relaxed);
  zecl_flag_reset(&zecl_event_of(handle)->state->flag);
  return ZE_RESULT_SUCCESS;
}

/* Timestamps of the command that signalled the event. False if there is none yet. */
static bool read_timestamps(struct zecl_event *event, ze_kernel_timestamp_result_t *stamps) {
  struct zecl_event *seen = zecl_event_seen(event);
  const bool set = seen && is_ready(seen);
  if (set) *stamps = zecl_event_timestamps(seen);
  if (seen) zecl_event_release(seen);
  return set;
}

ze_result_t zecl_zeEventQueryKernelTimestamp(
    ze_event_handle_t handle, ze_kernel_timestamp_result_t *result) {
  ZECL_ENTER(zeEventQueryKernelTimestamp);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_POINTER(result);
  struct zecl_event *event = zecl_event_of(handle);
  ZECL_REQUIRE(event->has_timestamps, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(read_timestamps(event, result), ZE_RESULT_NOT_READY);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventQueryTimestampsExp(ze_event_handle_t handle, ze_device_handle_t device,
    uint32_t *count, ze_kernel_timestamp_result_t *results) {
  ZECL_ENTER(zeEventQueryTimestampsExp);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  struct zecl_event *event = zecl_event_of(handle);
  ZECL_REQUIRE(event->has_timestamps, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (zecl_count_out(count, 1) == 0 || !results) return ZE_RESULT_SUCCESS;
  ZECL_REQUIRE(read_timestamps(event, results), ZE_RESULT_NOT_READY);
  return ZE_RESULT_SUCCESS;
}

/* A command is one packet, and the synchronised clock is the only one. */
ze_result_t zecl_zeEventQueryKernelTimestampsExt(ze_event_handle_t handle,
    ze_device_handle_t device, uint32_t *count,
    ze_event_query_kernel_timestamps_results_ext_properties_t *results) {
  ZECL_ENTER(zeEventQueryKernelTimestampsExt);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(count);
  struct zecl_event *event = zecl_event_of(handle);
  ZECL_REQUIRE(event->has_timestamps, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (zecl_count_out(count, 1) == 0 || !results) return ZE_RESULT_SUCCESS;
  ze_kernel_timestamp_result_t stamps;
  ZECL_REQUIRE(read_timestamps(event, &stamps), ZE_RESULT_NOT_READY);
  if (results->pKernelTimestampsBuffer) *results->pKernelTimestampsBuffer = stamps;
  if (results->pSynchronizedTimestampsBuffer) {
    results->pSynchronizedTimestampsBuffer->global.kernelStart = stamps.global.kernelStart;
    results->pSynchronizedTimestampsBuffer->global.kernelEnd = stamps.global.kernelEnd;
    results->pSynchronizedTimestampsBuffer->context =
        results->pSynchronizedTimestampsBuffer->global;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventGetEventPool(ze_event_handle_t handle, ze_event_pool_handle_t *pool) {
  ZECL_ENTER(zeEventGetEventPool);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_POINTER(pool);
  *pool = (ze_event_pool_handle_t)(void *)zecl_event_of(handle)->pool;
  /* A pool that was destroyed, or never was a handle. */
  if (zecl_object_check(*pool, ZECL_EVENT_POOL) != ZE_RESULT_SUCCESS) {
    *pool = NULL;
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventGetSignalScope(ze_event_handle_t handle, ze_event_scope_flags_t *scope) {
  ZECL_ENTER(zeEventGetSignalScope);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_POINTER(scope);
  *scope = zecl_event_of(handle)->signal_scope;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventGetWaitScope(ze_event_handle_t handle, ze_event_scope_flags_t *scope) {
  ZECL_ENTER(zeEventGetWaitScope);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_POINTER(scope);
  *scope = zecl_event_of(handle)->wait_scope;
  return ZE_RESULT_SUCCESS;
}
