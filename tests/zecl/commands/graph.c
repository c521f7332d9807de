#include "commands/capture.h"

#include "core/check.h"
#include "core/entries.h"
#include "core/fail.h"

#include <stdlib.h>

static struct zecl_graph *graph_of(ze_graph_handle_t handle) {
  return (struct zecl_graph *)(void *)handle;
}

static struct zecl_executable_graph *executable_of(ze_executable_graph_handle_t handle) {
  return (struct zecl_executable_graph *)(void *)handle;
}

static void finish_graph(void *object) {
  struct zecl_graph *graph = object;
  while (graph->callbacks) {
    struct zecl_graph_callback *callback = graph->callbacks;
    graph->callbacks = callback->next;
    callback->call(callback->data);
    free(callback);
  }
  zecl_tape_release(graph->tape);
  zecl_context_release(graph->context);
}

void zecl_graph_release(struct zecl_graph *graph) {
  zecl_object_release(graph, sizeof *graph, finish_graph);
}

void zecl_graph_discard(struct zecl_graph *graph) {
  if (graph->is_of_its_capture && zecl_object_kill(graph, ZECL_GRAPH)) zecl_graph_release(graph);
  zecl_graph_release(graph);
}

static void finish_executable(void *object) {
  zecl_graph_release(((struct zecl_executable_graph *)object)->graph);
}

static ze_result_t create(struct zecl_context *context, struct zecl_graph **created) {
  struct zecl_tape *tape = zecl_tape_create();
  struct zecl_graph *graph = tape ? zecl_object_create(ZECL_GRAPH, sizeof *graph) : NULL;
  if (!graph) {
    if (tape) zecl_tape_release(tape);
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  zecl_object_retain(context);
  graph->context = context;
  graph->tape = tape;
  *created = graph;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeGraphCreateExt(
    ze_context_handle_t context, const void *next, ze_graph_handle_t *handle) {
  ZECL_ENTER(zeGraphCreateExt);
  ZECL_CHECK_HANDLE(context, ZECL_CONTEXT);
  ZECL_CHECK_POINTER(handle);
  struct zecl_graph *graph;
  (void)next;
  ZECL_TRY(create(zecl_context_of(context), &graph));
  *handle = (ze_graph_handle_t)(void *)graph;
  return ZE_RESULT_SUCCESS;
}

/* SUCCESS for a list that may be captured. */
static ze_result_t check_list(ze_command_list_handle_t handle) {
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  const struct zecl_list *list = zecl_list_of(handle);
  ZECL_REQUIRE(list->immediate && list->mode != ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS && !list->graph,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  return ZE_RESULT_SUCCESS;
}

/* The list takes over a reference to the graph. */
static void begin(ze_command_list_handle_t handle, struct zecl_graph *graph) {
  struct zecl_list *list = zecl_list_of(handle);
  graph->primary = handle;
  graph->device = list->device;
  graph->ordinal = list->ordinal;
  graph->flags = list->flags;
  graph->mode = list->mode;
  graph->tape->is_unordered = !(list->flags & ZECL_QUEUE_IN_ORDER);
  zecl_capture_begin(list, graph);
}

ze_result_t zecl_zeCommandListBeginGraphCaptureExt(
    ze_command_list_handle_t handle, const void *next) {
  ZECL_ENTER(zeCommandListBeginGraphCaptureExt);
  struct zecl_graph *graph;
  (void)next;
  ZECL_TRY(check_list(handle));
  ZECL_TRY(create(zecl_list_of(handle)->context, &graph));
  zecl_object_retain(graph);
  graph->is_of_its_capture = true;
  begin(handle, graph);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListBeginCaptureIntoGraphExt(
    ze_command_list_handle_t handle, ze_graph_handle_t graph, const void *next) {
  ZECL_ENTER(zeCommandListBeginCaptureIntoGraphExt);
  (void)next;
  ZECL_TRY(check_list(handle));
  ZECL_CHECK_HANDLE(graph, ZECL_GRAPH);
  const bool is_new = !graph_of(graph)->primary;
  ZECL_REQUIRE(is_new && graph_of(graph)->context == zecl_list_of(handle)->context,
      ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_retain(graph);
  begin(handle, graph_of(graph));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListIsGraphCaptureEnabledExt(ze_command_list_handle_t handle) {
  ZECL_ENTER(zeCommandListIsGraphCaptureEnabledExt);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  return (ze_result_t)(zecl_list_of(handle)->graph ? ZECL_QUERY_TRUE : ZECL_QUERY_FALSE);
}

ze_result_t zecl_zeCommandListEndGraphCaptureExt(
    ze_command_list_handle_t handle, const void *next, ze_graph_handle_t *ended) {
  ZECL_ENTER(zeCommandListEndGraphCaptureExt);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_CHECK_POINTER(ended);
  struct zecl_list *list = zecl_list_of(handle);
  struct zecl_graph *graph = list->graph;
  (void)next;
  ZECL_REQUIRE(graph, (ze_result_t)ZECL_NOT_CAPTURING);
  ZECL_REQUIRE(graph->primary == handle, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  const bool is_joined = zecl_capture_end(graph);
  list->graph = NULL;
  zecl_tape_close(graph->tape);
  if (!is_joined) {
    zecl_graph_discard(graph);
    return (ze_result_t)ZECL_UNJOINED_FORKS;
  }
  *ended = (ze_graph_handle_t)(void *)graph;
  zecl_graph_release(graph);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListGetGraphExt(
    ze_command_list_handle_t handle, ze_graph_handle_t *graph) {
  ZECL_ENTER(zeCommandListGetGraphExt);
  ZECL_CHECK_HANDLE(handle, ZECL_LIST);
  ZECL_CHECK_POINTER(graph);
  *graph = (ze_graph_handle_t)(void *)zecl_list_of(handle)->graph;
  return *graph ? ZE_RESULT_SUCCESS : (ze_result_t)ZECL_NOT_CAPTURING;
}

ze_result_t zecl_zeGraphGetPrimaryCommandListExt(
    ze_graph_handle_t handle, ze_command_list_handle_t *list) {
  ZECL_ENTER(zeGraphGetPrimaryCommandListExt);
  ZECL_CHECK_HANDLE(handle, ZECL_GRAPH);
  ZECL_CHECK_POINTER(list);
  ZECL_REQUIRE(graph_of(handle)->primary, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  *list = graph_of(handle)->primary;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeGraphSetDestructionCallbackExt(
    ze_graph_handle_t handle, void (*call)(void *), void *data, const void *next) {
  ZECL_ENTER(zeGraphSetDestructionCallbackExt);
  ZECL_CHECK_HANDLE(handle, ZECL_GRAPH);
  ZECL_CHECK_POINTER((const void *)(uintptr_t)call);
  struct zecl_graph_callback *callback = malloc(sizeof *callback);
  (void)next;
  if (!callback) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  *callback = (struct zecl_graph_callback){graph_of(handle)->callbacks, call, data};
  graph_of(handle)->callbacks = callback;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeGraphInstantiateExt(
    ze_graph_handle_t handle, const void *next, ze_executable_graph_handle_t *created) {
  ZECL_ENTER(zeGraphInstantiateExt);
  ZECL_CHECK_HANDLE(handle, ZECL_GRAPH);
  ZECL_CHECK_POINTER(created);
  struct zecl_graph *graph = graph_of(handle);
  (void)next;
  ZECL_REQUIRE(graph->primary && !graph->is_captured, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  struct zecl_executable_graph *executable =
      zecl_object_create(ZECL_EXECUTABLE_GRAPH, sizeof *executable);
  if (!executable) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  zecl_object_retain(graph);
  executable->graph = graph;
  *created = (ze_executable_graph_handle_t)(void *)executable;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeGraphIsEmptyExt(ze_graph_handle_t handle) {
  ZECL_ENTER(zeGraphIsEmptyExt);
  ZECL_CHECK_HANDLE(handle, ZECL_GRAPH);
  return (ze_result_t)(graph_of(handle)->tape->first ? ZECL_QUERY_FALSE : ZECL_QUERY_TRUE);
}

ze_result_t zecl_zeGraphDestroyExt(ze_graph_handle_t handle) {
  ZECL_ENTER(zeGraphDestroyExt);
  ZECL_CHECK_HANDLE(handle, ZECL_GRAPH);
  ZECL_REQUIRE(!graph_of(handle)->is_captured, ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_GRAPH), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_graph_release(graph_of(handle));
  return ZE_RESULT_SUCCESS;
}

/* The list is like the one that was captured. */
static bool suits(const struct zecl_graph *graph, const struct zecl_list *list) {
  return list->immediate && list->device == graph->device && list->ordinal == graph->ordinal &&
         list->mode == graph->mode &&
         ((list->flags ^ graph->flags) & (uint32_t)ZECL_QUEUE_IN_ORDER) == 0;
}

ze_result_t zecl_zeCommandListAppendGraphExt(ze_command_list_handle_t to,
    ze_executable_graph_handle_t handle, const void *next, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendGraphExt);
  struct zecl_command draft;
  (void)next;
  ZECL_TRY(zecl_append_check(to, signal, wait_count, waits));
  ZECL_CHECK_HANDLE(handle, ZECL_EXECUTABLE_GRAPH);
  const struct zecl_graph *graph = executable_of(handle)->graph;
  ZECL_REQUIRE(!zecl_list_of(to)->graph, (ze_result_t)ZECL_CAPTURE_UNSUPPORTED);
  ZECL_REQUIRE(suits(graph, zecl_list_of(to)), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  draft.kind = ZECL_COMMAND_EXECUTE;
  draft.execute.tape = graph->tape;
  draft.execute.fence = NULL;
  zecl_tape_retain(graph->tape);
  return zecl_append(to, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeExecutableGraphGetSourceGraphExt(
    ze_executable_graph_handle_t handle, ze_graph_handle_t *graph) {
  ZECL_ENTER(zeExecutableGraphGetSourceGraphExt);
  ZECL_CHECK_HANDLE(handle, ZECL_EXECUTABLE_GRAPH);
  ZECL_CHECK_POINTER(graph);
  *graph = (ze_graph_handle_t)(void *)executable_of(handle)->graph;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeExecutableGraphDestroyExt(ze_executable_graph_handle_t handle) {
  ZECL_ENTER(zeExecutableGraphDestroyExt);
  ZECL_CHECK_HANDLE(handle, ZECL_EXECUTABLE_GRAPH);
  ZECL_REQUIRE(zecl_object_kill(handle, ZECL_EXECUTABLE_GRAPH), ZE_RESULT_ERROR_INVALID_ARGUMENT);
  zecl_object_release(handle, sizeof(struct zecl_executable_graph), finish_executable);
  return ZE_RESULT_SUCCESS;
}
