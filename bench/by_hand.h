/* Calls of Level Zero, or of an engine, that must succeed: else the program ends, with BENCH_NAME,
 * the call and its code on stderr. */
#ifndef BENCH_BY_HAND_H
#define BENCH_BY_HAND_H

#include <level_zero/ze_api.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline void check(bool fine, const char *what, long code) {
  if (fine) return;
  fprintf(stderr, BENCH_NAME ": %s: %#lx\n", what, (unsigned long)code);
  exit(1);
}

#define ZE(call)                                                                                   \
  do {                                                                                             \
    const ze_result_t code = (call);                                                               \
    check(code == ZE_RESULT_SUCCESS, #call, (long)code);                                           \
  } while (0)

#endif
