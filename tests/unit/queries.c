/* Queries of devices, kernels and allocations: what is queried of the driver, refused inputs, and
   what a loader may lack. Of the functions that the fake has none of, this file has its own. */
#undef SYCLZE_DECLARATIONS
#define _POSIX_C_SOURCE 200809L /* setenv */
#include "support/memory.h"
#include "support/zoo.h"
#include "syclze/aspect.h"
#include "syclze/composite_device.h"
#include "syclze/device_query.h"
#include "syclze/kernel_query.h"
#include "syclze/usm_query.h"
#include "tests/check.h"

#include <ctype.h>

enum { MIB = 1 << 20 };

static struct {
  ze_result_t result;      /* of every function of this file */
  unsigned calls, fail_at; /* the call that fails; 0 for none */
  const char *failed;      /* the function of that call */
  uint32_t vendor;         /* of devices; 0 for Intel */
  uint32_t set[3];         /* the group size that was last set */
  const void *suggested;   /* the kernel that was queried */
} own;

#define OWN()                                                                                      \
  do {                                                                                             \
    own.calls++;                                                                                   \
    if (own.result != ZE_RESULT_SUCCESS) return own.result;                                        \
    if (own.calls == own.fail_at) {                                                                \
      own.failed = __func__;                                                                       \
      return ZE_RESULT_ERROR_DEVICE_LOST;                                                          \
    }                                                                                              \
  } while (0)

ze_result_t ZE_APICALL zeDeviceGetProperties(
    ze_device_handle_t device, ze_device_properties_t *properties) {
  OWN();
  CHECK(properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES ||
        properties->stype == ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2);
  properties->type = ZE_DEVICE_TYPE_GPU;
  properties->vendorId = own.vendor != 0 ? own.vendor : 0x8086;
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

TEST(a_device_has_its_properties) { // shows queues 18
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

TEST(queue_groups_are_those_of_the_driver) { // shows queues 18
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

TEST(devices_of_one_platform_may_be_peers) { // shows queues 18
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

TEST(a_device_has_a_root) { // shows queues 18
  begin();
  const syclze_device none = {0};
  CHECK_EQ(syclze_device_get_root(world.sub_sub_device).rep, world.device.rep);
  CHECK_EQ(syclze_device_get_root(world.device).rep, world.device.rep);
  CHECK_EQ(syclze_device_get_root(none).rep, NULL);
  zoo_end();
}

/* A world of which the first two devices are those of a card, and a third one is alone. */
static ze_device_handle_t begin_with_card(void) {
  world_begin();
  const ze_device_handle_t card = fake_card(world.driver);
  fake_join(world.root, card);
  fake_join(world.root2, card);
  return card;
}

TEST(a_card_of_several_devices_is_a_composite_device) { // shows queues 29
  const ze_device_handle_t card = begin_with_card();
  const syclze_platform platform = syclze_device_get_platform(world.device);
  syclze_device composite, made, list[4];
  uint32_t count = 0;
  CHECK_OK(syclze_platform_get_composite_devices(platform, &count, NULL));
  CHECK_EQ(count, 1);
  CHECK_OK(syclze_platform_get_composite_devices(platform, &count, &composite));
  CHECK_EQ(syclze_device_get_native(composite), card);
  CHECK(syclze_device_get_parent(composite).rep == NULL);
  const unsigned calls = fake_all_calls();
  CHECK_OK(syclze_device_get_composite(world.device, &made));
  CHECK_EQ(made.rep, composite.rep);
  CHECK_OK(syclze_device_get_composite(world.device2, &made));
  CHECK_EQ(made.rep, composite.rep);
  CHECK_OK(syclze_device_get_composite(world.sub_device, &made));
  CHECK_EQ(made.rep, NULL);
  CHECK_OK(syclze_device_get_composite(composite, &made));
  CHECK_EQ(made.rep, NULL);
  CHECK_OK(syclze_make_device(card, &made));
  CHECK_EQ(made.rep, composite.rep);
  count = 4;
  CHECK_OK(syclze_device_get_components(composite, &count, list));
  CHECK_EQ(count, 2);
  CHECK(list[0].rep == world.device.rep && list[1].rep == world.device2.rep);
  count = 0;
  CHECK_OK(syclze_device_get_components(world.device, &count, list));
  CHECK_EQ(count, 0);
  CHECK_EQ(fake_all_calls(), calls); /* found once */
  /* The enumeration has it not. */
  count = 4;
  CHECK_OK(syclze_device_get(platform, &count, list));
  CHECK_EQ(count, 2);
  world_end();
}

TEST(a_context_of_a_composite_device_has_its_components) { // shows queues 29
  const ze_device_handle_t card = begin_with_card();
  const ze_context_handle_t native = fake_context(world.driver), other = fake_context(world.driver);
  syclze_device composite;
  syclze_queue queue;
  CHECK_OK(syclze_make_device(card, &composite));
  syclze_context context = world_context(native, &composite, 1);
  syclze_context part = world_context(other, &world.device, 1);
  const syclze_device in[] = {composite, world.device2, world.sub_sub_device};
  for (int i = 0; i < 3; i++) {
    CHECK_OK(syclze_queue_create(context, in[i], NULL, &queue));
    CHECK_OK(syclze_queue_release(queue));
  }
  CHECK_REFUSED(syclze_queue_create(part, composite, NULL, &queue), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_queue_create", NULL);
  void *memory;
  syclze_usm_info info;
  CHECK_OK(syclze_malloc_device(64, composite, context, &memory));
  CHECK_OK(syclze_usm_get_info(memory, context, &info));
  CHECK_EQ(info.device.rep, composite.rep);
  CHECK_OK(syclze_free(memory, context));
  CHECK_OK(syclze_context_release(part));
  CHECK_OK(syclze_context_release(context));
  fake_destroy(other);
  fake_destroy(native);
  world_end();
}

TEST(a_card_with_one_device_or_an_unknown_one_is_not_composite) { // shows queues 29
  world_begin();
  const ze_device_handle_t card = fake_card(world.driver), other = fake_card(world.driver);
  fake_join(world.root, card);
  fake_join(world.root2, other);
  fake_join(world.sub, other); /* no root device */
  const syclze_platform platform = syclze_device_get_platform(world.device);
  syclze_device composite;
  uint32_t count = 0;
  CHECK_OK(syclze_platform_get_composite_devices(platform, &count, NULL));
  CHECK_EQ(count, 0);
  CHECK_OK(syclze_device_get_composite(world.device, &composite));
  CHECK_EQ(composite.rep, NULL);
  CHECK_REFUSED(syclze_make_device(card, &composite), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_make_device", card);
  world_end();
}

TEST(the_environment_selects_no_composite_devices) { // shows queues 29
  begin_with_card();
  const syclze_platform platform = syclze_device_get_platform(world.device);
  uint32_t count = 0;
  CHECK_EQ(setenv("ONEAPI_DEVICE_SELECTOR", "level_zero:1", 1), 0);
  CHECK_OK(syclze_platform_get_composite_devices(platform, &count, NULL));
  CHECK_EQ(count, 1);
  CHECK_EQ(unsetenv("ONEAPI_DEVICE_SELECTOR"), 0);
  world_end();
}

TEST(composite_devices_are_refused_or_fail) { // shows queues 29
  const char *lists = "syclze_platform_get_composite_devices",
             *gets = "syclze_device_get_composite", *components = "syclze_device_get_components";
  begin_with_card();
  const syclze_platform platform = syclze_device_get_platform(world.device), no_platform = {0};
  const syclze_device no_device = {0};
  syclze_device composite;
  uint32_t count = 1;
  CHECK_REFUSED(syclze_platform_get_composite_devices(no_platform, &count, &composite),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, lists, NULL);
  CHECK_EQ(count, 0);
  CHECK_REFUSED(syclze_platform_get_composite_devices(platform, NULL, &composite),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, lists, world.driver);
  CHECK_REFUSED(syclze_device_get_composite(no_device, &composite),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, gets, NULL);
  CHECK_REFUSED(syclze_device_get_composite(world.device, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, gets, world.root);
  CHECK_REFUSED(syclze_device_get_components(no_device, &count, &composite),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, components, NULL);
  CHECK_REFUSED(syclze_device_get_components(world.device, NULL, &composite),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, components, NULL);
  for (unsigned nth = 1;; nth++) {
    fake_fail_nth_call(nth, ZE_RESULT_ERROR_DEVICE_LOST);
    notes_start();
    const ze_result_t result = syclze_device_get_composite(world.device, &composite);
    if (fake_failed_function() == FAKE_FUNCTION_COUNT) break;
    CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_EQ(notes.count, 1);
    CHECK_EQ(composite.rep, NULL);
  }
  CHECK(composite.rep != NULL);
  world_end();
  begin_with_card();
  for (unsigned nth = 1; nth < 3; nth++) {
    memory_fail(nth);
    CHECK_REFUSED(syclze_device_get_composite(world.device, &composite),
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, gets, world.root);
    CHECK(memory_failed());
  }
  memory_fail(0);
  world_end();
}

static bool has(syclze_device device, syclze_aspect aspect) {
  bool answer;
  CHECK_OK(syclze_device_has(device, aspect, &answer));
  return answer;
}

TEST(aspects_of_the_tree_of_devices) { // shows queues 30
  const ze_device_handle_t card = begin_with_card();
  syclze_device composite;
  CHECK_OK(syclze_make_device(card, &composite));
  CHECK(has(composite, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE));
  CHECK(!has(composite, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  CHECK(has(world.device2, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  CHECK(!has(world.device2, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPOSITE));
  CHECK(!has(world.sub_device, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  CHECK(!has(world.other_device, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  world_end();
  world_begin_with_old_loader();
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_IS_COMPONENT));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_SEMAPHORE_IMPORT));
  world_end();
}

TEST(aspects_are_those_of_the_properties) { // shows queues 30
  begin();
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_GPU_EU_COUNT));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_IS_INTEGRATED_GPU));
  CHECK(!has(world.device, SYCLZE_ASPECT_QUEUE_PROFILING)); /* its clock has no resolution */
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_PCI_ADDRESS));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_FREE_MEMORY));
  CHECK(!has(world.sub_device, SYCLZE_ASPECT_EXT_INTEL_FREE_MEMORY));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_EXPORTABLE_DEVICE_MEM));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_IPC_EVENT));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_REGISTER_HOST_MEMORY));
  fake.no_external = 1;
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_EXTERNAL_MEMORY_IMPORT));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_REGISTER_HOST_MEMORY));
  fake_fail(FAKE_zeDeviceGetExternalMemoryProperties, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_EXPORTABLE_DEVICE_MEM));
  fake_fail(FAKE_zeDriverGetIpcProperties, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_IPC_MEMORY));
  CHECK(has(world.device, SYCLZE_ASPECT_ONLINE_COMPILER));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_GRAPH));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_VIRTUAL_MEM));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_ASYNC_MEMORY_ALLOC));
  CHECK(!has(world.device, SYCLZE_ASPECT_EMULATED));
  zoo_end();
}

TEST(aspects_are_those_of_the_extensions) { // shows queues 30
  begin();
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_NODE_MASK));
  fake.no_bindless = 1;
  fake.has_luid = 1;
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_NODE_MASK));
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_ESIMD));
  fake.no_other = 1; /* the driver's only extension */
  CHECK(has(world.device, SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_BINDLESS_IMAGES_2D_USM));
  own.vendor = 0x10de;
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_INTEL_ESIMD));
  own.vendor = 0;
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_SRGB));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_MIPMAP));
  CHECK(!has(world.device, SYCLZE_ASPECT_EXT_ONEAPI_CUBEMAP));
  bool answer = true;
  fake_fail(FAKE_zeDriverGetExtensionProperties, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_REFUSED(syclze_device_has(world.device, SYCLZE_ASPECT_EXT_INTEL_DEVICE_INFO_LUID, &answer),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_device_has", world.root);
  CHECK(!answer);
  zoo_end();
}

/* clang-format off */
#define ASPECTS(X) \
  X(CPU) X(GPU) X(ACCELERATOR) X(CUSTOM) X(FP16) X(FP64) X(IMAGE) X(ONLINE_COMPILER) \
  X(ONLINE_LINKER) X(QUEUE_PROFILING) X(USM_DEVICE_ALLOCATIONS) X(USM_HOST_ALLOCATIONS) \
  X(USM_SHARED_ALLOCATIONS) X(USM_SYSTEM_ALLOCATIONS) X(EXT_INTEL_PCI_ADDRESS) \
  X(EXT_INTEL_GPU_EU_COUNT) X(EXT_INTEL_GPU_EU_SIMD_WIDTH) X(EXT_INTEL_GPU_SLICES) \
  X(EXT_INTEL_GPU_SUBSLICES_PER_SLICE) X(EXT_INTEL_GPU_EU_COUNT_PER_SUBSLICE) \
  X(USM_ATOMIC_HOST_ALLOCATIONS) X(USM_ATOMIC_SHARED_ALLOCATIONS) X(ATOMIC64) \
  X(EXT_INTEL_DEVICE_INFO_UUID) X(EXT_ONEAPI_SRGB) X(HOST_DEBUGGABLE) \
  X(EXT_INTEL_GPU_HW_THREADS_PER_EU) X(EXT_INTEL_FREE_MEMORY) X(EXT_INTEL_DEVICE_ID) \
  X(EXT_INTEL_MEMORY_CLOCK_RATE) X(EXT_INTEL_MEMORY_BUS_WIDTH) X(EMULATED) \
  X(EXT_INTEL_LEGACY_IMAGE) X(EXT_ONEAPI_BINDLESS_IMAGES) X(EXT_ONEAPI_BINDLESS_IMAGES_2D_USM) \
  X(EXT_ONEAPI_EXTERNAL_MEMORY_IMPORT) X(EXT_ONEAPI_EXTERNAL_SEMAPHORE_IMPORT) \
  X(EXT_ONEAPI_MIPMAP) X(EXT_ONEAPI_MIPMAP_ANISOTROPY) X(EXT_ONEAPI_MIPMAP_LEVEL_REFERENCE) \
  X(EXT_INTEL_ESIMD) X(EXT_ONEAPI_IS_COMPOSITE) X(EXT_ONEAPI_IS_COMPONENT) X(EXT_ONEAPI_GRAPH) \
  X(EXT_ONEAPI_LIMITED_GRAPH) X(EXT_ONEAPI_CUBEMAP) X(EXT_ONEAPI_CUBEMAP_SEAMLESS_FILTERING) \
  X(EXT_ONEAPI_QUEUE_PROFILING_TAG) X(EXT_ONEAPI_VIRTUAL_MEM) X(EXT_INTEL_SPILL_MEMORY_SIZE) \
  X(EXT_ONEAPI_ASYNC_MEMORY_ALLOC) X(EXT_INTEL_DEVICE_INFO_LUID) \
  X(EXT_INTEL_DEVICE_INFO_NODE_MASK) X(EXT_ONEAPI_EXPORTABLE_DEVICE_MEM) \
  X(EXT_ONEAPI_IS_INTEGRATED_GPU) X(EXT_ONEAPI_IPC_MEMORY) X(EXT_ONEAPI_REGISTER_HOST_MEMORY) \
  X(EXT_ONEAPI_IPC_EVENT)
/* clang-format on */

TEST(each_aspect_has_its_name_and_no_other_number_is_one) {
#define NUMBER(name) SYCLZE_ASPECT_##name,
#define NAME(name) #name,
  static const syclze_aspect numbers[] = {ASPECTS(NUMBER)};
  static const char *const names[] = {ASPECTS(NAME)};
#undef NUMBER
#undef NAME
  bool known[256] = {false};
  begin();
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[64] = "";
    syclze_aspect aspect;
    for (size_t k = 0; names[i][k] != '\0' && k + 1 < sizeof name; k++)
      name[k] = (char)tolower((unsigned char)names[i][k]);
    CHECK_OK(syclze_aspect_find(name, &aspect));
    CHECK_EQ(aspect, numbers[i]);
    known[numbers[i]] = true;
  }
  for (uint32_t number = 0; number < 256; number++) {
    bool answer;
    if (!known[number])
      CHECK_EQ(syclze_device_has(world.device, (syclze_aspect)number, &answer),
          ZE_RESULT_ERROR_INVALID_ENUMERATION);
  }
  zoo_end();
}

TEST(unknown_aspects_are_refused) { // shows queues 30
  begin();
  const syclze_device none = {0};
  syclze_aspect aspect;
  bool answer = true;
  CHECK_OK(syclze_aspect_find("fp64", &aspect));
  CHECK_EQ(aspect, SYCLZE_ASPECT_FP64);
  CHECK_OK(syclze_aspect_find("ext_oneapi_ipc_event", &aspect));
  CHECK_EQ(aspect, 99);
  CHECK_REFUSED(syclze_aspect_find("fp", &aspect), ZE_RESULT_ERROR_INVALID_ENUMERATION,
      "syclze_aspect_find", NULL);
  CHECK_EQ(aspect, 0);
  CHECK_REFUSED(syclze_aspect_find(NULL, &aspect), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_aspect_find", NULL);
  CHECK_REFUSED(syclze_aspect_find("gpu", NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_aspect_find", NULL);
  const syclze_aspect unknown[] = {(syclze_aspect)0, (syclze_aspect)7, (syclze_aspect)100000};
  for (int i = 0; i < 3; i++) {
    CHECK_REFUSED(syclze_device_has(world.device, unknown[i], &answer),
        ZE_RESULT_ERROR_INVALID_ENUMERATION, "syclze_device_has", world.root);
    CHECK(!answer);
  }
  CHECK_REFUSED(syclze_device_has(none, SYCLZE_ASPECT_GPU, &answer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_device_has", NULL);
  CHECK_REFUSED(syclze_device_has(world.device, SYCLZE_ASPECT_GPU, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_device_has", world.root);
  own.result = ZE_RESULT_ERROR_DEVICE_LOST;
  CHECK_REFUSED(syclze_device_has(world.device, SYCLZE_ASPECT_EXT_INTEL_GPU_SLICES, &answer),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_device_has", world.root);
  CHECK_REFUSED(syclze_device_has(world.device, SYCLZE_ASPECT_GPU, &answer),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_device_has", world.root);
  own.result = ZE_RESULT_SUCCESS;
  zoo_end();
}

TEST(free_memory_is_the_sum_over_the_memories) { // shows queues 31
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

TEST(free_memory_has_the_error_of_the_call_that_fails) { // shows queues 31
  begin();
  const char *const function = "syclze_device_get_free_memory";
  unsigned failed = 0;
  for (unsigned nth = 1;; nth++) {
    uint64_t size = 1;
    own.calls = 0;
    own.fail_at = nth;
    own.failed = "";
    notes_start();
    const ze_result_t result = syclze_device_get_free_memory(world.device, &size);
    if (own.calls < nth) break;
    /* Each driver is asked for the device; the second one has it. */
    if (strcmp(own.failed, "own_device") == 0) continue;
    CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_LOST);
    CHECK_EQ(notes.count, 1);
    CHECK_STR_EQ(notes.first.function, function);
    CHECK_EQ(size, 0);
    failed++;
  }
  CHECK_EQ(failed, 8);
  zoo_end();
}

TEST(what_a_loader_lacks_is_refused_with_its_version) { // shows queues 31
  begin();
  uint64_t size;
  syclze_device card;
  fake.old_loader = 1;
  CHECK_REFUSED(syclze_device_get_free_memory(world.device, &size),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_device_get_free_memory", world.root);
  CHECK(strstr(notes.first.rule, "Level Zero 1.9") != NULL);
  CHECK_REFUSED(syclze_device_get_composite(world.device, &card),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_device_get_composite", world.root);
  CHECK(strstr(notes.first.rule, "Level Zero 1.7") != NULL);
  CHECK_EQ(card.rep, NULL);
  fake.old_loader = 0;
  zoo_end();
}

TEST(a_kernel_has_its_properties) { // shows queues 32
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

TEST(an_allocation_has_its_type_base_size_and_device) { // shows queues 33
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

TEST(wrong_arguments_are_refused) { // shows queues 34
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

TEST(errors_of_the_driver_are_passed_through) { // shows queues 34
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

TEST_MAIN(aspects_are_those_of_the_extensions, a_device_has_its_properties,
    queue_groups_are_those_of_the_driver, devices_of_one_platform_may_be_peers, a_device_has_a_root,
    a_card_of_several_devices_is_a_composite_device,
    a_context_of_a_composite_device_has_its_components,
    a_card_with_one_device_or_an_unknown_one_is_not_composite,
    the_environment_selects_no_composite_devices, composite_devices_are_refused_or_fail,
    aspects_of_the_tree_of_devices, aspects_are_those_of_the_properties,
    each_aspect_has_its_name_and_no_other_number_is_one, unknown_aspects_are_refused,
    free_memory_is_the_sum_over_the_memories, free_memory_has_the_error_of_the_call_that_fails,
    what_a_loader_lacks_is_refused_with_its_version, a_kernel_has_its_properties,
    an_allocation_has_its_type_base_size_and_device, wrong_arguments_are_refused,
    errors_of_the_driver_are_passed_through)
