/* The state that all source files of a linked image share, and the only one.
 *
 * Zero-initialised; its symbol carries SYCLZE_ABI, and is common and hidden: an executable and each
 * shared object that use the library have a state of their own. Objects made in one may be used and
 * released in another, as long as the one that made them stays loaded. A program that wants one
 * state for all of them, or whose linker has no common symbols, defines SYCLZE_STATE_EXTERN
 * everywhere and puts SYCLZE_DEFINE_STATE; into one file. */
#ifndef SYCLZE_STATE_H
#define SYCLZE_STATE_H

#include "sync/worker_set.h"

#include <stdlib.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

struct syclze_diagnostic_handler;
struct syclze__loader;
struct syclze__platform;
struct syclze__checker;
struct syclze__offload_set;
struct syclze__recorder;
struct syclze__xpti;
struct syclze__trace_calls;
struct syclze__trace_commands;

struct syclze__slab;
struct syclze__thread;

/* The first member of a pooled object. */
struct syclze__slot {
  struct syclze__slot *next; /* in a list of free objects */
  struct syclze__pool *pool; /* of the linked image that made the object; null for an allocation */
};

/* Free objects of one size (pool.h). */
struct syclze__pool {
  SYCLZE__LOCK(SYCLZE__RANK_POOL) lock;
  uint32_t free_count;          /* in `free` and `batches` */
  struct syclze__slot *free;    /* single objects */
  struct syclze__slot *batches; /* lists of SYCLZE__BATCH; the first's `pool` is the next list */
  char *unused, *unused_end;    /* of the slab, or part of one, that objects are made of now */
  struct syclze__slab *newest;  /* freed with the image (pool_end.h); see pool_trim.h */
  uint32_t kept;                /* `free_count` after the last trim, or less */
  uint32_t made;                /* objects, free or not */
  /* Frees what a free object owns; null if it owns nothing. Such a pool is not trimmed. */
  void (*end)(struct syclze__slot *slot);
} __attribute__((aligned(64)));

/* The first ones are children of contexts, kernels children of bundles (memory/sharded_count.h). */
enum syclze__pool_kind {
  SYCLZE__POOL_QUEUE,
  SYCLZE__POOL_EVENT,
  SYCLZE__POOL_KERNEL_BUNDLE,
  SYCLZE__POOL_BUFFER,
  SYCLZE__POOL_IMAGE,
  SYCLZE__POOL_KERNEL,
  SYCLZE__POOL_CONTEXT,
  SYCLZE__POOL_NATIVE_EVENT,
  SYCLZE__POOL_USE,
  SYCLZE__POOL_ACCESS,
  SYCLZE__POOL_ACCESSES,
  SYCLZE__POOL_WAITS,
  SYCLZE__POOL_HOST_TASK,
  SYCLZE__POOL_DEFERRED,
  SYCLZE__POOL_TRACE,
  SYCLZE__POOL_KINDS
};

enum { SYCLZE__ENTRIES = 128 };

/* Entry points of newer loaders, or null; filled by the first enumeration, which precedes any other
 * object. */
struct syclze__entry_points {
  ze_result_t(ZE_APICALL *init_drivers)(uint32_t *, ze_driver_handle_t *, void *);
  ze_result_t(ZE_APICALL *command_list_is_immediate)(ze_command_list_handle_t, ze_bool_t *);
  ze_result_t(ZE_APICALL *command_list_get_context)(
      ze_command_list_handle_t, ze_context_handle_t *);
  ze_result_t(ZE_APICALL *command_list_get_device)(ze_command_list_handle_t, ze_device_handle_t *);
  ze_result_t(ZE_APICALL *command_list_get_flags)(
      ze_command_list_handle_t, ze_command_queue_flags_t *);
  ze_result_t(ZE_APICALL *command_list_get_mode)(
      ze_command_list_handle_t, ze_command_queue_mode_t *);
  ze_result_t(ZE_APICALL *command_list_synchronize)(ze_command_list_handle_t, uint64_t);
  ze_result_t(ZE_APICALL *command_list_append_lists)(ze_command_list_handle_t, uint32_t,
      ze_command_list_handle_t *, ze_event_handle_t, uint32_t, ze_event_handle_t *);
  ze_result_t(ZE_APICALL *event_pool_get_context)(ze_event_pool_handle_t, ze_context_handle_t *);
  /* Not null only if event_pool_get_context is not. */
  ze_result_t(ZE_APICALL *event_get_pool)(ze_event_handle_t, ze_event_pool_handle_t *);
};

struct syclze__aliases;
struct syclze__engine;
struct syclze__sycl;
struct syclze__sycl_entry;

/* Objects known to SYCL (detail/sycl/known.h). */
struct syclze__sycl_known {
  SYCLZE__LOCK(SYCLZE__RANK_NATIVE_LISTS) lock;
  uint32_t removals; /* a word to sleep on */
  uint32_t count, bucket_count;
  struct syclze__sycl_entry **buckets;
};

struct syclze__state {
  const struct syclze_diagnostic_handler *diagnostic_handler;
  struct syclze__platform *platforms; /* the first of a list that only grows */
  uint32_t driver_types;              /* initialised by the library; of syclze_init_flag */
  struct syclze__entry_points entry;
  const struct syclze__loader *loader; /* with SYCLZE_LOADER_DYNAMIC; null until it is filled */
  struct syclze__checker *checker;     /* of detail/checker.h; null until the first check */
  uint32_t forked;                     /* this is the child of a fork (detail/sync/fork.h) */
  uint32_t fork_watched;               /* the child of a fork will notice */
  uint32_t stays;                      /* the linked image (detail/driver/image.h) */
  struct syclze__pool pools[SYCLZE__POOL_KINDS];
  struct syclze__thread *threads; /* blocks (memory/thread_cache.h); freed with the image */
  uint64_t entries_used[SYCLZE__ENTRIES / 64];     /* by parents, in all blocks: a bit each */
  SYCLZE__LOCK(SYCLZE__RANK_CHILDREN) thread_lock; /* of both, and of the counts of children */
  uint32_t trims;                                  /* pools to trim, a bit each; atomic */
  uint32_t threads_enabled;                        /* threads may have blocks */
  uint32_t ends;                                   /* pool_end.h is called when the image ends */
  struct syclze__offload_set *offload_set; /* registered device images; null until the first */
  struct syclze__workers workers;          /* threads in the background, of detail/sync/worker.h */
  struct syclze__aliases
      *aliases;              /* of command/detail/order/shared_native.h; null until the first */
  void (*aliases_end)(void); /* frees them once no memory object is alive */
  const struct syclze__engine
      *engine;     /* of command/detail/plain/engine.h; null until it is entered */
  uint64_t graphs; /* created so far, of command/detail/graph/graph.h */
  struct syclze__sycl_known sycl_known;
  struct syclze__sycl *sycl; /* of detail/sycl/runtime.h; null until a SYCL runtime is found */
  /* Tables of detail/trace_hooks.h; null while nothing is traced. */
  const struct syclze__trace_calls *trace_calls;
  const struct syclze__trace_commands *trace_commands;
  const struct syclze__trace_commands *trace_sinks[2]; /* that trace_commands stands for */
  /* Attaches trace/xpti.h; called by queue_create, since the environment may name a framework by
   * then. */
  void (*trace_attach)(void);
  void (*trace_level_zero)(void);    /* of trace/level_zero.h; null without it */
  struct syclze__recorder *recorder; /* of trace/writer.h; null until it is started */
  /* Tables of trace/xpti.h, and the framework, which is null until it is bound. */
  const struct syclze__trace_calls *xpti_calls;
  const struct syclze__trace_commands *xpti_commands;
  struct syclze__xpti *xpti;
  uint32_t xpti_off; /* why there is no framework, in trace/xpti/binding.h */
  SYCLZE__LOCK(SYCLZE__RANK_TRACE) trace_lock; /* of the tables, and while the framework is bound */
  uint64_t trace_key;                          /* of trace/detail/thread.h */
};

#define SYCLZE__STATE SYCLZE__STATE_(SYCLZE_ABI)
#define SYCLZE__STATE_(abi) SYCLZE__STATE__(abi)
#define SYCLZE__STATE__(abi) syclze__state_v##abi

/* One for all files of the linked image: a common symbol. C++ has these only in assembly; of weak
 * definitions the linker would keep each object file's memory. */
#ifdef SYCLZE_STATE_EXTERN
extern struct syclze__state SYCLZE__STATE;
#define SYCLZE_DEFINE_STATE struct syclze__state SYCLZE__STATE
#elif defined(_WIN32) && defined(__cplusplus)
__attribute__((selectany)) struct syclze__state SYCLZE__STATE = {};
#elif defined(_WIN32)
__attribute__((selectany)) struct syclze__state SYCLZE__STATE = {0};
#elif defined(__cplusplus)
extern __attribute__((visibility("hidden"))) struct syclze__state SYCLZE__STATE;
#define SYCLZE__STATE_BYTES 8192
#define SYCLZE__STATE_ASM(symbol, bytes) SYCLZE__STATE_ASM_(symbol, bytes)
#define SYCLZE__STATE_ASM_(symbol, bytes)                                                          \
  __asm__(".hidden " #symbol "\n.comm " #symbol ", " #bytes ", 64\n")
SYCLZE__STATE_ASM(SYCLZE__STATE, SYCLZE__STATE_BYTES);
static_assert(
    sizeof(struct syclze__state) <= SYCLZE__STATE_BYTES, "the common symbol is too small");
#else
__attribute__((common, visibility("hidden"), aligned(64))) struct syclze__state SYCLZE__STATE;
#endif

#ifdef __cplusplus
}
#endif

#endif
