/* The v1 queue input with a context that is not of the first platform: the queue is on the first
   device of the context. */
#include "support/made.h"
#include "support/spy.h"
#include "support/works.h"

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DRIVERS", "2");
  given_environment("ZECL_DEVICES", "2");
}

// shows backend 40, peers 3
TEST(a_v1_queue_uses_a_device_of_its_context_not_of_the_first_platform) {
  ze_driver_handle_t drivers[2];
  ze_device_handle_t handles[2];
  uint32_t count = given_drivers(drivers, 2);
  given_needs_zecl(drivers[0]);
  CHECK_EQ(count, 2);
  CHECK_EQ(given_devices(drivers[1], handles, 2), 2);
  struct given g = given_on(drivers[1], handles[1]);
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_queue_input_v1 input = {g.queue, SYCLZE_OWNERSHIP_KEEP};
  syclze_queue queue;
  CHECK_EQ(syclze_make_queue_v1(&input, context, &queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_device_get_native(syclze_queue_get_device(queue)), handles[1]);
  works_queue(&g, syclze_queue_get_native(queue).queue);
  CHECK_EQ(syclze_queue_release(queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(a_v1_queue_uses_a_device_of_its_context_not_of_the_first_platform)
