/* What a command waits for: edges between nodes, and barriers. */
#ifndef SYCLZE_TRACE_EDGE_H
#define SYCLZE_TRACE_EDGE_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "node.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__trace_reason(
    const ze_event_handle_t *events, uint32_t count, const void *object, uint32_t mode) {
  struct syclze__trace_thread *thread = syclze__trace_mine();
  for (uint32_t i = 0; thread != NULL && i < count && thread->reason_count < SYCLZE__TRACE_REASONS;
       i++) {
    const struct syclze__trace_reason_of reason = {events[i], object, mode};
    thread->reasons[thread->reason_count++] = reason;
  }
}

SYCLZE_LOCAL void syclze__trace_node_edge(struct syclze__xpti *xpti, uint64_t source,
    const struct syclze__xpti_node *node, ze_event_handle_t event) {
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
  syclze__trace_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__TRACE_EDGE_CREATE, xpti->graph, edge,
      xpti->GetUniqueId(), NULL);
  syclze__trace_event_end(xpti, edge);
}

SYCLZE_COLD void syclze__trace_edges(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    const struct syclze__trace_command_info *command) SYCLZE_LINK_NAME(syclze__trace_edges);

/* The edges, and why the device waits. */
SYCLZE_COLD void syclze__trace_edges(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    const struct syclze__trace_command_info *command) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct syclze__xpti_node *source = syclze__trace_node_of(xpti, command->waits[i]);
    const bool host = source != NULL && source->is_host;
    if ((source == NULL || host) && !command->is_host &&
        SYCLZE__ZE(zeEventQueryStatus)(command->waits[i]) == ZE_RESULT_NOT_READY)
      node->barrier = host            ? "enqueue.barrier[Blocked by host task]"
                      : xpti->current ? "enqueue.barrier[Unknown block reason]"
                                      : "enqueue.barrier[Unknown reason]";
    if (source != NULL)
      syclze__trace_node_edge(xpti, syclze__trace_event_id(source->event), node, command->waits[i]);
    syclze__trace_node_release(xpti, source);
  }
}

SYCLZE_EXTERN_C_END

#endif

#endif
