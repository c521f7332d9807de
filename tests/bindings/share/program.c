/* A program that vendors the headers, and a plugin that links the library: they share objects. */
#include "share.h"

#include "tests/check.h"

#include <pthread.h>
#include <string.h>

static syclze_device device;
static syclze_context context;
static syclze_queue queue;

static void begin(void) {
  uint32_t one = 1;
  CHECK(syclze_device_get_selected(&one, &device) == ZE_RESULT_SUCCESS);
  CHECK(syclze_context_create(&device, 1, &context) == ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_create(context, device, NULL, &queue) == ZE_RESULT_SUCCESS);
}

static void end(void) {
  CHECK(syclze_queue_wait(queue) == ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_release(queue) == ZE_RESULT_SUCCESS);
  CHECK(syclze_context_release(context) == ZE_RESULT_SUCCESS);
}

TEST(each_side_uses_the_other_ones_objects) {
  unsigned char data[64] = {0};
  const unsigned char zero = 0;
  void *memory;
  syclze_buffer buffer;
  syclze_event filled, of_library;
  begin();
  CHECK(syclze_malloc_device(64, device, context, &memory) == ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = memory, .element_size = 1};
  CHECK(syclze_make_buffer(&input, context, &buffer) == ZE_RESULT_SUCCESS);

  /* Each in turn accesses the buffer, and waits for what the other one submitted. */
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK(syclze_group_fill(&group, syclze_mem_arg(all), &zero, 1, 64, NULL) == ZE_RESULT_SUCCESS);
  CHECK(plugin_fill(queue, buffer, 7, &filled) == ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK(syclze_group_copy(&group, syclze_mem_arg(data), syclze_mem_arg(all), 64, NULL) ==
        ZE_RESULT_SUCCESS);
  CHECK(syclze_event_wait(filled) == ZE_RESULT_SUCCESS);
  CHECK(syclze_queue_wait(queue) == ZE_RESULT_SUCCESS);
  CHECK(data[0] == 7 && data[63] == 7);
  CHECK(syclze_event_release(filled) == ZE_RESULT_SUCCESS);

  CHECK(plugin_event(context, &of_library) == ZE_RESULT_SUCCESS);
  CHECK(zeEventHostSignal(syclze_event_get_native(of_library)) == ZE_RESULT_SUCCESS);
  CHECK(syclze_event_wait(of_library) == ZE_RESULT_SUCCESS);
  CHECK(syclze_event_release(of_library) == ZE_RESULT_SUCCESS);
  CHECK(plugin_release_twice(buffer) == ZE_RESULT_SUCCESS);
  end();
}

static void *fail_elsewhere(void *rule) {
  CHECK(plugin_fail((const char **)rule) == ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  return NULL;
}

TEST(the_last_diagnostic_is_the_threads) {
  const char *here, *there = NULL;
  pthread_t thread;
  CHECK(plugin_fail(&here) == ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK(here != NULL && strstr(here, "null") != NULL);
  CHECK(pthread_create(&thread, NULL, fail_elsewhere, &there) == 0);
  CHECK(pthread_join(thread, NULL) == 0 && there != NULL && strcmp(here, there) == 0);
}

TEST_MAIN(each_side_uses_the_other_ones_objects, the_last_diagnostic_is_the_threads)
