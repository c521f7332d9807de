/* Variables of a module by name (syclze/device_global.h). */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

#include "syclze/command/graph.h"
#include "syclze/device_global.h"

struct setting {
  struct given g;
  syclze_context context;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_queue queue;
};

/* One of the variables is of doubles. */
static struct setting begin(void) {
  struct setting s = {.g = given()};
  ze_device_module_properties_t has = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  CHECK_EQ(zeDeviceGetModuleProperties(s.g.device, &has), ZE_RESULT_SUCCESS);
  if (!(has.flags & ZE_DEVICE_MODULE_FLAG_FP64)) SKIP("the device has no fp64");
  s.context = made_context(&s.g, SYCLZE_OWNERSHIP_KEEP);
  given_kernel(&s.g, "tests/kernels/globals.spv", "add_to_counter");
  s.bundle = made_kernel_bundle(s.context, s.g.module, SYCLZE_OWNERSHIP_KEEP);
  s.kernel = made_kernel(s.bundle, s.g.kernel, s.context, SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_queue_create(s.context, made_device(&s.g), NULL, &s.queue), ZE_RESULT_SUCCESS);
  return s;
}

static void end(struct setting *s) {
  CHECK_EQ(syclze_queue_release(s->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_release(s->kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_kernel_bundle_release(s->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(s->context), ZE_RESULT_SUCCESS);
  given_end(&s->g);
}

static int counter(const struct setting *s) {
  int value = -1;
  syclze_group group = syclze_group_begin(s->queue);
  CHECK_EQ(
      syclze_device_global_copy_from(s->bundle, &group, "counter", &value, sizeof value, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(s->queue), ZE_RESULT_SUCCESS);
  return value;
}

TEST(copies_and_kernels_share_a_variable) { // shows memory 6
  struct setting s = begin();
  given_needs_execution();
  const int start = 100, five = 5;
  CHECK_EQ(counter(&s), 7);
  syclze_group group = syclze_group_begin(s.queue);
  CHECK_EQ(syclze_device_global_copy_to(s.bundle, &group, "counter", &start, sizeof start, 0, NULL),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(s.queue), ZE_RESULT_SUCCESS);
  const syclze_nd_range one = {.global = {1}};
  group = syclze_group_begin(s.queue);
  CHECK_EQ(syclze_launch(&group, s.kernel, &one, NULL, syclze_arg(five)), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(s.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(counter(&s), 105);
  end(&s);
}

TEST(a_part_of_a_variable_is_copied) { // shows memory 6
  struct setting s = begin();
  given_needs_execution();
  int pair[2] = {0, 0};
  syclze_event done;
  syclze_group group = syclze_group_begin(s.queue);
  CHECK_EQ(syclze_device_global_copy_from(
               s.bundle, &group, "table", pair, sizeof pair, 2 * sizeof(int), &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  CHECK(pair[0] == 3 && pair[1] == 4);
  CHECK_EQ(syclze_event_release(done), ZE_RESULT_SUCCESS);
  end(&s);
}

/* Needs no execution. */
TEST(a_variable_has_a_pointer_and_a_size) { // shows memory 6
  struct setting s = begin();
  void *pointer = NULL;
  size_t size = 0;
  CHECK_EQ(syclze_device_global_find(s.bundle, "table", &pointer, &size), ZE_RESULT_SUCCESS);
  CHECK(pointer != NULL);
  CHECK_EQ(size, 4 * sizeof(int));
  CHECK_EQ(syclze_device_global_find(s.bundle, "table", &pointer, NULL), ZE_RESULT_SUCCESS);
  end(&s);
}

TEST(what_is_no_variable_or_too_large_is_refused) { // shows memory 7
  struct setting s = begin();
  const syclze_kernel_bundle none = {0};
  const char *finds = "syclze_device_global_find", *copies = "syclze_device_global_copy_to";
  int value = 0;
  void *pointer;
  /* Drivers have codes of their own. */
  const ze_result_t unknown = zeModuleGetGlobalPointer(s.g.module, "no_such", NULL, &pointer);
  if (given_is_zecl(s.g.driver)) CHECK_EQ(unknown, ZE_RESULT_ERROR_INVALID_GLOBAL_NAME);
  REFUSED(pointer, syclze_device_global_find(s.bundle, "no_such", &pointer, NULL), unknown, finds,
      "does not find", s.g.module);
  REFUSED(pointer, syclze_device_global_find(none, "table", &pointer, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, finds, "bundle is null", NULL);
  REFUSED(pointer, syclze_device_global_find(s.bundle, NULL, &pointer, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, finds, "name is null", s.g.module);
  FAILED(syclze_device_global_find(s.bundle, "table", NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, finds, "pointer is null", NULL);
  syclze_group group = syclze_group_begin(s.queue);
  FAILED(syclze_device_global_copy_to(s.bundle, &group, "counter", &value, 4, 1, NULL),
      ZE_RESULT_ERROR_INVALID_SIZE, copies, "does not lie in the variable", s.g.module);
  group = syclze_group_begin(s.queue);
  FAILED(syclze_device_global_copy_to(s.bundle, &group, "counter", &value, SIZE_MAX, 1, NULL),
      ZE_RESULT_ERROR_INVALID_SIZE, copies, "does not lie in the variable", s.g.module);
  group = syclze_group_begin(s.queue);
  FAILED(syclze_device_global_copy_to(s.bundle, &group, "counter", NULL, 4, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, copies, "memory's pointer is null", s.g.module);
  FAILED(syclze_device_global_copy_to(s.bundle, NULL, "counter", &value, 4, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, copies, "group's", s.g.module);
  end(&s);
}

TEST(a_copy_of_a_variable_is_not_recorded) { // shows graphs 16, graph_peers 29
  struct setting s = begin();
  const void *native = syclze_get_native(s.queue).list;
  int value = 0;
  syclze_graph graph;
  syclze_event event;
  CHECK_EQ(
      syclze_graph_create(s.context, syclze_queue_get_device(s.queue), &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, s.queue), ZE_RESULT_SUCCESS);
  for (int to = 0; to < 2; to++) {
    syclze_group group = syclze_group_begin(s.queue);
    REFUSED(event,
        to ? syclze_device_global_copy_to(s.bundle, &group, "counter", &value, 4, 0, &event)
           : syclze_device_global_copy_from(s.bundle, &group, "counter", &value, 4, 0, &event),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_group_copy", "device global", native);
  }
  CHECK_EQ(syclze_graph_get_node_count(graph), 0);
  CHECK_EQ(syclze_graph_release(graph), ZE_RESULT_SUCCESS);
  end(&s);
}

TEST_MAIN(copies_and_kernels_share_a_variable, a_part_of_a_variable_is_copied,
    a_variable_has_a_pointer_and_a_size, what_is_no_variable_or_too_large_is_refused,
    a_copy_of_a_variable_is_not_recorded)
