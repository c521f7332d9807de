/* The library's own spans: submissions of command groups, and runs of host tasks.
 *
 * A submission's span is named by the function that submits, the kernel and the place of the call,
 * where there are such, and begins with its first call of Level Zero, which nests in it. A host
 * task is a command of its queue, with a span on the thread that runs it; what it waits for and
 * what waits for it is known by events, as of other commands. */
#ifndef SYCLZE_TRACE_SUBMISSIONS_H
#define SYCLZE_TRACE_SUBMISSIONS_H

#include "appends.h"
#include "../detail/listener.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* What the running thread submits. */
struct syclze__recorded_submission {
  const struct syclze__trace_place *place; /* of which the first call was seen; null for none */
  uint64_t first;                          /* when */
  uint64_t start;
  const char *name; /* null while nothing is submitted */
};

#ifdef _WIN32
static __thread struct syclze__recorded_submission syclze__recorded_submission_of_thread
    __attribute__((unused));
#else
__attribute__((weak, visibility("hidden"),
    tls_model("initial-exec"))) __thread struct syclze__recorded_submission
    syclze__recorded_submission_of_thread;
#endif

/* A call of Level Zero begins: the first since the program came to another place? */
SYCLZE_INLINE void syclze__recorded_submission_call(uint64_t now) {
  struct syclze__recorded_submission *mine = &syclze__recorded_submission_of_thread;
  if (mine->place == SYCLZE__TRACE_PLACE) return;
  mine->place = SYCLZE__TRACE_PLACE;
  mine->first = now;
}

SYCLZE_INLINE uint64_t syclze__recorded_submission_mix(uint64_t key, const void *address) {
  key = (key ^ (uint64_t)(uintptr_t)address) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 29;
}

/* "function kernel (file.c:12)", with the thread's place; made once for each three, whose addresses
 * are mixed well enough to stand for them. `kernel` may be null; else it is interned. */
SYCLZE_LOCAL const char *syclze__recorded_submission_name(
    struct syclze__trace *trace, const char *function, const char *kernel) {
  const struct syclze__trace_place *place = SYCLZE__TRACE_PLACE;
  const uint64_t key = syclze__recorded_submission_mix(
      syclze__recorded_submission_mix(syclze__recorded_submission_mix(1, function), kernel), place);
  struct syclze__traced *site = syclze__map_put(&trace->sites, key);
  if (site == NULL) return function;
  if (site->name != NULL) return site->name;
  char text[256];
  const int length = snprintf(text, sizeof text, "%s%s%s", function, kernel != NULL ? " " : "",
      kernel != NULL ? kernel : "");
  if (place != NULL && length >= 0 && (size_t)length < sizeof text) {
    const char *file = strrchr(place->file, '/');
    snprintf(text + length, sizeof text - (size_t)length, " (%s:%u)",
        file != NULL ? file + 1 : place->file, (unsigned)place->line);
  }
  return site->name = syclze__trace_intern(trace, text);
}

/* The name of a kernel that may be older than the trace. */
SYCLZE_LOCAL const char *syclze__recorded_submission_kernel(
    struct syclze__trace *trace, const struct syclze__trace_kernel_info *kernel) {
  const uint64_t handle = SYCLZE__WORD(kernel->native);
  const struct syclze__traced *known = syclze__map_find(&trace->kernels, handle);
  if (known != NULL && known->name != NULL) return known->name;
  char text[256];
  size_t size = sizeof text;
  if (SYCLZE__ZE(zeKernelGetName)(kernel->native, &size, text) != ZE_RESULT_SUCCESS) return NULL;
  text[sizeof text - 1] = 0;
  const char *name = syclze__trace_intern(trace, text);
  /* Where calls are told, so is the kernel's end. */
  if (trace->listener.functions != 0) {
    struct syclze__traced *place = syclze__map_put(&trace->kernels, handle);
    if (place != NULL) place->name = name;
  }
  return name;
}

/* A host task as a command; its name is known. */
SYCLZE_LOCAL void syclze__recorded_submission_task(struct syclze__trace *trace,
    const struct syclze__trace_command_info *command, uint64_t now,
    struct syclze__trace_span *heard) {
  const uint64_t id = heard->command = ++trace->commands;
  heard->track = SYCLZE__WORD(command->native);
  syclze__record_add(trace->rings, SYCLZE__RECORD_COMMAND, heard->name, now, 0, id, heard->track);
  syclze__trace_waits(trace, command->waits, command->wait_count, id, now);
  struct syclze__traced *event = syclze__map_put(&trace->events, SYCLZE__WORD(command->signal));
  if (event == NULL) return;
  event->value = id;
  event->other = 0;
  event->flags &= ~(uint32_t)SYCLZE__TRACED_PENDING;
}

/* Null where nothing is recorded any more. */
SYCLZE_INLINE struct syclze__trace *syclze__recorded_submission_trace(void) {
  struct syclze__trace *trace = __atomic_load_n(&SYCLZE__STATE.trace, __ATOMIC_ACQUIRE);
  return __atomic_load_n(&trace->rings->stopped, __ATOMIC_RELAXED) ? NULL : trace;
}

SYCLZE_COLD void syclze__recorded_submission_begin(const struct syclze__trace_command_info *command,
    const struct syclze__trace_kernel_info *kernel,
    const struct syclze__trace_transfer_info *transfer, struct syclze__trace_span *heard)
    SYCLZE_LINK_NAME(syclze__recorded_submission_begin);

SYCLZE_COLD void syclze__recorded_submission_begin(const struct syclze__trace_command_info *command,
    const struct syclze__trace_kernel_info *kernel,
    const struct syclze__trace_transfer_info *transfer, struct syclze__trace_span *heard) {
  struct syclze__trace *trace = syclze__recorded_submission_trace();
  struct syclze__recorded_submission *mine = &syclze__recorded_submission_of_thread;
  if (trace == NULL) return;
  const uint64_t now = syclze__trace_now();
  const bool seen = mine->place != NULL && mine->place == SYCLZE__TRACE_PLACE;
  mine->start = seen ? mine->first : now;
  mine->place = NULL;
  const bool copies = heard != NULL && transfer != NULL;
  pthread_mutex_lock(&trace->lock);
  if (heard != NULL) {
    heard->name = syclze__recorded_submission_name(
        trace, copies ? "copy between contexts" : "host task", NULL);
    syclze__recorded_submission_task(trace, command, now, heard);
  }
  if (!copies)
    mine->name = syclze__recorded_submission_name(trace, command->function,
        kernel != NULL ? syclze__recorded_submission_kernel(trace, kernel) : NULL);
  pthread_mutex_unlock(&trace->lock);
}

SYCLZE_COLD void syclze__recorded_submission_end(void)
    SYCLZE_LINK_NAME(syclze__recorded_submission_end);

SYCLZE_COLD void syclze__recorded_submission_end(void) {
  struct syclze__trace *trace = syclze__recorded_submission_trace();
  struct syclze__recorded_submission *mine = &syclze__recorded_submission_of_thread;
  if (trace == NULL || mine->name == NULL) return;
  syclze__record_add(trace->rings, SYCLZE__RECORD_CALL, mine->name, mine->start,
      syclze__trace_now() - mine->start, 0, 0);
  mine->name = NULL;
}

SYCLZE_COLD void syclze__task_begins(struct syclze__trace_span *heard)
    SYCLZE_LINK_NAME(syclze__task_begins);

SYCLZE_COLD void syclze__task_begins(struct syclze__trace_span *heard) {
  heard->start = syclze__trace_now();
}

SYCLZE_COLD void syclze__task_ends(struct syclze__trace_span *heard)
    SYCLZE_LINK_NAME(syclze__task_ends);

/* Of one that was submitted before the trace began nothing is known. */
SYCLZE_COLD void syclze__task_ends(struct syclze__trace_span *heard) {
  struct syclze__trace *trace = syclze__recorded_submission_trace();
  if (trace == NULL || heard->command == 0) return;
  syclze__record_add(trace->rings, SYCLZE__RECORD_TASK, heard->name, heard->start,
      syclze__trace_now() - heard->start, heard->command, heard->track);
}

SYCLZE_INLINE void syclze__submissions_listen(void) {
  static const struct syclze__trace_listener listener = {syclze__recorded_submission_begin,
      syclze__recorded_submission_end, syclze__task_begins, syclze__task_ends};
  syclze__trace_listen(&listener);
}

SYCLZE_INLINE void syclze__submissions_stop(void) {
  syclze__trace_listen(NULL);
}

SYCLZE_EXTERN_C_END

#else

SYCLZE_INLINE void syclze__recorded_submission_call(uint64_t now) {
  (void)now;
}
SYCLZE_INLINE void syclze__submissions_listen(void) {
}
SYCLZE_INLINE void syclze__submissions_stop(void) {
}

#endif

#endif
