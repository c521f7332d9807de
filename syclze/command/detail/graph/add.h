/* Nodes of command group functions: recorded by a queue of the graph's own, which nothing else
 * submits to. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_ADD_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_ADD_H

#include "../../graph_nodes.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Calls the function with a group of a queue that records for the addition; false without memory.
 */
SYCLZE_LOCAL bool syclze__graph_add_by(struct syclze__graph *graph, syclze_group_function function,
    void *argument, struct syclze__graph_addition *addition, ze_result_t *result) {
  struct syclze__queue queue;
  struct syclze__graph_queue recorder;
  /* A kernel may still belong to the state. */
  struct syclze__queue_state *state = syclze__kernel_owner_create();
  if (state == NULL) return false;
  memset((void *)&queue, 0, sizeof queue);
  memset((void *)&recorder, 0, sizeof recorder);
  syclze__ref_init(&queue.ref, SYCLZE__KEPT);
  queue.context = graph->context;
  queue.device = graph->device;
  queue.state = &state->attachment;
  syclze__graph_queue_init(&recorder, graph, state);
  recorder.addition = addition;
  state->queue = &queue;
  state->last = &state->first;
  syclze__queue_state_set_recording(state, &recorder.recording);
  syclze__engine_enter(graph->context);
  syclze_group group = syclze__group_of(&queue);
  SYCLZE__CHECK_GROUP_BEGUN(&group);
  *result = function(&group, argument);
  syclze_group_end(&group);
  /* Events of the node also refer to the state. */
  syclze__lock_acquire(&state->lock);
  syclze__queue_state_set_recording(state, NULL);
  state->queue = NULL;
  syclze__lock_release(&state->lock);
  syclze__queue_state_release(state);
  return true;
}

/* The rule that the addition breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_addition(
    syclze_graph graph, syclze_group_function function, const uint32_t *after, uint32_t count) {
  struct syclze__status status = syclze__check_graph(graph.rep);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (function == NULL) return syclze__null_pointer("the function is null");
  if (after == NULL && count != 0) return syclze__null_pointer("the list of nodes is null");
  syclze__lock_acquire(&graph.rep->lock);
  for (uint32_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i++)
    status = syclze__check_node(graph.rep, after[i]);
  syclze__lock_release(&graph.rep->lock);
  return status;
}

SYCLZE_COLD ze_result_t syclze_graph_add_node(syclze_graph graph, syclze_group_function function,
    void *argument, const uint32_t *after, uint32_t count, uint32_t *node) {
  struct syclze__graph_addition addition = {after, count, UINT32_MAX};
  struct syclze__status status = syclze__check_addition(graph, function, after, count);
  if (node != NULL) *node = UINT32_MAX;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (status.result == ZE_RESULT_SUCCESS &&
      !syclze__graph_add_by(graph.rep, function, argument, &addition, &result))
    status = syclze__out_of_memory();
  if (result != ZE_RESULT_SUCCESS) return result;
  if (status.result == ZE_RESULT_SUCCESS && addition.node == UINT32_MAX)
    status = syclze__invalid(
        "sycl_ext_oneapi_graph: a command group function must submit one command to its group");
  if (status.result == ZE_RESULT_SUCCESS && node != NULL) *node = addition.node;
  return syclze__graph_result(graph, status, "syclze_graph_add_node");
}

#endif

SYCLZE_EXTERN_C_END

#endif
