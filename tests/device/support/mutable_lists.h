/* The embedded device's mutable command lists behind any loader: the program exports the functions
   that newer loaders have, and forwards them to the driver. Their calls are counted, here and
   by the spy, and can be made to fail. Included by one file of a program. */
#ifndef TESTS_DEVICE_MUTABLE_LISTS_H
#define TESTS_DEVICE_MUTABLE_LISTS_H

#include "append_lists.h"
#include "spy_calls.h"

static struct {
  bool are_off;           /* they are unsupported, although the device claims them */
  bool have_no_kernels;   /* updates of kernels are, too */
  ze_result_t failure;    /* of an update, in place of the driver's; 0 for none */
  ze_result_t of_kernels; /* of an update of kernels */
  unsigned commands, updates, kernels;
  syclze__next_command_function next;
  syclze__update_commands_function update;
  syclze__next_of_kernels_function next_of_kernels;
  syclze__update_kernels_function update_kernels;
} mutable_lists;

ze_result_t ZE_APICALL mutable_lists_append(ze_command_list_handle_t list, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) __asm__("zeCommandListImmediateAppendCommandListsExp");
ze_result_t ZE_APICALL mutable_lists_next(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc,
    uint64_t *command) __asm__("zeCommandListGetNextCommandIdExp");
ze_result_t ZE_APICALL mutable_lists_update(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc) __asm__("zeCommandListUpdateMutableCommandsExp");
ze_result_t ZE_APICALL mutable_lists_next_of_kernels(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc, uint32_t count, ze_kernel_handle_t *kernels,
    uint64_t *command) __asm__("zeCommandListGetNextCommandIdWithKernelsExp");
ze_result_t ZE_APICALL mutable_lists_update_kernels(ze_command_list_handle_t list, uint32_t count,
    uint64_t *commands,
    ze_kernel_handle_t *kernels) __asm__("zeCommandListUpdateMutableCommandKernelsExp");

ze_result_t ZE_APICALL mutable_lists_append(ze_command_list_handle_t list, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  return append_lists_counted(list, count, lists, signal, wait_count, waits);
}

ze_result_t ZE_APICALL mutable_lists_next(
    ze_command_list_handle_t list, const struct syclze__mutable_desc *desc, uint64_t *command) {
  if (mutable_lists.are_off) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  const ze_result_t failure = spy_call("zeCommandListGetNextCommandIdExp");
  if (failure != ZE_RESULT_SUCCESS) return failure;
  __atomic_fetch_add(&mutable_lists.commands, 1, __ATOMIC_RELAXED);
  return mutable_lists.next(list, desc, command);
}

ze_result_t ZE_APICALL mutable_lists_update(
    ze_command_list_handle_t list, const struct syclze__mutable_desc *desc) {
  const ze_result_t failure = spy_call("zeCommandListUpdateMutableCommandsExp");
  __atomic_fetch_add(&mutable_lists.updates, 1, __ATOMIC_RELAXED);
  if (failure != ZE_RESULT_SUCCESS) return failure;
  if (mutable_lists.failure != ZE_RESULT_SUCCESS) return mutable_lists.failure;
  return mutable_lists.update(list, desc);
}

ze_result_t ZE_APICALL mutable_lists_next_of_kernels(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc, uint32_t count, ze_kernel_handle_t *kernels,
    uint64_t *command) {
  if (mutable_lists.have_no_kernels) return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
  const ze_result_t failure = spy_call("zeCommandListGetNextCommandIdWithKernelsExp");
  if (failure != ZE_RESULT_SUCCESS) return failure;
  __atomic_fetch_add(&mutable_lists.commands, 1, __ATOMIC_RELAXED);
  return mutable_lists.next_of_kernels(list, desc, count, kernels, command);
}

ze_result_t ZE_APICALL mutable_lists_update_kernels(ze_command_list_handle_t list, uint32_t count,
    uint64_t *commands, ze_kernel_handle_t *kernels) {
  const ze_result_t failure = spy_call("zeCommandListUpdateMutableCommandKernelsExp");
  __atomic_fetch_add(&mutable_lists.kernels, 1, __ATOMIC_RELAXED);
  if (failure != ZE_RESULT_SUCCESS) return failure;
  if (mutable_lists.of_kernels != ZE_RESULT_SUCCESS) return mutable_lists.of_kernels;
  return mutable_lists.update_kernels(list, count, commands, kernels);
}

/* From here on lists are mutable, or not. */
static inline void mutable_lists_use(bool are_mutable) {
  void *const slots[] = {
      append_lists_slot(2), append_lists_slot(3), append_lists_slot(6), append_lists_slot(7)};
  if (!append_lists_find()) SKIP("the driver is not the embedded device");
  memset(&mutable_lists, 0, sizeof mutable_lists);
  memcpy(&mutable_lists.next, &slots[0], sizeof slots[0]);
  memcpy(&mutable_lists.update, &slots[1], sizeof slots[1]);
  memcpy(&mutable_lists.next_of_kernels, &slots[2], sizeof slots[2]);
  memcpy(&mutable_lists.update_kernels, &slots[3], sizeof slots[3]);
  mutable_lists.are_off = !are_mutable;
}

#endif
