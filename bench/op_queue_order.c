/* Where an in-order queue stands, and an event before its next command. */
#include "submissions.h"

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

static ze_result_t external_event(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(syclze_queue_set_external_event(bench_made.queues[OWN], world->wrapped.signalled));
    BENCH_TRY(syclze_queue_copy(
        bench_made.queues[OWN], bench_made.memory[0], bench_made.memory[1], 64, NULL, 0, NULL));
  }
  return finish(world, OWN);
}

static ze_result_t external_event_plain(const struct bench_world *world, uint32_t count) {
  ze_event_handle_t event = world->signalled;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeCommandListAppendBarrier(bench_made.lists[OWN], NULL, 1, &event));
    BENCH_TRY(zeCommandListAppendMemoryCopy(
        bench_made.lists[OWN], bench_made.memory[0], bench_made.memory[1], 64, NULL, 0, NULL));
  }
  return finish(world, OWN);
}

/* The wait list of the last submission, which waited for an event. */
static ze_result_t wait_list(const struct bench_world *world, uint32_t count) {
  syclze_event event;
  BENCH_TRY(bench_submissions_make(world));
  BENCH_TRY(syclze_queue_copy(bench_made.queues[OWN], bench_made.memory[0], bench_made.memory[1],
      64, &world->wrapped.signalled, 1, &event));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event waited[1];
    uint32_t waits = 1;
    BENCH_TRY(syclze_queue_get_wait_list(bench_made.queues[OWN], event, &waits, waited));
    for (uint32_t j = 0; j < waits; j++)
      BENCH_TRY(syclze_event_release(waited[j]));
  }
  BENCH_TRY(syclze_event_release(event));
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
    {"queue_is_empty, in-order", 110, 1, 0, is_empty, NULL, 0, false},
    {"queue_get_last_event + release, in-order", 130, 1, 0, last_event, NULL, 0, false},
    {"an external event, and a USM copy, in-order", 770, 5, 0, external_event, external_event_plain,
        0, false},
    {"queue_get_wait_list of an event, in-order", 60, 1, 0, wait_list, NULL, 0, false},
    {"submit a profiling tag, in-order", 450, 4, 0, tag, tag_plain, 0, false},
    {0},
};
