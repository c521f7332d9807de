/* Executable graphs that are updated.
 *
 * Such a graph has no command list, but builds: executable graphs of the nodes that it had at some
 * time. An update replaces nodes. The next submission brings the oldest build up to date, if its
 * runs are done: its mutable lists are updated, or its lists are recorded anew. So no list is
 * changed while it runs, or while a thread submits it. Each build writes the graph's memory object
 * too: only one of them runs at a time, and they end in the order of their submissions.
 *
 * A graph has a bounded number of builds with lists. While each of them is pending, a submission
 * gets a late build: a host task, which records its lists when it runs. Command queues and lists
 * are shared (queues.h): no more are created than builds are pending at once.
 *
 * A late build that is replaced is released once the events at the end of its work are known. If a
 * marker for them cannot be appended, or a submission has the build, later calls release it.
 *
 * A build is made of a copy of the nodes, with no lock held: it calls the functions of native
 * commands. If the nodes change meanwhile, the build is kept for a later update.
 *
 * While the newest build is up to date, the graph shows its list: the queue that owns the graph's
 * memory object appends it with only its own lock held. So the graph shows another list, or none,
 * only with that queue's lock held.
 *
 * Locks: the graph's, then memory objects, then a queue. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_UPDATABLE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_UPDATABLE_H

#include "build.h"

SYCLZE_EXTERN_C_BEGIN

/* Limits of builds with lists: all, and idle ones. One may run while the other is updated.
 */
enum { SYCLZE__BUILDS = 4, SYCLZE__IDLE_BUILDS = 2 };

struct syclze__updatable {
  SYCLZE__LOCK(SYCLZE__RANK_UPDATED_GRAPH) lock; /* of all that follows, and of the graph's nodes */
  uint64_t changes;                              /* of the nodes */
  bool is_changed;                               /* since the newest build */
  bool lacks_calls;                              /* the device has less than it claims */
  bool is_flat; /* no node is a graph: each is one step of a build */
  struct syclze__mutable_calls calls;
  uint32_t count;                              /* of `builds` */
  uint32_t making;                             /* builds that threads make, without the lock */
  struct syclze__build builds[SYCLZE__BUILDS]; /* that have lists, the last submitted first */
  struct syclze__executable *late; /* the newest build; null if `builds[0]` is the newest */
  struct syclze__executable *left; /* late builds to be released, by `next` */
};

#if SYCLZE__BODIES

/* Parts that an update replaced, to be released with no lock held. All zero at first. */
struct syclze__replaced {
  struct syclze__nodes nodes;        /* of a build */
  struct syclze__executable *builds; /* by `next` */
  struct syclze__new_steps steps;
};

/* Null is allowed. */
SYCLZE_LOCAL ze_result_t syclze__builds_release(struct syclze__executable *builds) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (builds != NULL) {
    struct syclze__executable *build = builds;
    builds = build->next;
    build->next = NULL;
    result = syclze__first_error(result, syclze__build_release(build));
  }
  return result;
}

SYCLZE_INLINE void syclze__replaced_release(struct syclze__replaced *replaced) {
  if (SYCLZE__UNLIKELY(replaced->builds != NULL)) syclze__builds_release(replaced->builds);
  if (SYCLZE__UNLIKELY(replaced->nodes.all != NULL)) syclze__nodes_free(&replaced->nodes);
  syclze__new_steps_release(&replaced->steps);
}

/* Shows the list of a build, or none, as the graph's. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN void syclze__updatable_show(
    struct syclze__executable *graph, const struct syclze__executable *build) {
  SYCLZE__HELD(&graph->updatable->lock);
  struct syclze__accesses_lock *lock = syclze__memory_lock(&graph->order->memory);
  syclze__lock_acquire(&lock->word);
  struct syclze__queue_state *owner = syclze__accesses_of(&graph->order->memory)->owner;
  if (owner != NULL) syclze__lock_acquire(&owner->lock);
  graph->list = build != NULL ? build->list : NULL;
  graph->shown = build != NULL ? build->runs : NULL;
  if (owner != NULL) syclze__lock_release(&owner->lock);
  syclze__lock_release(&lock->word);
}

/* Marks the nodes as changed since the builds were made. */
SYCLZE_INLINE void syclze__updatable_change(
    struct syclze__executable *graph, uint32_t first, uint32_t count) {
  SYCLZE__HELD(&graph->updatable->lock);
  struct syclze__updatable *updatable = graph->updatable;
  for (uint32_t i = 0; i < updatable->count; i++) {
    struct syclze__build *build = &updatable->builds[i];
    if (build->first > first) build->first = first;
    if (build->end < first + count) build->end = first + count;
  }
  if (!updatable->is_changed) syclze__updatable_show(graph, NULL);
  updatable->is_changed = true;
  updatable->changes++;
}

SYCLZE_LOCAL ze_result_t syclze__updatable_free(struct syclze__updatable *updatable) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (updatable == NULL) return result;
  for (uint32_t i = 0; i < updatable->count; i++)
    result = syclze__first_error(result, syclze__build_release(updatable->builds[i].rep));
  result = syclze__first_error(result, syclze__build_release(updatable->late));
  result = syclze__first_error(result, syclze__builds_release(updatable->left));
  free(updatable);
  return result;
}

/* Moves late builds to `taken`, if no submission has them and their work has a marker, without
 * which their release could fail. */
SYCLZE_LOCAL_WARM void syclze__updatable_take(
    struct syclze__updatable *updatable, struct syclze__executable **taken) {
  SYCLZE__HELD(&updatable->lock);
  struct syclze__executable **link = &updatable->left;
  while (*link != NULL) {
    struct syclze__executable *build = *link;
    struct syclze__memory *order = &build->order->memory;
    if (__atomic_load_n(&order->ref.others, __ATOMIC_ACQUIRE) != 0 ||
        syclze__accesses_cover(order) != ZE_RESULT_SUCCESS) {
      link = &build->next;
      continue;
    }
    *link = build->next;
    build->next = *taken;
    *taken = build;
  }
}

/* Makes the build, which has the graph's nodes and is not in `builds`, the newest. */
SYCLZE_INLINE void syclze__updatable_install(
    struct syclze__updatable *updatable, struct syclze__executable *newest) {
  SYCLZE__HELD(&updatable->lock);
  if (SYCLZE__UNLIKELY(updatable->late != NULL)) {
    updatable->late->next = updatable->left;
    updatable->left = updatable->late;
  }
  updatable->late = newest->is_late ? newest : NULL;
  if (newest->is_late) return;
  const struct syclze__build build = {newest, UINT32_MAX, 0};
  for (uint32_t i = updatable->count++; i > 0; i--)
    updatable->builds[i] = updatable->builds[i - 1];
  updatable->builds[0] = build;
}

/* True if the oldest build is idle; no other build is idle before it. */
SYCLZE_INLINE bool syclze__updatable_has_idle(const struct syclze__updatable *updatable) {
  SYCLZE__HELD(&updatable->lock);
  return updatable->count > 0 && syclze__build_is_idle(updatable->builds[updatable->count - 1].rep);
}

/* Drops the oldest build, which is idle, and keeps its lists. */
SYCLZE_LOCAL_WARM void syclze__updatable_strip(
    struct syclze__updatable *updatable, struct syclze__replaced *replaced) {
  struct syclze__executable *build = updatable->builds[--updatable->count].rep;
  SYCLZE__HELD(&updatable->lock);
  syclze__executable_strip(build);
  build->next = replaced->builds;
  replaced->builds = build;
}

/* Updates the oldest build, which is idle, in place; false if that cannot be done. */
SYCLZE_INLINE bool syclze__updatable_reuse(
    struct syclze__executable *graph, struct syclze__replaced *replaced) {
  struct syclze__updatable *updatable = graph->updatable;
  SYCLZE__HELD(&updatable->lock);
  struct syclze__build *oldest = &updatable->builds[updatable->count - 1];
  struct syclze__executable *rep = oldest->rep;
  if (rep->commands == NULL ||
      !syclze__build_try(oldest, &graph->nodes, updatable->is_flat, &replaced->steps))
    return false;
  updatable->count--;
  syclze__updatable_install(updatable, rep);
  return true;
}

/* Makes a build of the nodes, in place of the one that was stripped or beside the newest, with the
 * lock released: other threads may change the graph meanwhile. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__status syclze__updatable_build(
    struct syclze__executable *graph, const struct syclze__replaced *replaced, bool is_late,
    struct syclze__executable **build) {
  struct syclze__updatable *updatable = graph->updatable;
  struct syclze__memory *order = &graph->order->memory;
  struct syclze__executable *former = replaced->builds;
  if (former == NULL && updatable->count > 0) former = updatable->builds[0].rep;
  struct syclze__executable_input input = {order->context, graph->device, &replaced->nodes, order,
      NULL, former, graph->queues, is_late, graph->is_timed};
  SYCLZE__HELD(&updatable->lock);
  /* With a reference it is not idle, and no thread updates it. */
  if (former != NULL) syclze__memory_retain(&former->order->memory);
  if (updatable->calls.next != NULL && !updatable->lacks_calls) input.calls = &updatable->calls;
  if (!is_late) updatable->making++;
  syclze__lock_release(&updatable->lock);
  struct syclze__status status = syclze__executable_create(&input, build);
  const bool lacks_calls =
      status.result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE && input.calls != NULL;
  if (lacks_calls) {
    input.calls = NULL;
    status = syclze__executable_create(&input, build);
  }
  syclze__lock_acquire(&updatable->lock);
  if (!is_late) updatable->making--;
  if (lacks_calls) updatable->lacks_calls = true;
  syclze__build_release(former);
  return status;
}

/* Keeps a build of former nodes for a later update, as the oldest. */
SYCLZE_LOCAL void syclze__updatable_keep(struct syclze__executable *graph,
    struct syclze__executable *build, struct syclze__replaced *replaced) {
  struct syclze__updatable *updatable = graph->updatable;
  SYCLZE__HELD(&updatable->lock);
  if (build->is_late) {
    build->next = replaced->builds;
    replaced->builds = build;
    return;
  }
  const struct syclze__build oldest = {build, 0, graph->nodes.count};
  updatable->builds[updatable->count++] = oldest;
}

/* Makes the newest build. If the nodes change while the lock is released, `is_changed` stays. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__updatable_renew(
    struct syclze__executable *graph, struct syclze__replaced *replaced) {
  struct syclze__updatable *updatable = graph->updatable;
  SYCLZE__HELD(&updatable->lock);
  struct syclze__executable *created = NULL;
  const uint64_t changes = updatable->changes;
  const bool is_late = updatable->count + updatable->making == SYCLZE__BUILDS;
  if (!syclze__nodes_copy(&replaced->nodes, &graph->nodes)) return syclze__out_of_memory();
  const struct syclze__status status = syclze__updatable_build(graph, replaced, is_late, &created);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (updatable->is_changed && updatable->changes == changes) {
    syclze__updatable_install(updatable, created);
    updatable->is_changed = false;
  } else
    syclze__updatable_keep(graph, created, replaced);
  return status;
}

/* Drops idle builds beyond the number that is kept. */
SYCLZE_LOCAL_WARM void syclze__updatable_trim(
    struct syclze__updatable *updatable, struct syclze__replaced *replaced) {
  const uint32_t kept =
      updatable->calls.next != NULL && !updatable->lacks_calls ? SYCLZE__IDLE_BUILDS : 1;
  SYCLZE__HELD(&updatable->lock);
  while (updatable->count > kept && syclze__updatable_has_idle(updatable))
    syclze__updatable_strip(updatable, replaced);
}

/* Brings the newest build up to date. If the nodes change meanwhile, `is_changed` stays.
 */
SYCLZE_LOCAL_WARM struct syclze__status syclze__updatable_commit(
    struct syclze__executable *graph, struct syclze__replaced *replaced) {
  struct syclze__updatable *updatable = graph->updatable;
  SYCLZE__HELD(&updatable->lock);
  struct syclze__status status = syclze__allowed();
  const bool has_idle = syclze__updatable_has_idle(updatable);
  if (has_idle && syclze__updatable_reuse(graph, replaced))
    updatable->is_changed = false;
  else {
    if (has_idle) syclze__updatable_strip(updatable, replaced);
    status = syclze__updatable_renew(graph, replaced);
  }
  if (SYCLZE__UNLIKELY(updatable->count > 1)) syclze__updatable_trim(updatable, replaced);
  if (!updatable->is_changed)
    syclze__updatable_show(graph, updatable->late != NULL ? NULL : updatable->builds[0].rep);
  return status;
}

/* Makes a graph with nodes updatable. */
SYCLZE_LOCAL struct syclze__status syclze__updatable_create(struct syclze__executable *graph) {
  struct syclze__replaced replaced;
  struct syclze__updatable *updatable =
      (struct syclze__updatable *)calloc(1, sizeof *graph->updatable);
  graph->updatable = updatable;
  graph->kernel_owner = syclze__kernel_owner_create();
  graph->queues = syclze__graph_queues_new();
  if (updatable == NULL || graph->kernel_owner == NULL || graph->queues == NULL)
    return syclze__out_of_memory();
  updatable->calls = syclze__mutable_find(graph->device);
  updatable->is_flat = true;
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.all[i]->subgraph != NULL) updatable->is_flat = false;
  graph->order = syclze__executable_order(graph);
  if (graph->order == NULL) return syclze__out_of_memory();
  memset(&replaced, 0, sizeof replaced);
  updatable->is_changed = true;
  syclze__lock_acquire(&updatable->lock);
  const struct syclze__status status = syclze__updatable_commit(graph, &replaced);
  syclze__lock_release(&updatable->lock);
  syclze__replaced_release(&replaced);
  /* All builds have a list to append, or none has. */
  if (status.result == ZE_RESULT_SUCCESS) graph->append = updatable->builds[0].rep->append;
  return status;
}

/* Brings the graph up to date. If `build` is not null, it is set to the build to submit, and the
 * caller gets a reference to its memory object. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__updatable_refresh(
    struct syclze__executable *graph, struct syclze__executable **build) {
  struct syclze__updatable *updatable = graph->updatable;
  struct syclze__status status = syclze__allowed();
  bool is_done = false;
  while (!is_done) {
    SYCLZE__ZEROED(struct syclze__replaced, replaced);
    syclze__lock_acquire(&updatable->lock);
    if (updatable->is_changed) status = syclze__updatable_commit(graph, &replaced);
    is_done = status.result != ZE_RESULT_SUCCESS || !updatable->is_changed;
    if (is_done && build != NULL && status.result == ZE_RESULT_SUCCESS) {
      *build = updatable->late != NULL ? updatable->late : updatable->builds[0].rep;
      syclze__memory_retain(&(*build)->order->memory);
    }
    if (SYCLZE__UNLIKELY(updatable->left != NULL))
      syclze__updatable_take(updatable, &replaced.builds);
    syclze__lock_release(&updatable->lock);
    syclze__replaced_release(&replaced);
  }
  return status;
}

/* Drops the reference of a submission. */
SYCLZE_LOCAL_WARM void syclze__updatable_drop(
    struct syclze__updatable *updatable, struct syclze__executable *build) {
  syclze__build_release(build);
  struct syclze__executable *builds = NULL;
  syclze__lock_acquire(&updatable->lock);
  syclze__updatable_take(updatable, &builds);
  syclze__lock_release(&updatable->lock);
  syclze__builds_release(builds);
}

#endif

SYCLZE_EXTERN_C_END

#include "finalize.h"

#endif
