/* Graphs under construction: their nodes, edges and memory, and the records of submissions.
 *
 * Locks: a queue, then the graph. */
#include "../../graph.h"

#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_RECORD_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_RECORD_H

#include "event.h"
#include "steps.h"

SYCLZE_EXTERN_C_BEGIN

/* An addition by syclze_graph_add_node: the further nodes that it depends on, and its own. */
struct syclze__graph_addition {
  const uint32_t *after;
  uint32_t count;
  uint32_t node; /* UINT32_MAX before it is added */
};

/* A queue that records, or has recorded. */
struct syclze__graph_queue {
  struct syclze__recording recording; /* first */
  struct syclze__graph_queue *next;
  struct syclze__graph *graph;
  struct syclze__queue_state *state;       /* kept; the queue is not */
  struct syclze__graph_addition *addition; /* null for a queue of the application */
  bool records;
  uint32_t last;  /* the node that the queue's next one depends on, by order or as a barrier; or
                     UINT32_MAX */
  uint32_t since; /* a barrier for all nodes of the queue depends on those from here on */
};

/* Allocated from the pool of buffers, so that a release without a reference is detected. */
struct syclze__graph {
  struct syclze__ref ref; /* first */
  struct syclze__context *context;
  struct syclze__device *device;
  uint64_t number;                                /* unique to this graph */
  SYCLZE__LOCK(SYCLZE__RANK_RECORDED_GRAPH) lock; /* of all that follows */
  struct syclze__graph_queue *queues;
  uint32_t node_count;
  uint32_t recorders; /* queues that record */
  struct syclze__memory_index memories;
  struct syclze__graph_order *order; /* of the nodes */
  struct syclze__graph_pool *pool; /* of the nodes' allocations, with a reference; null for none */
};

SYCLZE__POOLED_AS(struct syclze__graph, struct syclze__buffer);

#if SYCLZE__BODIES

/* Makes room for one more node with so many accessors; false without memory. */
SYCLZE_INLINE bool syclze__graph_reserve(struct syclze__graph *graph, uint32_t accessors) {
  return syclze__memory_index_reserve(&graph->memories, accessors) &&
         syclze__graph_order_reserve(graph->order, graph->node_count, accessors);
}

/* True if the last release of the buffer would write a group's results back to the host. */
SYCLZE_INLINE bool syclze__accessor_writes_back(const syclze_accessor *accessor) {
  const struct syclze__origin *origin = accessor->memory->origin;
  return SYCLZE__UNLIKELY(origin != NULL) && accessor->mode != SYCLZE_ACCESS_READ &&
         origin->writes_back && origin->final_data != NULL;
}

/* The rule that the group breaks. Its memory objects have access records. */
SYCLZE_INLINE struct syclze__status syclze__graph_check_group(
    const struct syclze__graph *graph, const syclze_group *group) {
  const syclze_accessor *accessors = syclze__group_accessors(group);
  struct syclze__event *const *events = syclze__group_events(group);
  for (uint32_t i = 0; i < group->event_count; i++)
    if (syclze__node_of_event(events[i], graph->number) == UINT32_MAX)
      return syclze__invalid("sycl_ext_oneapi_graph: a recorded group must not depend on an event "
                             "of a group that is not recorded to the same graph");
  for (uint32_t i = 0; i < group->accessor_count; i++) {
    if (syclze__accessor_writes_back(&accessors[i]))
      return syclze__invalid("sycl_ext_oneapi_graph: a recorded group writes to a buffer that is "
                             "written back to the host");
    const struct syclze__accesses *all = syclze__accesses_of(accessors[i].memory);
    const struct syclze__replicas *replicas = syclze__replicas_of(accessors[i].memory);
    if (replicas != NULL && replicas->lock != &all->lock)
      return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
          "a recorded group requires a buffer of another context than the graph's");
  }
  return syclze__allowed();
}

/* Adds edges from the nodes whose accesses to the memory precede a new one. */
SYCLZE_INLINE bool syclze__graph_connect_memory(const struct syclze__graph *graph,
    const struct syclze__graph_memory *memory, syclze_access_mode mode) {
  struct syclze__graph_order *order = graph->order;
  uint32_t read = mode != SYCLZE_ACCESS_READ ? memory->reads : UINT32_MAX;
  if (read == UINT32_MAX) return syclze__edge_add(order, memory->writer, graph->node_count);
  for (; read != UINT32_MAX; read = order->reads[read].next)
    if (!syclze__edge_add(order, order->reads[read].node, graph->node_count)) return false;
  return true;
}

/* Adds the edges to the next node of the graph; false without memory. */
SYCLZE_INLINE bool syclze__graph_connect(const struct syclze__graph *graph,
    const struct syclze__graph_queue *queue, const struct syclze__recorded *recorded) {
  struct syclze__graph_order *order = graph->order;
  const syclze_group *group = recorded->group;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  struct syclze__event *const *events = syclze__group_events(group);
  const uint32_t node = graph->node_count;
  order->search++;
  const struct syclze__graph_addition *addition = queue->addition;
  bool connected = syclze__edge_add(order, queue->last, node);
  for (uint32_t i = 0; addition != NULL && i < addition->count && connected; i++)
    connected = syclze__edge_add(order, addition->after[i], node);
  for (uint32_t i = 0; i < group->event_count && connected; i++)
    connected = syclze__edge_add(order, syclze__node_of_event(events[i], graph->number), node);
  for (uint32_t i = 0; i < group->accessor_count && connected; i++) {
    const uint32_t at =
        *syclze__memory_index_place(&graph->memories, syclze__accesses_of(accessors[i].memory));
    if (at != 0)
      connected =
          syclze__graph_connect_memory(graph, &graph->memories.all[at - 1], accessors[i].mode);
  }
  if (recorded->kind != SYCLZE__SUBMISSION_BARRIER || recorded->place != NULL ||
      syclze__group_depends(group) || addition != NULL)
    return connected;
  for (uint32_t i = queue->since; i < node && connected; i++)
    if (order->places[i].queue == queue && !order->places[i].is_inner)
      connected = syclze__edge_add(order, i, node);
  return connected;
}

/* Records an access of the newest node. The graph has room for it. */
SYCLZE_INLINE void syclze__graph_push_access(
    struct syclze__graph *graph, uint32_t index, const syclze_accessor *accessor) {
  struct syclze__graph_order *order = graph->order;
  const uint32_t before = graph->memories.count;
  struct syclze__graph_memory *memory =
      syclze__memory_index_require(&graph->memories, syclze__accesses_of(accessor->memory));
  if (graph->memories.count != before && graph->recorders != 0)
    __atomic_fetch_add(&memory->accesses->recordings, 1, __ATOMIC_RELAXED);
  if (accessor->mode != SYCLZE_ACCESS_READ) {
    memory->writer = index;
    memory->reads = UINT32_MAX;
  } else {
    struct syclze__graph_read *read = &order->reads[order->read_count];
    read->node = index;
    read->next = memory->reads;
    memory->reads = order->read_count++;
  }
}

/* Adds a node to the graph, which has room and the edges to the node. Later nodes may depend on it.
 * `group` decides whether a barrier is for all of the queue's nodes. */
SYCLZE_INLINE void syclze__graph_push(struct syclze__graph *graph,
    struct syclze__graph_queue *queue, const struct syclze__node *node, const syclze_group *group) {
  SYCLZE__HELD(&graph->lock);
  const uint32_t index = graph->node_count++;
  const bool is_barrier = node->kind == SYCLZE__SUBMISSION_BARRIER && !node->is_empty;
  for (uint32_t i = 0; i < node->accessor_count; i++)
    syclze__graph_push_access(graph, index, &node->accessors[i]);
  if (queue->addition != NULL) {
    queue->addition->node = index;
    return;
  }
  syclze__edges_settle(graph->order, index);
  if (queue->state->in_order || is_barrier) queue->last = index;
  if (is_barrier && !syclze__group_depends(group)) queue->since = index;
}

/* Sets the kernel's arguments as the node will, so that arguments that the driver refuses are not
 * recorded.
 */
SYCLZE_INLINE struct syclze__status syclze__recorded_check(
    struct syclze__queue_state *state, const struct syclze__recorded *recorded) {
  SYCLZE__HELD(&state->lock);
  const struct syclze__command *command = recorded->command;
  if (command == NULL) return syclze__allowed();
  if (syclze__kind_is_graph(recorded->kind))
    return syclze__invalid("the queue began to record while a graph was submitted to it");
  if (command->kernel == NULL || command->table->prepare == NULL) return syclze__allowed();
  const ze_result_t bound = syclze__kernel_bind(command->kernel, state, false);
  if (bound != ZE_RESULT_SUCCESS)
    return syclze__status_of(bound, "no memory for the use of a kernel");
  const struct syclze__status status = command->table->prepare(command);
  syclze__launch_reset(command);
  return status;
}

/* Completes the newest node, which has a place, with its edges. */
SYCLZE_INLINE struct syclze__status syclze__graph_complete(struct syclze__graph *graph,
    const struct syclze__graph_queue *queue, struct syclze__node *node,
    const struct syclze__recorded *recorded, struct syclze__event **event) {
  if (!syclze__graph_connect(graph, queue, recorded)) return syclze__out_of_memory();
  if (event != NULL) {
    const ze_result_t result = syclze__node_event_create(
        graph->context, queue->state, graph->number, graph->node_count, event);
    if (result != ZE_RESULT_SUCCESS)
      return syclze__status_of(
          result, syclze__cause(result, "no event could be created for a recorded group"));
  }
  return recorded->place != NULL ? recorded->place(graph, node, recorded->argument)
                                 : syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__graph_add(struct syclze__graph *graph,
    struct syclze__graph_queue *queue, const struct syclze__recorded *recorded,
    struct syclze__event **event) {
  SYCLZE__HELD(&graph->lock);
  struct syclze__node *node = NULL;
  struct syclze__status status = syclze__graph_check_group(graph, recorded->group);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__graph_reserve(graph, recorded->group->accessor_count))
    return syclze__out_of_memory();
  status = syclze__node_create(recorded, &node);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const uint32_t edges = graph->order->edge_count;
  syclze__place_begin(
      graph->order, graph->node_count, node, queue->addition != NULL ? NULL : queue);
  status = syclze__graph_complete(graph, queue, node, recorded, event);
  if (status.result != ZE_RESULT_SUCCESS) {
    syclze__edges_drop(graph->order, edges);
    syclze__node_release(node);
    return status;
  }
  if (recorded->kind == SYCLZE__SUBMISSION_LISTS)
    node->subgraph = (struct syclze__subgraph *)recorded->argument;
  syclze__graph_push(graph, queue, node, recorded->group);
  return status;
}

SYCLZE_LOCAL_WARM struct syclze__status syclze__graph_record(struct syclze__recording *recording,
    const struct syclze__recorded *recorded, struct syclze__event **event) {
  struct syclze__graph_queue *queue = (struct syclze__graph_queue *)(void *)recording;
  SYCLZE__HELD(&queue->state->lock);
  const struct syclze__status status = syclze__recorded_check(queue->state, recorded);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze__lock_acquire(&queue->graph->lock);
  const struct syclze__status added = syclze__graph_add(queue->graph, queue, recorded, event);
  syclze__lock_release(&queue->graph->lock);
  return added;
}

#endif

SYCLZE_EXTERN_C_END

#endif
