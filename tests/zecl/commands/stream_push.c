#include "commands/stream_push.h"

#include "commands/tape.h"
#include "core/check.h"
#include "core/fail.h"
#include "events/fence.h"
#include "events/semaphore.h"
#include "images/copy.h"

#include <stdlib.h>

/* A stream of CUDA's blocks its caller from about a thousand operations on. */
enum { PER_MARK = 80, MARKS = 8, HELD_LIMIT = 256 };

/* A copy of group counts, in the layout of the caller's memory. */
struct zecl_launch_counts {
  uint32_t how_many;
  ze_group_count_t groups[];
};

static const struct zecl_engine_streams *streams(void) {
  return zecl_engine()->streams;
}

static uint32_t *word_of(struct zecl_event_state *state) {
  return (uint32_t *)(void *)&state->flag.word;
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

static void release_semaphore(void *semaphore) {
  zecl_semaphore_release(semaphore);
}

static ze_result_t mark(struct zecl_stream *stream) {
  ZECL_TRY(streams()->write_word(stream->queue, word_of(stream->passed), stream->mark + 1));
  stream->mark++;
  stream->unmarked = 0;
  return ZE_RESULT_SUCCESS;
}

/* A device that is lost passes no mark any more, and takes everything. */
static bool is_behind(struct zecl_stream *stream, uint32_t of) {
  if ((int32_t)(stream->seen - of) >= 0) return false;
  stream->seen = atomic_load(&stream->passed->flag.word);
  return (int32_t)(stream->seen - of) < 0 &&
         streams()->status(stream->queue) == ZE_RESULT_NOT_READY;
}

static bool is_of_processes(const struct zecl_event *event) {
  return event->pool && event->pool->states;
}

/* An event that commands reset may be set from before, so that only the stream can decide. */
static bool is_set(struct zecl_event *event) {
  return !atomic_load_explicit(&event->is_reset_by_commands, memory_order_relaxed) &&
         zecl_flag_is_set(&event->state->flag);
}

/* True if the signal was given, or is in a stream. */
static bool is_coming(struct zecl_event *event) {
  return atomic_load(&event->signaller) != 0 || is_of_processes(event) || is_set(event);
}

static ze_result_t check_ready(struct zecl_stream *stream, const struct zecl_command *command) {
  stream->push.waits_for_device = is_behind(stream, stream->mark - MARKS);
  if (stream->push.waits_for_device) return ZE_RESULT_NOT_READY;
  for (uint32_t i = 0; i < command->wait_count; i++)
    if (!is_coming(command->waits[i])) return ZE_RESULT_NOT_READY;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t await_all(struct zecl_stream *stream, const struct zecl_command *command) {
  for (uint32_t i = 0; i < command->wait_count; i++) {
    struct zecl_event *event = command->waits[i];
    if (atomic_load_explicit(&event->signaller, memory_order_relaxed) == stream->id ||
        is_set(event))
      continue;
    ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    ZECL_TRY(streams()->await_bits(
        stream->queue, word_of(event->state), ZECL_FLAG_SET | ZECL_FLAG_CANCELLED));
    hold(stream, event, release_event, is_of_processes(event) ? event : NULL);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t write_event(
    struct zecl_stream *stream, struct zecl_event *event, uint32_t value) {
  ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  if (!value) atomic_store(&event->is_reset_by_commands, true);
  ZECL_TRY(streams()->write_word(stream->queue, word_of(event->state), value));
  hold(stream, event, release_event, NULL);
  atomic_store(&event->signaller, value ? stream->id : 0);
  return ZE_RESULT_SUCCESS;
}

static void keep_error(struct zecl_stream *stream, ze_result_t error) {
  ze_result_t none = ZE_RESULT_SUCCESS;
  if (error != ZE_RESULT_SUCCESS) atomic_compare_exchange_strong(&stream->error, &none, error);
}

static ze_result_t launch(
    struct zecl_stream *stream, struct zecl_launch *launch, const ze_group_count_t *groups) {
  const ze_result_t chosen = zecl_fail_armed ? zecl_fail_count("zecl.run") : ZE_RESULT_SUCCESS;
  if (chosen == ZE_RESULT_SUCCESS) return zecl_launch_run(launch, groups, stream->queue);
  keep_error(stream, chosen);
  return ZE_RESULT_SUCCESS;
}

/* Copies what is to be launched to the host, behind all that the stream has. */
static ze_result_t fetch(struct zecl_stream *stream, uint32_t count, const uint32_t *how_many,
    const ze_group_count_t *groups) {
  struct zecl_launch_counts *counts = calloc(1, sizeof *counts + count * sizeof *groups);
  if (!counts) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  counts->how_many = count;
  free(stream->push.counts); /* of an attempt that failed */
  stream->push.counts = counts;
  if (how_many)
    ZECL_TRY(streams()->copy(stream->queue, &counts->how_many, how_many, sizeof *how_many));
  ZECL_TRY(streams()->copy(stream->queue, counts->groups, groups, count * sizeof *groups));
  ZECL_TRY(mark(stream));
  stream->push.fetch_mark = stream->mark;
  stream->push.is_fetching = true;
  return ZE_RESULT_SUCCESS;
}

/* Indirect launches: at first their counts are fetched, and once the device has passed that they
 * are pushed. `how_many`: null for all. The errors of the kernels are kept, as those of running
 * ones. */
static ze_result_t launch_counted(struct zecl_stream *stream, struct zecl_launch *const *launches,
    uint32_t count, const uint32_t *how_many, const ze_group_count_t *groups) {
  if (!stream->push.is_fetching) ZECL_TRY(fetch(stream, count, how_many, groups));
  stream->push.waits_for_device = is_behind(stream, stream->push.fetch_mark);
  if (stream->push.waits_for_device) return ZE_RESULT_NOT_READY;
  const struct zecl_launch_counts *counts = stream->push.counts;
  for (uint32_t i = 0; i < count && i < counts->how_many; i++)
    keep_error(stream, launch(stream, launches[i], &counts->groups[i]));
  free(stream->push.counts);
  stream->push.counts = NULL;
  stream->push.is_fetching = false;
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

static ze_result_t signal_fence(struct zecl_stream *stream, struct zecl_fence *fence) {
  ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  ZECL_TRY(streams()->write_word(stream->queue, word_of(fence->state), ZECL_FLAG_SET));
  hold(stream, fence, release_fence, NULL);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t push(struct zecl_stream *stream, const struct zecl_command *command);

/* A command that fails is no reason to stop: as on other engines, its error is kept. */
static ze_result_t execute(
    struct zecl_stream *stream, struct zecl_tape *tape, struct zecl_fence *fence) {
  struct zecl_push_state *state = &stream->push;
  if (!state->is_executing) {
    const ze_result_t replayed =
        zecl_replay_run(&tape->replay, tape->first, tape->is_unordered, stream->queue);
    if (replayed != ZE_RESULT_SUCCESS && replayed != ZE_RESULT_NOT_READY) return replayed;
    state->next = replayed == ZE_RESULT_SUCCESS ? NULL : tape->first;
    state->is_executing = true;
  }
  for (; state->next; state->next = zecl_command_next(state->next)) {
    const ze_result_t result = push(stream, state->next);
    if (result == ZE_RESULT_NOT_READY) return result;
    keep_error(stream, result);
  }
  state->is_executing = false;
  if (fence) keep_error(stream, signal_fence(stream, fence));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t use_semaphores(
    struct zecl_stream *stream, const struct zecl_semaphore_uses *uses) {
  for (uint32_t i = 0; i < uses->count; i++) {
    struct zecl_semaphore *semaphore = uses->uses[i].semaphore;
    ZECL_REQUIRE(can_hold(stream), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    ZECL_TRY(streams()->semaphore_use(
        stream->queue, semaphore->imported, uses->signals, uses->uses[i].value));
    hold(stream, semaphore, release_semaphore, NULL);
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t reset(struct zecl_stream *stream, struct zecl_event *event) {
  const ze_result_t result = write_event(stream, event, 0);
  zecl_event_begin(event);
  return result;
}

static ze_result_t run(struct zecl_stream *stream, const struct zecl_command *command) {
  switch (command->kind) {
  case ZECL_COMMAND_NOTHING:
  case ZECL_COMMAND_COPY:
  case ZECL_COMMAND_FILL:
  case ZECL_COMMAND_COPY_REGION:
    return zecl_queue_command(command, stream->queue);
  case ZECL_COMMAND_RESET:
    return reset(stream, command->reset);
  case ZECL_COMMAND_WRITE_TIMESTAMP:
    return streams()->write_time(stream->queue, command->timestamp);
  case ZECL_COMMAND_QUERY_TIMESTAMPS:
    return query_timestamps(stream, &command->query);
  case ZECL_COMMAND_LAUNCH:
    return launch(stream, command->launch.launch, NULL);
  case ZECL_COMMAND_LAUNCH_INDIRECT:
    return launch_counted(stream, &command->launch.launch, 1, NULL, command->launch.groups);
  case ZECL_COMMAND_LAUNCH_MULTIPLE:
    return launch_counted(stream, command->launches.launches, command->launches.count,
        command->launches.how_many, command->launches.groups);
  case ZECL_COMMAND_EXECUTE:
    return execute(stream, command->execute.tape, command->execute.fence);
  case ZECL_COMMAND_IMAGE_COPY:
    return zecl_queue_image_copy(command->image_copy, stream->queue);
  case ZECL_COMMAND_HOST_FUNCTION:
    return streams()->call(stream->queue, command->host.function, command->host.user);
  case ZECL_COMMAND_SEMAPHORES:
    return use_semaphores(stream, command->semaphores);
  }
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

/* True if the command resumes: its waits and first timestamp are in the stream already. */
static bool is_under_way(const struct zecl_stream *stream, const struct zecl_command *command) {
  return command->kind == ZECL_COMMAND_EXECUTE ? stream->push.is_executing
                                               : stream->push.is_fetching;
}

static ze_result_t begin(struct zecl_stream *stream, const struct zecl_command *command) {
  struct zecl_event *signal = command->signal;
  ZECL_TRY(check_ready(stream, command));
  stream->pushed++;
  ZECL_TRY(await_all(stream, command));
  return signal && signal->has_timestamps
             ? streams()->write_time(stream->queue, (uint64_t *)(void *)&signal->state->start)
             : ZE_RESULT_SUCCESS;
}

static ze_result_t push(struct zecl_stream *stream, const struct zecl_command *command) {
  struct zecl_event *signal = command->signal;
  if (!is_under_way(stream, command)) ZECL_TRY(begin(stream, command));
  const ze_result_t result = run(stream, command);
  if (result != ZE_RESULT_SUCCESS && (result == ZE_RESULT_NOT_READY || !stream->push.is_executing))
    return result;
  keep_error(stream, result); /* of a list, which signals its events all the same */
  if (signal && signal->has_timestamps)
    ZECL_TRY(streams()->write_time(stream->queue, (uint64_t *)(void *)&signal->state->end));
  if (signal) ZECL_TRY(write_event(stream, signal, ZECL_FLAG_SET));
  return ++stream->unmarked < PER_MARK ? ZE_RESULT_SUCCESS : mark(stream);
}

ze_result_t zecl_stream_push(struct zecl_stream *stream, const struct zecl_command *command) {
  const ze_result_t result = push(stream, command);
  if (result != ZE_RESULT_SUCCESS && result != ZE_RESULT_NOT_READY) zecl_stream_push_reset(stream);
  return result;
}

void zecl_stream_push_reset(struct zecl_stream *stream) {
  free(stream->push.counts);
  stream->push = (struct zecl_push_state){.waits_for_device = false};
}
