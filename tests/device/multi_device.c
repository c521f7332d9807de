/* Two devices of one driver in one context: what belongs to one of them is refused on the other. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/command/graph_update.h"
#include "syclze/command/image_host_accessor.h"
#include "syclze/queue_commands.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DEVICES", "2");
}

struct two_devices {
  syclze_device device[2];
  syclze_context context;
};

static struct two_devices begin(void) {
  struct two_devices t;
  ze_driver_handle_t driver;
  ze_device_handle_t handles[2];
  given_drivers(&driver, 1);
  given_needs_two(driver, given_devices(driver, handles, 2));
  given_needs_execution();
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_make_device(handles[i], &t.device[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_create(t.device, 2, &t.context), ZE_RESULT_SUCCESS);
  return t;
}

TEST(an_event_has_no_times_of_a_device_other_than_its_queue_s) { // shows promises 48
  struct two_devices t = begin();
  const syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING};
  syclze_queue queue;
  syclze_event event;
  uint64_t start, end;
  CHECK_EQ(syclze_queue_create(t.context, t.device[0], &properties, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
  FAILED(syclze_event_get_profiling(event, t.device[1], &start, &end), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_get_profiling", "not that of the event's queue", syclze_get_native(event));
  FAILED(syclze_event_get_profiling_submit(event, t.device[1], &start), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_get_profiling_submit", "not that of the event's queue",
      syclze_get_native(event));
  CHECK_EQ(syclze_event_get_profiling(event, t.device[0], &start, &end), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t.context), ZE_RESULT_SUCCESS);
}

TEST(an_event_has_no_times_of_a_device_outside_its_context) { // shows promises 48
  struct two_devices t = begin();
  syclze_context alone;
  syclze_event event;
  uint64_t start, end;
  CHECK_EQ(syclze_context_create(t.device, 1, &alone), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(alone, SYCLZE_EVENT_FLAG_PROFILING, &event), ZE_RESULT_SUCCESS);
  FAILED(syclze_event_get_profiling(event, t.device[1], &start, &end), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_event_get_profiling", "must be in the context", syclze_get_native(event));
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(alone), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t.context), ZE_RESULT_SUCCESS);
}

/* Submits a copy into the image. */
static ze_result_t write_image(const syclze_queue queue, syclze_image image, void *memory) {
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor accessor = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  return syclze_group_copy_to_image(&group, accessor, syclze_mem_arg(memory), NULL, NULL);
}

TEST(an_image_is_refused_on_queues_of_devices_that_it_was_not_created_on) { // shows promises 47
  struct two_devices t = begin();
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_RGBA,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 1,
      .range = {4}};
  syclze_image image;
  syclze_queue queues[2];
  void *memory;
  CHECK_EQ(syclze_malloc_host(64, t.context, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_image_create(t.context, t.device[0], &input, &image), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_queue_create(t.context, t.device[i], NULL, &queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(write_image(queues[0], image, memory), ZE_RESULT_SUCCESS);
  FAILED(write_image(queues[1], image, memory), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_group_copy_to_image", "another device than the queue's",
      syclze_get_native(queues[1]).list);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_image_release(image), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, t.context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t.context), ZE_RESULT_SUCCESS);
}

/* A command that only requires the sampler. */
static ze_result_t require_sampler(syclze_queue queue, syclze_sampler sampler) {
  syclze_group group = syclze_group_begin(queue);
  syclze_group_require_sampler(&group, sampler);
  return syclze_group_barrier(&group, NULL);
}

/* One that is wrapped may be of any device of its context. */
TEST(a_sampler_is_refused_on_queues_of_devices_that_it_was_not_created_on) { // shows host_data 20
  struct two_devices t = begin();
  const syclze_sampler_desc desc = {.addressing = SYCLZE_ADDRESSING_MODE_CLAMP_TO_EDGE};
  syclze_sampler sampler, wrapped;
  CHECK_EQ(syclze_sampler_create(t.context, t.device[0], &desc, &sampler), ZE_RESULT_SUCCESS);
  const syclze_sampler_input input = {syclze_get_native(sampler), SYCLZE_OWNERSHIP_KEEP};
  CHECK_EQ(syclze_make_sampler(&input, t.context, &wrapped), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_queue queue;
    CHECK_EQ(syclze_queue_create(t.context, t.device[i], NULL, &queue), ZE_RESULT_SUCCESS);
    if (i == 0)
      CHECK_EQ(require_sampler(queue, sampler), ZE_RESULT_SUCCESS);
    else
      FAILED(require_sampler(queue, sampler), SYCLZE_RESULT_ERROR_INVALID, "syclze_group_barrier",
          "another device than the queue's", syclze_get_native(queue).list);
    CHECK_EQ(require_sampler(queue, wrapped), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(wrapped), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(sampler), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t.context), ZE_RESULT_SUCCESS);
}

/* A barrier of the queue, as a graph of the device. */
static syclze_graph graph_of(const struct two_devices *t, syclze_queue queue, int device) {
  syclze_graph graph;
  CHECK_EQ(syclze_graph_create(t->context, t->device[device], &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, queue), ZE_RESULT_SUCCESS);
  return graph;
}

/* It records no queue of another device, runs on none, and is not updated by the other graph. */
TEST(a_graph_is_of_one_device) { // shows graph_peers 22 49
  struct two_devices t = begin();
  syclze_executable_graph executables[2];
  syclze_graph graphs[2];
  syclze_queue queues[2];
  syclze_event event;
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_create(t.context, t.device[i], NULL, &queues[i]), ZE_RESULT_SUCCESS);
    graphs[i] = graph_of(&t, queues[i], i);
    CHECK_EQ(syclze_graph_finalize(graphs[i], SYCLZE_GRAPH_UPDATABLE, &executables[i]), 0);
  }
  for (int i = 0; i < 2; i++) {
    const char *const rule = "the same context and device";
    const void *list = syclze_get_native(queues[1 - i]).list;
    FAILED(syclze_graph_begin_recording(graphs[i], queues[1 - i]), SYCLZE_RESULT_ERROR_INVALID,
        "syclze_graph_begin_recording", "another context or device", list);
    REFUSED(event, syclze_queue_submit_graph(queues[1 - i], executables[i], &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_group_execute_graph", "another context or device",
        list);
    FAILED(syclze_executable_graph_update(executables[i], graphs[1 - i]),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_executable_graph_update", rule,
        syclze_get_native(t.context));
    FAILED(syclze_executable_graph_update_node(executables[i], 0, graphs[1 - i], 0),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_executable_graph_update_node", rule,
        syclze_get_native(t.context));
    CHECK_EQ(syclze_executable_graph_update(executables[i], graphs[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_submit_graph(queues[i], executables[i], NULL), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(graphs[0], graphs[1], executables[0], executables[1]), 0);
  CHECK_EQ(syclze_release(queues[0], queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t.context), ZE_RESULT_SUCCESS);
}

static size_t staging_size(const struct two_devices *t) {
  void *base;
  size_t size = 0;
  CHECK_EQ(
      zeMemGetAddressRange(syclze_get_native(t->context), spy_survivor(SPY_MEMORY), &base, &size),
      ZE_RESULT_SUCCESS);
  return size;
}

/* The context keeps the list and the memory of the first copy, whose device is the first one. */
TEST(a_copy_to_the_host_runs_on_the_image_s_device) {
  struct two_devices t = begin();
  syclze_image images[2];
  static uint32_t pixels[1100];
  for (int i = 0; i < 2; i++) {
    const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
        .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
        .dimensions = 1,
        .range = {i == 0 ? 1024 : 1100}};
    const ze_result_t result = syclze_image_create(t.context, t.device[i], &input, &images[i]);
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE) SKIP("the driver has no images");
    CHECK_EQ(result, ZE_RESULT_SUCCESS);
  }
  const unsigned created = spy_creations(SPY_LIST), alive = spy_alive(SPY_LIST);
  const unsigned memory = spy_alive(SPY_MEMORY);
  CHECK_EQ(syclze_image_read(images[0], NULL, pixels, 0, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(staging_size(&t), sizeof(uint32_t[1024]));
  for (unsigned i = 0; i < 3; i++) {
    CHECK_EQ(spy_creations(SPY_LIST), created + 1 + i);
    CHECK_EQ(syclze_image_read(images[1], NULL, pixels, 0, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_creations(SPY_LIST), created + 2 + i);
    CHECK_EQ(syclze_image_read(images[0], NULL, pixels, 0, 0), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_alive(SPY_LIST), alive + 1);
    CHECK_EQ(spy_alive(SPY_MEMORY), memory + 1);
  }
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_image_release(images[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(t.context), ZE_RESULT_SUCCESS);
}

TEST_MAIN(a_copy_to_the_host_runs_on_the_image_s_device, a_graph_is_of_one_device,
    an_image_is_refused_on_queues_of_devices_that_it_was_not_created_on,
    a_sampler_is_refused_on_queues_of_devices_that_it_was_not_created_on,
    an_event_has_no_times_of_a_device_other_than_its_queue_s,
    an_event_has_no_times_of_a_device_outside_its_context)
