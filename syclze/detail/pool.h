/* Free lists of small objects of one size.
 *
 * An object occupies a slot of a slab. Slabs grow by doubling and are never freed, so that a thread
 * may read a slot that another thread has just taken off a list. The head of a list is one word: in
 * the lower half the number of the first slot, in the upper half a tag that changes whenever this
 * slot is put, to avoid ABA. Lock-free; any thread. */
#ifndef SYCLZE_POOL_H
#define SYCLZE_POOL_H

#include "../config.h"

#include <stdlib.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__SLABS = 32,          /* number 0 is unused: a slot's number is never 0 */
  SYCLZE__SLAB_SHIFT = 27,     /* a slot's number: that of its slab, then its offset in bytes */
  SYCLZE__FIRST_SLAB = 64,     /* objects in the first slab */
  SYCLZE__SLAB_DOUBLINGS = 13, /* largest slab: half a million objects */
  SYCLZE__SLOT_MOST = 256      /* bytes of an object: the largest slab's offsets fit the number */
};

/* Of each struct that comes from a pool. */
#ifdef __cplusplus
#define SYCLZE__POOLED(type)                                                                       \
  static_assert(sizeof(type) <= SYCLZE__SLOT_MOST, "larger than a slot of a pool may be")
#else
#define SYCLZE__POOLED(type)                                                                       \
  _Static_assert(sizeof(type) <= SYCLZE__SLOT_MOST, "larger than a slot of a pool may be")
#endif

/* The first member of a pooled object. */
struct syclze__slot {
  uint64_t self; /* head of a list that begins with this slot; 0 for an allocation of its own */
  uint64_t next; /* in a list: the head without this slot; outside: the address of the pool, which
                    belongs to the linked image that made the object */
} __attribute__((aligned(16)));

struct syclze__list {
  uint64_t head;
};

struct syclze__pool {
  struct syclze__list free;
  uint32_t used;                 /* slots that were ever handed out; UINT32_MAX once it is closed */
  uintptr_t base[SYCLZE__SLABS]; /* slot n of the slab is at base + n */
  void *slab[SYCLZE__SLABS];     /* the allocations, which leak checkers find here */
};

/* Slow path of syclze__pool_acquire: an unused slot, in a new slab if necessary; an allocation of
 * its own once there are ten million. Null without memory, and in the child of a fork. */
SYCLZE_COLD void *syclze__pool_grow(struct syclze__pool *pool, size_t size)
    SYCLZE_LINK_NAME(syclze__pool_grow);

SYCLZE_INLINE struct syclze__slot *syclze__pool_at(
    const struct syclze__pool *pool, uint32_t number) {
  uintptr_t base = __atomic_load_n(&pool->base[number >> SYCLZE__SLAB_SHIFT], __ATOMIC_RELAXED);
  return (struct syclze__slot *)(base + number);
}

/* Takes the first object off a list of objects from `pool`; null if the list is empty. The contents
 * are those at the time of the put. */
SYCLZE_INLINE void *syclze__list_acquire(
    struct syclze__list *list, const struct syclze__pool *pool) {
  uint64_t head = __atomic_load_n(&list->head, __ATOMIC_ACQUIRE);
  for (;;) {
    uint32_t number = (uint32_t)head;
    struct syclze__slot *slot;
    uint64_t next;
    if (SYCLZE__UNLIKELY(number >> SYCLZE__SLAB_SHIFT == 0)) return NULL;
    slot = syclze__pool_at(pool, number);
    if (slot == NULL) __builtin_unreachable();
    next = __atomic_load_n(&slot->next, __ATOMIC_RELAXED);
    if (SYCLZE__LIKELY(__atomic_compare_exchange_n(
            &list->head, &head, next, true, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE)))
      return slot;
  }
}

SYCLZE_INLINE void syclze__list_put(struct syclze__list *list, struct syclze__slot *slot) {
  uint64_t self = slot->self += (uint64_t)1 << 32;
  uint64_t head = __atomic_load_n(&list->head, __ATOMIC_RELAXED);
  do
    __atomic_store_n(&slot->next, head, __ATOMIC_RELAXED);
  while (SYCLZE__UNLIKELY(!__atomic_compare_exchange_n(
      &list->head, &head, self, true, __ATOMIC_RELEASE, __ATOMIC_RELAXED)));
}

SYCLZE_INLINE void *syclze__pool_owns(struct syclze__pool *pool, void *object) {
  struct syclze__slot *slot = (struct syclze__slot *)object;
  __atomic_store_n(&slot->next, (uint64_t)(uintptr_t)pool, __ATOMIC_RELAXED);
  return object;
}

/* An object of `size` bytes, the same for each call on this pool; null without memory. Its members
 * after the slot are unspecified. */
SYCLZE_INLINE void *syclze__pool_acquire(struct syclze__pool *pool, size_t size) {
  if (SYCLZE_HAS_POOLS) {
    void *object = syclze__list_acquire(&pool->free, pool);
    return SYCLZE__LIKELY(object != NULL) ? syclze__pool_owns(pool, object)
                                          : syclze__pool_grow(pool, size);
  }
  return calloc(1, size);
}

/* Returns an object to its pool. */
SYCLZE_INLINE void syclze__pool_release(struct syclze__slot *slot) {
  if (SYCLZE__LIKELY(slot->self != 0)) {
    struct syclze__pool *pool = (struct syclze__pool *)(uintptr_t)slot->next;
    syclze__list_put(&pool->free, slot);
  } else
    free(slot);
}

#if SYCLZE__BODIES

/* Finds the slab of the slot that is handed out as number `used`, and its index there; false where
 * there are too many. */
SYCLZE_LOCAL bool syclze__slab_of(uint32_t used, uint32_t *slab, uint32_t *index, size_t *slots) {
  *index = used;
  *slots = SYCLZE__FIRST_SLAB;
  for (*slab = 1; *index >= *slots; ++*slab) {
    *index -= (uint32_t)*slots;
    if (*slab <= SYCLZE__SLAB_DOUBLINGS) *slots *= 2;
  }
  return *slab < SYCLZE__SLABS;
}

/* The slab's memory, which the first thread allocates; null without memory. */
SYCLZE_LOCAL void *syclze__slab_get(
    struct syclze__pool *pool, uint32_t slab, size_t slots, size_t size) {
  void *memory = __atomic_load_n(&pool->slab[slab], __ATOMIC_ACQUIRE), *created;
  if (memory != NULL) return memory;
  created = calloc(slots, size);
  if (created == NULL) return NULL;
  if (__atomic_compare_exchange_n(
          &pool->slab[slab], &memory, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    return created;
  free(created);
  return memory;
}

/* From now on the pool has no objects but those that come back. */
SYCLZE_LOCAL void syclze__pool_close(struct syclze__pool *pool) {
  __atomic_store_n(&pool->free.head, 0, __ATOMIC_RELAXED);
  __atomic_store_n(&pool->used, UINT32_MAX, __ATOMIC_RELAXED);
}

SYCLZE_COLD void *syclze__pool_grow(struct syclze__pool *pool, size_t size) {
  uint32_t used = __atomic_load_n(&pool->used, __ATOMIC_RELAXED), slab, index, number;
  struct syclze__slot *slot;
  do {
    size_t slots;
    void *memory;
    if (used == UINT32_MAX) return NULL;
    if (!syclze__slab_of(used, &slab, &index, &slots)) return calloc(1, size);
    memory = syclze__slab_get(pool, slab, slots, size);
    if (memory == NULL) return NULL;
    __atomic_store_n(&pool->base[slab], (uintptr_t)memory - ((uintptr_t)slab << SYCLZE__SLAB_SHIFT),
        __ATOMIC_RELAXED);
  } while (!__atomic_compare_exchange_n(
      &pool->used, &used, used + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  number = (slab << SYCLZE__SLAB_SHIFT) + index * (uint32_t)size;
  slot = syclze__pool_at(pool, number);
  slot->self = number;
  return syclze__pool_owns(pool, slot);
}

#endif

SYCLZE_EXTERN_C_END

#endif
