/* Each call, allocation, thread and lock fails in turn while commands allocate and free memory, and
   while nodes of a graph do. */
#include "support/scene.h"
#include "support/sweep.h"

#include "syclze/async_memory.h"

#include <unistd.h>

enum { COUNT = 16, BYTES = COUNT * sizeof(uint64_t), ROUNDS = 3, PIECES = 2 };

static const uint64_t pattern = 0x0102030405060708;
static struct scene_base scene;
static syclze_queue queue, other; /* in order, and not */
static uint64_t *row;
static void *pieces[PIECES]; /* allocated, and not freed */

static void begin(void) {
  void *memory;
  memset(pieces, 0, sizeof pieces);
  scene_begin(&scene);
  sweep_expect_reports();
  queue = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  other = scene_queue(&scene, 0);
  CHECK_EQ(syclze_malloc_shared(BYTES, scene.device, scene.context, &memory), ZE_RESULT_SUCCESS);
  row = (uint64_t *)memset(memory, 0, BYTES);
}

/* Waits for a queue, whose wait may return the error of work before it. */
static void finish(syclze_queue of) {
  ze_result_t result = syclze_queue_wait(of);
  sweep_disarm();
  for (int tries = 0; result != ZE_RESULT_SUCCESS && tries < 4; tries++)
    result = syclze_queue_wait(of);
}

static void end(void) {
  CHECK_EQ(syclze_release(queue, other), ZE_RESULT_SUCCESS);
  scene_release(&scene);
  sweep_settle(2);
  if (sweep_abandons_memory())
    _exit(check_program.case_failed ? 1 : 0); /* a sanitizer would report it */
  if (sweep_failed()) return;
  CHECK_EQ(zeMemFree(scene.native, row), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeContextDestroy(scene.native), ZE_RESULT_SUCCESS);
}

/* Allocates, fills, copies and frees, on the queue in order. */
static bool take_turns(syclze_memory_pool pool) {
  for (int i = 0; i < ROUNDS; i++) {
    if (sweep_fails(syclze_malloc_async_from_pool(queue, BYTES, pool, &pieces[0], NULL, 0, NULL)))
      return false;
    if (sweep_fails(
            syclze_queue_fill(queue, pieces[0], &pattern, sizeof pattern, BYTES, NULL, 0, NULL)) ||
        sweep_fails(syclze_queue_copy(queue, row, pieces[0], BYTES, NULL, 0, NULL)))
      return false;
    if (sweep_fails(syclze_free_async(queue, pieces[0], NULL, 0, NULL))) return false;
    pieces[0] = NULL;
  }
  return true;
}

/* Takes turns behind events, from a default pool. */
static bool follow(syclze_event *events) {
  const uint64_t one = 1;
  if (sweep_fails(syclze_malloc_async(
          other, ZE_MEMORY_TYPE_DEVICE, BYTES, &pieces[1], NULL, 0, &events[0])))
    return false;
  CHECK(events[0].rep != NULL && pieces[1] != NULL);
  if (sweep_fails(
          syclze_queue_fill(other, pieces[1], &one, sizeof one, BYTES, &events[0], 1, &events[1])))
    return false;
  if (sweep_fails(syclze_free_async(other, pieces[1], &events[1], 1, &events[2]))) return false;
  pieces[1] = NULL;
  return true;
}

static void memory_of_queues(void) {
  const syclze_memory_pool_properties zero = {.flags = SYCLZE_MEMORY_POOL_ZERO_INIT};
  syclze_memory_pool pool = {NULL}, kept = {NULL};
  syclze_event events[3] = {{NULL}};
  begin();
  sweep_arm();
  bool good = !sweep_fails(
      syclze_memory_pool_create(ZE_MEMORY_TYPE_DEVICE, scene.device, scene.context, &zero, &pool));
  good = good && !sweep_fails(syclze_memory_pool_get_default(
                     ZE_MEMORY_TYPE_DEVICE, scene.device, scene.context, &kept));
  good = good && take_turns(pool) && follow(events);
  finish(queue);
  finish(other);
  /* After an error memory is allocated as before. */
  for (int i = 0; i < PIECES; i++)
    if (pieces[i] != NULL) {
      CHECK(sweep_failed());
      CHECK_EQ(
          syclze_free_async(i == 0 ? queue : other, pieces[i], NULL, 0, NULL), ZE_RESULT_SUCCESS);
    }
  CHECK_EQ(syclze_queue_wait(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_wait(other), ZE_RESULT_SUCCESS);
  if (pool.rep != NULL) CHECK_EQ(syclze_memory_pool_get_used_size(pool), 0);
  if (!sweep_failed()) CHECK(good);
  for (int i = 0; i < COUNT && good; i++)
    CHECK_EQ(row[i], pattern);
  CHECK_EQ(syclze_release(events[0], events[1], events[2], pool, kept), ZE_RESULT_SUCCESS);
  end();
}

/* A node that allocates, a fill and a copy of the memory, and a node that frees. */
static bool record(syclze_graph graph) {
  void *memory;
  if (sweep_fails(syclze_graph_begin_recording(graph, queue))) return false;
  bool good = !sweep_fails(
      syclze_malloc_async(queue, ZE_MEMORY_TYPE_DEVICE, BYTES, &memory, NULL, 0, NULL));
  good = good && !sweep_fails(syclze_queue_fill(
                     queue, memory, &pattern, sizeof pattern, BYTES, NULL, 0, NULL));
  good = good && !sweep_fails(syclze_queue_copy(queue, row, memory, BYTES, NULL, 0, NULL));
  good = good && !sweep_fails(syclze_free_async(queue, memory, NULL, 0, NULL));
  return !sweep_fails(syclze_graph_end_recording(graph, queue)) && good;
}

static void memory_of_a_graph(void) {
  syclze_graph graph = {NULL};
  syclze_executable_graph executable = {NULL};
  begin();
  sweep_arm();
  bool good = !sweep_fails(syclze_graph_create(scene.context, scene.device, &graph));
  good = good && record(graph) && !sweep_fails(syclze_graph_finalize(graph, 0, &executable));
  good = good && !sweep_fails(syclze_queue_submit_graph(queue, executable, NULL));
  good = !sweep_fails(syclze_graph_release(graph)) && good;
  good = !sweep_fails(syclze_executable_graph_release(executable)) && good; /* while it runs */
  finish(queue);
  if (!sweep_failed()) CHECK(good);
  for (int i = 0; i < COUNT && good; i++)
    CHECK_EQ(row[i], pattern);
  end();
}

TEST(commands_that_allocate_and_free) { // shows async_memory 13
  sweep_all(memory_of_queues);
}

TEST(nodes_that_allocate_and_free) { // shows async_memory 13
  sweep_all(memory_of_a_graph);
}

TEST_MAIN(commands_that_allocate_and_free, nodes_that_allocate_and_free)
