#include "engine/opencl/opencl.h"

#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLATFORMS = 16, MAX_DEVICES = 16 };

static struct zecl_opencl opencl;
static const struct zecl_opencl *found;

/* A SPIR-V module of one specialisation constant: enough to see what a platform does with IL. It
 * has a function, since Intel's CPU platform reads past the end of a module without one. */
static const uint32_t probe[] = {0x07230203, 0x00010000, 0, 7, 0, /* header */
    2 << 16 | 17, 4, 2 << 16 | 17, 5, 2 << 16 | 17, 6, /* capabilities Addresses, Linkage, Kernel */
    3 << 16 | 14, 2, 2,                                /* memory model Physical64 OpenCL */
    4 << 16 | 71, 2, 1, 7,                             /* decorate %2 SpecId 7 */
    4 << 16 | 21, 1, 32, 0,                            /* %1 = int 32 0 */
    4 << 16 | 50, 1, 2, 5,                             /* %2 = spec constant %1 5 */
    2 << 16 | 19, 3,                                   /* %3 = void */
    3 << 16 | 33, 4, 3,                                /* %4 = function of no parameters, %3 */
    5 << 16 | 54, 3, 5, 0, 4,                          /* %5 = function %4 */
    2 << 16 | 248, 6, 1 << 16 | 253, 1 << 16 | 56};    /* label, return, end */

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
  if (!opencl.takes_il) return;
  const uint32_t value = 6;
  opencl.takes_spec_constant =
      clSetProgramSpecializationConstant(program, 7, sizeof value, &value) == CL_SUCCESS;
  clReleaseProgram(program);
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

static void find(void) {
  cl_platform_id platforms[MAX_PLATFORMS];
  cl_uint count = 0;
  if (clGetPlatformIDs(MAX_PLATFORMS, platforms, &count) != CL_SUCCESS) return;
  if (count > MAX_PLATFORMS) count = MAX_PLATFORMS;
  const char *asked = getenv("ZECL_PLATFORM");
  const char *const wanted[] = {asked ? asked : "Portable Computing Language", ""};
  bool taken = false;
  for (unsigned name = 0; name < (asked ? 1 : 2) && !taken; name++)
    for (cl_uint i = 0; i < count && !taken; i++)
      taken = take(platforms[i], wanted[name]);
  if (!taken) return;
  found = &opencl;
  probe_il();
  opencl.max_allocation = zecl_opencl_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  opencl.takes_fp64 =
      getenv("ZECL_NO_FP64") == NULL && zecl_opencl_number(CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  opencl.takes_fp16 = reports(opencl.device, "cl_khr_fp16");
  opencl.takes_sub_groups = zecl_opencl_number(CL_DEVICE_MAX_NUM_SUB_GROUPS) != 0;
}

const struct zecl_opencl *zecl_opencl(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}

cl_ulong zecl_opencl_number(cl_device_info what) {
  cl_ulong value = 0; /* little-endian: a shorter answer leaves the upper bytes zero */
  if (!found || clGetDeviceInfo(opencl.device, what, sizeof value, &value, NULL) != CL_SUCCESS)
    return 0;
  return value;
}
