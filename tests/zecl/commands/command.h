/* One command: recorded by an append, and run later by a thread. It holds references to its events,
 * and owns what its kind defines. */
#ifndef ZECL_COMMANDS_COMMAND_H
#define ZECL_COMMANDS_COMMAND_H

#include "commands/launch.h"
#include "engine/engine.h"
#include "events/event.h"

struct zecl_tape;
struct zecl_fence;
struct zecl_image_copy;
struct zecl_semaphore_uses;

enum zecl_command_kind {
  ZECL_COMMAND_NOTHING, /* a barrier, a wait, a signal, a hint: only the events count */
  ZECL_COMMAND_COPY,
  ZECL_COMMAND_FILL,
  ZECL_COMMAND_COPY_REGION,
  ZECL_COMMAND_IMAGE_COPY,
  ZECL_COMMAND_RESET,
  ZECL_COMMAND_WRITE_TIMESTAMP,
  ZECL_COMMAND_QUERY_TIMESTAMPS,
  ZECL_COMMAND_LAUNCH,
  ZECL_COMMAND_LAUNCH_INDIRECT,
  ZECL_COMMAND_LAUNCH_MULTIPLE,
  ZECL_COMMAND_SEMAPHORES, /* of other interfaces: signals, or waits */
  ZECL_COMMAND_HOST_FUNCTION,
  ZECL_COMMAND_EXECUTE /* a closed list, on a queue */
};

enum { ZECL_COMMAND_WAITS = 4, ZECL_COMMAND_PATTERN = 16 };

struct zecl_copy {
  void *to;
  const void *from;
  size_t size;
};

struct zecl_fill {
  void *to;
  size_t size, pattern_size;
  void *long_pattern; /* owned; null where the pattern fits in below */
  unsigned char pattern[ZECL_COMMAND_PATTERN];
};

struct zecl_timestamp_query {
  char *to;
  uint32_t count;
  struct zecl_event **events; /* owned, and a reference to each */
  size_t *offsets;            /* owned, or null for one after the other */
};

struct zecl_launches {
  uint32_t count;
  struct zecl_launch **launches; /* owned, each of them too */
  const uint32_t *how_many;
  const ze_group_count_t *groups;
};

struct zecl_host_call {
  zecl_host_function *function;
  void *user;
};

struct zecl_command {
  _Atomic(struct zecl_command *) next;
  enum zecl_command_kind kind;
  uint32_t wait_count;
  struct zecl_event *signal;       /* null for none */
  struct zecl_event *const *waits; /* room below, or owned memory */
  struct zecl_event *some_waits[ZECL_COMMAND_WAITS];
  union {
    struct zecl_copy copy;
    struct zecl_fill fill;
    struct zecl_copy_region region;
    struct zecl_image_copy *image_copy;     /* owned */
    struct zecl_event *reset;               /* a reference */
    struct zecl_semaphore_uses *semaphores; /* owned */
    struct zecl_host_call host;
    uint64_t *timestamp;
    struct zecl_timestamp_query query;
    struct {
      struct zecl_launch *launch;     /* owned */
      const ze_group_count_t *groups; /* read at run time; null for those of the launch */
    } launch;
    struct zecl_launches launches;
    struct {
      struct zecl_tape *tape;   /* a reference */
      struct zecl_fence *fence; /* a reference, or null */
    } execute;
  };
};

/* The one behind it in the list that it is recorded in; null for none. */
static inline struct zecl_command *zecl_command_next(const struct zecl_command *command) {
  return atomic_load_explicit(&command->next, memory_order_relaxed);
}

/* Makes `command`, a copy of `draft`, hold its events. What the draft owns passes on; on failure it
 * stays with the draft. */
ze_result_t zecl_command_record(struct zecl_command *command, const struct zecl_command *draft);

/* Replaces the events that a recorded command signals or waits for. Their number stays. */
void zecl_command_set_signal(struct zecl_command *command, struct zecl_event *signal);
void zecl_command_set_wait(struct zecl_command *command, uint32_t at, struct zecl_event *wait);

/* Releases what a recorded command holds, its events included. */
void zecl_command_forget(struct zecl_command *command);

/* Releases what a draft owns: all but its events. */
void zecl_command_discard(struct zecl_command *draft);

#endif
