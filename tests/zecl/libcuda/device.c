/* Devices and contexts. */
#include "libcuda.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct CUctx_st contexts[LIBCUDA_MAX_DEVICES];
static int retained[LIBCUDA_MAX_DEVICES];
static bool peers[LIBCUDA_MAX_DEVICES][LIBCUDA_MAX_DEVICES];
static bool is_initialised;
/* Kept in the static block of each thread: another one would be freed by the dynamic linker, which
 * ThreadSanitizer does not see, beside the reads of a thread that has ended. */
static __thread __attribute__((tls_model("initial-exec"))) CUcontext current;
long libcuda_counts[LIBCUDA_KINDS];

void libcuda_broken(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("libcuda: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  abort();
}

long libcuda_live(enum libcuda_kind kind) {
  return __atomic_load_n(&libcuda_counts[kind], __ATOMIC_SEQ_CST);
}

static int number_from(const char *variable, int otherwise) {
  const char *text = getenv(variable);
  return text ? atoi(text) : otherwise;
}

static int device_count(void) {
  const int count = number_from("LIBCUDA_DEVICES", 1);
  return count < LIBCUDA_MAX_DEVICES ? count : LIBCUDA_MAX_DEVICES;
}

static void check_device(const char *call, CUdevice device) {
  if (!is_initialised) libcuda_broken("%s before cuInit", call);
  if (device < 0 || device >= device_count()) libcuda_broken("%s: no device %d", call, device);
}

CUcontext libcuda_context(const char *call) {
  if (!is_initialised) libcuda_broken("%s before cuInit", call);
  if (!current) libcuda_broken("%s without a context", call);
  if (!retained[current->device]) libcuda_broken("%s in a released context", call);
  return current;
}

CUresult cuInit(unsigned flags) {
  if (flags) libcuda_broken("cuInit with flags");
  if (device_count() == 0) return CUDA_ERROR_NO_DEVICE;
  is_initialised = true;
  return CUDA_SUCCESS;
}

CUresult cuDriverGetVersion(int *version) {
  *version = number_from("LIBCUDA_VERSION", 12040);
  return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name) {
  *name = error == CUDA_ERROR_INVALID_PTX ? "CUDA_ERROR_INVALID_PTX" : "CUDA_ERROR";
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetCount(int *count) {
  *count = device_count();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGet(CUdevice *device, int ordinal) {
  check_device("cuDeviceGet", ordinal);
  *device = ordinal;
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int size, CUdevice device) {
  check_device("cuDeviceGetName", device);
  snprintf(name, (size_t)size, "libcuda of the tests %d", device);
  return CUDA_SUCCESS;
}

static size_t total_memory(void) {
  return (size_t)number_from("LIBCUDA_MEMORY", 8192) << 20;
}

CUresult cuDeviceTotalMem_v2(size_t *size, CUdevice device) {
  check_device("cuDeviceTotalMem", device);
  *size = total_memory();
  return CUDA_SUCCESS;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute what, CUdevice device) {
  static const struct {
    CUdevice_attribute what;
    int value;
  } all[] = {{CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X, 1024}, {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Y, 1024},
      {CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_Z, 64}, {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X, 2147483647},
      {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Y, 65535}, {CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_Z, 65535},
      {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, 1980000},
      {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, LIBCUDA_PROCESSORS},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS, 2048},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH, 32768},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH, 16384},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH, 32768},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH, 32768},
      {CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS, 2048},
      {CU_DEVICE_ATTRIBUTE_PCI_BUS_ID, 27}, {CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID, 1},
      {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, 3201000},
      {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, 6144},
      {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, 60 << 20},
      {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, 9},
      {CU_DEVICE_ATTRIBUTE_CONCURRENT_MANAGED_ACCESS, 1},
      {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, 232448}};
  check_device("cuDeviceGetAttribute", device);
  *value = 0;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].what == what) *value = all[i].value;
  return CUDA_SUCCESS;
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
  check_device("cuDeviceCanAccessPeer", device);
  check_device("cuDeviceCanAccessPeer", peer);
  if (device == peer) libcuda_broken("cuDeviceCanAccessPeer of a device and itself");
  *can = 1;
  return CUDA_SUCCESS;
}

CUresult cuCtxEnablePeerAccess(CUcontext peer, unsigned flags) {
  const int device = libcuda_context("cuCtxEnablePeerAccess")->device;
  if (flags || peer == current) libcuda_broken("cuCtxEnablePeerAccess: flags, or the same context");
  if (peers[device][peer->device]) return CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED;
  peers[device][peer->device] = true;
  return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
  check_device("cuDevicePrimaryCtxRetain", device);
  contexts[device].device = device;
  retained[device]++;
  *context = &contexts[device];
  return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext context) {
  if (context && (context < contexts || context >= contexts + LIBCUDA_MAX_DEVICES))
    libcuda_broken("cuCtxSetCurrent of no context");
  current = context;
  return CUDA_SUCCESS;
}

CUresult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  libcuda_context("cuCtxGetStreamPriorityRange");
  *least = 0;
  *greatest = -5;
  return CUDA_SUCCESS;
}
