/* Streams: a thread each, which does the operations in their order. */
#include "libcuda.h"

#include <errno.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { NAP_US = 20, PATIENCE_US = 1000000, NODES = 512, LAUNCH_FAILED = 719 };

enum kind {
  COPY,
  COPY_3D,
  SET,
  WRITE,
  WAIT,
  CALL,
  CLOCK,
  SPIN,
  GROUPS,
  TRAP,
  KERNEL,
  SIGNAL,
  AWAIT,
  GRAPH
};

struct operation {
  struct operation *next;
  enum kind kind;
  CUdeviceptr to, from;
  size_t size, width; /* of a fill: how often, and the bytes of its value */
  uint32_t value;
  CUDA_MEMCPY3D box;
  CUhostFn function;
  void *user;
  CUexternalSemaphore semaphore;
  uint64_t point; /* of a semaphore */
  CUgraphExec graph;
};

/* Nodes of a graph: their operation, and which of the others come before it. */
struct CUgraphNode_st {
  struct operation operation;
  bool is_behind[NODES];
};

/* The work of a stream that is captured, and the nodes that precede the next one. */
struct CUgraph_st {
  unsigned count, behind_count;
  CUgraphNode nodes[NODES], behind[NODES];
};

struct CUgraphExec_st {
  unsigned references;  /* one of the program's, and of each launch in a stream */
  pthread_mutex_t lock; /* of its run: launches follow one another */
  struct CUgraph_st *graph;
};

struct CUstream_st {
  struct CUstream_st *older;
  CUcontext context;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  struct operation *first, *last;
  unsigned count;
  bool is_busy, is_destroyed;
  struct CUgraph_st *capture; /* null unless the stream is captured */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUstream_st *newest; /* destroyed ones too */
static bool is_lost;

static bool lost(void) {
  return __atomic_load_n(&is_lost, __ATOMIC_SEQ_CST);
}

static char *source_row(const CUDA_MEMCPY3D *box, size_t y, size_t z) {
  static const char call[] = "cuMemcpy3DAsync";
  if (box->srcMemoryType == CU_MEMORYTYPE_ARRAY)
    return libcuda_array_row(
        call, box->srcArray, box->srcXInBytes, box->srcY + y, box->srcZ + z, box->WidthInBytes);
  return libcuda_bytes(
      call, box->srcDevice + (z * box->srcHeight + y) * box->srcPitch, box->WidthInBytes);
}

static char *target_row(const CUDA_MEMCPY3D *box, size_t y, size_t z) {
  static const char call[] = "cuMemcpy3DAsync";
  if (box->dstMemoryType == CU_MEMORYTYPE_ARRAY)
    return libcuda_array_row(
        call, box->dstArray, box->dstXInBytes, box->dstY + y, box->dstZ + z, box->WidthInBytes);
  return libcuda_bytes(
      call, box->dstDevice + (z * box->dstHeight + y) * box->dstPitch, box->WidthInBytes);
}

static void copy_box(const CUDA_MEMCPY3D *box) {
  for (size_t z = 0; z < box->Depth; z++)
    for (size_t y = 0; y < box->Height; y++)
      memmove(target_row(box, y, z), source_row(box, y, z), box->WidthInBytes);
}

static void set(const struct operation *operation) {
  char *to = libcuda_bytes("a fill", operation->to, operation->size * operation->width);
  for (size_t i = 0; i < operation->size; i++)
    memcpy(to + i * operation->width, &operation->value, operation->width);
}

static void await(const struct operation *operation) {
  while (!lost()) {
    const uint32_t *word = (const void *)libcuda_bytes("cuStreamWaitValue32", operation->to, 4);
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) & operation->value) return;
    usleep(NAP_US);
  }
}

static uint64_t now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void free_graph(struct CUgraph_st *graph) {
  for (unsigned i = 0; i < graph->count; i++)
    free(graph->nodes[i]);
  free(graph);
}

static void release_graph(CUgraphExec graph) {
  if (__atomic_sub_fetch(&graph->references, 1, __ATOMIC_SEQ_CST)) return;
  free_graph(graph->graph);
  free(graph);
}

static CUresult record(struct CUgraph_st *graph, const struct operation *operation) {
  CUgraphNode node = calloc(1, sizeof *node);
  if (!node) return CUDA_ERROR_OUT_OF_MEMORY;
  if (operation->kind == CALL) libcuda_broken("a function of the host in a graph");
  if (graph->count == NODES) libcuda_broken("a graph of too many nodes");
  node->operation = *operation;
  for (unsigned i = 0; i < graph->behind_count; i++)
    for (unsigned k = 0; k < graph->count; k++)
      if (graph->nodes[k] == graph->behind[i]) node->is_behind[k] = true;
  graph->nodes[graph->count++] = node;
  graph->behind[0] = node;
  graph->behind_count = 1;
  return CUDA_SUCCESS;
}

static void run(const struct operation *operation);

static bool is_free(const struct CUgraph_st *graph, unsigned node, const bool *is_done) {
  for (unsigned i = 0; i < graph->count; i++)
    if (graph->nodes[node]->is_behind[i] && !is_done[i]) return false;
  return !is_done[node];
}

static void run_graph(const struct CUgraph_st *graph) {
  bool is_done[NODES] = {false};
  for (unsigned done = 0; done < graph->count; done++) {
    unsigned node = graph->count - 1;
    while (!is_free(graph, node, is_done))
      node--;
    run(&graph->nodes[node]->operation);
    is_done[node] = true;
  }
}

static void run(const struct operation *operation) {
  uint64_t time;
  uint32_t *words;
  switch (operation->kind) {
  case COPY:
    memmove(libcuda_bytes("cuMemcpyAsync", operation->to, operation->size),
        libcuda_bytes("cuMemcpyAsync", operation->from, operation->size), operation->size);
    break;
  case COPY_3D:
    copy_box(&operation->box);
    break;
  case SET:
    set(operation);
    break;
  case WRITE:
    __atomic_store_n((uint32_t *)(void *)libcuda_bytes("cuStreamWriteValue32", operation->to, 4),
        operation->value, __ATOMIC_SEQ_CST);
    break;
  case WAIT:
    await(operation);
    break;
  case CALL:
    operation->function(operation->user);
    break;
  case CLOCK:
    time = now();
    memcpy(libcuda_bytes("zecl_clock", operation->to, sizeof time), &time, sizeof time);
    break;
  case SPIN:
    while (!__atomic_load_n(
        (uint32_t *)(void *)libcuda_bytes("spin", operation->to, 4), __ATOMIC_SEQ_CST))
      usleep(NAP_US);
    break;
  case GROUPS:
    words = (uint32_t *)(void *)libcuda_bytes("groups", operation->to, 66 * sizeof *words);
    __atomic_add_fetch(&words[operation->value % 64], 1, __ATOMIC_SEQ_CST);
    if (operation->size) __atomic_add_fetch(&words[64], 1, __ATOMIC_SEQ_CST);
    break;
  case TRAP:
    __atomic_store_n(&is_lost, true, __ATOMIC_SEQ_CST);
    break;
  case KERNEL:
    break;
  case SIGNAL:
    libcuda_semaphore_signal(operation->semaphore, operation->point);
    break;
  case AWAIT:
    while (!libcuda_semaphore_wait(operation->semaphore, operation->point))
      usleep(NAP_US);
    break;
  case GRAPH:
    pthread_mutex_lock(&operation->graph->lock);
    run_graph(operation->graph->graph);
    pthread_mutex_unlock(&operation->graph->lock);
    release_graph(operation->graph);
    break;
  }
}

static void *work(void *argument) {
  struct CUstream_st *stream = argument;
  pthread_mutex_lock(&stream->lock);
  for (;;) {
    struct operation *operation = stream->first;
    if (!operation) {
      if (stream->is_destroyed) break;
      pthread_cond_wait(&stream->changed, &stream->lock);
      continue;
    }
    stream->is_busy = true;
    pthread_mutex_unlock(&stream->lock);
    if (!lost()) run(operation);
    pthread_mutex_lock(&stream->lock);
    stream->first = operation->next;
    stream->count--;
    stream->is_busy = false;
    free(operation);
    pthread_cond_broadcast(&stream->changed);
  }
  pthread_mutex_unlock(&stream->lock);
  return NULL;
}

static bool is_idle(struct CUstream_st *stream) {
  pthread_mutex_lock(&stream->lock);
  const bool idle = !stream->first;
  pthread_mutex_unlock(&stream->lock);
  return idle;
}

static bool are_all_idle(void) {
  bool idle = true;
  pthread_mutex_lock(&lock);
  for (struct CUstream_st *stream = newest; stream; stream = stream->older)
    idle = idle && is_idle(stream);
  pthread_mutex_unlock(&lock);
  return idle;
}

void libcuda_wait_for_all(const char *call) {
  for (const uint64_t end = now() + PATIENCE_US * 1000ull; !are_all_idle();) {
    if (now() > end) libcuda_broken("%s waits for work that does not end", call);
    usleep(NAP_US);
  }
}

static void check(const char *call, const struct CUstream_st *stream) {
  pthread_mutex_lock(&lock);
  const struct CUstream_st *known = newest;
  while (known && known != stream)
    known = known->older;
  pthread_mutex_unlock(&lock);
  if (!known) libcuda_broken("%s in what is no stream", call);
  if (known->is_destroyed) libcuda_broken("%s in a destroyed stream", call);
  if (known->context != libcuda_context(call))
    libcuda_broken("%s in a stream of another context", call);
}

/* The caller holds the stream's lock. */
static void wait_for_room(struct CUstream_st *stream) {
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_sec += PATIENCE_US / 1000000;
  while (stream->count >= LIBCUDA_DEPTH)
    if (pthread_cond_timedwait(&stream->changed, &stream->lock, &until) == ETIMEDOUT)
      libcuda_broken("a call waits for room in a full stream, which does not go on");
}

static CUresult enqueue(struct CUstream_st *stream, const struct operation *given) {
  if (lost()) return (CUresult)LAUNCH_FAILED;
  if (stream->capture) return record(stream->capture, given);
  struct operation *operation = malloc(sizeof *operation);
  if (!operation) return CUDA_ERROR_OUT_OF_MEMORY;
  *operation = *given;
  operation->next = NULL;
  pthread_mutex_lock(&stream->lock);
  wait_for_room(stream);
  stream->count++;
  if (stream->first)
    stream->last->next = operation;
  else
    stream->first = operation;
  stream->last = operation;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
  return CUDA_SUCCESS;
}

CUresult cuStreamCreateWithPriority(CUstream *created, unsigned flags, int priority) {
  const CUcontext context = libcuda_context("cuStreamCreateWithPriority");
  if (flags != CU_STREAM_NON_BLOCKING || priority > 0 || priority < -5)
    libcuda_broken("cuStreamCreateWithPriority: flags or priority");
  struct CUstream_st *stream = calloc(1, sizeof *stream);
  pthread_t thread;
  pthread_attr_t detached;
  if (!stream) return CUDA_ERROR_OUT_OF_MEMORY;
  stream->context = context;
  pthread_mutex_init(&stream->lock, NULL);
  pthread_cond_init(&stream->changed, NULL);
  pthread_attr_init(&detached);
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  if (pthread_create(&thread, &detached, work, stream)) libcuda_broken("no more threads");
  pthread_mutex_lock(&lock);
  stream->older = newest;
  newest = stream;
  pthread_mutex_unlock(&lock);
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_STREAMS], 1, __ATOMIC_SEQ_CST);
  *created = stream;
  return CUDA_SUCCESS;
}

static void check_not_captured(const char *call, CUstream stream) {
  check(call, stream);
  if (stream->capture) libcuda_broken("%s of a stream that is captured", call);
}

CUresult cuStreamBeginCapture_v2(CUstream stream, CUstreamCaptureMode mode) {
  check_not_captured("cuStreamBeginCapture", stream);
  if (mode != CU_STREAM_CAPTURE_MODE_RELAXED) libcuda_broken("cuStreamBeginCapture: the mode");
  struct CUgraph_st *graph = calloc(1, sizeof *graph);
  if (!graph) return CUDA_ERROR_OUT_OF_MEMORY;
  stream->capture = graph;
  return CUDA_SUCCESS;
}

CUresult cuStreamEndCapture(CUstream stream, CUgraph *graph) {
  check("cuStreamEndCapture", stream);
  if (!stream->capture) libcuda_broken("cuStreamEndCapture of a stream that is not captured");
  *graph = stream->capture;
  stream->capture = NULL;
  return CUDA_SUCCESS;
}

CUresult cuStreamGetCaptureInfo_v3(CUstream stream, CUstreamCaptureStatus *status, cuuint64_t *id,
    CUgraph *graph, const CUgraphNode **behind, const CUgraphEdgeData **edges, size_t *count) {
  check("cuStreamGetCaptureInfo", stream);
  if (!stream->capture || id || graph || edges) libcuda_broken("cuStreamGetCaptureInfo");
  *status = CU_STREAM_CAPTURE_STATUS_ACTIVE;
  *behind = stream->capture->behind;
  *count = stream->capture->behind_count;
  return CUDA_SUCCESS;
}

CUresult cuStreamUpdateCaptureDependencies_v2(CUstream stream, CUgraphNode *behind,
    const CUgraphEdgeData *edges, size_t count, unsigned flags) {
  check("cuStreamUpdateCaptureDependencies", stream);
  if (!stream->capture || edges || count > NODES || flags != CU_STREAM_SET_CAPTURE_DEPENDENCIES)
    libcuda_broken("cuStreamUpdateCaptureDependencies");
  for (size_t i = 0; i < count; i++)
    stream->capture->behind[i] = behind[i];
  stream->capture->behind_count = (unsigned)count;
  return CUDA_SUCCESS;
}

CUresult cuGraphInstantiateWithFlags(
    CUgraphExec *created, CUgraph graph, unsigned long long flags) {
  CUgraphExec executable = calloc(1, sizeof *executable);
  CUgraph copy = malloc(sizeof *copy);
  if (flags) libcuda_broken("cuGraphInstantiateWithFlags: flags");
  if (!executable || !copy) libcuda_broken("no memory for a graph");
  *copy = *graph;
  for (unsigned i = 0; i < graph->count; i++) {
    copy->nodes[i] = malloc(sizeof *copy->nodes[i]);
    if (!copy->nodes[i]) libcuda_broken("no memory for a graph");
    *copy->nodes[i] = *graph->nodes[i];
  }
  pthread_mutex_init(&executable->lock, NULL);
  executable->references = 1;
  executable->graph = copy;
  __atomic_add_fetch(&libcuda_counts[LIBCUDA_GRAPHS], 1, __ATOMIC_SEQ_CST);
  *created = executable;
  return CUDA_SUCCESS;
}

CUresult cuGraphLaunch(CUgraphExec graph, CUstream stream) {
  check_not_captured("cuGraphLaunch", stream);
  __atomic_add_fetch(&graph->references, 1, __ATOMIC_SEQ_CST);
  return enqueue(stream, &(struct operation){.kind = GRAPH, .graph = graph});
}

CUresult cuGraphDestroy(CUgraph graph) {
  free_graph(graph);
  return CUDA_SUCCESS;
}

CUresult cuGraphExecDestroy(CUgraphExec graph) {
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_GRAPHS], 1, __ATOMIC_SEQ_CST);
  release_graph(graph);
  return CUDA_SUCCESS;
}

CUresult cuStreamDestroy_v2(CUstream stream) {
  check_not_captured("cuStreamDestroy", stream);
  pthread_mutex_lock(&stream->lock);
  stream->is_destroyed = true;
  pthread_cond_broadcast(&stream->changed);
  pthread_mutex_unlock(&stream->lock);
  __atomic_sub_fetch(&libcuda_counts[LIBCUDA_STREAMS], 1, __ATOMIC_SEQ_CST);
  return CUDA_SUCCESS;
}

CUresult cuStreamQuery(CUstream stream) {
  check_not_captured("cuStreamQuery", stream);
  if (lost()) return (CUresult)LAUNCH_FAILED;
  return is_idle(stream) ? CUDA_SUCCESS : CUDA_ERROR_NOT_READY;
}

CUresult cuStreamSynchronize(CUstream stream) {
  check_not_captured("cuStreamSynchronize", stream);
  pthread_mutex_lock(&stream->lock);
  while (stream->first)
    pthread_cond_wait(&stream->changed, &stream->lock);
  pthread_mutex_unlock(&stream->lock);
  return lost() ? (CUresult)LAUNCH_FAILED : CUDA_SUCCESS;
}

CUresult cuStreamWriteValue32_v2(
    CUstream stream, CUdeviceptr to, cuuint32_t value, unsigned flags) {
  check("cuStreamWriteValue32", stream);
  if (flags || to % 4) libcuda_broken("cuStreamWriteValue32: flags, or a word that is not aligned");
  libcuda_bytes("cuStreamWriteValue32", to, 4);
  return enqueue(stream, &(struct operation){.kind = WRITE, .to = to, .value = value});
}

CUresult cuStreamWaitValue32_v2(CUstream stream, CUdeviceptr to, cuuint32_t value, unsigned flags) {
  check("cuStreamWaitValue32", stream);
  if (flags != CU_STREAM_WAIT_VALUE_AND || to % 4) libcuda_broken("cuStreamWaitValue32: flags");
  libcuda_bytes("cuStreamWaitValue32", to, 4);
  return enqueue(stream, &(struct operation){.kind = WAIT, .to = to, .value = value});
}

CUresult cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user) {
  check("cuLaunchHostFunc", stream);
  return enqueue(stream, &(struct operation){.kind = CALL, .function = function, .user = user});
}

static CUresult use_semaphores(const char *call, CUstream stream, enum kind kind,
    const CUexternalSemaphore *semaphores, unsigned count, unsigned flags, uint64_t point) {
  check(call, stream);
  if (count != 1 || flags) libcuda_broken("%s: flags, or several semaphores", call);
  libcuda_semaphore_begin(call, semaphores[0]);
  return enqueue(
      stream, &(struct operation){.kind = kind, .semaphore = semaphores[0], .point = point});
}

CUresult cuSignalExternalSemaphoresAsync(const CUexternalSemaphore *semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_SIGNAL_PARAMS *params, unsigned count, CUstream stream) {
  return use_semaphores("cuSignalExternalSemaphoresAsync", stream, SIGNAL, semaphores, count,
      params->flags, params->params.fence.value);
}

CUresult cuWaitExternalSemaphoresAsync(const CUexternalSemaphore *semaphores,
    const CUDA_EXTERNAL_SEMAPHORE_WAIT_PARAMS *params, unsigned count, CUstream stream) {
  return use_semaphores("cuWaitExternalSemaphoresAsync", stream, AWAIT, semaphores, count,
      params->flags, params->params.fence.value);
}

CUresult cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  check("cuMemcpyAsync", stream);
  libcuda_bytes("cuMemcpyAsync", to, size);
  libcuda_bytes("cuMemcpyAsync", from, size);
  return enqueue(stream, &(struct operation){.kind = COPY, .to = to, .from = from, .size = size});
}

static bool is_memory(CUmemorytype type) {
  return type == CU_MEMORYTYPE_UNIFIED;
}

/* CUDA takes no row that is longer than its pitch, and no slice of more rows than its height. */
static bool has_room(const CUDA_MEMCPY3D *box, CUmemorytype type, size_t pitch, size_t height) {
  return !is_memory(type) ||
         (pitch >= box->WidthInBytes && (box->Depth <= 1 || height >= box->Height));
}

static size_t at_least_one(size_t size) {
  return size ? size : 1;
}

CUresult cuMemcpy3DAsync_v2(const CUDA_MEMCPY3D *box, CUstream stream) {
  check("cuMemcpy3DAsync", stream);
  if (!is_memory(box->srcMemoryType) && box->srcMemoryType != CU_MEMORYTYPE_ARRAY)
    libcuda_broken("cuMemcpy3DAsync: another type of memory");
  if (!is_memory(box->dstMemoryType) && box->dstMemoryType != CU_MEMORYTYPE_ARRAY)
    libcuda_broken("cuMemcpy3DAsync: another type of memory");
  if (!has_room(box, box->srcMemoryType, box->srcPitch, box->srcHeight) ||
      !has_room(box, box->dstMemoryType, box->dstPitch, box->dstHeight))
    return CUDA_ERROR_INVALID_VALUE;
  if (!box->WidthInBytes || !box->Height || !box->Depth)
    libcuda_broken("cuMemcpy3DAsync of nothing");
  for (size_t z = 0; z < box->Depth; z += at_least_one(box->Depth - 1)) /* both ends */
    for (size_t y = 0; y < box->Height; y += at_least_one(box->Height - 1)) {
      source_row(box, y, z);
      target_row(box, y, z);
    }
  return enqueue(stream, &(struct operation){.kind = COPY_3D, .box = *box});
}

static CUresult fill(CUstream stream, CUdeviceptr to, size_t count, size_t width, uint32_t value) {
  check("a fill", stream);
  if (to % width) libcuda_broken("a fill that is not aligned");
  libcuda_bytes("a fill", to, count * width);
  return enqueue(stream,
      &(struct operation){.kind = SET, .to = to, .size = count, .width = width, .value = value});
}

CUresult cuMemsetD8Async(CUdeviceptr to, unsigned char value, size_t count, CUstream stream) {
  return fill(stream, to, count, 1, value);
}

CUresult cuMemsetD16Async(CUdeviceptr to, unsigned short value, size_t count, CUstream stream) {
  return fill(stream, to, count, 2, value);
}

CUresult cuMemsetD32Async(CUdeviceptr to, unsigned value, size_t count, CUstream stream) {
  return fill(stream, to, count, 4, value);
}

static void check_launch(const struct CUkern_st *kernel, const unsigned groups[3],
    const unsigned items[3], unsigned shared, void **parameters) {
  static const unsigned most_items[3] = {1024, 1024, 64};
  for (int i = 0; i < 3; i++)
    if (groups[i] == 0 || items[i] == 0 || items[i] > most_items[i] ||
        groups[i] > (i ? 65535u : 2147483647u))
      libcuda_broken("cuLaunchKernel of %s: a size is out of range", kernel->name);
  if ((unsigned long)items[0] * items[1] * items[2] > 1024)
    libcuda_broken("cuLaunchKernel of %s: too many threads in a block", kernel->name);
  if ((int)shared > kernel->dynamic_limit)
    libcuda_broken("cuLaunchKernel of %s: more shared memory than was allowed", kernel->name);
  for (unsigned i = 0; i < kernel->parameter_count; i++) {
    char value[4096];
    if (!parameters || !parameters[i])
      libcuda_broken("cuLaunchKernel of %s: parameter %u is null", kernel->name, i);
    memcpy(value, parameters[i], kernel->parameter_sizes[i]);
  }
}

static CUresult launch(CUstream stream, const struct CUkern_st *kernel, unsigned x,
    bool is_cooperative, void **parameters) {
  static const struct {
    const char *name;
    enum kind kind;
    size_t size;
  } known[] = {
      {"zecl_clock", CLOCK, 8}, {"spin", SPIN, 4}, {"groups", GROUPS, 66 * 4}, {"trap", TRAP, 4}};
  struct operation operation = {.kind = KERNEL, .value = x, .size = is_cooperative};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    if (strcmp(kernel->name, known[i].name) != 0) continue;
    operation.kind = known[i].kind;
    operation.to = *(const CUdeviceptr *)parameters[0];
    libcuda_bytes(known[i].name, operation.to, known[i].size);
  }
  return enqueue(stream, &operation);
}

CUresult cuLaunchKernel(CUfunction function, unsigned x, unsigned y, unsigned z, unsigned items_x,
    unsigned items_y, unsigned items_z, unsigned shared, CUstream stream, void **parameters,
    void **extra) {
  check("cuLaunchKernel", stream);
  const struct CUkern_st *kernel = libcuda_kernel("cuLaunchKernel", function);
  if (extra) libcuda_broken("cuLaunchKernel with extra parameters");
  check_launch(kernel, (const unsigned[]){x, y, z}, (const unsigned[]){items_x, items_y, items_z},
      shared, parameters);
  return launch(stream, kernel, x, false, parameters);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned x, unsigned y, unsigned z,
    unsigned items_x, unsigned items_y, unsigned items_z, unsigned shared, CUstream stream,
    void **parameters) {
  check("cuLaunchCooperativeKernel", stream);
  const struct CUkern_st *kernel = libcuda_kernel("cuLaunchCooperativeKernel", function);
  check_launch(kernel, (const unsigned[]){x, y, z}, (const unsigned[]){items_x, items_y, items_z},
      shared, parameters);
  int each = 0;
  cuOccupancyMaxActiveBlocksPerMultiprocessor(
      &each, function, (int)(items_x * items_y * items_z), shared);
  if ((unsigned long)x * y * z > (unsigned long)each * LIBCUDA_PROCESSORS)
    libcuda_broken("cuLaunchCooperativeKernel of %s: more groups than run at once", kernel->name);
  return launch(stream, kernel, x, true, parameters);
}

/* Only threads limit the number of blocks. */
CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(
    int *count, CUfunction function, int items, size_t shared) {
  libcuda_kernel("cuOccupancyMaxActiveBlocksPerMultiprocessor", function);
  libcuda_context("cuOccupancyMaxActiveBlocksPerMultiprocessor");
  if (items <= 0 || items > 1024 || shared > 100 << 10) return CUDA_ERROR_INVALID_VALUE;
  *count = 2048 / items;
  return CUDA_SUCCESS;
}
