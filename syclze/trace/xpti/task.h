/* What is told of a command from its submission to its end. */
#ifndef SYCLZE_TRACE_TASK_H
#define SYCLZE_TRACE_TASK_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "edge.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze__trace_notified(struct syclze__trace_thread *thread) {
  thread->reason_count = 0;
  SYCLZE__TRACE_NEXT.place = NULL;
  SYCLZE__TRACE_NEXT.kernel = NULL;
  SYCLZE__TRACE_NEXT.transfer = NULL;
}

SYCLZE_LOCAL void syclze__trace_discard(void) {
  syclze__trace_notified(syclze__trace_mine());
}

SYCLZE_COLD void syclze__trace_launch_values(struct syclze__trace_node *node,
    const struct syclze__trace_command_info *command,
    const struct syclze__trace_kernel_info *kernel) SYCLZE_LINK_NAME(syclze__trace_launch_values);

SYCLZE_COLD void syclze__trace_launch_values(struct syclze__trace_node *node,
    const struct syclze__trace_command_info *command,
    const struct syclze__trace_kernel_info *kernel) {
  const uint32_t used = kernel->sizes[1] == 0 ? 1 : kernel->sizes[2] == 0 ? 2 : 3;
  const uint64_t values[] = {SYCLZE__WORD(command->queue), SYCLZE__WORD(kernel->object),
      kernel->dimensions != 0 ? kernel->dimensions : used, SYCLZE__WORD(&kernel->sizes[6]),
      SYCLZE__WORD(kernel->sizes), SYCLZE__WORD(&kernel->sizes[3]), command->wait_count,
      SYCLZE__WORD(command->waits), node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0};
  syclze__ur_call_fill(&node->call, values, 9);
}

SYCLZE_COLD void syclze__trace_action_call(struct syclze__trace_node *node,
    const struct syclze__trace_command_info *command,
    const struct syclze__trace_transfer_info *transfer) SYCLZE_LINK_NAME(syclze__trace_action_call);

/* Of all that is no kernel. */
SYCLZE_COLD void syclze__trace_action_call(struct syclze__trace_node *node,
    const struct syclze__trace_command_info *command,
    const struct syclze__trace_transfer_info *transfer) {
  const uint64_t queue = SYCLZE__WORD(command->queue), count = command->wait_count;
  const uint64_t waits = SYCLZE__WORD(command->waits);
  const uint64_t event = node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0;
  if (transfer == NULL && command->is_barrier) {
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

/* The call of the runtime interface that this would be. */
SYCLZE_INLINE void syclze__trace_command_call(struct syclze__xpti *xpti,
    struct syclze__trace_node *node, const struct syclze__trace_command_info *command,
    const struct syclze__trace_next *next) {
  if (next->kernel == NULL)
    syclze__trace_action_call(node, command, next->transfer);
  else {
    if (SYCLZE__UNLIKELY(
            syclze__ur_call_open(xpti, &node->call, SYCLZE__UR(urEnqueueKernelLaunch))))
      syclze__trace_launch_values(node, command, next->kernel);
    syclze__ur_call_begin(xpti, &node->call);
  }
}

/* Tells of a command until it is submitted. */
SYCLZE_INLINE void syclze__trace_node_submit(struct syclze__xpti *xpti,
    struct syclze__trace_node *node, const struct syclze__trace_command_info *command,
    struct syclze__trace_thread *thread, const struct syclze__trace_next *next) {
  if (syclze__trace_wanted(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_ANY)) {
    const uint64_t place =
        syclze__trace_place_of(xpti, syclze__trace_doing(command, next->kernel), command->device);
    node->instance = xpti->GetUniqueId();
    syclze__trace_stash(xpti, thread, command->queue);
    node->event = syclze__trace_place_again(xpti, thread, place);
    node->of_place = node->event != NULL;
    if (!node->of_place) syclze__trace_node_first(xpti, node, place, command, next);
    if (command->wait_count != 0 && node->event != NULL) syclze__trace_edges(xpti, node, command);
  }
  if (command->is_host) {
    syclze__trace_node_keep(xpti, node);
    return;
  }
  syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_TASK_BEGIN, NULL);
  if (node->barrier != NULL)
    syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_BARRIER_BEGIN, node->barrier);
  syclze__trace_command_call(xpti, node, command, next);
}

SYCLZE_LOCAL_WARM struct syclze__trace_node *syclze__trace_submit(
    const struct syclze__trace_command_info *command) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  const struct syclze__trace_listener *listener = syclze__listener();
  struct syclze__trace_thread *thread = syclze__trace_mine();
  const struct syclze__trace_next *next = &SYCLZE__TRACE_NEXT;
  struct syclze__trace_node *node =
      xpti != NULL || listener != NULL ? syclze__trace_node_new(command) : NULL;
  if (node != NULL && listener != NULL && command->type == NULL)
    listener->submit(command, next->kernel, next->transfer, command->is_host ? &node->heard : NULL);
  if (node != NULL && xpti != NULL) syclze__trace_node_submit(xpti, node, command, thread, next);
  syclze__trace_notified(thread);
  return node;
}

SYCLZE_LOCAL void syclze__trace_submitted(void) {
  const struct syclze__trace_listener *listener = syclze__listener();
  if (listener != NULL) listener->submitted();
}

SYCLZE_LOCAL_WARM void syclze__trace_command_end(
    struct syclze__trace_node *node, ze_result_t result, bool over) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  if ((node->call.instances[0] | node->call.instances[1]) != 0)
    syclze__ur_call_end(xpti, &node->call, result);
  if (node->barrier != NULL)
    syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_BARRIER_END, node->barrier);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_SIGNAL, node->signal);
    if (node->signal != NULL) syclze__trace_node_keep(xpti, node);
  }
  syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_TASK_END, NULL);
  syclze__trace_node_release(xpti, node);
  if (over && syclze__listener() != NULL) syclze__trace_submitted();
}

SYCLZE_LOCAL void syclze__trace_host_begin(struct syclze__trace_node *node) {
  const struct syclze__trace_listener *listener = syclze__listener();
  if (listener != NULL) listener->task_begin(&node->heard);
  syclze__trace_node_notify(SYCLZE__STATE.xpti, node, SYCLZE__TRACE_TASK_BEGIN, NULL);
}

SYCLZE_COLD void syclze__trace_host_end(struct syclze__trace_node *node, bool ran) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  const struct syclze__trace_listener *listener = syclze__listener();
  if (ran && listener != NULL) listener->task_end(&node->heard);
  if (ran) {
    syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_SIGNAL, node->signal);
    syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_TASK_END, NULL);
  }
  syclze__trace_node_release(xpti, node);
}

SYCLZE_LOCAL struct syclze__trace_node *syclze__trace_storage(
    const struct syclze__trace_storage_info *storage) {
  if (syclze__xpti_now() == NULL) return NULL;
  struct syclze__trace_transfer_info memory;
  struct syclze__trace_command_info command;
  memset(&memory, 0, sizeof memory);
  memset(&command, 0, sizeof command);
  memory.to = storage->native;
  memory.object = storage->object;
  if (!storage->is_image) {
    memory.object_bytes = storage->native;
    SYCLZE__ZE(zeMemGetAddressRange)(storage->context, storage->native, NULL, &memory.size);
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
