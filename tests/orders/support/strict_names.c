/* Functions that are found by name are the strict device's, or missing: those of the system's
 * loader would read its handles as their own. */
#define _GNU_SOURCE
#include "strict.h"

#include "syclze/syclze.h"

#include <dlfcn.h>
#include <string.h>

void *__real_dlsym(void *library, const char *name);
void *__wrap_dlsym(void *library, const char *name);

static const char *const optional[STRICT_OPTIONALS] = {
    [STRICT_LIST_CONTEXT] = "zeCommandListGetContextHandle",
    [STRICT_LIST_DEVICE] = "zeCommandListGetDeviceHandle",
    [STRICT_LIST_IS_IMMEDIATE] = "zeCommandListIsImmediate",
    [STRICT_LIST_FLAGS] = "zeCommandListImmediateGetFlags",
    [STRICT_LIST_MODE] = "zeCommandListImmediateGetMode",
    [STRICT_LIST_SYNCHRONIZE] = "zeCommandListHostSynchronize",
    [STRICT_POOL_CONTEXT] = "zeEventPoolGetContextHandle",
    [STRICT_EVENT_POOL] = "zeEventGetEventPool",
    [STRICT_APPENDS_LISTS] = "zeCommandListImmediateAppendCommandListsExp",
    [STRICT_QUEUE_ORDINAL] = "zeCommandQueueGetOrdinal",
    [STRICT_NEXT_COMMAND] = "zeCommandListGetNextCommandIdExp",
    [STRICT_UPDATES_COMMANDS] = "zeCommandListUpdateMutableCommandsExp",
    [STRICT_UPDATES_KERNELS] = "zeCommandListUpdateMutableCommandKernelsExp",
    [STRICT_CAPTURES] = "zeGraphCreateExt"};

static uint32_t missing;

void strict_set_missing(uint32_t functions) {
  __atomic_store_n(&missing, functions, __ATOMIC_RELAXED);
  /* The library has found the functions of its first enumeration; graphs are to see another. */
  void *append = dlsym(RTLD_DEFAULT, optional[STRICT_APPENDS_LISTS]);
  memcpy((void *)&SYCLZE__STATE.entry.command_list_append_lists, &append, sizeof append);
}

static bool is_missing(const char *name) {
  const uint32_t functions = __atomic_load_n(&missing, __ATOMIC_RELAXED);
  for (uint32_t i = 0; i < STRICT_OPTIONALS; i++)
    if ((functions >> i & 1) != 0 && strcmp(name, optional[i]) == 0) return true;
  return false;
}

void *__wrap_dlsym(void *library, const char *name) {
  static const char here = 0;
  Dl_info own, its;
  void *found = __real_dlsym(library, name);
  if (library != NULL || found == NULL || strncmp(name, "ze", 2) != 0) return found;
  const bool is_own =
      dladdr(&here, &own) != 0 && dladdr(found, &its) != 0 && own.dli_fbase == its.dli_fbase;
  return is_own && !is_missing(name) ? found : NULL;
}
