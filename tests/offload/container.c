/* The Offload Binary: what is written reads back, and what is damaged is refused. */
#include "syclze/offload/container.h"
#include "support/sample.h"
#include "tests/check.h"

static const syclze_offload_string strings_of_first[] = {
    {{"triple", 6}, {"spirv64-unknown-unknown", 23}}, {{"arch", 4}, {"", 0}},
    {{"unknown key", 11}, {"kept", 4}}};
static const syclze_offload_string strings_of_second[] = {{{"arch", 4}, {"dg2", 3}}};

/* Two images of odd sizes with strings, and one without either. */
static void make_images(syclze_offload_image images[3]) {
  images[0] = syclze_offload_image_of(syclze_bytes_of("\3\2#\7image", 9));
  images[0].image_kind = SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV;
  images[0].offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
  syclze_offload_image_set_strings(&images[0], strings_of_first, 3);
  images[1] = syclze_offload_image_of(syclze_bytes_of("BC\xc0\xde", 4));
  images[1].image_kind = SYCLZE_OFFLOAD_IMAGE_KIND_BITCODE;
  images[1].flags = 0x80;
  syclze_offload_image_set_strings(&images[1], strings_of_second, 1);
  images[2] = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
}

static syclze_bytes write(uint32_t version, const syclze_offload_image *images, size_t count) {
  size_t size = 0, again;
  CHECK_EQ(syclze_container_write(version, images, count, NULL, &size), ZE_RESULT_SUCCESS);
  CHECK_EQ(size % 8, 0);
  char *bytes = malloc(size + 1);
  CHECK(bytes != NULL);
  memset(bytes, 0xee, size + 1);
  again = size;
  CHECK_EQ(syclze_container_write(version, images, count, bytes, &again), ZE_RESULT_SUCCESS);
  CHECK_EQ(again, size);
  CHECK_EQ(bytes[size], (char)0xee);
  return syclze_bytes_of(bytes, size);
}

static void check_same_image(const syclze_offload_image *a, const syclze_offload_image *b) {
  syclze_offload_string string, other;
  CHECK_EQ(a->image_kind, b->image_kind);
  CHECK_EQ(a->offload_kind, b->offload_kind);
  CHECK_EQ(a->flags, b->flags);
  CHECK(syclze_text_equal(syclze_text_of_bytes(a->bytes), syclze_text_of_bytes(b->bytes)));
  CHECK_EQ(syclze_offload_image_string_count(a), syclze_offload_image_string_count(b));
  for (size_t i = 0; syclze_offload_image_string_at(a, i, &string); i++) {
    CHECK(syclze_offload_image_string_at(b, i, &other));
    CHECK(syclze_text_equal(string.key, other.key));
    CHECK(syclze_text_equal(syclze_text_of_bytes(string.value), syclze_text_of_bytes(other.value)));
  }
}

TEST(a_written_container_reads_back) { // shows offload 7 8
  syclze_offload_image images[3], image;
  make_images(images);
  for (uint32_t version = 1; version <= 3; version++) {
    syclze_bytes bytes = write(version, images, 3);
    syclze_container_cursor cursor = syclze_container_begin(bytes);
    for (size_t i = 0; i < 3; i++) {
      CHECK(syclze_container_next(&cursor, &image));
      CHECK_EQ(cursor.version, version);
      CHECK_EQ(version == 1 && i > 0, cursor.blob_offset > 0);
      check_same_image(&images[i], &image);
    }
    CHECK(!syclze_container_next(&cursor, &image));
    CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
    free((void *)bytes.data);
  }
}

TEST(containers_may_follow_each_other_and_stand_anywhere) {
  syclze_offload_image images[3], image;
  make_images(images);
  syclze_bytes first = write(1, images, 3), second = write(2, images, 3);
  size_t gap = 24, size = first.size + gap + second.size + 5;
  for (size_t misaligned = 0; misaligned < 8; misaligned++) {
    char *memory = calloc(1, size + misaligned), *at = memory + misaligned;
    CHECK(memory != NULL);
    memcpy(at, first.data, first.size);
    memcpy(at + first.size + gap, second.data, second.size);
    syclze_container_cursor cursor = syclze_container_begin(syclze_bytes_of(at, size));
    for (size_t i = 0; i < 6; i++) {
      CHECK(syclze_container_next(&cursor, &image));
      check_same_image(&images[i % 3], &image);
    }
    CHECK(!syclze_container_next(&cursor, &image));
    CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
    free(memory);
  }
  free((void *)first.data);
  free((void *)second.data);
}

TEST(an_image_without_alignment_is_found) {
  syclze_bytes file = sample_read("pack23.ob");
  syclze_container_cursor cursor = syclze_container_begin(file);
  syclze_offload_image image;
  CHECK(syclze_container_next(&cursor, &image));
  CHECK(syclze_container_next(&cursor, &image));
  CHECK_EQ(((const char *)image.bytes.data - (const char *)file.data) % 8, 4);
  CHECK_EQ(syclze_offload_format_of(image.bytes), SYCLZE_OFFLOAD_FORMAT_SPIRV);
  free((void *)file.data);
}

TEST(binary_values_are_kept_by_version_2_and_refused_by_version_1) {
  static const char table[8] = {1, 0, 0, 0, 'k', 0, 0, 0};
  syclze_offload_string symbols = {{"symbols", 7}, {table, sizeof table}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("x", 1)), read;
  syclze_offload_image_set_strings(&image, &symbols, 1);
  size_t size = 0;
  CHECK_EQ(
      syclze_container_write(1, &image, 1, NULL, &size), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  syclze_bytes bytes = write(2, &image, 1);
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  CHECK(syclze_container_next(&cursor, &read));
  check_same_image(&image, &read);
  free((void *)bytes.data);
}

TEST(an_entry_of_metadata_has_strings_and_no_image) {
  syclze_offload_image images[3], image;
  make_images(images);
  images[0].flags = SYCLZE_OFFLOAD_FLAG_METADATA_ONLY;
  syclze_bytes bytes = write(2, images, 1);
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  CHECK(syclze_container_next(&cursor, &image));
  CHECK_EQ(image.bytes.size, 0);
  CHECK_EQ(image.flags, SYCLZE_OFFLOAD_FLAG_METADATA_ONLY);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "unknown key"), "kept"));
  free((void *)bytes.data);
  bytes = write(1, images, 1);
  cursor = syclze_container_begin(bytes);
  CHECK(syclze_container_next(&cursor, &image));
  CHECK_EQ(image.bytes.size, 9);
  free((void *)bytes.data);
}

TEST(empty_bytes_hold_no_image) {
  syclze_offload_image image;
  char zeros[19] = {0};
  for (size_t size = 0; size <= sizeof zeros; size++) {
    syclze_container_cursor cursor =
        syclze_container_begin(syclze_bytes_of(size ? zeros : NULL, size));
    CHECK(!syclze_container_next(&cursor, &image));
    CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  }
  syclze_bytes empty = write(2, NULL, 0);
  CHECK_EQ(empty.size, 0);
  free((void *)empty.data);
}

TEST(unwritable_containers_are_refused) {
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("x", 1));
  syclze_offload_string string = {{"", 0}, {"x", 1}};
  char buffer[64];
  size_t size = sizeof buffer;
  CHECK_EQ(syclze_container_write(1, &image, 1, NULL, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(syclze_container_write(1, NULL, 1, NULL, &size), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  CHECK_EQ(
      syclze_container_write(0, &image, 1, NULL, &size), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(
      syclze_container_write(4, &image, 1, NULL, &size), SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_container_write(1, &image, 1, buffer, &size), ZE_RESULT_ERROR_INVALID_SIZE);
  CHECK_EQ(size, 80);
  syclze_offload_image_set_strings(&image, &string, 1);
  CHECK_EQ(syclze_container_write(2, &image, 1, NULL, &size), SYCLZE_RESULT_ERROR_INVALID);
  string.key.data = "a\0b";
  string.key.size = 3;
  CHECK_EQ(syclze_container_write(2, &image, 1, NULL, &size), SYCLZE_RESULT_ERROR_INVALID);
}

struct damage {
  size_t offset;
  uint64_t value; /* of 64 bits at that offset */
  ze_result_t result;
};

static void check_damages(uint32_t version, const struct damage *damages, size_t count) {
  syclze_offload_image images[3], image;
  make_images(images);
  syclze_bytes bytes = write(version, images, 1);
  for (size_t i = 0; i < count; i++) {
    uint64_t *at = (uint64_t *)((char *)bytes.data + damages[i].offset), kept = *at;
    *at = damages[i].value;
    syclze_container_cursor cursor = syclze_container_begin(bytes);
    CHECK(!syclze_container_next(&cursor, &image));
    if (cursor.result != damages[i].result)
      check_fail(__FILE__, __LINE__, "damage %zu of version %u: %s", i, version,
          syclze_result_string(cursor.result));
    CHECK(cursor.rule != NULL);
    CHECK(image.bytes.data == NULL && image.strings.count == 0);
    *at = kept;
  }
  free((void *)bytes.data);
}

#define INVALID SYCLZE_RESULT_ERROR_INVALID
#define UNSUPPORTED SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED
#define MAGIC 0xad10ff10u

TEST(damage_to_version_1_is_refused) {
  static const struct damage damages[] = {{0, MAGIC - 1, INVALID}, {0, MAGIC, INVALID},
      {0, MAGIC | 4ull << 32, UNSUPPORTED}, {8, 31, INVALID}, {8, 10000, INVALID},
      {8, UINT64_MAX, INVALID}, {16, 31, INVALID}, {16, UINT64_MAX, INVALID}, {24, 39, INVALID},
      {40, UINT64_MAX, INVALID}, {40, 200, INVALID}, {48, UINT64_MAX, INVALID},
      {48, UINT64_MAX / 16, INVALID}, {56, UINT64_MAX, INVALID}, {64, UINT64_MAX, INVALID},
      {64, 1000, INVALID}, {72, 10000, INVALID}, {80, 10000, INVALID}, {80, UINT64_MAX, INVALID}};
  check_damages(1, damages, sizeof damages / sizeof *damages);
}

TEST(damage_to_version_2_is_refused) {
  static const struct damage damages[] = {{24, 10, INVALID}, {24, UINT64_MAX, INVALID},
      {24, UINT64_MAX / 40 + 1, INVALID}, {72, 10000, INVALID}, {80, UINT64_MAX, INVALID},
      {88, UINT64_MAX, INVALID}, {88, 10000, INVALID}, {64, UINT64_MAX - 7, INVALID}};
  check_damages(2, damages, sizeof damages / sizeof *damages);
}

/* Forty entries that all have the same records are more strings than the blob has room for. */
TEST(entries_that_share_their_strings_are_refused) {
  syclze_offload_image images[40], image;
  make_images(images);
  for (size_t i = 1; i < 40; i++) {
    images[i] = images[0];
    images[i].strings.count = 1;
  }
  images[0].strings.count = 3;
  syclze_bytes bytes = write(2, images, 40);
  uint8_t *entry = (uint8_t *)bytes.data + 32;
  for (size_t i = 1; i < 40; i++) {
    memcpy(entry + 40 * i + 8, entry + 8, 8);
    entry[40 * i + 16] = 39;
  }
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  size_t count = 0;
  while (syclze_container_next(&cursor, &image))
    count++;
  CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
  CHECK(strstr(cursor.rule, "share") != NULL);
  CHECK(count < 40);
  free((void *)bytes.data);
}

TEST(a_container_cut_anywhere_is_refused) {
  syclze_offload_image images[3], image;
  make_images(images);
  for (uint32_t version = 1; version <= 2; version++) {
    syclze_bytes bytes = write(version, images, 1);
    for (size_t size = 1; size < bytes.size; size++) {
      void *exact = malloc(size);
      CHECK(exact != NULL);
      memcpy(exact, bytes.data, size);
      syclze_container_cursor cursor = syclze_container_begin(syclze_bytes_of(exact, size));
      CHECK(!syclze_container_next(&cursor, &image));
      CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_INVALID);
      free(exact);
    }
    free((void *)bytes.data);
  }
}

/* Strings that a descriptor holds as pointers, and a list of the caller's. */
TEST(strings_read_alike_from_every_source) {
  const char *texts[3] = {"spir64", NULL, "-link"};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_offload_string string;
  syclze_bytes value;
  image.strings.base = texts;
  image.strings.count = 3;
  image.strings.source = SYCLZE__STRINGS_OF_DESCRIPTOR;
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spir64"));
  CHECK(syclze_offload_image_find(&image, "compile-opts", &value));
  CHECK_EQ(value.size, 0);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "link-opts"), "-link"));
  CHECK(!syclze_offload_image_find(&image, "arch", &value));
  CHECK(!syclze_offload_image_string_at(&image, 3, &string));
  syclze_offload_image_set_strings(&image, strings_of_first, 3);
  CHECK(syclze_text_is(syclze_offload_image_text(&image, "unknown key"), "kept"));
  CHECK(!syclze_offload_image_find(&image, "unknown", &value));
}

TEST_MAIN(a_written_container_reads_back, containers_may_follow_each_other_and_stand_anywhere,
    an_image_without_alignment_is_found,
    binary_values_are_kept_by_version_2_and_refused_by_version_1,
    an_entry_of_metadata_has_strings_and_no_image, empty_bytes_hold_no_image,
    unwritable_containers_are_refused, damage_to_version_1_is_refused,
    damage_to_version_2_is_refused, entries_that_share_their_strings_are_refused,
    a_container_cut_anywhere_is_refused, strings_read_alike_from_every_source)
