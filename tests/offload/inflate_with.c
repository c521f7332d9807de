/* Compressed containers with the libraries. What compresses them here is compiled in, where its
   header is installed (libraries.mk); syclze finds the same functions at run time. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/deflate.h"
#include "syclze/offload/registry.h"
#include "syclze/offload/selection.h"
#include "support/sample.h"
#include "tests/check.h"

#ifdef TEST_ZLIB
#include <zlib.h>
#endif
#ifdef TEST_ZSTD
#include <zstd.h>
#endif

/* A sample of version 2 as version 3 keeps it compressed: every offset counts a header that is 8
   bytes longer. */
static size_t make_body(syclze_bytes v2, uint8_t *body) {
  size_t entries = (size_t)syclze__load_u64((const uint8_t *)v2.data + 24);
  size_t size = v2.size - 32;
  memcpy(body, (const uint8_t *)v2.data + 32, size);
  size_t moved = 0, records = 0;
  uint8_t *offsets[64];
  for (size_t i = 0; i < entries; i++) {
    offsets[moved++] = body + 40 * i + 8;
    offsets[moved++] = body + 40 * i + 24;
    records += (size_t)syclze__load_u64(body + 40 * i + 16);
  }
  for (size_t i = 0; i < records; i++) {
    offsets[moved++] = body + 40 * entries + 24 * i;
    offsets[moved++] = body + 40 * entries + 24 * i + 8;
  }
  CHECK(moved <= 64);
  for (size_t i = 0; i < moved; i++) {
    uint64_t offset = syclze__load_u64(offsets[i]) + 8;
    struct syclze__writer writer = {offsets[i], 8, 0};
    syclze__writer_put_u64(&writer, offset);
  }
  return size;
}

typedef size_t (*compressor)(const uint8_t *from, size_t size, uint8_t *to, size_t room);

/* Two such blobs in a row, the first without the padding that its size does not count. */
static syclze_bytes make_container(compressor compress, size_t claimed) {
  syclze_bytes v2 = sample_read("pack23.ob");
  static uint8_t body[16384], packed[16384];
  size_t size = make_body(v2, body), packed_size = compress(body, size, packed, sizeof packed);
  CHECK(packed_size != 0);
  uint8_t *bytes = calloc(2, 16384);
  CHECK(bytes != NULL);
  struct syclze__writer writer = {bytes, 2 * 16384, 0};
  for (int i = 0; i < 2; i++) {
    syclze__writer_put_u32(&writer, SYCLZE__CONTAINER_MAGIC);
    syclze__writer_put_u32(&writer, 3);
    syclze__writer_put_u64(&writer, 40 + packed_size);
    syclze__writer_put_u64(&writer, 40);
    syclze__writer_put_u64(&writer, 2);
    syclze__writer_put_u64(&writer, claimed != 0 ? claimed : 40 + size);
    syclze__writer_put(&writer, packed, packed_size);
    syclze__writer_pad(&writer);
  }
  free((void *)v2.data);
  return syclze_bytes_of(bytes, writer.size);
}

static void check_inflates(compressor compress) {
  syclze_bytes container = make_container(compress, 0), inflated;
  CHECK_EQ(syclze_container_inflate(container, 0, &inflated), ZE_RESULT_SUCCESS);
  syclze_bytes first = sample_read("two.llvmspirv15.spv");
  syclze_bytes second = sample_read("spec.llvmspirv15.spv");
  syclze_container_cursor cursor = syclze_container_begin(inflated);
  syclze_offload_image image;
  for (int i = 0; i < 4; i++) {
    const syclze_bytes *expected = i % 2 == 0 ? &first : &second;
    CHECK(syclze_container_next(&cursor, &image));
    CHECK_EQ(cursor.version, 3);
    CHECK_EQ(image.bytes.size, expected->size);
    CHECK(memcmp(image.bytes.data, expected->data, expected->size) == 0);
    CHECK(syclze_text_is(syclze_offload_image_text(&image, "triple"), "spirv64-unknown-unknown"));
  }
  CHECK(!syclze_container_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_inflated_free(inflated);
  CHECK_EQ(syclze_container_inflate(container, 5000, &inflated), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK(inflated.data == NULL);
  free((void *)first.data);
  free((void *)second.data);
  free((void *)container.data);
}

static void check_wrong_sizes(compressor compress) {
  static const size_t claims[] = {39, 40, 41, 4000, 1u << 20};
  for (size_t i = 0; i < sizeof claims / sizeof *claims; i++) {
    syclze_bytes container = make_container(compress, claims[i]), inflated;
    CHECK_EQ(syclze_container_inflate(container, 0, &inflated), SYCLZE_RESULT_ERROR_INVALID);
    CHECK(inflated.data == NULL);
    free((void *)container.data);
  }
  syclze_bytes container = make_container(compress, 0), inflated;
  uint8_t *bytes = (uint8_t *)container.data;
  bytes[60] ^= 0x55;
  bytes[160] ^= 0x55;
  CHECK_EQ(syclze_container_inflate(container, 0, &inflated), SYCLZE_RESULT_ERROR_INVALID);
  free((void *)container.data);
}

#ifdef TEST_ZLIB
static size_t with_zlib(const uint8_t *from, size_t size, uint8_t *to, size_t room) {
  uLongf length = (uLongf)room;
  return compress(to, &length, from, (uLong)size) == Z_OK ? (size_t)length : 0;
}
#define NEED_ZLIB
#else
#define with_zlib NULL
#define NEED_ZLIB SKIP("zlib's header is not installed")
#endif

#ifdef TEST_ZSTD
static size_t with_zstd(const uint8_t *from, size_t size, uint8_t *to, size_t room) {
  size_t length = ZSTD_compress(to, room, from, size, 3);
  return ZSTD_isError(length) ? 0 : length;
}

/* A frame without its inflated size. */
static size_t with_silent_zstd(const uint8_t *from, size_t size, uint8_t *to, size_t room) {
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, 0);
  size_t length = ZSTD_compress2(context, to, room, from, size);
  ZSTD_freeCCtx(context);
  return ZSTD_isError(length) ? 0 : length;
}
#define NEED_ZSTD
#else
#define with_zstd NULL
#define with_silent_zstd NULL
#define NEED_ZSTD SKIP("zstd's header is not installed")
#endif

TEST(containers_in_zlib_inflate) {
  NEED_ZLIB;
  check_inflates(with_zlib);
}

TEST(zlib_of_another_size_is_refused) {
  NEED_ZLIB;
  check_wrong_sizes(with_zlib);
}

TEST(containers_in_zstd_inflate) {
  NEED_ZSTD;
  check_inflates(with_zstd);
}

TEST(zstd_of_another_size_is_refused) {
  NEED_ZSTD;
  check_wrong_sizes(with_zstd);
}

TEST(a_zstd_frame_may_lack_its_size) {
  NEED_ZSTD;
  check_inflates(with_silent_zstd);
  check_wrong_sizes(with_silent_zstd);
}

TEST(an_image_in_zstd_inflates) {
  NEED_ZSTD;
  syclze_bytes file = sample_read("two.llvmspirv15.spv"), inflated;
  static uint8_t frame[16384];
  compressor compress_it = with_zstd;
  size_t size = compress_it(file.data, file.size, frame, sizeof frame);
  CHECK(size != 0);
  CHECK_EQ(
      syclze_offload_image_inflate(syclze_bytes_of(frame, size), 0, &inflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(inflated.size, file.size);
  CHECK(memcmp(inflated.data, file.data, file.size) == 0);
  syclze_inflated_free(inflated);
  CHECK_EQ(syclze_offload_image_inflate(syclze_bytes_of(frame, size), 100, &inflated),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK_EQ(syclze_offload_image_inflate(syclze_bytes_of(frame, size - 1), 0, &inflated),
      SYCLZE_RESULT_ERROR_INVALID);
  compress_it = with_silent_zstd;
  size = compress_it(file.data, file.size, frame, sizeof frame);
  CHECK_EQ(syclze_offload_image_inflate(syclze_bytes_of(frame, size), 0, &inflated),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  free((void *)file.data);
}

/* Both blobs' images, from a cursor that ends before the set uses them. */
static void check_file(compressor compress) {
  syclze_bytes container = make_container(compress, 0);
  syclze_offload_set set;
  uint32_t count = 0, found_count = 4;
  syclze_offload_found found[4];
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, container, container.data), ZE_RESULT_SUCCESS);
  syclze_offload_set_list(set, &count, NULL);
  CHECK_EQ(count, 4);
  CHECK_EQ(syclze_offload_set_find(set, "axpy", &found_count, found), ZE_RESULT_SUCCESS);
  CHECK_EQ(found_count, 2);
  CHECK_EQ(syclze_offload_format_of(found[0].image.bytes), SYCLZE_OFFLOAD_FORMAT_SPIRV);
  CHECK_EQ(syclze_offload_set_remove(set, container.data), 4);
  syclze_offload_set_release(set);

  syclze_offload_file_cursor cursor = syclze_offload_file_begin(container);
  syclze_offload_image image;
  cursor.inflate_limit = 5000;
  while (syclze_offload_file_next(&cursor, &image))
    CHECK(image.bytes.size <= 5000);
  CHECK_EQ(cursor.result, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  syclze_offload_file_end(&cursor);
  free((void *)container.data);
}

TEST(a_file_inflates_zlib) {
  NEED_ZLIB;
  check_file(with_zlib);
}

TEST(a_file_inflates_zstd) { // shows offload 10
  NEED_ZSTD;
  check_file(with_zstd);
}

/* A container that is the compressed image of another one: its images outlive the file's cursor. */
TEST(images_of_a_compressed_container_outlive_the_file) {
  NEED_ZSTD;
  static uint8_t frame[16384], outer[32768];
  syclze_bytes inner = sample_read("pack23.ob");
  compressor compress_it = with_zstd;
  size_t size = compress_it(inner.data, inner.size, frame, sizeof frame), room = sizeof outer;
  CHECK(size != 0);
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(frame, size));
  CHECK_EQ(syclze_container_write(2, &image, 1, outer, &room), ZE_RESULT_SUCCESS);
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(
      syclze_offload_set_add_bytes(set, syclze_bytes_of(outer, room), outer), ZE_RESULT_SUCCESS);
  uint32_t count = 1;
  syclze_offload_found found;
  CHECK_EQ(syclze_offload_set_find(set, "axpy", &count, &found), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_format_of(found.image.bytes), SYCLZE_OFFLOAD_FORMAT_SPIRV);
  CHECK_EQ(syclze_offload_set_remove(set, outer), 2);
  syclze_offload_set_release(set);
  free((void *)inner.data);
}

/* A container of one blob that inflates to so many zeros, with its padding. */
static size_t pack_zeros(uint8_t *to, size_t room, const uint8_t *zeros, size_t count) {
  compressor compress_it = with_zlib;
  size_t size = compress_it(zeros, count, to + 40, room - 40);
  struct syclze__writer writer = {to, 40, 0};
  CHECK(size != 0);
  syclze__writer_put_u32(&writer, SYCLZE__CONTAINER_MAGIC);
  syclze__writer_put_u32(&writer, 3);
  syclze__writer_put_u64(&writer, 40 + size);
  syclze__writer_put_u64(&writer, 40);
  syclze__writer_put_u64(&writer, 0);
  syclze__writer_put_u64(&writer, 40 + (uint64_t)count);
  return (40 + size + 7) / 8 * 8;
}

/* Not a gigabyte of memory for a megabyte of input. */
TEST(a_small_file_does_not_inflate_to_a_large_one) { // shows offload 10
  enum { SIZE = 100 << 20 };
  NEED_ZLIB;
  uint8_t *zeros = (uint8_t *)calloc(1, SIZE), *packed = (uint8_t *)calloc(1, SIZE / 100);
  syclze_bytes inflated;
  CHECK(zeros != NULL && packed != NULL);
  syclze_bytes container = {packed, pack_zeros(packed, SIZE / 100, zeros, SIZE)};
  CHECK_EQ(syclze_container_inflate(container, 0, &inflated), ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  CHECK_EQ(syclze_container_inflate(container, (size_t)1 << 30, &inflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(inflated.size, 40 + (size_t)SIZE);
  syclze_inflated_free(inflated);
  free(packed);
  free(zeros);
}

/* Nor by many blobs, each of which is within the limit. */
TEST(many_small_blobs_do_not_inflate_to_a_large_file) { // shows offload 10
  enum { SIZE = 8 << 20, BLOBS = 16, ROOM = 1 << 15 };
  NEED_ZLIB;
  uint8_t *zeros = (uint8_t *)calloc(1, SIZE), *packed = (uint8_t *)calloc(BLOBS, ROOM);
  syclze_offload_set set;
  CHECK(zeros != NULL && packed != NULL);
  const size_t one = pack_zeros(packed, ROOM, zeros, SIZE);
  for (size_t i = 1; i < BLOBS; i++)
    memcpy(packed + i * one, packed, one);
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, syclze_bytes_of(packed, BLOBS * one), packed),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  syclze_offload_set_release(set);
  free(packed);
  free(zeros);
}

/* Nor by many containers in one. */
TEST(many_nested_containers_do_not_inflate_to_a_large_file) {
  enum { SIZE = 8 << 20, CONTAINERS = 16, ROOM = 1 << 15 };
  NEED_ZLIB;
  uint8_t *zeros = (uint8_t *)calloc(1, SIZE), *packed = (uint8_t *)calloc(1, ROOM);
  uint8_t *outer = (uint8_t *)calloc(CONTAINERS + 1, ROOM);
  CHECK(zeros != NULL && packed != NULL && outer != NULL);
  const size_t one = pack_zeros(packed, ROOM, zeros, SIZE);
  size_t room = (CONTAINERS + 1) * ROOM;
  syclze_offload_image images[CONTAINERS];
  for (size_t i = 0; i < CONTAINERS; i++)
    images[i] = syclze_offload_image_of(syclze_bytes_of(packed, one));
  CHECK_EQ(syclze_container_write(2, images, CONTAINERS, outer, &room), ZE_RESULT_SUCCESS);
  syclze_offload_set set;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, syclze_bytes_of(outer, room), outer),
      ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  syclze_offload_set_release(set);
  free(outer);
  free(packed);
  free(zeros);
}

/* DPC++'s descriptor of a compressed image, which inflates when it is selected. */
TEST(a_registered_image_in_zstd_inflates_on_use) {
  NEED_ZSTD;
  static uint8_t frame[16384];
  struct {
    const void *address;
    const char *name;
    uint64_t size, flags;
  } entry = {NULL, "axpy", 0, 0};
  struct {
    uint16_t version;
    uint8_t kind, format;
    uint32_t padding;
    const char *strings[3];
    const void *begin, *end, *entries, *entries_end, *sets, *sets_end;
  } image;
  struct {
    uint16_t version, count;
    uint32_t padding;
    const void *images, *unused[2];
  } descriptor = {1, 1, 0, &image, {NULL, NULL}};
  syclze_bytes file = sample_read("two.clang22.spv");
  compressor compress_it = with_zstd;
  size_t size = compress_it(file.data, file.size, frame, sizeof frame);
  memset(&image, 0, sizeof image);
  image.version = 3;
  image.kind = image.format = 4;
  image.strings[0] = "spir64";
  image.begin = frame;
  image.end = frame + size;
  image.entries = &entry;
  image.entries_end = &entry + 1;
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), ZE_RESULT_SUCCESS);
  syclze_device_traits traits;
  memset(&traits, 0, sizeof traits);
  traits.max_group_size = 256;
  syclze_candidate candidate;
  char why[256];
  uint32_t count = 1;
  CHECK_EQ(syclze_selection_find(
               syclze_offload_registered(), "axpy", &traits, &count, &candidate, why, sizeof why),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(candidate.module.size, file.size);
  CHECK(memcmp(candidate.module.data, file.data, file.size) == 0);
  frame[8] ^= 0xff; /* it is inflated once */
  CHECK_EQ(syclze_selection_find(
               syclze_offload_registered(), "axpy", &traits, &count, &candidate, why, sizeof why),
      ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_unregister_descriptor(&descriptor), 1);
  CHECK_EQ(syclze_register_descriptor(&descriptor, 0), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_selection_find(
               syclze_offload_registered(), "axpy", &traits, &count, &candidate, why, sizeof why),
      SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED);
  CHECK(strstr(why, "it is compressed: ") != NULL);
  CHECK_EQ(syclze_unregister_descriptor(&descriptor), 1);
  free((void *)file.data);
}

/* A container of version 3 with two images. */
static syclze_bytes container_of_two(void) {
  syclze_bytes v2 = sample_read("pack23.ob");
  syclze_container_cursor cursor = syclze_container_begin(v2);
  syclze_offload_image images[2];
  size_t size = 0;
  for (int i = 0; i < 2; i++)
    CHECK(syclze_container_next(&cursor, &images[i]));
  CHECK_EQ(syclze_container_write(3, images, 2, NULL, &size), ZE_RESULT_SUCCESS);
  void *bytes = malloc(size);
  CHECK(bytes != NULL);
  CHECK_EQ(syclze_container_write(3, images, 2, bytes, &size), ZE_RESULT_SUCCESS);
  free((void *)(uintptr_t)v2.data);
  return syclze_bytes_of(bytes, size);
}

static void check_deflates(syclze_compression compression) {
  syclze_bytes container = container_of_two(), deflated, inflated;
  CHECK_EQ(syclze_container_deflate(container, compression, &deflated), ZE_RESULT_SUCCESS);
  CHECK(deflated.size < container.size && deflated.size % 8 == 0);
  CHECK_EQ(syclze_container_inflate(deflated, 0, &inflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(inflated.size, container.size);
  CHECK(memcmp(inflated.data, container.data, container.size) == 0);
  syclze_inflated_free(inflated);
  /* Compressed once is enough, and other versions have no such form. */
  CHECK_EQ(syclze_container_deflate(deflated, compression, &inflated),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  syclze_bytes v2 = sample_read("pack23.ob");
  CHECK_EQ(syclze_container_deflate(v2, compression, &inflated),
      SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  CHECK_EQ(syclze_container_deflate(syclze_bytes_of("not a container", 16), compression, &inflated),
      SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_container_deflate(v2, compression, NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
  free((void *)(uintptr_t)v2.data);
  /* Its images are found as any others. */
  syclze_offload_set set;
  uint32_t count = 0;
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_offload_set_add_bytes(set, deflated, NULL), ZE_RESULT_SUCCESS);
  syclze_offload_set_find(set, "axpy", &count, NULL);
  CHECK(count > 0);
  syclze_offload_set_release(set);
  syclze_inflated_free(deflated);
  free((void *)(uintptr_t)container.data);
}

/* A blob without entries, which would begin behind eight bytes that no field counts. */
static void check_keeps_a_gap(syclze_compression compression) {
  uint8_t blob[64];
  syclze_bytes container = syclze_bytes_of(blob, sizeof blob), deflated, inflated;
  struct syclze__writer writer = {blob, sizeof blob, 0};
  memset(blob, 'x', sizeof blob);
  syclze__writer_put_u32(&writer, SYCLZE__CONTAINER_MAGIC);
  syclze__writer_put_u32(&writer, 3);
  syclze__writer_put_u64(&writer, sizeof blob);
  syclze__writer_put_u64(&writer, 48);
  syclze__writer_put_u64(&writer, 0);
  syclze__writer_put_u64(&writer, 0);
  CHECK_EQ(syclze_container_deflate(container, compression, &deflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_container_inflate(deflated, 0, &inflated), ZE_RESULT_SUCCESS);
  CHECK_EQ(inflated.size, container.size);
  CHECK(memcmp(inflated.data, container.data, container.size) == 0);
  syclze_inflated_free(inflated);
  syclze_inflated_free(deflated);
}

/* What the library deflates itself needs no header. */
static void need(const char *library) {
  if (syclze__library_open(library) == NULL) SKIP("the library is not installed");
}

TEST(containers_are_deflated_by_zlib) { // shows offload 10
  need(SYCLZE__ZLIB_LIBRARY);
  check_deflates(SYCLZE_COMPRESSION_ZLIB);
  check_keeps_a_gap(SYCLZE_COMPRESSION_ZLIB);
}

TEST(containers_are_deflated_by_zstd) { // shows offload 10
  need(SYCLZE__ZSTD_LIBRARY);
  check_deflates(SYCLZE_COMPRESSION_ZSTD);
  check_keeps_a_gap(SYCLZE_COMPRESSION_ZSTD);
}

TEST_MAIN(containers_are_deflated_by_zlib, containers_are_deflated_by_zstd,
    containers_in_zlib_inflate, zlib_of_another_size_is_refused, containers_in_zstd_inflate,
    zstd_of_another_size_is_refused, a_zstd_frame_may_lack_its_size, an_image_in_zstd_inflates,
    a_file_inflates_zlib, a_file_inflates_zstd, images_of_a_compressed_container_outlive_the_file,
    a_small_file_does_not_inflate_to_a_large_one, many_small_blobs_do_not_inflate_to_a_large_file,
    many_nested_containers_do_not_inflate_to_a_large_file,
    a_registered_image_in_zstd_inflates_on_use)
