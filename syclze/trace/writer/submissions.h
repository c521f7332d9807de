/* The library's own spans: submissions of command groups, and runs of host tasks.
 *
 * A submission's span is named by the submitting function, the kernel and the call site, if known,
 * and begins with its first call of Level Zero, which nests in it. A host task is a command of its
 * queue, with a span on the thread that runs it; its dependencies are derived from events, as for
 * other commands. */
#ifndef SYCLZE_TRACE_SUBMISSIONS_H
#define SYCLZE_TRACE_SUBMISSIONS_H

#include "appends.h"
#include "../detail/fan_out.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include <stdio.h>

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* A host task, from its submission to its end. */
struct syclze__recorded_task {
  struct syclze__trace_node node; /* first */
  uint64_t command, start, track;
  const char *name;
};

/* The recorder; null once recording has stopped. */
SYCLZE_INLINE struct syclze__recorder *syclze__recorded_submission_trace(void) {
  struct syclze__recorder *recorder = __atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&recorder->rings->stopped, __ATOMIC_RELAXED) ? NULL : recorder;
}

SYCLZE_LOCAL_WARM const struct syclze__trace_call_site *syclze__recorded_call_site(
    const struct syclze__trace_call_site *site) {
  struct syclze__recorder *recorder = syclze__recorded_submission_trace();
  struct syclze__ring *ring = recorder != NULL ? syclze__ring_mine(recorder->rings) : NULL;
  if (ring == NULL) return NULL;
  const struct syclze__trace_call_site *before = ring->site;
  ring->site = site;
  ring->first_call = 0;
  return before;
}

/* Records the begin of a call of Level Zero. */
SYCLZE_INLINE void syclze__recorded_submission_call(struct syclze__rings *rings, uint64_t now) {
  struct syclze__ring *ring = syclze__ring_mine(rings);
  if (ring != NULL && ring->site != NULL && ring->first_call == 0) ring->first_call = now;
}

/* The name "function kernel (file.c:12)", with a known call site; made once for each combination,
 * keyed by a hash of the addresses. `kernel` is null or interned. */
SYCLZE_LOCAL const char *syclze__recorded_submission_name(struct syclze__recorder *recorder,
    const struct syclze__trace_call_site *site, const char *function, const char *kernel) {
  uint64_t key = syclze__recorder_mix(1, SYCLZE__WORD(function));
  key = syclze__recorder_mix(syclze__recorder_mix(key, SYCLZE__WORD(kernel)), SYCLZE__WORD(site));
  struct syclze__map_entry *entry = syclze__map_put(&recorder->sites, key);
  if (entry == NULL) return function;
  if (entry->name != NULL) return entry->name;
  const char *path = site != NULL ? site->file : "", *slash = strrchr(path, '/');
  const char *file = slash != NULL ? slash + 1 : path;
  if (kernel == NULL) kernel = "";
  const size_t size = strlen(function) + strlen(kernel) + strlen(file) + 32;
  char *text = (char *)malloc(size);
  if (text == NULL) return function;
  const int length = snprintf(text, size, "%s%s%s", function, kernel[0] != 0 ? " " : "", kernel);
  if (site != NULL)
    snprintf(text + length, size - (size_t)length, " (%s:%u)", file, (unsigned)site->line);
  entry->name = syclze__recorder_intern(recorder, text);
  free(text);
  return entry->name;
}

/* The name of a kernel, which may be older than the trace: the application's or its own. */
SYCLZE_LOCAL const char *syclze__recorded_submission_kernel(
    struct syclze__recorder *recorder, const struct syclze__trace_kernel_info *kernel) {
  const uint64_t handle = SYCLZE__WORD(kernel->native);
  const struct syclze__map_entry *found = syclze__map_find(&recorder->tracks, handle);
  if (found != NULL) return found->name;
  found = syclze__map_find(&recorder->kernels, handle);
  if (found != NULL && found->name != NULL) return found->name;
  char *text = syclze__trace_kernel_name(kernel->native);
  if (text == NULL) return NULL;
  const char *name = syclze__recorder_intern(recorder, text);
  free(text);
  /* If calls are traced, so is zeKernelDestroy. */
  if (recorder->tracer.functions != 0) {
    struct syclze__map_entry *site = syclze__map_put(&recorder->kernels, handle);
    if (site != NULL) site->name = name;
  }
  return name;
}

struct syclze__recorder_hooks {
  struct syclze__trace_commands table;
  struct syclze__trace_node node; /* of all commands except host tasks */
};

SYCLZE_LOCAL struct syclze__recorder_hooks *syclze__recorder_hooks_get(void);

/* Creates the command of a host task; null without memory. The trace's lock is held. */
SYCLZE_LOCAL struct syclze__trace_node *syclze__recorded_task_new(struct syclze__recorder *recorder,
    const struct syclze__trace_command_info *command, const char *name, uint64_t now) {
  struct syclze__recorded_task *task = (struct syclze__recorded_task *)malloc(sizeof *task);
  if (task == NULL) return NULL;
  task->node.table = &syclze__recorder_hooks_get()->table;
  task->command = ++recorder->commands;
  task->start = 0;
  task->track = SYCLZE__WORD(command->native);
  task->name = name;
  syclze__record_add(
      recorder->rings, SYCLZE__RECORD_COMMAND, name, now, 0, task->command, task->track);
  syclze__recorder_waits(recorder, command->waits, command->wait_count, task->command, now);
  struct syclze__map_entry *event =
      syclze__map_put(&recorder->events, SYCLZE__WORD(command->signal));
  if (event != NULL) {
    event->value = task->command;
    event->other = 0;
    event->flags &= ~(uint32_t)SYCLZE__HANDLE_PENDING;
  }
  return &task->node;
}

/* Records the run of a graph as a command of its queue: the tracing layer does not see the call,
 * which is looked up at run time. */
SYCLZE_LOCAL void syclze__recorded_graph(struct syclze__recorder *recorder,
    const struct syclze__trace_command_info *command, uint64_t now) {
  const struct syclze__recorded_append graph = {"graph", SYCLZE__WORD(command->native),
      SYCLZE__WORD(command->signal), command->wait_count, command->waits};
  syclze__recorder_append(recorder, &graph, now);
}

/* Begins the record of a host accessor, which ends with its scope. Other actions of the host on
 * memory are recorded by their calls. */
SYCLZE_LOCAL struct syclze__trace_node *syclze__recorded_storage_begin(
    const struct syclze__trace_storage_info *storage) {
  struct syclze__recorder *recorder = syclze__recorded_submission_trace();
  struct syclze__ring *ring = recorder != NULL ? syclze__ring_mine(recorder->rings) : NULL;
  if (ring == NULL || storage->signal == NULL) return NULL;
  SYCLZE__ZEROED(struct syclze__trace_command_info, command);
  command.native = (const void *)(uintptr_t)SYCLZE__TRACK_HOST;
  command.waits = storage->waits;
  command.wait_count = storage->wait_count;
  command.signal = storage->signal;
  syclze__mutex_lock(&recorder->lock);
  struct syclze__trace_node *node = syclze__recorded_task_new(recorder, &command,
      syclze__recorded_submission_name(recorder, ring->site, "host accessor", NULL),
      syclze__clock_now());
  syclze__mutex_unlock(&recorder->lock);
  return node;
}

SYCLZE_LOCAL_WARM void syclze__recorded_submission_end(void);

/* A host task with a transfer is a copy of the library's own, which its worker begins now. A
 * submission by a native command's function ends the native command's span. */
SYCLZE_LOCAL_WARM struct syclze__trace_node *syclze__recorded_command_begin(
    const struct syclze__trace_command_info *command) {
  struct syclze__recorder *recorder = syclze__recorded_submission_trace();
  struct syclze__ring *ring = recorder != NULL ? syclze__ring_mine(recorder->rings) : NULL;
  if (ring == NULL) return NULL;
  struct syclze__trace_node *node = &syclze__recorder_hooks_get()->node;
  const uint64_t now = syclze__clock_now();
  if (SYCLZE__UNLIKELY(ring->submission != NULL)) syclze__recorded_submission_end();
  ring->submitted_from = ring->first_call != 0 ? ring->first_call : now;
  ring->first_call = 0;
  const bool copies = command->is_host && command->transfer != NULL;
  syclze__mutex_lock(&recorder->lock);
  if (command->graph != NULL) syclze__recorded_graph(recorder, command, now);
  if (command->is_host)
    node = syclze__recorded_task_new(recorder, command,
        syclze__recorded_submission_name(
            recorder, ring->site, copies ? "copy between contexts" : "host task", NULL),
        now);
  if (!copies)
    ring->submission = syclze__recorded_submission_name(recorder, ring->site, command->function,
        command->kernel != NULL ? syclze__recorded_submission_kernel(recorder, command->kernel)
                                : NULL);
  syclze__mutex_unlock(&recorder->lock);
  return node;
}

SYCLZE_LOCAL_WARM void syclze__recorded_submission_end(void) {
  struct syclze__recorder *recorder = syclze__recorded_submission_trace();
  struct syclze__ring *ring = recorder != NULL ? syclze__ring_mine(recorder->rings) : NULL;
  if (ring == NULL || ring->submission == NULL) return;
  syclze__record_add(recorder->rings, SYCLZE__RECORD_CALL, ring->submission, ring->submitted_from,
      syclze__clock_now() - ring->submitted_from, 0, 0);
  ring->submission = NULL;
}

SYCLZE_LOCAL_WARM void syclze__recorded_command_end(
    struct syclze__trace_node *node, ze_result_t result, bool over) {
  (void)node, (void)result;
  if (over) syclze__recorded_submission_end();
}

SYCLZE_LOCAL void syclze__recorded_task_begin(struct syclze__trace_node *node) {
  ((struct syclze__recorded_task *)(void *)node)->start = syclze__clock_now();
}

SYCLZE_LOCAL void syclze__recorded_task_end(struct syclze__trace_node *node, bool ran) {
  struct syclze__recorded_task *task = (struct syclze__recorded_task *)(void *)node;
  struct syclze__recorder *recorder = syclze__recorded_submission_trace();
  if (ran && recorder != NULL)
    syclze__record_add(recorder->rings,
        task->track == SYCLZE__TRACK_HOST ? SYCLZE__RECORD_DEVICE : SYCLZE__RECORD_TASK, task->name,
        task->start, syclze__clock_now() - task->start, task->command, task->track);
  free(task);
}

SYCLZE_LOCAL struct syclze__recorder_hooks *syclze__recorder_hooks_get(void) {
  static struct syclze__recorder_hooks recorder = {
      {syclze__recorded_call_site, NULL, NULL, NULL, NULL, syclze__recorded_command_begin,
          syclze__recorded_command_end, NULL, syclze__recorded_submission_end,
          syclze__recorded_task_begin, syclze__recorded_task_end, syclze__recorded_storage_begin,
          NULL, NULL, NULL},
      {&recorder.table}};
  return &recorder;
}

SYCLZE_LOCAL void syclze__submissions_record(bool on) {
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  syclze__trace_sink_set(&syclze__recorder_hooks_get()->table, on);
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
}

SYCLZE_EXTERN_C_END

#endif

#else

SYCLZE_INLINE void syclze__recorded_submission_call(struct syclze__rings *rings, uint64_t now) {
  (void)rings, (void)now;
}
SYCLZE_INLINE void syclze__submissions_record(bool on) {
  (void)on;
}

#endif

#endif
