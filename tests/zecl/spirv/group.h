/* Functions of work-groups (reductions, scans, broadcasts, any, all), for engines that lack them:
 * each becomes a function of the module's own, by local memory and barriers. */
#ifndef ZECL_SPIRV_GROUP_H
#define ZECL_SPIRV_GROUP_H

#include <stddef.h>
#include <stdint.h>

/* A copy of the words without them, for groups of at most `most` items. Those of vectors stay.
 * Null: no memory. The caller frees it. */
uint32_t *zecl_spirv_plain_groups(
    const uint32_t *words, size_t count, uint32_t most, size_t *word_count);

#endif
