/* Enumeration of Level Zero's drivers and devices, each once in a process.
 *
 * The list of platforms only grows, at its end: by drivers that are found initialised when a handle
 * is searched, and by those that syclze_init and enumeration initialise. The list of a platform's
 * devices never changes once it is published. Two threads that enumerate at once publish one
 * list. */
#ifndef SYCLZE_DETAIL_DRIVER_ENUMERATION_H
#define SYCLZE_DETAIL_DRIVER_ENUMERATION_H

#include "../sync/fork.h"
#include "loader.h"
#include "../result.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__device;

struct syclze__platform {
  ze_driver_handle_t native;
  struct syclze__platform *next;
  struct syclze__device *devices;    /* root devices, each followed by its sub-devices */
  struct syclze__device *composites; /* of detail/objects/composite.h */
  uint32_t composites_known;
};

struct syclze__device {
  ze_device_handle_t native;
  struct syclze__platform *platform;
  struct syclze__device *parent; /* null for a root device */
  struct syclze__device *next;
  uint8_t is_integrated;  /* 0 until it is queried, 1 no, 2 yes; atomic */
  uint32_t compute_group; /* ordinal of the first compute queue group, plus 1; 0 if unknown */
  struct syclze__device *composite; /* of a component device, once known; else null */
  /* The device's clock, for event_profiling.h; atomic. */
  uint64_t timer_resolution; /* cycles per second; 0 until it is queried */
  uint32_t timestamp_bits;   /* valid ones; read after timer_resolution */
};

/* The device that contains this one; null for none. */
SYCLZE_INLINE const struct syclze__device *syclze__device_above(
    const struct syclze__device *device) {
  return device->parent != NULL ? device->parent
                                : __atomic_load_n(&device->composite, __ATOMIC_RELAXED);
}

SYCLZE_INLINE struct syclze__platform *syclze__platform_next(struct syclze__platform *const *link) {
  return __atomic_load_n(link, __ATOMIC_ACQUIRE);
}

#define SYCLZE__FOR_EACH_PLATFORM(p)                                                               \
  for (struct syclze__platform *p = syclze__platform_next(&SYCLZE__STATE.platforms); p != NULL;    \
       p = syclze__platform_next(&p->next))

/* The platform of a driver; null if it was not enumerated. */
SYCLZE_INLINE struct syclze__platform *syclze__platform_find(ze_driver_handle_t driver) {
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (p->native == driver) return p;
  }
  return NULL;
}

/* The device of a handle; null if it was not enumerated. */
SYCLZE_INLINE struct syclze__device *syclze__device_find(ze_device_handle_t handle) {
  SYCLZE__FOR_EACH_PLATFORM(p) {
    struct syclze__device *d = __atomic_load_n(&p->devices, __ATOMIC_ACQUIRE);
    for (; d != NULL; d = d->next)
      if (d->native == handle) return d;
  }
  return NULL;
}

#if SYCLZE__BODIES

/* The rule that a failed enumeration broke. A loader without drivers is not initialised. */
SYCLZE_LOCAL const char *syclze__enumeration_rule(ze_result_t result) {
  if (result == ZE_RESULT_ERROR_UNINITIALIZED &&
      syclze__platform_next(&SYCLZE__STATE.platforms) == NULL)
    return "no Level Zero driver was found: ZE_ENABLE_ALT_DRIVERS may name one";
  return "the devices could not be enumerated";
}

/* The rule that a failed search of a handle broke. */
SYCLZE_LOCAL const char *syclze__search_rule(ze_result_t result) {
  return result == ZE_RESULT_ERROR_UNINITIALIZED
             ? "zeInit or syclze_init must precede the first handle"
             : "the devices could not be enumerated";
}

/* Adds a platform at the end, unless the driver has one. Any thread. */
SYCLZE_LOCAL ze_result_t syclze__platform_add(ze_driver_handle_t driver) {
  struct syclze__platform **end = &SYCLZE__STATE.platforms, *next, *added = NULL;
  while (true) {
    next = syclze__platform_next(end);
    if (next != NULL && next->native == driver) {
      free(added);
      return ZE_RESULT_SUCCESS;
    }
    if (next != NULL) {
      end = &next->next;
      continue;
    }
    if (added == NULL) added = (struct syclze__platform *)calloc(1, sizeof *added);
    if (added == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    added->native = driver;
    if (__atomic_compare_exchange_n(end, &next, added, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
      return ZE_RESULT_SUCCESS;
  }
}

SYCLZE_LOCAL ze_result_t syclze__platforms_add(const ze_driver_handle_t *drivers, uint32_t count) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++)
    result = syclze__platform_add(drivers[i]);
  return result;
}

/* Initialises the library, before its first object. */
SYCLZE_LOCAL void syclze__library_begin(void) {
  if (syclze__platform_next(&SYCLZE__STATE.platforms) != NULL) return;
  syclze__fork_watch();
  syclze__threads_enable();
  syclze__entry_points_find();
}

/* Adds the drivers that are initialised already. */
SYCLZE_LOCAL ze_result_t syclze__platforms_find(void) {
  uint32_t count = 0;
  ze_driver_handle_t *drivers;
  ze_result_t result =
      syclze__is_forked() ? ZE_RESULT_ERROR_UNINITIALIZED : SYCLZE__ZE(zeDriverGet)(&count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__library_begin();
  drivers = (ze_driver_handle_t *)calloc((size_t)count + 1, sizeof *drivers);
  if (drivers == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (count != 0) result = SYCLZE__ZE(zeDriverGet)(&count, drivers);
  if (result == ZE_RESULT_SUCCESS) result = syclze__platforms_add(drivers, count);
  free(drivers);
  return result;
}

/* Adds the drivers that zeInitDrivers returns and zeDriverGet does not. Its failure does not affect
 * the others. */
SYCLZE_LOCAL ze_result_t syclze__platforms_init_more(uint32_t types) {
  /* ze_init_driver_type_desc_t. */
  struct {
    uint32_t stype;
    const void *next;
    uint32_t flags;
  } desc = {0x00020021, NULL, types};
  uint32_t count = 0;
  ze_driver_handle_t *drivers;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (SYCLZE__ENTRY(init_drivers) == NULL ||
      SYCLZE__ENTRY(init_drivers)(&count, NULL, &desc) != ZE_RESULT_SUCCESS || count == 0)
    return result;
  drivers = (ze_driver_handle_t *)calloc(count, sizeof *drivers);
  if (drivers == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (SYCLZE__ENTRY(init_drivers)(&count, drivers, &desc) == ZE_RESULT_SUCCESS)
    result = syclze__platforms_add(drivers, count);
  free(drivers);
  return result;
}

/* Initialises the drivers of some types, and adds them. */
SYCLZE_LOCAL ze_result_t syclze__platforms_init(uint32_t types) {
  ze_result_t result = SYCLZE__ZE(zeInit)(syclze__init_flags(types));
  if (result == ZE_RESULT_SUCCESS) result = syclze__platforms_find();
  if (result == ZE_RESULT_SUCCESS) result = syclze__platforms_init_more(types);
  if (result == ZE_RESULT_SUCCESS && syclze__platform_next(&SYCLZE__STATE.platforms) != NULL)
    __atomic_fetch_or(&SYCLZE__STATE.driver_types, types, __ATOMIC_RELEASE);
  return result;
}

/* Initialises the drivers of GPUs, unless syclze_init has initialised some types. The child of a
 * fork has the platforms of its parent. */
SYCLZE_LOCAL ze_result_t syclze__platforms_enumerate(void) {
  if (__atomic_load_n(&SYCLZE__STATE.driver_types, __ATOMIC_ACQUIRE) != 0 || syclze__is_forked())
    return ZE_RESULT_SUCCESS;
  return syclze__platforms_init(SYCLZE__DRIVER_GPU);
}

SYCLZE_LOCAL ze_result_t syclze__device_handles_get(ze_driver_handle_t driver,
    const struct syclze__device *parent, uint32_t *count, ze_device_handle_t *handles) {
  return parent == NULL ? SYCLZE__ZE(zeDeviceGet)(driver, count, handles)
                        : SYCLZE__ZE(zeDeviceGetSubDevices)(parent->native, count, handles);
}

/* Appends the root devices, or the children of `parent`, each with its descendants, to the list
 * that ends at `*end`. After a failure the list keeps what was added. */
SYCLZE_LOCAL ze_result_t syclze__devices_list(struct syclze__platform *platform,
    struct syclze__device *parent, struct syclze__device ***end) {
  uint32_t count = 0;
  ze_result_t result = syclze__device_handles_get(platform->native, parent, &count, NULL);
  ze_device_handle_t *handles;
  if (parent != NULL && result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) return ZE_RESULT_SUCCESS;
  if (result != ZE_RESULT_SUCCESS || count == 0) return result;
  handles = (ze_device_handle_t *)calloc(count, sizeof *handles);
  if (handles == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  result = syclze__device_handles_get(platform->native, parent, &count, handles);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++) {
    struct syclze__device *device = (struct syclze__device *)calloc(1, sizeof *device);
    if (device == NULL) {
      result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
      break;
    }
    device->native = handles[i];
    device->platform = platform;
    device->parent = parent;
    **end = device;
    *end = &device->next;
    result = syclze__devices_list(platform, device, end);
  }
  free(handles);
  return result;
}

/* Enumerates all devices of the platform; none after a failure. */
SYCLZE_LOCAL ze_result_t syclze__devices_enumerate(struct syclze__platform *platform) {
  struct syclze__device *first = NULL, *none = NULL, **end = &first;
  if (__atomic_load_n(&platform->devices, __ATOMIC_ACQUIRE) != NULL) return ZE_RESULT_SUCCESS;
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  ze_result_t result = syclze__devices_list(platform, NULL, &end);
  if (result == ZE_RESULT_SUCCESS && __atomic_compare_exchange_n(&platform->devices, &none, first,
                                         false, __ATOMIC_RELEASE, __ATOMIC_RELAXED))
    return result;
  while (first != NULL) {
    struct syclze__device *next = first->next;
    free(first);
    first = next;
  }
  return result;
}

/* Searches the devices of each initialised driver. The failure of one driver does not hide the
 * devices of another. */
SYCLZE_LOCAL ze_result_t syclze__device_handle_search(
    ze_device_handle_t handle, struct syclze__device **found) {
  ze_result_t result = syclze__platforms_find();
  *found = NULL;
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (*found != NULL) break;
    result = syclze__first_error(result, syclze__devices_enumerate(p));
    *found = syclze__device_find(handle);
  }
  return result;
}

/* Enumerates the drivers, and the devices of each. The failure of one driver does not hide the
 * devices of another. */
SYCLZE_LOCAL ze_result_t syclze__enumerate_all(void) {
  if (syclze__is_forked()) return ZE_RESULT_ERROR_UNINITIALIZED;
  ze_result_t result = syclze__platforms_enumerate();
  SYCLZE__FOR_EACH_PLATFORM(p) {
    result = syclze__first_error(result, syclze__devices_enumerate(p));
  }
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
