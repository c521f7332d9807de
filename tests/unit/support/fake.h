/* A Level Zero of the test's own: it stands in the program and takes the place of the loader's.
 *
 * Every case begins with fake_begin() and ends with fake_end(), which fails the case if anything
 * was used wrongly (a handle of another kind, destroyed before or twice, a parent destroyed before
 * its child), if a handle is still alive, or if memory of the library is still allocated. In
 * between, drivers, devices and handles are made by the functions below; calls and destroys are
 * counted, and any call can be made to fail.
 *
 * Calls are counted with relaxed atomics and no lock is taken, so that the fake adds no order
 * between the threads of a test. */
#ifndef TESTS_UNIT_FAKE_H
#define TESTS_UNIT_FAKE_H

#include "syclze/config.h"

#ifdef __cplusplus
extern "C" {
#endif

// clang-format off
#define FAKE_FUNCTIONS(X) \
  X(zeInit) X(zeInitDrivers) X(zeDriverGet) \
  X(zeDeviceGet) X(zeDeviceGetSubDevices) X(zeDeviceGetRootDevice) X(zeDeviceGetCommandQueueGroupProperties) \
  X(zeDeviceGetProperties) X(zeDeviceGetMemoryAccessProperties) \
  X(zeContextCreateEx) X(zeContextGetStatus) X(zeContextDestroy) \
  X(zeCommandQueueDestroy) X(zeCommandListCreateImmediate) X(zeCommandListDestroy) \
  X(zeCommandListIsImmediate) X(zeCommandListGetContextHandle) X(zeCommandListGetDeviceHandle) \
  X(zeEventPoolCreate) X(zeEventPoolDestroy) X(zeEventPoolGetContextHandle) \
  X(zeEventCreate) X(zexCounterBasedEventCreate2) X(zeEventDestroy) X(zeEventHostReset) \
  X(zeEventGetEventPool) \
  X(zeEventQueryStatus) X(zeEventHostSynchronize) \
  X(zeModuleCreate) X(zeModuleDestroy) X(zeModuleGetProperties) X(zeModuleGetKernelNames) \
  X(zeModuleBuildLogGetString) X(zeModuleBuildLogDestroy) \
  X(zeKernelCreate) X(zeKernelDestroy) X(zeKernelGetName) X(zeKernelSetIndirectAccess) \
  X(zeMemAllocDevice) X(zeMemAllocShared) X(zeMemAllocHost) X(zeMemFree) \
  X(zeMemGetAllocProperties) X(zeMemGetAddressRange) X(zeImageCreate) X(zeImageDestroy) \
  X(zeSamplerCreate) X(zeSamplerDestroy) \
  X(zeDriverGetIpcProperties) X(zeMemGetIpcHandle) X(zeMemGetIpcHandleWithProperties) \
  X(zeMemPutIpcHandle) X(zeMemOpenIpcHandle) X(zeMemCloseIpcHandle) X(zeEventPoolGetIpcHandle) \
  X(zeEventPoolPutIpcHandle) X(zeEventPoolOpenIpcHandle) X(zeEventPoolCloseIpcHandle) \
  X(zeVirtualMemQueryPageSize) X(zeVirtualMemReserve) X(zeVirtualMemFree) X(zeVirtualMemMap) \
  X(zeVirtualMemUnmap) X(zePhysicalMemCreate) X(zePhysicalMemDestroy) \
  X(zeModuleGetGlobalPointer) X(zeDriverGetExtensionFunctionAddress) \
  X(zeDriverGetExtensionProperties) X(zeMemGetPitchFor2dImage) X(zeImageGetDeviceOffsetExp) \
  X(zeDeviceGetExternalMemoryProperties) \
  X(zeDeviceImportExternalSemaphoreExt) X(zeDeviceReleaseExternalSemaphoreExt) \
  X(zeCommandListAppendSignalExternalSemaphoreExt) X(zeCommandListAppendWaitExternalSemaphoreExt) \
  X(zeCommandListCreate) X(zeCommandListClose) X(zeCommandListAppendBarrier) \
  X(zeCommandListAppendLaunchKernel) X(zeCommandListAppendWaitOnEvents) \
  X(zeCommandListHostSynchronize) X(zeCommandListReset) X(zeCommandQueueCreate) \
  X(zeCommandQueueExecuteCommandLists) X(zeKernelSetArgumentValue) X(zeKernelSetGroupSize) \
  X(zeKernelGetProperties) \
  X(zeCommandListImmediateAppendCommandListsExp) X(zeCommandListGetNextCommandIdExp) \
  X(zeCommandListUpdateMutableCommandsExp) X(zeCommandListGetNextCommandIdWithKernelsExp) \
  X(zeCommandListUpdateMutableCommandKernelsExp) X(zeGraphCreateExt) X(zeGraphDestroyExt) \
  X(zeCommandListBeginCaptureIntoGraphExt) X(zeCommandListEndGraphCaptureExt) \
  X(zeGraphInstantiateExt) X(zeCommandListAppendGraphExt) X(zeExecutableGraphDestroyExt)
// clang-format on

#define FAKE_ENUMERATOR(function) FAKE_##function,
enum fake_function { FAKE_FUNCTIONS(FAKE_ENUMERATOR) FAKE_FUNCTION_COUNT };
#undef FAKE_ENUMERATOR

/* Resets to a process that has not called Level Zero: no drivers, no handles, zero counts, and
   syclze's shared state all zero. */
void fake_begin(void);
#define fake_end() fake_end_at(__FILE__, __LINE__)
void fake_end_at(const char *file, int line);

/* For cases that make a destruction fail: fake_end then checks syclze's memory only, not the
   handles. */
void fake_forgive(void);

enum { FAKE_QUEUES = 4 }; /* in each queue group */

/* Behaviour of the fake; fake_begin sets the defaults. */
struct fake_settings {
  int initialised;           /* by the application, default 1 */
  int old_loader;            /* the newer entry points are missing */
  const char *lacking;       /* this one of them is missing; null for none */
  int no_getters;            /* the newer queries of lists and events are unsupported */
  int no_sub_devices;        /* zeDeviceGetSubDevices is unsupported */
  int name_size_unchanged;   /* zeKernelGetName does not update a size that was large enough */
  int no_in_order_lists;     /* in-order immediate lists are refused */
  int silent_build;          /* a failed build has no log */
  int empty_log;             /* a log has no bytes, not even a terminator */
  uint32_t group_count;      /* queue groups of each device, default 2: copy only, then compute */
  uint32_t group_flags[4];   /* of each group */
  int integrated;            /* devices have no memory apart from the host's */
  int system_memory;         /* devices can access any memory of the host */
  int no_external;           /* no memory of other interfaces, and no functions of the driver's */
  int has_win32;             /* memory of NT handles */
  int descriptor;            /* that handles for other processes begin with; 0 for none */
  int no_bindless;           /* the driver has no bindless images */
  int no_other;              /* nor an extension that the library does not know */
  int has_luid;              /* the driver has locally unique identifiers of devices */
  const void *own_handle;    /* the loader's handles stand for others of the driver's, all this */
  const char *build_imports; /* modules from zeModuleCreate import this name; default none */
};
extern struct fake_settings fake;

/* Arguments last passed to the function of the name on this thread. */
struct fake_seen {
  uint32_t init_flags;
  uint32_t init_drivers_flags;
  ze_command_queue_desc_t list_desc;
  ze_event_pool_desc_t pool_desc;
  uint32_t pool_devices;
  ze_kernel_indirect_access_flags_t indirect_access; /* of the last call */
  ze_event_desc_t event_desc;
  uint32_t event_sync_mode; /* of the last event created; 0 for none */
  ze_module_format_t module_format;
  const char *build_flags;
  const void *constants;
  const void *context, *device; /* of the last allocation or image */
  size_t size, alignment;
  uint32_t external_type;     /* of the last allocation of external memory */
  int external_fd;            /* that it imports; -1 for none */
  void *external_handle;      /* of Windows, that it imports; null for none */
  const void *own_driver;     /* of a function of the driver's */
  ze_image_desc_t image_desc; /* without its extensions, which follow */
  uint32_t bindless_flags;
  const void *pitched_memory;
  size_t custom_pitch;
  ze_sampler_desc_t sampler_desc;
};
extern __thread struct fake_seen fake_seen;

/* Drivers and devices, removed by fake_end. A hidden driver is found by zeInitDrivers only; a
   broken one fails zeDeviceGet with the code. */
ze_driver_handle_t fake_driver(void);
ze_driver_handle_t fake_hidden_driver(void);
void fake_break_driver(ze_driver_handle_t driver, ze_result_t code);
ze_device_handle_t fake_device(ze_driver_handle_t driver);
ze_device_handle_t fake_sub_device(ze_device_handle_t device);
/* A device that no enumeration has, and that has root devices as its parts once they join it. */
ze_device_handle_t fake_card(ze_driver_handle_t driver);
void fake_join(ze_device_handle_t device, ze_device_handle_t card);

/* Handles of the application; not counted as calls. */
ze_context_handle_t fake_context(ze_driver_handle_t driver);
ze_command_queue_handle_t fake_queue(ze_context_handle_t context, ze_device_handle_t device);
ze_command_list_handle_t fake_list(ze_context_handle_t context, ze_device_handle_t device);
ze_command_list_handle_t fake_regular_list(ze_context_handle_t context, ze_device_handle_t device);
ze_event_pool_handle_t fake_event_pool(ze_context_handle_t context);
ze_event_handle_t fake_event(ze_event_pool_handle_t pool);
/* `names` are the kernels' names, separated by spaces. */
ze_module_handle_t fake_module(ze_context_handle_t context, const char *names);
void fake_module_import(ze_module_handle_t module, int linked);
ze_kernel_handle_t fake_kernel(ze_module_handle_t module, const char *name);
ze_image_handle_t fake_image(ze_context_handle_t context);
ze_sampler_handle_t fake_sampler(ze_context_handle_t context);
/* Memory with a size but no storage; do not access it. A null device makes host memory, or shared
   memory of no device. */
void *fake_allocation(
    ze_context_handle_t context, ze_memory_type_t type, ze_device_handle_t device, size_t size);

/* Makes a native IPC handle one whose exporter has ended. */
void fake_ipc_end_exporter(void *native_handle);

/* Destroys a handle of any kind, as the application would. */
void fake_destroy(const void *handle);

int fake_is_alive(const void *handle);
/* Successful destructions of the handle. */
unsigned fake_destroys(const void *handle);
/* Order of destruction: 1 for the first since fake_begin, 0 for a living handle. */
unsigned fake_destroyed_as(const void *handle);
unsigned fake_all_destroys(void);
/* Queries and signals an event. */
int fake_is_signalled(ze_event_handle_t event);
void fake_signal(ze_event_handle_t event);

unsigned fake_calls(enum fake_function function);
unsigned fake_all_calls(void);
/* The n-th call from now fails with the code: of one function, or of all. */
void fake_fail(enum fake_function function, unsigned nth, ze_result_t code);
void fake_fail_nth_call(unsigned nth, ze_result_t code);
/* The next call of the function calls this first, as if another thread did so meanwhile. */
void fake_interrupt(enum fake_function function, void (*meanwhile)(void));
/* The function whose call failed by request; FAKE_FUNCTION_COUNT if none did. */
enum fake_function fake_failed_function(void);

#ifdef __cplusplus
}
#endif

#endif
