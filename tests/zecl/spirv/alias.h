/* SPV_INTEL_memory_access_aliasing: what does not alias what. Advice to optimisers, which can be
 * left out. */
#ifndef ZECL_SPIRV_ALIAS_H
#define ZECL_SPIRV_ALIAS_H

#include <stdbool.h>
#include <stdint.h>

/* True for an instruction that only the extension defines. */
bool zecl_spirv_is_aliasing(const uint32_t *w);

/* An access of memory without the extension's operands, and its length; for any other instruction
 * its own length, and nothing is written. */
uint32_t zecl_spirv_without_aliasing(const uint32_t *w, uint32_t plain[16]);

#endif
