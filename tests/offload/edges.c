/* Values at the edges of what is accepted, one step on each side. */
#undef SYCLZE_DECLARATIONS
#include "support/sample.h"
#include "support/words.h"

#include "syclze/offload/program.h"
#include "syclze/offload/registry.h"
#include "syclze/offload/file.h"
#include "syclze/offload/symbol_table.h"
#include "syclze/offload/zebin.h"
#include "tests/check.h"

TEST(a_text_is_filled_to_its_last_character) { // shows offload 23
  char text[8] = "xxxxxxx";
  struct syclze__text_buffer buffer = {text, 4, 0};
  syclze__text_buffer_add(&buffer, "%s", "ab");
  CHECK_EQ(buffer.size, 2);
  syclze__text_buffer_add(&buffer, "%s", "c");
  CHECK_STR_EQ(text, "abc");
  CHECK_EQ(buffer.size, 3);
  syclze__text_buffer_add(&buffer, "%s", "d");
  CHECK_STR_EQ(text, "abc");
  CHECK_EQ(buffer.size, 3);
  CHECK_EQ(text[4], 'x');
  buffer.size = 0;
  syclze__text_buffer_add(&buffer, "%s", "abcdef");
  CHECK_STR_EQ(text, "abc");
  CHECK_EQ(buffer.size, 3);
  buffer.room = 0;
  buffer.size = 0;
  syclze__text_buffer_add(&buffer, "%s", "z");
  CHECK_STR_EQ(text, "abc");
}

TEST(a_fat_object_s_sections_of_sycl_hold_images) { // shows offload 23
  static const struct {
    const char *name;
    size_t size;
    bool holds;
  } cases[] = {{"__CLANG_OFFLOAD_BUNDLE__sycl-spir64-unknown-unknown", 2, true},
      {"__CLANG_OFFLOAD_BUNDLE__sycl-", 100, true},
      {"__CLANG_OFFLOAD_BUNDLE__sycl-spir64-unknown-unknown", 1, false},
      {"__CLANG_OFFLOAD_BUNDLE__sycl-spir64-unknown-unknown", 0, false},
      {"__CLANG_OFFLOAD_BUNDLE__host-x86_64-unknown-linux-gnu", 100, false}, {".text", 100, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_elf_section section;
    memset(&section, 0, sizeof section);
    section.name = cases[i].name;
    section.bytes.size = cases[i].size;
    CHECK_EQ(syclze__holds_bundle(&section), cases[i].holds);
  }
}

/* The size of an argument that is a vector of `count` integers of 64 bits. */
static uint32_t vector_size(uint32_t count) {
  static struct words words;
  syclze_spirv_index index;
  words = words_begin(16);
  words_add(&words, 17, 1, 6);                  /* OpCapability Kernel */
  words_add(&words, 17, 1, 4);                  /* OpCapability Addresses */
  words_add(&words, 14, 2, 2, 2);               /* OpMemoryModel Physical64 OpenCL */
  words_add_text(&words, 15, 2, 6, 4, "k", -1); /* OpEntryPoint Kernel 4 */
  words_add(&words, 19, 1, 1);                  /* 1: OpTypeVoid */
  words_add(&words, 21, 3, 5, 64, 0);           /* 5: OpTypeInt 64 */
  words_add(&words, 23, 3, 6, 5, count);        /* 6: OpTypeVector 5 */
  words_add(&words, 33, 3, 2, 1, 6);            /* 2: OpTypeFunction 1 6 */
  words_add(&words, 54, 4, 1, 4, 0, 2);         /* 4: OpFunction */
  words_add(&words, 55, 2, 6, 7);               /* 7: OpFunctionParameter */
  words_add(&words, 248, 1, 8);                 /* OpLabel */
  words_add(&words, 253, 0);                    /* OpReturn */
  words_add(&words, 56, 0);                     /* OpFunctionEnd */
  CHECK_EQ(syclze_spirv_index_make(words_bytes(&words), &index), ZE_RESULT_SUCCESS);
  const syclze_spirv_kernel *kernel = syclze_spirv_index_kernel(&index, "k");
  CHECK(kernel != NULL && kernel->argument_count == 1);
  const uint32_t size = kernel->arguments[0].size;
  syclze_spirv_index_end(&index);
  return size;
}

TEST(vectors_have_up_to_sixteen_elements_of_eight_bytes) { // shows offload 23
  CHECK_EQ(vector_size(2), 16);
  CHECK_EQ(vector_size(3), 32);
  CHECK_EQ(vector_size(8), 64);
  CHECK_EQ(vector_size(16), 128);
  CHECK_EQ(vector_size(17), 0);
}

/* The type and the machine of an ELF file stand at bytes 16 and 18. */
TEST(a_wrapper_of_intel_has_both_its_type_and_no_machine) { // shows offload 23
  const syclze_bytes file = sample_read("two.ocloc.dg2.zebin");
  uint8_t *copy = (uint8_t *)(uintptr_t)file.data;
  static const struct {
    uint16_t type, machine;
    bool is_read;
  } cases[] = {{3, 205, true}, {SYCLZE_ELF_TYPE_INTEL_WRAPPER, 205, true},
      {SYCLZE_ELF_TYPE_INTEL_WRAPPER, 0, true}, {3, 0, false},
      {SYCLZE_ELF_TYPE_INTEL_WRAPPER, 62, false}, {3, 62, false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    syclze_zebin zebin;
    memcpy(copy + 16, &cases[i].type, 2);
    memcpy(copy + 18, &cases[i].machine, 2);
    CHECK_EQ(syclze_zebin_open(file, &zebin) == ZE_RESULT_SUCCESS, cases[i].is_read);
  }
  free(copy);
}

/* Padding that leaves describe may be a part of the value, or not. */
TEST(a_value_may_end_before_its_padding) { // shows offload 23
  const syclze_spec_leaf leaves[] = {
      {1, 0, 4}, {2, 4, 4}, {SYCLZE_SPEC_PADDING, 8, 4}, {SYCLZE_SPEC_PADDING, 12, 4}};
  syclze_spec_constant constant;
  memset(&constant, 0, sizeof constant);
  constant.leaves = leaves;
  constant.leaf_count = 4;
  constant.size = 16;
  for (size_t size = 0; size <= 20; size++) {
    const uint32_t expected = size < 8 || size > 16 ? 0 : size == 16 ? 4 : size >= 12 ? 3 : 2;
    CHECK_EQ(syclze__spec_leaves_in(&constant, size), expected);
  }
  constant.leaf_count = 2;
  constant.size = 8;
  CHECK_EQ(syclze__spec_leaves_in(&constant, 7), 0);
  CHECK_EQ(syclze__spec_leaves_in(&constant, 8), 2);
  CHECK_EQ(syclze__spec_leaves_in(&constant, 16), 2); /* padded to its alignment */
  CHECK_EQ(syclze__spec_leaves_in(&constant, 17), 0);
  constant.leaf_count = 1;
  constant.size = 4;
  CHECK_EQ(syclze__spec_leaves_in(&constant, 4), 1);
  CHECK_EQ(syclze__spec_leaves_in(&constant, 5), 0);
}

/* A binary table: a number of records, offsets and lengths, and the names; those that are empty or
   lie outside are left out. */
TEST(names_of_a_binary_table_lie_in_it) { // shows offload 23
  static const struct {
    uint32_t count;
    uint32_t records[5][2];
    char names[4];
  } table = {5, {{44, 1}, {45, 0}, {46, 2}, {46, 3}, {44, 4}}, "abcd"};
  static const char *const expected[] = {"a", "cd", "abcd"};
  syclze_symbol_cursor cursor;
  syclze_text name = {NULL, 0};
  memset(&cursor, 0, sizeof cursor);
  cursor.binary = syclze_bytes_of(&table, sizeof table);
  cursor.binary_count = 5;
  for (size_t i = 0; i < 3; i++) {
    CHECK(syclze__symbol_in_binary(&cursor, &name));
    CHECK(syclze_text_is(name, expected[i]));
  }
  CHECK(!syclze__symbol_in_binary(&cursor, &name));
}

/* The second registration of one file is no other's. */
TEST(registrations_are_of_their_own_file) { // shows offload 23
  enum { FILES = 3 };
  syclze_bytes files[FILES];
  for (int again = 0; again < FILES; again++) {
    for (int i = 0; i < FILES; i++) {
      files[i] = sample_read("pack22.ob");
      CHECK_EQ(syclze_register_image(files[i]), ZE_RESULT_SUCCESS);
    }
    CHECK_EQ(syclze_register_image(files[again]), ZE_RESULT_SUCCESS);
    for (int i = 0; i < FILES; i++)
      CHECK_EQ(syclze_unregister_image(files[i]), i == again ? 0u : 2u);
    CHECK_EQ(syclze_unregister_image(files[again]), 2u);
    for (int i = 0; i < FILES; i++)
      free((void *)(uintptr_t)files[i].data);
  }
}

TEST_MAIN(a_text_is_filled_to_its_last_character, a_fat_object_s_sections_of_sycl_hold_images,
    vectors_have_up_to_sixteen_elements_of_eight_bytes,
    a_wrapper_of_intel_has_both_its_type_and_no_machine, a_value_may_end_before_its_padding,
    names_of_a_binary_table_lie_in_it, registrations_are_of_their_own_file)
