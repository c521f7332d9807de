/* Builds: executable graphs of the nodes that an updatable graph had at some time, and their update
 * in place (updatable.h). */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_BUILD_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_BUILD_H

#include "executable.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__build {
  struct syclze__executable *rep;
  uint32_t first, end; /* of the nodes that may differ from the build's */
};

#if SYCLZE__BODIES

SYCLZE_INLINE ze_result_t syclze__build_release(struct syclze__executable *build) {
  return build != NULL ? syclze__memory_release(&build->order->memory) : ZE_RESULT_SUCCESS;
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
  for (; access != NULL; access = access->next) {
    if (syclze__access_is_of_runs(access)) syclze__access_leave_runs(access);
    if (access->event != NULL
            ? syclze__event_is_open(access->event) || !syclze__event_is_signalled(access->event)
            : !syclze__queue_state_has_done(access->state, access->position))
      return false;
  }
  return true;
}

/* True if all accesses to the memory object are known to be done. */
SYCLZE_LOCAL_WARM bool syclze__accesses_are_done(struct syclze__accesses *all) {
  syclze__lock_acquire(&all->lock.word);
  struct syclze__queue_state *state = all->owner != NULL ? all->owner : all->former;
  bool is_done = all->unfinished == NULL || syclze__event_is_signalled(all->unfinished);
  if (is_done && state != NULL) {
    /* Runs of graphs set those of an object that orders them, too. */
    const uint64_t *positions = all->positions;
    is_done = syclze__queue_state_has_done(
        state, positions[0] > positions[1] ? positions[0] : positions[1]);
  }
  is_done = is_done && syclze__access_list_is_done(all->writers) &&
            syclze__access_list_is_done(all->readers);
  syclze__lock_release(&all->lock.word);
  return is_done;
}

/* True if the build neither runs nor is being submitted. Needs the graph's lock. */
SYCLZE_INLINE bool syclze__build_is_idle(const struct syclze__executable *build) {
  return __atomic_load_n(&build->order->memory.ref.others, __ATOMIC_ACQUIRE) == 0 &&
         syclze__accesses_are_done(syclze__accesses_of(&build->order->memory));
}

/* True if the command can be updated to another kernel and its launch, which has no arguments but
 * those of the native kernel if it has none of a kernel with some. */
SYCLZE_LOCAL bool syclze__command_takes(
    const struct syclze__mutable_command *command, const struct syclze__launch *launch) {
  const struct syclze__mutable_kernels *kernels = command->kernels;
  const struct syclze__kernel *kernel = launch->command.kernel;
  const uint64_t arguments = __atomic_load_n(&kernel->arguments, __ATOMIC_RELAXED);
  const bool is_native = launch->count == 0 && (uint32_t)arguments != 1;
  bool is_given = false;
  if (kernels == NULL || is_native) return false;
  for (uint32_t i = 0; i < kernels->count; i++)
    is_given = is_given || kernels->all[i] == kernel;
  return is_given && kernels->are_given;
}

/* True if the nodes differ only in what a mutable list can update. */
SYCLZE_INLINE bool syclze__step_is_updated(const struct syclze__mutable_command *command,
    const struct syclze__node *before, const struct syclze__node *node) {
  if (before == node) return true;
  if (node->kind != before->kind || node->command != NULL) {
    if (command->list == NULL || !syclze__node_is_launch(node) || !syclze__node_is_launch(before))
      return false;
    if (node->command->kernel != before->command->kernel)
      return syclze__command_takes(command, syclze__node_launch(node));
    return syclze__node_launch(node)->count == syclze__node_launch(before)->count;
  }
  return node->kind == SYCLZE__SUBMISSION_HOST || node->kind == SYCLZE__SUBMISSION_BARRIER;
}

/* True if the nodes have the same accesses. */
SYCLZE_INLINE bool syclze__nodes_access_alike(
    const struct syclze__node *a, const struct syclze__node *b) {
  bool alike = a->accessor_count == b->accessor_count;
  for (uint32_t i = 0; i < a->accessor_count && alike; i++)
    alike =
        a->accessors[i].memory == b->accessors[i].memory &&
        syclze__access_mode_whole(&a->accessors[i]) == syclze__access_mode_whole(&b->accessors[i]);
  return alike;
}

/* True if the nodes together have the accesses of the build. */
SYCLZE_LOCAL bool syclze__build_accesses(
    const struct syclze__executable *build, const struct syclze__nodes *nodes) {
  enum { OWN = 2 }; /* accessors of no node */
  uint32_t count = 0;
  syclze_accessor *joined = (syclze_accessor *)syclze__nodes_join(nodes, 0, &count);
  if (joined == NULL) return false;
  const syclze_accessor *own = syclze__runs_accessors(build->runs) + OWN;
  bool same = count + OWN == build->runs->accessor_count;
  for (uint32_t i = 0; i < count && same; i++)
    same = joined[i].memory == own[i].memory && joined[i].mode == own[i].mode;
  free(joined);
  return same;
}

/* New steps of a build, which replace its steps from the first on. */
struct syclze__new_steps {
  uint32_t first, count;
  struct syclze__graph_step *all; /* allocated, unless it is `one` */
  struct syclze__graph_step one;
};

/* True if the build's lists can be updated to these steps, with the same accesses. */
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

/* Updates the kernel of a command, which belongs to the build meanwhile. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__build_update_kernel(
    const struct syclze__executable *build, const struct syclze__mutable_command *command,
    struct syclze__kernel *kernel) {
  uint64_t id = command->id;
  ze_kernel_handle_t native = kernel->native;
  ze_result_t result = syclze__executable_lock(build, kernel);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = build->calls->update_kernels(command->list, 1, &id, &native);
  syclze__lock_release(&build->kernel_owner->lock);
  return result;
}

/* Updates the launches of one list, their kernels first, and closes it. */
SYCLZE_LOCAL_WARM ze_result_t syclze__build_update_list(const struct syclze__executable *build,
    ze_command_list_handle_t list, const struct syclze__new_steps *steps,
    struct syclze__mutable_value *values) {
  struct syclze__mutable_chain chain = {
      {(ze_structure_type_t)SYCLZE__MUTABLE_COMMANDS, NULL, 0}, values, 0};
  const struct syclze__graph_step *before = build->steps + steps->first;
  const struct syclze__mutable_command *commands = build->commands + steps->first;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < steps->count && result == ZE_RESULT_SUCCESS; i++) {
    if (before[i].node == steps->all[i].node || commands[i].list != list) continue;
    const struct syclze__launch *launch = syclze__node_launch(steps->all[i].node);
    const struct syclze__launch *was = syclze__node_launch(before[i].node);
    if (launch->command.kernel == was->command.kernel)
      syclze__mutable_add_launch(&chain, commands[i].id, was, launch);
    else {
      result = syclze__build_update_kernel(build, &commands[i], launch->command.kernel);
      syclze__mutable_add_all(&chain, commands[i].id, launch);
    }
  }
  if (result == ZE_RESULT_SUCCESS && chain.count == 0) return result;
  if (result == ZE_RESULT_SUCCESS) result = build->calls->update(list, &chain.head);
  return result == ZE_RESULT_SUCCESS ? SYCLZE__ZE(zeCommandListClose)(list) : result;
}

/* Updates all lists to the steps. */
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

/* Lists the steps of the nodes that may have changed since the build was made, each with a
 * reference; false if their number differs from the build's, or without memory. `is_flat`: no node
 * is a graph. */
SYCLZE_INLINE bool syclze__new_steps_get(const struct syclze__nodes *nodes, bool is_flat,
    const struct syclze__build *build, struct syclze__new_steps *steps) {
  steps->first = is_flat ? build->first : 0;
  steps->count = is_flat ? build->end - build->first : build->rep->step_count;
  if (!is_flat && steps->count != syclze__nodes_count_steps(nodes)) return false;
  steps->all = steps->count <= 1
                   ? &steps->one
                   : (struct syclze__graph_step *)malloc(steps->count * sizeof *steps->all);
  if (steps->all == NULL) return false;
  const struct syclze__nodes some = {steps->count, 0, nodes->all + steps->first};
  syclze__nodes_flatten(
      is_flat ? &some : nodes, syclze__nodes_levels(nodes) + steps->first, steps->all);
  return true;
}

/* Null is allowed for `all`. */
SYCLZE_INLINE void syclze__new_steps_release(struct syclze__new_steps *steps) {
  for (uint32_t i = 0; i < steps->count && steps->all != NULL; i++)
    syclze__node_release(steps->all[i].node);
  if (steps->all != &steps->one) free(steps->all);
}

/* Updates an idle build to the nodes, whose steps then are those that it had; false if it is not up
 * to date afterwards. */
SYCLZE_LOCAL_WARM bool syclze__build_try(struct syclze__build *build,
    const struct syclze__nodes *nodes, bool is_flat, struct syclze__new_steps *steps) {
  struct syclze__executable *rep = build->rep;
  if (!syclze__new_steps_get(nodes, is_flat, build, steps)) return false;
  if (!syclze__build_takes(rep, nodes, steps)) return false;
  if (syclze__build_update(rep, steps) != ZE_RESULT_SUCCESS) return false;
  for (uint32_t i = 0; i < steps->count; i++) {
    struct syclze__graph_step *step = &rep->steps[steps->first + i];
    const struct syclze__graph_step before = *step;
    *step = steps->all[i];
    steps->all[i] = before;
  }
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#include "updatable.h"

#endif
