/**
 * @file
 * Samplers: how a kernel reads an image between pixels and beyond its edge, over a
 * ze_sampler_handle_t.
 *
 *     const syclze_sampler_desc desc = {.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE};
 *     syclze_sampler sampler;
 *     if (syclze_sampler_create(context, device, &desc, &sampler) == ZE_RESULT_SUCCESS)
 *       syclze_sampler_release(sampler);
 *
 * A command group requires a sampler (command/group.h), and a kernel takes it as an argument: the
 * library keeps it until the launch is done.
 *
 * Ownership: a sampler keeps its context. No release waits: under transfer the native sampler is
 * destroyed when no launch uses it any more; under keep the caller must wait for that.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference.
 */
#ifndef SYCLZE_SAMPLER_H
#define SYCLZE_SAMPLER_H

#include "context.h"
#include "owner.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__sampler;

/** A sampler; {0} is null. @see SYCL 1.2.1 4.7.8 */
typedef struct syclze_sampler {
  struct syclze__sampler *rep;
} syclze_sampler;

/** The value read beyond the edge of an image. @see SYCL 1.2.1 4.7.8, addressing_mode */
typedef enum syclze_addressing_mode {
  SYCLZE_ADDRESSING_MODE_NONE = 0,       /* the kernel reads nothing there */
  SYCLZE_ADDRESSING_MODE_REPEAT,         /* the image again; with normalized coordinates */
  SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE,  /* the pixel at the edge */
  SYCLZE_ADDRESSING_MODE_CLAMP,          /* a border of zeros */
  SYCLZE_ADDRESSING_MODE_MIRRORED_REPEAT /* the image mirrored; with normalized coordinates */
} syclze_addressing_mode;

/** The value read between pixels. @see SYCL 1.2.1 4.7.8, filtering_mode */
typedef enum syclze_filtering_mode {
  SYCLZE_FILTERING_MODE_NEAREST = 0,
  SYCLZE_FILTERING_MODE_LINEAR
} syclze_filtering_mode;

/** The meaning of coordinates. @see SYCL 1.2.1 4.7.8, coordinate_normalization_mode */
typedef enum syclze_coordinate_mode {
  SYCLZE_COORDINATE_MODE_UNNORMALIZED = 0, /* in pixels */
  SYCLZE_COORDINATE_MODE_NORMALIZED        /* the image is from 0 to 1 */
} syclze_coordinate_mode;

/** A sampler to create. */
typedef struct syclze_sampler_desc {
  syclze_addressing_mode addressing;  /* default: none */
  syclze_filtering_mode filtering;    /* default: nearest */
  syclze_coordinate_mode coordinates; /* default: unnormalized */
} syclze_sampler_desc;

/** Input of syclze_make_sampler, after the model of Level-Zero backend 4.1. */
typedef struct syclze_sampler_input {
  ze_sampler_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_sampler_input;

/**
 * Makes a sampler of a native one.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the native sampler; null is refused. The sampler keeps it.
 * @param[out] sampler  Not null; set to null on failure.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `sampler` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * @see Level-Zero backend 4.3 (no counterpart)
 */
SYCLZE_COLD ze_result_t syclze_make_sampler(const syclze_sampler_input *input,
    syclze_context context, syclze_sampler *sampler) SYCLZE_LINK_NAME(syclze_make_sampler);

/**
 * Creates a sampler, by one call of zeSamplerCreate.
 *
 * @param[in] context  Null is refused. The sampler keeps it.
 * @param[in] device  In the context; null is refused. Queues of other devices refuse the sampler.
 * @param[in] desc  Not null.
 * @param[out] sampler  Not null; set to null on failure.
 * Ownership afterwards: the native sampler is the library's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `desc` or `sampler` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: a mode is not one of the above
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeSamplerCreate returns
 * @see SYCL 1.2.1 4.7.8
 */
SYCLZE_COLD ze_result_t syclze_sampler_create(syclze_context context, syclze_device device,
    const syclze_sampler_desc *desc, syclze_sampler *sampler)
    SYCLZE_LINK_NAME(syclze_sampler_create);

/**
 * Returns the native sampler.
 *
 * @param[in] sampler  Not null.
 * Ownership afterwards: unchanged.
 * @return The handle, valid until the last release.
 * @see Level-Zero backend 4.2 (no counterpart)
 */
SYCLZE_INLINE ze_sampler_handle_t syclze_sampler_get_native(syclze_sampler sampler);

/**
 * Returns the context.
 *
 * @param[in] sampler  Not null.
 * @return The context, without a reference of its own.
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE syclze_context syclze_sampler_get_context(syclze_sampler sampler);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_sampler_retain(syclze_sampler object);

/**
 * Drops a reference. After the last one, under transfer, the native sampler is destroyed when the
 * launches that use it are done.
 *
 * @param[in] sampler  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, or the error of a lost context: launches may still use the
 *   sampler. Under transfer it is not destroyed
 * - what zeSamplerDestroy and the release of the context return; the object is released anyway
 * @see Level-Zero backend 4.4.2
 */
SYCLZE_INLINE ze_result_t syclze_sampler_release(syclze_sampler sampler);

/** @copydoc syclze_context_set_owner */
SYCLZE_COLD ze_result_t syclze_sampler_set_owner(syclze_sampler object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_sampler_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_sampler_get_owner(syclze_sampler object)
    SYCLZE_LINK_NAME(syclze_sampler_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/sampler.h"

#endif
