/* Implementation of device_global.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_DEVICE_GLOBAL_H
#define SYCLZE_DETAIL_OBJECTS_DEVICE_GLOBAL_H

#include "../../device_global.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Finds the variable in the first module that exports it. Reports nothing. */
SYCLZE_LOCAL struct syclze__status syclze__device_global_find(
    const struct syclze__kernel_bundle *bundle, const char *name, void **pointer, size_t *size) {
  ze_result_t result = ZE_RESULT_ERROR_INVALID_GLOBAL_NAME;
  *pointer = NULL;
  *size = 0;
  if (bundle == NULL) return syclze__null_handle("the bundle is null");
  if (name == NULL) return syclze__null_pointer("the variable's name is null");
  if (!SYCLZE__CHECK_ALIVE(bundle))
    return syclze__invalid("the bundle is used after its last release");
  const struct syclze__status status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS) return status;
  for (size_t i = 0; i < bundle->module_count && result == ZE_RESULT_ERROR_INVALID_GLOBAL_NAME; i++)
    result = SYCLZE__ZE(zeModuleGetGlobalPointer)(bundle->modules[i], name, size, pointer);
  if (result != ZE_RESULT_SUCCESS) {
    *pointer = NULL;
    *size = 0;
  }
  return syclze__status_of(result, "zeModuleGetGlobalPointer does not find the variable");
}

SYCLZE_LOCAL ze_result_t syclze__device_global_find_impl(
    syclze_kernel_bundle bundle, const char *name, void **pointer, size_t *size) {
  const char *const function = "syclze_device_global_find";
  size_t unused;
  if (size == NULL) size = &unused;
  *size = 0;
  if (pointer == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  struct syclze__status status = syclze__device_global_find(bundle.rep, name, pointer, size);
  return syclze__finish_detail(
      status, function, bundle.rep != NULL ? bundle.rep->modules[0] : NULL, name);
}

SYCLZE_COLD ze_result_t syclze_device_global_find(
    syclze_kernel_bundle bundle, const char *name, void **pointer, size_t *size) {
  SYCLZE__TRACE_CALL(call, GLOBAL_POINTER, SYCLZE__WORD(bundle.rep), SYCLZE__WORD(name),
      SYCLZE__WORD(size), SYCLZE__WORD(pointer));
  return SYCLZE__TRACE_RESULT(call, syclze__device_global_find_impl(bundle, name, pointer, size));
}

/* Copies to or from the variable. */
SYCLZE_LOCAL ze_result_t syclze__device_global_copy(syclze_kernel_bundle bundle,
    syclze_group *group, const char *name, const void *memory, bool is_to, size_t size,
    size_t offset, const char *function, syclze_event *event) {
  struct syclze__status status;
  syclze_memory_argument variable, other;
  void *pointer = NULL;
  size_t room = 0;
  if (event != NULL) event->rep = NULL;
  if (group == NULL || memory == NULL)
    status = syclze__null_pointer("the group's or the memory's pointer is null");
  else
    status = syclze__device_global_find(bundle.rep, name, &pointer, &room);
  if (status.result == ZE_RESULT_SUCCESS && (offset > room || size > room - offset))
    status =
        syclze__status_of(ZE_RESULT_ERROR_INVALID_SIZE, "the part does not lie in the variable");
  if (status.result != ZE_RESULT_SUCCESS) {
    if (group != NULL) syclze_group_end(group);
    return syclze__finish_detail(
        status, function, bundle.rep != NULL ? bundle.rep->modules[0] : NULL, name);
  }
  syclze__recording_exclude(
      group, "sycl_ext_oneapi_graph: a copy of a device global may not be recorded to a graph");
  variable = syclze_memory_argument_pointer((char *)pointer + offset);
  other = syclze_memory_argument_pointer(memory);
  return is_to ? syclze_group_copy(group, variable, other, size, event)
               : syclze_group_copy(group, other, variable, size, event);
}

SYCLZE_COLD ze_result_t syclze_device_global_copy_to(syclze_kernel_bundle bundle,
    syclze_group *group, const char *name, const void *from, size_t size, size_t offset,
    syclze_event *event) {
  return syclze__device_global_copy(
      bundle, group, name, from, true, size, offset, "syclze_device_global_copy_to", event);
}

SYCLZE_COLD ze_result_t syclze_device_global_copy_from(syclze_kernel_bundle bundle,
    syclze_group *group, const char *name, void *to, size_t size, size_t offset,
    syclze_event *event) {
  return syclze__device_global_copy(
      bundle, group, name, to, false, size, offset, "syclze_device_global_copy_from", event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
