/* The embedded device's graphs (ZE_extension_record_replay_graph) behind any loader: the program
   exports the functions that newer loaders have, and forwards them to the driver. What they make
   and destroy is counted, and each can be made to fail. Included by one file of a program, after
   support/mutable_lists.h. */
#ifndef TESTS_DEVICE_CAPTURED_H
#define TESTS_DEVICE_CAPTURED_H

#include "append_lists.h"

#include "syclze/command/graph_capture.h"

static struct {
  struct syclze__capture_calls driver;
  unsigned calls;      /* of all functions */
  unsigned fails_at;   /* the call that fails; 0 for none */
  unsigned appends;    /* of graphs that the driver captured */
  int graphs, objects; /* that live: graphs, and executable ones too */
} captured;

/* The result of the next call before the driver is called. */
static inline ze_result_t captured_enter(void) {
  return ++captured.calls == captured.fails_at ? ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET
                                               : ZE_RESULT_SUCCESS;
}

#define CAPTURED(name, parameters)                                                                 \
  ze_result_t ZE_APICALL captured_##name parameters __asm__(#name);                                \
  ze_result_t ZE_APICALL captured_##name parameters

CAPTURED(zeGraphCreateExt,
    (ze_context_handle_t context, const void *next, struct syclze__driver_graph **graph)) {
  ze_result_t result = captured_enter();
  if (result == ZE_RESULT_SUCCESS) result = captured.driver.create(context, next, graph);
  if (result == ZE_RESULT_SUCCESS) captured.graphs++, captured.objects++;
  return result;
}

CAPTURED(zeCommandListBeginCaptureIntoGraphExt,
    (ze_command_list_handle_t list, struct syclze__driver_graph *graph, const void *next)) {
  const ze_result_t result = captured_enter();
  return result == ZE_RESULT_SUCCESS ? captured.driver.begin(list, graph, next) : result;
}

CAPTURED(zeCommandListEndGraphCaptureExt,
    (ze_command_list_handle_t list, const void *next, struct syclze__driver_graph **graph)) {
  const ze_result_t result = captured_enter();
  const ze_result_t ended = captured.driver.end(list, next, graph); /* in any case */
  return result == ZE_RESULT_SUCCESS ? ended : result;
}

CAPTURED(zeGraphInstantiateExt, (struct syclze__driver_graph * graph, const void *next,
                                    struct syclze__driver_executable **executable)) {
  ze_result_t result = captured_enter();
  if (result == ZE_RESULT_SUCCESS) result = captured.driver.instantiate(graph, next, executable);
  if (result == ZE_RESULT_SUCCESS) captured.objects++;
  return result;
}

CAPTURED(zeCommandListAppendGraphExt,
    (ze_command_list_handle_t list, struct syclze__driver_executable *executable, const void *next,
        ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits)) {
  const ze_result_t result = captured_enter();
  if (result != ZE_RESULT_SUCCESS) return result;
  captured.appends++;
  return captured.driver.append(list, executable, next, signal, wait_count, waits);
}

CAPTURED(zeExecutableGraphDestroyExt, (struct syclze__driver_executable * executable)) {
  const ze_result_t result = captured.driver.destroy_executable(executable);
  if (result == ZE_RESULT_SUCCESS) __atomic_fetch_sub(&captured.objects, 1, __ATOMIC_RELAXED);
  return result;
}

CAPTURED(zeGraphDestroyExt, (struct syclze__driver_graph * graph)) {
  const ze_result_t result = captured.driver.destroy(graph);
  if (result == ZE_RESULT_SUCCESS) __atomic_fetch_sub(&captured.objects, 1, __ATOMIC_RELAXED);
  return result;
}

/* Other drivers skip what follows. A device has been used before. */
static inline void captured_begin(void) {
  void *found[7];
  found[0] = driver_slot("zeGetGraphProcAddrTable", 0);
  found[1] = driver_slot("zeGetCommandListProcAddrTable", 46);
  found[2] = driver_slot("zeGetCommandListProcAddrTable", 48);
  found[3] = driver_slot("zeGetGraphProcAddrTable", 3);
  found[4] = driver_slot("zeGetCommandListProcAddrTable", 50);
  found[5] = driver_slot("zeGetExecutableGraphProcAddrTable", 1);
  found[6] = driver_slot("zeGetGraphProcAddrTable", 6);
  memset(&captured, 0, sizeof captured);
  memcpy(&captured.driver, found, sizeof found);
  for (unsigned i = 0; i < 7; i++)
    if (!found[i]) SKIP("the driver is not the embedded device");
}

#endif
