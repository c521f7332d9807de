/* Copies of texels between arrays of CUDA's and memory. */
#include "engine/cuda/image.h"
#include "engine/cuda/stage.h"

#include <stdlib.h>
#include <string.h>

/* A part of the box that is copied, in texels from its beginning. */
struct part {
  size_t x, y, z, width, rows, slices;
};

/* The memory's side of a part: its pitch, and how many rows a slice is. */
struct rows {
  char *at;
  size_t pitch, slice;
};

static const struct zecl_engine_image *image_of(const struct zecl_texel_copy *copy) {
  return copy->to_image ? copy->to_image : copy->from_image;
}

static void set_to_image(
    CUDA_MEMCPY3D *box, const struct zecl_texel_copy *copy, const struct part *part) {
  const struct zecl_engine_image *image = copy->to_image;
  const size_t y = copy->to_origin[1] + part->y;
  box->dstMemoryType = CU_MEMORYTYPE_ARRAY;
  box->dstArray = image->array;
  box->dstXInBytes = (copy->to_origin[0] + part->x) * image->texel_size;
  box->dstY = zecl_cuda_image_has_rows(image) ? y : 0;
  box->dstZ = zecl_cuda_image_has_rows(image) ? copy->to_origin[2] + part->z : y;
}

static void set_from_image(
    CUDA_MEMCPY3D *box, const struct zecl_texel_copy *copy, const struct part *part) {
  const struct zecl_engine_image *image = copy->from_image;
  const size_t y = copy->from_origin[1] + part->y;
  box->srcMemoryType = CU_MEMORYTYPE_ARRAY;
  box->srcArray = image->array;
  box->srcXInBytes = (copy->from_origin[0] + part->x) * image->texel_size;
  box->srcY = zecl_cuda_image_has_rows(image) ? y : 0;
  box->srcZ = zecl_cuda_image_has_rows(image) ? copy->from_origin[2] + part->z : y;
}

static void set_memory(CUDA_MEMCPY3D *box, const struct rows *memory, bool is_target) {
  if (is_target) {
    box->dstMemoryType = CU_MEMORYTYPE_UNIFIED;
    box->dstDevice = (CUdeviceptr)(uintptr_t)memory->at;
    box->dstPitch = memory->pitch;
    box->dstHeight = memory->slice;
  } else {
    box->srcMemoryType = CU_MEMORYTYPE_UNIFIED;
    box->srcDevice = (CUdeviceptr)(uintptr_t)memory->at;
    box->srcPitch = memory->pitch;
    box->srcHeight = memory->slice;
  }
}

/* Layers of a 1D array are CUDA's slices of one row. `memory` is for the side that is no image. */
static ze_result_t copy_part(struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy,
    const struct part *part, const struct rows *memory) {
  const struct zecl_engine_image *image = image_of(copy);
  const bool has_rows = zecl_cuda_image_has_rows(image);
  CUDA_MEMCPY3D box = {.WidthInBytes = part->width * image->texel_size,
      .Height = has_rows ? part->rows : 1,
      .Depth = has_rows ? part->slices : part->rows};
  struct rows lone = memory ? *memory : (struct rows){0};
  if (!has_rows) lone.slice = 1;
  if (copy->to_image)
    set_to_image(&box, copy, part);
  else
    set_memory(&box, &lone, true);
  if (copy->from_image)
    set_from_image(&box, copy, part);
  else
    set_memory(&box, &lone, false);
  return zecl_cuda_result(zecl_cuda.copy_3d(&box, queue->stream));
}

/* Images of unlike dimensions go row by row. */
static ze_result_t copy_between(
    struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy) {
  const size_t *size = copy->size;
  if (zecl_cuda_image_has_rows(copy->to_image) == zecl_cuda_image_has_rows(copy->from_image))
    return copy_part(queue, copy, &(struct part){0, 0, 0, size[0], size[1], size[2]}, NULL);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t z = 0; z < size[2]; z++)
    for (size_t y = 0; y < size[1] && result == ZE_RESULT_SUCCESS; y++)
      result = copy_part(queue, copy, &(struct part){0, y, z, size[0], 1, 1}, NULL);
  return result;
}

static char *memory_of(const struct zecl_texel_copy *copy) {
  return copy->to_image ? (char *)(uintptr_t)copy->from : copy->to;
}

/* CUDA counts a slice in rows. */
static ze_result_t copy_direct(
    struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy) {
  const size_t *size = copy->size;
  struct rows memory = {memory_of(copy), copy->row_pitch, copy->slice_pitch / copy->row_pitch};
  if (size[2] == 1 || copy->slice_pitch % copy->row_pitch == 0)
    return copy_part(queue, copy, &(struct part){0, 0, 0, size[0], size[1], size[2]}, &memory);
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t z = 0; z < size[2] && result == ZE_RESULT_SUCCESS; z++) {
    result = copy_part(queue, copy, &(struct part){0, 0, z, size[0], size[1], 1}, &memory);
    memory.at += copy->slice_pitch;
  }
  return result;
}

/* Work of a host function: copies rows between the stage, where they are packed, and memory. */
struct work {
  const struct zecl_engine_queue *queue;
  char *to;
  const char *from;
  size_t width, rows, to_pitch, from_pitch;
};

static void run(void *argument) {
  struct work *work = argument;
  const bool is_cancelled = atomic_load(&work->queue->is_cancelled);
  for (size_t y = 0; y < work->rows && !is_cancelled; y++)
    memcpy(work->to + y * work->to_pitch, work->from + y * work->from_pitch, work->width);
  free(work);
}

static ze_result_t call(struct zecl_engine_queue *queue, const struct work *what) {
  struct work *work = malloc(sizeof *work);
  if (!work) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *work = *what;
  const CUresult error = zecl_cuda.stream_call(queue->stream, run, work);
  if (error != CUDA_SUCCESS) free(work);
  return zecl_cuda_result(error);
}

static ze_result_t copy_by_stage(struct zecl_engine_queue *queue,
    const struct zecl_texel_copy *copy, const struct part *part, char *stage) {
  const size_t texel = image_of(copy)->texel_size, width = part->width * texel;
  char *memory =
      memory_of(copy) + part->z * copy->slice_pitch + part->y * copy->row_pitch + part->x * texel;
  const struct rows packed = {stage, width, part->rows};
  const struct work out = {queue, memory, stage, width, part->rows, copy->row_pitch, width};
  const struct work in = {queue, stage, memory, width, part->rows, width, copy->row_pitch};
  ze_result_t result = copy->to_image ? call(queue, &in) : copy_part(queue, copy, part, &packed);
  if (result == ZE_RESULT_SUCCESS)
    result = copy->to_image ? copy_part(queue, copy, part, &packed) : call(queue, &out);
  return result;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static ze_result_t copy_by_host(
    struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy) {
  const size_t *size = copy->size, room = ZECL_CUDA_STAGE / image_of(copy)->texel_size;
  const size_t width = least(size[0], room), rows = least(size[1], room / width);
  char *stage = zecl_cuda_stage(queue);
  ze_result_t result = stage ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (size_t z = 0; z < size[2]; z++)
    for (size_t y = 0; y < size[1]; y += rows)
      for (size_t x = 0; x < size[0] && result == ZE_RESULT_SUCCESS; x += width) {
        const struct part part = {x, y, z, least(width, size[0] - x), least(rows, size[1] - y), 1};
        result = copy_by_stage(queue, copy, &part, stage);
      }
  return result;
}

ze_result_t zecl_cuda_copy_texels(
    struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy) {
  zecl_cuda_use(queue->device);
  if (copy->to_image && copy->from_image) return copy_between(queue, copy);
  return zecl_cuda_needs_host(memory_of(copy)) ? copy_by_host(queue, copy)
                                               : copy_direct(queue, copy);
}
