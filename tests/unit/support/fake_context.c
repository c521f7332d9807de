/* Contexts, queues, lists, pools and events of the fake. */
#include "fake_object.h"

#include "memory.h"

#include <sched.h>
#include <string.h>

ze_context_handle_t fake_context(ze_driver_handle_t driver) {
  return (ze_context_handle_t)(void *)fake_new(
      FAKE_CONTEXT, fake_check(driver, FAKE_DRIVER, __func__));
}

static struct fake_object *new_on_device(
    enum fake_kind kind, ze_context_handle_t context, ze_device_handle_t device) {
  struct fake_object *object = fake_new(kind, fake_check(context, FAKE_CONTEXT, __func__));
  object->device = fake_check(device, FAKE_DEVICE, __func__);
  return object;
}

ze_command_queue_handle_t fake_queue(ze_context_handle_t context, ze_device_handle_t device) {
  return (ze_command_queue_handle_t)(void *)new_on_device(FAKE_QUEUE, context, device);
}

ze_command_list_handle_t fake_list(ze_context_handle_t context, ze_device_handle_t device) {
  return (ze_command_list_handle_t)(void *)new_on_device(FAKE_LIST, context, device);
}

ze_command_list_handle_t fake_regular_list(ze_context_handle_t context, ze_device_handle_t device) {
  struct fake_object *object = new_on_device(FAKE_LIST, context, device);
  object->regular = 1;
  return (ze_command_list_handle_t)(void *)object;
}

static struct fake_object *new_pool(struct fake_object *context, uint32_t capacity) {
  struct fake_object *pool = fake_new(FAKE_EVENT_POOL, context);
  pool->capacity = capacity;
  pool->places = (char *)__real_calloc(1, capacity);
  return pool;
}

ze_event_pool_handle_t fake_event_pool(ze_context_handle_t context) {
  return (ze_event_pool_handle_t)(void *)new_pool(fake_check(context, FAKE_CONTEXT, __func__), 64);
}

static struct fake_object *new_event(struct fake_object *pool, uint32_t index) {
  struct fake_object *event = fake_new(FAKE_EVENT, pool);
  event->index = index;
  pool->places[index] = 1;
  return event;
}

ze_event_handle_t fake_event(ze_event_pool_handle_t handle) {
  struct fake_object *pool = fake_check(handle, FAKE_EVENT_POOL, __func__);
  uint32_t index = 0;
  while (pool->places[index])
    index++;
  return (ze_event_handle_t)(void *)new_event(pool, index);
}

int fake_is_signalled(ze_event_handle_t event) {
  return __atomic_load_n(&fake_check(event, FAKE_EVENT, __func__)->signalled, __ATOMIC_RELAXED);
}

void fake_signal(ze_event_handle_t event) {
  __atomic_store_n(&fake_check(event, FAKE_EVENT, __func__)->signalled, 1, __ATOMIC_RELAXED);
}

ze_result_t ZE_APICALL zeContextCreateEx(ze_driver_handle_t driver, const ze_context_desc_t *desc,
    uint32_t device_count, ze_device_handle_t *devices, ze_context_handle_t *context) {
  FAKE_ENTER(zeContextCreateEx);
  FAKE_OBJECT(parent, driver, FAKE_DRIVER);
  if (desc->stype != ZE_STRUCTURE_TYPE_CONTEXT_DESC) fake_misuse("zeContextCreateEx: no stype");
  for (uint32_t i = 0; i < device_count; i++) {
    FAKE_OBJECT(device, devices[i], FAKE_DEVICE);
    while (device->kind == FAKE_DEVICE)
      device = device->parent;
    if (device != parent) fake_misuse("zeContextCreateEx: a device of another driver");
  }
  *context = (ze_context_handle_t)(void *)fake_new(FAKE_CONTEXT, parent);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextGetStatus(ze_context_handle_t context) {
  FAKE_ENTER(zeContextGetStatus);
  FAKE_OBJECT(object, context, FAKE_CONTEXT);
  (void)object;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextDestroy(ze_context_handle_t context) {
  FAKE_ENTER(zeContextDestroy);
  return fake_end_object(context, FAKE_CONTEXT, __func__);
}

ze_result_t ZE_APICALL zeCommandQueueDestroy(ze_command_queue_handle_t queue) {
  FAKE_ENTER(zeCommandQueueDestroy);
  return fake_end_object(queue, FAKE_QUEUE, __func__);
}

ze_result_t ZE_APICALL zeCommandListDestroy(ze_command_list_handle_t list) {
  FAKE_ENTER(zeCommandListDestroy);
  return fake_end_object(list, FAKE_LIST, __func__);
}

ze_result_t ZE_APICALL zeCommandListCreateImmediate(ze_context_handle_t context,
    ze_device_handle_t device, const ze_command_queue_desc_t *desc,
    ze_command_list_handle_t *list) {
  FAKE_ENTER(zeCommandListCreateImmediate);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  (void)parent;
  fake_seen.list_desc = *desc;
  if (fake.no_in_order_lists && (desc->flags & 2)) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  *list = fake_list(context, device);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventPoolCreate(ze_context_handle_t context,
    const ze_event_pool_desc_t *desc, uint32_t device_count, ze_device_handle_t *devices,
    ze_event_pool_handle_t *pool) {
  FAKE_ENTER(zeEventPoolCreate);
  FAKE_OBJECT(parent, context, FAKE_CONTEXT);
  if (desc->stype != ZE_STRUCTURE_TYPE_EVENT_POOL_DESC) fake_misuse("zeEventPoolCreate: no stype");
  if (desc->count == 0) return ZE_RESULT_ERROR_INVALID_SIZE;
  for (uint32_t i = 0; i < device_count; i++) {
    FAKE_OBJECT(device, devices[i], FAKE_DEVICE);
    (void)device;
  }
  fake_seen.pool_desc = *desc;
  fake_seen.pool_devices = device_count;
  *pool = (ze_event_pool_handle_t)(void *)new_pool(parent, desc->count);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventPoolDestroy(ze_event_pool_handle_t pool) {
  FAKE_ENTER(zeEventPoolDestroy);
  return fake_end_object(pool, FAKE_EVENT_POOL, __func__);
}

/* The mode in ze_intel_event_sync_mode_exp_desc_t, which no header has; 0 without it. */
static uint32_t sync_mode_of(const void *next) {
  const struct {
    uint32_t stype;
    const void *next;
    uint32_t flags, interrupt;
  } *mode = next;
  if (mode == NULL) return 0;
  if (mode->stype != 0x00030016 || mode->next != NULL || mode->interrupt != 0)
    fake_misuse("zeEventCreate: an unknown pNext");
  return mode->flags;
}

/* Level Zero forbids concurrent calls on one pool: the fake delays, so that such calls overlap. */
ze_result_t ZE_APICALL zeEventCreate(
    ze_event_pool_handle_t pool, const ze_event_desc_t *desc, ze_event_handle_t *event) {
  FAKE_ENTER(zeEventCreate);
  FAKE_OBJECT(parent, pool, FAKE_EVENT_POOL);
  fake_alone(parent, __func__);
  sched_yield();
  if (desc->stype != ZE_STRUCTURE_TYPE_EVENT_DESC) fake_misuse("zeEventCreate: no stype");
  if (desc->index >= parent->capacity)
    fake_misuse("zeEventCreate: index %u of %u", desc->index, parent->capacity);
  else if (parent->places[desc->index])
    fake_misuse("zeEventCreate: index %u twice", desc->index);
  else {
    fake_seen.event_desc = *desc;
    fake_seen.event_sync_mode = sync_mode_of(desc->pNext);
    *event = (ze_event_handle_t)(void *)new_event(parent, desc->index);
  }
  fake_not_alone(parent);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventDestroy(ze_event_handle_t event) {
  FAKE_ENTER(zeEventDestroy);
  FAKE_OBJECT(object, event, FAKE_EVENT);
  object->parent->places[object->index] = 0;
  return fake_end_object(event, FAKE_EVENT, __func__);
}

ze_result_t ZE_APICALL zeEventHostReset(ze_event_handle_t event) {
  FAKE_ENTER(zeEventHostReset);
  FAKE_OBJECT(object, event, FAKE_EVENT);
  object->resets++;
  __atomic_store_n(&object->signalled, 0, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeEventQueryStatus(ze_event_handle_t event) {
  FAKE_ENTER(zeEventQueryStatus);
  FAKE_OBJECT(object, event, FAKE_EVENT);
  (void)object;
  return fake_is_signalled(event) ? ZE_RESULT_SUCCESS : ZE_RESULT_NOT_READY;
}

ze_result_t ZE_APICALL zeEventHostSynchronize(ze_event_handle_t event, uint64_t timeout) {
  FAKE_ENTER(zeEventHostSynchronize);
  FAKE_OBJECT(object, event, FAKE_EVENT);
  (void)object;
  /* A wait with a timeout ends after a few iterations. */
  for (unsigned turn = 0; !fake_is_signalled(event); turn++) {
    if (timeout != UINT64_MAX && turn == 100) return ZE_RESULT_NOT_READY;
    sched_yield();
  }
  return ZE_RESULT_SUCCESS;
}
