#include "commands/queue.h"

#include "commands/list.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/fence.h"

/* The flags of the newest headers, in numbers since older ones lack some. */
enum { KNOWN_QUEUE_FLAGS = 0x7 };

static void finish(void *object) {
  struct zecl_queue *queue = object;
  zecl_worker_finish(&queue->worker);
  pthread_mutex_destroy(&queue->submitting);
  zecl_context_release(queue->context);
}

ze_result_t zecl_zeCommandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *handle) {
  ZECL_ENTER(zeCommandQueueCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(handle);
  ZECL_REQUIRE(desc->flags <= KNOWN_QUEUE_FLAGS &&
                   desc->mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS &&
                   desc->priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(desc->ordinal < ZECL_GROUP_COUNT && desc->index < ZECL_QUEUES_PER_GROUP,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(zecl_context_of(context)->driver == zecl_device_of(device)->driver,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_queue *queue = zecl_object_create(ZECL_QUEUE, sizeof *queue);
  if (!queue) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(context);
  queue->context = zecl_context_of(context);
  queue->device = zecl_device_of(device);
  queue->ordinal = desc->ordinal;
  queue->index = desc->index;
  queue->flags = desc->flags;
  queue->mode = desc->mode;
  queue->priority = desc->priority;
  pthread_mutex_init(&queue->submitting, NULL);
  zecl_worker_init(&queue->worker, queue->device->engine_index, zecl_priority_of(desc->priority));
  *handle = (ze_command_queue_handle_t)(void *)queue;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandQueueDestroy(ze_command_queue_handle_t handle) {
  ZECL_ENTER(zeCommandQueueDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_QUEUE);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_QUEUE), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_release(handle, sizeof(struct zecl_queue), finish);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t submit(
    struct zecl_queue *queue, struct zecl_list *list, struct zecl_fence *fence) {
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_EXECUTE;
  draft.signal = NULL;
  draft.wait_count = 0;
  draft.execute.tape = list->tape;
  draft.execute.fence = fence;
  zecl_tape_retain(list->tape);
  if (fence) zecl_object_retain(fence);
  if (queue->mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS)
    return zecl_worker_run_to_end(&queue->worker, &draft);
  const ze_result_t result = zecl_worker_submit(&queue->worker, &draft);
  if (result != ZE_RESULT_SUCCESS) zecl_command_discard(&draft);
  return result;
}

ze_result_t zecl_zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t handle, uint32_t count,
    ze_command_list_handle_t *lists, ze_fence_handle_t fence) {
  ZECL_ENTER(zeCommandQueueExecuteCommandLists);
  ZECL_CHECK_HANDLE(handle, ZECL_QUEUE);
  ZECL_CHECK_POINTER(lists);
  ZECL_REQUIRE(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  if (fence) ZECL_CHECK_HANDLE(fence, ZECL_FENCE);
  struct zecl_queue *queue = zecl_queue_of(handle);
  for (uint32_t i = 0; i < count; i++)
    ZECL_TRY(zecl_list_check_executable(lists[i], queue->device, queue->ordinal));
  ze_result_t result = ZE_RESULT_SUCCESS;
  pthread_mutex_lock(&queue->submitting);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++)
    result = submit(
        queue, zecl_list_of(lists[i]), i + 1 == count && fence ? zecl_fence_of(fence) : NULL);
  pthread_mutex_unlock(&queue->submitting);
  return result;
}

ze_result_t zecl_zeCommandQueueSynchronize(ze_command_queue_handle_t handle, uint64_t timeout) {
  ZECL_ENTER(zeCommandQueueSynchronize);
  ZECL_CHECK_HANDLE(handle, ZECL_QUEUE);
  return zecl_worker_synchronize(&zecl_queue_of(handle)->worker, timeout);
}

#define ANSWER(function, type, member)                                                             \
  ze_result_t zecl_##function(ze_command_queue_handle_t handle, type *answer) {                    \
    ZECL_ENTER(function);                                                                          \
    ZECL_CHECK_HANDLE(handle, ZECL_QUEUE);                                                         \
    ZECL_CHECK_POINTER(answer);                                                                    \
    *answer = zecl_queue_of(handle)->member;                                                       \
    return ZE_RESULT_SUCCESS;                                                                      \
  }

ANSWER(zeCommandQueueGetOrdinal, uint32_t, ordinal)
ANSWER(zeCommandQueueGetIndex, uint32_t, index)

ANSWER(zeCommandQueueGetFlags, ze_command_queue_flags_t, flags)
ANSWER(zeCommandQueueGetMode, ze_command_queue_mode_t, mode)
ANSWER(zeCommandQueueGetPriority, ze_command_queue_priority_t, priority)
