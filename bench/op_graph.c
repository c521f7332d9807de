/* Dependent command groups: a chain over two queues, and a fan of readers on an out-of-order queue.
   The plain version signals an event of a pool per command, and resets the pool at the end of the
   block; larger blocks reuse events. */
#include "bench.h"

enum { EVENTS = 4096, BYTES = 64 };

static struct {
  syclze_queue queues[2], any_order;
  syclze_buffer buffer;
  void *memory, *target;
  ze_event_pool_handle_t pool;
  ze_event_handle_t events[EVENTS];
  bool there;
} made;

static const uint32_t zero;

static ze_result_t make_events(const struct bench_world *world) {
  ze_device_handle_t device = world->device;
  ze_event_pool_desc_t pool = {0};
  pool.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool.count = EVENTS;
  BENCH_TRY(zeEventPoolCreate(world->context, &pool, 1, &device, &made.pool));
  for (uint32_t i = 0; i < EVENTS; i++) {
    ze_event_desc_t desc = {0};
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    desc.index = i;
    BENCH_TRY(zeEventCreate(made.pool, &desc, &made.events[i]));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t make(const struct bench_world *world) {
  if (made.there) return ZE_RESULT_SUCCESS;
  syclze_context context = world->wrapped.context;
  syclze_device device = world->wrapped.device;
  syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  for (int i = 0; i < 2; i++)
    BENCH_TRY(syclze_queue_create(context, device, &in_order, &made.queues[i]));
  BENCH_TRY(syclze_queue_create(context, device, NULL, &made.any_order));
  BENCH_TRY(syclze_malloc_device(BYTES, device, context, &made.memory));
  BENCH_TRY(syclze_malloc_device(BYTES, device, context, &made.target));
  syclze_buffer_input input = {made.memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {BYTES / 4, 0, 0}};
  BENCH_TRY(syclze_make_buffer(&input, context, &made.buffer));
  BENCH_TRY(make_events(world));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t finish(void) {
  for (int i = 0; i < 2; i++)
    BENCH_TRY(syclze_queue_wait(made.queues[i]));
  return syclze_queue_wait(made.any_order);
}

static ze_result_t finish_plain(uint32_t count) {
  uint32_t used = count < EVENTS ? count : EVENTS;
  for (uint32_t i = 0; i < used; i++)
    BENCH_TRY(zeEventHostSynchronize(made.events[i], UINT64_MAX));
  BENCH_TRY(finish());
  for (uint32_t i = 0; i < used; i++)
    BENCH_TRY(zeEventHostReset(made.events[i]));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fill(syclze_queue queue) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, made.buffer, SYCLZE_ACCESS_WRITE);
  return syclze_group_fill(&group, syclze_mem_arg(all), &zero, 4, BYTES, NULL);
}

static ze_result_t chain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(fill(made.queues[i % 2]));
  return finish();
}

static ze_result_t chain_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_command_list_handle_t lists[2] = {
      syclze_queue_get_native(made.queues[0]).list, syclze_queue_get_native(made.queues[1]).list};
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryFill(lists[i % 2], made.memory, &zero, 4, BYTES,
        made.events[i % EVENTS], i != 0, &made.events[(i + EVENTS - 1) % EVENTS]));
  return finish_plain(count);
}

/* Nothing is done before the end. */
static ze_result_t chain_pending(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  zeEventHostSynchronize(world->event, 1);
  return chain(world, count);
}

static ze_result_t read_all(uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(made.any_order);
    syclze_accessor all = syclze_require(&group, made.buffer, SYCLZE_ACCESS_READ);
    BENCH_TRY(
        syclze_group_copy(&group, syclze_mem_arg(made.target), syclze_mem_arg(all), BYTES, NULL));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fan(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  BENCH_TRY(fill(made.queues[0]));
  BENCH_TRY(read_all(count));
  BENCH_TRY(fill(made.queues[1]));
  return finish();
}

/* Fans of so many that the writer behind them takes part. */
static ze_result_t fans_pending(const struct bench_world *world, uint32_t count) {
  enum { READERS = 32 };
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i += READERS) {
    zeEventHostSynchronize(world->event, 1);
    BENCH_TRY(fill(made.queues[0]));
    BENCH_TRY(read_all(READERS));
    BENCH_TRY(fill(made.queues[1]));
    BENCH_TRY(finish());
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fan_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_command_list_handle_t first = syclze_queue_get_native(made.queues[0]).list;
  ze_command_list_handle_t last = syclze_queue_get_native(made.queues[1]).list;
  ze_command_list_handle_t readers = syclze_queue_get_native(made.any_order).list;
  BENCH_TRY(
      zeCommandListAppendMemoryFill(first, made.memory, &zero, 4, BYTES, made.events[0], 0, NULL));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryCopy(readers, made.target, made.memory, BYTES,
        made.events[1 + i % (EVENTS - 1)], 1, &made.events[0]));
  uint32_t used = count < EVENTS - 1 ? count : EVENTS - 1;
  BENCH_TRY(zeCommandListAppendMemoryFill(
      last, made.memory, &zero, 4, BYTES, NULL, used, &made.events[1]));
  return finish_plain(used + 1);
}

const struct bench_op bench_graph_ops[] = {
    {"a chain over two queues", 1300, 11, 0, chain, chain_plain, 0, false},
    {"a chain over two queues, none done", 0, 12, 0, chain_pending, chain_plain, 0, false},
    {"a fan of readers, out of order", 1115, 8, 0, fan, fan_plain, 0, false},
    {"fans of 32 readers, none done", 0, 11, 0, fans_pending, fan_plain, 0, false},
    {0},
};
