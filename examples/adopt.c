/* saxpy on a million floats: adopt_plain.c after adopting syclze. It still creates its own handles;
   it wraps them, works through the wrapped objects, and releases them in any order. */
#include "common.h"
#include "syclze/syclze.h"

enum { COUNT = 1 << 20, GROUP = 64 };

int main(int argc, char **argv) {
  uint32_t one = 1;
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  TRY(zeInit(0));
  TRY(zeDriverGet(&one, &driver));
  TRY(zeDeviceGet(driver, &one, &device));
  TRY(zeContextCreate(
      driver, &(ze_context_desc_t){.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC}, &context));

  ze_command_queue_desc_t list_desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_list_handle_t list;
  TRY(zeCommandListCreateImmediate(context, device, &list_desc, &list));
  ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  ze_event_pool_handle_t pool;
  ze_event_handle_t done;
  TRY(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
  TRY(zeEventCreate(pool,
      &(ze_event_desc_t){.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .wait = ZE_EVENT_SCOPE_FLAG_HOST},
      &done));
  ze_module_handle_t module =
      load_module(context, device, argc > 1 ? argv[1] : "examples/saxpy.spv");
  ze_kernel_handle_t kernel;
  TRY(zeKernelCreate(module,
      &(ze_kernel_desc_t){.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "saxpy"},
      &kernel));

  syclze_platform platform;
  syclze_device gpu;
  syclze_context ctx;
  syclze_queue queue;
  syclze_event event;
  syclze_kernel_bundle bundle;
  syclze_kernel saxpy;
  TRY(syclze_make_native(driver, &platform));
  TRY(syclze_make_native(device, &gpu));
  syclze_context_input context_input = {context, &gpu, 1, SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&context_input, &ctx));
  syclze_queue_input queue_input = {.native_handle = syclze_native_queue_of(list), .device = gpu};
  TRY(syclze_make_native(&queue_input, ctx, &queue));
  syclze_event_input event_input = {.native_handle = done};
  TRY(syclze_make_native(&event_input, ctx, &event));
  syclze_kernel_bundle_input bundle_input = {.native_handle = module};
  TRY(syclze_make_native(&bundle_input, ctx, &bundle));
  syclze_kernel_input kernel_input = {.kernel_bundle = bundle, .native_handle = kernel};
  TRY(syclze_make_native(&kernel_input, ctx, &saxpy));
  puts("wrapped: platform, device, context (kept), queue, event, kernel bundle, kernel");

  float a = 2.0f, *x, *y;
  ze_host_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  TRY(zeMemAllocHost(context, &memory, COUNT * sizeof *x, 64, (void **)&x));
  TRY(zeMemAllocHost(context, &memory, COUNT * sizeof *y, 64, (void **)&y));
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i, y[i] = 1.0f;
  kernel = syclze_get_native(saxpy);
  TRY(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  TRY(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
  TRY(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x));
  TRY(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y));

  ze_group_count_t groups = {COUNT / GROUP, 1, 1};
  TRY(zeCommandListAppendLaunchKernel(
      syclze_get_native(queue).list, kernel, &groups, syclze_get_native(event), 0, NULL));
  TRY(zeEventHostSynchronize(syclze_get_native(event), UINT64_MAX));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += y[i] != a * (float)i + 1.0f;
  TRY(zeMemFree(context, x));
  TRY(zeMemFree(context, y));
  printf("checked: %d numbers, %d wrong\n", COUNT, wrong);

  /* The kernel keeps the bundle alive after this release. */
  TRY(syclze_release(ctx));
  TRY(syclze_release(bundle));
  TRY(syclze_release(queue));
  TRY(syclze_release(saxpy));
  TRY(syclze_release(event));
  puts("destroyed by syclze: command list, kernel, module, event");
  TRY(zeEventPoolDestroy(pool));
  TRY(zeContextDestroy(context));
  puts("destroyed by the program: event pool, context");
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
