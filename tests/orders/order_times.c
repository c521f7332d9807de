/* The times of events: of the event's own submission, and of the device's valid bits alone. */
#include "support/scene.h"

static ze_result_t launch(
    syclze_queue queue, syclze_kernel kernel, struct node *node, syclze_event *event) {
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  syclze_group group = syclze_group_begin(queue);
  return syclze_launch(&group, kernel, &range, event, syclze_arg(node), syclze_arg(none));
}

/* The bits of a kernel's timestamp that are not valid say nothing. When the clock passes 2^32
 * within the work, the end is behind 2^32. */
TEST(times_have_the_valid_bits_only) {
  static const uint64_t clocks[] = {1000, UINT32_MAX - 5, UINT32_MAX - 4, UINT32_MAX - 3,
      UINT32_MAX - 2, UINT32_MAX - 1, (uint64_t)7 << 33};
  for (uint32_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
    struct scene_base scene;
    struct node node = {.runs = 1};
    uint64_t submit, start, stop;
    syclze_event event;
    strict_begin(1, STRICT_OLDEST);
    scene_begin(&scene);
    syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING);
    syclze_kernel kernel = scene_kernel(&scene, "node");
    strict_set_clock(clocks[i]);
    CHECK_EQ(launch(queue, kernel, &node, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    const uint64_t after = strict_clock();
    CHECK_EQ(syclze_event_get_profiling_submit(event, scene.device, &submit), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(event, scene.device, &start, &stop), ZE_RESULT_SUCCESS);
    CHECK(submit <= UINT32_MAX && start <= UINT32_MAX && stop > start);
    CHECK((uint32_t)(submit - clocks[i]) < (uint32_t)(start - clocks[i]));
    CHECK(stop - start < after - clocks[i]);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    scene_end(&scene);
  }
}

/* A native event that served a submission serves others later, which have times of their own. */
TEST(an_event_has_no_time_of_an_earlier_submission) {
  struct scene_base scene;
  uint64_t submit, first = 0;
  syclze_event event;
  strict_begin(1, STRICT_OLDEST);
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  for (int i = 0; i < 100; i++) {
    struct node node = {.runs = 1};
    CHECK_EQ(launch(queue, kernel, &node, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling_submit(event, scene.device, &submit), ZE_RESULT_SUCCESS);
    CHECK(submit > first);
    first = submit;
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(
        syclze_event_create(scene.context, SYCLZE_EVENT_FLAG_PROFILING, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling_submit(event, scene.device, &submit),
        SYCLZE_RESULT_ERROR_PROFILING);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end(&scene);
}

static ze_result_t run_for_a_while(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  strict_set_clock(strict_clock() + 1000);
  return ZE_RESULT_SUCCESS;
}

/* The times of a host task are the host's, and those of what has its native event later are not. */
TEST(an_event_has_no_time_of_an_earlier_host_task) {
  struct scene_base scene;
  uint64_t start, stop, before = 0;
  syclze_event event;
  strict_begin(1, STRICT_OLDEST);
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  for (int i = 0; i < 100; i++) {
    struct node node = {.runs = 1};
    syclze_group group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, run_for_a_while, NULL, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(event, scene.device, &start, &stop), ZE_RESULT_SUCCESS);
    CHECK(start >= before && stop >= start + 1000);
    before = stop;
    /* The last reference is this thread's, which has the object for its next event. */
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(launch(queue, kernel, &node, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(event, scene.device, &start, &stop), ZE_RESULT_SUCCESS);
    CHECK(start >= before);
    before = stop;
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_end(&scene);
}

TEST_MAIN(times_have_the_valid_bits_only, an_event_has_no_time_of_an_earlier_submission,
    an_event_has_no_time_of_an_earlier_host_task)
