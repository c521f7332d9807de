/* Declarations that the parts of the strict device share. */
#ifndef TESTS_ORDERS_STRICT_OBJECT_H
#define TESTS_ORDERS_STRICT_OBJECT_H

#include "strict.h"

#include <string.h>

struct strict_object {
  uint32_t kind; /* STRICT_NONE after its end */
  uint32_t uses; /* by commands that did not run */
  uint32_t children;
  uint32_t busy;                       /* a call of which the standard allows one at a time */
  struct strict_object *parent, *next; /* next: of those whose end is past, or of its kind */
};

struct strict_context {
  struct strict_object object;
  uint32_t device_count;
  ze_device_handle_t devices[2];
};

struct strict_command;

struct strict_event {
  struct strict_object object;
  uint32_t signalled;               /* futex */
  uint32_t waiters;                 /* threads of the host */
  uint32_t waits;                   /* of commands that did not run */
  struct strict_command *signaller; /* that did not run; null for none */
  bool timestamps;
  bool counts; /* it has no pool; in-order lists signal it, and begin by ending its signal */
  uint64_t begin, end;
};

static inline struct strict_object *strict_event_context(const struct strict_event *event) {
  return event->counts ? event->object.parent : event->object.parent->parent;
}

struct strict_memory {
  struct strict_object object;
  struct strict_memory *after, *before;
  ze_memory_type_t type;
  ze_device_handle_t device;
  unsigned char *bytes;
  size_t size;
};

struct strict_image {
  struct strict_object object;
  ze_image_desc_t desc;
  size_t pixel, row, slice; /* bytes */
  unsigned char bytes[];
};

enum { STRICT_ARGUMENTS = 12, STRICT_ARGUMENT_SIZE = 64 };

struct strict_values {
  _Alignas(16) unsigned char bytes[STRICT_ARGUMENTS][STRICT_ARGUMENT_SIZE];
  uint32_t count;
};

enum { STRICT_KERNELS = 8 }; /* that a launch is updated to */

struct strict_program_kernel {
  struct strict_object object;
  const struct strict_kernel *entry;
  struct strict_values values;
  struct strict_shape shape; /* of the next launch, but for its groups */
};

enum strict_order {
  STRICT_PLAIN,
  STRICT_BEHIND_ALL, /* waits for all before it */
  STRICT_BEFORE_ALL, /* all behind it wait */
  STRICT_BETWEEN_ALL /* both */
};

enum { STRICT_USED = 16 };

struct strict_command {
  struct strict_command *next;
  struct strict_list *stream;
  struct strict_list *recorded_in; /* a regular list; null else */
  uint64_t execution;              /* of that list */
  struct strict_list *appended;    /* commands of the lists that it appends; null else */
  enum strict_order order;
  uint64_t number, search;
  uint64_t identifier; /* in a mutable list; 0 for none */
  uint32_t lost;       /* by an update of its kernel: an argument or a shape, a bit each */
  const void *kernels[STRICT_KERNELS]; /* that it may be updated to */
  uint32_t priority;
  void (*run)(struct strict_command *command);
  struct strict_event *signal, *reset;
  uint32_t wait_count, used_count;
  struct strict_event **waits;
  struct strict_object *used[STRICT_USED]; /* memory, images, the kernel */
  /* The command's action: */
  strict_function *function;
  struct strict_values *values;
  unsigned char *to;
  const unsigned char *from;
  size_t size, rows, slices, to_row, to_slice, from_row, from_slice;
  unsigned char pattern[16];
  size_t pattern_size;
};

/* A list of either kind, or a command queue. */
struct strict_list {
  struct strict_object object;
  ze_device_handle_t device;
  bool immediate, in_order, synchronous, closed;
  uint32_t priority;
  struct strict_command *first, **last; /* to run; of a regular list, what is recorded */
  uint32_t count;
  uint64_t running;          /* of a regular list: the execution that has begun, */
  uint32_t left;             /* and its commands that did not run */
  struct strict_list *other; /* in the list of all that have commands to run */
  bool listed;
  uint64_t
      next_command; /* of a mutable list: the command whose identifier was queried; 0 for none */
  const void *next_kernels[STRICT_KERNELS];
  bool updated; /* since it was closed */
  struct strict_list
      *captured_by; /* a driver's graph, which gets what is appended; null for none */
};

/* Begins each function: counts, fails where it was asked to. */
ze_result_t strict_enter(const char *name);
#define STRICT_ENTER()                                                                             \
  do {                                                                                             \
    ze_result_t injected = strict_enter(__func__);                                                 \
    if (injected != ZE_RESULT_SUCCESS) return injected;                                            \
  } while (0)

void strict_lock(void);
void strict_unlock(void);
uint64_t strict_random(void);

/* Zeroed; never fails. Not seen by what makes the program's allocations fail. */
void *strict_allocate(size_t size);
void strict_free(void *memory);

/* The object behind a handle if it is of the kind; else reports, and null. With the lock held, as
 * all that follow. */
void *strict_object(const void *handle, enum strict_kind kind, const char *function);
void *strict_object_new(size_t size, enum strict_kind kind, struct strict_object *parent);
/* Checks that nothing refers to it. Its memory stays a while, so that a late use is seen. */
ze_result_t strict_object_destroy(const void *handle, enum strict_kind kind, const char *function);

/* For calls of which the standard allows one at a time; without the lock. */
void strict_alone_begin(const void *handle, const char *function);
void strict_alone_end(const void *handle);

/* The allocation that a pointer lies in; null for the host's own memory. */
struct strict_memory *strict_memory_of(const void *pointer);
struct strict_memory *strict_memory_new(
    struct strict_object *parent, ze_device_handle_t device, ze_memory_type_t type, size_t size);
/* A module's variables are memory of its context. */
const struct strict_object *strict_memory_context(const struct strict_memory *memory);
/* Frees what a module has of its own. */
void strict_memory_free_of(struct strict_object *parent, const char *function);
void strict_memory_free_all(void);
/* The living image of that handle; null for none. */
struct strict_object *strict_image_of(const void *pointer);

struct strict_command *strict_command_new(struct strict_list *list, enum strict_order order,
    void (*run)(struct strict_command *), ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits, const char *function);
/* The command refers to the object, or to the allocation that the pointer lies in. */
void strict_command_use(struct strict_command *command, struct strict_object *object);
void strict_command_use_memory(
    struct strict_command *command, const void *pointer, const char *function);
void strict_command_append(struct strict_command *command);
void strict_stream_execute(struct strict_list *stream, struct strict_list *recorded);
/* Executes the list as part of the command, before the command's own end. */
void strict_command_execute(struct strict_command *command, struct strict_list *recorded);
void strict_list_clear(struct strict_list *list);
/* Fills the properties of a chain that begins with those of a device. */
void strict_fill_mutable(void *chain);
/* The allocation or image that an argument is the address of is used by the command. */
void strict_use_argument(struct strict_command *command, const void *value, const char *function);
ze_result_t strict_wait_for_list(struct strict_list *list, uint64_t nanoseconds);
/* Waits at most so many nanoseconds. */
ze_result_t strict_wait(uint32_t *word, uint64_t nanoseconds);
void strict_signal(struct strict_event *event, bool by_host);
void strict_poll(void);
void strict_engine_begin(enum strict_policy policy);
void strict_engine_end(void);
void strict_move(void *to, const void *from, size_t size);

/* Annotations for ThreadSanitizer; empty elsewhere. */
void strict_release(const void *address);
void strict_acquire(const void *address);

#endif
