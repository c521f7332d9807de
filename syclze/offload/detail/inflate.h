/* Bodies of inflate.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_INFLATE_H
#define SYCLZE_OFFLOAD_DETAIL_INFLATE_H

#include "../inflate.h"
#include "buffer_writer.h"
#include "compression.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze_inflated_free(syclze_bytes inflated) {
  free((void *)(uintptr_t)inflated.data);
}

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__is_zstd(syclze_bytes bytes) {
  return bytes.size >= 4 && syclze__load_u32(bytes.data) == 0xfd2fb528u;
}

/* Checks that the library for these bytes is installed, and that they can inflate to `size` bytes:
 * nothing is allocated for an impossible size. */
SYCLZE_LOCAL struct syclze__status syclze__inflate_check(syclze_bytes compressed, uint64_t size) {
  struct syclze__zlib zlib;
  struct syclze__zstd zstd;
  if (!syclze__is_zstd(compressed)) {
    if (!syclze__zlib_find(&zlib)) return syclze__unsupported(SYCLZE__ZLIB_MISSING);
    if (size / 1032 > compressed.size)
      return syclze__invalid("no zlib stream of this size holds as many bytes");
    return syclze__allowed();
  }
  if (!syclze__zstd_find(&zstd)) return syclze__unsupported(SYCLZE__ZSTD_MISSING);
  unsigned long long known = zstd.content_size(compressed.data, compressed.size);
  if (known == SYCLZE__ZSTD_SIZE_ERROR || (known != SYCLZE__ZSTD_SIZE_UNKNOWN && known != size))
    return syclze__invalid("the zstd frame does not hold the number of bytes in its header");
  return syclze__allowed();
}

/* Inflates to exactly `size` bytes, after syclze__inflate_check. */
SYCLZE_LOCAL bool syclze__inflate(syclze_bytes compressed, uint8_t *to, size_t size) {
  struct syclze__zlib zlib;
  struct syclze__zstd zstd;
  if (syclze__is_zstd(compressed))
    return syclze__zstd_find(&zstd) &&
           zstd.inflate(to, size, compressed.data, compressed.size) == size;
  unsigned long length = (unsigned long)size, compressed_size = (unsigned long)compressed.size;
  return compressed.size == compressed_size && size == length && syclze__zlib_find(&zlib) &&
         zlib.inflate(to, &length, (const uint8_t *)compressed.data, compressed_size) == 0 &&
         length == size;
}

/* Walks the blobs: sums their inflated sizes while `to` is null, else writes them there. */
SYCLZE_LOCAL struct syclze__status syclze__container_inflate_blobs(
    syclze_bytes container, size_t limit, uint8_t *to, size_t *size) {
  struct syclze__container_blob blob;
  size_t offset = 0;
  *size = 0;
  while ((offset = syclze__skip_zeros(container, offset)) != container.size) {
    struct syclze__status status = syclze__container_header(container, offset, &blob);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    uint64_t blob_size = blob.inflated_size != 0 ? blob.inflated_size : blob.size;
    if (blob_size > limit || syclze__align8(blob_size) > limit - *size)
      return syclze__status_of(
          ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "the inflated container is beyond the limit");
    if (blob.inflated_size != 0) {
      if (blob_size < blob.entries)
        return syclze__invalid("Offload Binary: a blob inflates to less than its header");
      syclze_bytes body = {blob.base + blob.entries, (size_t)(blob.size - blob.entries)};
      size_t body_size = (size_t)(blob_size - blob.entries);
      status = syclze__inflate_check(body, body_size);
      if (status.result != ZE_RESULT_SUCCESS) return status;
      if (to != NULL) {
        struct syclze__writer writer = {to + *size, (size_t)blob_size, 0};
        syclze__writer_put(&writer, blob.base, 8);
        syclze__writer_put_u64(&writer, blob_size);
        syclze__writer_put(&writer, blob.base + 16, 16);
        syclze__writer_put_u64(&writer, 0);
        syclze__writer_put(&writer, blob.base + writer.size, (size_t)blob.entries - writer.size);
        if (!syclze__inflate(body, to + *size + blob.entries, body_size))
          return syclze__invalid(
              "Offload Binary: a blob does not inflate to the size in its header");
      }
    } else if (to != NULL) {
      memcpy(to + *size, blob.base, (size_t)blob_size);
    }
    *size += (size_t)syclze__align8(blob_size);
    offset = syclze__container_after(container, offset, &blob);
  }
  return syclze__allowed();
}

/* The limit if the caller sets none: real images compress less than that. */
SYCLZE_INLINE size_t syclze__inflate_default(size_t size) {
  const size_t least = (size_t)64 << 20;
  return size < (SIZE_MAX - least) / 32 ? size * 32 + least : SIZE_MAX;
}

/* Inflates into an allocation, behind `prefix` bytes of the caller's. */
SYCLZE_LOCAL struct syclze__status syclze__container_inflate(
    syclze_bytes container, size_t limit, size_t prefix, void **block, size_t *size) {
  struct syclze__status status = syclze__container_inflate_blobs(container, limit, NULL, size);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  *block = *size < SIZE_MAX - prefix ? calloc(prefix + *size + 1, 1) : NULL;
  if (*block == NULL) return syclze__out_of_memory();
  status = syclze__container_inflate_blobs(container, limit, (uint8_t *)*block + prefix, size);
  if (status.result == ZE_RESULT_SUCCESS) return status;
  free(*block);
  *block = NULL;
  return status;
}

/* The inflated size of an image. */
SYCLZE_INLINE struct syclze__status syclze__image_inflated_size(
    syclze_bytes image, size_t limit, size_t *size) {
  *size = 0;
  if (!syclze__is_zstd(image))
    return syclze__unsupported("the image is not a zstd frame, and has no size field");
  struct syclze__zstd zstd;
  if (!syclze__zstd_find(&zstd)) return syclze__unsupported(SYCLZE__ZSTD_MISSING);
  unsigned long long known = zstd.content_size(image.data, image.size);
  if (known == SYCLZE__ZSTD_SIZE_ERROR) return syclze__invalid("the zstd frame has no header");
  if (known == SYCLZE__ZSTD_SIZE_UNKNOWN)
    return syclze__unsupported("the zstd frame has no size field");
  if (known > limit)
    return syclze__status_of(
        ZE_RESULT_ERROR_UNSUPPORTED_SIZE, "the inflated image is beyond the limit");
  *size = (size_t)known;
  return syclze__inflate_check(image, *size);
}

/* Inflates an image into an allocation, behind `prefix` bytes of the caller's. */
SYCLZE_LOCAL struct syclze__status syclze__image_inflate(
    syclze_bytes image, size_t limit, size_t prefix, void **block, size_t *size) {
  struct syclze__status status = syclze__image_inflated_size(image, limit, size);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  *block = *size < SIZE_MAX - prefix ? malloc(prefix + *size + 1) : NULL;
  if (*block == NULL) return syclze__out_of_memory();
  if (syclze__inflate(image, (uint8_t *)*block + prefix, *size)) return status;
  free(*block);
  *block = NULL;
  return syclze__invalid("the image does not inflate to the size in its header");
}

SYCLZE_LOCAL ze_result_t syclze__inflate_for_caller(
    struct syclze__status (*inflate)(
        syclze_bytes bytes, size_t limit, size_t prefix, void **block, size_t *size),
    syclze_bytes bytes, size_t limit, const char *function, syclze_bytes *inflated) {
  void *block = NULL;
  size_t size = 0;
  if (inflated == NULL) return syclze__fail_pointer(function, "the result's pointer is null");
  *inflated = syclze_bytes_of(NULL, 0);
  if (limit == 0) limit = syclze__inflate_default(bytes.size);
  const struct syclze__status status = inflate(bytes, limit, 0, &block, &size);
  if (status.result == ZE_RESULT_SUCCESS) *inflated = syclze_bytes_of(block, size);
  return syclze__finish(status, function, NULL);
}

SYCLZE_COLD ze_result_t syclze_container_inflate(
    syclze_bytes container, size_t limit, syclze_bytes *inflated) {
  return syclze__inflate_for_caller(
      syclze__container_inflate, container, limit, "syclze_container_inflate", inflated);
}

SYCLZE_COLD ze_result_t syclze_offload_image_inflate(
    syclze_bytes image, size_t limit, syclze_bytes *inflated) {
  return syclze__inflate_for_caller(
      syclze__image_inflate, image, limit, "syclze_offload_image_inflate", inflated);
}

#endif

SYCLZE_EXTERN_C_END

#endif
