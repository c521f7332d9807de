/* Implementation of platform.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_PLATFORM_H
#define SYCLZE_DETAIL_OBJECTS_PLATFORM_H

#include "../../platform.h"
#include "../check.h"
#include "../driver/enumeration.h"
#include "selection.h"
#include "../trace_hooks.h"

SYCLZE_EXTERN_C_BEGIN

/* Slow path of syclze_make_platform: searches the drivers that are initialised. */
SYCLZE_COLD ze_result_t syclze__platform_search(
    ze_driver_handle_t driver, syclze_platform *platform) SYCLZE_LINK_NAME(syclze__platform_search);

SYCLZE_INLINE ze_result_t syclze__make_platform_impl(
    ze_driver_handle_t driver, syclze_platform *platform) {
  if (SYCLZE__LIKELY(platform != NULL)) {
    platform->rep = syclze__platform_find(driver);
    if (SYCLZE__LIKELY(platform->rep != NULL)) return ZE_RESULT_SUCCESS;
  }
  return syclze__platform_search(driver, platform);
}

SYCLZE_INLINE ze_result_t syclze_make_platform(
    ze_driver_handle_t driver, syclze_platform *platform) {
  SYCLZE__RETURN_IF_TRACED(make_platform, driver, platform);
  return syclze__make_platform_impl(driver, platform);
}

SYCLZE_INLINE ze_driver_handle_t syclze_platform_get_native(syclze_platform platform) {
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_PLATFORM, platform.rep);
  SYCLZE__CHECK_USE(platform, "syclze_platform_get_native", NULL);
  return platform.rep->native;
}

SYCLZE_INLINE ze_result_t syclze_platform_retain(syclze_platform platform) {
  (void)platform;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_INLINE ze_result_t syclze_platform_release(syclze_platform platform) {
  (void)platform;
  return ZE_RESULT_SUCCESS;
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze__platform_search(
    ze_driver_handle_t driver, syclze_platform *platform) {
  ze_result_t result;
  if (platform == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_platform",
        "the result's pointer is null", driver);
  if (driver == NULL)
    return syclze__fail_handle("syclze_make_platform", "the driver's handle is null");
  result = syclze__platforms_find();
  struct syclze__status status = syclze__status_of(result, syclze__search_rule(result));
  if (status.result == ZE_RESULT_SUCCESS) {
    platform->rep = syclze__platform_find(driver);
    if (platform->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__invalid(
        "Level-Zero backend 4.3: the driver must be one of those that enumeration gives");
  }
  return syclze__finish(status, "syclze_make_platform", driver);
}

SYCLZE_COLD ze_result_t syclze_init(uint32_t flags) {
  const uint32_t types = flags != 0 ? flags : (uint32_t)SYCLZE_INIT_FLAG_GPU;
  if ((flags & ~(uint32_t)SYCLZE__DRIVER_TYPES) != 0)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_init",
        "the flags must be of syclze_init_flag", NULL);
  if (syclze__is_forked())
    return syclze__fail(ZE_RESULT_ERROR_UNINITIALIZED, "syclze_init",
        "the child of a fork has no Level Zero", NULL);
  ze_result_t result = syclze__platforms_init(types);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail(result, "syclze_init", syclze__enumeration_rule(result), NULL);
}

SYCLZE_COLD ze_result_t syclze_platform_get(uint32_t *count, syclze_platform *platforms) {
  if (count == NULL)
    return syclze__fail_pointer("syclze_platform_get", "the count's pointer is null");
  uint32_t capacity = *count;
  *count = 0;
  ze_result_t result = syclze__platforms_enumerate();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, "syclze_platform_get", syclze__enumeration_rule(result), NULL);
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (capacity != 0 && *count == capacity) break;
    if (capacity != 0 && platforms != NULL) platforms[*count].rep = p;
    ++*count;
  }
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
