/* Order within the command lists of an executable graph.
 *
 * Levels of nodes follow each other in a list, and nodes of one level are independent. A barrier
 * between two levels is correct and needs no events. It loses no concurrency if each node behind it
 * depends on all nodes before it. Elsewhere it would make independent chains wait for each other:
 * there a node waits for the events of its dependencies. The levels between two barriers are an
 * epoch. The last commands of a list reset its events for the next run. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_LIST_ORDER_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_LIST_ORDER_H

#include "steps.h"

SYCLZE_EXTERN_C_BEGIN

/* Native events of an executable graph, which only its lists use. */
struct syclze__graph_events {
  ze_event_pool_handle_t pool;
  uint32_t count;
  ze_event_handle_t *all; /* behind the structure */
};

/* The edges between the steps of an executable graph, which are behind the structure. */
struct syclze__step_edges {
  struct syclze__graph_events *events; /* of the lists; null for none */
  uint32_t count;                      /* UINT32_MAX if there are too many to keep */
};

SYCLZE_INLINE struct syclze__edge *syclze__step_edges_all(struct syclze__step_edges *edges) {
  return (struct syclze__edge *)(void *)(edges + 1);
}

/* All arrays are in one allocation. */
struct syclze__list_order {
  uint32_t *sorted; /* steps by level, commands before host tasks, each in the order of recording */
  uint32_t *ends;   /* of each level: of its steps in `sorted` */
  uint32_t *epochs; /* of each level */
  uint32_t *begins; /* of each step, and one more: of those in `before` that it waits for */
  uint32_t *before; /* steps */
  uint32_t *events; /* of each step: the index of its event; UINT32_MAX for none */
  uint32_t level_count, event_count;
  bool is_line; /* each level has one step */
};

#if SYCLZE__BODIES

/* Destroys the events; null is allowed. */
SYCLZE_LOCAL ze_result_t syclze__graph_events_free(struct syclze__graph_events *events) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (events == NULL) return result;
  for (uint32_t i = 0; i < events->count; i++)
    result = syclze__first_error(result, SYCLZE__ZE(zeEventDestroy)(events->all[i]));
  /* An event that remains refers to its pool. */
  if (events->pool != NULL && result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeEventPoolDestroy)(events->pool);
  free(events);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__graph_events_fill(struct syclze__graph_events *events,
    const struct syclze__context *context, ze_device_handle_t device, uint32_t count) {
  SYCLZE__ZE_STRUCT(ze_event_pool_desc_t, pool, EVENT_POOL_DESC);
  pool.count = count;
  SYCLZE__ZE_STRUCT(ze_event_desc_t, desc, EVENT_DESC);
  desc.signal = desc.wait = ZE_EVENT_SCOPE_FLAG_DEVICE;
  ze_result_t result =
      SYCLZE__ZE(zeEventPoolCreate)(context->native, &pool, 1, &device, &events->pool);
  for (; result == ZE_RESULT_SUCCESS && events->count < count; events->count++) {
    desc.index = events->count;
    result = SYCLZE__ZE(zeEventCreate)(events->pool, &desc, &events->all[events->count]);
    if (result != ZE_RESULT_SUCCESS) break;
  }
  return result;
}

/* Creates events that a list of the device signals. On failure there are none. */
SYCLZE_LOCAL ze_result_t syclze__graph_events_create(const struct syclze__context *context,
    ze_device_handle_t device, uint32_t count, struct syclze__graph_events **events) {
  struct syclze__graph_events *created =
      (struct syclze__graph_events *)calloc(1, sizeof *created + count * sizeof *created->all);
  if (created == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  created->all = (ze_event_handle_t *)(void *)(created + 1);
  const ze_result_t result = syclze__graph_events_fill(created, context, device, count);
  if (result == ZE_RESULT_SUCCESS)
    *events = created;
  else
    syclze__graph_events_free(created);
  return result;
}

/* Nodes of other kinds are commands of a list. */
SYCLZE_INLINE bool syclze__step_is_task(const struct syclze__graph_step *step) {
  return step->node->kind == SYCLZE__SUBMISSION_HOST;
}

/* Sorts the steps by level, host tasks behind the commands of theirs. */
SYCLZE_INLINE void syclze__list_order_sort(
    struct syclze__list_order *order, const struct syclze__graph_step *steps, uint32_t count) {
  uint32_t *ends = order->ends, tasks = 0;
  for (uint32_t i = 0; i < count; i++) {
    ends[steps[i].level + 1]++;
    tasks += syclze__step_is_task(&steps[i]);
  }
  order->is_line = count == order->level_count;
  for (uint32_t i = 1; i < order->level_count; i++) {
    order->is_line = order->is_line && ends[i] == 1;
    ends[i] += ends[i - 1];
  }
  for (uint32_t i = 0; i < count; i++)
    if (!syclze__step_is_task(&steps[i])) order->sorted[ends[steps[i].level]++] = i;
  for (uint32_t i = 0; tasks > 0; i++)
    if (syclze__step_is_task(&steps[i])) {
      order->sorted[ends[steps[i].level]++] = i;
      tasks--;
    }
}

/* Counts for each level, all zero at first. */
struct syclze__level {
  uint32_t list;    /* the number of the list that has its commands */
  uint32_t last;    /* level of that list */
  uint32_t width;   /* commands */
  uint32_t edges;   /* from commands of the level before in its list */
  uint32_t blocked; /* steps that only a barrier before it would order; summed up later */
};

/* Assigns the levels to lists: a list ends behind each level with host tasks. */
SYCLZE_INLINE void syclze__levels_begin(struct syclze__level *levels,
    const struct syclze__list_order *order, const struct syclze__graph_step *steps) {
  uint32_t list = 0;
  for (uint32_t i = 0, at = 0; i < order->level_count; i++) {
    const uint32_t begin = at;
    levels[i].list = list;
    for (; at < order->ends[i]; at++)
      levels[i].width += !syclze__step_is_task(&steps[order->sorted[at]]);
    if (levels[i].width != at - begin) list++;
  }
  for (uint32_t i = order->level_count; i-- > 0;)
    levels[i].last =
        i + 1 < order->level_count && levels[i + 1].list == levels[i].list ? levels[i + 1].last : i;
}

/* Counts, for each level, the concurrency that a barrier before it would lose. `soonest` has room
 * for each step. */
SYCLZE_INLINE void syclze__levels_count(struct syclze__level *levels,
    const struct syclze__graph_step *steps, uint32_t count, const struct syclze__edge *edges,
    uint32_t edge_count, uint32_t *soonest) {
  for (uint32_t i = 0; i < count; i++)
    soonest[i] = levels[steps[i].level].last;
  for (uint32_t i = 0; i < edge_count; i++) {
    const struct syclze__graph_step *to = &steps[edges[i].to];
    const uint32_t level = to->level, before = steps[edges[i].from].level;
    /* No list goes on behind a host task. */
    if (levels[before].list != levels[level].list || syclze__step_is_task(to)) continue;
    if (before + 1 == level) levels[level].edges++;
    if (soonest[edges[i].from] > level) soonest[edges[i].from] = level;
  }
  /* A step that precedes no step of the next level does not precede all steps behind that level. */
  for (uint32_t i = 0; i < count; i++) {
    const uint32_t level = steps[i].level;
    if (syclze__step_is_task(&steps[i]) || soonest[i] < level + 2) continue;
    levels[level + 2].blocked++;
    levels[soonest[i] + 1].blocked--;
  }
}

SYCLZE_INLINE void syclze__list_order_set_epochs(
    struct syclze__list_order *order, const struct syclze__level *levels) {
  uint32_t epoch = 0, blocked = 0;
  for (uint32_t i = 0; i < order->level_count; i++) {
    const struct syclze__level *level = &levels[i];
    blocked += level->blocked;
    if (i > 0 && (level->list != level[-1].list ||
                     (blocked == 0 && level->edges == (uint64_t)level->width * level[-1].width)))
      epoch++;
    order->epochs[i] = epoch;
  }
}

/* Finds the events that each step waits for. A barrier, such as an empty node, needs no event: all
 * steps behind it wait. */
SYCLZE_INLINE void syclze__list_order_set_events(struct syclze__list_order *order,
    const struct syclze__graph_step *steps, uint32_t count, const struct syclze__edge *edges,
    uint32_t edge_count) {
  uint32_t *begins = order->begins;
  for (uint32_t turn = 0; turn < 2; turn++) {
    for (uint32_t i = 0; i < edge_count; i++) {
      const struct syclze__graph_step *from = &steps[edges[i].from], *to = &steps[edges[i].to];
      if (order->epochs[from->level] != order->epochs[to->level] || syclze__step_is_task(to) ||
          from->node->kind == SYCLZE__SUBMISSION_BARRIER)
        continue;
      if (turn == 1)
        order->before[--begins[edges[i].to]] = edges[i].from;
      else {
        begins[edges[i].to]++;
        order->events[edges[i].from] = 0;
      }
    }
    for (uint32_t i = 0; i < count && turn == 0; i++)
      begins[i + 1] += begins[i];
  }
  for (uint32_t i = 0; i < count; i++)
    if (order->events[order->sorted[i]] == 0)
      order->events[order->sorted[i]] = order->event_count++;
}

/* Finds what the edges order without a barrier. */
SYCLZE_LOCAL_WARM void syclze__list_order_connect(struct syclze__list_order *order,
    const struct syclze__graph_step *steps, uint32_t count, const struct syclze__edge *edges,
    uint32_t edge_count, struct syclze__level *levels) {
  const size_t all = count, rows = (size_t)order->level_count + 2;
  memset(levels, 0, rows * sizeof *levels);
  syclze__levels_begin(levels, order, steps);
  syclze__levels_count(levels, steps, count, edges, edge_count, order->events);
  syclze__list_order_set_epochs(order, levels);
  memset(order->begins, 0, (all + 1) * sizeof *order->begins);
  memset(order->events, 0xff, all * sizeof *order->events);
  syclze__list_order_set_events(order, steps, count, edges, edge_count);
}

/* The order of steps, by these edges, or if their count is UINT32_MAX, level by level, as in a
 * line; false without memory. */
SYCLZE_LOCAL_WARM bool syclze__list_order_create(struct syclze__list_order *order,
    const struct syclze__graph_step *steps, uint32_t count, const struct syclze__edge *edges,
    uint32_t edge_count) {
  const bool by_edges = edge_count != UINT32_MAX;
  const size_t kept = by_edges ? edge_count : 0, all = count;
  memset(order, 0, sizeof *order);
  for (uint32_t i = 0; i < count; i++)
    if (order->level_count <= steps[i].level) order->level_count = steps[i].level + 1;
  const size_t rows = (size_t)order->level_count + 2;
  order->sorted = (uint32_t *)malloc((4 * all + 1 + kept + 2 * rows) * sizeof *order->sorted +
                                     rows * sizeof(struct syclze__level));
  if (order->sorted == NULL) return false;
  order->ends = order->sorted + all;
  order->epochs = order->ends + rows;
  order->begins = order->epochs + rows;
  order->events = order->begins + all + 1;
  order->before = order->events + all;
  struct syclze__level *levels = (struct syclze__level *)(void *)(order->before + kept);
  memset(order->ends, 0, rows * sizeof *order->ends);
  syclze__list_order_sort(order, steps, count);
  if (by_edges && !order->is_line)
    syclze__list_order_connect(order, steps, count, edges, edge_count, levels);
  else
    for (uint32_t i = 0; i < order->level_count; i++)
      order->epochs[i] = i;
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
