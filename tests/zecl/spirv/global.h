/* Variables of a program at addresses that the driver chooses. */
#ifndef ZECL_SPIRV_GLOBAL_H
#define ZECL_SPIRV_GLOBAL_H

#include "spirv/spirv.h"

/* A copy of the words in which the module's globals are those at `memory`, one for each. Null: no
 * memory. The caller frees it. */
uint32_t *zecl_spirv_place_globals(const struct zecl_spirv *spirv, const uint32_t *words,
    size_t count, void *const *memory, size_t *word_count);

/* The id of the variable that a HostAccessINTEL decoration calls `*name`, or 0. `*name` is then the
 * name by which it is exported, if it is. */
uint32_t zecl_spirv_host_variable(const struct zecl_spirv *spirv, const char **name);

/* Copies an entry point without its interface, which kernels need not have; `out` may be where it
 * stands. Returns the count of words. */
uint32_t zecl_spirv_bare_entry_point(const uint32_t *w, uint32_t *out);

#endif
