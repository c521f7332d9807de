/* Cost with many live objects: all are made, then all released. The application's array is part of
   the work. The names end in "alive" for instructions.awk. */
#include "bench.h"

enum { MOST = 1000000 };

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static ze_result_t make_then_release(const struct bench_world *world, uint32_t count) {
  static syclze_event events[MOST];
  syclze_context context = world->wrapped.context;
  for (uint32_t i = 0; i < count; i++) {
    ze_event_handle_t native = world->event;
    BENCH_OPAQUE(native);
    syclze_event_input input = {native, SYCLZE_OWNERSHIP_KEEP};
    BENCH_TRY(syclze_make_event(&input, context, &events[i]));
  }
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_event_release(events[i]));
  return ZE_RESULT_SUCCESS;
}

/* Pending groups: each with an event, on one of sixteen buffers, after the previous group on the
   same buffer. */
static ze_result_t submit_and_hold(const struct bench_world *world, uint32_t count) {
  enum { BUFFERS = 16 };
  syclze_context context = world->wrapped.context;
  syclze_queue queue;
  syclze_buffer buffers[BUFFERS];
  BENCH_TRY(syclze_queue_create(context, world->wrapped.device, NULL, &queue));
  for (uint32_t i = 0; i < BUFFERS; i++) {
    void *memory;
    BENCH_TRY(syclze_malloc_device(64, world->wrapped.device, context, &memory));
    syclze_buffer_input input = {memory, SYCLZE_OWNERSHIP_TRANSFER, 4, 1, {16, 0, 0}};
    BENCH_TRY(syclze_make_buffer(&input, context, &buffers[i]));
  }
  zeEventHostSynchronize(world->event, 1);
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(queue);
    syclze_require(&group, buffers[i % BUFFERS], SYCLZE_ACCESS_READ_WRITE);
    BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, &one, NULL, 0, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  BENCH_TRY(syclze_queue_wait(queue));
  for (uint32_t i = 0; i < BUFFERS; i++)
    BENCH_TRY(syclze_buffer_release(buffers[i]));
  return syclze_queue_release(queue);
}

const struct bench_op bench_live_ops[] = {
    {"event (keep), 10 alive", 0, 0, 1178, make_then_release, NULL, 10, false},
    {"event (keep), 1,000 alive", 0, 0, 1178, make_then_release, NULL, 1000, false},
    {"event (keep), 100,000 alive", 0, 0, 1178, make_then_release, NULL, 100000, false},
    {"event (keep), 1,000,000 alive", 0, 0, 1178, make_then_release, NULL, MOST, false},
    {"group, 1,000 alive", 0, 11, 0, submit_and_hold, NULL, 1000, true},
    {"group, 10,000 alive", 0, 11, 0, submit_and_hold, NULL, 10000, true},
    {"group, 100,000 alive", 0, 11, 0, submit_and_hold, NULL, 100000, true},
    {0},
};
