/* Submission cost with few and with many live buffers and events. Counted, not timed. The names end
   in "alive" for instructions.awk. */
#include "bench.h"

enum { FEW = 10, MANY = 100000, BYTES = 64 };

static struct {
  syclze_queue queue; /* in order */
  void *memory;
  syclze_buffer buffers[MANY];
  syclze_event events[MANY];
  uint32_t buffer_count, event_count;
  bool there;
} made;

static const uint32_t zero;

static ze_result_t make(const struct bench_world *world) {
  if (made.there) return ZE_RESULT_SUCCESS;
  syclze_context context = world->wrapped.context;
  syclze_device device = world->wrapped.device;
  syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  BENCH_TRY(syclze_queue_create(context, device, &in_order, &made.queue));
  BENCH_TRY(syclze_malloc_device(BYTES, device, context, &made.memory));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t fill(syclze_buffer buffer) {
  syclze_group group = syclze_group_begin(made.queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  return syclze_group_fill(&group, syclze_mem_arg(all), &zero, sizeof zero, BYTES, NULL);
}

/* Buffers over one allocation, each with pending uses. */
static ze_result_t make_buffers(const struct bench_world *world, uint32_t count) {
  syclze_buffer_input input = {made.memory, SYCLZE_OWNERSHIP_KEEP, 4, 1, {BYTES / 4, 0, 0}};
  for (; made.buffer_count < count; made.buffer_count++) {
    syclze_buffer *buffer = &made.buffers[made.buffer_count];
    BENCH_TRY(syclze_make_buffer(&input, world->wrapped.context, buffer));
    BENCH_TRY(fill(*buffer));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t among_buffers(const struct bench_world *world, uint32_t count, uint32_t alive) {
  BENCH_TRY(make(world));
  BENCH_TRY(make_buffers(world, alive));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(fill(made.buffers[i % FEW * (alive / FEW)]));
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
    syclze_group group = syclze_group_begin(made.queue);
    syclze_group_depends_on(&group, made.events[i % FEW * (alive / FEW)]);
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

const struct bench_op bench_flat_ops[] = {
    {"fill among buffers, 10 alive", 0, 1, 0, among_few_buffers, NULL, 0, false},
    {"fill among buffers, 100,000 alive", 0, 1, 0, among_many_buffers, NULL, 0, false},
    {"barrier among events, 10 alive", 0, 4, 0, among_few_events, NULL, 0, false},
    {"barrier among events, 100,000 alive", 0, 4, 0, among_many_events, NULL, 0, false},
    {0},
};
