/* Device memory that leaves and comes as a file descriptor. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <unistd.h>

static void *external(const void *extension, size_t size, ze_result_t wanted) {
  const ze_device_mem_alloc_desc_t desc = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, .pNext = extension};
  void *memory = NULL;
  CHECK_EQ(zeMemAllocDevice(test_context(), &desc, size, 0, test_device(), &memory), wanted);
  return memory;
}

static void *imported(int file, size_t size, ze_result_t wanted) {
  const ze_external_memory_import_fd_t import = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD,
      .flags = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD,
      .fd = file};
  return external(&import, size, wanted);
}

/* The descriptor of the allocation; -1 with an error. */
static int exported(const void *memory, uint32_t type, ze_result_t wanted) {
  ze_external_memory_export_fd_t export = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD, .flags = type, .fd = -1};
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES, .pNext = &export};
  CHECK_EQ(zeMemGetAllocProperties(test_context(), memory, &properties, NULL), wanted);
  return export.fd;
}

TEST(external_memory_leaves_and_comes_as_a_descriptor) {
  const uint32_t opaque = ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD;
  const ze_external_memory_export_desc_t wanted = {
      .stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC, .flags = opaque};
  int *memory = external(&wanted, 5000, ZE_RESULT_SUCCESS);
  int *plain = external(NULL, 64, ZE_RESULT_SUCCESS), value = 5;
  int file = exported(memory, opaque, ZE_RESULT_SUCCESS), mine = dup(file);
  CHECK_EQ(exported(memory, opaque, ZE_RESULT_SUCCESS), file);
  CHECK_EQ(exported(plain, opaque, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE), -1);
  CHECK_EQ(exported(memory, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF,
               ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION),
      -1);
  imported(mine, 8 << 20, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  imported(STDERR_FILENO, 64, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  imported(-1, 64, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  int *again = imported(mine, 5000, ZE_RESULT_SUCCESS);
  CHECK(dup(mine) < 0); /* the driver's */
  CHECK_EQ(exported(again, opaque, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE), -1);
  test_copy(memory + 1000, &value, sizeof value);
  value = 0;
  CHECK(again != memory);
  test_copy(&value, again + 1000, sizeof value);
  CHECK_EQ(value, 5);
  OK(zeMemFree(test_context(), memory));
  CHECK(dup(file) < 0);
  test_copy(&value, again + 1000, sizeof value);
  CHECK_EQ(value, 5);
  OK(zeMemFree(test_context(), again));
  OK(zeMemFree(test_context(), plain));
}

TEST_MAIN(external_memory_leaves_and_comes_as_a_descriptor)
