/* Shared declarations of the micro-benchmarks. Each operation has two loops, one through syclze and
   one in plain Level Zero; time.c times them against each other and count.c runs them under
   callgrind. */
#ifndef BENCH_BENCH_H
#define BENCH_BENCH_H

#include "syclze/command.h"
#include "syclze/syclze.h"

struct syclze__mutable_desc;

/* Fixtures of the operations, created once: the native handles, and each of them wrapped under
   keep. */
struct bench_world {
  ze_driver_handle_t driver;
  ze_device_handle_t device;
  ze_context_handle_t context;
  ze_command_queue_desc_t queue_desc;
  ze_command_queue_handle_t queue;
  ze_command_list_handle_t list;
  ze_event_pool_handle_t event_pool; /* capacity 3; index 0 is `event`, 2 is `signalled` */
  ze_event_handle_t event, signalled;
  ze_module_handle_t module; /* null if the driver cannot build it, as are its kernels */
  ze_kernel_handle_t kernel;
  ze_kernel_handle_t no_work; /* a kernel without arguments that does nothing */
  const void *spirv;
  size_t spirv_size;
  /* Entry points of newer loaders, by which wrapped handles are checked; null on older loaders. */
  struct {
    ze_result_t(ZE_APICALL *list_is_immediate)(ze_command_list_handle_t, ze_bool_t *);
    ze_result_t(ZE_APICALL *list_get_context)(ze_command_list_handle_t, ze_context_handle_t *);
    ze_result_t(ZE_APICALL *list_get_device)(ze_command_list_handle_t, ze_device_handle_t *);
    ze_result_t(ZE_APICALL *list_get_flags)(ze_command_list_handle_t, ze_command_queue_flags_t *);
    ze_result_t(ZE_APICALL *list_get_mode)(ze_command_list_handle_t, ze_command_queue_mode_t *);
    ze_result_t(ZE_APICALL *list_synchronize)(ze_command_list_handle_t, uint64_t);
    ze_result_t(ZE_APICALL *event_get_pool)(ze_event_handle_t, ze_event_pool_handle_t *);
    ze_result_t(ZE_APICALL *pool_get_context)(ze_event_pool_handle_t, ze_context_handle_t *);
    ze_result_t(ZE_APICALL *append_lists)(ze_command_list_handle_t, uint32_t,
        ze_command_list_handle_t *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
    ze_result_t(ZE_APICALL *next_command)(
        ze_command_list_handle_t, const struct syclze__mutable_desc *, uint64_t *);
    ze_result_t(ZE_APICALL *update_commands)(
        ze_command_list_handle_t, const struct syclze__mutable_desc *);
    ze_result_t(ZE_APICALL *next_of_kernels)(ze_command_list_handle_t,
        const struct syclze__mutable_desc *, uint32_t, ze_kernel_handle_t *, uint64_t *);
    ze_result_t(ZE_APICALL *update_kernels)(
        ze_command_list_handle_t, uint32_t, uint64_t *, ze_kernel_handle_t *);
    ze_result_t(ZE_APICALL *append_graph)(ze_command_list_handle_t, void *, const void *,
        ze_event_handle_t, uint32_t, ze_event_handle_t *);
  } newer;
  struct {
    syclze_platform platform;
    syclze_device device;
    syclze_context context;
    syclze_queue queue; /* over the immediate list */
    syclze_event event, signalled;
    syclze_kernel_bundle kernel_bundle;
    syclze_kernel kernel;
    syclze_kernel no_work;
  } wrapped;
};

/* Opens the first device of the first driver. A program has one world. */
ze_result_t bench_world_open(struct bench_world *world, const void *spirv, size_t spirv_size);
void bench_world_close(struct bench_world *world);

/* Runs the operation `count` times, a power of two unless the operation says otherwise. */
typedef ze_result_t bench_block(const struct bench_world *world, uint32_t count);

struct bench_op {
  const char *name; /* null ends a table */
  uint32_t budget;  /* instructions beyond those of `plain`; 0 for none */
  uint32_t locked;  /* budget of those that lock the bus; 0 is none at all */
  uint32_t peer;    /* instructions of DPC++ 2026.2; 0: not measured */
  bench_block *syclze;
  bench_block *plain; /* the same Level Zero calls by hand; null if there are none */
  uint32_t live;      /* number of live objects, which is the block size; 0 for any block size */
  bool needs_kernel;  /* skipped if the driver built no kernel */
};

extern const struct bench_op bench_get_native_ops[], bench_platform_ops[], bench_context_ops[],
    bench_queue_ops[], bench_queue_create_ops[], bench_event_ops[], bench_kernel_bundle_ops[],
    bench_kernel_ops[], bench_launch_ops[], bench_submit_ops[], bench_submit_other_ops[],
    bench_host_task_ops[], bench_graph_ops[], bench_replay_ops[], bench_usm_ops[],
    bench_buffer_ops[], bench_retain_ops[], bench_object_ops[], bench_live_ops[], bench_trace_ops[],
    bench_flat_ops[], bench_queue_submit_ops[], bench_queue_order_ops[];

/* Defined in op_untraced.c. */
ze_result_t bench_launches_untraced(syclze_queue queue, syclze_kernel kernel, uint32_t count);

/* Measure one operation; return the result of the block that failed. */
ze_result_t bench_time(const struct bench_op *op, const struct bench_world *world);
ze_result_t bench_count(const struct bench_op *op, const struct bench_world *world);
void bench_time_heading(void);

/* Returns from a block at the first call that fails. */
#define BENCH_TRY(call)                                                                            \
  do {                                                                                             \
    ze_result_t bench_result = (call);                                                             \
    if (__builtin_expect(bench_result != ZE_RESULT_SUCCESS, 0)) return bench_result;               \
  } while (0)

/* One block of several operations, and the function of one of them: on what is no argument at run
   time, such as a kind of queue. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))
#define ON(name, operation, subject)                                                               \
  static ze_result_t name(const struct bench_world *world, uint32_t count) {                       \
    return operation(world, count, subject);                                                       \
  }

/* Not inlined, as a function of another file would not be. */
#ifdef __clang__
#define BENCH_CALLED static __attribute__((noinline))
#else
#define BENCH_CALLED static __attribute__((noipa))
#endif

/* Makes the optimiser assume that the variable, a pointer or an integer, was modified. Emits no
   instruction. */
#define BENCH_OPAQUE(variable) __asm__ volatile("" : "+r"(variable))

#endif
