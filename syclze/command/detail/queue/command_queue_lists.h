/* Regular command lists, which command queues execute. */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_COMMAND_QUEUE_LISTS_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_COMMAND_QUEUE_LISTS_H

#include "state.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__regular_list {
  struct syclze__regular_list *next; /* also idle, or of the same submission */
  ze_command_list_handle_t native;
};

#if SYCLZE__BODIES

/* The ordinal of the command queue's group: by its properties, by the driver, or else that of the
 * first compute group. An immediate list gets the latter too: it executes regular lists on a
 * command queue of that group (../graph/submit.h). */
SYCLZE_LOCAL ze_result_t syclze__queue_ordinal(
    const struct syclze__queue *queue, uint32_t *ordinal) {
  if (queue->native.kind != SYCLZE_NATIVE_QUEUE_QUEUE)
    return syclze__compute_ordinal(queue->device, ordinal);
  *ordinal = queue->properties.ordinal;
  if (queue->properties.flags & SYCLZE_QUEUE_PROPERTY_ORDINAL) return ZE_RESULT_SUCCESS;
#if SYCLZE_HAS_DLSYM
  ze_result_t(ZE_APICALL * get_ordinal)(ze_command_queue_handle_t, uint32_t *);
  void *address = syclze__loader_symbol("zeCommandQueueGetOrdinal");
  memcpy(&get_ordinal, &address, sizeof get_ordinal);
  if (address != NULL && get_ordinal(queue->native.queue, ordinal) == ZE_RESULT_SUCCESS)
    return ZE_RESULT_SUCCESS;
#endif
  return syclze__compute_ordinal(queue->device, ordinal);
}

/* Appends a barrier. It waits for its wait list only, or without one for all earlier commands.
 * `signal` may be null. */
SYCLZE_LOCAL_WARM ze_result_t syclze__list_append_barrier(ze_command_list_handle_t list,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  return SYCLZE__ZE(zeCommandListAppendBarrier)(list, signal, wait_count, waits);
}

/* Appends a wait for the events that orders nothing else. */
SYCLZE_LOCAL ze_result_t syclze__list_append_wait(
    ze_command_list_handle_t list, uint32_t wait_count, ze_event_handle_t *waits) {
  return SYCLZE__ZE(zeCommandListAppendWaitOnEvents)(list, wait_count, waits);
}

/* Returns an empty list. */
SYCLZE_LOCAL ze_result_t syclze__regular_list_acquire(
    struct syclze__queue_state *state, struct syclze__regular_list **list) {
  SYCLZE__HELD(&state->lock);
  struct syclze__regular_list *idle = state->idle;
  if (idle != NULL) {
    ze_result_t result = SYCLZE__ZE(zeCommandListReset)(idle->native);
    if (result != ZE_RESULT_SUCCESS) return result;
    state->idle = idle->next;
    idle->next = NULL;
    *list = idle;
    return result;
  }
  struct syclze__queue *queue = state->queue;
  SYCLZE__ZE_STRUCT(ze_command_list_desc_t, desc, COMMAND_LIST_DESC);
  ze_result_t result = syclze__queue_ordinal(queue, &desc.commandQueueGroupOrdinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  idle = (struct syclze__regular_list *)calloc(1, sizeof *idle);
  if (idle == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = SYCLZE__ZE(zeCommandListCreate)(
      queue->context->native, queue->device->native, &desc, &idle->native);
  if (result == ZE_RESULT_SUCCESS)
    *list = idle;
  else
    free(idle);
  return result;
}

/* Releases the lists of a completed submission. */
SYCLZE_INLINE void syclze__regular_lists_release(
    struct syclze__queue_state *state, struct syclze__regular_list **lists) {
  while (*lists != NULL) {
    struct syclze__regular_list *list = *lists;
    *lists = list->next;
    list->next = state->idle;
    state->idle = list;
  }
}

SYCLZE_LOCAL void syclze__regular_lists_destroy(struct syclze__queue_state *state) {
  while (state->idle != NULL) {
    struct syclze__regular_list *list = state->idle;
    state->idle = list->next;
    SYCLZE__ZE(zeCommandListDestroy)(list->native);
    free(list);
  }
}

/* Closes a list and executes it. */
SYCLZE_LOCAL ze_result_t syclze__regular_list_execute(
    const struct syclze__queue *queue, ze_command_list_handle_t list) {
  ze_result_t result = SYCLZE__ZE(zeCommandListClose)(list);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandQueueExecuteCommandLists)(queue->native.queue, 1, &list, NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
