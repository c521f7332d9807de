/* The devices, and what they report. */
#include "engine/cuda/cuda.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  VENDOR_NVIDIA = 0x10de,
  WARP = 32,
  PRINTF_SIZE = 1 << 20,
  LEAST_VERSION = 12000,
  MOST_IMAGES = 128
};

struct zecl_cuda_device zecl_cuda_devices[ZECL_CUDA_DEVICES];
struct zecl_engine_properties zecl_cuda_properties[ZECL_CUDA_DEVICES];
uint32_t zecl_cuda_device_count;
CUkernel zecl_cuda_clock;

/* The text ends with the zero that CUDA needs. */
__asm__(".section .rodata\n"
        "zecl_cuda_clock_ptx:\n"
        ".incbin \"engine/cuda/clock.ptx\"\n"
        ".byte 0\n"
        ".previous\n");
extern const char zecl_cuda_clock_ptx[] __attribute__((visibility("hidden")));

static uint32_t number(CUdevice device, CUdevice_attribute what) {
  int value = 0;
  return zecl_cuda.device_attribute(&value, what, device) == CUDA_SUCCESS && value > 0
             ? (uint32_t)value
             : 0;
}

static void read_groups(CUdevice device, struct zecl_engine_properties *properties) {
  properties->max_group_size = number(device, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK);
  for (unsigned i = 0; i < 3; i++) {
    properties->max_items[i] =
        number(device, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_BLOCK_DIM_X + i));
    properties->max_groups[i] =
        number(device, (CUdevice_attribute)(CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X + i));
  }
  properties->local_size = number(device, CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
  properties->has_sub_groups = true;
  properties->sub_group_sizes[0] = WARP;
  properties->sub_group_size_count = 1;
}

static void read_floats(struct zecl_engine_properties *properties) {
  const ze_device_fp_flags_t all =
      ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN | ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST |
      ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO | ZE_DEVICE_FP_FLAG_ROUND_TO_INF | ZE_DEVICE_FP_FLAG_FMA;
  properties->has_fp16 = secure_getenv("ZECL_NO_FP16") == NULL;
  properties->has_atomic64 = true;
  properties->has_fp64 = secure_getenv("ZECL_NO_FP64") == NULL;
  if (properties->has_fp16) properties->fp16 = all;
  properties->fp32 = all | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
  if (properties->has_fp64) properties->fp64 = all | ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

/* Edges of surfaces are no longer than those of textures, and a surface's height no less than its
 * width. */
static void read_images(CUdevice device, struct zecl_engine_properties *properties) {
  const uint32_t width = number(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_WIDTH);
  properties->has_images = true;
  properties->images = (ze_device_image_properties_t){
      .maxImageDims1D =
          least(width, number(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE1D_LAYERED_WIDTH)),
      .maxImageDims2D = number(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_WIDTH),
      .maxImageDims3D = number(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE3D_WIDTH),
      .maxImageBufferSize = width,
      .maxImageArraySlices =
          least(number(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_TEXTURE2D_LAYERED_LAYERS),
              number(device, CU_DEVICE_ATTRIBUTE_MAXIMUM_SURFACE2D_LAYERED_LAYERS)),
      .maxSamplers = MOST_IMAGES,
      .maxReadImageArgs = MOST_IMAGES,
      .maxWriteImageArgs = MOST_IMAGES};
}

static void read_properties(CUdevice device, struct zecl_engine_properties *properties) {
  size_t memory = 0;
  zecl_cuda.device_name(properties->name, sizeof properties->name, device);
  zecl_cuda.device_memory(&memory, device);
  properties->is_discrete = true;
  properties->vendor_id = VENDOR_NVIDIA;
  properties->compute_units = number(device, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
  properties->clock_mhz = number(device, CU_DEVICE_ATTRIBUTE_CLOCK_RATE) / 1000;
  properties->memory_clock_mhz = number(device, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) / 1000;
  properties->memory_bus_bits = number(device, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH);
  properties->has_pci = true;
  properties->pci[0] = number(device, CU_DEVICE_ATTRIBUTE_PCI_DOMAIN_ID);
  properties->pci[1] = number(device, CU_DEVICE_ATTRIBUTE_PCI_BUS_ID);
  properties->pci[2] = number(device, CU_DEVICE_ATTRIBUTE_PCI_DEVICE_ID);
  properties->simd_width = WARP;
  for (int i = 0; i < ZECL_SCALARS; i++)
    properties->preferred_widths[i] = properties->native_widths[i] = 1;
  properties->memory_size = properties->max_allocation = memory;
  properties->cache_size = number(device, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
  properties->printf_size = PRINTF_SIZE;
  read_groups(device, properties);
  read_floats(properties);
  read_images(device, properties);
}

static bool take(struct zecl_cuda_device *device, int ordinal) {
  if (zecl_cuda.device_get(&device->device, ordinal) != CUDA_SUCCESS ||
      zecl_cuda.context_retain(&device->context, device->device) != CUDA_SUCCESS ||
      zecl_cuda_use(device) != CUDA_SUCCESS ||
      zecl_cuda.priorities(&device->least_priority, &device->greatest_priority) != CUDA_SUCCESS)
    return false;
  device->capability = 10 * number(device->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
                       number(device->device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
  return true;
}

static void enable_peers(void) {
  for (uint32_t i = 0; i < zecl_cuda_device_count; i++)
    for (uint32_t k = 0; k < zecl_cuda_device_count; k++)
      if (i != k && zecl_cuda_memory.can_access_peer(i, k)) {
        zecl_cuda_use(&zecl_cuda_devices[i]);
        zecl_cuda.enable_peer(zecl_cuda_devices[k].context, 0);
      }
}

/* Loaded at once: the first use of code may wait for all that runs. */
static bool load_clock(void) {
  static CUlibrary library;
  return zecl_cuda.library_load(&library, zecl_cuda_clock_ptx, NULL, NULL, 0, NULL, NULL, 0) ==
             CUDA_SUCCESS &&
         zecl_cuda.library_kernel(&zecl_cuda_clock, library, "zecl_clock") == CUDA_SUCCESS;
}

static const char *find(void) {
  const char *missing;
  int version = 0, count = 0;
  if (!zecl_cuda_load(&missing)) return missing ? missing : "libcuda.so.1 cannot be loaded";
  /* Code that is loaded when it first runs may wait for all that runs already, and a launch must
   * never wait. */
  setenv("CUDA_MODULE_LOADING", "EAGER", 0);
  if (zecl_cuda.init(0) != CUDA_SUCCESS) return "cuInit fails";
  if (zecl_cuda.driver_version(&version) != CUDA_SUCCESS || version < LEAST_VERSION)
    return "the driver is older than CUDA 12";
  if (zecl_cuda.device_count(&count) != CUDA_SUCCESS || count == 0) return "there is no device";
  for (int i = 0; i < count && zecl_cuda_device_count < ZECL_CUDA_DEVICES; i++) {
    struct zecl_cuda_device *device = &zecl_cuda_devices[zecl_cuda_device_count];
    if (!take(device, i)) continue;
    read_properties(device->device, &zecl_cuda_properties[zecl_cuda_device_count++]);
  }
  if (zecl_cuda_device_count == 0) return "no device has a context";
  enable_peers();
  return load_clock() ? NULL : "a first kernel cannot be loaded";
}

bool zecl_cuda_start(bool named) {
  const char *failure = find();
  if (failure && named) fprintf(stderr, "zecl: no engine on CUDA: %s\n", failure);
  return !failure;
}
