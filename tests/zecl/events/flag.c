#include "events/flag.h"

#include "commands/stream.h"
#include "core/clock.h"

#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Few: spinning takes a processor from the kernels that are awaited. */
enum { SPINS = 20 };

/* Limits for a flag that is polled: polls between reads of the clock, before the thread yields, and
 * before it sleeps between two polls. */
enum {
  POLLS = 16,
  SPINNING_POLLS = 4096,
  YIELDING_POLLS = 1 << 16,
  LOST_POLLS = 4096,
  NAP_US = 20
};

/* Makes the kernel find a word by its address in this process alone, which is faster. */
enum reach { EVERYWHERE = 0, HERE = FUTEX_PRIVATE_FLAG };

static enum reach reach_of(bool is_shared) {
  return is_shared ? EVERYWHERE : HERE;
}

static void wait(atomic_uint *word, unsigned value, uint64_t deadline, enum reach reach) {
  struct timespec until = {
      .tv_sec = (time_t)(deadline / ZECL_NS_PER_S), .tv_nsec = (long)(deadline % ZECL_NS_PER_S)};
  syscall(SYS_futex, word, FUTEX_WAIT_BITSET | (int)reach, value,
      deadline == ZECL_FOREVER ? NULL : &until, NULL, FUTEX_BITSET_MATCH_ANY);
}

static void wake(atomic_uint *word, enum reach reach) {
  syscall(SYS_futex, word, FUTEX_WAKE | (int)reach, INT_MAX, NULL, NULL, 0);
}

void zecl_futex_wait(atomic_uint *word, unsigned value, uint64_t deadline) {
  wait(word, value, deadline, HERE);
}

void zecl_futex_wait_shared(atomic_uint *word, unsigned value, uint64_t deadline) {
  wait(word, value, deadline, EVERYWHERE);
}

void zecl_futex_wake(atomic_uint *word) {
  wake(word, HERE);
}

void zecl_flag_wake(atomic_uint *word, bool is_shared) {
  wake(word, reach_of(is_shared));
}

uint64_t zecl_deadline(uint64_t timeout_ns) {
  if (timeout_ns == ZECL_FOREVER) return ZECL_FOREVER;
  const uint64_t now = zecl_now();
  return timeout_ns > ZECL_FOREVER - 1 - now ? ZECL_FOREVER - 1 : now + timeout_ns;
}

/* Spins at first, for the time of a launch, and then leaves the processor to others. A device that
 * is lost sets nothing any more. */
static bool poll(struct zecl_flag *flag, uint64_t deadline, atomic_bool *cancel) {
  for (uint64_t i = 1; !zecl_flag_is_set(flag); i++) {
    zecl_pause();
    if (i % POLLS != 0) continue;
    if (cancel && atomic_load(cancel)) return false;
    if (deadline != ZECL_FOREVER && zecl_now() >= deadline) return false;
    if (i < SPINNING_POLLS) continue;
    sched_yield();
    if (i % LOST_POLLS == 0 && zecl_streams_are_lost(ZECL_ANY_DEVICE))
      return zecl_flag_is_set(flag);
    if (i > YIELDING_POLLS) usleep(NAP_US);
  }
  return true;
}

bool zecl_flag_wait(struct zecl_flag *flag, uint64_t deadline, atomic_bool *cancel) {
  if (flag->is_polled) return poll(flag, deadline, cancel);
  for (unsigned i = 0; i < SPINS; i++) {
    if (zecl_flag_is_set(flag)) return true;
    zecl_pause();
  }
  unsigned word = atomic_load(&flag->word);
  for (;;) {
    if (word & ZECL_FLAG_SET) return true;
    if (!(word & ZECL_FLAG_AWAITED) &&
        !atomic_compare_exchange_weak(&flag->word, &word, word | ZECL_FLAG_AWAITED))
      continue;
    if (cancel && atomic_load(cancel)) return false;
    if (deadline != ZECL_FOREVER && zecl_now() >= deadline) return false;
    wait(&flag->word, ZECL_FLAG_AWAITED, deadline, reach_of(flag->is_shared));
    word = atomic_load(&flag->word);
  }
}

/* Without a time-out only a lost device ends a wait. */
ze_result_t zecl_flag_result(bool is_set, uint64_t timeout) {
  if (is_set) return ZE_RESULT_SUCCESS;
  return timeout == ZECL_FOREVER || (timeout != 0 && zecl_streams_are_lost(ZECL_ANY_DEVICE))
             ? ZE_RESULT_ERROR_DEVICE_LOST
             : ZE_RESULT_NOT_READY;
}
