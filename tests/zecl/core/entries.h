/* The entry points of the driver, each of the type of its namesake: zecl_zeModuleCreate implements
 * zeModuleCreate. export.c puts them into the tables. The declarations are weak, and an entry point
 * that is declared and not defined returns UNSUPPORTED_FEATURE. */
#ifndef ZECL_CORE_ENTRIES_H
#define ZECL_CORE_ENTRIES_H

#include "core/headers.h"

#define ZECL_ENTRY(name) extern __attribute__((weak)) __typeof__(name) zecl_##name

ZECL_ENTRY(zeInit);
ZECL_ENTRY(zeDriverGet);
ZECL_ENTRY(zeDriverGetApiVersion);
ZECL_ENTRY(zeDriverGetProperties);
ZECL_ENTRY(zeDriverGetIpcProperties);
ZECL_ENTRY(zeDriverGetExtensionProperties);
ZECL_ENTRY(zeDriverGetExtensionFunctionAddress);

ZECL_ENTRY(zeDeviceGet);
ZECL_ENTRY(zeDeviceGetSubDevices);
ZECL_ENTRY(zeDeviceGetProperties);
ZECL_ENTRY(zeDeviceGetComputeProperties);
ZECL_ENTRY(zeDeviceGetModuleProperties);
ZECL_ENTRY(zeDeviceGetCommandQueueGroupProperties);
ZECL_ENTRY(zeDeviceGetMemoryProperties);
ZECL_ENTRY(zeDeviceGetMemoryAccessProperties);
ZECL_ENTRY(zeDeviceGetCacheProperties);
ZECL_ENTRY(zeDeviceGetImageProperties);
ZECL_ENTRY(zeDeviceGetExternalMemoryProperties);
ZECL_ENTRY(zeDeviceGetP2PProperties);
ZECL_ENTRY(zeDeviceCanAccessPeer);
ZECL_ENTRY(zeDeviceGetStatus);
ZECL_ENTRY(zeDeviceGetGlobalTimestamps);
ZECL_ENTRY(zeDevicePciGetPropertiesExt);

ZECL_ENTRY(zeContextCreate);
ZECL_ENTRY(zeContextCreateEx);
ZECL_ENTRY(zeContextDestroy);
ZECL_ENTRY(zeContextGetStatus);
ZECL_ENTRY(zeContextSystemBarrier);
ZECL_ENTRY(zeContextMakeMemoryResident);
ZECL_ENTRY(zeContextEvictMemory);
ZECL_ENTRY(zeContextMakeImageResident);
ZECL_ENTRY(zeContextEvictImage);

ZECL_ENTRY(zeMemAllocShared);
ZECL_ENTRY(zeMemAllocDevice);
ZECL_ENTRY(zeMemAllocHost);
ZECL_ENTRY(zeMemFree);
ZECL_ENTRY(zeMemFreeExt);
ZECL_ENTRY(zeMemGetAllocProperties);
ZECL_ENTRY(zeMemGetAddressRange);

ZECL_ENTRY(zeMemGetIpcHandle);
ZECL_ENTRY(zeMemOpenIpcHandle);
ZECL_ENTRY(zeMemCloseIpcHandle);
ZECL_ENTRY(zePhysicalMemCreate);
ZECL_ENTRY(zePhysicalMemDestroy);
ZECL_ENTRY(zeVirtualMemReserve);
ZECL_ENTRY(zeVirtualMemFree);
ZECL_ENTRY(zeVirtualMemQueryPageSize);
ZECL_ENTRY(zeVirtualMemMap);
ZECL_ENTRY(zeVirtualMemUnmap);
ZECL_ENTRY(zeVirtualMemSetAccessAttribute);
ZECL_ENTRY(zeVirtualMemGetAccessAttribute);

ZECL_ENTRY(zeEventPoolCreate);
ZECL_ENTRY(zeEventPoolDestroy);
ZECL_ENTRY(zeEventPoolGetIpcHandle);
ZECL_ENTRY(zeEventPoolOpenIpcHandle);
ZECL_ENTRY(zeEventPoolCloseIpcHandle);
ZECL_ENTRY(zeEventCreate);
ZECL_ENTRY(zeEventDestroy);
ZECL_ENTRY(zeEventHostSignal);
ZECL_ENTRY(zeEventHostSynchronize);
ZECL_ENTRY(zeEventQueryStatus);
ZECL_ENTRY(zeEventHostReset);
ZECL_ENTRY(zeEventQueryKernelTimestamp);
ZECL_ENTRY(zeEventQueryTimestampsExp);

ZECL_ENTRY(zeFenceCreate);
ZECL_ENTRY(zeFenceDestroy);
ZECL_ENTRY(zeFenceHostSynchronize);
ZECL_ENTRY(zeFenceQueryStatus);
ZECL_ENTRY(zeFenceReset);

ZECL_ENTRY(zeCommandQueueCreate);
ZECL_ENTRY(zeCommandQueueDestroy);
ZECL_ENTRY(zeCommandQueueExecuteCommandLists);
ZECL_ENTRY(zeCommandQueueSynchronize);

ZECL_ENTRY(zeCommandListCreate);
ZECL_ENTRY(zeCommandListCreateImmediate);
ZECL_ENTRY(zeCommandListDestroy);
ZECL_ENTRY(zeCommandListClose);
ZECL_ENTRY(zeCommandListReset);
ZECL_ENTRY(zeCommandListAppendWriteGlobalTimestamp);
ZECL_ENTRY(zeCommandListAppendBarrier);
ZECL_ENTRY(zeCommandListAppendMemoryRangesBarrier);
ZECL_ENTRY(zeCommandListAppendMemoryCopy);
ZECL_ENTRY(zeCommandListAppendMemoryFill);
ZECL_ENTRY(zeCommandListAppendMemoryCopyRegion);
ZECL_ENTRY(zeCommandListAppendMemoryCopyFromContext);
ZECL_ENTRY(zeCommandListAppendMemoryPrefetch);
ZECL_ENTRY(zeCommandListAppendMemAdvise);
ZECL_ENTRY(zeCommandListAppendSignalEvent);
ZECL_ENTRY(zeCommandListAppendWaitOnEvents);
ZECL_ENTRY(zeCommandListAppendEventReset);
ZECL_ENTRY(zeCommandListAppendQueryKernelTimestamps);
ZECL_ENTRY(zeCommandListAppendLaunchKernel);
ZECL_ENTRY(zeCommandListAppendLaunchCooperativeKernel);
ZECL_ENTRY(zeCommandListAppendLaunchKernelIndirect);
ZECL_ENTRY(zeCommandListAppendLaunchMultipleKernelsIndirect);

ZECL_ENTRY(zeCommandListAppendImageCopy);
ZECL_ENTRY(zeCommandListAppendImageCopyRegion);
ZECL_ENTRY(zeCommandListAppendImageCopyToMemory);
ZECL_ENTRY(zeCommandListAppendImageCopyFromMemory);
ZECL_ENTRY(zeCommandListAppendImageCopyToMemoryExt);
ZECL_ENTRY(zeCommandListAppendImageCopyFromMemoryExt);

ZECL_ENTRY(zeImageGetProperties);
ZECL_ENTRY(zeImageCreate);
ZECL_ENTRY(zeImageDestroy);
ZECL_ENTRY(zeImageGetAllocPropertiesExt);
ZECL_ENTRY(zeImageGetMemoryPropertiesExp);
ZECL_ENTRY(zeSamplerCreate);
ZECL_ENTRY(zeSamplerDestroy);

ZECL_ENTRY(zeModuleCreate);
ZECL_ENTRY(zeModuleDestroy);
ZECL_ENTRY(zeModuleDynamicLink);
ZECL_ENTRY(zeModuleGetNativeBinary);
ZECL_ENTRY(zeModuleGetGlobalPointer);
ZECL_ENTRY(zeModuleGetKernelNames);
ZECL_ENTRY(zeModuleGetProperties);
ZECL_ENTRY(zeModuleGetFunctionPointer);
ZECL_ENTRY(zeModuleInspectLinkageExt);
ZECL_ENTRY(zeModuleBuildLogDestroy);
ZECL_ENTRY(zeModuleBuildLogGetString);

ZECL_ENTRY(zeKernelCreate);
ZECL_ENTRY(zeKernelDestroy);
ZECL_ENTRY(zeKernelSetCacheConfig);
ZECL_ENTRY(zeKernelSetGroupSize);
ZECL_ENTRY(zeKernelSuggestGroupSize);
ZECL_ENTRY(zeKernelSuggestMaxCooperativeGroupCount);
ZECL_ENTRY(zeKernelSetArgumentValue);
ZECL_ENTRY(zeKernelSetIndirectAccess);
ZECL_ENTRY(zeKernelGetIndirectAccess);
ZECL_ENTRY(zeKernelGetSourceAttributes);
ZECL_ENTRY(zeKernelGetProperties);
ZECL_ENTRY(zeKernelGetName);
ZECL_ENTRY(zeKernelSetGlobalOffsetExp);
ZECL_ENTRY(zeKernelSchedulingHintExp);

#include "core/entries_newer.h"

#endif
