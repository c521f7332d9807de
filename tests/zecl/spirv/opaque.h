/* Kernels that read images without alpha. */
#ifndef ZECL_SPIRV_OPAQUE_H
#define ZECL_SPIRV_OPAQUE_H

#include "spirv/spirv.h"

/* A copy of the words in which the fourth component of whatever is read with a sampler is one: what
 * an image without alpha gives, within its edges and beyond them. Null: no memory. The caller frees
 * it. */
uint32_t *zecl_spirv_opaque_words(const struct zecl_spirv *spirv, size_t *word_count);

#endif
