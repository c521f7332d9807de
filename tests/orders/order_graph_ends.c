/* Releases of graphs whose destroy calls fail: each returns what failed first, and goes on. */
#include "support/scene.h"

static struct scene_base scene;

/* What the last references of a graph keep: launches of a transferred kernel with a buffer of
   transferred memory, one on either side of a host task, so that a run takes two lists. */
struct kept {
  syclze_graph graph;
  ze_kernel_handle_t kernel;
  uint64_t *memory;
  struct node *node;
};

static ze_result_t do_nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}

/* The driver lacks the functions whose bits are in `missing`. */
static struct kept record(uint32_t missing) {
  struct kept kept;
  const syclze_nd_range range = {.global = {1}, .local = {1}};
  strict_begin(1, STRICT_NEWEST);
  scene_begin(&scene);
  strict_set_missing(missing);
  kept.node = node_after(NULL);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, &kept.memory);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  kept.kernel = syclze_get_native(kernel);
  CHECK_EQ(syclze_graph_create(scene.context, scene.device, &kept.graph), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_begin_recording(kept.graph, queue), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor accessor = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    CHECK_EQ(
        syclze_launch(&group, kernel, &range, NULL, syclze_arg(kept.node), syclze_arg(accessor)),
        ZE_RESULT_SUCCESS);
    if (i != 0) break;
    group = syclze_group_begin(queue);
    CHECK_EQ(syclze_group_host_task(&group, do_nothing, NULL, NULL), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_graph_end_recording(kept.graph, queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue, kernel, buffer), ZE_RESULT_SUCCESS);
  return kept;
}

static syclze_executable_graph finalize(struct kept *kept, uint32_t flags) {
  syclze_executable_graph executable;
  CHECK_EQ(syclze_graph_finalize(kept->graph, flags, &executable), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_graph_release(kept->graph), ZE_RESULT_SUCCESS);
  return executable;
}

/* The calls that end what is kept, and what each leaves where it fails. */
static const struct ending {
  const char *call;
  enum strict_kind kind;
} endings[] = {{"zeCommandListDestroy", STRICT_LIST}, {"zeCommandQueueDestroy", STRICT_QUEUE},
    {"zeKernelDestroy", STRICT_KERNEL}, {"zeMemFree", STRICT_MEMORY}};

enum { LIST, QUEUE, KERNEL, MEMORY, ENDINGS };

/* Nothing of these kinds is alive but what the failing calls left. */
static void end(struct kept *kept, const unsigned left[ENDINGS]) {
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  for (int i = 0; i < ENDINGS; i++)
    CHECK_EQ(strict_alive(endings[i].kind), left[i]);
  if (left[KERNEL] != 0) CHECK_EQ(zeKernelDestroy(kept->kernel), ZE_RESULT_SUCCESS);
  if (left[MEMORY] != 0) CHECK_EQ(zeMemFree(scene.native, kept->memory), ZE_RESULT_SUCCESS);
  free(kept->node);
  scene_release(&scene);
  CHECK_EQ(strict_reports(), 0);
}

TEST(the_release_of_a_graph_returns_what_failed_and_goes_on) {
  for (int i = KERNEL; i < ENDINGS; i++) {
    unsigned left[ENDINGS] = {0};
    struct kept kept = record(0);
    left[i] = 1;
    strict_fail_named(endings[i].call, ZE_RESULT_ERROR_UNKNOWN);
    CHECK_EQ(syclze_graph_release(kept.graph), ZE_RESULT_ERROR_UNKNOWN);
    end(&kept, left);
  }
}

TEST(the_release_of_a_graph_returns_the_first_of_two_failures) {
  const unsigned left[ENDINGS] = {[KERNEL] = 1, [MEMORY] = 1};
  struct kept kept = record(0);
  strict_fail_named("zeMemFree", ZE_RESULT_ERROR_UNKNOWN);
  strict_fail(1, ZE_RESULT_ERROR_DEVICE_LOST, false);
  CHECK_EQ(syclze_graph_release(kept.graph), ZE_RESULT_ERROR_DEVICE_LOST);
  end(&kept, left);
}

/* All calls of a name fail, and as many handles are left. */
static void finalized_graph_ends(uint32_t missing, uint32_t flags) {
  for (int i = 0; i < ENDINGS; i++) {
    unsigned left[ENDINGS] = {0};
    struct kept kept = record(missing);
    syclze_executable_graph executable = finalize(&kept, flags);
    left[i] = strict_alive(endings[i].kind);
    strict_fail_named(endings[i].call, ZE_RESULT_ERROR_UNKNOWN);
    CHECK_EQ(syclze_executable_graph_release(executable),
        left[i] != 0 ? ZE_RESULT_ERROR_UNKNOWN : ZE_RESULT_SUCCESS);
    CHECK(left[i] != 0 || i == QUEUE);
    end(&kept, left);
  }
}

TEST(the_release_of_a_finalized_graph_returns_what_failed_and_goes_on) {
  finalized_graph_ends(0, 0);
  finalized_graph_ends(1u << STRICT_APPENDS_LISTS, 0);
}

TEST(the_release_of_an_updatable_graph_returns_what_failed_and_goes_on) {
  finalized_graph_ends(0, SYCLZE_GRAPH_UPDATABLE);
  finalized_graph_ends(1u << STRICT_APPENDS_LISTS, SYCLZE_GRAPH_UPDATABLE);
}

/* A list is destroyed first; what a call of that name would end later fails too, or nothing else.
 */
TEST(the_release_of_a_finalized_graph_returns_the_first_of_two_failures) {
  for (int i = QUEUE; i <= ENDINGS; i++) {
    unsigned left[ENDINGS] = {0};
    struct kept kept = record(1u << STRICT_APPENDS_LISTS);
    syclze_executable_graph executable = finalize(&kept, 0);
    if (i < ENDINGS) {
      left[i] = strict_alive(endings[i].kind);
      strict_fail_named(endings[i].call, ZE_RESULT_ERROR_UNKNOWN);
    }
    left[LIST] = 1;
    strict_fail(1, ZE_RESULT_ERROR_DEVICE_LOST, false);
    CHECK_EQ(syclze_executable_graph_release(executable), ZE_RESULT_ERROR_DEVICE_LOST);
    end(&kept, left);
  }
}

TEST_MAIN(the_release_of_a_graph_returns_what_failed_and_goes_on,
    the_release_of_a_graph_returns_the_first_of_two_failures,
    the_release_of_a_finalized_graph_returns_what_failed_and_goes_on,
    the_release_of_an_updatable_graph_returns_what_failed_and_goes_on,
    the_release_of_a_finalized_graph_returns_the_first_of_two_failures)
