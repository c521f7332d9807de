/* Regular command lists, through which a command queue is given its commands. */
#ifndef SYCLZE_COMMAND_DETAIL_REGULAR_LIST_H
#define SYCLZE_COMMAND_DETAIL_REGULAR_LIST_H

#include "queue_state.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__regular_list {
  struct syclze__regular_list *next; /* another one that is idle, or of the same submission */
  ze_command_list_handle_t native;
};

#if SYCLZE__BODIES

/* An empty list, to record into. */
SYCLZE_LOCAL ze_result_t syclze__regular_list_acquire(
    struct syclze__queue_state *state, struct syclze__regular_list **list) {
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
  ze_command_list_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  ze_result_t result = syclze__compute_ordinal(queue->device, &desc.commandQueueGroupOrdinal);
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

/* Returns the lists of a submission that is done. */
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
