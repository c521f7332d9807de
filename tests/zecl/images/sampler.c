#include "images/sampler.h"

#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "engine/engine.h"

static void finish(void *object) {
  struct zecl_sampler *sampler = object;
  if (sampler->engine) zecl_engine()->sampler_release(sampler->engine);
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
  ZECL_REQUIRE(zecl_engine()->properties->has_images, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  return ZE_RESULT_SUCCESS;
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
  sampler->engine =
      zecl_engine()->sampler_create(sampler->is_normalised, desc->addressMode, desc->filterMode);
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
