/* Commands: what a group or a queue is given, as a table of four functions, and where each is
 * appended. */
#ifndef SYCLZE_COMMAND_DETAIL_APPEND_H
#define SYCLZE_COMMAND_DETAIL_APPEND_H

#include "../../detail/trace_hooks.h"
#include "../group.h"
#include "wait_list.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__queue_state;
struct syclze__command_trace;

enum syclze__submission_kind {
  SYCLZE__SUBMISSION_COMMAND, /* is appended to the native list */
  SYCLZE__SUBMISSION_GRAPH,   /* the same; an executable graph */
  SYCLZE__SUBMISSION_BARRIER, /* the same. Without requirements it waits for all earlier work of the
                                 queue, and all later work waits for it */
  SYCLZE__SUBMISSION_HOST,    /* runs on the host, which signals the event */
  SYCLZE__SUBMISSION_NATIVE,  /* a function appends it, and is called with no lock held */
  SYCLZE__SUBMISSION_LISTS,   /* a graph that executes its lists on the queue's command queue */
  SYCLZE__SUBMISSION_ASIDE    /* a graph on a command queue of its own: ordered as a host task,
                                 signalled by the device */
};

/* True for what stands in the queue's native list or command queue. */
SYCLZE_INLINE bool syclze__kind_is_native(enum syclze__submission_kind kind) {
  return kind != SYCLZE__SUBMISSION_HOST && kind != SYCLZE__SUBMISSION_ASIDE;
}

/* Where a command is appended, what it waits for and what it signals. */
struct syclze__append {
  struct syclze__queue_state *state; /* locked; null before */
  ze_command_list_handle_t list;     /* null for what is in no native list */
  ze_event_handle_t signal;          /* null for none, and for the host */
  ze_event_handle_t *waits;          /* live until the command is done */
  struct syclze__event *event;       /* with what is kept until it is signalled; null for none */
  uint32_t wait_count;
  bool depends; /* the group named accesses or events */
  bool begun;   /* the device was given what waits, if not all of the command */
};

struct syclze__command;

struct syclze__command_table {
  const char *rule; /* what a failed append says */
  uint32_t size;    /* of the command's own struct, which begins with a syclze__command */
  enum syclze__submission_kind kind;
  /* Sets what the native kernel holds of a launch; null for none. */
  struct syclze__status (*prepare)(const struct syclze__command *command);
  ze_result_t (*append)(const struct syclze__command *command, struct syclze__append *at);
  /* Makes a copy of the command, to be appended later, refer to nothing of the caller's, but to
   * memory that is allocated in `*extra`. `group` may be null where no accessor is an argument.
   * Null where the command refers to nothing. */
  struct syclze__status (*keep)(
      struct syclze__command *copy, const syclze_group *group, void **extra);
#if XPTI_ENABLE_INSTRUMENTATION
  /* Adds to the description for traces; null where the group is all that they need. */
  void (*trace)(const struct syclze__command *command, struct syclze__command_trace *trace);
#endif
};

/* A constant table of a command whose struct is `type`. */
#if XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__COMMAND_TABLE(type, kind, rule, prepare, append, keep, trace)                      \
  { rule, sizeof(type), kind, prepare, append, keep, trace }
#else
#define SYCLZE__COMMAND_TABLE(type, kind, rule, prepare, append, keep, trace)                      \
  { rule, sizeof(type), kind, prepare, append, keep }
#endif

/* Begins the description of a command (transfer.h, launch_command.h, queue_sync.h). */
struct syclze__command {
  const struct syclze__command_table *table;
  const char *function;          /* of the application's call */
  struct syclze__kernel *kernel; /* kept until the command is done; null for none */
};

SYCLZE_EXTERN_C_END

#endif
