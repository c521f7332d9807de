/* What the tracing framework's subscribers are told, on which stream.
 *
 * | stream                             | told                                                     |
 * |------------------------------------|----------------------------------------------------------|
 * | sycl                               | graph_create, node_create, edge_create, task, barrier,   |
 * |                                    | signal, wait, diagnostics, queue_create, queue_destroy   |
 * | ur.call, ur.call.debug             | what this library does, as calls of the runtime          |
 * |                                    | interface (ur_call.h)                                    |
 * | sycl.experimental.buffer           | construct, associate, destruct, release, accessor        |
 * | sycl.experimental.image            | the same                                                 |
 * | sycl.experimental.mem_alloc        | allocations and their ends, of usm.h                     |
 * | sycl.experimental.level_zero.call, | every call of Level Zero that the program makes, where a |
 * | sycl.experimental.level_zero.debug | file of it includes level_zero.h                         |
 * | sycl.experimental.cuda.call,       | nothing: the names are SYCL's, and there is no CUDA      |
 * | sycl.experimental.cuda.debug       |                                                          |
 *
 * What objects and command groups say is in point.h. xpti.h binds the framework, now.h asks whether
 * it traces, tell.h notifies, metadata.h says more; place.h, node.h, edge.h and task.h tell of
 * commands, memory.h of memory, ur_call.h of calls, this file of queues and waits.
 *
 * The form is the specification's. SYCLZE_TRACE_FORM=current in the environment makes it that of
 * today's runtimes, which their tools read. The rows that differ:
 *
 * | row                   | specification                        | current                      |
 * |-----------------------|--------------------------------------|------------------------------|
 * | node_create           | once for a kernel, or an action, of  | for each command; the type   |
 * |                       | a place in the program on a device;  | of node                      |
 * |                       | the type with the group's address    |                              |
 * | barrier               | Unknown reason                       | Unknown block reason         |
 * | queue_create          | no parent                            | the graph                    |
 * | ur.call               | function_begin, the name, parent the | function_with_args_begin, no |
 * |                       | layer                                | parent, one event; nothing   |
 * |                       |                                      | with ur.call.debug           |
 * | ur.call, .debug       | calls within calls too               | the outermost of a thread    |
 * | ur.call.debug         | parent the layer                     | no parent, one event         |
 * | buffers and images    | parent the layer, no instance        | no parent, an instance       |
 * | allocations           | a mem_alloc_data_t, no event         | a name, and an event with    |
 * |                       |                                      | memory_ptr and memory_size   |
 * | sycl_device_type      | ACC                                  | ACCELERATOR                  |
 *
 * A node is what a place of the program submits, told when it first does, with what that command
 * has. Each command is a task of it, under a number of its own; the task of a host task begins
 * when its worker begins it. Commands whose place is not known are nodes of their own. So is
 * memory that the library allocates for an object, or frees; there are no nodes of sub-buffers and
 * of host accessors, which are not among the library's objects. A copy between contexts is told by
 * the worker that makes it; what waits for it may have been told before, without its edge. An edge
 * is told where the command that is waited for is known: one of the last thousand that signal an
 * event; what the order of a queue says is no edge. A barrier is told of a submission that waits
 * for a host task, or for an event of unknown work. How much metadata a node has depends on the
 * detail that subscribers want: names, devices and the size of memory with basic, places and all of
 * memory too with normal, sizes and arguments too with verbose. */
#ifndef SYCLZE_TRACE_STREAM_H
#define SYCLZE_TRACE_STREAM_H

#include "../detail/trace_hooks.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "xpti/memory_streams.h"
#include "xpti/task.h"

SYCLZE_EXTERN_C_BEGIN

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
  SYCLZE__TRACE_PLACE = NULL;
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
  struct syclze__trace_node *node; /* with a reference; null for none */
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
  SYCLZE__TRACE_PLACE = NULL; /* until now: what the wait submits is of the same place */
}

SYCLZE_EXTERN_C_END

#endif

#endif
