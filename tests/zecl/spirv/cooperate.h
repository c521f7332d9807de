/* Barriers among all groups of a kernel. OpenCL promises no progress of one group while another
 * waits for it, so kernels that have them run one group at a time, for which each is an ordinary
 * barrier; CUDA has cooperative launches, and the library of its engine the barrier. They are
 * OpControlBarrier of a device's scope, and `global_barrier`, a function that programs of OpenCL C
 * import and Intel's compiler has. */
#ifndef ZECL_SPIRV_COOPERATE_H
#define ZECL_SPIRV_COOPERATE_H

#include "spirv/spirv.h"

#define ZECL_GLOBAL_BARRIER "global_barrier"

/* True if any function has such barriers. */
bool zecl_spirv_has_wide_barriers(const struct zecl_spirv *spirv);

/* True if any function has a barrier of one group. */
bool zecl_spirv_has_group_barriers(const struct zecl_spirv *spirv);

/* True for each id of a function that has such barriers, or calls one that has. Null: no memory.
 * The caller frees it. */
bool *zecl_spirv_cooperating(const struct zecl_spirv *spirv);

/* A copy of the words in which they are barriers of one group. Null: no memory. The caller frees
 * it. */
uint32_t *zecl_spirv_lone_groups(
    const struct zecl_spirv *spirv, const uint32_t *words, size_t count, size_t *word_count);

/* A copy of the words in which each is a call of `global_barrier`, imported. Null: no memory. The
 * caller frees it. */
uint32_t *zecl_spirv_wide_calls(
    const struct zecl_spirv *spirv, const uint32_t *words, size_t count, size_t *word_count);

#endif
