/* The six programs in C, on the library: programs.cpp, programs.py and the others do the same. */
#include "syclze_library.h"

#include "tests/check.h"

#define TRY(call) CHECK_EQ(call, ZE_RESULT_SUCCESS)

enum { COUNT = 64 };

static syclze_device device;
static syclze_context context;
static syclze_queue queue;

static void begin(void) {
  uint32_t one = 1;
  TRY(syclze_device_get_selected(&one, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
}

static void end(void) {
  TRY(syclze_queue_wait(queue));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
}

static syclze_kernel kernel_of(const char *name) {
  static unsigned char code[1 << 16];
  FILE *file = fopen("tests/kernels/basic.spv", "rb");
  syclze_kernel_bundle_desc desc = {0};
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  CHECK(file != NULL);
  desc.spirv = code;
  desc.size = fread(code, 1, sizeof code, file);
  fclose(file);
  TRY(syclze_kernel_bundle_create(context, device, &desc, &bundle));
  TRY(syclze_kernel_create(bundle, name, &kernel));
  TRY(syclze_kernel_bundle_release(bundle));
  return kernel;
}

TEST(adopt_a_native_queue_and_event) {
  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  syclze_queue_input of_list = {0};
  syclze_event_input of_event = {0};
  ze_command_list_handle_t list;
  ze_event_pool_handle_t pool;
  ze_device_handle_t native;
  syclze_queue adopted;
  syclze_event event;
  begin();
  native = syclze_device_get_native(device);
  TRY(zeCommandListCreateImmediate(syclze_context_get_native(context), native, &desc, &list));
  TRY(zeEventPoolCreate(syclze_context_get_native(context), &pool_desc, 1, &native, &pool));
  TRY(zeEventCreate(pool, &event_desc, &of_event.native_handle));
  of_list.native_handle = syclze_native_queue_of_list(list);
  of_list.device = device;
  TRY(syclze_make_queue(&of_list, context, &adopted));
  TRY(syclze_make_event(&of_event, context, &event));
  CHECK(syclze_queue_get_native(adopted).list == list);
  TRY(zeCommandListAppendSignalEvent(list, syclze_event_get_native(event)));
  TRY(syclze_event_wait(event));
  TRY(syclze_event_release(event));
  TRY(syclze_queue_release(adopted));
  TRY(zeEventPoolDestroy(pool));
  end();
}

TEST(add_vectors) {
  const syclze_nd_range range = {.global = {COUNT}};
  const float one = 1;
  syclze_argument arguments[3];
  syclze_kernel kernel;
  void *memory[2];
  float *x, *y;
  begin();
  kernel = kernel_of("axpy");
  for (int i = 0; i < 2; i++)
    TRY(syclze_malloc_shared(COUNT * sizeof(float), device, context, &memory[i]));
  x = (float *)memory[0], y = (float *)memory[1];
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i, y[i] = 100;
  arguments[0] = syclze_argument_value(&one, sizeof one);
  arguments[1] = syclze_argument_value(&x, sizeof x);
  arguments[2] = syclze_argument_value(&y, sizeof y);
  TRY(syclze_queue_launch_arguments(queue, kernel, &range, arguments, 3, NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));
  CHECK(y[0] == 100 && y[COUNT - 1] == 99 + COUNT);
  TRY(syclze_free(x, context));
  TRY(syclze_free(y, context));
  TRY(syclze_kernel_release(kernel));
  end();
}

struct sum {
  syclze_accessor accessor;
  int result;
};

static ze_result_t add_up(syclze_interop_handle handle, void *argument) {
  struct sum *sum = (struct sum *)argument;
  void *memory;
  ze_result_t result = syclze_interop_handle_get_native_buffer(handle, sum->accessor, &memory);
  for (int i = 0; result == ZE_RESULT_SUCCESS && i < COUNT; i++)
    sum->result += ((int *)memory)[i];
  return result;
}

TEST(buffers_and_a_host_task) {
  const syclze_nd_range range = {.global = {COUNT}};
  const int first = 5;
  syclze_buffer_desc desc = {.element_size = sizeof(int), .dimensions = 1, .range = {COUNT}};
  int data[COUNT] = {0};
  struct sum sum = {.result = 0};
  syclze_argument arguments[2];
  syclze_accessor accessor;
  syclze_buffer buffer;
  syclze_kernel kernel;
  syclze_event event;
  syclze_group *group;
  begin();
  kernel = kernel_of("iota");
  desc.host_data = data;
  TRY(syclze_buffer_create(context, &desc, &buffer));
  group = syclze_group_begin(queue);
  accessor = syclze_group_require_buffer(group, buffer, SYCLZE_ACCESS_WRITE);
  arguments[0] = syclze_argument_accessor(&accessor, sizeof accessor);
  arguments[1] = syclze_argument_value(&first, sizeof first);
  TRY(syclze_group_launch(group, kernel, &range, arguments, 2, NULL));
  syclze_group_end(group);
  group = syclze_group_begin(queue);
  sum.accessor = syclze_group_require_buffer(group, buffer, SYCLZE_ACCESS_READ);
  TRY(syclze_group_host_task(group, add_up, &sum, &event));
  syclze_group_end(group);
  TRY(syclze_event_wait(event));
  CHECK_EQ(sum.result, COUNT * first + COUNT * (COUNT - 1) / 2);
  TRY(syclze_event_release(event));
  TRY(syclze_buffer_release(buffer));
  CHECK_EQ(data[COUNT - 1], first + COUNT - 1);
  TRY(syclze_kernel_release(kernel));
  end();
}

TEST(a_graph) {
  const int zero = 0, nine = 9;
  syclze_graph graph;
  syclze_executable_graph executable;
  void *memory;
  int *data;
  begin();
  TRY(syclze_malloc_shared(COUNT * sizeof(int), device, context, &memory));
  data = (int *)memory;
  TRY(syclze_graph_create(context, device, &graph));
  TRY(syclze_graph_begin_recording(graph, queue));
  TRY(syclze_queue_fill(queue, data, &nine, sizeof nine, COUNT * sizeof(int), NULL, 0, NULL));
  TRY(syclze_graph_end_recording(graph, queue));
  CHECK_EQ(syclze_graph_get_node_count(graph), 1);
  TRY(syclze_graph_finalize(graph, 0, &executable));
  for (int i = 0; i < 2; i++) {
    TRY(syclze_queue_fill(queue, data, &zero, sizeof zero, COUNT * sizeof(int), NULL, 0, NULL));
    TRY(syclze_queue_wait(queue));
    CHECK_EQ(data[COUNT - 1], 0);
    TRY(syclze_queue_submit_graph(queue, executable, NULL));
    TRY(syclze_queue_wait(queue));
    CHECK(data[0] == 9 && data[COUNT - 1] == 9);
  }
  TRY(syclze_executable_graph_release(executable));
  TRY(syclze_graph_release(graph));
  TRY(syclze_free(memory, context));
  end();
}

TEST(an_image) {
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_FP32,
      .dimensions = 2,
      .range = {4, 2}};
  const float pixels[2][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  float back[2][4] = {{0}};
  syclze_image image;
  begin();
  TRY(syclze_image_create(context, device, &input, &image));
  TRY(syclze_image_write(image, NULL, pixels, 0, 0));
  TRY(syclze_image_read(image, NULL, back, 0, 0));
  CHECK(memcmp(pixels, back, sizeof back) == 0);
  CHECK_EQ(syclze_image_get_range(image, 0), 4);
  TRY(syclze_image_release(image));
  end();
}

TEST(errors_and_what_is_left_behind) {
  const syclze_diagnostic *last;
  syclze_buffer_desc desc = {0};
  syclze_context null = {0};
  syclze_buffer buffer;
  syclze_group *group;
  begin();
  CHECK_EQ(syclze_buffer_create(null, &desc, &buffer), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK(buffer.rep == NULL);
  last = syclze_last_diagnostic();
  CHECK(last != NULL);
  CHECK_STR_EQ(last->function, "syclze_buffer_create");
  CHECK_EQ(last->result, ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_STR_EQ(syclze_result_string((ze_result_t)SYCLZE_RESULT_ERROR_ND_RANGE),
      "SYCLZE_RESULT_ERROR_ND_RANGE");
  /* A group without a submission leaves nothing, and null is no group. */
  group = syclze_group_begin(queue);
  syclze_group_end(group);
  CHECK_EQ(syclze_group_host_task(NULL, add_up, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  void *memory = &group;
  CHECK_EQ(syclze_group_malloc_async(NULL, ZE_MEMORY_TYPE_DEVICE, 64, &memory, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(memory == NULL);
  syclze_group_end(NULL);
  end();
}

TEST_MAIN(adopt_a_native_queue_and_event, add_vectors, buffers_and_a_host_task, a_graph, an_image,
    errors_and_what_is_left_behind)
