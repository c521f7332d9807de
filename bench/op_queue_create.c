/* Queues that the library creates, with the properties of syclze_queue_create. */
#include "bench.h"

ALWAYS_INLINE ze_result_t create_release(
    const struct bench_world *world, uint32_t count, uint32_t flags) {
  const syclze_property_list properties = {.flags = flags};
  for (uint32_t i = 0; i < count; i++) {
    syclze_queue queue;
    BENCH_TRY(
        syclze_queue_create(world->wrapped.context, world->wrapped.device, &properties, &queue));
    BENCH_TRY(syclze_queue_release(queue));
  }
  return ZE_RESULT_SUCCESS;
}

ON(in_order, create_release, SYCLZE_QUEUE_PROPERTY_IN_ORDER)
ON(of_group, create_release, SYCLZE_QUEUE_PROPERTY_ORDINAL | SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX)
ON(synchronous, create_release, SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS)
ON(low_power, create_release, SYCLZE_QUEUE_PROPERTY_LOW_POWER_EVENTS)
ON(command_queue, create_release, SYCLZE_QUEUE_PROPERTY_NO_IMMEDIATE_COMMAND_LIST)

ALWAYS_INLINE ze_result_t create_destroy(
    const struct bench_world *world, uint32_t count, bool is_list) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t list;
    ze_command_queue_handle_t queue;
    if (is_list) {
      BENCH_TRY(
          zeCommandListCreateImmediate(world->context, world->device, &world->queue_desc, &list));
      BENCH_TRY(zeCommandListDestroy(list));
    } else {
      BENCH_TRY(zeCommandQueueCreate(world->context, world->device, &world->queue_desc, &queue));
      BENCH_TRY(zeCommandQueueDestroy(queue));
    }
  }
  return ZE_RESULT_SUCCESS;
}

ON(list_plain, create_destroy, true)
ON(command_queue_plain, create_destroy, false)

const struct bench_op bench_queue_create_ops[] = {
    {"queue_create + release, in-order", 390, 0, 0, in_order, list_plain, 0, false},
    {"queue_create + release, ordinal and index", 715, 0, 0, of_group, list_plain, 0, false},
    {"queue_create + release, synchronous", 390, 0, 0, synchronous, list_plain, 0, false},
    {"queue_create + release, low-power events", 390, 0, 0, low_power, list_plain, 0, false},
    {"queue_create + release, command queue", 390, 0, 0, command_queue, command_queue_plain, 0,
        false},
    {0},
};
