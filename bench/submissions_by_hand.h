/* The loops of submissions.h in plain Level Zero. */
#ifndef BENCH_SUBMISSIONS_BY_HAND_H
#define BENCH_SUBMISSIONS_BY_HAND_H

#include "submissions.h"

/* The list of the next command. */
ALWAYS_INLINE ze_result_t begin_by_hand(const struct bench_world *world, uint32_t i,
    enum queue_kind kind, ze_command_list_handle_t *list) {
  *list = bench_made.lists[kind];
  if (kind != REGULAR) return ZE_RESULT_SUCCESS;
  *list = bench_made.regular_lists[i % BENCH_LISTS];
  if (i % BENCH_LISTS == 0) BENCH_TRY(zeCommandQueueSynchronize(world->queue, UINT64_MAX));
  return zeCommandListReset(*list);
}

ALWAYS_INLINE ze_result_t end_by_hand(
    const struct bench_world *world, enum queue_kind kind, ze_command_list_handle_t list) {
  if (kind != REGULAR) return ZE_RESULT_SUCCESS;
  BENCH_TRY(zeCommandListClose(list));
  return zeCommandQueueExecuteCommandLists(world->queue, 1, &list, NULL);
}

ALWAYS_INLINE ze_result_t finish_by_hand(const struct bench_world *world, enum queue_kind kind) {
  if (kind == REGULAR) return zeCommandQueueSynchronize(world->queue, UINT64_MAX);
  return finish_list(world, bench_made.lists[kind]);
}

ALWAYS_INLINE ze_result_t wait_by_hand(const struct bench_world *world, enum queue_kind kind) {
  if (kind != REGULAR && world->newer.list_synchronize != NULL)
    return world->newer.list_synchronize(bench_made.lists[kind], UINT64_MAX);
  return finish_by_hand(world, kind);
}

/* The event of the next launch. */
ALWAYS_INLINE ze_result_t next_event(uint32_t i, ze_event_handle_t *event) {
  *event = bench_made.events[i % BENCH_EVENTS];
  zeEventQueryStatus(*event);
  return zeEventHostReset(*event);
}

ALWAYS_INLINE ze_result_t launch_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  const ze_group_count_t groups = {1, 1, 1};
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->no_work, &groups, NULL, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return finish_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t event_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  const ze_group_count_t groups = {1, 1, 1};
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    ze_event_handle_t event;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(next_event(i, &event));
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->no_work, &groups, event, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return finish_by_hand(world, kind);
}

/* A list without an order gets an event for each launch, or leaves nothing to depend on. */
ALWAYS_INLINE ze_result_t accessors_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  const ze_group_count_t groups = {1, 1, 1};
  const float factor = 0;
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    ze_event_handle_t event = NULL;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    if (kind != OWN && kind != WRAPPED) BENCH_TRY(next_event(i, &event));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 1, sizeof(void *), &bench_made.memory[0]));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 2, sizeof(void *), &bench_made.memory[1]));
    BENCH_TRY(zeKernelSetGroupSize(world->kernel, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->kernel, &groups, event, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return finish_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t copies_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind, bool waits) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(zeCommandListAppendMemoryCopy(
        list, bench_made.memory[0], bench_made.memory[1], 64, NULL, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
    if (waits) BENCH_TRY(wait_by_hand(world, kind));
  }
  return finish_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t copy_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return copies_by_hand(world, count, kind, false);
}

ALWAYS_INLINE ze_result_t copy_and_wait_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return copies_by_hand(world, count, kind, true);
}

ALWAYS_INLINE ze_result_t barrier_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return finish_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t wait_alone_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(bench_submissions_make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(wait_by_hand(world, kind));
  return ZE_RESULT_SUCCESS;
}

/* All operations on one kind of queue, by syclze and by hand. */
#define BENCH_ALL_ON(name, kind)                                                                   \
  ON(name##_launch, launch, kind)                                                                  \
  ON(name##_event, launch_event, kind)                                                             \
  ON(name##_accessors, launch_accessors, kind)                                                     \
  ON(name##_copy, copy, kind)                                                                      \
  ON(name##_copy_and_wait, copy_and_wait, kind)                                                    \
  ON(name##_barrier, barrier, kind)                                                                \
  ON(name##_wait, wait_alone, kind)                                                                \
  ON(name##_launch_plain, launch_by_hand, kind)                                                    \
  ON(name##_event_plain, event_by_hand, kind)                                                      \
  ON(name##_accessors_plain, accessors_by_hand, kind)                                              \
  ON(name##_copy_plain, copy_by_hand, kind)                                                        \
  ON(name##_copy_and_wait_plain, copy_and_wait_by_hand, kind)                                      \
  ON(name##_barrier_plain, barrier_by_hand, kind)                                                  \
  ON(name##_wait_plain, wait_alone_by_hand, kind)

/* A row of those operations. */
#define BENCH_ROW(text, budget, locked, peer, name, needs_kernel)                                  \
  { text, budget, locked, peer, name, name##_plain, 0, needs_kernel }

#endif
