/* cuda: the overhead of the embedded device over CUDA's driver, on which it runs with
   ZECL_ENGINE=cuda. Blocks of the same work are timed alternately in CUDA by hand and through Level
   Zero, with the same PTX; graphs through syclze. Prints medians, with the 10th and 90th
   percentiles. */
#define _POSIX_C_SOURCE 200809L

#define BENCH_NAME "cuda"
#include "by_hand.h"
#include "cuda_graphs.h"
#include "timing.h"

#include "engine/cuda/driver.h"

#include <string.h>

enum { ROUNDS = 41, WARM_UP = 4, GROUP = 256 };

static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n"
    ".visible .entry nothing() {\n  ret;\n}\n"
    ".visible .entry saxpy(.param .f32 a, .param .u64 x, .param .u64 y) {\n"
    "  .reg .b32 %r<5>;\n  .reg .f32 %f<5>;\n  .reg .b64 %rd<7>;\n"
    "  ld.param.f32 %f1, [a];\n  ld.param.u64 %rd1, [x];\n  ld.param.u64 %rd2, [y];\n"
    "  cvta.to.global.u64 %rd1, %rd1;\n  cvta.to.global.u64 %rd2, %rd2;\n"
    "  mov.u32 %r1, %ctaid.x;\n  mov.u32 %r2, %ntid.x;\n  mov.u32 %r3, %tid.x;\n"
    "  mad.lo.u32 %r4, %r1, %r2, %r3;\n  mul.wide.u32 %rd3, %r4, 4;\n"
    "  add.u64 %rd4, %rd1, %rd3;\n  add.u64 %rd5, %rd2, %rd3;\n"
    "  ld.global.f32 %f2, [%rd4];\n  ld.global.f32 %f3, [%rd5];\n"
    "  fma.rn.f32 %f4, %f1, %f2, %f3;\n  st.global.f32 [%rd5], %f4;\n  ret;\n}\n";

static struct {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_command_list_handle_t queued, synchronous;
  ze_event_handle_t event;
  ze_module_handle_t module;
  ze_kernel_handle_t nothing, saxpy;
} zero;

static struct {
  CUcontext context;
  CUstream stream;
  CUkernel nothing, saxpy;
  uint32_t *word;
} cuda;

static void *x, *y, *host; /* of `bytes` */
static size_t bytes = (size_t)1 << 30;

#define CU(call)                                                                                   \
  do {                                                                                             \
    const CUresult code = (call);                                                                  \
    check(code == CUDA_SUCCESS, #call, (long)code);                                                \
  } while (0)

static CUdeviceptr address(const void *pointer) {
  return (CUdeviceptr)(uintptr_t)pointer;
}

static void cuda_launch(CUkernel kernel, unsigned groups, unsigned items, void **arguments) {
  CU(zecl_cuda.launch(
      (CUfunction)(void *)kernel, groups, 1, 1, items, 1, 1, 0, cuda.stream, arguments, NULL));
}

static void cuda_queued(int count) {
  for (int i = 0; i < count; i++)
    cuda_launch(cuda.nothing, 1, 1, NULL);
  CU(zecl_cuda.stream_synchronize(cuda.stream));
}

static void cuda_synchronous(int count) {
  for (int i = 0; i < count; i++) {
    cuda_launch(cuda.nothing, 1, 1, NULL);
    CU(zecl_cuda.stream_synchronize(cuda.stream));
  }
}

static void cuda_signalled(int count) {
  for (int i = 0; i < count; i++) {
    *(volatile uint32_t *)cuda.word = 0;
    cuda_launch(cuda.nothing, 1, 1, NULL);
    CU(zecl_cuda.stream_write(cuda.stream, address(cuda.word), 1, 0));
    while (!*(volatile uint32_t *)cuda.word) {
    }
  }
}

static void cuda_saxpy(int count) {
  float a = 2;
  void *arguments[] = {&a, &x, &y};
  for (int i = 0; i < count; i++)
    cuda_launch(cuda.saxpy, (unsigned)(bytes / sizeof(float) / GROUP), GROUP, arguments);
  CU(zecl_cuda.stream_synchronize(cuda.stream));
}

static void cuda_copies(void *to, const void *from, int count) {
  for (int i = 0; i < count; i++)
    CU(zecl_cuda.copy(address(to), address(from), bytes, cuda.stream));
  CU(zecl_cuda.stream_synchronize(cuda.stream));
}

static void cuda_within(int count) {
  cuda_copies(y, x, count);
}

static void cuda_to_device(int count) {
  cuda_copies(x, host, count);
}

static void cuda_to_host(int count) {
  cuda_copies(host, x, count);
}

/* The wait of a Level Zero 1.4 program: a barrier that signals. */
static void zero_finish(void) {
  ZE(zeCommandListAppendBarrier(zero.queued, zero.event, 0, NULL));
  ZE(zeEventHostSynchronize(zero.event, UINT64_MAX));
  ZE(zeEventHostReset(zero.event));
}

static void zero_launch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t groups,
    ze_event_handle_t e) {
  const ze_group_count_t count = {groups, 1, 1};
  ZE(zeCommandListAppendLaunchKernel(list, kernel, &count, e, 0, NULL));
}

static void zero_queued(int count) {
  for (int i = 0; i < count; i++)
    zero_launch(zero.queued, zero.nothing, 1, NULL);
  zero_finish();
}

static void zero_synchronous(int count) {
  for (int i = 0; i < count; i++)
    zero_launch(zero.synchronous, zero.nothing, 1, NULL);
}

static void zero_signalled(int count) {
  for (int i = 0; i < count; i++) {
    zero_launch(zero.queued, zero.nothing, 1, zero.event);
    ZE(zeEventHostSynchronize(zero.event, UINT64_MAX));
    ZE(zeEventHostReset(zero.event));
  }
}

static void zero_saxpy(int count) {
  for (int i = 0; i < count; i++)
    zero_launch(zero.queued, zero.saxpy, (uint32_t)(bytes / sizeof(float) / GROUP), NULL);
  zero_finish();
}

static void zero_copies(void *to, const void *from, int count) {
  for (int i = 0; i < count; i++)
    ZE(zeCommandListAppendMemoryCopy(zero.queued, to, from, bytes, NULL, 0, NULL));
  zero_finish();
}

static void zero_within(int count) {
  zero_copies(y, x, count);
}

static void zero_to_device(int count) {
  zero_copies(x, host, count);
}

static void zero_to_host(int count) {
  zero_copies(host, x, count);
}

static void open_zero(void) {
  uint32_t count = 1;
  ze_driver_handle_t driver;
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ZE(zeInit(0));
  ZE(zeDriverGet(&count, &driver));
  ZE(zeDeviceGet(driver, &count, &zero.device));
  ZE(zeContextCreate(driver, &context, &zero.context));
  ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
      .flags = 1u << 1, /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER */
      .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
  ZE(zeCommandListCreateImmediate(zero.context, zero.device, &queue, &zero.queued));
  queue.mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS;
  ZE(zeCommandListCreateImmediate(zero.context, zero.device, &queue, &zero.synchronous));
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  ze_event_pool_handle_t pool;
  const ze_event_desc_t event = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
  ZE(zeEventPoolCreate(zero.context, &pool_desc, 1, &zero.device, &pool));
  ZE(zeEventCreate(pool, &event, &zero.event));
  const ze_module_desc_t module_desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_NATIVE,
      .inputSize = sizeof ptx - 1,
      .pInputModule = (const uint8_t *)ptx};
  ZE(zeModuleCreate(zero.context, zero.device, &module_desc, &zero.module, NULL));
  ze_kernel_desc_t kernel = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "nothing"};
  ZE(zeKernelCreate(zero.module, &kernel, &zero.nothing));
  kernel.pKernelName = "saxpy";
  ZE(zeKernelCreate(zero.module, &kernel, &zero.saxpy));
  ZE(zeKernelSetGroupSize(zero.saxpy, GROUP, 1, 1));
}

static void make_memory(void) {
  const ze_device_mem_alloc_desc_t device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  const float a = 2;
  ZE(zeMemAllocDevice(zero.context, &device, bytes, 0, zero.device, &x));
  ZE(zeMemAllocDevice(zero.context, &device, bytes, 0, zero.device, &y));
  ZE(zeMemAllocHost(zero.context, &desc, bytes, 0, &host));
  memset(host, 0, bytes);
  ZE(zeKernelSetArgumentValue(zero.saxpy, 0, sizeof a, &a));
  ZE(zeKernelSetArgumentValue(zero.saxpy, 1, sizeof x, &x));
  ZE(zeKernelSetArgumentValue(zero.saxpy, 2, sizeof y, &y));
}

/* In the primary context, which the embedded device uses too. */
static void open_cuda(void) {
  const char *missing;
  CUlibrary library;
  void *word;
  check(zecl_cuda_load(&missing), "libcuda.so.1", 0);
  CU(zecl_cuda.init(0));
  CU(zecl_cuda.context_retain(&cuda.context, 0));
  CU(zecl_cuda.context_set(cuda.context));
  CU(zecl_cuda.stream_create(&cuda.stream, CU_STREAM_NON_BLOCKING, 0));
  CU(zecl_cuda.library_load(&library, ptx, NULL, NULL, 0, NULL, NULL, 0));
  CU(zecl_cuda.library_kernel(&cuda.nothing, library, "nothing"));
  CU(zecl_cuda.library_kernel(&cuda.saxpy, library, "saxpy"));
  CU(zecl_cuda.alloc_host(&word, 64, CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP));
  cuda.word = word;
}

static double time_of(void (*block)(int), int count) {
  const double start = now_ns();
  block(count);
  return (now_ns() - start) / count;
}

static void print_spread(double *values, double moved) {
  qsort(values, ROUNDS, sizeof *values, compare);
  const double median = values[ROUNDS / 2];
  printf(" %10.2f (%9.2f %9.2f)", median / 1e3, values[ROUNDS / 10] / 1e3,
      values[ROUNDS - 1 - ROUNDS / 10] / 1e3);
  if (moved > 0) printf(" %6.1f GB/s", moved / median);
}

/* `moved`: bytes of each operation; 0 for those that move none. */
static void measure(
    const char *name, int count, double moved, void (*by_hand)(int), void (*by_zero)(int)) {
  double hand[ROUNDS], level_zero[ROUNDS], ratio[ROUNDS];
  for (int i = -WARM_UP; i < ROUNDS; i++) {
    const double first = time_of(by_hand, count), second = time_of(by_zero, count);
    if (i < 0) continue;
    hand[i] = first;
    level_zero[i] = second;
    ratio[i] = second / first;
  }
  printf("%-28s", name);
  print_spread(hand, moved);
  print_spread(level_zero, moved);
  qsort(ratio, ROUNDS, sizeof *ratio, compare);
  printf("  ratio %.3f\n", ratio[ROUNDS / 2]);
}

static void measure_graphs(void) {
  static const char *const names[] = {
      "graph of 10 launches", "graph of 100 launches", "graph of 22, a fork of 4"};
  graphs_open(&(struct graph_world){
      zero.context, zero.device, zero.module, cuda.saxpy, cuda.context, cuda.stream});
  for (int i = 0; i < GRAPH_SHAPES; i++) {
    graphs_choose((enum graph_shape)i);
    measure(names[i], 200, 0, graphs_by_hand, graphs_by_syclze);
  }
}

int main(int argc, char **argv) {
  if (argc > 1) bytes = (size_t)atol(argv[1]) << 20;
  open_zero();
  open_cuda();
  make_memory();
  printf("%-28s %10s %31s\n", "microseconds (10% 90%)", "CUDA", "Level Zero");
  measure("launch, 10,000 queued", 10000, 0, cuda_queued, zero_queued);
  measure("launch and wait", 200, 0, cuda_synchronous, zero_synchronous);
  measure("launch, word, wait for it", 200, 0, cuda_signalled, zero_signalled);
  measure_graphs();
  const double moved = (double)bytes;
  measure("saxpy", 10, 3 * moved, cuda_saxpy, zero_saxpy);
  measure("copy within the device", 10, 2 * moved, cuda_within, zero_within);
  measure("copy to the device", 1, moved, cuda_to_device, zero_to_device);
  measure("copy to the host", 1, moved, cuda_to_host, zero_to_host);
  return 0;
}
