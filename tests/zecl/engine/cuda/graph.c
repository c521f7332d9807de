/* Graphs of CUDA's, captured from a stream that nothing else uses. */
#include "engine/cuda/cuda.h"

#include <stdlib.h>
#include <string.h>

struct nodes {
  CUgraphNode *all;
  size_t count, room;
};

struct command {
  size_t begin;   /* of its ends */
  bool is_waited; /* another one, which has ends, is behind it */
};

struct recording {
  struct zecl_engine_queue queue; /* the first member */
  struct nodes base;              /* behind which each command stands */
  struct nodes before;            /* the next command */
  struct nodes ends;              /* of the commands, one after the other */
  struct command *commands;
  size_t count, room; /* commands */
  size_t joined;      /* those before it are before `base` */
  size_t based;       /* those from it on are behind `base` */
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

/* Adds those that are not there. */
static bool add_others(struct nodes *nodes, const CUgraphNode *more, size_t count) {
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < nodes->count && nodes->all[k] != more[i])
      k++;
    if (k == nodes->count && !add(nodes, &more[i], 1)) return false;
  }
  return true;
}

/* The next command, which has no ends yet. */
static bool begin_command(struct recording *recording) {
  if (recording->count == recording->room) {
    const size_t room = 2 * recording->room + 16;
    struct command *commands = realloc(recording->commands, room * sizeof *commands);
    if (!commands) return false;
    recording->commands = commands;
    recording->room = room;
  }
  recording->commands[recording->count++] = (struct command){recording->ends.count, false};
  return true;
}

/* Adds the ends of a command before the last one, each once. */
static bool add_ends(struct nodes *nodes, const struct recording *recording, size_t command) {
  const size_t begin = recording->commands[command].begin;
  return add_others(
      nodes, recording->ends.all + begin, recording->commands[command + 1].begin - begin);
}

/* Puts the last command behind all before it. */
static bool join(struct recording *recording) {
  const size_t last = recording->count - 1;
  /* A node without new ends would follow nothing. */
  if (recording->commands[recording->joined].begin == recording->ends.count) return true;
  recording->base.count = 0;
  for (size_t i = recording->joined; i < last; i++)
    if (!recording->commands[i].is_waited && !add_ends(&recording->base, recording, i))
      return false;
  recording->joined = last;
  return true;
}

/* The last command blocks: all that follow are behind those, or behind all before it. */
static bool block(struct recording *recording, const uint32_t *waits, uint32_t count) {
  recording->based = recording->count;
  if (count == 0) return join(recording);
  for (uint32_t i = 0; i < count; i++)
    if (waits[i] >= recording->joined && !add_ends(&recording->base, recording, waits[i]))
      return false;
  return true;
}

/* Finds what the last command is behind: the base, unless that is before one of those. */
static bool find_before(struct recording *recording, const uint32_t *waits, uint32_t count) {
  struct nodes *before = &recording->before;
  bool is_based = false;
  before->count = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (waits[i] < recording->joined) continue; /* before the base already */
    recording->commands[waits[i]].is_waited = true;
    if (!add_ends(before, recording, waits[i])) return false;
    is_based = is_based || (waits[i] >= recording->based && before->count != 0);
  }
  return is_based || add_others(before, recording->base.all, recording->base.count);
}

ze_result_t zecl_cuda_graph_begin(
    struct zecl_engine_queue *queue, const uint32_t *waits, uint32_t count, bool blocks) {
  struct recording *recording = (struct recording *)(void *)queue;
  if (!begin_command(recording)) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  const bool has_memory =
      blocks ? block(recording, waits, count) : find_before(recording, waits, count);
  if (!has_memory) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return blocks ? ZE_RESULT_SUCCESS
                : zecl_cuda_result(zecl_cuda.capture_depend(queue->stream, recording->before.all,
                      NULL, recording->before.count, CU_STREAM_SET_CAPTURE_DEPENDENCIES));
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
  /* Relaxed, which captures this stream only: other threads allocate and wait meanwhile. */
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
  free(recording.before.all);
  free(recording.ends.all);
  free(recording.commands);
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
