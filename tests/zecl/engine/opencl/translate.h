/* SPIR-V for platforms that take none: LLVM bitcode (SPIR 1.2) made by llvm-spirv. */
#ifndef ZECL_ENGINE_OPENCL_TRANSLATE_H
#define ZECL_ENGINE_OPENCL_TRANSLATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "core/text.h"

/* The number of the LLVM that a version of a platform names; 0: none. */
int zecl_translate_llvm(const char *platform_version);

/* Appends the bitcode of a module without imports to `bitcode`. `platform_version` names the LLVM
 * that must read it: "... LLVM 15.0.6 ...". ZECL_LLVM_SPIRV=path chooses the translator. False: the
 * log has the name of the package to install, or the output of the translator. */
bool zecl_translate(const uint32_t *words, size_t word_count, const char *platform_version,
    struct zecl_text *bitcode, struct zecl_text *log);

#endif
