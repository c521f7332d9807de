/* Bodies of graph.h: making and releasing graphs, and the queues that record to them.
 *
 * Locks: a queue, then the graph. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_GRAPH_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_GRAPH_H

#include "../../graph.h"
#include "record.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The end of a function of the graph, which may be null: reports an error. */
SYCLZE_LOCAL ze_result_t syclze__graph_result(
    syclze_graph graph, struct syclze__status status, const char *function) {
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(
      status.result, function, status.rule, graph.rep != NULL ? graph.rep->context->native : NULL);
}

/* The rule that the use of a graph breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_graph(const struct syclze__graph *graph) {
  if (graph == NULL) return syclze__null_handle("the graph is null");
  return SYCLZE__CHECK_ALIVE(graph) ? syclze__check_fork()
                                    : syclze__invalid("the graph is used after its last release");
}

SYCLZE_COLD ze_result_t syclze_graph_create(
    syclze_context context, syclze_device device, syclze_graph *graph) {
  const char *const function = "syclze_graph_create";
  struct syclze__status status = syclze__check_fork();
  if (graph == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  graph->rep = NULL;
  if (status.result == ZE_RESULT_SUCCESS)
    status = context.rep == NULL ? syclze__null_handle("the context is null")
                                 : syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  struct syclze__graph_order *order = (struct syclze__graph_order *)calloc(1, sizeof *order);
  struct syclze__graph *created = NULL;
  if (order != NULL)
    created = (struct syclze__graph *)syclze__child_acquire(
        &context.rep->parent, SYCLZE__POOL_BUFFER, sizeof(struct syclze__buffer));
  if (created == NULL) {
    free(order);
    return syclze__fail_memory(function, context.rep->native);
  }
  memset((char *)created + sizeof created->ref, 0, sizeof *created - sizeof created->ref);
  syclze__ref_init(&created->ref, SYCLZE__TRANSFERRED | SYCLZE__WEAK); /* queues find it */
  SYCLZE__CHECK_MADE(&created->ref, "graph");
  created->context = context.rep;
  created->device = device.rep;
  created->order = order;
  created->number = __atomic_add_fetch(&SYCLZE__STATE.graphs, 1, __ATOMIC_RELAXED);
  graph->rep = created;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_graph_retain(syclze_graph graph) {
  if (graph.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(graph, "syclze_graph_retain", SYCLZE_RESULT_ERROR_INVALID);
  syclze__ref_retain(&graph.rep->ref);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL bool syclze__graph_keep(struct syclze__recording *recording) {
  return syclze__ref_try_retain(&((struct syclze__graph_queue *)(void *)recording)->graph->ref);
}

SYCLZE_LOCAL struct syclze__status syclze__graph_join(
    struct syclze__recording *recording, struct syclze__queue *queue);

/* The queue's record in the graph; null if there is none. */
SYCLZE_LOCAL struct syclze__graph_queue *syclze__graph_queue_of(
    const struct syclze__graph *graph, const struct syclze__queue_state *state) {
  SYCLZE__HELD(&graph->lock);
  struct syclze__graph_queue *queue = graph->queues;
  while (queue != NULL && queue->state != state)
    queue = queue->next;
  return queue;
}

/* Begins the record of a queue that records to the graph, all zero at first. */
SYCLZE_LOCAL void syclze__graph_queue_init(struct syclze__graph_queue *queue,
    struct syclze__graph *graph, struct syclze__queue_state *state) {
  queue->recording.add = syclze__graph_record;
  queue->recording.keep = syclze__graph_keep;
  queue->recording.join = syclze__graph_join;
  queue->graph = graph;
  queue->state = state;
  queue->joined = queue->last = UINT32_MAX;
}

/* The queue's record in the graph, created if missing; null without memory. */
SYCLZE_LOCAL struct syclze__graph_queue *syclze__graph_queue_require(
    struct syclze__graph *graph, struct syclze__queue_state *state) {
  struct syclze__graph_queue *queue = syclze__graph_queue_of(graph, state);
  if (queue != NULL) return queue;
  queue = (struct syclze__graph_queue *)calloc(1, sizeof *queue);
  if (queue == NULL) return NULL;
  syclze__graph_queue_init(queue, graph, state);
  syclze__queue_state_retain(state);
  queue->next = graph->queues;
  graph->queues = queue;
  return queue;
}

SYCLZE_LOCAL struct syclze__status syclze__graph_begin(
    struct syclze__graph *graph, struct syclze__queue_state *state, bool joins) {
  SYCLZE__HELD(&state->lock);
  if (state->recording != NULL)
    return syclze__invalid("sycl_ext_oneapi_graph: the queue records to a graph already");
  syclze__lock_acquire(&graph->lock);
  struct syclze__graph_queue *queue = syclze__graph_queue_require(graph, state);
  if (queue != NULL) {
    queue->records = true;
    queue->joined = joins ? graph->node_count : UINT32_MAX;
    syclze__graph_count_recorder(graph, true);
  }
  syclze__lock_release(&graph->lock);
  if (queue == NULL) return syclze__out_of_memory();
  syclze__queue_state_set_recording(state, &queue->recording);
  return syclze__allowed();
}

/* The rule that the use of a queue with a graph of this context and device breaks. */
SYCLZE_LOCAL struct syclze__status syclze__graph_check_queue(const struct syclze__context *context,
    const struct syclze__device *device, const struct syclze__queue *queue) {
  if (queue == NULL) return syclze__null_handle("the queue is null");
  if (!syclze__contexts_are_one(context, queue->context) || device->native != queue->device->native)
    return syclze__invalid(
        "sycl_ext_oneapi_graph: the queue is of another context or device than the graph");
  return syclze__allowed();
}

/* Begins the recording of a queue, unless it already records: then the submission tries again. */
SYCLZE_LOCAL struct syclze__status syclze__graph_join(
    struct syclze__recording *recording, struct syclze__queue *queue) {
  const syclze_graph graph = {((struct syclze__graph_queue *)(void *)recording)->graph};
  struct syclze__status status =
      syclze__graph_check_queue(graph.rep->context, graph.rep->device, queue);
  if (status.result == ZE_RESULT_SUCCESS) {
    struct syclze__queue_state *state = syclze__queue_state_get(queue);
    syclze__lock_acquire(&state->lock);
    if (state->recording == NULL) status = syclze__graph_begin(graph.rep, state, true);
    syclze__queue_state_unlock(state);
  }
  syclze_graph_release(graph);
  return status;
}

SYCLZE_COLD ze_result_t syclze_graph_begin_recording(syclze_graph graph, syclze_queue queue) {
  struct syclze__status status = syclze__check_fork();
  struct syclze__queue_state *state = NULL;
  if (graph.rep != NULL)
    SYCLZE__CHECK_USE(graph, "syclze_graph_begin_recording", SYCLZE_RESULT_ERROR_INVALID);
  if (status.result == ZE_RESULT_SUCCESS)
    status = graph.rep == NULL
                 ? syclze__null_handle("the graph is null")
                 : syclze__graph_check_queue(graph.rep->context, graph.rep->device, queue.rep);
  if (status.result == ZE_RESULT_SUCCESS) {
    state = syclze__queue_state_require(queue.rep);
    if (state == NULL) status = syclze__out_of_memory();
  }
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__engine_enter(queue.rep->context);
    syclze__lock_acquire(&state->lock);
    status = syclze__graph_begin(graph.rep, state, false);
    syclze__queue_state_unlock(state);
  }
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_graph_begin_recording", status.rule,
      queue.rep != NULL ? queue.rep->native.queue : NULL);
}

/* Ends the recording of a queue, if it records to the graph; false if it records to another. */
SYCLZE_LOCAL bool syclze__graph_end_queue(
    struct syclze__graph *graph, struct syclze__queue_state *state) {
  bool is_other = false;
  syclze__lock_acquire(&state->lock);
  struct syclze__graph_queue *queue = (struct syclze__graph_queue *)(void *)state->recording;
  if (queue != NULL && queue->graph == graph) {
    syclze__lock_acquire(&graph->lock);
    syclze__graph_queue_stop(queue);
    syclze__lock_release(&graph->lock);
  } else
    is_other = queue != NULL;
  syclze__queue_state_unlock(state);
  return !is_other;
}

/* Ends the recording of all queues. */
SYCLZE_LOCAL void syclze__graph_end_all(struct syclze__graph *graph) {
  struct syclze__queue_state *state;
  if (syclze__is_forked()) {
    for (struct syclze__graph_queue *queue = graph->queues; queue != NULL; queue = queue->next)
      if (queue->records) syclze__queue_state_set_recording(queue->state, NULL);
    return;
  }
  do {
    state = NULL;
    syclze__lock_acquire(&graph->lock);
    for (struct syclze__graph_queue *queue = graph->queues; queue != NULL; queue = queue->next)
      if (queue->records) state = queue->state;
    if (state != NULL) syclze__queue_state_retain(state);
    syclze__lock_release(&graph->lock);
    if (state != NULL) {
      syclze__graph_end_queue(graph, state);
      syclze__queue_state_release(state);
    }
  } while (state != NULL);
}

SYCLZE_COLD ze_result_t syclze_graph_end_recording(syclze_graph graph, syclze_queue queue) {
  const char *const function = "syclze_graph_end_recording";
  struct syclze__queue_state *state = queue.rep != NULL ? syclze__queue_state_get(queue.rep) : NULL;
  const struct syclze__status status =
      graph.rep == NULL ? syclze__null_handle("the graph is null") : syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  SYCLZE__CHECK_USE(graph, function, SYCLZE_RESULT_ERROR_INVALID);
  if (queue.rep == NULL) syclze__graph_end_all(graph.rep);
  if (state == NULL || syclze__graph_end_queue(graph.rep, state)) return ZE_RESULT_SUCCESS;
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "sycl_ext_oneapi_graph: the queue records to another graph", queue.rep->native.queue);
}

SYCLZE_COLD bool syclze_queue_is_recording(syclze_queue queue) {
  return syclze__queue_records(queue.rep);
}

SYCLZE_COLD uint32_t syclze_graph_get_node_count(syclze_graph graph) {
  if (graph.rep == NULL) return 0;
  SYCLZE__CHECK_USE(graph, "syclze_graph_get_node_count", 0);
  if (syclze__is_forked()) return graph.rep->node_count;
  syclze__lock_acquire(&graph.rep->lock);
  const uint32_t count = graph.rep->node_count;
  syclze__lock_release(&graph.rep->lock);
  return count;
}

SYCLZE_COLD ze_result_t syclze_graph_get_node(
    syclze_graph graph, syclze_event event, uint32_t *node) {
  const char *const function = "syclze_graph_get_node";
  if (node == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  *node = UINT32_MAX;
  if (graph.rep == NULL || event.rep == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the graph or the event is null", NULL);
  SYCLZE__CHECK_USE(graph, function, SYCLZE_RESULT_ERROR_INVALID);
  SYCLZE__CHECK_USE(event, function, SYCLZE_RESULT_ERROR_INVALID);
  *node = syclze__node_of_event(event.rep, graph.rep->number);
  if (*node != UINT32_MAX) return ZE_RESULT_SUCCESS;
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "the event must be of a group recorded to the graph", NULL);
}

SYCLZE_COLD ze_result_t syclze_graph_release(syclze_graph graph) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (graph.rep == NULL) return result;
  SYCLZE__CHECK_USE(graph, "syclze_graph_release", SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__ref_release(&graph.rep->ref)) return result;
  if (syclze__ref_is_missing(&graph.rep->ref))
    return syclze__ref_underflow(&graph.rep->ref, "syclze_graph_release");
  if (graph.rep->recorders != 0) syclze__graph_end_all(graph.rep);
  for (uint32_t i = 0; i < graph.rep->node_count; i++)
    result = syclze__first_error(result, syclze__node_release(graph.rep->order->places[i].node));
  syclze__node_block_close(graph.rep->block);
  result = syclze__first_error(result, syclze__graph_pool_release(graph.rep->pool));
  while (graph.rep->queues != NULL) {
    struct syclze__graph_queue *queue = graph.rep->queues;
    graph.rep->queues = queue->next;
    syclze__queue_state_release(queue->state);
    free(queue);
  }
  free(graph.rep->memories.all);
  syclze__graph_order_free(graph.rep->order);
  free(graph.rep->order);
  return syclze__first_error(result, syclze__child_release(&graph.rep->context->parent,
                                         SYCLZE__POOL_BUFFER, &graph.rep->ref.slot));
}

#endif

SYCLZE_EXTERN_C_END

#include "queues.h"

#endif
