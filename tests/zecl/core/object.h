/* The header of every zecl handle. A handle is a pointer to a struct whose first member is a
 * zecl_object; its kind separates a driver from an event, and a live handle from a destroyed one.
 *
 * Objects stand in slabs, which are found by their address, so that a handle is read only where an
 * object begins: any other value is refused unread. The memory of a
 * destroyed object is kept for later objects and never returns to the system, so that a stale
 * handle is refused too. */
#ifndef ZECL_CORE_OBJECT_H
#define ZECL_CORE_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

enum zecl_kind {
  ZECL_DEAD = 0, /* destroyed */
  ZECL_DRIVER,
  ZECL_DEVICE,
  ZECL_CONTEXT,
  ZECL_EVENT_POOL,
  ZECL_EVENT,
  ZECL_FENCE,
  ZECL_QUEUE,
  ZECL_LIST,
  ZECL_MODULE,
  ZECL_BUILD_LOG,
  ZECL_KERNEL,
  ZECL_IMAGE,
  ZECL_SAMPLER,
  ZECL_PHYSICAL,
  ZECL_SEMAPHORE,
  ZECL_GRAPH,
  ZECL_EXECUTABLE_GRAPH
};

struct zecl_object {
  _Atomic(enum zecl_kind) kind;
  atomic_uint references; /* the handle's own and one for each piece of work in flight */
};

/* A new object of `size` bytes, 64-byte aligned, all zero behind its header, with one reference:
 * the handle's. Null when there is no memory. */
void *zecl_object_create(enum zecl_kind kind, size_t size);

static inline void zecl_object_retain(void *object) {
  atomic_fetch_add_explicit(&((struct zecl_object *)object)->references, 1, memory_order_relaxed);
}

/* Drops a reference. The last one calls `finish` (may be null), which takes apart what the object
 * holds, and then keeps the memory; `size` is that of zecl_object_create. */
void zecl_object_release(void *object, size_t size, void (*finish)(void *object));

/* Ends the life of a handle, once: false where it was destroyed before, or is of another kind. The
 * handle's own reference is then the caller's to release. */
static inline bool zecl_object_kill(void *object, enum zecl_kind kind) {
  return atomic_compare_exchange_strong(&((struct zecl_object *)object)->kind, &kind, ZECL_DEAD);
}

/* Calls `visit` with each live object, slab by slab. No other thread may use the driver. */
void zecl_object_each(void (*visit)(const void *object, enum zecl_kind kind));

enum {
  ZECL_OBJECT_LINE = 64,     /* the alignment of objects */
  ZECL_SLAB_SIZE = 1 << 16,  /* and the alignment of slabs */
  ZECL_SLAB_LIMIT = 1 << 16, /* slabs of a process */
};

struct zecl_slab {
  uint64_t starts[ZECL_SLAB_SIZE / ZECL_OBJECT_LINE / 64]; /* a bit for each line with an object */
  struct zecl_slab *newer;
};

/* Open addressing, at most half full; a slab is never removed. */
extern _Atomic(struct zecl_slab *) zecl_slabs[2 * ZECL_SLAB_LIMIT];

static inline size_t zecl_slab_hash(uintptr_t base) {
  return (size_t)(base / ZECL_SLAB_SIZE * UINT64_C(0x9e3779b97f4a7c15) >> 47);
}

/* True if an object begins at the address, live or destroyed. */
static inline bool zecl_object_exists(const void *handle) {
  const uintptr_t base = (uintptr_t)handle & ~(uintptr_t)(ZECL_SLAB_SIZE - 1);
  const size_t offset = (uintptr_t)handle - base, line = offset / ZECL_OBJECT_LINE;
  if (offset % ZECL_OBJECT_LINE != 0) return false;
  for (size_t i = zecl_slab_hash(base);; i = (i + 1) % (2 * ZECL_SLAB_LIMIT)) {
    const struct zecl_slab *slab = atomic_load_explicit(&zecl_slabs[i], memory_order_acquire);
    if (!slab) return false;
    if ((uintptr_t)slab == base) return slab->starts[line / 64] >> line % 64 & 1;
  }
}

/* SUCCESS for a live handle of that kind, INVALID_NULL_HANDLE for null, INVALID_ARGUMENT else. */
static inline ze_result_t zecl_object_check(const void *handle, enum zecl_kind kind) {
  if (!handle) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (!zecl_object_exists(handle) ||
      atomic_load_explicit(&((const struct zecl_object *)handle)->kind, memory_order_relaxed) !=
          kind)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return ZE_RESULT_SUCCESS;
}

#endif
