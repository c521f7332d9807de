#include "bench.h"

#include <dlfcn.h>

static ze_result_t find_device(struct bench_world *world) {
  uint32_t count = 1;
  BENCH_TRY(zeInit(0));
  BENCH_TRY(zeDriverGet(&count, &world->driver));
  if (count == 0) return ZE_RESULT_ERROR_UNINITIALIZED;
  count = 1;
  BENCH_TRY(zeDeviceGet(world->driver, &count, &world->device));
  return count == 0 ? ZE_RESULT_ERROR_UNINITIALIZED : ZE_RESULT_SUCCESS;
}

static ze_result_t create_queues(struct bench_world *world) {
  world->queue_desc.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  world->queue_desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  BENCH_TRY(zeCommandQueueCreate(world->context, world->device, &world->queue_desc, &world->queue));
  return zeCommandListCreateImmediate(
      world->context, world->device, &world->queue_desc, &world->list);
}

static ze_result_t create_events(struct bench_world *world) {
  ze_event_pool_desc_t pool_desc = {0};
  pool_desc.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC;
  pool_desc.flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE;
  pool_desc.count = 3;
  BENCH_TRY(zeEventPoolCreate(world->context, &pool_desc, 1, &world->device, &world->event_pool));
  ze_event_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_EVENT_DESC;
  desc.signal = ZE_EVENT_SCOPE_FLAG_HOST;
  BENCH_TRY(zeEventCreate(world->event_pool, &desc, &world->event));
  desc.index = 2;
  BENCH_TRY(zeEventCreate(world->event_pool, &desc, &world->signalled));
  return zeEventHostSignal(world->signalled);
}

static ze_result_t create_kernel(
    struct bench_world *world, const char *name, ze_kernel_handle_t *kernel) {
  ze_kernel_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  return zeKernelCreate(world->module, &desc, kernel);
}

/* Without a module if the driver cannot build SPIR-V, which is not a failure. */
static ze_result_t create_kernels(struct bench_world *world) {
  ze_module_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_MODULE_DESC;
  desc.format = ZE_MODULE_FORMAT_IL_SPIRV;
  desc.inputSize = world->spirv_size;
  desc.pInputModule = (const uint8_t *)world->spirv;
  if (zeModuleCreate(world->context, world->device, &desc, &world->module, NULL) !=
      ZE_RESULT_SUCCESS) {
    world->module = NULL;
    return ZE_RESULT_SUCCESS;
  }
  BENCH_TRY(create_kernel(world, "axpy", &world->kernel));
  BENCH_TRY(create_kernel(world, "nothing", &world->no_work));
  return zeKernelSetGroupSize(world->no_work, 1, 1, 1);
}

static ze_result_t wrap_kernels(struct bench_world *world) {
  syclze_kernel_bundle_input bundle = {world->module, SYCLZE_OWNERSHIP_KEEP};
  BENCH_TRY(
      syclze_make_kernel_bundle(&bundle, world->wrapped.context, &world->wrapped.kernel_bundle));
  syclze_kernel_input kernel = {world->wrapped.kernel_bundle, world->kernel, SYCLZE_OWNERSHIP_KEEP};
  BENCH_TRY(syclze_make_kernel(&kernel, world->wrapped.context, &world->wrapped.kernel));
  kernel.native_handle = world->no_work;
  return syclze_make_kernel(&kernel, world->wrapped.context, &world->wrapped.no_work);
}

static ze_result_t wrap(struct bench_world *world) {
  BENCH_TRY(syclze_make_platform(world->driver, &world->wrapped.platform));
  BENCH_TRY(syclze_make_device(world->device, &world->wrapped.device));
  syclze_context_input context = {world->context, &world->wrapped.device, 1, SYCLZE_OWNERSHIP_KEEP};
  BENCH_TRY(syclze_make_context(&context, &world->wrapped.context));
  syclze_queue_input queue = {
      syclze_native_queue_of(world->list), world->wrapped.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  BENCH_TRY(syclze_make_queue(&queue, world->wrapped.context, &world->wrapped.queue));
  syclze_event_input event = {world->event, SYCLZE_OWNERSHIP_KEEP};
  BENCH_TRY(syclze_make_event(&event, world->wrapped.context, &world->wrapped.event));
  event.native_handle = world->signalled;
  BENCH_TRY(syclze_make_event(&event, world->wrapped.context, &world->wrapped.signalled));
  return world->module != NULL ? wrap_kernels(world) : ZE_RESULT_SUCCESS;
}

static void find_newer(struct bench_world *world) {
#define FIND(member, name)                                                                         \
  do {                                                                                             \
    void *address = dlsym(NULL, name);                                                             \
    memcpy(&world->newer.member, &address, sizeof address);                                        \
  } while (0)
  FIND(list_is_immediate, "zeCommandListIsImmediate");
  FIND(list_get_context, "zeCommandListGetContextHandle");
  FIND(list_get_device, "zeCommandListGetDeviceHandle");
  FIND(list_get_flags, "zeCommandListImmediateGetFlags");
  FIND(list_get_mode, "zeCommandListImmediateGetMode");
  FIND(list_synchronize, "zeCommandListHostSynchronize");
  FIND(event_get_pool, "zeEventGetEventPool");
  FIND(pool_get_context, "zeEventPoolGetContextHandle");
  FIND(append_lists, "zeCommandListImmediateAppendCommandListsExp");
  FIND(next_command, "zeCommandListGetNextCommandIdExp");
  FIND(update_commands, "zeCommandListUpdateMutableCommandsExp");
  FIND(next_of_kernels, "zeCommandListGetNextCommandIdWithKernelsExp");
  FIND(update_kernels, "zeCommandListUpdateMutableCommandKernelsExp");
  FIND(append_graph, "zeCommandListAppendGraphExt");
#undef FIND
}

ze_result_t bench_world_open(struct bench_world *world, const void *spirv, size_t spirv_size) {
  memset(world, 0, sizeof *world);
  world->spirv = spirv;
  world->spirv_size = spirv_size;
  find_newer(world);
  BENCH_TRY(find_device(world));
  ze_context_desc_t desc = {ZE_STRUCTURE_TYPE_CONTEXT_DESC, NULL, 0};
  BENCH_TRY(zeContextCreate(world->driver, &desc, &world->context));
  BENCH_TRY(create_queues(world));
  BENCH_TRY(create_events(world));
  BENCH_TRY(create_kernels(world));
  return wrap(world);
}

void bench_world_close(struct bench_world *world) {
  syclze_kernel_release(world->wrapped.no_work);
  syclze_kernel_release(world->wrapped.kernel);
  syclze_kernel_bundle_release(world->wrapped.kernel_bundle);
  syclze_event_release(world->wrapped.signalled);
  syclze_event_release(world->wrapped.event);
  syclze_queue_release(world->wrapped.queue);
  syclze_context_release(world->wrapped.context);
  if (world->module != NULL) {
    zeKernelDestroy(world->no_work);
    zeKernelDestroy(world->kernel);
    zeModuleDestroy(world->module);
  }
  zeEventDestroy(world->signalled);
  zeEventDestroy(world->event);
  zeEventPoolDestroy(world->event_pool);
  zeCommandListDestroy(world->list);
  zeCommandQueueDestroy(world->queue);
  zeContextDestroy(world->context);
}
