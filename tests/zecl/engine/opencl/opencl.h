/* OpenCL as an engine: one CPU device, or another that shares all memory with the host. */
#ifndef ZECL_ENGINE_OPENCL_OPENCL_H
#define ZECL_ENGINE_OPENCL_OPENCL_H

#include "engine/engine.h"

#include <CL/cl.h>
#include <CL/cl_ext.h> /* sub-group sizes */

struct zecl_opencl {
  cl_platform_id platform;
  cl_device_id device;
  cl_context context;
  bool takes_il;             /* clCreateProgramWithIL accepts SPIR-V */
  bool has_groups;           /* functions of work-groups: PoCL lacks some, and has others wrong */
  bool lacks_half_functions; /* the compiler has half precision, the library no function of it */
};

extern struct zecl_engine_properties zecl_opencl_properties; /* once it is found */

/* Null if there is no platform that can run kernels on host memory. The first call finds it, from
 * any thread. ZECL_ENGINE=pocl|intel or ZECL_PLATFORM=substring picks one; PoCL is preferred. */
const struct zecl_opencl *zecl_opencl(void);

/* The engine; null without such a platform. */
const struct zecl_engine *zecl_opencl_engine(void);

ze_result_t zecl_opencl_result(cl_int error);

/* The engine's functions for programs and for images. */
struct zecl_engine_program *zecl_opencl_program_build(
    const struct zecl_program *program, struct zecl_text *log);
ze_result_t zecl_opencl_image_create(
    const struct zecl_engine_image_desc *desc, struct zecl_engine_image **image);
void zecl_opencl_image_release(struct zecl_engine_image *image);
ze_result_t zecl_opencl_image_read(struct zecl_engine_queue *queue, struct zecl_engine_image *image,
    const size_t origin[3], const size_t size[3], void *texels);
ze_result_t zecl_opencl_image_write(struct zecl_engine_queue *queue,
    struct zecl_engine_image *image, const size_t origin[3], const size_t size[3],
    const void *texels);
struct zecl_engine_sampler *zecl_opencl_sampler_create(
    bool is_normalised, ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter);
void zecl_opencl_sampler_release(struct zecl_engine_sampler *sampler);

#endif
