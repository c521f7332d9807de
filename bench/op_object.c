/* The tagged unions, for kinds known at run time. */
#include "bench.h"

static ze_result_t make_event(const struct bench_world *world, uint32_t count) {
  ze_event_handle_t native = world->event;
  for (uint32_t i = 0; i < count; i++) {
    BENCH_OPAQUE(native);
    syclze_backend_input input = {0};
    input.kind = SYCLZE_OBJECT_EVENT;
    input.event.native_handle = native;
    input.event.ownership = SYCLZE_OWNERSHIP_KEEP;
    syclze_object object;
    BENCH_TRY(syclze_make_object(&input, world->wrapped.context, &object));
    BENCH_TRY(syclze_object_release(object));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t get_native(const struct bench_world *world, uint32_t count) {
  syclze_object object = {SYCLZE_OBJECT_EVENT, {.event = world->wrapped.event}};
  for (uint32_t i = 0; i < count; i++) {
    BENCH_OPAQUE(object.event.rep);
    syclze_backend_return native = syclze_object_get_native(object);
    BENCH_OPAQUE(native.event);
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_object_ops[] = {
    {"make_object + release, an event (keep)", 0, 0, 1178, make_event, NULL, 0, false},
    {"object_get_native, an event", 0, 0, 187, get_native, NULL, 0, false},
    {0},
};
