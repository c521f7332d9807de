/* Decompression of a file's contents, into its cursor's memory. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_FILE_INFLATE_H
#define SYCLZE_OFFLOAD_DETAIL_FILE_INFLATE_H

#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The number of bytes that a file may still inflate to. */
SYCLZE_INLINE size_t syclze__file_inflate_room(const syclze_offload_file_cursor *cursor) {
  size_t limit = cursor->inflate_limit;
  if (limit == 0) limit = syclze__inflate_default(cursor->bytes.size);
  return limit > cursor->inflated ? limit - cursor->inflated : 0;
}

/* Keeps inflated bytes with the cursor. */
SYCLZE_LOCAL struct syclze__status syclze__file_keep_inflated(
    syclze_offload_file_cursor *cursor, struct syclze__file_block *block, syclze_bytes *bytes) {
  if (!syclze__file_memory_adopt(&cursor->memory, block)) return syclze__out_of_memory();
  bytes->data = block + 1;
  cursor->inflated += bytes->size;
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__file_inflate_image(
    syclze_offload_file_cursor *cursor, syclze_bytes *bytes) {
  struct syclze__file_block *block = NULL;
  size_t size = 0;
  struct syclze__status status = syclze__image_inflate(
      *bytes, syclze__file_inflate_room(cursor), sizeof *block, (void **)&block, &size);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  bytes->size = size;
  return syclze__file_keep_inflated(cursor, block, bytes);
}

/* Inflates a container with a compressed blob; leaves any other. */
SYCLZE_LOCAL struct syclze__status syclze__file_inflate_container(
    syclze_offload_file_cursor *cursor, syclze_bytes *bytes) {
  struct syclze__file_block *block = NULL;
  struct syclze__container_blob blob;
  struct syclze__status status = syclze__container_header(*bytes, 0, &blob);
  if (status.result != ZE_RESULT_SUCCESS || blob.inflated_size == 0) return status;
  size_t size = 0;
  status = syclze__container_inflate(
      *bytes, syclze__file_inflate_room(cursor), sizeof *block, (void **)&block, &size);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  bytes->size = size;
  return syclze__file_keep_inflated(cursor, block, bytes);
}

#endif

SYCLZE_EXTERN_C_END

#endif
