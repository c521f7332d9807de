/* Implementation of platform.h. */
#ifndef SYCLZE_DETAIL_PLATFORM_H
#define SYCLZE_DETAIL_PLATFORM_H

#include "../platform.h"
#include "check.h"
#include "enumeration.h"
#include "selection.h"
#include "trace_hooks.h"

SYCLZE_EXTERN_C_BEGIN

/* Slow path of syclze_make_platform: enumerates, then searches. */
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
  struct syclze__status status;
  ze_result_t result;
  if (platform == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_platform",
        "the result's pointer is null", driver);
  if (driver == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_platform",
        "the driver's handle is null", NULL);
  result = syclze__platforms_enumerate();
  status = syclze__status_of(result, syclze__enumeration_rule(result));
  if (status.result == ZE_RESULT_SUCCESS) {
    platform->rep = syclze__platform_find(driver);
    if (platform->rep != NULL) return ZE_RESULT_SUCCESS;
    status = syclze__invalid(
        "Level-Zero backend 4.3: the driver is none of those that enumeration gives");
  }
  return syclze__fail(status.result, "syclze_make_platform", status.rule, driver);
}

/* The platforms of selected devices. */
SYCLZE_LOCAL ze_result_t syclze__platforms_selected(const struct syclze__selection *selection,
    uint32_t capacity, uint32_t *count, syclze_platform *platforms) {
  const char *const function = "syclze_platform_get";
  struct syclze__position position;
  const struct syclze__platform *last = NULL;
  bool more = true;
  ze_result_t result = syclze__enumerate_all();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, syclze__enumeration_rule(result), NULL);
  memset(&position, 0, sizeof position);
  while ((result = syclze__selection_next(selection, &position, function, &more)) ==
             ZE_RESULT_SUCCESS &&
         more && (capacity == 0 || *count < capacity)) {
    if (position.device->platform == last) continue;
    last = position.device->platform;
    if (capacity != 0 && platforms != NULL) platforms[*count].rep = position.device->platform;
    ++*count;
  }
  if (result != ZE_RESULT_SUCCESS) *count = 0;
  return result;
}

SYCLZE_COLD ze_result_t syclze_platform_get(uint32_t *count, syclze_platform *platforms) {
  const struct syclze__selection selection = syclze__selection_of_environment();
  uint32_t capacity;
  ze_result_t result;
  if (count == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_platform_get",
        "the count's pointer is null", NULL);
  capacity = *count;
  *count = 0;
  result = syclze__platforms_enumerate();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, "syclze_platform_get", syclze__enumeration_rule(result), NULL);
  if (selection.limits) return syclze__platforms_selected(&selection, capacity, count, platforms);
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
