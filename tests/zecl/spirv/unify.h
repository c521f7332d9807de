/* Words of a module that a linker accepts beside those of other compilations. */
#ifndef ZECL_SPIRV_UNIFY_H
#define ZECL_SPIRV_UNIFY_H

#include "spirv/spirv.h"

/* A copy of the words in which functions that are imported or exported take and return pointers to
 * bytes, cast where they are called and where they begin and end: compilers choose the types that
 * such pointers point to, and linkers compare them. Arguments that are passed by value stay.
 * Without SPV_INTEL_memory_access_aliasing, which spirv-link does not read. Null: no memory. The
 * caller frees it. */
uint32_t *zecl_spirv_unified(const struct zecl_spirv *spirv, size_t *word_count);

#endif
