/* Waits of a thread for what it has to end itself, which the debug checker refuses, and waits like
   them that it lets pass. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/made.h"
#include "syclze/buffer_create.h"
#include "syclze/command.h"
#include "syclze/command/host_accessor.h"

#include "support/checked.h"

#include <pthread.h>
#include <semaphore.h>
#include <time.h>

enum { COUNT = 64, SIZE = COUNT * 4 };

static struct {
  syclze_queue queue;
  syclze_buffer buffer;
  uint32_t data[COUNT];
} scene;

static void scene_begin(uint32_t flags) {
  given_needs_execution();
  begin();
  const syclze_property_list properties = {.flags = flags};
  const syclze_buffer_desc desc = {.host_data = scene.data, .element_size = 4, .range = {COUNT}};
  CHECK_EQ(syclze_queue_create(context, device, &properties, &scene.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create(context, &desc, &scene.buffer), ZE_RESULT_SUCCESS);
}

static void scene_end(void) {
  CHECK_EQ(syclze_queue_wait(scene.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(scene.buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(scene.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(noted.count, 0);
  end();
}

/* The one diagnostic, which names what the thread has to end. */
static void check_refused(const char *function, const char *kind, int line) {
  char detail[200];
  snprintf(detail, sizeof detail, "%s made at %s:%d", kind, __FILE__, line);
  CHECK_STR_EQ(noted.function, function);
  CHECK_STR_EQ(noted.detail, detail);
  CHECK_EQ(noted.result, SYCLZE_RESULT_ERROR_INVALID);
  noted.count = 0;
}

static void fill(syclze_buffer buffer, uint32_t value, syclze_event *event) {
  syclze_group group = syclze_group_begin(scene.queue);
  syclze_accessor to = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(
      syclze_group_fill(&group, syclze_mem_arg(to), &value, 4, SIZE, event), ZE_RESULT_SUCCESS);
}

TEST(a_wait_for_what_depends_on_a_held_accessor_is_refused) { // shows promises 9
  scene_begin(0);
  syclze_host_accessor accessor;
  syclze_event event;
  const int made = __LINE__ + 1;
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_READ_WRITE, &accessor), 0);
  fill(scene.buffer, 7, &event);
  CHECK_EQ(syclze_event_wait(event), SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_event_wait", "host accessor", made);
  CHECK_EQ(syclze_queue_wait(scene.queue), SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_queue_wait", "host accessor", made);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  uint32_t value = 0;
  CHECK_EQ(syclze_buffer_read(scene.buffer, &value, 0, sizeof value), ZE_RESULT_SUCCESS);
  CHECK_EQ(value, 7);
  scene_end();
}

TEST(a_second_accessor_that_depends_on_a_held_one_is_refused) { // shows promises 9
  scene_begin(0);
  syclze_host_accessor accessor, second;
  uint32_t value;
  const int made = __LINE__ + 1;
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_WRITE, &accessor), 0);
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_READ, &second),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK(second.rep == NULL);
  CHECK_EQ(noted.count, 2);
  CHECK_STR_EQ(noted.rule, "the thread would wait for itself: see the diagnostic");
  noted.count = 0;
  CHECK_EQ(syclze_buffer_read(scene.buffer, &value, 0, sizeof value), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted.count, 2);
  noted.count = 0;
  /* A call that does not wait is not a mistake; a wait for its event is. */
  syclze_event ready;
  CHECK_EQ(syclze_host_accessor_begin(scene.buffer, SYCLZE_ACCESS_READ, &second, &ready), 0);
  CHECK_EQ(syclze_event_wait(ready), SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_event_wait", "host accessor", made);
  CHECK_EQ(syclze_host_accessor_wait(second), SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_host_accessor_wait", "host accessor", made);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_wait(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(ready), ZE_RESULT_SUCCESS);
  scene_end();
}

static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle;
  (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* The dependency goes through a host task, its own queue, and another buffer. */
TEST(a_wait_that_depends_by_way_of_other_work_is_refused) { // shows promises 9
  scene_begin(SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  uint32_t value = 3;
  const syclze_buffer_desc desc = {.element_size = 4, .range = {COUNT}};
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_buffer other;
  syclze_queue second;
  syclze_event first, task, last;
  syclze_host_accessor accessor;
  CHECK_EQ(syclze_buffer_create(context, &desc, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, &in_order, &second), ZE_RESULT_SUCCESS);
  const int made = __LINE__ + 1;
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_WRITE, &accessor), 0);
  fill(scene.buffer, 7, &first);
  syclze_group group = syclze_group_begin(second);
  syclze_group_depends_on(&group, first);
  CHECK_EQ(syclze_group_host_task(&group, nothing, NULL, &task), ZE_RESULT_SUCCESS);
  fill(other, 8, &last);
  CHECK_EQ(syclze_event_wait(task), SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_event_wait", "host accessor", made);
  CHECK_EQ(syclze_queue_wait(second), SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_queue_wait", "host accessor", made);
  CHECK_EQ(syclze_buffer_write(other, &value, 0, 4), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted.count, 2);
  noted.count = 0;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_write(other, &value, 0, 4), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(first), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(task), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(last), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
  scene_end();
}

static ze_result_t wait_for_own_queue(syclze_interop_handle handle, void *argument) {
  (void)handle;
  *(ze_result_t *)argument = syclze_queue_wait(scene.queue);
  return ZE_RESULT_SUCCESS;
}

TEST(a_function_that_waits_for_its_queue_is_refused) { // shows promises 9
  scene_begin(0);
  ze_result_t waited = ZE_RESULT_SUCCESS;
  syclze_group group = syclze_group_begin(scene.queue);
  int made = __LINE__ + 1;
  CHECK_EQ(syclze_group_native_command(&group, wait_for_own_queue, &waited, NULL), 0);
  CHECK_EQ(waited, SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_queue_wait", "native command", made);
  CHECK_EQ(syclze_queue_wait(scene.queue), ZE_RESULT_SUCCESS);
  waited = ZE_RESULT_SUCCESS;
  group = syclze_group_begin(scene.queue);
  made = __LINE__ + 1;
  CHECK_EQ(syclze_group_host_task(&group, wait_for_own_queue, &waited, NULL), 0);
  CHECK_EQ(syclze_queue_wait(scene.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(waited, SYCLZE_RESULT_ERROR_INVALID);
  check_refused("syclze_queue_wait", "host task", made);
  scene_end();
}

static ze_result_t wait_for_event(syclze_interop_handle handle, void *argument) {
  (void)handle;
  return syclze_event_wait(*(syclze_event *)argument);
}

static sem_t taken;

/* The accessor is this thread's from its first use here. */
static void *release_accessor(void *argument) {
  const struct timespec moment = {0, 2000000};
  syclze_host_accessor *accessor = (syclze_host_accessor *)argument;
  CHECK(syclze_host_accessor_get_pointer(*accessor) != NULL);
  CHECK_EQ(sem_post(&taken), 0);
  nanosleep(&moment, NULL);
  CHECK_EQ(syclze_host_accessor_release(*accessor), ZE_RESULT_SUCCESS);
  return NULL;
}

/* An accessor of another thread; work before the accessor's; a function that waits for other work.
 */
TEST(waits_for_what_others_end_pass) { // shows promises 9
  scene_begin(0);
  syclze_host_accessor accessor;
  syclze_event event;
  pthread_t thread;
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_WRITE, &accessor), 0);
  void *pointer = syclze_host_accessor_get_pointer(accessor);
  CHECK(pointer != NULL);
  fill(scene.buffer, 7, &event);
  CHECK_EQ(sem_init(&taken, 0, 0), 0);
  CHECK_EQ(pthread_create(&thread, NULL, release_accessor, &accessor), 0);
  CHECK_EQ(sem_wait(&taken), 0);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(pthread_join(thread, NULL), 0);
  /* Work that does not depend on the accessor. */
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_READ, &accessor), 0);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(scene.queue), ZE_RESULT_SUCCESS);
  syclze_host_accessor second;
  CHECK_EQ(syclze_host_accessor_create(scene.buffer, SYCLZE_ACCESS_READ, &second), 0);
  CHECK_EQ(syclze_host_accessor_release(second), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(scene.queue);
  CHECK_EQ(syclze_group_host_task(&group, wait_for_event, &event, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(scene.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  scene_end();
}

TEST_MAIN(a_wait_for_what_depends_on_a_held_accessor_is_refused,
    a_second_accessor_that_depends_on_a_held_one_is_refused,
    a_wait_that_depends_by_way_of_other_work_is_refused,
    a_function_that_waits_for_its_queue_is_refused, waits_for_what_others_end_pass)
