/* The tables of the core API that the loader requests. */
#include "core/entries.h"
#include "core/table.h"

#include <stddef.h>
#include <level_zero/ze_ddi.h>

/* A newer slot that the headers name must be at this index and of this type. */
#if ZECL_HEADERS_MINOR >= 17
#define CHECK_SLOT(at, table, member, function)                                                    \
  _Static_assert(                                                                                  \
      offsetof(table, member) == (at) * sizeof(void *) &&                                          \
          __builtin_types_compatible_p(__typeof__(((table *)0)->member), __typeof__(&(function))), \
      "another slot or type in the headers")
#else
#define CHECK_SLOT(at, table, member, function) _Static_assert((at) >= 0, "")
#endif

#define NEWER(name) static const struct zecl_slot name##_newer[]
#define SLOT(at, name)                                                                             \
  { at, (zecl_function *)zecl_##name }

#define NEWER_OF(name) name##_newer, sizeof name##_newer / sizeof *name##_newer
#define NO_NEWER NULL, 0

#define TABLE(Name, name, newer, ...)                                                              \
  ZECL_EXPORT ze_result_t zeGet##Name##ProcAddrTable(                                              \
      ze_api_version_t version, ze_##name##_dditable_t *table) {                                   \
    static const struct zecl_growth growth[] = {__VA_ARGS__};                                      \
    const struct zecl_table contents = {&name##_table, sizeof name##_table / sizeof(void *),       \
        newer, growth, sizeof growth / sizeof *growth};                                            \
    return zecl_table_fill(version, table, &contents);                                             \
  }

static const ze_global_dditable_t global_table = {
    .pfnInit = zecl_zeInit,
};
NEWER(global) = {
    SLOT(1, zeInitDrivers),
};
CHECK_SLOT(1, ze_global_dditable_t, pfnInitDrivers, zecl_zeInitDrivers);
TABLE(Global, global, NEWER_OF(global), {0, 1}, {10, 2})

static const ze_driver_dditable_t driver_table = {
    .pfnGet = zecl_zeDriverGet,
    .pfnGetApiVersion = zecl_zeDriverGetApiVersion,
    .pfnGetProperties = zecl_zeDriverGetProperties,
    .pfnGetIpcProperties = zecl_zeDriverGetIpcProperties,
    .pfnGetExtensionProperties = zecl_zeDriverGetExtensionProperties,
    .pfnGetExtensionFunctionAddress = zecl_zeDriverGetExtensionFunctionAddress,
};
NEWER(driver) = {
    SLOT(6, zeDriverGetLastErrorDescription),
    SLOT(8, zeDriverGetDefaultContext),
};
CHECK_SLOT(
    6, ze_driver_dditable_t, pfnGetLastErrorDescription, zecl_zeDriverGetLastErrorDescription);
CHECK_SLOT(8, ze_driver_dditable_t, pfnGetDefaultContext, zecl_zeDriverGetDefaultContext);
TABLE(Driver, driver, NEWER_OF(driver), {0, 5}, {1, 6}, {6, 7}, {13, 8}, {14, 9})

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
};
NEWER(device) = {
    SLOT(17, zeDevicePciGetPropertiesExt),
    SLOT(18, zeDeviceGetRootDevice),
    SLOT(19, zeDeviceImportExternalSemaphoreExt),
    SLOT(20, zeDeviceReleaseExternalSemaphoreExt),
    SLOT(21, zeDeviceGetVectorWidthPropertiesExt),
    SLOT(22, zeDeviceSynchronize),
    SLOT(24, zeDeviceGetRuntimeRequirements),
    SLOT(25, zeDeviceGetRuntimeRequirementsKey),
    SLOT(26, zeDeviceValidateRuntimeRequirements),
};
CHECK_SLOT(17, ze_device_dditable_t, pfnPciGetPropertiesExt, zecl_zeDevicePciGetPropertiesExt);
CHECK_SLOT(18, ze_device_dditable_t, pfnGetRootDevice, zecl_zeDeviceGetRootDevice);
CHECK_SLOT(19, ze_device_dditable_t, pfnImportExternalSemaphoreExt,
    zecl_zeDeviceImportExternalSemaphoreExt);
CHECK_SLOT(20, ze_device_dditable_t, pfnReleaseExternalSemaphoreExt,
    zecl_zeDeviceReleaseExternalSemaphoreExt);
CHECK_SLOT(21, ze_device_dditable_t, pfnGetVectorWidthPropertiesExt,
    zecl_zeDeviceGetVectorWidthPropertiesExt);
CHECK_SLOT(22, ze_device_dditable_t, pfnSynchronize, zecl_zeDeviceSynchronize);
CHECK_SLOT(
    24, ze_device_dditable_t, pfnGetRuntimeRequirements, zecl_zeDeviceGetRuntimeRequirements);
CHECK_SLOT(
    25, ze_device_dditable_t, pfnGetRuntimeRequirementsKey, zecl_zeDeviceGetRuntimeRequirementsKey);
CHECK_SLOT(26, ze_device_dditable_t, pfnValidateRuntimeRequirements,
    zecl_zeDeviceValidateRuntimeRequirements);
TABLE(Device, device, NEWER_OF(device), {0, 14}, {1, 15}, {2, 17}, {3, 18}, {7, 19}, {12, 21},
    {13, 22}, {14, 23}, {15, 24}, {16, 27}, {17, 28})

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
TABLE(Context, context, NO_NEWER, {0, 8}, {1, 9})

static const ze_command_queue_dditable_t command_queue_table = {
    .pfnCreate = zecl_zeCommandQueueCreate,
    .pfnDestroy = zecl_zeCommandQueueDestroy,
    .pfnExecuteCommandLists = zecl_zeCommandQueueExecuteCommandLists,
    .pfnSynchronize = zecl_zeCommandQueueSynchronize,
};
NEWER(command_queue) = {
    SLOT(4, zeCommandQueueGetOrdinal),
    SLOT(5, zeCommandQueueGetIndex),
    SLOT(6, zeCommandQueueGetFlags),
    SLOT(7, zeCommandQueueGetMode),
    SLOT(8, zeCommandQueueGetPriority),
};
CHECK_SLOT(4, ze_command_queue_dditable_t, pfnGetOrdinal, zecl_zeCommandQueueGetOrdinal);
CHECK_SLOT(5, ze_command_queue_dditable_t, pfnGetIndex, zecl_zeCommandQueueGetIndex);
CHECK_SLOT(6, ze_command_queue_dditable_t, pfnGetFlags, zecl_zeCommandQueueGetFlags);
CHECK_SLOT(7, ze_command_queue_dditable_t, pfnGetMode, zecl_zeCommandQueueGetMode);
CHECK_SLOT(8, ze_command_queue_dditable_t, pfnGetPriority, zecl_zeCommandQueueGetPriority);
TABLE(CommandQueue, command_queue, NEWER_OF(command_queue), {0, 4}, {9, 6}, {17, 9})

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
};
NEWER(command_list) = {
    SLOT(28, zeCommandListHostSynchronize),
    SLOT(29, zeCommandListGetDeviceHandle),
    SLOT(30, zeCommandListGetContextHandle),
    SLOT(31, zeCommandListGetOrdinal),
    SLOT(32, zeCommandListImmediateGetIndex),
    SLOT(33, zeCommandListIsImmediate),
    SLOT(34, zeCommandListAppendSignalExternalSemaphoreExt),
    SLOT(35, zeCommandListAppendWaitExternalSemaphoreExt),
    SLOT(36, zeCommandListAppendLaunchKernelWithParameters),
    SLOT(37, zeCommandListAppendLaunchKernelWithArguments),
    SLOT(38, zeCommandListAppendMemoryCopyWithParameters),
    SLOT(39, zeCommandListAppendMemoryFillWithParameters),
    SLOT(40, zeCommandListImmediateAppendCommandListsWithParameters),
    SLOT(41, zeCommandListGetFlags),
    SLOT(42, zeCommandListImmediateGetFlags),
    SLOT(43, zeCommandListImmediateGetMode),
    SLOT(44, zeCommandListImmediateGetPriority),
    SLOT(45, zeCommandListBeginGraphCaptureExt),
    SLOT(46, zeCommandListBeginCaptureIntoGraphExt),
    SLOT(47, zeCommandListIsGraphCaptureEnabledExt),
    SLOT(48, zeCommandListEndGraphCaptureExt),
    SLOT(49, zeCommandListGetGraphExt),
    SLOT(50, zeCommandListAppendGraphExt),
    SLOT(51, zeCommandListAppendHostFunction),
};
CHECK_SLOT(28, ze_command_list_dditable_t, pfnHostSynchronize, zecl_zeCommandListHostSynchronize);
CHECK_SLOT(29, ze_command_list_dditable_t, pfnGetDeviceHandle, zecl_zeCommandListGetDeviceHandle);
CHECK_SLOT(30, ze_command_list_dditable_t, pfnGetContextHandle, zecl_zeCommandListGetContextHandle);
CHECK_SLOT(31, ze_command_list_dditable_t, pfnGetOrdinal, zecl_zeCommandListGetOrdinal);
CHECK_SLOT(
    32, ze_command_list_dditable_t, pfnImmediateGetIndex, zecl_zeCommandListImmediateGetIndex);
CHECK_SLOT(33, ze_command_list_dditable_t, pfnIsImmediate, zecl_zeCommandListIsImmediate);
CHECK_SLOT(34, ze_command_list_dditable_t, pfnAppendSignalExternalSemaphoreExt,
    zecl_zeCommandListAppendSignalExternalSemaphoreExt);
CHECK_SLOT(35, ze_command_list_dditable_t, pfnAppendWaitExternalSemaphoreExt,
    zecl_zeCommandListAppendWaitExternalSemaphoreExt);
CHECK_SLOT(40, ze_command_list_dditable_t, pfnImmediateAppendCommandListsWithParameters,
    zecl_zeCommandListImmediateAppendCommandListsWithParameters);
CHECK_SLOT(38, ze_command_list_dditable_t, pfnAppendMemoryCopyWithParameters,
    zecl_zeCommandListAppendMemoryCopyWithParameters);
CHECK_SLOT(39, ze_command_list_dditable_t, pfnAppendMemoryFillWithParameters,
    zecl_zeCommandListAppendMemoryFillWithParameters);
CHECK_SLOT(36, ze_command_list_dditable_t, pfnAppendLaunchKernelWithParameters,
    zecl_zeCommandListAppendLaunchKernelWithParameters);
CHECK_SLOT(41, ze_command_list_dditable_t, pfnGetFlags, zecl_zeCommandListGetFlags);
CHECK_SLOT(
    42, ze_command_list_dditable_t, pfnImmediateGetFlags, zecl_zeCommandListImmediateGetFlags);
CHECK_SLOT(43, ze_command_list_dditable_t, pfnImmediateGetMode, zecl_zeCommandListImmediateGetMode);
CHECK_SLOT(44, ze_command_list_dditable_t, pfnImmediateGetPriority,
    zecl_zeCommandListImmediateGetPriority);
CHECK_SLOT(45, ze_command_list_dditable_t, pfnBeginGraphCaptureExt,
    zecl_zeCommandListBeginGraphCaptureExt);
CHECK_SLOT(46, ze_command_list_dditable_t, pfnBeginCaptureIntoGraphExt,
    zecl_zeCommandListBeginCaptureIntoGraphExt);
CHECK_SLOT(47, ze_command_list_dditable_t, pfnIsGraphCaptureEnabledExt,
    zecl_zeCommandListIsGraphCaptureEnabledExt);
CHECK_SLOT(
    48, ze_command_list_dditable_t, pfnEndGraphCaptureExt, zecl_zeCommandListEndGraphCaptureExt);
CHECK_SLOT(49, ze_command_list_dditable_t, pfnGetGraphExt, zecl_zeCommandListGetGraphExt);
CHECK_SLOT(50, ze_command_list_dditable_t, pfnAppendGraphExt, zecl_zeCommandListAppendGraphExt);
CHECK_SLOT(
    51, ze_command_list_dditable_t, pfnAppendHostFunction, zecl_zeCommandListAppendHostFunction);
TABLE(CommandList, command_list, NEWER_OF(command_list), {0, 26}, {3, 28}, {6, 29}, {9, 34},
    {12, 36}, {14, 38}, {16, 41}, {17, 52})

static const ze_event_dditable_t event_table = {
    .pfnCreate = zecl_zeEventCreate,
    .pfnDestroy = zecl_zeEventDestroy,
    .pfnHostSignal = zecl_zeEventHostSignal,
    .pfnHostSynchronize = zecl_zeEventHostSynchronize,
    .pfnQueryStatus = zecl_zeEventQueryStatus,
    .pfnHostReset = zecl_zeEventHostReset,
    .pfnQueryKernelTimestamp = zecl_zeEventQueryKernelTimestamp,
};
NEWER(event) = {
    SLOT(7, zeEventQueryKernelTimestampsExt),
    SLOT(8, zeEventGetEventPool),
    SLOT(9, zeEventGetSignalScope),
    SLOT(10, zeEventGetWaitScope),
    SLOT(11, zeEventCounterBasedCreate),
    SLOT(12, zeEventCounterBasedGetIpcHandle),
    SLOT(13, zeEventCounterBasedOpenIpcHandle),
    SLOT(14, zeEventCounterBasedCloseIpcHandle),
    SLOT(16, zeEventGetCounterBasedFlags),
};
CHECK_SLOT(
    7, ze_event_dditable_t, pfnQueryKernelTimestampsExt, zecl_zeEventQueryKernelTimestampsExt);
CHECK_SLOT(8, ze_event_dditable_t, pfnGetEventPool, zecl_zeEventGetEventPool);
CHECK_SLOT(9, ze_event_dditable_t, pfnGetSignalScope, zecl_zeEventGetSignalScope);
CHECK_SLOT(10, ze_event_dditable_t, pfnGetWaitScope, zecl_zeEventGetWaitScope);
CHECK_SLOT(11, ze_event_dditable_t, pfnCounterBasedCreate, zecl_zeEventCounterBasedCreate);
CHECK_SLOT(
    12, ze_event_dditable_t, pfnCounterBasedGetIpcHandle, zecl_zeEventCounterBasedGetIpcHandle);
CHECK_SLOT(
    13, ze_event_dditable_t, pfnCounterBasedOpenIpcHandle, zecl_zeEventCounterBasedOpenIpcHandle);
CHECK_SLOT(
    14, ze_event_dditable_t, pfnCounterBasedCloseIpcHandle, zecl_zeEventCounterBasedCloseIpcHandle);
CHECK_SLOT(16, ze_event_dditable_t, pfnGetCounterBasedFlags, zecl_zeEventGetCounterBasedFlags);
TABLE(Event, event, NEWER_OF(event), {0, 7}, {6, 8}, {9, 11}, {15, 16}, {17, 17})

static const ze_event_exp_dditable_t event_exp_table = {
    .pfnQueryTimestampsExp = zecl_zeEventQueryTimestampsExp,
};
TABLE(EventExp, event_exp, NO_NEWER, {2, 1})

static const ze_event_pool_dditable_t event_pool_table = {
    .pfnCreate = zecl_zeEventPoolCreate,
    .pfnDestroy = zecl_zeEventPoolDestroy,
    .pfnGetIpcHandle = zecl_zeEventPoolGetIpcHandle,
    .pfnOpenIpcHandle = zecl_zeEventPoolOpenIpcHandle,
    .pfnCloseIpcHandle = zecl_zeEventPoolCloseIpcHandle,
};
NEWER(event_pool) = {
    SLOT(5, zeEventPoolPutIpcHandle),
    SLOT(6, zeEventPoolGetContextHandle),
    SLOT(7, zeEventPoolGetFlags),
};
CHECK_SLOT(5, ze_event_pool_dditable_t, pfnPutIpcHandle, zecl_zeEventPoolPutIpcHandle);
CHECK_SLOT(6, ze_event_pool_dditable_t, pfnGetContextHandle, zecl_zeEventPoolGetContextHandle);
CHECK_SLOT(7, ze_event_pool_dditable_t, pfnGetFlags, zecl_zeEventPoolGetFlags);
TABLE(EventPool, event_pool, NEWER_OF(event_pool), {0, 5}, {6, 6}, {9, 8})

static const ze_fence_dditable_t fence_table = {
    .pfnCreate = zecl_zeFenceCreate,
    .pfnDestroy = zecl_zeFenceDestroy,
    .pfnHostSynchronize = zecl_zeFenceHostSynchronize,
    .pfnQueryStatus = zecl_zeFenceQueryStatus,
    .pfnReset = zecl_zeFenceReset,
};
TABLE(Fence, fence, NO_NEWER, {0, 5})

static const ze_image_dditable_t image_table = {
    .pfnGetProperties = zecl_zeImageGetProperties,
    .pfnCreate = zecl_zeImageCreate,
    .pfnDestroy = zecl_zeImageDestroy,
    .pfnGetAllocPropertiesExt = zecl_zeImageGetAllocPropertiesExt,
};
TABLE(Image, image, NO_NEWER, {0, 3}, {3, 4}, {5, 5})

static const ze_image_exp_dditable_t image_exp_table = {
    .pfnGetMemoryPropertiesExp = zecl_zeImageGetMemoryPropertiesExp,
};
TABLE(ImageExp, image_exp, NO_NEWER, {2, 2}, {9, 3})

static const ze_sampler_dditable_t sampler_table = {
    .pfnCreate = zecl_zeSamplerCreate,
    .pfnDestroy = zecl_zeSamplerDestroy,
};
TABLE(Sampler, sampler, NO_NEWER, {0, 2})

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
TABLE(Kernel, kernel, NO_NEWER, {0, 12})

static const ze_kernel_exp_dditable_t kernel_exp_table = {
    .pfnSetGlobalOffsetExp = zecl_zeKernelSetGlobalOffsetExp,
    .pfnSchedulingHintExp = zecl_zeKernelSchedulingHintExp,
};
NEWER(kernel_exp) = {
    SLOT(3, zeKernelGetAllocationPropertiesExp),
};
CHECK_SLOT(3, ze_kernel_exp_dditable_t, pfnGetAllocationPropertiesExp,
    zecl_zeKernelGetAllocationPropertiesExp);
TABLE(KernelExp, kernel_exp, NEWER_OF(kernel_exp), {1, 1}, {2, 2}, {11, 3}, {14, 4})

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
NEWER(mem) = {
    SLOT(10, zeMemPutIpcHandle),
    SLOT(11, zeMemGetPitchFor2dImage),
    SLOT(12, zeMemGetIpcHandleWithProperties),
};
CHECK_SLOT(10, ze_mem_dditable_t, pfnPutIpcHandle, zecl_zeMemPutIpcHandle);
CHECK_SLOT(11, ze_mem_dditable_t, pfnGetPitchFor2dImage, zecl_zeMemGetPitchFor2dImage);
CHECK_SLOT(
    12, ze_mem_dditable_t, pfnGetIpcHandleWithProperties, zecl_zeMemGetIpcHandleWithProperties);
TABLE(Mem, mem, NEWER_OF(mem), {0, 9}, {3, 10}, {6, 11}, {9, 12}, {15, 13})

static const ze_physical_mem_dditable_t physical_mem_table = {
    .pfnCreate = zecl_zePhysicalMemCreate,
    .pfnDestroy = zecl_zePhysicalMemDestroy,
};
NEWER(physical_mem) = {
    SLOT(2, zePhysicalMemGetProperties),
};
CHECK_SLOT(2, ze_physical_mem_dditable_t, pfnGetProperties, zecl_zePhysicalMemGetProperties);
TABLE(PhysicalMem, physical_mem, NEWER_OF(physical_mem), {0, 2}, {15, 3})

static const ze_virtual_mem_dditable_t virtual_mem_table = {
    .pfnReserve = zecl_zeVirtualMemReserve,
    .pfnFree = zecl_zeVirtualMemFree,
    .pfnQueryPageSize = zecl_zeVirtualMemQueryPageSize,
    .pfnMap = zecl_zeVirtualMemMap,
    .pfnUnmap = zecl_zeVirtualMemUnmap,
    .pfnSetAccessAttribute = zecl_zeVirtualMemSetAccessAttribute,
    .pfnGetAccessAttribute = zecl_zeVirtualMemGetAccessAttribute,
};
TABLE(VirtualMem, virtual_mem, NO_NEWER, {0, 7})

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
TABLE(Module, module, NO_NEWER, {0, 8}, {3, 9})

static const ze_module_build_log_dditable_t module_build_log_table = {
    .pfnDestroy = zecl_zeModuleBuildLogDestroy,
    .pfnGetString = zecl_zeModuleBuildLogGetString,
};
TABLE(ModuleBuildLog, module_build_log, NO_NEWER, {0, 2})

/* Its table is in export_partial.c. */
CHECK_SLOT(1, ze_command_list_exp_dditable_t, pfnImmediateAppendCommandListsExp,
    zecl_zeCommandListImmediateAppendCommandListsExp);
