/* Fills with patterns that no append of Level Zero takes: the size is not a power of two, or
 * exceeds the queue group's limit.
 *
 * The pattern is filled once into each row, in pieces that the driver takes. Copies then double
 * what is filled, until the row is full. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_FILL_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_FILL_H

#include "../plain/plain.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Rows of memory, filled in several appends. */
struct syclze__fill_rows {
  char *to;
  const char *pattern;
  size_t pattern_size;
  size_t width, height, pitch;
  uint32_t appended; /* commands so far */
};

/* Appends one pattern in pieces of powers of two. A queue group may take smaller ones only. */
SYCLZE_LOCAL ze_result_t syclze__fill_pattern(
    const struct syclze__append *at, struct syclze__fill_rows *rows, char *to) {
  size_t limit = (size_t)1 << 30, begin = 0;
  while (begin < rows->pattern_size) {
    while (limit > rows->pattern_size - begin)
      limit /= 2;
    const ze_result_t result = SYCLZE__ZE(zeCommandListAppendMemoryFill)(
        at->list, to + begin, rows->pattern + begin, limit, limit, NULL, 0, NULL);
    if (result == ZE_RESULT_ERROR_INVALID_SIZE && limit > 1) {
      limit /= 2;
      continue;
    }
    if (result != ZE_RESULT_SUCCESS) return result;
    rows->appended++;
    begin += limit;
  }
  return ZE_RESULT_SUCCESS;
}

/* Doubles the filled part of each row, behind a barrier. */
SYCLZE_LOCAL ze_result_t syclze__fill_double(
    const struct syclze__append *at, struct syclze__fill_rows *rows, size_t filled) {
  const size_t left = rows->width - filled, size = filled < left ? filled : left;
  ze_result_t result = syclze__list_append_barrier(at->list, NULL, 0, NULL);
  for (size_t row = 0; row < rows->height && result == ZE_RESULT_SUCCESS; row++) {
    char *to = rows->to + row * rows->pitch;
    result =
        SYCLZE__ZE(zeCommandListAppendMemoryCopy)(at->list, to + filled, to, size, NULL, 0, NULL);
  }
  return result;
}

/* Appends the wait, the fills and copies, and the signal. After an error the first of them are
 * under way, at their place in the native order. */
SYCLZE_LOCAL ze_result_t syclze__fill_append_pieces(
    struct syclze__append *at, struct syclze__fill_rows *rows) {
  ze_result_t result = syclze__append_waits(at);
  rows->appended = 0;
  for (size_t row = 0; row < rows->height && result == ZE_RESULT_SUCCESS; row++)
    result = syclze__fill_pattern(at, rows, rows->to + row * rows->pitch);
  for (size_t filled = rows->pattern_size; filled < rows->width && result == ZE_RESULT_SUCCESS;
       filled *= 2)
    result = syclze__fill_double(at, rows, filled);
  if (result == ZE_RESULT_SUCCESS && at->signal != NULL)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS && rows->appended != 0 && at->state->is_list)) {
    at->begun = true;
    at->state->position++;
  }
  return result;
}

SYCLZE_INLINE bool syclze__is_power_of_two(size_t size) {
  return size != 0 && (size & (size - 1)) == 0;
}

/* The rule that the sizes of a fill break. */
SYCLZE_INLINE struct syclze__status syclze__fill_check(
    const void *pattern, size_t pattern_size, size_t size) {
  if (SYCLZE__UNLIKELY(pattern == NULL)) return syclze__null_pointer("the pattern is null");
  if (SYCLZE__LIKELY(syclze__is_power_of_two(pattern_size)
                         ? (size & (pattern_size - 1)) == 0
                         : pattern_size != 0 && size % pattern_size == 0))
    return syclze__allowed();
  return syclze__invalid("SYCL 2020 4.9.4.3: the filled size must be a multiple of the pattern's");
}

#endif

SYCLZE_EXTERN_C_END

#endif
