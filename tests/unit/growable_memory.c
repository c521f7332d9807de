/* Growable memory (growable_memory.h): what is reserved, mapped, unmapped and destroyed; refused
   inputs; every call and allocation failing. */
#include "support/memory.h"
#include "support/world.h"
#include "syclze/growable_memory.h"
#include "tests/check.h"

enum { PAGE = 4096 };

static syclze_growable_memory reserved(size_t capacity) {
  syclze_growable_memory memory;
  CHECK_OK(syclze_growable_memory_reserve(capacity, world.device, world.context, &memory));
  return memory;
}

TEST(growth_is_in_pages_at_one_address) { // shows memory 5
  world_begin();
  syclze_growable_memory memory = reserved(10 * PAGE - 5);
  void *pointer = syclze_growable_memory_get_pointer(memory);
  CHECK_EQ(syclze_growable_memory_get_capacity(memory), 10 * PAGE);
  CHECK_EQ(syclze_growable_memory_get_size(memory), 0);
  CHECK_OK(syclze_growable_memory_grow(memory, 1));
  CHECK_EQ(syclze_growable_memory_get_size(memory), PAGE);
  CHECK_OK(syclze_growable_memory_grow(memory, PAGE));
  CHECK_EQ(fake_calls(FAKE_zePhysicalMemCreate), 1);
  CHECK_OK(syclze_growable_memory_grow(memory, 10 * PAGE));
  CHECK_EQ(fake_calls(FAKE_zeVirtualMemMap), 2);
  CHECK_EQ(syclze_growable_memory_get_size(memory), 10 * PAGE);
  CHECK_EQ(syclze_growable_memory_get_pointer(memory), pointer);
  CHECK_OK(syclze_growable_memory_release(memory));
  CHECK_EQ(fake_calls(FAKE_zePhysicalMemDestroy), 2);
  CHECK_EQ(fake_calls(FAKE_zeVirtualMemFree), 1);
  world_end();
}

TEST(shrinking_gives_back_whole_growths) { // shows memory 5
  world_begin();
  syclze_growable_memory memory = reserved(10 * PAGE);
  CHECK_OK(syclze_growable_memory_grow(memory, 2 * PAGE));
  CHECK_OK(syclze_growable_memory_grow(memory, 5 * PAGE));
  CHECK_OK(syclze_growable_memory_grow(memory, 6 * PAGE));
  CHECK_OK(syclze_growable_memory_shrink(memory, 3 * PAGE));
  CHECK_EQ(syclze_growable_memory_get_size(memory), 5 * PAGE);
  CHECK_OK(syclze_growable_memory_shrink(memory, 2 * PAGE));
  CHECK_EQ(syclze_growable_memory_get_size(memory), 2 * PAGE);
  CHECK_OK(syclze_growable_memory_grow(memory, 4 * PAGE));
  CHECK_OK(syclze_growable_memory_shrink(memory, 0));
  CHECK_EQ(syclze_growable_memory_get_size(memory), 0);
  CHECK_EQ(fake_calls(FAKE_zePhysicalMemDestroy), 4);
  CHECK_OK(syclze_growable_memory_shrink(memory, 0));
  CHECK_OK(syclze_growable_memory_release(memory));
  world_end();
}

TEST(the_last_release_gives_all_back) { // shows memory 5
  world_begin();
  syclze_growable_memory memory = reserved(PAGE), none = {0};
  CHECK_OK(syclze_growable_memory_grow(memory, PAGE));
  CHECK_OK(syclze_growable_memory_retain(memory));
  CHECK_OK(syclze_growable_memory_release(memory));
  CHECK_EQ(fake_calls(FAKE_zeVirtualMemUnmap), 0);
  CHECK_OK(syclze_growable_memory_release(memory));
  CHECK_EQ(fake_calls(FAKE_zeVirtualMemUnmap), 1);
#if SYCLZE_HAS_POOLS
  CHECK_REFUSED(syclze_growable_memory_release(memory), SYCLZE_RESULT_ERROR_INVALID,
      "syclze_growable_memory_release", NULL);
#endif
  CHECK_OK(syclze_growable_memory_retain(none));
  CHECK_OK(syclze_growable_memory_release(none));
  world_end();
}

TEST(wrong_arguments_are_refused) { // shows memory 8
  world_begin();
  const char *reserves = "syclze_growable_memory_reserve", *grows = "syclze_growable_memory_grow";
  const syclze_context no_context = {0};
  const syclze_device no_device = {0};
  const syclze_growable_memory none = {0};
  syclze_growable_memory memory;
  CHECK_REFUSED(syclze_growable_memory_reserve(0, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE, reserves, NULL);
  CHECK_EQ(memory.rep, NULL);
  CHECK_REFUSED(syclze_growable_memory_reserve(SIZE_MAX, world.device, world.context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE, reserves, world.native_context);
  CHECK_REFUSED(syclze_growable_memory_reserve(1, no_device, world.context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, reserves, NULL);
  CHECK_REFUSED(syclze_growable_memory_reserve(1, world.device, no_context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, reserves, NULL);
  CHECK_REFUSED(syclze_growable_memory_reserve(1, world.device2, world.context, &memory),
      SYCLZE_RESULT_ERROR_INVALID, reserves, NULL);
  CHECK_REFUSED(syclze_growable_memory_reserve(1, world.device, world.context, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER, reserves, NULL);
  CHECK_REFUSED(
      syclze_growable_memory_grow(none, 1), ZE_RESULT_ERROR_INVALID_NULL_HANDLE, grows, NULL);
  CHECK_REFUSED(syclze_growable_memory_shrink(none, 1), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      "syclze_growable_memory_shrink", NULL);
  memory = reserved(PAGE);
  CHECK_REFUSED(syclze_growable_memory_grow(memory, PAGE + 1), ZE_RESULT_ERROR_INVALID_SIZE, grows,
      syclze_growable_memory_get_pointer(memory));
  CHECK_REFUSED(syclze_growable_memory_grow(memory, SIZE_MAX), ZE_RESULT_ERROR_INVALID_SIZE, grows,
      syclze_growable_memory_get_pointer(memory));
  CHECK_EQ(syclze_growable_memory_get_size(memory), 0);
  CHECK_OK(syclze_growable_memory_release(memory));
  world_end();
}

TEST(growth_that_fails_changes_nothing) { // shows memory 8
  const enum fake_function functions[] = {FAKE_zePhysicalMemCreate, FAKE_zeVirtualMemMap};
  world_begin();
  syclze_growable_memory memory = reserved(4 * PAGE);
  CHECK_OK(syclze_growable_memory_grow(memory, PAGE));
  for (int i = 0; i < 2; i++) {
    fake_fail(functions[i], 1, ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY);
    CHECK_FAILED(syclze_growable_memory_grow(memory, 2 * PAGE),
        ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, "syclze_growable_memory_grow",
        syclze_growable_memory_get_pointer(memory));
    CHECK_EQ(syclze_growable_memory_get_size(memory), PAGE);
  }
  memory_fail(1);
  CHECK_REFUSED(syclze_growable_memory_grow(memory, 2 * PAGE), ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
      "syclze_growable_memory_grow", syclze_growable_memory_get_pointer(memory));
  CHECK_OK(syclze_growable_memory_grow(memory, 2 * PAGE));
  fake_fail(FAKE_zeVirtualMemUnmap, 1, ZE_RESULT_ERROR_UNKNOWN);
  CHECK_REFUSED(syclze_growable_memory_shrink(memory, 0), ZE_RESULT_ERROR_UNKNOWN,
      "syclze_growable_memory_shrink", (char *)syclze_growable_memory_get_pointer(memory) + PAGE);
  CHECK_EQ(syclze_growable_memory_get_size(memory), 2 * PAGE);
  CHECK_OK(syclze_growable_memory_release(memory));
  world_end();
}

/* Each call of a whole life fails once: one diagnostic, and nothing else is lost. */
TEST(every_call_fails_in_turn) { // shows memory 8
  unsigned nth = 0;
  enum fake_function function;
  do {
    syclze_growable_memory memory;
    world_begin();
    fake_fail_nth_call(++nth, ZE_RESULT_ERROR_DEVICE_LOST);
    notes_start();
    ze_result_t result =
        syclze_growable_memory_reserve(4 * PAGE, world.device, world.context, &memory);
    CHECK_EQ(memory.rep == NULL, result != ZE_RESULT_SUCCESS);
    if (result == ZE_RESULT_SUCCESS) {
      result = syclze_growable_memory_grow(memory, PAGE);
      if (result == ZE_RESULT_SUCCESS) result = syclze_growable_memory_grow(memory, 2 * PAGE);
      if (result == ZE_RESULT_SUCCESS) result = syclze_growable_memory_shrink(memory, PAGE);
      const ze_result_t released = syclze_growable_memory_release(memory);
      if (result == ZE_RESULT_SUCCESS) result = released;
    }
    function = fake_failed_function();
    if (function != FAKE_FUNCTION_COUNT) {
      CHECK_EQ(result, ZE_RESULT_ERROR_DEVICE_LOST);
      CHECK_EQ(notes.count, 1);
      if (function == FAKE_zeVirtualMemUnmap || function == FAKE_zePhysicalMemDestroy ||
          function == FAKE_zeVirtualMemFree)
        fake_forgive();
    }
    world_end();
  } while (function != FAKE_FUNCTION_COUNT);
  CHECK(nth > 10);
}

TEST_MAIN(growth_is_in_pages_at_one_address, shrinking_gives_back_whole_growths,
    the_last_release_gives_all_back, wrong_arguments_are_refused, growth_that_fails_changes_nothing,
    every_call_fails_in_turn)
