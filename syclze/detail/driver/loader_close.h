/* The end of a table of Level Zero's functions. */
#ifndef SYCLZE_DETAIL_DRIVER_LOADER_CLOSE_H
#define SYCLZE_DETAIL_DRIVER_LOADER_CLOSE_H

#include "../../loader_close.h"
#include "../sync/worker.h"

SYCLZE_EXTERN_C_BEGIN

#if defined(SYCLZE_LOADER_DYNAMIC) && SYCLZE__BODIES

SYCLZE_LOCAL void syclze__devices_forget(struct syclze__device *device) {
  while (device != NULL) {
    struct syclze__device *next = device->next;
    free(device);
    device = next;
  }
}

SYCLZE_LOCAL void syclze__platforms_forget(void) {
  struct syclze__platform *platform = SYCLZE__STATE.platforms;
  SYCLZE__STATE.platforms = NULL;
  SYCLZE__STATE.driver_types = 0;
  memset(&SYCLZE__STATE.entry, 0, sizeof SYCLZE__STATE.entry);
  while (platform != NULL) {
    struct syclze__platform *next = platform->next;
    syclze__devices_forget(platform->devices);
    syclze__devices_forget(platform->composites);
    free(platform);
    platform = next;
  }
}

/* True if contexts or bundles with entries in the blocks of threads exist. */
SYCLZE_LOCAL bool syclze__parents_exist(void) {
  for (int i = 0; i < SYCLZE__ENTRIES / 64; i++)
    if (SYCLZE__STATE.entries_used[i] != 0) return true;
  return false;
}

SYCLZE_COLD ze_result_t syclze_loader_close(void) {
  struct syclze__loader *loader;
  if (syclze__is_forked())
    return syclze__fail(ZE_RESULT_ERROR_UNINITIALIZED, "syclze_loader_close",
        "the child of a fork has no loader of its own", NULL);
  if (syclze__parents_exist())
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_loader_close",
        "all objects must be released before", NULL);
  syclze__workers_end();
  memcpy(&loader, &SYCLZE__STATE.loader, sizeof loader);
  __atomic_store_n(&SYCLZE__STATE.loader, NULL, __ATOMIC_RELEASE);
  syclze__platforms_forget();
  if (loader == NULL) return ZE_RESULT_SUCCESS;
#if SYCLZE_HAS_DLSYM
  if (loader->opened != NULL) syclze__library_close(loader->opened);
#endif
  free(loader);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
