/* zeCommandListImmediateAppendCommandListsExp of the embedded device, also behind a loader that
   lacks it: with it executable graphs are appended to immediate lists, and executed on a command
   queue of their own without. Its calls are counted, and can be made to fail. */
#ifndef TESTS_DEVICE_APPEND_LISTS_H
#define TESTS_DEVICE_APPEND_LISTS_H

#include "driver_slot.h"
#include "syclze/command/graph.h"

#include <stdatomic.h>

static struct {
  syclze__append_lists_function driver;
  atomic_uint calls;
  _Atomic ze_result_t failure; /* what the calls return in place of the driver's; 0 for none */
} append_lists;

static inline ze_result_t ZE_APICALL append_lists_counted(ze_command_list_handle_t list,
    uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  const ze_result_t failure = atomic_load(&append_lists.failure);
  atomic_fetch_add(&append_lists.calls, 1);
  if (failure != ZE_RESULT_SUCCESS) return failure;
  return append_lists.driver(list, count, lists, signal, wait_count, waits);
}

static inline void *append_lists_slot(unsigned slot) {
  return driver_slot("zeGetCommandListExpProcAddrTable", slot);
}

/* False on other drivers. */
static inline bool append_lists_find(void) {
  void *function = append_lists_slot(1);
  memcpy(&append_lists.driver, &function, sizeof append_lists.driver);
  return function != NULL;
}

/* From here on the graph is appended, or not. */
static inline void append_lists_use(syclze_executable_graph executable, bool appends) {
  executable.rep->append = appends ? append_lists_counted : NULL;
}

#endif
