/* Offload Binaries embedded in LLVM bitcode, as `clang -c -emit-llvm -fembed-offload-object` and
 * link-time optimisation leave them: constant arrays of bytes.
 *
 * The reader knows enough of LLVM's bitstream to find each constant: blocks, records,
 * abbreviations, and those of the block of abbreviations. An array of bytes that begins like an
 * Offload Binary is one.
 */
#include "../bitcode.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_BITCODE_H
#define SYCLZE_OFFLOAD_DETAIL_BITCODE_H

#include "../container.h"
#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum {
  SYCLZE__BITCODE_DEPTH = 16,
  SYCLZE__BITCODE_OPERANDS = 32,       /* of an abbreviation */
  SYCLZE__BITCODE_ABBREVIATIONS = 512, /* in all blocks that are open */
  SYCLZE__BITCODE_BLOCKINFO = 0,
  SYCLZE__BITCODE_CONSTANTS = 11,
  SYCLZE__CONSTANT_STRING = 8,
  SYCLZE__CONSTANT_CSTRING = 9,
  SYCLZE__CONSTANT_DATA = 22
};

enum syclze__bitcode_encoding {
  SYCLZE__BITCODE_LITERAL = 0,
  SYCLZE__BITCODE_FIXED = 1,
  SYCLZE__BITCODE_VBR = 2,
  SYCLZE__BITCODE_ARRAY = 3,
  SYCLZE__BITCODE_CHAR6 = 4,
  SYCLZE__BITCODE_BLOB = 5
};

struct syclze__bitcode_operand {
  uint8_t encoding;
  uint64_t value; /* of a literal; else the width in bits */
};

struct syclze__bitcode_abbreviation {
  uint32_t block; /* of abbreviations from the block of abbreviations */
  uint32_t count;
  struct syclze__bitcode_operand operands[SYCLZE__BITCODE_OPERANDS];
};

/* A block that is being read. */
struct syclze__bitcode_scope {
  uint32_t block;
  uint32_t width; /* of an abbreviation's number */
  uint32_t first; /* its first abbreviation */
};

struct syclze__bitcode {
  const uint8_t *data;
  uint64_t bits, at;
  bool failed;
  uint32_t depth;
  struct syclze__bitcode_scope scopes[SYCLZE__BITCODE_DEPTH];
  uint32_t abbreviation_count, shared_count;
  uint32_t blockinfo; /* the block that the next shared abbreviation is for */
  struct syclze__bitcode_abbreviation *abbreviations, *shared;
  uint8_t *bytes; /* of the record: room for twice the module's size */
  size_t size;
  uint64_t code;
  bool is_bytes; /* all operands so far fit into bytes */
};

SYCLZE_LOCAL_WARM uint64_t syclze__bitcode_fixed(struct syclze__bitcode *stream, uint32_t width) {
  uint64_t value = 0;
  if (width > 64 || width > stream->bits - stream->at) {
    stream->failed = true;
    stream->at = stream->bits;
    return 0;
  }
  for (uint32_t done = 0; done < width;) {
    uint32_t offset = (uint32_t)(stream->at & 7), count = 8 - offset;
    if (count > width - done) count = width - done;
    uint64_t part = (uint64_t)(stream->data[stream->at >> 3] >> offset) & ((1u << count) - 1);
    value |= part << done;
    done += count;
    stream->at += count;
  }
  return value;
}

SYCLZE_LOCAL_WARM uint64_t syclze__bitcode_vbr(struct syclze__bitcode *stream, uint32_t width) {
  uint64_t value = 0;
  if (width < 2 || width > 32) stream->failed = true;
  for (uint32_t shift = 0; !stream->failed; shift += width - 1) {
    uint64_t chunk = syclze__bitcode_fixed(stream, width);
    uint64_t high = (uint64_t)1 << (width - 1);
    if (shift < 64) value |= (chunk & (high - 1)) << shift;
    if ((chunk & high) == 0) break;
  }
  return value;
}

SYCLZE_INLINE void syclze__bitcode_align(struct syclze__bitcode *stream) {
  stream->at = (stream->at + 31) & ~(uint64_t)31;
  if (stream->at > stream->bits) stream->at = stream->bits;
}

/* Adds an operand of a record: the first is its code. */
SYCLZE_INLINE void syclze__bitcode_put(
    struct syclze__bitcode *stream, bool is_code, uint64_t value) {
  if (is_code) {
    stream->code = value;
    return;
  }
  if (value > 0xff) stream->is_bytes = false;
  if (stream->is_bytes) stream->bytes[stream->size++] = (uint8_t)value;
}

SYCLZE_LOCAL_WARM uint64_t syclze__bitcode_scalar(
    struct syclze__bitcode *stream, const struct syclze__bitcode_operand *operand) {
  static const char characters[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._";
  switch (operand->encoding) {
  case SYCLZE__BITCODE_LITERAL:
    return operand->value;
  case SYCLZE__BITCODE_FIXED:
    return syclze__bitcode_fixed(stream, (uint32_t)operand->value);
  case SYCLZE__BITCODE_VBR:
    return operand->value != 0 ? syclze__bitcode_vbr(stream, (uint32_t)operand->value) : 0;
  case SYCLZE__BITCODE_CHAR6:
    return (uint8_t)characters[syclze__bitcode_fixed(stream, 6)];
  default:
    stream->failed = true;
    return 0;
  }
}

/* Reads an array or a blob, whose elements must fit into the remaining bits. */
SYCLZE_LOCAL void syclze__bitcode_elements(struct syclze__bitcode *stream,
    const struct syclze__bitcode_operand *operand, const struct syclze__bitcode_operand *element) {
  uint64_t count = syclze__bitcode_vbr(stream, 6);
  if (operand->encoding == SYCLZE__BITCODE_BLOB) {
    syclze__bitcode_align(stream);
    if (count > (stream->bits - stream->at) / 8) stream->failed = true;
    if (!stream->failed) stream->at += 8 * count;
    stream->is_bytes = false;
    syclze__bitcode_align(stream);
    return;
  }
  bool is_empty = element->encoding == SYCLZE__BITCODE_LITERAL || element->value == 0;
  if (element->encoding == SYCLZE__BITCODE_CHAR6) is_empty = false;
  if (is_empty && count != 0) stream->failed = true; /* no bits for any number of elements */
  /* Narrower elements are not bytes, and would need more room than the module. */
  if (element->encoding != SYCLZE__BITCODE_CHAR6 && element->value < 7) stream->is_bytes = false;
  for (; count != 0 && !stream->failed; count--)
    syclze__bitcode_put(stream, false, syclze__bitcode_scalar(stream, element));
}

SYCLZE_LOCAL void syclze__bitcode_abbreviated(
    struct syclze__bitcode *stream, const struct syclze__bitcode_abbreviation *abbreviation) {
  for (uint32_t i = 0; i < abbreviation->count && !stream->failed; i++) {
    const struct syclze__bitcode_operand *operand = &abbreviation->operands[i];
    if (operand->encoding == SYCLZE__BITCODE_ARRAY || operand->encoding == SYCLZE__BITCODE_BLOB) {
      const struct syclze__bitcode_operand *element =
          i + 1 < abbreviation->count ? operand + 1 : operand;
      if (operand->encoding == SYCLZE__BITCODE_ARRAY && element == operand) stream->failed = true;
      if (!stream->failed) syclze__bitcode_elements(stream, operand, element);
      return;
    }
    syclze__bitcode_put(stream, i == 0, syclze__bitcode_scalar(stream, operand));
  }
}

SYCLZE_LOCAL void syclze__bitcode_unabbreviated(struct syclze__bitcode *stream) {
  stream->code = syclze__bitcode_vbr(stream, 6);
  uint64_t count = syclze__bitcode_vbr(stream, 6);
  for (; count != 0 && !stream->failed; count--)
    syclze__bitcode_put(stream, false, syclze__bitcode_vbr(stream, 6));
}

SYCLZE_LOCAL void syclze__bitcode_define(struct syclze__bitcode *stream) {
  SYCLZE__ZEROED(struct syclze__bitcode_abbreviation, abbreviation);
  uint64_t count = syclze__bitcode_vbr(stream, 5);
  if (count > SYCLZE__BITCODE_OPERANDS) {
    stream->failed = true;
    return;
  }
  for (uint64_t i = 0; i < count && !stream->failed; i++) {
    struct syclze__bitcode_operand *operand = &abbreviation.operands[i];
    if (syclze__bitcode_fixed(stream, 1) != 0) {
      operand->value = syclze__bitcode_vbr(stream, 8);
    } else {
      operand->encoding = (uint8_t)syclze__bitcode_fixed(stream, 3);
      if (operand->encoding == SYCLZE__BITCODE_FIXED || operand->encoding == SYCLZE__BITCODE_VBR)
        operand->value = syclze__bitcode_vbr(stream, 5);
      if (operand->encoding == 0 || operand->encoding > SYCLZE__BITCODE_BLOB || operand->value > 64)
        stream->failed = true;
    }
  }
  abbreviation.count = (uint32_t)count;
  bool is_shared =
      stream->depth != 0 && stream->scopes[stream->depth - 1].block == SYCLZE__BITCODE_BLOCKINFO;
  abbreviation.block = stream->blockinfo;
  if ((is_shared ? stream->shared_count : stream->abbreviation_count) ==
      SYCLZE__BITCODE_ABBREVIATIONS)
    stream->failed = true;
  else if (is_shared)
    stream->shared[stream->shared_count++] = abbreviation;
  else
    stream->abbreviations[stream->abbreviation_count++] = abbreviation;
}

SYCLZE_LOCAL void syclze__bitcode_enter(struct syclze__bitcode *stream) {
  uint32_t block = (uint32_t)syclze__bitcode_vbr(stream, 8);
  uint32_t width = (uint32_t)syclze__bitcode_vbr(stream, 4);
  syclze__bitcode_align(stream);
  syclze__bitcode_fixed(stream, 32);
  if (stream->depth == SYCLZE__BITCODE_DEPTH || width < 2 || width > 32) stream->failed = true;
  if (stream->failed) return;
  struct syclze__bitcode_scope *scope = &stream->scopes[stream->depth++];
  scope->block = block;
  scope->width = width;
  scope->first = stream->abbreviation_count;
  stream->blockinfo = UINT32_MAX;
  for (uint32_t i = 0; i < stream->shared_count && block != SYCLZE__BITCODE_BLOCKINFO; i++) {
    if (stream->shared[i].block != block) continue;
    if (stream->abbreviation_count == SYCLZE__BITCODE_ABBREVIATIONS) {
      stream->failed = true;
      return;
    }
    stream->abbreviations[stream->abbreviation_count++] = stream->shared[i];
  }
}

/* Reads up to the next constant of bytes that may be an Offload Binary. */
SYCLZE_LOCAL bool syclze__bitcode_next(struct syclze__bitcode *stream) {
  while (!stream->failed && stream->at < stream->bits) {
    uint32_t width = stream->depth != 0 ? stream->scopes[stream->depth - 1].width : 2;
    if (stream->depth == 0 && stream->bits - stream->at < 32) return false;
    uint64_t number = syclze__bitcode_fixed(stream, width);
    stream->size = 0;
    stream->is_bytes = true;
    if (number == 0) { /* the end of a block */
      syclze__bitcode_align(stream);
      if (stream->depth == 0) return false;
      stream->abbreviation_count = stream->scopes[--stream->depth].first;
      continue;
    }
    if (number == 1) {
      syclze__bitcode_enter(stream);
      continue;
    }
    if (stream->depth == 0) return false;
    const struct syclze__bitcode_scope *scope = &stream->scopes[stream->depth - 1];
    if (number == 2) {
      syclze__bitcode_define(stream);
      continue;
    }
    if (number == 3)
      syclze__bitcode_unabbreviated(stream);
    else if (number - 4 < stream->abbreviation_count - scope->first)
      syclze__bitcode_abbreviated(stream, &stream->abbreviations[scope->first + number - 4]);
    else
      stream->failed = true;
    if (scope->block == SYCLZE__BITCODE_BLOCKINFO && stream->code == 1 && stream->size == 1)
      stream->blockinfo = stream->bytes[0];
    if (!stream->failed && scope->block == SYCLZE__BITCODE_CONSTANTS && stream->is_bytes &&
        stream->size >= 4 && syclze__load_u32(stream->bytes) == SYCLZE__CONTAINER_MAGIC &&
        (stream->code == SYCLZE__CONSTANT_STRING || stream->code == SYCLZE__CONSTANT_CSTRING ||
            stream->code == SYCLZE__CONSTANT_DATA))
      return true;
  }
  return false;
}

/* The bitcode in its wrapper, or all of it. */
SYCLZE_INLINE syclze_bytes syclze__bitcode_unwrap(syclze_bytes bytes) {
  const uint8_t *data = (const uint8_t *)bytes.data;
  if (bytes.size < 20 || syclze__load_u32(data) != 0x0b17c0deu) return bytes;
  uint32_t offset = syclze__load_u32(data + 8), size = syclze__load_u32(data + 12);
  if (!syclze__within(bytes.size, offset, size)) return syclze_bytes_of(NULL, 0);
  return syclze_bytes_of(data + offset, size);
}

/* Copies the Offload Binaries that bitcode embeds, one behind the other, to the cursor's memory;
 * empty without any. Bitcode that cannot be read to its end yields those found before. */
SYCLZE_LOCAL struct syclze__status syclze__bitcode_embedded(
    syclze_bytes bytes, struct syclze__file_memory **memory, syclze_bytes *embedded) {
  syclze_bytes code = syclze__bitcode_unwrap(bytes);
  *embedded = syclze_bytes_of(NULL, 0);
  if (code.size < 8) return syclze__allowed();
  SYCLZE__ZEROED(struct syclze__bitcode, stream);
  stream.data = (const uint8_t *)code.data;
  stream.bits = (uint64_t)code.size * 8;
  stream.at = 32;
  stream.blockinfo = UINT32_MAX;
  size_t tables = 2 * SYCLZE__BITCODE_ABBREVIATIONS * sizeof *stream.shared;
  /* A collected element has six bits at least. */
  uint8_t *work = (uint8_t *)malloc(tables + 2 * code.size + 64);
  if (work == NULL) return syclze__out_of_memory();
  stream.abbreviations = (struct syclze__bitcode_abbreviation *)(void *)work;
  stream.shared = stream.abbreviations + SYCLZE__BITCODE_ABBREVIATIONS;
  stream.bytes = work + tables;
  struct syclze__status status = syclze__allowed();
  size_t size = 0, room = 0;
  uint8_t *found = NULL;
  while (status.result == ZE_RESULT_SUCCESS && syclze__bitcode_next(&stream)) {
    size_t padded = (stream.size + 7) & ~(size_t)7;
    if (padded > room - size) {
      uint8_t *grown = NULL;
      room = (size + padded) * 2;
      grown = (uint8_t *)syclze__file_allocate(memory, room);
      if (grown == NULL) status = syclze__out_of_memory();
      if (grown != NULL && size != 0) memcpy(grown, found, size);
      found = grown;
    }
    if (found != NULL) memcpy(found + size, stream.bytes, stream.size);
    size += padded;
  }
  free(work);
  if (status.result == ZE_RESULT_SUCCESS) *embedded = syclze_bytes_of(found, size);
  return status;
}

SYCLZE_COLD syclze_offload_file_cursor syclze_offload_file_begin_bitcode(syclze_bytes bytes) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  syclze_bytes embedded;
  if (syclze_offload_format_of(bytes) != SYCLZE_OFFLOAD_FORMAT_LLVM_IR) return cursor;
  const struct syclze__status status = syclze__bitcode_embedded(bytes, &cursor.memory, &embedded);
  cursor.result = status.result;
  cursor.rule = status.rule;
  if (status.result != ZE_RESULT_SUCCESS)
    syclze__finish(status, "syclze_offload_file_begin_bitcode", NULL);
  cursor.begun = embedded.size != 0;
  if (cursor.begun) cursor.pieces = embedded;
  return cursor;
}

#endif

SYCLZE_EXTERN_C_END

#endif
