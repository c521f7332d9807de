/* Queues and waits on the stream sycl. */
#ifndef SYCLZE_TRACE_QUEUE_STREAMS_H
#define SYCLZE_TRACE_QUEUE_STREAMS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "node.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__trace_queue_info {
  const void *object; /* the library's */
  const void *native; /* the command queue or list */
  ze_context_handle_t context;
  ze_device_handle_t device;
  bool in_order;
};

SYCLZE_LOCAL void syclze__trace_queue_create(const struct syclze__trace_queue_info *queue) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return;
  void *event = syclze__trace_event(xpti, "queue_create", true, SYCLZE__XPTI_ALGORITHM);
  if (event == NULL) return;
  const uint8_t in_order = queue->in_order;
  const uint64_t id = xpti->GetUniqueId();
  syclze__lock_acquire(&xpti->lock);
  struct syclze__traced *known = syclze__map_put(&xpti->queues, SYCLZE__WORD(queue->object));
  if (known != NULL) {
    known->value = id;
    known->other = SYCLZE__WORD(event);
  }
  __atomic_add_fetch(&xpti->queue_changes, 1, __ATOMIC_RELEASE);
  syclze__lock_release(&xpti->lock);
  syclze__trace_word(xpti, event, "sycl_context", SYCLZE__WORD(queue->context));
  syclze__trace_device(xpti, event, queue->device);
  syclze__trace_datum(xpti, event, "is_inorder", SYCLZE__XPTI_BOOL, &in_order, sizeof in_order);
  syclze__trace_word(xpti, event, "queue_handle", SYCLZE__WORD(queue->native));
  syclze__trace_word(xpti, event, "queue_id", id);
  xpti->StashTuple("queue_id", id);
  syclze__trace_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_QUEUE_CREATE,
      xpti->current ? xpti->graph : NULL, event, id, "queue_create");
}

SYCLZE_LOCAL void syclze__trace_queue_destroy(const void *queue) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return;
  const struct syclze__traced known = syclze__trace_queue_of(xpti, queue, true);
  if (known.value == 0) return;
  void *event = (void *)(uintptr_t)known.other;
  xpti->StashTuple("queue_id", known.value);
  syclze__trace_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_QUEUE_DESTROY, NULL, event,
      known.value, "queue_destroy");
  syclze__trace_event_end(xpti, event);
}

/* A wait that was told: for the work of a node, or with an event of its own. */
struct syclze__trace_wait {
  struct syclze__xpti_node *node; /* with a reference; null for none */
  void *event;
  uint64_t instance;
};

SYCLZE_LOCAL void syclze__trace_wait_notify(
    const struct syclze__trace_wait *wait, enum syclze__trace_type type, const void *object) {
  char text[SYCLZE__TRACE_TEXT];
  syclze__trace_notify(SYCLZE__STATE.xpti, SYCLZE__STREAM_SYCL, type, NULL, wait->event,
      wait->instance, syclze__trace_named(text, "queue.wait", object));
}

SYCLZE_LOCAL void *syclze__trace_wait_begin(
    const void *object, ze_device_handle_t device, ze_event_handle_t signal) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return NULL;
  struct syclze__trace_wait *wait = (struct syclze__trace_wait *)calloc(1, sizeof *wait);
  if (wait == NULL) return NULL;
  if (signal != NULL) wait->node = syclze__trace_node_of(xpti, signal);
  wait->event = wait->node != NULL
                    ? wait->node->event
                    : syclze__trace_event(xpti, "queue.wait", true, SYCLZE__XPTI_GRAPH);
  if (wait->event == NULL) {
    free(wait);
    return NULL;
  }
  wait->instance = xpti->GetUniqueId();
  if (wait->node == NULL) {
    syclze__trace_device(xpti, wait->event, device);
    syclze__trace_placed(xpti, wait->event);
  }
  syclze__trace_wait_notify(wait, SYCLZE__TRACE_WAIT_BEGIN, object);
  return wait;
}

SYCLZE_LOCAL void syclze__trace_wait_end(void *told, const void *object) {
  struct syclze__trace_wait *wait = (struct syclze__trace_wait *)told;
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  syclze__trace_wait_notify(wait, SYCLZE__TRACE_WAIT_END, object);
  if (wait->node != NULL)
    syclze__trace_node_release(xpti, wait->node);
  else
    syclze__trace_event_end(xpti, wait->event);
  free(wait);
}

SYCLZE_EXTERN_C_END

#endif

#endif
