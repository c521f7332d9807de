/* Each call, allocation, thread and lock fails in turn while the host uses buffers over its data,
   and while copies and fills are submitted without groups, or recorded to graphs that run. */
#include "support/scene.h"
#include "support/sweep.h"

#include "syclze/buffer_create.h"
#include "syclze/command/graph_update.h"
#include "syclze/command/host_accessor.h"
#include "syclze/command/queue_order.h"
#include "syclze/queue_commands.h"

#include <unistd.h>

enum { COUNT = 16, BYTES = COUNT * sizeof(uint64_t), PART = 4 };

static const uint64_t pattern = 0x0102030405060708;

/* A command of the device, two scopes of the host and a read, of a part; all of it succeeded. */
static bool use_part(syclze_queue queue, syclze_buffer part) {
  syclze_host_accessor accessor;
  syclze_event ready;
  uint64_t read[PART];
  bool good = true;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, part, SYCLZE_ACCESS_WRITE);
  if (sweep_fails(syclze_group_fill(
          &group, syclze_mem_arg(all), &pattern, sizeof pattern, sizeof read, NULL)))
    return false;
  if (sweep_fails(syclze_host_accessor_create(part, SYCLZE_ACCESS_READ_WRITE, &accessor)))
    return false;
  uint64_t *pointer = syclze_host_accessor_get_pointer(accessor);
  CHECK_EQ(pointer[0], pattern);
  pointer[0]++;
  good = !sweep_fails(syclze_host_accessor_release(accessor));
  if (sweep_fails(syclze_host_accessor_begin(part, SYCLZE_ACCESS_READ, &accessor, &ready)))
    return false;
  good = !sweep_fails(syclze_host_accessor_wait(accessor)) && good;
  good = !sweep_fails(syclze_host_accessor_release(accessor)) && good;
  good = !sweep_fails(syclze_event_release(ready)) && good;
  if (sweep_fails(syclze_buffer_read(part, read, 0, sizeof read))) return false;
  if (good) CHECK(read[0] == pattern + 1 && read[1] == pattern);
  read[1] = 1;
  return !sweep_fails(syclze_buffer_write(part, &read[1], sizeof *read, sizeof *read)) && good;
}

static void use_data_of_the_host(void) {
  static uint64_t data[COUNT];
  const syclze_buffer_desc desc = {
      .element_size = sizeof *data, .range = {COUNT}, .host_data = data};
  const size_t offset = PART, count = PART;
  struct scene_base scene;
  syclze_buffer buffer, part = {NULL};
  memset(data, 0, sizeof data);
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);

  sweep_arm();
  bool good = !sweep_fails(syclze_buffer_create(scene.context, &desc, &buffer));
  CHECK(good == (buffer.rep != NULL));
  if (good) good = !sweep_fails(syclze_buffer_create_sub(buffer, &offset, &count, &part));
  if (good) good = use_part(queue, part);
  good = !sweep_fails(syclze_buffer_release(part)) && good;
  good = !sweep_fails(syclze_buffer_release(buffer)) && good;
  sweep_disarm();
  if (!sweep_failed()) CHECK(good);
  if (good) CHECK(data[PART] == pattern + 1 && data[PART + 1] == 1 && data[PART + 2] == pattern);
  CHECK(data[PART - 1] == 0 && data[2 * PART] == 0);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(1);
  /* A buffer that is abandoned keeps its memory, which a sanitizer would report. */
  if (strict_alive(STRICT_NONE) != 1) _exit(check_program.case_failed ? 1 : 0);
  if (!sweep_failed()) CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

/* Fills the first row, and copies it to the second. */
static bool submit(syclze_queue queue, uint64_t *memory, syclze_event *event) {
  if (sweep_fails(
          syclze_queue_fill(queue, memory, &pattern, sizeof pattern, BYTES, NULL, 0, event)))
    return false;
  /* Copies of rows are not recorded. */
  if (event == NULL)
    return !sweep_fails(syclze_queue_copy(queue, memory + COUNT, memory, BYTES, NULL, 0, NULL));
  return !sweep_fails(
      syclze_queue_copy_2d(queue, memory + COUNT, BYTES, memory, BYTES, BYTES, 1, event, 1, NULL));
}

static bool submit_and_order(syclze_queue queue, uint64_t *memory) {
  syclze_event events[3] = {{NULL}};
  bool empty, good = submit(queue, memory, &events[0]);
  if (good) good = !sweep_fails(syclze_queue_submit_barrier_after(queue, events, 1, NULL));
  if (good) good = !sweep_fails(syclze_queue_submit_profiling_tag(queue, &events[1]));
  if (good) good = !sweep_fails(syclze_queue_get_last_event(queue, &events[2]));
  if (good) good = !sweep_fails(syclze_queue_set_external_event(queue, events[2]));
  if (good) good = !sweep_fails(syclze_queue_is_empty(queue, &empty));
  for (int i = 0; i < 3; i++)
    CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  return good;
}

static uint32_t tasks; /* that ran */
static bool has_task, leaves_command;

static ze_result_t on_host(syclze_interop_handle handle, void *argument) {
  syclze_native_queue queue;
  ++*(uint32_t *)argument;
  if (!leaves_command) return ZE_RESULT_SUCCESS;
  const ze_result_t result = syclze_interop_handle_get_native_queue(handle, &queue);
  if (result != ZE_RESULT_SUCCESS) return result;
  return zeCommandListAppendBarrier(queue.list, NULL, 0, NULL);
}

static bool record(syclze_queue queue, syclze_graph graph, uint64_t *memory) {
  if (sweep_fails(syclze_graph_begin_recording(graph, queue))) return false;
  bool good = submit(queue, memory, NULL);
  if (good && has_task) {
    syclze_group group = syclze_group_begin(queue);
    good = !sweep_fails(syclze_group_host_task(&group, on_host, &tasks, NULL));
  }
  return !sweep_fails(syclze_graph_end_recording(graph, queue)) && good;
}

static bool is_updated; /* all nodes, between the two runs */

/* Two runs, while the executable graph is released. */
static bool run_graph(const struct scene_base *scene, syclze_queue queue, uint64_t *memory) {
  syclze_graph graph;
  syclze_executable_graph executable = {NULL};
  syclze_event event = {NULL};
  if (sweep_fails(syclze_graph_create(scene->context, scene->device, &graph))) return false;
  bool good = record(queue, graph, memory);
  if (good)
    good = !sweep_fails(
        syclze_graph_finalize(graph, is_updated ? SYCLZE_GRAPH_UPDATABLE : 0, &executable));
  if (good) good = !sweep_fails(syclze_queue_submit_graph(queue, executable, NULL));
  if (good && is_updated) good = !sweep_fails(syclze_executable_graph_update(executable, graph));
  if (good) good = !sweep_fails(syclze_queue_submit_graph(queue, executable, &event));
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  good = !sweep_fails(syclze_executable_graph_release(executable)) && good;
  return !sweep_fails(syclze_graph_release(graph)) && good;
}

static bool has_graph;

static void submit_to_queues(void) {
  struct scene_base scene;
  void *memory;
  tasks = 0;
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  CHECK_EQ(
      syclze_malloc_shared(2 * BYTES, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  memset(memory, 0, 2 * BYTES);
  const uint64_t *rows = (const uint64_t *)memory;

  sweep_arm();
  const bool good = has_graph ? run_graph(&scene, queue, memory) : submit_and_order(queue, memory);
  ze_result_t result = syclze_queue_wait(queue);
  sweep_check_result(result);
  sweep_disarm();
  for (int tries = 0; result != ZE_RESULT_SUCCESS && tries < 4; tries++)
    result = syclze_queue_wait(queue);
  if (!sweep_failed()) CHECK(good && tasks == (has_task ? 2 : 0));
  if (good && result == ZE_RESULT_SUCCESS && !sweep_failed())
    for (int i = 0; i < 2 * COUNT; i++)
      CHECK_EQ(rows[i], pattern);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(2); /* the context, the memory */
  if (sweep_failed()) return;
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

TEST(data_of_the_host_and_scopes) { // shows host_data 5 28
  sweep_step = 2;
  sweep_all(use_data_of_the_host);
}

TEST(submissions_without_groups) { // shows host_data 33
  sweep_step = 2;
  has_graph = has_task = false;
  sweep_all(submit_to_queues);
}

TEST(graphs_that_run) { // shows graphs 31
  sweep_step = 3;
  has_graph = true;
  for (int task = 0; task < 3; task++) {
    has_task = task != 0;
    leaves_command = task == 2;
    sweep_all(submit_to_queues);
  }
  leaves_command = false;
}

TEST(graphs_that_are_updated) { // shows graphs 33
  sweep_step = 5;
  has_graph = is_updated = true;
  has_task = false;
  sweep_all(submit_to_queues);
  is_updated = false;
}

TEST_MAIN(data_of_the_host_and_scopes, submissions_without_groups, graphs_that_run,
    graphs_that_are_updated)
