/* Functions of numbers of half precision, for engines whose compiler has such numbers and whose
 * library lacks their functions: each becomes the function of single precision, fma that of double.
 * Both have more than twice the bits and two, so that a result which is rounded twice is rounded
 * as it would be once; functions whose result is not rounded give the same. */
#ifndef ZECL_SPIRV_HALF_H
#define ZECL_SPIRV_HALF_H

#include <stddef.h>
#include <stdint.h>

/* A copy of the words without them. Those stay that write halves through pointers (fract, modf,
 * remquo, sincos) or are of their bits (isnormal, nan, nextafter, bitselect). Null: no memory. The
 * caller frees it. */
uint32_t *zecl_spirv_plain_halves(const uint32_t *words, size_t count, size_t *word_count);

#endif
