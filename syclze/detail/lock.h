/* Locks for a few lines, in which a list, a set or a cache is looked into: whoever finds one taken
 * lets others run. Zero is a lock that nobody holds. */
#ifndef SYCLZE_LOCK_H
#define SYCLZE_LOCK_H

#include "../config.h"

#include <sched.h>

SYCLZE_EXTERN_C_BEGIN

/* Whether the lock was free, and is taken now. */
SYCLZE_INLINE bool syclze__lock_try(uint32_t *lock) {
  return __atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE) == 0;
}

SYCLZE_INLINE void syclze__lock_acquire(uint32_t *lock) {
  while (SYCLZE__UNLIKELY(!syclze__lock_try(lock)))
    sched_yield();
}

SYCLZE_INLINE void syclze__lock_release(uint32_t *lock) {
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

SYCLZE_EXTERN_C_END

#endif
