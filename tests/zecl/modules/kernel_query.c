/* Queries of kernels. */
#include "modules/kernel.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "core/hash.h"
#include "memory/memory.h"

#include <string.h>

/* Computed once: it reads the whole module, and runtimes query properties at each launch. */
static uint64_t hash_of(struct zecl_module *module, unsigned half) {
  uint64_t hash = atomic_load_explicit(&module->hashes[half], memory_order_relaxed);
  if (hash) return hash;
  const void *bytes = module->native ? module->native->bytes : (void *)module->program->spirv.words;
  const size_t size =
      module->native ? module->native->size : module->program->spirv.word_count * sizeof(uint32_t);
  hash = zecl_hash(bytes, size, ZECL_HASH_START + half);
  atomic_store_explicit(&module->hashes[half], hash, memory_order_relaxed);
  return hash;
}

/* An identifier that is equal for equal modules and names, in any process. */
static ze_kernel_uuid_t uuid_of(const struct zecl_kernel *kernel) {
  const char *name = kernel->function->name;
  ze_kernel_uuid_t uuid;
  for (unsigned half = 0; half < 2; half++) {
    const uint64_t of_module = hash_of(kernel->module, half);
    const uint64_t of_kernel = zecl_hash(name, strlen(name), of_module);
    memcpy(uuid.mid + half * sizeof of_module, &of_module, sizeof of_module);
    memcpy(uuid.kid + half * sizeof of_kernel, &of_kernel, sizeof of_kernel);
  }
  return uuid;
}

static void fill_extensions(const struct zecl_function *function, void *next) {
  for (ze_base_properties_t *extension = next; extension; extension = extension->pNext)
    if (extension->stype == ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES)
      ((ze_kernel_preferred_group_size_properties_t *)(void *)extension)->preferredMultiple =
          function->preferred_multiple;
}

ze_result_t zecl_zeKernelGetProperties(
    ze_kernel_handle_t handle, ze_kernel_properties_t *properties) {
  ZECL_ENTER(zeKernelGetProperties);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(properties);
  const struct zecl_kernel *kernel = zecl_kernel_of(handle);
  const struct zecl_function *function = kernel->function;
  properties->numKernelArgs = function->arg_count;
  properties->requiredGroupSizeX = function->required_group_size[0];
  properties->requiredGroupSizeY = function->required_group_size[1];
  properties->requiredGroupSizeZ = function->required_group_size[2];
  properties->requiredNumSubGroups = function->sub_groups_per_group;
  properties->requiredSubgroupSize = function->sub_group_size;
  properties->maxSubgroupSize = function->sub_group_size ? function->sub_group_size : 1;
  properties->maxNumSubgroups = function->max_group_size / properties->maxSubgroupSize;
  properties->localMemSize = function->local_size;
  properties->privateMemSize = function->private_size;
  properties->spillMemSize = 0;
  properties->uuid = uuid_of(kernel);
  fill_extensions(function, properties->pNext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelGetName(ze_kernel_handle_t handle, size_t *size, char *name) {
  ZECL_ENTER(zeKernelGetName);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(size);
  const char *own = zecl_kernel_of(handle)->function->name;
  const size_t whole = strlen(own) + 1;
  if (name && *size) {
    const size_t given = *size < whole ? *size : whole;
    memcpy(name, own, given - 1);
    name[given - 1] = 0;
    *size = given;
  } else {
    *size = whole;
  }
  return ZE_RESULT_SUCCESS;
}

/* Headers before 1.5 call the string the driver's own, later ones the caller's array: a caller who
 * gives a size and an array gets a copy, any other a pointer. */
ze_result_t zecl_zeKernelGetSourceAttributes(
    ze_kernel_handle_t handle, uint32_t *size, char **string) {
  ZECL_ENTER(zeKernelGetSourceAttributes);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(size);
  struct zecl_kernel *kernel = zecl_kernel_of(handle);
  const uint32_t whole = (uint32_t)strlen(kernel->attributes) + 1;
  if (string && *string && *size) {
    const uint32_t given = *size < whole ? *size : whole;
    memcpy(*string, kernel->attributes, given - 1);
    (*string)[given - 1] = 0;
  } else if (string) {
    *string = kernel->attributes;
  }
  *size = whole;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeKernelGetIndirectAccess(
    ze_kernel_handle_t handle, ze_kernel_indirect_access_flags_t *flags) {
  ZECL_ENTER(zeKernelGetIndirectAccess);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(flags);
  *flags = atomic_load(&zecl_kernel_of(handle)->indirect_access);
  return ZE_RESULT_SUCCESS;
}

/* A hint for what the engine does not do is ignored, as the specification allows. */
ze_result_t zecl_zeKernelSchedulingHintExp(
    ze_kernel_handle_t handle, ze_scheduling_hint_exp_desc_t *hint) {
  ZECL_ENTER(zeKernelSchedulingHintExp);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(hint);
  const ze_scheduling_hint_exp_flags_t all = ZE_SCHEDULING_HINT_EXP_FLAG_OLDEST_FIRST |
                                             ZE_SCHEDULING_HINT_EXP_FLAG_ROUND_ROBIN |
                                             ZE_SCHEDULING_HINT_EXP_FLAG_STALL_BASED_ROUND_ROBIN;
  ZECL_REQUIRE(!(hint->flags & ~all), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return ZE_RESULT_SUCCESS;
}

/* The allocation that an argument points into; false for none. */
static bool find_allocation(
    const struct zecl_kernel *kernel, uint32_t index, struct zecl_allocation *found) {
  const struct zecl_function *function = kernel->function;
  void *pointer;
  if (function->args[index].kind != ZECL_ARG_POINTER || !kernel->is_set[index]) return false;
  memcpy(&pointer, kernel->block + function->offsets[index], sizeof pointer);
  return pointer && zecl_memory_find(kernel->module->context, pointer, found);
}

/* The driver has no memory of its own for a kernel, beside its arguments. */
ze_result_t zecl_zeKernelGetAllocationPropertiesExp(
    ze_kernel_handle_t handle, uint32_t *count, ze_kernel_allocation_exp_properties_t *properties) {
  ZECL_ENTER(zeKernelGetAllocationPropertiesExp);
  ZECL_CHECK_HANDLE(handle, ZECL_KERNEL);
  ZECL_CHECK_POINTER(count);
  const struct zecl_kernel *kernel = zecl_kernel_of(handle);
  struct zecl_allocation found;
  uint32_t there = 0;
  for (uint32_t i = 0; i < kernel->function->arg_count; i++)
    there += find_allocation(kernel, i, &found);
  const uint32_t room = zecl_count_out(count, there);
  if (!properties) return ZE_RESULT_SUCCESS;
  for (uint32_t i = 0, filled = 0; i < kernel->function->arg_count && filled < room; i++) {
    if (!find_allocation(kernel, i, &found)) continue;
    ze_kernel_allocation_exp_properties_t *out = &properties[filled++];
    out->base = (uint64_t)(uintptr_t)found.base;
    out->size = found.size;
    out->type = found.type;
    out->argIndex = i;
  }
  return ZE_RESULT_SUCCESS;
}
