/* Compressed containers, with neither library: refused by name, passed on as they are by readers of
   files and sets, and everything else copied. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE__ZLIB_LIBRARY "libz.so.missing"
#define SYCLZE__ZSTD_LIBRARY "libzstd.so.missing"
#include "syclze/offload/container.h"
#include "syclze/offload/deflate.h"
#include "syclze/offload/selection.h"
#include "support/sample.h"
#include "tests/check.h"

static const char *last_rule;

static void note_rule(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  last_rule = diagnostic->rule;
}

/* A blob of version 3: the header, and a body that begins like what a compressor makes. */
static void make_compressed(uint8_t blob[64], const uint8_t first[4]) {
  struct syclze__writer sink = {blob, 64, 0};
  syclze__writer_put_u32(&sink, SYCLZE__CONTAINER_MAGIC);
  syclze__writer_put_u32(&sink, 3);
  syclze__writer_put_u64(&sink, 64);
  syclze__writer_put_u64(&sink, 40);
  syclze__writer_put_u64(&sink, 1);
  syclze__writer_put_u64(&sink, 200);
  syclze__writer_put(&sink, first, 4);
  syclze__writer_put_zeros(&sink, 20);
}

static void check_refused(const uint8_t first[4], const char *library) {
  static const syclze_diagnostic_handler handler = {note_rule, NULL};
  uint8_t blob[64];
  syclze_bytes bytes = {blob, sizeof blob}, inflated;
  syclze_offload_image image;
  make_compressed(blob, first);
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  CHECK(!syclze_container_next(&cursor, &image));
  CHECK_EQ(cursor.result, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK(strstr(cursor.rule, "syclze_container_inflate") != NULL);
  syclze_diagnostic_set_handler(&handler);
  ze_result_t result = syclze_container_inflate(bytes, 0, &inflated);
  syclze_diagnostic_set_handler(NULL);
  CHECK_EQ(result, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK(inflated.data == NULL);
  CHECK(last_rule != NULL && strstr(last_rule, library) != NULL);
}

TEST(zstd_is_refused_by_name) { // shows offload 18
  check_refused((const uint8_t[]){0x28, 0xb5, 0x2f, 0xfd}, "libzstd is not installed");
}

TEST(zlib_is_refused_by_name) {
  check_refused((const uint8_t[]){0x78, 0x9c, 0, 0}, "libz is not installed");
}

TEST(an_image_in_zstd_is_refused_by_name) {
  static const uint8_t frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0, 0, 0, 0};
  syclze_bytes inflated;
  CHECK_EQ(syclze_offload_format_of(syclze_bytes_of(frame, sizeof frame)),
      SYCLZE_OFFLOAD_FORMAT_COMPRESSED);
  CHECK_EQ(syclze_offload_image_inflate(syclze_bytes_of(frame, sizeof frame), 0, &inflated),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_offload_image_inflate(syclze_bytes_of(NULL, 0), 0, &inflated),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
}

/* A compressed blob, an image in zstd and a SPIR-V module, in a row. */
static syclze_bytes make_mixed(uint8_t *to, const syclze_bytes *spirv) {
  static const uint8_t frame[16] = {0x28, 0xb5, 0x2f, 0xfd};
  syclze_offload_string name[] = {{{"SYMBOL_TABLE", 12}, {"packed", 6}}};
  syclze_offload_image images[2] = {syclze_offload_image_of(syclze_bytes_of(frame, sizeof frame)),
      syclze_offload_image_of(*spirv)};
  size_t size = 8192;
  make_compressed(to, (const uint8_t[]){0x28, 0xb5, 0x2f, 0xfd});
  syclze_offload_image_set_strings(&images[0], name, 1);
  CHECK_EQ(syclze_container_write(2, images, 2, to + 64, &size), ZE_RESULT_SUCCESS);
  return syclze_bytes_of(to, 64 + size);
}

TEST(what_cannot_be_inflated_is_passed_on_and_the_next_image_follows) { // shows offload 10
  uint64_t words[1032];
  syclze_bytes spirv = sample_read("two.llvmspirv15.spv");
  syclze_bytes file = make_mixed((uint8_t *)words, &spirv);
  static const syclze_offload_format formats[] = {SYCLZE_OFFLOAD_FORMAT_CONTAINER,
      SYCLZE_OFFLOAD_FORMAT_COMPRESSED, SYCLZE_OFFLOAD_FORMAT_SPIRV};
  static const size_t sizes[] = {64, 16};
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(file);
  syclze_offload_image image;
  for (int i = 0; i < 3; i++) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    CHECK_EQ(syclze_offload_format_of(image.bytes), formats[i]);
    CHECK_EQ(image.bytes.size, i < 2 ? sizes[i] : spirv.size);
  }
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
  free((void *)spirv.data);
}

TEST(a_set_has_what_cannot_be_inflated_and_says_why_it_does_not_fit) { // shows offload 10
  uint64_t words[1032];
  char why[512];
  syclze_bytes spirv = sample_read("two.llvmspirv15.spv");
  syclze_bytes file = make_mixed((uint8_t *)words, &spirv);
  syclze_offload_set set;
  syclze_candidate candidate;
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.max_group_size = 256;
  uint32_t count = 0;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, file, NULL), ZE_RESULT_SUCCESS);
  syclze_offload_set_list(set, &count, NULL);
  CHECK_EQ(count, 3);
  count = 1;
  CHECK_EQ(
      syclze_selection_find(set, "axpy", &traits, &count, &candidate, NULL, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_selection_find(set, "packed", &traits, &count, &candidate, why, sizeof why),
      SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
  CHECK(strstr(why, "libzstd is not installed") != NULL);
  syclze_offload_set_release(set);
  free((void *)spirv.data);
}

TEST(nothing_is_deflated_without_the_library) {
  syclze_bytes deflated;
  uint8_t v3[256];
  size_t size = sizeof v3;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("image", 5));
  CHECK_EQ(syclze_container_write(3, &image, 1, v3, &size), ZE_RESULT_SUCCESS);
  for (int i = SYCLZE_COMPRESSION_ZLIB; i <= SYCLZE_COMPRESSION_ZSTD; i++) {
    CHECK_EQ(syclze_container_deflate(syclze_bytes_of(v3, size), (syclze_compression)i, &deflated),
        SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
    CHECK(deflated.data == NULL);
  }
}

TEST(uncompressed_containers_are_unchanged) {
  syclze_bytes file = sample_read("pack22.ob"), inflated;
  CHECK_EQ(syclze_container_inflate(file, 0, &inflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(inflated.size, file.size);
  CHECK(memcmp(inflated.data, file.data, file.size) == 0);
  syclze_inflated_free(inflated);
  CHECK_EQ(
      syclze_container_inflate(file, file.size - 1, &inflated), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK_EQ(syclze_container_inflate(file, file.size, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  file.size -= 8;
  CHECK_EQ(syclze_container_inflate(file, 0, &inflated), SYCLZE_RESULT_ERROR_INVALID);
  CHECK(inflated.data == NULL);
  syclze_inflated_free(inflated);
  CHECK_EQ(syclze_container_inflate(syclze_bytes_of(NULL, 0), 0, &inflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(inflated.size, 0);
  syclze_inflated_free(inflated);
  free((void *)file.data);
}

/* Version 3 that is not compressed: version 2 with a longer header. */
TEST(version_3_without_compression_is_read) {
  syclze_offload_string strings[] = {{{"arch", 4}, {"dg2", 3}}};
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("image", 5)), read;
  uint8_t v2[256], v3[264];
  size_t size = sizeof v2;
  syclze_offload_image_set_strings(&image, strings, 1);
  CHECK_EQ(syclze_container_write(2, &image, 1, v2, &size), ZE_RESULT_SUCCESS);
  struct syclze__writer sink = {v3, sizeof v3, 0};
  syclze__writer_put(&sink, v2, 4);
  syclze__writer_put_u32(&sink, 3);
  syclze__writer_put_u64(&sink, size + 8);
  syclze__writer_put_u64(&sink, 40);
  syclze__writer_put_u64(&sink, 1);
  syclze__writer_put_u64(&sink, 0);
  syclze__writer_put(&sink, v2 + 32, 8);
  syclze__writer_put_u64(&sink, syclze__load_u64(v2 + 40) + 8);
  syclze__writer_put_u64(&sink, 1);
  syclze__writer_put_u64(&sink, syclze__load_u64(v2 + 56) + 8);
  syclze__writer_put(&sink, v2 + 64, 8);
  syclze__writer_put_u64(&sink, syclze__load_u64(v2 + 72) + 8);
  syclze__writer_put_u64(&sink, syclze__load_u64(v2 + 80) + 8);
  syclze__writer_put(&sink, v2 + 88, size - 88);
  CHECK_EQ(sink.size, size + 8);
  syclze_container_cursor cursor = syclze_container_begin(syclze_bytes_of(v3, sink.size));
  CHECK(syclze_container_next(&cursor, &read));
  CHECK_EQ(cursor.version, 3);
  CHECK(syclze_text_is(syclze_text_of_bytes(read.bytes), "image"));
  CHECK(syclze_text_is(syclze_offload_image_text(&read, "arch"), "dg2"));
  CHECK(!syclze_container_next(&cursor, &read));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
}

TEST_MAIN(zstd_is_refused_by_name, zlib_is_refused_by_name, an_image_in_zstd_is_refused_by_name,
    what_cannot_be_inflated_is_passed_on_and_the_next_image_follows,
    a_set_has_what_cannot_be_inflated_and_says_why_it_does_not_fit,
    nothing_is_deflated_without_the_library, uncompressed_containers_are_unchanged,
    version_3_without_compression_is_read)
