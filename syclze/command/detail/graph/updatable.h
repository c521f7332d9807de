/* Executable graphs that are updated.
 *
 * Such a graph has no command list, but builds: executable graphs of its nodes as they were at some
 * time. An update replaces nodes. The next submission brings a build up to date: a mutable list
 * that does not run is updated, else all lists are recorded anew; a build that is replaced so ends
 * when it has run. So no list is changed while it runs, or while a thread submits it. Each build
 * writes the graph's memory object too, and only one of them runs at a time.
 *
 * Two builds are kept where lists are mutable: one may run while the other is updated.
 *
 * A build that is replaced is released once it is known which events its work ends with. Where a
 * marker for that cannot be appended, or a submission has the build, later calls release it.
 *
 * A build is made of a copy of the nodes, with no lock held: it calls the functions of native
 * commands. One that is not of the newest nodes any more by then is dropped.
 *
 * While the newest build is up to date, the graph shows its list: the queue that owns the graph's
 * memory object appends that with no lock but its own. So the graph shows another list, or none,
 * only with that queue's lock held.
 *
 * Locks: the graph's, then memory objects, then a queue. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_UPDATABLE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_UPDATABLE_H

#include "executable.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__BUILDS = 2 };

struct syclze__build {
  struct syclze__executable *rep; /* null for none */
  uint32_t first, end;            /* of the nodes of which the build may have others */
};

struct syclze__updatable {
  SYCLZE__LOCK(SYCLZE__RANK_UPDATED_GRAPH) lock; /* of all that follows, and of the graph's nodes */
  uint64_t changes;                              /* of the nodes */
  bool is_changed;                               /* since the newest build */
  bool lacks_calls;                              /* the device has less than it claims */
  bool is_flat; /* no node is a graph: each is one step of a build */
  struct syclze__mutable_calls calls;
  struct syclze__build builds[SYCLZE__BUILDS]; /* the newest first */
  struct syclze__executable *replaced;         /* builds to be released, by `next` */
  struct syclze__accesses no_accesses;         /* all zero: no queue owns them */
  struct syclze__graph_access hidden;          /* of these: what the graph shows for none */
};

#if SYCLZE__BODIES

/* What an update replaced, to be released without a lock. All zero at first. */
struct syclze__replaced {
  struct syclze__nodes nodes;        /* that a build was made of */
  struct syclze__executable *builds; /* by `next` */
  struct syclze__graph_step *steps;  /* allocated, but for `one` */
  uint32_t step_count;
  struct syclze__graph_step one;
};

SYCLZE_INLINE ze_result_t syclze__build_release(struct syclze__executable *build) {
  return build != NULL ? syclze__memory_release(&build->order->memory) : ZE_RESULT_SUCCESS;
}

/* Null is allowed. */
SYCLZE_LOCAL ze_result_t syclze__builds_release(struct syclze__executable *builds) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  while (builds != NULL) {
    struct syclze__executable *build = builds;
    builds = build->next;
    build->next = NULL;
    const ze_result_t released = syclze__build_release(build);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  return result;
}

SYCLZE_INLINE void syclze__replaced_release(struct syclze__replaced *replaced) {
  if (SYCLZE__UNLIKELY(replaced->builds != NULL)) syclze__builds_release(replaced->builds);
  if (SYCLZE__UNLIKELY(replaced->nodes.all != NULL)) syclze__nodes_free(&replaced->nodes);
  for (uint32_t i = 0; i < replaced->step_count; i++)
    syclze__node_release(replaced->steps[i].node);
  if (replaced->steps != &replaced->one) free(replaced->steps);
}

/* Has the graph show the list of a build, or none. */
SYCLZE_LOCAL_WARM SYCLZE__LOCKS_UNSEEN void syclze__updatable_show(
    struct syclze__executable *graph, const struct syclze__executable *build) {
  SYCLZE__HELD(&graph->updatable->lock);
  struct syclze__accesses_lock *lock = syclze__memory_lock(&graph->order->memory);
  syclze__lock_acquire(&lock->word);
  struct syclze__queue_state *owner = syclze__accesses_of(&graph->order->memory)->owner;
  if (owner != NULL) syclze__lock_acquire(&owner->lock);
  graph->list = build != NULL ? build->list : NULL;
  graph->accesses = build != NULL ? build->accesses : &graph->updatable->hidden;
  graph->access_count = build != NULL ? build->access_count : 1;
  if (owner != NULL) syclze__lock_release(&owner->lock);
  syclze__lock_release(&lock->word);
}

/* The nodes are no longer those of a build. */
SYCLZE_INLINE void syclze__updatable_change(
    struct syclze__executable *graph, uint32_t first, uint32_t count) {
  SYCLZE__HELD(&graph->updatable->lock);
  struct syclze__updatable *updatable = graph->updatable;
  for (uint32_t i = 0; i < SYCLZE__BUILDS; i++) {
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
  for (uint32_t i = 0; i < SYCLZE__BUILDS; i++) {
    const ze_result_t released = syclze__build_release(updatable->builds[i].rep);
    if (result == ZE_RESULT_SUCCESS) result = released;
  }
  const ze_result_t released = syclze__builds_release(updatable->replaced);
  free(updatable);
  return result == ZE_RESULT_SUCCESS ? released : result;
}

/* Has a later call release the build. */
SYCLZE_INLINE void syclze__updatable_leave(
    struct syclze__updatable *updatable, struct syclze__executable *build) {
  SYCLZE__HELD(&updatable->lock);
  build->next = updatable->replaced;
  updatable->replaced = build;
}

/* Takes the replaced builds that no submission has, and whose work has a marker, so that their
 * release does not fail for want of one. */
SYCLZE_LOCAL_WARM struct syclze__executable *syclze__updatable_take(
    struct syclze__updatable *updatable) {
  SYCLZE__HELD(&updatable->lock);
  struct syclze__executable *taken = NULL, **link = &updatable->replaced;
  while (*link != NULL) {
    struct syclze__executable *build = *link;
    struct syclze__memory *order = &build->order->memory;
    if (__atomic_load_n(&order->ref.others, __ATOMIC_ACQUIRE) != 0 ||
        syclze__accesses_cover(order) != ZE_RESULT_SUCCESS) {
      link = &build->next;
      continue;
    }
    *link = build->next;
    build->next = taken;
    taken = build;
  }
  return taken;
}

/* True if the work of the state up to the position is done. */
SYCLZE_LOCAL_WARM bool syclze__queue_state_has_done(
    struct syclze__queue_state *state, uint64_t position) {
  syclze__lock_acquire(&state->lock);
  const ze_result_t result =
      state->marker_position < position ? syclze__queue_state_mark(state) : ZE_RESULT_SUCCESS;
  const bool is_done = result == ZE_RESULT_SUCCESS &&
                       (state->marker == NULL || syclze__event_is_signalled(state->marker));
  syclze__lock_release(&state->lock);
  return is_done;
}

SYCLZE_INLINE bool syclze__access_list_is_done(struct syclze__access *access) {
  for (; access != NULL; access = access->next)
    if (access->event != NULL
            ? syclze__event_is_open(access->event) || !syclze__event_is_signalled(access->event)
            : !syclze__queue_state_has_done(access->state, access->position))
      return false;
  return true;
}

/* True if all that accesses the memory object is known to be done. */
SYCLZE_LOCAL_WARM bool syclze__accesses_are_done(struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  struct syclze__queue_state *state = all->owner != NULL ? all->owner : all->former;
  bool is_done = all->unfinished == NULL || syclze__event_is_signalled(all->unfinished);
  if (is_done && state != NULL) {
    const uint64_t *positions = all->positions;
    is_done = syclze__queue_state_has_done(
        state, positions[0] > positions[1] ? positions[0] : positions[1]);
  }
  is_done = is_done && syclze__access_list_is_done(all->writers) &&
            syclze__access_list_is_done(all->readers);
  syclze__lock_release(&all->lock.word);
  return is_done;
}

/* True if the build neither runs nor is being submitted. With the graph's lock. */
SYCLZE_INLINE bool syclze__build_is_idle(const struct syclze__executable *build) {
  return __atomic_load_n(&build->order->memory.ref.others, __ATOMIC_ACQUIRE) == 0 &&
         syclze__accesses_are_done(syclze__accesses_of(&build->order->memory));
}

/* True if the second node does the same as the first, but for what a mutable list updates. */
SYCLZE_INLINE bool syclze__step_is_updated(const struct syclze__mutable_command *command,
    const struct syclze__node *before, const struct syclze__node *node) {
  if (before == node) return true;
  if (node->kind != before->kind || node->command != NULL) {
    if (command->list == NULL || !syclze__node_is_launch(node) || !syclze__node_is_launch(before))
      return false;
    return node->command->kernel == before->command->kernel &&
           syclze__node_launch(node)->count == syclze__node_launch(before)->count;
  }
  return node->kind == SYCLZE__SUBMISSION_HOST || node->kind == SYCLZE__SUBMISSION_BARRIER;
}

/* True if the nodes access the same, in the same way. */
SYCLZE_INLINE bool syclze__nodes_access_alike(
    const struct syclze__node *a, const struct syclze__node *b) {
  bool alike = a->accessor_count == b->accessor_count;
  for (uint32_t i = 0; i < a->accessor_count && alike; i++)
    alike =
        a->accessors[i].memory == b->accessors[i].memory &&
        syclze__access_mode_whole(&a->accessors[i]) == syclze__access_mode_whole(&b->accessors[i]);
  return alike;
}

/* True if the nodes together access what the build does. */
SYCLZE_LOCAL bool syclze__build_accesses(
    const struct syclze__executable *build, const struct syclze__nodes *nodes) {
  enum { OWN = 2 }; /* accessors of no node */
  uint32_t count = 0;
  syclze_accessor *joined = syclze__nodes_join(nodes, &count);
  if (joined == NULL) return false;
  bool same = count + OWN == build->accessor_count;
  for (uint32_t i = 0; i < count && same; i++)
    same = joined[i].memory == build->accessors[OWN + i].memory &&
           joined[i].mode == build->accessors[OWN + i].mode;
  free(joined);
  return same;
}

/* Other steps of a build, in the place of those from the first on. */
struct syclze__new_steps {
  uint32_t first, count;
  struct syclze__graph_step *all;
};

/* True if an update of the build's lists makes these steps of it, with the same accesses. */
SYCLZE_INLINE bool syclze__build_takes(const struct syclze__executable *build,
    const struct syclze__nodes *nodes, const struct syclze__new_steps *steps) {
  const struct syclze__graph_step *before = build->steps + steps->first;
  bool alike = true;
  for (uint32_t i = 0; i < steps->count; i++) {
    if (!syclze__step_is_updated(
            &build->commands[steps->first + i], before[i].node, steps->all[i].node))
      return false;
    alike = alike && (before[i].node == steps->all[i].node ||
                         syclze__nodes_access_alike(before[i].node, steps->all[i].node));
  }
  return alike || syclze__build_accesses(build, nodes);
}

/* Updates the launches of one list, and closes it. */
SYCLZE_LOCAL_WARM ze_result_t syclze__build_update_list(const struct syclze__executable *build,
    ze_command_list_handle_t list, const struct syclze__new_steps *steps,
    struct syclze__mutable_value *values) {
  struct syclze__mutable_chain chain = {
      {(ze_structure_type_t)SYCLZE__MUTABLE_COMMANDS, NULL, 0}, values, 0};
  const struct syclze__graph_step *before = build->steps + steps->first;
  const struct syclze__mutable_command *commands = build->commands + steps->first;
  for (uint32_t i = 0; i < steps->count; i++)
    if (before[i].node != steps->all[i].node && commands[i].list == list)
      syclze__mutable_add_launch(&chain, commands[i].id, syclze__node_launch(before[i].node),
          syclze__node_launch(steps->all[i].node));
  if (chain.count == 0) return ZE_RESULT_SUCCESS;
  const ze_result_t result = build->calls->update(list, &chain.head);
  return result == ZE_RESULT_SUCCESS ? SYCLZE__ZE(zeCommandListClose)(list) : result;
}

/* Updates all lists, which take the steps. */
SYCLZE_LOCAL_WARM ze_result_t syclze__build_update(
    const struct syclze__executable *build, const struct syclze__new_steps *steps) {
  enum { SHAPE = 3, FEW = 8 }; /* descriptors of a launch besides its arguments */
  const struct syclze__graph_part *parts = syclze__executable_parts(build);
  struct syclze__mutable_value few[FEW], *values = few;
  uint32_t most = 0;
  for (uint32_t i = 0; i < steps->count; i++) {
    const struct syclze__node *node = steps->all[i].node;
    if (build->steps[steps->first + i].node != node && syclze__node_is_launch(node))
      most += SHAPE + syclze__node_launch(node)->count;
  }
  if (most > FEW) values = (struct syclze__mutable_value *)malloc(most * sizeof *values);
  if (values == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < build->part_count && result == ZE_RESULT_SUCCESS; i++)
    if (parts[i].list != NULL)
      result = syclze__build_update_list(build, parts[i].list, steps, values);
  if (values != few) free(values);
  return result;
}

/* The host tasks of the build are those of the steps. */
SYCLZE_LOCAL void syclze__build_replace_tasks(
    struct syclze__executable *build, const struct syclze__new_steps *steps) {
  struct syclze__graph_part *parts = syclze__executable_parts(build);
  for (uint32_t i = 0; i < build->part_count; i++)
    for (uint32_t j = 0; j < steps->count && parts[i].task != NULL; j++)
      if (parts[i].task == build->steps[steps->first + j].node) {
        parts[i].task = steps->all[j].node;
        break;
      }
}

/* The steps of the nodes that may have changed since the build was made, each with a reference;
 * false if there are others than in the build, or no memory. */
SYCLZE_INLINE bool syclze__new_steps_get(const struct syclze__executable *graph,
    const struct syclze__build *build, struct syclze__replaced *replaced,
    struct syclze__new_steps *steps) {
  const struct syclze__nodes *nodes = &graph->nodes;
  const bool is_flat = graph->updatable->is_flat;
  steps->first = is_flat ? build->first : 0;
  steps->count = is_flat ? build->end - build->first : build->rep->step_count;
  if (!is_flat && steps->count != syclze__nodes_count_steps(nodes)) return false;
  steps->all = steps->count <= 1
                   ? &replaced->one
                   : (struct syclze__graph_step *)malloc(steps->count * sizeof *steps->all);
  if (steps->all == NULL) return false;
  const struct syclze__nodes some = {steps->count, 0, nodes->all + steps->first};
  syclze__nodes_flatten(
      is_flat ? &some : nodes, syclze__nodes_levels(nodes) + steps->first, steps->all);
  replaced->steps = steps->all;
  replaced->step_count = steps->count;
  return true;
}

/* Updates an idle build to the graph's nodes; false, with `*is_broken` set after a failed call, if
 * it is not up to date afterwards. */
SYCLZE_LOCAL_WARM bool syclze__build_try(struct syclze__executable *graph,
    struct syclze__build *build, struct syclze__replaced *replaced, bool *is_broken) {
  SYCLZE__HELD(&graph->updatable->lock);
  struct syclze__new_steps steps;
  struct syclze__executable *rep = build->rep;
  if (!syclze__new_steps_get(graph, build, replaced, &steps)) return false;
  if (!syclze__build_takes(rep, &graph->nodes, &steps)) return false;
  if (syclze__build_update(rep, &steps) != ZE_RESULT_SUCCESS) {
    *is_broken = true;
    return false;
  }
  if (rep->list == NULL) syclze__build_replace_tasks(rep, &steps);
  for (uint32_t i = 0; i < steps.count; i++) {
    struct syclze__graph_step *step = &rep->steps[steps.first + i];
    const struct syclze__graph_step before = *step;
    *step = steps.all[i];
    steps.all[i] = before;
  }
  return true;
}

/* The build has the graph's nodes. */
SYCLZE_INLINE struct syclze__build syclze__build_of(struct syclze__executable *rep) {
  const struct syclze__build build = {rep, UINT32_MAX, 0};
  return build;
}

/* Brings an idle build up to date, and makes it the first; false if there is none. */
SYCLZE_LOCAL_WARM bool syclze__updatable_reuse(
    struct syclze__executable *graph, struct syclze__replaced *replaced) {
  SYCLZE__HELD(&graph->updatable->lock);
  struct syclze__build *builds = graph->updatable->builds;
  for (uint32_t i = 0; i < SYCLZE__BUILDS; i++) {
    struct syclze__executable *rep = builds[i].rep;
    bool is_broken = false;
    if (rep == NULL || rep->commands == NULL || !syclze__build_is_idle(rep)) continue;
    if (syclze__build_try(graph, &builds[i], replaced, &is_broken)) {
      builds[i] = builds[0];
      builds[0] = syclze__build_of(rep);
      return true;
    }
    if (is_broken) {
      syclze__updatable_leave(graph->updatable, rep);
      if (i == 0) builds[0] = builds[1];
      builds[1].rep = NULL;
    }
    return false;
  }
  return false;
}

/* A build of the nodes, which another thread may change meanwhile: without the lock. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__status syclze__updatable_build(
    struct syclze__executable *graph, const struct syclze__nodes *nodes,
    struct syclze__executable **build) {
  struct syclze__updatable *updatable = graph->updatable;
  struct syclze__memory *order = &graph->order->memory;
  struct syclze__executable_input input = {
      order->context, graph->device, nodes, order, NULL, false};
  SYCLZE__HELD(&updatable->lock);
  if (updatable->calls.next != NULL && !updatable->lacks_calls) input.calls = &updatable->calls;
  syclze__lock_release(&updatable->lock);
  struct syclze__status status = syclze__executable_create(&input, build);
  const bool lacks_calls =
      status.result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE && input.calls != NULL;
  if (lacks_calls) {
    input.calls = NULL;
    status = syclze__executable_create(&input, build);
  }
  syclze__lock_acquire(&updatable->lock);
  if (lacks_calls) updatable->lacks_calls = true;
  return status;
}

/* The build becomes the first. */
SYCLZE_INLINE void syclze__updatable_install(
    struct syclze__updatable *updatable, struct syclze__executable *created) {
  struct syclze__build *builds = updatable->builds;
  struct syclze__executable *last = builds[1].rep;
  SYCLZE__HELD(&updatable->lock);
  if (last != NULL || created->commands != NULL)
    builds[1] = builds[0];
  else
    last = builds[0].rep;
  if (last != NULL) syclze__updatable_leave(updatable, last);
  builds[0] = syclze__build_of(created);
}

/* Has the first build be up to date, unless the nodes change while the lock is released: then
 * `is_changed` stays. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__updatable_commit(
    struct syclze__executable *graph, struct syclze__replaced *replaced) {
  struct syclze__updatable *updatable = graph->updatable;
  SYCLZE__HELD(&updatable->lock);
  if (!syclze__updatable_reuse(graph, replaced)) {
    struct syclze__executable *created = NULL;
    const uint64_t changes = updatable->changes;
    if (!syclze__nodes_copy(&replaced->nodes, &graph->nodes)) return syclze__out_of_memory();
    const struct syclze__status status = syclze__updatable_build(graph, &replaced->nodes, &created);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    if (!updatable->is_changed || updatable->changes != changes) {
      syclze__updatable_leave(updatable, created);
      return status;
    }
    syclze__updatable_install(updatable, created);
  }
  updatable->is_changed = false;
  syclze__updatable_show(graph, updatable->builds[0].rep);
  return syclze__allowed();
}

/* Makes a graph that can be updated of one with nodes. */
SYCLZE_LOCAL struct syclze__status syclze__updatable_create(
    struct syclze__executable *graph, struct syclze__context *context) {
  struct syclze__replaced replaced;
  struct syclze__updatable *updatable =
      (struct syclze__updatable *)calloc(1, sizeof *graph->updatable);
  graph->updatable = updatable;
  graph->kernel_owner = syclze__kernel_owner_create();
  if (updatable == NULL || graph->kernel_owner == NULL) return syclze__out_of_memory();
  updatable->calls = syclze__mutable_find(graph->device);
  updatable->hidden.all = &updatable->no_accesses;
  updatable->is_flat = true;
  for (uint32_t i = 0; i < graph->nodes.count; i++)
    if (graph->nodes.all[i]->subgraph != NULL) updatable->is_flat = false;
  graph->order = syclze__executable_order(graph, context);
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

/* Brings the graph up to date. The build to submit, which is not null, then has one reference more
 * to its memory object, which is the caller's. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__updatable_refresh(
    struct syclze__executable *graph, struct syclze__executable **build) {
  struct syclze__updatable *updatable = graph->updatable;
  struct syclze__status status = syclze__allowed();
  bool is_done = false;
  while (!is_done) {
    struct syclze__replaced replaced;
    memset(&replaced, 0, sizeof replaced);
    syclze__lock_acquire(&updatable->lock);
    if (updatable->is_changed) status = syclze__updatable_commit(graph, &replaced);
    is_done = status.result != ZE_RESULT_SUCCESS || !updatable->is_changed;
    if (is_done && build != NULL && status.result == ZE_RESULT_SUCCESS) {
      *build = updatable->builds[0].rep;
      syclze__memory_retain(&(*build)->order->memory);
    }
    if (SYCLZE__UNLIKELY(updatable->replaced != NULL))
      replaced.builds = syclze__updatable_take(updatable);
    syclze__lock_release(&updatable->lock);
    syclze__replaced_release(&replaced);
  }
  return status;
}

/* Drops the reference of a submission. */
SYCLZE_LOCAL_WARM void syclze__updatable_drop(
    struct syclze__updatable *updatable, struct syclze__executable *build) {
  syclze__build_release(build);
  syclze__lock_acquire(&updatable->lock);
  struct syclze__executable *builds = syclze__updatable_take(updatable);
  syclze__lock_release(&updatable->lock);
  syclze__builds_release(builds);
}

/* The rule that the finalization of a graph breaks. */
SYCLZE_LOCAL struct syclze__status syclze__check_finalize(
    const struct syclze__graph *graph, uint32_t flags) {
  const uint32_t both = SYCLZE_GRAPH_UPDATABLE | SYCLZE_GRAPH_DRIVER_CAPTURE;
  if (graph == NULL) return syclze__null_handle("the graph is null");
  if ((flags & ~both) != 0)
    return syclze__status_of(
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "the flags of an executable graph are unknown");
  if (flags == both) return syclze__invalid("a graph that the driver captures cannot be updated");
  return syclze__check_fork();
}

SYCLZE_LOCAL struct syclze__status syclze__graph_finalize(
    struct syclze__graph *graph, uint32_t flags, struct syclze__executable **executable) {
  struct syclze__nodes nodes;
  struct syclze__executable_input input = {graph->context, graph->device, &nodes, NULL, NULL,
      (flags & SYCLZE_GRAPH_DRIVER_CAPTURE) != 0};
  struct syclze__status status = syclze__out_of_memory();
  struct syclze__executable *created = NULL;
  syclze__lock_acquire(&graph->lock);
  const bool copied = syclze__nodes_take(&nodes, graph->nodes, graph->node_count, graph->order);
  syclze__lock_release(&graph->lock);
  if (!copied) return status;
  if ((flags & SYCLZE_GRAPH_UPDATABLE) == 0)
    status = syclze__executable_create(&input, &created);
  else {
    created = syclze__executable_alloc(graph->context, graph->device);
  }
  if (created == NULL) {
    syclze__nodes_free(&nodes);
    return status;
  }
  created->nodes = nodes;
  if ((flags & SYCLZE_GRAPH_UPDATABLE) != 0) {
    status = syclze__updatable_create(created, graph->context);
    if (status.result != ZE_RESULT_SUCCESS) {
      if (created->order != NULL)
        syclze__memory_release(&created->order->memory);
      else
        syclze__executable_free(created);
      created = NULL;
    }
  }
  *executable = created;
  return status;
}

SYCLZE_COLD ze_result_t syclze_graph_finalize(
    syclze_graph graph, uint32_t flags, syclze_executable_graph *executable) {
  const char *const function = "syclze_graph_finalize";
  if (executable == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  executable->rep = NULL;
  struct syclze__status status = syclze__check_finalize(graph.rep, flags);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__graph_finalize(graph.rep, flags, &executable->rep);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(
      status.result, function, status.rule, graph.rep != NULL ? graph.rep->context->native : NULL);
}

#endif

SYCLZE_EXTERN_C_END

#include "submit.h"

#endif
