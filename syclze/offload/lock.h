/* A lock for a few lines, in which a set or a cache is looked into: whoever finds it taken lets
 * others run. Zero is a lock that nobody holds. */
#ifndef SYCLZE_OFFLOAD_LOCK_H
#define SYCLZE_OFFLOAD_LOCK_H

#include "image.h"

#include <sched.h>

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze__offload_lock(uint32_t *lock) {
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) != 0)
    sched_yield();
}

SYCLZE_INLINE void syclze__offload_unlock(uint32_t *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

SYCLZE_EXTERN_C_END

#endif
