/* Launches are made and dropped at the pace of appends, so each function keeps those that were
 * dropped: a warm append allocates nothing. */
#include "commands/launch.h"

#include "core/check.h"
#include "engine/engine.h"
#include "modules/kernel.h"
#include "modules/kernel_handles.h"
#include "modules/program_fused.h"
#include "modules/program_opaque.h"

#include <stdlib.h>
#include <string.h>

struct zecl_launch {
  struct zecl_launch *next; /* while it is kept */
  struct zecl_function *function;
  struct zecl_module *module;
  zecl_native_range range;
  bool is_cooperative; /* by the engine */
  unsigned char *block;
  void *args[]; /* into the block, which follows them */
};

static struct zecl_launch *new_launch(struct zecl_function *function) {
  const size_t align = _Alignof(max_align_t);
  const size_t head =
      (sizeof(struct zecl_launch) + function->arg_count * sizeof(void *) + align - 1) / align *
      align;
  struct zecl_launch *launch = malloc(head + function->block_size);
  if (!launch) return NULL;
  launch->function = function;
  launch->block = (unsigned char *)launch + head;
  for (uint32_t i = 0; i < function->arg_count; i++)
    launch->args[i] = launch->block + function->offsets[i];
  return launch;
}

static struct zecl_launch *kept_launch(struct zecl_function *function) {
  zecl_function_lock(function);
  struct zecl_launch *launch = function->free_launches;
  if (launch) function->free_launches = launch->next;
  zecl_function_unlock(function);
  return launch;
}

/* The kernel's own function, or its twin for images without alpha. */
static ze_result_t choose_function(
    const struct zecl_kernel *kernel, struct zecl_function **function) {
  bool needs_opaque = false;
  ZECL_TRY(zecl_handles_check(kernel->function, kernel->block, &needs_opaque));
  if (needs_opaque) *function = zecl_program_opaque(kernel->function);
  ZECL_REQUIRE(*function, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return ZE_RESULT_SUCCESS;
}

static bool are_at_most(const ze_group_count_t *groups, uint32_t most) {
  const uint64_t of_slice = (uint64_t)groups->groupCountX * groups->groupCountY;
  return of_slice <= most && of_slice * groups->groupCountZ <= most;
}

static ze_result_t make(const struct zecl_kernel *kernel, struct zecl_function *function,
    const ze_group_count_t *groups, struct zecl_launch **out) {
  struct zecl_launch *launch = kept_launch(function);
  if (!launch && !(launch = new_launch(function))) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(kernel->module);
  launch->module = kernel->module;
  launch->range.group_count[0] = groups->groupCountX;
  launch->range.group_count[1] = groups->groupCountY;
  launch->range.group_count[2] = groups->groupCountZ;
  launch->is_cooperative = false;
  memcpy(launch->range.group_size, kernel->group_size, sizeof kernel->group_size);
  memcpy(launch->range.offset, kernel->offset, sizeof kernel->offset);
  memcpy(launch->block, kernel->block, function->block_size);
  if (function->has_handles) zecl_handles_retain(function, launch->block);
  *out = launch;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t make_of_kernel(
    const struct zecl_kernel *kernel, const ze_group_count_t *groups, struct zecl_launch **out) {
  struct zecl_function *function = kernel->function;
  ZECL_REQUIRE(kernel->unset_count == 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (function->has_handles) ZECL_TRY(choose_function(kernel, &function));
  return make(kernel, function, groups, out);
}

ze_result_t zecl_launch_create(
    ze_kernel_handle_t handle, const ze_group_count_t *groups, struct zecl_launch **out) {
  *out = NULL;
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(groups);
  const struct zecl_kernel *kernel = zecl_kernel_of(handle);
  ZECL_REQUIRE(!kernel->function->is_cooperative || are_at_most(groups, 1),
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return make_of_kernel(kernel, groups, out);
}

ze_result_t zecl_launch_create_cooperative(
    ze_kernel_handle_t handle, const ze_group_count_t *groups, struct zecl_launch **out) {
  *out = NULL;
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(groups);
  const struct zecl_kernel *kernel = zecl_kernel_of(handle);
  const uint32_t *size = kernel->group_size;
  if (are_at_most(groups, 1)) return zecl_launch_create(handle, groups, out);
  ZECL_REQUIRE(kernel->unset_count == 0, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const uint32_t most =
      zecl_function_cooperating_groups(kernel->function, size[0] * size[1] * size[2]);
  ZECL_REQUIRE(are_at_most(groups, most), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  if (zecl_engine()->cooperating_groups) {
    ZECL_TRY(make_of_kernel(kernel, groups, out));
    (*out)->is_cooperative = true;
    return ZE_RESULT_SUCCESS;
  }
  struct zecl_function *function = zecl_program_fused(kernel->function, size);
  ZECL_REQUIRE(function, ZE_RESULT_ERROR_MODULE_BUILD_FAILURE);
  ZECL_TRY(make(kernel, function, groups, out));
  for (int i = 0; i < 3; i++) {
    (*out)->range.group_size[i] *= (*out)->range.group_count[i];
    (*out)->range.group_count[i] = 1;
  }
  return ZE_RESULT_SUCCESS;
}

void zecl_launch_destroy(struct zecl_launch *launch) {
  struct zecl_function *function = launch->function;
  struct zecl_module *module = launch->module;
  if (function->has_handles) zecl_handles_release(function, launch->block);
  zecl_function_lock(function);
  launch->next = function->free_launches;
  function->free_launches = launch;
  zecl_function_unlock(function);
  zecl_module_release(module);
}

bool zecl_launch_takes(const struct zecl_launch *launch, ze_kernel_handle_t handle) {
  const struct zecl_function *function = zecl_kernel_of(handle)->function;
  return !function->has_handles && !function->is_cooperative && !launch->function->is_cooperative &&
         !launch->is_cooperative;
}

ze_result_t zecl_launch_replace(struct zecl_launch **launch, ze_kernel_handle_t handle) {
  const struct zecl_kernel *kernel = zecl_kernel_of(handle);
  const uint32_t *count = (*launch)->range.group_count;
  const ze_group_count_t groups = {count[0], count[1], count[2]};
  struct zecl_launch *replacing;
  ZECL_TRY(make(kernel, kernel->function, &groups, &replacing));
  zecl_launch_destroy(*launch);
  *launch = replacing;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_launch_set_argument(
    struct zecl_launch *launch, uint32_t index, size_t size, const void *value, bool applies) {
  const struct zecl_function *function = launch->function;
  ZECL_REQUIRE(index < function->arg_count, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  const enum zecl_arg_kind kind = function->args[index].kind;
  ZECL_REQUIRE(
      kind != ZECL_ARG_IMAGE && kind != ZECL_ARG_SAMPLER, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return zecl_argument_set(function, applies ? launch->block : NULL, index, size, value);
}

ze_result_t zecl_launch_set_groups(
    struct zecl_launch *launch, const ze_group_count_t *groups, bool applies) {
  ZECL_REQUIRE(!launch->function->is_cooperative, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  if (!applies) return ZE_RESULT_SUCCESS;
  launch->range.group_count[0] = groups->groupCountX;
  launch->range.group_count[1] = groups->groupCountY;
  launch->range.group_count[2] = groups->groupCountZ;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_launch_set_group_size(
    struct zecl_launch *launch, const uint32_t *size, bool applies) {
  ZECL_REQUIRE(!launch->function->is_cooperative, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  ZECL_TRY(zecl_group_size_check(launch->function, size));
  if (applies) memcpy(launch->range.group_size, size, sizeof launch->range.group_size);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_launch_set_offset(
    struct zecl_launch *launch, const uint32_t *offset, bool applies) {
  if (applies) memcpy(launch->range.offset, offset, sizeof launch->range.offset);
  return ZE_RESULT_SUCCESS;
}

void zecl_launches_free(struct zecl_launch *first) {
  while (first) {
    struct zecl_launch *next = first->next;
    free(first);
    first = next;
  }
}

const char *zecl_launch_name(const struct zecl_launch *launch) {
  return launch->function->name;
}

int zecl_launch_is_native(const struct zecl_launch *launch) {
  return launch->function->native != NULL;
}

static ze_result_t set_arg(
    const struct zecl_launch *launch, struct zecl_engine_kernel *kernel, uint32_t index) {
  const struct zecl_engine *engine = zecl_engine();
  const struct zecl_arg *arg = &launch->function->args[index];
  const void *value = launch->args[index];
  size_t local;
  switch (arg->kind) {
  case ZECL_ARG_POINTER:
    return engine->set_pointer(kernel, index, *(void *const *)value);
  case ZECL_ARG_LOCAL:
    memcpy(&local, value, sizeof local);
    return engine->set_local(kernel, index, local);
  case ZECL_ARG_IMAGE:
  case ZECL_ARG_SAMPLER:
    return zecl_handle_set(kernel, index, arg->kind, value);
  default:
    return engine->set_value(kernel, index, arg->size, value);
  }
}

static ze_result_t enqueue(const struct zecl_launch *launch, const zecl_native_range *range,
    struct zecl_engine_queue *queue) {
  ze_result_t error = ZE_RESULT_SUCCESS;
  struct zecl_engine_kernel *kernel = zecl_function_take(launch->function, &error);
  if (!kernel) return error;
  size_t offset[3], global[3], local[3];
  for (int i = 0; i < 3; i++) {
    offset[i] = range->offset[i];
    local[i] = range->group_size[i];
    global[i] = local[i] * range->group_count[i];
  }
  for (uint32_t i = 0; i < launch->function->arg_count && !error; i++)
    error = set_arg(launch, kernel, i);
  if (!error)
    error = zecl_engine()->enqueue(queue, kernel, offset, global, local, launch->is_cooperative);
  zecl_function_give(launch->function, kernel);
  return error;
}

ze_result_t zecl_launch_run(
    struct zecl_launch *launch, const ze_group_count_t *groups, struct zecl_engine_queue *queue) {
  const zecl_native_range *range = &launch->range;
  zecl_native_range counted;
  if (groups) {
    ZECL_REQUIRE(!launch->function->is_cooperative || are_at_most(groups, 1),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
    counted = *range;
    counted.group_count[0] = groups->groupCountX;
    counted.group_count[1] = groups->groupCountY;
    counted.group_count[2] = groups->groupCountZ;
    range = &counted;
  }
  if (!range->group_count[0] || !range->group_count[1] || !range->group_count[2])
    return ZE_RESULT_SUCCESS;
  if (!launch->function->native) return enqueue(launch, range, queue);
  launch->function->native(launch->args, range);
  return ZE_RESULT_SUCCESS;
}

bool zecl_launch_must_settle(const struct zecl_launch *launch) {
  return launch->function->has_handles && zecl_handles_must_settle(launch->function, launch->block);
}

ze_result_t zecl_launch_settle(const struct zecl_launch *launch, struct zecl_engine_queue *queue) {
  return zecl_handles_settle(launch->function, launch->block, queue);
}
