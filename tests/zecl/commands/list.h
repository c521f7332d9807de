/* Command lists. A regular list records on a tape; an immediate one submits commands to its worker,
 * or runs them on the thread that appends. */
#ifndef ZECL_COMMANDS_LIST_H
#define ZECL_COMMANDS_LIST_H

#include "commands/tape.h"
#include "commands/worker.h"
#include "core/context.h"

struct zecl_graph;

struct zecl_list {
  struct zecl_object object;
  struct zecl_context *context;
  struct zecl_device *device;
  uint32_t ordinal;
  uint32_t flags; /* of the list's own descriptor, or of an immediate list's queue descriptor */
  uint32_t index; /* this and what follows: of immediate lists */
  ze_command_queue_mode_t mode;
  ze_command_queue_priority_t priority;
  bool immediate, closed;
  struct zecl_tape *tape;       /* null for an immediate list */
  struct zecl_mutable *updates; /* null unless the list is mutable */
  struct zecl_graph *graph;     /* that an immediate list is captured to, a reference; or null */
  struct zecl_worker worker;    /* idle for a regular list */
};

/* The commands of a mutable list that may be updated. */
struct zecl_mutable {
  uint64_t next;                 /* the last identifier that was given; 0 for none */
  bool is_awaited;               /* it is of the next command */
  size_t room;                   /* of `command` */
  struct zecl_command **command; /* of each identifier less one; null for what is no launch */
};

/* Notes the command that was appended last. */
void zecl_mutable_note(struct zecl_mutable *updates, struct zecl_command *command);
void zecl_mutable_free(struct zecl_mutable *updates);
/* The list is empty again. */
void zecl_mutable_clear(struct zecl_mutable *updates);

static inline struct zecl_list *zecl_list_of(ze_command_list_handle_t handle) {
  return (struct zecl_list *)(void *)handle;
}

/* SUCCESS for a closed regular list of this device and queue group. */
ze_result_t zecl_list_check_executable(
    ze_command_list_handle_t handle, const struct zecl_device *device, uint32_t ordinal);

/* Checks that begin every append: of the list, that it takes commands, and of the events. */
ze_result_t zecl_append_check(ze_command_list_handle_t handle, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits);

/* Checks the events of an append alone. */
ze_result_t zecl_list_check_events(const struct zecl_list *list, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits);

/* Appends the draft, whose events are set here. What the draft owns passes on or, on
 * failure, is discarded. To be called after the check, with the same events. */
ze_result_t zecl_append(ze_command_list_handle_t handle, struct zecl_command *draft,
    ze_event_handle_t signal, uint32_t wait_count, const ze_event_handle_t *waits);

#endif
