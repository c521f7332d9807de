/* Buffers (4.3, 4.4, 4.5) over allocations of the driver. Releases under pending work are tested in
   group*.c. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"
#include "support/works.h"

#include <sched.h>

#define FUNCTION "syclze_make_buffer"

enum { SIZE = 4096 };

__attribute__((constructor)) static void simulate(void) {
  given_environment("ZECL_DEVICES", "2");
}

/* Shared memory from zeMemAllocShared, readable by the host. */
static void *given_memory(const struct given *g) {
  ze_device_mem_alloc_desc_t device_desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  ze_host_mem_alloc_desc_t host_desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *memory = NULL;
  CHECK_EQ(zeMemAllocShared(g->context, &device_desc, &host_desc, SIZE, 0, g->device, &memory),
      ZE_RESULT_SUCCESS);
  memset(memory, 1, SIZE);
  return memory;
}

/* The memory is writable, keeps its contents, and is freed once. */
static void check_and_free(const struct given *g, void *memory) {
  CHECK_EQ(((unsigned char *)memory)[SIZE - 1], 1);
  memset(memory, 2, SIZE);
  CHECK_EQ(zeMemFree(g->context, memory), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(memory), 1);
}

TEST(transferred_memory_of_each_type_is_freed_by_the_last_release) { // shows backend 56, peers 6
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  void *memory[3];
  CHECK_EQ(syclze_malloc_device(SIZE, device, context, &memory[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(SIZE, device, context, &memory[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_host(SIZE, context, &memory[2]), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 3; i++) {
    syclze_buffer_input input = {.native_handle = memory[i]};
    syclze_buffer buffer;
    CHECK_EQ(syclze_make_native(&input, context, &buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_retain(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(memory[i]), 0);
    CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
    CHECK_EQ(spy_destroys_of(memory[i]), 1);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(kept_memory_is_not_freed) { // shows backend 61
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_buffer_input input = {
      .native_handle = given_memory(&g), .ownership = SYCLZE_OWNERSHIP_KEEP};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer(&input, context, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys(), 0);
  check_and_free(&g, input.native_handle);
  given_end(&g);
}

TEST(its_size_is_that_of_the_allocation_or_of_its_range) { // shows backend 60
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_buffer_input input = {.native_handle = given_memory(&g)};
  syclze_buffer whole, part;
  input.ownership = SYCLZE_OWNERSHIP_KEEP;
  CHECK_EQ(syclze_make_buffer(&input, context, &whole), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_byte_size(whole), SIZE);
  CHECK_EQ(syclze_buffer_release(whole), ZE_RESULT_SUCCESS);
  input.ownership = SYCLZE_OWNERSHIP_TRANSFER;
  input.element_size = 4;
  input.dimensions = 2;
  input.range[0] = 32;
  input.range[1] = SIZE / 4 / 32;
  CHECK_EQ(syclze_make_buffer(&input, context, &part), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_byte_size(part), SIZE);
  CHECK_EQ(syclze_buffer_get_dimensions(part), 2);
  CHECK_EQ(syclze_buffer_get_range(part, 0), 32);
  CHECK_EQ(syclze_buffer_get_range(part, 2), 1);
  CHECK_EQ(syclze_buffer_get_context(part).rep, context.rep);
  CHECK_EQ(syclze_buffer_release(part), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_range_that_does_not_fit_is_refused) { // shows backend 60
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  void *memory = given_memory(&g);
  syclze_buffer_input large = {.native_handle = memory, .range = {SIZE + 1}};
  syclze_buffer_input overflow = {.native_handle = memory,
      .dimensions = 3,
      .range = {(size_t)1 << 32, (size_t)1 << 31, (size_t)1 << 31}};
  syclze_buffer_input empty = {.native_handle = memory, .dimensions = 2, .range = {1, 0}};
  syclze_buffer_input four = {.native_handle = memory, .dimensions = 4, .range = {1, 1, 1}};
  syclze_buffer buffer;
  REFUSED(buffer, syclze_make_buffer(&large, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "larger than the allocation", memory);
  REFUSED(buffer, syclze_make_buffer(&overflow, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "larger than the allocation", memory);
  REFUSED(buffer, syclze_make_buffer(&empty, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "at least one element", memory);
  REFUSED(buffer, syclze_make_buffer(&four, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "dimensions", memory);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  check_and_free(&g, memory);
  given_end(&g);
}

/* Some drivers find an allocation through any context. */
static bool is_allocation_of(ze_context_handle_t context, const void *memory) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  CHECK_EQ(zeMemGetAllocProperties(context, memory, &properties, NULL), ZE_RESULT_SUCCESS);
  return properties.type != ZE_MEMORY_TYPE_UNKNOWN;
}

/* The pointer must be the base of an allocation of the context. */
TEST(a_pointer_outside_the_allocations_of_the_context_is_refused) { // shows backend 56, peers 2
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  char *memory = given_memory(&g), mine[64];
  struct given other = g;
  other.context = given_context(&g);
  void *elsewhere = given_memory(&other);
  syclze_buffer_input inside = {.native_handle = memory + 64};
  syclze_buffer_input host = {.native_handle = mine};
  syclze_buffer_input foreign = {.native_handle = elsewhere};
  syclze_buffer buffer;
  REFUSED(buffer, syclze_make_buffer(&inside, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "the allocation's first", memory + 64);
  REFUSED(buffer, syclze_make_buffer(&host, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "must be an allocation of the context", mine);
  if (!is_allocation_of(g.context, elsewhere))
    REFUSED(buffer, syclze_make_buffer(&foreign, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
        FUNCTION, "must be an allocation of the context", elsewhere);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  check_and_free(&g, memory);
  check_and_free(&other, elsewhere);
  CHECK_EQ(zeContextDestroy(other.context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(a_context_of_several_devices_is_refused) { // shows backend 57
  struct given g = given();
  ze_device_handle_t handles[2];
  syclze_device devices[2];
  given_needs_two(g.driver, given_devices(g.driver, handles, 2));
  for (int i = 0; i < 2; i++)
    CHECK_EQ(syclze_make_device(handles[i], &devices[i]), ZE_RESULT_SUCCESS);
  syclze_context_input context_input = {g.context, devices, 2, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_EQ(syclze_make_context(&context_input, &context), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = given_memory(&g)};
  syclze_buffer buffer;
  REFUSED(buffer, syclze_make_buffer(&input, context, &buffer), SYCLZE_RESULT_ERROR_INVALID,
      FUNCTION, "a single device", input.native_handle);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  check_and_free(&g, input.native_handle);
  given_end(&g);
}

TEST(null_is_refused) { // shows backend 62
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = made_no_context();
  syclze_event no_event = {0};
  syclze_buffer_input null = {0}, input = {.native_handle = given_memory(&g)};
  syclze_buffer_input no_owner = {.native_handle = input.native_handle, .ownership = 2};
  syclze_buffer buffer;
  REFUSED(buffer, syclze_make_buffer(&null, context, &buffer), ZE_RESULT_ERROR_INVALID_NULL_HANDLE,
      FUNCTION, "null", NULL);
  REFUSED(buffer, syclze_make_buffer(&input, no_context, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, FUNCTION, "context", input.native_handle);
  REFUSED(buffer, syclze_make_buffer(NULL, context, &buffer), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      FUNCTION, "null", NULL);
  REFUSED(buffer, syclze_make_buffer(&no_owner, context, &buffer),
      ZE_RESULT_ERROR_INVALID_ENUMERATION, FUNCTION, "4.4", input.native_handle);
  REFUSED(buffer, syclze_make_buffer_after(&input, context, no_event, &buffer),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_make_buffer_after", "event",
      input.native_handle);
  FAILED(syclze_make_buffer(&input, context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER, FUNCTION,
      "null", NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  check_and_free(&g, input.native_handle);
  given_end(&g);
}

/* Under transfer the release does not wait for the available event; the memory lives until the
   event is signalled. */
TEST(unavailable_memory_is_freed_once_available) { // shows backend 63
  given_needs_execution();
  struct given g = given();
  struct given own = g; /* separate context, released with the buffer */
  own.context = given_context(&g);
  syclze_context context = made_context(&own, SYCLZE_OWNERSHIP_TRANSFER);
  syclze_context events_context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  ze_event_handle_t native = given_event(&g);
  syclze_event available = made_event(events_context, native, SYCLZE_OWNERSHIP_KEEP);
  syclze_buffer_input input = {.native_handle = given_memory(&own)};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_buffer_after(&input, context, available, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(available), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(events_context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  /* Long enough for an early free to show. */
  CHECK_EQ(zeEventHostSynchronize(native, 20 * 1000 * 1000), ZE_RESULT_NOT_READY);
  CHECK_EQ(spy_destroys(), 0);
  CHECK_EQ(*(char *)input.native_handle, 1);
  CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
  while (spy_destroys() < 2)
    sched_yield();
  spy_check_order(input.native_handle, own.context);
  CHECK_EQ(zeEventDestroy(native), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(available_memory_is_freed_at_once) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_event available;
  CHECK_EQ(syclze_event_create(context, 0, &available), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeEventHostSignal(syclze_event_get_native(available)), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = given_memory(&g)};
  syclze_buffer buffer;
  CHECK_EQ(syclze_make_native(&input, context, available, &buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(available), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_buffer_release(buffer), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_destroys_of(input.native_handle), 1);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(transferred_memory_of_each_type_is_freed_by_the_last_release, kept_memory_is_not_freed,
    its_size_is_that_of_the_allocation_or_of_its_range, a_range_that_does_not_fit_is_refused,
    a_pointer_outside_the_allocations_of_the_context_is_refused,
    a_context_of_several_devices_is_refused, null_is_refused,
    unavailable_memory_is_freed_once_available, available_memory_is_freed_at_once)
