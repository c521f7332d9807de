/* Parts of buffers, as parts of the root buffer, whose memory views share. */
#ifndef SYCLZE_COMMAND_DETAIL_ORDER_SUB_RANGE_H
#define SYCLZE_COMMAND_DETAIL_ORDER_SUB_RANGE_H

#include "../accessor.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* The root buffer, which has the memory. Adds to `*begin` the offset of this buffer in it. */
SYCLZE_LOCAL struct syclze__buffer *syclze__buffer_root(
    struct syclze__buffer *buffer, size_t *begin) {
  const struct syclze__origin *origin = buffer->memory.origin;
  if (origin == NULL || origin->root == NULL) return buffer;
  *begin += origin->offset;
  return origin->root;
}

/* False for null. */
SYCLZE_INLINE bool syclze__buffer_is_view(const struct syclze__buffer *buffer) {
  return buffer != NULL && buffer->memory.origin != NULL && buffer->memory.origin->root != NULL;
}

/* The byte behind the last element of the range. */
SYCLZE_LOCAL size_t syclze__range_end(
    const struct syclze__buffer *buffer, const struct syclze__range *range) {
  size_t last = 0;
  for (uint32_t i = 0; i < 3; i++)
    last = last * buffer->memory.range[i] + range->end[i] - 1;
  return (last + 1) * buffer->element_size;
}

/* The smallest range of whole rows of the first dimension that has the bytes [begin, end). */
SYCLZE_LOCAL struct syclze__range syclze__range_of_bytes(
    const struct syclze__buffer *buffer, size_t begin, size_t end) {
  const size_t row = buffer->size / buffer->memory.range[0];
  struct syclze__range range = syclze__range_whole(&buffer->memory);
  range.first[0] = begin / row;
  range.end[0] = (end + row - 1) / row;
  return range;
}

#endif

SYCLZE_EXTERN_C_END

#endif
