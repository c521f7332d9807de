/* ZECL_CHECK=1 refuses what drivers of GPUs let pass. */
#define _GNU_SOURCE
#include "support/handles.h"

#include <stdlib.h>

__attribute__((constructor)) static void enable_checks(void) {
  setenv("ZECL_CHECK", "1", 1);
}

TEST(memory_goes_with_its_own_context) {
  const ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ze_driver_handle_t driver;
  ze_context_handle_t other;
  uint32_t count = 1;
  int *memory = test_shared(100);
  OK(zeDriverGet(&count, &driver));
  OK(zeContextCreate(driver, &desc, &other));
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemFree(other, memory));
  ze_memory_allocation_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
  OK(zeMemGetAllocProperties(other, memory, &properties, NULL));
  CHECK_EQ(properties.type, ZE_MEMORY_TYPE_UNKNOWN);
  RETURNS(ERROR_INVALID_ARGUMENT, zeMemGetAddressRange(other, memory, NULL, NULL));
  memory[3] = 5;
  CHECK_EQ(memory[3], 5);
  test_free(memory);
  OK(zeContextDestroy(other));
}

TEST(arguments_are_not_widened) {
  ze_module_handle_t module = test_native("native");
  ze_kernel_handle_t kernel = test_kernel(module, "by_value");
  const int narrow = 5;
  const long fitting = 5;
  RETURNS(ERROR_INVALID_KERNEL_ARGUMENT_SIZE,
      zeKernelSetArgumentValue(kernel, 0, sizeof narrow, &narrow));
  OK(zeKernelSetArgumentValue(kernel, 0, sizeof fitting, &fitting));
  OK(zeKernelDestroy(kernel));
  OK(zeModuleDestroy(module));
}

TEST(advice_is_one_of_the_list) {
  ze_command_list_handle_t list = test_list();
  int *memory = test_shared(100);
  OK(zeCommandListAppendMemAdvise(
      list, test_device(), memory, 100, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
  RETURNS(ERROR_INVALID_ENUMERATION,
      zeCommandListAppendMemAdvise(list, test_device(), memory, 100, (ze_memory_advice_t)99));
  test_free(memory);
  OK(zeCommandListDestroy(list));
}

TEST_MAIN(memory_goes_with_its_own_context, arguments_are_not_widened, advice_is_one_of_the_list)
