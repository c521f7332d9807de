/* Whether a submission costs what it does with many buffers and events alive, and with many
 * submissions before it that wait: each is counted with few and with many. Only counted, and last:
 * the work waits to the end. The names end in "alive" for instructions.awk. */
#include "bench.h"

enum { FEW = 10, MANY = 100000, WAITING_FEW = 1000, BYTES = 64 };

static struct {
  syclze_queue in_order, any_order;
  void *memory;
  syclze_buffer buffers[MANY];
  syclze_event events[MANY];
  uint32_t buffer_count, event_count, waiting;
  bool there;
} made;

static const uint32_t zero;

static ze_result_t make(const struct bench_world *world) {
  if (made.there) return ZE_RESULT_SUCCESS;
  syclze_context context = world->wrapped.context;
  syclze_device device = world->wrapped.device;
  syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  BENCH_TRY(syclze_queue_create(context, device, &in_order, &made.in_order));
  BENCH_TRY(syclze_queue_create(context, device, NULL, &made.any_order));
  BENCH_TRY(syclze_malloc_device(BYTES, device, context, &made.memory));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fill(syclze_queue queue, syclze_buffer buffer) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  return syclze_group_fill(&group, syclze_place(all), &zero, sizeof zero, BYTES, NULL);
}

/* Buffers of one memory, each of them in use. */
static ze_result_t make_buffers(const struct bench_world *world, uint32_t count) {
  syclze_buffer_input input = {made.memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {BYTES / 4, 0, 0}};
  for (; made.buffer_count < count; made.buffer_count++) {
    syclze_buffer *buffer = &made.buffers[made.buffer_count];
    BENCH_TRY(syclze_make_buffer(&input, world->wrapped.context, buffer));
    BENCH_TRY(fill(made.in_order, *buffer));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t among_buffers(const struct bench_world *world, uint32_t count, uint32_t alive) {
  BENCH_TRY(make(world));
  BENCH_TRY(make_buffers(world, alive));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(fill(made.in_order, made.buffers[i % FEW * (alive / FEW)]));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t among_few_buffers(const struct bench_world *world, uint32_t count) {
  return among_buffers(world, count, FEW);
}

static ze_result_t among_many_buffers(const struct bench_world *world, uint32_t count) {
  return among_buffers(world, count, MANY);
}

static ze_result_t among_events(const struct bench_world *world, uint32_t count, uint32_t alive) {
  BENCH_TRY(make(world));
  for (; made.event_count < alive; made.event_count++)
    BENCH_TRY(syclze_event_create(world->wrapped.context, 0, &made.events[made.event_count]));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(made.in_order);
    syclze_depends_on(&group, made.events[i % FEW * (alive / FEW)]);
    BENCH_TRY(syclze_group_barrier(&group, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t among_few_events(const struct bench_world *world, uint32_t count) {
  return among_events(world, count, FEW);
}

static ze_result_t among_many_events(const struct bench_world *world, uint32_t count) {
  return among_events(world, count, MANY);
}

/* Has the next work wait for an event. */
static ze_result_t hold(const struct bench_world *world) {
  ze_event_handle_t event = world->event;
  return zeCommandListAppendWaitOnEvents(syclze_queue_get_native(made.any_order).list, 1, &event);
}

/* Each writes what the one before wrote, and so waits for it. */
static ze_result_t fill_often(uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(fill(made.any_order, made.buffers[0]));
  return ZE_RESULT_SUCCESS;
}

/* Once as many have waited at once as ever will, so that the free lists are warm. */
static ze_result_t warm(const struct bench_world *world) {
  BENCH_TRY(hold(world));
  BENCH_TRY(fill_often(MANY + MANY / 10));
  BENCH_TRY(zeEventHostSignal(world->event));
  BENCH_TRY(syclze_queue_release(made.any_order));
  BENCH_TRY(
      syclze_queue_create(world->wrapped.context, world->wrapped.device, NULL, &made.any_order));
  return hold(world);
}

static ze_result_t behind(const struct bench_world *world, uint32_t count, uint32_t waiting) {
  BENCH_TRY(make(world));
  BENCH_TRY(make_buffers(world, 1));
  if (made.waiting == 0) BENCH_TRY(warm(world));
  if (made.waiting < waiting) {
    BENCH_TRY(fill_often(waiting - made.waiting));
    made.waiting = waiting;
  }
  return fill_often(count);
}

static ze_result_t behind_few(const struct bench_world *world, uint32_t count) {
  return behind(world, count, WAITING_FEW);
}

static ze_result_t behind_many(const struct bench_world *world, uint32_t count) {
  return behind(world, count, MANY);
}

const struct bench_op bench_flat_ops[] = {
    {"submit a fill, buffers, 10 alive", 0, 0, among_few_buffers, NULL, 0, false},
    {"submit a fill, buffers, 100,000 alive", 0, 0, among_many_buffers, NULL, 0, false},
    {"submit a barrier, events, 10 alive", 0, 0, among_few_events, NULL, 0, false},
    {"submit a barrier, events, 100,000 alive", 0, 0, among_many_events, NULL, 0, false},
    {"submit a fill, waiting fills, 1,000 alive", 0, 0, behind_few, NULL, 0, false},
    {"submit a fill, waiting fills, 100,000 alive", 0, 0, behind_many, NULL, 0, false},
    {0},
};
