/* Writing of property sets. */
#ifndef SYCLZE_OFFLOAD_DETAIL_PROPERTY_WRITE_H
#define SYCLZE_OFFLOAD_DETAIL_PROPERTY_WRITE_H

#include "../property_set.h"
#include "buffer_writer.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

SYCLZE_INLINE uint8_t syclze__property_byte(const syclze_property *property, size_t index) {
  if (index >= 8) return ((const uint8_t *)property->bytes.data)[index - 8];
  return (uint8_t)(property->bit_count >> (8 * index));
}

SYCLZE_LOCAL void syclze__property_put_digits(struct syclze__writer *writer,
    const syclze_property *property, enum syclze__property_digits how) {
  static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  size_t count = property->bytes.size + 8;
  for (size_t i = 0; i < count; i += 3) {
    uint32_t bytes[3] = {syclze__property_byte(property, i),
        i + 1 < count ? syclze__property_byte(property, i + 1) : 0u,
        i + 2 < count ? syclze__property_byte(property, i + 2) : 0u};
    size_t digits = count - i < 3 ? count - i + 1 : 4;
    uint32_t low_first = bytes[0] | bytes[1] << 8 | bytes[2] << 16;
    uint32_t high_first = bytes[0] << 16 | bytes[1] << 8 | bytes[2];
    char text[4] = {'=', '=', '=', '='};
    for (size_t d = 0; d < digits; d++)
      text[d] = alphabet[(how == SYCLZE__DIGITS_BASE64 ? high_first >> (18 - 6 * d)
                                                       : low_first >> (6 * d)) &
                         63u];
    syclze__writer_put(writer, text, how == SYCLZE__DIGITS_BASE64 ? 4 : digits);
  }
}

SYCLZE_INLINE void syclze__property_put_u32(struct syclze__writer *writer, uint32_t number) {
  char digits[10];
  size_t at = sizeof digits;
  do
    digits[--at] = (char)('0' + number % 10);
  while ((number /= 10) != 0);
  syclze__writer_put(writer, digits + at, sizeof digits - at);
}

/* True if a file's line with the name, which ends before `end`, reads as that name again. */
SYCLZE_LOCAL bool syclze__property_fits(syclze_text name, char end) {
  return name.size == 0 || (memchr(name.data, '\n', name.size) == NULL &&
                               memchr(name.data, end, name.size) == NULL);
}

SYCLZE_COLD ze_result_t syclze_property_write_text(
    syclze_property_sets sets, char *text, size_t *size) {
  if (sets.rep == NULL || size == NULL)
    return syclze__fail_pointer(
        "syclze_property_write_text", "the sets' or the size's pointer is null");
  const struct syclze__property_sets *rep = sets.rep;
  struct syclze__writer writer = syclze__writer_of(text, size);
  bool fits = true;
  for (size_t g = 0; g < rep->group_count && fits; g++) {
    fits = syclze__property_fits(rep->groups[g].name, '\n');
    syclze__writer_put(&writer, "[", 1);
    syclze__writer_put_text(&writer, rep->groups[g].name);
    syclze__writer_put(&writer, "]\n", 2);
    for (size_t i = 0; i < rep->groups[g].count && fits; i++) {
      const syclze_property *property = &rep->properties[rep->groups[g].first + i];
      const syclze_text key = property->key;
      fits = property->type != SYCLZE_PROPERTY_TYPE_STRING && key.size != 0 && key.data[0] != '[' &&
             syclze__property_fits(key, '=');
      syclze__writer_put_text(&writer, key);
      if (property->type == SYCLZE_PROPERTY_TYPE_UINT32) {
        syclze__writer_put(&writer, "=1|", 3);
        syclze__property_put_u32(&writer, property->number);
      } else {
        syclze__writer_put(&writer, "=2|", 3);
        syclze__property_put_digits(&writer, property, rep->digits);
      }
      syclze__writer_put(&writer, "\n", 1);
    }
  }
  if (!fits)
    return syclze__fail(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, "syclze_property_write_text",
        "property sets: a file holds no property of type string, and no such name", NULL);
  return syclze__writer_end(&writer, size, "syclze_property_write_text");
}

/* The address of the writer's next byte; null if it only counts. */
SYCLZE_INLINE const char *syclze__writer_at(const struct syclze__writer *writer) {
  return writer->buffer != NULL ? (const char *)writer->buffer + writer->size : NULL;
}

/* Writes a terminated copy of a name. Returns its address. */
SYCLZE_INLINE const char *syclze__property_put_name(
    struct syclze__writer *writer, syclze_text name) {
  const char *at = syclze__writer_at(writer);
  syclze__writer_put_text(writer, name);
  syclze__writer_put_zeros(writer, 1);
  return at;
}

SYCLZE_COLD ze_result_t syclze_property_write_arrays(
    syclze_property_sets sets, void *memory, size_t *size, const void **sets_end) {
  if (sets.rep == NULL || size == NULL || (memory != NULL && sets_end == NULL))
    return syclze__fail_pointer(
        "syclze_property_write_arrays", "the sets', the size's or the end's pointer is null");
  const struct syclze__property_sets *rep = sets.rep;
  struct syclze__property_array_set set;
  struct syclze__property_array_entry entry;
  struct syclze__writer heads = syclze__writer_of(memory, size), entries = heads, texts = heads;
  entries.size = rep->group_count * sizeof set;
  texts.size = entries.size + rep->count * sizeof entry;
  for (size_t g = 0; g < rep->group_count; g++) {
    const struct syclze__property_group *group = &rep->groups[g];
    set.name = syclze__property_put_name(&texts, group->name);
    set.begin = syclze__writer_at(&entries);
    for (size_t i = 0; i < group->count; i++) {
      const syclze_property *property = &rep->properties[group->first + i];
      memset(&entry, 0, sizeof entry);
      entry.name = syclze__property_put_name(&texts, property->key);
      entry.type = (uint32_t)property->type;
      entry.size = property->number;
      if (property->type != SYCLZE_PROPERTY_TYPE_UINT32) {
        syclze__writer_pad(&texts);
        entry.value = syclze__writer_at(&texts);
        entry.size = property->bytes.size + (property->type == SYCLZE_PROPERTY_TYPE_BYTES ? 8 : 1);
        if (property->type == SYCLZE_PROPERTY_TYPE_BYTES)
          syclze__writer_put_u64(&texts, property->bit_count);
        syclze__writer_put(&texts, property->bytes.data, property->bytes.size);
        if (property->type == SYCLZE_PROPERTY_TYPE_STRING) syclze__writer_put_zeros(&texts, 1);
      }
      syclze__writer_put(&entries, &entry, sizeof entry);
    }
    set.end = syclze__writer_at(&entries);
    syclze__writer_put(&heads, &set, sizeof set);
  }
  if (memory != NULL) *sets_end = (const uint8_t *)memory + rep->group_count * sizeof set;
  return syclze__writer_end(&texts, size, "syclze_property_write_arrays");
}

#endif

SYCLZE_EXTERN_C_END

#endif
