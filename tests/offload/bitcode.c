/* LLVM's bitstream, written bit by bit: records of each encoding, and abbreviations that are none.
 */
#include "syclze/offload/bitcode.h"
#include "support/sample.h"
#include "tests/check.h"

enum { FIXED = 1, VBR, ARRAY, CHAR6 };                         /* encodings */
enum { END_BLOCK, ENTER_BLOCK, DEFINE, UNABBREVIATED, FIRST }; /* abbreviation numbers */
enum { CONSTANTS = 11, DATA = 22, WIDTH = 3 };

static uint8_t stream[1 << 16];
static size_t end; /* in bits */

static void put(uint64_t value, int width) {
  for (int i = 0; i < width; i++, end++)
    if (value >> i & 1) stream[end / 8] |= (uint8_t)(1 << end % 8);
}

static void put_vbr(uint64_t value, int width) {
  const uint64_t high = (uint64_t)1 << (width - 1);
  for (; value >= high; value >>= width - 1)
    put((value & (high - 1)) | high, width);
  put(value, width);
}

static void align(void) {
  end = (end + 31) / 32 * 32;
}

/* The file up to the begin of a block of constants. */
static void begin(void) {
  memset(stream, 0, sizeof stream);
  end = 0;
  put(0xdec04342, 32);
  put(ENTER_BLOCK, 2);
  put_vbr(CONSTANTS, 8);
  put_vbr(WIDTH, 4);
  align();
  put(0, 32); /* the block's size, which no reader needs */
}

static void put_operand(int encoding, uint64_t width) {
  put(0, 1);
  put((uint64_t)encoding, 3);
  if (encoding == FIXED || encoding == VBR) put_vbr(width, 5);
}

/* An abbreviation of constants of data, of which `operands` more follow. */
static void put_abbreviation(uint64_t operands) {
  put(DEFINE, WIDTH);
  put_vbr(1 + operands, 5);
  put(1, 1);
  put_vbr(DATA, 8);
}

/* The container as a constant, whose elements are fixed, or in chunks of `width` bits. */
static void put_container(int number, int encoding, int width) {
  const syclze_bytes container = sample_read("pack22.ob");
  put((uint64_t)number, WIDTH);
  if (number == UNABBREVIATED) put_vbr(DATA, 6);
  put_vbr(container.size, 6);
  for (size_t i = 0; i < container.size; i++) {
    const uint8_t byte = ((const uint8_t *)container.data)[i];
    if (encoding == FIXED)
      put(byte, width);
    else
      put_vbr(byte, width);
  }
  free((void *)container.data);
}

/* Reads the file: the two images of each container, or the file itself. */
static void check_file(uint32_t containers) {
  const syclze_bytes file = syclze_bytes_of(stream, end / 8);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin_bitcode(file);
  syclze_offload_image image;
  for (uint32_t i = 0; i < 2 * containers; i++) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    CHECK_EQ(syclze_offload_format_of(image.bytes), SYCLZE_OFFLOAD_FORMAT_SPIRV);
    CHECK_EQ(image.bytes.size, i % 2 == 0 ? 2820 : 1056);
  }
  if (containers == 0) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    CHECK(image.bytes.data == file.data && image.bytes.size == file.size);
  }
  CHECK(!syclze_offload_file_next(&cursor, &image));
  CHECK_EQ(cursor.result, ZE_RESULT_SUCCESS);
  syclze_offload_file_end(&cursor);
}

/* Ends the block, and reads the file. */
static void check_containers(uint32_t containers) {
  put(END_BLOCK, WIDTH);
  align();
  check_file(containers);
}

TEST(elements_of_each_encoding_are_read) {
  begin();
  put_abbreviation(2);
  put_operand(ARRAY, 0);
  put_operand(FIXED, 8);
  put_abbreviation(2);
  put_operand(ARRAY, 0);
  put_operand(VBR, 8);
  put_container(UNABBREVIATED, VBR, 6);
  put_container(FIRST, FIXED, 8);
  put_container(FIRST + 1, VBR, 8);
  check_containers(3);
}

TEST(operands_before_the_elements_are_read) {
  begin();
  put_abbreviation(3);
  put_operand(FIXED, 1);
  put_operand(ARRAY, 0);
  put_operand(FIXED, 8);
  put(FIRST, WIDTH);
  put(1, 1);
  put_vbr(3, 6); /* elements */
  put(0x10, 8), put(0xff, 8), put(0x10, 8);
  put_container(UNABBREVIATED, VBR, 6);
  check_containers(1);
}

TEST(an_operand_of_no_bits_is_zero) {
  begin();
  put_abbreviation(3);
  put_operand(FIXED, 0);
  put_operand(ARRAY, 0);
  put_operand(FIXED, 8);
  put(FIRST, WIDTH);
  put_vbr(1, 6);
  put(0x10, 8);
  put_container(UNABBREVIATED, VBR, 6);
  check_containers(1);
}

TEST(an_array_without_a_kind_of_elements_is_malformed) {
  begin();
  put_abbreviation(1);
  put_operand(ARRAY, 0);
  put_container(UNABBREVIATED, VBR, 6);
  put(FIRST, WIDTH);
  put_vbr(0, 6); /* no elements, even so */
  put_container(UNABBREVIATED, VBR, 6);
  check_containers(1); /* before it */
}

TEST(an_abbreviation_of_too_many_operands_is_malformed) {
  begin();
  put_container(UNABBREVIATED, VBR, 6);
  put(DEFINE, WIDTH);
  put_vbr(33, 5);
  put_container(UNABBREVIATED, VBR, 6);
  check_containers(1);
}

/* Behind a container: an operand of no encoding that there is, or of more bits than a number. */
TEST(an_abbreviation_of_an_unknown_operand_is_malformed) {
  for (int i = 0; i < 3; i++) {
    begin();
    put_container(UNABBREVIATED, VBR, 6);
    put_abbreviation(1);
    if (i < 2)
      put_operand(i == 0 ? 0 : 6, 0);
    else
      put_operand(FIXED, 65);
    put_container(UNABBREVIATED, VBR, 6);
    check_containers(1);
  }
}

/* The end of a block lacks the bytes up to the next word. */
TEST(a_file_that_is_cut_short_has_the_containers_before) {
  begin();
  put_container(UNABBREVIATED, VBR, 6);
  put(END_BLOCK, WIDTH);
  end = (end + 7) / 8 * 8;
  CHECK(end % 32 != 0);
  check_file(1);
}

TEST(a_constant_that_is_cut_short_is_none) {
  begin();
  put_container(UNABBREVIATED, VBR, 6);
  put_container(UNABBREVIATED, VBR, 6);
  end -= 8 * 1000;
  check_file(1);
}

TEST_MAIN(elements_of_each_encoding_are_read, operands_before_the_elements_are_read,
    an_operand_of_no_bits_is_zero, an_array_without_a_kind_of_elements_is_malformed,
    an_abbreviation_of_too_many_operands_is_malformed,
    an_abbreviation_of_an_unknown_operand_is_malformed,
    a_file_that_is_cut_short_has_the_containers_before, a_constant_that_is_cut_short_is_none)
