/* Creates a context and a queue shared by all users, and events that users own. */
#include "examples/common.h"
#include "libraries.h"

static syclze_device device;
static syclze_context context;
static syclze_queue queue;
static ze_event_pool_handle_t pool;

void maker_begin(void) {
  uint32_t one = 1;
  TRY(syclze_device_get_selected(&one, &device));
  CLAIM(one == 1);
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
  ze_device_handle_t native = syclze_get_native(device);
  ze_event_pool_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  TRY(zeEventPoolCreate(syclze_get_native(context), &desc, 1, &native, &pool));
}

ze_device_handle_t maker_device(void) {
  return syclze_get_native(device);
}

ze_context_handle_t maker_context(void) {
  return syclze_get_native(context);
}

ze_command_list_handle_t maker_queue(void) {
  return syclze_get_native(queue).list;
}

ze_event_handle_t maker_event(void) {
  ze_event_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
  ze_event_handle_t event;
  TRY(zeEventCreate(pool, &desc, &event));
  return event;
}

const void *maker_state(void) {
  return &SYCLZE__STATE;
}

void maker_end(void) {
  TRY(zeEventPoolDestroy(pool));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
}
