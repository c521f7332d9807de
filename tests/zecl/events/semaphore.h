/* Semaphores of other interfaces, imported as file descriptors. On engines with streams they are
 * those that the engine imports. Else an opaque one is an eventfd: a signal adds to its counter,
 * and a wait takes from it; and a timeline is a file that begins with a 64-bit value: a signal
 * raises it, and a wait lasts until it is large enough. */
#ifndef ZECL_EVENTS_SEMAPHORE_H
#define ZECL_EVENTS_SEMAPHORE_H

#include "core/headers.h"
#include "core/object.h"

struct zecl_engine_semaphore;

struct zecl_semaphore {
  struct zecl_object object;
  struct zecl_engine_semaphore *imported; /* of an engine with streams; the rest is unused */
  int file;                               /* of an opaque one; else -1 */
  _Atomic(uint64_t) *value;               /* of a timeline, mapped; else null */
};

/* The semaphores that a command signals or waits for, in order. */
struct zecl_semaphore_uses {
  uint32_t count;
  bool signals;
  struct zecl_semaphore_use {
    struct zecl_semaphore *semaphore; /* a reference */
    uint64_t value;                   /* of a timeline */
  } uses[];
};

void zecl_semaphore_release(struct zecl_semaphore *semaphore);

void zecl_semaphore_uses_free(struct zecl_semaphore_uses *uses);

/* NOT_READY for a wait that ended since `cancel` is true; DEVICE_LOST where a semaphore fails. */
ze_result_t zecl_semaphore_uses_run(
    const struct zecl_semaphore_uses *uses, const atomic_bool *cancel);

#endif
