/* The drivers: ZECL_DRIVERS of them, each with its own devices, made once and never destroyed. */
#ifndef ZECL_CORE_DRIVER_H
#define ZECL_CORE_DRIVER_H

#include "core/object.h"

struct zecl_context;
struct zecl_device;

struct zecl_driver {
  struct zecl_object object;
  uint32_t index;
  uint32_t device_count;
  struct zecl_device **devices;         /* as zeDeviceGet enumerates them */
  struct zecl_context *default_context; /* of all devices; never destroyed */
};

static inline struct zecl_driver *zecl_driver_of(ze_driver_handle_t handle) {
  return (struct zecl_driver *)(void *)handle;
}

/* Makes the drivers on the first call; UNINITIALIZED if there are none. */
ze_result_t zecl_drivers_start(void);

/* The answer of zeDriverGet, once started. `handles` may be null. */
ze_result_t zecl_drivers_list(uint32_t *count, ze_driver_handle_t *handles);

#endif
