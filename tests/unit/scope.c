/* Cleanup guards: what they release, when, in which order, and _take. */
#include "support/zoo.h"
#include "tests/check.h"

static syclze_event wrapped_event(void) {
  syclze_event_input input = {zoo.event, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_event event;
  CHECK_OK(syclze_make_event(&input, world.context, &event));
  return event;
}

TEST(every_kind_is_released_in_reverse_order) {
  zoo_begin();
  syclze_context_input context_input = {zoo.context, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_queue_input queue_input = {
      syclze_native_queue_of_list(zoo.list), world.device, SYCLZE_OWNERSHIP_TRANSFER, {0}};
  syclze_kernel_bundle_input bundle_input = {zoo.module, SYCLZE_OWNERSHIP_TRANSFER};
  {
    syclze_scoped(context) context = {0};
    syclze_scoped(queue) queue = {0};
    syclze_scoped(event) event = wrapped_event();
    syclze_scoped(kernel_bundle) bundle = {0};
    syclze_scoped(kernel) kernel = {0};
    CHECK_OK(syclze_make_context(&context_input, &context));
    CHECK_OK(syclze_make_queue(&queue_input, world.context, &queue));
    CHECK_OK(syclze_make_kernel_bundle(&bundle_input, world.context, &bundle));
    syclze_kernel_input kernel_input = {bundle, zoo.kernel, SYCLZE_OWNERSHIP_TRANSFER};
    CHECK_OK(syclze_make_kernel(&kernel_input, world.context, &kernel));
    CHECK_EQ(fake_all_destroys(), 0);
    (void)event;
  }
  CHECK_EQ(fake_destroyed_as(zoo.kernel), 1);
  CHECK_EQ(fake_destroyed_as(zoo.module), 2);
  CHECK_EQ(fake_destroyed_as(zoo.event), 3);
  CHECK_EQ(fake_destroyed_as(zoo.list), 4);
  CHECK_EQ(fake_destroyed_as(zoo.context), 5);
  zoo_end();
}

TEST(null_guards_release_nothing) {
  zoo_begin();
  unsigned calls = fake_all_calls();
  {
    syclze_scoped(context) context = {0};
    syclze_scoped(kernel) kernel = {0};
    (void)context, (void)kernel;
  }
  CHECK_EQ(fake_all_calls(), calls);
  zoo_end();
}

/* Leaves the scope by return, by break, by goto. */
static int leave(int how) {
  for (;;) {
    syclze_scoped(event) event = wrapped_event();
    (void)event;
    if (how == 0) return 0;
    if (how == 1) break;
    goto out;
  }
  return 1;
out:
  return 2;
}

TEST(guards_run_on_every_exit_from_a_scope) {
  for (int how = 0; how < 3; how++) {
    zoo_begin();
    CHECK_EQ(leave(how), how);
    CHECK_EQ(fake_destroys(zoo.event), 1);
    zoo_end();
  }
  zoo_begin();
  unsigned rounds = 0;
  for (int i = 0; i < 3; i++) {
    syclze_scoped(event) event = {0};
    CHECK_OK(syclze_event_create(world.context, 0, &event));
    rounds++;
    if (i < 2) continue;
  }
  /* One native event serves all rounds, since each round keeps it. */
  CHECK_EQ(rounds, 3);
  CHECK_EQ(fake_calls(FAKE_zeEventHostReset), 2);
  zoo_end();
}

static syclze_event made_and_taken(void) {
  syclze_scoped(event) event = wrapped_event();
  return syclze_event_take(&event);
}

TEST(take_disarms_the_guard) {
  zoo_begin();
  syclze_event event = made_and_taken();
  CHECK(fake_is_alive(zoo.event));
  CHECK_EQ(syclze_event_get_native(event), zoo.event);
  syclze_event taken = syclze_event_take(&event);
  CHECK_EQ(event.rep, NULL);
  CHECK_EQ(syclze_event_take(&event).rep, NULL);
  CHECK_OK(syclze_event_release(taken));
  CHECK_EQ(fake_destroys(zoo.event), 1);
  zoo_end();
}

TEST_MAIN(every_kind_is_released_in_reverse_order, null_guards_release_nothing,
    guards_run_on_every_exit_from_a_scope, take_disarms_the_guard)
