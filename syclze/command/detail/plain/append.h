/* Commands: what a group or a queue is given, as a table of four functions, and where each is
 * appended. */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_APPEND_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_APPEND_H

#include "../../../detail/trace_hooks.h"
#include "wait_list.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze_group;
struct syclze__queue_state;

/* The description of a command for traces. */
struct syclze__command_trace {
  struct syclze__trace_command_info command;
  struct syclze__trace_kernel_info kernel;
  struct syclze__trace_transfer_info transfer;
};

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

/* Nothing to wait for, and no event. */
SYCLZE_INLINE void syclze__append_init(
    struct syclze__append *at, struct syclze__queue_state *state, ze_command_list_handle_t list) {
  at->state = state;
  at->list = list;
  at->signal = NULL;
  at->waits = NULL;
  at->event = NULL;
  at->wait_count = 0;
  at->depends = at->begun = false;
}

struct syclze__command;

/* How a command takes the exclusive use of its kernel (kernel_use.h), and describes a failure:
 * commands without a kernel refer to none of it. */
struct syclze__kernel_binding {
  /* With the lock of the state. ZE_RESULT_NOT_READY: release the lock, call await_owner, try
   * again. */
  ze_result_t (*bind)(
      struct syclze__kernel *kernel, struct syclze__queue_state *state, bool without_event);
  void (*await_owner)(struct syclze__kernel *kernel);
  /* Writes the detail of a diagnostic, without the lock; leaves the text as it is for none. */
  void (*describe)(
      const struct syclze__command *command, struct syclze__status status, char *text, size_t size);
};

struct syclze__command_table {
  const char *rule; /* what a failed append says */
  uint32_t size;    /* of the command's own struct, which begins with a syclze__command */
  enum syclze__submission_kind kind;
  const struct syclze__kernel_binding *binding; /* null for commands without a kernel */
  /* Sets what the native kernel holds of a launch; null for none. */
  struct syclze__status (*prepare)(const struct syclze__command *command);
  ze_result_t (*append)(const struct syclze__command *command, struct syclze__append *at);
  /* Makes a copy of the command, to be appended later, refer to nothing of the caller's, but to
   * memory that is allocated in `*extra`. `group` may be null where no accessor is an argument.
   * Null where the command refers to nothing. */
  struct syclze__status (*keep)(
      struct syclze__command *copy, const struct syclze_group *group, void **extra);
#if XPTI_ENABLE_INSTRUMENTATION
  /* Adds to the description for traces; null where the group is all that they need. */
  void (*trace)(const struct syclze__command *command, struct syclze__command_trace *trace);
#endif
};

/* A constant table of a command whose struct is `type`. */
#if XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__COMMAND_TABLE(type, kind, rule, binding, prepare, append, keep, trace)             \
  { rule, sizeof(type), kind, binding, prepare, append, keep, trace }
#else
#define SYCLZE__COMMAND_TABLE(type, kind, rule, binding, prepare, append, keep, trace)             \
  { rule, sizeof(type), kind, binding, prepare, append, keep }
#endif

/* Begins the description of a command (transfer.h, launch_command.h, queue_sync.h). */
struct syclze__command {
  const struct syclze__command_table *table;
  const char *function;          /* of the application's call */
  struct syclze__kernel *kernel; /* kept until the command is done; null for none */
};

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__status syclze__command_prepare(const struct syclze__command *command) {
  return command->table->prepare != NULL ? command->table->prepare(command) : syclze__allowed();
}

/* Reports a failed call, with what the command says of it. `command` may be null. */
SYCLZE_LOCAL ze_result_t syclze__command_fail(const struct syclze__command *command,
    const char *function, struct syclze__status status, const void *native) {
  char text[512];
  text[0] = '\0';
  if (command != NULL && command->table->binding != NULL)
    command->table->binding->describe(command, status, text, sizeof text);
  return syclze__fail_detail(
      status.result, function, status.rule, native, text[0] != '\0' ? text : NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
