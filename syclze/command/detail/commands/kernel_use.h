/* The use of kernels by queues.
 *
 * One thread at a time may set the arguments and the group size of a native kernel. A kernel
 * belongs to the queue that launched it last: that queue's lock also protects the kernel's state,
 * and a launch compares one word. Another queue takes the kernel over with both locks held. The
 * former owner's lock is tried, so that two queues that exchange kernels do not deadlock.
 *
 * The event of a launch keeps the kernel until the launch is done. Launches without an event leave
 * no record: the last release of a kernel appends a barrier to the lists that have such launches,
 * and a worker destroys the kernel behind it. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_KERNEL_USE_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_KERNEL_USE_H

#include "../host/worker_task.h"
#include "../../../kernel.h"
#include "../plain/append.h"
#include "../plain/kernel_owner.h"
#include "../plain/lock_await.h"
#include "../queue/pending.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A former owner that launched the kernel without events. */
struct syclze__kernel_use {
  struct syclze__kernel_use *next;
  struct syclze__queue_state *state; /* with a reference */
  uint64_t position;                 /* at or behind the last launch */
};

struct syclze__kernel_uses {
  struct syclze__attachment attachment; /* of the kernel, which keeps its owner too */
  struct syclze__event_task events;     /* destroys the kernel */
  struct syclze__wait_list waits;
  struct syclze__kernel *kernel;
  bool again;                             /* the wait list covers a part of the launches */
  SYCLZE__LOCK(SYCLZE__RANK_KERNEL) lock; /* of `owner` and `first` */
  struct syclze__kernel_use *first;
};

SYCLZE_INLINE struct syclze__queue_state *syclze__kernel_owner(
    const struct syclze__kernel *kernel) {
  const uintptr_t owner = __atomic_load_n(&kernel->owner, __ATOMIC_RELAXED);
  return (struct syclze__queue_state *)(owner & ~(uintptr_t)SYCLZE__KERNEL_EVENTS);
}

/* Adds to the wait list what covers a queue's launches up to the position. */
SYCLZE_LOCAL ze_result_t syclze__kernel_use_wait(
    struct syclze__queue_state *state, uint64_t position, struct syclze__wait_list *waits) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__lock_acquire(&state->lock);
  if (state->borrowers != NULL) {
    result = syclze__wait_list_add(waits, state->borrowers->done);
    syclze__lock_release(&state->lock);
    return result == ZE_RESULT_SUCCESS ? ZE_RESULT_NOT_READY : result;
  }
  if (state->marker_position < position) result = syclze__queue_state_mark(state);
  if (result == ZE_RESULT_SUCCESS && state->marker != NULL &&
      !syclze__event_is_signalled(state->marker))
    result = syclze__wait_list_add(waits, state->marker);
  syclze__lock_release(&state->lock);
  return result;
}

/* Adds to the wait list what covers all launches without events, and forgets the queues. The
 * application keeps a kept kernel alive. ZE_RESULT_NOT_READY: wait for the list, then call
 * again. */
SYCLZE_LOCAL ze_result_t syclze__kernel_uses_gather(struct syclze__kernel_uses *uses) {
  struct syclze__kernel *kernel = uses->kernel;
  struct syclze__queue_state *owner = syclze__kernel_owner(kernel);
  const bool is_kept = syclze__ref_is_kept(&kernel->ref);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (owner != NULL) {
    if (!is_kept && (kernel->owner & SYCLZE__KERNEL_EVENTS) == 0)
      result = syclze__kernel_use_wait(owner, UINT64_MAX, &uses->waits);
    if (result == ZE_RESULT_NOT_READY) return result;
    kernel->owner = 0;
    syclze__queue_state_release(owner);
  }
  while (uses->first != NULL) {
    struct syclze__kernel_use *use = uses->first;
    if (!is_kept && result == ZE_RESULT_SUCCESS)
      result = syclze__kernel_use_wait(use->state, use->position, &uses->waits);
    if (result == ZE_RESULT_NOT_READY) return result;
    uses->first = use->next;
    syclze__queue_state_release(use->state);
    free(use);
  }
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__kernel_uses_destroy(struct syclze__kernel_uses *uses) {
  struct syclze__kernel *kernel = uses->kernel;
  syclze__wait_list_end(&uses->waits);
  free(uses);
  kernel->uses = NULL;
  kernel->ref.ownership &= ~(uint32_t)SYCLZE__LAUNCHED;
  return syclze__kernel_destroy(kernel);
}

SYCLZE_LOCAL ze_result_t syclze__kernel_uses_end(struct syclze__attachment *attachment);

SYCLZE_LOCAL void syclze__kernel_uses_run(struct syclze__task *task, ze_result_t result) {
  struct syclze__event_task *events = (struct syclze__event_task *)(void *)task;
  struct syclze__kernel_uses *uses =
      (struct syclze__kernel_uses *)(void *)((char *)events -
                                             offsetof(struct syclze__kernel_uses, events));
  if (result == ZE_RESULT_SUCCESS && uses->again)
    syclze__kernel_uses_end(&uses->attachment);
  else if (result == ZE_RESULT_SUCCESS)
    syclze__kernel_uses_destroy(uses);
  else
    syclze__fail(result, "syclze_kernel_release",
        "the kernel is not destroyed: its context is lost, and its work not done",
        uses->kernel->native);
}

/* Ends the uses after the last release of the kernel. */
SYCLZE_LOCAL ze_result_t syclze__kernel_uses_end(struct syclze__attachment *attachment) {
  struct syclze__kernel_uses *uses = (struct syclze__kernel_uses *)(void *)attachment;
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (syclze__is_forked()) return syclze__kernel_uses_destroy(uses);
  result = syclze__kernel_uses_gather(uses);
  uses->again = result == ZE_RESULT_NOT_READY;
  if (result != ZE_RESULT_SUCCESS && !uses->again)
    return syclze__fail(result, "syclze_kernel_release",
        "the kernel is not destroyed: completion of its work is unknown", uses->kernel->native);
  if (uses->waits.count == 0) return syclze__kernel_uses_destroy(uses);
  uses->events.waits = uses->waits.natives;
  uses->events.wait_count = uses->waits.count;
  uses->events.task.wait = syclze__event_task_wait;
  uses->events.task.run = syclze__kernel_uses_run;
  syclze__workers_leave(&uses->events.task);
  return ZE_RESULT_SUCCESS;
}

/* The kernel's uses, created on first use; null without memory. */
SYCLZE_LOCAL struct syclze__kernel_uses *syclze__kernel_uses_require(
    struct syclze__kernel *kernel) {
  struct syclze__attachment *there = __atomic_load_n(&kernel->uses, __ATOMIC_ACQUIRE);
  struct syclze__kernel_uses *created;
  if (there != NULL) return (struct syclze__kernel_uses *)(void *)there;
  created = (struct syclze__kernel_uses *)calloc(1, sizeof *created);
  if (created == NULL) return NULL;
  syclze__image_attach(&kernel->ref.slot);
  created->attachment.end = syclze__kernel_uses_end;
  created->kernel = kernel;
  syclze__wait_list_init(&created->waits);
  if (__atomic_compare_exchange_n(
          &kernel->uses, &there, &created->attachment, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    __atomic_fetch_or(&kernel->ref.ownership, SYCLZE__LAUNCHED, __ATOMIC_RELAXED);
    return created;
  }
  free(created);
  return (struct syclze__kernel_uses *)(void *)there;
}

/* Records the launches of the owner, and removes queues that have ended. False without memory. */
SYCLZE_LOCAL bool syclze__kernel_uses_note(
    struct syclze__kernel_uses *uses, struct syclze__queue_state *owner) {
  SYCLZE__HELD(&owner->lock);
  struct syclze__kernel_use **link = &uses->first, *found = NULL;
  while (*link != NULL) {
    struct syclze__kernel_use *use = *link;
    if (use->state == owner)
      found = use;
    else if (__atomic_load_n(&use->state->has_ended, __ATOMIC_ACQUIRE)) {
      *link = use->next;
      syclze__queue_state_release(use->state);
      free(use);
      continue;
    }
    link = &use->next;
  }
  if (found == NULL) {
    found = (struct syclze__kernel_use *)malloc(sizeof *found);
    if (found == NULL) return false;
    found->state = owner;
    found->next = uses->first;
    uses->first = found;
    syclze__queue_state_retain(owner);
  }
  found->position = owner->position;
  return true;
}

/* Takes the kernel over from another queue. ZE_RESULT_NOT_READY while that queue's lock is
 * contended. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN ze_result_t syclze__kernel_take_over(
    struct syclze__kernel_uses *uses, struct syclze__queue_state *state, bool without_event) {
  SYCLZE__HELD(&uses->lock);
  struct syclze__kernel *kernel = uses->kernel;
  struct syclze__queue_state *owner = syclze__kernel_owner(kernel);
  uintptr_t taken = (uintptr_t)state | SYCLZE__KERNEL_EVENTS;
  bool noted = true;
  if (without_event) {
    if (syclze__ref_is_kept(&state->queue->ref) && state->reserve == NULL &&
        !state->is_synchronous) {
      const ze_result_t result = syclze__queue_event(state, &state->reserve);
      if (result != ZE_RESULT_SUCCESS) return result;
    }
    taken = (uintptr_t)state;
    state->has_plain_launches = true;
  }
  if (owner == state) {
    __atomic_store_n(&kernel->owner, taken, __ATOMIC_RELAXED);
    return ZE_RESULT_SUCCESS;
  }
  if (owner != NULL) {
    if (!syclze__lock_try(&owner->lock)) return ZE_RESULT_NOT_READY;
    if ((kernel->owner & SYCLZE__KERNEL_EVENTS) == 0 && !syclze__ref_is_kept(&kernel->ref))
      noted = syclze__kernel_uses_note(uses, owner);
  }
  if (noted) {
    syclze__queue_state_retain(state);
    __atomic_store_n(&kernel->owner, taken, __ATOMIC_RELAXED);
  }
  if (owner != NULL) {
    syclze__lock_release(&owner->lock);
    if (noted) syclze__queue_state_release(owner);
  }
  return noted ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

/* Binds the kernel to the state. ZE_RESULT_NOT_READY: release the lock, await the owner, and try
 * again. SYCLZE_RESULT_ERROR_INVALID: they are of different contexts. */
SYCLZE_LOCAL_WARM ze_result_t syclze__kernel_bind(
    struct syclze__kernel *kernel, struct syclze__queue_state *state, bool without_event) {
  SYCLZE__HELD(&state->lock);
  /* On other kinds of queues every launch has an event (submission.h). */
  if ((state->obstacles & SYCLZE__OBSTACLE_KIND) != 0) without_event = false;
  if (syclze__kernel_is_bound(kernel, state) ||
      (!without_event && syclze__kernel_is_bound_with_event(kernel, state)))
    return ZE_RESULT_SUCCESS;
  if (state->queue != NULL &&
      !syclze__contexts_are_one(kernel->bundle->context, state->queue->context))
    return SYCLZE_RESULT_ERROR_INVALID;
  struct syclze__kernel_uses *uses = syclze__kernel_uses_require(kernel);
  if (uses == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze__lock_acquire(&uses->lock);
  const ze_result_t result = syclze__kernel_take_over(uses, state, without_event);
  syclze__lock_release(&uses->lock);
  return result;
}

/* Binds the kernel to the state for a launch with an event, or to set its arguments. */
SYCLZE_INLINE ze_result_t syclze__kernel_bind_with_event(
    struct syclze__kernel *kernel, struct syclze__queue_state *state) {
  if (SYCLZE__LIKELY(syclze__kernel_is_bound_with_event(kernel, state))) return ZE_RESULT_SUCCESS;
  return syclze__kernel_bind(kernel, state, false);
}

/* Returns once the lock of the queue that owns the kernel was free. No lock is held. */
SYCLZE_LOCAL void syclze__kernel_await_owner(struct syclze__kernel *kernel) {
  struct syclze__kernel_uses *uses = syclze__kernel_uses_require(kernel);
  if (uses == NULL) return;
  syclze__lock_acquire(&uses->lock);
  struct syclze__queue_state *owner = syclze__kernel_owner(kernel);
  if (owner != NULL) syclze__queue_state_retain(owner);
  syclze__lock_release(&uses->lock);
  if (owner == NULL) return;
  syclze__lock_await(&owner->lock);
  syclze__queue_state_release(owner);
}

#endif

SYCLZE_EXTERN_C_END

#endif
