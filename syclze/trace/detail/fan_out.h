/* Who hears of command groups and host tasks beside the tracing framework: one listener, that of
 * trace/writer.h.
 *
 * While there is one, trace points are on, whether there is a framework or not. */
#ifndef SYCLZE_TRACE_LISTEN_H
#define SYCLZE_TRACE_LISTEN_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "../../detail/lock.h"
#include "../../detail/trace_hooks.h"

SYCLZE_EXTERN_C_BEGIN

/* What the listener keeps of a host task; zero at the start. It hears nothing of tasks that take or
 * give back memory, as it sees the calls that do. */
struct syclze__trace_span {
  uint64_t command, start, track;
  const char *name;
};

/* Lives as long as the program. Called on the thread that comes upon the point. */
struct syclze__trace_listener {
  /* A command is submitted; its submission ends on the same thread. `kernel` and `transfer` are
   * null for none. `heard` is of a host task, null for other commands; one with a transfer is the
   * library's own, a copy that its worker begins now. */
  void (*submit)(const struct syclze__trace_command_info *command,
      const struct syclze__trace_kernel_info *kernel,
      const struct syclze__trace_transfer_info *transfer, struct syclze__trace_span *heard);
  void (*submitted)(void);
  /* A host task runs. */
  void (*task_begin)(struct syclze__trace_span *heard);
  void (*task_end)(struct syclze__trace_span *heard);
};

SYCLZE_INLINE const struct syclze__trace_listener *syclze__listener(void) {
  return __atomic_load_n(&SYCLZE__STATE.trace_listener, __ATOMIC_ACQUIRE);
}

/* Turns the points on or off, as framework and listener are there. With the trace's lock held. */
SYCLZE_LOCAL void syclze__trace_switch(void) {
  struct syclze__state *state = &SYCLZE__STATE;
  const uint32_t off = __atomic_load_n(&state->xpti_off, __ATOMIC_RELAXED);
  __atomic_store_n(&state->trace_off, syclze__listener() != NULL ? 0 : off, __ATOMIC_RELAXED);
}

SYCLZE_COLD void syclze__trace_listen(const struct syclze__trace_listener *listener)
    SYCLZE_LINK_NAME(syclze__trace_listen);

/* Null ends it; points that run now may still call the one before. */
SYCLZE_COLD void syclze__trace_listen(const struct syclze__trace_listener *listener) {
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  __atomic_store_n(&SYCLZE__STATE.trace_listener, listener, __ATOMIC_RELEASE);
  syclze__trace_switch();
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
}

SYCLZE_EXTERN_C_END

#endif

#endif
