/* External memory (external_memory.h): what reaches the driver, and what is refused. */
#include "support/world.h"
#include "syclze/external_memory.h"
#include "tests/check.h"

#define DMA_BUF ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF
#define WIN32 ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32
#define OPAQUE ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD

TEST(exportable_memory_has_a_descriptor) { // shows memory 9
  world_begin();
  ze_external_memory_type_flags_t imports, exports;
  void *memory;
  int fd;
  CHECK_OK(syclze_external_memory_get_support(world.device, &imports, &exports));
  CHECK_EQ(imports, DMA_BUF);
  CHECK_EQ(exports, DMA_BUF);
  CHECK_OK(syclze_external_memory_allocate(4096, DMA_BUF, world.device, world.context, &memory));
  CHECK_EQ(fake_seen.external_type, DMA_BUF);
  CHECK_EQ(fake_seen.external_fd, -1);
  CHECK_EQ(fake_seen.size, 4096);
  CHECK_OK(syclze_external_memory_get_fd(memory, DMA_BUF, world.context, &fd));
  CHECK_EQ(fd, 42);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(a_descriptor_is_imported) { // shows memory 9
  world_begin();
  void *memory;
  CHECK_OK(syclze_external_memory_import(7, DMA_BUF, 100, world.device, world.context, &memory));
  CHECK_EQ(fake_seen.external_type, DMA_BUF);
  CHECK_EQ(fake_seen.external_fd, 7);
  CHECK_EQ(fake_seen.size, 100);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(exportable_memory_has_a_handle_of_windows) { // shows memory 11
  world_begin();
  void *memory, *handle;
  fake.has_win32 = 1;
  CHECK_OK(syclze_external_memory_allocate(64, WIN32, world.device, world.context, &memory));
  CHECK_EQ(fake_seen.external_type, WIN32);
  fake_seen.external_type = 0;
  CHECK_OK(syclze_external_memory_get_win32(memory, WIN32, world.context, &handle));
  CHECK_EQ(fake_seen.external_type, WIN32);
  CHECK(handle == &fake);
  fake.has_win32 = 0;
  CHECK_REFUSED(syclze_external_memory_get_win32(memory, WIN32, world.context, &handle),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_external_memory_get_win32", memory);
  CHECK_EQ(handle, NULL);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(a_handle_of_windows_is_imported) { // shows memory 11
  world_begin();
  void *memory;
  int handle;
  fake.has_win32 = 1;
  CHECK_OK(syclze_external_memory_import_win32(
      &handle, WIN32, 100, world.device, world.context, &memory));
  CHECK_EQ(fake_seen.external_type, WIN32);
  CHECK(fake_seen.external_handle == &handle);
  CHECK_EQ(fake_seen.external_fd, -1);
  CHECK_EQ(fake_seen.size, 100);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

/* The type is checked first, and the driver's support of it afterwards. */
TEST(wrong_handles_of_windows_are_refused) { // shows memory 11
  world_begin();
  const char *imports = "syclze_external_memory_import_win32",
             *gets = "syclze_external_memory_get_win32";
  const syclze_context no_context = {0};
  void *memory, *handle;
  int local;
  CHECK_REFUSED(
      syclze_external_memory_import_win32(&local, WIN32, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, imports, world.native_context);
  CHECK(strstr(notes.first.rule, "does not import") != NULL);
  CHECK_EQ(memory, NULL);
  CHECK_REFUSED(
      syclze_external_memory_import_win32(&local, DMA_BUF, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, imports, world.native_context);
  CHECK_REFUSED(
      syclze_external_memory_import_win32(NULL, WIN32, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, imports, world.native_context);
  CHECK_REFUSED(
      syclze_external_memory_import_win32(&local, WIN32, 8, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, imports, NULL);
  fake.has_win32 = 1;
  CHECK_REFUSED(
      syclze_external_memory_import_win32(&local, WIN32, 8, world.device2, world.context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, imports, world.native_context);
  fake_fail(FAKE_zeMemAllocDevice, 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_REFUSED(
      syclze_external_memory_import_win32(&local, WIN32, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, imports, world.native_context);
  CHECK_EQ(memory, NULL);
  CHECK_REFUSED(syclze_external_memory_get_win32(&local, DMA_BUF, world.context, &handle),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, gets, &local);
  CHECK_REFUSED(syclze_external_memory_get_win32(NULL, WIN32, world.context, &handle),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, gets, NULL);
  CHECK_REFUSED(syclze_external_memory_get_win32(&local, WIN32, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, gets, &local);
  CHECK_REFUSED(syclze_external_memory_get_win32(&local, WIN32, no_context, &handle),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, gets, &local);
  CHECK_EQ(handle, NULL);
  world_end();
}

TEST(host_memory_is_registered_and_unregistered) { // shows memory 9
  world_begin();
  int local[4];
  CHECK_OK(syclze_host_memory_register(local, sizeof local, world.context));
  CHECK_REFUSED(syclze_host_memory_register(local, sizeof local, world.context),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_host_memory_register", local);
  CHECK_OK(syclze_host_memory_unregister(local, world.context));
  CHECK_REFUSED(syclze_host_memory_unregister(local, world.context),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_host_memory_unregister", local);
  world_end();
}

/* Its functions take its own handles, also where the loader's are others. */
TEST(the_driver_s_functions_take_its_own_handle) { // shows memory 9
  world_begin();
  int local[4];
  CHECK_OK(syclze_host_memory_register(local, sizeof local, world.context));
  CHECK_EQ(fake_seen.own_driver, world.driver);
  CHECK_OK(syclze_host_memory_unregister(local, world.context));
  fake.own_handle = world.other_driver;
  CHECK_OK(syclze_host_memory_register(local, sizeof local, world.context));
  CHECK_EQ(fake_seen.own_driver, world.other_driver);
  fake_seen.own_driver = NULL;
  CHECK_OK(syclze_host_memory_unregister(local, world.context));
  CHECK_EQ(fake_seen.own_driver, world.other_driver);
  world_end();
}

TEST(a_driver_without_them_is_a_refusal_by_name) { // shows memory 15
  world_begin();
  int local[4], fd = 0;
  void *memory;
  fake.no_external = 1;
  CHECK_REFUSED(syclze_external_memory_allocate(8, DMA_BUF, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "syclze_external_memory_allocate",
      world.native_context);
  CHECK_EQ(memory, NULL);
  CHECK_REFUSED(syclze_external_memory_import(7, DMA_BUF, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, "syclze_external_memory_import",
      world.native_context);
  CHECK_REFUSED(syclze_host_memory_register(local, sizeof local, world.context),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_host_memory_register", local);
  CHECK(strstr(notes.first.rule, "zexDriverImportExternalPointer") != NULL);
  CHECK_REFUSED(syclze_host_memory_unregister(local, world.context),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_host_memory_unregister", local);
  CHECK_OK(syclze_malloc_device(8, world.device, world.context, &memory));
  CHECK_REFUSED(syclze_external_memory_get_fd(memory, DMA_BUF, world.context, &fd),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_external_memory_get_fd", memory);
  CHECK_EQ(fd, -1);
  CHECK_OK(syclze_free(memory, world.context));
  world_end();
}

TEST(wrong_arguments_are_refused) { // shows memory 15
  world_begin();
  const char *allocates = "syclze_external_memory_allocate",
             *imports = "syclze_external_memory_import", *gets = "syclze_external_memory_get_fd",
             *registers = "syclze_host_memory_register";
  const syclze_context no_context = {0};
  const syclze_device no_device = {0};
  ze_external_memory_type_flags_t flags;
  void *memory;
  int fd, local = 0;
  CHECK_REFUSED(syclze_external_memory_allocate(8, OPAQUE, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, allocates, world.native_context);
  CHECK_REFUSED(syclze_external_memory_allocate(8, DMA_BUF, no_device, world.context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, allocates, world.native_context);
  CHECK_REFUSED(syclze_external_memory_allocate(8, DMA_BUF, world.device, no_context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, allocates, NULL);
  CHECK_REFUSED(syclze_external_memory_allocate(8, DMA_BUF, world.device2, world.context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, allocates, world.native_context);
  CHECK_REFUSED(syclze_external_memory_allocate(8, DMA_BUF, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, allocates, NULL);
  CHECK_REFUSED(syclze_external_memory_import(-1, DMA_BUF, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, imports, NULL);
  CHECK_REFUSED(syclze_external_memory_import(1, DMA_BUF, 8, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, imports, NULL);
  CHECK_REFUSED(syclze_external_memory_get_fd(NULL, DMA_BUF, world.context, &fd),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, gets, NULL);
  CHECK_REFUSED(syclze_external_memory_get_fd(&local, DMA_BUF, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, gets, &local);
  CHECK_REFUSED(syclze_external_memory_get_fd(&local, DMA_BUF, no_context, &fd),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, gets, &local);
  CHECK_REFUSED(syclze_host_memory_register(NULL, 1, world.context),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, registers, NULL);
  CHECK_REFUSED(syclze_host_memory_register(&local, 0, world.context), ZE_RESULT_ERROR_INVALID_SIZE,
      registers, &local);
  CHECK_REFUSED(syclze_host_memory_register(&local, 1, no_context),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, registers, &local);
  CHECK_REFUSED(syclze_external_memory_get_support(no_device, &flags, &flags),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_external_memory_get_support", NULL);
  CHECK_REFUSED(syclze_external_memory_get_support(world.device, NULL, &flags),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_external_memory_get_support", NULL);
  world_end();
}

TEST(driver_errors_are_passed_through) { // shows memory 15
  world_begin();
  void *memory = &world;
  fake_fail(FAKE_zeMemAllocDevice, 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
  CHECK_REFUSED(syclze_external_memory_allocate(8, DMA_BUF, world.device, world.context, &memory),
      ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_external_memory_allocate",
      world.native_context);
  CHECK_EQ(memory, NULL);
  fake_fail(FAKE_zeDeviceGetExternalMemoryProperties, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_REFUSED(syclze_external_memory_import(1, DMA_BUF, 8, world.device, world.context, &memory),
      ZE_RESULT_ERROR_DEVICE_LOST, "syclze_external_memory_import", world.native_context);
  world_end();
}

TEST_MAIN(exportable_memory_has_a_descriptor, a_descriptor_is_imported,
    exportable_memory_has_a_handle_of_windows, a_handle_of_windows_is_imported,
    wrong_handles_of_windows_are_refused, host_memory_is_registered_and_unregistered,
    the_driver_s_functions_take_its_own_handle, a_driver_without_them_is_a_refusal_by_name,
    wrong_arguments_are_refused, driver_errors_are_passed_through)
