/* Memory in use: that of zeMemAlloc* and of images.
 *
 * How much an image takes is what zeImageGetMemoryPropertiesExp says, where loader and driver have
 * it. Else it is computed of the image's descriptor, as if rows had no gaps, and the trace says of
 * how many. Views of images count nothing, nor does memory that another process exports. */
#ifndef SYCLZE_TRACE_MEMORY_USE_H
#define SYCLZE_TRACE_MEMORY_USE_H

#include "state.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__trace_in_use(struct syclze__trace *trace, uint64_t bytes, bool more) {
  trace->memory += more ? bytes : (uint64_t)0 - bytes;
  syclze__record_add(
      trace->rings, SYCLZE__RECORD_MEMORY, NULL, syclze__trace_now(), trace->memory, 0, 0);
}

/* An address may be in use again before its zeMemFree returns. `map` is of allocations or images.
 */
SYCLZE_LOCAL void syclze__trace_allocated(
    struct syclze__trace *trace, struct syclze__map *map, uint64_t handle, uint64_t bytes) {
  struct syclze__traced *memory = syclze__map_put(map, handle);
  if (memory == NULL) return;
  if (memory->flags & SYCLZE__TRACED_FREEING) syclze__trace_in_use(trace, memory->value, false);
  memory->flags = 0;
  memory->value = bytes;
  syclze__trace_in_use(trace, bytes, true);
}

SYCLZE_INLINE void syclze__trace_freeing(const struct syclze__map *map, uint64_t handle) {
  struct syclze__traced *memory = syclze__map_find(map, handle);
  if (memory != NULL) memory->flags |= SYCLZE__TRACED_FREEING;
}

SYCLZE_LOCAL void syclze__trace_freed(
    struct syclze__trace *trace, struct syclze__map *map, uint64_t handle, bool done) {
  struct syclze__traced *memory = syclze__map_find(map, handle);
  if (memory == NULL || !(memory->flags & SYCLZE__TRACED_FREEING)) return;
  memory->flags = 0;
  if (!done) return;
  syclze__trace_in_use(trace, memory->value, false);
  syclze__map_remove(map, handle);
}

/* Of a layout that has come since, 0. */
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

SYCLZE_LOCAL void syclze__trace_image(
    struct syclze__trace *trace, ze_image_handle_t image, const ze_image_desc_t *desc) {
  ze_result_t(ZE_APICALL * ask)(ze_image_handle_t, ze_image_memory_properties_exp_t *);
  ze_image_memory_properties_exp_t properties;
  memset(&properties, 0, sizeof properties);
  properties.stype = ZE_STRUCTURE_TYPE_IMAGE_MEMORY_EXP_PROPERTIES;
  if (!syclze__tracer_find("zeImageGetMemoryPropertiesExp", &ask) ||
      ask(image, &properties) != ZE_RESULT_SUCCESS) {
    properties.size = syclze__image_bytes_of(desc);
    trace->computed++;
  }
  syclze__trace_allocated(trace, &trace->images, (uint64_t)(uintptr_t)image, properties.size);
}

SYCLZE_LOCAL void syclze__trace_memory_before(
    const struct syclze__trace *trace, const syclze_call *call) {
  if (call->function == SYCLZE__CALL_MemFree || call->function == SYCLZE__CALL_MemFreeExt)
    syclze__trace_freeing(
        &trace->allocations, SYCLZE__HANDLE(call, call->function == SYCLZE__CALL_MemFree ? 1 : 2));
  if (call->function == SYCLZE__CALL_ImageDestroy)
    syclze__trace_freeing(&trace->images, SYCLZE__HANDLE(call, 0));
}

SYCLZE_LOCAL void syclze__trace_memory_after(struct syclze__trace *trace, const syclze_call *call) {
  const bool done = *call->result == ZE_RESULT_SUCCESS;
  uint32_t size = 2; /* which argument; the last is where the address is stored */
  switch (call->function) {
  case SYCLZE__CALL_MemFree:
    syclze__trace_freed(trace, &trace->allocations, SYCLZE__HANDLE(call, 1), done);
    return;
  case SYCLZE__CALL_MemFreeExt:
    syclze__trace_freed(trace, &trace->allocations, SYCLZE__HANDLE(call, 2), done);
    return;
  case SYCLZE__CALL_ImageDestroy:
    syclze__trace_freed(trace, &trace->images, SYCLZE__HANDLE(call, 0), done);
    return;
  case SYCLZE__CALL_ImageCreate:
    if (done)
      syclze__trace_image(trace, *SYCLZE__ARGUMENT(call, 3, ze_image_handle_t *),
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
    syclze__trace_allocated(trace, &trace->allocations,
        (uint64_t)(uintptr_t)*SYCLZE__ARGUMENT(
            call, size + (call->function == SYCLZE__CALL_MemAllocHost ? 2 : 3), void **),
        SYCLZE__ARGUMENT(call, size, size_t));
}

SYCLZE_EXTERN_C_END

#endif
