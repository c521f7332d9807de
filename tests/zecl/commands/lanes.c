#include "commands/lanes.h"

#include "commands/order.h"
#include "commands/stream_registry.h"
#include "core/check.h"
#include "core/clock.h"
#include "core/fail.h"
#include "events/flag.h"

#include <stdlib.h>

enum { LIMIT = 16, USUAL = 4 };

struct lane {
  _Atomic(struct zecl_stream *) stream; /* null until it is needed */
  bool is_used;                         /* since the last fence */
  bool is_behind;                       /* has to wait for the last fence */
};

struct zecl_lanes {
  uint32_t device;
  unsigned priority;
  uint32_t limit;
  uint32_t count;      /* of lanes with streams */
  uint32_t turn, home; /* the lane of the last command; that of the last fence */
  bool has_fence;
  struct zecl_event *fence; /* a reference; null until a lane has to wait for the last fence */
  uint64_t drawn;
  struct lane lanes[LIMIT];
};

static uint32_t count_of_unordered(void) {
  const char *text = secure_getenv("ZECL_STREAMS");
  const long count = text ? atol(text) : USUAL;
  return count < 1 ? USUAL : count > LIMIT ? LIMIT : (uint32_t)count;
}

struct zecl_lanes *zecl_lanes_create(uint32_t device, unsigned priority, bool is_unordered) {
  struct zecl_lanes *lanes = calloc(1, sizeof *lanes);
  if (!lanes) return NULL;
  lanes->device = device;
  lanes->priority = priority;
  lanes->limit = is_unordered ? count_of_unordered() : 1;
  return lanes;
}

static ze_result_t open(struct zecl_lanes *lanes, uint32_t index) {
  struct lane *lane = &lanes->lanes[index];
  if (lane->stream) return ZE_RESULT_SUCCESS;
  struct zecl_stream *made = zecl_stream_create(lanes->device, lanes->priority);
  ZECL_REQUIRE(made, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  atomic_store(&lane->stream, made);
  lane->is_behind = lanes->has_fence;
  lanes->count++;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t submit_nothing(struct lane *lane, struct zecl_event *signal,
    struct zecl_event *const *waits, uint32_t wait_count) {
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_NOTHING;
  draft.signal = signal;
  draft.waits = waits;
  draft.wait_count = wait_count;
  return zecl_stream_submit(lane->stream, &draft);
}

/* Makes an event that the lane signals now. */
static ze_result_t signal_here(struct lane *lane, struct zecl_event **event) {
  *event = zecl_event_hidden(false);
  ZECL_REQUIRE(*event, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  return submit_nothing(lane, *event, NULL, 0);
}

static ze_result_t catch_up(struct zecl_lanes *lanes, struct lane *lane) {
  if (!lane->is_behind) return ZE_RESULT_SUCCESS;
  if (!lanes->fence) ZECL_TRY(signal_here(&lanes->lanes[lanes->home], &lanes->fence));
  ZECL_TRY(submit_nothing(lane, NULL, &lanes->fence, 1));
  lane->is_behind = false;
  return ZE_RESULT_SUCCESS;
}

static bool is_free(const struct lane *lane) {
  return !lane->stream || !atomic_load(&lane->stream->has_backlog);
}

/* The lane whose command the draft waits for; LIMIT where it is none. */
static uint32_t awaited(const struct zecl_lanes *lanes, const struct zecl_command *draft) {
  for (uint32_t i = 0; i < draft->wait_count; i++) {
    const uint64_t signaller = atomic_load(&draft->waits[i]->signaller);
    for (uint32_t k = 0; k < lanes->limit; k++) {
      const struct lane *lane = &lanes->lanes[k];
      if (lane->stream && lane->stream->id == signaller && is_free(lane)) return k;
    }
  }
  return LIMIT;
}

static bool is_waiting(const struct zecl_command *draft) {
  for (uint32_t i = 0; i < draft->wait_count; i++)
    if (!zecl_flag_is_set(&draft->waits[i]->state->flag)) return true;
  return false;
}

/* A change of streams costs more than a launch, so commands stay in the first lane as long as they
 * wait for nothing else. */
static uint32_t choose(struct zecl_lanes *lanes, const struct zecl_command *draft) {
  if (lanes->fence && !atomic_load(&lanes->fence->signaller)) return lanes->home; /* none passes */
  if (zecl_order_is_random()) return (uint32_t)(zecl_order_draw(&lanes->drawn) % lanes->limit);
  const uint32_t lane = awaited(lanes, draft);
  if (lane < LIMIT) return lane;
  if (!is_waiting(draft) && is_free(&lanes->lanes[0])) return 0;
  for (uint32_t k = 1; k < lanes->limit; k++) {
    lanes->turn = lanes->turn % (lanes->limit - 1) + 1;
    if (is_free(&lanes->lanes[lanes->turn])) break;
  }
  return lanes->turn;
}

/* The home of the next fence: a lane that the last one precedes. */
static uint32_t next_home(const struct zecl_lanes *lanes) {
  for (uint32_t i = 0; i < lanes->limit; i++)
    if (lanes->lanes[i].is_used) return i;
  return lanes->home;
}

/* Lets the home wait for all other lanes. */
static ze_result_t join(struct zecl_lanes *lanes, uint32_t home) {
  struct zecl_event *ends[LIMIT];
  uint32_t count = 0;
  ze_result_t result = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < lanes->limit && result == ZE_RESULT_SUCCESS; i++) {
    if (i == home || !lanes->lanes[i].is_used) continue;
    result = signal_here(&lanes->lanes[i], &ends[count]);
    if (ends[count]) count++;
  }
  if (result == ZE_RESULT_SUCCESS && count)
    result = submit_nothing(&lanes->lanes[home], NULL, ends, count);
  for (uint32_t i = 0; i < count; i++)
    zecl_event_release(ends[i]);
  return result;
}

static ze_result_t submit_fence(struct zecl_lanes *lanes, struct zecl_command *draft) {
  const uint32_t home = next_home(lanes);
  ZECL_TRY(open(lanes, home));
  ZECL_TRY(join(lanes, home));
  ZECL_TRY(zecl_stream_submit(lanes->lanes[home].stream, draft));
  if (lanes->fence) zecl_event_release(lanes->fence);
  lanes->fence = NULL;
  lanes->home = home;
  lanes->has_fence = true;
  for (uint32_t i = 0; i < lanes->limit; i++) {
    lanes->lanes[i].is_used = false;
    lanes->lanes[i].is_behind = i != home && lanes->lanes[i].stream;
  }
  /* Only what is signalled now leaves out what the home gets later. */
  return lanes->count > 1 || !is_free(&lanes->lanes[home])
             ? signal_here(&lanes->lanes[home], &lanes->fence)
             : ZE_RESULT_SUCCESS;
}

ze_result_t zecl_lanes_submit(struct zecl_lanes *lanes, struct zecl_command *draft) {
  if (lanes->limit > 1 && zecl_order_is_fence(draft)) return submit_fence(lanes, draft);
  const uint32_t index = lanes->limit > 1 ? choose(lanes, draft) : 0;
  struct lane *lane = &lanes->lanes[index];
  ZECL_TRY(open(lanes, index));
  ZECL_TRY(catch_up(lanes, lane));
  lane->is_used = true;
  return zecl_stream_submit(lane->stream, draft);
}

ze_result_t zecl_lanes_synchronize(struct zecl_lanes *lanes, uint64_t timeout) {
  const uint64_t deadline = timeout ? zecl_deadline(timeout) : 0;
  ze_result_t first = ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < lanes->limit; i++) {
    struct zecl_stream *stream = atomic_load(&lanes->lanes[i].stream);
    if (!stream) continue;
    const uint64_t now = deadline && deadline != ZECL_FOREVER ? zecl_now() : 0;
    const uint64_t left = deadline == ZECL_FOREVER ? deadline : deadline > now ? deadline - now : 0;
    const ze_result_t result = zecl_stream_synchronize(stream, left);
    if (result == ZE_RESULT_NOT_READY) return result;
    if (first == ZE_RESULT_SUCCESS) first = result;
  }
  return first;
}

void zecl_lanes_drop_errors(struct zecl_lanes *lanes) {
  for (uint32_t i = 0; i < lanes->limit; i++)
    if (lanes->lanes[i].stream) zecl_stream_take_error(lanes->lanes[i].stream);
}

void zecl_lanes_finish(struct zecl_lanes *lanes) {
  for (uint32_t i = 0; i < lanes->limit; i++)
    if (lanes->lanes[i].stream) zecl_stream_finish(lanes->lanes[i].stream);
  if (lanes->fence) zecl_event_release(lanes->fence);
  free(lanes);
}
