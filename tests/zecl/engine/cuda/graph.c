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
  struct nodes ends;              /* of the commands, one after the other */
  size_t *begins;                 /* of each command: in `ends` */
  size_t count, room;             /* commands */
  size_t joined;                  /* ends before it are before `base` */
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

static bool has(const struct nodes *nodes, CUgraphNode node) {
  for (size_t i = 0; i < nodes->count; i++)
    if (nodes->all[i] == node) return true;
  return false;
}

/* The next command, which has no ends yet. */
static bool begin_command(struct recording *recording) {
  if (recording->count == recording->room) {
    const size_t room = 2 * recording->room + 16;
    size_t *begins = realloc(recording->begins, room * sizeof *begins);
    if (!begins) return false;
    recording->begins = begins;
    recording->room = room;
  }
  recording->begins[recording->count++] = recording->ends.count;
  return true;
}

/* Adds the ends of a command before the last one, each once, but for those before `base`. */
static bool add_ends(struct nodes *nodes, const struct recording *recording, uint32_t command) {
  const size_t end = recording->begins[command + 1];
  size_t i = recording->begins[command];
  for (i = i < recording->joined ? recording->joined : i; i < end; i++)
    if (!has(nodes, recording->ends.all[i]) && !add(nodes, &recording->ends.all[i], 1))
      return false;
  return true;
}

/* What follows is behind all before. */
static bool join(struct recording *recording) {
  const struct nodes *ends = &recording->ends;
  if (ends->count == recording->joined) return true;
  recording->base.count = 0;
  if (!add(&recording->base, ends->all + recording->joined, ends->count - recording->joined))
    return false;
  recording->joined = ends->count;
  return true;
}

/* Has the next command stand behind the nodes. */
static ze_result_t stand_behind(struct recording *recording, const struct nodes *nodes) {
  return zecl_cuda_result(zecl_cuda.capture_depend(
      recording->queue.stream, nodes->all, NULL, nodes->count, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
}

ze_result_t zecl_cuda_graph_begin(
    struct zecl_engine_queue *queue, const uint32_t *waits, uint32_t count, bool blocks) {
  struct recording *recording = (struct recording *)(void *)queue;
  const size_t base = recording->base.count;
  bool has_memory = begin_command(recording);
  if (has_memory && blocks && count == 0) has_memory = join(recording);
  for (uint32_t i = 0; i < count && has_memory; i++)
    has_memory = add_ends(&recording->base, recording, waits[i]);
  if (!has_memory) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const ze_result_t result = stand_behind(recording, &recording->base);
  if (!blocks) recording->base.count = base;
  return result;
}

ze_result_t zecl_cuda_graph_end(struct zecl_engine_queue *queue) {
  struct recording *recording = (struct recording *)(void *)queue;
  CUstreamCaptureStatus status;
  const CUgraphNode *last = NULL;
  size_t count = 0;
  const CUresult error =
      zecl_cuda.capture_info(queue->stream, &status, NULL, NULL, &last, NULL, &count);
  if (error != CUDA_SUCCESS) return zecl_cuda_result(error);
  return add(&recording->ends, last, count) ? ZE_RESULT_SUCCESS
                                            : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
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
  free(recording.begins);
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
