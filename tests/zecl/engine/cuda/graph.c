/* Graphs of CUDA's, captured from a stream that nothing else uses. */
#include "engine/cuda/cuda.h"

static CUgraphExec of(struct zecl_engine_graph *graph) {
  return (CUgraphExec)(void *)graph;
}

struct zecl_engine_graph *zecl_cuda_graph_record(struct zecl_engine_queue *like,
    ze_result_t (*record)(struct zecl_engine_queue *queue, const void *what), const void *what) {
  struct zecl_engine_queue queue = {.device = like->device, .is_recording = true};
  CUgraph captured = NULL;
  CUgraphExec graph = NULL;
  if (zecl_cuda_use(queue.device) != CUDA_SUCCESS ||
      zecl_cuda.stream_create(
          &queue.stream, CU_STREAM_NON_BLOCKING, queue.device->least_priority) != CUDA_SUCCESS)
    return NULL;
  /* Of this stream only: other threads allocate and wait meanwhile. */
  if (zecl_cuda.capture_begin(queue.stream, CU_STREAM_CAPTURE_MODE_RELAXED) == CUDA_SUCCESS) {
    const ze_result_t recorded = record(&queue, what);
    const CUresult ended = zecl_cuda.capture_end(queue.stream, &captured);
    if (recorded == ZE_RESULT_SUCCESS && ended == CUDA_SUCCESS && captured &&
        zecl_cuda.graph_instantiate(&graph, captured, 0) != CUDA_SUCCESS)
      graph = NULL;
    if (captured) zecl_cuda.graph_destroy(captured);
  }
  zecl_cuda.stream_destroy(queue.stream);
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
