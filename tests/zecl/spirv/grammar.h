/* The sections of a module in which instructions stand, and the parts of instructions that zecl
 * reads. */
#ifndef ZECL_SPIRV_GRAMMAR_H
#define ZECL_SPIRV_GRAMMAR_H

#include <stdbool.h>
#include <stdint.h>

/* The word that holds an instruction's result, for those that zecl records; 0: not one of them. */
uint32_t zecl_spirv_result_word(uint32_t opcode);

/* The least length of the instructions that zecl reads; 1 for others. */
uint32_t zecl_spirv_least_length(uint32_t opcode);

/* True for the instructions that zecl looks for in functions. */
bool zecl_spirv_is_of_function(uint32_t opcode);

/* True for instructions that stand before the first function. */
bool zecl_spirv_is_of_module(uint32_t opcode, const uint32_t *w);

#endif
