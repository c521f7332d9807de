/* Who destroys a handle? Under transfer the release that drops the last reference, under keep the
   application. A refused handle stays with the application, whatever its input says. */
#include "common.h"
#include "syclze/syclze.h"

int main(void) {
  ze_device_handle_t device;
  ze_context_handle_t context = open_device(&device);
  syclze_device gpu;
  syclze_context ctx;
  TRY(syclze_make_native(device, &gpu));
  syclze_context_input its = {context, &gpu, 1, SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&its, &ctx));
  ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 2};
  ze_event_desc_t descs[] = {{.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 0},
      {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = 1}};
  ze_event_pool_handle_t pool;
  ze_event_handle_t kept, given;
  TRY(zeEventPoolCreate(context, &pool_desc, 1, &device, &pool));
  TRY(zeEventCreate(pool, &descs[0], &kept));
  TRY(zeEventCreate(pool, &descs[1], &given));

  syclze_event event;
  syclze_event_input input = {.native_handle = kept, .ownership = SYCLZE_OWNERSHIP_KEEP};
  TRY(syclze_make_native(&input, ctx, &event));
  TRY(syclze_release(event));
  TRY(zeEventHostSignal(kept));
  TRY(zeEventQueryStatus(kept));
  puts("kept: it works after the last release");

  /* Refused: no context. The handle stays with the application although the input says transfer. */
  input = (syclze_event_input){.native_handle = given, .ownership = SYCLZE_OWNERSHIP_TRANSFER};
  CLAIM(syclze_make_native(&input, (syclze_context){NULL}, &event) ==
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE);
  CLAIM(event.rep == NULL);
  TRY(zeEventHostSignal(given));
  puts("refused: it works, and is still to be destroyed");

  TRY(syclze_make_native(&input, ctx, &event));
  TRY(syclze_retain(event));
  TRY(syclze_release(event));
  TRY(zeEventQueryStatus(syclze_get_native(event)));
  puts("transferred: it works while there is a reference");
  TRY(syclze_release(event));
  TRY(zeEventCreate(pool, &descs[1], &given)); /* its index in the pool is free again */
  puts("transferred: the last release destroyed it");

  TRY(zeEventDestroy(given));
  TRY(zeEventDestroy(kept));
  TRY(syclze_release(ctx));
  TRY(zeEventPoolDestroy(pool));
  TRY(zeContextDestroy(context));
  return 0;
}
