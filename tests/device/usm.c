/* Allocations: type, alignment and context. */
#include "support/made.h"
#include "support/refused.h"
#include "support/spy.h"

enum { SIZE = 1000 };

static void check_memory(const struct given *g, const void *memory, ze_memory_type_t type,
    ze_device_handle_t device, size_t alignment) {
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  ze_device_handle_t its_device = NULL;
  CHECK(memory != NULL);
  CHECK_EQ((uintptr_t)memory % alignment, 0);
  CHECK_EQ(
      zeMemGetAllocProperties(g->context, memory, &properties, &its_device), ZE_RESULT_SUCCESS);
  CHECK_EQ(properties.type, type);
  if (device) CHECK_EQ(its_device, device);
}

TEST(each_function_allocates_its_type_of_memory) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  void *on_device, *shared, *on_host;
  CHECK_EQ(syclze_malloc_device(SIZE, device, context, &on_device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(SIZE, device, context, &shared), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_host(SIZE, context, &on_host), ZE_RESULT_SUCCESS);
  check_memory(&g, on_device, ZE_MEMORY_TYPE_DEVICE, g.device, 1);
  check_memory(&g, shared, ZE_MEMORY_TYPE_SHARED, g.device, 1);
  check_memory(&g, on_host, ZE_MEMORY_TYPE_HOST, NULL, 1);
  memset(shared, 1, SIZE);
  memset(on_host, 2, SIZE);
  CHECK_EQ(spy_alive(SPY_MEMORY), 3);
  CHECK_EQ(syclze_free(on_device, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(shared, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(on_host, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_alive(SPY_MEMORY), 0);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(memory_is_aligned_as_requested) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  syclze_device device = made_device(&g);
  for (size_t alignment = 8; alignment <= 65536; alignment *= 8) {
    void *memory[3];
    CHECK_EQ(syclze_aligned_alloc_device(alignment, SIZE, device, context, &memory[0]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_aligned_alloc_shared(alignment, SIZE, device, context, &memory[1]),
        ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_aligned_alloc_host(alignment, SIZE, context, &memory[2]), ZE_RESULT_SUCCESS);
    check_memory(&g, memory[0], ZE_MEMORY_TYPE_DEVICE, g.device, alignment);
    check_memory(&g, memory[1], ZE_MEMORY_TYPE_SHARED, g.device, alignment);
    check_memory(&g, memory[2], ZE_MEMORY_TYPE_HOST, NULL, alignment);
    for (int i = 0; i < 3; i++)
      CHECK_EQ(syclze_free(memory[i], context), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

/* On all drivers, including those that would accept it. */
TEST(an_alignment_not_a_power_of_two_is_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  void *memory;
  REFUSED(memory, syclze_aligned_alloc_host(48, SIZE, context, &memory),
      ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT, "syclze_aligned_alloc_host", "a power of two", NULL);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(memory_may_be_allocated_and_freed_by_syclze_or_level_zero) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  void *ours, *theirs = NULL;
  CHECK_EQ(syclze_malloc_host(SIZE, context, &ours), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemAllocHost(g.context, &desc, SIZE, 0, &theirs), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeMemFree(g.context, ours), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_free(theirs, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(freeing_null_has_no_effect) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  unsigned calls = spy_calls();
  CHECK_EQ(syclze_free(NULL, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(spy_calls(), calls);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST(null_is_refused) {
  struct given g = given();
  syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP), no_context = {0};
  syclze_device device = made_device(&g), no_device = {0};
  void *memory;
  REFUSED(memory, syclze_malloc_device(SIZE, no_device, context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_aligned_alloc_device", "device", NULL);
  REFUSED(memory, syclze_malloc_shared(SIZE, device, no_context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_aligned_alloc_shared", "context", NULL);
  REFUSED(memory, syclze_malloc_host(SIZE, no_context, &memory),
      ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_aligned_alloc_host", "context", NULL);
  FAILED(syclze_malloc_host(SIZE, context, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER,
      "syclze_aligned_alloc_host", "null", NULL);
  CHECK_EQ(syclze_malloc_host(SIZE, context, &memory), ZE_RESULT_SUCCESS);
  FAILED(syclze_free(memory, no_context), ZE_RESULT_ERROR_INVALID_NULL_HANDLE, "syclze_free",
      "context", memory);
  CHECK_EQ(syclze_free(memory, context), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(context), ZE_RESULT_SUCCESS);
  given_end(&g);
}

TEST_MAIN(each_function_allocates_its_type_of_memory, memory_is_aligned_as_requested,
    an_alignment_not_a_power_of_two_is_refused,
    memory_may_be_allocated_and_freed_by_syclze_or_level_zero, freeing_null_has_no_effect,
    null_is_refused)
