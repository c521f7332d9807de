/* Loops of submissions to each kind of queue, and what they use. A block ends when its work has
   completed. The first block creates the fixtures, which stay. */
#ifndef BENCH_SUBMISSIONS_H
#define BENCH_SUBMISSIONS_H

#include "launches.h"

enum queue_kind {
  OWN,          /* that the library created, in order */
  WRAPPED,      /* over an immediate list that the application created in-order */
  OUT_OF_ORDER, /* over an immediate list that was not */
  REGULAR,      /* over a command queue */
  SYNCHRONOUS,  /* over a synchronous list */
  QUEUE_KINDS
};

/* By hand each launch has the next of these events, which is queried and reset first: one that a
   launch in flight signals may not be reset. */
enum { BENCH_EVENTS = 64 };

/* By hand a command queue is given its commands by regular lists in turn, and waits for them before
   the first is recorded again. */
enum { BENCH_LISTS = 64 };

struct bench_submissions {
  syclze_queue queues[QUEUE_KINDS];
  ze_command_list_handle_t lists[QUEUE_KINDS]; /* null for a command queue */
  syclze_buffer x, y;
  void *memory[2];
  ze_event_handle_t events[BENCH_EVENTS];
  ze_command_list_handle_t regular_lists[BENCH_LISTS];
  bool there;
};

extern struct bench_submissions bench_made;

static const syclze_nd_range one = {.global = {1}, .local = {1}};

/* Creates the fixtures. */
ze_result_t bench_submissions_make(const struct bench_world *world);

static inline ze_result_t finish_list(
    const struct bench_world *world, ze_command_list_handle_t list) {
  BENCH_TRY(zeCommandListAppendBarrier(list, world->event, 0, NULL));
  BENCH_TRY(zeEventHostSynchronize(world->event, UINT64_MAX));
  return zeEventHostReset(world->event);
}

static inline ze_result_t finish(const struct bench_world *world, enum queue_kind kind) {
  if (kind == REGULAR) return syclze_queue_wait(bench_made.queues[kind]);
  return finish_list(world, bench_made.lists[kind]);
}

ALWAYS_INLINE ze_result_t launch(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  BENCH_TRY(bench_launches(bench_made.queues[kind], world->wrapped.no_work, count));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t launch_range(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    const syclze_nd_range *range = &one;
    BENCH_OPAQUE(range);
    syclze_group group = syclze_group_begin(bench_made.queues[kind]);
    BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, range, NULL, 0, NULL));
  }
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t launch_event(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(bench_made.queues[kind]);
    BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, &one, NULL, 0, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return finish(world, kind);
}

/* One buffer is read, the other written: each launch depends on the previous one. */
ALWAYS_INLINE ze_result_t launch_accessors(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  float factor = 0;
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(bench_made.queues[kind]);
    syclze_accessor x = syclze_require(&group, bench_made.x, SYCLZE_ACCESS_READ);
    syclze_accessor y = syclze_require(&group, bench_made.y, SYCLZE_ACCESS_READ_WRITE);
    BENCH_TRY(syclze_launch(&group, world->wrapped.kernel, &one, NULL, syclze_arg(factor),
        syclze_arg(x), syclze_arg(y)));
  }
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t copies(
    const struct bench_world *world, uint32_t count, enum queue_kind kind, bool waits) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(bench_made.queues[kind]);
    BENCH_TRY(syclze_group_copy(&group, syclze_mem_arg(bench_made.memory[0]),
        syclze_mem_arg(bench_made.memory[1]), 64, NULL));
    if (waits) BENCH_TRY(syclze_queue_wait(bench_made.queues[kind]));
  }
  return waits ? ZE_RESULT_SUCCESS : finish(world, kind);
}

/* Without a group object. */
ALWAYS_INLINE ze_result_t queue_copy(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_copy(
        bench_made.queues[kind], bench_made.memory[0], bench_made.memory[1], 64, NULL, 0, NULL));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t queue_launch(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_launch_arguments(
        bench_made.queues[kind], world->wrapped.no_work, &one, NULL, 0, NULL, 0, NULL));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t copy(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return copies(world, count, kind, false);
}

ALWAYS_INLINE ze_result_t copy_and_wait(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return copies(world, count, kind, true);
}

ALWAYS_INLINE ze_result_t barrier(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_submit_barrier(bench_made.queues[kind], NULL));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t wait_alone(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_wait(bench_made.queues[kind]));
  return ZE_RESULT_SUCCESS;
}

#endif
