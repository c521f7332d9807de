/* Locks of four bytes that sleep when contended. Zero-initialised = unlocked.
 *
 * The first byte is the lock, the second is set while threads may be asleep. Releasing needs no
 * locked instruction: a release that misses the second byte delays a sleeper by at most
 * SYCLZE__LOCK_SLEEP. */
#ifndef SYCLZE_LOCK_H
#define SYCLZE_LOCK_H

#include "../config.h"

#include <sched.h>
#include <string.h>
#include <time.h>
#if defined(__linux__) && defined(__LP64__)
#include <sys/syscall.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__LOCK_SPINS = 100,
  SYCLZE__LOCK_SLEEP = 1000000 /* nanoseconds */
};

/* Acquires a contended lock. */
SYCLZE_COLD void syclze__lock_wait(uint32_t *lock) SYCLZE_LINK_NAME(syclze__lock_wait);
/* Wakes the sleepers after a release. */
SYCLZE_COLD void syclze__lock_wake(uint32_t *lock) SYCLZE_LINK_NAME(syclze__lock_wake);

/* True if the lock was free; it is held then. */
SYCLZE_INLINE bool syclze__lock_try(uint32_t *lock) {
  return __atomic_exchange_n((uint8_t *)lock, 1, __ATOMIC_ACQUIRE) == 0;
}

SYCLZE_INLINE void syclze__lock_acquire(uint32_t *lock) {
  if (SYCLZE__UNLIKELY(!syclze__lock_try(lock))) syclze__lock_wait(lock);
}

SYCLZE_INLINE void syclze__lock_release(uint32_t *lock) {
  uint8_t *bytes = (uint8_t *)lock;
  __atomic_store_n(&bytes[0], 0, __ATOMIC_RELEASE);
  if (SYCLZE__UNLIKELY(__atomic_load_n(&bytes[1], __ATOMIC_RELAXED) != 0)) syclze__lock_wake(lock);
}

#if SYCLZE__BODIES

#ifdef SYS_futex
/* Strict C modes do not declare syscall(). */
long syclze__syscall(long number, ...) __asm__("syscall");
#endif

/* Sleeps while the lock is held and its second byte is set. */
SYCLZE_LOCAL void syclze__lock_sleep(uint32_t *lock) {
#ifdef SYS_futex
  static const uint8_t contended[sizeof *lock] = {1, 1, 0, 0};
  const struct timespec limit = {0, SYCLZE__LOCK_SLEEP};
  uint32_t word;
  memcpy(&word, contended, sizeof word);
  syclze__syscall(SYS_futex, lock, 128 /* FUTEX_WAIT_PRIVATE */, word, &limit, NULL, 0);
#else
  (void)lock;
  sched_yield();
#endif
}

SYCLZE_COLD void syclze__lock_wait(uint32_t *lock) {
  uint8_t *bytes = (uint8_t *)lock;
  for (uint32_t i = 0; i < SYCLZE__LOCK_SPINS; i++) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (__atomic_load_n(&bytes[0], __ATOMIC_RELAXED) == 0 && syclze__lock_try(lock)) return;
  }
  do {
    __atomic_store_n(&bytes[1], 1, __ATOMIC_SEQ_CST);
    syclze__lock_sleep(lock);
  } while (!syclze__lock_try(lock));
}

SYCLZE_COLD void syclze__lock_wake(uint32_t *lock) {
  __atomic_store_n((uint8_t *)lock + 1, 0, __ATOMIC_SEQ_CST);
#ifdef SYS_futex
  syclze__syscall(SYS_futex, lock, 129 /* FUTEX_WAKE_PRIVATE */, INT32_MAX, NULL, NULL, 0);
#endif
}

#endif

SYCLZE_EXTERN_C_END

#endif
