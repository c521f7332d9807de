/* Wrapped events of the application's pool. */
#include "bench.h"

static ze_result_t keep(const struct bench_world *world, uint32_t count) {
  syclze_context context = world->wrapped.context;
  for (uint32_t i = 0; i < count; i++) {
    ze_event_handle_t native = world->event;
    BENCH_OPAQUE(native);
    syclze_event_input input = {native, SYCLZE_OWNERSHIP_KEEP};
    syclze_event event;
    BENCH_TRY(syclze_make_event(&input, context, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return ZE_RESULT_SUCCESS;
}

/* The driver queries of a make. */
static ze_result_t queries(const struct bench_world *world, uint32_t count) {
  if (world->newer.event_get_pool == NULL || world->newer.pool_get_context == NULL)
    return ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    ze_event_handle_t native = world->event;
    BENCH_OPAQUE(native);
    ze_event_pool_handle_t pool;
    ze_context_handle_t context;
    BENCH_TRY(world->newer.event_get_pool(native, &pool));
    BENCH_TRY(world->newer.pool_get_context(pool, &context));
    if (context != world->context) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return ZE_RESULT_SUCCESS;
}

BENCH_CALLED ze_result_t called_make(
    const syclze_event_input *input, syclze_context context, syclze_event *event) {
  return syclze_make_event(input, context, event);
}

BENCH_CALLED ze_result_t called_release(syclze_event event) {
  return syclze_event_release(event);
}

static ze_result_t keep_called(const struct bench_world *world, uint32_t count) {
  syclze_event_input input = {world->event, SYCLZE_OWNERSHIP_KEEP};
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    BENCH_TRY(called_make(&input, world->wrapped.context, &event));
    BENCH_TRY(called_release(event));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create(const struct bench_world *world, ze_event_handle_t *created) {
  ze_event_desc_t desc = {
      ZE_STRUCTURE_TYPE_EVENT_DESC, NULL, 1, ZE_EVENT_SCOPE_FLAG_HOST, ZE_EVENT_SCOPE_FLAG_HOST};
  return zeEventCreate(world->event_pool, &desc, created);
}

static ze_result_t transfer(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_event_handle_t native;
    BENCH_TRY(create(world, &native));
    syclze_event_input input = {native, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_event event;
    BENCH_TRY(syclze_make_event(&input, world->wrapped.context, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_destroy(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_event_handle_t native;
    BENCH_TRY(create(world, &native));
    BENCH_TRY(zeEventDestroy(native));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_release(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    BENCH_TRY(syclze_event_create(world->wrapped.context, 0, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t reset(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeEventHostReset(world->event));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t status(const struct bench_world *world, uint32_t count) {
  syclze_event event;
  BENCH_TRY(syclze_event_create(world->wrapped.context, 0, &event));
  BENCH_TRY(zeEventHostSignal(syclze_event_get_native(event)));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event_status is;
    BENCH_OPAQUE(event);
    BENCH_TRY(syclze_event_get_status(event, &is));
  }
  return syclze_event_release(event);
}

static ze_result_t query(const struct bench_world *world, uint32_t count) {
  syclze_event event;
  BENCH_TRY(syclze_event_create(world->wrapped.context, 0, &event));
  ze_event_handle_t native = syclze_event_get_native(event);
  for (uint32_t i = 0; i < count; i++) {
    BENCH_OPAQUE(native);
    const ze_result_t result = zeEventQueryStatus(native);
    if (result != ZE_RESULT_NOT_READY) BENCH_TRY(result);
  }
  return syclze_event_release(event);
}

enum { SEVERAL = 4 };

static ze_result_t wait_for_several(const struct bench_world *world, uint32_t count) {
  const syclze_event event = world->wrapped.signalled,
                     events[SEVERAL] = {event, event, event, event};
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_events_wait(events, SEVERAL));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t synchronize_several(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t j = 0; j < SEVERAL; j++)
      BENCH_TRY(zeEventHostSynchronize(world->signalled, UINT64_MAX));
  return ZE_RESULT_SUCCESS;
}

static ze_result_t wait_for_null(const struct bench_world *world, uint32_t count) {
  (void)world;
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event = {NULL};
    BENCH_OPAQUE(event);
    BENCH_TRY(syclze_event_wait(event));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_event_ops[] = {
    {"make + release, event (keep)", 60, 0, 1178, keep, queries, 0, false},
    {"make + release, event (called)", 0, 0, 1178, keep_called, queries, 0, false},
    {"create + make + release, event (transfer)", 0, 0, 0, transfer, create_destroy, 0, false},
    {"event_create + release, beside create + destroy", 0, 0, 0, create_release, create_destroy, 0,
        false},
    {"event_create + release, beside one host reset", 100, 0, 0, create_release, reset, 0, false},
    {"event_get_status", 40, 0, 0, status, query, 0, false},
    {"events_wait, four events", 120, 0, 0, wait_for_several, synchronize_several, 0, false},
    {"event_wait, a null event", 8, 0, 0, wait_for_null, NULL, 0, false},
    {0},
};
