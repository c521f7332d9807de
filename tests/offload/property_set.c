/* Property sets: the text form in both spellings of bytes, DPC++'s arrays, look-up, writing back.
 */
#include "syclze/offload/property_set.h"
#include "tests/check.h"
#include "support/sample.h"

static ze_result_t open_text(syclze_bytes text, syclze_property_sets *sets) {
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = text;
  return syclze_property_sets_open(&image, sets);
}

static ze_result_t open_string(const char *text, syclze_property_sets *sets) {
  return open_text(syclze_bytes_of(text, strlen(text)), sets);
}

static void check_written_back(syclze_property_sets sets, syclze_bytes text) {
  size_t size = 0;
  CHECK_EQ(syclze_property_write_text(sets, NULL, &size), ZE_RESULT_SUCCESS);
  CHECK_EQ(size, text.size);
  char *written = malloc(size + 1);
  CHECK(written != NULL);
  CHECK_EQ(syclze_property_write_text(sets, written, &size), ZE_RESULT_SUCCESS);
  CHECK(memcmp(written, text.data, size) == 0);
  size--;
  CHECK_EQ(syclze_property_write_text(sets, written, &size), ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK_EQ(size, text.size);
  free(written);
}

static void check_u32s(syclze_property_sets sets, const char *set, const char *key, size_t count,
    const uint32_t *numbers) {
  const syclze_property *property = syclze_property_find(sets, set, key);
  CHECK(property != NULL);
  CHECK_EQ(property->type, SYCLZE_PROPERTY_TYPE_BYTES);
  CHECK_EQ(property->bytes.size, 4 * count);
  CHECK_EQ(property->bit_count, 32 * count);
  for (size_t i = 0; i < count; i++)
    CHECK_EQ(syclze__load_u32((const char *)property->bytes.data + 4 * i), numbers[i]);
}

/* Every property of the sample, opened from any form. */
static void check_sample(syclze_property_sets sets) {
  uint32_t number = 0;
  CHECK_EQ(syclze_property_count(sets), 9);
  check_u32s(sets, SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, "n_sym", 3, (uint32_t[]){0, 0, 4});
  check_u32s(sets, SYCLZE_PROPERTY_SET_SPEC_CONSTANTS, "abc_sym", 9,
      (uint32_t[]){1, 0, 4, 2, 4, 4, 3, 8, 4});
  const syclze_property *defaults = syclze_property_find(
      sets, SYCLZE_PROPERTY_SET_SPEC_DEFAULTS, SYCLZE_PROPERTY_SPEC_DEFAULTS_ALL);
  CHECK(defaults != NULL);
  CHECK_EQ(defaults->bytes.size, 16);
  CHECK(syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_DEVICELIB, SYCLZE_PROPERTY_DEVICELIB_MASK, &number));
  CHECK_EQ(number, 2);
  check_u32s(sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_ASPECTS, 1, (uint32_t[]){6});
  check_u32s(sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_WORK_GROUP_SIZE_U64, 2,
      (uint32_t[]){16, 0});
  CHECK(syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE, &number));
  CHECK_EQ(number, 16);
  CHECK(syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, "libfn", &number));
  CHECK_EQ(number, 1);
  check_u32s(sets, SYCLZE_PROPERTY_SET_DEVICE_GLOBALS, "dg_uid", 2, (uint32_t[]){4, 0});
}

TEST(the_sample_is_written_back_unchanged) { // shows offload 37
  syclze_bytes text = sample_read("props_handmade.prop");
  syclze_property_sets sets;
  CHECK_EQ(open_text(text, &sets), ZE_RESULT_SUCCESS);
  check_sample(sets);
  check_written_back(sets, text);
  syclze_property_sets_close(sets);
  free((void *)text.data);
}

TEST(arrays_equal_the_text_they_came_from) {
  syclze_bytes text = sample_read("props_handmade.prop");
  syclze_property_sets sets, again;
  CHECK_EQ(open_text(text, &sets), ZE_RESULT_SUCCESS);
  size_t size = 0;
  CHECK_EQ(syclze_property_write_arrays(sets, NULL, &size, NULL), ZE_RESULT_SUCCESS);
  void *memory = malloc(size);
  CHECK(memory != NULL);
  const void *end;
  CHECK_EQ(syclze_property_write_arrays(sets, memory, &size, &end), ZE_RESULT_SUCCESS);
  CHECK_EQ((const char *)end - (const char *)memory, 6 * 24);

  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_sets_begin = memory;
  image.property_sets_end = end;
  CHECK_EQ(syclze_property_sets_open(&image, &again), ZE_RESULT_SUCCESS);
  check_sample(again);

  void *second = malloc(size);
  CHECK(second != NULL);
  CHECK_EQ(syclze_property_write_arrays(again, second, &size, &end), ZE_RESULT_SUCCESS);
  image.property_sets_begin = second;
  image.property_sets_end = end;
  syclze_property_sets third;
  CHECK_EQ(syclze_property_sets_open(&image, &third), ZE_RESULT_SUCCESS);
  check_sample(third);
  size--;
  CHECK_EQ(syclze_property_write_arrays(again, second, &size, &end), ZE_RESULT_ERROR_INVALID_SIZE);
  syclze_property_sets_close(third);
  syclze_property_sets_close(again);
  syclze_property_sets_close(sets);
  free(second);
  free(memory);
  free((void *)text.data);
}

/* The arrays as a compiler lays them down, with a number in the size and a string. */
TEST(arrays_of_a_compiler_are_read) { // shows offload 37
  static const struct {
    uint64_t bit_count;
    uint8_t mask;
  } removed = {3, 5};
  static const struct property {
    const char *name;
    const void *value;
    uint32_t type;
    uint64_t size;
  } options[] = {{"kernel", &removed, 2, 9}},
    misc[] = {{"isEsimdImage", NULL, 1, 1}, {"text", "abc", 3, 4}};
  static const struct {
    const char *name;
    const struct property *begin, *end;
  } all[] = {{SYCLZE_PROPERTY_SET_KERNEL_PARAM_OPT, options, options + 1},
      {SYCLZE_PROPERTY_SET_MISC, misc, misc + 2}, {SYCLZE_PROPERTY_SET_ASSERT_USED, NULL, NULL}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_sets_begin = all;
  image.property_sets_end = all + 3;
  syclze_property_sets sets;
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  const syclze_property *property =
      syclze_property_find(sets, SYCLZE_PROPERTY_SET_KERNEL_PARAM_OPT, "kernel");
  CHECK(property != NULL);
  CHECK_EQ(property->bit_count, 3);
  CHECK_EQ(property->bytes.size, 1);
  CHECK_EQ(*(const uint8_t *)property->bytes.data, 5);
  uint32_t number = 0;
  CHECK(syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_MISC, SYCLZE_PROPERTY_IS_ESIMD_IMAGE, &number));
  CHECK_EQ(number, 1);
  CHECK(syclze_text_is(syclze_property_get_text(sets, SYCLZE_PROPERTY_SET_MISC, "text"), "abc"));
  size_t size = 0;
  CHECK_EQ(
      syclze_property_write_text(sets, NULL, &size), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  syclze_property_sets_close(sets);
}

static ze_result_t write_number(const char *set, const char *key) {
  const struct {
    const char *name;
    const void *value;
    uint32_t type;
    uint64_t size;
  } property = {key, NULL, 1, 7};
  const struct {
    const char *name;
    const void *begin, *end;
  } all = {set, &property, &property + 1};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_sets_begin = &all;
  image.property_sets_end = &all + 1;
  syclze_property_sets sets;
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  size_t size = 0;
  const ze_result_t result = syclze_property_write_text(sets, NULL, &size);
  syclze_property_sets_close(sets);
  return result;
}

TEST(names_that_a_file_cannot_hold_are_refused) {
  static const char *const keys[] = {"", "[x", "a=b", "a\nb"};
  CHECK_EQ(write_number("a[]", "b[]|c"), ZE_RESULT_SUCCESS);
  CHECK_EQ(write_number("", "k"), ZE_RESULT_SUCCESS);
  for (int i = 0; i < 4; i++)
    CHECK_EQ(write_number("a", keys[i]), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(write_number("a\nb", "k"), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
}

/* 96 bits: the numbers 5, 6 and 9, as sycl-post-link spells them. */
TEST(dpcpp_digits_begin_with_the_lowest_bits) {
  static const char text[] = "[SYCL/device requirements]\naspects=2|gBAAAAAAAAQBAAAAGAAAAkAAAAA\n"
                             "[SYCL/program metadata]\n"
                             "K1@reqd_work_group_size=2|gBAAAAAAAAQAAAAACAAAAQAAAAA\n"
                             "K2@reqd_work_group_size=2|ABAAAAAAAAgAAAAAEAAAAA\n"
                             "K3@reqd_work_group_size=2|gAAAAAAAAAABAAAA\n[SYCL/assert used]\n";
  syclze_property_sets sets;
  CHECK_EQ(open_string(text, &sets), ZE_RESULT_SUCCESS);
  check_u32s(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_ASPECTS, 3, (uint32_t[]){5, 6, 9});
  const char *set = SYCLZE_PROPERTY_SET_PROGRAM_METADATA;
  check_u32s(sets, set, "K1@reqd_work_group_size", 3, (uint32_t[]){1, 2, 4});
  check_u32s(sets, set, "K2@reqd_work_group_size", 2, (uint32_t[]){2, 4});
  check_u32s(sets, set, "K3@reqd_work_group_size", 1, (uint32_t[]){4});
  check_written_back(sets, syclze_bytes_of(text, sizeof text - 1));
  syclze_property_sets_close(sets);
}

TEST(a_set_is_walked_over_all_its_headings) {
  syclze_property_sets sets;
  CHECK_EQ(open_string("[a]\nx=1|1\n\n[b]\nx=1|2\ny=1|3\n[a]\nz=1|4\n[]\nw=1|0", &sets),
      ZE_RESULT_SUCCESS);
  const syclze_property *property = syclze_property_next(sets, "a", NULL);
  CHECK(property != NULL && property->number == 1);
  property = syclze_property_next(sets, "a", property);
  CHECK(property != NULL && property->number == 4);
  CHECK(syclze_property_next(sets, "a", property) == NULL);
  property = syclze_property_next(sets, "b", NULL);
  CHECK(property != NULL && property->number == 2);
  CHECK(property == syclze_property_find(sets, "b", "x"));
  CHECK(property == syclze_property_at(sets, 1));
  CHECK(syclze_property_at(sets, 5) == NULL);
  CHECK(syclze_property_find(sets, "b", "z") == NULL);
  CHECK(syclze_property_find(sets, "c", "x") == NULL);
  CHECK(syclze_property_find(sets, "", "w") != NULL);
  syclze_property_sets_close(sets);
}

TEST(the_last_property_of_a_key_counts) {
  syclze_property_sets sets;
  uint32_t number = 0;
  CHECK_EQ(open_string("[a]\nx=1|1\nx=1|4294967295\n", &sets), ZE_RESULT_SUCCESS);
  CHECK(syclze_property_get_u32(sets, "a", "x", &number));
  CHECK_EQ(number, UINT32_MAX);
  syclze_property_sets_close(sets);
}

TEST(a_number_may_be_four_bytes) {
  syclze_property_sets sets;
  uint32_t number = 0;
  CHECK_EQ(open_string("[SYCL/device requirements]\nreqd_sub_group_size=2|gAAAAAAAAAAEAAAA\n"
                       "aspects=2|AAAAAAAAAAA\n",
               &sets),
      ZE_RESULT_SUCCESS);
  CHECK(syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_REQD_SUB_GROUP_SIZE, &number));
  CHECK_EQ(number, 16);
  CHECK(!syclze_property_get_u32(
      sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, SYCLZE_PROPERTY_ASPECTS, &number));
  CHECK(!syclze_property_get_u32(sets, SYCLZE_PROPERTY_SET_REQUIREMENTS, "none", &number));
  syclze_property_sets_close(sets);
}

TEST(an_image_without_properties_has_no_sets) {
  syclze_property_sets sets;
  CHECK_EQ(open_string("", &sets), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_property_count(sets), 0);
  CHECK(syclze_property_find(sets, "a", "x") == NULL);
  CHECK(syclze_property_next(sets, "a", NULL) == NULL);
  syclze_property_sets_close(sets);
  CHECK_EQ(syclze_property_sets_open(NULL, &sets), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK(sets.rep == NULL);
  syclze_property_sets_close(sets);
}

static const char *last_rule;

static void note_rule(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  last_rule = diagnostic->rule;
}

TEST(arrays_that_end_before_they_begin_are_refused) {
  static const syclze_diagnostic_handler handler = {note_rule, NULL};
  static const uint64_t words[16];
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_property_sets sets;
  syclze_diagnostic_set_handler(&handler);
  image.property_sets_begin = words + 8;
  for (size_t i = 0; i < 8; i++) { /* one of the differences, unsigned, is a number of sets */
    image.property_sets_end = words + i;
    last_rule = "";
    CHECK_EQ(syclze_property_sets_open(&image, &sets), SYCLZE_RESULT_ERROR_INVALID);
    CHECK(strstr(last_rule, "a whole number of them") != NULL);
    CHECK(sets.rep == NULL);
  }
  syclze_diagnostic_set_handler(NULL);
  image.property_sets_end = words + 8;
  CHECK_EQ(syclze_property_sets_open(&image, &sets), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_property_count(sets), 0);
  syclze_property_sets_close(sets);
}

TEST(malformed_texts_are_refused) {
  static const char *const texts[] = {"x=1|1\n", "[a\nx=1|1\n", "[a]\nx\n", "[a]\n=1|1\n",
      "[a]\nx=1\n", "[a]\nx=|1\n", "[a]\nx=1|\n", "[a]\nx=0|1\n", "[a]\nx=3|abc\n", "[a]\nx=12|1\n",
      "[a]\nx=1|1x\n", "[a]\nx=1|-1\n", "[a]\nx=1|4294967296\n", "[a]\nx=1|99999999999\n",
      "[a]\nx=2|A\n", "[a]\nx=2|AAAA\n", "[a]\nx=2|AAAAAAAAAAQ\n", "[a]\nx=2|AAAAAAAAAAB=\n",
      "[a]\nx=2|AAAAAAAAAAAA\n", "[a]\nx=2|gBAAAAAAAAQBAAAAGAAAAkAAAA\n",
      "[a]\nx=2|gBAAAAAAAAQBAAAAGAAAAkAAAA!\n", "["};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    syclze_property_sets sets;
    if (open_string(texts[i], &sets) != SYCLZE_RESULT_ERROR_INVALID)
      check_fail(__FILE__, __LINE__, "not refused: %s", texts[i]);
    CHECK(sets.rep == NULL);
  }
}

TEST_MAIN(the_sample_is_written_back_unchanged, arrays_equal_the_text_they_came_from,
    arrays_of_a_compiler_are_read, dpcpp_digits_begin_with_the_lowest_bits,
    a_set_is_walked_over_all_its_headings, the_last_property_of_a_key_counts,
    a_number_may_be_four_bytes, an_image_without_properties_has_no_sets,
    arrays_that_end_before_they_begin_are_refused, malformed_texts_are_refused)
