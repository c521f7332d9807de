#include "modules/kernel.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "core/strict.h"
#include "engine/engine.h"
#include "modules/kernel_handles.h"

#include <stdlib.h>
#include <string.h>

/* The attributes as OpenCL C spells them, separated by spaces. */
static char *attributes_of(const struct zecl_function *function) {
  struct zecl_text text = {0};
  const uint32_t *required = function->required_group_size, *hint = function->hinted_group_size;
  zecl_text_add(&text, "%s", "");
  if (required[0])
    zecl_text_add(&text, "reqd_work_group_size(%u,%u,%u)", required[0], required[1], required[2]);
  if (hint[0])
    zecl_text_add(&text, "%swork_group_size_hint(%u,%u,%u)", text.length ? " " : "", hint[0],
        hint[1], hint[2]);
  if (function->sub_group_size)
    zecl_text_add(
        &text, "%sintel_reqd_sub_group_size(%u)", text.length ? " " : "", function->sub_group_size);
  return text.data;
}

static void finish(void *object) {
  struct zecl_kernel *kernel = object;
  if (kernel->block && kernel->function->has_handles)
    zecl_handles_release(kernel->function, kernel->block);
  free(kernel->block);
  free(kernel->is_set);
  free(kernel->attributes);
  if (kernel->module) zecl_module_release(kernel->module);
}

static void release(struct zecl_kernel *kernel) {
  zecl_object_release(kernel, sizeof *kernel, finish);
}

static bool init(
    struct zecl_kernel *kernel, struct zecl_module *module, struct zecl_function *function) {
  kernel->function = function;
  kernel->unset_count = function->arg_count;
  kernel->block = calloc(1, function->block_size + 1);
  kernel->is_set = calloc(function->arg_count + 1, sizeof(bool));
  kernel->attributes = attributes_of(function);
  for (int i = 0; i < 3; i++)
    kernel->group_size[i] = function->required_group_size[0] ? function->required_group_size[i] : 1;
  zecl_object_retain(module);
  kernel->module = module;
  return kernel->block && kernel->is_set && kernel->attributes;
}

ze_result_t zecl_zeKernelCreate(
    ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *handle) {
  ZECL_ENTER(zeKernelCreate);
  ZECL_CHECK_HANDLE(module, ZECL_MODULE);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(desc->pKernelName);
  ZECL_REQUIRE(!(desc->flags & ~(ze_kernel_flags_t)(ZE_KERNEL_FLAG_FORCE_RESIDENCY |
                                                    ZE_KERNEL_FLAG_EXPLICIT_RESIDENCY)),
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(
      zecl_module_is_linked(zecl_module_of(module)), ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED);
  struct zecl_function *function = zecl_module_function(zecl_module_of(module), desc->pKernelName);
  ZECL_REQUIRE(function, ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  struct zecl_kernel *kernel = zecl_object_create(ZECL_KERNEL, sizeof *kernel);
  if (!kernel) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (!init(kernel, zecl_module_of(module), function)) {
    zecl_object_kill(kernel, ZECL_KERNEL);
    release(kernel);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  *handle = (ze_kernel_handle_t)(void *)kernel;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelDestroy(ze_kernel_handle_t handle) {
  ZECL_ENTER(zeKernelDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_KERNEL), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  release(zecl_kernel_of(handle));
  return ZE_RESULT_SUCCESS;
}

/* Callers may pass eight bytes for a smaller scalar, whose low bytes count, and, as drivers of GPUs
 * allow, an int for a size_t, unless ZECL_CHECK=1. A null value of an argument by value
 * is all zeros. */
static ze_result_t set_value(
    unsigned char *place, const struct zecl_arg *arg, size_t size, const void *value) {
  const bool is_widened = size == sizeof(uint64_t) && arg->size < size;
  const bool is_narrowed =
      size == sizeof(uint32_t) && arg->size == sizeof(uint64_t) && !zecl_is_strict();
  ZECL_REQUIRE(
      size == arg->size || is_widened || is_narrowed, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  if (!place) return ZE_RESULT_SUCCESS;
  memset(place, 0, arg->size);
  if (value) memcpy(place, value, size < arg->size ? size : arg->size);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t set_pointer(unsigned char *place, size_t size, const void *value) {
  static void *const null = NULL;
  ZECL_REQUIRE(size == sizeof(void *), ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  if (place) memcpy(place, value ? value : &null, sizeof(void *));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t set_local(unsigned char *place, size_t size, const void *value) {
  ZECL_REQUIRE(!value, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(size != 0 && size <= zecl_engine()->properties->local_size,
      ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE);
  if (place) memcpy(place, &size, sizeof size);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_argument_set(const struct zecl_function *function, unsigned char *block,
    uint32_t index, size_t size, const void *value) {
  unsigned char *place = block ? block + function->offsets[index] : NULL;
  const struct zecl_arg *arg = &function->args[index];
  switch (arg->kind) {
  case ZECL_ARG_VALUE:
    return set_value(place, arg, size, value);
  case ZECL_ARG_POINTER:
    return set_pointer(place, size, value);
  case ZECL_ARG_LOCAL:
    return set_local(place, size, value);
  case ZECL_ARG_IMAGE:
    return zecl_handle_take_image(place, arg, size, value);
  case ZECL_ARG_SAMPLER:
    return zecl_handle_take_sampler(place, size, value);
  default:
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
}

ze_result_t zecl_zeKernelSetArgumentValue(
    ze_kernel_handle_t handle, uint32_t index, size_t size, const void *value) {
  ZECL_ENTER(zeKernelSetArgumentValue);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  struct zecl_kernel *kernel = zecl_kernel_of(handle);
  ZECL_REQUIRE(index < kernel->function->arg_count, ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX);
  ZECL_TRY(zecl_argument_set(kernel->function, kernel->block, index, size, value));
  kernel->unset_count -= !kernel->is_set[index];
  kernel->is_set[index] = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelSetGlobalOffsetExp(
    ze_kernel_handle_t handle, uint32_t x, uint32_t y, uint32_t z) {
  ZECL_ENTER(zeKernelSetGlobalOffsetExp);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  uint32_t *offset = zecl_kernel_of(handle)->offset;
  offset[0] = x;
  offset[1] = y;
  offset[2] = z;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelSetIndirectAccess(
    ze_kernel_handle_t handle, ze_kernel_indirect_access_flags_t flags) {
  ZECL_ENTER(zeKernelSetIndirectAccess);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  const ze_kernel_indirect_access_flags_t all = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                                ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                                ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
  ZECL_REQUIRE(!(flags & ~all), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  atomic_store(&zecl_kernel_of(handle)->indirect_access, flags);
  return ZE_RESULT_SUCCESS;
}

/* A CPU has no such choice: the preference has no effect. */
ze_result_t zecl_zeKernelSetCacheConfig(ze_kernel_handle_t handle, ze_cache_config_flags_t flags) {
  ZECL_ENTER(zeKernelSetCacheConfig);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  const ze_cache_config_flags_t all =
      ZE_CACHE_CONFIG_FLAG_LARGE_SLM | ZE_CACHE_CONFIG_FLAG_LARGE_DATA;
  ZECL_REQUIRE(!(flags & ~all), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return ZE_RESULT_SUCCESS;
}
