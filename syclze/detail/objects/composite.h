/* Composite devices: whole cards whose parts are enumerated as devices
 * (ZE_FLAT_DEVICE_HIERARCHY=COMBINED). The first search finds all of them; they live as long as the
 * process. Two threads that search at once publish one list. */
#ifndef SYCLZE_DETAIL_OBJECTS_COMPOSITE_H
#define SYCLZE_DETAIL_OBJECTS_COMPOSITE_H

#include "../check.h"
#include "../driver/enumeration.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#define SYCLZE__NO_ROOT_DEVICE "the loader has no zeDeviceGetRootDevice, which is of Level Zero 1.7"

/* Queries the card that a device is part of, or null. For others zeDeviceGetRootDevice returns
 * null, or the device itself. */
SYCLZE_LOCAL struct syclze__status syclze__device_card(
    const struct syclze__device *device, ze_device_handle_t *card) {
  ze_result_t(ZE_APICALL * get_root)(ze_device_handle_t, ze_device_handle_t *) = NULL;
  struct syclze__status status =
      syclze__status_of(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, SYCLZE__NO_ROOT_DEVICE);
#if SYCLZE_HAS_DLSYM
  void *address = syclze__loader_symbol("zeDeviceGetRootDevice");
  memcpy(&get_root, &address, sizeof get_root);
#endif
  *card = NULL;
  if (get_root != NULL)
    status = syclze__status_of(get_root(device->native, card), "zeDeviceGetRootDevice failed");
  if (status.result != ZE_RESULT_SUCCESS || *card == device->native) *card = NULL;
  return status;
}

/* The parts of a device by the driver, for the caller to free; null after an error. */
SYCLZE_LOCAL ze_result_t syclze__device_parts(
    const struct syclze__device *device, uint32_t *count, ze_device_handle_t **parts) {
  const ze_driver_handle_t driver = device->platform->native;
  *count = 0;
  *parts = NULL;
  ze_result_t result = syclze__device_handles_get(driver, device, count, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  *parts = (ze_device_handle_t *)calloc(*count + 1u, sizeof **parts);
  if (*parts == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (*count != 0) result = syclze__device_handles_get(driver, device, count, *parts);
  if (result == ZE_RESULT_SUCCESS) return result;
  free(*parts);
  *parts = NULL;
  return result;
}

/* Checks that there are several parts, each a root device. With `publishes` the parts are set to
 * refer to the device. */
SYCLZE_LOCAL ze_result_t syclze__composite_check(
    struct syclze__device *device, bool publishes, bool *is_composite) {
  ze_device_handle_t *parts;
  uint32_t count;
  const ze_result_t result = syclze__device_parts(device, &count, &parts);
  *is_composite = result == ZE_RESULT_SUCCESS && count > 1;
  for (uint32_t i = 0; i < count && *is_composite; i++) {
    struct syclze__device *part = syclze__device_find(parts[i]);
    *is_composite = part != NULL && part->parent == NULL;
    if (publishes && part != NULL) __atomic_store_n(&part->composite, device, __ATOMIC_RELAXED);
  }
  free(parts);
  return result;
}

SYCLZE_LOCAL struct syclze__device *syclze__composite_among(
    struct syclze__device *device, ze_device_handle_t native) {
  while (device != NULL && device->native != native)
    device = device->next;
  return device;
}

/* Adds the device of a card to the list at `first`, unless it is listed, enumerated, or not
 * composite. */
SYCLZE_LOCAL ze_result_t syclze__composite_add(
    struct syclze__platform *platform, ze_device_handle_t card, struct syclze__device **first) {
  struct syclze__device **end = first, *added;
  bool is_composite;
  if (card == NULL || syclze__device_find(card) != NULL ||
      syclze__composite_among(*first, card) != NULL)
    return ZE_RESULT_SUCCESS;
  added = (struct syclze__device *)calloc(1, sizeof *added);
  if (added == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  added->native = card;
  added->platform = platform;
  ze_result_t result = syclze__composite_check(added, false, &is_composite);
  if (!is_composite) {
    free(added);
    return result;
  }
  while (*end != NULL)
    end = &(*end)->next;
  *end = added;
  return result;
}

/* Finds the composite devices of a platform, in the order of their first parts; none after an
 * error. */
SYCLZE_LOCAL struct syclze__status syclze__composites_find(struct syclze__platform *platform) {
  struct syclze__device *first = NULL, *none = NULL, *d, *next;
  struct syclze__status status = syclze__allowed();
  if (__atomic_load_n(&platform->composites_known, __ATOMIC_ACQUIRE) != 0) return status;
  for (d = __atomic_load_n(&platform->devices, __ATOMIC_ACQUIRE);
       d != NULL && status.result == ZE_RESULT_SUCCESS; d = d->next) {
    ze_device_handle_t card;
    if (d->parent != NULL) continue;
    status = syclze__device_card(d, &card);
    if (status.result == ZE_RESULT_SUCCESS)
      status = syclze__status_of_call(syclze__composite_add(platform, card, &first),
          "zeDeviceGetSubDevices failed for a composite device");
  }
  if (status.result == ZE_RESULT_SUCCESS &&
      __atomic_compare_exchange_n(
          &platform->composites, &none, first, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    first = NULL;
  for (; first != NULL; first = next) {
    next = first->next;
    free(first);
  }
  if (status.result != ZE_RESULT_SUCCESS) return status;
  for (d = __atomic_load_n(&platform->composites, __ATOMIC_ACQUIRE); d != NULL; d = d->next) {
    bool is_composite;
    status = syclze__status_of_call(syclze__composite_check(d, true, &is_composite),
        "zeDeviceGetSubDevices failed for a composite device");
    if (status.result != ZE_RESULT_SUCCESS) return status;
  }
  __atomic_store_n(&platform->composites_known, 1, __ATOMIC_RELEASE);
  return status;
}

/* The composite device of a handle among those already found; null for none. */
SYCLZE_LOCAL struct syclze__device *syclze__composite_known(ze_device_handle_t handle) {
  struct syclze__device *found = NULL;
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (found == NULL && __atomic_load_n(&p->composites_known, __ATOMIC_ACQUIRE) != 0)
      found = syclze__composite_among(p->composites, handle);
  }
  return found;
}

/* The composite device of a handle; null for none, and in the child of a fork. */
SYCLZE_LOCAL struct syclze__device *syclze__composite_find(ze_device_handle_t handle) {
  struct syclze__device *found = NULL;
  if (syclze__is_forked()) return NULL;
  SYCLZE__FOR_EACH_PLATFORM(p) {
    if (found == NULL && syclze__composites_find(p).result == ZE_RESULT_SUCCESS)
      found = syclze__composite_among(p->composites, handle);
  }
  return found;
}

#endif

SYCLZE_EXTERN_C_END

#endif
