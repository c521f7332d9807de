/* Implementation of kernel_query.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_KERNEL_QUERY_H
#define SYCLZE_DETAIL_OBJECTS_KERNEL_QUERY_H

#include "../../kernel_query.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Checks a kernel and the pointers of a query. */
SYCLZE_LOCAL struct syclze__status syclze__check_kernel_query(
    syclze_kernel kernel, const void *input, const void *result) {
  if (input == NULL || result == NULL)
    return syclze__null_pointer("a pointer of the query is null");
  if (kernel.rep == NULL) return syclze__null_handle("the kernel is null");
  if (!SYCLZE__CHECK_ALIVE(kernel.rep))
    return syclze__invalid("the kernel is used after its last release");
  return syclze__check_fork();
}

SYCLZE_LOCAL ze_result_t syclze__kernel_query_end(
    struct syclze__status status, const char *function, syclze_kernel kernel) {
  return syclze__finish(status, function, kernel.rep != NULL ? kernel.rep->native : NULL);
}

SYCLZE_LOCAL ze_result_t syclze__kernel_get_properties_impl(
    syclze_kernel kernel, syclze_kernel_properties *properties) {
  struct syclze__status status = syclze__check_kernel_query(kernel, properties, properties);
  /* A driver without this property leaves the zero. */
  SYCLZE__ZE_STRUCT(ze_kernel_preferred_group_size_properties_t, preferred,
      KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES);
  SYCLZE__ZE_STRUCT(ze_kernel_properties_t, native, KERNEL_PROPERTIES);
  native.pNext = &preferred;
  if (properties != NULL) memset(properties, 0, sizeof *properties);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(SYCLZE__ZE(zeKernelGetProperties)(kernel.rep->native, &native),
        "zeKernelGetProperties failed");
  if (status.result == ZE_RESULT_SUCCESS) {
    properties->argument_count = native.numKernelArgs;
    properties->required_group_size[0] = native.requiredGroupSizeX;
    properties->required_group_size[1] = native.requiredGroupSizeY;
    properties->required_group_size[2] = native.requiredGroupSizeZ;
    properties->required_sub_group_count = native.requiredNumSubGroups;
    properties->required_sub_group_size = native.requiredSubgroupSize;
    properties->max_sub_group_size = native.maxSubgroupSize;
    properties->max_sub_group_count = native.maxNumSubgroups;
    properties->preferred_group_multiple = preferred.preferredMultiple;
    properties->local_memory_size = native.localMemSize;
    properties->private_memory_size = native.privateMemSize;
    properties->spill_memory_size = native.spillMemSize;
  }
  return syclze__kernel_query_end(status, "syclze_kernel_get_properties", kernel);
}

SYCLZE_COLD ze_result_t syclze_kernel_get_properties(
    syclze_kernel kernel, syclze_kernel_properties *properties) {
  SYCLZE__TRACE_CALL(call, KERNEL_PROPERTIES, SYCLZE__WORD(kernel.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__kernel_get_properties_impl(kernel, properties));
}

SYCLZE_LOCAL ze_result_t syclze__kernel_get_attributes_impl(
    syclze_kernel kernel, const char **attributes) {
  struct syclze__status status = syclze__check_kernel_query(kernel, attributes, attributes);
  uint32_t size = 0;
  char *text = NULL;
  if (attributes != NULL) *attributes = NULL;
  if (status.result == ZE_RESULT_SUCCESS)
    status =
        syclze__status_of(SYCLZE__ZE(zeKernelGetSourceAttributes)(kernel.rep->native, &size, &text),
            "zeKernelGetSourceAttributes failed");
  if (status.result == ZE_RESULT_SUCCESS) *attributes = text != NULL ? text : "";
  return syclze__kernel_query_end(status, "syclze_kernel_get_attributes", kernel);
}

SYCLZE_COLD ze_result_t syclze_kernel_get_attributes(
    syclze_kernel kernel, const char **attributes) {
  SYCLZE__TRACE_CALL(call, KERNEL_ATTRIBUTES, SYCLZE__WORD(kernel.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__kernel_get_attributes_impl(kernel, attributes));
}

SYCLZE_LOCAL ze_result_t syclze__kernel_suggest_group_size_impl(
    syclze_kernel kernel, const uint32_t *global, uint32_t *local) {
  struct syclze__status status = syclze__check_kernel_query(kernel, global, local);
  if (local != NULL) memset(local, 0, 3 * sizeof *local);
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(SYCLZE__ZE(zeKernelSuggestGroupSize)(kernel.rep->native, global[0],
                                   global[1], global[2], &local[0], &local[1], &local[2]),
        "zeKernelSuggestGroupSize failed");
  if (status.result != ZE_RESULT_SUCCESS && local != NULL) memset(local, 0, 3 * sizeof *local);
  return syclze__kernel_query_end(status, "syclze_kernel_suggest_group_size", kernel);
}

SYCLZE_COLD ze_result_t syclze_kernel_suggest_group_size(
    syclze_kernel kernel, const uint32_t *global, uint32_t *local) {
  SYCLZE__TRACE_CALL(call, KERNEL_GROUP_SIZE, SYCLZE__WORD(kernel.rep), SYCLZE__WORD(global));
  return SYCLZE__TRACE_RESULT(call, syclze__kernel_suggest_group_size_impl(kernel, global, local));
}

/* Creates another native kernel of the same name. */
SYCLZE_LOCAL ze_result_t syclze__kernel_twin(
    const struct syclze__kernel *kernel, ze_kernel_handle_t *twin) {
  size_t size = 0;
  ze_result_t result = SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  char *name = (char *)calloc(1, size + 1);
  if (name == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, name);
  SYCLZE__ZE_STRUCT(ze_kernel_desc_t, desc, KERNEL_DESC);
  desc.pKernelName = name;
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeKernelCreate)(kernel->bundle->modules[0], &desc, twin);
  free(name);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__kernel_get_max_group_count_impl(
    syclze_kernel kernel, const uint32_t *local, uint32_t *count) {
  struct syclze__status status = syclze__check_kernel_query(kernel, local, count);
  ze_kernel_handle_t twin;
  if (count != NULL) *count = 0;
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of_call(
        syclze__kernel_twin(kernel.rep, &twin), "zeKernelGetName or zeKernelCreate failed");
  if (status.result == ZE_RESULT_SUCCESS) {
    status = syclze__status_of(SYCLZE__ZE(zeKernelSetGroupSize)(twin, local[0], local[1], local[2]),
        "zeKernelSetGroupSize failed");
    if (status.result == ZE_RESULT_SUCCESS)
      status = syclze__status_of(SYCLZE__ZE(zeKernelSuggestMaxCooperativeGroupCount)(twin, count),
          "zeKernelSuggestMaxCooperativeGroupCount failed");
    SYCLZE__ZE(zeKernelDestroy)(twin);
    if (status.result != ZE_RESULT_SUCCESS) *count = 0;
  }
  return syclze__kernel_query_end(status, "syclze_kernel_get_max_group_count", kernel);
}

SYCLZE_COLD ze_result_t syclze_kernel_get_max_group_count(
    syclze_kernel kernel, const uint32_t *local, uint32_t *count) {
  SYCLZE__TRACE_CALL(
      call, KERNEL_GROUP_COUNT, SYCLZE__WORD(kernel.rep), SYCLZE__WORD(local), SYCLZE__WORD(count));
  return SYCLZE__TRACE_RESULT(call, syclze__kernel_get_max_group_count_impl(kernel, local, count));
}

#endif

SYCLZE_EXTERN_C_END

#endif
