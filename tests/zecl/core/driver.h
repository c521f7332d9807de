/* The drivers: ZECL_DRIVERS of them, each with its own devices, all made once and never destroyed.
 */
#ifndef ZECL_CORE_DRIVER_H
#define ZECL_CORE_DRIVER_H

#include "core/object.h"

struct zecl_device;

struct zecl_driver {
  struct zecl_object object;
  uint32_t index;
  uint32_t device_count;
  struct zecl_device *devices; /* the root devices */
};

static inline struct zecl_driver *zecl_driver_of(ze_driver_handle_t handle) {
  return (struct zecl_driver *)(void *)handle;
}

#endif
