/* The engine's table, its queues and kernels. */
#include "engine/opencl/opencl.h"

ze_result_t zecl_opencl_result(cl_int error) {
  switch (error) {
  case CL_SUCCESS:
    return ZE_RESULT_SUCCESS;
  case CL_OUT_OF_HOST_MEMORY:
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  case CL_OUT_OF_RESOURCES:
  case CL_MEM_OBJECT_ALLOCATION_FAILURE:
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  case CL_INVALID_WORK_GROUP_SIZE:
  case CL_INVALID_WORK_ITEM_SIZE:
    return ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION;
  case CL_INVALID_GLOBAL_WORK_SIZE:
    return ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION;
  case CL_INVALID_ARG_SIZE:
    return ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE;
  case CL_INVALID_ARG_VALUE:
  case CL_INVALID_KERNEL_ARGS:
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  case CL_BUILD_PROGRAM_FAILURE:
    return ZE_RESULT_ERROR_MODULE_BUILD_FAILURE;
  }
  return ZE_RESULT_ERROR_UNKNOWN;
}

static struct zecl_engine_queue *queue_create(uint32_t device, unsigned priority) {
  (void)device, (void)priority;
  const struct zecl_opencl *opencl = zecl_opencl();
  cl_int error;
  cl_command_queue queue =
      clCreateCommandQueueWithProperties(opencl->context, opencl->device, NULL, &error);
  return error == CL_SUCCESS ? (struct zecl_engine_queue *)queue : NULL;
}

static void queue_release(struct zecl_engine_queue *queue) {
  clReleaseCommandQueue((cl_command_queue)queue);
}

static ze_result_t queue_finish(struct zecl_engine_queue *queue) {
  return clFinish((cl_command_queue)queue) == CL_SUCCESS ? ZE_RESULT_SUCCESS
                                                         : ZE_RESULT_ERROR_DEVICE_LOST;
}

static void program_release(struct zecl_engine_program *program) {
  clReleaseProgram((cl_program)program);
}

static struct zecl_engine_kernel *kernel_create(
    struct zecl_engine_program *program, const char *name, ze_result_t *result) {
  cl_int error;
  cl_kernel kernel = clCreateKernel((cl_program)program, name, &error);
  *result = zecl_opencl_result(error);
  return error == CL_SUCCESS ? (struct zecl_engine_kernel *)kernel : NULL;
}

static void kernel_release(struct zecl_engine_kernel *kernel) {
  clReleaseKernel((cl_kernel)kernel);
}

static uint32_t number_of(
    struct zecl_engine_kernel *kernel, cl_kernel_work_group_info what, uint32_t least) {
  cl_ulong value = 0; /* as wide as the widest answer */
  if (clGetKernelWorkGroupInfo(
          (cl_kernel)kernel, zecl_opencl()->device, what, sizeof value, &value, NULL) != CL_SUCCESS)
    return least;
  return value < least ? least : (uint32_t)value;
}

static void kernel_get_limits(
    struct zecl_engine_kernel *kernel, struct zecl_engine_kernel_limits *limits) {
  limits->max_group_size = number_of(kernel, CL_KERNEL_WORK_GROUP_SIZE, 1);
  limits->preferred_multiple = number_of(kernel, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, 1);
  limits->local_size = number_of(kernel, CL_KERNEL_LOCAL_MEM_SIZE, 0);
  limits->private_size = number_of(kernel, CL_KERNEL_PRIVATE_MEM_SIZE, 0);
}

static ze_result_t set_value(
    struct zecl_engine_kernel *kernel, uint32_t index, size_t size, const void *value) {
  return zecl_opencl_result(clSetKernelArg((cl_kernel)kernel, index, size, value));
}

static ze_result_t set_pointer(struct zecl_engine_kernel *kernel, uint32_t index, void *pointer) {
  return zecl_opencl_result(clSetKernelArgSVMPointer((cl_kernel)kernel, index, pointer));
}

static ze_result_t set_local(struct zecl_engine_kernel *kernel, uint32_t index, size_t size) {
  return set_value(kernel, index, size, NULL);
}

static ze_result_t set_image(
    struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_image *image) {
  return set_value(kernel, index, sizeof image, &image);
}

static ze_result_t set_sampler(
    struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_sampler *sampler) {
  return set_value(kernel, index, sizeof sampler, &sampler);
}

static ze_result_t enqueue(struct zecl_engine_queue *queue, struct zecl_engine_kernel *kernel,
    const size_t offset[3], const size_t global[3], const size_t local[3], bool cooperative) {
  (void)cooperative; /* of one group */
  return zecl_opencl_result(clEnqueueNDRangeKernel(
      (cl_command_queue)queue, (cl_kernel)kernel, 3, offset, global, local, 0, NULL, NULL));
}

static const struct zecl_engine engine = {.device_count = 1,
    .properties = &zecl_opencl_properties,
    .queue_create = queue_create,
    .queue_release = queue_release,
    .queue_finish = queue_finish,
    .program_build = zecl_opencl_program_build,
    .program_release = program_release,
    .kernel_create = kernel_create,
    .kernel_release = kernel_release,
    .kernel_get_limits = kernel_get_limits,
    .set_value = set_value,
    .set_pointer = set_pointer,
    .set_local = set_local,
    .set_image = set_image,
    .set_sampler = set_sampler,
    .enqueue = enqueue,
    .image_create = zecl_opencl_image_create,
    .image_release = zecl_opencl_image_release,
    .image_read = zecl_opencl_image_read,
    .image_write = zecl_opencl_image_write,
    .sampler_create = zecl_opencl_sampler_create,
    .sampler_release = zecl_opencl_sampler_release};

const struct zecl_engine *zecl_opencl_engine(void) {
  return zecl_opencl() ? &engine : NULL;
}
