/* Locks, and the order in which a thread acquires them. */
#ifndef SYCLZE_DETAIL_SYNC_RANK_H
#define SYCLZE_DETAIL_SYNC_RANK_H

#include "../../config.h"

SYCLZE_EXTERN_C_BEGIN

/* The ranks of locks: a thread that holds one acquires only those below it, and no second one of
 * its rank. A tried lock may have any rank: the thread releases what it holds before it waits for
 * it (command/detail/plain/lock_await.h).
 *
 *      set of device images
 *        |
 *      cache of a program, globals of a program
 *        |
 *      graph that is updated
 *        |
 *      memory objects over native handles
 *        |
 *      memory object   (several of a group: tried)
 *        |
 *      queue           (its own after memory objects, and a kernel's former owner: tried)
 *        |
 *      runs of a graph
 *        |
 *      graph that is recorded, uses of a kernel, lanes of a graph, deferred signals
 *        |
 *      workers         (whose tasks try a queue while they wait)
 *        |
 *      pools of memory
 *        |
 *      queues of native lists, children of all threads
 *        |
 *      children of a thread, idle events of a context
 *        |
 *      pool
 *        |
 *      tables of traces, framework of traces, checker
 */
enum syclze__lock_rank {
  SYCLZE__RANK_OFFLOAD_SET = 1,
  SYCLZE__RANK_PROGRAM_CACHE,
  SYCLZE__RANK_PROGRAM_GLOBALS,
  SYCLZE__RANK_UPDATED_GRAPH,
  SYCLZE__RANK_ALIASES,
  SYCLZE__RANK_MEMORY,
  SYCLZE__RANK_QUEUE,
  SYCLZE__RANK_RUNS,
  SYCLZE__RANK_RECORDED_GRAPH,
  SYCLZE__RANK_KERNEL,
  SYCLZE__RANK_LANES,
  SYCLZE__RANK_SIGNALS,
  SYCLZE__RANK_WORKERS,
  SYCLZE__RANK_MEMORY_POOLS,
  SYCLZE__RANK_NATIVE_LISTS,
  SYCLZE__RANK_CHILDREN,
  SYCLZE__RANK_THREAD,
  SYCLZE__RANK_IDLE_EVENTS,
  SYCLZE__RANK_POOL,
  SYCLZE__RANK_TRACE,
  SYCLZE__RANK_FRAMEWORK,
  SYCLZE__RANK_CHECKER,
  SYCLZE__RANKS
};

/* Four bytes, zero at first: held, threads may be asleep, and, with SYCLZE__INVARIANTS, two bytes
 * for the holder. */
struct SYCLZE__LOCKABLE("lock") syclze__lock {
  uint32_t word;
};

/* The type of a lock of a rank, which takes no memory. */
#ifdef __cplusplus
#define SYCLZE__LOCK(rank)                                                                         \
  struct {                                                                                         \
    enum { OF_RANK = rank };                                                                       \
    struct syclze__lock any;                                                                       \
  }
#define SYCLZE__RANK_OF(lock) ((uint32_t)(lock)->OF_RANK)
#else
#define SYCLZE__LOCK(rank)                                                                         \
  struct {                                                                                         \
    __extension__ char of_rank[0][rank];                                                           \
    struct syclze__lock any;                                                                       \
  }
#define SYCLZE__RANK_OF(lock) ((uint32_t)sizeof(lock)->of_rank[0])
#endif

SYCLZE_EXTERN_C_END

#endif
