/* Locks that are tried: a thread that holds others does not wait for one more. It releases what it
 * holds, sleeps until the lock that it missed is free, and begins anew. */
#ifndef SYCLZE_COMMAND_DETAIL_LOCK_AWAIT_H
#define SYCLZE_COMMAND_DETAIL_LOCK_AWAIT_H

#include "../../detail/lock.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Returns once the lock was free, as long as it takes. No other lock is held. */
SYCLZE_LOCAL void syclze__lock_await(uint32_t *lock) {
  syclze__lock_acquire(lock);
  syclze__lock_release(lock);
}

#endif

SYCLZE_EXTERN_C_END

#endif
