/* Entry points that the loader may lack. A program compiled against an old ze_api.h uses them where
 * the loader that it runs on has them; a check that needs a missing one is left out. */
#ifndef SYCLZE_ENTRY_H
#define SYCLZE_ENTRY_H

#include "state.h"

#if SYCLZE_HAS_DLSYM
#include <dlfcn.h>
#endif

SYCLZE_EXTERN_C_BEGIN

/* Null where the loader has no such function. */
#define SYCLZE__ENTRY(member) __atomic_load_n(&SYCLZE__STATE.entry.member, __ATOMIC_RELAXED)

SYCLZE_LOCAL void syclze__entry_points_find(void) {
#if SYCLZE_HAS_DLSYM
  /* The null handle is RTLD_DEFAULT, which strict C modes do not declare. Two threads that come
   * here at once store the same. */
#define SYCLZE__FIND(member, name)                                                                 \
  do {                                                                                             \
    void *address = dlsym(NULL, name);                                                             \
    __typeof__(SYCLZE__STATE.entry.member) function;                                               \
    memcpy(&function, &address, sizeof function);                                                  \
    __atomic_store_n(&SYCLZE__STATE.entry.member, function, __ATOMIC_RELAXED);                     \
  } while (0)
  SYCLZE__FIND(init_drivers, "zeInitDrivers");
  SYCLZE__FIND(command_list_get_context, "zeCommandListGetContextHandle");
  SYCLZE__FIND(command_list_get_device, "zeCommandListGetDeviceHandle");
  if (SYCLZE__ENTRY(command_list_get_context) != NULL &&
      SYCLZE__ENTRY(command_list_get_device) != NULL)
    SYCLZE__FIND(command_list_is_immediate, "zeCommandListIsImmediate");
  SYCLZE__FIND(event_pool_get_context, "zeEventPoolGetContextHandle");
  if (SYCLZE__ENTRY(event_pool_get_context) != NULL)
    SYCLZE__FIND(event_get_pool, "zeEventGetEventPool");
#undef SYCLZE__FIND
#endif
}

SYCLZE_EXTERN_C_END

#endif
