/* The engine's table. */
#include "engine/cuda/cuda.h"

ze_result_t zecl_cuda_result(CUresult error) {
  switch (error) {
  case CUDA_SUCCESS:
    return ZE_RESULT_SUCCESS;
  case CUDA_ERROR_OUT_OF_MEMORY:
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  case CUDA_ERROR_INVALID_VALUE:
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  case CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES:
  case CUDA_ERROR_COOPERATIVE_LAUNCH_TOO_LARGE:
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  case CUDA_ERROR_INVALID_IMAGE:
  case CUDA_ERROR_INVALID_PTX:
  case CUDA_ERROR_NO_BINARY_FOR_GPU:
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  case CUDA_ERROR_NOT_FOUND:
    return ZE_RESULT_ERROR_INVALID_KERNEL_NAME;
  case CUDA_ERROR_NOT_READY:
    return ZE_RESULT_NOT_READY;
  default: /* mostly errors of kernels, after which nothing runs any more */
    return ZE_RESULT_ERROR_DEVICE_LOST;
  }
}

static struct zecl_engine engine = {.properties = zecl_cuda_properties,
    .memory = &zecl_cuda_memory,
    .streams = &zecl_cuda_streams,
    .queue_create = zecl_cuda_queue_create,
    .queue_release = zecl_cuda_queue_release,
    .queue_finish = zecl_cuda_queue_finish,
    .program_build = zecl_cuda_program_build,
    .program_load = zecl_cuda_program_load,
    .program_functions = zecl_cuda_program_functions,
    .program_variable = zecl_cuda_program_variable,
    .program_release = zecl_cuda_program_release,
    .kernel_create = zecl_cuda_kernel_create,
    .kernel_release = zecl_cuda_kernel_release,
    .kernel_get_limits = zecl_cuda_kernel_get_limits,
    .set_value = zecl_cuda_set_value,
    .set_pointer = zecl_cuda_set_pointer,
    .set_local = zecl_cuda_set_local,
    .set_image = zecl_cuda_set_image,
    .set_sampler = zecl_cuda_set_sampler,
    .cooperating_groups = zecl_cuda_cooperating_groups,
    .enqueue = zecl_cuda_enqueue,
    .image_has_format = zecl_cuda_image_has_format,
    .image_create = zecl_cuda_image_create,
    .image_release = zecl_cuda_image_release,
    .sampler_create = zecl_cuda_sampler_create,
    .sampler_release = zecl_cuda_sampler_release};

const struct zecl_engine *zecl_cuda_engine(bool named) {
  if (!zecl_cuda_start(named)) return NULL;
  engine.device_count = zecl_cuda_device_count;
  return &engine;
}
