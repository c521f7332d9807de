/* The tables of the core API that the loader asks for. */
#include "core/entries.h"
#include "core/table.h"

#define TABLE(Name, name, ...)                                                                     \
  ZECL_EXPORT ze_result_t zeGet##Name##ProcAddrTable(                                              \
      ze_api_version_t version, ze_##name##_dditable_t *table) {                                   \
    static const struct zecl_growth growth[] = {__VA_ARGS__};                                      \
    return zecl_table_fill(version, table, &name##_table, sizeof name##_table / sizeof(void *),    \
        growth, sizeof growth / sizeof *growth);                                                   \
  }

static const ze_global_dditable_t global_table = {
    .pfnInit = zecl_zeInit,
#if ZECL_HEADERS_1_10
    .pfnInitDrivers = zecl_zeInitDrivers,
#endif
};
TABLE(Global, global, {0, 1}, {10, 2})

static const ze_driver_dditable_t driver_table = {
    .pfnGet = zecl_zeDriverGet,
    .pfnGetApiVersion = zecl_zeDriverGetApiVersion,
    .pfnGetProperties = zecl_zeDriverGetProperties,
    .pfnGetIpcProperties = zecl_zeDriverGetIpcProperties,
    .pfnGetExtensionProperties = zecl_zeDriverGetExtensionProperties,
    .pfnGetExtensionFunctionAddress = zecl_zeDriverGetExtensionFunctionAddress,
};
TABLE(Driver, driver, {0, 5}, {1, 6}, {6, 7}, {13, 8}, {14, 9})

static const ze_device_dditable_t device_table = {
    .pfnGet = zecl_zeDeviceGet,
    .pfnGetSubDevices = zecl_zeDeviceGetSubDevices,
    .pfnGetProperties = zecl_zeDeviceGetProperties,
    .pfnGetComputeProperties = zecl_zeDeviceGetComputeProperties,
    .pfnGetModuleProperties = zecl_zeDeviceGetModuleProperties,
    .pfnGetCommandQueueGroupProperties = zecl_zeDeviceGetCommandQueueGroupProperties,
    .pfnGetMemoryProperties = zecl_zeDeviceGetMemoryProperties,
    .pfnGetMemoryAccessProperties = zecl_zeDeviceGetMemoryAccessProperties,
    .pfnGetCacheProperties = zecl_zeDeviceGetCacheProperties,
    .pfnGetImageProperties = zecl_zeDeviceGetImageProperties,
    .pfnGetExternalMemoryProperties = zecl_zeDeviceGetExternalMemoryProperties,
    .pfnGetP2PProperties = zecl_zeDeviceGetP2PProperties,
    .pfnCanAccessPeer = zecl_zeDeviceCanAccessPeer,
    .pfnGetStatus = zecl_zeDeviceGetStatus,
    .pfnGetGlobalTimestamps = zecl_zeDeviceGetGlobalTimestamps,
#if ZECL_HEADERS_1_7
    .pfnGetRootDevice = zecl_zeDeviceGetRootDevice,
#endif
};
TABLE(Device, device, {0, 14}, {1, 15}, {2, 17}, {3, 18}, {7, 19}, {12, 21}, {13, 22}, {14, 23},
    {15, 24}, {16, 27}, {17, 28})

static const ze_context_dditable_t context_table = {
    .pfnCreate = zecl_zeContextCreate,
    .pfnDestroy = zecl_zeContextDestroy,
    .pfnGetStatus = zecl_zeContextGetStatus,
    .pfnSystemBarrier = zecl_zeContextSystemBarrier,
    .pfnMakeMemoryResident = zecl_zeContextMakeMemoryResident,
    .pfnEvictMemory = zecl_zeContextEvictMemory,
    .pfnMakeImageResident = zecl_zeContextMakeImageResident,
    .pfnEvictImage = zecl_zeContextEvictImage,
    .pfnCreateEx = zecl_zeContextCreateEx,
};
TABLE(Context, context, {0, 8}, {1, 9})

static const ze_command_queue_dditable_t command_queue_table = {
    .pfnCreate = zecl_zeCommandQueueCreate,
    .pfnDestroy = zecl_zeCommandQueueDestroy,
    .pfnExecuteCommandLists = zecl_zeCommandQueueExecuteCommandLists,
    .pfnSynchronize = zecl_zeCommandQueueSynchronize,
#if ZECL_HEADERS_1_9
    .pfnGetOrdinal = zecl_zeCommandQueueGetOrdinal,
    .pfnGetIndex = zecl_zeCommandQueueGetIndex,
#endif
#if ZECL_HEADERS_1_17
    .pfnGetFlags = zecl_zeCommandQueueGetFlags,
    .pfnGetMode = zecl_zeCommandQueueGetMode,
    .pfnGetPriority = zecl_zeCommandQueueGetPriority,
#endif
};
TABLE(CommandQueue, command_queue, {0, 4}, {9, 6}, {17, 9})

static const ze_command_list_dditable_t command_list_table = {
    .pfnCreate = zecl_zeCommandListCreate,
    .pfnCreateImmediate = zecl_zeCommandListCreateImmediate,
    .pfnDestroy = zecl_zeCommandListDestroy,
    .pfnClose = zecl_zeCommandListClose,
    .pfnReset = zecl_zeCommandListReset,
    .pfnAppendWriteGlobalTimestamp = zecl_zeCommandListAppendWriteGlobalTimestamp,
    .pfnAppendBarrier = zecl_zeCommandListAppendBarrier,
    .pfnAppendMemoryRangesBarrier = zecl_zeCommandListAppendMemoryRangesBarrier,
    .pfnAppendMemoryCopy = zecl_zeCommandListAppendMemoryCopy,
    .pfnAppendMemoryFill = zecl_zeCommandListAppendMemoryFill,
    .pfnAppendMemoryCopyRegion = zecl_zeCommandListAppendMemoryCopyRegion,
    .pfnAppendMemoryCopyFromContext = zecl_zeCommandListAppendMemoryCopyFromContext,
    .pfnAppendImageCopy = zecl_zeCommandListAppendImageCopy,
    .pfnAppendImageCopyRegion = zecl_zeCommandListAppendImageCopyRegion,
    .pfnAppendImageCopyToMemory = zecl_zeCommandListAppendImageCopyToMemory,
    .pfnAppendImageCopyFromMemory = zecl_zeCommandListAppendImageCopyFromMemory,
    .pfnAppendImageCopyToMemoryExt = zecl_zeCommandListAppendImageCopyToMemoryExt,
    .pfnAppendImageCopyFromMemoryExt = zecl_zeCommandListAppendImageCopyFromMemoryExt,
    .pfnAppendMemoryPrefetch = zecl_zeCommandListAppendMemoryPrefetch,
    .pfnAppendMemAdvise = zecl_zeCommandListAppendMemAdvise,
    .pfnAppendSignalEvent = zecl_zeCommandListAppendSignalEvent,
    .pfnAppendWaitOnEvents = zecl_zeCommandListAppendWaitOnEvents,
    .pfnAppendEventReset = zecl_zeCommandListAppendEventReset,
    .pfnAppendQueryKernelTimestamps = zecl_zeCommandListAppendQueryKernelTimestamps,
    .pfnAppendLaunchKernel = zecl_zeCommandListAppendLaunchKernel,
    .pfnAppendLaunchCooperativeKernel = zecl_zeCommandListAppendLaunchCooperativeKernel,
    .pfnAppendLaunchKernelIndirect = zecl_zeCommandListAppendLaunchKernelIndirect,
    .pfnAppendLaunchMultipleKernelsIndirect = zecl_zeCommandListAppendLaunchMultipleKernelsIndirect,
#if ZECL_HEADERS_1_6
    .pfnHostSynchronize = zecl_zeCommandListHostSynchronize,
#endif
#if ZECL_HEADERS_1_9
    .pfnGetDeviceHandle = zecl_zeCommandListGetDeviceHandle,
    .pfnGetContextHandle = zecl_zeCommandListGetContextHandle,
    .pfnGetOrdinal = zecl_zeCommandListGetOrdinal,
    .pfnImmediateGetIndex = zecl_zeCommandListImmediateGetIndex,
    .pfnIsImmediate = zecl_zeCommandListIsImmediate,
#endif
#if ZECL_HEADERS_1_17
    .pfnGetFlags = zecl_zeCommandListGetFlags,
    .pfnImmediateGetFlags = zecl_zeCommandListImmediateGetFlags,
    .pfnImmediateGetMode = zecl_zeCommandListImmediateGetMode,
    .pfnImmediateGetPriority = zecl_zeCommandListImmediateGetPriority,
#endif
};
TABLE(CommandList, command_list, {0, 26}, {3, 28}, {6, 29}, {9, 34}, {12, 36}, {14, 38}, {16, 41},
    {17, 52})

static const ze_event_dditable_t event_table = {
    .pfnCreate = zecl_zeEventCreate,
    .pfnDestroy = zecl_zeEventDestroy,
    .pfnHostSignal = zecl_zeEventHostSignal,
    .pfnHostSynchronize = zecl_zeEventHostSynchronize,
    .pfnQueryStatus = zecl_zeEventQueryStatus,
    .pfnHostReset = zecl_zeEventHostReset,
    .pfnQueryKernelTimestamp = zecl_zeEventQueryKernelTimestamp,
#if ZECL_HEADERS_1_6
    .pfnQueryKernelTimestampsExt = zecl_zeEventQueryKernelTimestampsExt,
#endif
#if ZECL_HEADERS_1_9
    .pfnGetEventPool = zecl_zeEventGetEventPool,
    .pfnGetSignalScope = zecl_zeEventGetSignalScope,
    .pfnGetWaitScope = zecl_zeEventGetWaitScope,
#endif
};
TABLE(Event, event, {0, 7}, {6, 8}, {9, 11}, {15, 16}, {17, 17})

static const ze_event_exp_dditable_t event_exp_table = {
    .pfnQueryTimestampsExp = zecl_zeEventQueryTimestampsExp,
};
TABLE(EventExp, event_exp, {2, 1})

static const ze_event_pool_dditable_t event_pool_table = {
    .pfnCreate = zecl_zeEventPoolCreate,
    .pfnDestroy = zecl_zeEventPoolDestroy,
    .pfnGetIpcHandle = zecl_zeEventPoolGetIpcHandle,
    .pfnOpenIpcHandle = zecl_zeEventPoolOpenIpcHandle,
    .pfnCloseIpcHandle = zecl_zeEventPoolCloseIpcHandle,
#if ZECL_HEADERS_1_6
    .pfnPutIpcHandle = zecl_zeEventPoolPutIpcHandle,
#endif
#if ZECL_HEADERS_1_9
    .pfnGetContextHandle = zecl_zeEventPoolGetContextHandle,
    .pfnGetFlags = zecl_zeEventPoolGetFlags,
#endif
};
TABLE(EventPool, event_pool, {0, 5}, {6, 6}, {9, 8})

static const ze_fence_dditable_t fence_table = {
    .pfnCreate = zecl_zeFenceCreate,
    .pfnDestroy = zecl_zeFenceDestroy,
    .pfnHostSynchronize = zecl_zeFenceHostSynchronize,
    .pfnQueryStatus = zecl_zeFenceQueryStatus,
    .pfnReset = zecl_zeFenceReset,
};
TABLE(Fence, fence, {0, 5})

static const ze_image_dditable_t image_table = {
    .pfnGetProperties = zecl_zeImageGetProperties,
    .pfnCreate = zecl_zeImageCreate,
    .pfnDestroy = zecl_zeImageDestroy,
    .pfnGetAllocPropertiesExt = zecl_zeImageGetAllocPropertiesExt,
};
TABLE(Image, image, {0, 3}, {3, 4}, {5, 5})

static const ze_image_exp_dditable_t image_exp_table = {
    .pfnGetMemoryPropertiesExp = zecl_zeImageGetMemoryPropertiesExp,
};
TABLE(ImageExp, image_exp, {2, 2}, {9, 3})

static const ze_sampler_dditable_t sampler_table = {
    .pfnCreate = zecl_zeSamplerCreate,
    .pfnDestroy = zecl_zeSamplerDestroy,
};
TABLE(Sampler, sampler, {0, 2})

static const ze_kernel_dditable_t kernel_table = {
    .pfnCreate = zecl_zeKernelCreate,
    .pfnDestroy = zecl_zeKernelDestroy,
    .pfnSetCacheConfig = zecl_zeKernelSetCacheConfig,
    .pfnSetGroupSize = zecl_zeKernelSetGroupSize,
    .pfnSuggestGroupSize = zecl_zeKernelSuggestGroupSize,
    .pfnSuggestMaxCooperativeGroupCount = zecl_zeKernelSuggestMaxCooperativeGroupCount,
    .pfnSetArgumentValue = zecl_zeKernelSetArgumentValue,
    .pfnSetIndirectAccess = zecl_zeKernelSetIndirectAccess,
    .pfnGetIndirectAccess = zecl_zeKernelGetIndirectAccess,
    .pfnGetSourceAttributes = zecl_zeKernelGetSourceAttributes,
    .pfnGetProperties = zecl_zeKernelGetProperties,
    .pfnGetName = zecl_zeKernelGetName,
};
TABLE(Kernel, kernel, {0, 12})

static const ze_kernel_exp_dditable_t kernel_exp_table = {
    .pfnSetGlobalOffsetExp = zecl_zeKernelSetGlobalOffsetExp,
    .pfnSchedulingHintExp = zecl_zeKernelSchedulingHintExp,
#if ZECL_HEADERS_1_11
    .pfnGetBinaryExp = zecl_zeKernelGetBinaryExp,
#endif
};
TABLE(KernelExp, kernel_exp, {1, 1}, {2, 2}, {11, 3}, {14, 4})

static const ze_mem_dditable_t mem_table = {
    .pfnAllocShared = zecl_zeMemAllocShared,
    .pfnAllocDevice = zecl_zeMemAllocDevice,
    .pfnAllocHost = zecl_zeMemAllocHost,
    .pfnFree = zecl_zeMemFree,
    .pfnGetAllocProperties = zecl_zeMemGetAllocProperties,
    .pfnGetAddressRange = zecl_zeMemGetAddressRange,
    .pfnFreeExt = zecl_zeMemFreeExt,
    .pfnGetIpcHandle = zecl_zeMemGetIpcHandle,
    .pfnOpenIpcHandle = zecl_zeMemOpenIpcHandle,
    .pfnCloseIpcHandle = zecl_zeMemCloseIpcHandle,
};
TABLE(Mem, mem, {0, 9}, {3, 10}, {6, 11}, {9, 12}, {15, 13})

static const ze_physical_mem_dditable_t physical_mem_table = {
    .pfnCreate = zecl_zePhysicalMemCreate,
    .pfnDestroy = zecl_zePhysicalMemDestroy,
};
TABLE(PhysicalMem, physical_mem, {0, 2}, {15, 3})

static const ze_virtual_mem_dditable_t virtual_mem_table = {
    .pfnReserve = zecl_zeVirtualMemReserve,
    .pfnFree = zecl_zeVirtualMemFree,
    .pfnQueryPageSize = zecl_zeVirtualMemQueryPageSize,
    .pfnMap = zecl_zeVirtualMemMap,
    .pfnUnmap = zecl_zeVirtualMemUnmap,
    .pfnSetAccessAttribute = zecl_zeVirtualMemSetAccessAttribute,
    .pfnGetAccessAttribute = zecl_zeVirtualMemGetAccessAttribute,
};
TABLE(VirtualMem, virtual_mem, {0, 7})

static const ze_module_dditable_t module_table = {
    .pfnCreate = zecl_zeModuleCreate,
    .pfnDestroy = zecl_zeModuleDestroy,
    .pfnDynamicLink = zecl_zeModuleDynamicLink,
    .pfnGetNativeBinary = zecl_zeModuleGetNativeBinary,
    .pfnGetGlobalPointer = zecl_zeModuleGetGlobalPointer,
    .pfnGetKernelNames = zecl_zeModuleGetKernelNames,
    .pfnGetProperties = zecl_zeModuleGetProperties,
    .pfnGetFunctionPointer = zecl_zeModuleGetFunctionPointer,
    .pfnInspectLinkageExt = zecl_zeModuleInspectLinkageExt,
};
TABLE(Module, module, {0, 8}, {3, 9})

static const ze_module_build_log_dditable_t module_build_log_table = {
    .pfnDestroy = zecl_zeModuleBuildLogDestroy,
    .pfnGetString = zecl_zeModuleBuildLogGetString,
};
TABLE(ModuleBuildLog, module_build_log, {0, 2})
