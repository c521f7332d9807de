/* A command from its submission to its end: its task, and the call of the runtime interface that
 * it would be. */
#ifndef SYCLZE_TRACE_TASK_H
#define SYCLZE_TRACE_TASK_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "edge.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__trace_discard(void) {
  struct syclze__trace_thread *thread = syclze__trace_mine();
  if (thread != NULL) thread->reason_count = 0;
}

SYCLZE_LOCAL void syclze__trace_launch_values(
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  const struct syclze__trace_kernel_info *kernel = command->kernel;
  const uint32_t used = kernel->sizes[1] == 0 ? 1 : kernel->sizes[2] == 0 ? 2 : 3;
  const uint64_t values[] = {SYCLZE__WORD(command->queue), SYCLZE__WORD(kernel->object),
      kernel->dimensions != 0 ? kernel->dimensions : used, SYCLZE__WORD(&kernel->sizes[6]),
      SYCLZE__WORD(kernel->sizes), SYCLZE__WORD(&kernel->sizes[3]), command->wait_count,
      SYCLZE__WORD(command->waits), node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0};
  syclze__ur_call_fill(&node->call, values, 9);
}

SYCLZE_LOCAL void syclze__trace_transfer_call(
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  const struct syclze__trace_transfer_info *transfer = command->transfer;
  const uint64_t queue = SYCLZE__WORD(command->queue), count = command->wait_count;
  const uint64_t waits = SYCLZE__WORD(command->waits);
  const uint64_t event = node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0;
  const uint64_t to = SYCLZE__WORD(transfer->to.native);
  const uint64_t from = SYCLZE__WORD(transfer->from.native), size = transfer->size;
  const uint64_t copy[] = {queue, 0, to, from, size, count, waits, event};
  const uint64_t fill[] = {
      queue, to, transfer->value_size, SYCLZE__WORD(transfer->value), size, count, waits, event};
  const uint64_t hint[] = {queue, from, size, 0, count, waits, event};
  const uint64_t images[] = {queue, from, to};
  switch (transfer->kind) {
  case SYCLZE__TRACE_COPY:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueUSMMemcpy), copy, 8);
    break;
  case SYCLZE__TRACE_FILL:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueUSMFill), fill, 8);
    break;
  case SYCLZE__TRACE_PREFETCH:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueUSMPrefetch), hint, 7);
    break;
  case SYCLZE__TRACE_ADVISE:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueUSMAdvise), hint, 7);
    break;
  case SYCLZE__TRACE_IMAGE_READ:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueMemImageRead), images, 3);
    break;
  case SYCLZE__TRACE_IMAGE_WRITE:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueMemImageWrite), images, 3);
    break;
  case SYCLZE__TRACE_IMAGE_COPY:
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueMemImageCopy), images, 3);
    break;
  case SYCLZE__TRACE_STORAGE:
    break;
  }
}

/* Of a barrier, and of a native command. */
SYCLZE_LOCAL void syclze__trace_other_call(
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  const uint64_t queue = SYCLZE__WORD(command->queue), count = command->wait_count;
  const uint64_t waits = SYCLZE__WORD(command->waits);
  const uint64_t event = node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0;
  const uint64_t barrier[] = {queue, count, waits, event};
  const uint64_t native[] = {queue, 0, 0, 0, 0, 0, count, waits, event};
  if (command->is_barrier)
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueEventsWaitWithBarrier), barrier, 4);
  else
    syclze__trace_call_begin(&node->call, SYCLZE__UR(urEnqueueNativeCommandExp), native, 9);
}

/* The call of the runtime interface that this would be. */
SYCLZE_INLINE void syclze__trace_command_call(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  if (command->kernel != NULL) {
    if (SYCLZE__UNLIKELY(
            syclze__ur_call_open(xpti, &node->call, SYCLZE__UR(urEnqueueKernelLaunch))))
      syclze__trace_launch_values(node, command);
    syclze__ur_call_begin(xpti, &node->call);
  } else if (command->transfer != NULL)
    syclze__trace_transfer_call(node, command);
  else
    syclze__trace_other_call(node, command);
}

/* Reports a command until it is submitted. */
SYCLZE_INLINE void syclze__trace_node_submit(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command,
    struct syclze__trace_thread *thread) {
  if (syclze__trace_wanted(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_ANY)) {
    const uint64_t place = syclze__trace_place_of(
        xpti, syclze__trace_doing(command, command->kernel), command->device);
    node->instance = xpti->GetUniqueId();
    syclze__trace_stash(xpti, thread, command->queue);
    node->event = syclze__trace_place_again(xpti, thread, place);
    node->of_place = node->event != NULL;
    if (!node->of_place) syclze__trace_node_first(xpti, node, place, command);
    if (command->wait_count != 0 && node->event != NULL) syclze__trace_edges(xpti, node, command);
  }
  if (command->is_host) {
    syclze__trace_node_keep(xpti, node);
    return;
  }
  syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_TASK_BEGIN, NULL);
  if (node->barrier != NULL)
    syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_BARRIER_BEGIN, node->barrier);
  syclze__trace_command_call(xpti, node, command);
}

SYCLZE_LOCAL_WARM struct syclze__trace_node *syclze__trace_submit(
    const struct syclze__trace_command_info *command) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return NULL;
  struct syclze__trace_thread *thread = syclze__trace_mine();
  struct syclze__xpti_node *node = syclze__trace_node_new(command);
  if (node != NULL) syclze__trace_node_submit(xpti, node, command, thread);
  thread->reason_count = 0;
  return node != NULL ? &node->base : NULL;
}

SYCLZE_LOCAL_WARM void syclze__trace_command_end(
    struct syclze__trace_node *base, ze_result_t result, bool over) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  struct syclze__xpti_node *node = syclze__xpti_node_of(base);
  (void)over;
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
}

SYCLZE_LOCAL void syclze__trace_host_begin(struct syclze__trace_node *base) {
  syclze__trace_node_notify(
      SYCLZE__STATE.xpti, syclze__xpti_node_of(base), SYCLZE__TRACE_TASK_BEGIN, NULL);
}

SYCLZE_LOCAL void syclze__trace_host_end(struct syclze__trace_node *base, bool ran) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  struct syclze__xpti_node *node = syclze__xpti_node_of(base);
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
  memory.kind = SYCLZE__TRACE_STORAGE;
  memory.to.native = storage->native;
  memory.to.object = storage->object;
  if (!storage->is_image) {
    memory.to.base = storage->native;
    SYCLZE__ZE(zeMemGetAddressRange)(storage->context, storage->native, NULL, &memory.size);
  }
  command.function = storage->is_freed ? "memory_deallocation" : "memory_allocation";
  command.type = storage->is_freed ? "memory_deallocation_node" : "memory_allocation_node";
  command.group = storage->object;
  command.queue = storage->queue;
  command.context = storage->context;
  command.device = storage->device;
  command.is_host = true;
  command.transfer = &memory;
  struct syclze__trace_node *node = syclze__trace_submit(&command);
  if (node != NULL) syclze__trace_host_begin(node);
  return node;
}

SYCLZE_EXTERN_C_END

#endif

#endif
