/* Decompression of a file's contents, into its cursor's memory. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_FILE_INFLATE_H
#define SYCLZE_OFFLOAD_DETAIL_FILE_INFLATE_H

#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE size_t syclze__file_inflate_limit(const syclze_offload_file_cursor *cursor) {
  return cursor->inflate_limit != 0 ? cursor->inflate_limit
                                    : syclze__inflate_default(cursor->bytes.size);
}

/* The number of bytes that a file may still inflate to. */
SYCLZE_INLINE size_t syclze__file_inflate_room(const syclze_offload_file_cursor *cursor) {
  const size_t limit = syclze__file_inflate_limit(cursor);
  return limit > cursor->inflated ? limit - cursor->inflated : 0;
}

/* Replaces the bytes by the inflated ones, which the cursor keeps. */
SYCLZE_LOCAL struct syclze__status syclze__file_inflate(syclze_offload_file_cursor *cursor,
    struct syclze__status (*inflate)(
        syclze_bytes bytes, size_t limit, size_t prefix, void **block, size_t *size),
    syclze_bytes *bytes) {
  struct syclze__file_block *block = NULL;
  size_t size = 0;
  const struct syclze__status status =
      inflate(*bytes, syclze__file_inflate_room(cursor), sizeof *block, (void **)&block, &size);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!syclze__file_memory_adopt(&cursor->memory, block)) return syclze__out_of_memory();
  *bytes = syclze_bytes_of(block + 1, size);
  cursor->inflated += size;
  return status;
}

/* Inflates a container with a compressed blob; leaves any other. */
SYCLZE_LOCAL struct syclze__status syclze__file_inflate_container(
    syclze_offload_file_cursor *cursor, syclze_bytes *bytes) {
  struct syclze__container_blob blob;
  const struct syclze__status status = syclze__container_header(*bytes, 0, &blob);
  if (status.result != ZE_RESULT_SUCCESS || blob.inflated_size == 0) return status;
  return syclze__file_inflate(cursor, syclze__container_inflate, bytes);
}

#endif

SYCLZE_EXTERN_C_END

#endif
