#include "images/sampler.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/opencl/opencl.h"

cl_sampler zecl_sampler_make(bool is_normalised, cl_addressing_mode mode, cl_filter_mode filter) {
  const cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS, is_normalised,
      CL_SAMPLER_ADDRESSING_MODE, mode, CL_SAMPLER_FILTER_MODE, filter, 0};
  cl_int error;
  cl_sampler sampler = clCreateSamplerWithProperties(zecl_opencl()->context, properties, &error);
  return error == CL_SUCCESS ? sampler : NULL;
}

static void finish(void *object) {
  struct zecl_sampler *sampler = object;
  if (sampler->engine) clReleaseSampler(sampler->engine);
  zecl_context_release(sampler->context);
}

void zecl_sampler_release(struct zecl_sampler *sampler) {
  zecl_object_release(sampler, sizeof *sampler, finish);
}

static ze_result_t check_desc(const ze_sampler_desc_t *desc) {
  ZECL_CHECK_POINTER(desc);
  ZECL_REQUIRE((unsigned)desc->addressMode <= ZE_SAMPLER_ADDRESS_MODE_MIRROR &&
                   (unsigned)desc->filterMode <= ZE_SAMPLER_FILTER_MODE_LINEAR,
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(
      zecl_opencl_number(CL_DEVICE_IMAGE_SUPPORT) != 0, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return ZE_RESULT_SUCCESS;
}

/* OpenCL repeats and mirrors by normalised coordinates only: what lies beyond the edge has no
 * meaning for others. */
static cl_addressing_mode mode_of(const ze_sampler_desc_t *desc) {
  static const cl_addressing_mode modes[] = {[ZE_SAMPLER_ADDRESS_MODE_NONE] = CL_ADDRESS_NONE,
      [ZE_SAMPLER_ADDRESS_MODE_REPEAT] = CL_ADDRESS_REPEAT,
      [ZE_SAMPLER_ADDRESS_MODE_CLAMP] = CL_ADDRESS_CLAMP_TO_EDGE,
      [ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER] = CL_ADDRESS_CLAMP,
      [ZE_SAMPLER_ADDRESS_MODE_MIRROR] = CL_ADDRESS_MIRRORED_REPEAT};
  const bool wraps = desc->addressMode == ZE_SAMPLER_ADDRESS_MODE_REPEAT ||
                     desc->addressMode == ZE_SAMPLER_ADDRESS_MODE_MIRROR;
  return wraps && !desc->isNormalized ? CL_ADDRESS_CLAMP_TO_EDGE : modes[desc->addressMode];
}

ze_result_t zecl_zeSamplerCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_sampler_desc_t *desc, ze_sampler_handle_t *handle) {
  ZECL_ENTER(zeSamplerCreate);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_CHECK_POINTER(handle);
  *handle = NULL;
  ZECL_TRY(check_desc(desc));
  struct zecl_sampler *sampler = zecl_object_create(ZECL_SAMPLER, sizeof *sampler);
  if (!sampler) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(context);
  sampler->context = zecl_context_of(context);
  sampler->is_normalised = desc->isNormalized != 0;
  sampler->reads_border = desc->addressMode == ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
  sampler->engine = zecl_sampler_make(desc->isNormalized != 0, mode_of(desc),
      desc->filterMode == ZE_SAMPLER_FILTER_MODE_LINEAR ? CL_FILTER_LINEAR : CL_FILTER_NEAREST);
  if (!sampler->engine) {
    zecl_object_kill(sampler, ZECL_SAMPLER);
    zecl_sampler_release(sampler);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  *handle = (ze_sampler_handle_t)(void *)sampler;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeSamplerDestroy(ze_sampler_handle_t handle) {
  ZECL_ENTER(zeSamplerDestroy);
  ZECL_CHECK_HANDLE(handle, ZECL_SAMPLER);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_SAMPLER), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_sampler_release(zecl_sampler_of(handle));
  return ZE_RESULT_SUCCESS;
}
