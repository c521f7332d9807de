#include "commands/backlog.h"
#include "commands/stream_push.h"
#include "core/check.h"
#include "core/clock.h"
#include "events/event_state.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

enum { SPINS = 2000, LOST_LOOKS = 4096, NAP_US = 20 };

static const struct zecl_engine_streams *streams(void) {
  return zecl_engine()->streams;
}

struct zecl_stream *zecl_stream_create(uint32_t device, unsigned priority) {
  struct zecl_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
  stream->device = device;
  stream->priority = priority;
  stream->passed = zecl_event_state_take();
  stream->queue = stream->passed ? zecl_engine()->queue_create(device, priority) : NULL;
  if (!stream->queue) {
    if (stream->passed) zecl_event_state_give(stream->passed);
    free(stream);
    return NULL;
  }
  zecl_stream_register(stream);
  return stream;
}

static ze_result_t submit(struct zecl_stream *stream, struct zecl_command *draft) {
  ze_result_t result = ZE_RESULT_NOT_READY;
  if (!atomic_load(&stream->has_backlog)) result = zecl_stream_push(stream, draft);
  if (result == ZE_RESULT_NOT_READY) return zecl_backlog_add(stream, draft);
  if (result == ZE_RESULT_SUCCESS) zecl_command_discard(draft);
  zecl_backlog_push();
  return result;
}

/* Counted before, so that the stream is idle no more, and after: the count is odd while a command,
 * which may be a list, is in the stream in part. */
ze_result_t zecl_stream_submit(struct zecl_stream *stream, struct zecl_command *draft) {
  atomic_fetch_add(&stream->submitted, 1);
  const ze_result_t result = submit(stream, draft);
  atomic_fetch_add(&stream->submitted, 1);
  return result;
}

static void nap(unsigned round) {
  if (round < SPINS)
    zecl_pause();
  else if (round < 2 * SPINS)
    sched_yield();
  else
    usleep(NAP_US);
}

/* Until the engine has all commands. */
static ze_result_t wait_for_backlog(struct zecl_stream *stream, uint64_t deadline) {
  for (unsigned i = 0; atomic_load(&stream->has_backlog); i++) {
    if (deadline != ZECL_FOREVER && zecl_now() >= deadline) return ZE_RESULT_NOT_READY;
    if (i % LOST_LOOKS == LOST_LOOKS - 1 && zecl_streams_are_lost(ZECL_ANY_DEVICE))
      return ZE_RESULT_ERROR_DEVICE_LOST;
    zecl_backlog_push();
    nap(i);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t wait(struct zecl_stream *stream, uint64_t deadline) {
  const ze_result_t result = wait_for_backlog(stream, deadline);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (deadline == ZECL_FOREVER) return zecl_engine()->queue_finish(stream->queue);
  for (unsigned i = 0;; i++) {
    const ze_result_t status = streams()->status(stream->queue);
    if (status != ZE_RESULT_NOT_READY || zecl_now() >= deadline) return status;
    nap(i < SPINS ? i : SPINS);
  }
}

static ze_result_t status_of(struct zecl_stream *stream) {
  return atomic_load(&stream->has_backlog) ? ZE_RESULT_NOT_READY : streams()->status(stream->queue);
}

/* Until the submission of another thread is in the stream; what follows that is not awaited. */
static ze_result_t wait_for_submission(struct zecl_stream *stream, uint64_t deadline) {
  const unsigned submitted = atomic_load(&stream->submitted);
  if (!zecl_stream_is_submitting(submitted)) return ZE_RESULT_SUCCESS;
  for (unsigned i = 0; atomic_load(&stream->submitted) == submitted; i++) {
    if (deadline != ZECL_FOREVER && zecl_now() >= deadline) return ZE_RESULT_NOT_READY;
    nap(i);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_stream_synchronize(struct zecl_stream *stream, uint64_t timeout) {
  const uint64_t deadline = timeout ? zecl_deadline(timeout) : 0;
  ZECL_TRY(wait_for_submission(stream, deadline));
  const unsigned submitted = atomic_load(&stream->submitted);
  if (atomic_load(&stream->idle_at) != submitted || atomic_load(&stream->has_backlog)) {
    const ze_result_t result = timeout ? wait(stream, deadline) : status_of(stream);
    if (result != ZE_RESULT_SUCCESS) return result;
    atomic_store(&stream->idle_at, submitted);
  }
  zecl_streams_run_deferred();
  return atomic_load(&stream->error);
}

ze_result_t zecl_stream_take_error(struct zecl_stream *stream) {
  return atomic_exchange(&stream->error, ZE_RESULT_SUCCESS);
}

/* Releases the waits for other processes. */
static void cancel_waits(struct zecl_stream *stream) {
  bool is_blocked = false;
  for (size_t i = 0; i < stream->count; i++) {
    struct zecl_event *awaited = stream->held[(stream->first + i) % stream->capacity].awaited;
    if (!awaited || zecl_flag_is_set(&awaited->state->flag)) continue;
    if (!is_blocked) streams()->cancel(stream->queue);
    is_blocked = true;
    atomic_fetch_or(&awaited->state->flag.word, ZECL_FLAG_CANCELLED);
  }
}

void zecl_stream_finish(struct zecl_stream *stream) {
  zecl_backlog_finish(stream);
  zecl_stream_reclaim(stream, false);
  cancel_waits(stream);
  zecl_engine()->queue_finish(stream->queue);
  zecl_stream_unregister(stream);
  zecl_stream_reclaim(stream, true);
  zecl_engine()->queue_release(stream->queue);
  zecl_event_state_give(stream->passed);
  free(stream->held);
  free(stream);
  zecl_streams_run_deferred();
}
