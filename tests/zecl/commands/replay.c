#include "commands/replay.h"

#include "commands/launch.h"
#include "commands/own_events.h"
#include "core/check.h"
#include "core/fail.h"

#include <stdlib.h>

/* Fewer are queued as fast one by one. */
enum { FEWEST = 4 };

static const struct zecl_engine_streams *streams(void) {
  return zecl_engine()->streams;
}

static bool can_be_recorded(const struct zecl_command *command) {
  switch ((int)command->kind) {
  case ZECL_COMMAND_NOTHING:
  case ZECL_COMMAND_COPY:
  case ZECL_COMMAND_FILL:
  case ZECL_COMMAND_COPY_REGION:
  case ZECL_COMMAND_RESET:
  case ZECL_COMMAND_LAUNCH:
    return true;
  default:
    return false;
  }
}

static bool can_all_be_recorded(const struct zecl_command *command) {
  unsigned count = 0;
  for (; command; command = zecl_command_next(command), count++)
    if (!can_be_recorded(command)) return false;
  return count >= FEWEST;
}

ze_result_t zecl_queue_command(
    const struct zecl_command *command, struct zecl_engine_queue *queue) {
  const struct zecl_fill *fill = &command->fill;
  switch ((int)command->kind) {
  case ZECL_COMMAND_NOTHING:
    return ZE_RESULT_SUCCESS;
  case ZECL_COMMAND_COPY:
    return streams()->copy(queue, command->copy.to, command->copy.from, command->copy.size);
  case ZECL_COMMAND_FILL:
    return streams()->fill(queue, fill->to, fill->size,
        fill->long_pattern ? fill->long_pattern : fill->pattern, fill->pattern_size);
  case ZECL_COMMAND_COPY_REGION:
    return streams()->copy_region(queue, &command->region);
  default:
    return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  }
}

struct recording {
  const struct zecl_command *first;
  struct zecl_own_events events;
  uint32_t *waits; /* room for those of one command */
};

static bool is_order_alone(const struct zecl_command *command) {
  return command->kind == ZECL_COMMAND_NOTHING || command->kind == ZECL_COMMAND_RESET;
}

static ze_result_t record(struct zecl_engine_queue *queue, const struct zecl_command *command) {
  if (is_order_alone(command)) return ZE_RESULT_SUCCESS;
  return command->kind == ZECL_COMMAND_LAUNCH ? zecl_launch_run(command->launch.launch, NULL, queue)
                                              : zecl_queue_command(command, queue);
}

static ze_result_t record_ordered(struct zecl_engine_queue *queue, const void *what) {
  const struct recording *recording = what;
  for (const struct zecl_command *command = recording->first; command;
       command = zecl_command_next(command))
    ZECL_TRY(record(queue, command));
  return ZE_RESULT_SUCCESS;
}

/* A reset is behind all that uses its event, and nothing in this run is behind it. */
static ze_result_t record_unordered(struct zecl_engine_queue *queue, const void *what) {
  const struct recording *recording = what;
  uint32_t *waits = recording->waits;
  for (const struct zecl_command *command = recording->first; command;
       command = zecl_command_next(command)) {
    for (uint32_t i = 0; i < command->wait_count; i++)
      waits[i] = zecl_own_events_signal(&recording->events, command->waits[i]);
    ZECL_TRY(streams()->graph_begin(
        queue, waits, command->wait_count, command->kind == ZECL_COMMAND_NOTHING));
    ZECL_TRY(record(queue, command));
    if (!is_order_alone(command)) ZECL_TRY(streams()->graph_end(queue));
  }
  return ZE_RESULT_SUCCESS;
}

static uint32_t most_waits(const struct zecl_command *command) {
  uint32_t most = 1;
  for (; command; command = zecl_command_next(command))
    if (most < command->wait_count) most = command->wait_count;
  return most;
}

/* Null where the commands cannot be a graph. */
static struct zecl_engine_graph *make_graph(
    const struct zecl_command *first, bool is_unordered, struct zecl_engine_queue *queue) {
  struct recording recording = {.first = first};
  struct zecl_engine_graph *graph = NULL;
  if (!can_all_be_recorded(first) || !zecl_own_events_find(&recording.events, first)) return NULL;
  recording.waits = malloc(most_waits(first) * sizeof *recording.waits);
  if (recording.waits)
    graph = streams()->graph_record(
        queue, is_unordered ? record_unordered : record_ordered, &recording);
  free(recording.waits);
  zecl_own_events_free(&recording.events);
  return graph;
}

void zecl_replay_init(struct zecl_replay *replay) {
  pthread_mutex_init(&replay->lock, NULL);
}

ze_result_t zecl_replay_run(struct zecl_replay *replay, const struct zecl_command *first,
    bool is_unordered, struct zecl_engine_queue *queue) {
  ze_result_t result = ZE_RESULT_NOT_READY;
  /* A failure that was asked for is of one launch. */
  if (!streams()->graph_record || zecl_fail_armed) return result;
  pthread_mutex_lock(&replay->lock);
  if (replay->runs == 1) replay->graph = make_graph(first, is_unordered, queue);
  if (replay->runs < 2) replay->runs++;
  if (replay->graph) result = streams()->graph_launch(queue, replay->graph);
  pthread_mutex_unlock(&replay->lock);
  return result;
}

void zecl_replay_forget(struct zecl_replay *replay) {
  if (replay->graph) streams()->graph_release(replay->graph);
  replay->graph = NULL;
  replay->runs = 0;
}

void zecl_replay_free(struct zecl_replay *replay) {
  zecl_replay_forget(replay);
  pthread_mutex_destroy(&replay->lock);
}
