/* Each call, allocation, thread and lock fails in turn while a trace is recorded and written: the
   program does what it does without, and the file is whole or its writing returns an error. */
#include "support/chain.h"
#include "support/sweep.h"

#include "syclze/trace/marks.h"
#include "syclze/trace/writer.h"

#include <unistd.h>

static const char *ending;

static void check_file(const char *path) {
  static char text[1 << 20];
  FILE *stream = fopen(path, "rb");
  CHECK(stream != NULL);
  const size_t size = fread(text, 1, sizeof text - 1, stream);
  fclose(stream);
  text[size] = 0;
  const char *last = strcmp(ending, "html") == 0 ? "</html>" : "}";
  CHECK(size > 0 && strstr(text + (size > 16 ? size - 16 : 0), last) != NULL);
}

static void scenario(void) {
  struct scene_base scene;
  struct node nodes[4];
  uint64_t *memory;
  char path[64];
  snprintf(path, sizeof path, "/tmp/sweep_traces.%d.%s", (int)getpid(), ending);
  memset(nodes, 0, sizeof nodes);
  scene_begin(&scene);
  syclze_queue queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_kernel kernel = scene_kernel(&scene, "node");
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_KEEP, &memory);

  sweep_arm();
  const ze_result_t started = syclze_trace_start();
  const ze_result_t named = syclze_trace_name_object(syclze_get_native(queue).list, "chain");
  const syclze_trace_range range = syclze_trace_range_begin("chain");
  chain_launch(queue, kernel, buffer, 1, 1, nodes, 4);
  syclze_trace_range_end(range);
  const ze_result_t waited = syclze_queue_wait(queue);
  const ze_result_t written = syclze_trace_write(path);
  sweep_disarm();
  /* This loader has no layer that traces calls; all else is recorded. */
  if (started == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) CHECK(sweep_failed());
  if (named != ZE_RESULT_SUCCESS) {
    CHECK(sweep_failed());
    CHECK_EQ(named, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
  }
  if (written != ZE_RESULT_SUCCESS) CHECK(sweep_failed());
  if (written == ZE_RESULT_SUCCESS) check_file(path);
  unlink(path);
  if (waited != ZE_RESULT_SUCCESS) CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  chain_check(nodes, 4, memory);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(kernel), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(queue), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(2);
  CHECK_EQ(zeMemFree(scene.native, memory), ZE_RESULT_SUCCESS);
  if (!sweep_failed()) CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

TEST(traces_as_a_page) {
  ending = "html";
  sweep_all(scenario);
}

TEST(traces_for_chrome) {
  ending = "json";
  sweep_all(scenario);
}

TEST(traces_as_a_graph) {
  ending = "dot";
  sweep_all(scenario);
}

TEST_MAIN(traces_as_a_page, traces_for_chrome, traces_as_a_graph)
