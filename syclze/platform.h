/* Platforms: Level Zero drivers.
 *
 *     syclze_platform platform;
 *     if (syclze_make_platform(driver, &platform) == ZE_RESULT_SUCCESS)
 *       driver = syclze_platform_get_native(platform);
 *
 * The platforms are those that Level Zero enumerates, and live as long as the process. A driver's
 * handle gives the same platform each time, whichever function it came from, so two platforms are
 * the same if their `rep` is. There is nothing to own: retain and release are here so that code
 * can treat all objects alike. Any thread may call any function. */
#ifndef SYCLZE_PLATFORM_H
#define SYCLZE_PLATFORM_H

#include "detail/trace_hooks.h"
#include "loader.h"
#include "result.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_platform {
  struct syclze__platform *rep;
} syclze_platform;

struct syclze__device;

struct syclze__platform {
  ze_driver_handle_t native;
  struct syclze__platform *next;
  struct syclze__device *devices; /* root devices, each followed by its sub-devices */
};

/* The platforms of the process. `count` is not null: on entry the room in `platforms`, or 0 to ask;
 * on return how many there are, or were written. Initialises Level Zero if nobody has. Passes
 * through what zeInit and zeDriverGet return. */
SYCLZE_COLD ze_result_t syclze_platform_get(uint32_t *count, syclze_platform *platforms)
    SYCLZE_LINK_NAME(syclze_platform_get);

/* The slow half of syclze_make_platform: enumerates, then searches. */
SYCLZE_COLD ze_result_t syclze__platform_search(
    ze_driver_handle_t driver, syclze_platform *platform) SYCLZE_LINK_NAME(syclze__platform_search);

/* Makes sure that the drivers are enumerated. */

SYCLZE_INLINE struct syclze__platform *syclze__platform_next(struct syclze__platform *const *link) {
  return __atomic_load_n(link, __ATOMIC_ACQUIRE);
}

#define SYCLZE__FOR_EACH_PLATFORM(p)                                                               \
  for (struct syclze__platform *p = syclze__platform_next(&SYCLZE__STATE.platforms); p != NULL;    \
       p = syclze__platform_next(&p->next))

/* Null for a driver that is not, or not yet, enumerated. */
SYCLZE_INLINE struct syclze__platform *syclze__platform_find(ze_driver_handle_t driver) {
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (p->native == driver) return p;
  }
  return NULL;
}

/* The platform of a driver (4.3). Creates nothing and takes nothing. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE; SYCLZE_RESULT_ERROR_INVALID for a handle that enumeration
 * does not give; what the enumeration returns. */
SYCLZE_INLINE ze_result_t syclze_make_platform(
    ze_driver_handle_t driver, syclze_platform *platform);

SYCLZE_INLINE ze_result_t syclze__make_platform_impl(
    ze_driver_handle_t driver, syclze_platform *platform) {
  if (platform == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_make_platform",
        "the result's pointer is null", driver);
  platform->rep = syclze__platform_find(driver);
  return SYCLZE__LIKELY(platform->rep != NULL) ? ZE_RESULT_SUCCESS
                                               : syclze__platform_search(driver, platform);
}
SYCLZE_INLINE ze_result_t syclze_make_platform(
    ze_driver_handle_t driver, syclze_platform *platform) {
  SYCLZE__RETURN_IF_TRACED(make_platform, driver, platform);
  return syclze__make_platform_impl(driver, platform);
}

/* The driver's handle. `platform` is not null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE ze_driver_handle_t syclze_platform_get_native(syclze_platform platform) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_PLATFORM, platform.rep);
  return platform.rep->native;
}

/* No effect: platforms are not counted. */
SYCLZE_INLINE ze_result_t syclze_platform_retain(syclze_platform platform) {
  (void)platform;
  return ZE_RESULT_SUCCESS;
}

/* No effect: platforms are not counted. */
SYCLZE_INLINE ze_result_t syclze_platform_release(syclze_platform platform) {
  (void)platform;
  return ZE_RESULT_SUCCESS;
}

/* Publishes the platforms of the drivers, each once, all at once: another thread sees none or all,
 * and of two threads that come here one keeps what the other published. */
SYCLZE_LOCAL ze_result_t syclze__platforms_add(const ze_driver_handle_t *drivers, uint32_t count) {
  struct syclze__platform *first = NULL, *none = NULL, **end = &first;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++) {
    struct syclze__platform *same = first;
    while (same != NULL && same->native != drivers[i])
      same = same->next;
    if (same != NULL) continue;
    *end = (struct syclze__platform *)calloc(1, sizeof **end);
    if (*end == NULL) {
      result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
      break;
    }
    (*end)->native = drivers[i];
    end = &(*end)->next;
  }
  if (result == ZE_RESULT_SUCCESS && __atomic_compare_exchange_n(&SYCLZE__STATE.platforms, &none,
                                         first, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return result;
  while (first != NULL) {
    struct syclze__platform *next = first->next;
    free(first);
    first = next;
  }
  return result;
}

/* What zeDriverGet gives, and what besides it only zeInitDrivers gives, where the loader has that.
 */
SYCLZE_LOCAL ze_result_t syclze__platforms_enumerate(void) {
  if (syclze__platform_next(&SYCLZE__STATE.platforms) != NULL) return ZE_RESULT_SUCCESS;
  ze_result_t result = SYCLZE__ZE(zeInit)(0);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__entry_points_find();
  /* ze_init_driver_type_desc_t, asking for every type. */
  struct {
    uint32_t stype;
    const void *next;
    uint32_t flags;
  } desc = {0x00020021, NULL, UINT32_MAX};
  uint32_t count = 0, more = 0;
  result = SYCLZE__ZE(zeDriverGet)(&count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (SYCLZE__ENTRY(init_drivers) != NULL &&
      SYCLZE__ENTRY(init_drivers)(&more, NULL, &desc) != ZE_RESULT_SUCCESS)
    more = 0;
  ze_driver_handle_t *drivers =
      (ze_driver_handle_t *)calloc((size_t)count + more + 1, sizeof *drivers);
  if (drivers == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (count != 0) result = SYCLZE__ZE(zeDriverGet)(&count, drivers);
  if (more != 0 && SYCLZE__ENTRY(init_drivers)(&more, drivers + count, &desc) != ZE_RESULT_SUCCESS)
    more = 0;
  if (result == ZE_RESULT_SUCCESS) result = syclze__platforms_add(drivers, count + more);
  free(drivers);
  return result;
}

SYCLZE_COLD ze_result_t syclze__platform_search(
    ze_driver_handle_t driver, syclze_platform *platform) {
  static const char *const function = "syclze_make_platform";
  platform->rep = NULL;
  if (driver == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the driver's handle is null", driver);
  ze_result_t result = syclze__platforms_enumerate();
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "the drivers could not be enumerated", driver);
  platform->rep = syclze__platform_find(driver);
  if (platform->rep != NULL) return result;
  return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, function,
      "Level-Zero backend 4.3: the driver is none of those that enumeration gives", driver);
}

SYCLZE_COLD ze_result_t syclze_platform_get(uint32_t *count, syclze_platform *platforms) {
  if (count == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_platform_get",
        "the count's pointer is null", NULL);
  ze_result_t result = syclze__platforms_enumerate();
  uint32_t room = *count, found = 0;
  *count = 0;
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, "syclze_platform_get", "the drivers could not be enumerated", NULL);
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (room != 0 && found == room) break;
    if (room != 0 && platforms != NULL) platforms[found].rep = p;
    found++;
  }
  *count = found;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_EXTERN_C_END

#endif
