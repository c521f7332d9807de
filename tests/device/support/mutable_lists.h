/* The embedded device's mutable command lists behind any loader: the program exports the functions
   that newer loaders have, and forwards them to the driver. Their calls are counted, here and
   by the spy, and can be made to fail. Included by one file of a program. */
#ifndef TESTS_DEVICE_MUTABLE_LISTS_H
#define TESTS_DEVICE_MUTABLE_LISTS_H

#include "append_lists.h"
#include "spy_calls.h"

static struct {
  bool are_off;        /* they are unsupported, although the device claims them */
  ze_result_t failure; /* of an update, in place of the driver's; 0 for none */
  unsigned commands, updates;
  syclze__next_command_function next;
  syclze__update_commands_function update;
} mutable_lists;

ze_result_t ZE_APICALL mutable_lists_append(ze_command_list_handle_t list, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) __asm__("zeCommandListImmediateAppendCommandListsExp");
ze_result_t ZE_APICALL mutable_lists_next(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc,
    uint64_t *command) __asm__("zeCommandListGetNextCommandIdExp");
ze_result_t ZE_APICALL mutable_lists_update(ze_command_list_handle_t list,
    const struct syclze__mutable_desc *desc) __asm__("zeCommandListUpdateMutableCommandsExp");

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
  mutable_lists.commands++;
  return mutable_lists.next(list, desc, command);
}

ze_result_t ZE_APICALL mutable_lists_update(
    ze_command_list_handle_t list, const struct syclze__mutable_desc *desc) {
  const ze_result_t failure = spy_call("zeCommandListUpdateMutableCommandsExp");
  mutable_lists.updates++;
  if (failure != ZE_RESULT_SUCCESS) return failure;
  if (mutable_lists.failure != ZE_RESULT_SUCCESS) return mutable_lists.failure;
  return mutable_lists.update(list, desc);
}

/* From here on lists are mutable, or not. */
static inline void mutable_lists_use(bool are_mutable) {
  void *next = append_lists_slot(2), *update = append_lists_slot(3);
  if (!append_lists_find()) SKIP("the driver is not the embedded device");
  memcpy(&mutable_lists.next, &next, sizeof next);
  memcpy(&mutable_lists.update, &update, sizeof update);
  mutable_lists.are_off = !are_mutable;
  mutable_lists.failure = ZE_RESULT_SUCCESS;
  mutable_lists.commands = mutable_lists.updates = 0;
}

#endif
