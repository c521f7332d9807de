/* Bodies of global.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_GLOBAL_H
#define SYCLZE_OFFLOAD_DETAIL_GLOBAL_H

#include "../global.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Finds the memory of a part of a variable. */
SYCLZE_LOCAL ze_result_t syclze__global_part(syclze_program program, const syclze_group *group,
    const syclze_program_request *request, const char *name, size_t size, size_t offset,
    const char *function, uint8_t **part) {
  syclze_queue queue = {group->queue};
  void *pointer = NULL;
  size_t room = 0;
  if (queue.rep == NULL) return syclze__fail_handle(function, "the queue is null");
  syclze_device device = syclze_queue_get_device(queue);
  ze_result_t result = syclze_program_get_global(program, device, request, name, &pointer, &room);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (offset > room || size > room - offset)
    return syclze__fail_detail(ZE_RESULT_ERROR_INVALID_SIZE, function,
        "the part does not lie in the variable", NULL, name);
  *part = (uint8_t *)pointer + offset;
  return result;
}

/* Copies to the variable, or from it. */
SYCLZE_LOCAL ze_result_t syclze__global_copy(syclze_program program, syclze_group *group,
    const syclze_program_request *request, const char *name, const void *memory, bool is_to,
    size_t size, size_t offset, syclze_event *event) {
  const char *function =
      is_to ? "syclze_program_copy_to_global" : "syclze_program_copy_from_global";
  uint8_t *part = NULL;
  if (event != NULL) event->rep = NULL;
  if (group == NULL || memory == NULL) {
    if (group != NULL) syclze_group_end(group);
    return syclze__fail_pointer(function, "the group's or the memory's pointer is null");
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
