/* The one clock: of the host, of the devices and of the timestamps. */
#ifndef ZECL_CORE_CLOCK_H
#define ZECL_CORE_CLOCK_H

#include <stdint.h>
#include <time.h>

enum { ZECL_NS_PER_S = 1000000000 };

static inline uint64_t zecl_now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * ZECL_NS_PER_S + (uint64_t)time.tv_nsec;
}

#endif
