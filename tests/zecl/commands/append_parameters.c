/* The appends of 1.14 and 1.16 with a chain of further parameters, of which a cooperative launch is
 * the only one that changes something here. */
#include "commands/list.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "modules/function.h"
#include "modules/kernel.h"

static bool is_cooperative(const void *next) {
  const struct {
    ze_structure_type_t stype;
    const void *pNext;
    ze_bool_t is_cooperative;
  } *parameter = next;
  while (parameter && (int)parameter->stype != ZECL_STYPE_LAUNCH_COOPERATIVE)
    parameter = parameter->pNext;
  return parameter && parameter->is_cooperative;
}

ze_result_t zecl_zeCommandListAppendLaunchKernelWithParameters(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, const void *next,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendLaunchKernelWithParameters);
  return is_cooperative(next) ? zecl_zeCommandListAppendLaunchCooperativeKernel(
                                    list, kernel, groups, signal, wait_count, waits)
                              : zecl_zeCommandListAppendLaunchKernel(
                                    list, kernel, groups, signal, wait_count, waits);
}

/* Each pointer is to the argument's value; that of local memory is to its size. */
ze_result_t zecl_zeCommandListAppendLaunchKernelWithArguments(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, ze_group_count_t groups, zecl_group_size group, void **arguments,
    const void *next, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendLaunchKernelWithArguments);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_HANDLE(kernel, ZECL_KERNEL);
  const struct zecl_function *function = zecl_kernel_of(kernel)->function;
  ZECL_REQUIRE(arguments || function->arg_count == 0, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  ZECL_TRY(zecl_zeKernelSetGroupSize(kernel, group.sizes[0], group.sizes[1], group.sizes[2]));
  for (uint32_t i = 0; i < function->arg_count; i++) {
    const bool is_local = function->args[i].kind == ZECL_ARG_LOCAL;
    ZECL_REQUIRE(!is_local || arguments[i], ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    ZECL_TRY(zecl_zeKernelSetArgumentValue(kernel, i,
        is_local ? *(const size_t *)arguments[i] : function->args[i].size,
        is_local ? NULL : arguments[i]));
  }
  return zecl_zeCommandListAppendLaunchKernelWithParameters(
      list, kernel, &groups, next, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendMemoryCopyWithParameters(ze_command_list_handle_t list,
    void *to, const void *from, size_t size, const void *next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryCopyWithParameters);
  (void)next;
  return zecl_zeCommandListAppendMemoryCopy(list, to, from, size, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendMemoryFillWithParameters(ze_command_list_handle_t list,
    void *to, const void *pattern, size_t pattern_size, size_t size, const void *next,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryFillWithParameters);
  (void)next;
  return zecl_zeCommandListAppendMemoryFill(
      list, to, pattern, pattern_size, size, signal, wait_count, waits);
}
