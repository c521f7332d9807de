/* The appends that signal semaphores of other interfaces, or wait for them. */
#include "commands/list.h"
#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"
#include "events/semaphore.h"

#include <stdlib.h>

_Static_assert(offsetof(ze_external_semaphore_signal_params_ext_t, value) ==
                       offsetof(ze_external_semaphore_wait_params_ext_t, value) &&
                   sizeof(ze_external_semaphore_signal_params_ext_t) ==
                       sizeof(ze_external_semaphore_wait_params_ext_t),
    "the parameters of both are alike");

static ze_result_t append(ze_command_list_handle_t list, bool signals, uint32_t count,
    const ze_external_semaphore_ext_handle_t *semaphores,
    const ze_external_semaphore_wait_params_ext_t *params, ze_event_handle_t signal,
    uint32_t wait_count, const ze_event_handle_t *waits) {
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_REQUIRE(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  ZECL_CHECK_POINTER(semaphores);
  ZECL_CHECK_POINTER(params);
  for (uint32_t i = 0; i < count; i++)
    ZECL_CHECK_HANDLE(semaphores[i], ZECL_SEMAPHORE);
  struct zecl_semaphore_uses *uses = malloc(sizeof *uses + count * sizeof *uses->uses);
  if (!uses) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  uses->count = count;
  uses->signals = signals;
  for (uint32_t i = 0; i < count; i++) {
    zecl_object_retain(semaphores[i]);
    uses->uses[i] = (struct zecl_semaphore_use){
        (struct zecl_semaphore *)(void *)semaphores[i], params[i].value};
  }
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_SEMAPHORES;
  draft.semaphores = uses;
  return zecl_append(list, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendSignalExternalSemaphoreExt(ze_command_list_handle_t list,
    uint32_t count, ze_external_semaphore_ext_handle_t *semaphores,
    ze_external_semaphore_signal_params_ext_t *params, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendSignalExternalSemaphoreExt);
  return append(list, true, count, semaphores,
      (const ze_external_semaphore_wait_params_ext_t *)(const void *)params, signal, wait_count,
      waits);
}

ze_result_t zecl_zeCommandListAppendWaitExternalSemaphoreExt(ze_command_list_handle_t list,
    uint32_t count, ze_external_semaphore_ext_handle_t *semaphores,
    ze_external_semaphore_wait_params_ext_t *params, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendWaitExternalSemaphoreExt);
  return append(list, false, count, semaphores, params, signal, wait_count, waits);
}
