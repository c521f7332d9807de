/* Mutable command lists: ZE_experimental_mutable_command_list, of loaders and drivers from 1.9 on,
 * and with updates of kernels from 1.10 on.
 *
 * A launch is updated to kernels that the driver is given when it is recorded: those that it had in
 * an earlier build. An update to another kernel loses the arguments and the shape of the launch, so
 * that all of them are updated after it.
 *
 * The declarations of headers since 1.9 are repeated here, so that the extension is found on any
 * loader. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_MUTABLE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_MUTABLE_H

#include "steps.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__MUTABLE_PROPERTIES = 0x00020015, /* and the next ones: structure types */
  SYCLZE__MUTABLE_LIST = 0x00020016,
  SYCLZE__MUTABLE_COMMAND_ID = 0x00020017,
  SYCLZE__MUTABLE_COMMANDS = 0x00020018,
  SYCLZE__MUTABLE_ARGUMENT = 0x00020019,
  SYCLZE__MUTABLE_GROUP_COUNT = 0x0002001a,
  SYCLZE__MUTABLE_GROUP_SIZE = 0x0002001b,
  SYCLZE__MUTABLE_OFFSET = 0x0002001c,
  SYCLZE__MUTABLE_LAUNCH = 15, /* arguments, group count, group size and offset */
  SYCLZE__MUTABLE_KERNEL = 64,
  SYCLZE__MUTABLE_KERNELS = 8 /* limit for each launch */
};

/* The layout of ze_mutable_command_list_exp_properties_t. */
struct syclze__mutable_properties {
  ze_structure_type_t stype;
  void *next;
  uint32_t list_flags, command_flags;
};

/* The layout of ze_mutable_command_list_exp_desc_t, ze_mutable_command_id_exp_desc_t and
 * ze_mutable_commands_exp_desc_t. */
struct syclze__mutable_desc {
  ze_structure_type_t stype;
  const void *next;
  uint32_t flags;
};

/* The layout of the descriptors of one value of a command, which begin alike. */
struct syclze__mutable_value {
  ze_structure_type_t stype;
  const void *next;
  uint64_t command;
  union {
    struct {
      uint32_t index;
      size_t size;
      const void *value;
    } argument;
    const ze_group_count_t *count;
    uint32_t numbers[3]; /* group size, offset */
  } of;
};

typedef ze_result_t(ZE_APICALL *syclze__next_command_function)(
    ze_command_list_handle_t list, const struct syclze__mutable_desc *desc, uint64_t *command);
typedef ze_result_t(ZE_APICALL *syclze__update_commands_function)(
    ze_command_list_handle_t list, const struct syclze__mutable_desc *desc);

typedef ze_result_t(ZE_APICALL *syclze__next_of_kernels_function)(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc, uint32_t count, ze_kernel_handle_t *kernels,
    uint64_t *command);
typedef ze_result_t(ZE_APICALL *syclze__update_kernels_function)(
    ze_command_list_handle_t list, uint32_t count, uint64_t *commands, ze_kernel_handle_t *kernels);

/* Functions of mutable lists, and of those whose kernels are updated; null if the loader or the
 * device has none. */
struct syclze__mutable_calls {
  syclze__next_command_function next;
  syclze__update_commands_function update;
  syclze__next_of_kernels_function next_of_kernels;
  syclze__update_kernels_function update_kernels;
};

/* Kernels of a launch, the newest first, each with a reference. */
struct syclze__mutable_kernels {
  uint32_t count;
  bool are_given; /* to the driver: the launch can be updated to them */
  struct syclze__kernel *all[SYCLZE__MUTABLE_KERNELS];
};

/* The place of a launch in a mutable list. */
struct syclze__mutable_command {
  ze_command_list_handle_t list; /* null for a command that cannot be updated */
  uint64_t id;
  struct syclze__mutable_kernels *kernels; /* null unless it had several */
};

#if SYCLZE__BODIES

/* The loader's functions, if the device can update all of a launch but its kernel. */
SYCLZE_LOCAL struct syclze__mutable_calls syclze__mutable_find(
    const struct syclze__device *device) {
  struct syclze__mutable_calls calls = {NULL, NULL, NULL, NULL};
#if SYCLZE_HAS_DLSYM
  void *next = syclze__loader_symbol("zeCommandListGetNextCommandIdExp");
  void *update = syclze__loader_symbol("zeCommandListUpdateMutableCommandsExp");
  if (next == NULL || update == NULL) return calls;
  SYCLZE__ZEROED(struct syclze__mutable_properties, mutable_properties);
  mutable_properties.stype = (ze_structure_type_t)SYCLZE__MUTABLE_PROPERTIES;
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  properties.pNext = &mutable_properties;
  if (SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties) != ZE_RESULT_SUCCESS ||
      (mutable_properties.command_flags & SYCLZE__MUTABLE_LAUNCH) != SYCLZE__MUTABLE_LAUNCH)
    return calls;
  memcpy(&calls.next, &next, sizeof next);
  memcpy(&calls.update, &update, sizeof update);
  if ((mutable_properties.command_flags & SYCLZE__MUTABLE_KERNEL) == 0) return calls;
  next = syclze__loader_symbol("zeCommandListGetNextCommandIdWithKernelsExp");
  update = syclze__loader_symbol("zeCommandListUpdateMutableCommandKernelsExp");
  if (next == NULL || update == NULL) return calls;
  memcpy(&calls.next_of_kernels, &next, sizeof next);
  memcpy(&calls.update_kernels, &update, sizeof update);
#else
  (void)device;
#endif
  return calls;
}

/* Collects the kernels of a launch: its own, and those of the launch in a former build, whose
 * kernel was `last`. Without memory it has its own only. */
SYCLZE_LOCAL void syclze__mutable_inherit(struct syclze__mutable_command *command,
    struct syclze__kernel *kernel, const struct syclze__mutable_command *former,
    struct syclze__kernel *last) {
  const struct syclze__mutable_kernels *kernels = former->kernels;
  struct syclze__kernel *const *all = kernels != NULL ? kernels->all : &last;
  const uint32_t count = kernels != NULL ? kernels->count : 1;
  if (kernels == NULL && last == kernel) return;
  struct syclze__mutable_kernels *created =
      (struct syclze__mutable_kernels *)calloc(1, sizeof *created);
  if (created == NULL) return;
  created->all[created->count++] = kernel;
  for (uint32_t i = 0; i < count && created->count < SYCLZE__MUTABLE_KERNELS; i++)
    if (all[i] != kernel) created->all[created->count++] = all[i];
  for (uint32_t i = 0; i < created->count; i++)
    syclze__ref_retain(&created->all[i]->ref);
  command->kernels = created;
}

SYCLZE_LOCAL ze_result_t syclze__mutable_end(struct syclze__mutable_command *command) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (command->kernels == NULL) return result;
  for (uint32_t i = 0; i < command->kernels->count; i++) {
    const syclze_kernel kernel = {command->kernels->all[i]};
    result = syclze__first_error(result, syclze__kernel_release_impl(kernel));
  }
  free(command->kernels);
  return result;
}

/* Makes the next launch in the list one that can be updated: to its kernels, unless the driver
 * refuses them. */
SYCLZE_LOCAL ze_result_t syclze__mutable_begin(const struct syclze__mutable_calls *calls,
    ze_command_list_handle_t list, struct syclze__mutable_command *command) {
  struct syclze__mutable_desc desc = {
      (ze_structure_type_t)SYCLZE__MUTABLE_COMMAND_ID, NULL, SYCLZE__MUTABLE_LAUNCH};
  struct syclze__mutable_kernels *kernels = command->kernels;
  ze_result_t result = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (kernels != NULL) {
    ze_kernel_handle_t natives[SYCLZE__MUTABLE_KERNELS];
    for (uint32_t i = 0; i < kernels->count; i++)
      natives[i] = kernels->all[i]->native;
    desc.flags |= SYCLZE__MUTABLE_KERNEL;
    result = calls->next_of_kernels(list, &desc, kernels->count, natives, &command->id);
    desc.flags = SYCLZE__MUTABLE_LAUNCH;
    kernels->are_given = result == ZE_RESULT_SUCCESS;
  }
  if (result != ZE_RESULT_SUCCESS) result = calls->next(list, &desc, &command->id);
  if (result == ZE_RESULT_SUCCESS) command->list = list;
  return result;
}

/* A chain of descriptors, which the first one begins. */
struct syclze__mutable_chain {
  struct syclze__mutable_desc head;
  struct syclze__mutable_value *values; /* room for all */
  uint32_t count;
};

/* Adds a descriptor. */
SYCLZE_INLINE struct syclze__mutable_value *syclze__mutable_add(
    struct syclze__mutable_chain *chain, uint32_t type, uint64_t command) {
  struct syclze__mutable_value *value = &chain->values[chain->count++];
  value->stype = (ze_structure_type_t)type;
  value->next = chain->head.next;
  value->command = command;
  chain->head.next = value;
  return value;
}

SYCLZE_INLINE bool syclze__arguments_are_equal(const syclze_argument *a, const syclze_argument *b) {
  const void *const bytes[2] = {syclze__argument_bytes(a), syclze__argument_bytes(b)};
  uint64_t words[2];
  if (a->size != b->size) return false;
  if (bytes[0] == NULL || bytes[1] == NULL) return bytes[0] == bytes[1];
  if (a->size != sizeof *words) return memcmp(bytes[0], bytes[1], a->size) == 0;
  memcpy(&words[0], bytes[0], sizeof *words);
  memcpy(&words[1], bytes[1], sizeof *words);
  return words[0] == words[1];
}

SYCLZE_INLINE void syclze__mutable_add_argument(struct syclze__mutable_chain *chain,
    uint64_t command, uint32_t index, const syclze_argument *argument) {
  struct syclze__mutable_value *value =
      syclze__mutable_add(chain, SYCLZE__MUTABLE_ARGUMENT, command);
  value->of.argument.index = index;
  value->of.argument.size = argument->size;
  value->of.argument.value = syclze__argument_bytes(argument);
}

SYCLZE_INLINE void syclze__mutable_add_size(
    struct syclze__mutable_chain *chain, uint64_t command, const uint32_t size[3]) {
  memcpy(syclze__mutable_add(chain, SYCLZE__MUTABLE_GROUP_SIZE, command)->of.numbers, size,
      3 * sizeof *size);
}

SYCLZE_INLINE void syclze__mutable_add_offset(
    struct syclze__mutable_chain *chain, uint64_t command, const size_t offset[3]) {
  struct syclze__mutable_value *value = syclze__mutable_add(chain, SYCLZE__MUTABLE_OFFSET, command);
  for (uint32_t i = 0; i < 3; i++)
    value->of.numbers[i] = (uint32_t)offset[i];
}

/* Adds the differences between two launches of one kernel. */
SYCLZE_LOCAL_WARM void syclze__mutable_add_launch(struct syclze__mutable_chain *chain,
    uint64_t command, const struct syclze__launch *before, const struct syclze__launch *launch) {
  const struct syclze__launch_shape *shape = launch->shape;
  const struct syclze__launch_shape *old = before->shape;
  const size_t *offset = shape->range->offset, *old_offset = old->range->offset;
  for (uint32_t i = 0; i < launch->count; i++)
    if (!syclze__arguments_are_equal(&launch->arguments[i], &before->arguments[i]))
      syclze__mutable_add_argument(chain, command, i, &launch->arguments[i]);
  if (shape->groups.groupCountX != old->groups.groupCountX ||
      shape->groups.groupCountY != old->groups.groupCountY ||
      shape->groups.groupCountZ != old->groups.groupCountZ)
    syclze__mutable_add(chain, SYCLZE__MUTABLE_GROUP_COUNT, command)->of.count = &shape->groups;
  if (shape->local[0] != old->local[0] || shape->local[1] != old->local[1] ||
      shape->local[2] != old->local[2])
    syclze__mutable_add_size(chain, command, shape->local);
  if (offset[0] != old_offset[0] || offset[1] != old_offset[1] || offset[2] != old_offset[2])
    syclze__mutable_add_offset(chain, command, offset);
}

/* Adds all of a launch. */
SYCLZE_LOCAL void syclze__mutable_add_all(
    struct syclze__mutable_chain *chain, uint64_t command, const struct syclze__launch *launch) {
  const struct syclze__launch_shape *shape = launch->shape;
  for (uint32_t i = 0; i < launch->count; i++)
    syclze__mutable_add_argument(chain, command, i, &launch->arguments[i]);
  syclze__mutable_add(chain, SYCLZE__MUTABLE_GROUP_COUNT, command)->of.count = &shape->groups;
  syclze__mutable_add_size(chain, command, shape->local);
  syclze__mutable_add_offset(chain, command, shape->range->offset);
}

#endif

SYCLZE_EXTERN_C_END

#endif
