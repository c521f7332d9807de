/* The text of a part of a SPIR-V module: each instruction outside of functions, and each function
 * whole, is a piece listed at its id, so that a part is written without visiting the others.
 *
 * An instruction that decorates many ids is a piece for each of them. A line belongs to the first
 * piece behind it that is written. */
#include "../split.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SPLIT_WRITER_H
#define SYCLZE_OFFLOAD_DETAIL_SPLIT_WRITER_H

#include "buffer_writer.h"
#include "split_liveness.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__split_piece {
  uint32_t position;
  uint32_t word; /* of a group's instruction: where its target is; otherwise 0 */
  uint32_t line; /* position of the last line before it; 0: none */
  uint32_t next; /* of the same id, from 1 */
};

#if SYCLZE__BODIES

/* The number of words for each target of a group's instruction; 0 for other instructions. */
SYCLZE_INLINE uint32_t syclze__split_group_step(uint32_t opcode) {
  return opcode == SYCLZE__SPIRV_OP_GROUP_DECORATE ? 1 : opcode == 75 ? 2 : 0;
}

#define SYCLZE__SPLIT_NO_PIECE UINT32_MAX

/* The id that an instruction belongs to; 0 for one that every part has. */
SYCLZE_LOCAL uint32_t syclze__split_piece_target(const syclze_spirv_instruction *at) {
  uint32_t word = syclze__spirv_definition_word(at->opcode);
  if (at->opcode == 0) return SYCLZE__SPLIT_NO_PIECE;
  if (at->opcode == 7) return 0; /* String, which lines name */
  if (word != 0) return syclze_spirv_word(at, word);
  switch (at->opcode) {
  case SYCLZE__SPIRV_OP_ENTRY_POINT:
    return syclze_spirv_word(at, 2);
  case SYCLZE__SPIRV_OP_EXECUTION_MODE:
  case SYCLZE__SPIRV_OP_EXECUTION_MODE_ID:
  case SYCLZE__SPIRV_OP_DECORATE:
  case 5:    /* Name */
  case 6:    /* MemberName */
  case 72:   /* MemberDecorate */
  case 332:  /* DecorateId */
  case 5632: /* DecorateString */
  case 5633: /* MemberDecorateString */
  case SYCLZE__SPIRV_OP_TYPE_FORWARD_POINTER:
    return at->length > 1 ? syclze_spirv_word(at, 1) : SYCLZE__SPLIT_NO_PIECE;
  default:
    return 0;
  }
}

/* Adds a piece, or only counts it without a list. */
SYCLZE_INLINE void syclze__split_piece_add(struct syclze__split_pieces *pieces,
    struct syclze__split_reach *reach, uint32_t id, struct syclze__split_piece piece) {
  if (id >= reach->id_count || (id != 0 && reach->ids[id].owner == 0)) return;
  pieces->count++;
  if (pieces->list == NULL) return;
  if (id != 0) id = reach->ids[id].owner;
  piece.next = reach->ids[id].pieces;
  pieces->list[pieces->count - 1] = piece;
  reach->ids[id].pieces = pieces->count;
}

SYCLZE_LOCAL void syclze__split_pieces_list(
    struct syclze__split_pieces *pieces, struct syclze__split_reach *reach) {
  struct syclze__split_piece piece = {SYCLZE__SPIRV_HEADER_WORDS, 0, 0, 0};
  syclze_spirv_instruction at;
  bool is_in_function = false;
  pieces->count = 0;
  for (uint32_t next = piece.position; syclze_spirv_next(&reach->spirv, &next, &at);
       piece.position = next) {
    uint32_t step = syclze__split_group_step(at.opcode);
    reach->visits++;
    if (is_in_function)
      is_in_function = at.opcode != 56;
    else if (at.opcode == 8 || at.opcode == 317)
      piece.line = piece.position;
    else if (step == 0) {
      syclze__split_piece_add(pieces, reach, syclze__split_piece_target(&at), piece);
      is_in_function = at.opcode == SYCLZE__SPIRV_OP_FUNCTION;
    } else
      for (piece.word = 2; piece.word + step <= at.length; piece.word += step)
        syclze__split_piece_add(pieces, reach, syclze_spirv_word(&at, piece.word), piece);
    piece.word = 0;
  }
}

/* Finds the pieces of a module, after its definitions were read. There must be at least one id. */
SYCLZE_LOCAL struct syclze__status syclze__split_pieces_read(
    struct syclze__split_pieces *pieces, struct syclze__split_reach *reach) {
  syclze__split_pieces_list(pieces, reach);
  uint64_t size = (uint64_t)pieces->count * (sizeof *pieces->list + sizeof *pieces->chosen);
  if (size < SIZE_MAX) pieces->list = (struct syclze__split_piece *)malloc((size_t)size + 1);
  if (pieces->list == NULL) return syclze__out_of_memory();
  pieces->chosen = (const struct syclze__split_piece **)(void *)(pieces->list + pieces->count);
  syclze__split_pieces_list(pieces, reach);
  return syclze__allowed();
}

/* Compares pointers to pieces: in the order of the module. */
SYCLZE_LOCAL int syclze__split_piece_compare(const void *a, const void *b) {
  const struct syclze__split_piece *left = *(const struct syclze__split_piece *const *)a;
  const struct syclze__split_piece *right = *(const struct syclze__split_piece *const *)b;
  if (left->position != right->position) return left->position < right->position ? -1 : 1;
  return left->word < right->word ? -1 : left->word > right->word;
}

/* Lists the pieces of the ids that the last walk reached, in order. Returns their number. */
SYCLZE_INLINE uint32_t syclze__split_pieces_choose(
    struct syclze__split_pieces *pieces, struct syclze__split_reach *reach) {
  uint32_t count = 0;
  for (uint32_t i = 0; i <= reach->reached; i++) {
    uint32_t id = i != 0 ? reach->queue[i - 1] : 0;
    for (uint32_t number = reach->ids[id].pieces; number != 0;
         number = pieces->list[number - 1].next)
      pieces->chosen[count++] = &pieces->list[number - 1];
  }
  reach->visits += count;
  qsort((void *)pieces->chosen, count, sizeof *pieces->chosen, syclze__split_piece_compare);
  return count;
}

/* True if a piece belongs to the part, which has the piece's id. */
SYCLZE_INLINE bool syclze__split_includes(
    const struct syclze__split_reach *reach, uint32_t part, const syclze_spirv_instruction *at) {
  switch (at->opcode) {
  case SYCLZE__SPIRV_OP_CAPABILITY:
    return at->length < 2 || syclze__split_declares(syclze_spirv_word(at, 1), reach->facts);
  case SYCLZE__SPIRV_OP_ENTRY_POINT:
    return reach->ids[syclze_spirv_word(at, 2)].part == part;
  case SYCLZE__SPIRV_OP_EXECUTION_MODE:
  case SYCLZE__SPIRV_OP_EXECUTION_MODE_ID:
    return reach->ids[syclze_spirv_word(at, 1)].part == part;
  case SYCLZE__SPIRV_OP_DECORATE: {
    const struct syclze__split_id *id = &reach->ids[syclze_spirv_word(at, 1)];
    return syclze_spirv_word(at, 2) != SYCLZE__SPIRV_DECORATION_LINKAGE ||
           !(id->flags & SYCLZE__SPLIT_ID_EXPORT) || id->part == part;
  }
  default:
    return true;
  }
}

/* An entry point with those of the variables behind its name that the part has: compilers list all
 * of the module. */
SYCLZE_LOCAL void syclze__split_put_entry(const struct syclze__split_reach *reach,
    const syclze_spirv_instruction *at, struct syclze__writer *writer) {
  uint32_t first = at->length, kept = 0;
  if (syclze__spirv_string(at, 3, &first) == NULL || first > at->length) first = at->length;
  for (uint32_t word = first; word < at->length; word++)
    kept += syclze__split_keeps(reach, syclze_spirv_word(at, word));
  syclze__writer_put_u32(writer, at->opcode | (first + kept) << 16);
  syclze__writer_put(writer, at->data + 4, (size_t)(first - 1) * 4);
  for (uint32_t word = first; word < at->length; word++)
    if (syclze__split_keeps(reach, syclze_spirv_word(at, word)))
      syclze__writer_put(writer, at->data + (size_t)word * 4, 4);
}

/* Writes a group's instruction with the targets of `count` chosen pieces of it. */
SYCLZE_INLINE void syclze__split_put_group(const struct syclze__split_piece *const *chosen,
    uint32_t count, const syclze_spirv_instruction *at, struct syclze__writer *writer) {
  uint32_t step = syclze__split_group_step(at->opcode);
  syclze__writer_put_u32(writer, at->opcode | (2 + count * step) << 16);
  syclze__writer_put(writer, at->data + 4, 4);
  for (uint32_t i = 0; i < count; i++)
    syclze__writer_put(writer, at->data + (size_t)chosen[i]->word * 4, (size_t)step * 4);
}

/* Writes an instruction unchanged, or a function to its end. */
SYCLZE_INLINE void syclze__split_put_whole(struct syclze__split_reach *reach, uint32_t position,
    const syclze_spirv_instruction *first, struct syclze__writer *writer) {
  size_t words = first->length;
  syclze_spirv_instruction at = *first;
  position += first->length;
  while (first->opcode == SYCLZE__SPIRV_OP_FUNCTION && at.opcode != 56 &&
         syclze_spirv_next(&reach->spirv, &position, &at)) {
    words += at.length;
    reach->visits++;
  }
  syclze__writer_put(writer, first->data, words * 4);
}

/* Writes a part, by its number from 1, that the last walk has reached. */
SYCLZE_LOCAL void syclze__split_pieces_write(struct syclze__split_pieces *pieces,
    struct syclze__split_reach *reach, uint32_t part, struct syclze__writer *writer) {
  uint32_t count = syclze__split_pieces_choose(pieces, reach), line = 0;
  for (uint32_t i = 0, next; i < count; i = next) {
    const struct syclze__split_piece *piece = pieces->chosen[i];
    syclze_spirv_instruction at = syclze__spirv_at(&reach->spirv, piece->position);
    next = i + 1;
    while (next < count && pieces->chosen[next]->position == piece->position)
      next++;
    if (!syclze__split_includes(reach, part, &at)) continue;
    if (piece->line != line) {
      line = piece->line;
      syclze_spirv_instruction of = syclze__spirv_at(&reach->spirv, line);
      syclze__writer_put(writer, of.data, (size_t)of.length * 4);
    }
    if (at.opcode == SYCLZE__SPIRV_OP_ENTRY_POINT)
      syclze__split_put_entry(reach, &at, writer);
    else if (piece->word != 0)
      syclze__split_put_group(pieces->chosen + i, next - i, &at, writer);
    else
      syclze__split_put_whole(reach, piece->position, &at, writer);
  }
}

#endif

SYCLZE_EXTERN_C_END

#endif
