/* One driver, two devices, contexts; and what older headers do not declare. */
#include "strict_object.h"

static struct strict_object driver = {.kind = STRICT_DRIVER},
                            devices[2] = {{.kind = STRICT_DEVICE}, {.kind = STRICT_DEVICE}};

ze_result_t ZE_APICALL zeInit(ze_init_flags_t flags) {
  STRICT_ENTER();
  (void)flags;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGet(uint32_t *count, ze_driver_handle_t *drivers) {
  STRICT_ENTER();
  if (drivers != NULL && *count > 0) drivers[0] = (ze_driver_handle_t)(void *)&driver;
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetApiVersion(ze_driver_handle_t of, ze_api_version_t *version) {
  STRICT_ENTER();
  (void)of;
  *version = ZE_API_VERSION_1_3;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetProperties(
    ze_driver_handle_t of, ze_driver_properties_t *properties) {
  STRICT_ENTER();
  (void)of;
  memset(&properties->uuid, 's', sizeof properties->uuid);
  properties->driverVersion = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDriverGetExtensionProperties(
    ze_driver_handle_t of, uint32_t *count, ze_driver_extension_properties_t *properties) {
  STRICT_ENTER();
  (void)of;
  (void)properties;
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGet(
    ze_driver_handle_t of, uint32_t *count, ze_device_handle_t *handles) {
  STRICT_ENTER();
  (void)of;
  for (uint32_t i = 0; handles != NULL && i < *count && i < 2; i++)
    handles[i] = (ze_device_handle_t)(void *)&devices[i];
  if (handles == NULL || *count > 2) *count = 2;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetSubDevices(
    ze_device_handle_t device, uint32_t *count, ze_device_handle_t *handles) {
  STRICT_ENTER();
  (void)device;
  (void)handles;
  *count = 0;
  return ZE_RESULT_SUCCESS;
}

uint32_t strict_vendor;

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  STRICT_ENTER();
  (void)device;
  properties->type = ZE_DEVICE_TYPE_GPU;
  properties->vendorId = strict_vendor;
  properties->timerResolution = 1000000000;
  properties->timestampValidBits = 64;
  properties->kernelTimestampValidBits = 32;
  memcpy(properties->name, "strict", 7);
  strict_fill_mutable(properties->pNext);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetComputeProperties(
    ze_device_handle_t device, ze_device_compute_properties_t *properties) {
  STRICT_ENTER();
  (void)device;
  properties->maxTotalGroupSize = 256;
  properties->maxGroupSizeX = properties->maxGroupSizeY = properties->maxGroupSizeZ = 256;
  properties->numSubGroupSizes = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetModuleProperties(
    ze_device_handle_t device, ze_device_module_properties_t *properties) {
  STRICT_ENTER();
  (void)device;
  properties->spirvVersionSupported = ZE_MAKE_VERSION(1, 4);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetImageProperties(
    ze_device_handle_t device, ze_device_image_properties_t *properties) {
  STRICT_ENTER();
  (void)device;
  properties->maxImageDims1D = properties->maxImageDims2D = properties->maxImageDims3D = 1024;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetMemoryAccessProperties(
    ze_device_handle_t device, ze_device_memory_access_properties_t *properties) {
  STRICT_ENTER();
  (void)device;
  properties->hostAllocCapabilities = properties->deviceAllocCapabilities =
      properties->sharedSingleDeviceAllocCapabilities =
          properties->sharedCrossDeviceAllocCapabilities = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetCommandQueueGroupProperties(
    ze_device_handle_t device, uint32_t *count, ze_command_queue_group_properties_t *groups) {
  STRICT_ENTER();
  (void)device;
  if (groups != NULL && *count > 0) {
    groups[0].flags = ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE |
                      ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY |
                      ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS;
    groups[0].maxMemoryFillPatternSize = 16;
    groups[0].numQueues = 4;
  }
  *count = 1;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetGlobalTimestamps(
    ze_device_handle_t device, uint64_t *host, uint64_t *ticks) {
  STRICT_ENTER();
  (void)device;
  *host = *ticks = strict_clock();
  return ZE_RESULT_SUCCESS;
}

static ze_result_t context_create(
    uint32_t count, ze_device_handle_t *handles, ze_context_handle_t *context) {
  strict_lock();
  struct strict_context *made = strict_object_new(sizeof *made, STRICT_CONTEXT, NULL);
  made->device_count = count <= 2 ? count : 0;
  for (uint32_t i = 0; i < made->device_count; i++)
    made->devices[i] = handles[i];
  *context = (ze_context_handle_t)(void *)made;
  strict_unlock();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeContextCreate(
    ze_driver_handle_t of, const ze_context_desc_t *desc, ze_context_handle_t *context) {
  STRICT_ENTER();
  (void)of;
  (void)desc;
  return context_create(0, NULL, context);
}

ze_result_t ZE_APICALL zeContextCreateEx(ze_driver_handle_t of, const ze_context_desc_t *desc,
    uint32_t count, ze_device_handle_t *handles, ze_context_handle_t *context) {
  STRICT_ENTER();
  (void)of;
  (void)desc;
  return context_create(count, handles, context);
}

ze_result_t ZE_APICALL zeContextDestroy(ze_context_handle_t context) {
  STRICT_ENTER();
  strict_lock();
  ze_result_t result = strict_object_destroy(context, STRICT_CONTEXT, __func__);
  strict_unlock();
  return result;
}

ze_result_t ZE_APICALL zeContextGetStatus(ze_context_handle_t context) {
  STRICT_ENTER();
  strict_lock();
  const void *object = strict_object(context, STRICT_CONTEXT, __func__);
  strict_unlock();
  return object != NULL ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
}

/* Found by name. */
ze_result_t ZE_APICALL strict_list_is_immediate(
    ze_command_list_handle_t list, ze_bool_t *immediate) __asm__("zeCommandListIsImmediate");
ze_result_t ZE_APICALL strict_list_get_context(ze_command_list_handle_t list,
    ze_context_handle_t *context) __asm__("zeCommandListGetContextHandle");
ze_result_t ZE_APICALL strict_list_get_device(ze_command_list_handle_t list,
    ze_device_handle_t *device) __asm__("zeCommandListGetDeviceHandle");
ze_result_t ZE_APICALL strict_event_get_pool(
    ze_event_handle_t event, ze_event_pool_handle_t *pool) __asm__("zeEventGetEventPool");
ze_result_t ZE_APICALL strict_pool_get_context(ze_event_pool_handle_t pool,
    ze_context_handle_t *context) __asm__("zeEventPoolGetContextHandle");

static struct strict_object *parent_of(void *handle) {
  return ((struct strict_object *)handle)->parent;
}

ze_result_t ZE_APICALL strict_list_is_immediate(
    ze_command_list_handle_t list, ze_bool_t *immediate) {
  *immediate = ((struct strict_list *)(void *)list)->immediate;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_list_get_context(
    ze_command_list_handle_t list, ze_context_handle_t *context) {
  *context = (ze_context_handle_t)(void *)parent_of(list);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_list_get_device(
    ze_command_list_handle_t list, ze_device_handle_t *device) {
  *device = ((struct strict_list *)(void *)list)->device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_event_get_pool(
    ze_event_handle_t event, ze_event_pool_handle_t *pool) {
  *pool = (ze_event_pool_handle_t)(void *)parent_of(event);
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL strict_pool_get_context(
    ze_event_pool_handle_t pool, ze_context_handle_t *context) {
  *context = (ze_context_handle_t)(void *)parent_of(pool);
  return ZE_RESULT_SUCCESS;
}
