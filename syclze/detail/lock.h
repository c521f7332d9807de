/* Locks of four bytes that sleep when contended. Zero-initialised = unlocked.
 *
 * The first byte is the lock, the second is set while threads may be asleep. Releasing needs no
 * locked instruction: a release that misses the second byte delays a sleeper by at most
 * SYCLZE__LOCK_SLEEP. */
#ifndef SYCLZE_LOCK_H
#define SYCLZE_LOCK_H

#include "../config.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <time.h>
#if defined(__linux__) && defined(__LP64__)
#include <sys/syscall.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__LOCK_SPINS = 32,     /* of 10 to 50 ns each */
  SYCLZE__LOCK_SLEEP = 1000000 /* nanoseconds */
};

/* Tests count the locks that a thread holds. */
#ifndef SYCLZE__LOCK_HELD
#define SYCLZE__LOCK_HELD(change) (void)0
#endif

/* Acquires a contended lock. */
SYCLZE_COLD void syclze__lock_wait(uint32_t *lock) SYCLZE_LINK_NAME(syclze__lock_wait);
/* Wakes the sleepers after a release. */
SYCLZE_COLD void syclze__lock_wake(uint32_t *lock) SYCLZE_LINK_NAME(syclze__lock_wake);

/* True if the lock was free; it is held then. */
SYCLZE_INLINE bool syclze__lock_try(uint32_t *lock) {
  const bool taken = __atomic_exchange_n((uint8_t *)lock, 1, __ATOMIC_ACQUIRE) == 0;
  SYCLZE__LOCK_HELD(taken);
  return taken;
}

SYCLZE_INLINE void syclze__lock_acquire(uint32_t *lock) {
  if (SYCLZE__UNLIKELY(!syclze__lock_try(lock))) syclze__lock_wait(lock);
}

/* Releases the lock; true if there may be sleepers to wake. */
SYCLZE_INLINE bool syclze__lock_clear(uint32_t *lock) {
  uint8_t *bytes = (uint8_t *)lock;
  SYCLZE__LOCK_HELD(-1);
  __atomic_store_n(&bytes[0], 0, __ATOMIC_RELEASE);
  return __atomic_load_n(&bytes[1], __ATOMIC_RELAXED) != 0;
}

SYCLZE_INLINE void syclze__lock_release(uint32_t *lock) {
  if (SYCLZE__UNLIKELY(syclze__lock_clear(lock))) syclze__lock_wake(lock);
}

#if SYCLZE__BODIES

/* Strict C modes declare neither. */
#ifdef SYS_futex
long syclze__syscall(long number, ...) __asm__("syscall");
#elif defined(__linux__)
int syclze__nanosleep(const struct timespec *time, struct timespec *left) __asm__("nanosleep");
#else
#define syclze__nanosleep nanosleep
#endif

/* Sleeps while the word has the value, at most so many nanoseconds, or without limit for -1, and
 * may wake early. False when the time is over. */
SYCLZE_LOCAL bool syclze__word_sleep(uint32_t *word, uint32_t value, long nanoseconds) {
#ifdef SYS_futex
  struct timespec limit;
  if (nanoseconds >= 0) {
    limit.tv_sec = nanoseconds / 1000000000L;
    limit.tv_nsec = nanoseconds % 1000000000L;
  }
  const long woken = syclze__syscall(SYS_futex, word, 128 /* FUTEX_WAIT_PRIVATE */, value,
      nanoseconds >= 0 ? &limit : NULL, NULL, 0);
  return woken == 0 || errno != ETIMEDOUT;
#else
  const struct timespec nap = {0, SYCLZE__LOCK_SLEEP};
  do {
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return true;
    syclze__nanosleep(&nap, NULL);
  } while (nanoseconds < 0 || (nanoseconds -= SYCLZE__LOCK_SLEEP) > 0);
  return false;
#endif
}

/* Waits until another thread has changed the word, which it does soon: gives way at first, then
 * sleeps, since that thread may have the lower priority. */
SYCLZE_LOCAL void syclze__word_await(uint32_t *word, uint32_t value) {
  for (uint32_t i = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) == value; i++)
    if (i < SYCLZE__LOCK_SPINS)
      sched_yield();
    else
      syclze__word_sleep(word, value, SYCLZE__LOCK_SLEEP);
}

/* Wakes that many of those that sleep on the word. */
SYCLZE_LOCAL void syclze__word_wake(uint32_t *word, int count) {
#ifdef SYS_futex
  syclze__syscall(SYS_futex, word, 129 /* FUTEX_WAKE_PRIVATE */, count, NULL, NULL, 0);
#else
  (void)word, (void)count;
#endif
}

SYCLZE_COLD void syclze__lock_wait(uint32_t *lock) {
  static const uint8_t contended[sizeof *lock] = {1, 1, 0, 0};
  uint8_t *bytes = (uint8_t *)lock;
  uint32_t word;
  memcpy(&word, contended, sizeof word);
  for (uint32_t i = 0; i < SYCLZE__LOCK_SPINS; i++) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (__atomic_load_n(&bytes[0], __ATOMIC_RELAXED) == 0 && syclze__lock_try(lock)) return;
  }
  do {
    __atomic_store_n(&bytes[1], 1, __ATOMIC_SEQ_CST);
    syclze__word_sleep(lock, word, SYCLZE__LOCK_SLEEP);
  } while (!syclze__lock_try(lock));
}

SYCLZE_COLD void syclze__lock_wake(uint32_t *lock) {
  __atomic_store_n((uint8_t *)lock + 1, 0, __ATOMIC_SEQ_CST);
  syclze__word_wake(lock, INT32_MAX);
}

#endif

SYCLZE_EXTERN_C_END

#endif
