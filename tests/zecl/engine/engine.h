/* The interface of an engine, which runs kernels and keeps images. Everything else of the driver
 * (handles, events, lists, native kernels of the host, the changes to SPIR-V that all engines need)
 * is outside it, and calls an engine through this header only.
 *
 * There are two kinds of engines:
 *
 *     on the host     Kernels read and write the host's memory in place. Memory, copies, fills and
 *     (OpenCL)        events are the driver's own, on threads of its own (commands/worker.h);
 *                     `memory` and `streams` are null.
 *
 *     with a GPU      The engine has memory of its own, and its queues are streams that copy, fill,
 *     (CUDA)          and write and await the words of events in their order, so that commands are
 *                     queued by the thread that appends (commands/stream.h).
 *
 * Its objects are opaque pointers, used as follows:
 *
 *     queue_create                         once per worker, with its first kernel, or per stream
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

struct zecl_arg;
struct zecl_engine_queue;
struct zecl_engine_program;
struct zecl_engine_kernel;
struct zecl_engine_image;
struct zecl_engine_sampler;
struct zecl_engine_physical;
struct zecl_engine_semaphore;
struct zecl_engine_graph;
struct zecl_program;
struct zecl_text;

enum { ZECL_HALVES = 6, ZECL_SCALARS };

/* The properties of a device, read once, when the engine is found. */
struct zecl_engine_properties {
  char name[ZE_MAX_DEVICE_NAME];
  bool is_discrete;                           /* has memory that the host cannot access */
  uint32_t memory_clock_mhz, memory_bus_bits; /* of a discrete device */
  bool has_pci;
  uint32_t pci[3]; /* domain, bus, device */
  uint32_t vendor_id, compute_units, clock_mhz;
  uint32_t simd_width; /* floats at once */
  /* Vectors, in elements of char, short, int, long, float, double, half; zero without the type. */
  uint32_t preferred_widths[ZECL_SCALARS], native_widths[ZECL_SCALARS];
  uint64_t memory_size, max_allocation;    /* bytes */
  uint64_t cache_size, local_size;         /* bytes; local: of a work-group */
  uint32_t printf_size;                    /* bytes of the buffer */
  uint32_t max_group_size;                 /* work-items */
  uint32_t max_items[3];                   /* of a work-group, by dimension */
  uint32_t max_groups[3];                  /* of a launch, by dimension */
  bool has_fp16, has_fp64, has_sub_groups; /* without: modules that need them are refused */
  bool has_atomic64;                       /* reported */
  ze_device_fp_flags_t fp16, fp32, fp64;
  uint32_t sub_group_sizes[ZE_SUBGROUPSIZE_COUNT], sub_group_size_count;
  bool has_images;
  ze_device_image_properties_t images; /* the limits; zero without images */
};

/* The limits of a kernel, and the memory that it uses. */
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

/* The source of a component that no channel in memory gives. */
enum { ZECL_CHANNELS = 4, ZECL_SOURCE_ZERO = 4, ZECL_SOURCE_ONE = 5 };

struct zecl_engine_image_desc {
  uint32_t device;
  ze_image_type_t type;
  size_t size[3]; /* texels: width, height or layers of a 1D array, depth or layers of a 2D array */
  enum zecl_channel_type channel;
  enum zecl_channel_order order; /* of engines without streams */
  uint32_t channels;             /* and of those with streams: */
  uint8_t source[ZECL_CHANNELS]; /* of what a kernel reads: a channel, or zero or one */
  void *memory;                  /* that has the texels of a 2D image; null: the engine's own */
  size_t row_pitch;              /* of it, in bytes */
};

/* A box of texels, from an image or memory to an image or memory, one of which at least is an
 * image. No size is zero; pitches of memory are in bytes. */
struct zecl_texel_copy {
  struct zecl_engine_image *to_image, *from_image; /* null: memory */
  size_t to_origin[3], from_origin[3], size[3];    /* texels; origins of images */
  char *to;
  const char *from;
  size_t row_pitch, slice_pitch;
};

/* A box of bytes, from one place to another. No size is zero; pitches are in bytes. */
struct zecl_copy_region {
  char *to;
  const char *from;
  size_t width, height, depth;
  size_t to_pitch, to_slice_pitch, from_pitch, from_slice_pitch;
};

/* A kernel of a binary, as zeModuleCreate with ZE_MODULE_FORMAT_NATIVE takes it. */
struct zecl_engine_function {
  const char *name;
  uint32_t arg_count;
  const struct zecl_arg *args;
  uint32_t required_group_size[3]; /* zeros: any */
};

/* Reserved addresses, and what is mapped there: whole pages. */
struct zecl_engine_virtual {
  size_t (*page)(void);                             /* bytes */
  void *(*reserve)(const void *start, size_t size); /* `start` is a wish, or null */
  void (*give)(void *base, size_t size);            /* nothing is mapped there */
  struct zecl_engine_physical *(*create)(uint32_t device, size_t size);
  void (*destroy)(struct zecl_engine_physical *physical); /* what is mapped stays */
  ze_result_t (*map)(void *at, size_t size, struct zecl_engine_physical *physical, size_t offset,
      ze_memory_access_attribute_t access);
  ze_result_t (*unmap)(void *at, size_t size);
  ze_result_t (*set_access)(void *at, size_t size, ze_memory_access_attribute_t access);
};

/* The memory of an engine that has its own. An address means the same on the host and on all
 * devices. */
struct zecl_engine_memory {
  /* `device` also for host memory, where it is any. `origin` is for free, and not always the
   * address itself. Null with `error` set. Shared memory never exceeds what is free. */
  void *(*allocate)(uint32_t device, ze_memory_type_t type, size_t size, size_t alignment,
      void **origin, ze_result_t *error);

  /* May wait for all work of all queues: called when none is in flight. */
  void (*free)(uint32_t device, ze_memory_type_t type, void *origin);

  /* Device memory as an opaque file descriptor: a new allocation, or with `imported` not negative
   * one that stays the caller's. Its size is that of whole pages, which an import has too: else
   * UNSUPPORTED_SIZE. `external_file` is the allocation's own, or -1 of an import. */
  void *(*allocate_external)(
      uint32_t device, size_t size, int imported, void **origin, ze_result_t *error);
  int (*external_file)(void *origin);

  /* Device memory between processes. */
  bool (*ipc_name)(void *origin, const void *base, char name[ZE_MAX_IPC_HANDLE_SIZE]);
  void *(*ipc_open)(uint32_t device, const char name[ZE_MAX_IPC_HANDLE_SIZE], size_t *size);
  void (*ipc_close)(uint32_t device, void *base);

  bool (*can_access_peer)(uint32_t device, uint32_t peer);

  uint64_t (*available)(uint32_t device); /* bytes that are free on it */

  /* Makes memory that the process has mapped as good as host memory of the engine, and ends that:
   * called as `free` is. */
  bool (*enlist)(void *base, size_t size);
  void (*delist)(void *base);

  const struct zecl_engine_virtual *virtual_memory;
};

typedef void zecl_host_function(void *user);

/* The commands of an engine whose queues are streams. All calls return at once, and the queued work
 * is done in the order of the calls, after the kernels and copies before it. Memory may be of any
 * kind, including the host's own from malloc. A queue is used by one thread at a time, except for
 * `status` and queue_finish. */
struct zecl_engine_streams {
  ze_result_t (*copy)(struct zecl_engine_queue *queue, void *to, const void *from, size_t size);
  ze_result_t (*fill)(struct zecl_engine_queue *queue, void *to, size_t size, const void *pattern,
      size_t pattern_size); /* the pattern is taken before the return */
  ze_result_t (*copy_region)(
      struct zecl_engine_queue *queue, const struct zecl_copy_region *region);

  ze_result_t (*copy_texels)(struct zecl_engine_queue *queue, const struct zecl_texel_copy *copy);

  /* A function of the host, on a thread of the engine's. It does not call the engine. */
  ze_result_t (*call)(struct zecl_engine_queue *queue, zecl_host_function *function, void *user);

  /* Words in host memory of this engine: of events. The host writes and reads them too. A wait ends
   * when one of the bits is set. */
  ze_result_t (*write_word)(struct zecl_engine_queue *queue, uint32_t *word, uint32_t value);
  ze_result_t (*await_bits)(struct zecl_engine_queue *queue, uint32_t *word, uint32_t bits);

  /* Semaphores of other interfaces, by a descriptor that is the engine's once it is imported. The
   * value is a timeline's. A semaphore is released once no queue has work with it. */
  ze_result_t (*semaphore_import)(
      uint32_t device, int file, bool is_timeline, struct zecl_engine_semaphore **semaphore);
  void (*semaphore_release)(struct zecl_engine_semaphore *semaphore);
  ze_result_t (*semaphore_use)(struct zecl_engine_queue *queue,
      struct zecl_engine_semaphore *semaphore, bool signals, uint64_t value);

  /* The device's clock, in nanoseconds: written in the stream, or read by the host. */
  ze_result_t (*write_time)(struct zecl_engine_queue *queue, uint64_t *to);
  ze_result_t (*read_time)(uint32_t device, uint64_t *time);

  /* Ends the host's work in this queue, for a queue that is released with work in it. */
  void (*cancel)(struct zecl_engine_queue *queue);

  /* SUCCESS when all is done, NOT_READY, or DEVICE_LOST. From any thread. */
  ze_result_t (*status)(struct zecl_engine_queue *queue);

  /* Makes a graph of the copies, fills and kernels that `record` gives to a queue like this one,
   * which are not done. Null if it fails, or if some of that needs the host. A graph may be
   * launched again while it runs, by one thread at a time, and released. */
  struct zecl_engine_graph *(*graph_record)(struct zecl_engine_queue *like,
      ze_result_t (*record)(struct zecl_engine_queue *queue, const void *what), const void *what);

  /* Within `record`, around each command, which has the next number from 0 on: it waits for those
   * of these numbers. A command that blocks is nothing but an order, and needs no end: all that
   * follow wait for what it waits for, and without numbers for all before it. */
  ze_result_t (*graph_begin)(
      struct zecl_engine_queue *queue, const uint32_t *waits, uint32_t count, bool blocks);
  ze_result_t (*graph_end)(struct zecl_engine_queue *queue);

  ze_result_t (*graph_launch)(struct zecl_engine_queue *queue, struct zecl_engine_graph *graph);
  void (*graph_release)(struct zecl_engine_graph *graph);
};

struct zecl_engine {
  uint32_t device_count;
  const struct zecl_engine_properties *properties; /* of each device */
  const struct zecl_engine_memory *memory;         /* null: the host's */
  const struct zecl_engine_streams *streams;       /* null: queues run kernels only */

  /* Creates a queue of a device. Priorities begin at 0; a higher one is more urgent. */
  struct zecl_engine_queue *(*queue_create)(uint32_t device, unsigned priority);
  void (*queue_release)(struct zecl_engine_queue *queue);

  /* Waits for what was enqueued. DEVICE_LOST on failure. */
  ze_result_t (*queue_finish)(struct zecl_engine_queue *queue);

  /* Builds a module without imports, whose variables have their memory. On failure the log has the
   * engine's own text. */
  struct zecl_engine_program *(*program_build)(
      const struct zecl_program *program, struct zecl_text *log);

  /* Binaries of the device, and the memory of variables on it; null where binaries are shared
   * objects of the host, and the driver keeps the variables. The array is the program's. */
  struct zecl_engine_program *(*program_load)(
      const void *bytes, size_t size, struct zecl_text *log);
  const struct zecl_engine_function *(*program_functions)(
      struct zecl_engine_program *program, uint32_t *count);
  void *(*program_variable)(
      struct zecl_engine_program *program, uint32_t device, const char *name, size_t *size);

  void (*program_release)(struct zecl_engine_program *program);

  struct zecl_engine_kernel *(*kernel_create)(
      struct zecl_engine_program *program, const char *name, ze_result_t *error);
  void (*kernel_release)(struct zecl_engine_kernel *kernel);
  void (*kernel_get_limits)(
      struct zecl_engine_kernel *kernel, struct zecl_engine_kernel_limits *limits);

  /* A value stays where it is until the kernel is enqueued. */
  ze_result_t (*set_value)(
      struct zecl_engine_kernel *kernel, uint32_t index, size_t size, const void *value);
  ze_result_t (*set_pointer)(struct zecl_engine_kernel *kernel, uint32_t index, void *pointer);
  ze_result_t (*set_local)(struct zecl_engine_kernel *kernel, uint32_t index, size_t size);
  ze_result_t (*set_image)(
      struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_image *image);
  ze_result_t (*set_sampler)(
      struct zecl_engine_kernel *kernel, uint32_t index, struct zecl_engine_sampler *sampler);

  /* The number of groups of so many work-items that may wait for each other. Null if it is one. */
  uint32_t (*cooperating_groups)(struct zecl_engine_kernel *kernel, uint32_t items);

  /* Sizes are in work-items; `offset` may be null for zero, `local` for a size of the engine's
   * choice. `cooperative`: the groups wait for each other. */
  ze_result_t (*enqueue)(struct zecl_engine_queue *queue, struct zecl_engine_kernel *kernel,
      const size_t offset[3], const size_t global[3], const size_t local[3], bool cooperative);

  /* True if there are images of so many channels in all types, read and written as OpenCL defines
   * it. Null for an engine that is probed (images/probe.h). */
  bool (*image_has_format)(enum zecl_channel_type channel, uint32_t channels);
  ze_result_t (*image_create)(
      const struct zecl_engine_image_desc *desc, struct zecl_engine_image **image);
  void (*image_release)(struct zecl_engine_image *image);

  /* Copies texels, without gaps, from or to a box of an image, after what was enqueued; done on
   * return. Null with streams, which copy_texels. */
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
