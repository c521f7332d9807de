/* A command from its submission to its end: its task, and the corresponding call of the runtime
 * interface. */
#ifndef SYCLZE_TRACE_COMMANDS_H
#define SYCLZE_TRACE_COMMANDS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "../../command.h"
#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__xpti_command_discard(void) {
  struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  if (thread != NULL) thread->reason_count = 0;
}

/* Creates the parameters of the node's call, and sets the first and last ones. Null without memory:
 * the call is not reported then. `events` is the index of the size of the wait list. */
SYCLZE_LOCAL struct syclze__ur_enqueue *syclze__xpti_enqueue_new(struct syclze__xpti_node *node,
    const struct syclze__trace_command_info *command, uint32_t events) {
  struct syclze__ur_enqueue *parameters =
      (struct syclze__ur_enqueue *)calloc(1, sizeof *parameters);
  node->parameters = parameters;
  if (parameters == NULL) {
    syclze__ur_call_cancel(&node->call);
    return NULL;
  }
  syclze__ur_call_fill(&node->call, parameters->values, events + 3);
  parameters->values[0] = SYCLZE__WORD(command->queue);
  parameters->values[events] = command->wait_count;
  parameters->values[events + 1] = command->wait_count != 0 ? SYCLZE__WORD(command->waits) : 0;
  parameters->values[events + 2] = node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0;
  return parameters;
}

/* Opens the node's call; null if no parameters are needed. */
SYCLZE_LOCAL struct syclze__ur_enqueue *syclze__xpti_enqueue_open(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command,
    enum syclze__ur_function function, const char *name, uint32_t events) {
  return syclze__ur_call_open(xpti, &node->call, function, name)
             ? syclze__xpti_enqueue_new(node, command, events)
             : NULL;
}

SYCLZE_LOCAL void syclze__xpti_launch_arguments(const struct syclze__trace_command_info *command,
    struct syclze__ur_kernel_argument *arguments, uint32_t count) {
  static const uint32_t flags[] = {1 << 2, 1 << 1, 1 << 0}; /* ur_mem_flags_t of modes */
  for (uint32_t i = 0; i < count; i++) {
    const syclze_argument *info = &command->kernel->arguments[i];
    const int32_t kind = syclze__xpti_argument_kind(command->context, info);
    arguments[i].type = SYCLZE__UR_KERNEL_ARGUMENT;
    arguments[i].index = i;
    arguments[i].size = info->size;
    arguments[i].value = syclze__argument_bytes(info);
    if (kind == SYCLZE__XPTI_ARGUMENT_POINTER) {
      arguments[i].kind = SYCLZE__UR_ARGUMENT_POINTER;
      memcpy(&arguments[i].value, info->of.bytes, sizeof arguments[i].value);
    } else if (kind == SYCLZE__XPTI_ARGUMENT_VALUE)
      arguments[i].kind = SYCLZE__UR_ARGUMENT_VALUE;
    else if (info->kind == SYCLZE__ARGUMENT_LOCAL)
      arguments[i].kind = SYCLZE__UR_ARGUMENT_LOCAL;
    else {
      arguments[i].kind = SYCLZE__UR_ARGUMENT_MEMORY;
      arguments[i].value = info->of.access.memory;
      arguments[i].size = sizeof info->of.access.memory;
      arguments[i].memory_flags = flags[info->mode % 3];
    }
  }
}

/* Sets parameters 1 to 7: the kernel, its range and its arguments. */
SYCLZE_LOCAL void syclze__xpti_launch_values(
    struct syclze__ur_enqueue *enqueue, const struct syclze__trace_command_info *command) {
  const struct syclze__trace_kernel_info *kernel = command->kernel;
  const syclze_nd_range *range = kernel->range;
  const uint32_t count = syclze__xpti_argument_count(kernel);
  memcpy(&enqueue->sizes[0], range->offset, sizeof range->offset);
  memcpy(&enqueue->sizes[3], range->global, sizeof range->global);
  memcpy(&enqueue->sizes[6], range->local, sizeof range->local);
  enqueue->values[1] = SYCLZE__WORD(kernel->object);
  enqueue->values[2] = syclze__nd_range_dimensions(range);
  enqueue->values[3] = syclze__nd_range_has_offset(range) ? SYCLZE__WORD(&enqueue->sizes[0]) : 0;
  enqueue->values[4] = SYCLZE__WORD(&enqueue->sizes[3]);
  enqueue->values[5] = range->local[0] != 0 ? SYCLZE__WORD(&enqueue->sizes[6]) : 0;
  enqueue->values[6] = count;
  enqueue->values[7] = count != 0 ? SYCLZE__WORD(enqueue->arguments) : 0;
  syclze__xpti_launch_arguments(command, enqueue->arguments, count);
}

SYCLZE_LOCAL void syclze__xpti_launch_parameters(
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  struct syclze__ur_enqueue *enqueue = syclze__xpti_enqueue_new(node, command, 9);
  if (enqueue != NULL) syclze__xpti_launch_values(enqueue, command);
}

SYCLZE_LOCAL void syclze__xpti_graph_call(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    const struct syclze__trace_command_info *command) {
  struct syclze__ur_enqueue *enqueue =
      syclze__xpti_enqueue_open(xpti, node, command, SYCLZE__UR(urEnqueueCommandBufferExp), 2);
  if (enqueue != NULL) enqueue->values[1] = SYCLZE__WORD(command->graph);
}

/* Opens the call of a transfer of plain memory. */
SYCLZE_LOCAL void syclze__xpti_memory_call(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  enum { NOTHING, TO, FROM, SIZE, VALUE, VALUE_SIZE, TO_PITCH, FROM_PITCH, WIDTH, HEIGHT };
  enum { TO_DEVICE = HEIGHT + 1, ADVICE, SOURCES };
  /* For each kind of transfer: the function, the index of the size of its wait list, and the
   * sources of the parameters between the queue and that size. */
  static const struct {
    enum syclze__ur_function function;
    const char *name;
    uint8_t events, sources[7];
  } rows[] = {{SYCLZE__UR(urEnqueueUSMMemcpy), 5, {NOTHING, TO, FROM, SIZE}},
      {SYCLZE__UR(urEnqueueUSMFill), 5, {TO, VALUE_SIZE, VALUE, SIZE}},
      {SYCLZE__UR(urEnqueueUSMMemcpy2D), 8,
          {NOTHING, TO, TO_PITCH, FROM, FROM_PITCH, WIDTH, HEIGHT}},
      {SYCLZE__UR(urEnqueueUSMFill2D), 7, {TO, TO_PITCH, VALUE_SIZE, VALUE, WIDTH, HEIGHT}},
      {SYCLZE__UR(urEnqueueUSMPrefetch), 4, {FROM, SIZE, TO_DEVICE}},
      {SYCLZE__UR(urEnqueueUSMAdvise), 5, {FROM, SIZE, ADVICE}}};
  const struct syclze__trace_transfer_info *transfer = command->transfer;
  /* ur_usm_advice_flags_t has the advices in the same order; 0 for newer ones. */
  const uint64_t advice =
      transfer->advice <= ZE_MEMORY_ADVICE_BIAS_UNCACHED ? (uint64_t)2 << transfer->advice : 0;
  const uint64_t values[SOURCES] = {0, SYCLZE__WORD(transfer->to.native),
      SYCLZE__WORD(transfer->from.native), transfer->size, SYCLZE__WORD(transfer->value),
      transfer->value_size, transfer->to_pitch, transfer->from_pitch, transfer->extent[0],
      transfer->extent[1], 1, advice};
  const uint32_t kind = (uint32_t)transfer->kind, events = rows[kind].events;
  struct syclze__ur_enqueue *enqueue =
      syclze__xpti_enqueue_open(xpti, node, command, rows[kind].function, rows[kind].name, events);
  if (enqueue == NULL) return;
  for (uint32_t i = 1; i < events; i++)
    enqueue->values[i] = values[rows[kind].sources[i - 1]];
  if (transfer->kind != SYCLZE__TRACE_ADVISE) return;
  /* The call has no wait list. */
  enqueue->values[4] = enqueue->values[7];
  syclze__ur_call_fill(&node->call, enqueue->values, 5);
}

/* Opens the call of an image's transfer. Images are objects of the library; the rows of memory have
 * no gaps. */
SYCLZE_LOCAL void syclze__xpti_image_call(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    const struct syclze__trace_command_info *command) {
  const struct syclze__trace_transfer_info *transfer = command->transfer;
  const uint64_t from = SYCLZE__WORD(transfer->from.object);
  const uint64_t to = SYCLZE__WORD(transfer->to.object);
  struct syclze__ur_enqueue *enqueue;
  uint32_t region = 4;
  if (transfer->kind == SYCLZE__TRACE_IMAGE_COPY) {
    enqueue = syclze__xpti_enqueue_open(xpti, node, command, SYCLZE__UR(urEnqueueMemImageCopy), 6);
    if (enqueue == NULL) return;
    enqueue->values[1] = from;
    enqueue->values[2] = to;
    node->call.arguments[4] = enqueue->sizes;
    region = 5;
  } else {
    const bool reads = transfer->kind == SYCLZE__TRACE_IMAGE_READ;
    enqueue =
        reads
            ? syclze__xpti_enqueue_open(xpti, node, command, SYCLZE__UR(urEnqueueMemImageRead), 8)
            : syclze__xpti_enqueue_open(xpti, node, command, SYCLZE__UR(urEnqueueMemImageWrite), 8);
    if (enqueue == NULL) return;
    enqueue->values[1] = reads ? from : to;
    enqueue->values[7] = SYCLZE__WORD(reads ? transfer->to.native : transfer->from.native);
  }
  memcpy(&enqueue->sizes[0], transfer->origin, sizeof transfer->origin);
  memcpy(&enqueue->sizes[3], transfer->extent, sizeof transfer->extent);
  node->call.arguments[3] = &enqueue->sizes[0];
  node->call.arguments[region] = &enqueue->sizes[3];
}

SYCLZE_COLD void syclze__xpti_command_call(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command)
    SYCLZE_LINK_NAME(syclze__xpti_command_call);

/* Begins the command's corresponding call of the runtime interface. */
SYCLZE_COLD void syclze__xpti_command_call(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  node->parameters = NULL;
  if (command->kernel != NULL) {
    if (syclze__ur_call_open(xpti, &node->call, SYCLZE__UR(urEnqueueKernelLaunchWithArgsExp)))
      syclze__xpti_launch_parameters(node, command);
  } else if (command->transfer != NULL && command->transfer->kind < SYCLZE__TRACE_IMAGE_READ)
    syclze__xpti_memory_call(xpti, node, command);
  else if (command->transfer != NULL)
    syclze__xpti_image_call(xpti, node, command);
  else if (command->graph != NULL)
    syclze__xpti_graph_call(xpti, node, command);
  else if (command->is_tag)
    syclze__xpti_enqueue_open(xpti, node, command, SYCLZE__UR(urEnqueueTimestampRecordingExp), 2);
  else if (command->is_barrier)
    syclze__xpti_enqueue_open(
        xpti, node, command, SYCLZE__UR(urEnqueueEventsWaitWithBarrierExt), 2);
  else
    syclze__xpti_enqueue_open(xpti, node, command, SYCLZE__UR(urEnqueueNativeCommandExp), 6);
  syclze__ur_call_begin(xpti, &node->call);
}

/* Reports a launch's call to subscribers that want only the name. */
SYCLZE_INLINE void syclze__xpti_launch_notify(const struct syclze__xpti *xpti,
    const struct syclze__xpti_node *node, enum syclze__xpti_type type) {
  syclze__xpti_notify_now(xpti, SYCLZE__STREAM_UR_CALL, (uint32_t)type,
      xpti->layers[SYCLZE__STREAM_UR_CALL], NULL, node->call.instances[0],
      "urEnqueueKernelLaunchWithArgsExp");
}

SYCLZE_INLINE void syclze__xpti_launch_call(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  if (SYCLZE__UNLIKELY(
          command->kernel == NULL || syclze__xpti_is_current(xpti) ||
          syclze__xpti_subscribed(xpti, SYCLZE__STREAM_UR_CALL_DEBUG, SYCLZE__XPTI_ANY))) {
    syclze__xpti_command_call(xpti, node, command);
    return;
  }
  if (!syclze__xpti_subscribed_pair(xpti, SYCLZE__STREAM_UR_CALL, SYCLZE__XPTI_FUNCTION_BEGIN))
    return;
  node->call.instances[0] = xpti->GetUniqueId();
  syclze__xpti_launch_notify(xpti, node, SYCLZE__XPTI_FUNCTION_BEGIN);
}

/* Sets the node's event: of the call site, or of a new node. */
SYCLZE_LOCAL void syclze__xpti_node_event(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    uint64_t action, const struct syclze__trace_command_info *command,
    struct syclze__xpti_thread *thread) {
  const uint64_t site = syclze__xpti_site_key(xpti, action, command->device);
  /* In the form of today's runtimes a wait's barrier is not a command of its own. */
  if (thread->waits && command->is_barrier) {
    node->of_site = false;
    return;
  }
  node->event = syclze__xpti_last_event_set(
      thread, action, command->device, syclze__xpti_site_event(xpti, site));
  node->of_site = node->event != NULL;
  if (!node->of_site) syclze__xpti_node_create(xpti, node, site, command);
}

/* Enters the node on the stream sycl. */
SYCLZE_INLINE void syclze__xpti_node_enter(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command,
    struct syclze__xpti_thread *thread) {
  const uint64_t action = syclze__xpti_action_key(command, command->kernel);
  node->instance = xpti->GetUniqueId();
  syclze__xpti_queue_stash(xpti, thread, command->queue);
  node->event = syclze__xpti_last_event(thread, action, command->device);
  if (SYCLZE__UNLIKELY(node->event == NULL)) {
    syclze__xpti_node_event(xpti, node, action, command, thread);
    if (node->event == NULL) return;
  }
  if (SYCLZE__UNLIKELY(command->wait_count != 0)) syclze__xpti_dependencies(xpti, node, command);
  if (SYCLZE__UNLIKELY(command->is_host)) {
    /* Reported by commands that wait for this one. */
    if (command->signal != NULL && command->type != NULL)
      node->barrier = "enqueue.barrier[Buffer locked by host accessor]";
    return;
  }
  syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_TASK_BEGIN, NULL);
  if (SYCLZE__UNLIKELY(node->barrier != NULL))
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_BARRIER_BEGIN, node->barrier);
}

SYCLZE_LOCAL_WARM struct syclze__trace_node *syclze__xpti_command_begin(
    const struct syclze__trace_command_info *command) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return NULL;
  struct syclze__xpti_thread *thread = syclze__trace_thread_own()->xpti; /* there by now */
  struct syclze__xpti_node *node = syclze__xpti_node_new(xpti, command);
  if (node != NULL) {
    if (SYCLZE__LIKELY(syclze__xpti_subscribed(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_ANY)))
      syclze__xpti_node_enter(xpti, node, command, thread);
    else
      node->event = NULL;
    if (SYCLZE__UNLIKELY(command->is_host))
      syclze__xpti_node_publish(xpti, node);
    else
      syclze__xpti_launch_call(xpti, node, command);
  }
  thread->reason_count = 0;
  return node != NULL ? &node->base : NULL;
}

SYCLZE_COLD void syclze__xpti_command_call_end(
    struct syclze__xpti *xpti, struct syclze__xpti_node *node, ze_result_t result)
    SYCLZE_LINK_NAME(syclze__xpti_command_call_end);

SYCLZE_COLD void syclze__xpti_command_call_end(
    struct syclze__xpti *xpti, struct syclze__xpti_node *node, ze_result_t result) {
  if ((node->call.instances[0] | node->call.instances[1]) != 0)
    syclze__ur_call_end(xpti, &node->call, result);
  free(node->parameters);
}

SYCLZE_LOCAL_WARM void syclze__xpti_command_end(
    struct syclze__trace_node *base, ze_result_t result, bool over) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  struct syclze__xpti_node *node = syclze__xpti_node_of(base);
  (void)over;
  if (SYCLZE__UNLIKELY(node->call.name != NULL))
    syclze__xpti_command_call_end(xpti, node, result);
  else if (node->call.instances[0] != 0)
    syclze__xpti_launch_notify(xpti, node, SYCLZE__XPTI_FUNCTION_END);
  if (SYCLZE__LIKELY(node->event != NULL)) {
    if (SYCLZE__UNLIKELY(node->barrier != NULL))
      syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_BARRIER_END, node->barrier);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) {
      syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_SIGNAL, node->signal);
      if (node->signal != NULL) syclze__xpti_node_publish(xpti, node);
    }
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_TASK_END, NULL);
  }
  syclze__xpti_node_release(xpti, node);
}

SYCLZE_LOCAL void syclze__xpti_host_task_begin(struct syclze__trace_node *base) {
  const struct syclze__xpti_node *node = syclze__xpti_node_of(base);
  if (node->event != NULL)
    syclze__xpti_node_notify(SYCLZE__STATE.xpti, node, SYCLZE__XPTI_TASK_BEGIN, NULL);
}

SYCLZE_LOCAL void syclze__xpti_host_task_end(struct syclze__trace_node *base, bool ran) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  struct syclze__xpti_node *node = syclze__xpti_node_of(base);
  if (ran && node->event != NULL) {
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_SIGNAL, node->signal);
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_TASK_END, NULL);
  }
  syclze__xpti_node_release(xpti, node);
}

SYCLZE_LOCAL struct syclze__trace_node *syclze__xpti_storage_begin(
    const struct syclze__trace_storage_info *storage) {
  if (syclze__xpti_now() == NULL) return NULL;
  SYCLZE__ZEROED(struct syclze__trace_transfer_info, memory);
  SYCLZE__ZEROED(struct syclze__trace_command_info, command);
  memory.kind = SYCLZE__TRACE_STORAGE;
  memory.to.native = storage->native;
  memory.to.object = storage->object;
  if (storage->type != NULL) {
    command.waits = storage->waits;
    command.wait_count = storage->wait_count;
    command.signal = storage->signal;
  } else if (!storage->is_image) {
    memory.to.base = storage->native;
    SYCLZE__ZE(zeMemGetAddressRange)(storage->context, storage->native, NULL, &memory.size);
  }
  command.function = storage->type != NULL ? storage->function
                     : storage->is_freed   ? "memory_deallocation"
                                           : "memory_allocation";
  command.type = storage->type != NULL ? storage->type
                 : storage->is_freed   ? "memory_deallocation_node"
                                       : "memory_allocation_node";
  command.group = storage->object;
  command.queue = storage->queue;
  command.context = storage->context;
  command.device = storage->device;
  command.is_host = true;
  if (storage->type == NULL) command.transfer = &memory;
  struct syclze__trace_node *node = syclze__xpti_command_begin(&command);
  /* A host accessor begins its task later. */
  if (node != NULL && storage->signal == NULL) syclze__xpti_host_task_begin(node);
  return node;
}

SYCLZE_EXTERN_C_END

#endif

#endif
