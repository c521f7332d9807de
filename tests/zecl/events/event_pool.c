#include "commands/stream.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "events/event.h"
#include "events/event_counted.h"
#include "memory/ipc.h"

/* The flags of the newest headers, in numbers since older ones lack some. */
enum { KNOWN_POOL_FLAGS = 0xf };

static void give_enlisted(void *range) {
  zecl_engine()->memory->delist(zecl_ipc_base(range));
  zecl_ipc_give(range);
}

static void finish(void *object) {
  struct zecl_event_pool *pool = object;
  if (pool->shared && zecl_engine()->streams)
    zecl_streams_defer(give_enlisted, pool->shared);
  else if (pool->shared)
    zecl_ipc_give(pool->shared);
  zecl_context_release(pool->context);
}

void zecl_event_pool_release(struct zecl_event_pool *pool) {
  zecl_object_release(pool, sizeof *pool, finish);
}

struct zecl_event_pool *zecl_event_pool_new(
    ze_context_handle_t context, ze_event_pool_flags_t flags, uint32_t count) {
  struct zecl_event_pool *pool = zecl_object_create(ZECL_EVENT_POOL, sizeof *pool);
  if (!pool) return NULL;
  zecl_object_retain(context);
  pool->context = zecl_context_of(context);
  pool->flags = flags;
  pool->count = count;
  return pool;
}

bool zecl_event_pool_enlist(struct zecl_event_pool *pool) {
  if (!zecl_engine()->streams ||
      zecl_engine()->memory->enlist(zecl_ipc_base(pool->shared), zecl_ipc_size(pool->shared)))
    return true;
  zecl_ipc_give(pool->shared);
  pool->shared = NULL;
  return false;
}

bool zecl_event_pool_share(struct zecl_event_pool *pool) {
  void *memory = zecl_ipc_take(
      pool->count * sizeof *pool->states, _Alignof(struct zecl_event_state), &pool->shared);
  if (!memory || !zecl_event_pool_enlist(pool)) return false;
  pool->states = memory;
  return true;
}

/* Null for a pool of plain events. */
static const struct zecl_event_pool_counter_based_desc *counter_based(const void *next) {
  for (const ze_base_desc_t *e = next; e; e = e->pNext)
    if ((unsigned)e->stype == ZECL_STYPE_EVENT_POOL_COUNTER_BASED) return (const void *)e;
  return NULL;
}

uint32_t zecl_event_counting_lists(uint32_t flags) {
  const uint32_t lists = flags & (ZECL_COUNTER_BASED_IMMEDIATE | ZECL_COUNTER_BASED_NON_IMMEDIATE);
  return lists ? lists : ZECL_COUNTER_BASED_IMMEDIATE;
}

static ze_result_t check_counter_based(
    const struct zecl_event_pool_counter_based_desc *desc, ze_event_pool_flags_t pool_flags) {
  ZECL_REQUIRE(desc->flags <= (ZECL_COUNTER_BASED_IMMEDIATE | ZECL_COUNTER_BASED_NON_IMMEDIATE),
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(!(pool_flags & ZE_EVENT_POOL_FLAG_IPC), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventPoolCreate(ze_context_handle_t context, const ze_event_pool_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_event_pool_handle_t *handle) {
  ZECL_ENTER(zeEventPoolCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= KNOWN_POOL_FLAGS, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(desc->count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  ZECL_REQUIRE(devices || device_count == 0, ZE_RESULT_ERROR_INVALID_SIZE);
  for (uint32_t i = 0; i < device_count; i++)
    ZECL_CHECK_HANDLE(devices[i], ZECL_DEVICE);
  const struct zecl_event_pool_counter_based_desc *counted = counter_based(desc->pNext);
  if (counted) ZECL_TRY(check_counter_based(counted, desc->flags));
  struct zecl_event_pool *pool = zecl_event_pool_new(context, desc->flags, desc->count);
  if (!pool) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pool->is_counted = counted != NULL;
  if (counted) pool->counting_lists = zecl_event_counting_lists(counted->flags);
  if ((desc->flags & ZE_EVENT_POOL_FLAG_IPC) && !zecl_event_pool_share(pool)) {
    zecl_object_kill(pool, ZECL_EVENT_POOL);
    zecl_event_pool_release(pool);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  *handle = (ze_event_pool_handle_t)(void *)pool;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventPoolDestroy(ze_event_pool_handle_t handle) {
  ZECL_ENTER(zeEventPoolDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT_POOL);
  ZECL_REQUIRE(!zecl_event_pool_of(handle)->is_opened, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_EVENT_POOL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_event_pool_release(zecl_event_pool_of(handle));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventPoolGetContextHandle(
    ze_event_pool_handle_t handle, ze_context_handle_t *context) {
  ZECL_ENTER(zeEventPoolGetContextHandle);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT_POOL);
  ZECL_CHECK_POINTER(context);
  *context = (ze_context_handle_t)(void *)zecl_event_pool_of(handle)->context;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeEventPoolGetFlags(ze_event_pool_handle_t handle, ze_event_pool_flags_t *flags) {
  ZECL_ENTER(zeEventPoolGetFlags);
  ZECL_CHECK_HANDLE(handle, ZECL_EVENT_POOL);
  ZECL_CHECK_POINTER(flags);
  *flags = zecl_event_pool_of(handle)->flags;
  return ZE_RESULT_SUCCESS;
}
