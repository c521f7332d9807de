/* Values that a launch passes to the driver, by each way to submit it: the group size, the groups
 * and the offset, none of which stays for the next launch. */
#include "support/scene.h"

#include <sched.h>

static struct scene_base scene;
static syclze_kernel plain; /* without arguments */

static const syclze_nd_range ranges[] = {
    {.global = {60}, .local = {4}},
    {.dimensions = 1, .global = {60, 9}, .local = {5, 9}},
    {.global = {8, 6}, .local = {4, 3}},
    {.dimensions = 2, .global = {8, 10}, .local = {4, 1}},
    {.global = {24, 6, 20}, .local = {3, 2, 4}},
    {.dimensions = 3, .global = {24, 6, 20}, .local = {4, 3, 5}},
    {.global = {24, 6, 20}, .local = {3, 2, 4}, .offset = {7, 11, 13}},
    {.global = {24, 6, 20}, .local = {4, 3, 5}, .offset = {0, 0, 2}},
    {.global = {UINT32_MAX}, .local = {5}, .offset = {0, UINT32_MAX, 0}},
    {.global = {8}, .local = {0}},
    {.global = {8, 6, 3}, .local = {0}},
};
enum { RANGES = sizeof ranges / sizeof *ranges };

static const struct strict_shape shapes[RANGES] = {
    {{4, 1, 1}, {15, 1, 1}, {0, 0, 0}},
    {{5, 1, 1}, {12, 1, 1}, {0, 0, 0}},
    {{4, 3, 1}, {2, 2, 1}, {0, 0, 0}},
    {{4, 1, 1}, {2, 10, 1}, {0, 0, 0}},
    {{3, 2, 4}, {8, 3, 5}, {0, 0, 0}},
    {{4, 3, 5}, {6, 2, 4}, {0, 0, 0}},
    {{3, 2, 4}, {8, 3, 5}, {7, 11, 13}},
    {{4, 3, 5}, {6, 2, 4}, {0, 0, 2}},
    {{5, 1, 1}, {UINT32_MAX / 5, 1, 1}, {0, UINT32_MAX, 0}},
    {{2, 1, 1}, {4, 1, 1}, {0, 0, 0}},
    {{2, 2, 1}, {4, 3, 3}, {0, 0, 0}},
};

static void check_launched(const struct strict_shape *shape) {
  const struct strict_shape launched = strict_launched();
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(launched.local[i], shape->local[i]);
    CHECK_EQ(launched.groups[i], shape->groups[i]);
    CHECK_EQ(launched.offset[i], shape->offset[i]);
  }
}

static void begin(void) {
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  plain = scene_kernel(&scene, "iota");
}

static void end(syclze_queue queue) {
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end_with(&scene, plain);
}

enum way { ALONE, WITH_ARGUMENT, WITH_EVENT, BEHIND_EVENT, BEHIND_HOST_TASK, WAYS };

static ze_result_t wait_for_word(syclze_interop_handle handle, void *argument) {
  (void)handle;
  while (__atomic_load_n((uint32_t *)argument, __ATOMIC_ACQUIRE) == 0)
    sched_yield();
  return ZE_RESULT_SUCCESS;
}

static void launch(syclze_queue queue, enum way way, const syclze_nd_range *range,
    const struct strict_shape *shape) {
  syclze_event before = {NULL}, event;
  uint32_t goes = 0;
  if (way == BEHIND_EVENT) {
    CHECK_EQ(syclze_event_create(scene.context, 0, &before), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(before)), ZE_RESULT_SUCCESS);
  }
  if (way == BEHIND_HOST_TASK) {
    syclze_group task = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&task, wait_for_word, &goes, &before), ZE_RESULT_SUCCESS);
  }
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  if (way == WITH_ARGUMENT)
    CHECK_EQ(syclze_launch(&group, plain, range, NULL, syclze_arg(goes)), ZE_RESULT_SUCCESS);
  else if (way == ALONE)
    CHECK_EQ(syclze_launch(&group, plain, range, NULL), ZE_RESULT_SUCCESS);
  else
    CHECK_EQ(syclze_launch(&group, plain, range, &event), ZE_RESULT_SUCCESS);
  __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
  if (way >= WITH_EVENT) {
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  if (before.rep != NULL) CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
  check_launched(shape);
}

/* Each range behind each other one, so that nothing of it stays. */
TEST(every_way_gives_the_whole_shape) {
  for (int in_order = 0; in_order < 2; in_order++)
    for (int way = 0; way < WAYS; way++) {
      begin();
      syclze_queue queue = scene_queue(&scene, in_order != 0 ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
      for (int i = 0; i < RANGES; i++)
        for (int j = 0; j < RANGES; j++) {
          launch(queue, (enum way)way, &ranges[i], &shapes[i]);
          launch(queue, (enum way)way, &ranges[j], &shapes[j]);
        }
      end(queue);
    }
}

/* The shape of a constant range is computed by the compiler. The first launch is none of one
 * append. */
TEST(known_ranges_give_the_whole_shape) {
  static const syclze_nd_range line = {.global = {60}, .local = {4}},
                               plane = {.dimensions = 2, .global = {8, 10}, .local = {4, 1}},
                               space = {.global = {24, 6, 20}, .local = {3, 2, 4}};
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  for (int i = 0; i < 3; i++) {
    const unsigned calls = strict_calls();
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch(&group, plain, &line, NULL), ZE_RESULT_SUCCESS);
    check_launched(&shapes[0]);
    group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch(&group, plain, &plane, NULL), ZE_RESULT_SUCCESS);
    check_launched(&shapes[3]);
    group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch(&group, plain, &space, NULL), ZE_RESULT_SUCCESS);
    check_launched(&shapes[4]);
    if (i > 0) CHECK_EQ(strict_calls(), calls + 6); /* the group size, and the append */
  }
  end(queue);
}

TEST(a_known_range_with_arguments_or_an_event_gives_the_whole_shape) {
  static const syclze_nd_range space = {.global = {24, 6, 20}, .local = {3, 2, 4}};
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  const uint32_t argument = 0;
  for (int i = 0; i < 3; i++) {
    syclze_event event = {NULL};
    const unsigned before = strict_calls_of("zeCommandListAppendLaunchKernel");
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch(&group, plain, &space, &event), ZE_RESULT_SUCCESS);
    check_launched(&shapes[4]);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    launch(queue, ALONE, &ranges[0], &shapes[0]);
    group = syclze_group_begin(queue);
    CHECK_EQ(syclze_launch(&group, plain, &space, NULL, syclze_arg(argument)), ZE_RESULT_SUCCESS);
    check_launched(&shapes[4]);
    CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), before + 3);
  }
  end(queue);
}

/* Launches a range that the compiler does not know. */
__attribute__((noinline)) static ze_result_t launch_range(
    syclze_queue queue, const syclze_nd_range *range) {
  syclze_group group = syclze_group_begin(queue);
  return syclze_launch(&group, plain, range, NULL);
}

TEST(a_failed_launch_returns_its_error) {
  static const syclze_nd_range line = {.global = {60}, .local = {4}};
  static const char *const calls[] = {"zeKernelSetGroupSize", "zeCommandListAppendLaunchKernel"};
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  const uint32_t argument = 0;
  for (int round = 0; round < 2; round++)
    for (int i = 0; i < 2; i++) {
      strict_fail_named(calls[i], ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      syclze_group group = syclze_group_begin(queue);
      CHECK_EQ(syclze_launch(&group, plain, &line, NULL), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      group = syclze_group_begin(queue);
      CHECK_EQ(syclze_launch(&group, plain, &line, NULL, syclze_arg(argument)),
          ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      CHECK_EQ(launch_range(queue, &ranges[1]), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
      strict_fail_named(NULL, ZE_RESULT_SUCCESS);
      group = syclze_group_begin(queue);
      CHECK_EQ(syclze_launch(&group, plain, &line, NULL), ZE_RESULT_SUCCESS);
      check_launched(&shapes[0]);
    }
  end(queue);
}

/* A constant range hides neither what else is wrong nor what is waited for. */
TEST(a_known_range_needs_a_queue_a_kernel_and_what_the_group_waits_for) {
  static const syclze_nd_range line = {.global = {60}, .local = {4}};
  const syclze_queue no_queue = {NULL};
  const syclze_kernel no_kernel = {NULL};
  syclze_event before;
  begin();
  strict_hold(true);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  launch(queue, ALONE, &ranges[0], &shapes[0]);
  CHECK_EQ(strict_step(10), 1);
  CHECK_EQ(syclze_event_create(scene.context, 0, &before), ZE_RESULT_SUCCESS);
  const unsigned launches = strict_calls_of("zeCommandListAppendLaunchKernel");
  syclze_group group = syclze_group_begin(no_queue);
  CHECK_EQ(syclze_launch(&group, plain, &line, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, no_kernel, &line, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), launches);
  group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  CHECK_EQ(syclze_launch(&group, plain, &line, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_calls_of("zeCommandListAppendLaunchKernel"), launches + 1);
  CHECK_EQ(strict_step(10), 0);
  CHECK_EQ(strict_pending(), 1);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(before)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(before), ZE_RESULT_SUCCESS);
  strict_hold(false);
  end(queue);
}

TEST_MAIN(every_way_gives_the_whole_shape, known_ranges_give_the_whole_shape,
    a_known_range_with_arguments_or_an_event_gives_the_whole_shape,
    a_failed_launch_returns_its_error,
    a_known_range_needs_a_queue_a_kernel_and_what_the_group_waits_for)
