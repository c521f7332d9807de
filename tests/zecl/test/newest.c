/* Entry points of Level Zero 1.9 and later that query, clone, or pass between processes: by the
 * tables, as in newer.c. */
#define _GNU_SOURCE
#include "support/slot.h"

TEST(physical_memory_has_a_size_and_an_identifier_of_its_own) {
  typedef ze_result_t query(ze_context_handle_t, ze_physical_mem_handle_t, void *);
  query *properties_of = (query *)slot("zeGetPhysicalMem", 2);
  struct {
    ze_structure_type_t stype;
    const void *pNext;
    uint64_t id, size;
  } one = {0}, two = {0};
  size_t page = 0;
  OK(zeVirtualMemQueryPageSize(test_context(), test_device(), 1, &page));
  ze_physical_mem_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_PHYSICAL_MEM_DESC, .size = page};
  ze_physical_mem_handle_t small, large;
  OK(zePhysicalMemCreate(test_context(), test_device(), &desc, &small));
  desc.size = 3 * page;
  OK(zePhysicalMemCreate(test_context(), test_device(), &desc, &large));
  OK(properties_of(test_context(), small, &one));
  OK(properties_of(test_context(), large, &two));
  CHECK(one.size == page && two.size == 3 * page && one.id != two.id);
  const ze_base_properties_t export = {.stype = ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD};
  one.pNext = &export;
  RETURNS(ERROR_UNSUPPORTED_FEATURE, properties_of(test_context(), small, &one));
  RETURNS(ERROR_INVALID_NULL_POINTER, properties_of(test_context(), small, NULL));
  OK(zePhysicalMemDestroy(test_context(), small));
  RETURNS(ERROR_INVALID_ARGUMENT, properties_of(test_context(), small, &two));
  OK(zePhysicalMemDestroy(test_context(), large));
}

TEST(vectors_of_the_device) {
  struct {
    ze_structure_type_t stype;
    void *pNext;
    uint32_t width, preferred[7], native[7];
  } widths = {.width = 0};
  typedef ze_result_t query(ze_device_handle_t, uint32_t *, void *);
  query *widths_of = (query *)slot("zeGetDevice", 21);
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ze_device_module_properties_t modules = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  uint32_t count = 0;
  OK(widths_of(test_device(), &count, NULL));
  CHECK_EQ(count, 1);
  count = 4;
  OK(widths_of(test_device(), &count, &widths));
  OK(zeDeviceGetProperties(test_device(), &properties));
  OK(zeDeviceGetModuleProperties(test_device(), &modules));
  CHECK(count == 1 && widths.width == properties.physicalEUSimdWidth);
  for (int i = 0; i < 5; i++) /* char to float */
    CHECK(widths.preferred[i] >= 1 && widths.native[i] >= 1);
  const int has_fp64 = (modules.flags & ZE_DEVICE_MODULE_FLAG_FP64) != 0;
  const int has_fp16 = (modules.flags & ZE_DEVICE_MODULE_FLAG_FP16) != 0;
  CHECK((widths.native[5] != 0) == has_fp64);
  CHECK((widths.native[6] != 0) == has_fp16 && (widths.preferred[6] != 0) == has_fp16);
  RETURNS(ERROR_INVALID_NULL_POINTER, widths_of(test_device(), NULL, NULL));
}

static int validated(const char *requirements) {
  struct {
    ze_structure_type_t stype;
    void *pNext;
    int result;
  } answer = {.result = -1};
  OK(SLOT("zeGetDevice", 26, ze_device_handle_t, const char *, void *)(
      test_device(), requirements, &answer));
  return answer.result;
}

TEST(requirements_of_modules) {
  enum { MODULE = 0x00020044, NOT_APPLICABLE = 0, MET = 1, NOT_MET = 3 };
  struct {
    ze_structure_type_t stype;
    const void *pNext;
    ze_module_handle_t module;
  } desc = {.stype = (ze_structure_type_t)MODULE, .module = test_module("test/kernels/basic.spv")};
  typedef ze_result_t query(ze_device_handle_t, const void *, size_t *, char *);
  query *requirements_of = (query *)slot("zeGetDevice", 24);
  const char *key = NULL;
  char text[512];
  size_t size = 0, room = sizeof text;
  OK(SLOT("zeGetDevice", 25, ze_device_handle_t, const char **)(test_device(), &key));
  OK(requirements_of(test_device(), &desc, &size, NULL));
  OK(requirements_of(test_device(), &desc, &room, text));
  CHECK(room == size && strlen(text) + 1 == size && strncmp(text, key, strlen(key)) == 0);
  room = size - 1;
  RETURNS(ERROR_INVALID_NULL_POINTER, requirements_of(test_device(), &desc, &room, text));
  CHECK_EQ(validated(text), MET);
  strcat(text, "?");
  CHECK_EQ(validated(text), NOT_MET);
  CHECK_EQ(validated("INTEL.L0.GPU"), NOT_APPLICABLE);
  CHECK_EQ(validated("zeclish"), NOT_APPLICABLE);
  OK(zeModuleDestroy(desc.module));
  RETURNS(ERROR_INVALID_ARGUMENT, requirements_of(test_device(), &desc, &size, NULL));
  desc.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC;
  RETURNS(ERROR_INVALID_ARGUMENT, requirements_of(test_device(), &desc, &size, NULL));
}

TEST(allocations_of_a_kernel_are_those_of_its_arguments) {
  struct allocation {
    ze_structure_type_t stype;
    void *pNext;
    uint64_t base;
    size_t size;
    ze_memory_type_t type;
    uint32_t index;
  } found[2] = {{.index = 9}, {.index = 9}};
  typedef ze_result_t query(ze_kernel_handle_t, uint32_t *, struct allocation *);
  query *allocations_of = (query *)slot("zeGetKernelExp", 3);
  ze_module_handle_t module = test_module("test/kernels/basic.spv");
  ze_kernel_handle_t kernel = test_kernel(module, "iota");
  int *numbers = test_shared(1000), *inside = numbers + 3;
  uint32_t count = 0;
  OK(allocations_of(kernel, &count, NULL));
  CHECK_EQ(count, 0);
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof inside, &inside));
  OK(allocations_of(kernel, &count, NULL));
  CHECK_EQ(count, 1);
  count = 2;
  OK(allocations_of(kernel, &count, found));
  CHECK(count == 1 && found[0].base == (uintptr_t)numbers && found[0].size == 1000);
  CHECK(found[0].type == ZE_MEMORY_TYPE_SHARED && found[0].index == 0 && found[1].index == 9);
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof inside, NULL));
  count = 0;
  OK(allocations_of(kernel, &count, NULL));
  CHECK_EQ(count, 0);
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
  test_free(numbers);
}

TEST(a_clone_runs_the_commands_of_its_list) {
  enum { CLONEABLE = 0x10 };
  typedef ze_result_t clone_list(ze_command_list_handle_t, ze_command_list_handle_t *);
  clone_list *clone = (clone_list *)slot("zeGetCommandListExp", 0);
  ze_command_list_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC, .flags = CLONEABLE};
  ze_command_list_handle_t list, copy = NULL, other = test_list();
  ze_command_queue_handle_t queue = test_queue(ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
  int *number = test_shared(sizeof *number), five = 5, six = 6;
  *number = 0;
  OK(zeCommandListCreate(test_context(), test_device(), &desc, &list));
  OK(zeCommandListAppendMemoryFill(list, number, &five, sizeof five, sizeof five, NULL, 0, NULL));
  RETURNS(ERROR_INVALID_ARGUMENT, clone(list, &copy)); /* not closed */
  OK(zeCommandListClose(other));
  RETURNS(ERROR_INVALID_ARGUMENT, clone(other, &copy)); /* not cloneable */
  OK(zeCommandListClose(list));
  OK(clone(list, &copy));
  OK(zeCommandListReset(list)); /* the clone keeps what was recorded */
  OK(zeCommandListAppendMemoryFill(list, number, &six, sizeof six, sizeof six, NULL, 0, NULL));
  OK(zeCommandListClose(list));
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &copy, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK_EQ(*number, 5);
  OK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
  OK(zeCommandQueueSynchronize(queue, UINT64_MAX));
  CHECK_EQ(*number, 6);
  OK(zeCommandListReset(copy));
  OK(zeCommandListClose(copy));
  OK(zeCommandListDestroy(copy));
  OK(zeCommandListDestroy(list));
  OK(zeCommandListDestroy(other));
  OK(zeCommandQueueDestroy(queue));
  test_free(number);
}

TEST_MAIN(physical_memory_has_a_size_and_an_identifier_of_its_own, vectors_of_the_device,
    requirements_of_modules, allocations_of_a_kernel_are_those_of_its_arguments,
    a_clone_runs_the_commands_of_its_list)
