/* Bodies of global.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_GLOBAL_H
#define SYCLZE_OFFLOAD_DETAIL_GLOBAL_H

#include "../global.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Whether DPC++ describes the variable as one that holds a pointer: {size, image scope}. */
SYCLZE_LOCAL bool syclze__global_is_pointer(const syclze_offload_image *image, const char *name) {
  syclze_property_sets sets = {NULL};
  syclze_bytes value;
  if ((image->property_sets_begin == NULL && image->property_text.size == 0) ||
      syclze_property_sets_open(image, &sets) != ZE_RESULT_SUCCESS)
    return false;
  bool is_pointer =
      syclze_property_get_bytes(sets, SYCLZE_PROPERTY_SET_DEVICE_GLOBALS, name, &value) &&
      value.size >= 5 && ((const uint8_t *)value.data)[4] == 0;
  syclze_property_sets_close(sets);
  return is_pointer;
}

/* The part of a variable. */
SYCLZE_LOCAL ze_result_t syclze__global_part(syclze_program program, const syclze_group *group,
    const syclze_program_request *request, const char *name, size_t size, size_t offset,
    const char *function, uint8_t **part) {
  syclze_queue queue = {group->queue};
  syclze_candidate choice;
  void *pointer = NULL;
  size_t room = 0;
  if (queue.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the queue is null", NULL);
  syclze_device device = syclze_queue_get_device(queue);
  ze_result_t result = syclze_program_get_global(program, device, request, name, &pointer, &room);
  if (result == ZE_RESULT_SUCCESS)
    result = syclze_program_get_choice(program, device, request, &choice);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (syclze__global_is_pointer(&choice.image, name))
    return syclze__fail_detail(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, function,
        "the variable has no device_image_scope: it holds a pointer of SYCL's runtime", NULL, name);
  if (offset > room || size > room - offset)
    return syclze__fail_detail(ZE_RESULT_ERROR_INVALID_SIZE, function,
        "the part does not lie in the variable", NULL, name);
  *part = (uint8_t *)pointer + offset;
  return result;
}

/* Copies to the variable, or else from it. */
SYCLZE_LOCAL ze_result_t syclze__global_copy(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const char *name, const void *memory, bool is_to,
    size_t size, size_t offset, syclze_event *event) {
  const char *function =
      is_to ? "syclze_program_copy_to_global" : "syclze_program_copy_from_global";
  uint8_t *part = NULL;
  if (event != NULL) event->rep = NULL;
  if (group == NULL || memory == NULL) {
    if (group != NULL) syclze_group_end(group);
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the group's or the memory's pointer is null", NULL);
  }
  ze_result_t result =
      syclze__global_part(program, group, request, name, size, offset, function, &part);
  if (result != ZE_RESULT_SUCCESS) {
    syclze_group_end(group);
    return result;
  }
  syclze_memory_argument variable = syclze_memory_argument_pointer(part);
  syclze_memory_argument other = syclze_memory_argument_pointer(memory);
  return is_to ? syclze_group_copy(group, variable, other, size, event)
               : syclze_group_copy(group, other, variable, size, event);
}

SYCLZE_COLD ze_result_t syclze_program_copy_to_global(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const char *name, const void *from, size_t size,
    size_t offset, syclze_event *event) {
  return syclze__global_copy(program, group, request, name, from, true, size, offset, event);
}

SYCLZE_COLD ze_result_t syclze_program_copy_from_global(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const char *name, void *to, size_t size, size_t offset,
    syclze_event *event) {
  return syclze__global_copy(program, group, request, name, to, false, size, offset, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
