/* The interposed driver calls; wrap.txt lists the same. */
#include "spy_calls.h"

#include <string.h>

/* Linker names of the wrapped function and of its wrapper. */
#define DECLARE(name, parameters)                                                                  \
  ze_result_t __real_##name parameters;                                                            \
  ze_result_t __wrap_##name parameters

#define CALL(name, parameters, arguments)                                                          \
  DECLARE(name, parameters);                                                                       \
  ze_result_t __wrap_##name parameters {                                                           \
    ze_result_t result = spy_call(#name);                                                          \
    return result != ZE_RESULT_SUCCESS ? result : __real_##name arguments;                         \
  }

#define CREATE(kind, name, parameters, arguments, handle)                                          \
  DECLARE(name, parameters);                                                                       \
  ze_result_t __wrap_##name parameters {                                                           \
    ze_result_t result = spy_call(#name);                                                          \
    if (result == ZE_RESULT_SUCCESS) result = __real_##name arguments;                             \
    if (result == ZE_RESULT_SUCCESS) spy_created(kind, *(handle));                                 \
    return result;                                                                                 \
  }

#define DESTROY(kind, name, parameters, arguments, handle)                                         \
  DECLARE(name, parameters);                                                                       \
  ze_result_t __wrap_##name parameters {                                                           \
    ze_result_t result = spy_call(#name);                                                          \
    if (result != ZE_RESULT_SUCCESS) return result;                                                \
    result = __real_##name arguments;                                                              \
    spy_destroyed(kind, handle, result);                                                           \
    return result;                                                                                 \
  }

CALL(zeInit, (ze_init_flags_t flags), (flags))
CALL(zeDriverGet, (uint32_t * count, ze_driver_handle_t *drivers), (count, drivers))
CALL(zeDeviceGet, (ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices),
    (driver, count, devices))
CALL(zeDeviceGetSubDevices,
    (ze_device_handle_t device, uint32_t *count, ze_device_handle_t *sub_devices),
    (device, count, sub_devices))
CALL(zeDeviceGetCommandQueueGroupProperties,
    (ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *groups),
    (device, count, groups))
CALL(zeContextGetStatus, (ze_context_handle_t context), (context))
CALL(zeMemGetAllocProperties,
    (ze_context_handle_t context, const void *memory, ze_memory_allocation_properties_t *properties,
        ze_device_handle_t *device),
    (context, memory, properties, device))
CALL(zeMemGetAddressRange,
    (ze_context_handle_t context, const void *memory, void **base, size_t *size),
    (context, memory, base, size))
CALL(zeEventHostSignal, (ze_event_handle_t event), (event))
CALL(zeEventHostReset, (ze_event_handle_t event), (event))
CALL(zeModuleGetProperties, (ze_module_handle_t module, ze_module_properties_t *properties),
    (module, properties))
CALL(zeModuleGetKernelNames, (ze_module_handle_t module, uint32_t *count, const char **names),
    (module, count, names))
CALL(zeModuleBuildLogGetString, (ze_module_build_log_handle_t log, size_t *size, char *text),
    (log, size, text))
CALL(zeKernelGetName, (ze_kernel_handle_t kernel, size_t *size, char *name), (kernel, size, name))

/* Memory and events of other processes, growable and external memory. */
CALL(zeDriverGetIpcProperties, (ze_driver_handle_t driver, ze_driver_ipc_properties_t *properties),
    (driver, properties))
CALL(zeMemGetIpcHandle,
    (ze_context_handle_t context, const void *memory, ze_ipc_mem_handle_t *handle),
    (context, memory, handle))
CALL(zeMemOpenIpcHandle,
    (ze_context_handle_t context, ze_device_handle_t device, ze_ipc_mem_handle_t handle,
        ze_ipc_memory_flags_t flags, void **memory),
    (context, device, handle, flags, memory))
CALL(zeMemCloseIpcHandle, (ze_context_handle_t context, const void *memory), (context, memory))
CALL(zeEventPoolGetIpcHandle, (ze_event_pool_handle_t pool, ze_ipc_event_pool_handle_t *handle),
    (pool, handle))
CALL(zeEventPoolOpenIpcHandle,
    (ze_context_handle_t context, ze_ipc_event_pool_handle_t handle, ze_event_pool_handle_t *pool),
    (context, handle, pool))
CALL(zeEventPoolCloseIpcHandle, (ze_event_pool_handle_t pool), (pool))
CALL(zeVirtualMemQueryPageSize,
    (ze_context_handle_t context, ze_device_handle_t device, size_t size, size_t *page),
    (context, device, size, page))
CALL(zeVirtualMemReserve,
    (ze_context_handle_t context, const void *start, size_t size, void **memory),
    (context, start, size, memory))
CALL(zeVirtualMemFree, (ze_context_handle_t context, const void *memory, size_t size),
    (context, memory, size))
CALL(zeVirtualMemMap,
    (ze_context_handle_t context, const void *memory, size_t size,
        ze_physical_mem_handle_t physical, size_t offset, ze_memory_access_attribute_t access),
    (context, memory, size, physical, offset, access))
CALL(zeVirtualMemUnmap, (ze_context_handle_t context, const void *memory, size_t size),
    (context, memory, size))
CALL(zePhysicalMemCreate,
    (ze_context_handle_t context, ze_device_handle_t device, ze_physical_mem_desc_t *desc,
        ze_physical_mem_handle_t *physical),
    (context, device, desc, physical))
CALL(zePhysicalMemDestroy, (ze_context_handle_t context, ze_physical_mem_handle_t physical),
    (context, physical))
CALL(zeDeviceGetExternalMemoryProperties,
    (ze_device_handle_t device, ze_device_external_memory_properties_t *properties),
    (device, properties))

/* Submissions. */
CALL(zeCommandListReset, (ze_command_list_handle_t list), (list))
CALL(zeCommandListClose, (ze_command_list_handle_t list), (list))
CALL(zeCommandQueueExecuteCommandLists,
    (ze_command_queue_handle_t queue, uint32_t count, ze_command_list_handle_t *lists,
        ze_fence_handle_t fence),
    (queue, count, lists, fence))
CALL(zeCommandListAppendBarrier,
    (ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t count,
        ze_event_handle_t *waits),
    (list, signal, count, waits))
CALL(zeCommandListAppendWaitOnEvents,
    (ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *waits), (list, count, waits))
CALL(zeCommandListAppendLaunchKernel,
    (ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
        ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits),
    (list, kernel, groups, signal, count, waits))
CALL(zeCommandListAppendMemoryCopy,
    (ze_command_list_handle_t list, void *to, const void *from, size_t size,
        ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits),
    (list, to, from, size, signal, count, waits))
CALL(zeCommandListAppendMemoryFill,
    (ze_command_list_handle_t list, void *to, const void *pattern, size_t pattern_size, size_t size,
        ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits),
    (list, to, pattern, pattern_size, size, signal, count, waits))
CALL(zeCommandListAppendMemoryCopyRegion,
    (ze_command_list_handle_t list, void *to, const ze_copy_region_t *to_region, uint32_t to_pitch,
        uint32_t to_slice, const void *from, const ze_copy_region_t *from_region,
        uint32_t from_pitch, uint32_t from_slice, ze_event_handle_t signal, uint32_t count,
        ze_event_handle_t *waits),
    (list, to, to_region, to_pitch, to_slice, from, from_region, from_pitch, from_slice, signal,
        count, waits))
CALL(zeCommandListAppendMemoryPrefetch,
    (ze_command_list_handle_t list, const void *memory, size_t size), (list, memory, size))
CALL(zeCommandListAppendMemAdvise,
    (ze_command_list_handle_t list, ze_device_handle_t device, const void *memory, size_t size,
        ze_memory_advice_t advice),
    (list, device, memory, size, advice))
CALL(zeKernelGetProperties, (ze_kernel_handle_t kernel, ze_kernel_properties_t *properties),
    (kernel, properties))
CALL(zeKernelSetArgumentValue,
    (ze_kernel_handle_t kernel, uint32_t index, size_t size, const void *value),
    (kernel, index, size, value))
CALL(zeKernelSetGlobalOffsetExp, (ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z),
    (kernel, x, y, z))
CALL(zeKernelSuggestGroupSize,
    (ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z, uint32_t *group_x,
        uint32_t *group_y, uint32_t *group_z),
    (kernel, x, y, z, group_x, group_y, group_z))
CALL(zeKernelSetGroupSize, (ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z),
    (kernel, x, y, z))

CREATE(SPY_CONTEXT, zeContextCreate,
    (ze_driver_handle_t driver, const ze_context_desc_t *desc, ze_context_handle_t *context),
    (driver, desc, context), context)
CREATE(SPY_CONTEXT, zeContextCreateEx,
    (ze_driver_handle_t driver, const ze_context_desc_t *desc, uint32_t count,
        ze_device_handle_t *devices, ze_context_handle_t *context),
    (driver, desc, count, devices, context), context)
CREATE(SPY_LIST, zeCommandListCreate,
    (ze_context_handle_t context, ze_device_handle_t device, const ze_command_list_desc_t *desc,
        ze_command_list_handle_t *list),
    (context, device, desc, list), list)
CREATE(SPY_EVENT_POOL, zeEventPoolCreate,
    (ze_context_handle_t context, const ze_event_pool_desc_t *desc, uint32_t count,
        ze_device_handle_t *devices, ze_event_pool_handle_t *pool),
    (context, desc, count, devices, pool), pool)
CREATE(SPY_EVENT, zeEventCreate,
    (ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event),
    (pool, desc, event), event)
CREATE(SPY_KERNEL, zeKernelCreate,
    (ze_module_handle_t module, const ze_kernel_desc_t *desc, ze_kernel_handle_t *kernel),
    (module, desc, kernel), kernel)
CREATE(SPY_MEMORY, zeMemAllocDevice,
    (ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc, size_t size,
        size_t alignment, ze_device_handle_t device, void **memory),
    (context, desc, size, alignment, device, memory), memory)
CREATE(SPY_MEMORY, zeMemAllocShared,
    (ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc,
        const ze_host_mem_alloc_desc_t *host_desc, size_t size, size_t alignment,
        ze_device_handle_t device, void **memory),
    (context, desc, host_desc, size, alignment, device, memory), memory)
CREATE(SPY_MEMORY, zeMemAllocHost,
    (ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc, size_t size,
        size_t alignment, void **memory),
    (context, desc, size, alignment, memory), memory)

CREATE(SPY_IMAGE, zeImageCreate,
    (ze_context_handle_t context, ze_device_handle_t device, const ze_image_desc_t *desc,
        ze_image_handle_t *image),
    (context, device, desc, image), image)
CREATE(SPY_SAMPLER, zeSamplerCreate,
    (ze_context_handle_t context, ze_device_handle_t device, const ze_sampler_desc_t *desc,
        ze_sampler_handle_t *sampler),
    (context, device, desc, sampler), sampler)

DESTROY(SPY_CONTEXT, zeContextDestroy, (ze_context_handle_t context), (context), context)
DESTROY(SPY_QUEUE, zeCommandQueueDestroy, (ze_command_queue_handle_t queue), (queue), queue)
DESTROY(SPY_LIST, zeCommandListDestroy, (ze_command_list_handle_t list), (list), list)
DESTROY(SPY_EVENT_POOL, zeEventPoolDestroy, (ze_event_pool_handle_t pool), (pool), pool)
DESTROY(SPY_EVENT, zeEventDestroy, (ze_event_handle_t event), (event), event)
DESTROY(SPY_MODULE, zeModuleDestroy, (ze_module_handle_t module), (module), module)
DESTROY(SPY_BUILD_LOG, zeModuleBuildLogDestroy, (ze_module_build_log_handle_t log), (log), log)
DESTROY(SPY_KERNEL, zeKernelDestroy, (ze_kernel_handle_t kernel), (kernel), kernel)
DESTROY(SPY_IMAGE, zeImageDestroy, (ze_image_handle_t image), (image), image)
DESTROY(SPY_SAMPLER, zeSamplerDestroy, (ze_sampler_handle_t sampler), (sampler), sampler)
DESTROY(
    SPY_MEMORY, zeMemFree, (ze_context_handle_t context, void *memory), (context, memory), memory)

/* The creating function decides the kind of queue. */
#define CREATE_QUEUE(kind, name, type)                                                             \
  DECLARE(name, (ze_context_handle_t context, ze_device_handle_t device,                           \
                    const ze_command_queue_desc_t *desc, type *queue));                            \
  ze_result_t __wrap_##name(ze_context_handle_t context, ze_device_handle_t device,                \
      const ze_command_queue_desc_t *desc, type *queue) {                                          \
    ze_result_t result = spy_call(#name);                                                          \
    if (result == ZE_RESULT_SUCCESS) result = __real_##name(context, device, desc, queue);         \
    if (result == ZE_RESULT_SUCCESS) spy_created_queue(kind, *queue, desc);                        \
    return result;                                                                                 \
  }

CREATE_QUEUE(SPY_QUEUE, zeCommandQueueCreate, ze_command_queue_handle_t)
CREATE_QUEUE(SPY_LIST, zeCommandListCreateImmediate, ze_command_list_handle_t)

/* zeModuleCreate creates a build log with a module, or alone when the build fails. */
DECLARE(zeModuleCreate,
    (ze_context_handle_t context, ze_device_handle_t device, const ze_module_desc_t *desc,
        ze_module_handle_t *module, ze_module_build_log_handle_t *log));
ze_result_t __wrap_zeModuleCreate(ze_context_handle_t context, ze_device_handle_t device,
    const ze_module_desc_t *desc, ze_module_handle_t *module, ze_module_build_log_handle_t *log) {
  ze_result_t result = spy_call("zeModuleCreate");
  if (result != ZE_RESULT_SUCCESS) return result;
  result = __real_zeModuleCreate(context, device, desc, module, log);
  if (result == ZE_RESULT_SUCCESS) spy_created(SPY_MODULE, *module);
  if (log && *log) spy_created(SPY_BUILD_LOG, *log);
  return result;
}

DECLARE(zeModuleDynamicLink,
    (uint32_t count, ze_module_handle_t *modules, ze_module_build_log_handle_t *log));
ze_result_t __wrap_zeModuleDynamicLink(
    uint32_t count, ze_module_handle_t *modules, ze_module_build_log_handle_t *log) {
  ze_result_t result = spy_call("zeModuleDynamicLink");
  if (result != ZE_RESULT_SUCCESS) return result;
  result = __real_zeModuleDynamicLink(count, modules, log);
  if (log && *log) spy_created(SPY_BUILD_LOG, *log);
  return result;
}
