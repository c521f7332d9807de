/* How does library code that receives a queue submit to the application's own command queue?
   get_native returns the wrapped command queue, every time. */
#include "common.h"
#include "syclze/syclze.h"

enum { COUNT = 1000 };

/* A library function that receives a syclze queue. */
static void fill(syclze_queue queue, void *memory, size_t size, unsigned char value) {
  ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ze_context_handle_t context = syclze_get_native(syclze_queue_get_context(queue));
  ze_device_handle_t device = syclze_get_native(syclze_queue_get_device(queue));
  ze_command_list_handle_t list;
  syclze_native_queue native = syclze_get_native(queue);
  CLAIM(native.kind == SYCLZE_NATIVE_QUEUE_QUEUE);
  TRY(zeCommandListCreate(context, device, &desc, &list));
  TRY(zeCommandListAppendMemoryFill(list, memory, &value, 1, size, NULL, 0, NULL));
  TRY(zeCommandListClose(list));
  TRY(zeCommandQueueExecuteCommandLists(native.queue, 1, &list, NULL));
  TRY(zeCommandQueueSynchronize(native.queue, UINT64_MAX));
  TRY(zeCommandListDestroy(list));
}

int main(void) {
  ze_device_handle_t device;
  ze_context_handle_t context = open_device(&device);
  syclze_device gpu;
  syclze_context ctx;
  TRY(syclze_make_native(device, &gpu));
  syclze_context_input its = {context, &gpu, 1, SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&its, &ctx));

  ze_command_queue_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
  ze_command_queue_handle_t native;
  TRY(zeCommandQueueCreate(context, device, &desc, &native));
  syclze_queue_input input = {.native_handle = syclze_native_queue_of(native),
      .device = gpu,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_queue queue;
  TRY(syclze_make_native(&input, ctx, &queue));
  CLAIM(syclze_get_native(queue).queue == native);

  unsigned char *bytes;
  ze_host_mem_alloc_desc_t memory = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  TRY(zeMemAllocHost(context, &memory, COUNT, 64, (void **)&bytes));
  fill(queue, bytes, COUNT, 42);
  for (int i = 0; i < COUNT; i++)
    CLAIM(bytes[i] == 42);
  puts("filled through the application's command queue");

  TRY(syclze_release(queue));
  TRY(syclze_release(ctx));
  TRY(zeMemFree(context, bytes));
  TRY(zeCommandQueueDestroy(native));
  TRY(zeContextDestroy(context));
  return 0;
}
