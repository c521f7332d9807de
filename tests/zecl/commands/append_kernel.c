/* The appends that launch kernels. */
#include "commands/list.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"

#include <stdlib.h>

static ze_result_t check(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
    const void *groups, ze_event_handle_t signal, uint32_t wait_count,
    const ze_event_handle_t *waits) {
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_REQUIRE(
      zecl_list_of(list)->ordinal == ZECL_GROUP_COMPUTE, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  ZECL_CHECK_HANDLE(kernel, ZECL_KERNEL);
  ZECL_CHECK_POINTER(groups);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListAppendLaunchKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendLaunchKernel);
  ZECL_TRY(check(list, kernel, groups, signal, wait_count, waits));
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_LAUNCH;
  draft.launch.groups = NULL;
  ZECL_TRY(zecl_launch_create(kernel, groups, &draft.launch.launch));
  return zecl_append(list, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendLaunchCooperativeKernel);
  ZECL_TRY(check(list, kernel, groups, signal, wait_count, waits));
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_LAUNCH;
  draft.launch.groups = NULL;
  ZECL_TRY(zecl_launch_create_cooperative(kernel, groups, &draft.launch.launch));
  return zecl_append(list, &draft, signal, wait_count, waits);
}

/* The count of the snapshot is never used: it is a placeholder for the count that is read at run
 * time. */
static const ze_group_count_t read_later = {1, 1, 1};

ze_result_t zecl_zeCommandListAppendLaunchKernelIndirect(ze_command_list_handle_t list,
    ze_kernel_handle_t kernel, const ze_group_count_t *groups, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendLaunchKernelIndirect);
  ZECL_TRY(check(list, kernel, groups, signal, wait_count, waits));
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_LAUNCH_INDIRECT;
  draft.launch.groups = groups;
  ZECL_TRY(zecl_launch_create(kernel, &read_later, &draft.launch.launch));
  return zecl_append(list, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendLaunchMultipleKernelsIndirect(ze_command_list_handle_t list,
    uint32_t count, ze_kernel_handle_t *kernels, const uint32_t *how_many,
    const ze_group_count_t *groups, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendLaunchMultipleKernelsIndirect);
  ZECL_CHECK_HANDLE(list, ZECL_LIST);
  ZECL_CHECK_POINTER(kernels);
  ZECL_CHECK_POINTER(how_many);
  ZECL_REQUIRE(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  for (uint32_t i = 0; i < count; i++)
    ZECL_TRY(check(list, kernels[i], groups, signal, wait_count, waits));
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_LAUNCH_MULTIPLE;
  draft.launches = (struct zecl_launches){.how_many = how_many,
      .groups = groups,
      .launches = malloc(count * sizeof *draft.launches.launches)};
  if (!draft.launches.launches) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  for (; draft.launches.count < count; draft.launches.count++) {
    const ze_result_t result = zecl_launch_create(
        kernels[draft.launches.count], &read_later, &draft.launches.launches[draft.launches.count]);
    if (result != ZE_RESULT_SUCCESS) {
      zecl_command_discard(&draft);
      return result;
    }
  }
  return zecl_append(list, &draft, signal, wait_count, waits);
}
