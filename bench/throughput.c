/* throughput KERNELS.cl KERNELS.spv: the overhead of the embedded device over the OpenCL engine
   that it runs on. Blocks of the same work are timed alternately in plain OpenCL and through Level
   Zero, so that machine load affects both. Fails when a figure exceeds its limit.

   The kernels are `nothing` and `axpy` of tests/kernels/basic.cl. */
#define _POSIX_C_SOURCE 200809L
#define CL_TARGET_OPENCL_VERSION 300

#define BENCH_NAME "throughput"
#include "by_hand.h"
#include "timing.h"

#include <CL/cl.h>

#include <string.h>

enum { ROUNDS = 61, WARM_UP = 5, DEPTH = 1000, SYNC_BLOCK = 50, AXPY_BLOCK = 20, FLOATS = 1 << 20 };

static struct {
  ze_context_handle_t context;
  ze_device_handle_t device;
  ze_command_list_handle_t synchronous, asynchronous, recorded;
  ze_command_queue_handle_t queue;
  ze_event_handle_t event;
  ze_module_handle_t module;
  ze_kernel_handle_t nothing, axpy;
  uint32_t group; /* of axpy */
} zero;

static struct {
  cl_context context;
  cl_device_id device;
  cl_command_queue queue;
  cl_kernel nothing, axpy;
} engine;

#define CL(call)                                                                                   \
  do {                                                                                             \
    const cl_int code = (call);                                                                    \
    check(code == CL_SUCCESS, #call, code);                                                        \
  } while (0)

/* Zero-terminated. */
static char *read_file(const char *path, size_t *size) {
  enum { MOST = 1 << 20 };
  FILE *file = fopen(path, "rb");
  check(file != NULL, path, 0);
  char *bytes = calloc(MOST + 1, 1);
  check(bytes != NULL, "memory", 0);
  *size = fread(bytes, 1, MOST, file);
  fclose(file);
  return bytes;
}

static ze_kernel_handle_t zero_kernel(const char *name) {
  ze_kernel_handle_t kernel;
  const ze_kernel_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
  ZE(zeKernelCreate(zero.module, &desc, &kernel));
  return kernel;
}

static void open_zero_objects(void) {
  ze_command_queue_desc_t queue = {
      .stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS};
  ZE(zeCommandListCreateImmediate(zero.context, zero.device, &queue, &zero.synchronous));
  queue.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ZE(zeCommandListCreateImmediate(zero.context, zero.device, &queue, &zero.asynchronous));
  ZE(zeCommandQueueCreate(zero.context, zero.device, &queue, &zero.queue));
  const ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
  ZE(zeCommandListCreate(zero.context, zero.device, &list, &zero.recorded));
  const ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  ze_event_pool_handle_t pool;
  ZE(zeEventPoolCreate(zero.context, &pool_desc, 1, &zero.device, &pool));
  const ze_event_desc_t event = {
      .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
  ZE(zeEventCreate(pool, &event, &zero.event));
}

static void open_zero(const char *spirv_path) {
  uint32_t count = 1;
  ze_driver_handle_t driver;
  ZE(zeInit(0));
  ZE(zeDriverGet(&count, &driver));
  count = 1;
  ZE(zeDeviceGet(driver, &count, &zero.device));
  const ze_context_desc_t context = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
  ZE(zeContextCreate(driver, &context, &zero.context));
  open_zero_objects();
  size_t size;
  char *spirv = read_file(spirv_path, &size);
  const ze_module_desc_t module = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
      .format = ZE_MODULE_FORMAT_IL_SPIRV,
      .inputSize = size,
      .pInputModule = (const uint8_t *)spirv};
  ZE(zeModuleCreate(zero.context, zero.device, &module, &zero.module, NULL));
  free(spirv);
  zero.nothing = zero_kernel("nothing");
  ZE(zeKernelSetGroupSize(zero.nothing, 1, 1, 1));
  zero.axpy = zero_kernel("axpy");
  uint32_t y, z;
  ZE(zeKernelSuggestGroupSize(zero.axpy, FLOATS, 1, 1, &zero.group, &y, &z));
  ZE(zeKernelSetGroupSize(zero.axpy, zero.group, 1, 1));
}

/* Finds the platform that the device's name ends with: "zecl on ...". */
static void find_engine(cl_platform_id *platform) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  ZE(zeDeviceGetProperties(zero.device, &properties));
  cl_platform_id platforms[16];
  cl_uint count = 0;
  CL(clGetPlatformIDs(16, platforms, &count));
  for (cl_uint i = 0; i < count && i < 16; i++) {
    char name[256] = "";
    if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, 1, &engine.device, NULL) ||
        clGetDeviceInfo(engine.device, CL_DEVICE_NAME, sizeof name - 1, name, NULL))
      continue;
    *platform = platforms[i];
    if (strstr(properties.name, name)) return;
  }
  check(false, "no OpenCL device has the name of this device", 0);
}

static void open_engine(const char *source_path) {
  cl_platform_id platform;
  cl_int error;
  find_engine(&platform);
  engine.context = clCreateContext(NULL, 1, &engine.device, NULL, NULL, &error);
  CL(error);
  engine.queue = clCreateCommandQueueWithProperties(engine.context, engine.device, NULL, &error);
  CL(error);
  size_t size;
  char *source = read_file(source_path, &size);
  const char *sources[] = {source};
  cl_program program = clCreateProgramWithSource(engine.context, 1, sources, &size, &error);
  CL(error);
  CL(clBuildProgram(program, 1, &engine.device, "", NULL, NULL));
  free(source);
  engine.nothing = clCreateKernel(program, "nothing", &error);
  CL(error);
  engine.axpy = clCreateKernel(program, "axpy", &error);
  CL(error);
}

static const size_t one[3] = {1, 1, 1};
static const ze_group_count_t one_group = {1, 1, 1};

static void engine_enqueue(uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    CL(clEnqueueNDRangeKernel(engine.queue, engine.nothing, 3, NULL, one, one, 0, NULL, NULL));
}

static void zero_append(ze_command_list_handle_t list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    ZE(zeCommandListAppendLaunchKernel(list, zero.nothing, &one_group, NULL, 0, NULL));
}

static void zero_finish(void) {
  ZE(zeCommandListAppendBarrier(zero.asynchronous, zero.event, 0, NULL));
  ZE(zeEventHostSynchronize(zero.event, UINT64_MAX));
  ZE(zeEventHostReset(zero.event));
}

static double engine_deep(void) {
  const double start = now_ns();
  engine_enqueue(DEPTH);
  CL(clFinish(engine.queue));
  return (now_ns() - start) / DEPTH;
}

static double immediate_deep(void) {
  const double start = now_ns();
  zero_append(zero.asynchronous, DEPTH);
  zero_finish();
  return (now_ns() - start) / DEPTH;
}

static double recorded_deep(void) {
  const double start = now_ns();
  ZE(zeCommandListReset(zero.recorded));
  zero_append(zero.recorded, DEPTH);
  ZE(zeCommandListClose(zero.recorded));
  ZE(zeCommandQueueExecuteCommandLists(zero.queue, 1, &zero.recorded, NULL));
  ZE(zeCommandQueueSynchronize(zero.queue, UINT64_MAX));
  return (now_ns() - start) / DEPTH;
}

static double engine_enqueue_only(void) {
  const double start = now_ns();
  engine_enqueue(DEPTH);
  const double ns = (now_ns() - start) / DEPTH;
  CL(clFinish(engine.queue));
  return ns;
}

static double append_only(void) {
  const double start = now_ns();
  zero_append(zero.asynchronous, DEPTH);
  const double ns = (now_ns() - start) / DEPTH;
  zero_finish();
  return ns;
}

static double engine_synchronous(void) {
  const double start = now_ns();
  for (uint32_t i = 0; i < SYNC_BLOCK; i++) {
    engine_enqueue(1);
    CL(clFinish(engine.queue));
  }
  return (now_ns() - start) / SYNC_BLOCK;
}

static double synchronous(void) {
  const double start = now_ns();
  zero_append(zero.synchronous, SYNC_BLOCK);
  return (now_ns() - start) / SYNC_BLOCK;
}

static double append_and_wait(void) {
  const double start = now_ns();
  for (uint32_t i = 0; i < SYNC_BLOCK; i++) {
    ZE(zeCommandListAppendLaunchKernel(
        zero.asynchronous, zero.nothing, &one_group, zero.event, 0, NULL));
    ZE(zeEventHostSynchronize(zero.event, UINT64_MAX));
    ZE(zeEventHostReset(zero.event));
  }
  return (now_ns() - start) / SYNC_BLOCK;
}

static double engine_axpy(void) {
  const size_t global = FLOATS, local = zero.group;
  const double start = now_ns();
  for (uint32_t i = 0; i < AXPY_BLOCK; i++)
    CL(clEnqueueNDRangeKernel(engine.queue, engine.axpy, 1, NULL, &global, &local, 0, NULL, NULL));
  CL(clFinish(engine.queue));
  return (now_ns() - start) / AXPY_BLOCK;
}

static double engine_axpy_alone(void) {
  const size_t global = FLOATS, local = zero.group;
  const double start = now_ns();
  for (uint32_t i = 0; i < AXPY_BLOCK; i++) {
    CL(clEnqueueNDRangeKernel(engine.queue, engine.axpy, 1, NULL, &global, &local, 0, NULL, NULL));
    CL(clFinish(engine.queue));
  }
  return (now_ns() - start) / AXPY_BLOCK;
}

static double zero_axpy_alone(void) {
  const ze_group_count_t groups = {FLOATS / zero.group, 1, 1};
  const double start = now_ns();
  for (uint32_t i = 0; i < AXPY_BLOCK; i++)
    ZE(zeCommandListAppendLaunchKernel(zero.synchronous, zero.axpy, &groups, NULL, 0, NULL));
  return (now_ns() - start) / AXPY_BLOCK;
}

static double zero_axpy(void) {
  const ze_group_count_t groups = {FLOATS / zero.group, 1, 1};
  const double start = now_ns();
  for (uint32_t i = 0; i < AXPY_BLOCK; i++)
    ZE(zeCommandListAppendLaunchKernel(zero.asynchronous, zero.axpy, &groups, NULL, 0, NULL));
  zero_finish();
  return (now_ns() - start) / AXPY_BLOCK;
}

/* Both sides work on the same memory. */
static void set_axpy_arguments(void) {
  const float a = 0.5f;
  void *x, *y;
  const ze_device_mem_alloc_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
  const ze_host_mem_alloc_desc_t host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
  ZE(zeMemAllocShared(zero.context, &desc, &host, FLOATS * sizeof a, 64, zero.device, &x));
  ZE(zeMemAllocShared(zero.context, &desc, &host, FLOATS * sizeof a, 64, zero.device, &y));
  memset(x, 0, FLOATS * sizeof a);
  memset(y, 0, FLOATS * sizeof a);
  ZE(zeKernelSetArgumentValue(zero.axpy, 0, sizeof a, &a));
  ZE(zeKernelSetArgumentValue(zero.axpy, 1, sizeof x, &x));
  ZE(zeKernelSetArgumentValue(zero.axpy, 2, sizeof y, &y));
  CL(clSetKernelArg(engine.axpy, 0, sizeof a, &a));
  CL(clSetKernelArgSVMPointer(engine.axpy, 1, x));
  CL(clSetKernelArgSVMPointer(engine.axpy, 2, y));
}

struct figure {
  const char *name;
  double (*engine)(void), (*zero)(void);
  double most_ns;    /* 0 for no absolute limit */
  double most_ratio; /* relative to the engine; 0 for none */
};

static const struct figure figures[] = {
    {"empty kernel, 1,000 deep, immediate list", engine_deep, immediate_deep, 6000, 0},
    {"empty kernel, 1,000 deep, recorded and executed", engine_deep, recorded_deep, 6000, 0},
    {"asynchronous append", engine_enqueue_only, append_only, 150, 0},
    {"synchronous launch", engine_synchronous, synchronous, 0, 1.10},
    {"asynchronous launch, event awaited", engine_synchronous, append_and_wait, 0, 0},
    {"axpy of 1,048,576 floats, 20 queued", engine_axpy, zero_axpy, 0, 1.05},
    {"axpy of 1,048,576 floats, synchronous", engine_axpy_alone, zero_axpy_alone, 0, 1.05},
};

static double median(double *values) {
  qsort(values, ROUNDS, sizeof *values, compare);
  return values[ROUNDS / 2];
}

/* The median of the rounds' ratios: both blocks of a round run under the same load. */
static bool measure(const struct figure *figure) {
  double of_engine[ROUNDS], of_zero[ROUNDS], ratios[ROUNDS];
  for (int i = -WARM_UP; i < ROUNDS; i++) {
    const int at = i < 0 ? 0 : i;
    of_engine[at] = figure->engine();
    of_zero[at] = figure->zero();
    ratios[at] = of_zero[at] / of_engine[at];
  }
  const double engine_ns = median(of_engine), ns = median(of_zero), ratio = median(ratios);
  const bool too_long = figure->most_ns > 0 && ns > figure->most_ns;
  const bool is_engines_fault = too_long && engine_ns > figure->most_ns;
  const bool over =
      (too_long && !is_engines_fault) || (figure->most_ratio > 0 && ratio > figure->most_ratio);
  printf("%-50s %12.0f %12.0f %8.2f", figure->name, engine_ns, ns, ratio);
  if (figure->most_ns > 0) printf("  at most %.0f ns", figure->most_ns);
  if (figure->most_ratio > 0) printf("  at most %.2f times", figure->most_ratio);
  printf("%s\n", over ? "  OVER" : is_engines_fault ? "  (as the engine alone)" : "");
  fflush(stdout);
  return !over;
}

int main(int argc, char **argv) {
  if (argc != 3) {
    fprintf(stderr, "usage: throughput KERNELS.cl KERNELS.spv\n");
    return 2;
  }
  open_zero(argv[2]);
  open_engine(argv[1]);
  set_axpy_arguments();
  printf("%-50s %12s %12s %8s\n", "", "OpenCL ns", "zecl ns", "ratio");
  bool fine = true;
  for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
    fine = measure(&figures[i]) && fine;
  return fine ? 0 : 1;
}
