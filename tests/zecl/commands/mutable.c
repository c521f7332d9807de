/* Mutable command lists: launches that are updated between runs. A list that was updated must be
 * closed again before it runs. */
#include "commands/list.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/event_counted.h"

#include <stdlib.h>
#include <string.h>

void zecl_mutable_free(struct zecl_mutable *updates) {
  if (!updates) return;
  free(updates->command);
  free(updates);
}

void zecl_mutable_clear(struct zecl_mutable *updates) {
  updates->next = 0;
  updates->is_awaited = false;
}

void zecl_mutable_note(struct zecl_mutable *updates, struct zecl_command *command) {
  if (!updates->is_awaited) return;
  updates->is_awaited = false;
  if (command->kind == ZECL_COMMAND_LAUNCH) updates->command[updates->next - 1] = command;
}

static ze_result_t check(ze_command_list_handle_t handle) {
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_REQUIRE(zecl_list_of(handle)->updates, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

static ze_result_t next_id(
    ze_command_list_handle_t handle, const ze_mutable_command_id_exp_desc_t *desc, uint64_t *id) {
  ZECL_TRY(check(handle));
  ZECL_CHECK_POINTER(desc);
  ZECL_CHECK_POINTER(id);
  ZECL_REQUIRE(desc->flags <= ZECL_MUTABLE_KNOWN, ZE_RESULT_ERROR_INVALID_ENUMERATION);
  ZECL_REQUIRE(
      (desc->flags & ~(uint32_t)ZECL_MUTABLE_LAUNCH) == 0, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  const struct zecl_list *list = zecl_list_of(handle);
  ZECL_REQUIRE(!list->closed, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_mutable *updates = list->updates;
  if (updates->next == updates->room) {
    const size_t room = updates->room ? 2 * updates->room : 8;
    struct zecl_command **command = realloc(updates->command, room * sizeof(*command));
    if (!command) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    updates->command = command;
    updates->room = room;
  }
  updates->command[updates->next] = NULL;
  updates->is_awaited = true;
  *id = ++updates->next;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListGetNextCommandIdExp(
    ze_command_list_handle_t handle, const ze_mutable_command_id_exp_desc_t *desc, uint64_t *id) {
  ZECL_ENTER(zeCommandListGetNextCommandIdExp);
  return next_id(handle, desc, id);
}

/* Any kernel may be set later, so that those that are named are only checked. */
ze_result_t zecl_zeCommandListGetNextCommandIdWithKernelsExp(ze_command_list_handle_t handle,
    const ze_mutable_command_id_exp_desc_t *desc, uint32_t count, ze_kernel_handle_t *kernels,
    uint64_t *id) {
  ZECL_ENTER(zeCommandListGetNextCommandIdWithKernelsExp);
  ZECL_REQUIRE(count == 0 || kernels, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  for (uint32_t i = 0; i < count; i++)
    ZECL_CHECK_HANDLE(kernels[i], ZECL_KERNEL);
  return next_id(handle, desc, id);
}

static struct zecl_command *command_of(const struct zecl_mutable *updates, uint64_t id) {
  return id != 0 && id <= updates->next ? updates->command[id - 1] : NULL;
}

/* All descriptors of a command begin like this one. */
static struct zecl_launch *launch_of(
    const struct zecl_mutable *updates, const ze_mutable_kernel_argument_exp_desc_t *desc) {
  const struct zecl_command *command = command_of(updates, desc->commandId);
  return command ? command->launch.launch : NULL;
}

static ze_result_t update(const struct zecl_mutable *updates,
    const ze_mutable_kernel_argument_exp_desc_t *argument, bool applies) {
  const ze_mutable_group_count_exp_desc_t *count = (const void *)argument;
  const ze_mutable_group_size_exp_desc_t *size = (const void *)argument;
  const ze_mutable_global_offset_exp_desc_t *offset = (const void *)argument;
  struct zecl_launch *launch = launch_of(updates, argument);
  ZECL_REQUIRE(launch, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  switch ((int)argument->stype) {
  case ZECL_STYPE_MUTABLE_ARGUMENT:
    return zecl_launch_set_argument(
        launch, argument->argIndex, argument->argSize, argument->pArgValue, applies);
  case ZECL_STYPE_MUTABLE_GROUP_COUNT:
    ZECL_CHECK_POINTER(count->pGroupCount);
    return zecl_launch_set_groups(launch, count->pGroupCount, applies);
  case ZECL_STYPE_MUTABLE_GROUP_SIZE:
    return zecl_launch_set_group_size(
        launch, (uint32_t[]){size->groupSizeX, size->groupSizeY, size->groupSizeZ}, applies);
  case ZECL_STYPE_MUTABLE_OFFSET:
    return zecl_launch_set_offset(
        launch, (uint32_t[]){offset->offsetX, offset->offsetY, offset->offsetZ}, applies);
  default:
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
}

static ze_result_t update_all(
    const struct zecl_mutable *updates, const ze_base_desc_t *first, bool applies) {
  for (const ze_base_desc_t *next = first; next; next = next->pNext)
    ZECL_TRY(update(updates, (const void *)next, applies));
  return ZE_RESULT_SUCCESS;
}

/* A chain of which one is refused changes nothing. */
ze_result_t zecl_zeCommandListUpdateMutableCommandsExp(
    ze_command_list_handle_t handle, const ze_mutable_commands_exp_desc_t *desc) {
  ZECL_ENTER(zeCommandListUpdateMutableCommandsExp);
  ZECL_TRY(check(handle));
  ZECL_CHECK_POINTER(desc);
  struct zecl_list *list = zecl_list_of(handle);
  ZECL_TRY(update_all(list->updates, desc->pNext, false));
  list->closed = false;
  return update_all(list->updates, desc->pNext, true);
}

/* A command that signals a counter-based event has a reset of that append's event before it. The
 * event that takes its place must be counter-based too, and gets an append of its own. */
static ze_result_t set_counted_signal(
    struct zecl_list *list, struct zecl_command *command, struct zecl_event *event) {
  struct zecl_command *reset = list->tape->first;
  while (reset != command && (reset->kind != ZECL_COMMAND_RESET || reset->reset != command->signal))
    reset = zecl_command_next(reset);
  ZECL_REQUIRE(reset != command, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_event *next = zecl_event_next(event);
  if (!next) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  next->is_of_tape = true;
  zecl_event_release(reset->reset);
  zecl_object_retain(next);
  reset->reset = next;
  zecl_command_set_signal(command, next);
  zecl_event_advance(event, next);
  return ZE_RESULT_SUCCESS;
}

/* A launch has as many events as when it was appended. */
ze_result_t zecl_zeCommandListUpdateMutableCommandSignalEventExp(
    ze_command_list_handle_t handle, uint64_t id, ze_event_handle_t signal) {
  ZECL_ENTER(zeCommandListUpdateMutableCommandSignalEventExp);
  ZECL_TRY(check(handle));
  ZECL_CHECK_HANDLE(signal, ZECL_EVENT);
  struct zecl_list *list = zecl_list_of(handle);
  struct zecl_command *command = command_of(list->updates, id);
  ZECL_REQUIRE(command && command->signal, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_TRY(zecl_list_check_events(list, signal, 0, NULL));
  if (zecl_event_of(signal)->is_counted)
    ZECL_TRY(set_counted_signal(list, command, zecl_event_of(signal)));
  else
    zecl_command_set_signal(command, zecl_event_of(signal));
  list->closed = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListUpdateMutableCommandWaitEventsExp(
    ze_command_list_handle_t handle, uint64_t id, uint32_t count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListUpdateMutableCommandWaitEventsExp);
  ZECL_TRY(check(handle));
  struct zecl_list *list = zecl_list_of(handle);
  struct zecl_command *command = command_of(list->updates, id);
  ZECL_REQUIRE(command && command->wait_count == count, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  ZECL_REQUIRE(count == 0 || waits, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  ZECL_TRY(zecl_list_check_events(list, NULL, count, waits));
  for (uint32_t i = 0; i < count; i++) {
    struct zecl_event *wait = zecl_event_seen_or_set(zecl_event_of(waits[i]));
    if (!wait) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    list->closed = false;
    zecl_command_set_wait(command, i, wait);
    zecl_event_release(wait);
  }
  list->closed = false;
  return ZE_RESULT_SUCCESS;
}

/* The arguments of the new kernel are those that it has now; what it lacks is updated before the
 * list runs. */
ze_result_t zecl_zeCommandListUpdateMutableCommandKernelsExp(
    ze_command_list_handle_t handle, uint32_t count, uint64_t *ids, ze_kernel_handle_t *kernels) {
  ZECL_ENTER(zeCommandListUpdateMutableCommandKernelsExp);
  ZECL_TRY(check(handle));
  ZECL_CHECK_POINTER(ids);
  ZECL_CHECK_POINTER(kernels);
  struct zecl_list *list = zecl_list_of(handle);
  for (uint32_t i = 0; i < count; i++) {
    ZECL_CHECK_HANDLE(kernels[i], ZECL_KERNEL);
    const struct zecl_command *command = command_of(list->updates, ids[i]);
    ZECL_REQUIRE(command, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    ZECL_REQUIRE(
        zecl_launch_takes(command->launch.launch, kernels[i]), ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  }
  for (uint32_t i = 0; i < count; i++) {
    ZECL_TRY(zecl_launch_replace(&command_of(list->updates, ids[i])->launch.launch, kernels[i]));
    list->closed = false;
  }
  list->closed = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListIsMutableExp(ze_command_list_handle_t handle, ze_bool_t *is_mutable) {
  ZECL_ENTER(zeCommandListIsMutableExp);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_CHECK_POINTER(is_mutable);
  *is_mutable = zecl_list_of(handle)->updates != NULL;
  return ZE_RESULT_SUCCESS;
}
