/* Counter-based events between processes. Each append of one makes a plain event in shared memory,
 * which the handle names: who opens it sees that append, whatever the event stands for later. */
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/event_counted.h"
#include "memory/ipc.h"

#include <string.h>

/* The state stays for as long as the process does: there is no function that puts the handle. */
ze_result_t zecl_zeEventCounterBasedGetIpcHandle(
    ze_event_handle_t handle, ze_ipc_event_counter_based_handle_t *answer) {
  ZECL_ENTER(zeEventCounterBasedGetIpcHandle);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_CHECK_POINTER(answer);
  struct zecl_event *event = zecl_event_of(handle);
  ZECL_REQUIRE((event->counter_flags & ZECL_COUNTER_BASED_IPC) && !event->is_opened,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_event *latest = zecl_event_seen_or_set(event);
  ZECL_REQUIRE(latest, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  struct zecl_shared_range *range = latest->pool->shared;
  struct zecl_ipc_name name;
  const bool is_named = zecl_ipc_name(range, sizeof *latest->state, &name);
  if (is_named) {
    __atomic_fetch_add(&range->named, 1, __ATOMIC_RELAXED);
    name.event_count = 1;
    name.event_flags = ZECL_IPC_OF_COUNTED | ZE_EVENT_POOL_FLAG_IPC;
    memset(answer, 0, sizeof *answer);
    memcpy(answer, &name, sizeof name);
  }
  zecl_event_release(latest);
  return is_named ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNKNOWN;
}

ze_result_t zecl_zeEventCounterBasedOpenIpcHandle(ze_context_handle_t context,
    ze_ipc_event_counter_based_handle_t given, ze_event_handle_t *handle) {
  ZECL_ENTER(zeEventCounterBasedOpenIpcHandle);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  const ze_event_counter_based_desc_t desc = {
      .flags = ZECL_COUNTER_BASED_IPC | ZECL_COUNTER_BASED_IMMEDIATE};
  struct zecl_ipc_name name;
  ze_result_t result;
  memcpy(&name, &given, sizeof name);
  ZECL_REQUIRE((name.event_flags & ZECL_IPC_OF_COUNTED) && name.event_count == 1,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  name.event_flags &= ~ZECL_IPC_OF_COUNTED;
  struct zecl_event_pool *pool = zecl_event_pool_open(context, &name, &result);
  if (!pool) return result;
  struct zecl_event *seen = zecl_event_hidden_of(pool);
  ZECL_REQUIRE(seen, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  result = zecl_event_counted_create(context, &desc, handle);
  if (result != ZE_RESULT_SUCCESS) {
    zecl_event_release(seen);
    return result;
  }
  zecl_event_of(*handle)->is_opened = true;
  zecl_event_advance(zecl_event_of(*handle), seen);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventCounterBasedCloseIpcHandle(ze_event_handle_t handle) {
  ZECL_ENTER(zeEventCounterBasedCloseIpcHandle);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT);
  ZECL_REQUIRE(zecl_event_of(handle)->is_opened && zecl_object_kill(handle, ZECL_EVENT),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_event_release(zecl_event_of(handle));
  return ZE_RESULT_SUCCESS;
}
