#include "spirv/writer.h"

void zecl_spirv_write(struct zecl_spirv_writer *writer, const uint32_t *words, size_t count) {
  zecl_text_add_bytes(&writer->out, words, count * sizeof *words);
  writer->length += count * sizeof *words;
}

void zecl_spirv_write_instruction(
    struct zecl_spirv_writer *writer, uint32_t opcode, const uint32_t *operands, uint32_t count) {
  const uint32_t head = (count + 1) << 16 | opcode;
  zecl_spirv_write(writer, &head, 1);
  zecl_spirv_write(writer, operands, count);
}

void zecl_spirv_emit_alone(struct zecl_spirv_writer *writer, uint32_t opcode) {
  const uint32_t head = 1u << 16 | opcode;
  zecl_spirv_write(writer, &head, 1);
}

uint32_t *zecl_spirv_written(struct zecl_spirv_writer *writer, size_t *word_count) {
  uint32_t *words = (uint32_t *)(void *)writer->out.data;
  if (writer->out.length != writer->length) {
    zecl_text_free(&writer->out);
    return NULL;
  }
  words[3] = writer->next_id;
  *word_count = writer->length / sizeof *words;
  writer->out = (struct zecl_text){0};
  return words;
}
