/* Sysman and the newest queries, as a device answers them. The functions are taken from the driver's
 * tables, so that this runs on any loader. */
#define _GNU_SOURCE
#include "support/slot.h"

#include <level_zero/zes_api.h>
#include <stdbool.h>

enum { UNSUPPORTED = ZE_RESULT_ERROR_UNSUPPORTED_FEATURE };

static ze_driver_handle_t driver(void) {
  ze_driver_handle_t first;
  uint32_t count = 1;
  test_device();
  OK(zeDriverGet(&count, &first));
  return first;
}

/* The only domain of the kind that the function at the place in the table of devices lists. */
static void *only(unsigned place) {
  uint32_t count = 0;
  void *found = NULL;
  OK(SLOT("zesGetDevice", place, ze_device_handle_t, uint32_t *, void **)(
      test_device(), &count, NULL));
  CHECK_EQ(count, 1);
  OK(SLOT("zesGetDevice", place, ze_device_handle_t, uint32_t *, void **)(
      test_device(), &count, &found));
  CHECK(count == 1 && found != NULL);
  return found;
}

TEST(devices_are_the_core_ones) {
  uint32_t count = 1;
  ze_device_handle_t device = NULL;
  OK(SLOT("zesGetDevice", 29, ze_driver_handle_t, uint32_t *, ze_device_handle_t *)(
      driver(), &count, &device));
  CHECK(device == test_device());
  zes_device_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(SLOT("zesGetDevice", 0, ze_device_handle_t, zes_device_properties_t *)(device, &properties));
  CHECK_EQ(properties.core.type, ZE_DEVICE_TYPE_GPU);
  CHECK_STR_EQ(properties.brandName, "zecl");
  RETURNS(ERROR_INVALID_NULL_HANDLE,
      SLOT("zesGetDevice", 0, ze_device_handle_t, zes_device_properties_t *)(NULL, &properties));
}

TEST(memory_is_one_module_of_which_some_is_free) {
  void *module = only(16);
  ze_device_memory_properties_t memory = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES};
  uint32_t count = 1;
  OK(zeDeviceGetMemoryProperties(test_device(), &count, &memory));
  zes_mem_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_MEM_PROPERTIES};
  OK(SLOT("zesGetMemory", 0, void *, zes_mem_properties_t *)(module, &properties));
  CHECK_EQ(properties.physicalSize, memory.totalSize);
  zes_mem_state_t state = {.stype = ZES_STRUCTURE_TYPE_MEM_STATE};
  OK(SLOT("zesGetMemory", 1, void *, zes_mem_state_t *)(module, &state));
  CHECK_EQ(state.health, ZES_MEM_HEALTH_OK);
  CHECK_EQ(state.size, memory.totalSize);
  CHECK(state.free != 0 && state.free <= state.size);
  RETURNS(
      ERROR_INVALID_NULL_POINTER, SLOT("zesGetMemory", 1, void *, zes_mem_state_t *)(module, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT,
      SLOT("zesGetMemory", 1, void *, zes_mem_state_t *)(test_context(), &state));
}

TEST(the_clock_is_a_domain_without_control) {
  ze_device_properties_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  OK(zeDeviceGetProperties(test_device(), &device));
  void *domain = only(14);
  zes_freq_properties_t properties = {.stype = ZES_STRUCTURE_TYPE_FREQ_PROPERTIES};
  OK(SLOT("zesGetFrequency", 0, void *, zes_freq_properties_t *)(domain, &properties));
  CHECK(properties.type == ZES_FREQ_DOMAIN_GPU && !properties.canControl);
  CHECK(properties.max == device.coreClockRate && properties.min == properties.max);
  zes_freq_range_t range = {0, 0};
  OK(SLOT("zesGetFrequency", 2, void *, zes_freq_range_t *)(domain, &range));
  CHECK(range.max == device.coreClockRate && range.min == range.max);
  RETURNS(ERROR_UNSUPPORTED_FEATURE,
      SLOT("zesGetFrequency", 3, void *, const zes_freq_range_t *)(domain, &range));
  zes_freq_state_t state = {.stype = ZES_STRUCTURE_TYPE_FREQ_STATE};
  OK(SLOT("zesGetFrequency", 4, void *, zes_freq_state_t *)(domain, &state));
  CHECK(state.actual < 0 && state.throttleReasons == 0);
}

TEST(what_no_engine_tells_is_none) {
  static const unsigned places[] = {9, 12, 18, 24}; /* engines, fans, power, temperature */
  for (unsigned i = 0; i < 4; i++) {
    uint32_t count = 5;
    void *found[5];
    OK(SLOT("zesGetDevice", places[i], ze_device_handle_t, uint32_t *, void **)(
        test_device(), &count, found));
    CHECK_EQ(count, 0);
  }
}

/* The bus of a GPU; a CPU is on none. */
TEST(the_place_on_the_bus_is_told_alike) {
  ze_pci_ext_properties_t core = {.stype = ZE_STRUCTURE_TYPE_PCI_EXT_PROPERTIES};
  zes_pci_properties_t sysman = {.stype = ZES_STRUCTURE_TYPE_PCI_PROPERTIES};
  const ze_result_t one =
      SLOT("zeGetDevice", 17, ze_device_handle_t, ze_pci_ext_properties_t *)(test_device(), &core);
  CHECK_EQ(
      SLOT("zesGetDevice", 4, ze_device_handle_t, zes_pci_properties_t *)(test_device(), &sysman),
      one);
  CHECK(one == ZE_RESULT_SUCCESS || one == (ze_result_t)UNSUPPORTED);
  CHECK(core.address.bus == sysman.address.bus && core.address.device == sysman.address.device);
}

TEST_MAIN(devices_are_the_core_ones, memory_is_one_module_of_which_some_is_free,
    the_clock_is_a_domain_without_control, what_no_engine_tells_is_none,
    the_place_on_the_bus_is_told_alike)
