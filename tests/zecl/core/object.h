/* What every zecl handle begins with. A handle is a pointer to a struct whose first member is a
 * zecl_object; the kind tells a driver from an event, and a destroyed handle from a live one.
 *
 * The memory of a destroyed object is kept for later objects and never goes back to the system, so
 * that a stale handle can be looked at and refused. */
#ifndef ZECL_CORE_OBJECT_H
#define ZECL_CORE_OBJECT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

enum zecl_kind {
  ZECL_DEAD = 0, /* destroyed, or never a handle of ours */
  ZECL_DRIVER = 0x5a454331,
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
  ZECL_PHYSICAL
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

/* Calls `see` with each handle that was made and not destroyed, the oldest memory first. Nothing
 * else may be going on. */
void zecl_object_each(void (*see)(const void *object, enum zecl_kind kind));

/* SUCCESS for a live handle of that kind, INVALID_NULL_HANDLE for null, INVALID_ARGUMENT else. */
static inline ze_result_t zecl_object_check(void *handle, enum zecl_kind kind) {
  if (!handle) return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if ((uintptr_t)handle % sizeof(void *) != 0 ||
      atomic_load_explicit(&((struct zecl_object *)handle)->kind, memory_order_relaxed) != kind)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  return ZE_RESULT_SUCCESS;
}

#endif
