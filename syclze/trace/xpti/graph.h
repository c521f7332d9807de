/* The graph on the stream sycl: nodes with their metadata, edges and barriers.
 *
 * A command is kept while others may wait for it: until another signals the same native event, or
 * one that shares its slot in the table. Its framework event is that of its call site, which lasts
 * until the end of the program, so that a call site is one node. In the form of today's runtimes,
 * and with an unknown call site, the command has an event of its own.
 *
 * Call sites are keyed by address, then by file, line and name: a line may be in several files, and
 * libraries are loaded and unloaded. */
#ifndef SYCLZE_TRACE_GRAPH_H
#define SYCLZE_TRACE_GRAPH_H

#include "../../detail/memory/pool.h"
#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "metadata.h"
#include "ur_calls.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE uint64_t syclze__xpti_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

SYCLZE_LOCAL uint64_t syclze__xpti_hash(uint64_t hash, const char *text) {
  for (; *text != 0; text++)
    hash = syclze__xpti_mix(hash, (unsigned char)*text);
  return hash;
}

/* A key of the action of the thread's call site on a device; 0 if the site is unknown, or each
 * command has an event of its own. `what` identifies the kernel or the action. */
SYCLZE_INLINE uint64_t syclze__xpti_site_key(
    const struct syclze__xpti *xpti, uint64_t what, ze_device_handle_t device) {
  const struct syclze__trace_call_site *site = syclze__xpti_site();
  if (syclze__xpti_is_current(xpti) || site == NULL) return 0;
  const uint64_t where = SYCLZE__WORD(site) + 3 * SYCLZE__WORD(site->file) + site->line;
  return syclze__xpti_mix(what + 5 * SYCLZE__WORD(device), where * 0xbf58476d1ce4e5b9u) | 1;
}

SYCLZE_COLD void *syclze__xpti_site_event(struct syclze__xpti *xpti, uint64_t site)
    SYCLZE_LINK_NAME(syclze__xpti_site_event);

/* The event of a call site whose node was reported; null for none. */
SYCLZE_COLD void *syclze__xpti_site_event(struct syclze__xpti *xpti, uint64_t site) {
  syclze__lock_acquire(&xpti->lock);
  const struct syclze__map_entry *found = syclze__map_find(&xpti->site_events, site);
  void *event = found != NULL ? (void *)(uintptr_t)found->value : NULL;
  syclze__lock_release(&xpti->lock);
  return event;
}

/* The event of the thread's last call site, if the command repeats the same action there; else
 * null.
 */
SYCLZE_INLINE void *syclze__xpti_last_event(
    const struct syclze__xpti_thread *thread, uint64_t action, ze_device_handle_t device) {
  return thread->last_site == thread->site && thread->last_action == action &&
                 thread->last_device == device && thread->last_event != NULL &&
                 thread->last_line == thread->site->line
             ? thread->last_event
             : NULL;
}

/* Stores the event of the thread's last call site. Null is allowed. */
SYCLZE_LOCAL void *syclze__xpti_last_event_set(
    struct syclze__xpti_thread *thread, uint64_t action, ze_device_handle_t device, void *event) {
  if (event == NULL) return event;
  thread->last_site = thread->site;
  thread->last_action = action;
  thread->last_device = device;
  thread->last_event = event;
  thread->last_line = thread->site->line;
  return event;
}

/* Makes the event that of the call site, if it has none. Called after node_create, so that no task
 * precedes it: two threads that reach a call site for the first time at once both report it. */
SYCLZE_LOCAL bool syclze__xpti_site_event_set(
    struct syclze__xpti *xpti, uint64_t site, void *event) {
  syclze__lock_acquire(&xpti->lock);
  struct syclze__map_entry *found = syclze__map_put(&xpti->site_events, site);
  const bool first = found != NULL && found->value == 0;
  if (first) found->value = SYCLZE__WORD(event);
  syclze__lock_release(&xpti->lock);
  return first;
}

/* The key of the thread's call site by its text; 0 if it is unknown. */
SYCLZE_LOCAL uint64_t syclze__xpti_site_text_key(const char *name, ze_device_handle_t device) {
  const struct syclze__trace_call_site *site = syclze__xpti_site();
  if (site == NULL) return 0;
  const uint64_t start = syclze__xpti_mix(SYCLZE__WORD(device), site->line);
  return syclze__xpti_hash(syclze__xpti_hash(start, name), site->file) | 1;
}

/* Parameters of an enqueue function, valid during its call. */
struct syclze__ur_enqueue {
  uint64_t values[SYCLZE__UR_ARGUMENTS];
  size_t sizes[9]; /* offset, global and local range; or origins and extent */
  struct syclze__ur_kernel_argument arguments[SYCLZE__XPTI_KERNEL_ARGUMENTS];
};

struct syclze__xpti_node {
  struct syclze__slot slot;
  struct syclze__trace_node base; /* kept by command groups */
  void *event;                    /* the framework's; null if only the call is reported */
  bool of_site;                   /* the event outlives the command */
  bool is_host;
  uint32_t references; /* atomic: held by the command, the table and waits */
  uint64_t instance;
  ze_event_handle_t signal; /* null for none */
  const char *barrier; /* why the submission waits, or others wait for a host accessor; or null */
  struct syclze__ur_call call;           /* its name is null if only the name is reported */
  struct syclze__ur_enqueue *parameters; /* of a call with a name; null unless needed */
};

/* Creates a node with a reference, not reported yet and without an event; null without memory. */
SYCLZE_INLINE struct syclze__xpti_node *syclze__xpti_node_new(
    const struct syclze__xpti *xpti, const struct syclze__trace_command_info *command) {
  struct syclze__xpti_node *node = (struct syclze__xpti_node *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_TRACE], sizeof *node);
  if (node == NULL) return NULL;
  node->base.table = xpti->commands;
  node->of_site = true;
  node->is_host = command->is_host;
  node->references = 1;
  node->signal = command->signal;
  node->barrier = NULL;
  node->call.name = NULL;
  node->call.instances[0] = node->call.instances[1] = 0;
  return node;
}

SYCLZE_INLINE struct syclze__xpti_node *syclze__xpti_node_of(struct syclze__trace_node *base) {
  return (
      struct syclze__xpti_node *)(void *)((char *)base - offsetof(struct syclze__xpti_node, base));
}

/* Null is allowed. */
SYCLZE_INLINE void syclze__xpti_node_release(
    struct syclze__xpti *xpti, struct syclze__xpti_node *node) {
  if (node == NULL || __atomic_sub_fetch(&node->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (!node->of_site) syclze__xpti_event_release(xpti, node->event);
  syclze__pool_release(&node->slot);
}

SYCLZE_INLINE struct syclze__xpti_signal *syclze__xpti_signal_slot(
    struct syclze__xpti *xpti, ze_event_handle_t signal) {
  const uint64_t hash = SYCLZE__WORD(signal) * 0x9e3779b97f4a7c15u;
  return &xpti->nodes[hash % SYCLZE__XPTI_NODES];
}

/* The node that signals the event, with a reference; null if there is none. */
SYCLZE_LOCAL struct syclze__xpti_node *syclze__xpti_node_find(
    struct syclze__xpti *xpti, ze_event_handle_t signal) {
  const struct syclze__xpti_signal *slot = syclze__xpti_signal_slot(xpti, signal);
  syclze__lock_acquire(&xpti->lock);
  struct syclze__xpti_node *node = slot->signal == signal ? slot->node : NULL;
  if (node != NULL) __atomic_add_fetch(&node->references, 1, __ATOMIC_RELAXED);
  syclze__lock_release(&xpti->lock);
  return node;
}

SYCLZE_COLD void syclze__xpti_node_publish(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node) SYCLZE_LINK_NAME(syclze__xpti_node_publish);

/* Adds the node to the table, where dependents find it. */
SYCLZE_COLD void syclze__xpti_node_publish(
    struct syclze__xpti *xpti, struct syclze__xpti_node *node) {
  if (node->signal == NULL || node->event == NULL) return;
  struct syclze__xpti_signal *slot = syclze__xpti_signal_slot(xpti, node->signal);
  __atomic_add_fetch(&node->references, 1, __ATOMIC_RELAXED);
  syclze__lock_acquire(&xpti->lock);
  struct syclze__xpti_node *before = slot->node;
  slot->signal = node->signal;
  slot->node = node;
  syclze__lock_release(&xpti->lock);
  syclze__xpti_node_release(xpti, before);
}

/* Notifies about a node with an event, which it has only if the stream has a subscriber. */
SYCLZE_INLINE void syclze__xpti_node_notify(struct syclze__xpti *xpti,
    const struct syclze__xpti_node *node, enum syclze__xpti_type type, const void *user) {
  syclze__xpti_notify_now(
      xpti, SYCLZE__STREAM_SYCL, (uint32_t)type, xpti->graph, node->event, node->instance, user);
}

SYCLZE_COLD uint64_t syclze__xpti_kernel_hash(const struct syclze__trace_kernel_info *kernel)
    SYCLZE_LINK_NAME(syclze__xpti_kernel_hash);

SYCLZE_COLD uint64_t syclze__xpti_kernel_hash(const struct syclze__trace_kernel_info *kernel) {
  char *name = syclze__trace_kernel_name(kernel->native);
  const uint64_t hash = syclze__xpti_hash(0, name != NULL ? name : "") | 1;
  free(name);
  __atomic_store_n(kernel->name_hash, hash, __ATOMIC_RELAXED);
  return hash;
}

/* A key of the command's action, at any call site. */
SYCLZE_INLINE uint64_t syclze__xpti_action_key(const struct syclze__trace_command_info *command,
    const struct syclze__trace_kernel_info *kernel) {
  if (kernel == NULL) return SYCLZE__WORD(command->function);
  const uint64_t found = __atomic_load_n(kernel->name_hash, __ATOMIC_RELAXED);
  return SYCLZE__LIKELY(found != 0) ? found : syclze__xpti_kernel_hash(kernel);
}

/* Sets the node's event: that of the call site by its text, or a new one with its metadata, which
 * is reported. `kernel` is the kernel's name, or null. */
SYCLZE_LOCAL void syclze__xpti_node_report(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, uint64_t site, const struct syclze__trace_command_info *command,
    const char *kernel) {
  char text[SYCLZE__XPTI_TEXT];
  const char *name = command->function;
  const bool is_task = command->is_host && command->transfer == NULL && command->type == NULL;
  if (command->transfer != NULL && command->type == NULL)
    name = syclze__xpti_event_name(xpti, name);
  else if (is_task && syclze__xpti_is_current(xpti))
    name = "host task";
  if (kernel != NULL) name = kernel;
  const uint64_t by_text = site != 0 ? syclze__xpti_site_text_key(name, command->device) : 0;
  node->event = syclze__xpti_site_event(xpti, by_text);
  node->of_site = node->event != NULL;
  if (node->of_site) {
    syclze__xpti_site_event_set(xpti, site, node->event);
    return;
  }
  node->event = syclze__xpti_event_make(xpti, name, true, syclze__xpti_node_type(xpti));
  if (node->event == NULL) return;
  if (!is_task || !syclze__xpti_is_current(xpti))
    syclze__xpti_add_device(xpti, node->event, command->device);
  if (is_task) syclze__xpti_add_host_task(xpti, node->event);
  if (command->kernel != NULL) syclze__xpti_add_kernel(xpti, node->event, kernel, command);
  if (syclze__xpti_detail_level(xpti) >= SYCLZE__XPTI_NORMAL) {
    if (command->transfer != NULL)
      syclze__xpti_add_transfer(xpti, node->event, command->transfer, command);
    syclze__xpti_add_call_site(xpti, node->event);
  } else if (command->transfer != NULL)
    /* Tools distinguish transfers from kernels by memory_size. */
    syclze__xpti_add_word(xpti, node->event, "memory_size", command->transfer->size);
  const char *type = command->type != NULL ? command->type
                     : command->transfer != NULL
                         ? syclze__xpti_transfer_type(xpti, command->transfer)
                         : "command_group_node";
  if (!syclze__xpti_is_current(xpti)) type = syclze__xpti_format_name(text, type, command->group);
  syclze__xpti_node_notify(xpti, node, SYCLZE__XPTI_NODE_CREATE, type);
  node->of_site = syclze__xpti_site_event_set(xpti, by_text, node->event);
  if (node->of_site) syclze__xpti_site_event_set(xpti, site, node->event);
}

SYCLZE_COLD void syclze__xpti_node_create(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    uint64_t site, const struct syclze__trace_command_info *command)
    SYCLZE_LINK_NAME(syclze__xpti_node_create);

SYCLZE_COLD void syclze__xpti_node_create(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    uint64_t site, const struct syclze__trace_command_info *command) {
  char *kernel =
      command->kernel != NULL ? syclze__trace_kernel_name(command->kernel->native) : NULL;
  syclze__xpti_node_report(xpti, node, site, command, kernel);
  free(kernel);
}

SYCLZE_LOCAL void syclze__xpti_depends(
    const ze_event_handle_t *events, uint32_t count, const void *object, uint32_t mode) {
  struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  for (uint32_t i = 0;
       thread != NULL && i < count && thread->reason_count < SYCLZE__XPTI_DEPENDENCIES; i++) {
    const struct syclze__xpti_dependency reason = {events[i], object, mode};
    thread->reasons[thread->reason_count++] = reason;
  }
}

SYCLZE_LOCAL void syclze__xpti_edge(struct syclze__xpti *xpti, uint64_t source,
    const struct syclze__xpti_node *node, ze_event_handle_t event) {
  const struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  const struct syclze__xpti_dependency *reason = NULL;
  for (uint32_t i = 0; i < thread->reason_count && reason == NULL; i++)
    if (thread->reasons[i].event == event) reason = &thread->reasons[i];
  static const char *const modes[] = {"read", "write", "read_write"};
  char text[SYCLZE__XPTI_TEXT];
  const bool of_memory = syclze__xpti_is_current(xpti) && reason != NULL && reason->mode < 3;
  const char *name = of_memory ? syclze__xpti_format_name(text, modes[reason->mode], reason->object)
                               : syclze__xpti_format_name(text, "Event", event);
  void *edge = syclze__xpti_event_make(xpti, name, false, syclze__xpti_node_type(xpti));
  if (edge == NULL) return;
  ((struct syclze__xpti_event *)edge)->source_id = source;
  ((struct syclze__xpti_event *)edge)->target_id = syclze__xpti_event_id(node->event);
  if (!of_memory) syclze__xpti_add_word(xpti, edge, "event", SYCLZE__WORD(event));
  if (reason != NULL) {
    const int32_t mode = (int32_t)syclze__xpti_access_mode(reason->mode);
    syclze__xpti_add_word(xpti, edge, "memory_object", SYCLZE__WORD(reason->object));
    syclze__xpti_add(xpti, edge, "access_mode", SYCLZE__XPTI_SIGNED, &mode, sizeof mode);
  }
  syclze__xpti_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_EDGE_CREATE, xpti->graph, edge,
      xpti->GetUniqueId(), NULL);
  syclze__xpti_event_release(xpti, edge);
}

SYCLZE_COLD void syclze__xpti_dependencies(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command)
    SYCLZE_LINK_NAME(syclze__xpti_dependencies);

/* Reports the edges, and the reason of a wait. */
SYCLZE_COLD void syclze__xpti_dependencies(struct syclze__xpti *xpti,
    struct syclze__xpti_node *node, const struct syclze__trace_command_info *command) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct syclze__xpti_node *source = syclze__xpti_node_find(xpti, command->waits[i]);
    const bool host = source != NULL && source->is_host;
    if ((source == NULL || host) && !command->is_host &&
        SYCLZE__ZE(zeEventQueryStatus)(command->waits[i]) == ZE_RESULT_NOT_READY)
      node->barrier = host && source->barrier != NULL ? source->barrier
                      : host                          ? "enqueue.barrier[Blocked by host task]"
                      : syclze__xpti_is_current(xpti) ? "enqueue.barrier[Unknown block reason]"
                                                      : "enqueue.barrier[Unknown reason]";
    if (source != NULL)
      syclze__xpti_edge(xpti, syclze__xpti_event_id(source->event), node, command->waits[i]);
    syclze__xpti_node_release(xpti, source);
  }
}

SYCLZE_EXTERN_C_END

#endif

#endif
