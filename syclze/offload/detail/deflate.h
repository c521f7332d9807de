/* Bodies of deflate.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DEFLATE_H
#define SYCLZE_OFFLOAD_DETAIL_DEFLATE_H

#include "../deflate.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Room for the deflated form of any `size` bytes; 0: the library is not installed. */
SYCLZE_LOCAL size_t syclze__deflate_bound(syclze_compression compression, size_t size) {
  struct syclze__zlib zlib;
  struct syclze__zstd zstd;
  if (compression == SYCLZE_COMPRESSION_ZLIB)
    return syclze__zlib_find(&zlib) ? (size_t)zlib.bound((unsigned long)size) : 0;
  return syclze__zstd_find(&zstd) ? zstd.bound(size) : 0;
}

/* The deflated size; 0 for lack of memory. */
SYCLZE_LOCAL size_t syclze__deflate(
    syclze_compression compression, syclze_bytes from, uint8_t *to, size_t room) {
  struct syclze__zlib zlib;
  struct syclze__zstd zstd;
  unsigned long length = (unsigned long)room;
  if (compression == SYCLZE_COMPRESSION_ZLIB)
    return syclze__zlib_find(&zlib) && zlib.deflate(to, &length, (const uint8_t *)from.data,
                                           (unsigned long)from.size, 9) == 0
               ? (size_t)length
               : 0;
  if (!syclze__zstd_find(&zstd)) return 0;
  size_t size = zstd.deflate(to, room, from.data, from.size, 19);
  return zstd.is_error(size) != 0 ? 0 : size;
}

/* Walks the blobs: sums the room for them while `to` is null, else deflates them there. */
SYCLZE_LOCAL struct syclze__status syclze__container_deflate_blobs(
    syclze_bytes container, syclze_compression compression, uint8_t *to, size_t *size) {
  struct syclze__container_blob blob;
  size_t offset = 0, room = *size;
  *size = 0;
  while ((offset = syclze__skip_zeros(container, offset)) != container.size) {
    struct syclze__status status = syclze__container_header(container, offset, &blob);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    if (blob.version != 3 || blob.inflated_size != 0)
      return syclze__unsupported("Offload Binary: only blobs of version 3 that are not compressed "
                                 "can be");
    syclze_bytes body = {blob.base + blob.entries, (size_t)(blob.size - blob.entries)};
    size_t bound = syclze__deflate_bound(compression, body.size);
    if (bound == 0) return syclze__unsupported("the library of the compression is not installed");
    if (to != NULL) {
      uint8_t *begin = to + *size;
      bound = syclze__deflate(
          compression, body, begin + blob.entries, room - *size - (size_t)blob.entries);
      if (bound == 0) return syclze__out_of_memory();
      struct syclze__writer writer = {begin, (size_t)blob.entries, 0};
      syclze__writer_put(&writer, blob.base, 8);
      syclze__writer_put_u64(&writer, blob.entries + bound);
      syclze__writer_put(&writer, blob.base + 16, 16);
      syclze__writer_put_u64(&writer, blob.size);
      syclze__writer_put(&writer, blob.base + writer.size, (size_t)blob.entries - writer.size);
    }
    size_t end = *size + (size_t)blob.entries + bound;
    *size = (size_t)syclze__align8(end);
    if (to != NULL) memset(to + end, 0, *size - end);
    offset = syclze__container_after(container, offset, &blob);
  }
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_container_deflate(
    syclze_bytes container, syclze_compression compression, syclze_bytes *deflated) {
  if (deflated == NULL)
    return syclze__fail_pointer("syclze_container_deflate", "the result's pointer is null");
  *deflated = syclze_bytes_of(NULL, 0);
  size_t size = 0;
  struct syclze__status status =
      syclze__container_deflate_blobs(container, compression, NULL, &size);
  uint8_t *bytes = NULL;
  if (status.result == ZE_RESULT_SUCCESS) {
    bytes = (uint8_t *)malloc(size + 1);
    status = bytes != NULL ? syclze__container_deflate_blobs(container, compression, bytes, &size)
                           : syclze__out_of_memory();
  }
  if (status.result == ZE_RESULT_SUCCESS) {
    *deflated = syclze_bytes_of(bytes, size);
    return status.result;
  }
  free(bytes);
  return syclze__finish(status, "syclze_container_deflate", container.data);
}

#endif

SYCLZE_EXTERN_C_END

#endif
