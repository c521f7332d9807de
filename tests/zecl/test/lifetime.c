/* Objects may be destroyed in any order, while their work is in flight. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

static ze_driver_handle_t first_driver(void) {
  ze_driver_handle_t driver;
  uint32_t count = 1;
  OK(zeInit(0));
  OK(zeDriverGet(&count, &driver));
  return driver;
}

struct world {
  ze_context_handle_t context;
  ze_event_pool_handle_t pool;
  ze_event_handle_t gate, done;
  ze_command_queue_handle_t queue;
  ze_fence_handle_t fence;
  ze_command_list_handle_t list, immediate;
};

enum { OBJECTS = 8 };

static char copied[4];

/* Work on a queue and on a list, all of which waits for the gate. */
static struct world make_world(void) {
  struct world w;
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  const ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .count = 2};
  const ze_event_desc_t events[2] = {
      {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC}, {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 1}};
  const ze_command_queue_desc_t queue = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  const ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
  OK(zeContextCreate(first_driver(), &context, &w.context));
  OK(zeEventPoolCreate(w.context, &pool, 0, NULL, &w.pool));
  OK(zeEventCreate(w.pool, &events[0], &w.gate));
  OK(zeEventCreate(w.pool, &events[1], &w.done));
  OK(zeCommandQueueCreate(w.context, test_device(), &queue, &w.queue));
  OK(zeFenceCreate(w.queue, &fence, &w.fence));
  OK(zeCommandListCreate(w.context, test_device(), &list, &w.list));
  OK(zeCommandListCreateImmediate(w.context, test_device(), &queue, &w.immediate));
  OK(zeCommandListAppendMemoryCopy(w.list, &copied[1], copied, 1, w.done, 1, &w.gate));
  OK(zeCommandListClose(w.list));
  OK(zeCommandQueueExecuteCommandLists(w.queue, 1, &w.list, w.fence));
  OK(zeCommandListAppendMemoryCopy(w.immediate, &copied[2], copied, 1, NULL, 1, &w.done));
  return w;
}

static void destroy(struct world *w, int which) {
  switch (which) {
  case 0:
    OK(zeContextDestroy(w->context));
    break;
  case 1:
    OK(zeEventPoolDestroy(w->pool));
    break;
  case 2:
    OK(zeEventDestroy(w->gate));
    break;
  case 3:
    OK(zeEventDestroy(w->done));
    break;
  case 4:
    OK(zeCommandQueueDestroy(w->queue));
    break;
  case 5:
    OK(zeFenceDestroy(w->fence));
    break;
  case 6:
    OK(zeCommandListDestroy(w->list));
    break;
  case 7:
    OK(zeCommandListDestroy(w->immediate));
    break;
  }
}

/* The gate opens after so many destructions, unless it is gone by then. */
static void any_order(unsigned seed, int opened_after) {
  int order[OBJECTS];
  srand(seed);
  for (int i = 0; i < OBJECTS; i++) {
    const int j = rand() % (i + 1);
    order[i] = order[j];
    order[j] = i;
  }
  struct world w = make_world();
  int gate_is_there = 1;
  for (int i = 0; i < OBJECTS; i++) {
    if (i == opened_after && gate_is_there) OK(zeEventHostSignal(w.gate));
    if (order[i] == 2) gate_is_there = 0;
    destroy(&w, order[i]);
  }
}

TEST(work_that_runs) {
  for (unsigned seed = 0; seed < 200; seed++)
    any_order(seed, (int)(seed % 3));
}

TEST(work_that_never_runs) {
  for (unsigned seed = 0; seed < 100; seed++)
    any_order(seed, OBJECTS);
}

TEST(many_live_objects) {
  enum { MANY = 20000 };
  ze_event_pool_handle_t pool = test_pool(0, MANY);
  ze_event_handle_t *events = malloc(MANY * sizeof *events);
  CHECK(events != NULL);
  for (uint32_t i = 0; i < MANY; i++)
    events[i] = test_event(pool, i);
  for (uint32_t i = 0; i < MANY; i += 2)
    OK(zeEventHostSignal(events[i]));
  for (uint32_t i = 0; i < MANY; i++) {
    CHECK_EQ(zeEventQueryStatus(events[i]), i % 2 ? ZE_RESULT_NOT_READY : ZE_RESULT_SUCCESS);
    OK(zeEventDestroy(events[i]));
  }
  free(events);
  OK(zeEventPoolDestroy(pool));
}

TEST_MAIN(work_that_runs, work_that_never_runs, many_live_objects)
