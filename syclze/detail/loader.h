/* How Level Zero's functions are reached: through a table where SYCLZE_LOADER_DYNAMIC is defined
 * (loader.h), and by name at run time where the loader, or the ze_api.h that a program is compiled
 * against, may be too old to have them. A check that needs a missing one is left out. */
#ifndef SYCLZE_DETAIL_LOADER_H
#define SYCLZE_DETAIL_LOADER_H

#include "../loader.h"
#include "environment.h"
#include "state.h"

#if SYCLZE_HAS_DLSYM
#include <dlfcn.h>
#endif
#include <stdlib.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

#ifdef SYCLZE_LOADER_DYNAMIC

/* Every function that the library calls through SYCLZE__ZE. */
/* clang-format off */
#define SYCLZE__LOADER_FUNCTIONS(X) \
  X(zeCommandListAppendBarrier) X(zeCommandListAppendImageCopy) \
  X(zeCommandListAppendImageCopyFromMemory) X(zeCommandListAppendImageCopyToMemory) \
  X(zeCommandListAppendLaunchKernel) X(zeCommandListAppendMemAdvise) \
  X(zeCommandListAppendMemoryCopy) X(zeCommandListAppendMemoryCopyRegion) \
  X(zeCommandListAppendMemoryFill) X(zeCommandListAppendMemoryPrefetch) \
  X(zeCommandListAppendSignalEvent) X(zeCommandListAppendWaitOnEvents) X(zeCommandListClose) \
  X(zeCommandListCreate) X(zeCommandListCreateImmediate) X(zeCommandListDestroy) \
  X(zeCommandListReset) X(zeCommandQueueCreate) X(zeCommandQueueDestroy) \
  X(zeCommandQueueExecuteCommandLists) X(zeCommandQueueSynchronize) X(zeContextCreateEx) \
  X(zeContextDestroy) \
  X(zeContextGetStatus) X(zeDeviceCanAccessPeer) X(zeDeviceGet) \
  X(zeDeviceGetCommandQueueGroupProperties) X(zeDeviceGetComputeProperties) \
  X(zeDeviceGetGlobalTimestamps) X(zeDeviceGetImageProperties) \
  X(zeDeviceGetMemoryAccessProperties) X(zeDeviceGetMemoryProperties) \
  X(zeDeviceGetModuleProperties) X(zeDeviceGetProperties) X(zeDeviceGetSubDevices) \
  X(zeDevicePciGetPropertiesExt) X(zeDriverGet) X(zeDriverGetExtensionFunctionAddress) \
  X(zeDriverGetExtensionProperties) X(zeDeviceGetExternalMemoryProperties) \
  X(zeDriverGetIpcProperties) X(zeDriverGetProperties) X(zeEventCreate) X(zeEventDestroy) \
  X(zeEventHostReset) X(zeEventHostSignal) X(zeEventHostSynchronize) X(zeEventPoolCloseIpcHandle) \
  X(zeEventPoolCreate) X(zeEventPoolDestroy) X(zeEventPoolGetIpcHandle) \
  X(zeEventPoolOpenIpcHandle) X(zeEventQueryKernelTimestamp) X(zeEventQueryStatus) \
  X(zeImageCreate) X(zeImageDestroy) X(zeInit) X(zeKernelCreate) X(zeKernelDestroy) \
  X(zeKernelGetName) X(zeKernelGetProperties) X(zeKernelGetSourceAttributes) \
  X(zeKernelSetArgumentValue) X(zeKernelSetGlobalOffsetExp) X(zeKernelSetGroupSize) \
  X(zeKernelSetIndirectAccess) X(zeKernelSuggestGroupSize) \
  X(zeKernelSuggestMaxCooperativeGroupCount) X(zeMemAllocDevice) X(zeMemAllocHost) \
  X(zeMemAllocShared) X(zeMemCloseIpcHandle) X(zeMemFree) X(zeMemGetAddressRange) \
  X(zeMemGetAllocProperties) X(zeMemGetIpcHandle) X(zeMemOpenIpcHandle) \
  X(zeModuleBuildLogDestroy) X(zeModuleBuildLogGetString) X(zeModuleCreate) X(zeModuleDestroy) \
  X(zeModuleDynamicLink) X(zeModuleGetGlobalPointer) X(zeModuleGetKernelNames) \
  X(zeModuleGetNativeBinary) X(zeModuleGetProperties) X(zePhysicalMemCreate) \
  X(zePhysicalMemDestroy) X(zeSamplerCreate) X(zeSamplerDestroy) X(zeVirtualMemFree) X(zeVirtualMemMap) X(zeVirtualMemQueryPageSize) \
  X(zeVirtualMemReserve) X(zeVirtualMemUnmap)
/* clang-format on */

struct syclze__loader {
#define SYCLZE__LOADER_MEMBER(function) __typeof__(&function) p_##function;
  SYCLZE__LOADER_FUNCTIONS(SYCLZE__LOADER_MEMBER)
#undef SYCLZE__LOADER_MEMBER
  syclze_loader_find find;
  void *user;
};

/* The table, opened with the default loader where there is none yet; never null. */
SYCLZE_COLD const struct syclze__loader *syclze__loader_default(void)
    SYCLZE_LINK_NAME(syclze__loader_default);

SYCLZE_INLINE const struct syclze__loader *syclze__loader_table(void) {
  const struct syclze__loader *loader = __atomic_load_n(&SYCLZE__STATE.loader, __ATOMIC_ACQUIRE);
  return SYCLZE__LIKELY(loader != NULL) ? loader : syclze__loader_default();
}

#if SYCLZE__BODIES

/* In the place of a function that the loader lacks, whatever its parameters: in each calling
 * convention that Level Zero has, the caller removes them. */
SYCLZE_LOCAL ze_result_t ZE_APICALL syclze__loader_missing(void) {
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

SYCLZE_LOCAL ze_result_t ZE_APICALL syclze__loader_unavailable(void) {
  return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
}

/* Every member is `missing`, or what `find` gives. False without what everything begins with. */
SYCLZE_LOCAL bool syclze__loader_fill(struct syclze__loader *loader, syclze_loader_find find,
    void *user, ze_result_t(ZE_APICALL *missing)(void)) {
  bool initialises =
      find != NULL && find("zeInit", user) != NULL && find("zeDriverGet", user) != NULL;
  loader->find = find;
  loader->user = user;
#define SYCLZE__LOADER_FILL(name)                                                                  \
  {                                                                                                \
    syclze_loader_function function = find != NULL ? find(#name, user) : NULL;                     \
    if (function != NULL)                                                                          \
      memcpy(&loader->p_##name, &function, sizeof function);                                       \
    else                                                                                           \
      memcpy(&loader->p_##name, &missing, sizeof missing);                                         \
  }
  SYCLZE__LOADER_FUNCTIONS(SYCLZE__LOADER_FILL)
#undef SYCLZE__LOADER_FILL
  return initialises;
}

/* Publishes a table, unless there is one. */
SYCLZE_LOCAL ze_result_t syclze__loader_publish(syclze_loader_find find, void *user) {
  const struct syclze__loader *none = NULL;
  struct syclze__loader *loader = (struct syclze__loader *)calloc(1, sizeof *loader);
  if (loader == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (!syclze__loader_fill(loader, find, user, syclze__loader_missing))
    result = ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
  else if (!__atomic_compare_exchange_n(&SYCLZE__STATE.loader, &none,
               (const struct syclze__loader *)loader, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
    result = SYCLZE_RESULT_ERROR_INVALID;
  if (result != ZE_RESULT_SUCCESS) free(loader);
  return result;
}

/* `detail` is dlerror()'s, or null. */
SYCLZE_LOCAL ze_result_t syclze__loader_fail(
    ze_result_t result, const char *function, const char *detail) {
  const char *rule = "no memory for the table of Level Zero's functions";
  if (result == SYCLZE_RESULT_ERROR_INVALID)
    rule = "the table of Level Zero's functions is filled already";
  else if (result == ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE)
    rule = detail != NULL ? "Level Zero's loader cannot be opened"
                          : "Level Zero's loader has no zeInit or no zeDriverGet";
  return syclze__fail_detail(result, function, rule, NULL, detail);
}

SYCLZE_COLD ze_result_t syclze_loader_set(syclze_loader_find find, void *user) {
  if (find == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_loader_set",
        "the function that finds is null", NULL);
  ze_result_t result = syclze__loader_publish(find, user);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__loader_fail(result, "syclze_loader_set", NULL);
}

#if SYCLZE_HAS_DLSYM

SYCLZE_LOCAL syclze_loader_function syclze__loader_dlsym(const char *name, void *library) {
  void *address = dlsym(library, name);
  syclze_loader_function function;
  memcpy(&function, &address, sizeof function);
  return function;
}

SYCLZE_COLD ze_result_t syclze_loader_open(const char *name) {
  if (name == NULL) name = syclze__environment("SYCLZE_LOADER");
  if (name == NULL || name[0] == '\0') name = SYCLZE_LOADER_NAME;
  void *library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return syclze__loader_fail(
        ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "syclze_loader_open", dlerror());
  ze_result_t result = syclze__loader_publish(syclze__loader_dlsym, library);
  if (result == ZE_RESULT_SUCCESS) return result;
  dlclose(library);
  return syclze__loader_fail(result, "syclze_loader_open", NULL);
}

#else

SYCLZE_COLD ze_result_t syclze_loader_open(const char *name) {
  (void)name;
  return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_loader_open",
      "the library opens no shared objects on this system: give it the functions", NULL);
}

#endif

/* For calls without a loader. Constant once it is filled, with the same values by each thread. */
static __attribute__((unused)) struct syclze__loader syclze__loader_none;

SYCLZE_COLD const struct syclze__loader *syclze__loader_default(void) {
  const struct syclze__loader *loader;
  /* INVALID: another thread has filled the table meanwhile. */
  (void)syclze_loader_open(NULL);
  loader = __atomic_load_n(&SYCLZE__STATE.loader, __ATOMIC_ACQUIRE);
  if (loader != NULL) return loader;
  syclze__loader_fill(&syclze__loader_none, NULL, NULL, syclze__loader_unavailable);
  return &syclze__loader_none;
}

#endif
#endif

#if SYCLZE__BODIES
#if SYCLZE_HAS_DLSYM
/* The address of a function of the loader by its name, also one that ze_api.h does not declare;
 * null where there is none. */
SYCLZE_LOCAL void *syclze__loader_symbol(const char *name) {
#ifdef SYCLZE_LOADER_DYNAMIC
  const struct syclze__loader *loader = syclze__loader_table();
  syclze_loader_function function = loader->find != NULL ? loader->find(name, loader->user) : NULL;
  void *address;
  memcpy(&address, &function, sizeof address);
  return address;
#else
  /* The null handle is RTLD_DEFAULT, which strict C modes do not declare. */
  return dlsym(NULL, name);
#endif
}
#endif
#endif

/* Null where the loader has no such function. */
#define SYCLZE__ENTRY(member) __atomic_load_n(&SYCLZE__STATE.entry.member, __ATOMIC_RELAXED)

#if SYCLZE__BODIES
SYCLZE_LOCAL void syclze__entry_points_find(void) {
#if SYCLZE_HAS_DLSYM
  /* Two threads that come here at once store the same. */
#define SYCLZE__FIND(member, name)                                                                 \
  do {                                                                                             \
    void *address = syclze__loader_symbol(name);                                                   \
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
  SYCLZE__FIND(command_list_get_flags, "zeCommandListImmediateGetFlags");
  SYCLZE__FIND(command_list_get_mode, "zeCommandListImmediateGetMode");
  SYCLZE__FIND(command_list_synchronize, "zeCommandListHostSynchronize");
  SYCLZE__FIND(event_pool_get_context, "zeEventPoolGetContextHandle");
  if (SYCLZE__ENTRY(event_pool_get_context) != NULL)
    SYCLZE__FIND(event_get_pool, "zeEventGetEventPool");
#undef SYCLZE__FIND
#endif
}
#endif

SYCLZE_EXTERN_C_END

#endif
