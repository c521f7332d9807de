/* The OpenCL platform that zecl runs on, found once: what it is, and what it takes. */
#ifndef ZECL_ENGINE_OPENCL_OPENCL_H
#define ZECL_ENGINE_OPENCL_OPENCL_H

#include <stdbool.h>
#include <CL/cl.h>

struct zecl_opencl {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  bool takes_il;            /* clCreateProgramWithIL accepts SPIR-V */
  bool takes_spec_constant; /* clSetProgramSpecializationConstant works */
  bool takes_fp64, takes_fp16, takes_sub_groups;
  cl_ulong max_allocation; /* bytes */
};

/* The one platform; null where there is none that can run kernels on host memory: a CPU, or a
 * device that shares all memory with the host. The first call finds it, from any thread.
 * ZECL_PLATFORM=substring picks one by name; PoCL is preferred. */
const struct zecl_opencl *zecl_opencl(void);

/* One number that the device reports, or 0 where it does not know the question. */
cl_ulong zecl_opencl_number(cl_device_info what);

#endif
