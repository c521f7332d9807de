/* Calls that command groups, launches and interop handles refuse, and the codes. */
#include "support/made.h"
#include "support/refused.h"
#include "syclze/command/graph.h"
#include "syclze/queue_commands.h"

static struct given g;
static syclze_device device;
static syclze_context context;
static syclze_queue queue;
static syclze_buffer buffer;

enum { BYTES = 256 };

static void begin(void) {
  g = given();
  device = made_device(&g);
  context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  void *memory;
  CHECK_EQ(syclze_malloc_shared(BYTES, device, context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 1, 1, {BYTES, 0, 0}};
  CHECK_EQ(syclze_make_buffer(&input, context, &buffer), ZE_RESULT_SUCCESS);
}

static void end(void) {
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

struct asked {
  syclze_accessor accessor, foreign;
};

static ze_result_t ask(syclze_interop_handle handle, void *argument) {
  const struct asked *asked = (const struct asked *)argument;
  const syclze_backend here = SYCLZE_BACKEND_EXT_ONEAPI_LEVEL_ZERO;
  syclze_backend_return native;
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_QUEUE, NULL, &native),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(native.kind, SYCLZE_OBJECT_QUEUE);
  CHECK_EQ(native.queue.list, syclze_queue_get_native(queue).list);
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_DEVICE, NULL, &native),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(native.device, g.device);
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_CONTEXT, NULL, &native),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(native.context, g.context);
  CHECK_EQ(syclze_interop_handle_get_native(
               handle, here, SYCLZE_OBJECT_BUFFER, &asked->accessor, &native),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(native.buffer, asked->accessor.native);
  CHECK_EQ(syclze_interop_handle_get_native(
               handle, here, SYCLZE_OBJECT_IMAGE, &asked->accessor, &native),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_interop_handle_get_native(
               handle, here, SYCLZE_OBJECT_BUFFER, &asked->foreign, &native),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(native.buffer, NULL);
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_BUFFER, NULL, &native),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_IMAGE, NULL, &native),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_EVENT, NULL, &native),
      ZE_RESULT_ERROR_INVALID_ENUMERATION);
  CHECK_EQ(syclze_interop_handle_get_native(
               handle, (syclze_backend)99, SYCLZE_OBJECT_QUEUE, NULL, &native),
      SYCLZE_RESULT_ERROR_BACKEND_MISMATCH);
  CHECK_EQ(syclze_interop_handle_get_native(handle, here, SYCLZE_OBJECT_QUEUE, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      syclze_interop_handle_get_native_device(handle, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      syclze_interop_handle_get_native_context(handle, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      syclze_interop_handle_get_native_queue(handle, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  uint32_t count = 7;
  CHECK_EQ(syclze_interop_handle_get_wait_list(handle, &count, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(count, 0);
  CHECK_EQ(syclze_interop_handle_add_event(handle, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  return ZE_RESULT_ERROR_NOT_AVAILABLE;
}

TEST(interop_handles_refuse_what_their_group_lacks) { // shows interop 11 12 21
  given_needs_execution();
  begin();
  struct asked asked;
  syclze_group other = syclze_group_begin(queue), group = syclze_group_begin(queue);
  asked.foreign = syclze_group_require_range(&other, buffer, SYCLZE_ACCESS_READ, 1, 2);
  asked.accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_host_task(&group, ask, &asked, NULL), ZE_RESULT_SUCCESS);
  /* Result of the task. */
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_ERROR_NOT_AVAILABLE);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  end();
}

TEST(refused_launches_submit_nothing) {
  begin();
  syclze_kernel_bundle bundle = made_kernel_bundle(
      context, given_module(&g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel set, none = {NULL};
  CHECK_EQ(syclze_kernel_create(bundle, "graph_set", &set), ZE_RESULT_SUCCESS);
  static const struct {
    syclze_nd_range range;
    const char *rule;
  } cases[] = {
      {{{64}, {0}, {0}, 4}, "one to three dimensions"},
      {{{0}, {64}, {0}, 0}, "of the global range must not be empty"},
      {{{64, 0, 0}, {64, 1, 1}, {0}, 2}, "of the global range must not be empty"},
      {{{64, 64}, {64, 0}, {0}, 2}, "of the local range must not be empty"},
      {{{32}, {64}, {0}, 0}, "no smaller than the local range"},
      {{{65}, {64}, {0}, 0}, "must be a multiple of the local range"},
      {{{(size_t)1 << 40}, {64}, {0}, 0}, "must be below 2^32"},
  };
  syclze_event event;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_group group = syclze_group_begin(queue);
    REFUSED(event, syclze_group_launch(&group, set, &cases[i].range, NULL, 0, &event),
        SYCLZE_RESULT_ERROR_ND_RANGE, "syclze_group_launch", cases[i].rule,
        syclze_queue_get_native(queue).list);
    CHECK_STR_EQ(refused_detail(), "graph_set");
  }
  const syclze_nd_range fine = {.global = {64}, .local = {64}};
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_launch(&group, none, &fine, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_launch(&group, set, NULL, NULL, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  /* An accessor of another group, and an argument that the kernel lacks. */
  syclze_group other = syclze_group_begin(queue);
  syclze_accessor foreign = syclze_require(&other, buffer, SYCLZE_ACCESS_WRITE);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(
               &group, set, &fine, &event, syclze_arg(foreign), syclze_arg(1u), syclze_arg(1u)),
      SYCLZE_RESULT_ERROR_ACCESSOR);
  group = syclze_group_begin(queue);
  CHECK(syclze_launch(&group, set, &fine, &event, syclze_arg(1u), syclze_arg(1u), syclze_arg(1u),
            syclze_arg(1u)) != ZE_RESULT_SUCCESS);
  CHECK_EQ(event.rep, NULL);
  CHECK_EQ(syclze_kernel_release(set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  end();
}

/* Submits the kernel in each way. */
static void launch_refused(syclze_queue to, syclze_kernel kernel) {
  static const syclze_nd_range range = {.global = {64}, .local = {64}};
  static const char rule[] = "the kernel is of another context than the queue";
  const void *list = syclze_queue_get_native(to).list;
  void *const out = NULL;
  const uint32_t one = 1;
  const syclze_argument arguments[] = {syclze_arg(out), syclze_arg(one), syclze_arg(one)};
  syclze_event event, barrier;
  CHECK_EQ(syclze_queue_submit_barrier(to, &barrier), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(to);
  FAILED(syclze_group_launch(&group, kernel, &range, arguments, 3, NULL),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_launch", rule, list);
  group = syclze_group_begin(to);
  (void)syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  REFUSED(event, syclze_group_launch(&group, kernel, &range, arguments, 3, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_launch", rule, list);
  FAILED(syclze_queue_launch_arguments(to, kernel, &range, arguments, 3, NULL, 0, NULL),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_launch", rule, list);
  REFUSED(event,
      syclze_queue_launch_arguments(to, kernel, &range, arguments, 3, &barrier, 1, &event),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_queue_launch", rule, list);
  CHECK_EQ(syclze_event_release(barrier), ZE_RESULT_SUCCESS);
}

/* Before and after a launch where the kernel belongs; a graph has only the barriers. */
TEST(a_kernel_of_another_context_is_refused) { // shows promises 78
  static const syclze_nd_range range = {.global = {64}, .local = {64}};
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  begin();
  struct given other = g;
  other.context = given_context(&g);
  const syclze_context_input input = {other.context, &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_queue ordered, own;
  syclze_context elsewhere;
  syclze_kernel kernel;
  syclze_graph graph;
  void *memory;
  CHECK_EQ(syclze_make_context(&input, &elsewhere), ZE_RESULT_SUCCESS);
  syclze_kernel_bundle bundle = made_kernel_bundle(
      elsewhere, given_module(&other, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_create(bundle, "graph_set", &kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(context, device, &in_order, &ordered), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(elsewhere, device, &in_order, &own), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(BYTES, device, elsewhere, &memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(context, device, &graph), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < 4; i++) {
    syclze_queue to = i & 1 ? ordered : queue;
    const uint32_t one = 1;
    launch_refused(to, kernel);
    CHECK_EQ(syclze_graph_begin_recording(graph, to), ZE_RESULT_SUCCESS);
    launch_refused(to, kernel);
    CHECK_EQ(syclze_graph_end_recording(graph, to), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_graph_get_node_count(graph), i + 1);
    CHECK_EQ(syclze_queue_launch(own, kernel, &range, NULL, 0, NULL, syclze_arg(memory),
                 syclze_arg(one), syclze_arg(one)),
        ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_queue_wait(own), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, elsewhere), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(own), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(ordered), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(elsewhere), ZE_RESULT_SUCCESS);
  end();
}

/* A range without a group size uses the size that the driver suggests. */
TEST(a_group_size_is_optional) {
  given_needs_execution();
  begin();
  syclze_kernel_bundle bundle = made_kernel_bundle(
      context, given_module(&g, "tests/kernels/graph.spv"), SYCLZE_OWNERSHIP_TRANSFER);
  syclze_kernel set;
  CHECK_EQ(syclze_kernel_create(bundle, "graph_set", &set), ZE_RESULT_SUCCESS);
  static const syclze_nd_range ranges[] = {{.global = {64}}, {.global = {16, 4}}};
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
    CHECK_EQ(syclze_launch(
                 &group, set, &ranges[i], NULL, syclze_arg(all), syclze_arg(2u), syclze_arg(1u)),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(((const uint32_t *)all.native)[15], 31);
  }
  CHECK_EQ(syclze_kernel_release(set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(bundle), ZE_RESULT_SUCCESS);
  end();
}

TEST(null_is_refused) {
  begin();
  syclze_queue no_queue = {NULL};
  syclze_event no_event = {NULL}, event;
  syclze_image no_image = {NULL};
  syclze_buffer no_buffer = {NULL};
  uint64_t start, stop;
  CHECK_EQ(syclze_queue_wait(no_queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_queue_flush(no_queue), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_event_get_profiling(no_event, device, NULL, &stop),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_event_get_profiling(no_event, device, &start, &stop),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_event_get_profiling_submit(no_event, device, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_event_get_profiling_submit(no_event, device, &start),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CHECK_EQ(syclze_event_wait(no_event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_create(context, 0, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_get_profiling(event, device, &start, &stop), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  size_t one = 1;
  syclze_group group = syclze_group_begin(queue);
  syclze_require(&group, no_image, SYCLZE_ACCESS_READ);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  group = syclze_group_begin(queue);
  syclze_group_require_range_nd(&group, buffer, SYCLZE_ACCESS_READ, NULL, &one);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  group = syclze_group_begin(queue);
  syclze_group_require_range_nd(&group, no_buffer, SYCLZE_ACCESS_READ, &one, &one);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  group = syclze_group_begin(queue);
  syclze_require(&group, buffer, (syclze_access_mode)99);
  CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_host_task(&group, NULL, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_group_native_command(&group, NULL, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  end();
}

static ze_result_t nothing_done(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

enum { ACTIONS = 4 };

/* One of the actions, of a group that has ended or not. */
static ze_result_t act(syclze_group *group, int action, void *memory, syclze_event *event) {
  const unsigned char pattern = 7;
  switch (action) {
  case 0:
    return syclze_group_fill(group, syclze_mem_arg(memory), &pattern, 1, BYTES, event);
  case 1:
    return syclze_group_barrier(group, event);
  case 2:
    return syclze_group_host_task(group, nothing_done, NULL, event);
  default:
    return syclze_group_native_command(group, nothing_done, NULL, event);
  }
}

TEST(a_group_has_one_action) { // shows promises 18
  given_needs_execution();
  begin();
  void *memory;
  CHECK_EQ(syclze_malloc_shared(BYTES, device, context, &memory), ZE_RESULT_SUCCESS);
  syclze_queue queues[2] = {queue};
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  CHECK_EQ(syclze_queue_create(context, device, &in_order, &queues[1]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 4 * ACTIONS * ACTIONS; i++) {
    const int first = i % ACTIONS, second = i / ACTIONS % ACTIONS, way = i / ACTIONS / ACTIONS;
    const int q = way % 2;
    syclze_event events[2];
    syclze_event *const event = way / 2 == 0 ? NULL : &events[0];
    syclze_group group = syclze_group_begin(queues[q]);
    CHECK_EQ(act(&group, first, memory, event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(queues[q]), ZE_RESULT_SUCCESS);
    memset(memory, 1, BYTES);
    syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(act(&group, second, memory, &events[1]), SYCLZE_RESULT_ERROR_INVALID);
    CHECK_EQ(events[1].rep, NULL);
    CHECK_EQ(syclze_queue_wait(queues[q]), ZE_RESULT_SUCCESS);
    CHECK_EQ(*(const unsigned char *)memory, 1);
    if (event != NULL) CHECK_EQ(syclze_event_release(*event), ZE_RESULT_SUCCESS);
  }
  syclze_group ended = syclze_group_begin(queue);
  syclze_group_end(&ended);
  CHECK_EQ(act(&ended, 1, NULL, NULL), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_queue_release(queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(interop_handles_refuse_what_their_group_lacks, refused_launches_submit_nothing,
    a_kernel_of_another_context_is_refused, a_group_size_is_optional, null_is_refused,
    a_group_has_one_action)
