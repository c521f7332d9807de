/* Graphs of CUDA's, captured from a stream that nothing else uses. */
#include "engine/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

struct nodes {
  CUgraphNode *all;
  size_t count, room;
};

struct recording {
  struct zecl_engine_queue queue; /* the first member */
  struct nodes base;              /* behind which each command stands */
  struct nodes ends;              /* of the commands, for the next base */
};

static CUgraphExec of(struct zecl_engine_graph *graph) {
  return (CUgraphExec)(void *)graph;
}

static bool add(struct nodes *nodes, const CUgraphNode *more, size_t count) {
  if (nodes->count + count > nodes->room) {
    const size_t room = 2 * (nodes->count + count);
    CUgraphNode *all = realloc(nodes->all, room * sizeof(CUgraphNode));
    if (!all) return false;
    nodes->all = all;
    nodes->room = room;
  }
  if (count) memcpy(nodes->all + nodes->count, more, count * sizeof(CUgraphNode));
  nodes->count += count;
  return true;
}

/* Adds what the stream was given last to the ends. */
static ze_result_t note_ends(struct recording *recording) {
  CUstreamCaptureStatus status;
  const CUgraphNode *last = NULL;
  size_t count = 0;
  const CUresult error =
      zecl_cuda.capture_info(recording->queue.stream, &status, NULL, NULL, &last, NULL, &count);
  if (error != CUDA_SUCCESS) return zecl_cuda_result(error);
  return add(&recording->ends, last, count) ? ZE_RESULT_SUCCESS
                                            : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
}

ze_result_t zecl_cuda_graph_go_on(struct zecl_engine_queue *queue, bool is_behind_all) {
  struct recording *recording = (struct recording *)(void *)queue;
  const ze_result_t result = is_behind_all ? ZE_RESULT_SUCCESS : note_ends(recording);
  if (result != ZE_RESULT_SUCCESS) return result;
  if (is_behind_all && recording->ends.count) {
    const struct nodes base = recording->base;
    recording->base = recording->ends;
    recording->ends = base;
    recording->ends.count = 0;
  }
  return zecl_cuda_result(zecl_cuda.capture_depend(queue->stream, recording->base.all, NULL,
      recording->base.count, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
}

struct zecl_engine_graph *zecl_cuda_graph_record(struct zecl_engine_queue *like,
    ze_result_t (*record)(struct zecl_engine_queue *queue, const void *what), const void *what) {
  struct recording recording = {.queue = {.device = like->device, .is_recording = true}};
  struct zecl_engine_queue *queue = &recording.queue;
  CUgraph captured = NULL;
  CUgraphExec graph = NULL;
  if (!zecl_cuda.capture_begin || zecl_cuda_use(queue->device) != CUDA_SUCCESS ||
      zecl_cuda.stream_create(
          &queue->stream, CU_STREAM_NON_BLOCKING, queue->device->least_priority) != CUDA_SUCCESS)
    return NULL;
  /* Of this stream only: other threads allocate and wait meanwhile. */
  if (zecl_cuda.capture_begin(queue->stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS) {
    const ze_result_t recorded = record(queue, what);
    const CUresult ended = zecl_cuda.capture_end(queue->stream, &captured);
    if (recorded == ZE_RESULT_SUCCESS && ended == CUDA_SUCCESS && captured &&
        zecl_cuda.graph_instantiate(&graph, captured, 0) != CUDA_SUCCESS)
      graph = NULL;
    if (captured) zecl_cuda.graph_destroy(captured);
  }
  zecl_cuda.stream_destroy(queue->stream);
  free(recording.base.all);
  free(recording.ends.all);
  return (struct zecl_engine_graph *)(void *)graph;
}

ze_result_t zecl_cuda_graph_launch(
    struct zecl_engine_queue *queue, struct zecl_engine_graph *graph) {
  zecl_cuda_use(queue->device);
  return zecl_cuda_result(zecl_cuda.graph_launch(of(graph), queue->stream));
}

void zecl_cuda_graph_release(struct zecl_engine_graph *graph) {
  zecl_cuda.graph_exec_destroy(of(graph));
}
