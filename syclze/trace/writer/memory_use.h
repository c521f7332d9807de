/* Memory in use, by zeMemAlloc* and images.
 *
 * The size of an image is by zeImageGetMemoryPropertiesExp, if loader and driver have it. Else it
 * is computed from the descriptor, assuming no gaps between rows; the trace has the number of these
 * images. Views of images, and memory that another process exports, do not count.
 */
#ifndef SYCLZE_TRACE_MEMORY_USE_H
#define SYCLZE_TRACE_MEMORY_USE_H

#include "state.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__recorder_in_use(
    struct syclze__recorder *recorder, uint64_t bytes, bool more) {
  recorder->memory += more ? bytes : (uint64_t)0 - bytes;
  syclze__record_add(
      recorder->rings, SYCLZE__RECORD_MEMORY, NULL, syclze__clock_now(), recorder->memory, 0, 0);
}

/* Records an allocation in `map`, of allocations or images. The address may be reused before its
 * zeMemFree returns, or after a free that is not traced. */
SYCLZE_LOCAL void syclze__recorder_allocated(
    struct syclze__recorder *recorder, struct syclze__map *map, uint64_t handle, uint64_t bytes) {
  struct syclze__map_entry *memory = syclze__map_put(map, handle);
  if (memory == NULL) return;
  if (memory->value != 0) syclze__recorder_in_use(recorder, memory->value, false);
  memory->flags = 0;
  memory->value = bytes;
  syclze__recorder_in_use(recorder, bytes, true);
}

SYCLZE_INLINE void syclze__recorder_freeing(const struct syclze__map *map, uint64_t handle) {
  struct syclze__map_entry *memory = syclze__map_find(map, handle);
  if (memory != NULL) memory->flags |= SYCLZE__HANDLE_FREEING;
}

SYCLZE_LOCAL void syclze__recorder_freed(
    struct syclze__recorder *recorder, struct syclze__map *map, uint64_t handle, bool done) {
  struct syclze__map_entry *memory = syclze__map_find(map, handle);
  if (memory == NULL || !(memory->flags & SYCLZE__HANDLE_FREEING)) return;
  memory->flags = 0;
  if (!done) return;
  syclze__recorder_in_use(recorder, memory->value, false);
  syclze__map_remove(map, handle);
}

/* The size by the descriptor; 0 for newer layouts. */
SYCLZE_LOCAL uint64_t syclze__image_bytes_of(const ze_image_desc_t *desc) {
  /* Bits of a pixel, by ze_image_format_layout_t's numbers. */
  static const uint8_t bits[] = {8, 16, 32, 16, 32, 32, 64, 64, 128, 32, 32, 16, 16, 16, 8, 12, 16,
      16, 16, 16, 32, 24, 32, 24, 16, 24, 32, 32, 8, 16, 16, 8, 8, 64, 32, 12, 12, 8, 16, 16, 24,
      24, 24, 24, 48, 96};
  const uint32_t layout = (uint32_t)desc->format.layout;
  uint64_t pixels = desc->width;
  if (desc->type == ZE_IMAGE_TYPE_2D || desc->type == ZE_IMAGE_TYPE_2DARRAY ||
      desc->type == ZE_IMAGE_TYPE_3D)
    pixels *= desc->height;
  if (desc->type == ZE_IMAGE_TYPE_3D) pixels *= desc->depth;
  if (desc->type == ZE_IMAGE_TYPE_1DARRAY || desc->type == ZE_IMAGE_TYPE_2DARRAY)
    pixels *= desc->arraylevels;
  return layout < sizeof bits ? (pixels * bits[layout] + 7) / 8 : 0;
}

SYCLZE_LOCAL void syclze__recorder_image(
    struct syclze__recorder *recorder, ze_image_handle_t image, const ze_image_desc_t *desc) {
  ze_result_t(ZE_APICALL * get_properties)(ze_image_handle_t, ze_image_memory_properties_exp_t *);
  SYCLZE__ZE_STRUCT(ze_image_memory_properties_exp_t, properties, IMAGE_MEMORY_EXP_PROPERTIES);
  if (!syclze__tracer_find("zeImageGetMemoryPropertiesExp", &get_properties) ||
      get_properties(image, &properties) != ZE_RESULT_SUCCESS) {
    properties.size = syclze__image_bytes_of(desc);
    recorder->computed++;
  }
  syclze__recorder_allocated(
      recorder, &recorder->images, (uint64_t)(uintptr_t)image, properties.size);
}

SYCLZE_LOCAL void syclze__recorder_memory_before(
    const struct syclze__recorder *recorder, const syclze_tracer_call *call) {
  if (call->function == SYCLZE__CALL_MemFree || call->function == SYCLZE__CALL_MemFreeExt)
    syclze__recorder_freeing(&recorder->allocations,
        SYCLZE__HANDLE(call, call->function == SYCLZE__CALL_MemFree ? 1 : 2));
  if (call->function == SYCLZE__CALL_ImageDestroy)
    syclze__recorder_freeing(&recorder->images, SYCLZE__HANDLE(call, 0));
}

SYCLZE_LOCAL void syclze__recorder_memory_after(
    struct syclze__recorder *recorder, const syclze_tracer_call *call) {
  const bool done = *call->result == ZE_RESULT_SUCCESS;
  uint32_t size = 2; /* the size's argument; the last argument points to the address */
  switch (call->function) {
  case SYCLZE__CALL_MemFree:
    syclze__recorder_freed(recorder, &recorder->allocations, SYCLZE__HANDLE(call, 1), done);
    return;
  case SYCLZE__CALL_MemFreeExt:
    syclze__recorder_freed(recorder, &recorder->allocations, SYCLZE__HANDLE(call, 2), done);
    return;
  case SYCLZE__CALL_ImageDestroy:
    syclze__recorder_freed(recorder, &recorder->images, SYCLZE__HANDLE(call, 0), done);
    return;
  case SYCLZE__CALL_ImageCreate:
    if (done)
      syclze__recorder_image(recorder, *SYCLZE__ARGUMENT(call, 3, ze_image_handle_t *),
          SYCLZE__ARGUMENT(call, 2, const ze_image_desc_t *));
    return;
  case SYCLZE__CALL_MemAllocShared:
    size = 3;
    break;
  case SYCLZE__CALL_MemAllocDevice:
  case SYCLZE__CALL_MemAllocHost:
    break;
  default:
    return;
  }
  if (done)
    syclze__recorder_allocated(recorder, &recorder->allocations,
        (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(
            call, size + (call->function == SYCLZE__CALL_MemAllocHost ? 2 : 3), void **),
        SYCLZE__ARGUMENT(call, size, size_t));
}

SYCLZE_EXTERN_C_END

#endif

#endif
