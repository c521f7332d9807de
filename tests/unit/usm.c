/* Allocations: what reaches the driver, refused inputs, frees. */
#include "support/world.h"
#include "tests/check.h"

TEST(device_memory) {
  world_begin();
  void *memory;
  CHECK_OK(syclze_malloc_device(4096, world.sub_device, world.context, &memory));
  CHECK_EQ(fake_calls(FAKE_zeMemAllocDevice), 1);
  CHECK_EQ(fake_seen.context, world.native_context);
  CHECK_EQ(fake_seen.device, world.sub);
  CHECK_EQ(fake_seen.size, 4096);
  CHECK_EQ(fake_seen.alignment, 0);
  CHECK_OK(syclze_free(memory, world.context));
  CHECK_EQ(fake_destroys(memory), 1);
  CHECK_OK(syclze_aligned_alloc_device(256, 1, world.device, world.context, &memory));
  CHECK_EQ(fake_seen.alignment, 256);
  CHECK_EQ(fake_seen.size, 1);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(shared_memory) {
  world_begin();
  void *memory;
  CHECK_OK(syclze_malloc_shared(12, world.device, world.context, &memory));
  CHECK_EQ(fake_calls(FAKE_zeMemAllocShared), 1);
  CHECK_EQ(fake_seen.device, world.root);
  CHECK_EQ(fake_seen.size, 12);
  CHECK_EQ(fake_seen.alignment, 0);
  CHECK_OK(syclze_free(memory, world.context));
  CHECK_OK(syclze_aligned_alloc_shared(64, 5, world.device, world.context, &memory));
  CHECK_EQ(fake_seen.alignment, 64);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(host_memory) {
  world_begin();
  void *memory;
  CHECK_OK(syclze_malloc_host(99, world.context, &memory));
  CHECK_EQ(fake_calls(FAKE_zeMemAllocHost), 1);
  CHECK_EQ(fake_seen.device, NULL);
  CHECK_EQ(fake_seen.size, 99);
  CHECK_EQ(fake_seen.alignment, 0);
  CHECK_OK(syclze_free(memory, world.context));
  CHECK_OK(syclze_aligned_alloc_host(32, 7, world.context, &memory));
  CHECK_EQ(fake_seen.alignment, 32);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(memory_may_be_freed_by_syclze_or_level_zero) {
  world_begin();
  void *memory;
  CHECK_OK(syclze_malloc_host(1, world.context, &memory));
  CHECK_EQ(zeMemFree(world.native_context, memory), ZE_RESULT_SUCCESS);
  ze_host_mem_alloc_desc_t desc = {0};
  desc.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC;
  CHECK_EQ(zeMemAllocHost(world.native_context, &desc, 1, 0, &memory), ZE_RESULT_SUCCESS);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(wrong_arguments_are_refused) {
  world_begin();
  const char *device_function = "syclze_aligned_alloc_device";
  syclze_context no_context = {0};
  syclze_device no_device = {0};
  void *memory = &world;
  CHECK_REFUSED(syclze_malloc_device(1, no_device, world.context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, device_function, NULL);
  CHECK_EQ(memory, NULL);
  CHECK_REFUSED(syclze_malloc_device(1, world.device, no_context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, device_function, NULL);
  CHECK_REFUSED(syclze_malloc_device(1, world.device2, world.context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, device_function, NULL);
  CHECK_REFUSED(syclze_malloc_device(1, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, device_function, NULL);
  memory = &world;
  CHECK_REFUSED(syclze_malloc_shared(1, world.other_device, world.context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_aligned_alloc_shared", NULL);
  CHECK_EQ(memory, NULL);
  memory = &world;
  CHECK_REFUSED(syclze_malloc_host(1, no_context, &memory), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_aligned_alloc_host", NULL);
  CHECK_EQ(memory, NULL);
  CHECK_REFUSED(syclze_malloc_host(1, world.context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_aligned_alloc_host", NULL);
  CHECK_REFUSED(syclze_free(&memory, no_context), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_free", &memory);
  CHECK_OK(syclze_free(NULL, world.context));
  CHECK_OK(syclze_free(NULL, no_context));
  CHECK_EQ(fake_calls(FAKE_zeMemFree), 0);
  world_end();
}

TEST(driver_errors_are_passed_through) {
  world_begin();
  void *memory = &world;
  fake_fail(FAKE_zeMemAllocDevice, 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_REFUSED(syclze_malloc_device(1, world.device, world.context, &memory),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_aligned_alloc_device", world.native_context);
  CHECK_EQ(memory, NULL);
  memory = &world;
  fake_fail(FAKE_zeMemAllocShared, 1, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK_REFUSED(syclze_malloc_shared(1, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "syclze_aligned_alloc_shared", world.native_context);
  CHECK_EQ(memory, NULL);
  memory = &world;
  fake_fail(FAKE_zeMemAllocHost, 1, ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT);
  CHECK_REFUSED(syclze_aligned_alloc_host(2, 1, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "syclze_aligned_alloc_host", world.native_context);
  CHECK_EQ(memory, NULL);
  CHECK_OK(syclze_malloc_host(1, world.context, &memory));
  fake_fail(FAKE_zeMemFree, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(
      syclze_free(memory, world.context), ZE_RESULT_ERROR_DEVICE_LOST, "syclze_free", memory);
  CHECK(fake_is_alive(memory));
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST_MAIN(device_memory, shared_memory, host_memory, memory_may_be_freed_by_syclze_or_level_zero,
    wrong_arguments_are_refused, driver_errors_are_passed_through)
