#include "modules/function.h"

#include <stdlib.h>

enum { VALUE_ALIGN = 16 };

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
    clReleaseKernel(function->idle[i]);
  free(function->idle);
  free(function->offsets);
  zecl_launches_free(function->free_launches);
}

static uint64_t ask(cl_kernel kernel, cl_device_id device, cl_kernel_work_group_info what,
    size_t size, uint64_t otherwise) {
  uint64_t value = 0;
  return clGetKernelWorkGroupInfo(kernel, device, what, size, &value, NULL) == CL_SUCCESS
             ? value
             : otherwise;
}

cl_int zecl_function_prepare(struct zecl_function *function, cl_device_id device) {
  cl_int error;
  cl_kernel kernel = zecl_function_take(function, &error);
  if (!kernel) return error;
  function->max_group_size =
      (uint32_t)ask(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof(size_t), 1);
  function->preferred_multiple = (uint32_t)ask(
      kernel, device, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof(size_t), 1);
  function->local_size =
      (uint32_t)ask(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof(cl_ulong), 0);
  function->private_size =
      (uint32_t)ask(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof(cl_ulong), 0);
  zecl_function_give(function, kernel);
  return CL_SUCCESS;
}

uint32_t zecl_function_cooperating_groups(const struct zecl_function *function, uint32_t items) {
  const uint32_t most = function->max_group_size / items;
  return function->can_fuse && function->is_cooperative && !function->has_handles && most > 1 ? most
                                                                                              : 1;
}

cl_kernel zecl_function_take(struct zecl_function *function, cl_int *error) {
  cl_kernel kernel = NULL;
  zecl_function_lock(function);
  if (function->idle_count) kernel = function->idle[--function->idle_count];
  zecl_function_unlock(function);
  *error = CL_SUCCESS;
  return kernel ? kernel : clCreateKernel(function->program, function->name, error);
}

void zecl_function_give(struct zecl_function *function, cl_kernel kernel) {
  bool kept = true;
  zecl_function_lock(function);
  if (function->idle_count == function->idle_capacity) {
    uint32_t capacity = function->idle_capacity * 2 + 4;
    cl_kernel *idle = realloc(function->idle, capacity * sizeof(cl_kernel));
    if (idle) {
      function->idle = idle;
      function->idle_capacity = capacity;
    }
    kept = idle != NULL;
  }
  if (kept) function->idle[function->idle_count++] = kernel;
  zecl_function_unlock(function);
  if (!kept) clReleaseKernel(kernel);
}
