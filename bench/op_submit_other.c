/* Submissions to lists that are not in order, to synchronous ones and to command queues. */
#include "submissions.h"

/* By hand a command queue is given its commands by regular lists in turn, and waits for them before
   the first is recorded again. */
enum { LISTS = 64 };

static ze_command_list_handle_t regular_lists[LISTS];

static ze_result_t make(const struct bench_world *world) {
  ze_command_list_desc_t desc = {0};
  BENCH_TRY(bench_submissions_make(world));
  if (regular_lists[0] != NULL) return ZE_RESULT_SUCCESS;
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  for (uint32_t i = 0; i < LISTS; i++)
    BENCH_TRY(zeCommandListCreate(world->context, world->device, &desc, &regular_lists[i]));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t execute(const struct bench_world *world, ze_command_list_handle_t list) {
  BENCH_TRY(zeCommandListClose(list));
  return zeCommandQueueExecuteCommandLists(world->queue, 1, &list, NULL);
}

/* The list of the next command. */
ALWAYS_INLINE ze_result_t begin_by_hand(const struct bench_world *world, uint32_t i,
    enum queue_kind kind, ze_command_list_handle_t *list) {
  *list = bench_made.lists[kind];
  if (kind != REGULAR) return ZE_RESULT_SUCCESS;
  *list = regular_lists[i % LISTS];
  if (i % LISTS == 0) BENCH_TRY(zeCommandQueueSynchronize(world->queue, UINT64_MAX));
  return zeCommandListReset(*list);
}

ALWAYS_INLINE ze_result_t end_by_hand(
    const struct bench_world *world, enum queue_kind kind, ze_command_list_handle_t list) {
  return kind == REGULAR ? execute(world, list) : ZE_RESULT_SUCCESS;
}

ALWAYS_INLINE ze_result_t wait_by_hand(const struct bench_world *world, enum queue_kind kind) {
  if (kind == REGULAR) return zeCommandQueueSynchronize(world->queue, UINT64_MAX);
  if (world->newer.list_synchronize != NULL)
    return world->newer.list_synchronize(bench_made.lists[kind], UINT64_MAX);
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t launch_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  const ze_group_count_t groups = {1, 1, 1};
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->no_work, &groups, NULL, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return wait_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t event_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  const ze_group_count_t groups = {1, 1, 1};
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    ze_event_handle_t event = bench_made.events[i % BENCH_EVENTS];
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    zeEventQueryStatus(event);
    BENCH_TRY(zeEventHostReset(event));
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->no_work, &groups, event, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return wait_by_hand(world, kind);
}

/* With an event for each launch, without which its list leaves nothing to depend on. */
ALWAYS_INLINE ze_result_t accessors_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  const ze_group_count_t groups = {1, 1, 1};
  const float factor = 0;
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    ze_event_handle_t event = bench_made.events[i % BENCH_EVENTS];
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    zeEventQueryStatus(event);
    BENCH_TRY(zeEventHostReset(event));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 1, sizeof(void *), &bench_made.memory[0]));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 2, sizeof(void *), &bench_made.memory[1]));
    BENCH_TRY(zeKernelSetGroupSize(world->kernel, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->kernel, &groups, event, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return wait_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t copies_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind, bool waits) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(zeCommandListAppendMemoryCopy(
        list, bench_made.memory[0], bench_made.memory[1], 64, NULL, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
    if (waits) BENCH_TRY(wait_by_hand(world, kind));
  }
  return wait_by_hand(world, kind);
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
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    BENCH_TRY(begin_by_hand(world, i, kind, &list));
    BENCH_TRY(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    BENCH_TRY(end_by_hand(world, kind, list));
  }
  return wait_by_hand(world, kind);
}

ALWAYS_INLINE ze_result_t wait_alone_by_hand(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(wait_by_hand(world, kind));
  return ZE_RESULT_SUCCESS;
}

/* All operations on one kind of queue, by syclze and by hand. */
#define ALL_ON(name, kind)                                                                         \
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
ALL_ON(any, OUT_OF_ORDER)
ALL_ON(regular, REGULAR)
ALL_ON(synchronous, SYNCHRONOUS)

#define ROW(text, budget, locked, name, kernel)                                                    \
  { text, budget, locked, 0, name, name##_plain, 0, kernel }

const struct bench_op bench_submit_other_ops[] = {
    ROW("submit a kernel, out of order, no event", 60, 1, any_launch, true),
    ROW("submit a kernel, out of order, with an event", 150, 2, any_event, true),
    ROW("submit a kernel, out of order, two accessors", 1420, 13, any_accessors, true),
    ROW("submit a USM copy, out of order", 60, 1, any_copy, false),
    ROW("submit a USM copy and wait, out of order", 100, 1, any_copy_and_wait, false),
    ROW("submit a barrier, out of order", 60, 1, any_barrier, false),
    ROW("wait for a queue, out of order", 60, 0, any_wait, false),
    ROW("submit a kernel, command queue, no event", 430, 3, regular_launch, true),
    ROW("submit a kernel, command queue, with an event", 450, 4, regular_event, true),
    ROW("submit a kernel, command queue, two accessors", 1500, 13, regular_accessors, true),
    ROW("submit a USM copy, command queue", 400, 3, regular_copy, false),
    ROW("submit a USM copy and wait, command queue", 640, 4, regular_copy_and_wait, false),
    ROW("submit a barrier, command queue", 640, 5, regular_barrier, false),
    ROW("wait for a queue, command queue", 60, 0, regular_wait, false),
    ROW("submit a kernel, synchronous, no event", 60, 1, synchronous_launch, true),
    ROW("submit a kernel, synchronous, with an event", 150, 2, synchronous_event, true),
    ROW("submit a kernel, synchronous, two accessors", 1440, 13, synchronous_accessors, true),
    ROW("submit a USM copy, synchronous", 60, 1, synchronous_copy, false),
    ROW("submit a USM copy and wait, synchronous", 100, 1, synchronous_copy_and_wait, false),
    ROW("submit a barrier, synchronous", 60, 1, synchronous_barrier, false),
    ROW("wait for a queue, synchronous", 60, 0, synchronous_wait, false),
    {0},
};
