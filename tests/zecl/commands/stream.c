#include "commands/stream_registry.h"

#include "commands/tape.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/fail.h"
#include "events/event_state.h"
#include "events/fence.h"

#include <sched.h>
#include <stdlib.h>

enum { HELD_PER_MARK = 64, HELD_LIMIT = 256, SPINS = 2000 };

static const struct zecl_engine_streams *streams(void) {
  return zecl_engine()->streams;
}

static uint32_t *word_of(struct zecl_event_state *state) {
  return (uint32_t *)(void *)&state->flag.word;
}

struct zecl_stream *zecl_stream_create(uint32_t device, unsigned priority) {
  struct zecl_stream *stream = calloc(1, sizeof *stream);
  if (!stream) return NULL;
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

static bool grow(struct zecl_stream *stream) {
  const size_t capacity = stream->capacity ? 2 * stream->capacity : HELD_LIMIT;
  struct zecl_held *held = malloc(capacity * sizeof *held);
  if (!held) return false;
  for (size_t i = 0; i < stream->count; i++)
    held[i] = stream->held[(stream->first + i) % stream->capacity];
  free(stream->held);
  stream->held = held;
  stream->first = 0;
  stream->capacity = capacity;
  return true;
}

/* Room for one more; false when there is no memory. */
static bool can_hold(struct zecl_stream *stream) {
  if (stream->count >= HELD_LIMIT) zecl_stream_reclaim(stream, false);
  return stream->count < stream->capacity || grow(stream);
}

static void hold(
    struct zecl_stream *stream, void *object, void (*release)(void *), struct zecl_event *awaited) {
  zecl_object_retain(object);
  stream->held[(stream->first + stream->count++) % stream->capacity] =
      (struct zecl_held){object, release, awaited, stream->mark + 1};
  stream->unmarked++;
}

static void release_event(void *event) {
  zecl_event_release(event);
}

static void release_fence(void *fence) {
  zecl_fence_release(fence);
}

/* An event that commands reset may be set from before, so that only the stream can decide. */
static bool is_met(const struct zecl_stream *stream, struct zecl_event *event) {
  if (atomic_load_explicit(&event->signaller, memory_order_relaxed) == stream->id) return true;
  return !atomic_load_explicit(&event->is_reset_by_commands, memory_order_relaxed) &&
         zecl_flag_is_set(&event->state->flag);
}

static ze_result_t await_all(struct zecl_stream *stream, const struct zecl_command *command) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct zecl_event *event = command->waits[i];
    if (is_met(stream, event)) continue;
    ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    ZECL_TRY(streams()->await_bits(
        stream->queue, word_of(event->state), ZECL_FLAG_SET | ZECL_FLAG_CANCELLED));
    hold(stream, event, release_event, event);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t write_event(
    struct zecl_stream *stream, struct zecl_event *event, uint32_t value) {
  ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  ZECL_TRY(streams()->write_word(stream->queue, word_of(event->state), value));
  hold(stream, event, release_event, NULL);
  atomic_store_explicit(&event->signaller, value ? stream->id : 0, memory_order_relaxed);
  if (!value) atomic_store_explicit(&event->is_reset_by_commands, true, memory_order_relaxed);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t launch(struct zecl_stream *stream, struct zecl_launch *launch) {
  const ze_result_t chosen = zecl_fail_armed ? zecl_fail_count("zecl.run") : ZE_RESULT_SUCCESS;
  if (chosen == ZE_RESULT_SUCCESS) return zecl_launch_run(launch, NULL, stream->queue);
  ze_result_t none = ZE_RESULT_SUCCESS;
  atomic_compare_exchange_strong(&stream->error, &none, chosen);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t query_timestamps(
    struct zecl_stream *stream, const struct zecl_timestamp_query *query) {
  for (uint32_t i = 0; i < query->count; i++) {
    struct zecl_event *event = query->events[i];
    char *to =
        query->to + (query->offsets ? query->offsets[i] : i * sizeof(ze_kernel_timestamp_result_t));
    const void *from = (const void *)&event->state->start; /* and the end */
    ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    for (size_t k = 0; k < 2; k++) /* the clock, and the same of the context */
      ZECL_TRY(streams()->copy(stream->queue, to + k * sizeof(ze_kernel_timestamp_data_t), from,
          sizeof(ze_kernel_timestamp_data_t)));
    hold(stream, event, release_event, NULL);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t enqueue(struct zecl_stream *stream, const struct zecl_command *command);

static ze_result_t execute(
    struct zecl_stream *stream, const struct zecl_tape *tape, struct zecl_fence *fence) {
  for (const struct zecl_command *command = tape->first; command;
       command = atomic_load_explicit(&command->next, memory_order_relaxed))
    ZECL_TRY(enqueue(stream, command));
  if (!fence) return ZE_RESULT_SUCCESS;
  ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  ZECL_TRY(streams()->write_word(stream->queue, word_of(fence->state), ZECL_FLAG_SET));
  hold(stream, fence, release_fence, NULL);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t run(struct zecl_stream *stream, const struct zecl_command *command) {
  const struct zecl_fill *fill = &command->fill;
  switch (command->kind) {
  case ZECL_COMMAND_NOTHING:
    return ZE_RESULT_SUCCESS;
  case ZECL_COMMAND_COPY:
    return streams()->copy(stream->queue, command->copy.to, command->copy.from, command->copy.size);
  case ZECL_COMMAND_FILL:
    return streams()->fill(stream->queue, fill->to, fill->size,
        fill->long_pattern ? fill->long_pattern : fill->pattern, fill->pattern_size);
  case ZECL_COMMAND_COPY_REGION:
    return streams()->copy_region(stream->queue, &command->region);
  case ZECL_COMMAND_RESET:
    return write_event(stream, command->reset, 0);
  case ZECL_COMMAND_WRITE_TIMESTAMP:
    return streams()->write_time(stream->queue, command->timestamp);
  case ZECL_COMMAND_QUERY_TIMESTAMPS:
    return query_timestamps(stream, &command->query);
  case ZECL_COMMAND_LAUNCH:
    return launch(stream, command->launch.launch);
  case ZECL_COMMAND_EXECUTE:
    return execute(stream, command->execute.tape, command->execute.fence);
  case ZECL_COMMAND_IMAGE_COPY:
  case ZECL_COMMAND_LAUNCH_INDIRECT:
  case ZECL_COMMAND_LAUNCH_MULTIPLE:
  case ZECL_COMMAND_SEMAPHORES:
    break; /* refused by the appends */
  }
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

static ze_result_t enqueue(struct zecl_stream *stream, const struct zecl_command *command) {
  struct zecl_event *signal = command->signal;
  const bool stamped = signal && signal->has_timestamps;
  ZECL_TRY(await_all(stream, command));
  if (stamped)
    ZECL_TRY(streams()->write_time(stream->queue, (uint64_t *)(void *)&signal->state->start));
  ZECL_TRY(run(stream, command));
  if (stamped)
    ZECL_TRY(streams()->write_time(stream->queue, (uint64_t *)(void *)&signal->state->end));
  return signal ? write_event(stream, signal, ZECL_FLAG_SET) : ZE_RESULT_SUCCESS;
}

ze_result_t zecl_stream_submit(struct zecl_stream *stream, const struct zecl_command *draft) {
  atomic_fetch_add(&stream->submitted, 1);
  const ze_result_t result = enqueue(stream, draft);
  if (stream->unmarked >= HELD_PER_MARK &&
      streams()->write_word(stream->queue, word_of(stream->passed), stream->mark + 1) ==
          ZE_RESULT_SUCCESS) {
    stream->mark++;
    stream->unmarked = 0;
  }
  return result;
}

static ze_result_t wait(struct zecl_stream *stream, uint64_t deadline) {
  if (deadline == ZECL_FOREVER) return zecl_engine()->queue_finish(stream->queue);
  for (unsigned i = 0;; i++) {
    const ze_result_t result = streams()->status(stream->queue);
    if (result != ZE_RESULT_NOT_READY || zecl_now() >= deadline) return result;
    if (i < SPINS)
      zecl_pause();
    else
      sched_yield();
  }
}

ze_result_t zecl_stream_synchronize(struct zecl_stream *stream, uint64_t timeout) {
  ze_result_t result =
      timeout ? wait(stream, zecl_deadline(timeout)) : streams()->status(stream->queue);
  if (result != ZE_RESULT_SUCCESS) return result;
  zecl_streams_run_deferred();
  return atomic_load(&stream->error);
}

ze_result_t zecl_stream_take_error(struct zecl_stream *stream) {
  return atomic_exchange(&stream->error, ZE_RESULT_SUCCESS);
}

/* Releases the waits for events that are not signalled. */
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
