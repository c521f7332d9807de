/* Two clocks, in nanoseconds. */
#ifndef ZECL_CORE_CLOCK_H
#define ZECL_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { ZECL_NS_PER_S = 1000000000 };

static inline uint64_t zecl_clock(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (uint64_t)time.tv_sec * ZECL_NS_PER_S + (uint64_t)time.tv_nsec;
}

/* The clock of deadlines, which is that of futexes. */
static inline uint64_t zecl_now(void) {
  return zecl_clock(CLOCK_MONOTONIC);
}

/* The clock of the host, of devices and of timestamps. Intel's driver has the same, whose readings
 * DPC++'s adapters compare with their own. */
static inline uint64_t zecl_stamp(void) {
  return zecl_clock(CLOCK_MONOTONIC_RAW);
}

#endif
