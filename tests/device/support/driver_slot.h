/* Functions of the embedded device that its loader need not have. */
#ifndef TESTS_DEVICE_DRIVER_SLOT_H
#define TESTS_DEVICE_DRIVER_SLOT_H

#include <level_zero/ze_api.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

/* A function of the embedded device by its place in one of the driver's tables; null on other
   drivers. */
static inline void *driver_slot(const char *table_of, unsigned slot) {
  enum { VERSION = 17, SLOTS = 64 };
  const char *driver = getenv("ZE_ENABLE_ALT_DRIVERS");
  void *library = driver ? dlopen(driver, RTLD_NOW | RTLD_NOLOAD) : NULL;
  void *address = library ? dlsym(library, table_of) : NULL;
  void *table[SLOTS] = {NULL};
  ze_result_t (*fill)(ze_api_version_t version, void *table);
  if (!address) return NULL;
  memcpy(&fill, &address, sizeof fill);
  const ze_result_t filled = fill((ze_api_version_t)ZE_MAKE_VERSION(1, VERSION), table);
  dlclose(library);
  return filled == ZE_RESULT_SUCCESS ? table[slot] : NULL;
}

#endif
