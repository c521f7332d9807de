/* Tables of symbols, written in both forms and read again. */
#include "support/sample.h"

#include "syclze/offload/container.h"
#include "syclze/offload/symbol_table.h"
#include "tests/check.h"

static size_t write_table(
    const syclze_offload_image *image, syclze_symbol_form form, char *table, size_t room) {
  size_t size = 0, again = room;
  CHECK_EQ(syclze_symbols_write(image, form, NULL, &size), ZE_RESULT_SUCCESS);
  CHECK(size <= room);
  CHECK_EQ(syclze_symbols_write(image, form, table, &again), ZE_RESULT_SUCCESS);
  CHECK_EQ(again, size);
  if (size != 0) {
    again = size - 1;
    CHECK_EQ(syclze_symbols_write(image, form, table, &again), ZE_RESULT_ERROR_INVALID_SIZE);
    CHECK_EQ(again, size);
    CHECK_EQ(syclze_symbols_write(image, form, table, &again), ZE_RESULT_SUCCESS);
  }
  return size;
}

/* An image without code, whose names are those of its table. */
static void check_reads(const char *key, const char *table, size_t size, const char *const *names) {
  syclze_offload_string string = {syclze_text_of(key), syclze_bytes_of(table, size)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_image_set_strings(&image, &string, 1);
  syclze_symbol_cursor cursor;
  syclze_text name;
  syclze_symbols_begin(&image, &cursor);
  for (; *names != NULL; names++) {
    CHECK(syclze_symbol_next(&cursor, &name));
    CHECK(syclze_text_is(name, *names));
  }
  CHECK(!syclze_symbol_next(&cursor, &name));
}

TEST(tables_are_written_as_the_design_and_as_clang_do) { // shows offload 36
  static const char *const names[] = {"axpy", "iota", "lsum", NULL};
  char table[256];
  syclze_bytes sample = sample_read("two.clang22.spv");
  syclze_offload_image image = syclze_offload_image_of(sample);
  size_t size = write_table(&image, SYCLZE_SYMBOL_FORM_TEXT, table, sizeof table);
  CHECK_EQ(size, 15);
  CHECK(memcmp(table, "axpy\niota\nlsum\n", size) == 0);
  check_reads("SYMBOL_TABLE", table, size, names);
  check_reads("symbols", table, size, names);
  size = write_table(&image, SYCLZE_SYMBOL_FORM_BINARY, table, sizeof table);
  CHECK_EQ(size, 4 + 3 * 8 + 15);
  CHECK(memcmp(table, "\3\0\0\0\x1c\0\0\0\4\0\0\0", 12) == 0);
  check_reads("symbols", table, size, names);
  free((void *)(uintptr_t)sample.data);
}

TEST(each_kernel_of_native_code_is_named_once) {
  static const char *const names[] = {"axpy", "iota", "lsum"};
  syclze_bytes sample = sample_read("two.ocloc.dg2.zebin");
  syclze_offload_image image = syclze_offload_image_of(sample);
  syclze_symbol_cursor cursor;
  syclze_text name;
  syclze_symbols_begin(&image, &cursor);
  for (size_t i = 0; i < 3; i++) {
    CHECK(syclze_symbol_next(&cursor, &name));
    CHECK(syclze_text_is(name, names[i]));
  }
  CHECK(!syclze_symbol_next(&cursor, &name));
  free((void *)(uintptr_t)sample.data);
}

TEST(a_table_of_clang_is_rewritten_byte_for_byte) { // shows offload 36
  syclze_bytes sample = sample_read("sycllink23.ob"), symbols;
  syclze_container_cursor cursor = syclze_container_begin(sample);
  syclze_offload_image image;
  char table[4096];
  CHECK(syclze_container_next(&cursor, &image));
  CHECK(syclze_offload_image_find(&image, "symbols", &symbols));
  size_t size = write_table(&image, SYCLZE_SYMBOL_FORM_BINARY, table, sizeof table);
  CHECK_EQ(size, symbols.size);
  CHECK(memcmp(table, symbols.data, size) == 0);
  free((void *)(uintptr_t)sample.data);
}

TEST(an_image_without_kernels_has_an_empty_table) {
  static const char *const none[] = {NULL};
  char table[16];
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  CHECK_EQ(write_table(&image, SYCLZE_SYMBOL_FORM_TEXT, table, sizeof table), 0);
  CHECK_EQ(write_table(&image, SYCLZE_SYMBOL_FORM_BINARY, table, sizeof table), 4);
  check_reads("symbols", table, 4, none);
}

/* The names share their characters, which a written table repeats. */
TEST(a_binary_table_ends_before_4_gigabytes) {
  enum { NAMES = 4100, NAME = 1 << 20, BEGIN = 4 + 8 * NAMES };
  uint32_t *table = malloc(BEGIN + NAME);
  size_t size = 0;
  CHECK(table != NULL);
  table[0] = NAMES;
  for (int i = 0; i < NAMES; i++) {
    table[1 + 2 * i] = BEGIN;
    table[2 + 2 * i] = NAME;
  }
  memset(table + BEGIN / 4, 'x', NAME);
  syclze_offload_string string = {syclze_text_of("symbols"), syclze_bytes_of(table, BEGIN + NAME)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_image_set_strings(&image, &string, 1);
  CHECK_EQ(syclze_symbols_write(&image, SYCLZE_SYMBOL_FORM_BINARY, NULL, &size),
      SYCLZE_RESULT_ERROR_INVALID);
  free(table);
}

static void check_has_no_text_form(const char *binary, size_t table_size) {
  syclze_offload_string string = {syclze_text_of("symbols"), syclze_bytes_of(binary, table_size)};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_image_set_strings(&image, &string, 1);
  size_t size = 0;
  CHECK_EQ(syclze_symbols_write(&image, SYCLZE_SYMBOL_FORM_TEXT, NULL, &size),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_symbols_write(&image, SYCLZE_SYMBOL_FORM_BINARY, NULL, &size), ZE_RESULT_SUCCESS);
}

TEST(a_name_with_a_line_break_or_a_nul_has_no_text_form) {
  check_has_no_text_form("\1\0\0\0\x0c\0\0\0\3\0\0\0a\nb", 16);
  check_has_no_text_form("\1\0\0\0\x0c\0\0\0\3\0\0\0a\0b", 16);
  check_has_no_text_form("\1\0\0\0\x0c\0\0\0\3\0\0\0ab\r", 16);
}

TEST(null_pointers_are_refused) {
  size_t size = 0;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  CHECK_EQ(syclze_symbols_write(NULL, SYCLZE_SYMBOL_FORM_TEXT, NULL, &size),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_symbols_write(&image, SYCLZE_SYMBOL_FORM_TEXT, NULL, NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_MAIN(tables_are_written_as_the_design_and_as_clang_do,
    each_kernel_of_native_code_is_named_once, a_binary_table_ends_before_4_gigabytes,
    a_table_of_clang_is_rewritten_byte_for_byte, an_image_without_kernels_has_an_empty_table,
    a_name_with_a_line_break_or_a_nul_has_no_text_form, null_pointers_are_refused)
