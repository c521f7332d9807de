/* Whether the cost stays what it is with many objects alive: all are made, then all released. The
 * application's array of them is part of the work. The names end in "alive" for instructions.awk.
 */
#include "bench.h"

enum { MOST = 1000000 };

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

const struct bench_op bench_live_ops[] = {
    {"event (keep), 10 alive", 0, 749, make_then_release, NULL, 10, false},
    {"event (keep), 1,000 alive", 0, 749, make_then_release, NULL, 1000, false},
    {"event (keep), 100,000 alive", 0, 749, make_then_release, NULL, 100000, false},
    {"event (keep), 1,000,000 alive", 0, 749, make_then_release, NULL, MOST, false},
    {0},
};
