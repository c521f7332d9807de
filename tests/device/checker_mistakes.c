/* Mistakes that the debug checker reports with their places, and correct programs that it lets
   pass. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_CHECK
#include "support/made.h"
#include "syclze/buffer_create.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"

#include "support/checked.h"

#include <pthread.h>

/* The one diagnostic of a function, with the lines of this file. */
static void check_noted(const char *function, const char *kind, int made, int released) {
  char detail[200];
  snprintf(detail, sizeof detail, "%s made at %s:%d, released at %s:%d", kind, __FILE__, made,
      __FILE__, released);
  CHECK_EQ(noted.count, 1);
  CHECK_STR_EQ(noted.function, function);
  CHECK_STR_EQ(noted.detail, detail);
  CHECK_EQ(noted.result, SYCLZE_RESULT_ERROR_INVALID);
  noted.count = 0;
}

/* An object made later does not take the memory of the released one, and is not destroyed. */
TEST(a_second_release_is_refused_with_the_places_of_make_and_release) { // shows promises 5
  begin();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event, other;
  const int made = __LINE__ + 1;
  CHECK_EQ(syclze_make_event(&input, context, &event), ZE_RESULT_SUCCESS);
  const int released = __LINE__ + 1;
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  input.native_handle = given_event(&g);
  CHECK_EQ(syclze_make_event(&input, context, &other), ZE_RESULT_SUCCESS);
  CHECK(other.rep != event.rep);
  CHECK_EQ(syclze_event_release(event), SYCLZE_RESULT_ERROR_INVALID);
  check_noted("syclze_event_release", "event", made, released);
  CHECK_EQ(syclze_event_retain(event), SYCLZE_RESULT_ERROR_INVALID);
  check_noted("syclze_event_retain", "event", made, released);
  CHECK(syclze_event_get_native(event) == NULL);
  check_noted("syclze_event_get_native", "event", made, released);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(other)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(other), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_second_release_of_a_graph_is_refused) { // shows graphs 17
  given_needs_execution();
  begin();
  syclze_graph graph;
  syclze_executable_graph executable, other;
  CHECK_EQ(syclze_graph_create(context, device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, 0, &other), ZE_RESULT_SUCCESS);
  CHECK(other.rep != executable.rep);
  CHECK_EQ(syclze_executable_graph_release(executable), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_STR_EQ(noted.function, "syclze_executable_graph_release");
  CHECK_EQ(syclze_executable_graph_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_STR_EQ(noted.function, "syclze_graph_release");
  CHECK_EQ(noted.count, 2);
  noted.count = 0;
  end();
}

static ze_result_t add_barrier(syclze_group *group, void *argument) {
  (void)argument;
  return syclze_group_barrier(group, NULL);
}

static void check_refused(ze_result_t result) {
  CHECK_EQ(result, SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted.count, 1);
  CHECK_EQ(noted.result, SYCLZE_RESULT_ERROR_INVALID);
  noted.count = 0;
}

TEST(a_released_graph_is_refused) { // shows graphs 17
  given_needs_execution();
  begin();
  const syclze_buffer_desc desc = {.element_size = 4, .range = {16}};
  const syclze_nd_range range = {.global = {1}};
  const syclze_argument argument = syclze_local(4);
  const syclze_graph_argument place = {0, 0};
  syclze_queue queue;
  syclze_graph graph, other;
  syclze_executable_graph executable;
  syclze_graph_node_type type;
  syclze_event event;
  syclze_buffer buffer;
  uint32_t node, count = 1;
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(context, device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(context, device, &other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_empty_node(graph, NULL, 0, &node), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_add_empty_node(graph, NULL, 0, &node), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(other, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  check_refused(noted.result);
  check_refused(syclze_graph_get_node(graph, event, &node));
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_group_record_graph(&group, graph, NULL), SYCLZE_RESULT_ERROR_INVALID);
  noted.count--; /* of the object, and of the group */
  check_refused(noted.result);
  check_refused(syclze_graph_get_node_type(graph, 0, &type));
  check_refused(syclze_graph_get_predecessors(graph, 0, &count, &node));
  check_refused(syclze_graph_get_successors(graph, 0, &count, &node));
  check_refused(syclze_graph_get_roots(graph, &count, &node));
  check_refused(syclze_graph_get_leaves(graph, &count, &node));
  check_refused(syclze_graph_add_empty_node(graph, NULL, 0, &node));
  check_refused(syclze_graph_add_node(graph, add_barrier, NULL, NULL, 0, &node));
  check_refused(syclze_graph_add_edge(graph, 0, 1));
  check_refused(syclze_graph_print(graph, "/dev/null"));
  check_refused(syclze_executable_graph_update_node(executable, 0, graph, 0));
  check_refused(syclze_executable_graph_update(executable, graph));
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  check_refused(syclze_executable_graph_update_buffer(executable, 0, 0, buffer));
  CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_SUCCESS);
  check_refused(syclze_executable_graph_update_argument(executable, 0, 0, &argument));
  check_refused(syclze_executable_graph_update_parameter(executable, &place, 1, &argument));
  check_refused(syclze_executable_graph_update_range(executable, 0, &range));
  check_refused(syclze_executable_graph_update(executable, other));
  CHECK_EQ(syclze_graph_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  end();
}

TEST(a_second_release_of_a_host_accessor_is_refused) { // shows host_data 12
  given_needs_execution();
  begin();
  uint32_t data[16];
  const syclze_buffer_desc desc = {.host_data = data, .element_size = 4, .range = {16}};
  syclze_buffer buffer;
  syclze_host_accessor accessor, other;
  CHECK_EQ(syclze_buffer_create(context, &desc, &buffer), ZE_RESULT_SUCCESS);
  const int made = __LINE__ + 1;
  CHECK_EQ(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &accessor), ZE_RESULT_SUCCESS);
  const int released = __LINE__ + 1;
  CHECK_EQ(syclze_host_accessor_release(accessor), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ, &other), ZE_RESULT_SUCCESS);
  CHECK(other.rep != accessor.rep);
  CHECK_EQ(syclze_host_accessor_release(accessor), SYCLZE_RESULT_ERROR_INVALID);
  check_noted("syclze_host_accessor_release", "host accessor", made, released);
  CHECK(syclze_host_accessor_get_pointer(accessor) == NULL);
  check_noted("syclze_host_accessor_get_pointer", "host accessor", made, released);
  CHECK_EQ(syclze_host_accessor_release(other), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end();
}

static syclze_queue queue_made(void) {
  const syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(context, device, &properties, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

TEST(a_group_with_a_released_object_is_refused) { // shows promises 5
  begin();
  syclze_queue queue = queue_made();
  syclze_event_input input = {given_event(&g), SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event;
  CHECK_EQ(syclze_make_event(&input, context, &event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, event);
  CHECK_STR_EQ(noted.function, "syclze_group_depends_on");
  CHECK_EQ(syclze_group_barrier(&group, NULL), SYCLZE_RESULT_ERROR_INVALID);

  void *memory;
  CHECK_EQ(syclze_malloc_host(64, context, &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input buffer_input = {.native_handle = memory,
      .ownership = SYCLZE_OWNERSHIP_KEEP,
      .element_size = 4,
      .dimensions = 1,
      .range = {16}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&buffer_input, context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  syclze_group_require_buffer(&group, buffer, SYCLZE_ACCESS_READ);
  CHECK_STR_EQ(noted.function, "syclze_group_require_buffer");
  CHECK_EQ(syclze_group_barrier(&group, NULL), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);

  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  noted.count = 0;
  group = syclze_group_begin(queue);
  CHECK_STR_EQ(noted.function, "syclze_group_begin");
  CHECK_EQ(syclze_group_barrier(&group, NULL), SYCLZE_RESULT_ERROR_INVALID);
  end();
}

TEST(a_launch_with_the_wrong_number_of_arguments_is_refused) { // shows promises 29
  given_needs_execution();
  begin();
  static const syclze_nd_range range = {.global = {16}, .local = {16}};
  const size_t size = 16 * sizeof(float);
  void *x, *y;
  const float a = 2;
  given_kernel(&g, "tests/kernels/basic.spv", "axpy");
  syclze_kernel_bundle bundle = made_kernel_bundle(context, g.module, SYCLZE_OWNERSHIP_KEEP);
  syclze_kernel kernel = made_kernel(bundle, g.kernel, context, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue queue = queue_made();
  CHECK_EQ(syclze_malloc_shared(size, device, context, &x), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(size, device, context, &y), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(a), syclze_arg(x)),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  CHECK_STR_EQ(noted.function, "syclze_group_launch");
  CHECK_STR_EQ(noted.detail, "axpy: 2 arguments are given, and the kernel has 3");
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL, syclze_arg(a), syclze_arg(x), syclze_arg(y),
               syclze_arg(a)),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  CHECK_EQ(noted.count, 2);
  group = syclze_group_begin(queue);
  CHECK_EQ(
      syclze_launch(&group, kernel, &range, NULL, syclze_arg(a), syclze_arg(x), syclze_arg(y)), 0);
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(queue);
  CHECK_EQ(syclze_launch(&group, kernel, &range, NULL), SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);
  CHECK_EQ(noted.count, 3);
  CHECK_EQ(syclze_free(x, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(y, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(bundle), ZE_RESULT_SUCCESS);
  end();
}

/* Handles whose addresses come back as soon as they are destroyed. */
static void *make_and_release(void *argument) {
  (void)argument;
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_pool_handle_t pool;
  CHECK_EQ(zeEventPoolCreate(g.context, &pool_desc, 0, NULL, &pool), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2000; i++) {
    syclze_event_input input = {NULL, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_event event;
    CHECK_EQ(zeEventCreate(pool, &desc, &input.native_handle), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_make_event(&input, context, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(handles_whose_addresses_come_back_are_no_mistake) { // shows promises 16
  enum { THREADS = 4 };
  begin();
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i], NULL, make_and_release, NULL), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i], NULL), 0);
  CHECK_EQ(noted.count, 0);
  end();
}

TEST(the_native_event_of_a_recorded_group_is_reported) { // shows graphs 17
  given_needs_execution();
  begin();
  syclze_graph graph;
  syclze_queue queue;
  syclze_event event;
  CHECK_EQ(syclze_queue_create(context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_create(context, device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_submit_barrier(queue, &event), ZE_RESULT_SUCCESS);
  CHECK(syclze_event_get_native(event) == NULL);
  CHECK_STR_EQ(noted.function, "syclze_event_get_native");
  CHECK_EQ(noted.result, SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(noted.count, 1);
  noted.count = 0;
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  end();
}

TEST_MAIN(a_second_release_is_refused_with_the_places_of_make_and_release,
    a_second_release_of_a_graph_is_refused, a_released_graph_is_refused,
    a_second_release_of_a_host_accessor_is_refused, a_group_with_a_released_object_is_refused,
    a_launch_with_the_wrong_number_of_arguments_is_refused,
    the_native_event_of_a_recorded_group_is_reported,
    handles_whose_addresses_come_back_are_no_mistake)
