/* A buffer of one driver, used by command groups on a queue of another driver. */
#include "support/made.h"

#include "support/spy.h"

enum { ITEMS = 1000 };

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DRIVERS", "2");
}

static syclze_queue queue_on(const struct given *g, syclze_context *context) {
  syclze_device device = made_device(g);
  CHECK_EQ(syclze_context_create(&device, 1, context), ZE_RESULT_SUCCESS);
  syclze_queue queue;
  CHECK_EQ(syclze_queue_create(*context, device, NULL, &queue), ZE_RESULT_SUCCESS);
  return queue;
}

static void fill(syclze_queue queue, syclze_buffer buffer, size_t first, uint32_t value) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor part =
      syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_WRITE, first, ITEMS / 2);
  CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(part), &value, 4, ITEMS / 2 * 4, NULL),
      ZE_RESULT_SUCCESS);
}

TEST(two_drivers_share_a_buffer) { // shows backend 59
  ze_driver_handle_t drivers[2];
  ze_device_handle_t device;
  uint32_t count = given_drivers(drivers, 2);
  given_needs_two(drivers[0], count);
  given_needs_execution();
  struct given g[2];
  syclze_queue queues[2];
  syclze_context contexts[2];
  CHECK_EQ(given_devices(drivers[0], &device, 1), 1);
  g[0] = given_on(drivers[0], device);
  g[1] = g[0];
  g[1].driver = drivers[1];
  CHECK_EQ(given_devices(drivers[1], &g[1].device, 1), 1);
  for (int i = 0; i < 2; i++)
    queues[i] = queue_on(&g[i], &contexts[i]);
  void *memory;
  CHECK_EQ(
      syclze_malloc_device(ITEMS * 4, made_device(&g[0]), contexts[0], &memory), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {ITEMS, 0, 0}};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, contexts[0], &buffer), ZE_RESULT_SUCCESS);
  for (uint32_t round = 0; round < 20; round++) {
    uint32_t values[ITEMS];
    syclze_event done;
    fill(queues[0], buffer, 0, round);
    fill(queues[1], buffer, ITEMS / 2, round + 1000);
    syclze_group group = syclze_group_begin(queues[round % 2]);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
    CHECK_EQ(syclze_group_update_host(&group, values, all, &done), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_wait(done), ZE_RESULT_SUCCESS);
    syclze_event_release(done);
    for (uint32_t i = 0; i < ITEMS; i++)
      CHECK_EQ(values[i], i < ITEMS / 2 ? round : round + 1000);
  }
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_release(queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_context_release(contexts[i]), ZE_RESULT_SUCCESS);
  }
  given_end(&g[0]);
}

TEST_MAIN(two_drivers_share_a_buffer)
