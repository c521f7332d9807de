/* The call of the runtime interface that updates a launch of an executable graph. Its parameter is
 * the updated launch. */
#ifndef SYCLZE_TRACE_GRAPH_UPDATE_H
#define SYCLZE_TRACE_GRAPH_UPDATE_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "commands.h"

SYCLZE_EXTERN_C_BEGIN

/* ur_exp_command_buffer_update_memobj_arg_desc_t and ..._pointer_arg_desc_t. */
struct syclze__ur_new_pointer {
  uint32_t type;
  const void *next;
  uint32_t index;
  const void *properties, *value; /* the memory object, or a pointer to the pointer */
};

/* ur_exp_command_buffer_update_value_arg_desc_t. */
struct syclze__ur_new_value {
  uint32_t type;
  const void *next;
  uint32_t index;
  size_t size;
  const void *properties, *value;
};

enum {
  SYCLZE__UR_NEW_LAUNCH = 0x1001,
  SYCLZE__UR_NEW_MEMORY = 0x1002,
  SYCLZE__UR_NEW_POINTER = 0x1003,
  SYCLZE__UR_NEW_VALUE = 0x1004
};

/* ur_exp_command_buffer_update_kernel_launch_desc_t, and the arrays that it points to. */
struct syclze__ur_new_launch {
  uint32_t type;
  const void *next, *command, *kernel;
  uint32_t memory_count, pointer_count, value_count, dimensions;
  const struct syclze__ur_new_pointer *memories, *pointers;
  const struct syclze__ur_new_value *values;
  const size_t *offset, *global, *local;

  struct syclze__ur_new_pointer pointer_room[2][SYCLZE__XPTI_KERNEL_ARGUMENTS];
  struct syclze__ur_new_value value_room[SYCLZE__XPTI_KERNEL_ARGUMENTS];
};

SYCLZE_LOCAL void syclze__ur_new_argument(struct syclze__ur_new_launch *launch,
    ze_context_handle_t context, const syclze_argument *argument, uint32_t index) {
  const int32_t kind = syclze__xpti_argument_kind(context, argument);
  if (kind == SYCLZE__XPTI_ARGUMENT_POINTER) {
    const struct syclze__ur_new_pointer pointer = {
        SYCLZE__UR_NEW_POINTER, NULL, index, NULL, argument->of.bytes};
    launch->pointer_room[1][launch->pointer_count++] = pointer;
  } else if (kind == SYCLZE__XPTI_ARGUMENT_VALUE || argument->kind == SYCLZE__ARGUMENT_LOCAL) {
    const struct syclze__ur_new_value value = {
        SYCLZE__UR_NEW_VALUE, NULL, index, argument->size, NULL, syclze__argument_bytes(argument)};
    launch->value_room[launch->value_count++] = value;
  } else {
    const struct syclze__ur_new_pointer memory = {
        SYCLZE__UR_NEW_MEMORY, NULL, index, NULL, argument->of.access.memory};
    launch->pointer_room[0][launch->memory_count++] = memory;
  }
}

/* Null without memory. */
SYCLZE_LOCAL struct syclze__ur_new_launch *syclze__ur_new_launch_create(
    const struct syclze__trace_command_info *command, const void *handle) {
  const struct syclze__trace_kernel_info *kernel = command->kernel;
  const syclze_nd_range *range = kernel->range;
  const uint32_t count = syclze__xpti_argument_count(kernel);
  struct syclze__ur_new_launch *launch = (struct syclze__ur_new_launch *)calloc(1, sizeof *launch);
  if (launch == NULL) return NULL;
  launch->type = SYCLZE__UR_NEW_LAUNCH;
  launch->command = handle;
  launch->kernel = kernel->object;
  launch->dimensions = syclze__nd_range_dimensions(range);
  launch->offset = range->offset;
  launch->global = range->global;
  launch->local = range->local[0] != 0 ? range->local : NULL;
  for (uint32_t i = 0; i < count; i++)
    syclze__ur_new_argument(launch, command->context, &kernel->arguments[i], i);
  launch->memories = launch->pointer_room[0];
  launch->pointers = launch->pointer_room[1];
  launch->values = launch->value_room;
  return launch;
}

SYCLZE_EXTERN_C_END

#endif

#endif
