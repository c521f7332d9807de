/* A word that is set once and waited for: the state of events and fences. A waiter sleeps in the
 * kernel only where the word stays unset for longer than a short spin. */
#ifndef ZECL_EVENTS_FLAG_H
#define ZECL_EVENTS_FLAG_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <level_zero/ze_api.h>

#define ZECL_FOREVER UINT64_MAX

struct zecl_flag {
  atomic_uint word;
  bool is_shared; /* stands in memory that other processes wait in too */
  bool is_polled; /* may be set by a device, which wakes no thread */
};

/* Cancelled: streams wait no longer, although the flag is not set. Until it is reset. */
enum { ZECL_FLAG_SET = 1, ZECL_FLAG_AWAITED = 2, ZECL_FLAG_CANCELLED = 4 };

/* Sleeps while `word` is `value`, until woken, until the time of zecl_now() passes `deadline`, or
 * for no reason. */
void zecl_futex_wait(atomic_uint *word, unsigned value, uint64_t deadline);
void zecl_futex_wake(atomic_uint *word);

/* Waits on a word in memory that other processes wait in too. zecl_flag_wake wakes. */
void zecl_futex_wait_shared(atomic_uint *word, unsigned value, uint64_t deadline);

/* Wakes the waiters of a flag, set or not, by the address of its word: the flag may be gone. */
void zecl_flag_wake(atomic_uint *word, bool is_shared);

static inline void zecl_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#else
  atomic_signal_fence(memory_order_seq_cst);
#endif
}

/* The point in time that a relative time-out of the API means. */
uint64_t zecl_deadline(uint64_t timeout_ns);

static inline bool zecl_flag_is_set(struct zecl_flag *flag) {
  return (atomic_load_explicit(&flag->word, memory_order_acquire) & ZECL_FLAG_SET) != 0;
}

/* True while a thread sleeps, or is about to sleep, for the flag. */
static inline bool zecl_flag_is_awaited(struct zecl_flag *flag) {
  return (atomic_load_explicit(&flag->word, memory_order_relaxed) & ZECL_FLAG_AWAITED) != 0;
}

static inline void zecl_flag_set(struct zecl_flag *flag) {
  /* A thread that finds the flag set may destroy it. */
  const bool is_shared = flag->is_shared;
  if (atomic_exchange(&flag->word, ZECL_FLAG_SET) & ZECL_FLAG_AWAITED)
    zecl_flag_wake(&flag->word, is_shared);
}

static inline void zecl_flag_reset(struct zecl_flag *flag) {
  atomic_fetch_and(&flag->word, (unsigned)~(ZECL_FLAG_SET | ZECL_FLAG_CANCELLED));
}

/* Waits until the flag is set and returns true; false at the deadline, or once `cancel` (may be
 * null) is true and the word was woken. */
bool zecl_flag_wait(struct zecl_flag *flag, uint64_t deadline, atomic_bool *cancel);

/* The result of a wait of the host. */
ze_result_t zecl_flag_result(bool is_set, uint64_t timeout);

#endif
