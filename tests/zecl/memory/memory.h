/* Allocations, found by any address within them. */
#ifndef ZECL_MEMORY_MEMORY_H
#define ZECL_MEMORY_MEMORY_H

#include "core/context.h"

struct zecl_device;
struct zecl_shared_range;

struct zecl_allocation {
  char *base;
  size_t size;
  ze_memory_type_t type;
  uint64_t id;
  struct zecl_device *device; /* null for host memory, and shared memory of no device */
  struct zecl_context *context;
  struct zecl_shared_range
      *shared;      /* what other processes can map, or null for memory of our own */
  bool is_opened;   /* of another process's: closed, and not freed */
  bool is_discrete; /* see discrete.h */
  bool is_external; /* of an engine: see external.h */
  void *origin;     /* by which an engine with memory of its own frees it */
};

/* Adds an allocation to the index, with a reference to its context; removes it, by its base: true
 * when it was there. */
ze_result_t zecl_memory_add(const struct zecl_allocation *allocation);
bool zecl_memory_take(
    struct zecl_context *context, const void *base, bool is_opened, struct zecl_allocation *taken);

/* Frees the memory itself, after its removal from the index. */
void zecl_memory_give(const struct zecl_allocation *allocation);

/* Frees what zeMemFreeExt deferred, where the work that was in flight then is done. */
void zecl_memory_free_deferred(void);

/* Calls `see` with each allocation. Nothing else may be going on. */
void zecl_memory_each(void (*see)(const struct zecl_allocation *allocation));

/* Copies the allocation that holds `address`, of any context of the driver, or under ZECL_CHECK=1
 * of this one; false if there is none. */
bool zecl_memory_find(
    struct zecl_context *context, const void *address, struct zecl_allocation *found);

#endif
