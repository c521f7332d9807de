/* Commands with one requirement: chains over lists that take a
   buffer over from one another, and fans of readers. The device holds everything until a case lets
   it go, and then runs the command that was appended last among those that may run. */
#include "support/scene.h"

#include <sched.h>

static struct scene_base scene;
static syclze_kernel kernel;

static const syclze_nd_range one = {.global = {1}, .local = {1}};

enum { LINKS = 12, QUEUES_OF_CHAIN = 2 };

static ze_result_t launch(syclze_queue queue, struct node *node, syclze_buffer buffer,
    syclze_access_mode mode, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor accessor = syclze_require(&group, buffer, mode);
  return syclze_launch(&group, kernel, &one, event, syclze_arg(node), syclze_arg(accessor));
}

static void await(const struct node *node) {
  while (!node_has_run(node))
    sched_yield();
}

/* Each link waits for the one before: the first of them for a barrier, the others for the event of
   the link itself. Odd links return theirs. */
TEST(a_chain_over_two_lists_appends_one_barrier) { // shows promises 40
  kernel = scene_begin_held(&scene);
  syclze_queue queues[QUEUES_OF_CHAIN];
  struct node *nodes[LINKS], *last = NULL;
  for (int i = 0; i < QUEUES_OF_CHAIN; i++)
    queues[i] = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  for (int i = 0; i < LINKS; i++) {
    syclze_event event = {NULL};
    last = nodes[i] = node_after(last);
    CHECK_EQ(launch(queues[i % QUEUES_OF_CHAIN], nodes[i], buffer, SYCLZE_ACCESS_READ_WRITE,
                 i % 2 != 0 ? &event : NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(event.rep != NULL, i % 2 != 0);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(strict_calls_of("zeCommandListAppendBarrier"), 1);
  for (int i = 0; i < QUEUES_OF_CHAIN; i++)
    scene_end_queue(queues[i]);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < LINKS; i++)
    node_end(nodes[i]);
  scene_end_with(&scene, kernel);
}

/* The events of links that are done serve later ones. */
TEST(a_chain_that_runs_uses_its_events_again) { // shows promises 40
  kernel = scene_begin_held(&scene);
  strict_hold(false);
  syclze_queue queues[QUEUES_OF_CHAIN];
  struct node *nodes[8 * LINKS], *last = NULL;
  unsigned events = 0;
  for (int i = 0; i < QUEUES_OF_CHAIN; i++)
    queues[i] = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  for (int i = 0; i < 8 * LINKS; i++) {
    last = nodes[i] = node_after(last);
    CHECK_EQ(launch(queues[i % QUEUES_OF_CHAIN], nodes[i], buffer, SYCLZE_ACCESS_WRITE, NULL),
        ZE_RESULT_SUCCESS);
    await(nodes[i]);
    if (i == LINKS) events = strict_calls_of("zeEventCreate");
  }
  CHECK_EQ(strict_calls_of("zeEventCreate"), events);
  for (int i = 0; i < QUEUES_OF_CHAIN; i++)
    scene_end_queue(queues[i]);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 8 * LINKS; i++)
    node_end(nodes[i]);
  scene_end_with(&scene, kernel);
}

/* Work after a link whose append failed waits for the link's wait list. */
static void fail_link(bool wants_event) {
  syclze_event event = {NULL};
  kernel = scene_begin_held(&scene);
  syclze_queue queues[3];
  struct node *first = node_after(NULL), *failed = node_after(NULL), *after = node_after(first),
              *other = node_after(NULL), *last = node_after(after);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  syclze_buffer unrelated = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  for (int i = 0; i < 3; i++)
    queues[i] = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  /* A queue's first submission is none of the short ones. */
  CHECK_EQ(launch(queues[1], other, unrelated, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(queues[0], first, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  strict_fail_named("zeCommandListAppendLaunchKernel", ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  CHECK_EQ(launch(queues[1], failed, buffer, SYCLZE_ACCESS_WRITE, wants_event ? &event : NULL),
      ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET);
  strict_fail_named(NULL, ZE_RESULT_SUCCESS);
  CHECK_EQ(event.rep, NULL);
  CHECK_EQ(launch(queues[2], after, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  CHECK_EQ(launch(queues[1], last, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++)
    scene_end_queue(queues[i]);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(unrelated), ZE_RESULT_SUCCESS);
  CHECK(!node_has_run(failed));
  free(failed);
  node_end(other);
  node_end(first);
  node_end(after);
  node_end(last);
  scene_end_with(&scene, kernel);
}

TEST(a_link_that_fails_keeps_its_place) { // shows promises 40
  fail_link(false);
  fail_link(true);
}

/* Readers wait for the writer before them, and the next writer for all of them. */
TEST(readers_stand_between_two_writers) { // shows promises 40
  enum { READERS = 40 };
  kernel = scene_begin_held(&scene);
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0),
               c = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *first = node_after(NULL), *readers[READERS], *last;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  CHECK_EQ(launch(a, first, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < READERS; i++) {
    syclze_event event = {NULL};
    readers[i] = node_after(first);
    CHECK_EQ(launch(b, readers[i], buffer, SYCLZE_ACCESS_READ, i % 3 == 0 ? &event : NULL),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  }
  last = node_after(readers[0]);
  for (int i = 1; i < BEFORE; i++)
    last->before[last->before_count++] = readers[i * (READERS - 1) / (BEFORE - 1)];
  CHECK_EQ(launch(c, last, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  scene_end_queue(c);
  scene_end_queue(b);
  scene_end_queue(a);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(first);
  for (int i = 0; i < READERS; i++)
    node_end(readers[i]);
  node_end(last);
  scene_end_with(&scene, kernel);
}

/* A reader that is done leaves its event and record to the next, but for an event that the
   application has: there are never more events than the first few. The writer after them waits for
   the last one. */
TEST(a_fan_that_runs_uses_its_events_again) {
  enum { READERS = 8 * LINKS };
  kernel = scene_begin_held(&scene);
  strict_hold(false);
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0),
               c = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *first = node_after(NULL), *readers[READERS], *last;
  unsigned events = 0;
  syclze_event event;
  syclze_event_status status;
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  CHECK_EQ(launch(a, first, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < READERS; i++) {
    const bool is_kept = i == READERS - 2;
    if (i == READERS - 1) strict_hold(true);
    readers[i] = node_after(first);
    CHECK_EQ(launch(b, readers[i], buffer, SYCLZE_ACCESS_READ, is_kept ? &event : NULL),
        ZE_RESULT_SUCCESS);
    if (is_kept) CHECK_EQ(syclze_event_wait(event), ZE_RESULT_SUCCESS);
    if (i < READERS - 1) await(readers[i]);
    if (i == LINKS) events = strict_calls_of("zeEventCreate");
  }
  CHECK_EQ(strict_calls_of("zeEventCreate"), events);
  CHECK_EQ(syclze_event_get_status(event, &status), ZE_RESULT_SUCCESS);
  CHECK_EQ(status, SYCLZE_EVENT_STATUS_COMPLETE);
  CHECK_EQ(syclze_release(event), ZE_RESULT_SUCCESS);
  last = node_after(readers[READERS - 1]);
  CHECK_EQ(launch(c, last, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  scene_end_queue(c);
  scene_end_queue(b);
  scene_end_queue(a);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  node_end(first);
  for (int i = 0; i < READERS; i++)
    node_end(readers[i]);
  node_end(last);
  scene_end_with(&scene, kernel);
}

/* A reader does not use the event of one of another buffer, although both wait for one event: its
   record is not in the buffer's list, which the next writer reads. */
TEST(a_reader_leaves_its_event_to_those_of_its_buffer) {
  enum { BUFFERS = 2, ROUNDS = 3 };
  kernel = scene_begin_held(&scene);
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0),
               c = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *first[BUFFERS], *readers[ROUNDS * BUFFERS], *last;
  syclze_buffer buffers[BUFFERS];
  for (int i = 0; i < BUFFERS; i++) {
    buffers[i] = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
    first[i] = node_after(NULL);
    CHECK_EQ(launch(a, first[i], buffers[i], SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  }
  /* The first of each buffer are none of the short ones; the second is, of the first buffer. */
  for (int i = 0; i < BUFFERS + 1; i++) {
    readers[i] = node_after(first[i % BUFFERS]);
    CHECK_EQ(
        launch(b, readers[i], buffers[i % BUFFERS], SYCLZE_ACCESS_READ, NULL), ZE_RESULT_SUCCESS);
  }
  strict_hold(false);
  for (int i = 0; i < BUFFERS + 1; i++)
    await(readers[i]);
  for (int i = BUFFERS + 1; i < ROUNDS * BUFFERS; i++) {
    if (i == BUFFERS + 2) strict_hold(true);
    readers[i] = node_after(first[1]);
    CHECK_EQ(launch(b, readers[i], buffers[1], SYCLZE_ACCESS_READ, NULL), ZE_RESULT_SUCCESS);
    if (i == BUFFERS + 1) await(readers[i]);
  }
  last = node_after(first[1]);
  for (int i = BUFFERS + 1; i < ROUNDS * BUFFERS; i++)
    last->before[last->before_count++] = readers[i];
  CHECK_EQ(launch(c, last, buffers[1], SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  scene_end_queue(c);
  scene_end_queue(b);
  scene_end_queue(a);
  for (int i = 0; i < BUFFERS; i++) {
    CHECK_EQ(syclze_release(buffers[i]), ZE_RESULT_SUCCESS);
    node_end(first[i]);
  }
  for (int i = 0; i < ROUNDS * BUFFERS; i++)
    node_end(readers[i]);
  node_end(last);
  scene_end_with(&scene, kernel);
}

/* The next writer waits for what a reader whose append failed was to wait for, and for the other
   readers. */
TEST(a_reader_that_fails_keeps_its_place) {
  enum { READERS = 4, FAILED = 2 };
  kernel = scene_begin_held(&scene);
  syclze_queue a = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER), b = scene_queue(&scene, 0),
               c = scene_queue(&scene, SYCLZE_QUEUE_PROPERTY_IN_ORDER);
  struct node *first = node_after(NULL), *readers[READERS], *last = node_after(first);
  syclze_buffer buffer = scene_buffer(&scene, SYCLZE_OWNERSHIP_TRANSFER, NULL);
  CHECK_EQ(launch(a, first, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  for (int i = 0; i < READERS; i++) {
    const ze_result_t result =
        i == FAILED ? ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET : ZE_RESULT_SUCCESS;
    readers[i] = node_after(first);
    if (i == FAILED) strict_fail_named("zeCommandListAppendLaunchKernel", result);
    CHECK_EQ(launch(b, readers[i], buffer, SYCLZE_ACCESS_READ, NULL), result);
    strict_fail_named(NULL, ZE_RESULT_SUCCESS);
    if (i != FAILED) last->before[last->before_count++] = readers[i];
  }
  CHECK_EQ(launch(c, last, buffer, SYCLZE_ACCESS_WRITE, NULL), ZE_RESULT_SUCCESS);
  scene_end_queue(c);
  scene_end_queue(b);
  scene_end_queue(a);
  CHECK_EQ(syclze_release(buffer), ZE_RESULT_SUCCESS);
  CHECK(!node_has_run(readers[FAILED]));
  node_end(first);
  for (int i = 0; i < READERS; i++)
    if (i != FAILED) node_end(readers[i]);
  free(readers[FAILED]);
  node_end(last);
  scene_end_with(&scene, kernel);
}

TEST_MAIN(a_chain_over_two_lists_appends_one_barrier, a_chain_that_runs_uses_its_events_again,
    a_link_that_fails_keeps_its_place, readers_stand_between_two_writers,
    a_fan_that_runs_uses_its_events_again, a_reader_leaves_its_event_to_those_of_its_buffer,
    a_reader_that_fails_keeps_its_place)
