/* Fuzz target: any file, and every image in it with its strings and properties: DPC++ programs,
   SYCLBIN, bundles, bitcode; the sections of ELF and COFF on the way there. */
#include "syclze/offload/file.h"
#include "syclze/offload/property_set.h"
#include "syclze/offload/symbol_table.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The names of an image's kernels, written as a table and read again. */
static void rewrite_symbols(const syclze_offload_image *image, syclze_symbol_form form) {
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

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(data, size));
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
  syclze_coff coff;
  syclze_coff_section section;
  if (syclze_coff_open(syclze_bytes_of(data, size), &coff) != ZE_RESULT_SUCCESS) return 0;
  for (size_t i = 0; syclze_coff_section_at(&coff, i, &section); i++) {
    use(section.name.data, section.name.size);
    use(section.bytes.data, section.bytes.size);
  }
  return 0;
}
