/* The steps of a submission:
 *
 * - lock the memory objects that the group accesses, bring replicas of other contexts up to date,
 *   and gather the wait list of the group's events and accesses
 * - lock the queue, and add the events that its own order demands
 * - hold: the event, if one is needed, and all that must live until it is signalled
 * - record the accesses, so that other work can depend on the submission; release the memory
 *   objects
 * - append: the one call of the command
 * - end (submission_end.h), which releases the queue
 *
 * The append may block, as on a synchronous list, so no memory object is locked meanwhile. With
 * memory objects locked the queue's lock is only tried; a thread that misses it releases all of
 * them, and sleeps until it is free (lock_await.h). */
#ifndef SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMISSION_H
#define SYCLZE_COMMAND_DETAIL_SUBMIT_SUBMISSION_H

#include "../order/compaction.h"
#include "../plain/engine.h"
#include "submission_end.h"
#include "../commands/kernel_use.h"
#include "../queue/lifetime.h"
#include "../graph/recording.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD const struct syclze__engine *syclze__engine_table(void)
    SYCLZE_LINK_NAME(syclze__engine_table);

#if SYCLZE__BODIES

/* True if the locked state owns all that the accessors access: recording their positions suffices.
 * A position set without a submission is conservative. */
SYCLZE_INLINE bool syclze__submission_owns(
    const struct syclze__queue_state *state, const syclze_accessor *accessors, uint32_t count) {
  const uint64_t position = state->position + 1;
  for (const syclze_accessor *end = accessors + count; accessors != end; accessors++) {
    struct syclze__accesses *all = syclze__accesses_of(accessors->memory);
    if (SYCLZE__UNLIKELY(all == NULL || accessors->is_part ||
                         __atomic_load_n(&all->owner, __ATOMIC_RELAXED) != state))
      return false;
    all->positions[accessors->mode != SYCLZE_ACCESS_READ] = position;
  }
  return true;
}

SYCLZE_INLINE void syclze__submission_of(struct syclze__submission *submission, syclze_group *group,
    enum syclze__submission_kind kind, const char *function, const struct syclze__command *command,
    bool wants_event) {
  syclze__submission_init(submission, kind, function, command, wants_event);
  submission->at.depends = syclze__group_depends(group);
  submission->accessor_count = group->accessor_count;
  submission->group = group;
  submission->accessors = syclze__group_accessors(group);
  submission->accesses = NULL;
  submission->traced = NULL;
}

/* Waits for an event of the queue's context in place of one of another context. */
SYCLZE_LOCAL ze_result_t syclze__submission_wait_across(
    struct syclze__submission *submission, struct syclze__event *event) {
  struct syclze__event *own;
  if (syclze__event_is_recorded(event)) {
    syclze__group_fail(submission->group, syclze__recorded_event_status());
    return SYCLZE_RESULT_ERROR_INVALID;
  }
  ze_result_t result = syclze__host_wait_event(submission->group->queue, event, &own);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze__wait_list_add(&submission->waits, own);
  syclze__event_release(own);
  return result;
}

/* Replaces the available event of memory, if it is of another context, with one of the memory's
 * own. */
SYCLZE_LOCAL ze_result_t syclze__submission_wait_available(
    const struct syclze__submission *submission, struct syclze__memory *memory) {
  struct syclze__event *own;
  if (syclze__contexts_are_one(memory->available->context, memory->context))
    return ZE_RESULT_SUCCESS;
  ze_result_t result = syclze__host_wait_event(submission->group->queue, memory->available, &own);
  if (result != ZE_RESULT_SUCCESS) return result;
  syclze__event_assign(&memory->available, own);
  syclze__event_release(own);
  return result;
}

SYCLZE_INLINE ze_result_t syclze__submission_gather_events(struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  struct syclze__event *const *events = syclze__group_events(group);
  ze_result_t result = syclze__wait_list_reserve(&submission->waits, group->event_count);
  const struct syclze__queue_state *state = syclze__queue_state_get(group->queue);
  for (uint32_t i = 0; i < group->event_count && result == ZE_RESULT_SUCCESS; i++) {
    /* Traces show all edges. */
    if (!SYCLZE__TRACING_COMMANDS() &&
        syclze__submission_follows(submission->kind, state, events[i]))
      continue;
    result = syclze__contexts_are_one(events[i]->context, group->queue->context)
                 ? syclze__wait_list_add(&submission->waits, events[i])
                 : syclze__submission_wait_across(submission, events[i]);
  }
  return result;
}

/* Locks the memory objects of the accessors one by one, brings replicas up to date, and gathers the
 * wait list. `*contended` is a lock that another thread holds, or null. */
SYCLZE_LOCAL_WARM SYCLZE__HOT SYCLZE__LOCKS_UNSEEN ze_result_t syclze__submission_gather_accesses(
    struct syclze__submission *submission, const struct syclze__queue_state *state,
    const syclze_accessor *accessors, uint32_t count, struct syclze__accesses_lock **contended) {
  const bool is_native = syclze__kind_is_native(submission->kind);
  ze_result_t result = ZE_RESULT_SUCCESS;
  *contended = NULL;
  /* Host tasks are not ordered by the native list. */
  if (!is_native && !state->in_order) state = NULL;
  for (uint32_t i = 0; i < count && SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS); i++) {
    const syclze_accessor *accessor = &accessors[i];
    struct syclze__memory *memory = accessor->memory;
    struct syclze__accesses *all = syclze__accesses_of(memory);
    struct syclze__accesses_lock *lock = syclze__accesses_lock_of(all);
    if (SYCLZE__UNLIKELY(!syclze__accessor_try(accessor, accessors, lock))) {
      *contended = lock;
      break;
    }
    if (SYCLZE__UNLIKELY(all->replicas != NULL))
      result = syclze__replica_update(memory, submission->group->queue, NULL);
    if (SYCLZE__UNLIKELY(memory->available != NULL) && result == ZE_RESULT_SUCCESS)
      result = syclze__submission_wait_available(submission, memory);
    if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS))
      result = syclze__dependency_gather_inline(accessor,
          SYCLZE__LIKELY(!accessor->is_part) ? NULL : syclze__group_part(submission->group, i),
          state, is_native, &submission->waits, &submission->accesses);
  }
  return result;
}

/* Locks the memory objects, with the accesses gathered, and the queue. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN ze_result_t syclze__submission_lock(
    struct syclze__submission *submission, struct syclze__queue_state *state,
    const syclze_accessor *accessors, uint32_t count) {
  const uint32_t events = submission->waits.count;
  for (;;) {
    struct syclze__accesses_lock *contended;
    bool is_bound = true;
    ze_result_t result =
        syclze__submission_gather_accesses(submission, state, accessors, count, &contended);
    if (SYCLZE__LIKELY(
            result == ZE_RESULT_SUCCESS && contended == NULL && syclze__lock_try(&state->lock))) {
      result = syclze__submission_bind(submission, state);
      if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
      syclze__lock_release(&state->lock);
      is_bound = result != ZE_RESULT_NOT_READY;
    }
    syclze__submission_unlock_accesses(submission, accessors, count);
    syclze__wait_list_truncate(&submission->waits, events);
    if (!is_bound)
      submission->binding->await_owner(submission->kernel);
    else if (result != ZE_RESULT_SUCCESS)
      return result;
    else if (contended != NULL)
      syclze__lock_await(&contended->word);
    else
      syclze__lock_await(&state->lock);
  }
}

/* Locks the queue if it owns all that the accessors access and nothing can defer the submission:
 * there is nothing to gather, and no memory object to lock. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN bool syclze__submission_lock_owner(
    const struct syclze__submission *submission, struct syclze__queue_state *state,
    const syclze_accessor *accessors, uint32_t count) {
  const struct syclze__accesses *first = syclze__accesses_of(accessors->memory);
  if (first == NULL || __atomic_load_n(&first->owner, __ATOMIC_RELAXED) != state ||
      submission->kind > SYCLZE__SUBMISSION_BARRIER || !syclze__lock_try(&state->lock))
    return false;
  if (state->obstacles == 0 && syclze__submission_owns(state, accessors, count) &&
      !syclze__wait_list_is_open(&submission->waits) &&
      syclze__submission_bind(submission, state) == ZE_RESULT_SUCCESS)
    return true;
  syclze__lock_release(&state->lock);
  return false;
}

/* Locks the queue and the group's runs if all accesses of the graph refer to the runs, and waits
 * for the last run. False, and no lock held, if the accesses must be gathered. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN bool syclze__submission_lock_runs(
    struct syclze__submission *submission, struct syclze__queue_state *state) {
  struct syclze__runs *runs = submission->group->runs;
  if (__atomic_load_n(&runs->count, __ATOMIC_RELAXED) != runs->accessor_count ||
      submission->group->accessor_count != 0 || state->driver_in_order ||
      SYCLZE__TRACING_COMMANDS())
    return false;
  syclze__lock_acquire(&state->lock);
  syclze__lock_acquire(&runs->lock);
  submission->follows_run =
      runs->count == runs->accessor_count &&
      syclze__wait_list_add(&submission->waits, runs->last) == ZE_RESULT_SUCCESS;
  if (submission->follows_run) return true;
  syclze__lock_release(&runs->lock);
  syclze__lock_release(&state->lock);
  return false;
}

/* Enters the engine in a context: the plain way of any linked image leaves to it what it cannot
 * submit. */
SYCLZE_LOCAL void syclze__engine_enter(struct syclze__context *context) {
  const struct syclze__engine *engine = syclze__engine_table(), *none = NULL;
  syclze__image_attach(&context->parent.ref.slot);
  __atomic_store_n(&SYCLZE__STATE.engine, engine, __ATOMIC_RELEASE);
  __atomic_compare_exchange_n(
      &context->engine, &none, engine, false, __ATOMIC_RELEASE, __ATOMIC_RELAXED);
}

/* Locks all that the group accesses, and the queue. */
SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN ze_result_t syclze__submission_lock_group(
    struct syclze__submission *submission, struct syclze__queue_state *state) {
  syclze_group *group = submission->group;
  if (SYCLZE__UNLIKELY(group->runs != NULL)) {
    syclze__group_add_accessors(
        group, syclze__runs_accessors(group->runs), group->runs->accessor_count);
    if (group->status.result != ZE_RESULT_SUCCESS) return group->status.result;
    submission->accessors = syclze__group_accessors(group);
    submission->accessor_count = group->accessor_count;
  }
  const syclze_accessor *accessors = submission->accessors;
  const uint32_t count = submission->accessor_count;
  if (count == 0) return syclze__submission_lock_queue(submission, state);
  if (syclze__submission_lock_owner(submission, state, accessors, count)) return ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    const ze_result_t result = syclze__accesses_require(accessors[i].memory);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  }
  return syclze__submission_lock(submission, state, accessors, count);
}

/* Checks the group. True if its queue records. */
SYCLZE_INLINE bool syclze__group_check_recording(syclze_group *group) {
  if (SYCLZE__UNLIKELY(group->queue == NULL))
    syclze__group_fail(group, syclze__null_handle("the queue is null"));
  if (syclze__is_forked()) syclze__group_fail(group, syclze__check_fork());
  if (SYCLZE__LIKELY(!syclze__queue_records(group->queue))) return false;
  return group->status.result == ZE_RESULT_SUCCESS;
}

/* Takes the steps up to the queue's lock for a checked group. After an error nothing is locked. */
SYCLZE_INLINE ze_result_t syclze__submission_begin(struct syclze__submission *submission) {
  const syclze_group *group = submission->group;
  if (SYCLZE__UNLIKELY(group->status.result != ZE_RESULT_SUCCESS)) return group->status.result;
  syclze__image_attach(&group->queue->ref.slot);
  struct syclze__queue_state *state = syclze__queue_state_require(group->queue);
  if (SYCLZE__UNLIKELY(state == NULL)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (SYCLZE__UNLIKELY(syclze__context_engine(group->queue->context) == NULL))
    syclze__engine_enter(group->queue->context);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (group->event_count != 0) result = syclze__submission_gather_events(submission);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  if (SYCLZE__LIKELY(group->runs == NULL) || !syclze__submission_lock_runs(submission, state))
    result = syclze__submission_lock_group(submission, state);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;
  submission->at.state = state;
  if (SYCLZE__LIKELY(state->is_list && syclze__kind_is_native(submission->kind)))
    submission->at.list = group->queue->native.list;
  return result;
}

/* Releases all that the submission has locked and gathered; it may begin again. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN void syclze__submission_unlock(
    struct syclze__submission *submission) {
  if (submission->accesses != NULL)
    syclze__submission_unlock_accesses(
        submission, submission->accessors, submission->group->accessor_count);
  syclze__submission_unlock_runs(submission);
  syclze__lock_release(&submission->at.state->lock);
  submission->at.state = NULL;
  syclze__wait_list_end(&submission->waits);
  syclze__wait_list_init(&submission->waits);
}

/* Checks the open events that the submission waits for. SYCLZE__SUBMISSION_RECORDS, and no lock
 * held, if one is recorded. */
SYCLZE_LOCAL ze_result_t syclze__submission_check_open(struct syclze__submission *submission) {
  const struct syclze__wait_list *waits = &submission->waits;
  uint32_t i = 0;
  while (i < waits->count && !syclze__event_is_recorded(waits->events[i]))
    i++;
  if (i == waits->count) return ZE_RESULT_SUCCESS;
  syclze__submission_unlock(submission); /* the group's events live on */
  return SYCLZE__SUBMISSION_RECORDS;
}

/* Defers the submission: it will not be in the native list when the locks are released, so its
 * accesses are recorded by its event. */
SYCLZE_LOCAL void syclze__submission_defer(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  submission->is_deferred = true;
  submission->at.list = NULL;
  for (uint32_t i = 0; i < submission->group->accessor_count; i++) {
    struct syclze__accesses *all = syclze__accesses_of(submission->accessors[i].memory);
    if (all->owner != state) continue;
    syclze__accesses_meet_runs(all, state);
    syclze__accesses_disown(all);
  }
}

/* Completes the wait list, defers the submission if that has open events, and holds the event.
 */
SYCLZE_INLINE ze_result_t syclze__submission_gather(
    struct syclze__submission *submission, bool wants_event) {
  ze_result_t result = syclze__submission_order(submission);
  if (submission->waits.count != 0 && result == ZE_RESULT_SUCCESS &&
      syclze__wait_list_is_open(&submission->waits)) {
    result = syclze__submission_check_open(submission);
    /* Host tasks need not be deferred: workers wait for open events too. */
    if (result == ZE_RESULT_SUCCESS && submission->kind != SYCLZE__SUBMISSION_HOST)
      syclze__submission_defer(submission);
  }
  if (result == ZE_RESULT_SUCCESS &&
      (wants_event || submission->follows_run || syclze__submission_needs_event(submission)))
    result = syclze__submission_hold(submission);
  return result;
}

/* True if nothing has used the graph's memory objects, which are locked, since its last run. */
SYCLZE_LOCAL bool syclze__submission_repeats_run(
    const struct syclze__submission *submission, const struct syclze__runs *runs) {
  const uint32_t count = submission->accessor_count;
  const struct syclze__event *last = NULL;
  if (count != runs->accessor_count || submission->accesses == NULL ||
      submission->at.state->driver_in_order)
    return false;
  for (uint32_t i = 0; i < count; i++) {
    const syclze_accessor *accessor = &submission->accessors[i];
    const struct syclze__accesses *all = syclze__accesses_of(accessor->memory);
    const struct syclze__access *newest =
        accessor->mode != SYCLZE_ACCESS_READ ? all->writers : all->readers;
    if (newest == NULL || all->replicas != NULL || accessor->memory->available != NULL)
      return false;
    if (i == 0) last = newest->event; /* of the object that orders the runs */
    if (last == NULL || (newest->event != last && !syclze__access_is_of_runs(newest))) return false;
  }
  return true;
}

/* Records the run of a graph. Returns the runs if its accesses must be recorded as references to
 * them; null if they refer to the runs already, or are recorded one by one. */
SYCLZE_LOCAL SYCLZE__LOCKS_UNSEEN struct syclze__runs *syclze__submission_record_run(
    struct syclze__submission *submission, struct syclze__runs *runs) {
  const bool follows = submission->follows_run;
  if (!follows) {
    if (!syclze__submission_repeats_run(submission, runs)) return NULL;
    for (uint32_t i = 0; i < submission->accessor_count; i++) {
      struct syclze__accesses *all = syclze__accesses_of(submission->accessors[i].memory);
      syclze__accesses_leave_runs(&all->writers, runs);
      syclze__accesses_leave_runs(&all->readers, runs);
    }
    syclze__lock_acquire(&runs->lock);
    syclze__runs_join(runs);
  }
  syclze__event_assign(&runs->last, submission->at.event);
  syclze__lock_release(&runs->lock);
  submission->follows_run = false;
  return follows ? NULL : runs;
}

/* True if other work will find the submission's accesses. */
SYCLZE_INLINE bool syclze__submission_records(const struct syclze__submission *submission) {
  return submission->accessor_count != 0 || submission->follows_run;
}

/* Records the run, or the gathered accesses, and releases the runs, or each memory object when its
 * last access is recorded. */
SYCLZE_LOCAL_WARM void syclze__submission_record(struct syclze__submission *submission) {
  struct syclze__queue_state *state = submission->at.state;
  struct syclze__event *event = submission->at.event;
  struct syclze__runs *runs = submission->group->runs;
  if (SYCLZE__UNLIKELY(runs != NULL)) runs = syclze__submission_record_run(submission, runs);
  const syclze_accessor *accessor = submission->accessors + submission->accessor_count;
  const bool is_native = submission->at.list != NULL;
  struct syclze__access *access = submission->accesses, *next;
  for (; access != NULL; access = next) {
    struct syclze__accesses *all = syclze__accesses_of((--accessor)->memory);
    struct syclze__accesses_lock *lock = syclze__accesses_lock_of(all);
    next = access->next;
    struct syclze__access **list =
        syclze__dependency_record_inline(accessor, all, access, state, is_native, event, runs);
    if (SYCLZE__UNLIKELY(list != NULL)) syclze__accesses_compact(list, state);
    if (SYCLZE__UNLIKELY(all->replicas != NULL) && accessor->mode != SYCLZE_ACCESS_READ)
      syclze__replica_written(accessor->memory);
    syclze__accessor_unlock(accessor, lock);
  }
  submission->accesses = NULL;
  submission->recorded = true;
}

/* Rolls the submission back before the append. */
SYCLZE_LOCAL ze_result_t syclze__submission_fail(struct syclze__submission *submission,
    const struct syclze__command *command, ze_result_t result) {
  struct syclze__status status = submission->group->status;
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(result, result == SYCLZE_RESULT_ERROR_INVALID
                                           ? SYCLZE__KERNEL_CONTEXT_RULE
                                           : syclze__cause(result, "no event could be created"));
  status.result = result;
  return syclze__submission_rollback(submission, command, status);
}

#if XPTI_ENABLE_INSTRUMENTATION
/* Traces the accesses of the group. `accessors` are its own. */
SYCLZE_LOCAL void syclze__group_trace_accesses(
    const syclze_group *group, const syclze_accessor *accessors) {
  for (uint32_t i = 0; i < group->accessor_count; i++) {
    /* The application does not know the object that orders a graph's runs. */
    if (accessors[i].size == 0 && !accessors[i].is_image && !accessors[i].is_part) continue;
    const struct syclze__image *image =
        (const struct syclze__image *)(const void *)accessors[i].memory;
    if (syclze__accessor_is_sampler(&accessors[i])) continue; /* samplers are not traced */
    const size_t pixel_size =
        accessors[i].is_image ? syclze__image_pixel_size(image->order, image->type) : 0;
    SYCLZE__TRACE_COMMAND(
        access, (accessors[i].memory, &accessors[i], (uint32_t)accessors[i].mode, pixel_size));
  }
}

/* Traces the accesses, and describes a command of the group without wait list and signal. */
SYCLZE_INLINE void syclze__group_trace_info(const syclze_group *group,
    const syclze_accessor *accessors, const char *function,
    struct syclze__trace_command_info *info) {
  const struct syclze__queue *queue = group->queue;
  if (group->accessor_count != 0 && SYCLZE__UNLIKELY(syclze__trace_accesses_wanted()))
    syclze__group_trace_accesses(group, accessors);
  info->function = function;
  info->group = group;
  info->queue = queue;
  info->native = queue->native.queue;
  info->device = queue->device->native;
  info->context = queue->context->native;
  info->waits = NULL;
  info->wait_count = 0;
  info->signal = NULL;
  info->is_host = info->is_barrier = info->is_tag = false;
  info->type = NULL;
  info->graph = NULL;
  info->kernel = NULL;
  info->transfer = NULL;
}

/* Traces the accesses, and describes the command of a submission. */
SYCLZE_LOCAL_WARM void syclze__submission_trace_info(
    const struct syclze__submission *submission, struct syclze__trace_command_info *info) {
  syclze__group_trace_info(submission->group, submission->accessors, submission->function, info);
  info->is_host = submission->kind == SYCLZE__SUBMISSION_HOST;
  info->is_barrier = submission->kind == SYCLZE__SUBMISSION_BARRIER;
  info->waits = submission->at.waits;
  info->wait_count = submission->at.wait_count;
  info->signal = info->is_host ? submission->at.event->native : submission->at.signal;
}
#endif

/* Takes all steps before the append. After an error the submission is rolled back.
 * SYCLZE__SUBMISSION_RECORDS if the queue records, or begins to. */
SYCLZE_LOCAL_WARM ze_result_t syclze__submission_open(struct syclze__submission *submission,
    syclze_group *group, enum syclze__submission_kind kind, const char *function) {
  if (syclze__group_check_recording(group)) return SYCLZE__SUBMISSION_RECORDS;
  syclze__submission_of(submission, group, kind, function, NULL, true);
  ze_result_t result = syclze__submission_begin(submission);
  if (result == ZE_RESULT_SUCCESS && kind == SYCLZE__SUBMISSION_NATIVE)
    syclze__submission_defer(submission);
  if (result == ZE_RESULT_SUCCESS) result = syclze__submission_gather(submission, true);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
    return result == SYCLZE__SUBMISSION_RECORDS ? result
                                                : syclze__submission_fail(submission, NULL, result);
  if (syclze__submission_records(submission)) syclze__submission_record(submission);
#if XPTI_ENABLE_INSTRUMENTATION
  if (SYCLZE__TRACING_COMMANDS()) {
    struct syclze__trace_command_info info;
    syclze__submission_trace_info(submission, &info);
    submission->traced = syclze__trace_command_begin(&info);
  }
#endif
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#include "submit.h"

#endif
