#include "modules/function.h"

#include <stdlib.h>

enum {
  VALUE_ALIGN = 16,
  COOPERATING_LIMIT = 4096 /* groups: programs size their memory for what GPUs hold at once */
};

bool zecl_function_init(struct zecl_function *function) {
  function->offsets = calloc(function->arg_count + 1, sizeof *function->offsets);
  if (!function->offsets) return false;
  for (uint32_t i = 0; i < function->arg_count; i++) {
    const struct zecl_arg *arg = &function->args[i];
    function->has_handles |= arg->kind == ZECL_ARG_IMAGE || arg->kind == ZECL_ARG_SAMPLER;
    size_t size = arg->kind == ZECL_ARG_VALUE ? arg->size : sizeof(void *);
    size_t align = size > sizeof(void *) ? VALUE_ALIGN : sizeof(void *);
    function->block_size = (function->block_size + align - 1) & ~(align - 1);
    function->offsets[i] = function->block_size;
    function->block_size += size;
  }
  return true;
}

void zecl_function_free(struct zecl_function *function) {
  for (uint32_t i = 0; i < function->idle_count; i++)
    zecl_engine()->kernel_release(function->idle[i]);
  free(function->idle);
  free(function->offsets);
  zecl_launches_free(function->free_launches);
}

ze_result_t zecl_function_prepare(struct zecl_function *function) {
  ze_result_t error = ZE_RESULT_SUCCESS;
  struct zecl_engine_kernel *kernel = zecl_function_take(function, &error);
  if (!kernel) return error;
  struct zecl_engine_kernel_limits limits;
  zecl_engine()->kernel_get_limits(kernel, &limits);
  function->max_group_size = limits.max_group_size;
  function->preferred_multiple = limits.preferred_multiple;
  function->local_size = limits.local_size;
  function->private_size = limits.private_size;
  zecl_function_give(function, kernel);
  return ZE_RESULT_SUCCESS;
}

static uint32_t groups_of_engine(struct zecl_function *function, uint32_t items) {
  ze_result_t error;
  struct zecl_engine_kernel *kernel = zecl_function_take(function, &error);
  if (!kernel) return 1;
  const uint32_t most = zecl_engine()->cooperating_groups(kernel, items);
  zecl_function_give(function, kernel);
  return most;
}

uint32_t zecl_function_cooperating_groups(struct zecl_function *function, uint32_t items) {
  if (function->native) return 1;
  if (zecl_engine()->cooperating_groups) return groups_of_engine(function, items);
  if (!function->is_cooperative) return 1;
  const uint32_t room = function->max_group_size / items;
  const uint32_t most = room < COOPERATING_LIMIT ? room : COOPERATING_LIMIT;
  return function->can_fuse && !function->has_handles && most > 1 ? most : 1;
}

struct zecl_engine_kernel *zecl_function_take(struct zecl_function *function, ze_result_t *error) {
  struct zecl_engine_kernel *kernel = NULL;
  zecl_function_lock(function);
  if (function->idle_count) kernel = function->idle[--function->idle_count];
  zecl_function_unlock(function);
  if (kernel) return kernel;
  return zecl_engine()->kernel_create(function->program, function->name, error);
}

void zecl_function_give(struct zecl_function *function, struct zecl_engine_kernel *kernel) {
  bool kept = true;
  zecl_function_lock(function);
  if (function->idle_count == function->idle_capacity) {
    uint32_t capacity = function->idle_capacity * 2 + 4;
    struct zecl_engine_kernel **idle = realloc(function->idle, capacity * sizeof *idle);
    if (idle) {
      function->idle = idle;
      function->idle_capacity = capacity;
    }
    kept = idle != NULL;
  }
  if (kept) function->idle[function->idle_count++] = kernel;
  zecl_function_unlock(function);
  if (!kept) zecl_engine()->kernel_release(kernel);
}
