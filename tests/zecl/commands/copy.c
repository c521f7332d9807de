#include "commands/copy.h"

#include <string.h>

/* The pattern is laid down once and then doubled; the last repetition may be cut short. */
void zecl_run_fill(const struct zecl_fill *fill) {
  const void *pattern = fill->long_pattern ? fill->long_pattern : fill->pattern;
  if (fill->pattern_size == 1) {
    memset(fill->to, *(const unsigned char *)pattern, fill->size);
    return;
  }
  size_t done = fill->size < fill->pattern_size ? fill->size : fill->pattern_size;
  memcpy(fill->to, pattern, done);
  /* Blocks stay within the cache: each copy reads what was just written. */
  const size_t block = fill->pattern_size > 4096 ? fill->pattern_size : 4096;
  while (done < fill->size) {
    size_t part = done < block ? done : block;
    if (part > fill->size - done) part = fill->size - done;
    memcpy((char *)fill->to + done, fill->to, part);
    done += part;
  }
}

void zecl_run_copy_region(const struct zecl_copy_region *region) {
  for (size_t z = 0; z < region->depth; z++)
    for (size_t y = 0; y < region->height; y++)
      memmove(region->to + z * region->to_slice_pitch + y * region->to_pitch,
          region->from + z * region->from_slice_pitch + y * region->from_pitch, region->width);
}
