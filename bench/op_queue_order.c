/* What a queue is asked between its commands, and commands without a group that have no row in
   op_submit.c. */
#include "submissions.h"

static ze_result_t fill(const struct bench_world *world, uint32_t count) {
  const uint32_t zero = 0;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_fill(
        bench_made.queues[OWN], bench_made.memory[0], &zero, sizeof zero, 64, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t fill_plain(const struct bench_world *world, uint32_t count) {
  const uint32_t zero = 0;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryFill(
        bench_made.lists[OWN], bench_made.memory[0], &zero, sizeof zero, 64, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t copy_rows(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_copy_2d(bench_made.queues[OWN], bench_made.memory[0], 16,
        bench_made.memory[1], 16, 8, 4, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t copy_rows_plain(const struct bench_world *world, uint32_t count) {
  const ze_copy_region_t region = {0, 0, 0, 8, 4, 1};
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryCopyRegion(bench_made.lists[OWN], bench_made.memory[0],
        &region, 16, 0, bench_made.memory[1], &region, 16, 0, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t is_empty(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    bool empty;
    BENCH_TRY(syclze_queue_is_empty(bench_made.queues[OWN], &empty));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t last_event(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    BENCH_TRY(syclze_queue_get_last_event(bench_made.queues[OWN], &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t tag(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    BENCH_TRY(syclze_queue_submit_profiling_tag(bench_made.queues[OWN], &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return finish(world, OWN);
}

/* An event is reset, signalled by the append, and looked at. */
static ze_result_t tag_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeEventHostReset(world->event));
    BENCH_TRY(zeCommandListAppendBarrier(bench_made.lists[OWN], world->event, 0, NULL));
    zeEventQueryStatus(world->event);
  }
  return finish(world, OWN);
}

const struct bench_op bench_queue_order_ops[] = {
    {"submit a fill, no group, in-order", 60, 1, 0, fill, fill_plain, 0, false},
    {"submit a 2D copy, no group, in-order", 200, 1, 0, copy_rows, copy_rows_plain, 0, false},
    {"queue_is_empty, in-order", 110, 1, 0, is_empty, NULL, 0, false},
    {"queue_get_last_event + release, in-order", 130, 1, 0, last_event, NULL, 0, false},
    {"submit a profiling tag, in-order", 450, 4, 0, tag, tag_plain, 0, false},
    {0},
};
