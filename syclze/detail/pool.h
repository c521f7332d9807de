/* Free lists for small objects of one size.
 *
 * An object lives in a slot of a slab. Slabs grow by doubling and are never given back, so a slot
 * may be read by a thread that is about to lose the race for it. A list's head is one word: the
 * first slot's number in the lower half, and in the upper a tag that each put of that slot changes,
 * so that a head which went and came back is not mistaken for one that stayed. No lock, any thread.
 */
#ifndef SYCLZE_POOL_H
#define SYCLZE_POOL_H

#include "../config.h"

#include <stdlib.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__SLABS = 32,         /* number 0 is not used: a slot's number is never 0 */
  SYCLZE__SLAB_SHIFT = 27,    /* a slot's number: its slab's, then its place in it, in bytes */
  SYCLZE__FIRST_SLAB = 64,    /* objects in the first slab */
  SYCLZE__SLAB_DOUBLINGS = 13 /* slabs stop growing here, at half a million objects */
};

/* How every pooled object begins. */
struct syclze__slot {
  uint64_t self; /* the list's head with this slot first; 0 for an allocation of its own */
  uint64_t next; /* in a list: the list's head without this slot; outside: the address of its pool,
                    which is another image's when the object was made there */
} __attribute__((aligned(16)));

struct syclze__list {
  uint64_t head;
};

struct syclze__pool {
  struct syclze__list free;
  uint32_t used;                 /* slots that were ever handed out */
  uintptr_t base[SYCLZE__SLABS]; /* slot n of the slab stands at base + n */
  void *slab[SYCLZE__SLABS];     /* the allocations; kept so that leak checkers find them */
};

/* The slow half of syclze__pool_acquire: a created slot, with a new slab if need be, or an
 * allocation of its own when there are ten million; null without memory. */
SYCLZE_COLD void *syclze__pool_grow(struct syclze__pool *pool, size_t size)
    SYCLZE_LINK_NAME(syclze__pool_grow);

SYCLZE_INLINE struct syclze__slot *syclze__pool_at(
    const struct syclze__pool *pool, uint32_t number) {
  uintptr_t base = __atomic_load_n(&pool->base[number >> SYCLZE__SLAB_SHIFT], __ATOMIC_RELAXED);
  return (struct syclze__slot *)(base + number);
}

/* Takes the first object off a list whose objects come from `pool`; null when the list is empty.
 * The object is as it was when it was put there. */
SYCLZE_INLINE void *syclze__list_acquire(
    struct syclze__list *list, const struct syclze__pool *pool) {
  uint64_t head = __atomic_load_n(&list->head, __ATOMIC_ACQUIRE);
  for (;;) {
    uint32_t number = (uint32_t)head;
    if (SYCLZE__UNLIKELY(number >> SYCLZE__SLAB_SHIFT == 0)) return NULL;
    struct syclze__slot *slot = syclze__pool_at(pool, number);
    if (slot == NULL) __builtin_unreachable();
    uint64_t next = __atomic_load_n(&slot->next, __ATOMIC_RELAXED);
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

/* An object of `size` bytes, the same for every call on this pool; null without memory. What
 * follows the slot is unspecified. */
SYCLZE_INLINE void *syclze__pool_acquire(struct syclze__pool *pool, size_t size) {
  if (SYCLZE_HAS_POOLS) {
    void *object = syclze__list_acquire(&pool->free, pool);
    return SYCLZE__LIKELY(object != NULL) ? syclze__pool_owns(pool, object)
                                          : syclze__pool_grow(pool, size);
  }
  return calloc(1, size);
}

/* Gives an object back to the pool that it came from. */
SYCLZE_INLINE void syclze__pool_release(struct syclze__slot *slot) {
  if (SYCLZE__LIKELY(slot->self != 0)) {
    struct syclze__pool *pool = (struct syclze__pool *)(uintptr_t)slot->next;
    syclze__list_put(&pool->free, slot);
  } else
    free(slot);
}

SYCLZE_COLD void *syclze__pool_grow(struct syclze__pool *pool, size_t size) {
  uint32_t used = __atomic_load_n(&pool->used, __ATOMIC_RELAXED), slab, place;
  do {
    size_t slots = SYCLZE__FIRST_SLAB;
    place = used;
    for (slab = 1; place >= slots; slab++) {
      place -= (uint32_t)slots;
      if (slab <= SYCLZE__SLAB_DOUBLINGS) slots *= 2;
    }
    if (slab == SYCLZE__SLABS) return calloc(1, size);
    void *memory = __atomic_load_n(&pool->slab[slab], __ATOMIC_ACQUIRE);
    if (memory == NULL) {
      void *created = calloc(slots, size);
      if (created == NULL) return NULL;
      if (__atomic_compare_exchange_n(
              &pool->slab[slab], &memory, created, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        memory = created;
      else
        free(created);
    }
    __atomic_store_n(&pool->base[slab], (uintptr_t)memory - ((uintptr_t)slab << SYCLZE__SLAB_SHIFT),
        __ATOMIC_RELAXED);
  } while (!__atomic_compare_exchange_n(
      &pool->used, &used, used + 1, true, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
  uint32_t number = (slab << SYCLZE__SLAB_SHIFT) + place * (uint32_t)size;
  struct syclze__slot *slot = syclze__pool_at(pool, number);
  slot->self = number;
  return syclze__pool_owns(pool, slot);
}

SYCLZE_EXTERN_C_END

#endif
