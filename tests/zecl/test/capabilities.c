/* The device reports the capabilities of the engine: sub-group sizes and 64-bit atomics, as OpenCL
   has them. */
#include "support/modules.h"
#include "support/handles.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

typedef cl_int (*get_platforms)(cl_uint, cl_platform_id *, cl_uint *);
typedef cl_int (*get_devices)(cl_platform_id, cl_device_type, cl_uint, cl_device_id *, cl_uint *);
typedef cl_int (*get_info)(cl_device_id, cl_device_info, size_t, void *, size_t *);

static get_info info;

static void *function(void *library, const char *name) {
  void *address = dlsym(library, name);
  CHECK(address != NULL);
  return address;
}

static bool has_name(cl_device_id device, const char *name) {
  char own[256] = "";
  return info(device, CL_DEVICE_NAME, sizeof own - 1, own, NULL) == CL_SUCCESS && own[0] != 0 &&
         strstr(name, own) != NULL;
}

/* The device of OpenCL with the name of the embedded one; null where the engine is another. */
static cl_device_id device_of_opencl(void) {
  ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
  void *library = dlopen("libOpenCL.so.1", RTLD_NOW);
  cl_platform_id platforms[8];
  cl_uint count = 0;
  OK(zeDeviceGetProperties(test_device(), &properties));
  if (library == NULL) return NULL;
  get_platforms list;
  get_devices devices;
  *(void **)&list = function(library, "clGetPlatformIDs");
  *(void **)&devices = function(library, "clGetDeviceIDs");
  *(void **)&info = function(library, "clGetDeviceInfo");
  if (list(8, platforms, &count) != CL_SUCCESS) return NULL;
  for (cl_uint i = 0; i < count && i < 8; i++) {
    cl_device_id device;
    cl_uint ours = 0;
    if (devices(platforms[i], CL_DEVICE_TYPE_ALL, 1, &device, &ours) == CL_SUCCESS && ours != 0 &&
        has_name(device, properties.name))
      return device;
  }
  return NULL;
}

TEST(atomics_of_64_bits_are_those_of_the_engine) {
  char extensions[8192] = "";
  cl_device_id device = device_of_opencl();
  if (device == NULL) SKIP("the engine is not OpenCL");
  CHECK_EQ(info(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL), CL_SUCCESS);
  const bool there = strstr(extensions, "cl_khr_int64_base_atomics") != NULL &&
                     strstr(extensions, "cl_khr_int64_extended_atomics") != NULL;
  ze_device_module_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
  OK(zeDeviceGetModuleProperties(test_device(), &properties));
  CHECK_EQ((properties.flags & ZE_DEVICE_MODULE_FLAG_INT64_ATOMICS) != 0, there);
}

TEST(sub_group_sizes_are_those_of_the_engine) {
  size_t sizes[64], size = 0;
  cl_device_id device = device_of_opencl();
  if (device == NULL) SKIP("the engine is not OpenCL");
  if (info(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &size) != CL_SUCCESS ||
      size == 0)
    SKIP("the engine does not list its sub-group sizes");
  ze_device_compute_properties_t properties = {
      .stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
  OK(zeDeviceGetComputeProperties(test_device(), &properties));
  const size_t count = size / sizeof *sizes;
  CHECK_EQ(
      properties.numSubGroupSizes, count < ZE_SUBGROUPSIZE_COUNT ? count : ZE_SUBGROUPSIZE_COUNT);
  for (size_t i = 0; i < properties.numSubGroupSizes; i++)
    CHECK_EQ(properties.subGroupSizes[i], sizes[i]);
}

TEST_MAIN(atomics_of_64_bits_are_those_of_the_engine, sub_group_sizes_are_those_of_the_engine)
