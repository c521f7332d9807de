/* Kernels. */
#include "bench.h"

static ze_result_t keep_one(
    const struct bench_world *world, const ze_kernel_handle_t *which, uint32_t count) {
  syclze_context context = world->wrapped.context;
  syclze_kernel_bundle bundle = world->wrapped.kernel_bundle;
  for (uint32_t i = 0; i < count; i++) {
    ze_kernel_handle_t native = *which;
    BENCH_OPAQUE(native);
    syclze_kernel_input input = {bundle, native, SYCLZE_OWNERSHIP_KEEP};
    syclze_kernel kernel;
    BENCH_TRY(syclze_make_kernel(&input, context, &kernel));
    BENCH_TRY(syclze_kernel_release(kernel));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t keep(const struct bench_world *world, uint32_t count) {
  return keep_one(world, &world->kernel, count);
}

static ze_result_t keep_later(const struct bench_world *world, uint32_t count) {
  return keep_one(world, &world->no_work, count);
}

/* The driver queries of a make. */
static ze_result_t queries(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_kernel_handle_t native = world->kernel;
    BENCH_OPAQUE(native);
    char name[256];
    size_t size = sizeof name;
    BENCH_TRY(zeKernelGetName(native, &size, name));
  }
  return ZE_RESULT_SUCCESS;
}

BENCH_CALLED ze_result_t called_make(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  return syclze_make_kernel(input, context, kernel);
}

BENCH_CALLED ze_result_t called_release(syclze_kernel kernel) {
  return syclze_kernel_release(kernel);
}

static ze_result_t keep_called(const struct bench_world *world, uint32_t count) {
  syclze_kernel_input input = {world->wrapped.kernel_bundle, world->kernel, SYCLZE_OWNERSHIP_KEEP};
  for (uint32_t i = 0; i < count; i++) {
    syclze_kernel kernel;
    BENCH_TRY(called_make(&input, world->wrapped.context, &kernel));
    BENCH_TRY(called_release(kernel));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create(const struct bench_world *world, ze_kernel_handle_t *created) {
  ze_kernel_desc_t desc = {ZE_STRUCTURE_TYPE_KERNEL_DESC, NULL, 0, "axpy"};
  return zeKernelCreate(world->module, &desc, created);
}

static ze_result_t transfer(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_kernel_handle_t native;
    BENCH_TRY(create(world, &native));
    syclze_kernel_input input = {world->wrapped.kernel_bundle, native, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_kernel kernel;
    BENCH_TRY(syclze_make_kernel(&input, world->wrapped.context, &kernel));
    BENCH_TRY(syclze_kernel_release(kernel));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_destroy(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_kernel_handle_t native;
    BENCH_TRY(create(world, &native));
    BENCH_TRY(zeKernelDestroy(native));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_kernel_ops[] = {
    {"make + release, kernel (keep)", 90, 0, 3158, keep, queries, 0, true},
    {"make + release, kernel, third of three names (keep)", 0, 0, 3158, keep_later, queries, 0,
        true},
    {"make + release, kernel (called)", 0, 0, 3158, keep_called, queries, 0, true},
    {"create + make + release, kernel (transfer)", 0, 0, 0, transfer, create_destroy, 0, true},
    {0},
};
