/* A buffer that is used in two contexts, and what fails of that. */
#include "support/native_task.h"
#include "support/sweep.h"

#include "syclze/command/host_accessor.h"

#include <time.h>

static struct scene_base scene;

static struct {
  ze_context_handle_t native;
  syclze_context context;
  syclze_queue queue;
} other;

static void begin(void) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  CHECK_EQ(zeContextCreateEx(scene.driver, &desc, 1, &scene.handle, &other.native), 0);
  const syclze_context_input input = {
      .native_handle = other.native, .device_list = &scene.device, .device_count = 1};
  CHECK_EQ(syclze_make_context(&input, &other.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(other.context, scene.device, &in_order, &other.queue), 0);
}

static void end(void) {
  CHECK_EQ(syclze_release(other.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other.context), ZE_RESULT_SUCCESS);
  scene_end(&scene);
}

/* Overwrites the first segment in the other context, where the memory is `native`. */
static ze_result_t fill(syclze_buffer buffer, uint64_t value, void **native) {
  syclze_group group = syclze_group_begin(other.queue);
  syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  *native = accessor.native;
  return syclze_group_fill(
      &group, syclze_mem_arg(accessor), &value, sizeof value, sizeof value, NULL);
}

/* Nothing has entered an engine before the program's first group. */
TEST(the_first_group_does_not_block_for_an_event_of_another_context) {
  begin();
  syclze_event event, done;
  syclze_queue queue = scene_queue(&scene, 0);
  CHECK_EQ(syclze_event_create(other.context, 0, &event), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, event);
  CHECK_EQ(syclze_group_barrier(&group, &done), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(event)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

TEST(the_release_returns_that_memory_of_another_context_was_not_freed) { // shows promises 53
  begin();
  uint64_t *memory;
  void *there;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory);
  CHECK_EQ(fill(buffer, 7, &there), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_alive(STRICT_MEMORY), 2);
  strict_fail_named("zeMemFree", ZE_RESULT_ERROR_UNKNOWN);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_ERROR_UNKNOWN);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(other.native, there), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  end();
}

/* Memory of another context that cannot be freed keeps neither the buffer's own memory nor a
 * context. */
TEST(a_failed_free_in_another_context_abandons_nothing_else) { // shows promises 53
  begin();
  uint64_t *memory;
  void *there;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &memory);
  CHECK_EQ(fill(buffer, 7, &there), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_SUCCESS);
  const unsigned asked = strict_calls_of("zeMemFree");
  strict_fail_named("zeMemFree", ZE_RESULT_ERROR_UNKNOWN);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_ERROR_UNKNOWN);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_calls_of("zeMemFree") - asked, 2);
  CHECK_EQ(zeMemFree(other.native, there), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  end();
}

/* The copy between the contexts has no events: the submission fails, leaves nothing, and succeeds
   once there are some. */
TEST(a_copy_that_cannot_begin_is_made_by_the_next_submission) {
  begin();
  uint64_t *memory, contents[2] = {0};
  void *there;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory);
  memory[1] = 11;
  strict_fail_named("zeEventCreate", ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_EQ(fill(buffer, 7, &there), ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(buffer, 7, &there), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_SUCCESS);
  memcpy(contents, there, sizeof contents);
  CHECK_EQ(contents[0], 7);
  CHECK_EQ(contents[1], 11);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(strict_alive(STRICT_MEMORY), 1);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  end();
}

static syclze_buffer device_buffer(void **memory) {
  const size_t size = SEGMENTS * sizeof(uint64_t);
  syclze_buffer_input input = {
      .element_size = sizeof(uint64_t), .dimensions = 1, .range = {SEGMENTS}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_malloc_device(size, scene.device, scene.context, memory), ZE_RESULT_SUCCESS);
  input.native_handle = *memory;
  CHECK_EQ(syclze_make_buffer(&input, scene.context, &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

/* The host wrote 3 and 11, and the other context then the first value. */
static syclze_buffer written_elsewhere(uint64_t first) {
  const uint64_t before[2] = {3, 11};
  void *memory, *there;
  syclze_buffer buffer = device_buffer(&memory);
  CHECK_EQ(syclze_buffer_write(buffer, before, 0, sizeof before), ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(buffer, first, &there), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_SUCCESS);
  return buffer;
}

static void check_contents(syclze_buffer buffer, uint64_t first, uint64_t second) {
  uint64_t contents[2] = {0};
  CHECK_EQ(syclze_buffer_read(buffer, contents, 0, sizeof contents), ZE_RESULT_SUCCESS);
  CHECK_EQ(contents[0], first);
  CHECK_EQ(contents[1], second);
}

TEST(a_read_after_a_failed_copy_copies_again) {
  begin();
  uint64_t contents[2] = {0};
  syclze_buffer buffer = written_elsewhere(7);
  strict_fail_named("zeMemAllocHost", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_EQ(
      syclze_buffer_read(buffer, contents, 0, sizeof contents), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  check_contents(buffer, 7, 11);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

/* The copy is of a submission's, and under way when the host's access begins. */
TEST(an_access_behind_a_copy_returns_its_failure) {
  begin();
  void *there;
  syclze_host_accessor accessor;
  syclze_queue queue = scene_queue(&scene, 0);
  syclze_buffer buffer = written_elsewhere(5);
  strict_hold(true);
  CHECK_EQ(fill(buffer, 7, &there), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_host_accessor_begin(buffer, SYCLZE_ACCESS_READ, &accessor, NULL), ZE_RESULT_SUCCESS);
  strict_fail_named("zeMemAllocHost", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  strict_hold(false);
  CHECK_EQ(syclze_host_accessor_wait(accessor), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  check_contents(buffer, 7, 11);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  end();
}

/* The write is not made, and loses nothing of the other context. */
TEST(a_write_whose_copy_fails_changes_nothing) {
  begin();
  const uint64_t after = 5;
  syclze_buffer buffer = written_elsewhere(7);
  strict_fail_named("zeMemAllocHost", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  CHECK_EQ(syclze_buffer_write(buffer, &after, sizeof after, sizeof after),
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  check_contents(buffer, 7, 11);
  CHECK_EQ(syclze_buffer_write(buffer, &after, sizeof after, sizeof after), ZE_RESULT_SUCCESS);
  check_contents(buffer, 7, 5);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_submission_after_a_failed_copy_copies_again) {
  begin();
  void *memory, *there;
  const uint64_t before[2] = {3, 11};
  syclze_buffer buffer = device_buffer(&memory);
  CHECK_EQ(syclze_buffer_write(buffer, before, 0, sizeof before), ZE_RESULT_SUCCESS);
  strict_fail_named("zeMemAllocHost", ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  syclze_group group = syclze_group_begin(other.queue);
  syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
  (void)accessor;
  CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(fill(buffer, 7, &there), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_SUCCESS);
  check_contents(buffer, 7, 11);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

/* Whatever fails of the copies between the contexts, what is submitted finds both copied. */
TEST(each_allocation_of_a_submission_of_two_buffers_fails) {
  bool failed = true;
  for (unsigned n = 1; failed; n++) {
    begin();
    uint64_t *memory[2];
    const uint64_t *there[2];
    syclze_buffer buffers[2];
    for (uint64_t i = 0; i < 2; i++) {
      buffers[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory[i]);
      memory[i][1] = 11 + i;
    }
    ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    for (int tries = 0; result != ZE_RESULT_SUCCESS; tries++) {
      const uint64_t value = 7;
      CHECK(tries < 2);
      if (tries == 0) sweep_fail_nth(SWEEP_ALLOCATIONS, n);
      syclze_group group = syclze_group_begin(other.queue);
      syclze_accessor first = syclze_require(&group, buffers[0], SYCLZE_ACCESS_READ_WRITE);
      syclze_accessor second = syclze_require(&group, buffers[1], SYCLZE_ACCESS_READ);
      result = syclze_group_fill(
          &group, syclze_mem_arg(first), &value, sizeof value, sizeof value, NULL);
      if (tries == 0) {
        sweep_disarm();
        failed = sweep_failed();
      }
      if (result != ZE_RESULT_SUCCESS) CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      there[0] = first.native;
      there[1] = second.native;
    }
    CHECK_EQ(syclze_queue_wait(other.queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(there[0][0], 7);
    CHECK_EQ(there[0][1], 11);
    CHECK_EQ(there[1][1], 12);
    for (int i = 0; i < 2; i++) {
      CHECK_EQ(syclze_release(buffers[i]), ZE_RESULT_SUCCESS);
      CHECK_EQ(zeMemFree(scene.native, memory[i]), ZE_RESULT_SUCCESS);
    }
    end();
  }
}

static ze_result_t run_once_it_may(syclze_interop_handle handle, void *argument) {
  (void)handle;
  wait_for(argument);
  return ZE_RESULT_SUCCESS;
}

static syclze_queue synchronous_queue(void) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ze_command_list_handle_t list;
  syclze_queue queue;
  CHECK_EQ(zeCommandListCreateImmediate(scene.native, scene.handle, &desc, &list), 0);
  const syclze_queue_input input = {
      .native_handle = syclze_native_queue_of(list), .device = scene.device};
  CHECK_EQ(syclze_make_queue(&input, scene.context, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

/* A worker appends to the synchronous queue, and holds its lock until another one has signalled
   what the command waits for. That one drops the queue's last reference first. */
TEST(a_synchronous_queue_ends_behind_an_event_of_another_context) { // shows queues 8
  begin();
  const struct timespec pause = {.tv_nsec = 100000};
  syclze_queue queue = synchronous_queue(), tasks = scene_queue(&scene, 0);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  struct node *node = node_after(NULL);
  syclze_event there, task;
  uint32_t goes = 0;
  strict_hold(true);
  CHECK_EQ(syclze_queue_submit_barrier(other.queue, &there), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(tasks);
  CHECK_EQ(syclze_group_host_task(&group, run_once_it_may, &goes, &task), ZE_RESULT_SUCCESS);
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  const void *none = NULL;
  group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, task);
  syclze_group_depends_on(&group, there);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(node), syclze_arg(none)), 0);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  __atomic_store_n(&goes, 1, __ATOMIC_RELEASE);
  while (strict_pending() != 2)
    nanosleep(&pause, NULL);
  strict_hold(false);
  CHECK_EQ(syclze_release(there), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(task), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(tasks), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  end();
  CHECK_EQ(strict_reports(), 0);
  node_end(node);
}

TEST_MAIN(the_first_group_does_not_block_for_an_event_of_another_context,
    the_release_returns_that_memory_of_another_context_was_not_freed,
    a_failed_free_in_another_context_abandons_nothing_else,
    a_copy_that_cannot_begin_is_made_by_the_next_submission,
    a_read_after_a_failed_copy_copies_again, an_access_behind_a_copy_returns_its_failure,
    a_write_whose_copy_fails_changes_nothing, a_submission_after_a_failed_copy_copies_again,
    each_allocation_of_a_submission_of_two_buffers_fails,
    a_synchronous_queue_ends_behind_an_event_of_another_context)
