/* Words of a module written one instruction after another. */
#ifndef ZECL_SPIRV_WRITER_H
#define ZECL_SPIRV_WRITER_H

#include <stddef.h>
#include <stdint.h>
#include "core/text.h"

struct zecl_spirv_writer {
  uint32_t next_id;
  struct zecl_text out;
  size_t length; /* that `out` has, if memory did not run out */
};

void zecl_spirv_write(struct zecl_spirv_writer *writer, const uint32_t *words, size_t count);
void zecl_spirv_write_instruction(
    struct zecl_spirv_writer *writer, uint32_t opcode, const uint32_t *operands, uint32_t count);

#define ZECL_SPIRV_EMIT(writer, opcode, ...)                                                       \
  zecl_spirv_write_instruction((writer), (opcode), (const uint32_t[]){__VA_ARGS__},                \
      sizeof((const uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t))

/* An instruction without operands. */
void zecl_spirv_emit_alone(struct zecl_spirv_writer *writer, uint32_t opcode);

/* The words, whose bound becomes that of the writer, and which are the caller's to free. Null: no
 * memory. The writer is empty afterwards. */
uint32_t *zecl_spirv_written(struct zecl_spirv_writer *writer, size_t *word_count);

#endif
