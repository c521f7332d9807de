/* Commands as the stream sycl knows them: nodes, with their metadata.
 *
 * A command is kept as long as it may be waited for: until another signals the same native event,
 * or one that shares its slot in the table. Its event is the framework's: of the place that submits
 * it, as long as the program runs, so that a place is one node however often it is passed; in the
 * form of today's runtimes, and where the place is not known, the command's own. */
#ifndef SYCLZE_TRACE_NODE_H
#define SYCLZE_TRACE_NODE_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "metadata.h"
#include "call_sites.h"
#include "ur_calls.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__xpti_node {
  struct syclze__slot slot;
  struct syclze__trace_node base; /* what command groups keep */
  void *event;                    /* the framework's; null where only the call is told */
  bool of_place;                  /* the event outlives the command */
  bool is_host;
  uint32_t references; /* atomic: of the command, of the table, of who waits */
  uint64_t instance;
  ze_event_handle_t signal; /* null for none */
  const char *barrier;      /* why the submission waits; null for nothing */
  struct syclze__ur_call call;
};

/* A node with a reference, that nothing is told of; null without memory. */
SYCLZE_INLINE struct syclze__xpti_node *syclze__trace_node_new(
    const struct syclze__trace_command_info *command) {
  struct syclze__xpti_node *node = (struct syclze__xpti_node *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_TRACE], sizeof *node);
  if (node == NULL) return NULL;
  node->base.table = syclze__xpti_commands();
  node->event = NULL;
  node->of_place = false;
  node->is_host = command->is_host;
  node->references = 1;
  node->signal = command->signal;
  node->barrier = NULL;
  node->call.instances[0] = node->call.instances[1] = 0;
  return node;
}

SYCLZE_INLINE struct syclze__xpti_node *syclze__xpti_node_of(struct syclze__trace_node *base) {
  return (
      struct syclze__xpti_node *)(void *)((char *)base - offsetof(struct syclze__xpti_node, base));
}

/* Null is allowed. */
SYCLZE_INLINE void syclze__trace_node_release(
    struct syclze__xpti *xpti, struct syclze__xpti_node *node) {
  if (node == NULL || __atomic_sub_fetch(&node->references, 1, __ATOMIC_ACQ_REL) != 0) return;
  if (!node->of_place) syclze__trace_event_end(xpti, node->event);
  syclze__pool_release(&node->slot);
}

SYCLZE_INLINE struct syclze__xpti_signal *syclze__trace_slot(
    struct syclze__xpti *xpti, ze_event_handle_t signal) {
  const uint64_t hash = SYCLZE__WORD(signal) * 0x9e3779b97f4a7c15u;
  return &xpti->nodes[hash % SYCLZE__XPTI_NODES];
}

/* The node that signals the event, with a reference; null where it is not known. */
SYCLZE_LOCAL struct syclze__xpti_node *syclze__trace_node_of(
    struct syclze__xpti *xpti, ze_event_handle_t signal) {
  const struct syclze__xpti_signal *slot = syclze__trace_slot(xpti, signal);
  syclze__lock_acquire(&xpti->lock);
  struct syclze__xpti_node *node = slot->signal == signal ? slot->node : NULL;
  if (node != NULL) __atomic_add_fetch(&node->references, 1, __ATOMIC_RELAXED);
  syclze__lock_release(&xpti->lock);
  return node;
}

SYCLZE_COLD void syclze__trace_node_keep(struct syclze__xpti *xpti, struct syclze__xpti_node *node)
    SYCLZE_LINK_NAME(syclze__trace_node_keep);

/* Others may wait for it from now on. */
SYCLZE_COLD void syclze__trace_node_keep(
    struct syclze__xpti *xpti, struct syclze__xpti_node *node) {
  if (node->signal == NULL || node->event == NULL) return;
  struct syclze__xpti_signal *slot = syclze__trace_slot(xpti, node->signal);
  __atomic_add_fetch(&node->references, 1, __ATOMIC_RELAXED);
  syclze__lock_acquire(&xpti->lock);
  struct syclze__xpti_node *before = slot->node;
  slot->signal = node->signal;
  slot->node = node;
  syclze__lock_release(&xpti->lock);
  syclze__trace_node_release(xpti, before);
}

/* Somebody listens to the stream, or the node would have no event. */
SYCLZE_INLINE void syclze__trace_node_notify(struct syclze__xpti *xpti,
    const struct syclze__xpti_node *node, enum syclze__trace_type type, const void *user) {
  if (node->event != NULL)
    syclze__trace_notify_stream(
        xpti, SYCLZE__STREAM_SYCL, (uint32_t)type, xpti->graph, node->event, node->instance, user);
}

enum { SYCLZE__TRACE_NAME = 256 };

/* False where the driver does not say it; the longest are cut off. */
SYCLZE_LOCAL bool syclze__trace_kernel_name(
    const struct syclze__trace_kernel_info *kernel, char name[SYCLZE__TRACE_NAME]) {
  size_t size = SYCLZE__TRACE_NAME;
  name[0] = 0;
  if (SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, name) != ZE_RESULT_SUCCESS) name[0] = 0;
  name[SYCLZE__TRACE_NAME - 1] = 0;
  return name[0] != 0;
}

SYCLZE_COLD uint64_t syclze__trace_learn_kernel(const struct syclze__trace_kernel_info *kernel)
    SYCLZE_LINK_NAME(syclze__trace_learn_kernel);

SYCLZE_COLD uint64_t syclze__trace_learn_kernel(const struct syclze__trace_kernel_info *kernel) {
  char name[SYCLZE__TRACE_NAME];
  syclze__trace_kernel_name(kernel, name);
  const uint64_t hash = syclze__trace_hash(0, name) | 1;
  __atomic_store_n(kernel->name_hash, hash, __ATOMIC_RELAXED);
  return hash;
}

/* Stands for what the command does, at whichever place. */
SYCLZE_INLINE uint64_t syclze__trace_doing(const struct syclze__trace_command_info *command,
    const struct syclze__trace_kernel_info *kernel) {
  if (kernel == NULL) return SYCLZE__WORD(command->function);
  const uint64_t known = __atomic_load_n(kernel->name_hash, __ATOMIC_RELAXED);
  return SYCLZE__LIKELY(known != 0) ? known : syclze__trace_learn_kernel(kernel);
}

SYCLZE_COLD void syclze__trace_node_first(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    uint64_t place, const struct syclze__trace_command_info *command)
    SYCLZE_LINK_NAME(syclze__trace_node_first);

/* Gives the node its event: that of the place by its text, or a new one with its metadata, which is
 * told. */
SYCLZE_COLD void syclze__trace_node_first(struct syclze__xpti *xpti, struct syclze__xpti_node *node,
    uint64_t place, const struct syclze__trace_command_info *command) {
  char kernel[SYCLZE__TRACE_NAME], text[SYCLZE__TRACE_TEXT];
  const char *name = command->function;
  if (command->kernel != NULL && syclze__trace_kernel_name(command->kernel, kernel)) name = kernel;
  const uint64_t by_text = place != 0 ? syclze__trace_place_text(name, command->device) : 0;
  node->event = syclze__trace_place_find(xpti, by_text);
  node->of_place = node->event != NULL;
  if (node->of_place) {
    syclze__trace_place_keep(xpti, place, node->event);
    return;
  }
  node->event = syclze__trace_event(xpti, name, true, SYCLZE__XPTI_GRAPH);
  if (node->event == NULL) return;
  syclze__trace_device(xpti, node->event, command->device);
  if (command->kernel != NULL)
    syclze__trace_kernel_data(xpti, node->event, name == kernel ? name : "", command->kernel);
  if (syclze__trace_level(xpti) >= SYCLZE__XPTI_NORMAL) {
    if (command->transfer != NULL)
      syclze__trace_transfer_data(xpti, node->event, command->transfer, command);
    syclze__trace_placed(xpti, node->event);
  } else if (command->transfer != NULL)
    /* By a key of memory tools know what is none of a kernel. */
    syclze__trace_word(xpti, node->event, "memory_size", command->transfer->size);
  const char *type = command->type != NULL       ? command->type
                     : command->transfer != NULL ? "memory_transfer_node"
                                                 : "command_group_node";
  if (!xpti->current) type = syclze__trace_named(text, type, command->group);
  syclze__trace_node_notify(xpti, node, SYCLZE__TRACE_NODE_CREATE, type);
  node->of_place = syclze__trace_place_keep(xpti, by_text, node->event);
  if (node->of_place) syclze__trace_place_keep(xpti, place, node->event);
}

SYCLZE_EXTERN_C_END

#endif

#endif
