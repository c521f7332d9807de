/* Bridges between contexts. An event of one context cannot be waited for in another, and memory of
 * one cannot be used there: a worker thread waits in the one, copies if it must, and signals events
 * of both.
 *
 * What a bridge waits for is gathered in a stream of its own, which has no commands. The queue for
 * whose command group the bridge is made gets its error (asynchronous.h), and its wait covers it.
 */
#ifndef SYCLZE_COMMAND_BRIDGE_H
#define SYCLZE_COMMAND_BRIDGE_H

#include "../../usm.h"
#include "dependency.h"
#include "host_signal.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__bridge {
  struct syclze__task task;
  struct syclze__stream *stream; /* what it waits for; its accesses are of this stream */
  bool apart; /* what it waits for is not the queue's alone: the queue's wait does not cover it */
  struct syclze__queue *queue;            /* with a reference */
  struct syclze__event *done[2];          /* signalled at the end, with references; null for none */
  const struct syclze__buffer *from, *to; /* copied as a whole; null for none */
};

SYCLZE_COLD struct syclze__bridge *syclze__bridge_make(struct syclze__queue *queue)
    SYCLZE_LINK_NAME(syclze__bridge_make);

/* A bridge that waits for nothing yet; null without memory. */
SYCLZE_COLD struct syclze__bridge *syclze__bridge_make(struct syclze__queue *queue) {
  struct syclze__bridge *bridge = (struct syclze__bridge *)calloc(1, sizeof *bridge);
  struct syclze__stream *stream = (struct syclze__stream *)calloc(1, sizeof *stream);
  if (bridge == NULL || stream == NULL) {
    free(bridge);
    free(stream);
    return NULL;
  }
  stream->queue = queue;
  stream->references = 1;
  bridge->stream = stream;
  bridge->queue = queue;
  syclze__ref_retain(&queue->ref);
  return bridge;
}

SYCLZE_COLD void syclze__bridge_end(struct syclze__bridge *bridge)
    SYCLZE_LINK_NAME(syclze__bridge_end);

SYCLZE_COLD void syclze__bridge_end(struct syclze__bridge *bridge) {
  struct syclze__stream *stream = bridge->stream;
  syclze_queue queue = {bridge->queue};
  syclze__stream_forget_waits(stream);
  free(stream->held);
  free(stream->waits);
  stream->held = NULL;
  stream->waits = NULL;
  syclze__stream_release(stream);
  for (uint32_t i = 0; i < 2; i++)
    if (bridge->done[i] != NULL) syclze__event_drop(bridge->done[i]);
  free(bridge);
  syclze_queue_release(queue);
}

SYCLZE_COLD ze_result_t syclze__bridge_move(struct syclze__context *context, void *to,
    const void *from, size_t size) SYCLZE_LINK_NAME(syclze__bridge_move);

/* Copies in a context, and waits. */
SYCLZE_COLD ze_result_t syclze__bridge_move(
    struct syclze__context *context, void *to, const void *from, size_t size) {
  ze_command_list_handle_t list;
  ze_result_t result = syclze__synchronous_list(context, &list);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL);
  ze_result_t destroyed = zeCommandListDestroy(list);
  return result != ZE_RESULT_SUCCESS ? result : destroyed;
}

SYCLZE_COLD ze_result_t syclze__bridge_copy(const struct syclze__buffer *from,
    const struct syclze__buffer *to) SYCLZE_LINK_NAME(syclze__bridge_copy);

/* Device memory goes by host memory of its own context. */
SYCLZE_COLD ze_result_t syclze__bridge_copy(
    const struct syclze__buffer *from, const struct syclze__buffer *to) {
  syclze_context source = {from->memory.context}, target = {to->memory.context};
  size_t size = from->size;
  void *out = from->memory.native, *in = to->memory.native;
  void *staged_out = NULL, *staged_in = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (from->type == ZE_MEMORY_TYPE_DEVICE) {
    result = syclze_malloc_host(size, source, &staged_out);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__bridge_move(source.rep, staged_out, out, size);
    out = staged_out;
  }
  if (result == ZE_RESULT_SUCCESS && to->type == ZE_MEMORY_TYPE_DEVICE) {
    result = syclze_malloc_host(size, target, &staged_in);
    in = staged_in;
  }
  if (result == ZE_RESULT_SUCCESS) memcpy(in, out, size);
  if (result == ZE_RESULT_SUCCESS && staged_in != NULL)
    result = syclze__bridge_move(target.rep, to->memory.native, staged_in, size);
  syclze_free(staged_out, source);
  syclze_free(staged_in, target);
  return result;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_COLD ze_result_t syclze__told_bridge_copy(const struct syclze__bridge *bridge)
    SYCLZE_LINK_NAME(syclze__told_bridge_copy);

/* Told by the worker: what waits for the copy may have been told before. */
SYCLZE_COLD ze_result_t syclze__told_bridge_copy(const struct syclze__bridge *bridge) {
  const struct syclze__memory *from = &bridge->from->memory, *to = &bridge->to->memory;
  const struct syclze__queue *queue = bridge->queue;
  const struct syclze__told_transfer transfer = {SYCLZE__UR(urEnqueueUSMMemcpy), to->native,
      from->native, NULL, bridge->from->size, 0, to, to->native};
  const struct syclze__told_command command = {"syclze_require", bridge, queue, queue->native.queue,
      queue->device->native, to->context->native, bridge->task.waits, bridge->task.wait_count,
      bridge->done[1]->native, true, false, NULL};
  syclze__trace_transfer(&transfer);
  struct syclze__trace_node *node = syclze__trace_submit(&command);
  if (node != NULL) syclze__trace_host_begin(node);
  const ze_result_t result = syclze__bridge_copy(bridge->from, bridge->to);
  if (node != NULL) syclze__trace_host_end(node, true);
  return result;
}
#endif

SYCLZE_INLINE ze_result_t syclze__bridge_carry(const struct syclze__bridge *bridge) {
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING()) return syclze__told_bridge_copy(bridge);
#endif
  return syclze__bridge_copy(bridge->from, bridge->to);
}

SYCLZE_COLD void syclze__bridge_run(struct syclze__task *task, ze_result_t result)
    SYCLZE_LINK_NAME(syclze__bridge_run);

SYCLZE_COLD void syclze__bridge_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__bridge *bridge = (struct syclze__bridge *)(void *)task;
  if (result == ZE_RESULT_SUCCESS && bridge->from != NULL) result = syclze__bridge_carry(bridge);
  if (result != ZE_RESULT_SUCCESS) syclze__queue_failed(bridge->queue, result);
  for (uint32_t i = 0; i < 2; i++)
    if (bridge->done[i] != NULL) syclze__event_signal(bridge->done[i], bridge->queue);
  if (!bridge->apart) __atomic_sub_fetch(&bridge->queue->host_tasks, 1, __ATOMIC_ACQ_REL);
  syclze__bridge_end(bridge);
}

SYCLZE_COLD ze_result_t syclze__bridge_submit(struct syclze__bridge *bridge)
    SYCLZE_LINK_NAME(syclze__bridge_submit);

/* From here on the bridge is the workers', unless this fails. */
SYCLZE_COLD ze_result_t syclze__bridge_submit(struct syclze__bridge *bridge) {
  struct syclze__task *task = &bridge->task;
  uint32_t *tasks = &bridge->queue->host_tasks;
  task->waits = bridge->stream->waits;
  task->wait_count = bridge->stream->wait_count;
  const void *apart = bridge, *queue = bridge->queue;
  task->owner = bridge->apart ? apart : queue;
  task->run = syclze__bridge_run;
  if (bridge->apart) return syclze__workers_submit(task);
  __atomic_add_fetch(tasks, 1, __ATOMIC_ACQ_REL);
  ze_result_t result = syclze__workers_submit(task);
  if (result != ZE_RESULT_SUCCESS) __atomic_sub_fetch(tasks, 1, __ATOMIC_ACQ_REL);
  return result;
}

SYCLZE_COLD ze_result_t syclze__bridge_event(
    struct syclze__queue *queue, struct syclze__event *event, struct syclze__event **here)
    SYCLZE_LINK_NAME(syclze__bridge_event);

/* An event of the queue's context, with a reference, that is signalled after one of another. */
SYCLZE_COLD ze_result_t syclze__bridge_event(
    struct syclze__queue *queue, struct syclze__event *event, struct syclze__event **here) {
  *here = NULL;
  struct syclze__bridge *bridge = syclze__bridge_make(queue);
  if (bridge == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__stream_wait(bridge->stream, event);
  if (result == ZE_RESULT_SUCCESS) result = syclze__event_fresh(bridge->stream, &bridge->done[0]);
  if (result == ZE_RESULT_SUCCESS) {
    struct syclze__event *fresh = bridge->done[0];
    syclze__ref_retain(&fresh->ref);
    result = syclze__bridge_submit(bridge);
    if (result == ZE_RESULT_SUCCESS) {
      *here = fresh;
      return result;
    }
    syclze__event_drop(fresh);
  }
  syclze__bridge_end(bridge);
  return result;
}

SYCLZE_EXTERN_C_END

#endif
