/* The append that calls a function of the host. */
#include "commands/list.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"

ze_result_t zecl_zeCommandListAppendHostFunction(ze_command_list_handle_t list,
    void (*function)(void *), void *user, const void *next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendHostFunction);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_POINTER(function);
  ZECL_REQUIRE(!next, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_HOST_FUNCTION;
  draft.host = (struct zecl_host_call){function, user};
  return zecl_append(list, &draft, signal, wait_count, waits);
}
