/* Implementation of device_query.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_DEVICE_QUERY_H
#define SYCLZE_DETAIL_OBJECTS_DEVICE_QUERY_H

#include "../../device_query.h"
#include "../../queue.h"
#include "query_check.h"
#include "../driver/system_memory.h"
#include "../trace_call.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL ze_result_t syclze__device_read_memories(
    ze_device_handle_t device, syclze_device_info *info) {
  uint32_t count = 0;
  ze_device_memory_properties_t *memories;
  ze_result_t result = SYCLZE__ZE(zeDeviceGetMemoryProperties)(device, &count, NULL);
  if (result != ZE_RESULT_SUCCESS || count == 0) return result;
  memories = (ze_device_memory_properties_t *)calloc(count, sizeof *memories);
  if (memories == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < count; i++)
    memories[i].stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES;
  result = SYCLZE__ZE(zeDeviceGetMemoryProperties)(device, &count, memories);
  for (uint32_t i = 0; i < count && result == ZE_RESULT_SUCCESS; i++)
    info->memory_size += memories[i].totalSize;
  free(memories);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__device_get_info_impl(
    syclze_device device, syclze_device_info *info) {
  const char *const function = "syclze_device_get_info";
  struct syclze__status status = syclze__check_query(device.rep, info);
  if (info != NULL) memset(info, 0, sizeof *info);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__query_end(status, function, device.rep);
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  status = syclze__status_of(SYCLZE__ZE(zeDeviceGetProperties)(device.rep->native, &properties),
      "zeDeviceGetProperties failed");
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of_call(syclze__device_read_memories(device.rep->native, info),
        "zeDeviceGetMemoryProperties failed");
  if (status.result != ZE_RESULT_SUCCESS) {
    memset(info, 0, sizeof *info);
    return syclze__query_end(status, function, device.rep);
  }
  memcpy(info->name, properties.name, sizeof info->name);
  info->name[sizeof info->name - 1] = '\0';
  info->type = properties.type;
  info->vendor_id = properties.vendorId;
  info->device_id = properties.deviceId;
  memcpy(info->uuid, properties.uuid.id, sizeof info->uuid);
  info->is_integrated = (properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED) != 0;
  info->is_sub_device = (properties.flags & ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE) != 0;
  info->sub_device_id = info->is_sub_device ? properties.subdeviceId : 0;
  info->core_clock = properties.coreClockRate;
  info->compute_units =
      properties.numSlices * properties.numSubslicesPerSlice * properties.numEUsPerSubslice;
  info->max_allocation_size = properties.maxMemAllocSize;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_device_get_info(syclze_device device, syclze_device_info *info) {
  SYCLZE__TRACE_CALL(call, DEVICE_INFO, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_get_info_impl(device, info));
}

SYCLZE_LOCAL ze_result_t syclze__device_get_pci_address_impl(
    syclze_device device, syclze_pci_address *address) {
  struct syclze__status status = syclze__check_query(device.rep, address);
  SYCLZE__ZE_STRUCT(ze_pci_ext_properties_t, properties, PCI_EXT_PROPERTIES);
  if (address != NULL) memset(address, 0, sizeof *address);
  if (status.result == ZE_RESULT_SUCCESS)
    status =
        syclze__status_of(SYCLZE__ZE(zeDevicePciGetPropertiesExt)(device.rep->native, &properties),
            "zeDevicePciGetPropertiesExt failed: the device may have no PCI address");
  if (status.result == ZE_RESULT_SUCCESS) {
    address->domain = properties.address.domain;
    address->bus = properties.address.bus;
    address->device = properties.address.device;
    address->function = properties.address.function;
  }
  return syclze__query_end(status, "syclze_device_get_pci_address", device.rep);
}

SYCLZE_COLD ze_result_t syclze_device_get_pci_address(
    syclze_device device, syclze_pci_address *address) {
  SYCLZE__TRACE_CALL(call, DEVICE_PCI_ADDRESS, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_get_pci_address_impl(device, address));
}

SYCLZE_LOCAL ze_result_t syclze__device_get_free_memory_impl(
    syclze_device device, uint64_t *free_size) {
  struct syclze__status status = syclze__check_query(device.rep, free_size);
  if (free_size != NULL) *free_size = 0;
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__system_memory_free(device.rep, free_size);
  return syclze__query_end(status, "syclze_device_get_free_memory", device.rep);
}

SYCLZE_COLD ze_result_t syclze_device_get_free_memory(syclze_device device, uint64_t *free_size) {
  SYCLZE__TRACE_CALL(call, DEVICE_FREE_MEMORY, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_get_free_memory_impl(device, free_size));
}

SYCLZE_LOCAL ze_result_t syclze__device_get_queue_groups_impl(
    syclze_device device, uint32_t *count, syclze_queue_group *groups) {
  struct syclze__status status = syclze__check_query(device.rep, count);
  const uint32_t capacity = count != NULL ? *count : 0;
  ze_command_queue_group_properties_t *all = NULL;
  uint32_t found = 0;
  if (count != NULL) *count = 0;
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of_call(syclze__queue_groups_query(device.rep, &found, &all),
        "zeDeviceGetCommandQueueGroupProperties failed");
  if (status.result == ZE_RESULT_SUCCESS) {
    *count = capacity != 0 && capacity < found ? capacity : found;
    for (uint32_t i = 0; i < *count && capacity != 0 && groups != NULL; i++) {
      const uint32_t flags = all[i].flags;
      groups[i].computes = (flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE) != 0;
      groups[i].copies = (flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COPY) != 0;
      groups[i].launches_cooperatively =
          (flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COOPERATIVE_KERNELS) != 0;
      groups[i].queue_count = all[i].numQueues;
      groups[i].max_fill_pattern_size = all[i].maxMemoryFillPatternSize;
    }
    free(all);
  }
  return syclze__query_end(status, "syclze_device_get_queue_groups", device.rep);
}

SYCLZE_COLD ze_result_t syclze_device_get_queue_groups(
    syclze_device device, uint32_t *count, syclze_queue_group *groups) {
  SYCLZE__TRACE_CALL(call, DEVICE_QUEUE_GROUPS, SYCLZE__WORD(device.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_get_queue_groups_impl(device, count, groups));
}

SYCLZE_LOCAL ze_result_t syclze__device_can_access_peer_impl(
    syclze_device device, syclze_device peer, bool *can) {
  struct syclze__status status = syclze__check_query(device.rep, can);
  ze_bool_t answer = 0;
  if (can != NULL) *can = false;
  if (status.result == ZE_RESULT_SUCCESS && peer.rep == NULL)
    status = syclze__null_handle("the other device is null");
  if (status.result == ZE_RESULT_SUCCESS && device.rep->platform == peer.rep->platform) {
    status = syclze__status_of(
        SYCLZE__ZE(zeDeviceCanAccessPeer)(device.rep->native, peer.rep->native, &answer),
        "zeDeviceCanAccessPeer failed");
    *can = status.result == ZE_RESULT_SUCCESS && answer;
  }
  return syclze__query_end(status, "syclze_device_can_access_peer", device.rep);
}

SYCLZE_COLD ze_result_t syclze_device_can_access_peer(
    syclze_device device, syclze_device peer, bool *can) {
  SYCLZE__TRACE_CALL(call, DEVICE_PEER, SYCLZE__WORD(device.rep), SYCLZE__WORD(peer.rep));
  return SYCLZE__TRACE_RESULT(call, syclze__device_can_access_peer_impl(device, peer, can));
}

SYCLZE_COLD syclze_device syclze_device_get_root(syclze_device device) {
  while (device.rep != NULL && device.rep->parent != NULL)
    device.rep = device.rep->parent;
  return device;
}

#endif

SYCLZE_EXTERN_C_END

#endif
