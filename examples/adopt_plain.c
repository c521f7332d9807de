/* saxpy on a million floats in plain Level Zero, before adopting syclze. adopt.c is the program
   after. */
#include "common.h"

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

  float a = 2.0f, *x, *y;
  ze_host_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  TRY(zeMemAllocHost(context, &memory, COUNT * sizeof *x, 64, (void **)&x));
  TRY(zeMemAllocHost(context, &memory, COUNT * sizeof *y, 64, (void **)&y));
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i, y[i] = 1.0f;
  TRY(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
  TRY(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
  TRY(zeKernelSetArgumentValue(kernel, 1, sizeof x, &x));
  TRY(zeKernelSetArgumentValue(kernel, 2, sizeof y, &y));

  ze_group_count_t groups = {COUNT / GROUP, 1, 1};
  TRY(zeCommandListAppendLaunchKernel(list, kernel, &groups, done, 0, NULL));
  TRY(zeEventHostSynchronize(done, UINT64_MAX));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += y[i] != a * (float)i + 1.0f;
  TRY(zeMemFree(context, x));
  TRY(zeMemFree(context, y));
  TRY(zeKernelDestroy(kernel));
  TRY(zeModuleDestroy(module));
  TRY(zeEventDestroy(done));
  TRY(zeEventPoolDestroy(pool));
  TRY(zeCommandListDestroy(list));
  TRY(zeContextDestroy(context));
  printf("%d numbers, %d wrong\n", COUNT, wrong);
  return wrong != 0;
}
