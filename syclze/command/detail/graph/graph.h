/* Bodies of graph.h: graphs under construction, and the queues that record to them.
 *
 * Locks: a queue, then the graph. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_GRAPH_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_GRAPH_H

#include "../../graph.h"
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
  struct syclze__node **nodes;
  uint32_t node_count, node_room;
  uint32_t recorders; /* queues that record */
  struct syclze__graph_memory *memories;
  uint32_t memory_count, memory_room;
  struct syclze__memory_index index; /* of `memories` */
  struct syclze__graph_order *order; /* of the nodes */
  struct syclze__graph_pool *pool; /* of the nodes' allocations, with a reference; null for none */
};

#ifdef __cplusplus
static_assert(sizeof(struct syclze__graph) <= sizeof(struct syclze__buffer), "of that pool");
#else
_Static_assert(sizeof(struct syclze__graph) <= sizeof(struct syclze__buffer), "of that pool");
#endif

#if SYCLZE__BODIES

/* Makes room for one more node with so many accessors. */
SYCLZE_LOCAL bool syclze__graph_grow(struct syclze__graph *graph, uint32_t accessors) {
  void *nodes = (void *)graph->nodes, *memories = graph->memories;
  const bool has_room =
      syclze__graph_room(&nodes, &graph->node_room, graph->node_count, 1, sizeof *graph->nodes) &&
      syclze__graph_room(&memories, &graph->memory_room, graph->memory_count, accessors,
          sizeof *graph->memories) &&
      syclze__memory_index_reserve(&graph->index, graph->memory_count + accessors) &&
      syclze__graph_order_grow(graph->order, graph->node_count, accessors);
  graph->nodes = (struct syclze__node **)nodes;
  graph->memories = (struct syclze__graph_memory *)memories;
  return has_room;
}

/* The accessor's memory in the graph; null if there is none. */
SYCLZE_LOCAL struct syclze__graph_memory *syclze__graph_memory_of(
    const struct syclze__graph *graph, const syclze_accessor *accessor) {
  if (graph->memory_count == 0) return NULL;
  const struct syclze__memory_place *place =
      syclze__memory_index_find(&graph->index, syclze__accesses_of(accessor->memory));
  return place->accesses != NULL ? &graph->memories[place->at] : NULL;
}

/* True if the last release of the buffer would write a group's results back to the host. */
SYCLZE_LOCAL bool syclze__accessor_writes_back(const syclze_accessor *accessor) {
  const struct syclze__origin *origin = accessor->memory->origin;
  return accessor->mode != SYCLZE_ACCESS_READ && origin != NULL && origin->writes_back &&
         origin->final_data != NULL;
}

/* The rule that the group breaks. Its memory objects have access records. */
SYCLZE_LOCAL struct syclze__status syclze__graph_check_group(
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
SYCLZE_LOCAL bool syclze__graph_connect_memory(const struct syclze__graph *graph,
    const struct syclze__graph_memory *memory, syclze_access_mode mode) {
  struct syclze__graph_order *order = graph->order;
  uint32_t read = mode != SYCLZE_ACCESS_READ ? memory->reads : UINT32_MAX;
  if (read == UINT32_MAX) return syclze__edge_add(order, memory->writer, graph->node_count);
  for (; read != UINT32_MAX; read = order->reads[read].next)
    if (!syclze__edge_add(order, order->reads[read].node, graph->node_count)) return false;
  return true;
}

/* Adds the edges to the next node of the graph; false without memory. */
SYCLZE_LOCAL bool syclze__graph_connect(const struct syclze__graph *graph,
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
    const struct syclze__graph_memory *memory = syclze__graph_memory_of(graph, &accessors[i]);
    if (memory != NULL) connected = syclze__graph_connect_memory(graph, memory, accessors[i].mode);
  }
  if (recorded->kind != SYCLZE__SUBMISSION_BARRIER || recorded->place != NULL ||
      syclze__group_depends(group) || addition != NULL)
    return connected;
  for (uint32_t i = queue->since; i < node && connected; i++)
    if (order->places[i].queue == queue && !order->places[i].is_inner)
      connected = syclze__edge_add(order, i, node);
  return connected;
}

/* The accessor's memory in the graph, which has room for it. */
SYCLZE_LOCAL struct syclze__graph_memory *syclze__graph_memory_require(
    struct syclze__graph *graph, const syclze_accessor *accessor) {
  struct syclze__accesses *accesses = syclze__accesses_of(accessor->memory);
  struct syclze__memory_place *place = syclze__memory_index_find(&graph->index, accesses);
  if (place->accesses != NULL) return &graph->memories[place->at];
  place->accesses = accesses;
  place->at = graph->memory_count;
  struct syclze__graph_memory *memory = &graph->memories[graph->memory_count++];
  memory->accesses = accesses;
  memory->writer = memory->reads = UINT32_MAX;
  if (graph->recorders != 0) __atomic_fetch_add(&accesses->recordings, 1, __ATOMIC_RELAXED);
  return memory;
}

/* Records an access of the newest node. */
SYCLZE_LOCAL void syclze__graph_push_access(
    struct syclze__graph *graph, uint32_t index, const syclze_accessor *accessor) {
  struct syclze__graph_order *order = graph->order;
  struct syclze__graph_memory *memory = syclze__graph_memory_require(graph, accessor);
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
SYCLZE_LOCAL void syclze__graph_push(struct syclze__graph *graph, struct syclze__graph_queue *queue,
    struct syclze__node *node, const syclze_group *group) {
  SYCLZE__HELD(&graph->lock);
  const uint32_t index = graph->node_count;
  const bool is_barrier = node->kind == SYCLZE__SUBMISSION_BARRIER && !node->is_empty;
  for (uint32_t i = 0; i < node->accessor_count; i++)
    syclze__graph_push_access(graph, index, &node->accessors[i]);
  graph->nodes[graph->node_count++] = node;
  if (queue->addition != NULL) {
    queue->addition->node = index;
    return;
  }
  syclze__edges_settle(graph->order, index);
  if (queue->state->in_order || is_barrier) queue->last = index;
  if (is_barrier && !syclze__group_depends(group)) queue->since = index;
}

/* True for the submission of a graph whose queue began to record meanwhile. */
SYCLZE_LOCAL bool syclze__command_is_graph(const struct syclze__command *command);

/* Sets the kernel's arguments as the node will, so that arguments that the driver refuses are not
 * recorded.
 */
SYCLZE_LOCAL struct syclze__status syclze__recorded_check(
    struct syclze__queue_state *state, const struct syclze__recorded *recorded) {
  SYCLZE__HELD(&state->lock);
  const struct syclze__command *command = recorded->command;
  if (command != NULL && syclze__command_is_graph(command))
    return syclze__invalid("the queue began to record while a graph was submitted to it");
  if (command == NULL || command->kernel == NULL || command->table->prepare == NULL)
    return syclze__allowed();
  const ze_result_t bound = syclze__kernel_bind(command->kernel, state, false);
  if (bound != ZE_RESULT_SUCCESS)
    return syclze__status_of(bound, "no memory for the use of a kernel");
  const struct syclze__status status = command->table->prepare(command);
  syclze__launch_reset(command);
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__graph_add(struct syclze__graph *graph,
    struct syclze__graph_queue *queue, const struct syclze__recorded *recorded,
    struct syclze__event **event) {
  SYCLZE__HELD(&graph->lock);
  struct syclze__node *node = NULL;
  struct syclze__status status = syclze__graph_check_group(graph, recorded->group);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__graph_grow(graph, recorded->group->accessor_count)) return syclze__out_of_memory();
  status = syclze__node_create(recorded, &node);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  const uint32_t edges = graph->order->edge_count;
  syclze__place_begin(graph->order, graph->node_count, queue->addition != NULL ? NULL : queue);
  if (!syclze__graph_connect(graph, queue, recorded)) status = syclze__out_of_memory();
  if (status.result == ZE_RESULT_SUCCESS && event != NULL) {
    const ze_result_t result = syclze__node_event_create(
        graph->context, queue->state, graph->number, graph->node_count, event);
    status = syclze__status_of(
        result, syclze__cause(result, "no event could be created for a recorded group"));
  }
  if (status.result == ZE_RESULT_SUCCESS && recorded->place != NULL)
    status = recorded->place(graph, node, recorded->argument);
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

SYCLZE_LOCAL struct syclze__status syclze__graph_record(struct syclze__recording *recording,
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

/* The queue's record in the graph, created if missing; null without memory. */
SYCLZE_LOCAL struct syclze__graph_queue *syclze__graph_queue_require(
    struct syclze__graph *graph, struct syclze__queue_state *state) {
  struct syclze__graph_queue *queue = syclze__graph_queue_of(graph, state);
  if (queue != NULL) return queue;
  queue = (struct syclze__graph_queue *)calloc(1, sizeof *queue);
  if (queue == NULL) return NULL;
  queue->recording.add = syclze__graph_record;
  queue->recording.keep = syclze__graph_keep;
  queue->recording.join = syclze__graph_join;
  queue->graph = graph;
  queue->state = state;
  queue->last = UINT32_MAX;
  syclze__queue_state_retain(state);
  queue->next = graph->queues;
  graph->queues = queue;
  return queue;
}

/* Counts a queue that begins or ends to record. While a queue records, the graph's buffers have no
 * host accessors. */
SYCLZE_LOCAL void syclze__graph_count_recorder(struct syclze__graph *graph, bool begins) {
  SYCLZE__HELD(&graph->lock);
  const bool changes = begins ? graph->recorders++ == 0 : --graph->recorders == 0;
  for (uint32_t i = 0; changes && i < graph->memory_count; i++)
    __atomic_fetch_add(
        &graph->memories[i].accesses->recordings, begins ? 1 : UINT32_MAX, __ATOMIC_RELAXED);
}

SYCLZE_LOCAL struct syclze__status syclze__graph_begin(
    struct syclze__graph *graph, struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
  if (state->recording != NULL)
    return syclze__invalid("sycl_ext_oneapi_graph: the queue records to a graph already");
  syclze__lock_acquire(&graph->lock);
  struct syclze__graph_queue *queue = syclze__graph_queue_require(graph, state);
  if (queue != NULL) {
    queue->records = true;
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
    if (state->recording == NULL) status = syclze__graph_begin(graph.rep, state);
    syclze__queue_state_unlock(state);
  }
  syclze_graph_release(graph);
  return status;
}

SYCLZE_COLD ze_result_t syclze_graph_begin_recording(syclze_graph graph, syclze_queue queue) {
  struct syclze__status status = syclze__check_fork();
  struct syclze__queue_state *state = NULL;
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
    status = syclze__graph_begin(graph.rep, state);
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
    syclze__queue_state_set_recording(state, NULL);
    syclze__lock_acquire(&graph->lock);
    queue->records = false;
    syclze__graph_count_recorder(graph, false);
    syclze__lock_release(&graph->lock);
  } else
    is_other = queue != NULL;
  syclze__queue_state_unlock(state);
  return !is_other;
}

/* Ends the recording of all queues. */
SYCLZE_LOCAL void syclze__graph_end_all(struct syclze__graph *graph) {
  struct syclze__queue_state *state;
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
  if (graph.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the graph is null", NULL);
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
  *node = syclze__node_of_event(event.rep, graph.rep->number);
  if (*node != UINT32_MAX) return ZE_RESULT_SUCCESS;
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "the event must be of a group recorded to the graph", NULL);
}

SYCLZE_COLD ze_result_t syclze_graph_release(syclze_graph graph) {
  ze_result_t result = ZE_RESULT_SUCCESS, released;
  if (graph.rep == NULL) return result;
  SYCLZE__CHECK_USE(graph, "syclze_graph_release", SYCLZE_RESULT_ERROR_INVALID);
  if (syclze__ref_release(&graph.rep->ref)) return result;
  if (syclze__ref_is_missing(&graph.rep->ref))
    return syclze__ref_underflow(&graph.rep->ref, "syclze_graph_release");
  syclze__graph_end_all(graph.rep);
  for (uint32_t i = 0; i < graph.rep->node_count; i++) {
    released = syclze__node_release(graph.rep->nodes[i]);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  released = syclze__graph_pool_release(graph.rep->pool);
  if (result == ZE_RESULT_SUCCESS) result = released;
  while (graph.rep->queues != NULL) {
    struct syclze__graph_queue *queue = graph.rep->queues;
    graph.rep->queues = queue->next;
    syclze__queue_state_release(queue->state);
    free(queue);
  }
  free((void *)graph.rep->nodes);
  free(graph.rep->memories);
  free(graph.rep->index.places);
  syclze__graph_order_free(graph.rep->order);
  free(graph.rep->order);
  released =
      syclze__child_release(&graph.rep->context->parent, SYCLZE__POOL_BUFFER, &graph.rep->ref.slot);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

#endif

SYCLZE_EXTERN_C_END

#include "queues.h"

#endif
