/* The pieces of a section: Offload Binaries, SPIR-V modules, or one image, in a row. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_FILE_PIECE_H
#define SYCLZE_OFFLOAD_DETAIL_FILE_PIECE_H

#include "container.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The size of the SPIR-V module at the beginning of the bytes. A module has no size field: it ends
 * before anything but an instruction, at a word of zero, at the header of another module or of an
 * Offload Binary, or at the end. */
SYCLZE_LOCAL size_t syclze__spirv_extent(syclze_bytes bytes) {
  const uint8_t *at = (const uint8_t *)bytes.data;
  size_t offset = 20;
  if (bytes.size < 20 || syclze__load_u32(at) != 0x07230203u) return bytes.size;
  while (bytes.size - offset >= 4) {
    uint32_t word = syclze__load_u32(at + offset);
    if (word >> 16 == 0 || word == SYCLZE__CONTAINER_MAGIC) return offset;
    if (word == 0x07230203u && bytes.size - offset >= 20 &&
        (syclze__load_u32(at + offset + 4) & 0xffff00ffu) == 0x00010000u)
      return offset;
    if ((bytes.size - offset) / 4 < word >> 16) return bytes.size;
    offset += (size_t)(word >> 16) * 4;
  }
  return bytes.size;
}

/* Finds the next piece of a section: a blob, a module, or all the rest; none at the end. Pieces
 * begin at multiples of 8 from the section's first byte on, but a module may follow another one
 * directly. */
SYCLZE_LOCAL struct syclze__status syclze__offload_next_piece(
    syclze_offload_file_cursor *cursor, syclze_bytes *piece) {
  syclze_bytes all = cursor->pieces;
  size_t begin = cursor->next_piece, left = all.size - begin, to_aligned = (0 - begin) % 8;
  *piece = syclze_bytes_of(NULL, 0);
  if (to_aligned != 0 && (left < 4 || syclze__load_u32((const uint8_t *)all.data + begin) == 0))
    begin = left < to_aligned ? all.size : begin + to_aligned;
  if (begin % 8 == 0) begin = syclze__skip_zeros(all, begin);
  cursor->next_piece = all.size;
  if (begin == all.size) return syclze__allowed();
  syclze_bytes rest = {(const uint8_t *)all.data + begin, all.size - begin};
  *piece = rest;
  if (syclze_offload_format_of(rest) == SYCLZE_OFFLOAD_FORMAT_SPIRV) {
    piece->size = syclze__spirv_extent(rest);
    cursor->next_piece = begin + piece->size;
  } else if (syclze_offload_format_of(rest) == SYCLZE_OFFLOAD_FORMAT_CONTAINER) {
    struct syclze__container_blob blob;
    struct syclze__status status = syclze__container_header(rest, 0, &blob);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    piece->size = (size_t)blob.size;
    cursor->next_piece = begin + syclze__container_after(rest, 0, &blob);
  }
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
