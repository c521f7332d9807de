/* Trace points: what objects and command groups say, and where.
 *
 * Off, a point is one relaxed load of SYCLZE__STATE.trace_off and one branch; all else is out of
 * line. The flag is zero, for on, until the first point has looked at the environment (xpti.h), and
 * while there is a listener (listen.h).
 * Objects and command groups know this file and nothing else of tracing. With
 * XPTI_ENABLE_INSTRUMENTATION defined as 0 there are no points. */
#ifndef SYCLZE_TRACE_POINT_H
#define SYCLZE_TRACE_POINT_H

#include "state.h"

#if XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__TRACING()                                                                          \
  SYCLZE__UNLIKELY(__atomic_load_n(&SYCLZE__STATE.trace_off, __ATOMIC_RELAXED) == 0)
/* A call of syclze__trace_..., without the prefix. */
#define SYCLZE__TRACE(call)                                                                        \
  do {                                                                                             \
    if (SYCLZE__TRACING()) syclze__trace_##call;                                                   \
  } while (0)
/* Defines syclze_name: syclze__name_impl, or where there is tracing its twin, syclze__traced_name.
 * A jump to the twin costs other calls nothing but the branch; a call that came back would cost
 * registers. */
#define SYCLZE__TELL_BY_TWIN(storage, name, parameters, arguments)                                 \
  storage ze_result_t syclze_##name parameters {                                                   \
    if (SYCLZE__TRACING()) return syclze__traced_##name arguments;                                 \
    return syclze__##name##_impl arguments;                                                        \
  }                                                                                                \
  struct syclze__ur_call
#define SYCLZE__TELL_BY_COPY(storage, name, parameters, arguments, copies, noun, variable)         \
  storage ze_result_t syclze_##name parameters {                                                   \
    if (SYCLZE__TRACING() && input != NULL && variable != NULL) {                                  \
      const syclze_##noun##_input given = *input;                                                  \
      syclze_##noun created;                                                                       \
      const ze_result_t result = syclze__traced_##name copies;                                     \
      *variable = created;                                                                         \
      return result;                                                                               \
    }                                                                                              \
    return syclze__##name##_impl arguments;                                                        \
  }                                                                                                \
  struct syclze__ur_call
/* A twin that tells of the call (ur_call.h): as a function of the runtime interface, with the
 * values that it would be given. What was made is told by `made`. */
#define SYCLZE__TWIN(name, parameters, arguments, made, ur_function, ...)                          \
  SYCLZE_COLD ze_result_t syclze__traced_##name parameters SYCLZE_LINK_NAME(                       \
      syclze__traced_##name);                                                                      \
  SYCLZE_COLD ze_result_t syclze__traced_##name parameters {                                       \
    const uint64_t values[] = {__VA_ARGS__};                                                       \
    struct syclze__ur_call told;                                                                   \
    syclze__trace_call_begin(                                                                      \
        &told, SYCLZE__UR(ur_function), values, (uint32_t)(sizeof values / sizeof *values));       \
    const ze_result_t result = syclze__##name##_impl arguments;                                    \
    if (result == ZE_RESULT_SUCCESS) made;                                                         \
    return syclze__trace_call_end(&told, result);                                                  \
  }                                                                                                \
  struct syclze__ur_call
#else
#define SYCLZE__TRACING() false
#define SYCLZE__TRACE(call)                                                                        \
  do {                                                                                             \
  } while (0)
#define SYCLZE__TELL_BY_TWIN(storage, name, parameters, arguments)                                 \
  storage ze_result_t syclze_##name parameters {                                                   \
    return syclze__##name##_impl arguments;                                                        \
  }                                                                                                \
  struct syclze__ur_call
#define SYCLZE__TELL_BY_COPY(storage, name, parameters, arguments, copies, noun, variable)         \
  SYCLZE__TELL_BY_TWIN(storage, name, parameters, arguments)
#define SYCLZE__TWIN(name, parameters, arguments, made, ur_function, ...) struct syclze__ur_call
#endif
#define SYCLZE__TELL_AS(storage, name, parameters, arguments, ...)                                 \
  SYCLZE__TWIN(name, parameters, arguments, (void)0, __VA_ARGS__);                                 \
  SYCLZE__TELL_BY_TWIN(storage, name, parameters, arguments)
/* Of a make, whose twin is given copies, `given` and `created`: what it could change would have to
 * be in memory where nothing is told, too. Calls that have no input or result are not told. */
#define SYCLZE__TELL_MAKE(storage, name, parameters, arguments, copies, noun, variable, made, ...) \
  SYCLZE__TWIN(name, parameters, arguments, made, __VA_ARGS__);                                    \
  SYCLZE__TELL_BY_COPY(storage, name, parameters, arguments, copies, noun, variable)
/* In a getter of a native handle, which else is a load and nothing more. */
#if defined(SYCLZE_TRACE_GET_NATIVE) && SYCLZE_TRACE_GET_NATIVE
#define SYCLZE__TRACE_GET(ur_function, object) SYCLZE__TRACE(call(SYCLZE__UR(ur_function), object))
#else
#define SYCLZE__TRACE_GET(ur_function, object) (void)0
#endif
/* A pointer as one of the values of SYCLZE__TWIN. */
#define SYCLZE__WORD(pointer) ((uint64_t)(uintptr_t)(pointer))
/* A function of the runtime interface: its number and its name. */
#define SYCLZE__UR(function) SYCLZE__UR_##function, #function

/* Leaves the place of a call to its thread's next point: a store, always, as a branch would cost
 * more. */
#ifndef SYCLZE_INSTRUMENTATION_METADATA
#define SYCLZE_INSTRUMENTATION_METADATA 1
#endif
#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE_INSTRUMENTATION_METADATA
#define SYCLZE__TRACE_HERE()                                                                       \
  ((void)(SYCLZE__TRACE_PLACE = __extension__({                                                    \
    static const struct syclze__trace_place syclze__place = {__func__, __FILE__, __LINE__};        \
    &syclze__place;                                                                                \
  })))
#else
#define SYCLZE__TRACE_HERE() ((void)0)
#endif

SYCLZE_EXTERN_C_BEGIN

/* A place in the program. */
struct syclze__trace_place {
  const char *function, *file;
  uint32_t line;
};

struct syclze__trace_kernel_info;
struct syclze__trace_transfer_info;

/* Of a thread's next point. */
struct syclze__trace_next {
  const struct syclze__trace_place *place;            /* null where that is not known */
  const struct syclze__trace_kernel_info *kernel;     /* that its command runs; null for none */
  const struct syclze__trace_transfer_info *transfer; /* that its command is; null for none */
};

#if XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__TRACE_NEXT SYCLZE__TRACE_NEXT_(SYCLZE_ABI)
#define SYCLZE__TRACE_NEXT_(abi) SYCLZE__TRACE_NEXT__(abi)
#define SYCLZE__TRACE_NEXT__(abi) syclze__trace_next_v##abi
__attribute__((weak, visibility("hidden"),
    tls_model("initial-exec"))) __thread struct syclze__trace_next SYCLZE__TRACE_NEXT;
#define SYCLZE__TRACE_PLACE SYCLZE__TRACE_NEXT.place
#endif

/* The runtime interface's functions that ours stand for, by its numbers. */
enum syclze__ur_function {
  SYCLZE__UR_urContextRetain = 2,
  SYCLZE__UR_urContextRelease = 3,
  SYCLZE__UR_urContextGetNativeHandle = 5,
  SYCLZE__UR_urContextCreateWithNativeHandle = 6,
  SYCLZE__UR_urDeviceGetNativeHandle = 14,
  SYCLZE__UR_urDeviceCreateWithNativeHandle = 15,
  SYCLZE__UR_urEnqueueKernelLaunch = 17,
  SYCLZE__UR_urEnqueueEventsWaitWithBarrier = 19,
  SYCLZE__UR_urEnqueueMemImageRead = 27,
  SYCLZE__UR_urEnqueueMemImageWrite = 28,
  SYCLZE__UR_urEnqueueMemImageCopy = 29,
  SYCLZE__UR_urEnqueueUSMFill = 32,
  SYCLZE__UR_urEnqueueUSMMemcpy = 33,
  SYCLZE__UR_urEnqueueUSMPrefetch = 34,
  SYCLZE__UR_urEnqueueUSMAdvise = 35,
  SYCLZE__UR_urEventWait = 42,
  SYCLZE__UR_urEventRetain = 43,
  SYCLZE__UR_urEventRelease = 44,
  SYCLZE__UR_urEventGetNativeHandle = 45,
  SYCLZE__UR_urEventCreateWithNativeHandle = 46,
  SYCLZE__UR_urKernelRetain = 54,
  SYCLZE__UR_urKernelRelease = 55,
  SYCLZE__UR_urKernelGetNativeHandle = 61,
  SYCLZE__UR_urKernelCreateWithNativeHandle = 62,
  SYCLZE__UR_urMemRetain = 65,
  SYCLZE__UR_urMemRelease = 66,
  SYCLZE__UR_urMemGetNativeHandle = 68,
  SYCLZE__UR_urPlatformGetNativeHandle = 75,
  SYCLZE__UR_urPlatformCreateWithNativeHandle = 76,
  SYCLZE__UR_urProgramRetain = 83,
  SYCLZE__UR_urProgramRelease = 84,
  SYCLZE__UR_urProgramGetNativeHandle = 89,
  SYCLZE__UR_urProgramCreateWithNativeHandle = 90,
  SYCLZE__UR_urQueueCreate = 92,
  SYCLZE__UR_urQueueRetain = 93,
  SYCLZE__UR_urQueueRelease = 94,
  SYCLZE__UR_urQueueGetNativeHandle = 95,
  SYCLZE__UR_urQueueCreateWithNativeHandle = 96,
  SYCLZE__UR_urQueueFinish = 97,
  SYCLZE__UR_urQueueFlush = 98,
  SYCLZE__UR_urUSMHostAlloc = 107,
  SYCLZE__UR_urUSMDeviceAlloc = 108,
  SYCLZE__UR_urUSMSharedAlloc = 109,
  SYCLZE__UR_urUSMFree = 110,
  SYCLZE__UR_urMemBufferCreateWithNativeHandle = 115,
  SYCLZE__UR_urMemImageCreateWithNativeHandle = 116,
  SYCLZE__UR_urEnqueueNativeCommandExp = 228
};

enum { SYCLZE__UR_ARGUMENTS = 9 };

/* A call between its begin and its end. */
struct syclze__ur_call {
  uint64_t instances[2]; /* on ur.call and ur.call.debug; 0 where nothing was told */
  uint32_t function;
  const char *name;
  uint64_t values[SYCLZE__UR_ARGUMENTS];
  const void *arguments[SYCLZE__UR_ARGUMENTS]; /* a ur_..._params_t: where the values are */
};

struct syclze__trace_node; /* of a command that is told */

#if XPTI_ENABLE_INSTRUMENTATION

struct syclze__trace_queue_info {
  const void *object; /* of the library */
  const void *native; /* the command queue or list */
  ze_context_handle_t context;
  ze_device_handle_t device;
  bool in_order;
};

/* What a command does with memory. Of a place that is no accessor the object is null. */
struct syclze__trace_transfer_info {
  enum syclze__ur_function function;
  const char *name;
  const void *to, *from; /* bytes or images; null for none */
  const void *value;     /* that memory is filled with; null for none */
  size_t size, value_size;
  const void *object;       /* of the accessor that is written, or else read */
  const void *object_bytes; /* where its memory begins; null for an image */
};

/* xpti::offload_kernel_arg_data_t, with SYCL's kinds of parameters. */
struct syclze__trace_argument_info {
  int32_t kind; /* 0 accessor or local memory, 1 bytes by value */
  int32_t unused;
  const void *value;
  int32_t size, index;
};

enum { SYCLZE__TRACE_ARGUMENTS = 16 };

struct syclze__trace_kernel_info {
  ze_kernel_handle_t native;
  const void *object;
  uint64_t *known;     /* the traces' own word for it; 0 at the start */
  size_t sizes[10];    /* xpti::offload_kernel_enqueue_data_t: global, local, offset; arguments */
  uint32_t dimensions; /* 0: as many as are not 0 */
  struct syclze__trace_argument_info arguments[SYCLZE__TRACE_ARGUMENTS]; /* the first ones */
};

struct syclze__trace_command_info {
  const char *function; /* that submits it */
  const void *group;
  const void *queue;  /* of the library */
  const void *native; /* the command queue or list */
  ze_device_handle_t device;
  ze_context_handle_t context;
  const ze_event_handle_t *waits;
  uint32_t wait_count;
  ze_event_handle_t signal; /* null for none */
  bool is_host;             /* a host task: begins later */
  bool is_barrier;
  const char *type; /* of the node; null for that of a group or, if that is told, a transfer */
};

struct syclze__trace_memory_info {
  const void *object; /* of the library */
  const void *native; /* the allocation or the image */
  const size_t *range;
  uint32_t dimensions, element_size, format;
  bool is_image;
};

/* Memory that the library takes for a memory object, or gives back. */
struct syclze__trace_storage_info {
  bool is_freed;
  bool is_image;
  const void *object; /* of the library */
  const void *native;
  const void *queue; /* of the library, for whose command it is; null for none */
  ze_context_handle_t context;
  ze_device_handle_t device; /* where the memory itself does not know */
};

/* On ur.call. `values` are the function's own parameters; at most SYCLZE__UR_ARGUMENTS. */
SYCLZE_COLD void syclze__trace_call_begin(struct syclze__ur_call *call,
    enum syclze__ur_function function, const char *name, const uint64_t *values, uint32_t count)
    SYCLZE_LINK_NAME(syclze__trace_call_begin);
SYCLZE_COLD ze_result_t syclze__trace_call_end(struct syclze__ur_call *call, ze_result_t result)
    SYCLZE_LINK_NAME(syclze__trace_call_end);
/* Begin and end of what neither fails nor calls anything: of one object. */
SYCLZE_COLD void syclze__trace_call(enum syclze__ur_function function, const char *name,
    const void *object) SYCLZE_LINK_NAME(syclze__trace_call);

SYCLZE_COLD void syclze__trace_queue_create(const struct syclze__trace_queue_info *queue)
    SYCLZE_LINK_NAME(syclze__trace_queue_create);
SYCLZE_COLD void syclze__trace_queue_destroy(const void *queue)
    SYCLZE_LINK_NAME(syclze__trace_queue_destroy);

/* The next command of this thread runs this kernel, or does this with memory. What they point to
 * must live until it is told. */
SYCLZE_INLINE void syclze__trace_kernel(const struct syclze__trace_kernel_info *kernel) {
  SYCLZE__TRACE_NEXT.kernel = kernel;
}
SYCLZE_INLINE void syclze__trace_transfer(const struct syclze__trace_transfer_info *transfer) {
  SYCLZE__TRACE_NEXT.transfer = transfer;
}
/* There is no such command: its submission was refused. */
SYCLZE_COLD void syclze__trace_discard(void) SYCLZE_LINK_NAME(syclze__trace_discard);
/* The next command of this thread waits for these events because of an access to the object. */
SYCLZE_COLD void syclze__trace_reason(const ze_event_handle_t *events, uint32_t count,
    const void *object, uint32_t mode) SYCLZE_LINK_NAME(syclze__trace_reason);

/* A command is submitted. Its task begins, unless it is a host task. Null where nothing is told. */
SYCLZE_WARM struct syclze__trace_node *syclze__trace_submit(
    const struct syclze__trace_command_info *command) SYCLZE_LINK_NAME(syclze__trace_submit);
/* A command that is no host task is submitted now; with `over` its submission is, too. `node` is
 * not null. */
SYCLZE_WARM void syclze__trace_command_end(struct syclze__trace_node *node, ze_result_t result,
    bool over) SYCLZE_LINK_NAME(syclze__trace_command_end);
/* The submission of any command is over. */
SYCLZE_COLD void syclze__trace_submitted(void) SYCLZE_LINK_NAME(syclze__trace_submitted);
/* A host task runs. */
SYCLZE_COLD void syclze__trace_host_begin(struct syclze__trace_node *node)
    SYCLZE_LINK_NAME(syclze__trace_host_begin);
/* It has run, or never will. `node` is not null. */
SYCLZE_COLD void syclze__trace_host_end(struct syclze__trace_node *node, bool ran)
    SYCLZE_LINK_NAME(syclze__trace_host_end);
/* Memory is taken or given back: a task, begun. Null where nothing is told; else it is ended as a
 * host task is. */
SYCLZE_COLD struct syclze__trace_node *syclze__trace_storage(
    const struct syclze__trace_storage_info *storage) SYCLZE_LINK_NAME(syclze__trace_storage);

/* Waiting for an event, or with a null `signal` for a queue. The begin's answer is the end's. */
SYCLZE_COLD void *syclze__trace_wait_begin(const void *object, ze_device_handle_t device,
    ze_event_handle_t signal) SYCLZE_LINK_NAME(syclze__trace_wait_begin);
SYCLZE_COLD void syclze__trace_wait_end(void *wait, const void *object)
    SYCLZE_LINK_NAME(syclze__trace_wait_end);

/* Told when the object is made, with its association, and when it goes: only of objects whose
 * making was told. */
SYCLZE_COLD void syclze__trace_memory_make(const struct syclze__trace_memory_info *memory)
    SYCLZE_LINK_NAME(syclze__trace_memory_make);
SYCLZE_COLD void syclze__trace_memory_end(const void *object, const void *native, bool is_image)
    SYCLZE_LINK_NAME(syclze__trace_memory_end);
/* Whether anybody wants to be told of accessors. */
SYCLZE_COLD bool syclze__trace_accesses(void) SYCLZE_LINK_NAME(syclze__trace_accesses);
/* `pixel_size` is that of an image; 0 for a buffer. */
SYCLZE_COLD void syclze__trace_access(const void *object, const void *accessor, uint32_t mode,
    size_t pixel_size) SYCLZE_LINK_NAME(syclze__trace_access);

/* Allocations. The begins give the instance, 0 where nothing is told. `pointer` is null where none
 * was allocated. */
SYCLZE_COLD uint64_t syclze__trace_alloc_begin(size_t size)
    SYCLZE_LINK_NAME(syclze__trace_alloc_begin);
SYCLZE_COLD void syclze__trace_alloc_end(uint64_t instance, const void *pointer, size_t size)
    SYCLZE_LINK_NAME(syclze__trace_alloc_end);
SYCLZE_COLD uint64_t syclze__trace_free_begin(const void *pointer)
    SYCLZE_LINK_NAME(syclze__trace_free_begin);
SYCLZE_COLD void syclze__trace_free_end(uint64_t instance, const void *pointer)
    SYCLZE_LINK_NAME(syclze__trace_free_end);

#endif

SYCLZE_EXTERN_C_END

#endif
