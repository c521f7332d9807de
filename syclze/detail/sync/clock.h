/* A monotonic clock. */
#ifndef SYCLZE_DETAIL_SYNC_CLOCK_H
#define SYCLZE_DETAIL_SYNC_CLOCK_H

#include "threads.h"

#include <time.h>

SYCLZE_EXTERN_C_BEGIN

/* Strict C modes do not declare it. */
#ifdef _MSC_VER
#elif !defined(CLOCK_MONOTONIC)
#define SYCLZE__CLOCK_MONOTONIC 1
extern int clock_gettime(int clock, struct timespec *now);
#else
#define SYCLZE__CLOCK_MONOTONIC CLOCK_MONOTONIC
#endif

/* Nanoseconds since an arbitrary time. */
SYCLZE_INLINE uint64_t syclze__clock_now(void) {
#ifdef _MSC_VER
  int64_t count, frequency;
  syclze__windows_counter(&count);
  syclze__windows_frequency(&frequency);
  return (uint64_t)(count / frequency) * 1000000000u +
         (uint64_t)(count % frequency) * 1000000000u / (uint64_t)frequency;
#else
  struct timespec now;
  clock_gettime(SYCLZE__CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
#endif
}

SYCLZE_EXTERN_C_END

#endif
