/* Installs tables of trace callbacks. If trace/xpti.h and trace/writer.h both have one for
 * commands, a table that calls both is installed. */
#ifndef SYCLZE_TRACE_FAN_OUT_H
#define SYCLZE_TRACE_FAN_OUT_H

#include "../../command/detail/submit/submit.h"
#include "../../detail/sync/lock.h"
#include "../../detail/trace_hooks.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__fan_out_node {
  struct syclze__trace_node node;      /* first */
  struct syclze__trace_node *parts[2]; /* null for not traced */
};

SYCLZE_INLINE const struct syclze__trace_commands *syclze__fan_out_sink(uint32_t i) {
  return __atomic_load_n(&SYCLZE__STATE.trace_sinks[i], __ATOMIC_ACQUIRE);
}

/* The whole name of a kernel, which the caller frees; null without memory, or if the driver has
 * none. */
SYCLZE_LOCAL char *syclze__trace_kernel_name(ze_kernel_handle_t kernel) {
  size_t size = 0;
  if (SYCLZE__ZE(zeKernelGetName)(kernel, &size, NULL) != ZE_RESULT_SUCCESS) return NULL;
  char *name = (char *)calloc(size + 1, 1);
  if (name == NULL ||
      (SYCLZE__ZE(zeKernelGetName)(kernel, &size, name) == ZE_RESULT_SUCCESS && name[0] != 0))
    return name;
  free(name);
  return NULL;
}

/* Begins a loop over the sinks that have the member. */
#define SYCLZE__FAN_OUT(member)                                                                    \
  for (uint32_t i = 0; i < 2; i++)                                                                 \
    for (const struct syclze__trace_commands *sink = syclze__fan_out_sink(i);                      \
         sink != NULL && sink->member != NULL; sink = NULL)

SYCLZE_LOCAL const struct syclze__trace_call_site *syclze__fan_out_call_site(
    const struct syclze__trace_call_site *site) {
  const struct syclze__trace_call_site *before = NULL;
  SYCLZE__FAN_OUT(call_site) {
    const struct syclze__trace_call_site *its = sink->call_site(site);
    if (its != NULL) before = its;
  }
  return before;
}

SYCLZE_LOCAL void syclze__fan_out_depends(
    const ze_event_handle_t *events, uint32_t count, const void *object, uint32_t mode) {
  SYCLZE__FAN_OUT(depends) sink->depends(events, count, object, mode);
}

SYCLZE_LOCAL bool syclze__fan_out_accesses_wanted(void) {
  bool wanted = false;
  SYCLZE__FAN_OUT(accesses_wanted) wanted = sink->accesses_wanted() || wanted;
  return wanted;
}

SYCLZE_LOCAL void syclze__fan_out_access(
    const void *object, const void *accessor, uint32_t mode, size_t pixel_size) {
  SYCLZE__FAN_OUT(access) sink->access(object, accessor, mode, pixel_size);
}

SYCLZE_LOCAL void syclze__fan_out_host_access(
    const void *object, const void *accessor, uint32_t mode, size_t pixel_size) {
  SYCLZE__FAN_OUT(host_access) sink->host_access(object, accessor, mode, pixel_size);
}

SYCLZE_LOCAL const struct syclze__trace_commands *syclze__fan_out_table(void);

/* Joins the nodes of both sinks; null for none. Without memory only the first is kept, and the
 * second one ends. */
SYCLZE_LOCAL struct syclze__trace_node *syclze__fan_out_join(
    struct syclze__trace_node *first, struct syclze__trace_node *second, bool is_host) {
  if (first == NULL || second == NULL) return first != NULL ? first : second;
  struct syclze__fan_out_node *both = (struct syclze__fan_out_node *)malloc(sizeof *both);
  if (both == NULL) {
    if (is_host)
      second->table->host_task_end(second, false);
    else
      second->table->command_end(second, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, true);
    return first;
  }
  both->node.table = syclze__fan_out_table();
  both->parts[0] = first;
  both->parts[1] = second;
  return &both->node;
}

SYCLZE_LOCAL struct syclze__trace_node *syclze__fan_out_command_begin(
    const struct syclze__trace_command_info *command) {
  struct syclze__trace_node *nodes[2] = {NULL, NULL};
  SYCLZE__FAN_OUT(command_begin) nodes[i] = sink->command_begin(command);
  return syclze__fan_out_join(nodes[0], nodes[1], command->is_host);
}

SYCLZE_LOCAL struct syclze__trace_node *syclze__fan_out_storage_begin(
    const struct syclze__trace_storage_info *storage) {
  struct syclze__trace_node *nodes[2] = {NULL, NULL};
  SYCLZE__FAN_OUT(storage_begin) nodes[i] = sink->storage_begin(storage);
  return syclze__fan_out_join(nodes[0], nodes[1], true);
}

SYCLZE_LOCAL void syclze__fan_out_command_end(
    struct syclze__trace_node *node, ze_result_t result, bool over) {
  struct syclze__fan_out_node *both = (struct syclze__fan_out_node *)(void *)node;
  for (uint32_t i = 0; i < 2; i++)
    both->parts[i]->table->command_end(both->parts[i], result, over);
  free(both);
}

SYCLZE_LOCAL void syclze__fan_out_command_discard(void) {
  SYCLZE__FAN_OUT(command_discard) sink->command_discard();
}

SYCLZE_LOCAL void syclze__fan_out_submission_end(void) {
  SYCLZE__FAN_OUT(submission_end) sink->submission_end();
}

SYCLZE_LOCAL void syclze__fan_out_host_task_begin(struct syclze__trace_node *node) {
  struct syclze__fan_out_node *both = (struct syclze__fan_out_node *)(void *)node;
  for (uint32_t i = 0; i < 2; i++)
    both->parts[i]->table->host_task_begin(both->parts[i]);
}

SYCLZE_LOCAL void syclze__fan_out_host_task_end(struct syclze__trace_node *node, bool ran) {
  struct syclze__fan_out_node *both = (struct syclze__fan_out_node *)(void *)node;
  for (uint32_t i = 0; i < 2; i++)
    both->parts[i]->table->host_task_end(both->parts[i], ran);
  free(both);
}

SYCLZE_LOCAL void syclze__fan_out_memory_created(const struct syclze__trace_memory_info *memory) {
  SYCLZE__FAN_OUT(memory_created) sink->memory_created(memory);
}

SYCLZE_LOCAL void syclze__fan_out_memory_destroyed(
    const void *object, const void *native, bool is_image) {
  SYCLZE__FAN_OUT(memory_destroyed) sink->memory_destroyed(object, native, is_image);
}

SYCLZE_LOCAL void syclze__fan_out_queue_destroyed(const void *queue) {
  SYCLZE__FAN_OUT(queue_destroyed) sink->queue_destroyed(queue);
}
#undef SYCLZE__FAN_OUT

SYCLZE_LOCAL const struct syclze__trace_commands *syclze__fan_out_table(void) {
  static const struct syclze__trace_commands table = {syclze__fan_out_call_site,
      syclze__fan_out_depends, syclze__fan_out_accesses_wanted, syclze__fan_out_access,
      syclze__fan_out_host_access, syclze__fan_out_command_begin, syclze__fan_out_command_end,
      syclze__fan_out_command_discard, syclze__fan_out_submission_end,
      syclze__fan_out_host_task_begin, syclze__fan_out_host_task_end, syclze__fan_out_storage_begin,
      syclze__fan_out_memory_created, syclze__fan_out_memory_destroyed,
      syclze__fan_out_queue_destroyed};
  return &table;
}

/* Adds or removes a table of commands. Running points may still call a removed table.
 */
SYCLZE_LOCAL void syclze__trace_sink_set(
    const struct syclze__trace_commands *table, bool installed) {
  SYCLZE__HELD(&SYCLZE__STATE.trace_lock);
  struct syclze__state *state = &SYCLZE__STATE;
  const struct syclze__trace_commands *sinks[2] = {state->trace_sinks[0], state->trace_sinks[1]};
  const bool there = sinks[0] == table || sinks[1] == table;
  if (there != installed) {
    const struct syclze__trace_commands *from = installed ? NULL : table;
    const uint32_t i = sinks[0] == from ? 0 : 1;
    sinks[i] = installed ? table : NULL;
    __atomic_store_n(&state->trace_sinks[i], sinks[i], __ATOMIC_RELEASE);
  }
  /* The engine submits traced commands. */
  __atomic_store_n(&state->engine, syclze__engine_table(), __ATOMIC_RELEASE);
  const struct syclze__trace_commands *one = sinks[0] != NULL ? sinks[0] : sinks[1];
  __atomic_store_n(&state->trace_commands,
      sinks[0] != NULL && sinks[1] != NULL ? syclze__fan_out_table() : one, __ATOMIC_RELEASE);
}

SYCLZE_EXTERN_C_END

#endif

#endif
