#include "traced_calls.h"

#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/command/queue_order.h"
#include "syclze/queue_commands.h"
#include "syclze/device_global.h"
#include "syclze/device_query.h"
#include "syclze/external_memory.h"
#include "syclze/growable_memory.h"
#include "syclze/ipc.h"
#include "syclze/kernel_query.h"
#include "syclze/usm_query.h"

#include <stdlib.h>

enum { SIZE = 4096, COUNT = SIZE / 4 };

#define OK(call) CHECK_EQ(call, ZE_RESULT_SUCCESS)
#define P(pointer) ((void *)(uintptr_t)(pointer))

static void query_devices(struct traced *t, traced_check *check) {
  syclze_device_info info;
  syclze_pci_address address;
  uint64_t size;
  uint32_t count = 0;
  bool can;
  OK(syclze_device_get_info(t->device, &info));
  check("urDeviceGetInfo", ".hDevice = %p, .propName = UR_DEVICE_INFO_TYPE, ", P(t->device.rep));
  (void)syclze_device_get_pci_address(t->device, &address);
  check("urDeviceGetInfo", ".propName = UR_DEVICE_INFO_PCI_ADDRESS, ");
  (void)syclze_device_get_free_memory(t->device, &size);
  check("urDeviceGetInfo", ".propName = UR_DEVICE_INFO_GLOBAL_MEM_FREE, ");
  OK(syclze_device_get_queue_groups(t->device, &count, NULL));
  check("urDeviceGetInfo", ".propName = UR_DEVICE_INFO_MAX_COMPUTE_QUEUE_INDICES, ");
  OK(syclze_device_can_access_peer(t->device, t->device, &can));
  check("urUsmP2PPeerAccessGetInfoExp", ".commandDevice = %p, .peerDevice = %p, ", P(t->device.rep),
      P(t->device.rep));
}

static void query_kernels(struct traced *t, traced_check *check) {
  const uint32_t global[3] = {64, 2, 1}, one[3] = {8, 1, 1};
  syclze_kernel_properties properties;
  const char *attributes;
  uint32_t local[3], count;
  OK(syclze_kernel_get_properties(t->mix, &properties));
  check("urKernelGetInfo", ".hKernel = %p, .propName = UR_KERNEL_INFO_NUM_ARGS, ", P(t->mix.rep));
  (void)syclze_kernel_get_attributes(t->mix, &attributes);
  check("urKernelGetInfo", ".propName = UR_KERNEL_INFO_ATTRIBUTES, ");
  OK(syclze_kernel_suggest_group_size(t->mix, global, local));
  check("urKernelGetSuggestedLocalWorkSize", ".hKernel = %p, ", P(t->mix.rep));
  check("urKernelGetSuggestedLocalWorkSize", ".numWorkDim = 3, ");
  check("urKernelGetSuggestedLocalWorkSize", "(64), .pSuggested");
  (void)syclze_kernel_get_max_group_count(t->mix, one, &count);
  check("urKernelSuggestMaxCooperativeGroupCount", ".workDim = 3, ");
  check("urKernelSuggestMaxCooperativeGroupCount", "(8), .dynamicSharedMemorySize = 0, ");
}

static void share_memory(struct traced *t, traced_check *check) {
  syclze_ipc_memory memory, opened;
  syclze_ipc_event_pool pool, other;
  syclze_usm_info info;
  void *pointer;
  OK(syclze_malloc_device(SIZE, t->device, t->context, &pointer));
  OK(syclze_usm_get_info(pointer, t->context, &info));
  check("urUSMGetMemAllocInfo", ".hContext = %p, .pMem = %p, .propName = UR_USM_ALLOC_INFO_TYPE, ",
      P(t->context.rep), pointer);
  OK(syclze_ipc_memory_export(pointer, 0, t->context, &memory));
  check("urIPCGetMemHandleExp", ".hContext = %p, .pMem = %p, ", P(t->context.rep), pointer);
  check("urIPCGetMemHandleExp", "(%p)", P(memory.rep));
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(memory);
  (void)syclze_ipc_memory_open(&handle, 0, t->device, t->context, &opened);
  check("urIPCOpenMemHandleExp",
      ".hContext = %p, .hDevice = %p, .pIPCMemHandleData = ", P(t->context.rep), P(t->device.rep));
  check("urIPCOpenMemHandleExp", ".ipcMemHandleDataSize = %zu, ", sizeof handle);
  if (opened.rep != NULL) {
    OK(syclze_ipc_memory_release(opened));
    check("urIPCCloseMemHandleExp", ".hContext = %p, .pMem = ", P(t->context.rep));
  }
  OK(syclze_ipc_memory_release(memory));
  check("urIPCPutMemHandleExp", ".hContext = %p, .pIPCMemHandleData = ", P(t->context.rep));
  OK(syclze_free(pointer, t->context));
  OK(syclze_ipc_event_pool_create(t->context, 2, &pool));
  check("urIPCGetEventHandleExp", ".hEvent = nullptr, ");
  const syclze_ipc_handle events = syclze_ipc_event_pool_get_handle(pool);
  (void)syclze_ipc_event_pool_open(&events, t->context, &other);
  check("urIPCOpenEventHandleExp", ".ipcEventHandleDataSize = %zu, ", sizeof events);
  if (other.rep != NULL) OK(syclze_ipc_event_pool_release(other));
  OK(syclze_ipc_event_pool_release(pool));
  check("urIPCPutEventHandleExp", ".hContext = %p, .pIPCEventHandleData = ", P(t->context.rep));
}

static void grow_memory(struct traced *t, traced_check *check) {
  syclze_growable_memory memory;
  OK(syclze_growable_memory_reserve(1 << 22, t->device, t->context, &memory));
  const void *start = syclze_growable_memory_get_pointer(memory);
  check("urVirtualMemGranularityGetInfo", ".propName = UR_VIRTUAL_MEM_GRANULARITY_INFO_MINIMUM, ");
  check("urVirtualMemReserve", ".hContext = %p, .pStart = nullptr, ", P(t->context.rep));
  check("urVirtualMemReserve", "(%p)", start);
  OK(syclze_growable_memory_grow(memory, SIZE));
  const size_t size = syclze_growable_memory_get_size(memory);
  check("urPhysicalMemCreate", ".hContext = %p, .hDevice = %p, .size = %zu, ", P(t->context.rep),
      P(t->device.rep), size);
  check("urVirtualMemMap", ".pStart = %p, .size = %zu, ", start, size);
  check("urVirtualMemMap", ".flags = UR_VIRTUAL_MEM_ACCESS_FLAG_READ_WRITE");
  OK(syclze_growable_memory_shrink(memory, 0));
  check("urVirtualMemUnmap", ".pStart = %p, .size = %zu", start, size);
  check("urPhysicalMemRelease", ".hPhysicalMem = ");
  OK(syclze_growable_memory_release(memory));
  check("urVirtualMemFree", ".pStart = %p, ", start);
}

static void use_external_memory(struct traced *t, traced_check *check) {
  const ze_external_memory_type_flag_t type = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
  ze_external_memory_type_flags_t imports, exports;
  void *memory, *host = aligned_alloc(SIZE, SIZE);
  int fd;
  OK(syclze_external_memory_get_support(t->device, &imports, &exports));
  check("urBindlessImagesSupportsImportingHandleTypeExp", ".hDevice = %p, ", P(t->device.rep));
  (void)syclze_external_memory_allocate(SIZE, type, t->device, t->context, &memory);
  check("urMemoryExportAllocExportableMemoryExp",
      ".hContext = %p, .hDevice = %p, .alignment = 0, "
      ".size = 4096, .handleTypeToExport = "
      "UR_EXP_EXTERNAL_MEM_TYPE_DMA_BUF, ",
      P(t->context.rep), P(t->device.rep));
  if (memory != NULL) OK(syclze_free(memory, t->context));
  (void)syclze_external_memory_get_fd(host, type, t->context, &fd);
  check("urMemoryExportExportMemoryHandleExp", ".pMem = %p, ", host);
  (void)syclze_external_memory_import(0, type, SIZE, t->device, t->context, &memory);
  check("urBindlessImagesImportExternalMemoryExp", ".size = 4096, .memHandleType = "
                                                   "UR_EXP_EXTERNAL_MEM_TYPE_DMA_BUF, ");
  const bool registered = syclze_host_memory_register(host, SIZE, t->context) == ZE_RESULT_SUCCESS;
  check("urUSMHostAllocRegisterExp", ".hContext = %p, .pHostMem = %p, .size = 4096, ",
      P(t->context.rep), host);
  CHECK_EQ(syclze_host_memory_unregister(host, t->context) == ZE_RESULT_SUCCESS, registered);
  check("urUSMHostAllocUnregisterExp", ".hContext = %p, .pHostMem = %p", P(t->context.rep), host);
  free(host);
}

static void use_data_of_the_host(struct traced *t, traced_check *check) {
  static uint32_t data[COUNT];
  const syclze_buffer_desc desc = {
      .element_size = sizeof *data, .range = {COUNT}, .const_host_data = data};
  const size_t offset = 16, count = 8;
  syclze_buffer buffer, part;
  void *pointer;
  size_t size;
  OK(syclze_buffer_create(t->context, &desc, &buffer));
  check("urMemBufferCreate", ".hContext = %p, .flags = UR_MEM_FLAG_READ_WRITE, .size = 4096, ",
      P(t->context.rep));
  check("urMemBufferCreate", "(%p)", P(buffer.rep));
  OK(syclze_buffer_create_sub(buffer, &offset, &count, &part));
  check("urMemBufferPartition",
      ".hBuffer = %p, .flags = UR_MEM_FLAG_READ_WRITE, "
      ".bufferCreateType = UR_BUFFER_CREATE_TYPE_REGION, ",
      P(buffer.rep));
  check("urMemBufferPartition", ".origin = 64, .size = 32}");
  OK(syclze_buffer_write(buffer, data, 64, 32));
  check("urEnqueueMemBufferWrite", ".hBuffer = %p, .blockingWrite = 1, .offset = 64, .size = 32, ",
      P(buffer.rep));
  OK(syclze_buffer_read(part, data, 0, 32));
  check("urEnqueueMemBufferRead", ".offset = 64, .size = 32, .pDst = %p, ", P(data));
  OK(syclze_buffer_release(part));
  OK(syclze_buffer_release(buffer));
  (void)syclze_device_global_find(t->bundle, "counter", &pointer, &size);
  check("urProgramGetGlobalVariablePointer",
      ".hProgram = %p, .pGlobalVariableName = ", P(t->bundle.rep));
  check("urProgramGetGlobalVariablePointer", "(counter), ");
}

static ze_result_t append_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

static void record(struct traced *t, syclze_graph graph, uint32_t *memory) {
  const syclze_nd_range range = {.global = {64}, .local = {8}};
  const syclze_argument arguments[] = {
      syclze_arg(P(memory)), syclze_arg(P(memory + 64)), syclze_arg(3u), syclze_arg(1u)};
  const uint32_t seven = 7;
  OK(syclze_graph_begin_recording(graph, t->queue));
  OK(syclze_queue_launch_arguments(t->queue, t->mix, &range, arguments, 4, NULL, 0, NULL));
  OK(syclze_queue_copy(t->queue, memory + 256, memory, 256, NULL, 0, NULL));
  OK(syclze_queue_fill(t->queue, memory + 512, &seven, 4, 256, NULL, 0, NULL));
  syclze_group group = syclze_group_begin(t->queue);
  OK(syclze_group_native_command(&group, append_nothing, NULL, NULL));
  OK(syclze_graph_end_recording(graph, t->queue));
}

static void replay_a_graph(struct traced *t, traced_check *check) {
  syclze_graph graph;
  syclze_executable_graph executable;
  syclze_event event;
  void *memory;
  OK(syclze_malloc_shared(SIZE, t->device, t->context, &memory));
  OK(syclze_graph_create(t->context, t->device, &graph));
  record(t, graph, (uint32_t *)memory);
  OK(syclze_graph_finalize(graph, 0, &executable));
  check("urCommandBufferCreateExp", ".hContext = %p, .hDevice = %p, ", P(t->context.rep),
      P(t->device.rep));
  check("urCommandBufferCreateExp", "(%p)", P(executable.rep));
  check("urCommandBufferAppendKernelLaunchWithArgsExp",
      ".hCommandBuffer = %p, .hKernel = %p, .workDim = 1, ", P(executable.rep), P(t->mix.rep));
  check("urCommandBufferAppendKernelLaunchWithArgsExp", "(64), .pLocalWorkSize = ");
  check("urCommandBufferAppendKernelLaunchWithArgsExp", ".numArgs = 4, ");
  check("urCommandBufferAppendUSMMemcpyExp", ".hCommandBuffer = %p, .pDst = ", P(executable.rep));
  check("urCommandBufferAppendUSMMemcpyExp", ".size = 256, ");
  check("urCommandBufferAppendUSMFillExp", ".patternSize = 4, .size = 256, ");
  check("urCommandBufferAppendNativeCommandExp", ".hCommandBuffer = %p, ", P(executable.rep));
  check("urCommandBufferFinalizeExp", ".hCommandBuffer = %p", P(executable.rep));
  OK(syclze_executable_graph_retain(executable));
  check("urCommandBufferRetainExp", ".hCommandBuffer = %p", P(executable.rep));
  for (int i = 0; i < 2; i++)
    OK(syclze_queue_submit_graph(t->queue, executable, i == 0 ? NULL : &event));
  check("urEnqueueCommandBufferExp", ".hQueue = %p, .hCommandBuffer = %p, ", P(t->queue.rep),
      P(executable.rep));
  OK(syclze_event_wait(event));
  OK(syclze_event_release(event));
  for (int i = 0; i < 2; i++)
    OK(syclze_executable_graph_release(executable));
  check("urCommandBufferReleaseExp", ".hCommandBuffer = %p", P(executable.rep));
  OK(syclze_graph_release(graph));
  OK(syclze_queue_wait(t->queue));
  OK(syclze_free(memory, t->context));
}

static void update_a_graph(struct traced *t, traced_check *check) {
  const syclze_nd_range range = {.global = {32}, .local = {4}};
  const syclze_argument nine = syclze_arg(9u);
  syclze_graph graph;
  syclze_executable_graph executable;
  void *memory;
  OK(syclze_malloc_shared(SIZE, t->device, t->context, &memory));
  OK(syclze_graph_create(t->context, t->device, &graph));
  record(t, graph, (uint32_t *)memory);
  OK(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable));
  OK(syclze_executable_graph_update_argument(executable, 0, 3, &nine));
  check("urCommandBufferUpdateKernelLaunchExp", ".hCommandBuffer = %p, .numKernelUpdates = 1, ",
      P(executable.rep));
  check("urCommandBufferUpdateKernelLaunchExp", ".hNewKernel = %p, .numNewMemObjArgs = 0, ",
      P(t->mix.rep));
  check("urCommandBufferUpdateKernelLaunchExp", ".numNewPointerArgs = 2, .numNewValueArgs = 2, ");
  OK(syclze_executable_graph_update_range(executable, 0, &range));
  check("urCommandBufferUpdateKernelLaunchExp", ".newWorkDim = 1, ");
  OK(syclze_executable_graph_update(executable, graph));
  check("urCommandBufferUpdateKernelLaunchExp", ".hNewKernel = %p, ", P(t->mix.rep));
  OK(syclze_executable_graph_release(executable));
  OK(syclze_graph_release(graph));
  OK(syclze_free(memory, t->context));
}

static void order_a_queue(struct traced *t, traced_check *check) {
  syclze_event event;
  syclze_event_status status;
  bool empty;
  OK(syclze_queue_submit_profiling_tag(t->queue, &event));
  check("urEnqueueTimestampRecordingExp", ".hQueue = %p, ", P(t->queue.rep));
  OK(syclze_event_get_status(event, &status));
  check("urEventGetInfo", ".hEvent = %p, .propName = UR_EVENT_INFO_COMMAND_EXECUTION_STATUS, ",
      P(event.rep));
  OK(syclze_events_wait(&event, 1));
  check("urEventWait", ".numEvents = 1, ");
  OK(syclze_event_release(event));
  OK(syclze_queue_is_empty(t->queue, &empty));
  check("urQueueGetInfo", ".hQueue = %p, .propName = UR_QUEUE_INFO_EMPTY, ", P(t->queue.rep));
}

void traced_calls(struct traced *t, traced_check *check) {
  query_devices(t, check);
  query_kernels(t, check);
  share_memory(t, check);
  grow_memory(t, check);
  use_external_memory(t, check);
  use_data_of_the_host(t, check);
  replay_a_graph(t, check);
  update_a_graph(t, check);
  order_a_queue(t, check);
}
