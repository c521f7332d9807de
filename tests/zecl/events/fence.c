#include "events/fence.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"
#include "events/event_state.h"

static void finish(void *object) {
  struct zecl_fence *fence = object;
  if (fence->state && fence->state != &fence->own) zecl_event_state_give(fence->state);
}

void zecl_fence_release(struct zecl_fence *fence) {
  zecl_object_release(fence, sizeof *fence, finish);
}

ze_result_t zecl_zeFenceCreate(
    ze_command_queue_handle_t queue, const ze_fence_desc_t *desc, ze_fence_handle_t *handle) {
  ZECL_ENTER(zeFenceCreate);
  ZECL_CHECK_HANDLE(queue, ZECL_QUEUE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= ZE_FENCE_FLAG_SIGNALED, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  struct zecl_fence *fence = zecl_object_create(ZECL_FENCE, sizeof *fence);
  if (!fence) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  fence->state = zecl_engine()->streams ? zecl_event_state_take() : &fence->own;
  if (!fence->state) {
    zecl_object_kill(fence, ZECL_FENCE);
    zecl_fence_release(fence);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (desc->flags & ZE_FENCE_FLAG_SIGNALED) zecl_flag_set(&fence->state->flag);
  *handle = (ze_fence_handle_t)(void *)fence;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeFenceDestroy(ze_fence_handle_t handle) {
  ZECL_ENTER(zeFenceDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_FENCE);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_FENCE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_fence_release(zecl_fence_of(handle));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeFenceHostSynchronize(ze_fence_handle_t handle, uint64_t timeout) {
  ZECL_ENTER(zeFenceHostSynchronize);
  ZECL_CHECK_HANDLE(handle, ZECL_FENCE);
  struct zecl_fence *fence = zecl_fence_of(handle);
  if (zecl_flag_is_set(&fence->state->flag)) return ZE_RESULT_SUCCESS;
  if (timeout == 0) return ZE_RESULT_NOT_READY;
  zecl_object_retain(fence);
  const bool set = zecl_flag_wait(&fence->state->flag, zecl_deadline(timeout), NULL);
  zecl_fence_release(fence);
  return zecl_flag_result(set, timeout);
}

ze_result_t zecl_zeFenceQueryStatus(ze_fence_handle_t handle) {
  ZECL_ENTER(zeFenceQueryStatus);
  ZECL_CHECK_HANDLE(handle, ZECL_FENCE);
  return zecl_flag_is_set(&zecl_fence_of(handle)->state->flag) ? ZE_RESULT_SUCCESS
                                                               : ZE_RESULT_NOT_READY;
}

ze_result_t zecl_zeFenceReset(ze_fence_handle_t handle) {
  ZECL_ENTER(zeFenceReset);
  ZECL_CHECK_HANDLE(handle, ZECL_FENCE);
  zecl_flag_reset(&zecl_fence_of(handle)->state->flag);
  return ZE_RESULT_SUCCESS;
}
