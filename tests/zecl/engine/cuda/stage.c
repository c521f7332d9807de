#include "engine/cuda/stage.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Work of a host function: repeats the first bytes of `from` over all of `to`. */
struct work {
  const struct zecl_engine_queue *queue;
  char *to;
  const char *from; /* null for `pattern` */
  size_t size, period;
  char pattern[];
};

struct user_call {
  const struct zecl_engine_queue *queue;
  zecl_host_function *function;
  void *user;
};

struct spare {
  struct spare *next;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct spare *spares; /* stages: to free pinned memory may wait for all that runs */

enum place { OF_HOST, PINNED, MANAGED, OF_DEVICE };

static enum place place_of(const void *pointer) {
  CUpointer_attribute attributes[] = {
      CU_POINTER_ATTRIBUTE_MEMORY_TYPE, CU_POINTER_ATTRIBUTE_IS_MANAGED};
  unsigned type = 0, managed = 0; /* unknown memory has neither */
  void *answers[] = {&type, &managed};
  zecl_cuda.pointer_attributes(2, attributes, answers, (CUdeviceptr)(uintptr_t)pointer);
  if (managed) return MANAGED;
  return type == CU_MEMORYTYPE_DEVICE ? OF_DEVICE : type == CU_MEMORYTYPE_HOST ? PINNED : OF_HOST;
}

bool zecl_cuda_needs_host(const void *pointer) {
  return place_of(pointer) == OF_HOST;
}

char *zecl_cuda_stage(struct zecl_engine_queue *queue) {
  if (queue->stage) return queue->stage;
  pthread_mutex_lock(&lock);
  struct spare *spare = spares;
  if (spare) spares = spare->next;
  pthread_mutex_unlock(&lock);
  void *made = spare;
  if (!made && zecl_cuda.alloc_host(&made, ZECL_CUDA_STAGE,
                   CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP) != CUDA_SUCCESS)
    return NULL;
  return queue->stage = made;
}

void zecl_cuda_stage_give(char *stage) {
  struct spare *spare = (struct spare *)(void *)stage;
  pthread_mutex_lock(&lock);
  spare->next = spares;
  spares = spare;
  pthread_mutex_unlock(&lock);
}

/* Runs on a thread of CUDA's, and may not call CUDA. */
static void run(void *argument) {
  struct work *work = argument;
  if (atomic_load(&work->queue->is_cancelled)) {
    free(work);
    return;
  }
  const char *from = work->from ? work->from : work->pattern;
  size_t done = work->size < work->period ? work->size : work->period;
  memmove(work->to, from, done);
  while (done < work->size) {
    const size_t part = done < work->size - done ? done : work->size - done;
    memcpy(work->to + done, work->to, part);
    done += part;
  }
  free(work);
}

static void run_user_call(void *argument) {
  const struct user_call call = *(const struct user_call *)argument;
  free(argument);
  if (!atomic_load(&call.queue->is_cancelled)) call.function(call.user);
}

ze_result_t zecl_cuda_call(
    struct zecl_engine_queue *queue, zecl_host_function *function, void *user) {
  struct user_call *call = malloc(sizeof *call);
  if (!call) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *call = (struct user_call){queue, function, user};
  zecl_cuda_use(queue->device);
  const CUresult error = zecl_cuda.stream_call(queue->stream, run_user_call, call);
  if (error != CUDA_SUCCESS) free(call);
  return zecl_cuda_result(error);
}

static ze_result_t call(struct zecl_engine_queue *queue, struct work *work) {
  work->queue = queue;
  const CUresult error = zecl_cuda.stream_call(queue->stream, run, work);
  if (error != CUDA_SUCCESS) free(work);
  return zecl_cuda_result(error);
}

static ze_result_t call_copy(
    struct zecl_engine_queue *queue, void *to, const void *from, size_t size) {
  struct work *work = malloc(sizeof *work);
  if (!work) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *work = (struct work){.to = to, .from = from, .size = size, .period = size};
  return call(queue, work);
}

static ze_result_t copy(
    struct zecl_engine_queue *queue, const void *to, const void *from, size_t size) {
  return zecl_cuda_result(zecl_cuda.copy(
      (CUdeviceptr)(uintptr_t)to, (CUdeviceptr)(uintptr_t)from, size, queue->stream));
}

ze_result_t zecl_cuda_copy_by_host(
    struct zecl_engine_queue *queue, void *to, const void *from, size_t size) {
  if (queue->is_recording) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  const bool reads_device = place_of(from) == OF_DEVICE, writes_device = place_of(to) == OF_DEVICE;
  if (!reads_device && !writes_device) return call_copy(queue, to, from, size);
  char *stage = zecl_cuda_stage(queue);
  if (!stage) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (size_t done = 0; done < size && result == ZE_RESULT_SUCCESS;) {
    const size_t part = size - done < ZECL_CUDA_STAGE ? size - done : ZECL_CUDA_STAGE;
    char *to_part = (char *)to + done;
    const char *from_part = (const char *)from + done;
    result = reads_device ? copy(queue, stage, from_part, part)
                          : call_copy(queue, stage, from_part, part);
    if (result == ZE_RESULT_SUCCESS)
      result =
          reads_device ? call_copy(queue, to_part, stage, part) : copy(queue, to_part, stage, part);
    done += part;
  }
  return result;
}

ze_result_t zecl_cuda_fill_by_host(struct zecl_engine_queue *queue, void *to, size_t size,
    const void *pattern, size_t pattern_size) {
  if (queue->is_recording) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  struct work *work = malloc(sizeof *work + pattern_size);
  if (!work) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *work = (struct work){.to = to, .size = size, .period = pattern_size};
  memcpy(work->pattern, pattern, pattern_size);
  return call(queue, work);
}

ze_result_t zecl_cuda_fill_doubling(struct zecl_engine_queue *queue, void *to, size_t size,
    const void *pattern, size_t pattern_size) {
  if (queue->is_recording) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  char *stage = zecl_cuda_stage(queue);
  if (!stage) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  size_t done = size < ZECL_CUDA_STAGE ? size : ZECL_CUDA_STAGE;
  ze_result_t result = zecl_cuda_fill_by_host(queue, stage, done, pattern, pattern_size);
  if (result == ZE_RESULT_SUCCESS) result = copy(queue, to, stage, done);
  while (done < size && result == ZE_RESULT_SUCCESS) {
    const size_t part = done < size - done ? done : size - done;
    result = copy(queue, (char *)to + done, to, part);
    done += part;
  }
  return result;
}
