#define BENCH_NAME "cuda"
#include "cuda_graphs.h"

#include "by_hand.h"
#include "syclze/command.h"
#include "syclze/command/graph.h"
#include "syclze/syclze.h"

#include <dlfcn.h>
#include <string.h>

/* Small launches: what a graph saves is seen. */
enum { FLOATS = 1 << 14, GROUP = 256, CHAINS = 4, LENGTH = 5, MOST = 100 };

/* Declarations of cuda.h that the driver below does not use. */
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct {
  CUfunction function;
  unsigned groups[3], items[3], shared;
  void **parameters, **extra;
  CUkernel kernel;
  CUcontext context;
} kernel_node;

static struct {
  CUresult (*create)(CUgraph *, unsigned);
  CUresult (*add_kernel)(CUgraphNode *, CUgraph, const CUgraphNode *, size_t, const kernel_node *);
} graphs;

static struct {
  CUgraphExec by_hand[GRAPH_SHAPES];
  syclze_executable_graph recorded[GRAPH_SHAPES];
  syclze_queue queue;
  enum graph_shape shape;
} made;

static struct graph_world world;
static float *x, *y[CHAINS]; /* of the device */

#define CU(call)                                                                                   \
  do {                                                                                             \
    const CUresult code = (call);                                                                  \
    check(code == CUDA_SUCCESS, #call, (long)code);                                                \
  } while (0)

static int launches_of(enum graph_shape shape) {
  return shape == GRAPH_TEN ? 10 : shape == GRAPH_HUNDRED ? 100 : 2 + CHAINS * LENGTH;
}

/* The launches that a launch is behind, and the chain that it is of. */
static int before(enum graph_shape shape, int launch, int *which, int *chain) {
  *chain = 0;
  if (launch == 0) return 0;
  which[0] = launch - 1;
  if (shape != GRAPH_FORK) return 1;
  if (launch == launches_of(shape) - 1) {
    for (int i = 0; i < CHAINS; i++)
      which[i] = (i + 1) * LENGTH;
    return CHAINS;
  }
  *chain = (launch - 1) / LENGTH;
  if ((launch - 1) % LENGTH == 0) which[0] = 0;
  return 1;
}

static CUgraphExec make_by_hand(enum graph_shape shape) {
  CUgraph graph;
  CUgraphExec executable;
  CUgraphNode nodes[MOST], behind[CHAINS];
  float a = 2;
  int which[CHAINS], chain;
  CU(graphs.create(&graph, 0));
  for (int i = 0; i < launches_of(shape); i++) {
    const int count = before(shape, i, which, &chain);
    for (int k = 0; k < count; k++)
      behind[k] = nodes[which[k]];
    void *parameters[] = {&a, &x, &y[chain]};
    const kernel_node node = {.groups = {FLOATS / GROUP, 1, 1},
        .items = {GROUP, 1, 1},
        .parameters = parameters,
        .kernel = world.by_hand,
        .context = world.primary};
    CU(graphs.add_kernel(&nodes[i], graph, behind, (size_t)count, &node));
  }
  CU(zecl_cuda.graph_instantiate(&executable, graph, 0));
  return executable;
}

static syclze_executable_graph record(
    syclze_context context, syclze_device device, syclze_kernel kernel, enum graph_shape shape) {
  const syclze_nd_range range = {.global = {FLOATS}, .local = {GROUP}};
  const float a = 2;
  syclze_graph graph;
  syclze_executable_graph executable;
  syclze_queue queue;
  syclze_event events[MOST], behind[CHAINS];
  int which[CHAINS], chain;
  ZE(syclze_queue_create(context, device, NULL, &queue));
  ZE(syclze_graph_create(context, device, &graph));
  ZE(syclze_graph_begin_recording(graph, queue));
  for (int i = 0; i < launches_of(shape); i++) {
    const int count = before(shape, i, which, &chain);
    for (int k = 0; k < count; k++)
      behind[k] = events[which[k]];
    ZE(syclze_queue_launch(queue, kernel, &range, behind, (uint32_t)count, &events[i],
        syclze_arg(a), syclze_arg(x), syclze_arg(y[chain])));
  }
  ZE(syclze_graph_end_recording(graph, queue));
  ZE(syclze_graph_finalize(graph, 0, &executable));
  for (int i = 0; i < launches_of(shape); i++)
    ZE(syclze_release(events[i]));
  ZE(syclze_release(queue));
  ZE(syclze_graph_release(graph));
  return executable;
}

static float *floats(void) {
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  void *memory;
  ZE(zeMemAllocDevice(world.context, &desc, FLOATS * sizeof(float), 0, world.device, &memory));
  return (float *)memory;
}

/* Each launch adds 2 to the floats of its chain. */
static void verify(void (*run)(int)) {
  enum { RUNS = 4 };
  const float one = 1, none = 0;
  int launches[CHAINS] = {0}, which[CHAINS], chain;
  ZE(syclze_queue_fill(made.queue, x, &one, sizeof one, FLOATS * sizeof one, NULL, 0, NULL));
  for (int i = 0; i < CHAINS; i++)
    ZE(syclze_queue_fill(
        made.queue, y[i], &none, sizeof none, FLOATS * sizeof none, NULL, 0, NULL));
  ZE(syclze_queue_wait(made.queue));
  run(RUNS);
  for (int i = 0; i < launches_of(made.shape); i++) {
    before(made.shape, i, which, &chain);
    launches[chain]++;
  }
  for (int i = 0; i < CHAINS; i++) {
    float last = -1;
    ZE(syclze_queue_copy(made.queue, &last, &y[i][FLOATS - 1], sizeof last, NULL, 0, NULL));
    ZE(syclze_queue_wait(made.queue));
    check(
        last > 2.0f * RUNS * (float)launches[i] - 1 && last < 2.0f * RUNS * (float)launches[i] + 1,
        "the sum of a chain", (long)last);
  }
}

void graphs_open(const struct graph_world *given) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_device device;
  syclze_context context;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  world = *given;
  void *library = dlopen("libcuda.so.1", RTLD_NOW);
  void *create = library ? dlsym(library, "cuGraphCreate") : NULL;
  void *add_kernel = library ? dlsym(library, "cuGraphAddKernelNode_v2") : NULL;
  check(create && add_kernel, "cuGraphAddKernelNode_v2", 0);
  memcpy(&graphs.create, &create, sizeof create);
  memcpy(&graphs.add_kernel, &add_kernel, sizeof add_kernel);
  ZE(syclze_make_device(world.device, &device));
  const syclze_context_input context_input = {.native_handle = world.context,
      .device_list = &device,
      .device_count = 1,
      .ownership = SYCLZE_OWNERSHIP_KEEP};
  ZE(syclze_make_context(&context_input, &context));
  const syclze_kernel_bundle_input bundle_input = {
      .native_handle = world.module, .ownership = SYCLZE_OWNERSHIP_KEEP};
  ZE(syclze_make_kernel_bundle(&bundle_input, context, &bundle));
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "saxpy"};
  ze_kernel_handle_t own; /* the arguments of another are the other's */
  ZE(zeKernelCreate(world.module, &desc, &own));
  const syclze_kernel_input kernel_input = {
      .kernel_bundle = bundle, .native_handle = own, .ownership = SYCLZE_OWNERSHIP_KEEP};
  ZE(syclze_make_kernel(&kernel_input, context, &kernel));
  ZE(syclze_queue_create(context, device, &in_order, &made.queue));
  x = floats();
  for (int i = 0; i < CHAINS; i++)
    y[i] = floats();
  for (int i = 0; i < GRAPH_SHAPES; i++) {
    made.by_hand[i] = make_by_hand((enum graph_shape)i);
    made.recorded[i] = record(context, device, kernel, (enum graph_shape)i);
  }
}

void graphs_by_hand(int count) {
  for (int i = 0; i < count; i++)
    CU(zecl_cuda.graph_launch(made.by_hand[made.shape], world.stream));
  CU(zecl_cuda.stream_synchronize(world.stream));
}

void graphs_by_syclze(int count) {
  for (int i = 0; i < count; i++)
    ZE(syclze_queue_submit_graph(made.queue, made.recorded[made.shape], NULL));
  ZE(syclze_queue_wait(made.queue));
}

void graphs_choose(enum graph_shape shape) {
  made.shape = shape;
  verify(graphs_by_hand);
  verify(graphs_by_syclze);
}
