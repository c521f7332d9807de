/* The entry points that Level Zero gained after 1.4, declared without the headers: a driver that
 * was built with older headers has them for newer loaders. export.c checks their types and slots
 * where the headers have them. */
#ifndef ZECL_CORE_ENTRIES_NEWER_H
#define ZECL_CORE_ENTRIES_NEWER_H

#include "core/headers.h"

#define ZECL_NEWER(name, ...) extern __attribute__((weak)) ze_result_t zecl_##name(__VA_ARGS__)

/* 1.6 */
ZECL_NEWER(zeCommandListHostSynchronize, ze_command_list_handle_t, uint64_t);
ZECL_NEWER(zeEventQueryKernelTimestampsExt, ze_event_handle_t, ze_device_handle_t, uint32_t *,
    ze_event_query_kernel_timestamps_results_ext_properties_t *);
ZECL_NEWER(zeEventPoolPutIpcHandle, ze_context_handle_t, ze_ipc_event_pool_handle_t);
ZECL_NEWER(zeMemPutIpcHandle, ze_context_handle_t, ze_ipc_mem_handle_t);

ZECL_NEWER(zeDriverGetLastErrorDescription, ze_driver_handle_t, const char **);

/* 1.7 */
ZECL_NEWER(zeDeviceGetRootDevice, ze_device_handle_t, ze_device_handle_t *);

/* In no header, under the names of Intel's driver. */
ZECL_NEWER(zexDriverImportExternalPointer, ze_driver_handle_t, void *, size_t);
ZECL_NEWER(zexDriverReleaseImportedPointer, ze_driver_handle_t, void *);

/* 1.9 */
ZECL_NEWER(zeCommandListGetDeviceHandle, ze_command_list_handle_t, ze_device_handle_t *);
ZECL_NEWER(zeCommandListGetContextHandle, ze_command_list_handle_t, ze_context_handle_t *);
ZECL_NEWER(zeCommandListGetOrdinal, ze_command_list_handle_t, uint32_t *);
ZECL_NEWER(zeCommandListImmediateGetIndex, ze_command_list_handle_t, uint32_t *);
ZECL_NEWER(zeCommandListIsImmediate, ze_command_list_handle_t, ze_bool_t *);
ZECL_NEWER(zeCommandListImmediateAppendCommandListsExp, ze_command_list_handle_t, uint32_t,
    ze_command_list_handle_t *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
ZECL_NEWER(zeCommandListGetNextCommandIdExp, ze_command_list_handle_t,
    const ze_mutable_command_id_exp_desc_t *, uint64_t *);
ZECL_NEWER(zeCommandListUpdateMutableCommandsExp, ze_command_list_handle_t,
    const ze_mutable_commands_exp_desc_t *);
ZECL_NEWER(zeCommandQueueGetOrdinal, ze_command_queue_handle_t, uint32_t *);
ZECL_NEWER(zeCommandQueueGetIndex, ze_command_queue_handle_t, uint32_t *);
ZECL_NEWER(zeEventGetEventPool, ze_event_handle_t, ze_event_pool_handle_t *);
ZECL_NEWER(zeEventGetSignalScope, ze_event_handle_t, ze_event_scope_flags_t *);
ZECL_NEWER(zeEventGetWaitScope, ze_event_handle_t, ze_event_scope_flags_t *);
ZECL_NEWER(zeEventPoolGetContextHandle, ze_event_pool_handle_t, ze_context_handle_t *);
ZECL_NEWER(zeEventPoolGetFlags, ze_event_pool_handle_t, ze_event_pool_flags_t *);
ZECL_NEWER(zeMemGetPitchFor2dImage, ze_context_handle_t, ze_device_handle_t, size_t, size_t,
    unsigned int, size_t *);

/* 1.10 */
ZECL_NEWER(zeInitDrivers, uint32_t *, ze_driver_handle_t *, ze_init_driver_type_desc_t *);

/* 1.7 to 1.14, experimental */
ZECL_NEWER(
    zeMemGetIpcHandleFromFileDescriptorExp, ze_context_handle_t, uint64_t, ze_ipc_mem_handle_t *);
ZECL_NEWER(
    zeMemGetFileDescriptorFromIpcHandleExp, ze_context_handle_t, ze_ipc_mem_handle_t, uint64_t *);
ZECL_NEWER(zeCommandListCreateCloneExp, ze_command_list_handle_t, ze_command_list_handle_t *);
ZECL_NEWER(zeKernelGetAllocationPropertiesExp, ze_kernel_handle_t, uint32_t *,
    ze_kernel_allocation_exp_properties_t *);

/* 1.13 */
ZECL_NEWER(zeDeviceGetVectorWidthPropertiesExt, ze_device_handle_t, uint32_t *,
    ze_device_vector_width_properties_ext_t *);

/* 1.12 */
ZECL_NEWER(zeDeviceImportExternalSemaphoreExt, ze_device_handle_t,
    const ze_external_semaphore_ext_desc_t *, ze_external_semaphore_ext_handle_t *);
ZECL_NEWER(zeDeviceReleaseExternalSemaphoreExt, ze_external_semaphore_ext_handle_t);
ZECL_NEWER(zeCommandListAppendSignalExternalSemaphoreExt, ze_command_list_handle_t, uint32_t,
    ze_external_semaphore_ext_handle_t *, ze_external_semaphore_signal_params_ext_t *,
    ze_event_handle_t, uint32_t, ze_event_handle_t *);
ZECL_NEWER(zeCommandListAppendWaitExternalSemaphoreExt, ze_command_list_handle_t, uint32_t,
    ze_external_semaphore_ext_handle_t *, ze_external_semaphore_wait_params_ext_t *,
    ze_event_handle_t, uint32_t, ze_event_handle_t *);

/* 1.14, the one that returns no code */
ze_context_handle_t zecl_zeDriverGetDefaultContext(ze_driver_handle_t);

ZECL_NEWER(zeDeviceSynchronize, ze_device_handle_t);
typedef struct {
  uint32_t sizes[3];
} zecl_group_size;
ZECL_NEWER(zeCommandListAppendLaunchKernelWithParameters, ze_command_list_handle_t,
    ze_kernel_handle_t, const ze_group_count_t *, const void *, ze_event_handle_t, uint32_t,
    ze_event_handle_t *);
ZECL_NEWER(zeCommandListAppendLaunchKernelWithArguments, ze_command_list_handle_t,
    ze_kernel_handle_t, ze_group_count_t, zecl_group_size, void **, const void *, ze_event_handle_t,
    uint32_t, ze_event_handle_t *);

/* 1.15, and the name by which Intel's driver has had it before */
ZECL_NEWER(zeEventCounterBasedCreate, ze_context_handle_t, ze_device_handle_t,
    const ze_event_counter_based_desc_t *, ze_event_handle_t *);
ZECL_NEWER(zexCounterBasedEventCreate2, ze_context_handle_t, ze_device_handle_t,
    const ze_event_counter_based_desc_t *, ze_event_handle_t *);

ZECL_NEWER(
    zeEventCounterBasedGetIpcHandle, ze_event_handle_t, ze_ipc_event_counter_based_handle_t *);
ZECL_NEWER(zeEventCounterBasedOpenIpcHandle, ze_context_handle_t,
    ze_ipc_event_counter_based_handle_t, ze_event_handle_t *);
ZECL_NEWER(zeEventCounterBasedCloseIpcHandle, ze_event_handle_t);
ZECL_NEWER(zePhysicalMemGetProperties, ze_context_handle_t, ze_physical_mem_handle_t,
    ze_physical_mem_properties_t *);
ZECL_NEWER(zeMemGetIpcHandleWithProperties, ze_context_handle_t, const void *, void *,
    ze_ipc_mem_handle_t *);

/* 1.16 */
ZECL_NEWER(zeDeviceGetRuntimeRequirements, ze_device_handle_t, const void *, size_t *, char *);
ZECL_NEWER(zeDeviceGetRuntimeRequirementsKey, ze_device_handle_t, const char **);
ZECL_NEWER(zeDeviceValidateRuntimeRequirements, ze_device_handle_t, const char *,
    ze_validate_runtime_requirements_output_t *);

ZECL_NEWER(zeCommandListAppendMemoryCopyWithParameters, ze_command_list_handle_t, void *,
    const void *, size_t, const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
ZECL_NEWER(zeCommandListAppendMemoryFillWithParameters, ze_command_list_handle_t, void *,
    const void *, size_t, size_t, const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
ZECL_NEWER(zeCommandListImmediateAppendCommandListsWithParameters, ze_command_list_handle_t,
    uint32_t, ze_command_list_handle_t *, const void *, ze_event_handle_t, uint32_t,
    ze_event_handle_t *);

/* 1.17 */
ZECL_NEWER(zeEventGetCounterBasedFlags, ze_event_handle_t, ze_event_counter_based_flags_t *);
ZECL_NEWER(zeCommandListUpdateMutableCommandSignalEventExp, ze_command_list_handle_t, uint64_t,
    ze_event_handle_t);
ZECL_NEWER(zeCommandListUpdateMutableCommandWaitEventsExp, ze_command_list_handle_t, uint64_t,
    uint32_t, ze_event_handle_t *);
ZECL_NEWER(zeCommandListGetNextCommandIdWithKernelsExp, ze_command_list_handle_t,
    const ze_mutable_command_id_exp_desc_t *, uint32_t, ze_kernel_handle_t *, uint64_t *);
ZECL_NEWER(zeCommandListUpdateMutableCommandKernelsExp, ze_command_list_handle_t, uint32_t,
    uint64_t *, ze_kernel_handle_t *);
ZECL_NEWER(zeCommandListIsMutableExp, ze_command_list_handle_t, ze_bool_t *);
ZECL_NEWER(zeCommandListGetFlags, ze_command_list_handle_t, ze_command_list_flags_t *);
ZECL_NEWER(zeCommandListImmediateGetFlags, ze_command_list_handle_t, ze_command_queue_flags_t *);
ZECL_NEWER(zeCommandListImmediateGetMode, ze_command_list_handle_t, ze_command_queue_mode_t *);
ZECL_NEWER(
    zeCommandListImmediateGetPriority, ze_command_list_handle_t, ze_command_queue_priority_t *);
ZECL_NEWER(zeCommandQueueGetFlags, ze_command_queue_handle_t, ze_command_queue_flags_t *);
ZECL_NEWER(zeCommandQueueGetMode, ze_command_queue_handle_t, ze_command_queue_mode_t *);
ZECL_NEWER(zeCommandQueueGetPriority, ze_command_queue_handle_t, ze_command_queue_priority_t *);
ZECL_NEWER(zeGraphCreateExt, ze_context_handle_t, const void *, ze_graph_handle_t *);
ZECL_NEWER(zeCommandListBeginGraphCaptureExt, ze_command_list_handle_t, const void *);
ZECL_NEWER(zeCommandListBeginCaptureIntoGraphExt, ze_command_list_handle_t, ze_graph_handle_t,
    const void *);
ZECL_NEWER(zeCommandListIsGraphCaptureEnabledExt, ze_command_list_handle_t);
ZECL_NEWER(
    zeCommandListEndGraphCaptureExt, ze_command_list_handle_t, const void *, ze_graph_handle_t *);
ZECL_NEWER(zeCommandListGetGraphExt, ze_command_list_handle_t, ze_graph_handle_t *);
ZECL_NEWER(zeCommandListAppendGraphExt, ze_command_list_handle_t, ze_executable_graph_handle_t,
    const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
ZECL_NEWER(zeGraphGetPrimaryCommandListExt, ze_graph_handle_t, ze_command_list_handle_t *);
ZECL_NEWER(
    zeGraphSetDestructionCallbackExt, ze_graph_handle_t, void (*)(void *), void *, const void *);
ZECL_NEWER(zeGraphInstantiateExt, ze_graph_handle_t, const void *, ze_executable_graph_handle_t *);
ZECL_NEWER(zeGraphIsEmptyExt, ze_graph_handle_t);
ZECL_NEWER(zeGraphDumpContentsExt, ze_graph_handle_t, const char *, const void *);
ZECL_NEWER(zeGraphDestroyExt, ze_graph_handle_t);
ZECL_NEWER(zeExecutableGraphGetSourceGraphExt, ze_executable_graph_handle_t, ze_graph_handle_t *);
ZECL_NEWER(zeExecutableGraphDestroyExt, ze_executable_graph_handle_t);
ZECL_NEWER(zeCommandListAppendHostFunction, ze_command_list_handle_t, void (*)(void *), void *,
    const void *, ze_event_handle_t, uint32_t, ze_event_handle_t *);

#endif
