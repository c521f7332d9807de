/* Each call, allocation, thread and lock fails in turn while events of the application are
   signalled and awaited, boxes are copied, kernels launched together and images filled, graphs are
   built by their nodes and submitted behind events, and a program is set up by a call each. */
#include "support/scene.h"
#include "support/sweep.h"

#include "syclze/command/copy_3d.h"
#include "syclze/command/event_sync.h"
#include "syclze/command/graph_nodes.h"
#include "syclze/command/image_fill.h"
#include "syclze/command/launch_cooperative.h"
#include "syclze/queue_commands.h"
#include "syclze/setup.h"
#include "tests/soon.h"

#include <unistd.h>

enum { COUNT = 16, BYTES = COUNT * sizeof(uint64_t), KERNELS = 3, REFERENCES = 20 };

static const uint64_t pattern = 0x0102030405060708, minute = 60000000000;
static struct scene_base scene;
static syclze_queue queue;
static uint64_t *rows; /* two of COUNT */

static void begin(void) {
  void *memory;
  scene_begin(&scene);
  sweep_expect_reports();
  queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(
      syclze_malloc_shared(2 * BYTES, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, 2 * BYTES);
  rows = (uint64_t *)memory;
}

/* Waits for the queue, whose wait may return the error of work before it. */
static void finish(void) {
  ze_result_t result = syclze_queue_wait(queue);
  sweep_disarm();
  for (int tries = 0; result != ZE_RESULT_SUCCESS && tries < 4; tries++)
    result = syclze_queue_wait(queue);
}

/* `kept` handles beside the context and the memory. */
static void end(unsigned kept) {
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(2 + kept);
  if (sweep_abandons_memory())
    _exit(check_program.case_failed ? 1 : 0); /* a sanitizer would report it */
}

static void destroy(void) {
  CHECK_EQ(zeMemFree(scene.native, rows), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

static uint32_t completions;

static void on_complete(void *argument, ze_result_t result) {
  (void)result;
  __atomic_fetch_add((uint32_t *)argument, 1, __ATOMIC_RELEASE);
}

/* A signal of a queue with its waits, one of the host, and one of a group. */
static bool signal_target(syclze_event target, syclze_event *done, bool *calls) {
  syclze_event filled;
  if (sweep_fails(
          syclze_queue_fill(queue, rows, &pattern, sizeof pattern, BYTES, NULL, 0, &filled)))
    return false;
  bool good = !sweep_fails(syclze_queue_signal_event(queue, target, &filled, 1, done));
  CHECK(good == (done->rep != NULL));
  CHECK_EQ(syclze_event_release(filled), ZE_RESULT_SUCCESS);
  if (good) *calls = !sweep_fails(syclze_event_on_complete(*done, on_complete, &completions));
  const syclze_event both[] = {target, *done};
  if (good) good = !sweep_fails(syclze_event_wait_for(target, minute));
  if (good) good = !sweep_fails(syclze_events_wait_for(both, 2, minute));
  if (good) good = !sweep_fails(syclze_event_reset(target));
  if (good) good = !sweep_fails(syclze_event_signal(target));
  if (good) good = !sweep_fails(syclze_event_reset(target));
  if (!good) return false;
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, *done);
  if (sweep_fails(syclze_group_signal_event(&group, target, NULL))) return false;
  return !sweep_fails(syclze_queue_wait_for(queue, minute));
}

static void synchronize(void) {
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 1};
  const ze_event_desc_t event_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  syclze_event_input input = {.ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_event target, done = {NULL};
  ze_event_pool_handle_t pool;
  bool calls = false;
  begin();
  __atomic_store_n(&completions, 0, __ATOMIC_RELAXED);
  CHECK_EQ(zeEventPoolCreate(scene.native, &pool_desc, 1, &scene.handle, &pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventCreate(pool, &event_desc, &input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_event(&input, scene.context, &target), ZE_RESULT_SUCCESS);
  sweep_arm();
  const bool good = signal_target(target, &done, &calls);
  finish();
  if (!sweep_failed()) CHECK(good && calls);
  CHECK_SOON(__atomic_load_n(&completions, __ATOMIC_ACQUIRE) == calls);
  if (good) CHECK_EQ(zeEventQueryStatus(input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(target, done), ZE_RESULT_SUCCESS);
  end(2); /* the pool and its event */
  if (sweep_failed()) return;
  CHECK_EQ(zeEventDestroy(input.native_handle), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
  destroy();
}

static syclze_image image_of(void) {
  const syclze_image_input input = {.chan_order = SYCLZE_IMAGE_CHANNEL_ORDER_R,
      .chan_type = SYCLZE_IMAGE_CHANNEL_TYPE_UNSIGNED_INT32,
      .dimensions = 1,
      .range = {COUNT}};
  syclze_image image;
  CHECK_EQ(syclze_image_create(scene.context, scene.device, &input, &image), ZE_RESULT_SUCCESS);
  return image;
}

/* A fill of an image, its copy to the first row, a launch, and the row as a box in the second. */
static bool submit(syclze_image image, syclze_kernel kernel, struct node *node) {
  const size_t extent[3] = {BYTES / 4, 2, 2};
  const syclze_nd_range one = {.global = {1}, .local = {1}};
  const uint32_t pixel = 7;
  const void *none = NULL;
  const syclze_argument arguments[] = {syclze_arg(node), syclze_arg(none)};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, image, SYCLZE_ACCESS_WRITE);
  if (sweep_fails(syclze_group_fill_image(&group, all, &pixel, NULL, NULL))) return false;
  group = syclze_group_begin(queue);
  all = syclze_require(&group, image, SYCLZE_ACCESS_READ);
  if (sweep_fails(syclze_group_copy_from_image(&group, syclze_mem_arg(rows), all, NULL, NULL)))
    return false;
  group = syclze_group_begin(queue);
  const ze_result_t launched =
      syclze_group_launch_cooperative(&group, kernel, &one, arguments, 2, NULL);
  node->runs = launched == ZE_RESULT_SUCCESS;
  if (sweep_fails(launched)) return false;
  return !sweep_fails(
      syclze_queue_copy_3d(queue, rows + COUNT, NULL, rows, NULL, extent, NULL, 0, NULL));
}

static void command(void) {
  struct node node = {.notes = true};
  begin();
  syclze_image image = image_of();
  syclze_kernel kernel = scene_kernel(&scene, "node");
  sweep_arm();
  const bool good = submit(image, kernel, &node);
  finish();
  if (!sweep_failed()) CHECK(good);
  CHECK_EQ(node.ran, node.runs);
  const uint32_t *pixels = (const uint32_t *)(const void *)rows;
  for (int i = 0; i < COUNT && good && !sweep_failed(); i++)
    CHECK(pixels[i] == 7 && pixels[2 * COUNT + i] == 7);
  CHECK_EQ(syclze_release(image, kernel), ZE_RESULT_SUCCESS);
  end(0);
  if (!sweep_failed()) destroy();
}

/* A copy and a fill without an order, an edge between them, and an empty node behind both. */
static bool build(syclze_graph graph, syclze_queue recorder) {
  uint32_t nodes[4], count = 4, joined;
  syclze_graph recorded;
  if (sweep_fails(syclze_graph_begin_recording(graph, recorder))) return false;
  bool good = !sweep_fails(syclze_queue_copy(recorder, rows + COUNT, rows, BYTES, NULL, 0, NULL));
  if (good)
    good = !sweep_fails(
        syclze_queue_fill(recorder, rows, &pattern, sizeof pattern, BYTES, NULL, 0, NULL));
  if (good) good = !sweep_fails(syclze_queue_get_graph(recorder, &recorded));
  if (good) CHECK_EQ(recorded.rep, graph.rep);
  if (good) good = !sweep_fails(syclze_graph_release(recorded));
  if (sweep_fails(syclze_graph_end_recording(graph, recorder)) || !good) return false;
  if (sweep_fails(syclze_graph_get_leaves(graph, &count, nodes))) return false;
  CHECK_EQ(count, 2);
  if (sweep_fails(syclze_graph_add_empty_node(graph, nodes, count, &joined))) return false;
  if (sweep_fails(syclze_graph_add_edge(graph, 1, 0))) return false;
  count = 4;
  if (sweep_fails(syclze_graph_get_predecessors(graph, joined, &count, nodes))) return false;
  CHECK_EQ(count, 2);
  return true;
}

static bool run_nodes(syclze_queue recorder) {
  const uint64_t one = 1;
  syclze_graph graph;
  syclze_executable_graph executable = {NULL};
  syclze_event filled = {NULL}, done = {NULL};
  if (sweep_fails(syclze_graph_create(scene.context, scene.device, &graph))) return false;
  bool good = build(graph, recorder);
  if (good) good = !sweep_fails(syclze_graph_finalize(graph, 0, &executable));
  if (good)
    good = !sweep_fails(syclze_queue_fill(queue, rows, &one, sizeof one, BYTES, NULL, 0, &filled));
  if (good)
    good = !sweep_fails(syclze_queue_submit_graph_after(queue, executable, &filled, 1, &done));
  CHECK_EQ(syclze_release(filled, done), ZE_RESULT_SUCCESS);
  good = !sweep_fails(syclze_executable_graph_release(executable)) && good;
  return !sweep_fails(syclze_graph_release(graph)) && good;
}

static void nodes(void) {
  begin();
  syclze_queue recorder = scene_queue(&scene, 0);
  sweep_arm();
  const bool good = run_nodes(recorder);
  finish();
  if (!sweep_failed()) CHECK(good);
  for (int i = 0; i < 2 * COUNT && good && !sweep_failed(); i++)
    CHECK_EQ(rows[i], pattern); /* the copy after the fill */
  CHECK_EQ(syclze_release(recorder), ZE_RESULT_SUCCESS);
  end(0);
  if (!sweep_failed()) destroy();
}

static char path[64];
static void *of_setup; /* memory that was not freed */

static void on_free(void *memory, size_t size) {
  (void)size;
  if (memory == of_setup) of_setup = NULL;
}

static bool set_up(syclze_setup *setup, syclze_scope *made) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_kernel kernels[KERNELS];
  const syclze_kernel_entry table[KERNELS] = {
      {"node", &kernels[0]}, {"iota", &kernels[1]}, {"axpy", &kernels[2]}};
  syclze_kernel_bundle bundle;
  if (sweep_fails(syclze_setup_create(scene.device, &in_order, setup))) return false;
  if (sweep_fails(syclze_kernel_bundle_load(setup->context, setup->device, path, NULL, &bundle)))
    return false;
  bool good = !sweep_fails(syclze_scope_add(made, bundle));
  good = good && !sweep_fails(syclze_kernels_create(bundle, table, KERNELS));
  if (!good) return false;
  for (int i = 0; i < REFERENCES; i++) { /* more than a scope has room for */
    CHECK_EQ(syclze_kernel_retain(kernels[i % KERNELS]), ZE_RESULT_SUCCESS);
    good = !sweep_fails(syclze_scope_add(made, kernels[i % KERNELS])) && good;
  }
  for (int i = 0; i < KERNELS; i++)
    good = !sweep_fails(syclze_release(kernels[i])) && good;
  if (sweep_fails(syclze_malloc_shared(BYTES, setup->device, setup->context, &of_setup)))
    return false;
  return !sweep_fails(syclze_scope_add_memory(made, of_setup, setup->context)) && good;
}

static void begin_program(void) {
  syclze_setup setup = {0};
  syclze_scope made = {0};
  FILE *file = fopen(path, "wb");
  CHECK(file != NULL && fwrite(&pattern, 1, sizeof pattern, file) == sizeof pattern);
  fclose(file);
  begin();
  of_setup = NULL;
  strict_on_free = on_free;
  sweep_arm();
  bool good = set_up(&setup, &made);
  good = !sweep_fails(syclze_scope_end(&made)) && good;
  CHECK(made.count == 0 && made.many == NULL);
  if (of_setup != NULL) { /* its free failed, and it stays the application's */
    sweep_disarm();
    CHECK(sweep_failed());
    CHECK_EQ(zeMemFree(syclze_get_native(setup.context), of_setup), ZE_RESULT_SUCCESS);
  }
  good = !sweep_fails(syclze_setup_release(&setup)) && good;
  sweep_disarm();
  CHECK(setup.context.rep == NULL && setup.queue.rep == NULL);
  if (!sweep_failed()) CHECK(good);
  unlink(path);
  end(0);
  if (!sweep_failed()) destroy();
}

TEST(events_of_the_application) { // shows graphs 30
  sweep_all(synchronize);
}

TEST(boxes_images_and_kernels_that_run_together) { // shows graphs 30
  sweep_all(command);
}

TEST(graphs_that_are_built_by_nodes) { // shows graphs 30, graph_peers 15
  sweep_all(nodes);
}

TEST(programs_that_are_set_up) { // shows graphs 30
  snprintf(path, sizeof path, "/tmp/sweep_sync.%d", (int)getpid());
  sweep_all(begin_program);
}

TEST_MAIN(events_of_the_application, boxes_images_and_kernels_that_run_together,
    graphs_that_are_built_by_nodes, programs_that_are_set_up)
