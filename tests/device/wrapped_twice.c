/* Two wrappers of one native context are one context for buffers, images, events and kernels, two
   buffers of one allocation are one for the order of work; and profiling of host tasks. */
// shows host_data 24
#include "support/made.h"

#include <time.h>

enum { ITEMS = 64 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context contexts[2];
  syclze_queue queues[2];
};

static struct world begin(uint32_t flags) {
  struct world w = {.g = given()};
  given_needs_execution();
  const syclze_property_list properties = {.flags = flags};
  w.device = made_device(&w.g);
  for (int i = 0; i < 2; i++) {
    w.contexts[i] = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
    CHECK_EQ(
        syclze_queue_create(w.contexts[i], w.device, &properties, &w.queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK(w.contexts[0].rep != w.contexts[1].rep);
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w->contexts[i]), ZE_RESULT_SUCCESS);
  }
  given_end(&w->g);
}

TEST(a_buffer_of_another_wrapper_is_the_memory_itself) { // shows promises 38
  struct world w = begin(0);
  const uint32_t value = 7;
  void *memory;
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof value, w.device, w.contexts[0], &memory), 0);
  memset(memory, 0, ITEMS * sizeof value);
  syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = sizeof value,
      .dimensions = 1,
      .range = {ITEMS}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w.contexts[0], &buffer), ZE_RESULT_SUCCESS);
  syclze_event event;
  syclze_group group = syclze_group_begin(w.queues[1]);
  syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  CHECK(syclze_accessor_get_pointer(accessor) == memory);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(accessor), &value, sizeof value,
               ITEMS * sizeof value, &event),
      ZE_RESULT_SUCCESS);
  /* Ordered between the two, without a replica and a copy. */
  group = syclze_group_begin(w.queues[0]);
  syclze_group_depends_on(&group, event);
  accessor = syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, 0, 1);
  CHECK(syclze_accessor_get_pointer(accessor) == memory);
  uint32_t found = 0;
  CHECK_EQ(syclze_group_update_host(&group, &found, accessor, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(found, value);
  CHECK_EQ(((uint32_t *)memory)[ITEMS - 1], value);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, w.contexts[0]), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(an_image_of_another_wrapper_is_accepted) { // shows promises 38
  struct world w = begin(0);
  syclze_image_input desc = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT8,
      .dimensions = 2,
      .range = {4, 4}};
  syclze_image image;
  uint32_t pixels[16], found[16] = {0};
  for (uint32_t i = 0; i < 16; i++)
    pixels[i] = i * 0x01020304u;
  CHECK_EQ(syclze_image_create(w.contexts[0], w.device, &desc, &image), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queues[1]);
  syclze_accessor accessor = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  CHECK_EQ(syclze_group_copy_to_image(&group, accessor, syclze_mem_arg((void *)pixels), NULL, NULL),
      ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[0]);
  accessor = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  CHECK_EQ(
      syclze_group_copy_from_image(&group, syclze_mem_arg((void *)found), accessor, NULL, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK(memcmp(pixels, found, sizeof pixels) == 0);
  CHECK_EQ(syclze_release(image), ZE_RESULT_SUCCESS);
  end(&w);
}

static syclze_buffer buffer_over(
    const struct world *w, void *memory, size_t count, size_t element_size) {
  syclze_buffer_input input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = element_size,
      .dimensions = 1,
      .range = {count}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, w->contexts[0], &buffer), ZE_RESULT_SUCCESS);
  return buffer;
}

/* The first and the number of four bytes. */
static void fill(syclze_queue queue, syclze_buffer buffer, syclze_event before, uint32_t value,
    size_t first, size_t count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, before);
  const size_t elements = sizeof value / syclze_buffer_get_element_size(buffer);
  syclze_accessor accessor = syclze_group_require_range(
      &group, buffer, SYCLZE_ACCESS_WRITE, first * elements, count * elements);
  CHECK_EQ(syclze_group_fill(
               &group, syclze_mem_arg(accessor), &value, sizeof value, count * sizeof value, event),
      ZE_RESULT_SUCCESS);
}

/* With parts of either, which are of elements of different sizes. */
TEST(buffers_of_one_allocation_are_ordered_with_each_other) { // shows promises 39
  for (uint32_t flags = 0; flags < 2; flags++) {
    struct world w = begin(flags != 0 ? SYCLZE_QUEUE_PROPERTY_IN_ORDER : 0);
    void *memory;
    const syclze_event none = {NULL};
    CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof(uint32_t), w.device, w.contexts[0], &memory), 0);
    memset(memory, 0, ITEMS * sizeof(uint32_t));
    syclze_buffer a = buffer_over(&w, memory, ITEMS, sizeof(uint32_t)),
                  b = buffer_over(&w, memory, ITEMS * 2, 1);
    syclze_event gate = made_event(w.contexts[0], given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
    syclze_event first, second, third;
    fill(w.queues[0], a, gate, 1, 0, 8, &first);
    fill(w.queues[1], b, none, 2, 4, 8, &second);
    syclze_queue other;
    CHECK_EQ(syclze_queue_create(w.contexts[0], w.device, NULL, &other), ZE_RESULT_SUCCESS);
    fill(other, a, none, 3, 8, 8, &third);
    const struct timespec pause = {.tv_nsec = 2000000};
    nanosleep(&pause, NULL);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(second)), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(third)), ZE_RESULT_NOT_READY);
    CHECK_EQ(zeEventHostSignal(syclze_get_native(gate)), ZE_RESULT_SUCCESS);
    /* Each release waits for the work on the memory, by whichever buffer. */
    CHECK_EQ(syclze_release(a), ZE_RESULT_SUCCESS);
    const uint32_t *found = memory;
    CHECK_EQ(found[3], 1);
    CHECK_EQ(found[4], 2);
    CHECK_EQ(found[7], 2);
    CHECK_EQ(found[8], 3);
    fill(w.queues[0], b, none, 4, 0, 1, NULL);
    CHECK_EQ(syclze_release(b), ZE_RESULT_SUCCESS);
    CHECK_EQ(found[0], 4);
    CHECK_EQ(syclze_release(first), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(second), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(third), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(other), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(memory, w.contexts[0]), ZE_RESULT_SUCCESS);
    end(&w);
  }
}

static ze_result_t sleep_for_a_while(syclze_interop_handle handle, void *argument) {
  const struct timespec pause = {.tv_nsec = 10000000};
  (void)handle, (void)argument;
  nanosleep(&pause, NULL);
  return ZE_RESULT_SUCCESS;
}

/* The function lasts ten milliseconds at least. */
TEST(profiling_times_the_function_of_a_host_task) { // shows promises 45
  struct world w = begin(SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING);
  uint64_t submitted, start, finish, device_start, device_finish;
  syclze_event event;
  syclze_group group = syclze_group_begin(w.queues[0]);
  CHECK_EQ(syclze_group_host_task(&group, sleep_for_a_while, NULL, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_get_profiling_submit(event, w.device, &submitted), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_get_profiling(event, w.device, &start, &finish), ZE_RESULT_SUCCESS);
  CHECK(submitted <= start);
  CHECK(finish - start >= 9000000);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  /* An event that is used again is the device's. */
  for (int i = 0; i < 3; i++) {
    CHECK_EQ(syclze_queue_submit_barrier(w.queues[0], &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_get_profiling(event, w.device, &device_start, &device_finish), 0);
    CHECK(device_start != start && device_finish != finish);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(w.queues[0]), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(a_buffer_of_another_wrapper_is_the_memory_itself, an_image_of_another_wrapper_is_accepted,
    buffers_of_one_allocation_are_ordered_with_each_other,
    profiling_times_the_function_of_a_host_task)
