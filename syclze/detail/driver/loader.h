/* Access to Level Zero's functions: through a table if SYCLZE_LOADER_DYNAMIC is defined (loader.h),
 * and by name at run time if the loader, or the program's ze_api.h, may be too old to have them. A
 * check that needs a missing function is left out. */
#ifndef SYCLZE_DETAIL_DRIVER_LOADER_H
#define SYCLZE_DETAIL_DRIVER_LOADER_H

#include "../../loader.h"
#include "environment.h"
#include "shared_library.h"
#include "../sync/clock.h"
#include "../state.h"

#include <stdlib.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

#ifdef SYCLZE_LOADER_DYNAMIC

/* Every function that the library calls through SYCLZE__ZE. */
/* clang-format off */
#define SYCLZE__LOADER_FUNCTIONS(X) \
  X(zeCommandListAppendBarrier) X(zeCommandListAppendEventReset) X(zeCommandListAppendImageCopy) \
  X(zeCommandListAppendImageCopyFromMemory) X(zeCommandListAppendImageCopyToMemory) \
  X(zeCommandListAppendLaunchKernel) X(zeCommandListAppendMemAdvise) \
  X(zeCommandListAppendMemoryCopy) X(zeCommandListAppendMemoryCopyRegion) \
  X(zeCommandListAppendMemoryFill) X(zeCommandListAppendMemoryPrefetch) \
  X(zeCommandListAppendLaunchCooperativeKernel) X(zeCommandListAppendSignalEvent) X(zeCommandListAppendWaitOnEvents) X(zeCommandListClose) \
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

/* The functions stand first, in the order of the list. */
struct syclze__loader {
#define SYCLZE__LOADER_MEMBER(function) __typeof__(&function) p_##function;
  SYCLZE__LOADER_FUNCTIONS(SYCLZE__LOADER_MEMBER)
#undef SYCLZE__LOADER_MEMBER
  syclze_loader_find find;
  void *user;
  void *opened;  /* the shared object that the library opened; null for none */
  uint64_t time; /* when it was filled: not 0, and unique among the tables of an image */
};

/* Caches a function at a call site of syclze_ze. Zero before the first call. */
struct syclze__loader_slot {
  uint64_t time; /* of the function's table */
  syclze_loader_function function;
};

/* Looks the function up by its name, and stores it in the slot, unless there is no loader. */
SYCLZE_COLD syclze_loader_function syclze__loader_slot_fill(
    struct syclze__loader_slot *slot, const char *name) SYCLZE_LINK_NAME(syclze__loader_slot_fill);

/* The table, opened with the default loader if there is none yet; never null. */
SYCLZE_COLD const struct syclze__loader *syclze__loader_default(void)
    SYCLZE_LINK_NAME(syclze__loader_default);

SYCLZE_INLINE const struct syclze__loader *syclze__loader_table(void) {
  const struct syclze__loader *loader = __atomic_load_n(&SYCLZE__STATE.loader, __ATOMIC_ACQUIRE);
  return SYCLZE__LIKELY(loader != NULL) ? loader : syclze__loader_default();
}

SYCLZE_INLINE syclze_loader_function syclze__loader_slot_get(
    struct syclze__loader_slot *slot, const char *name) {
  const struct syclze__loader *loader = __atomic_load_n(&SYCLZE__STATE.loader, __ATOMIC_ACQUIRE);
  if (SYCLZE__LIKELY(
          loader != NULL && __atomic_load_n(&slot->time, __ATOMIC_ACQUIRE) == loader->time))
    return __atomic_load_n(&slot->function, __ATOMIC_RELAXED);
  return syclze__loader_slot_fill(slot, name);
}

#if SYCLZE__BODIES

/* Stands for a function that the loader lacks, whatever its parameters: in each calling convention
 * of Level Zero the caller removes them. */
SYCLZE_LOCAL ze_result_t ZE_APICALL syclze__loader_missing(void) {
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

SYCLZE_LOCAL ze_result_t ZE_APICALL syclze__loader_unavailable(void) {
  return ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
}

/* The table for calls without a loader. */
#define SYCLZE__LOADER_UNAVAILABLE(function)                                                       \
  (__typeof__(&function))(syclze_loader_function)syclze__loader_unavailable,
static const __attribute__((unused)) struct syclze__loader syclze__loader_none = {
    SYCLZE__LOADER_FUNCTIONS(SYCLZE__LOADER_UNAVAILABLE) NULL, NULL, NULL, 0};
#undef SYCLZE__LOADER_UNAVAILABLE

/* Sets every member to the result of `find`. False without the functions that every program
 * needs. */
SYCLZE_LOCAL bool syclze__loader_fill(
    struct syclze__loader *loader, syclze_loader_find find, void *user) {
  ze_result_t(ZE_APICALL * missing)(void) = syclze__loader_missing;
  bool initialises = find("zeInit", user) != NULL && find("zeDriverGet", user) != NULL;
  loader->find = find;
  loader->user = user;
#define SYCLZE__LOADER_NAME(function) #function "\0"
  const char *name = SYCLZE__LOADER_FUNCTIONS(SYCLZE__LOADER_NAME);
#undef SYCLZE__LOADER_NAME
  for (char *member = (char *)loader; *name != '\0'; member += sizeof missing) {
    syclze_loader_function function = find(name, user);
    if (function != NULL)
      memcpy(member, &function, sizeof function);
    else
      memcpy(member, &missing, sizeof missing);
    name += strlen(name) + 1;
  }
  return initialises;
}

/* Publishes a table, unless there is one already. */
SYCLZE_LOCAL ze_result_t syclze__loader_publish(syclze_loader_find find, void *user, void *opened) {
  const struct syclze__loader *none = NULL;
  struct syclze__loader *loader = (struct syclze__loader *)calloc(1, sizeof *loader);
  if (loader == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = ZE_RESULT_SUCCESS;
  loader->opened = opened;
  loader->time = syclze__clock_now() | 1;
  if (!syclze__loader_fill(loader, find, user))
    result = ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE;
  else if (!__atomic_compare_exchange_n(&SYCLZE__STATE.loader, &none,
               (const struct syclze__loader *)loader, false, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE))
    result = SYCLZE_RESULT_ERROR_INVALID;
  if (result != ZE_RESULT_SUCCESS) free(loader);
  return result;
}

/* `detail` is the system's message, or null. */
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
  if (find == NULL) return syclze__fail_pointer("syclze_loader_set", "the find function is null");
  ze_result_t result = syclze__loader_publish(find, user, NULL);
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__loader_fail(result, "syclze_loader_set", NULL);
}

#if SYCLZE_HAS_DLSYM

SYCLZE_LOCAL syclze_loader_function syclze__loader_find(const char *name, void *library) {
  void *address = syclze__library_find(library, name);
  syclze_loader_function function;
  memcpy(&function, &address, sizeof function);
  return function;
}

SYCLZE_COLD ze_result_t syclze_loader_open(const char *name) {
  if (name == NULL) name = syclze__environment("SYCLZE_LOADER");
  if (name == NULL || name[0] == '\0') name = SYCLZE_LOADER_NAME;
  void *library = syclze__library_open(name);
  if (library == NULL) {
    char error[256];
    return syclze__loader_fail(ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE, "syclze_loader_open",
        syclze__library_error(error, sizeof error));
  }
  ze_result_t result = syclze__loader_publish(syclze__loader_find, library, library);
  if (result == ZE_RESULT_SUCCESS) return result;
  syclze__library_close(library);
  return syclze__loader_fail(result, "syclze_loader_open", NULL);
}

#else

SYCLZE_COLD ze_result_t syclze_loader_open(const char *name) {
  (void)name;
  return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_loader_open",
      "the library opens no shared objects on this system: give it the functions", NULL);
}

#endif

SYCLZE_COLD const struct syclze__loader *syclze__loader_default(void) {
  const struct syclze__loader *loader;
  /* INVALID: another thread has filled the table meanwhile. */
  (void)syclze_loader_open(NULL);
  loader = __atomic_load_n(&SYCLZE__STATE.loader, __ATOMIC_ACQUIRE);
  return loader != NULL ? loader : &syclze__loader_none;
}

SYCLZE_COLD syclze_loader_function syclze__loader_slot_fill(
    struct syclze__loader_slot *slot, const char *name) {
  const struct syclze__loader *loader = syclze__loader_table();
  ze_result_t(ZE_APICALL * missing)(void) =
      loader->find != NULL ? syclze__loader_missing : syclze__loader_unavailable;
  syclze_loader_function function = loader->find != NULL ? loader->find(name, loader->user) : NULL;
  if (function == NULL) memcpy(&function, &missing, sizeof function);
  if (loader->find == NULL) return function;
  __atomic_store_n(&slot->function, function, __ATOMIC_RELAXED);
  __atomic_store_n(&slot->time, loader->time, __ATOMIC_RELEASE);
  return function;
}

#endif
#endif

#if SYCLZE__BODIES
#if SYCLZE_HAS_DLSYM
/* The address of a loader's function by its name, even if ze_api.h does not declare it; null if
 * there is none. */
SYCLZE_LOCAL void *syclze__loader_symbol(const char *name) {
#ifdef SYCLZE_LOADER_DYNAMIC
  const struct syclze__loader *loader = syclze__loader_table();
  syclze_loader_function function = loader->find != NULL ? loader->find(name, loader->user) : NULL;
  void *address;
  memcpy(&address, &function, sizeof address);
  return address;
#else
  return syclze__library_find_linked(name);
#endif
}
#endif
#endif

/* A function of newer loaders, or null. */
#define SYCLZE__ENTRY(member) __atomic_load_n(&SYCLZE__STATE.entry.member, __ATOMIC_RELAXED)

/* Values of syclze_init_flag. */
enum { SYCLZE__DRIVER_GPU = 1, SYCLZE__DRIVER_NPU = 2, SYCLZE__DRIVER_TYPES = 3 };

/* Flags of zeInit: those of one type, 0 for all types; without a type those of GPUs. */
SYCLZE_INLINE ze_init_flags_t syclze__init_flags(uint32_t types) {
  if (types == 0) types = SYCLZE__DRIVER_GPU;
  return types == SYCLZE__DRIVER_TYPES ? 0 : (ze_init_flags_t)types;
}

#if SYCLZE__BODIES
SYCLZE_LOCAL void syclze__entry_points_find(void) {
#if SYCLZE_HAS_DLSYM
  /* Threads that are here at once store the same values. */
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
  SYCLZE__FIND(command_list_append_lists, "zeCommandListImmediateAppendCommandListsExp");
  SYCLZE__FIND(event_pool_get_context, "zeEventPoolGetContextHandle");
  if (SYCLZE__ENTRY(event_pool_get_context) != NULL)
    SYCLZE__FIND(event_get_pool, "zeEventGetEventPool");
#undef SYCLZE__FIND
#endif
}
#endif

SYCLZE_EXTERN_C_END

#endif
