/* The queue that a kernel belongs to: the queue that launched it last (commands/kernel_use.h). */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_KERNEL_OWNER_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_KERNEL_OWNER_H

#include "../../../kernel.h"
#include "../queue/state.h"

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE__KERNEL_CONTEXT_RULE "the kernel is of another context than the queue"

enum { SYCLZE__KERNEL_EVENTS = 1 }; /* flag of `owner`: all of its launches have left events */

/* True if a launch without an event needs only the state's lock. With that lock held, the owner
 * neither becomes nor ceases to be this state. */
SYCLZE_INLINE bool syclze__kernel_is_bound(
    const struct syclze__kernel *kernel, const struct syclze__queue_state *state) {
  return __atomic_load_n(&kernel->owner, __ATOMIC_RELAXED) == (uintptr_t)state;
}

/* syclze__kernel_is_bound for a launch with an event. */
SYCLZE_INLINE bool syclze__kernel_is_bound_with_event(
    const struct syclze__kernel *kernel, const struct syclze__queue_state *state) {
  const uintptr_t owner = __atomic_load_n(&kernel->owner, __ATOMIC_RELAXED);
  return (owner | SYCLZE__KERNEL_EVENTS) == ((uintptr_t)state | SYCLZE__KERNEL_EVENTS);
}

SYCLZE_EXTERN_C_END

#endif
