/* Shared by the parts of the fake: objects, and the prologue of each function. */
#ifndef TESTS_UNIT_FAKE_OBJECT_H
#define TESTS_UNIT_FAKE_OBJECT_H

#include "fake.h"

enum fake_kind {
  FAKE_DRIVER = 0x5eed01,
  FAKE_DEVICE,
  FAKE_CONTEXT,
  FAKE_QUEUE,
  FAKE_LIST,
  FAKE_EVENT_POOL,
  FAKE_EVENT,
  FAKE_MODULE,
  FAKE_BUILD_LOG,
  FAKE_KERNEL,
  FAKE_MEMORY,
  FAKE_IMAGE,
  FAKE_SAMPLER,
  FAKE_SEMAPHORE,
  FAKE_IPC_HANDLE,
  FAKE_RESERVATION,
  FAKE_PHYSICAL,
  FAKE_GRAPH,
  FAKE_EXECUTABLE_GRAPH
};

enum { FAKE_NAME_ROOM = 512, FAKE_NAMES = 64 };

struct fake_object {
  enum fake_kind kind;
  struct fake_object *parent;   /* must outlive it; parent device or driver of a device */
  struct fake_object *device;   /* of a list or queue; card of a device */
  struct fake_object *previous; /* of all objects */
  unsigned destroys;
  unsigned destroyed_as;
  int children; /* alive */
  int busy;     /* inside a call that requires exclusive access */

  int hidden;                    /* driver, card */
  ze_result_t broken;            /* driver */
  int regular;                   /* list */
  int closed;                    /* list */
  int updates;                   /* list: it is mutable */
  struct fake_object *captured;  /* list: the graph that it is captured into */
  int signalled;                 /* event */
  unsigned resets;               /* event; not atomic, so that a race is detected */
  uint32_t capacity;             /* event pool */
  char *places;                  /* event pool: used indices */
  uint32_t index;                /* event */
  int imports;                   /* module; image: bindless */
  int unlinked;                  /* module */
  char *text;                    /* kernel: its name; module: its kernels' names; build log */
  const char *names[FAKE_NAMES]; /* module */
  uint32_t name_count;
  size_t size;           /* memory */
  ze_memory_type_t type; /* memory */
  int opened;            /* memory, event pool: of another process */
  const void *mapped;    /* physical memory: where */
};

/* Notes the extensions of an image's descriptor. */
void fake_bindless_desc(const void *next);

struct fake_object *fake_new(enum fake_kind kind, struct fake_object *parent);
/* The newest object; `previous` links the others. */
struct fake_object *fake_newest(void);
/* Reports a violation of Level Zero's rules. */
__attribute__((format(printf, 1, 2))) void fake_misuse(const char *format, ...);
/* The living object of the handle; reports and returns null for any other. */
struct fake_object *fake_check(const void *handle, enum fake_kind kind, const char *function);
/* Counts a call. Returns the code that it must fail with, or success. */
ze_result_t fake_enter(enum fake_function function);
/* Of external memory: what extends a descriptor of an allocation, and what a query is extended by.
 */
void fake_external_desc(const void *next);
void fake_external_export(void *next);
/* Destroys an object. */
ze_result_t fake_end_object(const void *handle, enum fake_kind kind, const char *function);
/* Brackets a call that requires exclusive access to an object. */
void fake_alone(struct fake_object *object, const char *function);
void fake_not_alone(struct fake_object *object);

#define FAKE_ENTER(function)                                                                       \
  do {                                                                                             \
    ze_result_t code = fake_enter(FAKE_##function);                                                \
    if (code != ZE_RESULT_SUCCESS) return code;                                                    \
  } while (0)

/* Declares the object of a handle, or returns from the function. */
#define FAKE_OBJECT(name, handle, kind)                                                            \
  struct fake_object *name = fake_check(handle, kind, __func__);                                   \
  if (name == NULL) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE

#endif
