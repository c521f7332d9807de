/* Kernel bundles of one module. */
#include "bench.h"

static ze_result_t keep(const struct bench_world *world, uint32_t count) {
  syclze_context context = world->wrapped.context;
  for (uint32_t i = 0; i < count; i++) {
    ze_module_handle_t native = world->module;
    BENCH_OPAQUE(native);
    syclze_kernel_bundle_input input = {native, SYCLZE_OWNERSHIP_KEEP};
    syclze_kernel_bundle bundle;
    BENCH_TRY(syclze_make_kernel_bundle(&input, context, &bundle));
    BENCH_TRY(syclze_kernel_bundle_release(bundle));
  }
  return ZE_RESULT_SUCCESS;
}

/* The driver queries of a make. */
static ze_result_t queries(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_module_handle_t native = world->module;
    BENCH_OPAQUE(native);
    ze_module_properties_t properties = {ZE_STRUCTURE_TYPE_MODULE_PROPERTIES, NULL, 0};
    BENCH_TRY(zeModuleGetProperties(native, &properties));
    if (properties.flags & ZE_MODULE_PROPERTY_FLAG_IMPORTS) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create(const struct bench_world *world, ze_module_handle_t *created) {
  ze_module_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = world->spirv_size;
  desc.pInputModule = (const uint8_t *)world->spirv;
  return zeModuleCreate(world->context, world->device, &desc, created, NULL);
}

static ze_result_t transfer(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_module_handle_t native;
    BENCH_TRY(create(world, &native));
    syclze_kernel_bundle_input input = {native, SYCLZE_OWNERSHIP_TRANSFER};
    syclze_kernel_bundle bundle;
    BENCH_TRY(syclze_make_kernel_bundle(&input, world->wrapped.context, &bundle));
    BENCH_TRY(syclze_kernel_bundle_release(bundle));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t create_destroy(const struct bench_world *world, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    ze_module_handle_t native;
    BENCH_TRY(create(world, &native));
    BENCH_TRY(zeModuleDestroy(native));
  }
  return ZE_RESULT_SUCCESS;
}

const struct bench_op bench_kernel_bundle_ops[] = {
    {"make + release, kernel bundle (keep)", 0, 0, 4967, keep, queries, 0, true},
    {"create + make + release, module (transfer)", 0, 1, 0, transfer, create_destroy, 0, true},
    {0},
};
