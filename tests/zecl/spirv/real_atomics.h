/* Atomic sums, minima and maxima of floating-point numbers, for engines that lack them: each
 * becomes a function that compares and exchanges integers. */
#ifndef ZECL_SPIRV_REAL_ATOMICS_H
#define ZECL_SPIRV_REAL_ATOMICS_H

#include <stddef.h>
#include <stdint.h>

/* A copy of the words without them. Null: no memory. The caller frees it. */
uint32_t *zecl_spirv_plain_real_atomics(const uint32_t *words, size_t count, size_t *word_count);

#endif
