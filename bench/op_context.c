/* Contexts of one device. */
#include "bench.h"

static ze_result_t keep(const struct bench_world *world, uint32_t count) {
  syclze_device device = world->wrapped.device;
  for (uint32_t i = 0; i < count; i++) {
    ze_context_handle_t native = world->context;
    BENCH_OPAQUE(native);
    syclze_context_input input = {native, &device, 1, SYCLZE_OWNERSHIP_KEEP};
    syclze_context context;
    BENCH_TRY(syclze_make_context(&input, &context));
    BENCH_TRY(syclze_context_release(context));
  }
  return ZE_RESULT_SUCCESS;
}

/* The driver queries of a make. */
static ze_result_t queries(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeContextGetStatus(world->context));
  return ZE_RESULT_SUCCESS;
}

BENCH_CALLED ze_result_t called_make(const syclze_context_input *input, syclze_context *context) {
  return syclze_make_context(input, context);
}

BENCH_CALLED ze_result_t called_release(syclze_context context) {
  return syclze_context_release(context);
}

static ze_result_t keep_called(const struct bench_world *world, uint32_t count) {
  syclze_context_input input = {world->context, &world->wrapped.device, 1, SYCLZE_OWNERSHIP_KEEP};
  for (uint32_t i = 0; i < count; i++) {
    syclze_context context;
    BENCH_TRY(called_make(&input, &context));
    BENCH_TRY(called_release(context));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create(const struct bench_world *world, ze_context_handle_t *created) {
  ze_device_handle_t device = world->device;
  ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, NULL, 0};
  return zeContextCreateEx(world->driver, &desc, 1, &device, created);
}

static ze_result_t transfer(const struct bench_world *world, uint32_t count) {
  syclze_device device = world->wrapped.device;
  for (uint32_t i = 0; i < count; i++) {
    ze_context_handle_t native;
    BENCH_TRY(create(world, &native));
    syclze_context_input input = {native, &device, 1, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_context context;
    BENCH_TRY(syclze_make_context(&input, &context));
    BENCH_TRY(syclze_context_release(context));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_destroy(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_context_handle_t native;
    BENCH_TRY(create(world, &native));
    BENCH_TRY(zeContextDestroy(native));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_context_ops[] = {
    {"make + release, context of one device (keep)", 120, 0, 245200, keep, queries, 0, false},
    {"make + release, context of one device (called)", 0, 0, 245200, keep_called, queries, 0,
        false},
    {"create + make + release, context (transfer)", 0, 1, 0, transfer, create_destroy, 0, false},
    {0},
};
