/* Variables of the language itself (ids of work-items, sizes), of which a linked module has one of
 * every module that it was linked from. Translators give only the first of each kind its meaning.
 */
#ifndef ZECL_SPIRV_BUILTIN_H
#define ZECL_SPIRV_BUILTIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Makes all others names of the first, in place: `count` words become fewer. False: no memory. */
bool zecl_spirv_merge_builtins(uint32_t *words, size_t *count);

#endif
