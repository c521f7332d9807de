/* Regular lists appended to an immediate one, which runs them as a queue would. */
#include "commands/graph.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"

static ze_result_t append_nothing(ze_command_list_handle_t to, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits) {
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_NOTHING;
  return zecl_append(to, &draft, signal, wait_count, waits);
}

/* The first list waits, and the last one signals. */
static ze_result_t append_lists(ze_command_list_handle_t to, uint32_t count,
    ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    const ze_event_handle_t *waits) {
  ZECL_TRY(zecl_append_check(to, signal, wait_count, waits));
  const struct zecl_list *list = zecl_list_of(to);
  ZECL_REQUIRE(list->immediate, ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE);
  ZECL_REQUIRE(!list->graph, (ze_result_t)ZECL_CAPTURE_UNSUPPORTED);
  ZECL_REQUIRE(lists || count == 0, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  for (uint32_t i = 0; i < count; i++)
    ZECL_TRY(zecl_list_check_executable(lists[i], list->device, list->ordinal));
  if (count == 0) return append_nothing(to, signal, wait_count, waits);
  for (uint32_t i = 0; i < count; i++) {
    struct zecl_command draft;
    draft.kind = ZECL_COMMAND_EXECUTE;
    draft.execute.tape = zecl_list_of(lists[i])->tape;
    draft.execute.fence = NULL;
    zecl_tape_retain(draft.execute.tape);
    ZECL_TRY(zecl_append(to, &draft, i + 1 == count ? signal : NULL, i == 0 ? wait_count : 0,
        i == 0 ? waits : NULL));
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListImmediateAppendCommandListsExp(ze_command_list_handle_t to,
    uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListImmediateAppendCommandListsExp);
  return append_lists(to, count, lists, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListImmediateAppendCommandListsWithParameters(ze_command_list_handle_t to,
    uint32_t count, ze_command_list_handle_t *lists, const void *next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListImmediateAppendCommandListsWithParameters);
  (void)next;
  return append_lists(to, count, lists, signal, wait_count, waits);
}
