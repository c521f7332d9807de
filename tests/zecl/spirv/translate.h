/* SPIR-V for platforms that take none: LLVM bitcode (SPIR 1.2) made by llvm-spirv. */
#ifndef ZECL_SPIRV_TRANSLATE_H
#define ZECL_SPIRV_TRANSLATE_H

#include <stdbool.h>
#include "core/text.h"
#include "spirv/spirv.h"

/* Appends the bitcode of a module without imports to `bitcode`. `platform_version` names the LLVM
 * that must read it: "... LLVM 15.0.6 ...". ZECL_LLVM_SPIRV=path chooses the translator. False: the
 * log says what to install, or what the translator said. */
bool zecl_translate(const uint32_t *words, size_t word_count, const char *platform_version,
    struct zecl_text *bitcode, struct zecl_text *log);

/* Links modules into one by spirv-link; a kernel's or function's import is resolved by another's
 * export. Writes the words to `out`, which is empty. */
bool zecl_spirv_link(const struct zecl_spirv *const *modules, uint32_t count, struct zecl_text *out,
    struct zecl_text *log);

#endif
