/* Queues and waits on the stream sycl. */
#ifndef SYCLZE_TRACE_QUEUE_STREAMS_H
#define SYCLZE_TRACE_QUEUE_STREAMS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "graph.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__xpti_queue_info {
  const void *object; /* the library's */
  const void *native; /* the command queue or list */
  ze_context_handle_t context;
  ze_device_handle_t device;
  bool in_order;
};

SYCLZE_LOCAL void syclze__xpti_queue_created(const struct syclze__xpti_queue_info *queue) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return;
  const uint8_t in_order = queue->in_order;
  const uint64_t id = xpti->GetUniqueId();
  char name[SYCLZE__XPTI_TEXT] = "queue_create";
  if (syclze__xpti_is_current(xpti))
    snprintf(name, sizeof name, "queue[%llu]", (unsigned long long)id);
  void *event = syclze__xpti_event_make(xpti, name, true, SYCLZE__XPTI_EVENT_ALGORITHM);
  if (event == NULL) return;
  syclze__lock_acquire(&xpti->lock);
  struct syclze__map_entry *found = syclze__map_put(&xpti->queues, SYCLZE__WORD(queue->object));
  if (found != NULL) {
    found->value = id;
    found->other = SYCLZE__WORD(event);
  }
  __atomic_add_fetch(&xpti->queue_changes, 1, __ATOMIC_RELEASE);
  syclze__lock_release(&xpti->lock);
  syclze__xpti_add_word(xpti, event, "sycl_context", SYCLZE__WORD(queue->context));
  syclze__xpti_add_device(xpti, event, queue->device);
  syclze__xpti_add(xpti, event, "is_inorder", SYCLZE__XPTI_BOOL, &in_order, sizeof in_order);
  syclze__xpti_add_word(xpti, event, "queue_handle", SYCLZE__WORD(queue->native));
  syclze__xpti_add_word(xpti, event, "queue_id", id);
  xpti->StashTuple("queue_id", id);
  syclze__xpti_notify(
      xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_QUEUE_CREATE, NULL, event, id, "queue_create");
}

/* Forgets the queue also while the framework does not trace: another one may have its address. */
SYCLZE_LOCAL void syclze__xpti_queue_destroyed(const void *queue) {
  struct syclze__xpti *xpti = __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE);
  if (xpti == NULL) return;
  const struct syclze__map_entry found = syclze__xpti_queue_find(xpti, queue, true);
  if (found.value == 0) return;
  void *event = (void *)(uintptr_t)found.other;
  if (syclze__xpti_now() != NULL) {
    xpti->StashTuple("queue_id", found.value);
    syclze__xpti_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_QUEUE_DESTROY, NULL, event,
        found.value, "queue_destroy");
  }
  syclze__xpti_event_release(xpti, event);
}

/* A traced wait: for the work of a node, or with an event of its own. */
struct syclze__xpti_wait {
  struct syclze__xpti_node *node; /* with a reference; null for none */
  void *event;
  uint64_t instance;
  const char *name;
};

SYCLZE_LOCAL void syclze__xpti_wait_notify(
    const struct syclze__xpti_wait *wait, enum syclze__xpti_type type, const void *object) {
  char text[SYCLZE__XPTI_TEXT];
  syclze__xpti_notify(SYCLZE__STATE.xpti, SYCLZE__STREAM_SYCL, type, NULL, wait->event,
      wait->instance, syclze__xpti_format_name(text, wait->name, object));
}

SYCLZE_LOCAL void *syclze__xpti_wait_begin(
    const void *object, ze_device_handle_t device, ze_event_handle_t signal) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL) return NULL;
  struct syclze__xpti_wait *wait = (struct syclze__xpti_wait *)calloc(1, sizeof *wait);
  if (wait == NULL) return NULL;
  wait->name = signal != NULL ? "event.wait" : "queue.wait";
  if (signal != NULL) wait->node = syclze__xpti_node_find(xpti, signal);
  wait->event = wait->node != NULL
                    ? wait->node->event
                    : syclze__xpti_event_make(xpti, syclze__xpti_event_name(xpti, wait->name), true,
                          syclze__xpti_node_type(xpti));
  if (wait->event == NULL) {
    free(wait);
    return NULL;
  }
  wait->instance = xpti->GetUniqueId();
  if (syclze__xpti_is_current(xpti) && signal == NULL) syclze__xpti_thread_get()->waits = true;
  if (wait->node == NULL) {
    syclze__xpti_add_device(xpti, wait->event, device);
    syclze__xpti_add_call_site(xpti, wait->event);
  }
  syclze__xpti_wait_notify(wait, SYCLZE__XPTI_WAIT_BEGIN, object);
  return wait;
}

SYCLZE_LOCAL void syclze__xpti_wait_end(void *cookie, const void *object) {
  struct syclze__xpti_wait *wait = (struct syclze__xpti_wait *)cookie;
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  syclze__xpti_thread_get()->waits = false;
  syclze__xpti_wait_notify(wait, SYCLZE__XPTI_WAIT_END, object);
  if (wait->node != NULL)
    syclze__xpti_node_release(xpti, wait->node);
  else
    syclze__xpti_event_release(xpti, wait->event);
  free(wait);
}

SYCLZE_EXTERN_C_END

#endif

#endif
