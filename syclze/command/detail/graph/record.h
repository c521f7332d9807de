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
  uint32_t
      joined;     /* the graph's nodes when a recorded event began the recording, else UINT32_MAX */
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
  uint32_t recorders;               /* queues that record */
  struct syclze__node_block *block; /* of the newest nodes, which is open; null before the first */
  struct syclze__memory_index memories;
  struct syclze__graph_order *order; /* of the nodes */
  struct syclze__graph_pool *pool; /* of the nodes' allocations, with a reference; null for none */
};

SYCLZE__POOLED_AS(struct syclze__graph, struct syclze__buffer);

#if SYCLZE__BODIES

SYCLZE_LOCAL bool syclze__graph_grow(
    struct syclze__graph *graph, uint32_t accessors, uint32_t edges) {
  return syclze__memory_index_reserve(&graph->memories, accessors) &&
         syclze__graph_order_grow(graph->order, graph->node_count + 1, edges, accessors);
}

/* Makes room for one more node with so many accessors and edges; false without memory. */
SYCLZE_INLINE bool syclze__graph_reserve(
    struct syclze__graph *graph, uint32_t accessors, uint32_t edges) {
  const struct syclze__graph_order *order = graph->order;
  const bool has_room = graph->node_count < order->place_room &&
                        edges <= order->edge_room - order->edge_count &&
                        accessors <= order->read_room - order->read_count &&
                        accessors <= graph->memories.room - graph->memories.count;
  if (SYCLZE__LIKELY(has_room)) return true;
  return syclze__graph_grow(graph, accessors, edges);
}

/* True if the last release of the buffer would write a group's results back to the host. */
SYCLZE_INLINE bool syclze__accessor_writes_back(const syclze_accessor *accessor) {
  const struct syclze__origin *origin = accessor->memory->origin;
  return SYCLZE__UNLIKELY(origin != NULL) && accessor->mode != SYCLZE_ACCESS_READ &&
         origin->writes_back && origin->final_data != NULL;
}

/* The rule that an access of a recorded group breaks. */
SYCLZE_INLINE struct syclze__status syclze__check_recorded_access(
    const syclze_accessor *accessor, const struct syclze__accesses *all) {
  if (syclze__accessor_writes_back(accessor))
    return syclze__invalid("sycl_ext_oneapi_graph: a recorded group writes to a buffer that is "
                           "written back to the host");
  const struct syclze__replicas *replicas = __atomic_load_n(&all->replicas, __ATOMIC_ACQUIRE);
  if (replicas != NULL && replicas->lock != &all->lock)
    return syclze__unsupported(
        "a recorded group requires a buffer of another context than the graph's");
  return syclze__allowed();
}

/* Adds edges from the nodes whose accesses to the memory precede a new one. */
SYCLZE_INLINE void syclze__graph_connect_memory(const struct syclze__graph *graph,
    const struct syclze__graph_memory *memory, syclze_access_mode mode) {
  struct syclze__graph_order *order = graph->order;
  uint32_t read = mode != SYCLZE_ACCESS_READ ? memory->reads : UINT32_MAX;
  if (read == UINT32_MAX) syclze__edge_add(order, memory->writer, graph->node_count);
  for (; read != UINT32_MAX; read = order->reads[read].next)
    syclze__edge_add(order, order->reads[read].node, graph->node_count);
}

/* Adds edges from the nodes of the group's events. */
SYCLZE_INLINE struct syclze__status syclze__graph_connect_events(
    const struct syclze__graph *graph, const syclze_group *group) {
  struct syclze__event *const *events = syclze__group_events(group);
  for (uint32_t i = 0; i < group->event_count; i++) {
    const uint32_t from = syclze__node_of_event(events[i], graph->number);
    if (from == UINT32_MAX)
      return syclze__invalid("sycl_ext_oneapi_graph: a recorded group must not depend on an event "
                             "of a group that is not recorded to the same graph");
    syclze__edge_add(graph->order, from, graph->node_count);
  }
  return syclze__allowed();
}

/* Adds the group's memory objects, which have access records, and edges from the nodes whose
 * accesses to them precede the group. The objects are listed behind the reads. */
SYCLZE_INLINE struct syclze__status syclze__graph_connect_accesses(
    struct syclze__graph *graph, const syclze_group *group) {
  const syclze_accessor *accessor = syclze__group_accessors(group);
  const syclze_accessor *end = accessor + group->accessor_count;
  struct syclze__graph_order *order = graph->order;
  for (uint32_t i = order->read_count; accessor != end; accessor++, i++) {
    struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
    const struct syclze__status status = syclze__check_recorded_access(accessor, all);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    const uint32_t at = order->reads[i].next = syclze__memory_index_require(&graph->memories, all);
    syclze__graph_connect_memory(graph, &graph->memories.all[at], accessor->mode);
  }
  return syclze__allowed();
}

/* Adds edges from the nodes that a barrier of the queue orders: all without later ones. */
SYCLZE_LOCAL void syclze__graph_connect_barrier(
    const struct syclze__graph *graph, const struct syclze__graph_queue *queue) {
  struct syclze__graph_order *order = graph->order;
  for (uint32_t i = queue->since; i < graph->node_count; i++)
    if (order->places[i].queue == queue && !syclze__place_is_inner(order, i))
      syclze__edge_add(order, i, graph->node_count);
}

/* True for a barrier of a queue, which orders all nodes of the queue unless its group depends on
 * some. */
SYCLZE_INLINE bool syclze__recorded_is_barrier(const struct syclze__recorded *recorded) {
  return recorded->kind == SYCLZE__SUBMISSION_BARRIER && recorded->place == NULL;
}

/* The most edges that the group's node can have: those of its queue, its accesses and events, and
 * of an addition or a barrier. */
SYCLZE_INLINE uint32_t syclze__recorded_edges(const struct syclze__graph *graph,
    const struct syclze__graph_queue *queue, const struct syclze__recorded *recorded) {
  const syclze_group *group = recorded->group;
  const uint32_t count = 1 + group->accessor_count + group->event_count + graph->order->read_count;
  if (SYCLZE__UNLIKELY(queue->addition != NULL)) return count + queue->addition->count;
  return recorded->kind == SYCLZE__SUBMISSION_BARRIER ? count + graph->node_count : count;
}

/* Adds the edges to the next node of the graph, which has room for them and its accesses. */
SYCLZE_INLINE struct syclze__status syclze__graph_connect(struct syclze__graph *graph,
    const struct syclze__graph_queue *queue, const struct syclze__recorded *recorded) {
  struct syclze__graph_order *order = graph->order;
  const struct syclze__graph_addition *addition = queue->addition;
  order->search++;
  syclze__edge_add(order, queue->last, graph->node_count);
  for (uint32_t i = 0; addition != NULL && i < addition->count; i++)
    syclze__edge_add(order, addition->after[i], graph->node_count);
  struct syclze__status status = syclze__graph_connect_events(graph, recorded->group);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__graph_connect_accesses(graph, recorded->group);
  if (SYCLZE__UNLIKELY(syclze__recorded_is_barrier(recorded)) && addition == NULL &&
      !syclze__group_depends(recorded->group))
    syclze__graph_connect_barrier(graph, queue);
  return status;
}

/* Records the accesses of the group, whose memory objects are listed behind the reads, and copies
 * the accessors to the node. */
SYCLZE_INLINE void syclze__graph_access(struct syclze__graph *graph, uint32_t index,
    struct syclze__node *node, const syclze_group *group) {
  struct syclze__graph_order *order = graph->order;
  const syclze_accessor *accessors = syclze__group_accessors(group);
  const uint32_t first = order->read_count, count = group->accessor_count;
  for (uint32_t i = 0; i < count; i++) {
    struct syclze__graph_memory *memory = &graph->memories.all[order->reads[first + i].next];
    syclze__node_keep(node, i, &accessors[i]);
    /* The first access of the graph to the memory. */
    if ((memory->writer & memory->reads) == UINT32_MAX && graph->recorders != 0)
      __atomic_fetch_add(&memory->accesses->recordings, 1, __ATOMIC_RELAXED);
    if (accessors[i].mode != SYCLZE_ACCESS_READ) {
      memory->writer = index;
      memory->reads = UINT32_MAX;
    } else {
      const struct syclze__graph_read read = {index, memory->reads};
      memory->reads = order->read_count;
      order->reads[order->read_count++] = read;
    }
  }
  node->accessor_count = count;
}

/* Adds the group's node to the graph, which has room and the edges to the node. Later nodes may
 * depend on it. */
SYCLZE_INLINE void syclze__graph_push(struct syclze__graph *graph,
    struct syclze__graph_queue *queue, struct syclze__node *node,
    const struct syclze__recorded *recorded) {
  SYCLZE__HELD(&graph->lock);
  const uint32_t index = graph->node_count++;
  const bool is_barrier = syclze__recorded_is_barrier(recorded);
  node->subgraph = recorded->subgraph;
  graph->order->places[index].node = node;
  syclze__graph_access(graph, index, node, recorded->group);
  if (queue->addition != NULL) {
    queue->addition->node = index;
    return;
  }
  if (queue->state->in_order || is_barrier) queue->last = index;
  if (is_barrier && !syclze__group_depends(recorded->group)) queue->since = index;
}

/* Sets the kernel's arguments as the node will, so that arguments that the driver refuses are not
 * recorded.
 */
SYCLZE_INLINE struct syclze__status syclze__recorded_check(
    struct syclze__queue_state *state, const struct syclze__recorded *recorded) {
  SYCLZE__HELD(&state->lock);
  const struct syclze__command *command = recorded->command;
  if (command == NULL) return syclze__allowed();
  if (command->table->unrecorded != NULL) return syclze__invalid(command->table->unrecorded);
  if (command->kernel == NULL)
    return syclze__kind_is_graph(recorded->kind)
               ? syclze__invalid("the queue began to record while a graph was submitted to it")
               : syclze__allowed();
  const ze_result_t bound = syclze__kernel_bind_with_event(command->kernel, state);
  if (bound != ZE_RESULT_SUCCESS) return syclze__status_of_call(bound, SYCLZE__KERNEL_CONTEXT_RULE);
  const struct syclze__status status = command->table->prepare(command);
  syclze__launch_reset(command);
  return status;
}

/* Creates the next node of the graph, which has its edges. Null, or to be released, after an error.
 */
SYCLZE_INLINE struct syclze__status syclze__graph_create_node(struct syclze__graph *graph,
    const struct syclze__graph_queue *queue, const struct syclze__recorded *recorded,
    struct syclze__event **event, struct syclze__node **node) {
  struct syclze__status status = syclze__node_create(&graph->block, recorded, node);
  if (status.result == ZE_RESULT_SUCCESS && event != NULL) {
    *event = syclze__node_event_create(
        graph->context, queue->state, &graph->block, graph->number, graph->node_count);
    if (*event == NULL) status = syclze__out_of_memory();
  }
  if (status.result == ZE_RESULT_SUCCESS && recorded->place != NULL)
    status = recorded->place(graph, *node, recorded->argument);
  return status;
}

SYCLZE_INLINE struct syclze__status syclze__graph_add(struct syclze__graph *graph,
    struct syclze__graph_queue *queue, const struct syclze__recorded *recorded,
    struct syclze__event **event) {
  SYCLZE__HELD(&graph->lock);
  struct syclze__graph_order *order = graph->order;
  struct syclze__node *node = NULL;
  if (!syclze__graph_reserve(
          graph, recorded->group->accessor_count, syclze__recorded_edges(graph, queue, recorded)))
    return syclze__out_of_memory();
  const uint32_t edges = order->edge_count, memories = graph->memories.count;
  syclze__place_begin(order, graph->node_count, queue->addition != NULL ? NULL : queue);
  struct syclze__status status = syclze__graph_connect(graph, queue, recorded);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__graph_create_node(graph, queue, recorded, event, &node);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) {
    syclze__edges_drop(order, edges);
    syclze__memory_index_truncate(&graph->memories, memories);
    if (node != NULL) syclze__node_release(node);
    return status;
  }
  syclze__graph_push(graph, queue, node, recorded);
  return status;
}

/* Counts a queue that begins or ends to record. While a queue records, the graph's buffers have no
 * host accessors. */
SYCLZE_LOCAL void syclze__graph_count_recorder(struct syclze__graph *graph, bool begins) {
  SYCLZE__HELD(&graph->lock);
  const bool changes = begins ? graph->recorders++ == 0 : --graph->recorders == 0;
  for (uint32_t i = 0; changes && i < graph->memories.count; i++)
    __atomic_fetch_add(
        &graph->memories.all[i].accesses->recordings, begins ? 1 : UINT32_MAX, __ATOMIC_RELAXED);
}

SYCLZE_LOCAL void syclze__graph_queue_stop(struct syclze__graph_queue *queue) {
  SYCLZE__HELD(&queue->graph->lock);
  syclze__queue_state_set_recording(queue->state, NULL);
  queue->records = false;
  syclze__graph_count_recorder(queue->graph, false);
}

/* Ends a recording that a recorded event began, unless a node of the queue was recorded since. */
SYCLZE_LOCAL void syclze__graph_unjoin(struct syclze__graph_queue *queue) {
  struct syclze__graph *graph = queue->graph;
  SYCLZE__HELD(&queue->state->lock);
  syclze__lock_acquire(&graph->lock);
  uint32_t i = queue->joined;
  while (i < graph->node_count && graph->order->places[i].queue != queue)
    i++;
  if (i == graph->node_count) syclze__graph_queue_stop(queue);
  syclze__lock_release(&graph->lock);
}

SYCLZE_LOCAL_WARM struct syclze__status syclze__graph_record(struct syclze__recording *recording,
    const struct syclze__recorded *recorded, struct syclze__event **event) {
  struct syclze__graph_queue *queue = (struct syclze__graph_queue *)(void *)recording;
  SYCLZE__HELD(&queue->state->lock);
  struct syclze__status status = syclze__recorded_check(queue->state, recorded);
  if (status.result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&queue->graph->lock);
    status = syclze__graph_add(queue->graph, queue, recorded, event);
    syclze__lock_release(&queue->graph->lock);
  }
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) syclze__graph_unjoin(queue);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
