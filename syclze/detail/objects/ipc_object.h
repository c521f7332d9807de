/* Functions common to exported and opened memory and pools of events (ipc.h). */
#ifndef SYCLZE_DETAIL_OBJECTS_IPC_OBJECT_H
#define SYCLZE_DETAIL_OBJECTS_IPC_OBJECT_H

#include "../../ipc_handle.h"
#include "../driver/peer_descriptor.h"
#include "buffer.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

/* Objects come from the pool of buffers, so that a release without a reference is detected. */
struct syclze__ipc {
  struct syclze__ref ref;
  struct syclze__context *context;
  void *native; /* the allocation's first byte, or the pool */
  syclze_ipc_handle handle;
  bool is_opened; /* else exported, or created */
};

SYCLZE__POOLED_AS(struct syclze__ipc, struct syclze__buffer);

#if SYCLZE__BODIES

/* Functions of newer loaders, or null. */
struct syclze__ipc_calls {
  ze_result_t(ZE_APICALL *put_memory)(ze_context_handle_t, ze_ipc_mem_handle_t);
  ze_result_t(ZE_APICALL *put_pool)(ze_context_handle_t, ze_ipc_event_pool_handle_t);
  ze_result_t(ZE_APICALL *get_with)(
      ze_context_handle_t, const void *, void *, ze_ipc_mem_handle_t *);
};

SYCLZE_LOCAL struct syclze__ipc_calls syclze__ipc_find_calls(void) {
  SYCLZE__ZEROED(struct syclze__ipc_calls, calls);
#if SYCLZE_HAS_DLSYM
  void *address = syclze__loader_symbol("zeMemPutIpcHandle");
  memcpy(&calls.put_memory, &address, sizeof address);
  address = syclze__loader_symbol("zeEventPoolPutIpcHandle");
  memcpy(&calls.put_pool, &address, sizeof address);
  address = syclze__loader_symbol("zeMemGetIpcHandleWithProperties");
  memcpy(&calls.get_with, &address, sizeof address);
#endif
  return calls;
}

SYCLZE_LOCAL struct syclze__ipc *syclze__ipc_new(struct syclze__context *context) {
  struct syclze__ipc *ipc = (struct syclze__ipc *)syclze__child_acquire(
      &context->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (ipc == NULL) return NULL;
  syclze__ref_init(&ipc->ref, SYCLZE__TRANSFERRED);
  ipc->context = context;
  ipc->native = NULL;
  ipc->is_opened = false;
  memset(&ipc->handle, 0, sizeof ipc->handle);
  return ipc;
}

SYCLZE_LOCAL ze_result_t syclze__ipc_free(struct syclze__ipc *ipc) {
  return syclze__child_release(&ipc->context->parent, SYCLZE__POOL_BUFFER, &ipc->ref.slot);
}

/* Ends the making of an object: hands it out, or frees it and reports why it was not completed. */
SYCLZE_LOCAL ze_result_t syclze__ipc_finish(struct syclze__ipc *ipc, struct syclze__status status,
    const char *function, const void *handle, struct syclze__ipc **made) {
  if (status.result == ZE_RESULT_SUCCESS) {
    SYCLZE__CHECK_MADE(
        &ipc->ref, ipc->handle.kind == SYCLZE_IPC_KIND_MEMORY ? "IPC memory" : "IPC event pool");
    *made = ipc;
    return status.result;
  }
  ipc->ref.others = -1;
  syclze__ipc_free(ipc);
  return syclze__finish(status, function, handle);
}

/* Returns the handle of exported memory, or of a created pool. Drivers without the call release it
 * with the allocation, or the pool. */
SYCLZE_LOCAL ze_result_t syclze__ipc_put(const struct syclze__ipc *ipc, const char *function) {
  const struct syclze__ipc_calls calls = syclze__ipc_find_calls();
  ze_result_t result = ZE_RESULT_SUCCESS;
  const char *rule = "zeMemPutIpcHandle failed";
  if (ipc->handle.kind == SYCLZE_IPC_KIND_MEMORY) {
    SYCLZE__TRACE_CALL(call, IPC_MEMORY_PUT, SYCLZE__WORD(ipc->context), SYCLZE__WORD(ipc));
    if (calls.put_memory != NULL)
      result = calls.put_memory(ipc->context->native, ipc->handle.native.memory);
    (void)SYCLZE__TRACE_RESULT(call, result);
  } else {
    SYCLZE__TRACE_CALL(call, IPC_EVENTS_PUT, SYCLZE__WORD(ipc->context), SYCLZE__WORD(ipc));
    rule = "zeEventPoolPutIpcHandle failed";
    if (calls.put_pool != NULL)
      result = calls.put_pool(ipc->context->native, ipc->handle.native.event_pool);
    (void)SYCLZE__TRACE_RESULT(call, result);
  }
  if (result == ZE_RESULT_SUCCESS || result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    return ZE_RESULT_SUCCESS;
  return syclze__fail(result, function, rule, ipc->native);
}

/* Closes an opened object, and destroys a created pool. */
SYCLZE_LOCAL ze_result_t syclze__ipc_close(const struct syclze__ipc *ipc, const char *function) {
  ze_event_pool_handle_t pool = (ze_event_pool_handle_t)ipc->native;
  ze_result_t result = ZE_RESULT_SUCCESS;
  const char *rule;
  if (ipc->handle.kind == SYCLZE_IPC_KIND_MEMORY) {
    rule = "zeMemCloseIpcHandle failed";
    if (ipc->is_opened) {
      SYCLZE__TRACE_CALL(
          call, IPC_MEMORY_CLOSE, SYCLZE__WORD(ipc->context), SYCLZE__WORD(ipc->native));
      result = SYCLZE__TRACE_RESULT(
          call, SYCLZE__ZE(zeMemCloseIpcHandle)(ipc->context->native, ipc->native));
    }
  } else if (ipc->is_opened) {
    rule = "zeEventPoolCloseIpcHandle failed";
    result = SYCLZE__ZE(zeEventPoolCloseIpcHandle)(pool);
  } else {
    rule = "zeEventPoolDestroy failed";
    result = SYCLZE__ZE(zeEventPoolDestroy)(pool);
  }
  return result == ZE_RESULT_SUCCESS ? result : syclze__fail(result, function, rule, ipc->native);
}

SYCLZE_LOCAL ze_result_t syclze__ipc_release(struct syclze__ipc *ipc, const char *function) {
  ze_result_t put = ZE_RESULT_SUCCESS, closed = ZE_RESULT_SUCCESS, freed;
  if (ipc == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE_OF(ipc, function, SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__ref_release(&ipc->ref)) return ZE_RESULT_SUCCESS;
  if (syclze__ref_is_missing(&ipc->ref)) return syclze__ref_underflow(&ipc->ref, function);
  if (!syclze__is_forked()) {
    if (!ipc->is_opened) put = syclze__ipc_put(ipc, function);
    closed = syclze__ipc_close(ipc, function);
  }
  freed = syclze__ipc_free(ipc);
  if (put != ZE_RESULT_SUCCESS) return put;
  return closed != ZE_RESULT_SUCCESS ? closed : freed;
}

/* Checks common to opens of both kinds. Sets `opened` to null. */
SYCLZE_LOCAL struct syclze__status syclze__ipc_check_open(const syclze_ipc_handle *handle,
    enum syclze_ipc_kind kind, struct syclze__context *context, struct syclze__ipc **opened) {
  if (opened != NULL) *opened = NULL;
  if (opened == NULL || handle == NULL)
    return syclze__null_pointer("the handle's or the result's pointer is null");
  struct syclze__status status = syclze__check_in(context);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS && handle->kind != (uint32_t)kind)
    status = syclze__invalid(kind == SYCLZE_IPC_KIND_MEMORY ? "the handle must be one of memory"
                                                            : "the handle must be one of events");
  return status;
}

SYCLZE_LOCAL ze_result_t syclze__ipc_retain(struct syclze__ipc *ipc, const char *function) {
  (void)function;
  if (ipc == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE_OF(ipc, function, SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_retain(&ipc->ref);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
