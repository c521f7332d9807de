/* Modules of SPIR-V written word by word.

     struct words w = words_begin(bound);
     words_add(&w, 17, 1, 6);            an instruction: opcode, number of operands, operands
     words_add_text(&w, 15, 2, 6, 4, "name", 0);
     syclze_bytes module = words_bytes(&w);

   The words stand in the struct: nothing is freed. */
#ifndef TESTS_OFFLOAD_WORDS_H
#define TESTS_OFFLOAD_WORDS_H

#include "syclze/offload/device_image.h"

enum { WORDS_ROOM = 4096 };

struct words {
  uint32_t word[WORDS_ROOM];
  uint32_t count;
};

struct words words_begin(uint32_t bound);

/* `count` operands follow, each a uint32_t. */
void words_add(struct words *words, uint32_t opcode, int count, ...);

/* Adds an instruction with a string after `before` operands, and then one more operand if `after`
 * is not negative. */
void words_add_text(struct words *words, uint32_t opcode, int before, uint32_t first,
    uint32_t second, const char *text, int after);

syclze_bytes words_bytes(const struct words *words);

#endif
