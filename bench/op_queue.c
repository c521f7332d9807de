/* Queues, on command queues and on immediate command lists. */
#include "bench.h"

SYCLZE_INLINE ze_result_t make_release(
    const struct bench_world *world, syclze_native_queue native, syclze_ownership ownership) {
  syclze_queue_input input = {native, world->wrapped.device, ownership, {0, 0, 0}};
  syclze_queue queue;
  BENCH_TRY(syclze_make_queue(&input, world->wrapped.context, &queue));
  return syclze_queue_release(queue);
}

static ze_result_t keep(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_queue_handle_t native = world->queue;
    BENCH_OPAQUE(native);
    BENCH_TRY(make_release(world, syclze_native_queue_of(native), SYCLZE_OWNERSHIP_KEEP));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t keep_list(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t native = world->list;
    BENCH_OPAQUE(native);
    BENCH_TRY(make_release(world, syclze_native_queue_of(native), SYCLZE_OWNERSHIP_KEEP));
  }
  return ZE_RESULT_SUCCESS;
}

/* The driver queries of a make over a list. */
static ze_result_t queries(const struct bench_world *world, uint32_t count) {
  if (world->newer.list_is_immediate == NULL || world->newer.list_get_context == NULL ||
      world->newer.list_get_device == NULL)
    return ZE_RESULT_SUCCESS;
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t native = world->list;
    BENCH_OPAQUE(native);
    ze_bool_t immediate;
    ze_context_handle_t context;
    ze_device_handle_t device;
    BENCH_TRY(world->newer.list_is_immediate(native, &immediate));
    BENCH_TRY(world->newer.list_get_context(native, &context));
    BENCH_TRY(world->newer.list_get_device(native, &device));
    if (!immediate || context != world->context || device != world->device)
      return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return ZE_RESULT_SUCCESS;
}

BENCH_CALLED ze_result_t called_make(
    const syclze_queue_input *input, syclze_context context, syclze_queue *queue) {
  return syclze_make_queue(input, context, queue);
}

BENCH_CALLED ze_result_t called_release(syclze_queue queue) {
  return syclze_queue_release(queue);
}

static ze_result_t keep_list_called(const struct bench_world *world, uint32_t count) {
  syclze_queue_input input = {
      syclze_native_queue_of(world->list), world->wrapped.device, SYCLZE_OWNERSHIP_KEEP, {0, 0, 0}};
  for (uint32_t i = 0; i < count; i++) {
    syclze_queue queue;
    BENCH_TRY(called_make(&input, world->wrapped.context, &queue));
    BENCH_TRY(called_release(queue));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t transfer(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_queue_handle_t native;
    BENCH_TRY(zeCommandQueueCreate(world->context, world->device, &world->queue_desc, &native));
    BENCH_TRY(make_release(world, syclze_native_queue_of(native), SYCLZE_OWNERSHIP_TRANSFER));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_destroy(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_queue_handle_t native;
    BENCH_TRY(zeCommandQueueCreate(world->context, world->device, &world->queue_desc, &native));
    BENCH_TRY(zeCommandQueueDestroy(native));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_list(const struct bench_world *world, ze_command_list_handle_t *created) {
  return zeCommandListCreateImmediate(world->context, world->device, &world->queue_desc, created);
}

static ze_result_t transfer_list(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t native;
    BENCH_TRY(create_list(world, &native));
    BENCH_TRY(make_release(world, syclze_native_queue_of(native), SYCLZE_OWNERSHIP_TRANSFER));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_release(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    syclze_queue queue;
    BENCH_TRY(syclze_queue_create(world->wrapped.context, world->wrapped.device, NULL, &queue));
    BENCH_TRY(syclze_queue_release(queue));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_destroy_list(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_command_list_handle_t native;
    BENCH_TRY(create_list(world, &native));
    BENCH_TRY(zeCommandListDestroy(native));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_queue_ops[] = {
    {"make + release, queue on an immediate list (keep)", 90, 0, 3949, keep_list, queries, 0,
        false},
    {"make + release, queue on an immediate list (called)", 0, 0, 3949, keep_list_called, queries,
        0, false},
    {"make + release, queue on a command queue (keep)", 0, 0, 9088, keep, NULL, 0, false},
    {"create + make + release, immediate list (transfer)", 0, 0, 0, transfer_list,
        create_destroy_list, 0, false},
    {"create + make + release, command queue (transfer)", 0, 0, 0, transfer, create_destroy, 0,
        false},
    {"queue_create + release", 380, 0, 0, create_release, create_destroy_list, 0, false},
    {0},
};
