/* Command queues of executable graphs, and spare lists to be recorded anew, for runs that are not
 * appended to an immediate list. The builds of a graph share them (updatable.h). */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_QUEUES_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_QUEUES_H

#include "edges.h"
#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

/* A command queue for the runs of one queue with an immediate list to which the graph's lists are
 * not appended. With one for several queues, a run could be queued before a run that it waits for.
 */
struct syclze__graph_lane {
  struct syclze__graph_lane *next;
  struct syclze__queue_state *state; /* kept; the queue is not */
  ze_command_queue_handle_t native;
};

struct syclze__graph_queues {
  uint32_t users;                        /* executable graphs */
  bool is_unknown;                       /* a wait for `between` failed: a list may still run */
  SYCLZE__LOCK(SYCLZE__RANK_LANES) lock; /* of all that follows */
  struct syclze__graph_lane *lanes;
  ze_command_queue_handle_t between; /* of lists between host tasks; null for none. Not replaced */
  uint32_t spare_count, spare_room;
  ze_command_list_handle_t *spare; /* lists of finished runs */
};

#if SYCLZE__BODIES

/* Creates the queues, with one user; null without memory. */
SYCLZE_LOCAL struct syclze__graph_queues *syclze__graph_queues_new(void) {
  struct syclze__graph_queues *queues = (struct syclze__graph_queues *)calloc(1, sizeof *queues);
  if (queues != NULL) queues->users = 1;
  return queues;
}

SYCLZE_LOCAL struct syclze__graph_queues *syclze__graph_queues_retain(
    struct syclze__graph_queues *queues) {
  __atomic_fetch_add(&queues->users, 1, __ATOMIC_RELAXED);
  return queues;
}

/* Null is allowed. */
SYCLZE_LOCAL ze_result_t syclze__graph_queues_release(struct syclze__graph_queues *queues) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (queues == NULL || __atomic_sub_fetch(&queues->users, 1, __ATOMIC_ACQ_REL) != 0) return result;
  for (uint32_t i = 0; i < queues->spare_count; i++)
    result = syclze__first_error(result, SYCLZE__ZE(zeCommandListDestroy)(queues->spare[i]));
  while (queues->lanes != NULL) {
    struct syclze__graph_lane *lane = queues->lanes;
    queues->lanes = lane->next;
    result = syclze__first_error(result, SYCLZE__ZE(zeCommandQueueDestroy)(lane->native));
    syclze__queue_state_release(lane->state);
    free(lane);
  }
  if (queues->between != NULL) {
    result = syclze__first_error(result, SYCLZE__ZE(zeCommandQueueDestroy)(queues->between));
  }
  free((void *)queues->spare);
  free(queues);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__graph_queue_create(const struct syclze__context *context,
    struct syclze__device *device, ze_command_queue_handle_t *queue) {
  SYCLZE__ZE_STRUCT(ze_command_queue_desc_t, desc, COMMAND_QUEUE_DESC);
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  const ze_result_t result = syclze__compute_ordinal(device, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandQueueCreate)(context->native, device->native, &desc, queue);
}

/* Creates the command queue of lists between host tasks, if it is missing. */
SYCLZE_LOCAL ze_result_t syclze__graph_queues_require(struct syclze__graph_queues *queues,
    const struct syclze__context *context, struct syclze__device *device) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  ze_command_queue_handle_t created;
  syclze__lock_acquire(&queues->lock);
  if (queues->between == NULL) {
    result = syclze__graph_queue_create(context, device, &created);
    if (result == ZE_RESULT_SUCCESS) queues->between = created;
  }
  syclze__lock_release(&queues->lock);
  return result;
}

/* The lane of a queue, or a new one. */
SYCLZE_LOCAL ze_result_t syclze__graph_lane_require(struct syclze__graph_queues *queues,
    struct syclze__queue_state *state, struct syclze__device *device,
    struct syclze__graph_lane **found) {
  SYCLZE__HELD(&queues->lock);
  struct syclze__graph_lane *lane = queues->lanes, *ended = NULL;
  for (; lane != NULL && lane->state != state; lane = lane->next)
    if (__atomic_load_n(&lane->state->has_ended, __ATOMIC_ACQUIRE)) ended = lane;
  *found = lane;
  if (lane != NULL) return ZE_RESULT_SUCCESS;
  if (ended == NULL) {
    ended = (struct syclze__graph_lane *)calloc(1, sizeof *ended);
    if (ended == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    const ze_result_t result =
        syclze__graph_queue_create(state->queue->context, device, &ended->native);
    if (result != ZE_RESULT_SUCCESS) {
      free(ended);
      return result;
    }
    ended->next = queues->lanes;
    queues->lanes = ended;
  } else
    syclze__queue_state_release(ended->state);
  syclze__queue_state_retain(state);
  ended->state = state;
  *found = ended;
  return ZE_RESULT_SUCCESS;
}

/* A list to be reset; null for none. */
SYCLZE_LOCAL_WARM ze_command_list_handle_t syclze__spare_list_take(
    struct syclze__graph_queues *queues) {
  ze_command_list_handle_t list = NULL;
  syclze__lock_acquire(&queues->lock);
  if (queues->spare_count > 0) list = queues->spare[--queues->spare_count];
  syclze__lock_release(&queues->lock);
  return list;
}

/* Keeps a list that does not run, or destroys it without memory. */
SYCLZE_LOCAL_WARM void syclze__spare_list_give(
    struct syclze__graph_queues *queues, ze_command_list_handle_t list) {
  syclze__lock_acquire(&queues->lock);
  void *spare = (void *)queues->spare;
  const bool is_kept =
      syclze__graph_room(&spare, &queues->spare_room, queues->spare_count, 1, sizeof list);
  queues->spare = (ze_command_list_handle_t *)spare;
  if (is_kept) queues->spare[queues->spare_count++] = list;
  syclze__lock_release(&queues->lock);
  if (!is_kept) SYCLZE__ZE(zeCommandListDestroy)(list);
}

#endif

SYCLZE_EXTERN_C_END

#include "fill.h"

#endif
