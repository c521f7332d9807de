/* The functions of the runtime interface (Unified Runtime) that calls of this library are reported
 * as. */
#ifndef SYCLZE_TRACE_UR_FUNCTIONS_H
#define SYCLZE_TRACE_UR_FUNCTIONS_H

#include "../../config.h"

/* A function of the runtime interface: its number and its name. */
#define SYCLZE__UR(function) SYCLZE__UR_##function, #function

/* The interface's own numbers. */
enum syclze__ur_function {
  SYCLZE__UR_urContextCreate = 1,
  SYCLZE__UR_urContextRetain = 2,
  SYCLZE__UR_urContextRelease = 3,
  SYCLZE__UR_urContextGetNativeHandle = 5,
  SYCLZE__UR_urContextCreateWithNativeHandle = 6,
  SYCLZE__UR_urDeviceGetInfo = 9,
  SYCLZE__UR_urDeviceGetNativeHandle = 14,
  SYCLZE__UR_urDeviceCreateWithNativeHandle = 15,
  SYCLZE__UR_urEnqueueMemBufferRead = 20,
  SYCLZE__UR_urEnqueueMemBufferWrite = 21,
  SYCLZE__UR_urEnqueueMemImageRead = 27,
  SYCLZE__UR_urEnqueueMemImageWrite = 28,
  SYCLZE__UR_urEnqueueMemImageCopy = 29,
  SYCLZE__UR_urEnqueueUSMFill = 32,
  SYCLZE__UR_urEnqueueUSMMemcpy = 33,
  SYCLZE__UR_urEnqueueUSMPrefetch = 34,
  SYCLZE__UR_urEnqueueUSMAdvise = 35,
  SYCLZE__UR_urEventGetInfo = 40,
  SYCLZE__UR_urEventWait = 42,
  SYCLZE__UR_urEventRetain = 43,
  SYCLZE__UR_urEventRelease = 44,
  SYCLZE__UR_urEventGetNativeHandle = 45,
  SYCLZE__UR_urEventCreateWithNativeHandle = 46,
  SYCLZE__UR_urKernelCreate = 48,
  SYCLZE__UR_urKernelGetInfo = 51,
  SYCLZE__UR_urKernelRetain = 54,
  SYCLZE__UR_urKernelRelease = 55,
  SYCLZE__UR_urKernelGetNativeHandle = 61,
  SYCLZE__UR_urKernelCreateWithNativeHandle = 62,
  SYCLZE__UR_urMemImageCreate = 63,
  SYCLZE__UR_urMemBufferCreate = 64,
  SYCLZE__UR_urMemRetain = 65,
  SYCLZE__UR_urMemRelease = 66,
  SYCLZE__UR_urMemBufferPartition = 67,
  SYCLZE__UR_urPlatformGetNativeHandle = 75,
  SYCLZE__UR_urPlatformCreateWithNativeHandle = 76,
  SYCLZE__UR_urProgramCreateWithIL = 78,
  SYCLZE__UR_urProgramRetain = 83,
  SYCLZE__UR_urProgramRelease = 84,
  SYCLZE__UR_urProgramGetNativeHandle = 89,
  SYCLZE__UR_urProgramCreateWithNativeHandle = 90,
  SYCLZE__UR_urQueueGetInfo = 91,
  SYCLZE__UR_urQueueCreate = 92,
  SYCLZE__UR_urQueueRetain = 93,
  SYCLZE__UR_urQueueRelease = 94,
  SYCLZE__UR_urQueueGetNativeHandle = 95,
  SYCLZE__UR_urQueueCreateWithNativeHandle = 96,
  SYCLZE__UR_urQueueFinish = 97,
  SYCLZE__UR_urQueueFlush = 98,
  SYCLZE__UR_urSamplerCreate = 101,
  SYCLZE__UR_urSamplerRetain = 102,
  SYCLZE__UR_urSamplerRelease = 103,
  SYCLZE__UR_urSamplerGetNativeHandle = 105,
  SYCLZE__UR_urSamplerCreateWithNativeHandle = 106,
  SYCLZE__UR_urUSMHostAlloc = 107,
  SYCLZE__UR_urUSMDeviceAlloc = 108,
  SYCLZE__UR_urUSMSharedAlloc = 109,
  SYCLZE__UR_urUSMFree = 110,
  SYCLZE__UR_urUSMGetMemAllocInfo = 111,
  SYCLZE__UR_urCommandBufferCreateExp = 113,
  SYCLZE__UR_urMemBufferCreateWithNativeHandle = 115,
  SYCLZE__UR_urMemImageCreateWithNativeHandle = 116,
  SYCLZE__UR_urCommandBufferRetainExp = 121,
  SYCLZE__UR_urCommandBufferReleaseExp = 122,
  SYCLZE__UR_urCommandBufferFinalizeExp = 123,
  SYCLZE__UR_urEnqueueUSMFill2D = 151,
  SYCLZE__UR_urEnqueueUSMMemcpy2D = 152,
  SYCLZE__UR_urVirtualMemGranularityGetInfo = 153,
  SYCLZE__UR_urVirtualMemReserve = 154,
  SYCLZE__UR_urVirtualMemFree = 155,
  SYCLZE__UR_urVirtualMemMap = 156,
  SYCLZE__UR_urVirtualMemUnmap = 157,
  SYCLZE__UR_urPhysicalMemCreate = 160,
  SYCLZE__UR_urPhysicalMemRelease = 162,
  SYCLZE__UR_urUsmP2PPeerAccessGetInfoExp = 167,
  SYCLZE__UR_urProgramGetGlobalVariablePointer = 216,
  SYCLZE__UR_urCommandBufferUpdateKernelLaunchExp = 220,
  SYCLZE__UR_urEnqueueTimestampRecordingExp = 223,
  SYCLZE__UR_urKernelGetSuggestedLocalWorkSize = 225,
  SYCLZE__UR_urBindlessImagesImportExternalMemoryExp = 226,
  SYCLZE__UR_urEnqueueNativeCommandExp = 228,
  SYCLZE__UR_urCommandBufferAppendUSMMemcpyExp = 231,
  SYCLZE__UR_urCommandBufferAppendUSMFillExp = 232,
  SYCLZE__UR_urEnqueueCommandBufferExp = 242,
  SYCLZE__UR_urEnqueueEventsWaitWithBarrierExt = 246,
  SYCLZE__UR_urCommandBufferAppendNativeCommandExp = 263,
  SYCLZE__UR_urKernelSuggestMaxCooperativeGroupCount = 272,
  SYCLZE__UR_urMemoryExportAllocExportableMemoryExp = 285,
  SYCLZE__UR_urMemoryExportExportMemoryHandleExp = 287,
  SYCLZE__UR_urBindlessImagesSupportsImportingHandleTypeExp = 288,
  SYCLZE__UR_urIPCGetMemHandleExp = 289,
  SYCLZE__UR_urIPCPutMemHandleExp = 290,
  SYCLZE__UR_urIPCOpenMemHandleExp = 291,
  SYCLZE__UR_urIPCCloseMemHandleExp = 292,
  SYCLZE__UR_urEnqueueKernelLaunchWithArgsExp = 295,
  SYCLZE__UR_urCommandBufferAppendKernelLaunchWithArgsExp = 310,
  SYCLZE__UR_urUSMHostAllocRegisterExp = 312,
  SYCLZE__UR_urUSMHostAllocUnregisterExp = 313,
  SYCLZE__UR_urIPCGetEventHandleExp = 323,
  SYCLZE__UR_urIPCPutEventHandleExp = 324,
  SYCLZE__UR_urIPCOpenEventHandleExp = 325
};

enum { SYCLZE__UR_ARGUMENTS = 17 };

/* A call between its begin and its end. */
struct syclze__ur_call {
  uint64_t instances[2]; /* on ur.call and ur.call.debug; 0 where not reported */
  uint32_t function;
  const char *name;
  const void *arguments[SYCLZE__UR_ARGUMENTS]; /* a ur_..._params_t: pointers to the values */
};

/* ur_queue_properties_t, and a ur_..._native_properties_t, whose value is a bool. */
struct syclze__ur_properties {
  uint32_t type;
  const void *next;
  uint32_t value;
};
enum {
  SYCLZE__UR_QUEUE_PROPERTIES = 14,
  SYCLZE__UR_CONTEXT_NATIVE_PROPERTIES = 16,
  SYCLZE__UR_KERNEL_NATIVE_PROPERTIES,
  SYCLZE__UR_QUEUE_NATIVE_PROPERTIES,
  SYCLZE__UR_MEM_NATIVE_PROPERTIES,
  SYCLZE__UR_EVENT_NATIVE_PROPERTIES,
  SYCLZE__UR_PLATFORM_NATIVE_PROPERTIES,
  SYCLZE__UR_DEVICE_NATIVE_PROPERTIES,
  SYCLZE__UR_PROGRAM_NATIVE_PROPERTIES,
  SYCLZE__UR_SAMPLER_NATIVE_PROPERTIES
};

/* ur_queue_flags_t. */
enum {
  SYCLZE__UR_QUEUE_OUT_OF_ORDER = 1 << 0,
  SYCLZE__UR_QUEUE_PROFILING = 1 << 1,
  SYCLZE__UR_QUEUE_DISCARD_EVENTS = 1 << 4,
  SYCLZE__UR_QUEUE_PRIORITY_LOW = 1 << 5,
  SYCLZE__UR_QUEUE_PRIORITY_HIGH = 1 << 6,
  SYCLZE__UR_QUEUE_BATCHED = 1 << 7,
  SYCLZE__UR_QUEUE_IMMEDIATE = 1 << 8,
  SYCLZE__UR_QUEUE_LOW_POWER_EVENTS = 1 << 11
};

/* ur_queue_info_t. */
enum { SYCLZE__UR_QUEUE_EMPTY = 6 };

/* ur_event_info_t and ur_event_status_t. */
enum { SYCLZE__UR_EVENT_STATUS = 3 };
enum { SYCLZE__UR_EVENT_COMPLETE = 0, SYCLZE__UR_EVENT_SUBMITTED = 2 };

/* ur_exp_kernel_arg_properties_t and ur_exp_kernel_arg_type_t. */
struct syclze__ur_kernel_argument {
  uint32_t type;
  const void *next;
  uint32_t kind, index;
  size_t size;
  const void *value; /* or the memory object, with its flags */
  uint32_t memory_flags;
};
enum { SYCLZE__UR_KERNEL_ARGUMENT = 0x5000 };
enum {
  SYCLZE__UR_ARGUMENT_VALUE,
  SYCLZE__UR_ARGUMENT_POINTER,
  SYCLZE__UR_ARGUMENT_MEMORY,
  SYCLZE__UR_ARGUMENT_LOCAL
};

/* ur_buffer_region_t. */
struct syclze__ur_buffer_region {
  uint32_t type;
  const void *next;
  size_t origin, size;
};
enum { SYCLZE__UR_BUFFER_REGION = 3 };

/* ur_image_format_t and ur_image_desc_t. */
struct syclze__ur_image_format {
  uint32_t order, type;
};
struct syclze__ur_image_desc {
  uint32_t type;
  const void *next;
  uint32_t dimensions; /* ur_mem_type_t */
  size_t range[3], array_size, row_pitch, slice_pitch;
  uint32_t levels, samples;
};
enum { SYCLZE__UR_IMAGE_DESC = 1 };

/* ur_sampler_desc_t. */
struct syclze__ur_sampler_desc {
  uint32_t type;
  const void *next;
  uint8_t is_normalized;
  uint32_t addressing, filter;
};
enum { SYCLZE__UR_SAMPLER_DESC = 13 };

#endif
