/**
 * @file
 * Memory that commands of a queue allocate and free, and the pools that it comes from.
 * EXPERIMENTAL, and included by name.
 *
 *     #include "syclze/syclze.h"
 *     #include "syclze/async_memory.h"
 *     // The queue is in-order: the second allocation takes the memory of the first.
 *     static ze_result_t sum_up(syclze_queue queue, syclze_kernel kernel, float *sums) {
 *       const syclze_nd_range range = {.global = {256}};
 *       const ze_memory_type_t device = ZE_MEMORY_TYPE_DEVICE;
 *       ze_result_t result = ZE_RESULT_SUCCESS;
 *       for (int i = 0; i < 2 && result == ZE_RESULT_SUCCESS; i++) {
 *         void *scratch;
 *         result = syclze_malloc_async(queue, device, 4096, &scratch, NULL, 0, NULL);
 *         if (result != ZE_RESULT_SUCCESS) return result;
 *         result = syclze_queue_launch(
 *             queue, kernel, &range, NULL, 0, NULL, syclze_arg(scratch), syclze_arg(sums));
 *         const ze_result_t freed = syclze_free_async(queue, scratch, NULL, 0, NULL);
 *         if (result == ZE_RESULT_SUCCESS) result = freed;
 *       }
 *       return result; // nothing has waited for the queue
 *     }
 *
 * The call allocates, and returns the address. The memory may be used behind the command: by later
 * work of the same in-order queue, or by work that waits for the command's event. A free is a
 * command too: once it is done, the memory is the pool's. Later allocations by the same in-order
 * queue reuse it at once; others, once the free is known to be done.
 *
 * Unused memory stays in the pool up to its threshold. Later calls for the pool, queries included,
 * return the rest to the driver; the pool's end returns all. An allocation reuses a whole freed
 * one, which is large enough and at most twice as large.
 *
 * Each queue has default pools, one for each kind of memory, shared by all queues of its context
 * and device. A default pool lasts as long as a queue that has used it, or memory of it that is not
 * freed.
 *
 * On a queue that records to a graph (command/graph.h) an allocation and a free are nodes of it,
 * and the memory is device memory of the graph. Nodes reuse memory that nodes which they depend on
 * have freed. Of a pool only the kind and SYCLZE_MEMORY_POOL_ZERO_INIT matter: the memory is zero
 * when the graph is finalized. Such a graph has one executable graph at a time:
 * syclze_graph_finalize refuses another until that one is released and has run. It cannot be a node
 * of another graph, and nodes that allocate or free cannot be updated. The memory lasts as long as
 * the graph and the executable one.
 *
 * Ownership: the memory is the pool's. Free it by syclze_free_async, not by syclze_free or
 * zeMemFree. A pool keeps its context. It lasts until its last reference is released and all of its
 * memory is freed; no release waits.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference, and each group is one thread's.
 */
#ifndef SYCLZE_ASYNC_MEMORY_H
#define SYCLZE_ASYNC_MEMORY_H

#include "command/graph.h"
#include "queue_commands.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__memory_pool;

/** A pool of memory; {0} is null. @see sycl_ext_oneapi_async_memory_alloc (memory_pool) */
typedef struct syclze_memory_pool {
  struct syclze__memory_pool *rep;
} syclze_memory_pool;

/** Properties of a pool, as flags. @see sycl_ext_oneapi_async_memory_alloc (Memory pool properties)
 */
typedef enum syclze_memory_pool_flags {
  /** No kernel writes to the memory: a hint. */
  SYCLZE_MEMORY_POOL_READ_ONLY = 1 << 0,
  /** Memory that is new to the pool is zero once the command of its allocation is done. Reused
   * memory keeps its contents. */
  SYCLZE_MEMORY_POOL_ZERO_INIT = 1 << 1
} syclze_memory_pool_flags;

/** Properties of a pool. {0} are the defaults. */
typedef struct syclze_memory_pool_properties {
  uint32_t flags;           /* of syclze_memory_pool_flags; 0 for none */
  size_t initial_threshold; /* in bytes; 0 returns all unused memory to the driver */
  size_t maximum_size;      /* in bytes, of the pool; 0 for the driver's own limit */
} syclze_memory_pool_properties;

/**
 * Creates a pool, without memory.
 *
 * @param[in] kind  ZE_MEMORY_TYPE_DEVICE, ZE_MEMORY_TYPE_SHARED or ZE_MEMORY_TYPE_HOST.
 * @param[in] device  In the context; null is refused, except for memory of the host, which has
 * none.
 * @param[in] context  Null is refused. The pool keeps it.
 * @param[in] properties  May be null for the defaults.
 * @param[out] pool  Not null; set to null on failure.
 * Ownership afterwards: a reference of the caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `pool` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the flags have unknown bits
 * - SYCLZE_RESULT_ERROR_INVALID: the kind is another; the device is not in the context
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool constructors)
 */
SYCLZE_COLD ze_result_t syclze_memory_pool_create(ze_memory_type_t kind, syclze_device device,
    syclze_context context, const syclze_memory_pool_properties *properties,
    syclze_memory_pool *pool) SYCLZE_LINK_NAME(syclze_memory_pool_create);

/**
 * Returns the pool that syclze_malloc_async takes memory of a kind from.
 *
 * @param[in] kind  As of syclze_memory_pool_create.
 * @param[in] device  In the context; null is refused, except for memory of the host.
 * @param[in] context  Null is refused.
 * @param[out] pool  Not null; set to null on failure. The same one, as long as it lasts.
 * Ownership afterwards: a reference of the caller's.
 * @return As syclze_memory_pool_create.
 * @see sycl_ext_oneapi_async_memory_alloc (context::ext_oneapi_get_default_memory_pool)
 */
SYCLZE_COLD ze_result_t syclze_memory_pool_get_default(
    ze_memory_type_t kind, syclze_device device, syclze_context context, syclze_memory_pool *pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_default);

/**
 * Returns the context.
 *
 * @param[in] pool  Not null.
 * @return The context. Its ownership is unchanged: no reference is added.
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::get_context)
 */
SYCLZE_COLD syclze_context syclze_memory_pool_get_context(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_context);

/**
 * Returns the device.
 *
 * @param[in] pool  Not null.
 * @return The device; of memory of the host the first one of the context.
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::get_device)
 */
SYCLZE_COLD syclze_device syclze_memory_pool_get_device(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_device);

/**
 * Returns the kind of the memory.
 *
 * @param[in] pool  Not null.
 * @return The kind that the pool was created with.
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::get_alloc_kind)
 */
SYCLZE_COLD ze_memory_type_t syclze_memory_pool_get_kind(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_kind);

/**
 * Returns the threshold.
 *
 * @param[in] pool  Not null.
 * @return The size that stays in the pool, in bytes.
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::get_threshold)
 */
SYCLZE_COLD size_t syclze_memory_pool_get_threshold(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_threshold);

/**
 * Raises the threshold; a lower value has no effect.
 *
 * @param[in] pool  Null is refused.
 * @param[in] threshold  In bytes.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the pool is null
 * - ZE_RESULT_ERROR_UNINITIALIZED: in the child of a fork
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::increase_threshold_to)
 */
SYCLZE_COLD ze_result_t syclze_memory_pool_increase_threshold_to(syclze_memory_pool pool,
    size_t threshold) SYCLZE_LINK_NAME(syclze_memory_pool_increase_threshold_to);

/**
 * Returns the size of all driver memory of the pool.
 *
 * @param[in] pool  Not null.
 * @return The size, in bytes; known free memory above the threshold is returned to the driver
 * first.
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::get_reserved_size_current)
 */
SYCLZE_COLD size_t syclze_memory_pool_get_reserved_size(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_reserved_size);

/**
 * Returns the size of the memory that is allocated, or whose free is not done.
 *
 * @param[in] pool  Not null.
 * @return The size, in bytes, of the pieces that the allocations have.
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool::get_used_size_current)
 */
SYCLZE_COLD size_t syclze_memory_pool_get_used_size(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_get_used_size);

/**
 * Adds a reference.
 *
 * @param[in] pool  No effect for null.
 * @return ZE_RESULT_SUCCESS.
 * @see SYCL 2020 4.5.2 (common reference semantics)
 */
SYCLZE_COLD ze_result_t syclze_memory_pool_retain(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_retain);

/**
 * Drops a reference. After the last one the pool ends once all memory of it is freed; that is
 * waited for in the background.
 *
 * @param[in] pool  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - the first that zeMemFree and the release of the context return; the object is released anyway
 * @see sycl_ext_oneapi_async_memory_alloc (memory_pool destructor)
 */
SYCLZE_COLD ze_result_t syclze_memory_pool_release(syclze_memory_pool pool)
    SYCLZE_LINK_NAME(syclze_memory_pool_release);

/**
 * Allocates memory of the queue's device, or of the host, from a default pool.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] kind  As of syclze_memory_pool_create.
 * @param[in] size  In bytes. With 0 there is only the command, no memory.
 * @param[out] memory  Not null; set to null for a size of 0, and on failure.
 * @param[out] event  Of the allocation, which is done when what the group depends on is; on an
 * in-order queue behind all earlier work. May be null; the caller owns the reference.
 * Ownership afterwards: the memory is the pool's, to be freed by syclze_free_async, by any queue of
 * the context.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the kind is another
 * - SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION: the pool would exceed its maximum size
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the command
 * - what zeMemAllocDevice, zeMemAllocShared or zeMemAllocHost, and what a barrier or a fill returns
 *
 * A driver without memory is asked again once the pool's unused memory is returned to it. After any
 * other error nothing is submitted, and the pool is as it was.
 * @see sycl_ext_oneapi_async_memory_alloc (async_malloc of a handler)
 */
SYCLZE_COLD ze_result_t syclze_group_malloc_async(syclze_group *group, ze_memory_type_t kind,
    size_t size, void **memory, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_malloc_async);

/**
 * Allocates memory from a pool.
 *
 * @param[in,out] group  Not null. Ended by the call.
 * @param[in] size  In bytes. With 0 there is only the command, no memory.
 * @param[in] pool  Of the queue's context and, except for memory of the host, device. Null is an
 * error.
 * @param[out] memory  As of syclze_group_malloc_async.
 * @param[out] event  As of syclze_group_malloc_async.
 * Ownership afterwards: as of syclze_group_malloc_async.
 * @return As syclze_group_malloc_async, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the pool is null
 * - SYCLZE_RESULT_ERROR_INVALID: the pool is of another context or device
 * @see sycl_ext_oneapi_async_memory_alloc (async_malloc_from_pool of a handler)
 */
SYCLZE_COLD ze_result_t syclze_group_malloc_async_from_pool(
    syclze_group *group, size_t size, syclze_memory_pool pool, void **memory, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_group_malloc_async_from_pool);

/**
 * Frees memory of the functions above, once the group's dependencies are done, and on an in-order
 * queue all earlier work.
 *
 * @param[in,out] group  Of a queue of the memory's context. Not null. Ended by the call.
 * @param[in] memory  As allocated. With null there is only the command.
 * @param[out] event  Of the free; may be null. The caller owns the reference.
 * Ownership afterwards: the memory is freed. After an error it stays allocated.
 * @return ZE_RESULT_SUCCESS; what a requirement of the group failed with; or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the queue is null
 * - SYCLZE_RESULT_ERROR_INVALID: the memory is not allocated so in the queue's context, or was
 * freed
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the command
 * - what a barrier or the creation of an event returns
 * @see sycl_ext_oneapi_async_memory_alloc (async_free of a handler)
 */
SYCLZE_COLD ze_result_t syclze_group_free_async(syclze_group *group, void *memory,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_group_free_async);

/**
 * Allocates memory by a command of a queue, as syclze_group_malloc_async.
 *
 * @param[in] queue  Null is an error.
 * @param[in] kind  As of syclze_memory_pool_create.
 * @param[in] size  In bytes. With 0 there is only the command, no memory.
 * @param[out] memory  Not null; set to null for a size of 0, and on failure.
 * @param[in] waits, wait_count  Events that the allocation follows, and their number; null events
 * are complete.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_group_malloc_async, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `waits` is null and `wait_count` is not 0
 * @see sycl_ext_oneapi_async_memory_alloc (async_malloc of a queue)
 */
SYCLZE_COLD ze_result_t syclze_malloc_async(syclze_queue queue, ze_memory_type_t kind, size_t size,
    void **memory, const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_malloc_async);

/**
 * Allocates memory from a pool, as syclze_group_malloc_async_from_pool.
 *
 * @param[in] queue  Null is an error.
 * @param[in] size  In bytes. With 0 there is only the command, no memory.
 * @param[in] pool  Of the queue's context and, except for memory of the host, device. Null is an
 * error.
 * @param[out] memory  Not null; set to null for a size of 0, and on failure.
 * @param[in] waits, wait_count  Events that the allocation follows, and their number; null events
 * are complete.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_malloc_async, of syclze_group_malloc_async_from_pool.
 * @see sycl_ext_oneapi_async_memory_alloc (async_malloc_from_pool of a queue)
 */
SYCLZE_COLD ze_result_t syclze_malloc_async_from_pool(syclze_queue queue, size_t size,
    syclze_memory_pool pool, void **memory, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_malloc_async_from_pool);

/**
 * Frees memory by a command of a queue, as syclze_group_free_async.
 *
 * @param[in] queue  Of the memory's context. Null is an error.
 * @param[in] memory  With null there is only the command.
 * @param[in] waits, wait_count  Events that the free follows, and their number; null events are
 * complete.
 * @param[out] event  May be null; the caller owns the reference.
 * @return As syclze_malloc_async, of syclze_group_free_async.
 * @see sycl_ext_oneapi_async_memory_alloc (async_free of a queue)
 */
SYCLZE_COLD ze_result_t syclze_free_async(syclze_queue queue, void *memory,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event)
    SYCLZE_LINK_NAME(syclze_free_async);

/**
 * Returns the size of the memory that the nodes of a graph allocate.
 *
 * @param[in] executable  Not null.
 * @return The size, in bytes, allocated of the driver; memory that several nodes use counts once.
 * @see sycl_ext_oneapi_graph (command_graph::get_required_mem_size)
 */
SYCLZE_COLD size_t syclze_executable_graph_get_required_memory_size(
    syclze_executable_graph executable)
    SYCLZE_LINK_NAME(syclze_executable_graph_get_required_memory_size);

SYCLZE_EXTERN_C_END

/* The place in the list of kinds. */
#undef SYCLZE__WITH_MEMORY_POOLS
#define SYCLZE__WITH_MEMORY_POOLS(...) __VA_ARGS__
SYCLZE__OVERLOAD_RETAIN(memory_pool)
SYCLZE__OVERLOAD_RELEASE(memory_pool)

#include "command/detail/commands/memory_pool.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_memory_pool_create(...) (SYCLZE__HERE(syclze_memory_pool_create)(__VA_ARGS__))
#define syclze_memory_pool_get_default(...)                                                        \
  (SYCLZE__HERE(syclze_memory_pool_get_default)(__VA_ARGS__))
#define syclze_memory_pool_release(...) (SYCLZE__HERE(syclze_memory_pool_release)(__VA_ARGS__))
#endif

#endif
