/* Bodies of graph_capture.h.
 *
 * An executable graph without host tasks is captured from an immediate list that is created like
 * those of in-order queues. The driver appends its graph only to lists of this kind; other lists,
 * and command queues, execute the closed list.
 *
 * The declarations of the headers are repeated here, so that the extension is found on any loader.
 */
#include "../../graph_capture.h"

#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_CAPTURE_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_CAPTURE_H

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__CAPTURE_PROPERTIES = 0x00020047, /* structure type */
  SYCLZE__CAPTURE_IMMUTABLE = 1            /* captured graphs do not change */
};

/* The layout of ze_record_replay_graph_ext_properties_t. */
struct syclze__capture_properties {
  ze_structure_type_t stype;
  void *next;
  uint32_t flags;
};

struct syclze__driver_graph;
struct syclze__driver_executable;

struct syclze__capture_calls {
  ze_result_t(ZE_APICALL *create)(
      ze_context_handle_t context, const void *next, struct syclze__driver_graph **graph);
  ze_result_t(ZE_APICALL *begin)(
      ze_command_list_handle_t list, struct syclze__driver_graph *graph, const void *next);
  ze_result_t(ZE_APICALL *end)(
      ze_command_list_handle_t list, const void *next, struct syclze__driver_graph **graph);
  ze_result_t(ZE_APICALL *instantiate)(struct syclze__driver_graph *graph, const void *next,
      struct syclze__driver_executable **executable);
  ze_result_t(ZE_APICALL *append)(ze_command_list_handle_t list,
      struct syclze__driver_executable *executable, const void *next, ze_event_handle_t signal,
      uint32_t wait_count, ze_event_handle_t *waits);
  ze_result_t(ZE_APICALL *destroy_executable)(struct syclze__driver_executable *executable);
  ze_result_t(ZE_APICALL *destroy)(struct syclze__driver_graph *graph);
};

struct syclze__driver_capture {
  struct syclze__capture capture; /* first */
  struct syclze__capture_calls calls;
  syclze__append_lists_function append_lists; /* of the closed list */
  ze_command_list_handle_t suited;            /* to which the last call of `choose` led; or null */
  ze_command_list_handle_t list;              /* that is captured; null before and afterwards */
  uint32_t ordinal;                           /* of its queue group */
  struct syclze__driver_graph *graph;
  struct syclze__driver_executable *executable;
};

#if SYCLZE__BODIES

#if SYCLZE_HAS_DLSYM
/* False where the loader lacks one of the calls. */
SYCLZE_LOCAL bool syclze__capture_find(struct syclze__capture_calls *calls) {
  void *found[7];
  found[0] = syclze__loader_symbol("zeGraphCreateExt");
  found[1] = syclze__loader_symbol("zeCommandListBeginCaptureIntoGraphExt");
  found[2] = syclze__loader_symbol("zeCommandListEndGraphCaptureExt");
  found[3] = syclze__loader_symbol("zeGraphInstantiateExt");
  found[4] = syclze__loader_symbol("zeCommandListAppendGraphExt");
  found[5] = syclze__loader_symbol("zeExecutableGraphDestroyExt");
  found[6] = syclze__loader_symbol("zeGraphDestroyExt");
  memcpy(calls, found, sizeof found);
  for (uint32_t i = 0; i < 7; i++)
    if (found[i] == NULL) return false;
  return true;
}
#endif

/* True if the loader and the device support such graphs. */
SYCLZE_LOCAL bool syclze__capture_is_there(
    const struct syclze__device *device, struct syclze__capture_calls *calls) {
#if SYCLZE_HAS_DLSYM
  if (!syclze__capture_find(calls)) return false;
  SYCLZE__ZEROED(struct syclze__capture_properties, graphs);
  graphs.stype = (ze_structure_type_t)SYCLZE__CAPTURE_PROPERTIES;
  SYCLZE__ZE_STRUCT(ze_device_properties_t, properties, DEVICE_PROPERTIES);
  properties.pNext = &graphs;
  return SYCLZE__ZE(zeDeviceGetProperties)(device->native, &properties) == ZE_RESULT_SUCCESS &&
         (graphs.flags & SYCLZE__CAPTURE_IMMUTABLE) != 0;
#else
  (void)device;
  memset(calls, 0, sizeof *calls);
  return false;
#endif
}

SYCLZE_LOCAL ze_result_t syclze__capture_end(struct syclze__capture *ended) {
  struct syclze__driver_capture *capture = (struct syclze__driver_capture *)(void *)ended;
  ze_result_t result = ZE_RESULT_SUCCESS, destroyed = result;
  if (capture->list != NULL) result = SYCLZE__ZE(zeCommandListDestroy)(capture->list);
  if (capture->executable != NULL) {
    destroyed = capture->calls.destroy_executable(capture->executable);
    result = syclze__first_error(result, destroyed);
  }
  /* An executable driver's graph that remains refers to the other one. */
  if (capture->graph != NULL && destroyed == ZE_RESULT_SUCCESS)
    result = syclze__first_error(result, capture->calls.destroy(capture->graph));
  free(capture);
  return result;
}

/* The list that is captured, as syclze_queue_create makes those of in-order queues. */
SYCLZE_LOCAL ze_result_t syclze__capture_list(
    struct syclze__driver_capture *capture, struct syclze__queue *queue) {
  SYCLZE__ZE_STRUCT(ze_command_queue_desc_t, desc, COMMAND_QUEUE_DESC);
  desc.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  desc.flags = 1u << 1; /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER */
  ze_result_t result = syclze__compute_ordinal(queue->device, &desc.ordinal);
  capture->ordinal = desc.ordinal;
  if (result == ZE_RESULT_SUCCESS)
    result = SYCLZE__ZE(zeCommandListCreateImmediate)(
        queue->context->native, queue->device->native, &desc, &capture->list);
  queue->native.kind = SYCLZE_NATIVE_QUEUE_LIST;
  queue->native.list = capture->list;
  return result;
}

/* Captures all steps, and makes the result executable. */
SYCLZE_LOCAL ze_result_t syclze__capture_fill(
    struct syclze__driver_capture *capture, struct syclze__executable *executable) {
  struct syclze__queue queue;
  struct syclze__filling filling;
  struct syclze__driver_graph *graph;
  syclze__filling_begin(&filling, executable, &queue);
  ze_result_t result = capture->calls.create(queue.context->native, NULL, &capture->graph);
  if (result == ZE_RESULT_SUCCESS) result = syclze__capture_list(capture, &queue);
  if (result == ZE_RESULT_SUCCESS)
    result = capture->calls.begin(capture->list, capture->graph, NULL);
  if (result != ZE_RESULT_SUCCESS) return result;
  filling.at.list = capture->list;
  result = syclze__executable_fill_steps(&filling, true);
  const ze_result_t ended = capture->calls.end(capture->list, NULL, &graph);
  if (result == ZE_RESULT_SUCCESS) result = ended;
  if (result != ZE_RESULT_SUCCESS) return result;
  result = SYCLZE__ZE(zeCommandListDestroy)(capture->list);
  capture->list = NULL;
  if (result != ZE_RESULT_SUCCESS) return result;
  return capture->calls.instantiate(capture->graph, NULL, &capture->executable);
}

/* A capture would call a native command's function a second time, after the closed list. */
SYCLZE_LOCAL bool syclze__executable_calls(const struct syclze__executable *executable) {
  for (uint32_t i = 0; i < executable->step_count; i++)
    if (executable->steps[i].node->kind == SYCLZE__SUBMISSION_NATIVE) return true;
  return false;
}

/* Appends the driver's graph to a list that suits it, and the closed list to others. Each change of
 * the queue that owns the graph sets `suited`. */
SYCLZE_LOCAL_WARM ze_result_t ZE_APICALL syclze__capture_append(ze_command_list_handle_t list,
    uint32_t count, ze_command_list_handle_t *lists, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  const struct syclze__executable *executable =
      (const struct syclze__executable *)(void *)((char *)lists -
                                                  offsetof(struct syclze__executable, list));
  const struct syclze__driver_capture *capture =
      (const struct syclze__driver_capture *)(const void *)executable->capture;
  if (SYCLZE__UNLIKELY(list != __atomic_load_n(&capture->suited, __ATOMIC_RELAXED)))
    return capture->append_lists(list, count, lists, signal, wait_count, waits);
  return capture->calls.append(list, capture->executable, NULL, signal, wait_count, waits);
}

/* True for a queue whose list is like the one that was captured. */
SYCLZE_LOCAL bool syclze__capture_suits(
    const struct syclze__driver_capture *capture, const struct syclze__queue *queue) {
  const syclze_property_list *properties = &queue->properties;
  const uint32_t others = SYCLZE_QUEUE_PROPERTY_PRIORITY_LOW | SYCLZE_QUEUE_PROPERTY_PRIORITY_HIGH |
                          SYCLZE_QUEUE_PROPERTY_COMPUTE_INDEX | SYCLZE_QUEUE_PROPERTY_SYNCHRONOUS;
  if (queue->native.kind != SYCLZE_NATIVE_QUEUE_LIST || queue->driver_in_order == 0 ||
      (properties->flags & others) != 0)
    return false;
  return (properties->flags & SYCLZE_QUEUE_PROPERTY_ORDINAL) == 0 ||
         properties->ordinal == capture->ordinal;
}

SYCLZE_LOCAL void syclze__capture_choose(
    struct syclze__capture *chosen, const struct syclze__queue *queue) {
  struct syclze__driver_capture *capture = (struct syclze__driver_capture *)(void *)chosen;
  const bool suits = queue != NULL && syclze__capture_suits(capture, queue);
  __atomic_store_n(&capture->suited, suits ? queue->native.list : NULL, __ATOMIC_RELAXED);
}

/* Captures a graph without host tasks, if the driver supports that. */
SYCLZE_LOCAL struct syclze__status syclze__capture_create(struct syclze__executable *executable) {
  struct syclze__capture_calls calls;
  if (executable->append == NULL || syclze__executable_calls(executable) ||
      !syclze__capture_is_there(executable->device, &calls))
    return syclze__allowed();
  struct syclze__driver_capture *capture =
      (struct syclze__driver_capture *)calloc(1, sizeof *capture);
  if (capture == NULL) return syclze__out_of_memory();
  capture->capture.choose = syclze__capture_choose;
  capture->capture.end = syclze__capture_end;
  capture->calls = calls;
  executable->capture = &capture->capture;
  const ze_result_t result = syclze__capture_fill(capture, executable);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the driver could not capture the graph");
  capture->append_lists = executable->append;
  executable->append = syclze__capture_append;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_graph_finalize_captured(
    syclze_graph graph, uint32_t flags, syclze_executable_graph *executable) {
  const char *const function = "syclze_graph_finalize_captured";
  const ze_result_t result =
      syclze__graph_finalize_for(function, SYCLZE_GRAPH_PROFILING, graph, flags, executable);
  if (result != ZE_RESULT_SUCCESS) return result;
  const struct syclze__status status = syclze__capture_create(executable->rep);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  syclze_executable_graph_release(*executable);
  executable->rep = NULL;
  return syclze__graph_result(graph, status, function);
}

#endif

SYCLZE_EXTERN_C_END

#endif
