/* Copies in a context that the calling thread waits for. */
#ifndef SYCLZE_DETAIL_MEMORY_COPY_H
#define SYCLZE_DETAIL_MEMORY_COPY_H

#include "../queue.h"
#include "../usm.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__STAGE_MOST = 1 << 22 }; /* bytes of the host at once */

#if SYCLZE__BODIES

/* An immediate list whose appends return when the work is done. */
SYCLZE_LOCAL ze_result_t syclze__synchronous_list_on(struct syclze__context *context,
    struct syclze__device *device, ze_command_list_handle_t *list) {
  ze_command_queue_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_result_t result = syclze__compute_ordinal(device, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandListCreateImmediate)(context->native, device->native, &desc, list);
}

/* The same on the context's first device. */
SYCLZE_LOCAL ze_result_t syclze__synchronous_list(
    struct syclze__context *context, ze_command_list_handle_t *list) {
  return syclze__synchronous_list_on(context, context->devices[0], list);
}

/* Copies between memory that the device can access. */
SYCLZE_LOCAL ze_result_t syclze__memory_move(
    struct syclze__context *context, void *to, const void *from, size_t size) {
  ze_command_list_handle_t list;
  ze_result_t result = syclze__synchronous_list(context, &list);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(list, to, from, size, NULL, 0, NULL);
  ze_result_t destroyed = SYCLZE__ZE(zeCommandListDestroy)(list);
  return result != ZE_RESULT_SUCCESS ? result : destroyed;
}

/* Copies between memory of the device and any memory of the host, piece by piece. */
SYCLZE_LOCAL ze_result_t syclze__memory_stage(struct syclze__context *context, void *device,
    void *host, size_t size, bool to_host, void *stage, size_t room) {
  ze_command_list_handle_t list;
  ze_result_t result = syclze__synchronous_list(context, &list), destroyed;
  if (result != ZE_RESULT_SUCCESS) return result;
  for (size_t done = 0, part; done < size && result == ZE_RESULT_SUCCESS; done += part) {
    char *there = (char *)device + done, *here = (char *)host + done;
    part = size - done < room ? size - done : room;
    if (!to_host) memcpy(stage, here, part);
    result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(
        list, to_host ? stage : there, to_host ? there : stage, part, NULL, 0, NULL);
    if (to_host && result == ZE_RESULT_SUCCESS) memcpy(here, stage, part);
  }
  destroyed = SYCLZE__ZE(zeCommandListDestroy)(list);
  return result != ZE_RESULT_SUCCESS ? result : destroyed;
}

/* Copies between memory of a buffer, of the type, and any memory of the host. */
SYCLZE_LOCAL ze_result_t syclze__memory_exchange(struct syclze__context *context,
    ze_memory_type_t type, void *memory, void *host, size_t size, bool to_host) {
  const size_t room = size < SYCLZE__STAGE_MOST ? size : (size_t)SYCLZE__STAGE_MOST;
  void *stage;
  ze_result_t result, freed;
  if (type != ZE_MEMORY_TYPE_DEVICE) {
    memcpy(to_host ? host : memory, to_host ? memory : host, size);
    return ZE_RESULT_SUCCESS;
  }
  result = syclze__usm_allocate_native(ZE_MEMORY_TYPE_HOST, 0, room, NULL, context, &stage);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__memory_stage(context, memory, host, size, to_host, stage, room);
  freed = SYCLZE__ZE(zeMemFree)(context->native, stage);
  return result != ZE_RESULT_SUCCESS ? result : freed;
}

#endif

SYCLZE_EXTERN_C_END

#endif
