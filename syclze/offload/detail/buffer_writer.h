/* Writing into a caller's buffer, or only counting its required size.
 *
 * Parameters of every writer: a buffer, and a pointer to its size. A null buffer queries the
 * size; a buffer that is too small has undefined contents, and the result is
 * ZE_RESULT_ERROR_INVALID_SIZE, with the required size. */
#ifndef SYCLZE_OFFLOAD_DETAIL_BUFFER_WRITER_H
#define SYCLZE_OFFLOAD_DETAIL_BUFFER_WRITER_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__writer {
  uint8_t *buffer; /* null to count only */
  size_t capacity;
  size_t size; /* of all output so far, even if it did not fit */
};

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__writer syclze__writer_of(void *buffer, const size_t *size) {
  struct syclze__writer writer = {(uint8_t *)buffer, buffer != NULL ? *size : 0, 0};
  return writer;
}

SYCLZE_INLINE void syclze__writer_put(
    struct syclze__writer *writer, const void *data, size_t size) {
  if (size != 0 && syclze__within(writer->capacity, writer->size, size))
    memcpy(writer->buffer + writer->size, data, size);
  writer->size += size;
}

SYCLZE_INLINE void syclze__writer_put_text(struct syclze__writer *writer, syclze_text text) {
  syclze__writer_put(writer, text.data, text.size);
}

SYCLZE_INLINE void syclze__writer_put_u16(struct syclze__writer *writer, uint16_t number) {
  uint8_t bytes[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
  syclze__writer_put(writer, bytes, sizeof bytes);
}

SYCLZE_INLINE void syclze__writer_put_u32(struct syclze__writer *writer, uint32_t number) {
  syclze__writer_put_u16(writer, (uint16_t)number);
  syclze__writer_put_u16(writer, (uint16_t)(number >> 16));
}

SYCLZE_INLINE void syclze__writer_put_u64(struct syclze__writer *writer, uint64_t number) {
  syclze__writer_put_u32(writer, (uint32_t)number);
  syclze__writer_put_u32(writer, (uint32_t)(number >> 32));
}

SYCLZE_INLINE void syclze__writer_put_zeros(struct syclze__writer *writer, size_t count) {
  if (count != 0 && syclze__within(writer->capacity, writer->size, count))
    memset(writer->buffer + writer->size, 0, count);
  writer->size += count;
}

SYCLZE_INLINE uint64_t syclze__align8(uint64_t offset) {
  return (offset + 7) & ~(uint64_t)7;
}

/* Pads with zeros to a multiple of 8. */
SYCLZE_INLINE void syclze__writer_pad(struct syclze__writer *writer) {
  syclze__writer_put_zeros(writer, (size_t)(syclze__align8(writer->size) - writer->size));
}

/* Stores the size for the caller, and fails if it did not fit. */
SYCLZE_INLINE ze_result_t syclze__writer_end(
    const struct syclze__writer *writer, size_t *size, const char *function) {
  *size = writer->size;
  if (writer->buffer == NULL || writer->size <= writer->capacity) return ZE_RESULT_SUCCESS;
  return syclze__fail(ZE_RESULT_ERROR_INVALID_SIZE, function, "the buffer is too small", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
