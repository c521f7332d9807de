/* Submissions of command groups to in-order lists. */
#include "submissions_by_hand.h"

struct bench_submissions bench_made;

static ze_result_t make_buffer(const struct bench_world *world, int at, syclze_buffer *buffer) {
  BENCH_TRY(syclze_malloc_device(
      64, world->wrapped.device, world->wrapped.context, &bench_made.memory[at]));
  syclze_buffer_input input = {bench_made.memory[at], SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
  return syclze_make_buffer(&input, world->wrapped.context, buffer);
}

/* Loaders without zeCommandListImmediateGetFlags and -GetMode need the properties. */
static ze_result_t make_queue(const struct bench_world *world, enum queue_kind kind) {
  const bool is_in_order = kind == WRAPPED, is_synchronous = kind == SYNCHRONOUS;
  syclze_queue_input input = {{0}, world->wrapped.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  input.native_handle = syclze_native_queue_of_queue(world->queue);
  if (is_in_order && world->newer.list_get_flags == NULL)
    input.properties.flags |= SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  if (is_synchronous && world->newer.list_get_mode == NULL)
    input.properties.flags |= SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS;
  if (kind != REGULAR) {
    ze_command_queue_desc_t desc = world->queue_desc;
    if (is_in_order) desc.flags |= 1u << 1; /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER */
    if (is_synchronous) desc.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
    BENCH_TRY(zeCommandListCreateImmediate(
        world->context, world->device, &desc, &bench_made.lists[kind]));
    input.native_handle = syclze_native_queue_of_list(bench_made.lists[kind]);
  }
  return syclze_make_queue(&input, world->wrapped.context, &bench_made.queues[kind]);
}

static ze_result_t make_events(const struct bench_world *world) {
  ze_event_pool_desc_t pool_desc = {0};
  ze_event_pool_handle_t pool;
  pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool_desc.count = BENCH_EVENTS;
  ze_device_handle_t device = world->device;
  BENCH_TRY(zeEventPoolCreate(world->context, &pool_desc, 1, &device, &pool));
  for (uint32_t i = 0; i < BENCH_EVENTS; i++) {
    ze_event_desc_t desc = {0};
    desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
    desc.index = i;
    BENCH_TRY(zeEventCreate(pool, &desc, &bench_made.events[i]));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t make_regular_lists(const struct bench_world *world) {
  ze_command_list_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  for (uint32_t i = 0; i < BENCH_LISTS; i++)
    BENCH_TRY(
        zeCommandListCreate(world->context, world->device, &desc, &bench_made.regular_lists[i]));
  return ZE_RESULT_SUCCESS;
}

ze_result_t bench_submissions_make(const struct bench_world *world) {
  if (bench_made.there) return ZE_RESULT_SUCCESS;
  syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  BENCH_TRY(syclze_queue_create(
      world->wrapped.context, world->wrapped.device, &properties, &bench_made.queues[OWN]));
  bench_made.lists[OWN] = syclze_queue_get_native(bench_made.queues[OWN]).list;
  BENCH_TRY(make_queue(world, WRAPPED));
  BENCH_TRY(make_queue(world, OUT_OF_ORDER));
  BENCH_TRY(make_queue(world, REGULAR));
  BENCH_TRY(make_queue(world, SYNCHRONOUS));
  BENCH_TRY(make_buffer(world, 0, &bench_made.x));
  BENCH_TRY(make_buffer(world, 1, &bench_made.y));
  BENCH_TRY(make_events(world));
  BENCH_TRY(make_regular_lists(world));
  bench_made.there = true;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t submit_untraced(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(bench_submissions_make(world));
  BENCH_TRY(bench_launches_untraced(bench_made.queues[OWN], world->wrapped.no_work, count));
  return finish(world, OWN);
}

BENCH_ALL_ON(own, OWN)
BENCH_ALL_ON(wrapped, WRAPPED)
ON(own_queue_copy, queue_copy, OWN)
ON(own_queue_launch, queue_launch, OWN)
ON(own_range, launch_range, OWN)
ON(wrapped_range, launch_range, WRAPPED)

const struct bench_op bench_submit_ops[] = {
    BENCH_ROW("submit a kernel, in-order, no event", 250, 1, 3000, own_launch, true),
    {"submit a kernel, beside one without trace points", 70, 0, 0, own_launch, submit_untraced, 0,
        true},
    {"submit a kernel, in-order, range of run time", 250, 1, 3000, own_range, own_launch_plain, 0,
        true},
    BENCH_ROW("submit a kernel, in-order, with an event", 350, 2, 4127, own_event, true),
    BENCH_ROW("submit a kernel, in-order, two accessors", 455, 1, 22640, own_accessors, true),
    BENCH_ROW("submit a USM copy, in-order", 180, 1, 1386, own_copy, false),
    {"submit a USM copy, no group, in-order", 102, 1, 1386, own_queue_copy, own_copy_plain, 0,
        false},
    {"submit a kernel, no group, in-order", 170, 1, 3000, own_queue_launch, own_launch_plain, 0,
        true},
    BENCH_ROW("submit a USM copy and wait, in-order", 220, 1, 0, own_copy_and_wait, false),
    BENCH_ROW("submit a barrier, in-order", 100, 1, 0, own_barrier, false),
    BENCH_ROW("wait for a queue, in-order", 60, 0, 0, own_wait, false),
    BENCH_ROW("submit a kernel, wrapped in-order, no event", 250, 1, 3000, wrapped_launch, true),
    {"submit a kernel, wrapped in-order, range of run time", 250, 1, 3000, wrapped_range,
        wrapped_launch_plain, 0, true},
    BENCH_ROW(
        "submit a kernel, wrapped in-order, with an event", 350, 2, 4127, wrapped_event, true),
    BENCH_ROW(
        "submit a kernel, wrapped in-order, two accessors", 455, 1, 22640, wrapped_accessors, true),
    BENCH_ROW("submit a USM copy, wrapped in-order", 180, 1, 1386, wrapped_copy, false),
    BENCH_ROW(
        "submit a USM copy and wait, wrapped in-order", 220, 1, 0, wrapped_copy_and_wait, false),
    BENCH_ROW("submit a barrier, wrapped in-order", 606, 4, 0, wrapped_barrier, false),
    BENCH_ROW("wait for a queue, wrapped in-order", 60, 0, 0, wrapped_wait, false),
    {0},
};
