/* The debug checker's comparison of a launch's arguments with the kernel's parameters. */
#include "../../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_ARGUMENT_CHECK_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_ARGUMENT_CHECK_H

#include "argument_fit.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES && SYCLZE__CHECKED

/* The rule that the arguments from index `first` on break, described in `text`, which is not
 * null. */
SYCLZE_LOCAL struct syclze__status syclze__arguments_check(const struct syclze__kernel *kernel,
    const syclze_argument *arguments, uint32_t first, uint32_t count, char *text, size_t size) {
  char name[SYCLZE__NAME_SIZE];
  if (!syclze__kernel_name_in(kernel, name)) return syclze__allowed();
  const struct syclze__signature *signature =
      syclze__signature_in(__atomic_load_n(&kernel->bundle->names, __ATOMIC_ACQUIRE), name);
  for (uint32_t i = 0; signature != NULL && i < count; i++) {
    if (first + i >= signature->argument_count) break;
    const syclze_spirv_argument *parameter = &syclze__signature_arguments(signature)[first + i];
    if (syclze__argument_fits(parameter, &arguments[i])) continue;
    if (text != NULL)
      syclze__argument_describe(name, first + i, &arguments[i], parameter, text, size);
    return syclze__status_of(SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT,
        "the size and the kind of an argument must be the kernel's");
  }
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
