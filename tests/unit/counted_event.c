/* Which queues use counter-based events (command/detail/counted_event.h), on the fake, whose lists
   execute at once; device/command_counted.c runs commands with them. */
#define _POSIX_C_SOURCE 200809L
#include "support/world.h"
#include "syclze/command.h"
#include "tests/check.h"

#include "graph_driver.h"

#include <stdlib.h>

static syclze_queue queue_on(syclze_device device, syclze_context context, uint32_t flags) {
  const syclze_property_list properties = {.flags = flags};
  syclze_queue queue;
  CHECK_OK(syclze_queue_create(context, device, &properties, &queue));
  return queue;
}

/* Whether the second event of a queue counts: the first submission makes what later ones find. The
   queue is released. The fake reports a reset of one that counts. */
static bool counts_on(syclze_queue queue) {
  bool counts = false;
  for (int i = 0; i < 3; i++) {
    syclze_event event;
    CHECK_OK(syclze_queue_submit_barrier(queue, &event));
    const bool is_counted = event.rep->pooled->kind == SYCLZE__EVENT_COUNTED;
    if (i == 2) CHECK_EQ(is_counted, counts);
    counts = is_counted;
    CHECK_OK(syclze_event_wait(event));
    CHECK_OK(syclze_event_release(event));
  }
  CHECK_STR_EQ(noted(), "barrier barrier barrier");
  CHECK_OK(syclze_queue_release(queue));
  (void)noted();
  return counts;
}

static bool counts(syclze_device device, syclze_context context) {
  return counts_on(queue_on(device, context, SYCLZE_QUEUE_PROPERTY_IN_ORDER));
}

TEST(events_count_where_the_driver_or_the_user_says_so) {
  static const struct {
    const char *wanted; /* SYCLZE_COUNTED_EVENTS */
    int there;          /* the function; 2: the extension */
    bool counts;
  } cases[] = {{NULL, 0, false}, {NULL, 1, false}, {NULL, 2, true}, {"0", 2, false},
      {"1", 0, false}, {"1", 1, true}, {"1", 2, true}, {"", 1, false}, {"", 2, true}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    world_begin();
    fake.counted_events = cases[i].there;
    unsetenv("SYCLZE_COUNTED_EVENTS");
    if (cases[i].wanted != NULL) setenv("SYCLZE_COUNTED_EVENTS", cases[i].wanted, 1);
    CHECK_EQ(counts(world.device, world.context), cases[i].counts);
    world_end();
  }
  unsetenv("SYCLZE_COUNTED_EVENTS");
}

/* The driver's function would get the loader's, and the loader's functions the driver's event. */
TEST(a_loader_with_handles_of_its_own_has_none) {
  static const char *const wanted[] = {"", "1"};
  for (int i = 0; i < 2; i++) {
    world_begin();
    setenv("SYCLZE_COUNTED_EVENTS", wanted[i], 1);
    fake.counted_events = 2;
    fake.own_handle = &fake;
    CHECK(!counts(world.device, world.context));
    world_end();
  }
  unsetenv("SYCLZE_COUNTED_EVENTS");
}

TEST(only_in_order_queues_on_the_context_s_only_device_have_them) {
  world_begin();
  const syclze_device both[] = {world.device, world.device2};
  const syclze_context wide = world_context(world.native_context, both, 2);
  fake.counted_events = 2;
  CHECK(!counts(world.device, wide));
  CHECK(!counts(world.sub_device, world.context));
  CHECK(!counts_on(queue_on(world.device, world.context, 0)));
  CHECK(!counts_on(queue_on(world.device, world.context,
      SYCLZE_QUEUE_PROPERTY_IN_ORDER | SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS)));
  CHECK(counts(world.device, world.context));
  CHECK_OK(syclze_context_release(wide));
  world_end();
}

TEST_MAIN(events_count_where_the_driver_or_the_user_says_so,
    a_loader_with_handles_of_its_own_has_none,
    only_in_order_queues_on_the_context_s_only_device_have_them)
