/* Writing into a caller's buffer, or only counting what it would have to hold.
 *
 * What every writer here takes: a buffer, and a pointer to its size. A null buffer asks for the
 * size; one that is too small gets nothing that counts, ZE_RESULT_ERROR_INVALID_SIZE, and the size
 * needed. */
#ifndef SYCLZE_OFFLOAD_SINK_H
#define SYCLZE_OFFLOAD_SINK_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__sink {
  uint8_t *buffer; /* null only counts */
  size_t capacity;
  size_t size; /* what was put so far, whether it fitted or not */
};

SYCLZE_INLINE struct syclze__sink syclze__sink_of(void *buffer, const size_t *size) {
  struct syclze__sink sink = {(uint8_t *)buffer, buffer != NULL ? *size : 0, 0};
  return sink;
}

SYCLZE_INLINE void syclze__sink_put(struct syclze__sink *sink, const void *data, size_t size) {
  if (size != 0 && syclze__within(sink->capacity, sink->size, size))
    memcpy(sink->buffer + sink->size, data, size);
  sink->size += size;
}

SYCLZE_INLINE void syclze__sink_put_text(struct syclze__sink *sink, syclze_text text) {
  syclze__sink_put(sink, text.data, text.size);
}

SYCLZE_INLINE void syclze__sink_put_u16(struct syclze__sink *sink, uint16_t number) {
  uint8_t bytes[2] = {(uint8_t)number, (uint8_t)(number >> 8)};
  syclze__sink_put(sink, bytes, sizeof bytes);
}

SYCLZE_INLINE void syclze__sink_put_u32(struct syclze__sink *sink, uint32_t number) {
  syclze__sink_put_u16(sink, (uint16_t)number);
  syclze__sink_put_u16(sink, (uint16_t)(number >> 16));
}

SYCLZE_INLINE void syclze__sink_put_u64(struct syclze__sink *sink, uint64_t number) {
  syclze__sink_put_u32(sink, (uint32_t)number);
  syclze__sink_put_u32(sink, (uint32_t)(number >> 32));
}

SYCLZE_INLINE void syclze__sink_put_zeros(struct syclze__sink *sink, size_t count) {
  if (count != 0 && syclze__within(sink->capacity, sink->size, count))
    memset(sink->buffer + sink->size, 0, count);
  sink->size += count;
}

SYCLZE_INLINE uint64_t syclze__align8(uint64_t offset) {
  return (offset + 7) & ~(uint64_t)7;
}

/* Zeros up to a multiple of 8. */
SYCLZE_INLINE void syclze__sink_pad(struct syclze__sink *sink) {
  syclze__sink_put_zeros(sink, (size_t)(syclze__align8(sink->size) - sink->size));
}

/* Tells the caller the size, and whether it fitted. */
SYCLZE_INLINE ze_result_t syclze__sink_end(
    const struct syclze__sink *sink, size_t *size, const char *function) {
  *size = sink->size;
  if (sink->buffer == NULL || sink->size <= sink->capacity) return ZE_RESULT_SUCCESS;
  return syclze__fail(ZE_RESULT_ERROR_INVALID_SIZE, function, "the buffer is too small", NULL);
}

SYCLZE_EXTERN_C_END

#endif
