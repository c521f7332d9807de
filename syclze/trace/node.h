/* What the stream sycl tells of commands: nodes with their metadata, edges, tasks, barriers.
 *
 * A command is kept as long as it may be waited for: until another signals the same native event,
 * or one that shares its slot in the table. Its event is the framework's: of the place that submits
 * it, as long as the program runs, so that a place is one node however often it is passed; in the
 * form of today's runtimes, and where the place is not known, the command's own. */
#ifndef SYCLZE_TRACE_NODE_H
#define SYCLZE_TRACE_NODE_H

#include "../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "metadata.h"
#include "place.h"
#include "ur_call.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__trace_node {
  void *event;    /* the framework's; null where only the call is told */
  bool of_place;  /* the event outlives the command */
  uint64_t place; /* of a node that is not told yet; 0 for none */
  uint64_t instance;
  uint32_t references; /* atomic: of the command, of the table, of who waits */
  bool is_host;
  ze_event_handle_t signal; /* null for none */
  const char *barrier;      /* why the submission waits; null for nothing */
  struct syclze__ur_call call;
  struct syclze__heard heard; /* of a host task */
};

SYCLZE_COLD void syclze__trace_node_drop(struct syclze__xpti *xpti, struct syclze__trace_node *node)
    SYCLZE_LINK_NAME(syclze__trace_node_drop);

/* Null is allowed. */
SYCLZE_COLD void syclze__trace_node_drop(
    struct syclze__xpti *xpti, struct syclze__trace_node *node) {
  if (node == NULL || __atomic_sub_fetch(&node->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (!node->of_place) syclze__trace_event_end(xpti, node->event);
  free(node);
}

SYCLZE_INLINE struct syclze__xpti_signal *syclze__trace_slot(
    struct syclze__xpti *xpti, ze_event_handle_t signal) {
  const uint64_t hash = SYCLZE__WORD(signal) * 0x9e3779b97f4a7c15u;
  return &xpti->nodes[hash % SYCLZE__XPTI_NODES];
}

SYCLZE_COLD struct syclze__trace_node *syclze__trace_node_of(
    struct syclze__xpti *xpti, ze_event_handle_t signal) SYCLZE_LINK_NAME(syclze__trace_node_of);

/* The node that signals the event, with a reference; null where it is not known. */
SYCLZE_COLD struct syclze__trace_node *syclze__trace_node_of(
    struct syclze__xpti *xpti, ze_event_handle_t signal) {
  const struct syclze__xpti_signal *slot = syclze__trace_slot(xpti, signal);
  syclze__lock_take(&xpti->lock);
  struct syclze__trace_node *node = slot->signal == signal ? slot->node : NULL;
  if (node != NULL) __atomic_add_fetch(&node->references, 1, __ATOMIC_RELAXED);
  syclze__lock_give(&xpti->lock);
  return node;
}

SYCLZE_COLD void syclze__trace_node_keep(struct syclze__xpti *xpti, struct syclze__trace_node *node)
    SYCLZE_LINK_NAME(syclze__trace_node_keep);

/* Others may wait for it from now on. */
SYCLZE_COLD void syclze__trace_node_keep(
    struct syclze__xpti *xpti, struct syclze__trace_node *node) {
  if (node->signal == NULL || node->event == NULL) return;
  struct syclze__xpti_signal *slot = syclze__trace_slot(xpti, node->signal);
  __atomic_add_fetch(&node->references, 1, __ATOMIC_RELAXED);
  syclze__lock_take(&xpti->lock);
  struct syclze__trace_node *before = slot->node;
  slot->signal = node->signal;
  slot->node = node;
  syclze__lock_give(&xpti->lock);
  syclze__trace_node_drop(xpti, before);
}

SYCLZE_COLD void syclze__trace_node_edge(struct syclze__xpti *xpti, uint64_t source,
    const struct syclze__trace_node *node, ze_event_handle_t event)
    SYCLZE_LINK_NAME(syclze__trace_node_edge);

SYCLZE_COLD void syclze__trace_node_edge(struct syclze__xpti *xpti, uint64_t source,
    const struct syclze__trace_node *node, ze_event_handle_t event) {
  const struct syclze__trace_thread *thread = syclze__trace_mine();
  const struct syclze__trace_reason_of *reason = NULL;
  for (uint32_t i = 0; i < thread->reason_count && reason == NULL; i++)
    if (thread->reasons[i].event == event) reason = &thread->reasons[i];
  char text[SYCLZE__TRACE_TEXT];
  void *edge = syclze__trace_event(
      xpti, syclze__trace_named(text, "Event", event), false, SYCLZE__XPTI_GRAPH);
  if (edge == NULL) return;
  ((struct syclze__xpti_event *)edge)->source_id = source;
  ((struct syclze__xpti_event *)edge)->target_id = syclze__trace_event_id(node->event);
  syclze__trace_word(xpti, edge, "event", SYCLZE__WORD(event));
  if (reason != NULL) {
    const int32_t mode = (int32_t)syclze__trace_mode(reason->mode);
    syclze__trace_word(xpti, edge, "memory_object", SYCLZE__WORD(reason->object));
    syclze__trace_datum(xpti, edge, "access_mode", SYCLZE__XPTI_SIGNED, &mode, sizeof mode);
  }
  syclze__trace_tell(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_EDGE_CREATE, xpti->graph, edge,
      xpti->GetUniqueId(), NULL);
  syclze__trace_event_end(xpti, edge);
}

SYCLZE_COLD void syclze__trace_edges(struct syclze__xpti *xpti, struct syclze__trace_node *node,
    const struct syclze__told_command *command) SYCLZE_LINK_NAME(syclze__trace_edges);

/* The edges, and why the device waits. */
SYCLZE_COLD void syclze__trace_edges(struct syclze__xpti *xpti, struct syclze__trace_node *node,
    const struct syclze__told_command *command) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct syclze__trace_node *source = syclze__trace_node_of(xpti, command->waits[i]);
    const bool host = source != NULL && source->is_host;
    if ((source == NULL || host) && !command->is_host &&
        zeEventQueryStatus(command->waits[i]) == ZE_RESULT_NOT_READY)
      node->barrier = host            ? "enqueue.barrier[Blocked by host task]"
                      : xpti->current ? "enqueue.barrier[Unknown block reason]"
                                      : "enqueue.barrier[Unknown reason]";
    if (source != NULL)
      syclze__trace_node_edge(xpti, syclze__trace_event_id(source->event), node, command->waits[i]);
    syclze__trace_node_drop(xpti, source);
  }
}

SYCLZE_COLD void syclze__trace_kernel(const struct syclze__told_kernel *kernel) {
  syclze__trace_mine()->kernel = kernel;
}

SYCLZE_COLD void syclze__trace_transfer(const struct syclze__told_transfer *transfer) {
  syclze__trace_mine()->transfer = transfer;
}

SYCLZE_COLD void syclze__trace_forget(void) {
  struct syclze__trace_thread *thread = syclze__trace_mine();
  thread->kernel = NULL;
  thread->transfer = NULL;
  SYCLZE__TRACE_PLACE = NULL;
  thread->reason_count = 0;
}

SYCLZE_COLD void syclze__trace_reason(
    const ze_event_handle_t *events, uint32_t count, const void *object, uint32_t mode) {
  struct syclze__trace_thread *thread = syclze__trace_mine();
  for (uint32_t i = 0; i < count && thread->reason_count < SYCLZE__TRACE_REASONS; i++) {
    const struct syclze__trace_reason_of reason = {events[i], object, mode};
    thread->reasons[thread->reason_count++] = reason;
  }
}

SYCLZE_COLD void syclze__trace_command_call(struct syclze__trace_node *node,
    const struct syclze__told_command *command, const struct syclze__trace_thread *thread)
    SYCLZE_LINK_NAME(syclze__trace_command_call);

/* The call of the runtime interface that this would be. */
SYCLZE_COLD void syclze__trace_command_call(struct syclze__trace_node *node,
    const struct syclze__told_command *command, const struct syclze__trace_thread *thread) {
  const struct syclze__told_kernel *kernel = thread->kernel;
  const struct syclze__told_transfer *transfer = thread->transfer;
  const uint64_t queue = SYCLZE__WORD(command->queue), count = command->wait_count;
  const uint64_t waits = SYCLZE__WORD(command->waits);
  const uint64_t event = node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0;
  if (kernel != NULL) {
    const uint64_t values[] = {queue, SYCLZE__WORD(kernel->object), kernel->dimensions,
        SYCLZE__WORD(&kernel->sizes[6]), SYCLZE__WORD(kernel->sizes),
        SYCLZE__WORD(&kernel->sizes[3]), count, waits, event};
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueKernelLaunch), values, 9);
  } else if (transfer == NULL && command->is_barrier) {
    const uint64_t values[] = {queue, count, waits, event};
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueEventsWaitWithBarrier), values, 4);
  } else if (transfer == NULL) {
    const uint64_t values[] = {queue, 0, 0, 0, 0, 0, count, waits, event};
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueNativeCommandExp), values, 9);
  } else {
    const uint64_t to = SYCLZE__WORD(transfer->to), from = SYCLZE__WORD(transfer->from);
    const uint64_t size = transfer->size;
    const uint64_t copy[] = {queue, 0, to, from, size, count, waits, event};
    const uint64_t fill[] = {
        queue, to, transfer->value_size, SYCLZE__WORD(transfer->value), size, count, waits, event};
    const uint64_t hint[] = {queue, from, size, 0, count, waits, event};
    const bool fills = transfer->function == SYCLZE__UR_urEnqueueUSMFill;
    const bool copies = transfer->function == SYCLZE__UR_urEnqueueUSMMemcpy;
    const uint64_t images[] = {queue, from, to};
    if (fills || copies)
      syclze__trace_call_begin(
          &node->call, transfer->function, transfer->name, fills ? fill : copy, 8);
    else if (transfer->to == NULL)
      syclze__trace_call_begin(&node->call, transfer->function, transfer->name, hint, 7);
    else
      syclze__trace_call_begin(&node->call, transfer->function, transfer->name, images, 3);
  }
}

SYCLZE_COLD void syclze__trace_node_tell(struct syclze__xpti *xpti,
    const struct syclze__trace_node *node, enum syclze__trace_type type, const void *user)
    SYCLZE_LINK_NAME(syclze__trace_node_tell);

/* Somebody listens to the stream, or the node would have no event. */
SYCLZE_COLD void syclze__trace_node_tell(struct syclze__xpti *xpti,
    const struct syclze__trace_node *node, enum syclze__trace_type type, const void *user) {
  if (node->event != NULL)
    xpti->NotifySubscribers(xpti->streams[SYCLZE__STREAM_SYCL], (uint16_t)type, xpti->graph,
        node->event, node->instance, user);
}

SYCLZE_COLD struct syclze__trace_node *syclze__trace_node_make(struct syclze__xpti *xpti,
    const struct syclze__told_command *command, const struct syclze__trace_thread *thread)
    SYCLZE_LINK_NAME(syclze__trace_node_make);

/* The node with its metadata, with a reference; null without memory. */
SYCLZE_COLD struct syclze__trace_node *syclze__trace_node_make(struct syclze__xpti *xpti,
    const struct syclze__told_command *command, const struct syclze__trace_thread *thread) {
  struct syclze__trace_node *node = (struct syclze__trace_node *)calloc(1, sizeof *node);
  if (node == NULL) return NULL;
  node->references = 1;
  node->is_host = command->is_host;
  node->signal = command->signal;
  if (!syclze__trace_wanted(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_ANY)) return node;
  char name[256];
  name[0] = 0;
  size_t size = sizeof name;
  if (thread->kernel != NULL &&
      zeKernelGetName(thread->kernel->native, &size, name) != ZE_RESULT_SUCCESS)
    name[0] = 0;
  name[sizeof name - 1] = 0;
  const char *known_as = name[0] != 0 ? name : command->function;
  const uint64_t place = syclze__trace_place_of(xpti, known_as, command->device);
  node->instance = xpti->GetUniqueId();
  node->event = syclze__trace_place_find(xpti, place);
  node->of_place = node->event != NULL;
  if (node->of_place) return node;
  node->place = place;
  node->event = syclze__trace_event(xpti, known_as, true, SYCLZE__XPTI_GRAPH);
  if (node->event == NULL) {
    free(node);
    return NULL;
  }
  syclze__trace_device(xpti, node->event, command->device);
  if (thread->kernel != NULL) syclze__trace_kernel_data(xpti, node->event, name, thread->kernel);
  if (syclze__trace_level(xpti) >= SYCLZE__XPTI_NORMAL) {
    if (thread->transfer != NULL)
      syclze__trace_transfer_data(xpti, node->event, thread->transfer, command);
    syclze__trace_placed(xpti, node->event);
  } else if (thread->transfer != NULL)
    /* By a key of memory tools know what is none of a kernel. */
    syclze__trace_word(xpti, node->event, "memory_size", thread->transfer->size);
  return node;
}

SYCLZE_COLD struct syclze__trace_node *syclze__trace_node_bare(
    const struct syclze__told_command *command) SYCLZE_LINK_NAME(syclze__trace_node_bare);

/* The node where there is a listener, but no framework; null without memory. */
SYCLZE_COLD struct syclze__trace_node *syclze__trace_node_bare(
    const struct syclze__told_command *command) {
  struct syclze__trace_node *node = (struct syclze__trace_node *)calloc(1, sizeof *node);
  if (node == NULL) return NULL;
  node->references = 1;
  node->is_host = command->is_host;
  return node;
}

SYCLZE_COLD void syclze__trace_node_submit(struct syclze__xpti *xpti,
    struct syclze__trace_node *node, const struct syclze__told_command *command,
    const struct syclze__trace_thread *thread) SYCLZE_LINK_NAME(syclze__trace_node_submit);

SYCLZE_COLD void syclze__trace_node_submit(struct syclze__xpti *xpti,
    struct syclze__trace_node *node, const struct syclze__told_command *command,
    const struct syclze__trace_thread *thread) {
  const char *type = command->type != NULL      ? command->type
                     : thread->transfer != NULL ? "memory_transfer_node"
                                                : "command_group_node";
  const uint64_t queue = syclze__trace_queue_of(xpti, command->queue, false).value;
  if (queue != 0 && xpti->StashTuple != NULL) xpti->StashTuple("queue_id", queue);
  if (!node->of_place) {
    char text[SYCLZE__TRACE_TEXT];
    if (!xpti->current) type = syclze__trace_named(text, type, command->group);
    syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_NODE_CREATE, type);
    node->of_place = syclze__trace_place_keep(xpti, node->place, node->event);
  }
  if (node->event != NULL) syclze__trace_edges(xpti, node, command);
  if (command->is_host)
    syclze__trace_node_keep(xpti, node);
  else {
    syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_TASK_BEGIN, NULL);
    if (node->barrier != NULL)
      syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_BARRIER_BEGIN, node->barrier);
    syclze__trace_command_call(node, command, thread);
  }
}

SYCLZE_COLD struct syclze__trace_node *syclze__trace_submit(
    const struct syclze__told_command *command) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  const struct syclze__trace_listener *listener = syclze__trace_listener();
  const struct syclze__trace_thread *thread = syclze__trace_mine();
  struct syclze__trace_node *node = NULL;
  if (xpti != NULL)
    node = syclze__trace_node_make(xpti, command, thread);
  else if (listener != NULL)
    node = syclze__trace_node_bare(command);
  if (node != NULL && listener != NULL && command->type == NULL)
    listener->submit(command, thread->kernel, command->is_host ? &node->heard : NULL);
  if (node != NULL && xpti != NULL) syclze__trace_node_submit(xpti, node, command, thread);
  syclze__trace_forget();
  return node;
}

SYCLZE_COLD void syclze__trace_submitted(void) {
  const struct syclze__trace_listener *listener = syclze__trace_listener();
  if (listener != NULL) listener->submitted();
}

SYCLZE_COLD void syclze__trace_command_end(struct syclze__trace_node *node, ze_result_t result) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  syclze__trace_call_end(&node->call, result);
  if (node->barrier != NULL)
    syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_BARRIER_END, node->barrier);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_SIGNAL, node->signal);
    syclze__trace_node_keep(xpti, node);
  }
  syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_TASK_END, NULL);
  syclze__trace_node_drop(xpti, node);
}

SYCLZE_COLD void syclze__trace_host_begin(struct syclze__trace_node *node) {
  const struct syclze__trace_listener *listener = syclze__trace_listener();
  if (listener != NULL) listener->task_begin(&node->heard);
  syclze__trace_node_tell(SYCLZE__STATE.xpti, node, SYCLZE__TRACE_TASK_BEGIN, NULL);
}

SYCLZE_COLD void syclze__trace_host_end(struct syclze__trace_node *node, bool ran) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  const struct syclze__trace_listener *listener = syclze__trace_listener();
  if (ran && listener != NULL) listener->task_end(&node->heard);
  if (ran) {
    syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_SIGNAL, node->signal);
    syclze__trace_node_tell(xpti, node, SYCLZE__TRACE_TASK_END, NULL);
  }
  syclze__trace_node_drop(xpti, node);
}

SYCLZE_COLD struct syclze__trace_node *syclze__trace_storage(
    const struct syclze__told_storage *storage) {
  struct syclze__told_transfer memory;
  struct syclze__told_command command;
  memset(&memory, 0, sizeof memory);
  memset(&command, 0, sizeof command);
  memory.to = storage->native;
  memory.object = storage->object;
  if (!storage->is_image) {
    memory.object_bytes = storage->native;
    zeMemGetAddressRange(storage->context, storage->native, NULL, &memory.size);
  }
  command.function = storage->is_freed ? "memory_deallocation" : "memory_allocation";
  command.type = storage->is_freed ? "memory_deallocation_node" : "memory_allocation_node";
  command.group = storage->object;
  command.queue = storage->queue;
  command.context = storage->context;
  command.device = storage->device;
  command.is_host = true;
  const struct syclze__trace_place *place = SYCLZE__TRACE_PLACE;
  syclze__trace_transfer(&memory);
  struct syclze__trace_node *node = syclze__trace_submit(&command);
  if (node != NULL) syclze__trace_host_begin(node);
  SYCLZE__TRACE_PLACE = place; /* of what it is taken for, too */
  return node;
}

SYCLZE_EXTERN_C_END

#endif

#endif
