/* The engine on CUDA, on the libcuda of the tests: devices, modules, and what is left of all. */
#define _GNU_SOURCE
#include "support/images.h"
#include "support/launch.h"
#include "support/libcuda.h"

#include <stdlib.h>
#include <string.h>

enum { MEGABYTE = 1 << 20 };

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(256, 2);
}

static const char ptx[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                          ".visible .global .align 4 .u32 counter[4];\n"
                          ".visible .entry add(.param .u32 by, .param .u64 to) {\n  ret;\n}\n"
                          ".visible .entry nothing() {\n  ret;\n}\n";

TEST(devices_are_nvidias) {
  ze_device_handle_t devices[4];
  ze_driver_handle_t driver;
  uint32_t count = 1, device_count = 4, parts = 0;
  ze_bool_t reaches = 0;
  OK(zeInit(0));
  OK(zeDriverGet(&count, &driver));
  OK(zeDeviceGet(driver, &device_count, devices));
  CHECK_EQ(device_count, 2);
  for (uint32_t i = 0; i < device_count; i++) {
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    OK(zeDeviceGetProperties(devices[i], &properties));
    CHECK_EQ(properties.type, ZE_DEVICE_TYPE_GPU);
    CHECK_EQ(properties.vendorId, 0x10de);
    CHECK_EQ(properties.flags & ZE_DEVICE_PROPERTY_FLAG_INTEGRATED, 0);
    CHECK_EQ(properties.maxMemAllocSize, 256u * MEGABYTE);
    CHECK(strstr(properties.name, i ? "libcuda of the tests 1" : "libcuda of the tests 0"));
    OK(zeDeviceGetSubDevices(devices[i], &parts, NULL));
    CHECK_EQ(parts, 0);
  }
  OK(zeDeviceCanAccessPeer(devices[0], devices[1], &reaches));
  CHECK(reaches);
}

static ze_result_t build(const char *text, ze_module_handle_t *module, char **log) {
  struct test_file file = {(unsigned char *)(uintptr_t)text, strlen(text)};
  return test_make(ZE_MODULE_FORMAT_NATIVE, file, NULL, NULL, module, log);
}

TEST(ptx_is_a_native_module) {
  ze_module_handle_t module = NULL;
  uint32_t count = 0;
  size_t size = 0;
  void *address = NULL;
  OK(build(ptx, &module, NULL));
  OK(zeModuleGetKernelNames(module, &count, NULL));
  CHECK_EQ(count, 2);
  OK(zeModuleGetGlobalPointer(module, "counter", &size, &address));
  CHECK_EQ(size, 16);
  CHECK(address != NULL);
  RETURNS(ERROR_INVALID_GLOBAL_NAME, zeModuleGetGlobalPointer(module, "none", NULL, &address));
  ze_kernel_handle_t kernel = test_kernel(module, "add");
  const uint32_t by = 4;
  unsigned char *to = test_device_memory(4);
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof by, &by));
  RETURNS(ERROR_INVALID_KERNEL_ARGUMENT_INDEX, zeKernelSetArgumentValue(kernel, 2, 4, &by));
  OK(zeKernelSetArgumentValue(kernel, 1, sizeof to, &to));
  OK(zeKernelSetGroupSize(kernel, 32, 1, 1));
  RETURNS(ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(kernel, 2048, 1, 1));
  test_launch(kernel, 10, 2, 1);
  uint32_t x, y, z; /* 64 work-items at most in z */
  RETURNS(ERROR_INVALID_GROUP_SIZE_DIMENSION, zeKernelSetGroupSize(kernel, 1, 1, 128));
  OK(zeKernelSuggestGroupSize(kernel, 1, 1, 192, &x, &y, &z));
  CHECK_EQ(x, 1);
  CHECK_EQ(y, 1);
  CHECK_EQ(z, 64);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(to);
}

TEST(a_failed_build_has_the_words_of_the_compiler) {
  ze_module_handle_t module = NULL;
  char *log = NULL;
  RETURNS(ERROR_MODULE_BUILD_FAILURE,
      build(".version 7.0\n.target sm_70\n.address_size 64\njunk\n", &module, &log));
  CHECK(strstr(log, "ptxas fatal: the words of the compiler"));
  free(log);
}

TEST(an_assembler_may_refuse_ptx) {
  ze_module_handle_t module = NULL;
  char *log = NULL;
  setenv("LIBCUDA_PTXAS", "echo 'ptxas error' in; false", 1);
  RETURNS(ERROR_MODULE_BUILD_FAILURE, build(ptx, &module, &log));
  CHECK(strstr(log, "ptxas error in\n"));
  free(log);
  setenv("LIBCUDA_PTXAS", "grep -q .entry", 1);
  OK(build(ptx, &module, NULL));
  OK(zeModuleDestroy(module));
  unsetenv("LIBCUDA_PTXAS");
}

/* Everything that the engine has, made and destroyed; also a list that never runs. */
static void use_all(void) {
  ze_module_handle_t module = NULL;
  ze_event_handle_t never = test_lone_event();
  ze_event_pool_handle_t pool = test_pool(ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 1);
  ze_event_handle_t stamped = test_event(pool, 0);
  ze_command_list_handle_t list = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  ze_command_list_handle_t stuck = test_immediate(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS, 0);
  unsigned char *device = test_device_memory(1000);
  char *shared = test_shared(1000), plain[1000] = "";
  OK(build(ptx, &module, NULL));
  ze_kernel_handle_t kernel = test_kernel(module, "nothing");
  const ze_group_count_t one = {1, 1, 1};
  const struct test_format bytes = {
      ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 4, 1};
  ze_image_handle_t image =
      test_image((struct test_size){ZE_IMAGE_TYPE_2D, "", 4, 4, 1}, test_swizzled(bytes));
  OK(zeCommandListAppendImageCopyFromMemory(list, image, plain, NULL, NULL, 0, NULL));
  OK(zeImageDestroy(image));
  for (int i = 0; i < 300; i++)
    OK(zeCommandListAppendMemoryCopy(list, device, plain, sizeof plain, NULL, 0, NULL));
  OK(zeCommandListAppendMemoryCopy(list, shared, device, 1000, stamped, 0, NULL));
  OK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 1, &stamped));
  OK(zeEventHostSynchronize(stamped, UINT64_MAX));
  ze_kernel_timestamp_result_t stamps;
  OK(zeEventQueryKernelTimestamp(stamped, &stamps));
  CHECK(stamps.global.kernelEnd > stamps.global.kernelStart);
  OK(zeCommandListAppendBarrier(stuck, NULL, 1, &never));
  OK(zeEventDestroy(never));
  OK(zeCommandListDestroy(stuck));
  OK(zeCommandListDestroy(list));
  OK(zeEventDestroy(stamped));
  OK(zeEventPoolDestroy(pool));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(device);
  test_free(shared);
}

TEST(nothing_is_left) {
  long before[LIBCUDA_KINDS];
  use_all();
  for (int kind = 0; kind < LIBCUDA_KINDS; kind++)
    before[kind] = test_libcuda_live((enum libcuda_kind)kind);
  for (int i = 0; i < 3; i++)
    use_all();
  for (int kind = 0; kind < LIBCUDA_KINDS; kind++)
    CHECK_EQ(test_libcuda_live((enum libcuda_kind)kind), before[kind]);
}

TEST(what_the_engine_lacks_is_unsupported) {
  const ze_image_desc_t packed = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
      .type = ZE_IMAGE_TYPE_2D,
      .format = {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM,
          ZE_IMAGE_FORMAT_SWIZZLE_R, ZE_IMAGE_FORMAT_SWIZZLE_G, ZE_IMAGE_FORMAT_SWIZZLE_B,
          ZE_IMAGE_FORMAT_SWIZZLE_A},
      .width = 1,
      .height = 1};
  ze_image_handle_t image;
  ze_physical_mem_handle_t memory;
  ze_physical_mem_desc_t on_host = {
      .stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .flags = 2, .size = 2 * MEGABYTE};
  RETURNS(ERROR_UNSUPPORTED_FEATURE,
      zePhysicalMemCreate(test_context(), test_device(), &on_host, &memory));
  RETURNS(ERROR_UNSUPPORTED_IMAGE_FORMAT,
      zeImageCreate(test_context(), test_device(), &packed, &image));
}

TEST_MAIN(devices_are_nvidias, ptx_is_a_native_module, a_failed_build_has_the_words_of_the_compiler,
    an_assembler_may_refuse_ptx, nothing_is_left, what_the_engine_lacks_is_unsupported)
