/**
 * @file
 * Platforms: Level Zero drivers.
 *
 *     syclze_platform platform;
 *     if (syclze_make_platform(driver, &platform) == ZE_RESULT_SUCCESS)
 *       driver = syclze_platform_get_native(platform);
 *
 * The platforms are the drivers that Level Zero has initialised, and live as long as the process.
 * The same driver handle always gives the same platform: two platforms are the same if their `rep`
 * is.
 *
 * Ownership: none. Platforms are not counted; retain and release exist so that code can treat all
 * objects alike.
 *
 * Threads: any thread may call any function. In the child of a fork, after the parent has
 * enumerated the platforms, all functions of the library that need Level Zero return
 * ZE_RESULT_ERROR_UNINITIALIZED, and releases destroy no native handle.
 */
#ifndef SYCLZE_PLATFORM_H
#define SYCLZE_PLATFORM_H

#include "loader.h"
#include "result.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__platform;

/** A platform; {0} is null. @see SYCL 2020 4.6.2 */
typedef struct syclze_platform {
  struct syclze__platform *rep;
} syclze_platform;

/** Types of drivers, for syclze_init. */
typedef enum syclze_init_flag {
  SYCLZE_INIT_FLAG_GPU = 1 << 0,
  SYCLZE_INIT_FLAG_NPU = 1 << 1
} syclze_init_flag;

/**
 * Initialises the drivers of some types, so that they are enumerated. Enumeration initialises those
 * of GPUs if this has not been called before. Wrapping native handles does not need it.
 *
 * @param[in] flags  Of syclze_init_flag; 0 for SYCLZE_INIT_FLAG_GPU. A later call adds types.
 * Ownership afterwards: nothing is created.
 * @return ZE_RESULT_SUCCESS, also without a driver of the types, or
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: other flags
 * - what zeInit and zeDriverGet return
 * @see Level Zero, zeInit, zeInitDrivers
 */
SYCLZE_COLD ze_result_t syclze_init(uint32_t flags) SYCLZE_LINK_NAME(syclze_init);

/**
 * Returns all platforms, whatever the environment selects (selector.h). Initialises the drivers of
 * GPUs, unless syclze_init has initialised some.
 *
 * @param[in,out] count  Not null. On entry the capacity of `platforms`, or 0 to query; on return
 * the number of platforms, or of those written. 0 after an error.
 * @param[out] platforms  May be null.
 * Ownership afterwards: unchanged; platforms live as long as the process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `count` is null
 * - what zeInit and zeDriverGet return
 * @see SYCL 2020 4.6.2
 */
SYCLZE_COLD ze_result_t syclze_platform_get(uint32_t *count, syclze_platform *platforms)
    SYCLZE_LINK_NAME(syclze_platform_get);

/**
 * Returns the platform of a driver. Initialises no driver.
 *
 * @param[in] driver  Null is refused.
 * @param[out] platform  Not null; set to null on failure.
 * Ownership afterwards: unchanged; nothing is created.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `platform` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `driver` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the driver was not enumerated
 * - what zeDriverGet returns; ZE_RESULT_ERROR_UNINITIALIZED before zeInit
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_platform(
    ze_driver_handle_t driver, syclze_platform *platform);

/**
 * Returns the handle of the driver.
 *
 * @param[in] platform  Not null.
 * @return The handle. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE ze_driver_handle_t syclze_platform_get_native(syclze_platform platform);

/**
 * No effect: platforms are not counted, and never destroyed.
 *
 * @param[in] platform  May be null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_platform_retain(syclze_platform platform);

/**
 * No effect: platforms are not counted, and never destroyed.
 *
 * @param[in] platform  May be null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_platform_release(syclze_platform platform);

SYCLZE_EXTERN_C_END

#include "detail/objects/platform.h"

#endif
