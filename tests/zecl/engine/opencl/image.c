#include "engine/opencl/opencl.h"

/* A buffer's image is one-dimensional for the engine too: PoCL 3.1 crashes on an image on a buffer
 * beside a pointer argument. Where kernels do not take it so, the probe finds out. */
static const cl_mem_object_type types[] = {[ZE_IMAGE_TYPE_1D] = CL_MEM_OBJECT_IMAGE1D,
    [ZE_IMAGE_TYPE_1DARRAY] = CL_MEM_OBJECT_IMAGE1D_ARRAY,
    [ZE_IMAGE_TYPE_2D] = CL_MEM_OBJECT_IMAGE2D,
    [ZE_IMAGE_TYPE_2DARRAY] = CL_MEM_OBJECT_IMAGE2D_ARRAY,
    [ZE_IMAGE_TYPE_3D] = CL_MEM_OBJECT_IMAGE3D,
    [ZE_IMAGE_TYPE_BUFFER] = CL_MEM_OBJECT_IMAGE1D};

static const cl_channel_type channels[ZECL_CHANNEL_TYPES] = {
    [ZECL_CHANNEL_UINT8] = CL_UNSIGNED_INT8,
    [ZECL_CHANNEL_UINT16] = CL_UNSIGNED_INT16,
    [ZECL_CHANNEL_UINT32] = CL_UNSIGNED_INT32,
    [ZECL_CHANNEL_SINT8] = CL_SIGNED_INT8,
    [ZECL_CHANNEL_SINT16] = CL_SIGNED_INT16,
    [ZECL_CHANNEL_SINT32] = CL_SIGNED_INT32,
    [ZECL_CHANNEL_UNORM8] = CL_UNORM_INT8,
    [ZECL_CHANNEL_UNORM16] = CL_UNORM_INT16,
    [ZECL_CHANNEL_SNORM8] = CL_SNORM_INT8,
    [ZECL_CHANNEL_SNORM16] = CL_SNORM_INT16,
    [ZECL_CHANNEL_HALF] = CL_HALF_FLOAT,
    [ZECL_CHANNEL_FLOAT] = CL_FLOAT};

static const cl_channel_order orders[ZECL_ORDERS] = {[ZECL_ORDER_R] = CL_R,
    [ZECL_ORDER_A] = CL_A,
    [ZECL_ORDER_RG] = CL_RG,
    [ZECL_ORDER_RA] = CL_RA,
    [ZECL_ORDER_RGB] = CL_RGB,
    [ZECL_ORDER_RGBA] = CL_RGBA,
    [ZECL_ORDER_BGRA] = CL_BGRA,
    [ZECL_ORDER_ARGB] = CL_ARGB,
    [ZECL_ORDER_ABGR] = CL_ABGR,
    [ZECL_ORDER_LUMINANCE] = CL_LUMINANCE,
    [ZECL_ORDER_INTENSITY] = CL_INTENSITY};

ze_result_t zecl_opencl_image_create(
    const struct zecl_engine_image_desc *asked, struct zecl_engine_image **image) {
  const size_t *size = asked->size;
  const cl_image_format format = {orders[asked->order], channels[asked->channel]};
  cl_image_desc desc = {.image_type = types[asked->type], .image_width = size[0]};
  if (asked->type == ZE_IMAGE_TYPE_1DARRAY)
    desc.image_array_size = size[1];
  else if (asked->type != ZE_IMAGE_TYPE_1D && asked->type != ZE_IMAGE_TYPE_BUFFER)
    desc.image_height = size[1];
  if (asked->type == ZE_IMAGE_TYPE_2DARRAY) desc.image_array_size = size[2];
  if (asked->type == ZE_IMAGE_TYPE_3D) desc.image_depth = size[2];
  cl_int error;
  cl_mem_flags flags = CL_MEM_READ_WRITE;
  if (asked->memory) {
    flags |= CL_MEM_USE_HOST_PTR;
    desc.image_row_pitch = asked->row_pitch;
  }
  cl_mem made = clCreateImage(zecl_opencl()->context, flags, &format, &desc, asked->memory, &error);
  *image = error == CL_SUCCESS ? (struct zecl_engine_image *)made : NULL;
  return zecl_opencl_result(error);
}

void zecl_opencl_image_release(struct zecl_engine_image *image) {
  clReleaseMemObject((cl_mem)image);
}

ze_result_t zecl_opencl_image_read(struct zecl_engine_queue *queue, struct zecl_engine_image *image,
    const size_t origin[3], const size_t size[3], void *texels) {
  return zecl_opencl_result(clEnqueueReadImage(
      (cl_command_queue)queue, (cl_mem)image, CL_TRUE, origin, size, 0, 0, texels, 0, NULL, NULL));
}

ze_result_t zecl_opencl_image_write(struct zecl_engine_queue *queue,
    struct zecl_engine_image *image, const size_t origin[3], const size_t size[3],
    const void *texels) {
  return zecl_opencl_result(clEnqueueWriteImage(
      (cl_command_queue)queue, (cl_mem)image, CL_TRUE, origin, size, 0, 0, texels, 0, NULL, NULL));
}

/* OpenCL repeats and mirrors by normalised coordinates only: what lies beyond the edge has no
 * meaning for others. */
struct zecl_engine_sampler *zecl_opencl_sampler_create(
    bool is_normalised, ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter) {
  static const cl_addressing_mode modes[] = {[ZE_SAMPLER_ADDRESS_MODE_NONE] = CL_ADDRESS_NONE,
      [ZE_SAMPLER_ADDRESS_MODE_REPEAT] = CL_ADDRESS_REPEAT,
      [ZE_SAMPLER_ADDRESS_MODE_CLAMP] = CL_ADDRESS_CLAMP_TO_EDGE,
      [ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER] = CL_ADDRESS_CLAMP,
      [ZE_SAMPLER_ADDRESS_MODE_MIRROR] = CL_ADDRESS_MIRRORED_REPEAT};
  const bool wraps =
      mode == ZE_SAMPLER_ADDRESS_MODE_REPEAT || mode == ZE_SAMPLER_ADDRESS_MODE_MIRROR;
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, is_normalised,
      CL_SAMPLER_ADDRESSING_MODE, wraps && !is_normalised ? CL_ADDRESS_CLAMP_TO_EDGE : modes[mode],
      CL_SAMPLER_FILTER_MODE,
      filter == ZE_SAMPLER_FILTER_MODE_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, 0};
  cl_int error;
  cl_sampler sampler = clCreateSamplerWithProperties(zecl_opencl()->context, properties, &error);
  return error == CL_SUCCESS ? (struct zecl_engine_sampler *)sampler : NULL;
}

void zecl_opencl_sampler_release(struct zecl_engine_sampler *sampler) {
  clReleaseSampler((cl_sampler)sampler);
}
