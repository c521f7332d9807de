/* Semaphores of other interfaces, as CUDA imports them: those that a graphics driver of the same
 * vendor exports. */
#include "engine/cuda/cuda.h"

#include <stdlib.h>

struct zecl_engine_semaphore {
  const struct zecl_cuda_device *device;
  CUexternalSemaphore handle;
};

/* CUDA's codes for a descriptor of something else are several. */
static ze_result_t import_result(CUresult error) {
  if (error == CUDA_SUCCESS) return ZE_RESULT_SUCCESS;
  if (error == CUDA_ERROR_NOT_SUPPORTED) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  if (error == CUDA_ERROR_OUT_OF_MEMORY) return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  return ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

ze_result_t zecl_cuda_semaphore_import(
    uint32_t device, int file, bool is_timeline, struct zecl_engine_semaphore **semaphore) {
  const CUDA_EXTERNAL_SEMAPHORE_HANDLE_DESC desc = {
      .type = is_timeline ? CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_TIMELINE_SEMAPHORE_FD
                          : CU_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD,
      .handle.fd = file};
  struct zecl_engine_semaphore *made = malloc(sizeof *made);
  if (!made) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  made->device = &zecl_cuda_devices[device];
  zecl_cuda_use(made->device);
  const ze_result_t result = import_result(zecl_cuda.semaphore_import(&made->handle, &desc));
  if (result == ZE_RESULT_SUCCESS)
    *semaphore = made;
  else
    free(made);
  return result;
}

void zecl_cuda_semaphore_release(struct zecl_engine_semaphore *semaphore) {
  zecl_cuda_use(semaphore->device);
  zecl_cuda.semaphore_destroy(semaphore->handle);
  free(semaphore);
}

ze_result_t zecl_cuda_semaphore_use(struct zecl_engine_queue *queue,
    struct zecl_engine_semaphore *semaphore, bool signals, uint64_t value) {
  const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS signal = {.params.fence.value = value};
  const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS wait = {.params.fence.value = value};
  zecl_cuda_use(queue->device);
  return zecl_cuda_result(
      signals ? zecl_cuda.semaphore_signal(&semaphore->handle, &signal, 1, queue->stream)
              : zecl_cuda.semaphore_wait(&semaphore->handle, &wait, 1, queue->stream));
}
