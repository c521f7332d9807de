/* Binaries of the device: the engine loads them, and reports their kernels. */
#include "modules/native.h"

#include "engine/engine.h"
#include "modules/program.h"

#include <stdlib.h>
#include <string.h>

static ze_result_t take_kernels(struct zecl_native *native, struct zecl_text *log) {
  uint32_t count;
  const struct zecl_engine_function *kernels =
      zecl_engine()->program_functions(native->program, &count);
  native->functions = calloc(count + 1, sizeof *native->functions);
  if (!native->functions) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < count; i++) {
    struct zecl_function *function = &native->functions[native->function_count++];
    *function = (struct zecl_function){.name = kernels[i].name,
        .arg_count = kernels[i].arg_count,
        .args = kernels[i].args,
        .program = native->program};
    memcpy(function->required_group_size, kernels[i].required_group_size,
        sizeof function->required_group_size);
    if (!zecl_function_init(function)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    if (zecl_function_prepare(function) == ZE_RESULT_SUCCESS) continue;
    zecl_text_add(log, "the engine cannot make kernel %s\n", function->name);
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_native_load_binary(
    const void *bytes, size_t size, struct zecl_text *log, struct zecl_native **out) {
  *out = NULL;
  struct zecl_native *native = calloc(1, sizeof *native);
  unsigned char *copy = malloc(size);
  if (!native || !copy) {
    free(native);
    free(copy);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  memcpy(copy, bytes, size);
  native->bytes = copy;
  native->size = size;
  native->file = -1;
  native->program = zecl_engine()->program_load(bytes, size, log);
  const ze_result_t result =
      native->program ? take_kernels(native, log) : ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  if (result == ZE_RESULT_SUCCESS)
    *out = native;
  else
    zecl_native_free(native);
  return result;
}
