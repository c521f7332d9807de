/* Comparison of a launch's argument with the kernel's parameter in SPIR-V. */
#include "../../launch.h"

#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_ARGUMENT_FIT_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_ARGUMENT_FIT_H

#include "../../../offload/spirv.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL const char *syclze__parameter_string(const syclze_spirv_argument *parameter) {
  static const char *const names[] = {"a struct", "a pointer", "a pointer", "a pointer",
      "local memory", "an image", "a sampler", "of a kind that Level Zero cannot set"};
  if (parameter->kind == SYCLZE_SPIRV_ARGUMENT_VALUE && parameter->type != SYCLZE_SPIRV_VALUE_OTHER)
    return parameter->type == SYCLZE_SPIRV_VALUE_FLOAT ? "a floating-point number" : "an integer";
  return names[parameter->kind];
}

/* Not every C compiler has a type of half precision: an integer of two bytes may be one. */
SYCLZE_LOCAL bool syclze__argument_value_fits(
    const syclze_spirv_argument *parameter, const syclze_argument *given) {
  if (given->size != parameter->size) return false;
  switch (given->type) {
  case SYCLZE_ARGUMENT_TYPE_STRUCT:
    return true;
  case SYCLZE_ARGUMENT_TYPE_INTEGER:
    return parameter->type != SYCLZE_SPIRV_VALUE_FLOAT || parameter->size == 2;
  case SYCLZE_ARGUMENT_TYPE_FLOAT:
    return parameter->type != SYCLZE_SPIRV_VALUE_INTEGER;
  default:
    return false;
  }
}

/* True for a pointer, a native handle, the bytes of either, and an accessor: of an image with
 * `is_image`, of a sampler with `is_sampler`, else of a buffer. */
SYCLZE_LOCAL bool syclze__argument_pointer_fits(
    const syclze_argument *given, bool is_image, bool is_sampler) {
  const struct syclze__memory *memory = given->of.access.memory;
  if (given->type == SYCLZE_ARGUMENT_TYPE_ACCESSOR)
    return memory == NULL ||
           (memory->is_image == (is_image || is_sampler) && memory->is_sampler == is_sampler);
  return given->type == SYCLZE_ARGUMENT_TYPE_POINTER ||
         (given->type == SYCLZE_ARGUMENT_TYPE_STRUCT && given->size == sizeof(void *));
}

/* True if the argument suits the parameter. */
SYCLZE_LOCAL bool syclze__argument_fits(
    const syclze_spirv_argument *parameter, const syclze_argument *given) {
  switch (parameter->kind) {
  case SYCLZE_SPIRV_ARGUMENT_VALUE:
    return syclze__argument_value_fits(parameter, given);
  case SYCLZE_SPIRV_ARGUMENT_LOCAL:
    return given->type == SYCLZE_ARGUMENT_TYPE_LOCAL;
  case SYCLZE_SPIRV_ARGUMENT_GLOBAL:
  case SYCLZE_SPIRV_ARGUMENT_CONSTANT:
  case SYCLZE_SPIRV_ARGUMENT_GENERIC:
    return syclze__argument_pointer_fits(given, false, false);
  case SYCLZE_SPIRV_ARGUMENT_IMAGE:
    return syclze__argument_pointer_fits(given, true, false);
  case SYCLZE_SPIRV_ARGUMENT_SAMPLER:
    return syclze__argument_pointer_fits(given, false, true);
  case SYCLZE_SPIRV_ARGUMENT_OTHER:
    break;
  }
  return false;
}

/* Describes an argument that does not suit its parameter. */
SYCLZE_LOCAL void syclze__argument_describe(const char *kernel, uint32_t index,
    const syclze_argument *given, const syclze_spirv_argument *parameter, char *text, size_t size) {
  const struct syclze__memory *memory =
      given->type == SYCLZE_ARGUMENT_TYPE_ACCESSOR ? given->of.access.memory : NULL;
  snprintf(text, size, "%s: argument %u is %s%s of %lu bytes, and the kernel's is %s of %u bytes",
      kernel, index, syclze__argument_type_string(given->type),
      memory == NULL || !memory->is_image ? ""
      : memory->is_sampler                ? " of a sampler"
                                          : " of an image",
      (unsigned long)given->size, syclze__parameter_string(parameter), parameter->size);
}

#endif

SYCLZE_EXTERN_C_END

#endif
