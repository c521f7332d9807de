/* The calls of detail/trace_call.h on ur.call: their functions of the runtime interface, and the
 * source of each parameter. */
#ifndef SYCLZE_TRACE_PLAIN_CALLS_H
#define SYCLZE_TRACE_PLAIN_CALLS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "../../detail/trace_call.h"
#include "graph_update.h"

SYCLZE_EXTERN_C_BEGIN

/* Sources of a parameter: nothing, a constant of the row, or a value by its index: as it is; an
 * array of three uint32_t; a ze_external_memory_type_flag_t; the offset of a region, whose size is
 * the next value. */
enum {
  SYCLZE__UR_NONE = 0,
  SYCLZE__UR_CONSTANT = 1,
  SYCLZE__UR_VALUE = 0x10,
  SYCLZE__UR_SIZES = 0x20,
  SYCLZE__UR_EXTERNAL = 0x30,
  SYCLZE__UR_REGION = 0x40
};

struct syclze__ur_row {
  uint32_t traced; /* syclze__trace_function */
  uint32_t function;
  const char *name;
  uint32_t constant;
  uint8_t sources[6]; /* further parameters are null */
};

#define SYCLZE__UR_ROW(traced, function, constant, ...)                                            \
  {                                                                                                \
    SYCLZE__TRACE_##traced, SYCLZE__UR(function), constant, {                                      \
      __VA_ARGS__                                                                                  \
    }                                                                                              \
  }

SYCLZE_LOCAL const struct syclze__ur_row *syclze__ur_row_of(uint32_t traced) {
  enum { C = SYCLZE__UR_CONSTANT, V = SYCLZE__UR_VALUE, S = SYCLZE__UR_SIZES };
  enum { E = SYCLZE__UR_EXTERNAL, R = SYCLZE__UR_REGION };
  /* Constants are: for queries, properties (the type, a PCI address, free memory, the indices of
   * queues; the number of arguments, the attributes; the least granularity); for ranges, the number
   * of dimensions; for buffers and mapped memory, read-write flags. */
  static const struct syclze__ur_row rows[] = {
      SYCLZE__UR_ROW(DEVICE_INFO, urDeviceGetInfo, 0, V, C),
      SYCLZE__UR_ROW(DEVICE_PCI_ADDRESS, urDeviceGetInfo, 89, V, C),
      SYCLZE__UR_ROW(DEVICE_FREE_MEMORY, urDeviceGetInfo, 47, V, C),
      SYCLZE__UR_ROW(DEVICE_QUEUE_GROUPS, urDeviceGetInfo, 105, V, C),
      SYCLZE__UR_ROW(DEVICE_PEER, urUsmP2PPeerAccessGetInfoExp, 0, V, V + 1, C),
      SYCLZE__UR_ROW(KERNEL_PROPERTIES, urKernelGetInfo, 1, V, C),
      SYCLZE__UR_ROW(KERNEL_ATTRIBUTES, urKernelGetInfo, 5, V, C),
      SYCLZE__UR_ROW(KERNEL_GROUP_SIZE, urKernelGetSuggestedLocalWorkSize, 3, V, 0, C, 0, S + 1),
      SYCLZE__UR_ROW(
          KERNEL_GROUP_COUNT, urKernelSuggestMaxCooperativeGroupCount, 3, V, 0, C, S + 1, 0, V + 2),
      SYCLZE__UR_ROW(USM_INFO, urUSMGetMemAllocInfo, 0, V, V + 1, C),
      SYCLZE__UR_ROW(BUFFER_CREATE, urMemBufferCreate, 1, V, C, V + 1, 0, V + 2),
      SYCLZE__UR_ROW(BUFFER_SUB, urMemBufferPartition, 1, V, C, 0, R + 1, V + 3),
      SYCLZE__UR_ROW(BUFFER_READ, urEnqueueMemBufferRead, 1, 0, V, C, V + 1, V + 2, V + 3),
      SYCLZE__UR_ROW(BUFFER_WRITE, urEnqueueMemBufferWrite, 1, 0, V, C, V + 1, V + 2, V + 3),
      SYCLZE__UR_ROW(IPC_MEMORY_GET, urIPCGetMemHandleExp, 0, V, V + 1, V + 2),
      SYCLZE__UR_ROW(IPC_MEMORY_PUT, urIPCPutMemHandleExp, 0, V, V + 1),
      SYCLZE__UR_ROW(IPC_MEMORY_OPEN, urIPCOpenMemHandleExp, 0, V, V + 1, V + 2, V + 3, V + 4),
      SYCLZE__UR_ROW(IPC_MEMORY_CLOSE, urIPCCloseMemHandleExp, 0, V, V + 1),
      SYCLZE__UR_ROW(IPC_EVENTS_GET, urIPCGetEventHandleExp, 0, 0, V),
      SYCLZE__UR_ROW(IPC_EVENTS_PUT, urIPCPutEventHandleExp, 0, V, V + 1),
      SYCLZE__UR_ROW(IPC_EVENTS_OPEN, urIPCOpenEventHandleExp, 0, V, V + 1, V + 2, V + 3),
      SYCLZE__UR_ROW(
          VIRTUAL_GRANULARITY, urVirtualMemGranularityGetInfo, 0x30100, V, V + 1, V + 2, C),
      SYCLZE__UR_ROW(VIRTUAL_RESERVE, urVirtualMemReserve, 0, V, 0, V + 1, V + 2),
      SYCLZE__UR_ROW(VIRTUAL_MAP, urVirtualMemMap, 2, V, V + 1, V + 2, V + 3, 0, C),
      SYCLZE__UR_ROW(VIRTUAL_UNMAP, urVirtualMemUnmap, 0, V, V + 1, V + 2),
      SYCLZE__UR_ROW(VIRTUAL_FREE, urVirtualMemFree, 0, V, V + 1, V + 2),
      SYCLZE__UR_ROW(PHYSICAL_CREATE, urPhysicalMemCreate, 0, V, V + 1, V + 2, 0, V + 3),
      SYCLZE__UR_ROW(PHYSICAL_RELEASE, urPhysicalMemRelease, 0, V),
      SYCLZE__UR_ROW(
          GLOBAL_POINTER, urProgramGetGlobalVariablePointer, 0, 0, V, V + 1, V + 2, V + 3),
      SYCLZE__UR_ROW(EXTERNAL_SUPPORT, urBindlessImagesSupportsImportingHandleTypeExp, 0, V, C),
      SYCLZE__UR_ROW(EXTERNAL_ALLOCATE, urMemoryExportAllocExportableMemoryExp, 0, V, V + 1, 0,
          V + 2, E + 3, V + 4),
      SYCLZE__UR_ROW(
          EXTERNAL_EXPORT, urMemoryExportExportMemoryHandleExp, 0, V, 0, E + 1, V + 2, V + 3),
      SYCLZE__UR_ROW(EXTERNAL_IMPORT, urBindlessImagesImportExternalMemoryExp, 0, V, V + 1, V + 2,
          E + 3, 0, V + 4),
      SYCLZE__UR_ROW(HOST_REGISTER, urUSMHostAllocRegisterExp, 0, V, V + 1, V + 2),
      SYCLZE__UR_ROW(HOST_UNREGISTER, urUSMHostAllocUnregisterExp, 0, V, V + 1),
      SYCLZE__UR_ROW(GRAPH_INSTANTIATE, urCommandBufferCreateExp, 0, V, V + 1, 0, V + 2),
      SYCLZE__UR_ROW(GRAPH_FINALIZE, urCommandBufferFinalizeExp, 0, V),
      SYCLZE__UR_ROW(GRAPH_RETAIN, urCommandBufferRetainExp, 0, V),
      SYCLZE__UR_ROW(GRAPH_RELEASE, urCommandBufferReleaseExp, 0, V)};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    if (rows[i].traced == traced) return &rows[i];
  return NULL;
}
#undef SYCLZE__UR_ROW

struct syclze__xpti_call {
  struct syclze__trace_call base; /* first */
  struct syclze__ur_call call;
  struct syclze__ur_enqueue parameters;
  struct syclze__ur_buffer_region region;
  struct syclze__ur_new_launch *launch; /* of an update; null for others */
};

SYCLZE_LOCAL uint64_t syclze__ur_parameter(struct syclze__xpti_call *call,
    const struct syclze__ur_row *row, uint8_t source, const uint64_t *values) {
  const uint64_t *value = &values[source & 15];
  const uint32_t *sizes;
  switch (source & ~15) {
  case SYCLZE__UR_VALUE:
    return *value;
  case SYCLZE__UR_SIZES:
    sizes = (const uint32_t *)(uintptr_t)*value;
    if (sizes == NULL) return 0;
    for (uint32_t i = 0; i < 3; i++)
      call->parameters.sizes[i] = sizes[i];
    return SYCLZE__WORD(call->parameters.sizes);
  case SYCLZE__UR_EXTERNAL: /* ur_exp_external_mem_type_t */
    return *value == ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF ? 3 : 0;
  case SYCLZE__UR_REGION:
    call->region.type = SYCLZE__UR_BUFFER_REGION;
    call->region.origin = (size_t)value[0];
    call->region.size = (size_t)value[1];
    return SYCLZE__WORD(&call->region);
  default:
    return source == SYCLZE__UR_CONSTANT ? row->constant : 0;
  }
}

SYCLZE_LOCAL void syclze__xpti_row_begin(struct syclze__xpti *xpti, struct syclze__xpti_call *call,
    const struct syclze__ur_row *row, const uint64_t *values) {
  if (!syclze__ur_call_open(xpti, &call->call, (enum syclze__ur_function)row->function, row->name))
    return;
  for (uint32_t i = 0; i < sizeof row->sources; i++)
    call->parameters.values[i] = syclze__ur_parameter(call, row, row->sources[i], values);
  syclze__ur_call_fill(&call->call, call->parameters.values, sizeof row->sources);
}

/* Begins the call that appends a node of a graph: a launch, a copy or fill of memory, or else a
 * native command. */
SYCLZE_LOCAL void syclze__xpti_append_begin(struct syclze__xpti *xpti,
    struct syclze__xpti_call *call, uint64_t graph,
    const struct syclze__trace_command_info *command) {
  const struct syclze__trace_transfer_info *transfer = command->transfer;
  struct syclze__ur_enqueue *parameters = &call->parameters;
  uint64_t *values = parameters->values;
  values[0] = graph;
  if (command->kernel != NULL) {
    if (syclze__ur_call_open(
            xpti, &call->call, SYCLZE__UR(urCommandBufferAppendKernelLaunchWithArgsExp)))
      syclze__xpti_launch_values(parameters, command);
  } else if (transfer != NULL && transfer->kind == SYCLZE__TRACE_COPY) {
    syclze__ur_call_open(xpti, &call->call, SYCLZE__UR(urCommandBufferAppendUSMMemcpyExp));
    values[1] = SYCLZE__WORD(transfer->to.native);
    values[2] = SYCLZE__WORD(transfer->from.native);
    values[3] = transfer->size;
  } else if (transfer != NULL && transfer->kind == SYCLZE__TRACE_FILL) {
    syclze__ur_call_open(xpti, &call->call, SYCLZE__UR(urCommandBufferAppendUSMFillExp));
    values[1] = SYCLZE__WORD(transfer->to.native);
    values[2] = SYCLZE__WORD(transfer->value);
    values[3] = transfer->value_size;
    values[4] = transfer->size;
  } else
    syclze__ur_call_open(xpti, &call->call, SYCLZE__UR(urCommandBufferAppendNativeCommandExp));
  syclze__ur_call_fill(&call->call, values, SYCLZE__UR_ARGUMENTS);
}

/* Begins an update of one launch. */
SYCLZE_LOCAL void syclze__xpti_update_begin(
    struct syclze__xpti *xpti, struct syclze__xpti_call *call, const uint64_t *values) {
  if (!syclze__ur_call_open(xpti, &call->call, SYCLZE__UR(urCommandBufferUpdateKernelLaunchExp)))
    return;
  call->launch =
      syclze__ur_new_launch_create((const struct syclze__trace_command_info *)(uintptr_t)values[1],
          (const void *)(uintptr_t)values[2]);
  if (call->launch == NULL) {
    syclze__ur_call_cancel(&call->call);
    return;
  }
  call->parameters.values[0] = values[0];
  call->parameters.values[1] = 1;
  call->parameters.values[2] = SYCLZE__WORD(call->launch);
  syclze__ur_call_fill(&call->call, call->parameters.values, 3);
}

SYCLZE_LOCAL struct syclze__trace_call *syclze__xpti_call_begin(
    uint32_t function, const uint64_t *values) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  const struct syclze__ur_row *row = syclze__ur_row_of(function);
  if (xpti == NULL) return NULL;
  struct syclze__xpti_call *call = (struct syclze__xpti_call *)calloc(1, sizeof *call);
  if (call == NULL) return NULL;
  call->base.table = SYCLZE__STATE.xpti_calls;
  if (row != NULL)
    syclze__xpti_row_begin(xpti, call, row, values);
  else if (function == SYCLZE__TRACE_GRAPH_UPDATE)
    syclze__xpti_update_begin(xpti, call, values);
  else
    syclze__xpti_append_begin(
        xpti, call, values[0], (const struct syclze__trace_command_info *)(uintptr_t)values[1]);
  syclze__ur_call_begin(xpti, &call->call);
  return &call->base;
}

SYCLZE_LOCAL void syclze__xpti_call_end(struct syclze__trace_call *base, ze_result_t result) {
  struct syclze__xpti_call *call = (struct syclze__xpti_call *)(void *)base;
  syclze__ur_call_finish(&call->call, result);
  free(call->launch);
  free(call);
}

SYCLZE_EXTERN_C_END

#endif

#endif
