#include "engine/opencl/opencl.h"

#include "engine/opencl/translate.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 16 };

static const char intel_platform[] = "Intel(R) OpenCL";

struct zecl_engine_properties zecl_opencl_properties;
static struct zecl_opencl opencl;
static const struct zecl_opencl *found;

/* A SPIR-V module of one empty function: enough to see whether a platform takes IL. Intel's CPU
 * platform reads past the end of a module without a function. */
static const uint32_t probe[] = {0x07230203, 0x00010000, 0, 5, 0, /* header */
    2 << 16 | 17, 4, 2 << 16 | 17, 5, 2 << 16 | 17, 6, /* capabilities Addresses, Linkage, Kernel */
    3 << 16 | 14, 2, 2,                                /* memory model Physical64 OpenCL */
    2 << 16 | 19, 1,                                   /* %1 = void */
    3 << 16 | 33, 2, 1,                                /* %2 = function of no parameters, %1 */
    5 << 16 | 54, 1, 3, 0, 2,                          /* %3 = function %2 */
    2 << 16 | 248, 4, 1 << 16 | 253, 1 << 16 | 56};    /* label, return, end */

static bool reports(cl_device_id device, const char *extension) {
  size_t size = 0;
  if (clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, 0, NULL, &size) != CL_SUCCESS) return false;
  char *all = malloc(size + 1);
  if (!all) return false;
  all[size] = 0;
  const bool there = clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, size, all, NULL) == CL_SUCCESS &&
                     strstr(all, extension) != NULL;
  free(all);
  return there;
}

static void probe_il(void) {
  cl_int error;
  cl_program program = clCreateProgramWithIL(opencl.context, probe, sizeof probe, &error);
  opencl.takes_il = error == CL_SUCCESS;
  if (opencl.takes_il) clReleaseProgram(program);
}

static bool runs_on_host_memory(cl_device_id device) {
  cl_device_type type = 0;
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
  clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
  return svm != 0 &&
         ((type & CL_DEVICE_TYPE_CPU) != 0 || (svm & CL_DEVICE_SVM_FINE_GRAIN_SYSTEM) != 0);
}

static bool take(cl_platform_id platform, const char *wanted) {
  char name[256] = "";
  clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  if (!strstr(name, wanted)) return false;
  cl_device_id devices[MAX_DEVICES];
  cl_uint count = 0;
  if (clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MAX_DEVICES, devices, &count) != CL_SUCCESS)
    return false;
  for (cl_uint i = 0; i < count && i < MAX_DEVICES; i++) {
    if (!runs_on_host_memory(devices[i])) continue;
    cl_int error;
    opencl.context = clCreateContext(NULL, 1, &devices[i], NULL, NULL, &error);
    if (error != CL_SUCCESS) continue;
    opencl.platform = platform;
    opencl.device = devices[i];
    return true;
  }
  return false;
}

/* One number that the device reports, or 0 if it does not support the query. */
static uint64_t number(cl_device_info what) {
  cl_ulong value = 0; /* little-endian: a shorter answer leaves the upper bytes zero */
  return clGetDeviceInfo(opencl.device, what, sizeof value, &value, NULL) == CL_SUCCESS ? value : 0;
}

static uint32_t number32(cl_device_info what) {
  const uint64_t value = number(what);
  return value > UINT32_MAX ? UINT32_MAX : (uint32_t)value;
}

/* The rate of the first processor, for platforms that report none, as Intel's. */
static uint32_t processor_mhz(void) {
  char line[256];
  unsigned mhz = 0;
  FILE *file = fopen("/proc/cpuinfo", "re");
  if (!file) return 0;
  while (fgets(line, sizeof line, file) && sscanf(line, "cpu MHz : %u", &mhz) != 1)
    continue;
  fclose(file);
  return mhz;
}

static uint32_t least(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

static ze_device_fp_flags_t fp_flags(cl_device_info what) {
  static const struct {
    cl_device_fp_config theirs;
    ze_device_fp_flags_t ours;
  } pairs[] = {{CL_FP_DENORM, ZE_DEVICE_FP_FLAG_DENORM}, {CL_FP_INF_NAN, ZE_DEVICE_FP_FLAG_INF_NAN},
      {CL_FP_ROUND_TO_NEAREST, ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST},
      {CL_FP_ROUND_TO_ZERO, ZE_DEVICE_FP_FLAG_ROUND_TO_ZERO},
      {CL_FP_ROUND_TO_INF, ZE_DEVICE_FP_FLAG_ROUND_TO_INF}, {CL_FP_FMA, ZE_DEVICE_FP_FLAG_FMA},
      {CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT, ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT},
      {CL_FP_SOFT_FLOAT, ZE_DEVICE_FP_FLAG_SOFT_FLOAT}};
  const cl_device_fp_config config = number(what);
  ze_device_fp_flags_t flags = 0;
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
    if (config & pairs[i].theirs) flags |= pairs[i].ours;
  return flags;
}

/* PoCL 3.1 says nothing of half precision, which its library lacks. LLVM computes with it on any
 * processor from version 15 on, rounded after each operation: by single precision, where the
 * processor has no more. */
static bool compiles_halves(void) {
  enum { ROUNDS_EACH = 15 };
  char version[1024] = "";
  clGetPlatformInfo(opencl.platform, CL_PLATFORM_VERSION, sizeof version - 1, version, NULL);
  return !opencl.takes_il && strstr(version, "PoCL") && zecl_translate_llvm(version) >= ROUNDS_EACH;
}

static void read_halves(struct zecl_engine_properties *properties) {
  uint32_t *preferred = &properties->preferred_widths[ZECL_HALVES];
  uint32_t *native = &properties->native_widths[ZECL_HALVES];
  if (secure_getenv("ZECL_NO_FP16")) {
    *preferred = *native = 0;
    return;
  }
  properties->has_fp16 = reports(opencl.device, "cl_khr_fp16");
#ifdef CL_DEVICE_HALF_FP_CONFIG
  if (properties->has_fp16) properties->fp16 = fp_flags(CL_DEVICE_HALF_FP_CONFIG);
#endif
  opencl.lacks_half_functions = !properties->has_fp16 && compiles_halves();
  if (!opencl.lacks_half_functions) return;
  properties->has_fp16 = true;
  *preferred = *native = 1;
  properties->fp16 = ZE_DEVICE_FP_FLAG_DENORM | ZE_DEVICE_FP_FLAG_INF_NAN |
                     ZE_DEVICE_FP_FLAG_ROUND_TO_NEAREST | ZE_DEVICE_FP_FLAG_FMA |
                     ZE_DEVICE_FP_FLAG_ROUNDED_DIVIDE_SQRT | ZE_DEVICE_FP_FLAG_SOFT_FLOAT;
}

static void read_floats(struct zecl_engine_properties *properties) {
  properties->has_fp64 =
      secure_getenv("ZECL_NO_FP64") == NULL && number(CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  read_halves(properties);
  properties->fp32 = fp_flags(CL_DEVICE_SINGLE_FP_CONFIG);
  if (properties->has_fp64) properties->fp64 = fp_flags(CL_DEVICE_DOUBLE_FP_CONFIG);
}

static void read_groups(struct zecl_engine_properties *properties) {
  size_t items[3] = {1, 1, 1};
  properties->max_group_size = number32(CL_DEVICE_MAX_WORK_GROUP_SIZE);
  clGetDeviceInfo(opencl.device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof items, items, NULL);
  for (int i = 0; i < 3; i++)
    properties->max_items[i] = items[i] > UINT32_MAX ? UINT32_MAX : (uint32_t)items[i];
  for (int i = 0; i < 3; i++)
    properties->max_groups[i] = UINT32_MAX;
  properties->has_sub_groups = number(CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0;
  properties->has_atomic64 = reports(opencl.device, "cl_khr_int64_base_atomics") &&
                             reports(opencl.device, "cl_khr_int64_extended_atomics");
  /* PoCL lists more of them than Level Zero's array has room for. */
  size_t sizes[64], size = 0;
  if (properties->has_sub_groups && clGetDeviceInfo(opencl.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                                        sizeof sizes, sizes, &size) == CL_SUCCESS)
    for (size_t i = 0; i < size / sizeof *sizes && i < ZE_SUBGROUPSIZE_COUNT; i++)
      properties->sub_group_sizes[properties->sub_group_size_count++] = (uint32_t)sizes[i];
}

static bool is_intel(void) {
  char name[256] = "";
  clGetPlatformInfo(opencl.platform, CL_PLATFORM_NAME, sizeof name - 1, name, NULL);
  return strstr(name, intel_platform) != NULL;
}

static void read_images(struct zecl_engine_properties *properties) {
  /* Intel's CPU platform returns wrong texels for several formats and samplers. */
  properties->has_images = number(CL_DEVICE_IMAGE_SUPPORT) != 0 && !is_intel();
  if (!properties->has_images) return;
  const uint32_t width = number32(CL_DEVICE_IMAGE2D_MAX_WIDTH);
  properties->images = (ze_device_image_properties_t){.maxImageDims1D = width,
      .maxImageDims2D = least(width, number32(CL_DEVICE_IMAGE2D_MAX_HEIGHT)),
      .maxImageDims3D = least(number32(CL_DEVICE_IMAGE3D_MAX_WIDTH),
          least(number32(CL_DEVICE_IMAGE3D_MAX_HEIGHT), number32(CL_DEVICE_IMAGE3D_MAX_DEPTH))),
      .maxImageBufferSize = width, /* a texel has a byte at least */
      .maxImageArraySlices = number32(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE),
      .maxSamplers = number32(CL_DEVICE_MAX_SAMPLERS),
      .maxReadImageArgs = number32(CL_DEVICE_MAX_READ_IMAGE_ARGS),
      .maxWriteImageArgs = number32(CL_DEVICE_MAX_WRITE_IMAGE_ARGS)};
}

static void read_widths(struct zecl_engine_properties *properties) {
  static const cl_device_info preferred[ZECL_SCALARS] = {CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
      CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
      CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
      CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF};
  static const cl_device_info native[ZECL_SCALARS] = {CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR,
      CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, CL_DEVICE_NATIVE_VECTOR_WIDTH_INT,
      CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT,
      CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF};
  for (int i = 0; i < ZECL_SCALARS; i++) {
    properties->preferred_widths[i] = number32(preferred[i]);
    properties->native_widths[i] = number32(native[i]);
  }
}

static void read_properties(struct zecl_engine_properties *properties) {
  clGetDeviceInfo(
      opencl.device, CL_DEVICE_NAME, sizeof properties->name - 1, properties->name, NULL);
  properties->vendor_id = number32(CL_DEVICE_VENDOR_ID);
  properties->compute_units = number32(CL_DEVICE_MAX_COMPUTE_UNITS);
  properties->clock_mhz = number32(CL_DEVICE_MAX_CLOCK_FREQUENCY);
  if (!properties->clock_mhz) properties->clock_mhz = processor_mhz();
  properties->simd_width = number32(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT);
  read_widths(properties);
  properties->memory_size = number(CL_DEVICE_GLOBAL_MEM_SIZE);
  properties->max_allocation = number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  properties->cache_size = number(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
  properties->local_size = number(CL_DEVICE_LOCAL_MEM_SIZE);
  properties->printf_size = number32(CL_DEVICE_PRINTF_BUFFER_SIZE);
  read_floats(properties);
  read_groups(properties);
  read_images(properties);
}

/* Null where the choice is ours. */
static const char *asked_platform(void) {
  static const struct {
    const char *engine, *platform;
  } engines[] = {{"pocl", "Portable Computing Language"}, {"intel", intel_platform}};
  const char *engine = secure_getenv("ZECL_ENGINE");
  if (!engine || strcmp(engine, "opencl") == 0) return secure_getenv("ZECL_PLATFORM");
  for (size_t i = 0; i < sizeof engines / sizeof *engines; i++)
    if (strcmp(engine, engines[i].engine) == 0) return engines[i].platform;
  fprintf(stderr, "zecl: ZECL_ENGINE is cuda, opencl, pocl or intel, not '%s'\n", engine);
  return "no such platform";
}

static void find(void) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS) return;
  if (count > MAX_PLATFORMS) count = MAX_PLATFORMS;
  const char *asked = asked_platform();
  const char *const wanted[] = {asked ? asked : "Portable Computing Language", ""};
  bool taken = false;
  for (unsigned name = 0; name < (asked ? 1 : 2) && !taken; name++)
    for (cl_uint i = 0; i < count && !taken; i++)
      taken = take(platforms[i], wanted[name]);
  if (!taken) return;
  found = &opencl;
  probe_il();
  opencl.has_groups = is_intel();
  read_properties(&zecl_opencl_properties);
}

const struct zecl_opencl *zecl_opencl(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}
