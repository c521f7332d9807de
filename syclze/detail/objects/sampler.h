/* Implementation of sampler.h. A sampler is like memory that each launch using it reads
 * (detail/objects/memory_object.h). */
#ifndef SYCLZE_DETAIL_OBJECTS_SAMPLER_H
#define SYCLZE_DETAIL_OBJECTS_SAMPLER_H

#include "../../image.h"
#include "../../sampler.h"
#include "memory_object.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__sampler {
  struct syclze__memory memory;
  struct syclze__device *device; /* where it was created; null if unknown */
};

/* Samplers are few: they come from the pool of images. */
enum { SYCLZE__SAMPLER_SIZE = sizeof(struct syclze__image) };
SYCLZE__POOLED_AS(struct syclze__sampler, struct syclze__image);

SYCLZE_COLD ze_result_t syclze__make_sampler_impl(const syclze_sampler_input *input,
    syclze_context context, syclze_sampler *sampler) SYCLZE_LINK_NAME(syclze__make_sampler_impl);

SYCLZE_COLD ze_result_t syclze__sampler_create_impl(syclze_context context, syclze_device device,
    const syclze_sampler_desc *desc, syclze_sampler *sampler)
    SYCLZE_LINK_NAME(syclze__sampler_create_impl);

SYCLZE_INLINE ze_sampler_handle_t syclze_sampler_get_native(syclze_sampler sampler) {
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_SAMPLER, sampler.rep);
  SYCLZE__CHECK_USE(sampler, "syclze_sampler_get_native", NULL);
  return (ze_sampler_handle_t)sampler.rep->memory.native;
}

SYCLZE_INLINE syclze_context syclze_sampler_get_context(syclze_sampler sampler) {
  syclze_context context = {sampler.rep->memory.context};
  return context;
}

SYCLZE_INLINE ze_result_t syclze_sampler_retain(syclze_sampler sampler) {
  return syclze__retain(SYCLZE_OBJECT_SAMPLER, sampler.rep, "syclze_sampler_retain");
}

SYCLZE_INLINE ze_result_t syclze__sampler_release_impl(syclze_sampler sampler) {
  if (sampler.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(sampler, "syclze_sampler_release", SYCLZE_RESULT_ERROR_INVALID);
  return syclze__memory_release(&sampler.rep->memory);
}

SYCLZE_INLINE ze_result_t syclze_sampler_release(syclze_sampler sampler) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_SAMPLER, sampler.rep);
  return syclze__sampler_release_impl(sampler);
}

#if SYCLZE__BODIES

/* Creates a sampler with one reference; null without memory. */
SYCLZE_LOCAL struct syclze__sampler *syclze__sampler_new(ze_sampler_handle_t native,
    struct syclze__context *context, struct syclze__device *device, uint32_t ownership) {
  struct syclze__sampler *sampler = (struct syclze__sampler *)syclze__child_acquire(
      &context->parent, SYCLZE__POOL_IMAGE, SYCLZE__SAMPLER_SIZE);
  if (sampler == NULL) return NULL;
  syclze__memory_init(&sampler->memory, native, context, NULL, ownership);
  sampler->memory.is_image = sampler->memory.is_sampler = true;
  for (uint32_t i = 0; i < 3; i++)
    sampler->memory.range[i] = 1;
  sampler->device = device;
  SYCLZE__CHECK_WRAPPED(&sampler->memory.ref, "sampler", native, ownership);
  return sampler;
}

SYCLZE_COLD ze_result_t syclze__make_sampler_impl(
    const syclze_sampler_input *input, syclze_context context, syclze_sampler *sampler) {
  const char *const function = "syclze_make_sampler";
  if (sampler == NULL || input == NULL) return syclze__fail_null(function, sampler);
  sampler->rep = NULL;
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_in(context.rep);
  if (status.result == ZE_RESULT_SUCCESS) {
    sampler->rep =
        syclze__sampler_new(input->native_handle, context.rep, NULL, (uint32_t)input->ownership);
    if (sampler->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__finish(status, function, input->native_handle);
}

SYCLZE_COLD ze_result_t syclze_make_sampler(
    const syclze_sampler_input *input, syclze_context context, syclze_sampler *sampler) {
  if (sampler != NULL) sampler->rep = NULL;
  if (input != NULL && sampler != NULL)
    SYCLZE__RETURN_IF_TRACED(make_sampler, input, context, sampler);
  return syclze__make_sampler_impl(input, context, sampler);
}

SYCLZE_LOCAL struct syclze__status syclze__check_sampler_desc(const syclze_sampler_desc *desc) {
  if ((uint32_t)desc->addressing > (uint32_t)SYCLZE_ADDRESSING_MODE_MIRRORED_REPEAT ||
      (uint32_t)desc->filtering > (uint32_t)SYCLZE_FILTERING_MODE_LINEAR ||
      (uint32_t)desc->coordinates > (uint32_t)SYCLZE_COORDINATE_MODE_NORMALIZED)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ENUMERATION,
        "the addressing, the filtering and the coordinates of a sampler must be SYCL's");
  return syclze__allowed();
}

/* Fills Level Zero's descriptor; its modes have the same values. */
SYCLZE_LOCAL void syclze__sampler_describe(
    const syclze_sampler_desc *desc, ze_sampler_desc_t *native) {
  memset(native, 0, sizeof *native);
  native->stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC;
  native->addressMode = (ze_sampler_address_mode_t)desc->addressing;
  native->filterMode = (ze_sampler_filter_mode_t)desc->filtering;
  native->isNormalized = desc->coordinates == SYCLZE_COORDINATE_MODE_NORMALIZED;
}

SYCLZE_LOCAL ze_result_t syclze__native_sampler_create(const struct syclze__context *context,
    const struct syclze__device *device, const syclze_sampler_desc *desc,
    ze_sampler_handle_t *native) {
  ze_sampler_desc_t native_desc;
  syclze__sampler_describe(desc, &native_desc);
  return SYCLZE__ZE(zeSamplerCreate)(context->native, device->native, &native_desc, native);
}

SYCLZE_COLD ze_result_t syclze__sampler_create_impl(syclze_context context, syclze_device device,
    const syclze_sampler_desc *desc, syclze_sampler *sampler) {
  const char *const function = "syclze_sampler_create";
  ze_sampler_handle_t native = NULL;
  if (sampler == NULL || desc == NULL) return syclze__fail_null(function, sampler);
  sampler->rep = NULL;
  struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_sampler_desc(desc);
  if (status.result == ZE_RESULT_SUCCESS)
    status =
        syclze__status_of(syclze__native_sampler_create(context.rep, device.rep, desc, &native),
            "zeSamplerCreate failed");
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  sampler->rep = syclze__sampler_new(native, context.rep, device.rep, SYCLZE__TRANSFERRED);
  if (sampler->rep != NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__ZE(zeSamplerDestroy)(native);
  status = syclze__out_of_memory();
  return syclze__finish(status, function, NULL);
}

SYCLZE_COLD ze_result_t syclze_sampler_create(syclze_context context, syclze_device device,
    const syclze_sampler_desc *desc, syclze_sampler *sampler) {
  SYCLZE__RETURN_IF_TRACED(sampler_create, context, device, desc, sampler);
  return syclze__sampler_create_impl(context, device, desc, sampler);
}

SYCLZE_COLD ze_result_t syclze_sampler_set_owner(syclze_sampler sampler, syclze_owner owner) {
  SYCLZE__OWNER_SET(sampler, sampler, sampler.rep->memory.native, NULL);
}

SYCLZE_COLD syclze_owner syclze_sampler_get_owner(syclze_sampler sampler) {
  return syclze__owner_get(&sampler.rep->memory.ref);
}

#endif

SYCLZE_EXTERN_C_END

#endif
