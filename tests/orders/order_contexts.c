/* A buffer that is used in two contexts, and what fails of that. */
#include "support/scene.h"

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

TEST(the_release_returns_that_memory_of_another_context_was_not_freed) {
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

TEST_MAIN(the_release_returns_that_memory_of_another_context_was_not_freed,
    a_copy_that_cannot_begin_is_made_by_the_next_submission)
