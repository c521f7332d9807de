/* Implementation of ipc.h: pools of events. */
#ifndef SYCLZE_DETAIL_OBJECTS_IPC_EVENT_POOL_H
#define SYCLZE_DETAIL_OBJECTS_IPC_EVENT_POOL_H

#include "../../ipc.h"
#include "ipc_object.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Creates the native pool, for all devices of the context, and gets its handle. */
SYCLZE_LOCAL struct syclze__status syclze__ipc_pool_create(
    struct syclze__ipc *ipc, uint32_t count) {
  ze_event_pool_handle_t pool = NULL;
  SYCLZE__ZE_STRUCT(ze_event_pool_desc_t, desc, EVENT_POOL_DESC);
  desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_IPC;
  desc.count = count;
  ze_result_t result = SYCLZE__ZE(zeEventPoolCreate)(ipc->context->native, &desc, 0, NULL, &pool);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeEventPoolCreate refuses a pool for other processes");
  ipc->native = pool;
  result = SYCLZE__ZE(zeEventPoolGetIpcHandle)(pool, &ipc->handle.native.event_pool);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__descriptor_export(&ipc->handle);
    return syclze__allowed();
  }
  (void)SYCLZE__ZE(zeEventPoolDestroy)(pool);
  return syclze__status_of(result, "zeEventPoolGetIpcHandle failed");
}

SYCLZE_LOCAL ze_result_t syclze__ipc_event_pool_create_impl(
    syclze_context context, uint32_t count, syclze_ipc_event_pool *pool) {
  const char *const function = "syclze_ipc_event_pool_create";
  if (pool == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  pool->rep = NULL;
  struct syclze__status status = syclze__check_in(context.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS && count == 0)
    status = syclze__status_of(ZE_RESULT_ERROR_INVALID_SIZE, "a pool must have at least one event");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  struct syclze__ipc *ipc = syclze__ipc_new(context.rep);
  if (ipc == NULL) return syclze__fail_memory(function, context.rep->native);
  ipc->handle.kind = SYCLZE_IPC_KIND_EVENT_POOL;
  ipc->handle.count = count;
  return syclze__ipc_finish(
      ipc, syclze__ipc_pool_create(ipc, count), function, context.rep->native, &pool->rep);
}

SYCLZE_COLD ze_result_t syclze_ipc_event_pool_create(
    syclze_context context, uint32_t count, syclze_ipc_event_pool *pool) {
  SYCLZE__TRACE_CALL(call, IPC_EVENTS_GET, SYCLZE__WORD(pool));
  return SYCLZE__TRACE_RESULT(call, syclze__ipc_event_pool_create_impl(context, count, pool));
}

SYCLZE_LOCAL ze_result_t syclze__ipc_event_pool_open_impl(
    const syclze_ipc_handle *handle, syclze_context context, syclze_ipc_event_pool *pool) {
  const char *const function = "syclze_ipc_event_pool_open";
  struct syclze__status status = syclze__ipc_check_open(
      handle, SYCLZE_IPC_KIND_EVENT_POOL, context.rep, pool != NULL ? &pool->rep : NULL);
  ze_event_pool_handle_t native = NULL;
  int fetched;
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  struct syclze__ipc *ipc = syclze__ipc_new(context.rep);
  if (ipc == NULL) return syclze__fail_memory(function, NULL);
  ipc->handle = *handle;
  ipc->is_opened = true;
  syclze_ipc_handle local = *handle;
  status = syclze__descriptor_import(&local, &fetched);
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__status_of(
        SYCLZE__ZE(zeEventPoolOpenIpcHandle)(context.rep->native, local.native.event_pool, &native),
        "zeEventPoolOpenIpcHandle refuses the handle: its exporter may have ended");
    syclze__descriptor_close(fetched);
  }
  ipc->native = native;
  return syclze__ipc_finish(ipc, status, function, NULL, &pool->rep);
}

SYCLZE_COLD ze_result_t syclze_ipc_event_pool_open(
    const syclze_ipc_handle *handle, syclze_context context, syclze_ipc_event_pool *pool) {
  SYCLZE__TRACE_CALL(call, IPC_EVENTS_OPEN, SYCLZE__WORD(context.rep), SYCLZE__WORD(handle),
      sizeof *handle, SYCLZE__WORD(pool));
  return SYCLZE__TRACE_RESULT(call, syclze__ipc_event_pool_open_impl(handle, context, pool));
}

SYCLZE_COLD syclze_ipc_handle syclze_ipc_event_pool_get_handle(syclze_ipc_event_pool pool) {
  return pool.rep->handle;
}

SYCLZE_COLD ze_event_pool_handle_t syclze_ipc_event_pool_get_native(syclze_ipc_event_pool pool) {
  return (ze_event_pool_handle_t)pool.rep->native;
}

/* The owner's data of an event of a pool. */
struct syclze__ipc_event {
  ze_event_handle_t native;
  struct syclze__ipc *pool; /* with a reference */
};

SYCLZE_LOCAL ze_result_t syclze__ipc_event_end(void *data) {
  const struct syclze__ipc_event ended = *(struct syclze__ipc_event *)data;
  ze_result_t destroyed;
  free(data);
  destroyed = SYCLZE__ZE(zeEventDestroy)(ended.native);
  return syclze__first_error(
      destroyed, syclze__ipc_release(ended.pool, "syclze_ipc_event_pool_release"));
}

/* Wraps a native event, which stays the caller's on failure. */
SYCLZE_LOCAL ze_result_t syclze__ipc_event_wrap(
    struct syclze__ipc *pool, ze_event_handle_t native, syclze_event *event) {
  const syclze_context context = {pool->context};
  struct syclze__ipc_event *data = (struct syclze__ipc_event *)calloc(1, sizeof *data);
  syclze_owner owner = {syclze__ipc_event_end, data};
  if (data == NULL) return syclze__fail_memory("syclze_ipc_event_pool_get_event", native);
  data->native = native;
  data->pool = pool;
  SYCLZE__ZEROED(syclze_event_input, input);
  input.native_handle = native;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  ze_result_t result = syclze_make_event(&input, context, event);
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze_event_set_owner(*event, owner);
    if (result == ZE_RESULT_SUCCESS)
      return syclze__ipc_retain(pool, "syclze_ipc_event_pool_retain");
    syclze_event_release(*event);
    event->rep = NULL;
  }
  free(data);
  return result;
}

SYCLZE_COLD ze_result_t syclze_ipc_event_pool_get_event(
    syclze_ipc_event_pool pool, uint32_t index, syclze_event *event) {
  const char *const function = "syclze_ipc_event_pool_get_event";
  struct syclze__status status = syclze__allowed();
  ze_event_handle_t native = NULL;
  ze_result_t result;
  if (event == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  event->rep = NULL;
  if (pool.rep == NULL)
    status = syclze__null_handle("the pool is null");
  else if (!SYCLZE__CHECK_ALIVE(pool.rep))
    status = syclze__invalid("the pool is used after its last release");
  else if (pool.rep->handle.count != 0 && index >= pool.rep->handle.count)
    status = syclze__invalid("the pool has no event of this index");
  else
    status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, pool.rep != NULL ? pool.rep->native : NULL);
  SYCLZE__ZE_STRUCT(ze_event_desc_t, desc, EVENT_DESC);
  desc.index = index;
  desc.signal = desc.wait = ZE_EVENT_SCOPE_FLAG_HOST;
  result = SYCLZE__ZE(zeEventCreate)((ze_event_pool_handle_t)pool.rep->native, &desc, &native);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "zeEventCreate failed", pool.rep->native);
  result = syclze__ipc_event_wrap(pool.rep, native, event);
  if (result != ZE_RESULT_SUCCESS) (void)SYCLZE__ZE(zeEventDestroy)(native);
  return result;
}

SYCLZE_COLD ze_result_t syclze_ipc_event_pool_retain(syclze_ipc_event_pool pool) {
  return syclze__ipc_retain(pool.rep, "syclze_ipc_event_pool_retain");
}

SYCLZE_COLD ze_result_t syclze_ipc_event_pool_release(syclze_ipc_event_pool pool) {
  return syclze__ipc_release(pool.rep, "syclze_ipc_event_pool_release");
}

#endif

SYCLZE_EXTERN_C_END

#endif
