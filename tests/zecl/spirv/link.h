/* Modules of SPIR-V linked into one, by spirv-link. */
#ifndef ZECL_SPIRV_LINK_H
#define ZECL_SPIRV_LINK_H

#include "spirv/spirv.h"

/* Links modules into one by spirv-link; a kernel's or function's import is resolved by another's
 * export. Writes the words to `out`, which is empty. */
bool zecl_spirv_link(const struct zecl_spirv *const *modules, uint32_t count, struct zecl_text *out,
    struct zecl_text *log);

#endif
