/* Streams: what the engine does in them but kernels. */
#include "engine/cuda/cuda.h"
#include "engine/cuda/stage.h"

#include <pthread.h>
#include <stdlib.h>

static CUdeviceptr address(const void *pointer) {
  return (CUdeviceptr)(uintptr_t)pointer;
}

struct zecl_engine_queue *zecl_cuda_queue_create(uint32_t device, unsigned priority) {
  const struct zecl_cuda_device *of = &zecl_cuda_devices[device];
  struct zecl_engine_queue *queue = calloc(1, sizeof *queue);
  if (!queue) return NULL;
  const int range = of->least_priority - of->greatest_priority;
  const int above = (int)priority < range ? (int)priority : range;
  queue->device = of;
  if (zecl_cuda_use(of) == CUDA_SUCCESS &&
      zecl_cuda.stream_create(&queue->stream, CU_STREAM_NON_BLOCKING, of->least_priority - above) ==
          CUDA_SUCCESS)
    return queue;
  free(queue);
  return NULL;
}

void zecl_cuda_queue_release(struct zecl_engine_queue *queue) {
  zecl_cuda_use(queue->device);
  zecl_cuda.stream_destroy(queue->stream);
  if (queue->stage) zecl_cuda_stage_give(queue->stage);
  free(queue);
}

ze_result_t zecl_cuda_queue_finish(struct zecl_engine_queue *queue) {
  zecl_cuda_use(queue->device);
  return zecl_cuda_result(zecl_cuda.stream_synchronize(queue->stream));
}

static ze_result_t status(struct zecl_engine_queue *queue) {
  zecl_cuda_use(queue->device);
  return zecl_cuda_result(zecl_cuda.stream_query(queue->stream));
}

static ze_result_t copy(struct zecl_engine_queue *queue, void *to, const void *from, size_t size) {
  if (size == 0) return ZE_RESULT_SUCCESS;
  zecl_cuda_use(queue->device);
  if (zecl_cuda_needs_host(to) || zecl_cuda_needs_host(from))
    return zecl_cuda_copy_by_host(queue, to, from, size);
  return zecl_cuda_result(zecl_cuda.copy(address(to), address(from), size, queue->stream));
}

/* CUDA counts a slice in rows, and takes no row that is longer than its pitch. */
static bool has_cuda_form(size_t width, size_t height, size_t depth, size_t pitch, size_t slice) {
  return pitch >= width && (depth == 1 || (slice % pitch == 0 && slice / pitch >= height));
}

static ze_result_t copy_rows(
    struct zecl_engine_queue *queue, const struct zecl_copy_region *region) {
  for (size_t z = 0; z < region->depth; z++)
    for (size_t y = 0; y < region->height; y++) {
      const ze_result_t result =
          copy(queue, region->to + z * region->to_slice_pitch + y * region->to_pitch,
              region->from + z * region->from_slice_pitch + y * region->from_pitch, region->width);
      if (result != ZE_RESULT_SUCCESS) return result;
    }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t copy_region(
    struct zecl_engine_queue *queue, const struct zecl_copy_region *region) {
  const size_t width = region->width, height = region->height, depth = region->depth;
  const size_t to_pitch = height == 1 ? width : region->to_pitch;
  const size_t from_pitch = height == 1 ? width : region->from_pitch;
  if (width == 0) return ZE_RESULT_SUCCESS;
  zecl_cuda_use(queue->device);
  if (zecl_cuda_needs_host(region->to) || zecl_cuda_needs_host(region->from) ||
      !has_cuda_form(width, height, depth, to_pitch, region->to_slice_pitch) ||
      !has_cuda_form(width, height, depth, from_pitch, region->from_slice_pitch))
    return copy_rows(queue, region);
  const CUDA_MEMCPY3D box = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
      .srcDevice = address(region->from),
      .srcPitch = from_pitch,
      .srcHeight = depth == 1 ? height : region->from_slice_pitch / from_pitch,
      .dstMemoryType = CU_MEMORYTYPE_UNIFIED,
      .dstDevice = address(region->to),
      .dstPitch = to_pitch,
      .dstHeight = depth == 1 ? height : region->to_slice_pitch / to_pitch,
      .WidthInBytes = width,
      .Height = height,
      .Depth = depth};
  return zecl_cuda_result(zecl_cuda.copy_3d(&box, queue->stream));
}

/* Fills by CUDA itself. False if the pattern is longer, or `to` is not aligned to its size. */
static bool set(struct zecl_engine_queue *queue, void *to, size_t size, const void *pattern,
    size_t pattern_size, CUresult *error) {
  if ((uintptr_t)to % pattern_size != 0 || size % pattern_size != 0) return false;
  switch (pattern_size) {
  case 1:
    *error = zecl_cuda.set_8(address(to), *(const unsigned char *)pattern, size, queue->stream);
    return true;
  case 2:
    *error = zecl_cuda.set_16(
        address(to), *(const unsigned short *)pattern, size / pattern_size, queue->stream);
    return true;
  case 4:
    *error = zecl_cuda.set_32(
        address(to), *(const unsigned *)pattern, size / pattern_size, queue->stream);
    return true;
  default:
    return false;
  }
}

static ze_result_t fill(struct zecl_engine_queue *queue, void *to, size_t size, const void *pattern,
    size_t pattern_size) {
  CUresult error = CUDA_SUCCESS;
  if (size == 0) return ZE_RESULT_SUCCESS;
  zecl_cuda_use(queue->device);
  if (zecl_cuda_needs_host(to))
    return zecl_cuda_fill_by_host(queue, to, size, pattern, pattern_size);
  if (set(queue, to, size, pattern, pattern_size, &error)) return zecl_cuda_result(error);
  return zecl_cuda_fill_doubling(queue, to, size, pattern, pattern_size);
}

static ze_result_t write_word(struct zecl_engine_queue *queue, uint32_t *word, uint32_t value) {
  zecl_cuda_use(queue->device);
  return zecl_cuda_result(zecl_cuda.stream_write(queue->stream, address(word), value, 0));
}

static ze_result_t await_bits(struct zecl_engine_queue *queue, uint32_t *word, uint32_t bits) {
  zecl_cuda_use(queue->device);
  return zecl_cuda_result(
      zecl_cuda.stream_wait(queue->stream, address(word), bits, CU_STREAM_WAIT_VALUE_AND));
}

static ze_result_t launch_clock(struct zecl_engine_queue *queue, uint64_t *to) {
  void *arguments[] = {&to};
  return zecl_cuda_result(zecl_cuda.launch(
      (CUfunction)(void *)zecl_cuda_clock, 1, 1, 1, 1, 1, 1, 0, queue->stream, arguments, NULL));
}

static ze_result_t write_time(struct zecl_engine_queue *queue, uint64_t *to) {
  zecl_cuda_use(queue->device);
  if (!zecl_cuda_needs_host(to)) return launch_clock(queue, to);
  char *stage = zecl_cuda_stage(queue);
  if (!stage) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const ze_result_t result = launch_clock(queue, (uint64_t *)(void *)stage);
  return result == ZE_RESULT_SUCCESS ? zecl_cuda_copy_by_host(queue, to, stage, sizeof *to)
                                     : result;
}

static ze_result_t read_time(uint32_t device, uint64_t *time) {
  static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
  static struct zecl_engine_queue *queues[ZECL_CUDA_DEVICES];
  ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  pthread_mutex_lock(&lock);
  if (!queues[device]) queues[device] = zecl_cuda_queue_create(device, 0);
  struct zecl_engine_queue *queue = queues[device];
  char *stage = queue ? zecl_cuda_stage(queue) : NULL;
  if (stage) {
    zecl_cuda_use(queue->device);
    result = launch_clock(queue, (uint64_t *)(void *)stage);
  }
  if (result == ZE_RESULT_SUCCESS) result = zecl_cuda_queue_finish(queue);
  if (result == ZE_RESULT_SUCCESS) *time = *(const uint64_t *)(const void *)stage;
  pthread_mutex_unlock(&lock);
  return result;
}

static void cancel(struct zecl_engine_queue *queue) {
  atomic_store(&queue->is_cancelled, true);
}

const struct zecl_engine_streams zecl_cuda_streams = {.copy = copy,
    .fill = fill,
    .copy_region = copy_region,
    .copy_texels = zecl_cuda_copy_texels,
    .call = zecl_cuda_call,
    .write_word = write_word,
    .await_bits = await_bits,
    .semaphore_import = zecl_cuda_semaphore_import,
    .semaphore_release = zecl_cuda_semaphore_release,
    .semaphore_use = zecl_cuda_semaphore_use,
    .write_time = write_time,
    .read_time = read_time,
    .cancel = cancel,
    .status = status,
    .graph_record = zecl_cuda_graph_record,
    .graph_begin = zecl_cuda_graph_begin,
    .graph_end = zecl_cuda_graph_end,
    .graph_launch = zecl_cuda_graph_launch,
    .graph_release = zecl_cuda_graph_release};
