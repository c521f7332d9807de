/* Drivers and devices of the fake, and the two ways to enumerate drivers. */
#include "fake_object.h"

static int is_initialised(void) {
  return fake.initialised || fake_calls(FAKE_zeInit) + fake_calls(FAKE_zeInitDrivers) != 0;
}

ze_driver_handle_t fake_driver(void) {
  return (ze_driver_handle_t)(void *)fake_new(FAKE_DRIVER, NULL);
}

ze_driver_handle_t fake_hidden_driver(void) {
  struct fake_object *driver = fake_new(FAKE_DRIVER, NULL);
  driver->hidden = 1;
  return (ze_driver_handle_t)(void *)driver;
}

void fake_break_driver(ze_driver_handle_t driver, ze_result_t code) {
  fake_check(driver, FAKE_DRIVER, __func__)->broken = code;
}

ze_device_handle_t fake_device(ze_driver_handle_t driver) {
  struct fake_object *parent = fake_check(driver, FAKE_DRIVER, __func__);
  return (ze_device_handle_t)(void *)fake_new(FAKE_DEVICE, parent);
}

ze_device_handle_t fake_sub_device(ze_device_handle_t device) {
  struct fake_object *parent = fake_check(device, FAKE_DEVICE, __func__);
  return (ze_device_handle_t)(void *)fake_new(FAKE_DEVICE, parent);
}

ze_device_handle_t fake_card(ze_driver_handle_t driver) {
  struct fake_object *card = fake_new(FAKE_DEVICE, fake_check(driver, FAKE_DRIVER, __func__));
  card->hidden = 1;
  return (ze_device_handle_t)(void *)card;
}

void fake_join(ze_device_handle_t device, ze_device_handle_t card) {
  fake_check(device, FAKE_DEVICE, __func__)->device = fake_check(card, FAKE_DEVICE, __func__);
}

static int is_listed(const struct fake_object *object, enum fake_kind kind,
    const struct fake_object *parent, int with_hidden) {
  if (object->kind != kind || (object->hidden && !with_hidden)) return 0;
  return object->parent == parent || (parent != NULL && object->device == parent);
}

/* Returns the objects of a kind and parent in creation order; hidden ones on request only. */
static ze_result_t list(enum fake_kind kind, const struct fake_object *parent, int with_hidden,
    uint32_t *count, void **handles) {
  uint32_t found = 0, skip, room = *count;
  for (const struct fake_object *o = fake_newest(); o != NULL; o = o->previous)
    found += is_listed(o, kind, parent, with_hidden) ? 1u : 0u;
  if (handles == NULL || room > found || room == 0) *count = found;
  if (handles == NULL || room == 0) return ZE_RESULT_SUCCESS;
  skip = found;
  for (struct fake_object *o = fake_newest(); o != NULL; o = o->previous)
    if (is_listed(o, kind, parent, with_hidden) && --skip < *count) handles[skip] = o;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  FAKE_ENTER(zeInit);
  fake_seen.init_flags = flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  FAKE_ENTER(zeDriverGet);
  if (!is_initialised()) return ZE_RESULT_ERROR_UNINITIALIZED;
  return list(FAKE_DRIVER, NULL, 0, count, (void **)(void *)drivers);
}

/* ze_init_driver_type_desc_t, which older headers lack. */
struct init_driver_type_desc {
  uint32_t stype;
  const void *next;
  uint32_t flags;
};

ze_result_t ZE_APICALL fake_init_drivers(uint32_t *count, ze_driver_handle_t *drivers,
    const struct init_driver_type_desc *desc) __asm__("zeInitDrivers");

ze_result_t ZE_APICALL fake_init_drivers(
    uint32_t *count, ze_driver_handle_t *drivers, const struct init_driver_type_desc *desc) {
  FAKE_ENTER(zeInitDrivers);
  if (desc == NULL || desc->stype != 0x00020021 || desc->next != NULL) {
    fake_misuse("zeInitDrivers: no descriptor");
    return ZE_RESULT_ERROR_INVALID_NULL_POINTER;
  }
  if (desc->flags == 0) return ZE_RESULT_ERROR_INVALID_ENUMERATION;
  fake_seen.init_drivers_flags = desc->flags;
  return list(FAKE_DRIVER, NULL, 1, count, (void **)(void *)drivers);
}

ze_result_t ZE_APICALL zeDeviceGet(
    ze_driver_handle_t driver, uint32_t *count, ze_device_handle_t *devices) {
  FAKE_ENTER(zeDeviceGet);
  FAKE_OBJECT(object, driver, FAKE_DRIVER);
  if (object->broken != ZE_RESULT_SUCCESS) return object->broken;
  return list(FAKE_DEVICE, object, 0, count, (void **)(void *)devices);
}

ze_result_t ZE_APICALL zeDeviceGetSubDevices(
    ze_device_handle_t device, uint32_t *count, ze_device_handle_t *devices) {
  FAKE_ENTER(zeDeviceGetSubDevices);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  if (fake.no_sub_devices) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  return list(FAKE_DEVICE, object, 1, count, (void **)(void *)devices);
}

ze_result_t ZE_APICALL zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetCommandQueueGroupProperties);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  (void)object;
  if (*count == 0 || *count > fake.group_count) *count = fake.group_count;
  for (uint32_t i = 0; properties != NULL && i < *count; i++) {
    if (properties[i].stype != ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES)
      fake_misuse("zeDeviceGetCommandQueueGroupProperties: no stype");
    properties[i].flags = fake.group_flags[i];
    properties[i].numQueues = FAKE_QUEUES;
  }
  return ZE_RESULT_SUCCESS;
}

/* Weak: a program may have its own. */
#ifndef _WIN32 /* where a test's own definition is the first that the linker meets */
__attribute__((weak))
#endif
ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetProperties);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  (void)object;
  if (properties->stype != ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES)
    fake_misuse("zeDeviceGetProperties: no stype");
  properties->flags = fake.integrated ? ZE_DEVICE_PROPERTY_FLAG_INTEGRATED : 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetMemoryAccessProperties(
    ze_device_handle_t device, ze_device_memory_access_properties_t *properties) {
  FAKE_ENTER(zeDeviceGetMemoryAccessProperties);
  FAKE_OBJECT(object, device, FAKE_DEVICE);
  (void)object;
  if (properties->stype != ZE_STRUCTURE_TYPE_DEVICE_MEMORY_ACCESS_PROPERTIES ||
      properties->pNext != NULL)
    fake_misuse("zeDeviceGetMemoryAccessProperties: no stype, or a pNext");
  properties->sharedSystemAllocCapabilities = fake.system_memory ? ZE_MEMORY_ACCESS_CAP_FLAG_RW : 0;
  return ZE_RESULT_SUCCESS;
}
