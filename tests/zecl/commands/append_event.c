/* The appends that order commands, and those that read the clock. */
#include "commands/list.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/event_counted.h"

#include <stdlib.h>
#include <string.h>

static ze_result_t append_nothing(ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits) {
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_NOTHING;
  return zecl_append(list, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendBarrier);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  return append_nothing(list, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendMemoryRangesBarrier(ze_command_list_handle_t list,
    uint32_t count, const size_t *sizes, const void **ranges, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryRangesBarrier);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_POINTER(sizes);
  ZECL_CHECK_POINTER(ranges);
  for (uint32_t i = 0; i < count; i++)
    ZECL_CHECK_POINTER(ranges[i]);
  return append_nothing(list, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendSignalEvent(
    ze_command_list_handle_t list, ze_event_handle_t event) {
  ZECL_ENTER(zeCommandListAppendSignalEvent);
  ZECL_TRY(zecl_append_check(list, event, 0, NULL));
  ZECL_CHECK_HANDLE(event, ZECL_EVENT);
  return append_nothing(list, event, 0, NULL);
}

ze_result_t zecl_zeCommandListAppendWaitOnEvents(
    ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events) {
  ZECL_ENTER(zeCommandListAppendWaitOnEvents);
  ZECL_CHECK_HANDLE(list, ZECL_LIST);
  ZECL_CHECK_POINTER(events);
  ZECL_TRY(zecl_append_check(list, NULL, count, events));
  return append_nothing(list, NULL, count, events);
}

ze_result_t zecl_zeCommandListAppendEventReset(
    ze_command_list_handle_t list, ze_event_handle_t event) {
  ZECL_ENTER(zeCommandListAppendEventReset);
  ZECL_TRY(zecl_append_check(list, NULL, 0, NULL));
  ZECL_CHECK_HANDLE(event, ZECL_EVENT);
  ZECL_REQUIRE(!zecl_event_of(event)->is_counted, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_retain(event);
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_RESET;
  draft.reset = zecl_event_of(event);
  return zecl_append(list, &draft, NULL, 0, NULL);
}

ze_result_t zecl_zeCommandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list,
    uint64_t *to, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendWriteGlobalTimestamp);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_POINTER(to);
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_WRITE_TIMESTAMP;
  draft.timestamp = to;
  return zecl_append(list, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t list,
    uint32_t count, ze_event_handle_t *events, void *to, const size_t *offsets,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendQueryKernelTimestamps);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_POINTER(events);
  ZECL_CHECK_POINTER(to);
  for (uint32_t i = 0; i < count; i++) {
    ZECL_CHECK_HANDLE(events[i], ZECL_EVENT);
    const struct zecl_event *event = zecl_event_of(events[i]);
    ZECL_REQUIRE(event->has_timestamps && (!event->is_counted || event->latest),
        ZE_RESULT_ERROR_INVALID_ARGUMENT);
  }
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_QUERY_TIMESTAMPS;
  draft.query = (struct zecl_timestamp_query){.to = to,
      .count = count,
      .events = malloc((count + 1) * sizeof *draft.query.events),
      .offsets = offsets ? malloc((count + 1) * sizeof *offsets) : NULL};
  if (!draft.query.events || (offsets && !draft.query.offsets)) {
    free(draft.query.events);
    free(draft.query.offsets);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  for (uint32_t i = 0; i < count; i++)
    draft.query.events[i] = zecl_event_seen(zecl_event_of(events[i]));
  if (offsets) memcpy(draft.query.offsets, offsets, count * sizeof *offsets);
  return zecl_append(list, &draft, signal, wait_count, waits);
}
