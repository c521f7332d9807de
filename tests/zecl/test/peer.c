/* Memory of one device, and an event, used on another device and on parts of both. */
#define _GNU_SOURCE
#include "support/handles.h"
#include "support/launch.h"

#include <stdlib.h>

enum { DEVICES = 2, PARTS = 2, ALL = DEVICES * (1 + PARTS), FLOATS = 64 };

__attribute__((constructor)) static void simulate(void) {
  setenv("ZECL_DEVICES", "2", 1);
  setenv("ZECL_SUBDEVICES", "2", 1);
}

/* The devices, each followed by its parts. */
static void find_devices(ze_device_handle_t all[ALL]) {
  ze_driver_handle_t driver;
  ze_device_handle_t devices[DEVICES];
  uint32_t one = 1, count = DEVICES;
  test_device();
  OK(zeDriverGet(&one, &driver));
  OK(zeDeviceGet(driver, &count, devices));
  CHECK_EQ(count, DEVICES);
  for (uint32_t i = 0; i < DEVICES; i++) {
    uint32_t parts = PARTS;
    all[i * (1 + PARTS)] = devices[i];
    OK(zeDeviceGetSubDevices(devices[i], &parts, &all[i * (1 + PARTS) + 1]));
    CHECK_EQ(parts, PARTS);
  }
}

static ze_command_list_handle_t list_on(ze_device_handle_t device) {
  const ze_command_queue_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ze_command_list_handle_t list = NULL;
  OK(zeCommandListCreateImmediate(test_context(), device, &desc, &list));
  return list;
}

/* Each device adds to the sum in the memory of the next one, after the one before it. */
TEST(a_sum_goes_round_all_devices) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_group_count_t groups = {1, 1, 1};
  const float one = 1;
  ze_device_handle_t all[ALL];
  ze_command_list_handle_t lists[ALL];
  ze_event_handle_t events[ALL + 1];
  ze_kernel_handle_t kernels[ALL];
  ze_module_handle_t modules[ALL];
  float *memory[ALL + 1], *ones = test_shared(FLOATS * sizeof *ones), sums[FLOATS];
  struct test_file file = test_read("test/kernels/basic.spv");
  find_devices(all);
  for (int i = 0; i < FLOATS; i++)
    ones[i] = 1;
  for (int i = 0; i <= ALL; i++) {
    events[i] = test_lone_event();
    OK(zeMemAllocDevice(test_context(), &desc, sizeof sums, 0, all[i % ALL], (void **)&memory[i]));
  }
  for (int i = 0; i < ALL; i++) {
    const ze_module_desc_t module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
        .format = ZE_MODULE_FORMAT_IL_SPIRV,
        .inputSize = file.size,
        .pInputModule = file.bytes};
    OK(zeModuleCreate(test_context(), all[i], &module, &modules[i], NULL));
    kernels[i] = test_kernel(modules[i], "axpy");
    lists[i] = list_on(all[i]);
    OK(zeKernelSetGroupSize(kernels[i], FLOATS, 1, 1));
    test_axpy_args(kernels[i], 1, ones, memory[i + 1]);
    OK(zeCommandListAppendMemoryCopy(
        lists[i], memory[i + 1], memory[i], sizeof sums, NULL, 1, &events[i]));
    OK(zeCommandListAppendLaunchKernel(lists[i], kernels[i], &groups, events[i + 1], 0, NULL));
  }
  CHECK_EQ(zeEventQueryStatus(events[ALL]), ZE_RESULT_NOT_READY);
  ze_command_list_handle_t filler = test_immediate(ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS, 0);
  OK(zeCommandListAppendMemoryFill(
      filler, memory[0], &one, sizeof one, sizeof sums, events[0], 0, NULL));
  OK(zeEventHostSynchronize(events[ALL], 60ull * TEST_SECOND));
  OK(zeCommandListAppendMemoryCopy(filler, sums, memory[ALL], sizeof sums, NULL, 0, NULL));
  for (int i = 0; i < FLOATS; i++)
    CHECK(sums[i] == 1 + ALL);
  OK(zeCommandListDestroy(filler));
  for (int i = 0; i < ALL; i++) {
    OK(zeCommandListDestroy(lists[i]));
    OK(zeKernelDestroy(kernels[i]));
    OK(zeModuleDestroy(modules[i]));
  }
  for (int i = 0; i <= ALL; i++) {
    OK(zeEventDestroy(events[i]));
    test_free(memory[i]);
  }
  test_free(ones);
  free(file.bytes);
}

TEST_MAIN(a_sum_goes_round_all_devices)
