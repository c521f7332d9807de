/* Locks of four bytes that sleep when contended. Zero-initialised = unlocked.
 *
 * The first byte is the lock, the second is set while threads may be asleep. Releasing needs no
 * locked instruction: a release that misses the second byte delays a sleeper by at most
 * SYCLZE__LOCK_SLEEP. */
#ifndef SYCLZE_DETAIL_SYNC_LOCK_H
#define SYCLZE_DETAIL_SYNC_LOCK_H

#include "held.h"

#include <errno.h>
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

/* Acquires a contended lock. */
SYCLZE_COLD void syclze__lock_wait(struct syclze__lock *lock) SYCLZE_LINK_NAME(syclze__lock_wait);
/* Wakes the sleepers after a release. */
SYCLZE_COLD void syclze__lock_wake_any(struct syclze__lock *lock)
    SYCLZE_LINK_NAME(syclze__lock_wake_any);

/* Acquires the lock if it is free; false if not. */
#define syclze__lock_try(lock) syclze__lock_try_any(&(lock)->any, SYCLZE__RANK_OF(lock))
#define syclze__lock_acquire(lock) syclze__lock_acquire_any(&(lock)->any, SYCLZE__RANK_OF(lock))
/* Releases the lock; true if there may be sleepers to wake. */
#define syclze__lock_clear(lock) syclze__lock_clear_any(&(lock)->any, SYCLZE__RANK_OF(lock))
#define syclze__lock_release(lock) syclze__lock_release_any(&(lock)->any, SYCLZE__RANK_OF(lock))
#define syclze__lock_wake(lock) syclze__lock_wake_any(&(lock)->any)

SYCLZE_INLINE bool syclze__lock_try_any(struct syclze__lock *lock, uint32_t rank)
    SYCLZE__ACQUIRES_IF(true, *lock);
SYCLZE_INLINE void syclze__lock_acquire_any(struct syclze__lock *lock, uint32_t rank)
    SYCLZE__ACQUIRES(*lock);
SYCLZE_INLINE bool syclze__lock_clear_any(struct syclze__lock *lock, uint32_t rank)
    SYCLZE__RELEASES(*lock);
SYCLZE_INLINE void syclze__lock_release_any(struct syclze__lock *lock, uint32_t rank)
    SYCLZE__RELEASES(*lock);

SYCLZE_INLINE bool syclze__lock_take(struct syclze__lock *lock) {
  return __atomic_exchange_n((uint8_t *)lock, 1, __ATOMIC_ACQUIRE) == 0;
}

SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN bool syclze__lock_try_any(
    struct syclze__lock *lock, uint32_t rank) {
  const bool taken = syclze__lock_take(lock);
  if (taken) SYCLZE__NOTE_ACQUIRED(lock, rank);
  (void)rank;
  return taken;
}

SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN void syclze__lock_acquire_any(
    struct syclze__lock *lock, uint32_t rank) {
  SYCLZE__CHECK_RANK(rank);
  if (SYCLZE__UNLIKELY(!syclze__lock_take(lock))) syclze__lock_wait(lock);
  SYCLZE__NOTE_ACQUIRED(lock, rank);
  (void)rank;
}

SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN bool syclze__lock_clear_any(
    struct syclze__lock *lock, uint32_t rank) {
  uint8_t *bytes = (uint8_t *)lock;
  SYCLZE__NOTE_RELEASED(lock, rank);
  (void)rank;
  __atomic_store_n(&bytes[0], 0, __ATOMIC_RELEASE);
  return __atomic_load_n(&bytes[1], __ATOMIC_RELAXED) != 0;
}

SYCLZE_INLINE SYCLZE__LOCKS_UNSEEN void syclze__lock_release_any(
    struct syclze__lock *lock, uint32_t rank) {
  if (SYCLZE__UNLIKELY(syclze__lock_clear_any(lock, rank))) syclze__lock_wake_any(lock);
}

#if SYCLZE__BODIES

/* Strict C modes declare neither. */
#ifdef SYS_futex
long syclze__syscall(long number, ...) __asm__("syscall");
#elif defined(__linux__)
int syclze__nanosleep(const struct timespec *time, struct timespec *left) __asm__("nanosleep");
#elif !defined(_MSC_VER)
#define syclze__nanosleep nanosleep
#endif

/* Sleeps while the word has the value, at most `nanoseconds`, -1 for no limit. May wake early.
 * False after a timeout. */
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
#ifndef _MSC_VER
  const struct timespec nap = {0, SYCLZE__LOCK_SLEEP};
#endif
  do {
    if (__atomic_load_n(word, __ATOMIC_SEQ_CST) != value) return true;
#ifdef _MSC_VER
    syclze__windows_sleep(SYCLZE__LOCK_SLEEP / 1000000);
#else
    syclze__nanosleep(&nap, NULL);
#endif
  } while (nanoseconds < 0 || (nanoseconds -= SYCLZE__LOCK_SLEEP) > 0);
  return false;
#endif
}

/* Waits until another thread has changed the word, which takes little time: yields at first, then
 * sleeps, since that thread may have a lower priority. */
SYCLZE_LOCAL void syclze__word_await(uint32_t *word, uint32_t value) {
  for (uint32_t i = 0; __atomic_load_n(word, __ATOMIC_ACQUIRE) == value; i++)
    if (i < SYCLZE__LOCK_SPINS)
      syclze__thread_yield();
    else
      syclze__word_sleep(word, value, SYCLZE__LOCK_SLEEP);
}

/* Wakes up to `count` threads that sleep on the word. */
SYCLZE_LOCAL void syclze__word_wake(uint32_t *word, int count) {
#ifdef SYS_futex
  syclze__syscall(SYS_futex, word, 129 /* FUTEX_WAKE_PRIVATE */, count, NULL, NULL, 0);
#else
  (void)word, (void)count;
#endif
}

SYCLZE_COLD void syclze__lock_wait(struct syclze__lock *lock) {
  uint8_t *bytes = (uint8_t *)lock;
  for (uint32_t i = 0; i < SYCLZE__LOCK_SPINS; i++) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
    if (__atomic_load_n(&bytes[0], __ATOMIC_RELAXED) == 0 && syclze__lock_take(lock)) return;
  }
  do {
    __atomic_store_n(&bytes[1], 1, __ATOMIC_SEQ_CST);
    syclze__word_sleep(&lock->word, syclze__lock_contended(lock), SYCLZE__LOCK_SLEEP);
  } while (!syclze__lock_take(lock));
}

SYCLZE_COLD void syclze__lock_wake_any(struct syclze__lock *lock) {
  __atomic_store_n((uint8_t *)lock + 1, 0, __ATOMIC_SEQ_CST);
  syclze__word_wake(&lock->word, INT32_MAX);
}

#endif

SYCLZE_EXTERN_C_END

#endif
