/* Calls through pointers to functions (SPV_INTEL_function_pointers), which engines of OpenCL lack.
 * The address of a function is a place in the driver's memory where nothing is; a call through a
 * pointer compares it with the addresses of all functions of the type, and calls that one by name.
 * Any other pointer ends the process, as a wild call does. */
#ifndef ZECL_SPIRV_CALL_H
#define ZECL_SPIRV_CALL_H

#include "spirv/spirv.h"

/* True if a module makes such calls, or takes addresses of functions. */
bool zecl_spirv_has_pointer_calls(const struct zecl_spirv *spirv);

/* A copy of the words without them. `memory`: the places of the module's globals, one for each, the
 * functions among them. Null: no memory, or the reason is in the log. The caller frees it. */
uint32_t *zecl_spirv_direct_calls(const struct zecl_spirv *spirv, const uint32_t *words,
    size_t count, void *const *memory, size_t *word_count, struct zecl_text *log);

#endif
