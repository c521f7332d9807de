/* Trace points of public functions without a member in the table of calls (trace_hooks.h): all are
 * out of line, and spend their time in Level Zero. A point encloses what is one call of the runtime
 * interface, with the values of its parameters in the order of the enumeration's remarks; objects
 * are the library's. */
#ifndef SYCLZE_DETAIL_TRACE_CALL_H
#define SYCLZE_DETAIL_TRACE_CALL_H

#include "trace_hooks.h"

SYCLZE_EXTERN_C_BEGIN

enum syclze__trace_function {
  SYCLZE__TRACE_DEVICE_INFO,         /* device */
  SYCLZE__TRACE_DEVICE_PCI_ADDRESS,  /* device */
  SYCLZE__TRACE_DEVICE_FREE_MEMORY,  /* device, result */
  SYCLZE__TRACE_DEVICE_QUEUE_GROUPS, /* device */
  SYCLZE__TRACE_DEVICE_PEER,         /* device, peer */
  SYCLZE__TRACE_KERNEL_PROPERTIES,   /* kernel */
  SYCLZE__TRACE_KERNEL_ATTRIBUTES,   /* kernel */
  SYCLZE__TRACE_KERNEL_GROUP_SIZE,   /* kernel, global range: uint32_t[3] or null */
  SYCLZE__TRACE_KERNEL_GROUP_COUNT,  /* kernel, local range: the same, result */
  SYCLZE__TRACE_USM_INFO,            /* context, pointer */
  SYCLZE__TRACE_BUFFER_CREATE,       /* context, size, result */
  SYCLZE__TRACE_BUFFER_SUB,          /* buffer, offset, size, result */
  SYCLZE__TRACE_BUFFER_READ,         /* buffer, offset, size, pointer of the host */
  SYCLZE__TRACE_BUFFER_WRITE,        /* the same */
  SYCLZE__TRACE_IPC_MEMORY_GET,      /* context, pointer, result */
  SYCLZE__TRACE_IPC_MEMORY_PUT,      /* context, handle */
  SYCLZE__TRACE_IPC_MEMORY_OPEN,     /* context, device, handle, its size, result */
  SYCLZE__TRACE_IPC_MEMORY_CLOSE,    /* context, pointer */
  SYCLZE__TRACE_IPC_EVENTS_GET,      /* result */
  SYCLZE__TRACE_IPC_EVENTS_PUT,      /* context, handle */
  SYCLZE__TRACE_IPC_EVENTS_OPEN,     /* context, handle, its size, result */
  SYCLZE__TRACE_VIRTUAL_GRANULARITY, /* context, device, size */
  SYCLZE__TRACE_VIRTUAL_RESERVE,     /* context, size, result */
  SYCLZE__TRACE_VIRTUAL_MAP,         /* context, pointer, size, physical memory */
  SYCLZE__TRACE_VIRTUAL_UNMAP,       /* context, pointer, size */
  SYCLZE__TRACE_VIRTUAL_FREE,        /* context, pointer, size */
  SYCLZE__TRACE_PHYSICAL_CREATE,     /* context, device, size, result */
  SYCLZE__TRACE_PHYSICAL_RELEASE,    /* physical memory */
  SYCLZE__TRACE_GLOBAL_POINTER,      /* bundle, name, size's result, result */
  SYCLZE__TRACE_EXTERNAL_SUPPORT,    /* device */
  SYCLZE__TRACE_EXTERNAL_ALLOCATE,   /* context, device, size, Level Zero's type, result */
  SYCLZE__TRACE_EXTERNAL_EXPORT,     /* context, type, pointer, result */
  SYCLZE__TRACE_EXTERNAL_IMPORT,     /* context, device, size, type, result */
  SYCLZE__TRACE_HOST_REGISTER,       /* context, pointer, size */
  SYCLZE__TRACE_HOST_UNREGISTER,     /* context, pointer */
  SYCLZE__TRACE_GRAPH_INSTANTIATE,   /* context, device, result */
  SYCLZE__TRACE_GRAPH_APPEND,        /* executable graph, a struct syclze__trace_command_info */
  SYCLZE__TRACE_GRAPH_FINALIZE,      /* executable graph */
  SYCLZE__TRACE_GRAPH_RETAIN,        /* executable graph */
  SYCLZE__TRACE_GRAPH_RELEASE,       /* executable graph */
  SYCLZE__TRACE_GRAPH_UPDATE         /* as an append, and the command's handle */
};

#if XPTI_ENABLE_INSTRUMENTATION

/* Begins a call, whose values live until its end; null if it is not traced. */
SYCLZE_INLINE struct syclze__trace_call *syclze__trace_call_begin(
    enum syclze__trace_function function, const uint64_t *values) {
  const struct syclze__trace_calls *calls = syclze__traced_calls();
  return SYCLZE__LIKELY(calls == NULL) ? NULL : calls->call_begin((uint32_t)function, values);
}

SYCLZE_INLINE ze_result_t syclze__trace_call_end(
    struct syclze__trace_call *call, ze_result_t result) {
  if (SYCLZE__UNLIKELY(call != NULL)) call->table->call_end(call, result);
  return result;
}

/* Begins the call `name` of a function with its values, as pointers or sizes by SYCLZE__WORD. */
#define SYCLZE__TRACE_CALL(name, function, ...)                                                    \
  const uint64_t name##_values[] = {__VA_ARGS__};                                                  \
  struct syclze__trace_call *const name =                                                          \
      syclze__trace_call_begin(SYCLZE__TRACE_##function, name##_values)
/* Ends the call, and returns its result. */
#define SYCLZE__TRACE_RESULT(name, result) syclze__trace_call_end(name, result)

#else

#define SYCLZE__TRACE_CALL(name, function, ...) (void)0
#define SYCLZE__TRACE_RESULT(name, result) (result)

#endif

SYCLZE_EXTERN_C_END

#endif
