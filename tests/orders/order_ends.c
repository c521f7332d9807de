/* The ends of queues and kernels whose work is not done, where memory is short or a launch failed.
 */
#include "support/scene.h"
#include "support/sweep.h"

#include <time.h>

static struct scene_base scene;
static syclze_kernel plain; /* without arguments */

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static void pause_for(long nanoseconds) {
  const struct timespec pause = {.tv_nsec = nanoseconds};
  nanosleep(&pause, NULL);
}

static void begin(void) {
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  plain = scene_kernel(&scene, "iota");
  strict_hold(true);
}

static void end(void) {
  strict_hold(false);
  scene_end_with(&scene, plain);
}

/* No event, no argument. */
static ze_result_t launch(syclze_queue queue, syclze_kernel kernel) {
  syclze_group group = syclze_group_begin(queue);
  return syclze_launch(&group, kernel, &one, NULL);
}

/* The list is alive while its launch has not run, and is destroyed then. A list that would go too
   early has the time to do so: a right library passes whatever the time is. */
static void check_ends_behind_its_work(const void *list) {
  pause_for(20000000);
  CHECK(strict_is_alive(list));
  strict_hold(false);
  while (strict_is_alive(list)) {
    strict_step(10);
    pause_for(100000);
  }
}

TEST(a_queue_released_without_memory_ends_behind_its_work) {
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  const void *list = syclze_get_native(queue).list;
  CHECK_EQ(launch(queue, plain), ZE_RESULT_SUCCESS);
  strict_fail_named("zeEventCreate", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_pending(), 1);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  while (strict_pending() != 2) /* the marker */
    pause_for(100000);
  check_ends_behind_its_work(list);
  end();
}

/* Its end cannot be found out: the release returns why, and the memory is the application's. */
TEST(a_kept_buffer_is_released_without_memory_for_an_event) {
  begin();
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  uint64_t *memory;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory);
  syclze_group group = syclze_group_begin(queue);
  /* A part, since a whole access of an ordered queue leaves no record. */
  syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, 0, 1);
  CHECK_EQ(syclze_launch(&group, plain, &one, NULL), ZE_RESULT_SUCCESS);
  strict_fail_named("zeEventCreate", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  strict_hold(false);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

static ze_result_t wait_to_go(syclze_interop_handle handle, void *argument) {
  (void)handle;
  while (__atomic_load_n((uint32_t *)argument, __ATOMIC_ACQUIRE) == 0)
    pause_for(100000);
  return ZE_RESULT_SUCCESS;
}

TEST(a_queue_released_under_a_host_task_ends_behind_its_other_work) {
  begin();
  syclze_queue queue = scene_queue(&scene, 0);
  const void *list = syclze_get_native(queue).list;
  uint32_t goes = 0;
  CHECK_EQ(launch(queue, plain), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, wait_to_go, &goes, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
  check_ends_behind_its_work(list);
  end();
}

/* Nothing covers what was never appended. */
TEST(a_kernel_whose_only_launch_failed_is_destroyed_at_once) {
  for (int in_order = 0; in_order < 2; in_order++) {
    begin();
    syclze_queue queue = scene_queue(&scene, in_order ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
    syclze_kernel kernel = scene_kernel(&scene, "iota");
    strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    CHECK_EQ(launch(queue, kernel), ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    const unsigned destroys = strict_destroys(STRICT_KERNEL);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(strict_destroys(STRICT_KERNEL), destroys + 1);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    end();
  }
}

/* One after the other; the next submission is whole. */
TEST(each_allocation_of_a_first_submission_of_two_buffers_fails) {
  bool failed = true;
  for (unsigned n = 1; failed; n++) {
    begin();
    syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
    syclze_buffer buffers[2];
    for (int i = 0; i < 2; i++)
      buffers[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    for (int i = 0; i < 2; i++) {
      syclze_group group = syclze_group_begin(queue);
      for (size_t j = 0; j < 2; j++)
        syclze_group_require_range(&group, buffers[j], SYCLZE_ACCESS_READ_WRITE, j, 1);
      if (i == 0) sweep_fail_nth(SWEEP_ALLOCATIONS, n);
      const ze_result_t result = syclze_launch(&group, plain, &one, NULL);
      sweep_disarm();
      failed = sweep_failed();
      if (i == 1 || !failed) CHECK_EQ(result, ZE_RESULT_SUCCESS);
      if (result != ZE_RESULT_SUCCESS) CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      CHECK_EQ(strict_pending(), (unsigned)i + (i == 0 && result == ZE_RESULT_SUCCESS));
      if (i == 0 && result == ZE_RESULT_SUCCESS) break;
    }
    strict_hold(false);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_release(buffers[i]), ZE_RESULT_SUCCESS);
    end();
  }
}

TEST_MAIN(a_queue_released_without_memory_ends_behind_its_work,
    a_kept_buffer_is_released_without_memory_for_an_event,
    a_queue_released_under_a_host_task_ends_behind_its_other_work,
    a_kernel_whose_only_launch_failed_is_destroyed_at_once,
    each_allocation_of_a_first_submission_of_two_buffers_fails)
