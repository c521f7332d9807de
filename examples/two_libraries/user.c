/* Fills memory on a queue of another library. */
#include "examples/common.h"
#include "libraries.h"

enum { COUNT = 1000 };

int user_fill(ze_device_handle_t device, ze_context_handle_t context, ze_command_list_handle_t list,
    ze_event_handle_t event) {
  syclze_device gpu;
  syclze_context ctx;
  syclze_queue queue;
  syclze_event done;
  TRY(syclze_make_native(device, &gpu));
  syclze_context_input its = {context, &gpu, 1, SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&its, &ctx));
  syclze_queue_input queue_input = {.native_handle = syclze_native_queue_of(list),
      .device = gpu,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&queue_input, ctx, &queue));
  syclze_event_input event_input = {.native_handle = event};
  TRY(syclze_make_native(&event_input, ctx, &done));

  unsigned char *bytes, value = 42;
  TRY(syclze_malloc_host(COUNT, ctx, (void **)&bytes));
  TRY(zeCommandListAppendMemoryFill(
      syclze_get_native(queue).list, bytes, &value, 1, COUNT, syclze_get_native(done), 0, NULL));
  TRY(zeEventHostSynchronize(syclze_get_native(done), UINT64_MAX));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += bytes[i] != value;

  TRY(syclze_free(bytes, ctx));
  TRY(syclze_release(done));
  TRY(syclze_release(queue));
  TRY(syclze_release(ctx));
  return wrong;
}

const void *user_state(void) {
  return &SYCLZE__STATE;
}
