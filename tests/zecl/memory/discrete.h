/* ZECL_DISCRETE=1: device memory that the host cannot access. It is mapped without access rights
 * while no command runs, and readable and writable while one does, in any worker or calling thread:
 * an access of the host while the device is idle faults, and no access of the device ever does. */
#ifndef ZECL_MEMORY_DISCRETE_H
#define ZECL_MEMORY_DISCRETE_H

#include <stdbool.h>
#include <stddef.h>

extern bool zecl_discrete_enabled;

/* Zeroed memory for `size` bytes, aligned to a power of two; null when there is none. */
void *zecl_discrete_take(size_t size, size_t alignment);
void zecl_discrete_give(void *base);

/* Around the execution of commands, from the first access until all kernels are finished. Brackets
 * of different threads may overlap. */
void zecl_discrete_open_slow(void);
void zecl_discrete_close_slow(void);

static inline void zecl_discrete_open(void) {
  if (zecl_discrete_enabled) zecl_discrete_open_slow();
}

static inline void zecl_discrete_close(void) {
  if (zecl_discrete_enabled) zecl_discrete_close_slow();
}

#endif
