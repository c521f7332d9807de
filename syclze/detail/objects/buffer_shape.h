/* Shapes of buffers that the library creates, or that are parts of others. */
#ifndef SYCLZE_DETAIL_OBJECTS_BUFFER_SHAPE_H
#define SYCLZE_DETAIL_OBJECTS_BUFFER_SHAPE_H

#include "../../buffer.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Checks and fills a shape, with the defaults. `range` has as many values as there are dimensions.
 */
SYCLZE_LOCAL struct syclze__status syclze__check_shape(
    size_t element_size, uint32_t dimensions, const size_t *range, struct syclze__buffer *shape) {
  shape->element_size = element_size != 0 ? element_size : 1;
  shape->dimensions = dimensions != 0 ? dimensions : 1;
  if (shape->dimensions > 3) return syclze__invalid("a buffer must have one to three dimensions");
  shape->size = shape->element_size;
  for (uint32_t i = 0; i < 3; i++) {
    const size_t count = i < shape->dimensions ? range[i] : 1;
    shape->memory.range[i] = count;
    if (count == 0) return syclze__invalid("a buffer must have at least one element");
    if (shape->size > SIZE_MAX / count) return syclze__invalid("the buffer's range is too large");
    shape->size *= count;
  }
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
