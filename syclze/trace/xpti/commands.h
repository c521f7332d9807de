/* A command from its submission to its end: its task, and the call of the runtime interface that
 * it would be. */
#ifndef SYCLZE_TRACE_TASK_H
#define SYCLZE_TRACE_TASK_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__xpti_command_discard(void) {
  struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  if (thread != NULL) thread->reason_count = 0;
}

SYCLZE_LOCAL void syclze__xpti_launch_values(
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  const struct syclze__trace_kernel_info *kernel = command->kernel;
  const uint32_t used = kernel->sizes[1] == 0 ? 1 : kernel->sizes[2] == 0 ? 2 : 3;
  const uint64_t values[] = {SYCLZE__WORD(command->queue), SYCLZE__WORD(kernel->object),
      kernel->dimensions != 0 ? kernel->dimensions : used, SYCLZE__WORD(&kernel->sizes[6]),
      SYCLZE__WORD(kernel->sizes), SYCLZE__WORD(&kernel->sizes[3]), command->wait_count,
      SYCLZE__WORD(command->waits), node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0};
  syclze__ur_call_fill(&node->call, values, 9);
}

SYCLZE_LOCAL void syclze__xpti_transfer_call(
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
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueUSMMemcpy), copy, 8);
    break;
  case SYCLZE__TRACE_FILL:
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueUSMFill), fill, 8);
    break;
  case SYCLZE__TRACE_PREFETCH:
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueUSMPrefetch), hint, 7);
    break;
  case SYCLZE__TRACE_ADVISE:
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueUSMAdvise), hint, 7);
    break;
  case SYCLZE__TRACE_IMAGE_READ:
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueMemImageRead), images, 3);
    break;
  case SYCLZE__TRACE_IMAGE_WRITE:
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueMemImageWrite), images, 3);
    break;
  case SYCLZE__TRACE_IMAGE_COPY:
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueMemImageCopy), images, 3);
    break;
  case SYCLZE__TRACE_STORAGE:
    break;
  }
}

/* Of a barrier, and of a native command. */
SYCLZE_LOCAL void syclze__xpti_other_call(
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  const uint64_t queue = SYCLZE__WORD(command->queue), count = command->wait_count;
  const uint64_t waits = SYCLZE__WORD(command->waits);
  const uint64_t event = node->signal != NULL ? SYCLZE__WORD(&node->signal) : 0;
  const uint64_t barrier[] = {queue, count, waits, event};
  const uint64_t native[] = {queue, 0, 0, 0, 0, 0, count, waits, event};
  if (command->is_barrier)
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueEventsWaitWithBarrier), barrier, 4);
  else
    syclze__ur_call_start(&node->call, SYCLZE__UR(urEnqueueNativeCommandExp), native, 9);
}

/* The call of the runtime interface that this would be. */
SYCLZE_INLINE void syclze__xpti_command_call(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  if (command->kernel != NULL) {
    if (SYCLZE__UNLIKELY(
            syclze__ur_call_open(xpti, &node->call, SYCLZE__UR(urEnqueueKernelLaunch))))
      syclze__xpti_launch_values(node, command);
    syclze__ur_call_begin(xpti, &node->call);
  } else if (command->transfer != NULL)
    syclze__xpti_transfer_call(node, command);
  else
    syclze__xpti_other_call(node, command);
}

/* Reports a command until it is submitted. */
SYCLZE_INLINE void syclze__xpti_node_begin(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command,
    struct syclze__xpti_thread *thread) {
  if (syclze__xpti_subscribed(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_ANY)) {
    const uint64_t site = syclze__xpti_site_key(
        xpti, syclze__xpti_action_key(command, command->kernel), command->device);
    node->instance = xpti->GetUniqueId();
    syclze__xpti_queue_stash(xpti, thread, command->queue);
    node->event = syclze__xpti_site_event_cached(xpti, thread, site);
    node->of_site = node->event != NULL;
    if (!node->of_site) syclze__xpti_node_create(xpti, node, site, command);
    if (command->wait_count != 0 && node->event != NULL)
      syclze__xpti_dependencies(xpti, node, command);
  }
  if (command->is_host) {
    syclze__xpti_node_publish(xpti, node);
    return;
  }
  syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_TASK_BEGIN, NULL);
  if (node->barrier != NULL)
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_BARRIER_BEGIN, node->barrier);
  syclze__xpti_command_call(xpti, node, command);
}

SYCLZE_LOCAL_WARM struct syclze__trace_node *syclze__xpti_command_begin(
    const struct syclze__trace_command_info *command) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return NULL;
  struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  struct syclze__xpti_node *node = syclze__xpti_node_new(command);
  if (node != NULL) syclze__xpti_node_begin(xpti, node, command, thread);
  thread->reason_count = 0;
  return node != NULL ? &node->base : NULL;
}

SYCLZE_LOCAL_WARM void syclze__xpti_command_end(
    struct syclze__trace_node *base, ze_result_t result, bool over) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  struct syclze__xpti_node *node = syclze__xpti_node_of(base);
  (void)over;
  if ((node->call.instances[0] | node->call.instances[1]) != 0)
    syclze__ur_call_end(xpti, &node->call, result);
  if (node->barrier != NULL)
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_BARRIER_END, node->barrier);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_SIGNAL, node->signal);
    if (node->signal != NULL) syclze__xpti_node_publish(xpti, node);
  }
  syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_TASK_END, NULL);
  syclze__xpti_node_release(xpti, node);
}

SYCLZE_LOCAL void syclze__xpti_host_task_begin(struct syclze__trace_node *base) {
  syclze__xpti_node_notify(
      SYCLZE__STATE.xpti, syclze__xpti_node_of(base), SYCLZE__XPTI_TASK_BEGIN, NULL);
}

SYCLZE_LOCAL void syclze__xpti_host_task_end(struct syclze__trace_node *base, bool ran) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  struct syclze__xpti_node *node = syclze__xpti_node_of(base);
  if (ran) {
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_SIGNAL, node->signal);
    syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_TASK_END, NULL);
  }
  syclze__xpti_node_release(xpti, node);
}

SYCLZE_LOCAL struct syclze__trace_node *syclze__xpti_storage_begin(
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
  struct syclze__trace_node *node = syclze__xpti_command_begin(&command);
  if (node != NULL) syclze__xpti_host_task_begin(node);
  return node;
}

SYCLZE_EXTERN_C_END

#endif

#endif
