/* All groups of a kernel made one group, whose items wait for each other as the groups must. What
 * an item reads about its group is computed from its place in the one. */
#ifndef ZECL_SPIRV_FUSE_H
#define ZECL_SPIRV_FUSE_H

#include "spirv/spirv.h"

/* True if it can be done: not where groups have memory or barriers of their own, where items wait
 * by other means than barriers, or where a variable of the language is used otherwise than read. */
bool zecl_spirv_can_fuse(const struct zecl_spirv *spirv);

/* The words of such a module for groups of that size. Null: no memory. The caller frees it. */
uint32_t *zecl_spirv_fused_words(
    const struct zecl_spirv *spirv, const uint32_t size[3], size_t *word_count);

#endif
