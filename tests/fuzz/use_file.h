/* Reads every image of a file with its strings, names and properties. */
#ifndef TESTS_FUZZ_USE_FILE_H
#define TESTS_FUZZ_USE_FILE_H

#include "syclze/offload/bitcode.h"
#include "syclze/offload/property_set.h"
#include "syclze/offload/symbol_table.h"
#include "use.h"

/* The names of an image's kernels, written as a table and read again. */
static inline void rewrite_symbols(const syclze_offload_image *image, syclze_symbol_form form) {
  size_t size = 0;
  syclze_text name, again;
  syclze_symbol_cursor cursor, other;
  if (syclze_symbols_write(image, form, NULL, &size) != ZE_RESULT_SUCCESS || size > 1u << 20)
    return;
  char *bytes = malloc(size + 1);
  if (bytes == NULL) abort();
  if (syclze_symbols_write(image, form, bytes, &size) != ZE_RESULT_SUCCESS) abort();
  syclze_offload_string table = {syclze_text_of("symbols"), syclze_bytes_of(bytes, size)};
  syclze_offload_image written = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_image_set_strings(&written, &table, 1);
  syclze_symbols_begin(image, &cursor);
  syclze_symbols_begin(&written, &other);
  while (syclze_symbol_next(&cursor, &name))
    if (!syclze_symbol_next(&other, &again) || !syclze_text_equal(name, again)) abort();
  if (syclze_symbol_next(&other, &again)) abort();
  free(bytes);
}

static inline void use_file(const uint8_t *data, size_t size) {
  syclze_offload_file_cursor cursor =
      syclze_offload_file_begin_bitcode(syclze_bytes_of(data, size));
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    use(cursor.place, strlen(cursor.place));
    use_image(&image);
    rewrite_symbols(&image, SYCLZE_SYMBOL_FORM_TEXT);
    rewrite_symbols(&image, SYCLZE_SYMBOL_FORM_BINARY);
    syclze_property_sets sets;
    if (syclze_property_sets_open(&image, &sets) != ZE_RESULT_SUCCESS) continue;
    for (size_t i = 0; i < syclze_property_count(sets); i++)
      use(syclze_property_at(sets, i)->bytes.data, syclze_property_at(sets, i)->bytes.size);
    syclze_property_sets_close(sets);
  }
  syclze_offload_file_end(&cursor);
}

#endif
