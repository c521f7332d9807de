/* Bodies of graph_update.h: updates of arguments, buffers and ranges. */
#include "../../graph_update.h"

#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_UPDATE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_UPDATE_H

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The rule that an update of the graph breaks. */
SYCLZE_INLINE struct syclze__status syclze__check_updatable(syclze_executable_graph executable) {
  if (executable.rep == NULL) return syclze__null_handle("the executable graph is null");
  if (!SYCLZE__CHECK_ALIVE(executable.rep))
    return syclze__invalid("the executable graph is used after its last release");
  if (executable.rep->updatable == NULL)
    return syclze__invalid("sycl_ext_oneapi_graph: the graph was finalized without "
                           "SYCLZE_GRAPH_UPDATABLE");
  return syclze__check_fork();
}

SYCLZE_LOCAL ze_result_t syclze__update_fail_detail(syclze_executable_graph executable,
    struct syclze__status status, const char *function, const char *detail) {
  return syclze__fail_detail(status.result, function, status.rule,
      executable.rep != NULL ? executable.rep->context->native : NULL,
      detail[0] != '\0' ? detail : NULL);
}

SYCLZE_LOCAL ze_result_t syclze__update_fail(
    syclze_executable_graph executable, struct syclze__status status, const char *function) {
  return syclze__update_fail_detail(executable, status, function, "");
}

/* The changes of an update to a launch. */
struct syclze__launch_update {
  uint32_t index;                  /* of an argument */
  const syclze_argument *argument; /* null unless it is replaced */
  const syclze_nd_range *range;    /* null unless it is replaced */
  struct syclze__buffer *buffer;   /* null unless an accessor's buffer is replaced */
};

/* Replaces the buffer of an argument's accessor in the clone of a node. */
SYCLZE_LOCAL struct syclze__status syclze__node_replace_buffer(struct syclze__node *node,
    uint32_t argument, struct syclze__buffer *buffer, syclze_argument *arguments, uint32_t count) {
  const uint16_t place = syclze__argument_place(&arguments[argument]);
  syclze_accessor *accessor = &node->accessors[place];
  if (accessor->is_part || accessor->is_image)
    return syclze__status_of(
        SYCLZE_RESULT_ERROR_ACCESSOR, "the argument must be an accessor of a whole buffer");
  syclze_accessor replaced =
      syclze__accessor_whole(&buffer->memory, buffer->size, false, accessor->mode);
  replaced.index = accessor->index;
  if (syclze__accessor_writes_back(&replaced))
    return syclze__invalid("sycl_ext_oneapi_graph: a recorded group writes to a buffer that is "
                           "written back to the host");
  const ze_result_t result = syclze__accesses_require(&buffer->memory);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "no memory for the accesses of a memory object");
  syclze__memory_retain(&buffer->memory);
  syclze__memory_release(accessor->memory);
  *accessor = replaced;
  node->memories[place] = buffer->memory.native;
  for (uint32_t i = 0; i < count; i++)
    if (syclze__argument_place(&arguments[i]) == place)
      arguments[i].of.access.native = accessor->native;
  return syclze__allowed();
}

/* The rule that an update of an argument or the range breaks. */
SYCLZE_INLINE struct syclze__status syclze__check_argument(
    const struct syclze__node *node, const struct syclze__launch_update *update) {
  if (update->range != NULL &&
      syclze__nd_range_dimensions(update->range) !=
          syclze__nd_range_dimensions(syclze__node_launch(node)->shape->range))
    return syclze__invalid("sycl_ext_oneapi_graph: the range does not have the dimensions of the "
                           "recorded one");
  if (update->range != NULL) return syclze__allowed();
  if (update->index >= syclze__node_launch(node)->count)
    return syclze__status_of(
        SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, "the launch has no argument of this index");
  const bool was_accessor =
      syclze__argument_place(&syclze__node_launch(node)->arguments[update->index]) != UINT16_MAX;
  if (update->buffer != NULL ? !was_accessor
                             : was_accessor || update->argument->kind == SYCLZE__ARGUMENT_ACCESSOR)
    return syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR,
        update->buffer != NULL ? "the recorded argument must be an accessor"
                               : "the recorded argument and its replacement must not be accessors");
#if SYCLZE__CHECKED
  if (update->argument != NULL)
    return syclze__arguments_check(
        syclze__node_launch(node)->command.kernel, update->argument, update->index, 1, NULL, 0);
#endif
  return syclze__allowed();
}

/* Describes an update that failed. */
SYCLZE_LOCAL void syclze__update_describe(const struct syclze__node *node,
    const struct syclze__launch_update *update, char *text, size_t size) {
  const struct syclze__command *command = &syclze__node_launch(node)->command;
  char name[SYCLZE__NAME_SIZE];
  if (!syclze__kernel_name_in(command->kernel, name)) return;
  if (update->range != NULL)
    snprintf(text, size, "%s", name);
  else if (update->argument == NULL)
    snprintf(text, size, "%s: argument %u", name, update->index);
  else
    snprintf(text, size, "%s: argument %u is %s of %lu bytes", name, update->index,
        syclze__argument_type_string(update->argument->type),
        (unsigned long)update->argument->size);
#if SYCLZE__CHECKED
  if (update->argument != NULL && update->index < syclze__node_launch(node)->count)
    syclze__arguments_check(command->kernel, update->argument, update->index, 1, text, size);
#endif
}

/* Sets the kernel's arguments as in a submission. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__status syclze__launch_try(
    const struct syclze__executable *executable, const struct syclze__command *command) {
  const ze_result_t result = syclze__executable_lock(executable, command->kernel);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "no memory for the use of a kernel");
  const struct syclze__status status = command->table->prepare(command);
  syclze__launch_reset(command);
  syclze__lock_release(&executable->kernel_owner->lock);
  return status;
}

/* Sets the update's changes in the native kernel, as a submission will. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN struct syclze__status syclze__launch_try_update(
    const struct syclze__executable *executable, const struct syclze__node *node,
    const struct syclze__launch_update *update) {
  const struct syclze__launch *launch = syclze__node_launch(node);
  struct syclze__kernel *kernel = launch->command.kernel;
  if (update->argument == NULL) return syclze__launch_try(executable, &launch->command);
  ze_result_t result = syclze__executable_lock(executable, kernel);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "no memory for the use of a kernel");
  const syclze_argument *argument = &launch->arguments[update->index];
  result = SYCLZE__ZE(zeKernelSetArgumentValue)(
      kernel->native, update->index, argument->size, syclze__argument_bytes(argument));
  syclze__lock_release(&executable->kernel_owner->lock);
  return syclze__status_of(result, "zeKernelSetArgumentValue failed");
}

/* The arguments with the update, in `few`, or allocated if `few` is too short. Null without memory.
 */
SYCLZE_INLINE syclze_argument *syclze__arguments_update(const struct syclze__launch *launch,
    const struct syclze__launch_update *update, syclze_argument *few, uint32_t room) {
  syclze_argument *arguments = few;
  if (launch->count > room)
    arguments = (syclze_argument *)malloc(launch->count * sizeof *arguments);
  if (arguments == NULL) return NULL;
  for (uint32_t i = 0; i < launch->count; i++)
    arguments[i] = launch->arguments[i];
  if (update->argument != NULL) arguments[update->index] = *update->argument;
  return arguments;
}

/* Creates a node like `node`, with a launch of these arguments and this shape. Null, or to be
 * released, after an error. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__node_relaunch(const struct syclze__node *node,
    const struct syclze__launch_update *update, syclze_argument *arguments,
    const struct syclze__launch_shape *shape, struct syclze__node **created) {
  struct syclze__launch launch = *syclze__node_launch(node);
  launch.arguments = arguments;
  launch.shape = shape;
  struct syclze__node *copy = syclze__node_clone(node, syclze__command_size(&launch.command));
  if (copy == NULL) return syclze__out_of_memory();
  *created = copy;
  if (update->buffer != NULL) {
    const struct syclze__status status =
        syclze__node_replace_buffer(copy, update->index, update->buffer, arguments, launch.count);
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  return syclze__node_copy(copy, NULL, &launch.command);
}

/* Creates the node with the update, after a check that the driver accepts it. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__node_update(
    const struct syclze__executable *executable, const struct syclze__node *node,
    const struct syclze__launch_update *update, struct syclze__node **created) {
  SYCLZE__HELD(&executable->updatable->lock);
  enum { FEW = 16 };
  syclze_argument few[FEW];
  const struct syclze__launch *launch = syclze__node_launch(node);
  struct syclze__launch_shape shape = *launch->shape;
  struct syclze__node *copy = NULL;
  struct syclze__status status = syclze__check_argument(node, update);
  if (status.result == ZE_RESULT_SUCCESS && update->range != NULL)
    status = syclze__launch_check(launch->command.kernel->native, update->range, &shape);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze_argument *arguments = syclze__arguments_update(launch, update, few, FEW);
  if (arguments == NULL) return syclze__out_of_memory();
  status = syclze__node_relaunch(node, update, arguments, &shape, &copy);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__launch_try_update(executable, copy, update);
  if (arguments != few) free(arguments);
  if (status.result == ZE_RESULT_SUCCESS)
    *created = copy;
  else if (copy != NULL)
    syclze__node_free(copy);
  return status;
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Reports each launch that differs from `before`. */
SYCLZE_LOCAL void syclze__update_trace(const struct syclze__executable *executable,
    struct syclze__node *const *before, uint32_t first, uint32_t count) {
  SYCLZE__HELD(&executable->updatable->lock);
  struct syclze__node **const nodes = executable->nodes.all + first;
  struct syclze__command_trace trace;
  for (uint32_t i = 0; i < count; i++) {
    if (nodes[i] == before[i] || !syclze__node_is_launch(nodes[i])) continue;
    syclze__executable_trace(
        executable->order->memory.context, &syclze__node_launch(nodes[i])->command, &trace);
    SYCLZE__TRACE_CALL(call, GRAPH_UPDATE, SYCLZE__WORD(executable), SYCLZE__WORD(&trace.command),
        SYCLZE__WORD(&nodes[i]));
    (void)SYCLZE__TRACE_RESULT(call, ZE_RESULT_SUCCESS);
  }
}
#endif

/* Reports an update of the nodes, in place of `before`, and marks them as changed. */
SYCLZE_INLINE void syclze__updatable_change_nodes(struct syclze__executable *executable,
    struct syclze__node *const *before, uint32_t first, uint32_t count) {
  SYCLZE__HELD(&executable->updatable->lock);
  syclze__updatable_change(executable, first, count);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_CALLS()) syclze__update_trace(executable, before, first, count);
#else
  (void)before;
#endif
}

/* A node that replaces another. */
struct syclze__replacement {
  uint32_t index;
  struct syclze__node *node;
};

/* Exchanges a node of the graph. */
SYCLZE_INLINE void syclze__executable_exchange(
    struct syclze__executable *executable, struct syclze__replacement *replacement) {
  SYCLZE__HELD(&executable->updatable->lock);
  struct syclze__node **const place = &executable->nodes.all[replacement->index];
  struct syclze__node *const before = *place;
  *place = replacement->node;
  replacement->node = before;
}

/* Replaces a node by the updated one, and sets `replacement` to the node before. */
SYCLZE_INLINE struct syclze__status syclze__executable_update_launch(
    struct syclze__executable *executable, uint32_t index,
    const struct syclze__launch_update *update, struct syclze__replacement *replacement,
    char *detail, size_t size) {
  SYCLZE__HELD(&executable->updatable->lock);
  struct syclze__node *created = NULL;
  if (index >= executable->nodes.count || !syclze__node_is_launch(executable->nodes.all[index]))
    return syclze__invalid("the graph has no such node, or it launches no kernel");
  const struct syclze__node *before = executable->nodes.all[index];
  const struct syclze__status status = syclze__node_update(executable, before, update, &created);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) {
    syclze__update_describe(before, update, detail, size);
    return status;
  }
  replacement->index = index;
  replacement->node = created;
  syclze__executable_exchange(executable, replacement);
  return status;
}

/* Notes the node's accesses to the buffer, as a group's requirements do. */
SYCLZE_LOCAL void syclze__node_note_modes(
    const struct syclze__node *node, struct syclze__buffer *buffer) {
  for (uint32_t i = 0; i < node->accessor_count; i++)
    if (node->accessors[i].memory == &buffer->memory)
      syclze__buffer_note_mode(buffer, node->accessors[i].mode);
}

SYCLZE_INLINE ze_result_t syclze__replacements_release(
    const struct syclze__replacement *all, uint32_t count) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count; i++)
    result = syclze__first_error(result, syclze__node_release(all[i].node));
  return result;
}

/* Updates all launches or none: the arguments at these places, whose index `update` does not
 * contain, or the ranges of their nodes. */
SYCLZE_LOCAL ze_result_t syclze__executable_update_launches(syclze_executable_graph executable,
    const syclze_graph_argument *places, uint32_t count, struct syclze__launch_update *update,
    const char *function) {
  enum { FEW = 4 };
  struct syclze__executable *rep = executable.rep;
  struct syclze__replacement few[FEW], *all = few;
  uint32_t replaced = 0;
  char detail[512];
  detail[0] = '\0';
  struct syclze__status status = syclze__check_updatable(executable);
  if (status.result == ZE_RESULT_SUCCESS && count > FEW) {
    all = (struct syclze__replacement *)malloc(count * sizeof *all);
    if (all == NULL) status = syclze__out_of_memory();
  }
  if (status.result != ZE_RESULT_SUCCESS) return syclze__update_fail(executable, status, function);
  syclze__lock_acquire(&rep->updatable->lock);
  for (uint32_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i++) {
    update->index = places[i].index;
    status = syclze__executable_update_launch(
        rep, places[i].node, update, &all[i], detail, sizeof detail);
    if (status.result == ZE_RESULT_SUCCESS) replaced++;
  }
  for (uint32_t i = 0; i < replaced && status.result == ZE_RESULT_SUCCESS; i++) {
    syclze__updatable_change_nodes(rep, &all[i].node, all[i].index, 1);
    if (update->buffer != NULL)
      syclze__node_note_modes(rep->nodes.all[all[i].index], update->buffer);
  }
  for (uint32_t i = replaced; i-- > 0 && status.result != ZE_RESULT_SUCCESS;)
    syclze__executable_exchange(rep, &all[i]);
  syclze__lock_release(&rep->updatable->lock);
  const ze_result_t released = syclze__replacements_release(all, replaced);
  if (all != few) free(all);
  if (status.result == ZE_RESULT_SUCCESS) return released;
  return syclze__update_fail_detail(executable, status, function, detail);
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update_argument(syclze_executable_graph executable,
    uint32_t node, uint32_t index, const syclze_argument *argument) {
  const char *const function = "syclze_executable_graph_update_argument";
  const syclze_graph_argument place = {node, index};
  struct syclze__launch_update update = {index, argument, NULL, NULL};
  if (argument == NULL)
    return syclze__update_fail(
        executable, syclze__null_pointer("the argument's pointer is null"), function);
  return syclze__executable_update_launches(executable, &place, 1, &update, function);
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update_parameter(syclze_executable_graph executable,
    const syclze_graph_argument *places, uint32_t count, const syclze_argument *value) {
  const char *const function = "syclze_executable_graph_update_parameter";
  struct syclze__launch_update update = {0, value, NULL, NULL};
  if (value == NULL || (places == NULL && count != 0))
    return syclze__update_fail(executable,
        syclze__null_pointer("the value's pointer or the list of arguments is null"), function);
  return syclze__executable_update_launches(executable, places, count, &update, function);
}

/* Replaces the buffers of accessors, all or none. */
SYCLZE_LOCAL ze_result_t syclze__executable_update_buffer(syclze_executable_graph executable,
    const syclze_graph_argument *places, uint32_t count, syclze_buffer buffer,
    const char *function) {
  struct syclze__launch_update update = {0, NULL, NULL, buffer.rep};
  struct syclze__status status = syclze__check_updatable(executable);
  if (status.result == ZE_RESULT_SUCCESS && buffer.rep == NULL)
    status = syclze__null_handle("the buffer is null");
  if (status.result == ZE_RESULT_SUCCESS && !SYCLZE__CHECK_ALIVE(buffer.rep))
    status = syclze__invalid("the buffer is used after its last release");
  if (status.result == ZE_RESULT_SUCCESS && places == NULL && count != 0)
    status = syclze__null_pointer("the list of arguments is null");
  if (status.result == ZE_RESULT_SUCCESS &&
      (buffer.rep->memory.context->native != executable.rep->order->memory.context->native ||
          syclze__buffer_is_view(buffer.rep)))
    status = syclze__invalid("the buffer is of another context than the graph, or part of another");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__update_fail(executable, status, function);
  return syclze__executable_update_launches(executable, places, count, &update, function);
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update_buffer(
    syclze_executable_graph executable, uint32_t node, uint32_t index, syclze_buffer buffer) {
  const syclze_graph_argument place = {node, index};
  return syclze__executable_update_buffer(
      executable, &place, 1, buffer, "syclze_executable_graph_update_buffer");
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update_parameter_buffer(
    syclze_executable_graph executable, const syclze_graph_argument *places, uint32_t count,
    syclze_buffer buffer) {
  return syclze__executable_update_buffer(
      executable, places, count, buffer, "syclze_executable_graph_update_parameter_buffer");
}

SYCLZE_COLD ze_result_t syclze_executable_graph_update_range(
    syclze_executable_graph executable, uint32_t node, const syclze_nd_range *range) {
  const char *const function = "syclze_executable_graph_update_range";
  const syclze_graph_argument place = {node, 0};
  struct syclze__launch_update update = {0, NULL, range, NULL};
  if (range == NULL)
    return syclze__update_fail(
        executable, syclze__null_pointer("the range's pointer is null"), function);
  return syclze__executable_update_launches(executable, &place, 1, &update, function);
}

#endif

SYCLZE_EXTERN_C_END

#endif
