/* Diagnostics about the arguments of a failed launch, which checked files compare with the kernel's
 * parameters. */
#include "../../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_DESCRIBE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_LAUNCH_DESCRIBE_H

#include "../plain/append.h"
#include "argument_type.h"

#if SYCLZE__CHECKED
#include "argument_check.h"
#endif

SYCLZE_EXTERN_C_BEGIN

enum syclze__argument_kind {
  SYCLZE__ARGUMENT_VALUE,    /* the bytes in itself */
  SYCLZE__ARGUMENT_ACCESSOR, /* the same, for an accessor of the group */
  SYCLZE__ARGUMENT_BORROWED, /* bytes of the caller's */
  SYCLZE__ARGUMENT_LOCAL
};

/* Null for local memory. */
SYCLZE_INLINE const void *syclze__argument_bytes(const syclze_argument *argument) {
  return argument->kind <= SYCLZE__ARGUMENT_ACCESSOR   ? argument->of.bytes
         : argument->kind == SYCLZE__ARGUMENT_BORROWED ? argument->of.value
                                                       : NULL;
}

#if SYCLZE__BODIES

struct syclze__launch {
  struct syclze__command command;
  const syclze_group *group; /* of the accessors among the arguments; null for none */
  const syclze_argument *arguments;
  uint32_t count;
  uint32_t refused; /* index of the argument that the driver refused; unset before */
  const struct syclze__launch_shape *shape;
};

SYCLZE_INLINE const struct syclze__launch *syclze__launch_of(
    const struct syclze__command *command) {
  return (const struct syclze__launch *)(const void *)command;
}

/* True if the argument is an accessor of the group. */
SYCLZE_INLINE bool syclze__argument_belongs(
    const syclze_argument *argument, const syclze_group *group) {
  if (SYCLZE__UNLIKELY(group == NULL || argument->accessor >= group->accessor_count)) return false;
  return syclze__group_accessors(group)[argument->accessor].native == argument->of.access.native;
}

/* Checks an argument that refers to its bytes. */
SYCLZE_INLINE struct syclze__status syclze__argument_usable(
    const syclze_argument *argument, const syclze_group *group) {
  if (argument->kind == SYCLZE__ARGUMENT_ACCESSOR && !syclze__argument_belongs(argument, group))
    return syclze__status_of(
        SYCLZE_RESULT_ERROR_ACCESSOR, "an accessor does not belong to the command group");
  if (argument->kind == SYCLZE__ARGUMENT_BORROWED && argument->of.value == NULL)
    return syclze__null_pointer("the value's pointer of an argument is null");
  return syclze__allowed();
}

SYCLZE_INLINE const char *syclze__launch_rule_of_driver(void) {
  return "zeKernelSetArgumentValue failed";
}

/* The argument that the driver refused. */
SYCLZE_LOCAL struct syclze__status syclze__launch_refuse(
    const struct syclze__launch *launch, uint32_t index, ze_result_t result) {
  ((struct syclze__launch *)(uintptr_t)(const void *)launch)->refused = index;
  return syclze__status_of(result, syclze__launch_rule_of_driver());
}

/* The index of the argument that breaks the rule, or a larger number. */
SYCLZE_LOCAL uint32_t syclze__launch_find(
    const struct syclze__launch *launch, struct syclze__status status) {
  uint32_t i = 0;
  if (status.rule == syclze__launch_rule_of_driver()) return launch->refused;
  while (launch->arguments != NULL && i < launch->count &&
         syclze__argument_usable(&launch->arguments[i], launch->group).result != status.result)
    i++;
  return i;
}

/* Describes the arguments of a failed launch. */
SYCLZE_LOCAL void syclze__launch_describe(
    const struct syclze__command *command, struct syclze__status status, char *text, size_t size) {
  const struct syclze__launch *launch = syclze__launch_of(command);
  char name[SYCLZE__NAME_SIZE];
  if (!syclze__kernel_name_in(command->kernel, name)) return;
  const uint64_t known = __atomic_load_n(&command->kernel->arguments, __ATOMIC_RELAXED);
  if (status.result == SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT && (uint32_t)known != 0 &&
      (uint32_t)known != launch->count + 1) {
    snprintf(text, size, "%s: %u arguments are given, and the kernel has %u", name, launch->count,
        (uint32_t)known - 1);
    return;
  }
#if SYCLZE__CHECKED
  if (status.result == SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT) {
    syclze__arguments_check(command->kernel, launch->arguments, 0, launch->count, text, size);
    return;
  }
#endif
  const uint32_t index = syclze__launch_find(launch, status);
  if (launch->arguments == NULL || index >= launch->count)
    snprintf(text, size, "%s", name);
  else
    snprintf(text, size, "%s: argument %u is %s of %lu bytes", name, index,
        syclze__argument_type_string(launch->arguments[index].type),
        (unsigned long)launch->arguments[index].size);
}

#endif

SYCLZE_EXTERN_C_END

#endif
