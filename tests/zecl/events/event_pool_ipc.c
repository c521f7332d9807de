/* Event pools between processes: the states of their events are in memory that all of them map, and
 * a signal of any of them wakes all waiters. */
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/event.h"
#include "memory/ipc.h"

#include <string.h>

ze_result_t zecl_zeEventPoolGetIpcHandle(
    ze_event_pool_handle_t handle, ze_ipc_event_pool_handle_t *answer) {
  ZECL_ENTER(zeEventPoolGetIpcHandle);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT_POOL);
  ZECL_CHECK_POINTER(answer);
  const struct zecl_event_pool *pool = zecl_event_pool_of(handle);
  ZECL_REQUIRE(pool->shared && !pool->is_opened, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_ipc_name name;
  ZECL_REQUIRE(zecl_ipc_name(pool->shared, pool->count * sizeof *pool->states, &name),
      ZE_RESULT_ERROR_UNKNOWN);
  name.event_count = pool->count;
  name.event_flags = pool->flags;
  memset(answer, 0, sizeof *answer);
  memcpy(answer, &name, sizeof name);
  return ZE_RESULT_SUCCESS;
}

struct zecl_event_pool *zecl_event_pool_open(
    ze_context_handle_t context, struct zecl_ipc_name *name, ze_result_t *error) {
  struct zecl_shared_range *range;
  *error = ZE_RESULT_ERROR_INVALID_ARGUMENT;
  void *states = name->event_count != 0 ? zecl_ipc_open(name, &range) : NULL;
  if (!states) return NULL;
  if (name->size != (uint64_t)name->event_count * sizeof(struct zecl_event_state)) {
    zecl_ipc_give(range);
    return NULL;
  }
  *error = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  struct zecl_event_pool *pool = zecl_event_pool_new(context, name->event_flags, name->event_count);
  if (!pool) {
    zecl_ipc_give(range);
    return NULL;
  }
  pool->shared = range;
  if (!zecl_event_pool_enlist(pool)) {
    zecl_object_kill(pool, ZECL_EVENT_POOL);
    zecl_event_pool_release(pool);
    return NULL;
  }
  pool->states = states;
  pool->is_opened = true;
  return pool;
}

ze_result_t zecl_zeEventPoolOpenIpcHandle(
    ze_context_handle_t context, ze_ipc_event_pool_handle_t given, ze_event_pool_handle_t *handle) {
  ZECL_ENTER(zeEventPoolOpenIpcHandle);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  struct zecl_ipc_name name;
  ze_result_t error;
  memcpy(&name, &given, sizeof name);
  ZECL_REQUIRE(!(name.event_flags & ZECL_IPC_OF_COUNTED), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  *handle = (ze_event_pool_handle_t)(void *)zecl_event_pool_open(context, &name, &error);
  return *handle ? ZE_RESULT_SUCCESS : error;
}

ze_result_t zecl_zeEventPoolCloseIpcHandle(ze_event_pool_handle_t handle) {
  ZECL_ENTER(zeEventPoolCloseIpcHandle);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT_POOL);
  ZECL_REQUIRE(zecl_event_pool_of(handle)->is_opened && zecl_object_kill(handle, ZECL_EVENT_POOL),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_event_pool_release(zecl_event_pool_of(handle));
  return ZE_RESULT_SUCCESS;
}

/* A handle holds no resource, so there is nothing to release. */
ze_result_t zecl_zeEventPoolPutIpcHandle(
    ze_context_handle_t context, ze_ipc_event_pool_handle_t given) {
  ZECL_ENTER(zeEventPoolPutIpcHandle);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  (void)given;
  return ZE_RESULT_SUCCESS;
}
