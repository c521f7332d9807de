/* CUDA's driver as an engine: its devices, and what the parts of the engine share. */
#ifndef ZECL_ENGINE_CUDA_CUDA_H
#define ZECL_ENGINE_CUDA_CUDA_H

#include "engine/cuda/driver.h"
#include "engine/engine.h"

#include <stdatomic.h>

enum { ZECL_CUDA_DEVICES = 64, ZECL_CUDA_STAGE = 1 << 20 };

struct zecl_cuda_device {
  CUdevice device;
  CUcontext context;                     /* the primary one */
  unsigned capability;                   /* ten times the major number and the minor */
  int least_priority, greatest_priority; /* of streams: the greatest is the smallest number */
};

extern struct zecl_cuda_device zecl_cuda_devices[ZECL_CUDA_DEVICES];
extern struct zecl_engine_properties zecl_cuda_properties[ZECL_CUDA_DEVICES];
extern uint32_t zecl_cuda_device_count;

/* A stream. Work that needs the host goes through the stage, a block of pinned memory that each
 * piece of work uses after the one before it. */
struct zecl_engine_queue {
  const struct zecl_cuda_device *device;
  CUstream stream;
  char *stage;              /* null until it is needed */
  bool is_recording;        /* into a graph, which functions of the host are no part of */
  atomic_bool is_cancelled; /* functions of the host do nothing */
};

/* The engine, or null without a device, with the reason on stderr if it was `named`. The first call
 * finds the devices. */
const struct zecl_engine *zecl_cuda_engine(bool named);

/* Finds the devices: false without one. */
bool zecl_cuda_start(bool named);

ze_result_t zecl_cuda_result(CUresult error);

/* Makes the device's context the thread's. */
static inline CUresult zecl_cuda_use(const struct zecl_cuda_device *device) {
  return zecl_cuda.context_set(device->context);
}

extern const struct zecl_engine_memory zecl_cuda_memory;
extern const struct zecl_engine_virtual zecl_cuda_virtual;
extern const struct zecl_engine_streams zecl_cuda_streams;

/* Counts device memory, which never exceeds what was free at the start: false, and nothing is
 * counted, where it would. */
bool zecl_cuda_take_room(uint32_t device, size_t size);
void zecl_cuda_give_room(uint32_t device, size_t size);

/* Device memory as a descriptor: a new one, `*file`, where `imported` is negative. The size is one
 * of zecl_cuda_external_size. 0 with `error` set. */
CUdeviceptr zecl_cuda_external_take(
    uint32_t device, size_t size, int imported, int *file, ze_result_t *error);
void zecl_cuda_external_give(CUdeviceptr base, size_t size, int file);
size_t zecl_cuda_external_size(size_t size);

/* The parts of the engine's table. */
struct zecl_engine_queue *zecl_cuda_queue_create(uint32_t device, unsigned priority);
void zecl_cuda_queue_release(struct zecl_engine_queue *queue);
ze_result_t zecl_cuda_queue_finish(struct zecl_engine_queue *queue);

struct zecl_engine_program *zecl_cuda_program_build(
    const struct zecl_program *program, struct zecl_text *log);
struct zecl_engine_program *zecl_cuda_program_load(
    const void *bytes, size_t size, struct zecl_text *log);
const struct zecl_engine_function *zecl_cuda_program_functions(
    struct zecl_engine_program *program, uint32_t *count);
void *zecl_cuda_program_variable(
    struct zecl_engine_program *program, uint32_t device, const char *name, size_t *size);
void zecl_cuda_program_release(struct zecl_engine_program *program);

struct zecl_engine_kernel *zecl_cuda_kernel_create(
    struct zecl_engine_program *program, const char *name, ze_result_t *error);
void zecl_cuda_kernel_release(struct zecl_engine_kernel *kernel);
void zecl_cuda_kernel_get_limits(
    struct zecl_engine_kernel *kernel, struct zecl_engine_kernel_limits *limits);
ze_result_t zecl_cuda_set_value(
    struct zecl_engine_kernel *kernel, uint32_t index, size_t size, const void *value);
ze_result_t zecl_cuda_set_pointer(struct zecl_engine_kernel *kernel, uint32_t index, void *pointer);
ze_result_t zecl_cuda_set_local(struct zecl_engine_kernel *kernel, uint32_t index, size_t size);
ze_result_t zecl_cuda_enqueue(struct zecl_engine_queue *queue, struct zecl_engine_kernel *kernel,
    const size_t offset[3], const size_t global[3], const size_t local[3], bool cooperative);
uint32_t zecl_cuda_cooperating_groups(struct zecl_engine_kernel *kernel, uint32_t items);

bool zecl_cuda_image_has_format(enum zecl_channel_type channel, uint32_t channels);
ze_result_t zecl_cuda_image_create(
    const struct zecl_engine_image_desc *desc, struct zecl_engine_image **image);
void zecl_cuda_image_release(struct zecl_engine_image *image);
struct zecl_engine_sampler *zecl_cuda_sampler_create(
    bool is_normalised, ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter);
void zecl_cuda_sampler_release(struct zecl_engine_sampler *sampler);
ze_result_t zecl_cuda_set_image(
    struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_image *image);
ze_result_t zecl_cuda_set_sampler(
    struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_sampler *sampler);
ze_result_t zecl_cuda_semaphore_import(
    uint32_t device, int file, bool is_timeline, struct zecl_engine_semaphore **semaphore);
void zecl_cuda_semaphore_release(struct zecl_engine_semaphore *semaphore);
ze_result_t zecl_cuda_semaphore_use(struct zecl_engine_queue *queue,
    struct zecl_engine_semaphore *semaphore, bool signals, uint64_t value);
ze_result_t zecl_cuda_copy_texels(
    struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy);

struct zecl_engine_graph *zecl_cuda_graph_record(struct zecl_engine_queue *like,
    ze_result_t (*record)(struct zecl_engine_queue *queue, const void *what), const void *what);
ze_result_t zecl_cuda_graph_begin(
    struct zecl_engine_queue *queue, const uint32_t *waits, uint32_t count, bool blocks);
ze_result_t zecl_cuda_graph_end(struct zecl_engine_queue *queue);
ze_result_t zecl_cuda_graph_launch(
    struct zecl_engine_queue *queue, struct zecl_engine_graph *graph);
void zecl_cuda_graph_release(struct zecl_engine_graph *graph);

/* The kernel that writes the device's clock to an address. */
extern CUkernel zecl_cuda_clock;

#endif
