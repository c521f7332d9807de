/* Host waits: a worker waits for events, then signals others.
 *
 * Events and memory of one context cannot be used in another: the worker waits in the one, copies
 * if it must, and signals events of both. Errors belong to the queue of the command group that
 * needs the wait, and the queue's wait covers it. */
#ifndef SYCLZE_COMMAND_DETAIL_HOST_WAIT_H
#define SYCLZE_COMMAND_DETAIL_HOST_WAIT_H

#include "../../../usm.h"
#include "../order/dependency.h"
#include "../submit/event_fail.h"
#include "../../../detail/sync/background_result.h"
#include "worker_task.h"

SYCLZE_EXTERN_C_BEGIN

/* The memory of a buffer, which may end before the copy if its release could not wait. */
struct syclze__host_wait_memory {
  const struct syclze__memory *object; /* not to be read */
  void *native;
  struct syclze__context *context; /* kept by the event in `done` */
  ze_memory_type_t type;
};

struct syclze__host_wait {
  struct syclze__event_task events; /* first */
  struct syclze__wait_list waits;
  struct syclze__queue *queue;     /* with a reference; null for none, and for a host access */
  struct syclze__outcome *outcome; /* of a copy, with a reference; else null */
  bool apart; /* it waits for other queues' work too: the queue's wait does not cover it */
  struct syclze__event *done[2]; /* signalled at the end, with references; null for none */
  struct syclze__host_wait_memory from, to; /* copied as a whole; null for none */
  size_t size;
};

#if SYCLZE__BODIES

/* Creates a host wait, without events yet, for a queue or for none; null without memory. */
SYCLZE_LOCAL struct syclze__host_wait *syclze__host_wait_create(struct syclze__queue *queue) {
  struct syclze__host_wait *host_wait = (struct syclze__host_wait *)calloc(1, sizeof *host_wait);
  if (host_wait == NULL) return NULL;
  syclze__wait_list_init(&host_wait->waits);
  host_wait->queue = queue;
  if (queue != NULL) syclze__ref_retain(&queue->ref);
  return host_wait;
}

SYCLZE_LOCAL void syclze__host_wait_destroy(struct syclze__host_wait *host_wait) {
  const syclze_queue queue = {host_wait->queue};
  syclze__wait_list_end(&host_wait->waits);
  for (uint32_t i = 0; i < 2; i++)
    if (host_wait->done[i] != NULL) syclze__event_release(host_wait->done[i]);
  syclze__outcome_drop(host_wait->outcome);
  free(host_wait);
  syclze__queue_release_impl(queue);
}

SYCLZE_INLINE struct syclze__host_wait_memory syclze__host_wait_memory_of(
    const struct syclze__buffer *buffer) {
  const struct syclze__memory *memory = &buffer->memory;
  const struct syclze__host_wait_memory copied = {
      memory, memory->native, memory->context, buffer->type};
  return copied;
}

/* Copies device memory through host memory of its own context. */
SYCLZE_LOCAL ze_result_t syclze__host_wait_copy(const struct syclze__host_wait *host_wait) {
  const struct syclze__host_wait_memory *from = &host_wait->from, *to = &host_wait->to;
  syclze_context source = {from->context}, target = {to->context};
  const size_t size = host_wait->size;
  void *out = from->native, *in = to->native;
  void *staged_out = NULL, *staged_in = NULL;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (from->type == ZE_MEMORY_TYPE_DEVICE) {
    result = syclze_malloc_host(size, source, &staged_out);
    if (result == ZE_RESULT_SUCCESS)
      result = syclze__memory_move(source.rep, staged_out, out, size);
    out = staged_out;
  }
  if (result == ZE_RESULT_SUCCESS && to->type == ZE_MEMORY_TYPE_DEVICE) {
    result = syclze_malloc_host(size, target, &staged_in);
    in = staged_in;
  }
  if (result == ZE_RESULT_SUCCESS) memcpy(in, out, size);
  if (result == ZE_RESULT_SUCCESS && staged_in != NULL)
    result = syclze__memory_move(target.rep, to->native, staged_in, size);
  syclze_free(staged_out, source);
  syclze_free(staged_in, target);
  return result;
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Traced on the worker thread; dependents may already have been traced. */
SYCLZE_LOCAL ze_result_t syclze__traced_host_wait_copy(const struct syclze__host_wait *host_wait) {
  const struct syclze__host_wait_memory *from = &host_wait->from, *to = &host_wait->to;
  const struct syclze__queue *queue = host_wait->queue;
  const void *native = queue != NULL ? (const void *)queue->native.queue : NULL;
  const struct syclze__device *device = queue != NULL ? queue->device : to->context->devices[0];
  SYCLZE__ZEROED(struct syclze__trace_transfer_info, transfer);
  transfer.kind = SYCLZE__TRACE_COPY;
  transfer.to.native = transfer.to.base = to->native;
  transfer.to.object = to->object;
  transfer.from.native = transfer.from.base = from->native;
  transfer.from.object = from->object;
  transfer.size = host_wait->size;
  const struct syclze__trace_command_info command = {"syclze_require", host_wait, queue, native,
      device->native, to->context->native, host_wait->events.waits, host_wait->events.wait_count,
      host_wait->done[1]->native, true, false, false, NULL, NULL, NULL, &transfer};
  struct syclze__trace_node *node = syclze__trace_command_begin(&command);
  SYCLZE__TRACE_HOST_BEGIN(node);
  const ze_result_t result = syclze__host_wait_copy(host_wait);
  SYCLZE__TRACE_HOST_END(node, true);
  return result;
}
#endif

/* Null for a host wait of no queue. */
SYCLZE_INLINE struct syclze__queue_state *syclze__host_wait_state(
    const struct syclze__host_wait *host_wait) {
  return host_wait->queue != NULL ? syclze__queue_state_get(host_wait->queue) : NULL;
}

SYCLZE_LOCAL void syclze__host_wait_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__host_wait *host_wait = (struct syclze__host_wait *)(void *)task;
  if (result == ZE_RESULT_SUCCESS && host_wait->from.native != NULL) {
#if XPTI_ENABLE_INSTRUMENTATION
    if (SYCLZE__TRACING_COMMANDS())
      result = syclze__traced_host_wait_copy(host_wait);
    else
#endif
      result = syclze__host_wait_copy(host_wait);
  }
  const bool is_lost = host_wait->events.waited < host_wait->events.wait_count;
  struct syclze__queue_state *state = syclze__host_wait_state(host_wait);
  struct syclze__event *const done[2] = {host_wait->done[0], host_wait->done[1]};
  struct syclze__outcome *outcome = host_wait->outcome;
  if (outcome != NULL) __atomic_store_n(&outcome->result, result, __ATOMIC_RELEASE);
  host_wait->outcome = NULL;
  if (result != ZE_RESULT_SUCCESS && state != NULL) syclze__queue_failed(host_wait->queue, result);
  if (host_wait->apart) syclze__queue_state_begin_task(state);
  host_wait->done[0] = host_wait->done[1] = NULL;
  syclze__host_wait_destroy(host_wait);
  if (state != NULL) syclze__queue_state_close_task(state);
  for (uint32_t i = 0; i < 2; i++)
    if (done[i] != NULL) {
      if (is_lost)
        syclze__event_lose(done[i], result);
      else
        syclze__event_signal(done[i], state);
      syclze__event_release(done[i]);
    }
  if (outcome != NULL) __atomic_store_n(&outcome->busy, 0, __ATOMIC_RELEASE);
  syclze__outcome_drop(outcome);
  if (state != NULL) syclze__queue_state_end_task(state);
}

/* Gives the host wait to the workers, unless this fails. */
SYCLZE_LOCAL ze_result_t syclze__host_wait_start(struct syclze__host_wait *host_wait) {
  struct syclze__task *task = &host_wait->events.task;
  struct syclze__queue_state *state = syclze__host_wait_state(host_wait);
  const bool apart = host_wait->apart;
  if (host_wait->waits.count > 0) host_wait->events.context = host_wait->waits.events[0]->context;
  host_wait->events.waits = host_wait->waits.natives;
  host_wait->events.wait_count = host_wait->waits.count;
  task->wait = syclze__event_task_wait;
  task->run = syclze__host_wait_run;
  if (state == NULL) return syclze__workers_submit(task);
  syclze__queue_state_open_task(state);
  if (!apart) syclze__queue_state_begin_task(state);
  const ze_result_t result = syclze__workers_submit(task);
  if (result == ZE_RESULT_SUCCESS) return result;
  syclze__queue_state_close_task(state);
  if (!apart) syclze__queue_state_end_task(state);
  return result;
}

/* Submits the host wait, as syclze__host_wait_start. If its events are open, so are those that it
 * signals. */
SYCLZE_LOCAL ze_result_t syclze__host_wait_submit(struct syclze__host_wait *host_wait) {
  struct syclze__event *opened[2] = {NULL, NULL};
  if (syclze__wait_list_is_open(&host_wait->waits))
    for (uint32_t i = 0; i < 2; i++)
      if (host_wait->done[i] != NULL && syclze__event_open(host_wait->done[i])) {
        SYCLZE__CHECK_OPENED(host_wait->done[i], host_wait->queue, "host wait",
            host_wait->waits.events, host_wait->waits.count);
        opened[i] = host_wait->done[i];
      }
  const ze_result_t result = syclze__host_wait_start(host_wait);
  for (uint32_t i = 0; i < 2 && result != ZE_RESULT_SUCCESS; i++)
    if (opened[i] != NULL) syclze__event_close(opened[i]);
  return result;
}

/* An event of the queue's context, with a reference, that is signalled after one of another
 * context. */
SYCLZE_LOCAL ze_result_t syclze__host_wait_event(
    struct syclze__queue *queue, struct syclze__event *other, struct syclze__event **event) {
  *event = NULL;
  struct syclze__host_wait *host_wait = syclze__host_wait_create(queue);
  if (host_wait == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__wait_list_add(&host_wait->waits, other);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze__event_acquire(queue->context, SYCLZE__EVENT_PLAIN, &host_wait->done[0]);
  if (result == ZE_RESULT_SUCCESS) {
    struct syclze__event *created = host_wait->done[0];
    syclze__ref_retain(&created->ref);
    result = syclze__host_wait_submit(host_wait);
    if (result == ZE_RESULT_SUCCESS) {
      *event = created;
      return result;
    }
    syclze__event_release(created);
  }
  syclze__host_wait_destroy(host_wait);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
