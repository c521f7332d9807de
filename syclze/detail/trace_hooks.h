/* Trace points of objects and command groups: two tables of callbacks in the state, null by
 * default.
 *
 * A point is one load of its table's pointer and one branch; everything else is out of line. Tables
 * are installed by trace/xpti.h and trace/writer.h, which a program includes by name in one file;
 * objects and command groups include this file and nothing else of tracing. Installed tables and
 * their callbacks stay valid until the image is unloaded, also after they were removed. With
 * XPTI_ENABLE_INSTRUMENTATION defined as 0 there are no points. */
#ifndef SYCLZE_TRACE_HOOKS_H
#define SYCLZE_TRACE_HOOKS_H

#include "../kinds.h"
#include "state.h"

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE__DECLARE_KIND(kind, ...) struct syclze_##kind;
SYCLZE__KINDS(SYCLZE__DECLARE_KIND, 0)
#undef SYCLZE__DECLARE_KIND
#define SYCLZE__DECLARE_KIND(kind, ...) struct syclze_##kind##_input;
SYCLZE__COUNTED_KINDS(SYCLZE__DECLARE_KIND, 0)
#undef SYCLZE__DECLARE_KIND
struct syclze_property_list;
struct syclze_kernel_bundle_desc;
struct syclze_sampler_desc;
struct syclze__ref;
struct syclze__device;
struct syclze__context;

/* A pointer or a handle as a number. */
#define SYCLZE__WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

struct syclze__trace_calls;

/* A traced call (trace_call.h): the first member of the callbacks' own struct. */
struct syclze__trace_call {
  const struct syclze__trace_calls *table;
};

/* Traced public functions, each called instead of the function's own body and with its signature.
 * No member is null. A callback does the function's work by calling its `_impl`. */
struct syclze__trace_calls {
  ze_result_t (*make_platform)(ze_driver_handle_t driver, struct syclze_platform *platform);
  ze_result_t (*make_device)(ze_device_handle_t handle, struct syclze_device *device);

  ze_result_t (*make_context)(
      const struct syclze_context_input *input, struct syclze_context *context);
  ze_result_t (*context_create)(const struct syclze_device *device_list, uint32_t device_count,
      struct syclze_context *context);

  ze_result_t (*make_queue)(const struct syclze_queue_input *input, struct syclze_context context,
      struct syclze_queue *queue);
  ze_result_t (*queue_create)(struct syclze_context context, struct syclze_device device,
      const struct syclze_property_list *properties, struct syclze_queue *queue);
  ze_result_t (*queue_wait)(struct syclze_queue queue);
  ze_result_t (*queue_flush)(struct syclze_queue queue);
  ze_result_t (*queue_is_empty)(struct syclze_queue queue, bool *empty);

  ze_result_t (*make_event)(const struct syclze_event_input *input, struct syclze_context context,
      struct syclze_event *event);
  ze_result_t (*event_wait)(struct syclze_event event);
  /* `status` is a syclze_event_status. */
  ze_result_t (*event_get_status)(struct syclze_event event, void *status);

  ze_result_t (*make_kernel_bundle)(const struct syclze_kernel_bundle_input *input,
      struct syclze_context context, struct syclze_kernel_bundle *bundle);
  ze_result_t (*kernel_bundle_create)(struct syclze_context context, struct syclze_device device,
      const struct syclze_kernel_bundle_desc *desc, struct syclze_kernel_bundle *bundle);

  ze_result_t (*make_kernel)(const struct syclze_kernel_input *input, struct syclze_context context,
      struct syclze_kernel *kernel);
  ze_result_t (*kernel_create)(
      struct syclze_kernel_bundle bundle, const char *name, struct syclze_kernel *kernel);

  ze_result_t (*make_buffer)(const struct syclze_buffer_input *input, struct syclze_context context,
      struct syclze_buffer *buffer);
  ze_result_t (*make_buffer_after)(const struct syclze_buffer_input *input,
      struct syclze_context context, struct syclze_event available, struct syclze_buffer *buffer);

  ze_result_t (*make_image)(const struct syclze_image_input *input, struct syclze_context context,
      struct syclze_image *image);
  ze_result_t (*make_image_after)(const struct syclze_image_input *input,
      struct syclze_context context, struct syclze_event available, struct syclze_image *image);
  ze_result_t (*image_create)(struct syclze_context context, struct syclze_device device,
      const struct syclze_image_input *input, struct syclze_image *image);

  ze_result_t (*make_sampler)(const struct syclze_sampler_input *input,
      struct syclze_context context, struct syclze_sampler *sampler);
  ze_result_t (*sampler_create)(struct syclze_context context, struct syclze_device device,
      const struct syclze_sampler_desc *desc, struct syclze_sampler *sampler);

  /* `device` is null for host memory. */
  ze_result_t (*usm_allocate)(ze_memory_type_t type, size_t alignment, size_t size,
      struct syclze__device *device, struct syclze__context *context, const char *function,
      void **memory);
  ze_result_t (*free)(void *memory, struct syclze_context context);

  /* Begin and end of the calls of trace_call.h: `function` is a syclze__trace_function. */
  struct syclze__trace_call *(*call_begin)(uint32_t function, const uint64_t *values);
  void (*call_end)(struct syclze__trace_call *call, ze_result_t result);

  /* A retain or a release of any kind; `ref` is null, or the object's count. */
  ze_result_t (*retain)(syclze_object_kind kind, struct syclze__ref *ref);
  ze_result_t (*release)(syclze_object_kind kind, void *rep);
  void (*get_native)(syclze_object_kind kind, const void *object);
  void (*diagnostic)(const char *function, const char *rule);
};

/* The place in the program of a call of the library. */
struct syclze__trace_call_site {
  const char *function, *file;
  uint32_t line;
};

/* The kernel of a launch. */
struct syclze__trace_kernel_info {
  ze_kernel_handle_t native;
  const void *object;  /* the library's */
  uint64_t *name_hash; /* for the callbacks; 0 until it was computed */
  const struct syclze_nd_range *range;
  const struct syclze_argument *arguments;
  uint32_t count; /* of arguments */
};

/* A command's kind of access to memory. */
enum syclze__trace_transfer {
  SYCLZE__TRACE_COPY,
  SYCLZE__TRACE_FILL,
  SYCLZE__TRACE_COPY_2D,
  SYCLZE__TRACE_FILL_2D,
  SYCLZE__TRACE_PREFETCH,
  SYCLZE__TRACE_ADVISE,
  SYCLZE__TRACE_IMAGE_READ,
  SYCLZE__TRACE_IMAGE_WRITE,
  SYCLZE__TRACE_IMAGE_COPY,
  SYCLZE__TRACE_STORAGE /* memory is allocated or freed */
};

struct syclze__trace_operand {
  const void *native; /* an address or an image; null for none */
  const void *object; /* the library's, for an accessor; else null */
  const void *base; /* the begin of the object's memory; null for an image, and without an object */
};

struct syclze__trace_transfer_info {
  enum syclze__trace_transfer kind;
  struct syclze__trace_operand to, from; /* a hint's memory is `from` */
  size_t size;                           /* bytes */
  const void *value;                     /* the pattern of a fill; null for none */
  size_t value_size;
  uint32_t advice;             /* ze_memory_advice_t */
  size_t origin[3], extent[3]; /* the image's region, in pixels; rows: bytes of one, and number */
  size_t to_pitch, from_pitch; /* of rows, in bytes */
};

struct syclze__trace_command_info {
  const char *function; /* the public function that submits it */
  const void *group;
  const void *queue;  /* the library's */
  const void *native; /* the command queue or list */
  ze_device_handle_t device;
  ze_context_handle_t context;
  const ze_event_handle_t *waits;
  uint32_t wait_count;
  ze_event_handle_t signal; /* null for none */
  bool is_host;             /* a host task: begins later */
  bool is_barrier;
  bool is_tag;       /* a barrier that takes times */
  const char *type;  /* of the node; null for that of a group or a transfer */
  const void *graph; /* an executable graph's submission; null for others */
  const struct syclze__trace_kernel_info *kernel;     /* null for none */
  const struct syclze__trace_transfer_info *transfer; /* null for none */
};

/* A memory object. */
struct syclze__trace_memory_info {
  const void *object; /* the library's */
  const void *native; /* the allocation or the image */
  const size_t *range;
  uint32_t dimensions, element_size, format;
  bool is_image;
  const void *host; /* data of the host that it was created with; null for none */
};

/* Memory that the library allocates for a memory object, or frees; or with a `type` another action
 * of the host on the object. */
struct syclze__trace_storage_info {
  const char *type, *function;    /* of the node; null for memory */
  const ze_event_handle_t *waits; /* of another action, as what it signals */
  uint32_t wait_count;
  ze_event_handle_t signal;
  bool is_freed;
  bool is_image;
  const void *object; /* the library's */
  const void *native;
  const void *queue; /* the library's, for whose command it is; null for none */
  ze_context_handle_t context;
  ze_device_handle_t device; /* where the memory itself does not know */
};

struct syclze__trace_commands;

/* A traced command: the first member of the callbacks' own struct. The table that made it ends
 * it. */
struct syclze__trace_node {
  const struct syclze__trace_commands *table;
};

/* Callbacks for commands and their data. Null members are not called. A table that makes nodes ends
 * them: it has command_end, host_task_begin and host_task_end. Called on the thread that reaches
 * the point; infos live for the call only. */
struct syclze__trace_commands {
  /* Sets the thread's call site, null for unknown, and returns the one before. */
  const struct syclze__trace_call_site *(*call_site)(const struct syclze__trace_call_site *site);

  /* The thread's next command waits for these events because of an access to the object. */
  void (*depends)(
      const ze_event_handle_t *events, uint32_t count, const void *object, uint32_t mode);
  /* True if `access` is wanted. */
  bool (*accesses_wanted)(void);
  /* An access by a command. `pixel_size` is that of an image; 0 for a buffer. */
  void (*access)(const void *object, const void *accessor, uint32_t mode, size_t pixel_size);
  /* An access by a host accessor. */
  void (*host_access)(const void *object, const void *accessor, uint32_t mode, size_t pixel_size);

  /* A command is submitted. It begins, unless it is a host task. Null if it is not traced. */
  struct syclze__trace_node *(*command_begin)(const struct syclze__trace_command_info *command);
  /* A command other than a host task was submitted; with `over`, its submission ends too. */
  void (*command_end)(struct syclze__trace_node *node, ze_result_t result, bool over);
  /* The submission of a command was refused. */
  void (*command_discard)(void);
  /* A submission ends that command_end did not end. */
  void (*submission_end)(void);

  void (*host_task_begin)(struct syclze__trace_node *node);
  /* A host task ends; `ran` is false if it never ran. Ends the node. */
  void (*host_task_end)(struct syclze__trace_node *node, bool ran);
  /* An action of the host begins; host_task_end ends it. Null if it is not traced. */
  struct syclze__trace_node *(*storage_begin)(const struct syclze__trace_storage_info *storage);

  void (*memory_created)(const struct syclze__trace_memory_info *memory);
  /* The end of an object whose creation was traced. */
  void (*memory_destroyed)(const void *object, const void *native, bool is_image);
  void (*queue_destroyed)(const void *queue);
};

/* Encloses a generic form of a call; call_site.h replaces it. */
#define SYCLZE__CALL_SITE(call) call

#if XPTI_ENABLE_INSTRUMENTATION

SYCLZE_INLINE const struct syclze__trace_calls *syclze__traced_calls(void) {
  return __atomic_load_n(&SYCLZE__STATE.trace_calls, __ATOMIC_RELAXED);
}

SYCLZE_INLINE const struct syclze__trace_commands *syclze__traced_commands(void) {
  return __atomic_load_n(&SYCLZE__STATE.trace_commands, __ATOMIC_RELAXED);
}

/* The point of a public function: calls and returns its traced twin, if there is one. */
#define SYCLZE__RETURN_IF_TRACED(function, ...)                                                    \
  do {                                                                                             \
    const struct syclze__trace_calls *syclze__calls = syclze__traced_calls();                      \
    if (SYCLZE__UNLIKELY(syclze__calls != NULL)) return syclze__calls->function(__VA_ARGS__);      \
  } while (0)
/* True if public functions are traced. */
#define SYCLZE__TRACING_CALLS() SYCLZE__UNLIKELY(syclze__traced_calls() != NULL)
/* As SYCLZE__RETURN_IF_TRACED, for a make out of line, which returns a struct syclze__made.
 * `created` is the object that the twin makes, and its last argument. */
#define SYCLZE__MADE_IF_TRACED(function, type, ...)                                                \
  do {                                                                                             \
    const struct syclze__trace_calls *syclze__calls = syclze__traced_calls();                      \
    if (SYCLZE__UNLIKELY(syclze__calls != NULL)) {                                                 \
      type created = {NULL};                                                                       \
      struct syclze__made syclze__made;                                                            \
      syclze__made.result = syclze__calls->function(__VA_ARGS__);                                  \
      syclze__made.rep = created.rep;                                                              \
      return syclze__made;                                                                         \
    }                                                                                              \
  } while (0)
/* The point of a getter of a native handle, which otherwise is just a load. */
#if defined(SYCLZE_TRACE_GET_NATIVE) && SYCLZE_TRACE_GET_NATIVE
#define SYCLZE__TRACE_GET(kind, object)                                                            \
  do {                                                                                             \
    const struct syclze__trace_calls *syclze__calls = syclze__traced_calls();                      \
    if (SYCLZE__UNLIKELY(syclze__calls != NULL)) syclze__calls->get_native(kind, object);          \
  } while (0)
#else
#define SYCLZE__TRACE_GET(kind, object) (void)0
#endif

#define SYCLZE__TRACING_COMMANDS() SYCLZE__UNLIKELY(syclze__traced_commands() != NULL)
/* Not 0 if commands are traced. */
#define SYCLZE__TRACING_COMMANDS_WORD() ((uintptr_t)syclze__traced_commands())
/* Calls a member of the table of commands, unless it is null; `arguments` are in parentheses. */
#define SYCLZE__TRACE_COMMAND(member, arguments)                                                   \
  do {                                                                                             \
    const struct syclze__trace_commands *syclze__commands = syclze__traced_commands();             \
    if (SYCLZE__UNLIKELY(syclze__commands != NULL) && syclze__commands->member != NULL)            \
      syclze__commands->member arguments;                                                          \
  } while (0)
/* Begins, or ends, a host task's node, if there is one. */
#define SYCLZE__TRACE_HOST_BEGIN(node)                                                             \
  do {                                                                                             \
    if (SYCLZE__UNLIKELY((node) != NULL)) (node)->table->host_task_begin(node);                    \
  } while (0)
#define SYCLZE__TRACE_HOST_END(node, ran)                                                          \
  do {                                                                                             \
    if (SYCLZE__UNLIKELY((node) != NULL)) (node)->table->host_task_end(node, ran);                 \
  } while (0)

/* A traced command; null for none. */
SYCLZE_INLINE struct syclze__trace_node *syclze__trace_command_begin(
    const struct syclze__trace_command_info *command) {
  const struct syclze__trace_commands *commands = syclze__traced_commands();
  return commands != NULL && commands->command_begin != NULL ? commands->command_begin(command)
                                                             : NULL;
}

SYCLZE_INLINE struct syclze__trace_node *syclze__trace_storage_begin(
    const struct syclze__trace_storage_info *storage) {
  const struct syclze__trace_commands *commands = syclze__traced_commands();
  return commands != NULL && commands->storage_begin != NULL ? commands->storage_begin(storage)
                                                             : NULL;
}

SYCLZE_INLINE bool syclze__trace_accesses_wanted(void) {
  const struct syclze__trace_commands *commands = syclze__traced_commands();
  return commands != NULL && commands->accesses_wanted != NULL && commands->accesses_wanted();
}

#else

#define SYCLZE__RETURN_IF_TRACED(function, ...) (void)0
#define SYCLZE__TRACING_CALLS() false
#define SYCLZE__MADE_IF_TRACED(function, type, ...) (void)0
#define SYCLZE__TRACE_GET(kind, object) (void)0
#define SYCLZE__TRACING_COMMANDS() false
#define SYCLZE__TRACING_COMMANDS_WORD() 0u
#define SYCLZE__TRACE_COMMAND(member, arguments) (void)0
#define SYCLZE__TRACE_HOST_BEGIN(node) (void)(node)
#define SYCLZE__TRACE_HOST_END(node, ran) ((void)(node), (void)(ran))

SYCLZE_INLINE struct syclze__trace_node *syclze__trace_command_begin(
    const struct syclze__trace_command_info *command) {
  (void)command;
  return NULL;
}
SYCLZE_INLINE struct syclze__trace_node *syclze__trace_storage_begin(
    const struct syclze__trace_storage_info *storage) {
  (void)storage;
  return NULL;
}
SYCLZE_INLINE bool syclze__trace_accesses_wanted(void) {
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
