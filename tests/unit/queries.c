/* Queries of devices, kernels and allocations: what is queried of the driver, refused inputs, and
   what a loader may lack. Of the functions that the fake has none of, this file has its own. */
#include "support/zoo.h"
#include "syclze/device_query.h"
#include "syclze/kernel_query.h"
#include "syclze/usm_query.h"
#include "tests/check.h"

enum { MIB = 1 << 20 };

static struct {
  ze_result_t result; /* of every function of this file */
  unsigned calls;
  ze_device_handle_t card; /* of the sub-devices that no enumeration has */
  uint32_t set[3];         /* the group size that was last set */
  const void *suggested;   /* the kernel that was queried */
} own;

#define OWN()                                                                                      \
  do {                                                                                             \
    own.calls++;                                                                                   \
    if (own.result != ZE_RESULT_SUCCESS) return own.result;                                        \
  } while (0)

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  OWN();
  properties->type = ZE_DEVICE_TYPE_GPU;
  properties->vendorId = 0x8086;
  properties->deviceId = 7;
  properties->flags = device == world.sub ? (uint32_t)ZE_DEVICE_PROPERTY_FLAG_SUBDEVICE : 0u;
  properties->subdeviceId = 3;
  properties->numSlices = 2;
  properties->numSubslicesPerSlice = 4;
  properties->numEUsPerSubslice = 8;
  properties->coreClockRate = 900;
  properties->maxMemAllocSize = MIB;
  memset(properties->uuid.id, device == world.sub ? 2 : 1, sizeof properties->uuid.id);
  strcpy(properties->name, "fake");
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceGetMemoryProperties(
    ze_device_handle_t device, uint32_t *count, ze_device_memory_properties_t *properties) {
  OWN();
  (void)device;
  for (uint32_t i = 0; properties != NULL && i < *count; i++)
    properties[i].totalSize = (uint64_t)(i + 1) * MIB;
  *count = 2;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDevicePciGetPropertiesExt(
    ze_device_handle_t device, ze_pci_ext_properties_t *properties) {
  OWN();
  (void)device;
  properties->address = (ze_pci_address_ext_t){1, 2, 3, 4};
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeDeviceCanAccessPeer(
    ze_device_handle_t device, ze_device_handle_t peer, ze_bool_t *can) {
  OWN();
  *can = device != peer;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL own_root(ze_device_handle_t device, ze_device_handle_t *root) __asm__(
    "zeDeviceGetRootDevice");
ze_result_t ZE_APICALL own_root(ze_device_handle_t device, ze_device_handle_t *root) {
  OWN();
  *root = own.card != NULL ? own.card : device;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL own_init(uint32_t flags) __asm__("zesInit");
ze_result_t ZE_APICALL own_init(uint32_t flags) {
  OWN();
  CHECK_EQ(flags, 0);
  return ZE_RESULT_SUCCESS;
}

/* The second of two drivers has the device. */
ze_result_t ZE_APICALL own_drivers(uint32_t *count, void **drivers) __asm__("zesDriverGet");
ze_result_t ZE_APICALL own_drivers(uint32_t *count, void **drivers) {
  OWN();
  for (uint32_t i = 0; drivers != NULL && i < *count; i++)
    drivers[i] = (char *)&own + i;
  *count = 2;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL own_device(void *driver, ze_device_uuid_t uuid, void **device,
    ze_bool_t *is_sub_device, uint32_t *id) __asm__("zesDriverGetDeviceByUuidExp");
ze_result_t ZE_APICALL own_device(
    void *driver, ze_device_uuid_t uuid, void **device, ze_bool_t *is_sub_device, uint32_t *id) {
  OWN();
  if (driver == &own || uuid.id[0] != 1) return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  *device = &own;
  *is_sub_device = 0;
  *id = 0;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL own_memories(void *device, uint32_t *count, void **memories) __asm__(
    "zesDeviceEnumMemoryModules");
ze_result_t ZE_APICALL own_memories(void *device, uint32_t *count, void **memories) {
  OWN();
  CHECK_EQ(device, &own);
  for (uint32_t i = 0; memories != NULL && i < *count; i++)
    memories[i] = (char *)&own + i;
  *count = 2;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL own_state(void *memory, struct syclze__zes_memory_state *state) __asm__(
    "zesMemoryGetState");
ze_result_t ZE_APICALL own_state(void *memory, struct syclze__zes_memory_state *state) {
  OWN();
  CHECK_EQ(state->stype, 0x1e);
  state->free = memory == &own ? 100 : 11;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelGetProperties(
    ze_kernel_handle_t kernel, ze_kernel_properties_t *properties) {
  OWN();
  (void)kernel;
  ze_kernel_preferred_group_size_properties_t *preferred = properties->pNext;
  CHECK_EQ(preferred->stype, ZE_STRUCTURE_TYPE_KERNEL_PREFERRED_GROUP_SIZE_PROPERTIES);
  preferred->preferredMultiple = 16;
  properties->numKernelArgs = 3;
  properties->requiredGroupSizeX = 8;
  properties->requiredGroupSizeY = properties->requiredGroupSizeZ = 1;
  properties->maxSubgroupSize = 32;
  properties->localMemSize = 64;
  properties->privateMemSize = 128;
  properties->spillMemSize = 256;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelGetSourceAttributes(
    ze_kernel_handle_t kernel, uint32_t *size, char **text) {
  static char attributes[] = "one two";
  OWN();
  (void)kernel;
  *size = sizeof attributes;
  *text = attributes;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSuggestGroupSize(ze_kernel_handle_t kernel, uint32_t x, uint32_t y,
    uint32_t z, uint32_t *local_x, uint32_t *local_y, uint32_t *local_z) {
  (void)kernel;
  *local_x = x / 2;
  *local_y = y / 2;
  *local_z = z / 2;
  OWN();
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSetGroupSize(
    ze_kernel_handle_t kernel, uint32_t x, uint32_t y, uint32_t z) {
  OWN();
  (void)kernel;
  own.set[0] = x, own.set[1] = y, own.set[2] = z;
  return ZE_RESULT_SUCCESS;
}

ze_result_t ZE_APICALL zeKernelSuggestMaxCooperativeGroupCount(
    ze_kernel_handle_t kernel, uint32_t *count) {
  own.suggested = kernel;
  *count = 12;
  OWN();
  return ZE_RESULT_SUCCESS;
}

static void begin(void) {
  memset(&own, 0, sizeof own);
  zoo_begin();
}

TEST(a_device_has_its_properties) {
  begin();
  syclze_device_info info;
  CHECK_OK(syclze_device_get_info(world.sub_device, &info));
  CHECK_STR_EQ(info.name, "fake");
  CHECK_EQ(info.type, ZE_DEVICE_TYPE_GPU);
  CHECK_EQ(info.vendor_id, 0x8086);
  CHECK_EQ(info.device_id, 7);
  CHECK_EQ(info.uuid[15], 2);
  CHECK(info.is_sub_device);
  CHECK_EQ(info.sub_device_id, 3);
  CHECK_EQ(info.compute_units, 64);
  CHECK_EQ(info.memory_size, 3 * MIB);
  CHECK_EQ(info.max_allocation_size, MIB);
  CHECK_OK(syclze_device_get_info(world.device, &info));
  CHECK(!info.is_sub_device);
  CHECK_EQ(info.sub_device_id, 0);
  syclze_pci_address address;
  CHECK_OK(syclze_device_get_pci_address(world.device, &address));
  CHECK_EQ(address.domain, 1);
  CHECK_EQ(address.function, 4);
  zoo_end();
}

TEST(queue_groups_are_those_of_the_driver) {
  begin();
  syclze_queue_group groups[2];
  uint32_t count = 0;
  CHECK_OK(syclze_device_get_queue_groups(world.device, &count, NULL));
  CHECK_EQ(count, 2);
  CHECK_OK(syclze_device_get_queue_groups(world.device, &count, groups));
  CHECK(!groups[0].computes && groups[0].copies);
  CHECK(groups[1].computes);
  CHECK_EQ(groups[1].queue_count, FAKE_QUEUES);
  count = 1;
  CHECK_OK(syclze_device_get_queue_groups(world.device, &count, groups));
  CHECK_EQ(count, 1);
  zoo_end();
}

TEST(devices_of_one_platform_may_be_peers) {
  begin();
  bool can;
  CHECK_OK(syclze_device_can_access_peer(world.device, world.device2, &can));
  CHECK(can);
  const unsigned calls = own.calls;
  CHECK_OK(syclze_device_can_access_peer(world.device, world.other_device, &can));
  CHECK(!can);
  CHECK_EQ(own.calls, calls);
  zoo_end();
}

TEST(a_device_has_a_root_and_a_card) {
  begin();
  const syclze_device none = {0};
  ze_device_handle_t card;
  CHECK_EQ(syclze_device_get_root(world.sub_sub_device).rep, world.device.rep);
  CHECK_EQ(syclze_device_get_root(world.device).rep, world.device.rep);
  CHECK_EQ(syclze_device_get_root(none).rep, NULL);
  CHECK_OK(syclze_device_get_composite(world.sub_sub_device, &card));
  CHECK_EQ(card, world.root);
  CHECK_OK(syclze_device_get_composite(world.device, &card));
  CHECK_EQ(card, NULL);
  own.card = (ze_device_handle_t)(void *)&own;
  CHECK_OK(syclze_device_get_composite(world.device, &card));
  CHECK_EQ(card, own.card);
  zoo_end();
}

TEST(free_memory_is_the_sum_over_the_memories) {
  begin();
  uint64_t size;
  CHECK_OK(syclze_device_get_free_memory(world.device, &size));
  CHECK_EQ(size, 111);
  /* No driver has a device of its uuid. */
  CHECK_REFUSED(syclze_device_get_free_memory(world.sub_device, &size),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_device_get_free_memory", world.sub);
  CHECK_EQ(size, 0);
  zoo_end();
}

TEST(what_a_loader_lacks_is_refused_with_its_version) {
  begin();
  uint64_t size;
  ze_device_handle_t card;
  fake.old_loader = 1;
  CHECK_REFUSED(syclze_device_get_free_memory(world.device, &size),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_device_get_free_memory", world.root);
  CHECK(strstr(notes.first.rule, "Level Zero 1.9") != NULL);
  CHECK_REFUSED(syclze_device_get_composite(world.device, &card),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_device_get_composite", world.root);
  CHECK(strstr(notes.first.rule, "Level Zero 1.7") != NULL);
  CHECK_OK(syclze_device_get_composite(world.sub_device, &card));
  CHECK_EQ(card, world.root);
  fake.old_loader = 0;
  zoo_end();
}

TEST(a_kernel_has_its_properties) {
  begin();
  const syclze_kernel_input input = {zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  const uint32_t global[3] = {64, 4, 2}, group[3] = {8, 2, 1};
  syclze_kernel kernel;
  syclze_kernel_properties properties;
  uint32_t local[3], count;
  const char *attributes;
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  CHECK_OK(syclze_kernel_get_properties(kernel, &properties));
  CHECK_EQ(properties.argument_count, 3);
  CHECK_EQ(properties.required_group_size[0], 8);
  CHECK_EQ(properties.max_sub_group_size, 32);
  CHECK_EQ(properties.preferred_group_multiple, 16);
  CHECK_EQ(properties.local_memory_size, 64);
  CHECK_EQ(properties.private_memory_size, 128);
  CHECK_EQ(properties.spill_memory_size, 256);
  CHECK_OK(syclze_kernel_get_attributes(kernel, &attributes));
  CHECK_STR_EQ(attributes, "one two");
  CHECK_OK(syclze_kernel_suggest_group_size(kernel, global, local));
  CHECK_EQ(local[0], 32);
  CHECK_EQ(local[2], 1);
  CHECK_OK(syclze_kernel_get_max_group_count(kernel, group, &count));
  CHECK_EQ(count, 12);
  CHECK_EQ(own.set[1], 2);
  /* The kernel itself keeps its group size. */
  CHECK(own.suggested != (const void *)zoo.kernel);
  CHECK_EQ(fake_destroys(own.suggested), 1);
  CHECK_OK(syclze_kernel_release(kernel));
  zoo_end();
}

TEST(an_allocation_has_its_type_base_size_and_device) {
  begin();
  void *memory;
  syclze_usm_info info;
  CHECK_OK(syclze_malloc_device(4096, world.sub_device, world.context, &memory));
  CHECK_OK(syclze_usm_get_info((char *)memory + 100, world.context, &info));
  CHECK_EQ(info.type, ZE_MEMORY_TYPE_DEVICE);
  CHECK_EQ(info.base, memory);
  CHECK_EQ(info.size, 4096);
  CHECK_EQ(info.device.rep, world.sub_device.rep);
  CHECK_OK(syclze_free(memory, world.context));
  CHECK_OK(syclze_malloc_host(64, world.context, &memory));
  CHECK_OK(syclze_usm_get_info(memory, world.context, &info));
  CHECK_EQ(info.type, ZE_MEMORY_TYPE_HOST);
  CHECK_EQ(info.device.rep, NULL);
  CHECK_OK(syclze_free(memory, world.context));
  memset(&info, 1, sizeof info);
  CHECK_OK(syclze_usm_get_info(&info, world.context, &info));
  CHECK_EQ(info.type, ZE_MEMORY_TYPE_UNKNOWN);
  CHECK_EQ(info.base, NULL);
  zoo_end();
}

TEST(wrong_arguments_are_refused) {
  begin();
  const syclze_device no_device = {0};
  const syclze_context no_context = {0};
  const syclze_kernel no_kernel = {0};
  syclze_device_info info;
  syclze_usm_info usm;
  syclze_kernel_properties properties;
  uint32_t count = 1;
  bool can = true;
  CHECK_REFUSED(syclze_device_get_info(no_device, &info), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_device_get_info", NULL);
  CHECK_REFUSED(syclze_device_get_info(world.device, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_device_get_info", world.root);
  CHECK_REFUSED(syclze_device_get_queue_groups(no_device, &count, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_device_get_queue_groups", NULL);
  CHECK_EQ(count, 0);
  CHECK_REFUSED(syclze_device_can_access_peer(world.device, no_device, &can),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_device_can_access_peer", world.root);
  CHECK(!can);
  CHECK_REFUSED(syclze_kernel_get_properties(no_kernel, &properties),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_kernel_get_properties", NULL);
  CHECK_REFUSED(syclze_usm_get_info(&usm, no_context, &usm), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_usm_get_info", &usm);
  CHECK_REFUSED(syclze_usm_get_info(NULL, world.context, &usm),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_usm_get_info", NULL);
  zoo_end();
}

TEST(errors_of_the_driver_are_passed_through) {
  begin();
  const syclze_kernel_input input = {zoo.bundle, zoo.kernel, SYCLZE_OWNERSHIP_KEEP};
  const uint32_t group[3] = {1, 1, 1};
  syclze_device_info info;
  syclze_pci_address address;
  syclze_kernel kernel;
  uint64_t size = 1;
  uint32_t count = 1, local[3];
  CHECK_OK(syclze_make_kernel(&input, world.context, &kernel));
  own.result = ZE_RESULT_ERROR_DEVICE_LOST;
  CHECK_REFUSED(syclze_device_get_info(world.device, &info), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_device_get_info", world.root);
  CHECK_REFUSED(syclze_device_get_pci_address(world.device, &address), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_device_get_pci_address", world.root);
  CHECK_REFUSED(syclze_device_get_free_memory(world.device, &size), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_device_get_free_memory", world.root);
  CHECK_EQ(size, 0);
  CHECK_REFUSED(syclze_kernel_suggest_group_size(kernel, group, local), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_kernel_suggest_group_size", zoo.kernel);
  CHECK_EQ(local[0], 0);
  CHECK_FAILED(syclze_kernel_get_max_group_count(kernel, group, &count),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_kernel_get_max_group_count", zoo.kernel);
  CHECK_EQ(count, 0);
  CHECK_OK(syclze_kernel_release(kernel));
  zoo_end();
}

TEST_MAIN(a_device_has_its_properties, queue_groups_are_those_of_the_driver,
    devices_of_one_platform_may_be_peers, a_device_has_a_root_and_a_card,
    free_memory_is_the_sum_over_the_memories, what_a_loader_lacks_is_refused_with_its_version,
    a_kernel_has_its_properties, an_allocation_has_its_type_base_size_and_device,
    wrong_arguments_are_refused, errors_of_the_driver_are_passed_through)
