/* Every function refuses a null handle, one of another kind, and one that was destroyed. */
#define _GNU_SOURCE
#include "support/folder.h"
#include "support/handles.h"

#include <stdlib.h>
#include <sys/mman.h>

__attribute__((constructor)) static void enable_checks(void) {
  setenv("ZECL_CHECK", "1", 1);
}

enum kind {
  DRIVER,
  DEVICE,
  CONTEXT,
  LIST,
  QUEUE,
  FENCE,
  POOL,
  EVENT,
  IMAGE,
  SAMPLER,
  MODULE,
  LOG,
  KERNEL,
  PHYSICAL,
  KINDS
};

/* A handle of each kind; those of drivers and devices are never destroyed. */
static struct { void *live[KINDS], *dead[KINDS]; } handles;

static _Alignas(16) char room[8192]; /* for any output: zeros, also as a descriptor */
static char bytes[64];
static _Alignas(4096) char page[4096];
static const ze_group_count_t groups = {1, 1, 1};

#define LIVE(kind) handles.live[kind]
#define OUT ((void *)room)
#define NO_EVENTS NULL, 0, NULL

/* A kind of handle, a function, and its arguments, one of which is the handle `h`. */
#define CALLS(X)                                                                                   \
  X(DRIVER, zeDriverGetApiVersion, h, OUT)                                                         \
  X(DRIVER, zeDriverGetProperties, h, OUT)                                                         \
  X(DRIVER, zeDriverGetIpcProperties, h, OUT)                                                      \
  X(DRIVER, zeDriverGetExtensionProperties, h, OUT, NULL)                                          \
  X(DRIVER, zeDriverGetExtensionFunctionAddress, h, "zeInit", OUT)                                 \
  X(DRIVER, zeDeviceGet, h, OUT, NULL)                                                             \
  X(DRIVER, zeContextCreate, h, OUT, OUT)                                                          \
  X(DRIVER, zeContextCreateEx, h, OUT, 0, NULL, OUT)                                               \
  X(DEVICE, zeDeviceGetSubDevices, h, OUT, NULL)                                                   \
  X(DEVICE, zeDeviceGetProperties, h, OUT)                                                         \
  X(DEVICE, zeDeviceGetComputeProperties, h, OUT)                                                  \
  X(DEVICE, zeDeviceGetModuleProperties, h, OUT)                                                   \
  X(DEVICE, zeDeviceGetCommandQueueGroupProperties, h, OUT, NULL)                                  \
  X(DEVICE, zeDeviceGetMemoryProperties, h, OUT, NULL)                                             \
  X(DEVICE, zeDeviceGetMemoryAccessProperties, h, OUT)                                             \
  X(DEVICE, zeDeviceGetCacheProperties, h, OUT, NULL)                                              \
  X(DEVICE, zeDeviceGetImageProperties, h, OUT)                                                    \
  X(DEVICE, zeDeviceGetExternalMemoryProperties, h, OUT)                                           \
  X(DEVICE, zeDeviceGetP2PProperties, h, LIVE(DEVICE), OUT)                                        \
  X(DEVICE, zeDeviceCanAccessPeer, h, LIVE(DEVICE), OUT)                                           \
  X(DEVICE, zeDeviceGetStatus, h)                                                                  \
  X(DEVICE, zeDeviceGetGlobalTimestamps, h, OUT, OUT)                                              \
  X(DEVICE, zeDevicePciGetPropertiesExt, h, OUT)                                                   \
  X(CONTEXT, zeContextDestroy, h)                                                                  \
  X(CONTEXT, zeContextGetStatus, h)                                                                \
  X(CONTEXT, zeContextSystemBarrier, h, LIVE(DEVICE))                                              \
  X(CONTEXT, zeContextMakeMemoryResident, h, LIVE(DEVICE), bytes, 1)                               \
  X(CONTEXT, zeContextEvictMemory, h, LIVE(DEVICE), bytes, 1)                                      \
  X(CONTEXT, zeContextMakeImageResident, h, LIVE(DEVICE), LIVE(IMAGE))                             \
  X(CONTEXT, zeContextEvictImage, h, LIVE(DEVICE), LIVE(IMAGE))                                    \
  X(CONTEXT, zeMemAllocShared, h, OUT, OUT, 1, 1, LIVE(DEVICE), OUT)                               \
  X(CONTEXT, zeMemAllocDevice, h, OUT, 1, 1, LIVE(DEVICE), OUT)                                    \
  X(CONTEXT, zeMemAllocHost, h, OUT, 1, 1, OUT)                                                    \
  X(CONTEXT, zeMemFree, h, bytes)                                                                  \
  X(CONTEXT, zeMemFreeExt, h, OUT, bytes)                                                          \
  X(CONTEXT, zeMemGetAllocProperties, h, bytes, OUT, NULL)                                         \
  X(CONTEXT, zeMemGetAddressRange, h, bytes, OUT, OUT)                                             \
  X(CONTEXT, zeMemGetIpcHandle, h, bytes, OUT)                                                     \
  X(CONTEXT, zeMemOpenIpcHandle, h, LIVE(DEVICE), (ze_ipc_mem_handle_t){{0}}, 0, OUT)              \
  X(CONTEXT, zeMemCloseIpcHandle, h, bytes)                                                        \
  X(CONTEXT, zePhysicalMemCreate, h, LIVE(DEVICE), OUT, OUT)                                       \
  X(CONTEXT, zePhysicalMemDestroy, h, LIVE(PHYSICAL))                                              \
  X(CONTEXT, zeVirtualMemReserve, h, NULL, 4096, OUT)                                              \
  X(CONTEXT, zeVirtualMemFree, h, bytes, 4096)                                                     \
  X(CONTEXT, zeVirtualMemQueryPageSize, h, LIVE(DEVICE), 4096, OUT)                                \
  X(CONTEXT, zeVirtualMemMap, h, bytes, 4096, LIVE(PHYSICAL), 0, 0)                                \
  X(CONTEXT, zeVirtualMemUnmap, h, bytes, 4096)                                                    \
  X(CONTEXT, zeVirtualMemSetAccessAttribute, h, bytes, 4096, 0)                                    \
  X(CONTEXT, zeVirtualMemGetAccessAttribute, h, bytes, 4096, OUT, OUT)                             \
  X(CONTEXT, zeEventPoolCreate, h, OUT, 0, NULL, OUT)                                              \
  X(CONTEXT, zeEventPoolOpenIpcHandle, h, (ze_ipc_event_pool_handle_t){{0}}, OUT)                  \
  X(CONTEXT, zeCommandQueueCreate, h, LIVE(DEVICE), OUT, OUT)                                      \
  X(CONTEXT, zeCommandListCreate, h, LIVE(DEVICE), OUT, OUT)                                       \
  X(CONTEXT, zeCommandListCreateImmediate, h, LIVE(DEVICE), OUT, OUT)                              \
  X(CONTEXT, zeImageCreate, h, LIVE(DEVICE), OUT, OUT)                                             \
  X(CONTEXT, zeImageGetAllocPropertiesExt, h, LIVE(IMAGE), OUT)                                    \
  X(CONTEXT, zeSamplerCreate, h, LIVE(DEVICE), OUT, OUT)                                           \
  X(CONTEXT, zeModuleCreate, h, LIVE(DEVICE), OUT, OUT, NULL)                                      \
  X(DEVICE, zeContextSystemBarrier, LIVE(CONTEXT), h)                                              \
  X(DEVICE, zeContextMakeMemoryResident, LIVE(CONTEXT), h, bytes, 1)                               \
  X(DEVICE, zeMemAllocDevice, LIVE(CONTEXT), OUT, 1, 1, h, OUT)                                    \
  X(DEVICE, zeCommandQueueCreate, LIVE(CONTEXT), h, OUT, OUT)                                      \
  X(DEVICE, zeCommandListCreate, LIVE(CONTEXT), h, OUT, OUT)                                       \
  X(DEVICE, zeCommandListCreateImmediate, LIVE(CONTEXT), h, OUT, OUT)                              \
  X(DEVICE, zeImageGetProperties, h, OUT, OUT)                                                     \
  X(DEVICE, zeImageCreate, LIVE(CONTEXT), h, OUT, OUT)                                             \
  X(DEVICE, zeSamplerCreate, LIVE(CONTEXT), h, OUT, OUT)                                           \
  X(DEVICE, zeModuleCreate, LIVE(CONTEXT), h, OUT, OUT, NULL)                                      \
  X(DEVICE, zeCommandListAppendMemAdvise, LIVE(LIST), h, bytes, 1, 0)                              \
  X(POOL, zeEventPoolDestroy, h)                                                                   \
  X(POOL, zeEventPoolGetIpcHandle, h, OUT)                                                         \
  X(POOL, zeEventPoolCloseIpcHandle, h)                                                            \
  X(POOL, zeEventCreate, h, OUT, OUT)                                                              \
  X(EVENT, zeEventDestroy, h)                                                                      \
  X(EVENT, zeEventHostSignal, h)                                                                   \
  X(EVENT, zeEventHostSynchronize, h, 0)                                                           \
  X(EVENT, zeEventQueryStatus, h)                                                                  \
  X(EVENT, zeEventHostReset, h)                                                                    \
  X(EVENT, zeEventQueryKernelTimestamp, h, OUT)                                                    \
  X(EVENT, zeEventQueryTimestampsExp, h, LIVE(DEVICE), OUT, NULL)                                  \
  X(QUEUE, zeCommandQueueDestroy, h)                                                               \
  X(QUEUE, zeCommandQueueExecuteCommandLists, h, 1, (void *)&handles.live[LIST], NULL)             \
  X(QUEUE, zeCommandQueueSynchronize, h, 0)                                                        \
  X(QUEUE, zeFenceCreate, h, OUT, OUT)                                                             \
  X(LIST, zeCommandQueueExecuteCommandLists, LIVE(QUEUE), 1, (void *)&h, NULL)                     \
  X(FENCE, zeFenceDestroy, h)                                                                      \
  X(FENCE, zeFenceHostSynchronize, h, 0)                                                           \
  X(FENCE, zeFenceQueryStatus, h)                                                                  \
  X(FENCE, zeFenceReset, h)                                                                        \
  X(LIST, zeCommandListDestroy, h)                                                                 \
  X(LIST, zeCommandListClose, h)                                                                   \
  X(LIST, zeCommandListReset, h)                                                                   \
  X(LIST, zeCommandListAppendWriteGlobalTimestamp, h, OUT, NO_EVENTS)                              \
  X(LIST, zeCommandListAppendBarrier, h, NO_EVENTS)                                                \
  X(LIST, zeCommandListAppendMemoryRangesBarrier, h, 0, OUT, OUT, NO_EVENTS)                       \
  X(LIST, zeCommandListAppendMemoryCopy, h, bytes, bytes, 1, NO_EVENTS)                            \
  X(LIST, zeCommandListAppendMemoryFill, h, bytes, bytes, 1, 1, NO_EVENTS)                         \
  X(LIST, zeCommandListAppendMemoryCopyRegion, h, bytes, OUT, 1, 1, bytes, OUT, 1, 1, NO_EVENTS)   \
  X(LIST, zeCommandListAppendMemoryCopyFromContext, h, bytes, LIVE(CONTEXT), bytes, 1, NO_EVENTS)  \
  X(CONTEXT, zeCommandListAppendMemoryCopyFromContext, LIVE(LIST), bytes, h, bytes, 1, NO_EVENTS)  \
  X(LIST, zeCommandListAppendMemoryPrefetch, h, bytes, 1)                                          \
  X(LIST, zeCommandListAppendMemAdvise, h, LIVE(DEVICE), bytes, 1, 0)                              \
  X(LIST, zeCommandListAppendSignalEvent, h, LIVE(EVENT))                                          \
  X(LIST, zeCommandListAppendWaitOnEvents, h, 1, (void *)&handles.live[EVENT])                     \
  X(LIST, zeCommandListAppendEventReset, h, LIVE(EVENT))                                           \
  X(LIST, zeCommandListAppendQueryKernelTimestamps, h, 1, (void *)&handles.live[EVENT], OUT, NULL, \
      NO_EVENTS)                                                                                   \
  X(EVENT, zeCommandListAppendSignalEvent, LIVE(LIST), h)                                          \
  X(EVENT, zeCommandListAppendWaitOnEvents, LIVE(LIST), 1, (void *)&h)                             \
  X(EVENT, zeCommandListAppendEventReset, LIVE(LIST), h)                                           \
  X(EVENT, zeCommandListAppendBarrier, LIVE(LIST), NULL, 1, (void *)&h)                            \
  X(LIST, zeCommandListAppendLaunchKernel, h, LIVE(KERNEL), &groups, NO_EVENTS)                    \
  X(LIST, zeCommandListAppendLaunchCooperativeKernel, h, LIVE(KERNEL), &groups, NO_EVENTS)         \
  X(LIST, zeCommandListAppendLaunchKernelIndirect, h, LIVE(KERNEL), &groups, NO_EVENTS)            \
  X(LIST, zeCommandListAppendLaunchMultipleKernelsIndirect, h, 1, (void *)&handles.live[KERNEL],   \
      OUT, &groups, NO_EVENTS)                                                                     \
  X(KERNEL, zeCommandListAppendLaunchKernel, LIVE(LIST), h, &groups, NO_EVENTS)                    \
  X(KERNEL, zeCommandListAppendLaunchCooperativeKernel, LIVE(LIST), h, &groups, NO_EVENTS)         \
  X(KERNEL, zeCommandListAppendLaunchKernelIndirect, LIVE(LIST), h, &groups, NO_EVENTS)            \
  X(KERNEL, zeCommandListAppendLaunchMultipleKernelsIndirect, LIVE(LIST), 1, (void *)&h, OUT,      \
      &groups, NO_EVENTS)                                                                          \
  X(LIST, zeCommandListAppendImageCopy, h, LIVE(IMAGE), LIVE(IMAGE), NO_EVENTS)                    \
  X(LIST, zeCommandListAppendImageCopyRegion, h, LIVE(IMAGE), LIVE(IMAGE), NULL, NULL, NO_EVENTS)  \
  X(LIST, zeCommandListAppendImageCopyToMemory, h, bytes, LIVE(IMAGE), NULL, NO_EVENTS)            \
  X(LIST, zeCommandListAppendImageCopyFromMemory, h, LIVE(IMAGE), bytes, NULL, NO_EVENTS)          \
  X(LIST, zeCommandListAppendImageCopyToMemoryExt, h, bytes, LIVE(IMAGE), NULL, 0, 0, NO_EVENTS)   \
  X(LIST, zeCommandListAppendImageCopyFromMemoryExt, h, LIVE(IMAGE), bytes, NULL, 0, 0, NO_EVENTS) \
  X(IMAGE, zeCommandListAppendImageCopy, LIVE(LIST), h, LIVE(IMAGE), NO_EVENTS)                    \
  X(IMAGE, zeCommandListAppendImageCopy, LIVE(LIST), LIVE(IMAGE), h, NO_EVENTS)                    \
  X(IMAGE, zeCommandListAppendImageCopyToMemory, LIVE(LIST), bytes, h, NULL, NO_EVENTS)            \
  X(IMAGE, zeCommandListAppendImageCopyFromMemory, LIVE(LIST), h, bytes, NULL, NO_EVENTS)          \
  X(IMAGE, zeImageDestroy, h)                                                                      \
  X(IMAGE, zeImageGetAllocPropertiesExt, LIVE(CONTEXT), h, OUT)                                    \
  X(IMAGE, zeImageGetMemoryPropertiesExp, h, OUT)                                                  \
  X(SAMPLER, zeSamplerDestroy, h)                                                                  \
  X(MODULE, zeModuleDestroy, h)                                                                    \
  X(MODULE, zeModuleDynamicLink, 1, (void *)&h, NULL)                                              \
  X(MODULE, zeModuleInspectLinkageExt, OUT, 1, (void *)&h, OUT)                                    \
  X(MODULE, zeModuleGetNativeBinary, h, OUT, NULL)                                                 \
  X(MODULE, zeModuleGetGlobalPointer, h, "name", OUT, OUT)                                         \
  X(MODULE, zeModuleGetKernelNames, h, OUT, NULL)                                                  \
  X(MODULE, zeModuleGetProperties, h, OUT)                                                         \
  X(MODULE, zeModuleGetFunctionPointer, h, "name", OUT)                                            \
  X(MODULE, zeKernelCreate, h, OUT, OUT)                                                           \
  X(LOG, zeModuleBuildLogDestroy, h)                                                               \
  X(LOG, zeModuleBuildLogGetString, h, OUT, NULL)                                                  \
  X(KERNEL, zeKernelDestroy, h)                                                                    \
  X(KERNEL, zeKernelSetCacheConfig, h, 0)                                                          \
  X(KERNEL, zeKernelSetGroupSize, h, 1, 1, 1)                                                      \
  X(KERNEL, zeKernelSuggestGroupSize, h, 1, 1, 1, OUT, OUT, OUT)                                   \
  X(KERNEL, zeKernelSuggestMaxCooperativeGroupCount, h, OUT)                                       \
  X(KERNEL, zeKernelSetArgumentValue, h, 0, 4, bytes)                                              \
  X(KERNEL, zeKernelSetIndirectAccess, h, 0)                                                       \
  X(KERNEL, zeKernelGetIndirectAccess, h, OUT)                                                     \
  X(KERNEL, zeKernelGetSourceAttributes, h, OUT, NULL)                                             \
  X(KERNEL, zeKernelGetProperties, h, OUT)                                                         \
  X(KERNEL, zeKernelGetName, h, OUT, NULL)                                                         \
  X(KERNEL, zeKernelSchedulingHintExp, h, OUT)                                                     \
  X(KERNEL, zeKernelSetGlobalOffsetExp, h, 0, 0, 0)                                                \
  X(PHYSICAL, zePhysicalMemDestroy, LIVE(CONTEXT), h)                                              \
  X(PHYSICAL, zeVirtualMemMap, LIVE(CONTEXT), page, 4096, h, 0, 0)

#define COUNT_ONE(...) +1
enum { CALL_COUNT = CALLS(COUNT_ONE) };

static const char *const names[] = {
#define NAME(kind, function, ...) #function,
    CALLS(NAME)
#undef NAME
};

static const enum kind kinds[] = {
#define KIND(kind, function, ...) kind,
    CALLS(KIND)
#undef KIND
};

static ze_result_t call(int index, void *h) {
  int at = 0;
  memset(room, 0, sizeof room);
#define CALL(kind, function, ...)                                                                  \
  if (index == at++) return function(__VA_ARGS__);
  CALLS(CALL)
#undef CALL
  return ZE_RESULT_SUCCESS;
}

static void expect(int index, void *handle, ze_result_t wanted, const char *what) {
  const ze_result_t result = call(index, handle);
  if (result != wanted)
    check_fail(__FILE__, __LINE__, "%s with a handle that is %s: %#x", names[index], what, result);
}

#define MAKE(kind, type, call)                                                                     \
  do {                                                                                             \
    type made = NULL;                                                                              \
    OK(call);                                                                                      \
    to[kind] = made;                                                                               \
  } while (0)

static void make(void **to) {
  ze_physical_mem_desc_t physical = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = 1 << 16};
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const ze_sampler_desc_t sampler = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC};
  const ze_image_desc_t image = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_1D,
      .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_32, .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
      .width = 1};
  const struct test_file file = test_read("test/kernels/exports.spv");
  const ze_module_desc_t module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = file.size,
      .pInputModule = file.bytes};
  uint32_t one = 1;
  ze_module_build_log_handle_t log = NULL;
  to[DEVICE] = test_device();
  MAKE(DRIVER, ze_driver_handle_t, zeDriverGet(&one, &made));
  MAKE(CONTEXT, ze_context_handle_t, zeContextCreate(to[DRIVER], &context, &made));
  to[LIST] = test_list();
  to[QUEUE] = test_queue(ZE_COMMAND_QUEUE_MODE_DEFAULT);
  to[FENCE] = test_fence(to[QUEUE]);
  to[POOL] = test_pool(ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1);
  to[EVENT] = test_event(to[POOL], 0);
  MAKE(IMAGE, ze_image_handle_t, zeImageCreate(test_context(), to[DEVICE], &image, &made));
  MAKE(SAMPLER, ze_sampler_handle_t, zeSamplerCreate(test_context(), to[DEVICE], &sampler, &made));
  MAKE(
      MODULE, ze_module_handle_t, zeModuleCreate(test_context(), to[DEVICE], &module, &made, &log));
  to[LOG] = log;
  to[KERNEL] = test_kernel(to[MODULE], "exporter");
  MAKE(PHYSICAL, ze_physical_mem_handle_t,
      zePhysicalMemCreate(test_context(), to[DEVICE], &physical, &made));
  free(file.bytes);
}

static void destroy(void **handle) {
  OK(zePhysicalMemDestroy(test_context(), handle[PHYSICAL]));
  OK(zeKernelDestroy(handle[KERNEL]));
  OK(zeModuleBuildLogDestroy(handle[LOG]));
  OK(zeModuleDestroy(handle[MODULE]));
  OK(zeSamplerDestroy(handle[SAMPLER]));
  OK(zeImageDestroy(handle[IMAGE]));
  OK(zeEventDestroy(handle[EVENT]));
  OK(zeEventPoolDestroy(handle[POOL]));
  OK(zeFenceDestroy(handle[FENCE]));
  OK(zeCommandQueueDestroy(handle[QUEUE]));
  OK(zeCommandListDestroy(handle[LIST]));
  OK(zeContextDestroy(handle[CONTEXT]));
}

static void set_up(void) {
  if (handles.live[DRIVER]) return;
  make(handles.live);
  make(handles.dead);
  destroy(handles.dead);
}

TEST(null_handles) {
  set_up();
  for (int i = 0; i < CALL_COUNT; i++)
    expect(i, NULL, ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "null");
}

TEST(handles_of_another_kind) {
  set_up();
  for (int i = 0; i < CALL_COUNT; i++)
    for (int kind = 0; kind < KINDS; kind++)
      if (kind != (int)kinds[i])
        expect(i, LIVE(kind), ZE_RESULT_ERROR_INVALID_ARGUMENT, "of another kind");
}

TEST(destroyed_handles) {
  set_up();
  for (int i = 0; i < CALL_COUNT; i++) {
    if (kinds[i] == DRIVER || kinds[i] == DEVICE) continue;
    expect(i, handles.dead[kinds[i]], ZE_RESULT_ERROR_INVALID_ARGUMENT, "destroyed");
  }
}

/* Values that never were a handle, most of which cannot be read. */
TEST(wild_handles) {
  static _Alignas(64) char readable[256];
  memset(readable, 0x5a, sizeof readable);
  set_up();
  void *closed = mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(closed != MAP_FAILED);
  void *const wild[] = {(void *)1, (void *)64, (void *)0x77777000, (void *)(UINTPTR_MAX & ~63ul),
      (void *)((uintptr_t)1 << 63), closed, readable, readable + 64};
  for (int i = 0; i < CALL_COUNT; i++) {
    for (size_t j = 0; j < sizeof wild / sizeof *wild; j++)
      expect(i, wild[j], ZE_RESULT_ERROR_INVALID_ARGUMENT, "wild");
    expect(i, (char *)LIVE(kinds[i]) + 8, ZE_RESULT_ERROR_INVALID_ARGUMENT, "within an object");
    expect(i, (void *)((uintptr_t)LIVE(kinds[i]) & ~(uintptr_t)0xffff),
        ZE_RESULT_ERROR_INVALID_ARGUMENT, "before the objects");
  }
  munmap(closed, 4096);
}

/* Nothing is left out: each entry of the driver that takes a handle is called above. */
TEST(every_function) {
  FILE *file = fopen(test_source("core/entries.h"), "r");
  char line[256], name[128];
  int entries = 0;
  CHECK(file);
  while (fgets(line, sizeof line, file) && strncmp(line, "#if ", 4) != 0) {
    if (sscanf(line, "ZECL_ENTRY(%127[A-Za-z0-9]);", name) != 1) continue;
    int i = 0;
    while (i < CALL_COUNT && strcmp(names[i], name) != 0)
      i++;
    entries++;
    if (i == CALL_COUNT && strcmp(name, "zeInit") != 0) CHECK_STR_EQ(name, "zeDriverGet");
  }
  fclose(file);
  CHECK(entries > 100);
}

TEST(refused_calls_did_nothing) {
  set_up();
  destroy(handles.live);
  handles.live[DRIVER] = NULL;
}

TEST_MAIN(null_handles, handles_of_another_kind, destroyed_handles, wild_handles, every_function,
    refused_calls_did_nothing)
