/* A scope's guard in C++, where syclze_scope_add is overloaded. */
#include "support/zoo.h"
#include "syclze/setup.h"
#include "tests/check.h"

TEST(a_scope_takes_each_kind_in_cpp) { // shows queues 23
  zoo_begin();
  syclze_event_input input = {zoo.event, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_queue_input queue_input = {
      syclze_native_queue_of_list(zoo.list), world.device, SYCLZE_OWNERSHIP_TRANSFER, {}};
  {
    syclze_scoped(setup) s = {};
    syclze_scoped(scope) made = {};
    syclze_event event;
    syclze_queue queue;
    CHECK_OK(syclze_setup_create(world.device, NULL, &s));
    CHECK_OK(syclze_make_event(&input, world.context, &event));
    CHECK_OK(syclze_make_queue(&queue_input, world.context, &queue));
    CHECK_OK(syclze_scope_add(&made, event));
    CHECK_OK(syclze_scope_add(&made, queue));
    CHECK_EQ(fake_all_destroys(), 0);
  }
  CHECK_EQ(fake_destroyed_as(zoo.list), 1);
  CHECK_EQ(fake_destroyed_as(zoo.event), 2);
  zoo_end();
}

TEST_MAIN(a_scope_takes_each_kind_in_cpp)
