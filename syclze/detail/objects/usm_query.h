/* Implementation of usm_query.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_USM_QUERY_H
#define SYCLZE_DETAIL_OBJECTS_USM_QUERY_H

#include "../../usm_query.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__status syclze__usm_read(
    const void *memory, const struct syclze__context *context, syclze_usm_info *info) {
  ze_device_handle_t device = NULL;
  SYCLZE__ZE_STRUCT(ze_memory_allocation_properties_t, properties, MEMORY_ALLOCATION_PROPERTIES);
  ze_result_t result =
      SYCLZE__ZE(zeMemGetAllocProperties)(context->native, memory, &properties, &device);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "zeMemGetAllocProperties failed");
  if (properties.type == ZE_MEMORY_TYPE_UNKNOWN) return syclze__allowed();
  result = SYCLZE__ZE(zeMemGetAddressRange)(context->native, memory, &info->base, &info->size);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zeMemGetAddressRange failed");
  info->type = properties.type;
  info->id = properties.id;
  info->page_size = properties.pageSize;
  /* Devices of a context have been enumerated. */
  if (device != NULL) info->device.rep = syclze__device_find(device);
  if (device != NULL && info->device.rep == NULL)
    info->device.rep = syclze__composite_known(device);
  return syclze__allowed();
}

SYCLZE_LOCAL ze_result_t syclze__usm_get_info_impl(
    const void *memory, syclze_context context, syclze_usm_info *info) {
  struct syclze__status status = syclze__check_in(context.rep);
  if (info != NULL) memset(info, 0, sizeof *info);
  if (info == NULL || memory == NULL)
    status = syclze__null_pointer("the memory's or the result's pointer is null");
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__usm_read(memory, context.rep, info);
  if (status.result != ZE_RESULT_SUCCESS && info != NULL) memset(info, 0, sizeof *info);
  return syclze__finish(status, "syclze_usm_get_info", memory);
}

SYCLZE_COLD ze_result_t syclze_usm_get_info(
    const void *memory, syclze_context context, syclze_usm_info *info) {
  SYCLZE__TRACE_CALL(call, USM_INFO, SYCLZE__WORD(context.rep), SYCLZE__WORD(memory));
  return SYCLZE__TRACE_RESULT(call, syclze__usm_get_info_impl(memory, context, info));
}

#endif

SYCLZE_EXTERN_C_END

#endif
