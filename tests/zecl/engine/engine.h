/* What runs kernels and keeps images: the interface that an engine implements. Everything else of
 * the driver (handles, memory, events, lists, copies, native kernels, the changes to SPIR-V that
 * all engines need) is outside it, and calls an engine through this header only.
 *
 * An engine has one device, whose kernels read and write the host's memory in place. Its objects
 * are opaque pointers, used as follows:
 *
 *     queue_create                         once per worker, with its first kernel
 *     program_build -> kernel_create       once per module, and once per thread that sets arguments
 *     set_* for each argument -> enqueue   per launch; the kernel may be reused on return
 *     queue_finish                         after a batch of launches; their writes are then visible
 *
 * A queue is used by one thread at a time, as is a kernel; programs, images and samplers by any
 * number. Kernels of one queue run in the order of enqueue. Functions that return a pointer return
 * null on failure. */
#ifndef ZECL_ENGINE_ENGINE_H
#define ZECL_ENGINE_ENGINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

struct zecl_engine_queue;
struct zecl_engine_program;
struct zecl_engine_kernel;
struct zecl_engine_image;
struct zecl_engine_sampler;
struct zecl_program;
struct zecl_text;

/* Read once, when the engine is found. */
struct zecl_engine_properties {
  char name[ZE_MAX_DEVICE_NAME];
  uint32_t vendor_id, compute_units, clock_mhz;
  uint32_t float_vector_width;             /* native, in elements */
  uint64_t memory_size, max_allocation;    /* bytes */
  uint64_t cache_size, local_size;         /* bytes; local: of a work-group */
  uint32_t printf_size;                    /* bytes of the buffer */
  uint32_t max_group_size;                 /* work-items */
  uint32_t max_items[3];                   /* of a work-group, by dimension */
  bool has_fp16, has_fp64, has_sub_groups; /* without: modules that need them are refused */
  ze_device_fp_flags_t fp16, fp32, fp64;
  uint32_t sub_group_sizes[ZE_SUBGROUPSIZE_COUNT], sub_group_size_count;
  bool has_images;
  ze_device_image_properties_t images; /* the limits; zero without images */
};

/* What a kernel may be given, and takes. */
struct zecl_engine_kernel_limits {
  uint32_t max_group_size, preferred_multiple; /* work-items; at least 1 */
  uint32_t local_size, private_size;           /* bytes */
};

/* Channels of an image in the engine's memory. */
enum zecl_channel_type {
  ZECL_CHANNEL_UINT8 = 1,
  ZECL_CHANNEL_UINT16,
  ZECL_CHANNEL_UINT32,
  ZECL_CHANNEL_SINT8,
  ZECL_CHANNEL_SINT16,
  ZECL_CHANNEL_SINT32,
  ZECL_CHANNEL_UNORM8,
  ZECL_CHANNEL_UNORM16,
  ZECL_CHANNEL_SNORM8,
  ZECL_CHANNEL_SNORM16,
  ZECL_CHANNEL_HALF,
  ZECL_CHANNEL_FLOAT,
  ZECL_CHANNEL_TYPES
};

enum zecl_channel_order { /* in memory, first to last; zero is none */
  ZECL_ORDER_R = 1,
  ZECL_ORDER_A,
  ZECL_ORDER_RG,
  ZECL_ORDER_RA,
  ZECL_ORDER_RGB,
  ZECL_ORDER_RGBA,
  ZECL_ORDER_BGRA,
  ZECL_ORDER_ARGB,
  ZECL_ORDER_ABGR,
  ZECL_ORDER_LUMINANCE,
  ZECL_ORDER_INTENSITY,
  ZECL_ORDERS
};

struct zecl_engine_image_desc {
  ze_image_type_t type;
  size_t size[3]; /* texels: width, height or layers of a 1D array, depth or layers of a 2D array */
  enum zecl_channel_type channel;
  enum zecl_channel_order order;
};

struct zecl_engine {
  const struct zecl_engine_properties *properties;

  struct zecl_engine_queue *(*queue_create)(void);
  void (*queue_release)(struct zecl_engine_queue *queue);

  /* Waits for what was enqueued. DEVICE_LOST on failure. */
  ze_result_t (*queue_finish)(struct zecl_engine_queue *queue);

  /* Builds a module without imports, whose variables have their memory. On failure the log has the
   * engine's own text. */
  struct zecl_engine_program *(*program_build)(
      const struct zecl_program *program, struct zecl_text *log);
  void (*program_release)(struct zecl_engine_program *program);

  struct zecl_engine_kernel *(*kernel_create)(
      struct zecl_engine_program *program, const char *name, ze_result_t *error);
  void (*kernel_release)(struct zecl_engine_kernel *kernel);
  void (*kernel_get_limits)(
      struct zecl_engine_kernel *kernel, struct zecl_engine_kernel_limits *limits);

  ze_result_t (*set_value)(
      struct zecl_engine_kernel *kernel, uint32_t index, size_t size, const void *value);
  ze_result_t (*set_pointer)(struct zecl_engine_kernel *kernel, uint32_t index, void *pointer);
  ze_result_t (*set_local)(struct zecl_engine_kernel *kernel, uint32_t index, size_t size);
  ze_result_t (*set_image)(
      struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_image *image);
  ze_result_t (*set_sampler)(
      struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_sampler *sampler);

  /* Sizes are in work-items; `offset` may be null for zero, `local` for a size of the engine's
   * choice. */
  ze_result_t (*enqueue)(struct zecl_engine_queue *queue, struct zecl_engine_kernel *kernel,
      const size_t offset[3], const size_t global[3], const size_t local[3]);

  ze_result_t (*image_create)(
      const struct zecl_engine_image_desc *desc, struct zecl_engine_image **image);
  void (*image_release)(struct zecl_engine_image *image);

  /* Copies texels, without gaps, from or to a box of an image, after what was enqueued; done on
   * return. */
  ze_result_t (*image_read)(struct zecl_engine_queue *queue, struct zecl_engine_image *image,
      const size_t origin[3], const size_t size[3], void *texels);
  ze_result_t (*image_write)(struct zecl_engine_queue *queue, struct zecl_engine_image *image,
      const size_t origin[3], const size_t size[3], const void *texels);

  struct zecl_engine_sampler *(*sampler_create)(
      bool is_normalised, ze_sampler_address_mode_t mode, ze_sampler_filter_mode_t filter);
  void (*sampler_release)(struct zecl_engine_sampler *sampler);
};

/* The engine of the process, found by the first call, from any thread; null if there is none. */
const struct zecl_engine *zecl_engine(void);

#endif
