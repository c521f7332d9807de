/* Blocking copies in a context. */
#ifndef SYCLZE_DETAIL_OBJECTS_STAGING_COPY_H
#define SYCLZE_DETAIL_OBJECTS_STAGING_COPY_H

#include "../../queue.h"
#include "../../usm.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__STAGE_MOST = 1 << 22 }; /* bytes of host memory at once; a power of two */

#if SYCLZE__BODIES

/* Creates an immediate list whose appends return when the work is done. */
SYCLZE_LOCAL ze_result_t syclze__synchronous_list_on(struct syclze__context *context,
    struct syclze__device *device, ze_command_list_handle_t *list) {
  SYCLZE__ZE_STRUCT(ze_command_queue_desc_t, desc, COMMAND_QUEUE_DESC);
  desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ze_result_t result = syclze__compute_ordinal(device, &desc.ordinal);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandListCreateImmediate)(context->native, device->native, &desc, list);
}

/* syclze__synchronous_list_on for the context's first device. */
SYCLZE_LOCAL ze_result_t syclze__synchronous_list(
    struct syclze__context *context, ze_command_list_handle_t *list) {
  return syclze__synchronous_list_on(context, context->devices[0], list);
}

/* The context keeps one staging for copies, which one copy takes at a time. Copies meanwhile create
 * their own; the last one to end is kept. */

/* Grows the host's memory to at least `room`, rounded up to a power of two. */
SYCLZE_LOCAL ze_result_t syclze__staging_grow(
    struct syclze__context *context, struct syclze__staging *staging, size_t room) {
  size_t rounded = 1 << 12;
  if (staging->room >= room) return ZE_RESULT_SUCCESS;
  while (rounded < room)
    rounded *= 2;
  if (staging->memory != NULL) SYCLZE__ZE(zeMemFree)(context->native, staging->memory);
  staging->memory = NULL;
  staging->room = 0;
  const ze_result_t result =
      syclze__usm_allocate_native(ZE_MEMORY_TYPE_HOST, 0, rounded, NULL, context, &staging->memory);
  if (result == ZE_RESULT_SUCCESS) staging->room = rounded;
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__staging_create(struct syclze__context *context,
    struct syclze__device *device, struct syclze__staging **created) {
  struct syclze__staging *staging = (struct syclze__staging *)calloc(1, sizeof *staging);
  *created = NULL;
  if (staging == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  staging->device = device;
  const ze_result_t result = syclze__synchronous_list_on(context, device, &staging->list);
  if (result == ZE_RESULT_SUCCESS)
    *created = staging;
  else
    free(staging);
  return result;
}

/* Returns the staging to the context, unless the copy's `result` makes it unusable or the context
 * keeps one. Returns the first error. */
SYCLZE_LOCAL ze_result_t syclze__staging_give(
    struct syclze__context *context, struct syclze__staging *staging, ze_result_t result) {
  struct syclze__staging *none = NULL;
  __atomic_store_n(&context->parent.used, 1, __ATOMIC_RELAXED);
  if (result == ZE_RESULT_SUCCESS && __atomic_compare_exchange_n(&context->staging, &none, staging,
                                         false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED))
    return result;
  return syclze__first_error(result, syclze__staging_destroy(context, staging));
}

/* Takes a staging on the device, with at least `room` bytes of host memory. After an error nothing
 * is taken. */
SYCLZE_LOCAL ze_result_t syclze__staging_take(struct syclze__context *context,
    struct syclze__device *device, size_t room, struct syclze__staging **taken) {
  struct syclze__staging *staging =
      __atomic_exchange_n(&context->staging, (struct syclze__staging *)NULL, __ATOMIC_ACQ_REL);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (staging != NULL && staging->device != device) {
    result = syclze__staging_give(context, staging, result);
    staging = NULL;
  }
  if (result == ZE_RESULT_SUCCESS && staging == NULL)
    result = syclze__staging_create(context, device, &staging);
  if (result == ZE_RESULT_SUCCESS) result = syclze__staging_grow(context, staging, room);
  *taken = staging;
  if (result == ZE_RESULT_SUCCESS || staging == NULL) return result;
  *taken = NULL;
  return syclze__staging_give(context, staging, result);
}

/* Copies between memory that the device can access. */
SYCLZE_LOCAL ze_result_t syclze__memory_move(
    struct syclze__context *context, void *to, const void *from, size_t size) {
  struct syclze__staging *staging;
  ze_result_t result = syclze__staging_take(context, context->devices[0], 0, &staging);
  if (staging == NULL) return result;
  result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(staging->list, to, from, size, NULL, 0, NULL);
  return syclze__staging_give(context, staging, result);
}

/* Copies between memory of the device and any memory of the host, in pieces. */
SYCLZE_LOCAL ze_result_t syclze__memory_stage(
    const struct syclze__staging *staging, void *device, void *host, size_t size, bool to_host) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t done = 0, part; done < size && result == ZE_RESULT_SUCCESS; done += part) {
    char *there = (char *)device + done, *here = (char *)host + done;
    part = size - done < staging->room ? size - done : staging->room;
    if (!to_host) memcpy(staging->memory, here, part);
    result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(staging->list,
        to_host ? staging->memory : there, to_host ? there : staging->memory, part, NULL, 0, NULL);
    if (to_host && result == ZE_RESULT_SUCCESS) memcpy(here, staging->memory, part);
  }
  return result;
}

/* Copies between a buffer's memory of the type and any memory of the host. */
SYCLZE_LOCAL ze_result_t syclze__memory_exchange(struct syclze__context *context,
    ze_memory_type_t type, void *memory, void *host, size_t size, bool to_host) {
  const size_t room = size < SYCLZE__STAGE_MOST ? size : (size_t)SYCLZE__STAGE_MOST;
  struct syclze__staging *staging;
  if (type != ZE_MEMORY_TYPE_DEVICE) {
    memcpy(to_host ? host : memory, to_host ? memory : host, size);
    return ZE_RESULT_SUCCESS;
  }
  ze_result_t result = syclze__staging_take(context, context->devices[0], room, &staging);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__memory_stage(staging, memory, host, size, to_host);
  return syclze__staging_give(context, staging, result);
}

#endif

SYCLZE_EXTERN_C_END

#endif
