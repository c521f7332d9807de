/* Commands of groups and queues, as tables of functions, and where each is appended. */
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
  SYCLZE__SUBMISSION_BARRIER, /* the same; without requirements it orders all earlier and later work
                                 of the queue */
  SYCLZE__SUBMISSION_HOST,    /* runs on the host, which signals its event */
  SYCLZE__SUBMISSION_NATIVE,  /* a function appends it, and is called with no lock held */
  SYCLZE__SUBMISSION_LISTS,   /* a graph that executes its lists on the queue's command queue */
  SYCLZE__SUBMISSION_ASIDE    /* a graph on a command queue of its own: ordered as a host task,
                                 signalled by the device */
};

/* True for commands of the queue's native list or command queue. */
SYCLZE_INLINE bool syclze__kind_is_native(enum syclze__submission_kind kind) {
  return kind != SYCLZE__SUBMISSION_HOST && kind != SYCLZE__SUBMISSION_ASIDE;
}

SYCLZE_INLINE bool syclze__kind_is_graph(enum syclze__submission_kind kind) {
  return kind == SYCLZE__SUBMISSION_GRAPH || kind >= SYCLZE__SUBMISSION_LISTS;
}

/* Where a command is appended, what it waits for and what it signals. */
struct syclze__append {
  struct syclze__queue_state *state; /* locked; null before */
  ze_command_list_handle_t list;     /* null for commands outside native lists */
  ze_event_handle_t signal;          /* null for none, and for the host */
  ze_event_handle_t *waits;          /* live until the command is done */
  struct syclze__event *event; /* keeps what the command needs until it is signalled; or null */
  uint32_t wait_count;
  bool depends; /* the group named accesses or events */
  bool begun;   /* the device was given at least the wait */
};

/* Initialises an append that waits for nothing, and has no event. */
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

/* Functions of commands with a kernel: exclusive use of the kernel (kernel_use.h), and description
 * of failures. */
struct syclze__kernel_binding {
  /* Called with the lock of the state. ZE_RESULT_NOT_READY: release the lock, call await_owner, try
   * again. */
  ze_result_t (*bind)(
      struct syclze__kernel *kernel, struct syclze__queue_state *state, bool without_event);
  void (*await_owner)(struct syclze__kernel *kernel);
  /* Writes the detail of a diagnostic, without the lock; may leave the text unchanged. */
  void (*describe)(
      const struct syclze__command *command, struct syclze__status status, char *text, size_t size);
};

struct syclze__command_table {
  const char *rule; /* of a failed append */
  uint32_t size;    /* of the command's own struct, which begins with a syclze__command */
  enum syclze__submission_kind kind;
  const char *unrecorded; /* the rule of a command that graphs do not record; null for others */
  const struct syclze__kernel_binding *binding; /* null for commands without a kernel */
  /* Sets the native kernel's arguments and group size for a launch; null for none. */
  struct syclze__status (*prepare)(const struct syclze__command *command);
  ze_result_t (*append)(const struct syclze__command *command, struct syclze__append *at);
  /* The bytes that the command refers to; null for none. */
  size_t (*kept_size)(const struct syclze__command *command);
  /* Copies the command, to be appended later, so that it refers to nothing of the caller's, but to
   * so many bytes at `kept`; null where its own bytes are all. `group` may be null where no
   * accessor is an argument. */
  struct syclze__status (*keep)(const struct syclze__command *command, struct syclze__command *copy,
      const struct syclze_group *group, char *kept);
#if XPTI_ENABLE_INSTRUMENTATION
  /* Adds to the description for traces; null if the group suffices. */
  void (*trace)(const struct syclze__command *command, struct syclze__command_trace *trace);
#endif
};

/* Defines the constant table of a command whose struct is `type`. */
#if XPTI_ENABLE_INSTRUMENTATION
#define SYCLZE__COMMAND_TABLE(                                                                     \
    type, kind, rule, unrecorded, binding, prepare, append, size, keep, trace)                     \
  { rule, sizeof(type), kind, unrecorded, binding, prepare, append, size, keep, trace }
#else
#define SYCLZE__COMMAND_TABLE(                                                                     \
    type, kind, rule, unrecorded, binding, prepare, append, size, keep, trace)                     \
  { rule, sizeof(type), kind, unrecorded, binding, prepare, append, size, keep }
#endif

/* The first member of each command (transfer.h, launch_command.h, queue_sync.h). */
struct syclze__command {
  const struct syclze__command_table *table;
  const char *function;          /* of the application's call */
  struct syclze__kernel *kernel; /* kept until the command is done; null for none */
};

/* Aligns copies of commands and their data, which are stored one behind the other. */
enum { SYCLZE__KEPT_ALIGNMENT = 16 };

SYCLZE_INLINE size_t syclze__kept_aligned(size_t size) {
  return (size + SYCLZE__KEPT_ALIGNMENT - 1) / SYCLZE__KEPT_ALIGNMENT * SYCLZE__KEPT_ALIGNMENT;
}

#if SYCLZE__BODIES

/* The size of a copy of the command, with what that refers to. */
SYCLZE_INLINE size_t syclze__command_size(const struct syclze__command *command) {
  const size_t size = syclze__kept_aligned(command->table->size);
  return command->table->kept_size != NULL ? size + command->table->kept_size(command) : size;
}

/* Makes such a copy, for later. */
SYCLZE_INLINE struct syclze__status syclze__command_copy(const struct syclze__command *command,
    const struct syclze_group *group, struct syclze__command *copy) {
  const size_t size = command->table->size;
  if (command->table->keep != NULL)
    return command->table->keep(command, copy, group, (char *)copy + syclze__kept_aligned(size));
  memcpy((void *)copy, (const void *)command, size);
  return syclze__allowed();
}

SYCLZE_INLINE struct syclze__status syclze__command_prepare(const struct syclze__command *command) {
  return command->table->prepare != NULL ? command->table->prepare(command) : syclze__allowed();
}

/* Reports a failed call, described by the command, which may be null. */
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
