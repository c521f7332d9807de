/* The rules of the libcuda of the tests for memory: see support/cuda_rules.h. */
#define _GNU_SOURCE
#include "support/cuda_rules.h"
#include "support/libcuda.h"

#include "test/harness/check.h"

__attribute__((constructor)) static void choose_engine(void) {
  test_load_libcuda(64, 2);
}

enum { LARGE_PAGE = 2 << 20 };

static CUmemGenericAllocationHandle physical(size_t size) {
  const CUmemAllocationProp properties = {
      .type = CU_MEM_ALLOCATION_TYPE_PINNED, .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
  CUmemGenericAllocationHandle handle = 0;
  CU(physical_create)(&handle, size, &properties, 0);
  return handle;
}

/* Two pages of addresses, with memory in the first `pages`. */
static CUdeviceptr mapped(size_t pages) {
  CUdeviceptr base = 0;
  CU(address_reserve)(&base, 2 * LARGE_PAGE, 0, 0, 0);
  if (pages) CU(map)(base, pages * LARGE_PAGE, 0, physical(pages * LARGE_PAGE), 0);
  return base;
}

static void open_page(CUdeviceptr base, size_t pages) {
  const CUmemAccessDesc desc = {
      {CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};
  CU(set_access)(base, pages * LARGE_PAGE, &desc, 1);
}

static void use_virtual_memory(void) {
  const CUmemGenericAllocationHandle handle = physical(LARGE_PAGE);
  const CUdeviceptr base = mapped(0);
  CU(map)(base + LARGE_PAGE, LARGE_PAGE, 0, handle, 0);
  open_page(base + LARGE_PAGE, 1);
  CU(physical_release)(handle);
  CU(copy)(base + LARGE_PAGE, rules_made.device, 4096, rules_made.stream);
  CU(stream_synchronize)(rules_made.stream);
  CU(unmap)(base + LARGE_PAGE, LARGE_PAGE);
  CU(address_free)(base, 2 * LARGE_PAGE);
}

static char own_memory[4096];

static void enlist(void) {
  CU(host_register)
  (own_memory, sizeof own_memory, CU_MEMHOSTREGISTER_PORTABLE | CU_MEMHOSTREGISTER_DEVICEMAP);
}

static void nothing_is_broken(void) {
  rules_make();
  CU(copy)(rules_made.device, (CUdeviceptr)(uintptr_t)rules_made.host, 4096, rules_made.stream);
  use_virtual_memory();
  enlist();
  CU(stream_write)(rules_made.stream, (CUdeviceptr)(uintptr_t)own_memory, 1, 0);
  CU(stream_synchronize)(rules_made.stream);
  CU(host_unregister)(own_memory);
  rules_unmake();
}

static void copy_beyond_what_is_mapped(void) {
  rules_make();
  const CUdeviceptr base = mapped(1);
  open_page(base, 1);
  CU(copy)(base + LARGE_PAGE - 1, rules_made.device, 2, rules_made.stream);
}

static void mapped_without_access(void) {
  rules_make();
  CU(copy)(mapped(1), rules_made.device, 1, rules_made.stream);
}

static void mapped_twice(void) {
  rules_make();
  const CUdeviceptr base = mapped(1);
  CU(map)(base, LARGE_PAGE, 0, physical(LARGE_PAGE), 0);
}

static void mapped_in_part(void) {
  rules_make();
  CU(map)(mapped(0), LARGE_PAGE, 0, physical(2 * LARGE_PAGE), 0);
}

static void unmapped_in_part(void) {
  rules_make();
  CU(unmap)(mapped(2), LARGE_PAGE);
}

static void unmapped_twice(void) {
  rules_make();
  const CUdeviceptr base = mapped(1);
  CU(unmap)(base, LARGE_PAGE);
  CU(unmap)(base, LARGE_PAGE);
}

static void address_free_of_what_is_mapped(void) {
  rules_make();
  CU(address_free)(mapped(1), 2 * LARGE_PAGE);
}

static void reservation_given_back_twice(void) {
  rules_make();
  const CUdeviceptr base = mapped(0);
  CU(address_free)(base, 2 * LARGE_PAGE);
  CU(address_free)(base, 2 * LARGE_PAGE);
}

static void physical_released_twice(void) {
  rules_make();
  const CUmemGenericAllocationHandle handle = physical(LARGE_PAGE);
  CU(physical_release)(handle);
  CU(physical_release)(handle);
}

static void exported_but_not_made_for_it(void) {
  int file;
  CU(physical_export)(&file, physical(LARGE_PAGE), CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0);
}

static void half_a_page(void) {
  rules_make();
  physical(LARGE_PAGE / 2);
}

static void registered_twice(void) {
  rules_make();
  enlist();
  enlist();
}

static void unregistered_twice(void) {
  rules_make();
  enlist();
  CU(host_unregister)(own_memory);
  CU(host_unregister)(own_memory);
}

static void unregistered_memory(void) {
  rules_make();
  enlist();
  CU(host_unregister)(own_memory);
  CU(stream_write)(rules_made.stream, (CUdeviceptr)(uintptr_t)own_memory, 1, 0);
}

static void freed_memory(void) {
  rules_make();
  CU(free_device)(rules_made.device);
  CU(set_8)(rules_made.device, 1, 1, rules_made.stream);
}

static void memory_of_malloc(void) {
  int word = 0;
  rules_make();
  CU(copy)(rules_made.device, (CUdeviceptr)(uintptr_t)&word, sizeof word, rules_made.stream);
}

static void beyond_the_end(void) {
  rules_make();
  CU(copy)(rules_made.device + 4000, rules_made.device, 97, rules_made.stream);
}

static void freed_twice(void) {
  rules_make();
  CU(free_device)(rules_made.device);
  CU(free_device)(rules_made.device);
}

static void freed_as_another_kind(void) {
  rules_make();
  CU(free_host)((void *)(uintptr_t)rules_made.device);
}

static void too_much_managed_memory(void) {
  CUdeviceptr memory;
  rules_make();
  CU(alloc_managed)(&memory, (size_t)65 << 20, CU_MEM_ATTACH_GLOBAL);
}

static void freed_while_work_waits(void) {
  rules_make();
  memset(rules_made.host, 0, 4);
  CU(stream_wait)
  (rules_made.stream, (CUdeviceptr)(uintptr_t)rules_made.host, 1, CU_STREAM_WAIT_VALUE_AND);
  CU(free_device)(rules_made.device);
}

TEST(what_is_right_passes) {
  rules_check_right(nothing_is_broken);
}

TEST(each_rule_is_kept) {
  static const struct rule rules[] = {{freed_memory, "uses memory that was freed"},
      {memory_of_malloc, "of memory that is not CUDA's"},
      {beyond_the_end, "goes beyond the end of an allocation"},
      {copy_beyond_what_is_mapped, "of addresses without memory"},
      {mapped_without_access, "of memory that no device has access to"},
      {mapped_twice, "where something is mapped"}, {mapped_in_part, "of a part of physical memory"},
      {unmapped_in_part, "of a part of a mapping"}, {unmapped_twice, "of what is not mapped"},
      {address_free_of_what_is_mapped, "cuMemAddressFree of what is mapped"},
      {reservation_given_back_twice, "of what is not reserved"},
      {physical_released_twice, "of physical memory that was released"},
      {exported_but_not_made_for_it, "that was not made to leave"},
      {half_a_page, "of parts of a page"}, {registered_twice, "of what CUDA has already"},
      {unregistered_twice, "of what is not registered"},
      {unregistered_memory, "of memory that is not CUDA's"},
      {freed_twice, "of what is no allocation, or was freed"},
      {freed_as_another_kind, "of memory of another kind"},
      {too_much_managed_memory, "managed memory beyond what is free"},
      {freed_while_work_waits, "waits for work that does not end"}};
  rules_check_each(rules, sizeof rules / sizeof *rules);
}

TEST_MAIN(what_is_right_passes, each_rule_is_kept)
