/* Commands without a group on an in-order queue, and such that wait for an event. */
#include "submissions_by_hand.h"

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

static ze_result_t fill_rows(const struct bench_world *world, uint32_t count) {
  const uint32_t zero = 0;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_fill_2d(
        bench_made.queues[OWN], bench_made.memory[0], 16, &zero, sizeof zero, 8, 4, NULL, 0, NULL));
  return finish(world, OWN);
}

/* Level Zero has no such call: each row is a fill. */
static ze_result_t fill_rows_plain(const struct bench_world *world, uint32_t count) {
  const uint32_t zero = 0;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t row = 0; row < 4; row++)
      BENCH_TRY(zeCommandListAppendMemoryFill(bench_made.lists[OWN],
          (char *)bench_made.memory[0] + row * 16, &zero, sizeof zero, 8, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t prefetch(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(
        syclze_queue_prefetch(bench_made.queues[OWN], bench_made.memory[0], 64, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t prefetch_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryPrefetch(bench_made.lists[OWN], bench_made.memory[0], 64));
  return finish(world, OWN);
}

static ze_result_t advise(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_advise(bench_made.queues[OWN], bench_made.memory[0], 64,
        ZE_MEMORY_ADVICE_SET_READ_MOSTLY, NULL, 0, NULL));
  return finish(world, OWN);
}

static ze_result_t advise_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemAdvise(bench_made.lists[OWN], world->device,
        bench_made.memory[0], 64, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  return finish(world, OWN);
}

/* Copies after an event that, for the queue, is another library's. */
static ze_result_t copy_after(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_copy(bench_made.queues[OWN], bench_made.memory[0], bench_made.memory[1],
        64, &world->wrapped.signalled, 1, NULL));
  return finish(world, OWN);
}

static ze_result_t copy_after_plain(const struct bench_world *world, uint32_t count) {
  ze_event_handle_t event = world->signalled;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryCopy(
        bench_made.lists[OWN], bench_made.memory[0], bench_made.memory[1], 64, NULL, 1, &event));
  return finish(world, OWN);
}

static ze_result_t launch_after(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_launch_arguments(bench_made.queues[OWN], world->wrapped.no_work, &one,
        NULL, 0, &world->wrapped.signalled, 1, NULL));
  return finish(world, OWN);
}

static ze_result_t launch_after_plain(const struct bench_world *world, uint32_t count) {
  const ze_group_count_t groups = {1, 1, 1};
  ze_event_handle_t event = world->signalled;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(
        bench_made.lists[OWN], world->no_work, &groups, NULL, 1, &event));
  }
  return finish(world, OWN);
}

static ze_result_t barrier_after(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_submit_barrier_after(
        bench_made.queues[OWN], &world->wrapped.signalled, 1, NULL));
  return finish(world, OWN);
}

static ze_result_t barrier_after_plain(const struct bench_world *world, uint32_t count) {
  ze_event_handle_t event = world->signalled;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendBarrier(bench_made.lists[OWN], NULL, 1, &event));
  return finish(world, OWN);
}

const struct bench_op bench_queue_submit_ops[] = {
    {"submit a fill, no group, in-order", 120, 1, 0, fill, fill_plain, 0, false},
    {"submit a 2D copy, no group, in-order", 190, 1, 0, copy_rows, copy_rows_plain, 0, false},
    {"submit a 2D fill of 4 rows, no group, in-order", 320, 1, 0, fill_rows, fill_rows_plain, 0,
        false},
    {"submit a prefetch, no group, in-order", 140, 1, 0, prefetch, prefetch_plain, 0, false},
    {"submit a memory advice, no group, in-order", 150, 1, 0, advise, advise_plain, 0, false},
    {"submit a USM copy after an event, in-order", 610, 4, 0, copy_after, copy_after_plain, 0,
        false},
    {"submit a kernel after an event, in-order", 715, 6, 0, launch_after, launch_after_plain, 0,
        true},
    {"submit a barrier for an event, in-order", 650, 4, 0, barrier_after, barrier_after_plain, 0,
        false},
    {0},
};
