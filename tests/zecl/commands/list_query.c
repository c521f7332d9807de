/* Queries of lists, and the waits of the host for an immediate one and for a device: entry points
 * after 1.4. */
#include "commands/graph.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"

#include <stdlib.h>
#include <unistd.h>

enum { POLL_US = 50 };

ze_result_t zecl_zeCommandListHostSynchronize(ze_command_list_handle_t handle, uint64_t timeout) {
  ZECL_ENTER(zeCommandListHostSynchronize);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_REQUIRE(zecl_list_of(handle)->immediate, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(!zecl_list_of(handle)->graph, (ze_result_t)ZECL_CAPTURE_UNSUPPORTED);
  return zecl_worker_synchronize(&zecl_list_of(handle)->worker, timeout);
}

/* Devices may share an engine's: waits for all that was submitted to any of them. */
ze_result_t zecl_zeDeviceSynchronize(ze_device_handle_t handle) {
  ZECL_ENTER(zeDeviceSynchronize);
  ZECL_CHECK_HANDLE(handle, ZECL_DEVICE);
  ze_result_t status;
  struct zecl_worker_marks *marks = zecl_worker_marks_take();
  ZECL_REQUIRE(marks, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  while ((status = zecl_device_status(zecl_device_of(handle))) == ZE_RESULT_SUCCESS &&
         !zecl_worker_marks_passed(marks))
    usleep(POLL_US);
  free(marks);
  return status;
}

#define ANSWER(function, type, allowed, value)                                                     \
  ze_result_t zecl_##function(ze_command_list_handle_t handle, type *answer) {                     \
    ZECL_ENTER(function);                                                                          \
    ZECL_CHECK_HANDLE(handle, ZECL_LIST);                                                          \
    ZECL_CHECK_POINTER(answer);                                                                    \
    const struct zecl_list *list = zecl_list_of(handle);                                           \
    ZECL_REQUIRE(allowed, ZE_RESULT_ERROR_INVALID_ARGUMENT);                                       \
    *answer = (value);                                                                             \
    return ZE_RESULT_SUCCESS;                                                                      \
  }

ANSWER(zeCommandListGetDeviceHandle, ze_device_handle_t, true, zecl_device_handle(list->device))
ANSWER(zeCommandListGetContextHandle, ze_context_handle_t, true,
    (ze_context_handle_t)(void *)list->context)
ANSWER(zeCommandListGetOrdinal, uint32_t, true, list->ordinal)
ANSWER(zeCommandListIsImmediate, ze_bool_t, true, list->immediate)
ANSWER(zeCommandListImmediateGetIndex, uint32_t, list->immediate, list->index)

ANSWER(zeCommandListGetFlags, ze_command_list_flags_t, !list->immediate, list->flags)
ANSWER(zeCommandListImmediateGetFlags, ze_command_queue_flags_t, list->immediate, list->flags)
ANSWER(zeCommandListImmediateGetMode, ze_command_queue_mode_t, list->immediate, list->mode)
ANSWER(
    zeCommandListImmediateGetPriority, ze_command_queue_priority_t, list->immediate, list->priority)
