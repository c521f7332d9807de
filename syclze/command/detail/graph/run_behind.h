/* A run of a graph on an out-of-order list that needs to wait for the graph's last run only
 * (runs.h): one append, with an event that is the last run's from then on. All other runs take the
 * steps of the engine. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_RUN_BEHIND_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_RUN_BEHIND_H

#include "times.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Takes and resets the event of the queue's oldest submission, if that is of a chain in which the
 * next one, which waits for it alone, is done too; else null. */
SYCLZE_INLINE struct syclze__event *syclze__graph_take_event(struct syclze__queue_state *state) {
  SYCLZE__HELD(&state->lock);
#if SYCLZE__HAS_IDLE_OBJECTS
  struct syclze__event *event = state->first;
  struct syclze__event *next = event != NULL ? event->pending.next : NULL;
  if (next == NULL || next->pending.wait_count != 1 || next->pending.waits.one != event ||
      next->pending.is_host || __atomic_load_n(&event->ref.others, __ATOMIC_ACQUIRE) != 1 ||
      !syclze__event_is_signalled(next))
    return NULL;
  /* `next` had the only other reference. */
  next->pending.wait_count = 0;
  next->pending.holds = next->pending.kernel != NULL;
  event->ref.others = 0;
  if (event->device == NULL && syclze__pending_is_reusable(event, NULL) &&
      syclze__pending_drop_wait(event))
    return syclze__pending_take_first(state);
#endif
  (void)state;
  return NULL;
}

/* Locks the runs, and returns the locked state of the group's queue, if the graph, which the driver
 * appends to immediate lists, needs to wait for its last run only; else null, and nothing locked.
 */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN struct syclze__queue_state *syclze__graph_enter_behind(
    const syclze_group *group, struct syclze__runs *runs) {
  struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  if (syclze__group_depends(group) || group->status.result != ZE_RESULT_SUCCESS || state == NULL ||
      state->driver_in_order || state->is_synchronous || SYCLZE__TRACING_COMMANDS() ||
      syclze__is_forked() || !syclze__lock_try(&state->lock))
    return NULL;
  if (state->obstacles == 0 && state->event_kind == SYCLZE__EVENT_PLAIN) {
    syclze__lock_acquire(&runs->lock);
    if (runs->count == runs->accessor_count && !syclze__event_is_open(runs->last)) return state;
    syclze__lock_release(&runs->lock);
  }
  syclze__lock_release(&state->lock);
  return NULL;
}

/* Ends a run that was not appended, and for which other work may wait. */
SYCLZE_LOCAL ze_result_t syclze__graph_abandon(const struct syclze__command *command,
    const struct syclze__append *at, bool wants_event, struct syclze__status status) {
  const void *native = at->state->queue->native.queue;
  struct syclze__submission submission;
  syclze__submission_init(
      &submission, command->table->kind, command->function, command, wants_event);
  submission.at = *at;
  if (!wants_event) syclze__ref_retain(&at->event->ref); /* abandoned with the caller's reference */
  syclze__submission_abandon(&submission, status.result);
  return syclze__command_fail(command, command->function, status, native);
}

/* Appends the graph behind its last run to a state that syclze__graph_enter_behind returned, and
 * releases the runs and the state. `event` may be null. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN ze_result_t syclze__graph_append_behind(
    const struct syclze__command *command, struct syclze__runs *runs,
    struct syclze__queue_state *state, syclze_event *event) {
  struct syclze__event *done = NULL;
  struct syclze__append at;
  ze_result_t result = ZE_RESULT_SUCCESS;
  syclze__append_init(&at, state, state->queue->native.list);
  at.event = syclze__graph_take_event(state);
  if (SYCLZE__UNLIKELY(at.event == NULL)) result = syclze__queue_event(state, &at.event);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) {
    syclze__lock_release(&runs->lock);
    return syclze__queue_state_fail(
        state, NULL, syclze__status_of(result, "no event could be created"), command);
  }
  /* The event takes the runs' reference to the last one. */
  at.signal = at.event->native;
  at.waits = &runs->last->native;
  at.wait_count = 1;
  at.event->pending.waits.one = runs->last;
  at.event->pending.wait_count = 1;
  at.event->pending.holds = at.event->pending.is_listed = true;
  at.event->order = state->order;
  at.event->ref.others = event != NULL ? 2 : 1;
  runs->last = at.event;
  syclze__lock_release(&runs->lock);
  const struct syclze__status status =
      syclze__status_of(command->table->append(command, &at), command->table->rule);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS))
    return syclze__graph_abandon(command, &at, event != NULL, status);
  if (event != NULL) event->rep = at.event;
  if (state->position++ % SYCLZE__RETIRE_EVERY == 0)
    done = syclze__queue_state_retire(state, SYCLZE__RETIRE_EACH * SYCLZE__RETIRE_EVERY);
  syclze__queue_state_keep(state, at.event);
  syclze__queue_state_unlock(state);
  if (done != NULL) syclze__pendings_retire(done);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#include "submit.h"

#endif
