/* Fuzz target: tables of kernels' names, as the design's text, as clang's text and as its binary
   table; what is read of them is written in both forms and read again. The first byte chooses. */
#include "syclze/offload/symbol_table.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static syclze_offload_image image_of(syclze_offload_string *table, syclze_bytes bytes) {
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  table->value = bytes;
  syclze_offload_image_set_strings(&image, table, 1);
  return image;
}

static void rewrite(const syclze_offload_image *image, syclze_symbol_form form) {
  size_t size = 0;
  syclze_text name, again;
  syclze_symbol_cursor cursor, other;
  if (syclze_symbols_write(image, form, NULL, &size) != ZE_RESULT_SUCCESS) return;
  char *bytes = malloc(size + 1);
  if (bytes == NULL) abort();
  if (syclze_symbols_write(image, form, bytes, &size) != ZE_RESULT_SUCCESS) abort();
  syclze_offload_string table = {syclze_text_of("symbols"), {NULL, 0}};
  syclze_offload_image written = image_of(&table, syclze_bytes_of(bytes, size));
  syclze_symbols_begin(image, &cursor);
  syclze_symbols_begin(&written, &other);
  while (syclze_symbol_next(&cursor, &name))
    if (!syclze_symbol_next(&other, &again) || !syclze_text_equal(name, again)) abort();
  if (syclze_symbol_next(&other, &again)) abort();
  /* A table that has no room for its last byte is not written. */
  size_t less = size - 1;
  if (size != 0 && syclze_symbols_write(image, form, bytes, &less) == ZE_RESULT_SUCCESS) abort();
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_symbol_cursor cursor;
  syclze_text name;
  if (size < 1) return 0;
  syclze_offload_string table = {
      syclze_text_of(data[0] % 2 != 0 ? "symbols" : "SYMBOL_TABLE"), {NULL, 0}};
  syclze_offload_image image = image_of(&table, syclze_bytes_of(data + 1, size - 1));
  syclze_symbols_begin(&image, &cursor);
  while (syclze_symbol_next(&cursor, &name))
    use(name.data, name.size);
  rewrite(&image, SYCLZE_SYMBOL_FORM_TEXT);
  rewrite(&image, SYCLZE_SYMBOL_FORM_BINARY);
  return 0;
}
