/* A device, or a sub-device of one. Where the engine has fewer devices, several are views of
 * one. */
#ifndef ZECL_CORE_DEVICE_H
#define ZECL_CORE_DEVICE_H

#include "core/driver.h"

struct zecl_engine_properties;

struct zecl_device {
  struct zecl_object object;
  struct zecl_driver *driver;
  struct zecl_device *root; /* null for a root device */
  uint32_t index;           /* among the driver's devices, or its root's sub-devices */
  uint32_t engine_index;    /* of the engine's devices */
  uint32_t number, part;    /* of the whole and, from 1, of its part; the same under every mask */
  uint32_t sub_device_count;
  struct zecl_device **sub_devices;
};

enum { ZECL_GROUP_COMPUTE, ZECL_GROUP_COPY, ZECL_GROUP_COUNT };
enum { ZECL_QUEUES_PER_GROUP = 4, ZECL_MAX_FILL_PATTERN = 1 << 16 };

static inline struct zecl_device *zecl_device_of(ze_device_handle_t handle) {
  return (struct zecl_device *)(void *)handle;
}

static inline ze_device_handle_t zecl_device_handle(struct zecl_device *device) {
  return (ze_device_handle_t)(void *)device;
}

/* Its number among the engine's devices; that of the first for none. */
static inline uint32_t zecl_device_index(const struct zecl_device *device) {
  return device ? device->engine_index : 0;
}

/* Properties of the device that the engine reports. */
const struct zecl_engine_properties *zecl_device_engine(const struct zecl_device *device);

ze_device_uuid_t zecl_device_uuid(const struct zecl_device *device);

/* DEVICE_LOST once a kernel has ended the engine's device; else SUCCESS. */
ze_result_t zecl_device_status(const struct zecl_device *device);

#endif
