/* zeCommandListImmediateAppendCommandListsExp of the embedded device, also behind a loader that
   lacks it: with it executable graphs are appended to immediate lists, and executed on a command
   queue of their own without. Its calls are counted, and can be made to fail. */
#ifndef TESTS_DEVICE_APPEND_LISTS_H
#define TESTS_DEVICE_APPEND_LISTS_H

#include "syclze/command/graph.h"

#include <dlfcn.h>
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

/* A function of the embedded device by its place in one of the driver's tables; null on other
   drivers. */
static inline void *driver_slot(const char *table_of, unsigned slot) {
  enum { VERSION = 17, SLOTS = 64 };
  const char *driver = getenv("ZE_ENABLE_ALT_DRIVERS");
  void *library = driver ? dlopen(driver, RTLD_NOW | RTLD_NOLOAD) : NULL;
  void *address = library ? dlsym(library, table_of) : NULL;
  void *table[SLOTS] = {NULL};
  ze_result_t (*fill)(ze_api_version_t version, void *table);
  if (!address) return NULL;
  memcpy(&fill, &address, sizeof fill);
  const ze_result_t filled = fill((ze_api_version_t)ZE_MAKE_VERSION(1, VERSION), table);
  dlclose(library);
  return filled == ZE_RESULT_SUCCESS ? table[slot] : NULL;
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
