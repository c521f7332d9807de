/* Cooperative launches (syclze/command/launch_cooperative.h): groups that wait for each other, on
   queues of every kind, and queue groups without them. */
#include "support/made.h"
#include "support/refused.h"

#include "syclze/command/event_sync.h"
#include "syclze/command/graph.h"
#include "syclze/command/launch_cooperative.h"
#include "syclze/device_query.h"

enum { QUEUES = 3, ITEMS = 8, NUMBER = 20 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[QUEUES];
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_event gate;
  uint32_t groups; /* as many as run at once */
  uint64_t *row;
};

static struct world begin(void) {
  static const uint32_t kinds[QUEUES] = {
      SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST};
  const uint32_t local[3] = {ITEMS, 1, 1};
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  made_queues(w.context, w.device, kinds, w.queues, QUEUES);
  given_kernel(&w.g, "tests/kernels/cooperative.spv", "pascal");
  w.bundle = made_kernel_bundle(w.context, w.g.module, SYCLZE_OWNERSHIP_KEEP);
  w.kernel = made_kernel(w.bundle, w.g.kernel, w.context, SYCLZE_OWNERSHIP_KEEP);
  w.gate = made_event(w.context, given_event(&w.g), SYCLZE_OWNERSHIP_TRANSFER);
  CHECK_EQ(syclze_kernel_get_max_group_count(w.kernel, local, &w.groups), ZE_RESULT_SUCCESS);
  if (w.groups > 16) w.groups = 16;
  CHECK(w.groups > 0);
  CHECK_EQ(syclze_malloc_shared(w.groups * ITEMS * sizeof *w.row, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  w.row = memory;
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < QUEUES; i++)
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->bundle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(w->row, w->context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* A row of Pascal's triangle, as long as the groups together have items for it. */
static int last_number(const struct world *w) {
  const int items = (int)w->groups * ITEMS;
  return NUMBER < items - 1 ? NUMBER : items - 1;
}

static void check_row(const struct world *w) {
  const int last = last_number(w);
  uint64_t value = 1;
  for (int i = 0; i <= last; i++) {
    CHECK_EQ(w->row[i], value);
    value = value * (uint64_t)(last - i) / (uint64_t)(i + 1);
  }
}

TEST(groups_wait_for_each_other) { // shows queues 25
  given_needs_execution();
  struct world w = begin();
  const syclze_nd_range range = {.global = {w.groups * ITEMS}, .local = {ITEMS}};
  const syclze_argument arguments[] = {syclze_arg(w.row), syclze_arg(last_number(&w))};
  for (int i = 0; i < QUEUES; i++) {
    syclze_event done;
    memset(w.row, 0, w.groups * ITEMS * sizeof *w.row);
    CHECK_EQ(syclze_queue_launch_cooperative(
                 w.queues[i], w.kernel, &range, arguments, 2, &w.gate, 1, &done),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait_for(done, 0), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    check_row(&w);
    memset(w.row, 0, w.groups * ITEMS * sizeof *w.row);
    CHECK_EQ(
        syclze_queue_launch_cooperative(w.queues[i], w.kernel, &range, arguments, 2, NULL, 0, NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    check_row(&w);
    CHECK_EQ(syclze_event_reset(w.gate), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  }
  end(&w);
}

static ze_result_t clear(syclze_interop_handle handle, void *argument) {
  const struct world *w = argument;
  (void)handle;
  memset(w->row, 0, w->groups * ITEMS * sizeof *w->row);
  return syclze_event_wait(w->gate);
}

TEST(a_launch_of_an_accessor_follows_a_host_task) { // shows queues 25
  given_needs_execution();
  struct world w = begin();
  const syclze_nd_range range = {.global = {w.groups * ITEMS}, .local = {ITEMS}};
  const syclze_buffer_input input = {.native_handle = w.row, .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_buffer buffer;
  syclze_event done;
  CHECK_EQ(syclze_make_native(&input, w.context, &buffer), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queues[1]);
  syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  CHECK_EQ(syclze_group_host_task(&group, clear, &w, NULL), ZE_RESULT_SUCCESS);
  group = syclze_group_begin(w.queues[0]);
  const syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  const syclze_argument arguments[] = {syclze_arg(all), syclze_arg(last_number(&w))};
  CHECK_EQ(syclze_group_launch_cooperative(&group, w.kernel, &range, arguments, 2, &done),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_signal(w.gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
  check_row(&w);
  CHECK_EQ(syclze_release(done), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST(a_queue_group_without_cooperative_kernels_is_refused) { // shows queues 25
  struct world w = begin();
  const syclze_nd_range range = {.global = {ITEMS}, .local = {ITEMS}};
  const syclze_argument arguments[] = {syclze_arg(w.row), syclze_arg(1)};
  syclze_queue_group groups[16];
  uint32_t count = 16, tried = 0;
  CHECK_EQ(syclze_device_get_queue_groups(w.device, &count, groups), ZE_RESULT_SUCCESS);
  for (uint32_t i = 0; i < count; i++) {
    const syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_ORDINAL, .ordinal = i};
    syclze_queue queue;
    syclze_event done;
    if (groups[i].launches_cooperatively) continue;
    CHECK_EQ(syclze_queue_create(w.context, w.device, &properties, &queue), ZE_RESULT_SUCCESS);
    REFUSED(done,
        syclze_queue_launch_cooperative(queue, w.kernel, &range, arguments, 2, NULL, 0, &done),
        SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_queue_launch_cooperative",
        "launches no cooperative kernels", syclze_get_native(queue).list);
    CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
    tried++;
  }
  end(&w);
  if (tried == 0) SKIP("each queue group launches cooperatively");
}

TEST(wrong_cooperative_launches_are_refused) { // shows queues 25
  struct world w = begin();
  const syclze_nd_range range = {.global = {ITEMS}, .local = {ITEMS}},
                        odd = {.global = {ITEMS + 1}, .local = {ITEMS}};
  const syclze_argument arguments[] = {syclze_arg(w.row), syclze_arg(1)};
  ze_command_list_handle_t list = syclze_get_native(w.queues[0]).list;
  const char *const function = "syclze_queue_launch_cooperative";
  const syclze_kernel none = {0};
  syclze_event done, recorded;
  syclze_graph graph;
  REFUSED(done,
      syclze_queue_launch_cooperative(w.queues[0], none, &range, arguments, 2, NULL, 0, &done),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the kernel is null", list);
  REFUSED(done,
      syclze_queue_launch_cooperative(w.queues[0], w.kernel, &odd, arguments, 2, NULL, 0, &done),
      SYCLZE_RESULT_ERROR_ND_RANGE, function, "must be a multiple of the local range", list);
  REFUSED(done,
      syclze_queue_launch_cooperative(w.queues[0], w.kernel, &range, arguments, 1, NULL, 0, &done),
      SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT, function, "number of arguments", list);
  CHECK_EQ(syclze_graph_create(w.context, w.device, &graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  syclze_group group = syclze_group_begin(w.queues[0]);
  REFUSED(done, syclze_group_launch_cooperative(&group, w.kernel, &range, arguments, 2, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_launch_cooperative", "are not recorded", list);
  /* Nor does another queue begin to record. */
  CHECK_EQ(syclze_queue_submit_barrier(w.queues[0], &recorded), ZE_RESULT_SUCCESS);
  list = syclze_get_native(w.queues[1]).list;
  REFUSED(done,
      syclze_queue_launch_cooperative(
          w.queues[1], w.kernel, &range, arguments, 2, &recorded, 1, &done),
      SYCLZE_RESULT_ERROR_INVALID, function, "are not recorded", list);
  group = syclze_group_begin(w.queues[1]);
  syclze_group_depends_on(&group, recorded);
  REFUSED(done, syclze_group_launch_cooperative(&group, w.kernel, &range, arguments, 2, &done),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_group_launch_cooperative", "are not recorded", list);
  CHECK(!syclze_queue_is_recording(w.queues[1]));
  CHECK_EQ(syclze_release(recorded), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_end_recording(graph, w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(graph), ZE_RESULT_SUCCESS);
  end(&w);
}

TEST_MAIN(groups_wait_for_each_other, a_launch_of_an_accessor_follows_a_host_task,
    a_queue_group_without_cooperative_kernels_is_refused, wrong_cooperative_launches_are_refused)
