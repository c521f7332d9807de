/* Events of recorded command groups: they name nodes, have no native event, and are never
 * signalled. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_EVENT_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_EVENT_H

#include "../../../owner.h"
#include "node.h"
#include "recording.h"

SYCLZE_EXTERN_C_BEGIN

/* The owner's data of such an event. */
struct syclze__node_name {
  struct syclze__recorded_by by; /* first */
  struct syclze__owned owned;
  struct syclze__event *event;
  struct syclze__node_block *block; /* the name's memory */
  uint64_t graph;                   /* its number */
  uint32_t node;                    /* its index in the graph */
};

#if SYCLZE__BODIES

/* Destroys the event, after its last release. */
SYCLZE_LOCAL ze_result_t syclze__node_name_end(struct syclze__owned *owned) {
  struct syclze__node_name *name = (struct syclze__node_name *)owned->owner.data;
  /* Without dependents the event's memory returns to its pool. */
  name->event->dependents = NULL;
  syclze__queue_state_release(name->by.state);
  syclze__node_block_release(name->block);
  return ZE_RESULT_SUCCESS;
}

/* An event that names a node of the graph, which has this block, recorded by a queue of this state;
 * null without memory. */
SYCLZE_LOCAL_WARM struct syclze__event *syclze__node_event_create(struct syclze__context *context,
    struct syclze__queue_state *state, struct syclze__node_block **block, uint64_t graph,
    uint32_t node) {
  struct syclze__node_name *name =
      (struct syclze__node_name *)syclze__node_block_take(block, sizeof *name);
  if (name == NULL) return NULL;
  const struct syclze__node_name named = {{state},
      {syclze__node_name_end, {NULL, name}, NULL, "syclze_event_release"},
      syclze__event_new(NULL, context, NULL, SYCLZE__KEPT), *block, graph, node};
  if (named.event == NULL) {
    syclze__node_block_release(*block);
    return NULL;
  }
  *name = named;
  syclze__queue_state_retain(state);
  syclze__owner_link(&name->event->ref, &name->owned);
  name->event->dependents = SYCLZE__DEPENDENTS_RECORDED;
  return name->event;
}

/* The node of the graph that the event names; UINT32_MAX if it names none of this graph. */
SYCLZE_LOCAL_WARM uint32_t syclze__node_of_event(
    const struct syclze__event *event, uint64_t graph) {
  if (!syclze__event_is_recorded(event)) return UINT32_MAX;
  const struct syclze__node_name *name =
      (const struct syclze__node_name *)syclze__owner_get(&event->ref).data;
  return name->graph == graph ? name->node : UINT32_MAX;
}

#endif

SYCLZE_EXTERN_C_END

#endif
