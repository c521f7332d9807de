/* Tried locks: a thread that holds other locks does not wait for one more. It releases all of them,
 * sleeps until the contended lock is free, and starts again. */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_LOCK_AWAIT_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_LOCK_AWAIT_H

#include "../../../detail/sync/lock.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__lock_await_any(struct syclze__lock *lock, uint32_t rank) {
  syclze__lock_acquire_any(lock, rank);
  syclze__lock_release_any(lock, rank);
}

/* Waits until the lock was free. Locks that are held have higher ranks. */
#define syclze__lock_await(lock) syclze__lock_await_any(&(lock)->any, SYCLZE__RANK_OF(lock))

#endif

SYCLZE_EXTERN_C_END

#endif
