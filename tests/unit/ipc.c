/* Memory and events between processes (ipc.h): what is got, put, opened and closed, and how often;
   refused inputs; loaders without the newer calls; every call and allocation failing. */
#define _GNU_SOURCE
#include "support/memory.h"
#include "support/world.h"
#include "syclze/ipc.h"
#include "tests/check.h"

#ifdef __linux__
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

enum { SIZE = 4096, EVENTS = 3 };

static void *allocation(void) {
  return fake_allocation(world.native_context, ZE_MEMORY_TYPE_DEVICE, world.root, SIZE);
}

static syclze_ipc_memory exported_of(void *memory) {
  syclze_ipc_memory exported;
  CHECK_OK(syclze_ipc_memory_export(memory, 0, world.context, &exported));
  return exported;
}

static syclze_ipc_memory opened_of(syclze_ipc_memory exported) {
  const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  syclze_ipc_memory opened;
  CHECK_OK(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &opened));
  return opened;
}

TEST(the_last_release_puts_the_handle_once) { // shows memory 2
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory);
  CHECK_EQ(syclze_ipc_memory_get_pointer(exported), memory);
  CHECK_EQ(syclze_ipc_memory_get_size(exported), SIZE);
  CHECK_OK(syclze_ipc_memory_retain(exported));
  CHECK_OK(syclze_ipc_memory_release(exported));
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 0);
  CHECK_OK(syclze_ipc_memory_release(exported));
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 1);
  CHECK(fake_is_alive(memory));
  fake_destroy(memory);
  world_end();
}

TEST(each_open_is_closed_once) { // shows memory 2
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory);
  syclze_ipc_memory first = opened_of(exported), second = opened_of(exported);
  void *pointers[] = {syclze_ipc_memory_get_pointer(first), syclze_ipc_memory_get_pointer(second)};
  CHECK(pointers[0] != pointers[1]);
  CHECK_EQ(syclze_ipc_memory_get_size(first), SIZE);
  CHECK_OK(syclze_ipc_memory_retain(first));
  CHECK_OK(syclze_ipc_memory_release(first));
  CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), 0);
  CHECK_OK(syclze_ipc_memory_release(first));
  CHECK_EQ(fake_destroys(pointers[0]), 1);
  CHECK(fake_is_alive(pointers[1]));
  CHECK_OK(syclze_ipc_memory_release(second));
  CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), 2);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

#if SYCLZE_HAS_POOLS
TEST(a_second_close_is_refused) { // shows memory 3
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), opened = opened_of(exported);
  CHECK_OK(syclze_ipc_memory_release(opened));
  CHECK_REFUSED(syclze_ipc_memory_release(opened), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_ipc_memory_release", NULL);
  CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), 1);
  CHECK_OK(syclze_ipc_memory_release(exported));
  CHECK_REFUSED(syclze_ipc_memory_release(exported), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_ipc_memory_release", NULL);
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 1);
  fake_destroy(memory);
  world_end();
}
#else
TEST(a_second_close_is_refused) { // shows memory 3
  SKIP("objects are allocations of their own under sanitizers, which report it");
}
#endif

TEST(a_pointer_into_an_allocation_keeps_its_offset) {
  world_begin();
  char *memory = (char *)allocation();
  syclze_ipc_memory exported = exported_of(memory + 16), opened;
  CHECK_EQ(syclze_ipc_memory_get_pointer(exported), memory + 16);
  CHECK_EQ(syclze_ipc_memory_get_size(exported), SIZE - 16);
  opened = opened_of(exported);
  CHECK_EQ(syclze_ipc_memory_get_size(opened), SIZE - 16);
  CHECK_EQ(syclze_ipc_memory_get_handle(opened).offset, 16);
  void *base = (char *)syclze_ipc_memory_get_pointer(opened) - 16;
  CHECK_OK(syclze_ipc_memory_release(opened));
  CHECK_EQ(fake_destroys(base), 1);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(a_handle_of_plain_level_zero_is_opened) {
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), opened;
  syclze_ipc_handle plain;
  memset(&plain, 0, sizeof plain);
  plain.kind = SYCLZE_IPC_KIND_MEMORY;
  plain.native = syclze_ipc_memory_get_handle(exported).native;
  CHECK_OK(syclze_ipc_memory_open(&plain, 0, world.device, world.context, &opened));
  CHECK_EQ(syclze_ipc_memory_get_size(opened), SIZE);
  CHECK_OK(syclze_ipc_memory_release(opened));
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(opened_memory_of_a_buffer_is_closed_with_it) { // shows memory 2
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), opened = opened_of(exported);
  syclze_buffer_input input = {
      syclze_ipc_memory_get_pointer(opened), SYCLZE_OWNERSHIP_KEEP, 0, 0, {0, 0, 0}};
  syclze_buffer buffer;
  CHECK_OK(syclze_make_buffer(&input, world.context, &buffer));
  CHECK_OK(syclze_buffer_set_owner(buffer, syclze_ipc_memory_as_owner(opened)));
  CHECK(fake_is_alive(input.native_handle));
  CHECK_OK(syclze_buffer_release(buffer));
  CHECK_EQ(fake_destroys(input.native_handle), 1);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(an_object_keeps_its_context) { // shows memory 2
  world_begin();
  ze_context_handle_t native = fake_context(world.driver);
  syclze_context_input input = {native, &world.device, 1, SYCLZE_OWNERSHIP_TRANSFER};
  syclze_context context;
  syclze_ipc_event_pool pool;
  CHECK_OK(syclze_make_context(&input, &context));
  CHECK_OK(syclze_ipc_event_pool_create(context, EVENTS, &pool));
  CHECK_OK(syclze_context_release(context));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_ipc_event_pool_release(pool));
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

TEST(memory_for_other_machines) { // shows memory 19
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported;
  CHECK_OK(syclze_ipc_memory_export(memory, SYCLZE_IPC_FLAG_FABRIC, world.context, &exported));
  CHECK_EQ(fake_calls(FAKE_zeMemGetIpcHandleWithProperties), 1);
  CHECK_EQ(fake_calls(FAKE_zeMemGetIpcHandle), 0);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(an_old_loader_puts_nothing_and_has_no_handles_for_other_machines) { // shows memory 19
  world_begin_with_old_loader();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), fabric;
  syclze_ipc_event_pool pool;
  CHECK_OK(syclze_ipc_memory_release(exported));
  CHECK_OK(syclze_ipc_event_pool_create(world.context, EVENTS, &pool));
  CHECK_OK(syclze_ipc_event_pool_release(pool));
  CHECK_EQ(fake_calls(FAKE_zeMemPutIpcHandle), 0);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolPutIpcHandle), 0);
  CHECK_REFUSED(syclze_ipc_memory_export(memory, SYCLZE_IPC_FLAG_FABRIC, world.context, &fabric),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "syclze_ipc_memory_export", memory);
  CHECK(strstr(notes.first.rule, "Level Zero 1.15") != NULL);
  CHECK_EQ(fabric.rep, NULL);
  fake_destroy(memory);
  world_end();
}

TEST(a_driver_without_the_call_has_nothing_to_put) { // shows memory 19
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory);
  fake_forgive(); /* the fake's handle stays */
  fake_fail(FAKE_zeMemPutIpcHandle, 1, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(wrong_arguments_of_memory_are_refused) { // shows memory 16
  world_begin();
  const char *exports = "syclze_ipc_memory_export", *opens = "syclze_ipc_memory_open";
  const syclze_context no_context = {0};
  const syclze_device no_device = {0};
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), object;
  syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  CHECK_REFUSED(syclze_ipc_memory_export(NULL, 0, world.context, &object),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, exports, NULL);
  CHECK_EQ(object.rep, NULL);
  CHECK_REFUSED(syclze_ipc_memory_export(memory, 0, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, exports, NULL);
  CHECK_REFUSED(syclze_ipc_memory_export(memory, 0, no_context, &object),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, exports, memory);
  CHECK_REFUSED(syclze_ipc_memory_export(memory, 6, world.context, &object),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, exports, memory);
  CHECK_REFUSED(syclze_ipc_memory_export(&object, 0, world.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, exports, &object);
  CHECK_REFUSED(syclze_ipc_memory_open(NULL, 0, world.device, world.context, &object),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, opens, NULL);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, opens, NULL);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, no_device, world.context, &object),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, opens, NULL);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device, no_context, &object),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, opens, NULL);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device2, world.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, opens, NULL);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 4, world.device, world.context, &object),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, opens, NULL);
  handle.kind = SYCLZE_IPC_KIND_EVENT_POOL;
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, opens, NULL);
  handle.kind = 0;
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, opens, NULL);
  CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), 0);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(a_handle_beyond_its_allocation_is_refused) { // shows memory 16 18
  world_begin();
  const uint64_t wrong[][2] = {
      {SIZE, 0}, {SIZE + 1, 0}, {16, SIZE}, {0, SIZE + 1}, {1, UINT64_MAX}, {UINT64_MAX, 1}};
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), object;
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
    handle.offset = wrong[i][0];
    handle.size = wrong[i][1];
    CHECK_FAILED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
        SYCLZE_RESULT_ERROR_INVALID, "syclze_ipc_memory_open", NULL);
    CHECK_EQ(object.rep, NULL);
    CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), i + 1);
  }
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

/* A handle cannot be checked if the driver lacks the query, and need not be if it has no offset or
 * size. */
TEST(a_handle_is_refused_where_the_driver_has_no_size) { // shows memory 18
  world_begin();
  const char *const function = "syclze_ipc_memory_open";
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), object;
  syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  fake_fail(FAKE_zeMemGetAddressRange, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_FAILED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
      ZE_RESULT_ERROR_UNKNOWN, function, NULL);
  CHECK(strstr(notes.first.rule, "zeMemGetAddressRange") != NULL);
  CHECK_EQ(object.rep, NULL);
  CHECK_EQ(fake_calls(FAKE_zeMemCloseIpcHandle), 1);
  handle.size = 0;
  handle.offset = 8;
  fake_fail(FAKE_zeMemGetAddressRange, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_FAILED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
      ZE_RESULT_ERROR_UNKNOWN, function, NULL);
  handle.offset = 0;
  fake_fail(FAKE_zeMemGetAddressRange, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_OK(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object));
  CHECK_EQ(syclze_ipc_memory_get_size(object), 0);
  CHECK_OK(syclze_ipc_memory_release(object));
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

/* A number that a driver's handle begins with may be that of any open file. */
TEST(a_handle_has_a_process_if_it_begins_with_a_descriptor_of_memory) { // shows memory 17
#ifndef __linux__
  SKIP("the system has no descriptors of memory");
#else
  world_begin();
  void *memory = allocation();
  const int other = open("/dev/null", O_RDONLY), of_memory = (int)syscall(SYS_memfd_create, "m", 0);
  CHECK(other > 0 && of_memory > 0);
  const int numbers[] = {other, of_memory, INT32_MAX};
  for (int i = 0; i < 3; i++) {
    fake.descriptor = numbers[i];
    syclze_ipc_memory exported = exported_of(memory);
    CHECK_EQ(syclze_ipc_memory_get_handle(exported).process,
        numbers[i] == of_memory ? (int32_t)getpid() : 0);
    CHECK_OK(syclze_ipc_memory_release(exported));
  }
  CHECK_EQ(close(other), 0);
  CHECK_EQ(close(of_memory), 0);
  fake_destroy(memory);
  world_end();
#endif
}

TEST(a_handle_with_a_process_and_no_descriptor_is_refused) { // shows memory 17
#if !defined(__linux__) && !defined(_WIN32)
  SKIP("the system takes no descriptors of other processes");
#endif
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), object;
  syclze_ipc_event_pool pool;
  syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  CHECK_EQ(handle.process, 0);
  handle.process = 1;
  memset(&handle.native, 0xff, sizeof handle.native);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_ipc_memory_open", NULL);
  handle.kind = SYCLZE_IPC_KIND_EVENT_POOL;
  CHECK_REFUSED(syclze_ipc_event_pool_open(&handle, world.context, &pool),
      SYCLZE_RESULT_ERROR_INVALID, "syclze_ipc_event_pool_open", NULL);
  CHECK_EQ(fake_calls(FAKE_zeMemOpenIpcHandle), 0);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolOpenIpcHandle), 0);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(a_handle_whose_exporter_has_ended_is_refused) { // shows memory 3
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), object;
  syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
  fake_ipc_end_exporter(&handle.native);
  CHECK_REFUSED(syclze_ipc_memory_open(&handle, 0, world.device, world.context, &object),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, "syclze_ipc_memory_open", NULL);
  CHECK(strstr(notes.first.rule, "may have ended") != NULL);
  CHECK_EQ(object.rep, NULL);
  CHECK_OK(syclze_ipc_memory_release(exported));
  fake_destroy(memory);
  world_end();
}

TEST(failing_releases_are_reported_and_end_the_object) { // shows memory 21
  world_begin();
  void *memory = allocation();
  syclze_ipc_memory exported = exported_of(memory), opened = opened_of(exported);
  fake_forgive();
  fake_fail(FAKE_zeMemCloseIpcHandle, 1, ZE_RESULT_ERROR_DEVICE_LOST);
  CHECK_FAILED(syclze_ipc_memory_release(opened), ZE_RESULT_ERROR_DEVICE_LOST,
      "syclze_ipc_memory_release", syclze_ipc_memory_get_pointer(opened));
  fake_fail(FAKE_zeMemPutIpcHandle, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_FAILED(syclze_ipc_memory_release(exported), ZE_RESULT_ERROR_UNKNOWN,
      "syclze_ipc_memory_release", memory);
  fake_destroy(memory);
  world_end();
}

TEST(support_is_the_driver_s) {
  world_begin();
  const syclze_platform none = {0}, platform = syclze_device_get_platform(world.device);
  ze_ipc_property_flags_t flags = 0;
  CHECK_OK(syclze_ipc_get_support(platform, &flags));
  CHECK_EQ(flags, ZE_IPC_PROPERTY_FLAG_MEMORY | ZE_IPC_PROPERTY_FLAG_EVENT_POOL);
  CHECK_REFUSED(syclze_ipc_get_support(none, &flags), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_ipc_get_support", NULL);
  CHECK_EQ(flags, 0);
  CHECK_REFUSED(syclze_ipc_get_support(platform, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_ipc_get_support", NULL);
  fake_fail(FAKE_zeDriverGetIpcProperties, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_REFUSED(syclze_ipc_get_support(platform, &flags), ZE_RESULT_ERROR_UNKNOWN,
      "syclze_ipc_get_support", world.driver);
  world_end();
}

TEST(a_pool_is_put_and_destroyed_after_its_events) { // shows memory 2
  world_begin();
  syclze_ipc_event_pool pool;
  syclze_event event;
  CHECK_OK(syclze_ipc_event_pool_create(world.context, EVENTS, &pool));
  CHECK_EQ(fake_seen.pool_desc.flags,
      ZE_EVENT_POOL_FLAG_IPC | (unsigned)ZE_EVENT_POOL_FLAG_HOST_VISIBLE);
  CHECK_EQ(fake_seen.pool_desc.count, EVENTS);
  ze_event_pool_handle_t native = syclze_ipc_event_pool_get_native(pool);
  CHECK_OK(syclze_ipc_event_pool_get_event(pool, 2, &event));
  CHECK_EQ(fake_seen.event_desc.index, 2);
  ze_event_handle_t native_event = syclze_event_get_native(event);
  CHECK_OK(syclze_ipc_event_pool_retain(pool));
  CHECK_OK(syclze_ipc_event_pool_release(pool));
  CHECK_OK(syclze_ipc_event_pool_release(pool));
  CHECK(fake_is_alive(native));
  CHECK_EQ(fake_calls(FAKE_zeEventPoolPutIpcHandle), 0);
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(native_event), 1);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolPutIpcHandle), 1);
  CHECK_EQ(fake_destroys(native), 1);
  world_end();
}

TEST(an_opened_pool_is_closed_after_its_events) { // shows memory 2
  world_begin();
  syclze_ipc_event_pool pool, opened;
  syclze_event event;
  CHECK_OK(syclze_ipc_event_pool_create(world.context, EVENTS, &pool));
  const syclze_ipc_handle handle = syclze_ipc_event_pool_get_handle(pool);
  CHECK_EQ(handle.count, EVENTS);
  CHECK_OK(syclze_ipc_event_pool_open(&handle, world.context, &opened));
  ze_event_pool_handle_t native = syclze_ipc_event_pool_get_native(opened);
  CHECK_OK(syclze_ipc_event_pool_get_event(opened, 0, &event));
  CHECK_OK(syclze_ipc_event_pool_release(opened));
  CHECK(fake_is_alive(native));
  CHECK_OK(syclze_event_release(event));
  CHECK_EQ(fake_destroys(native), 1);
  CHECK_EQ(fake_calls(FAKE_zeEventPoolCloseIpcHandle), 1);
  CHECK_OK(syclze_ipc_event_pool_release(pool));
  world_end();
}

TEST(wrong_arguments_of_pools_are_refused) { // shows memory 16
  world_begin();
  const char *creates = "syclze_ipc_event_pool_create", *opens = "syclze_ipc_event_pool_open",
             *gets = "syclze_ipc_event_pool_get_event";
  const syclze_context no_context = {0};
  const syclze_ipc_event_pool no_pool = {0};
  syclze_ipc_event_pool pool, other;
  syclze_event event;
  CHECK_REFUSED(syclze_ipc_event_pool_create(world.context, 0, &other),
      ZE_RESULT_ERROR_INVALID_SIZE, creates, NULL);
  CHECK_EQ(other.rep, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_create(no_context, 1, &other),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, creates, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_create(world.context, 1, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, creates, NULL);
  CHECK_OK(syclze_ipc_event_pool_create(world.context, EVENTS, &pool));
  syclze_ipc_handle handle = syclze_ipc_event_pool_get_handle(pool);
  CHECK_REFUSED(syclze_ipc_event_pool_open(NULL, world.context, &other),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, opens, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_open(&handle, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, opens, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_open(&handle, no_context, &other),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, opens, NULL);
  handle.kind = SYCLZE_IPC_KIND_MEMORY;
  CHECK_REFUSED(syclze_ipc_event_pool_open(&handle, world.context, &other),
      SYCLZE_RESULT_ERROR_INVALID, opens, NULL);
  handle.kind = SYCLZE_IPC_KIND_EVENT_POOL;
  fake_ipc_end_exporter(&handle.native);
  CHECK_REFUSED(syclze_ipc_event_pool_open(&handle, world.context, &other),
      ZE_RESULT_ERROR_INVALID_ARGUMENT, opens, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_get_event(no_pool, 0, &event),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, gets, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_get_event(pool, 0, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, gets, NULL);
  CHECK_REFUSED(syclze_ipc_event_pool_get_event(pool, EVENTS, &event), SYCLZE_RESULT_ERROR_INVALID,
      gets, syclze_ipc_event_pool_get_native(pool));
  CHECK_EQ(event.rep, NULL);
  CHECK_OK(syclze_ipc_event_pool_release(pool));
#if SYCLZE_HAS_POOLS
  CHECK_REFUSED(syclze_ipc_event_pool_release(pool), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_ipc_event_pool_release", NULL);
#endif
  world_end();
}

TEST(null_has_no_references) {
  world_begin();
  const syclze_ipc_memory memory = {0};
  const syclze_ipc_event_pool pool = {0};
  CHECK_OK(syclze_ipc_memory_retain(memory));
  CHECK_OK(syclze_ipc_memory_release(memory));
  CHECK_OK(syclze_ipc_event_pool_retain(pool));
  CHECK_OK(syclze_ipc_event_pool_release(pool));
  world_end();
}

/* All of it, until something fails: what was made is released. */
static ze_result_t share(void *memory) {
  syclze_ipc_memory exported = {0}, opened = {0};
  syclze_ipc_event_pool pool = {0}, opened_pool = {0};
  syclze_event event = {0};
  syclze_ipc_handle handle;
  ze_result_t result = syclze_ipc_memory_export(memory, 0, world.context, &exported);
  if (result == ZE_RESULT_SUCCESS) {
    handle = syclze_ipc_memory_get_handle(exported);
    result = syclze_ipc_memory_open(&handle, 0, world.device, world.context, &opened);
  }
  if (result == ZE_RESULT_SUCCESS)
    result = syclze_ipc_event_pool_create(world.context, EVENTS, &pool);
  if (result == ZE_RESULT_SUCCESS) {
    handle = syclze_ipc_event_pool_get_handle(pool);
    result = syclze_ipc_event_pool_open(&handle, world.context, &opened_pool);
  }
  if (result == ZE_RESULT_SUCCESS) result = syclze_ipc_event_pool_get_event(opened_pool, 1, &event);
  const ze_result_t released[] = {syclze_event_release(event),
      syclze_ipc_event_pool_release(opened_pool), syclze_ipc_event_pool_release(pool),
      syclze_ipc_memory_release(opened), syclze_ipc_memory_release(exported)};
  for (unsigned i = 0; i < sizeof released / sizeof *released; i++)
    if (result == ZE_RESULT_SUCCESS) result = released[i];
  return result;
}

/* A call that fails by request is one that ends something: the fake's object stays. */
static bool ends_something(enum fake_function function) {
  return function == FAKE_zeMemPutIpcHandle || function == FAKE_zeMemCloseIpcHandle ||
         function == FAKE_zeEventPoolPutIpcHandle || function == FAKE_zeEventPoolCloseIpcHandle ||
         function == FAKE_zeEventPoolDestroy || function == FAKE_zeEventDestroy;
}

TEST(every_call_fails_in_turn) { // shows memory 21
  unsigned nth = 0, failed = 0;
  enum fake_function function;
  do {
    world_begin();
    void *memory = allocation();
    fake_fail_nth_call(++nth, ZE_RESULT_ERROR_DEVICE_LOST);
    notes_start();
    const ze_result_t result = share(memory);
    function = fake_failed_function();
    /* The size of opened memory, and the pool of an event, are asked for where they can be had. */
    const bool matters = function != FAKE_zeEventGetEventPool &&
                         function != FAKE_zeEventPoolGetContextHandle &&
                         !(function == FAKE_zeMemGetAddressRange && result == ZE_RESULT_SUCCESS);
    if (function != FAKE_FUNCTION_COUNT && matters) {
      failed++;
      CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_LOST);
      CHECK_EQ(notes.count, 1);
    }
    if (function != FAKE_FUNCTION_COUNT && ends_something(function)) fake_forgive();
    fake_destroy(memory);
    world_end();
  } while (function != FAKE_FUNCTION_COUNT);
  CHECK(failed >= 12);
}

TEST(every_allocation_fails_in_turn) { // shows memory 21
  unsigned nth = 0;
  int failed;
  do {
    world_begin();
    void *memory = allocation();
    memory_fail(++nth);
    notes_start();
    const ze_result_t result = share(memory);
    failed = memory_failed();
    memory_fail(0);
    if (failed && result != ZE_RESULT_SUCCESS) {
      CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
      CHECK_EQ(notes.count, 1);
    }
    fake_destroy(memory);
    world_end();
  } while (failed);
  CHECK(nth > 2);
}

TEST_MAIN(the_last_release_puts_the_handle_once, each_open_is_closed_once,
    a_second_close_is_refused, a_pointer_into_an_allocation_keeps_its_offset,
    a_handle_of_plain_level_zero_is_opened, opened_memory_of_a_buffer_is_closed_with_it,
    an_object_keeps_its_context, memory_for_other_machines,
    an_old_loader_puts_nothing_and_has_no_handles_for_other_machines,
    a_driver_without_the_call_has_nothing_to_put, wrong_arguments_of_memory_are_refused,
    a_handle_is_refused_where_the_driver_has_no_size,
    a_handle_has_a_process_if_it_begins_with_a_descriptor_of_memory,
    a_handle_with_a_process_and_no_descriptor_is_refused, a_handle_beyond_its_allocation_is_refused,
    a_handle_whose_exporter_has_ended_is_refused, failing_releases_are_reported_and_end_the_object,
    support_is_the_driver_s, a_pool_is_put_and_destroyed_after_its_events,
    an_opened_pool_is_closed_after_its_events, wrong_arguments_of_pools_are_refused,
    null_has_no_references, every_call_fails_in_turn, every_allocation_fails_in_turn)
