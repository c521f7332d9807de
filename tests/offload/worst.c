/* Ten megabytes of the worst known input of each reader are read in less than a second. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/container.h"
#include "syclze/offload/property_set.h"
#include "syclze/offload/selection.h"
#include "syclze/offload/zebin.h"
#include "tests/check.h"

#include <time.h>

/* A limit of processor time. Under sanitizers and valgrind, and on a shared machine, only what
   grows with the square of the input is seen. */
#ifdef NDEBUG
enum { LIMIT_SECONDS = 1 };
#else
enum { LIMIT_SECONDS = 400 };
#endif

static uint8_t *input;
static size_t input_size;
static double begun;

/* Valgrind, which looks for what is read outside of an input, has a share of it. */
__attribute__((constructor)) static void choose_size(void) {
  input_size = (size_t)check_repeats(10 << 20);
}

static double now(void) {
  return (double)clock() / CLOCKS_PER_SEC;
}

static syclze_bytes begin(uint8_t fill) {
  input = malloc(input_size);
  CHECK(input != NULL);
  memset(input, fill, input_size);
  return syclze_bytes_of(input, input_size);
}

static void start_clock(void) {
  begun = now();
}

static void end(void) {
  double spent = now() - begun;
  free(input);
  printf("%.*s: %.0f ms\n", check_program.name_length, check_program.name, 1e3 * spent);
  CHECK(spent < LIMIT_SECONDS);
}

static void put_u32(size_t offset, uint32_t value) {
  memcpy(input + offset, &value, sizeof value);
}

static void put_u64(size_t offset, uint64_t value) {
  memcpy(input + offset, &value, sizeof value);
}

static void fill_with(const char *pattern, size_t from) {
  size_t length = strlen(pattern);
  for (size_t at = from; at < input_size; at += length)
    memcpy(input + at, pattern, length < input_size - at ? length : input_size - at);
}

static size_t read_container(syclze_bytes bytes) {
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  syclze_offload_image image;
  size_t count = 0;
  for (; syclze_container_next(&cursor, &image); count++)
    syclze_offload_image_text(&image, "no such key");
  return count;
}

static void put_header(uint32_t version, uint64_t size, uint64_t count) {
  put_u32(0, SYCLZE__CONTAINER_MAGIC);
  put_u32(4, version);
  put_u64(8, size);
  put_u64(16, 32);
  put_u64(24, count);
}

TEST(smallest_blobs) {
  syclze_bytes bytes = begin(0);
  for (size_t at = 0; at + 72 <= input_size; at += 72) {
    put_u32(at, SYCLZE__CONTAINER_MAGIC);
    put_u32(at + 4, 1);
    put_u64(at + 8, 72);
    put_u64(at + 16, 32);
    put_u64(at + 24, 40);
  }
  start_clock();
  CHECK_EQ(read_container(bytes), input_size / 72);
  end();
}

TEST(entries_with_all_strings_each) {
  syclze_bytes bytes = begin(0);
  size_t count = input_size / 2 / 40, records = 32 + 40 * count;
  put_header(2, input_size, count);
  for (size_t i = 0; i < count; i++) {
    put_u64(32 + 40 * i + 8, records);
    put_u64(32 + 40 * i + 16, (input_size - records) / 24);
  }
  start_clock();
  CHECK(read_container(bytes) < 4);
  end();
}

/* Every record's key and value are the same megabytes of text. */
TEST(strings_that_share_one_long_text) {
  for (uint32_t version = 1; version <= 2; version++) {
    syclze_bytes bytes = begin('x');
    size_t stride = version == 1 ? 16 : 24, count = input_size / 2 / stride,
           text = 72 + stride * count;
    put_header(version, input_size, version == 1 ? 40 : 1);
    memset(input + 32, 0, 40);
    put_u64(32 + 8, 72);
    put_u64(32 + 16, count);
    for (size_t i = 0; i < count; i++) {
      put_u64(72 + stride * i, text);
      put_u64(72 + stride * i + 8, text + 1);
      if (version == 2) put_u64(72 + stride * i + 16, input_size - text - 1);
    }
    input[input_size - 1] = 0;
    start_clock();
    CHECK_EQ(read_container(bytes), 0);
    end();
  }
}

/* Values of version 2 have sizes: a few may share their bytes, and all of them may not. */
TEST(values_that_share_all_bytes) {
  for (size_t few = 0; few < 2; few++) {
    syclze_bytes bytes = begin('x');
    size_t count = few ? 30 : input_size / 2 / 24, text = 72 + 24 * (input_size / 2 / 24);
    put_header(2, input_size, 1);
    memset(input + 32, 0, 40);
    put_u64(32 + 8, 72);
    put_u64(32 + 16, count);
    for (size_t i = 0; i < count; i++) {
      put_u64(72 + 24 * i, text);
      put_u64(72 + 24 * i + 8, text);
      put_u64(72 + 24 * i + 16, input_size - text);
    }
    memcpy(input + text, "key", 4);
    start_clock();
    CHECK_EQ(read_container(bytes), few);
    syclze_container container;
    CHECK_EQ(syclze_container_open(bytes, &container),
        few ? ZE_RESULT_SUCCESS : SYCLZE_RESULT_ERROR_INVALID);
    if (few) {
      CHECK(syclze_container_find(container, "key", syclze_text_of("key")) == NULL);
      const syclze_offload_image *image = syclze_container_image_at(container, 0);
      syclze_offload_string string;
      for (size_t i = 0; syclze_offload_image_string_at(image, i, &string); i++)
        CHECK_EQ(string.value.size, input_size - text);
      syclze_container_close(container);
    }
    end();
  }
}

TEST(zeros) {
  syclze_bytes bytes = begin(0);
  start_clock();
  CHECK_EQ(read_container(bytes), 0);
  end();
}

static void open_properties(syclze_bytes bytes, ze_result_t expected) {
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = bytes;
  syclze_property_sets sets;
  start_clock();
  CHECK_EQ(syclze_property_sets_open(&image, &sets), expected);
  if (sets.rep != NULL) {
    for (const syclze_property *p = NULL; (p = syclze_property_next(sets, "a", p)) != NULL;)
      CHECK_EQ(p->type, SYCLZE_PROPERTY_TYPE_UINT32);
    syclze_property_find(sets, "b", "x");
  }
  syclze_property_sets_close(sets);
  end();
}

TEST(properties_with_one_key) {
  syclze_bytes bytes = begin(0);
  fill_with("[a]\n", 0);
  fill_with("x=1|1\n", 4);
  bytes.size = 4 + (input_size - 4) / 6 * 6;
  open_properties(bytes, ZE_RESULT_SUCCESS);
}

TEST(a_heading_for_each_property) {
  syclze_bytes bytes = begin(0);
  fill_with("[a]\nx=1|1\n[b]\nx=1|1\n", 0);
  bytes.size = input_size / 20 * 20;
  open_properties(bytes, ZE_RESULT_SUCCESS);
}

TEST(a_long_heading_with_many_properties) {
  syclze_bytes bytes = begin('a');
  fill_with("]\n", input_size / 2);
  fill_with("x=1|1\n", input_size / 2 + 2);
  input[0] = '[';
  bytes.size = input_size / 2 + 2 + (input_size / 2 - 2) / 6 * 6;
  open_properties(bytes, ZE_RESULT_SUCCESS);
}

TEST(empty_lines_and_no_property) {
  open_properties(begin('\n'), ZE_RESULT_SUCCESS);
  open_properties(begin('['), SYCLZE_RESULT_ERROR_INVALID);
  open_properties(begin('|'), SYCLZE_RESULT_ERROR_INVALID);
}

static size_t read_file(syclze_bytes bytes) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  syclze_offload_image image;
  size_t count = 0;
  while (syclze_offload_file_next(&cursor, &image))
    count++;
  return count;
}

/* Sections from `table` to the end, all with one name and with the same bytes. */
static void put_sections(
    uint16_t machine, uint32_t type, uint64_t offset, uint64_t size, const char *name) {
  static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  size_t table = input_size / 2, count = (input_size - table) / 64;
  memcpy(input, magic, sizeof magic);
  memset(input + table, 0, input_size - table);
  put_u32(16, 1 | (uint32_t)machine << 16);
  put_u64(40, table);
  put_u32(58, 64);
  put_u32(62, 1);
  put_u64(table + 32, count);
  memcpy(input + 64, name, strlen(name));
  input[table - 1] = 0;
  for (size_t i = 1; i < count; i++) {
    put_u32(table + 64 * i, 0);
    put_u32(table + 64 * i + 4, type);
    put_u64(table + 64 * i + 24, i == 1 ? 64 : offset);
    put_u64(table + 64 * i + 32, i == 1 ? table - 64 : size);
  }
}

TEST(sections_with_one_long_name) {
  syclze_bytes bytes = begin('x');
  put_sections(205, 1, 64, 0, ".text.");
  start_clock();
  syclze_zebin zebin;
  CHECK_EQ(syclze_zebin_open(bytes, &zebin), ZE_RESULT_SUCCESS);
  CHECK(zebin.elf.section_count > input_size / 1024);
  syclze_zebin_kernel_cursor cursor = syclze_zebin_kernels(&zebin);
  syclze_text name;
  CHECK(!syclze_zebin_kernel_next(&cursor, &name));
  end();
}

TEST(sections_that_overlap) {
  syclze_bytes bytes = begin(0);
  put_sections(62, SYCLZE_ELF_SECTION_LLVM_OFFLOADING, 64, input_size / 4, "");
  start_clock();
  CHECK(read_file(bytes) < 10);
  end();
}

TEST(modules_of_a_header_each) {
  syclze_bytes bytes = begin(0);
  for (size_t at = 0; at + 24 <= input_size; at += 24) {
    put_u32(at, 0x07230203);
    put_u32(at + 4, 0x00010400);
  }
  start_clock();
  CHECK_EQ(read_file(bytes), input_size / 24);
  end();
}

TEST(archive_members_with_one_long_name) {
  syclze_bytes bytes = begin('x');
  char header[80];
  size_t names = input_size / 2 / 60 * 60;
  snprintf(header, sizeof header, "%-48s%-10zu`\n", "//", names);
  memcpy(input, "!<arch>\n", 8);
  memcpy(input + 8, header, 60);
  memcpy(input + 68 + names - 2, "/\n", 2);
  snprintf(header, sizeof header, "/%-47zu%-10d`\n", names - 4000, 0);
  fill_with(header, 68 + names);
  start_clock();
  syclze_archive_cursor cursor = syclze_archive_begin(bytes);
  syclze_archive_member member;
  size_t count = 0;
  for (; syclze_archive_next(&cursor, &member); count++)
    CHECK_EQ(member.name.size, 3998);
  CHECK(count > input_size / 2 / 60 - 10);
  end();
}

TEST(many_files_of_one_owner) {
  const size_t one = 128;
  syclze_offload_set set;
  const syclze_bytes bytes = begin(0);
  for (size_t at = 0; at + one <= input_size; at += one) {
    const syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of("no code", 7));
    size_t size = one;
    CHECK_EQ(syclze_container_write(1, &image, 1, input + at, &size), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_offload_set_create(&set), ZE_RESULT_SUCCESS);
  start_clock();
  for (size_t at = 0; at + one <= input_size; at += one) {
    const syclze_bytes file = syclze_bytes_of(input + at, one);
    CHECK_EQ(syclze_offload_set_add_bytes(set, file, bytes.data), ZE_RESULT_SUCCESS);
  }
  const syclze_device_traits traits = {.type = ZE_DEVICE_TYPE_GPU};
  for (int i = 0; i < 1000; i++) {
    syclze_candidate candidate;
    uint32_t count = 1;
    char why[1024];
    CHECK_EQ(syclze_selection_find(set, "unknown", &traits, &count, &candidate, why, sizeof why),
        ZE_RESULT_ERROR_INVALID_KERNEL_NAME);
  }
  CHECK_EQ(syclze_offload_set_remove(set, bytes.data), input_size / one);
  end();
  syclze_offload_set_release(set);
}

TEST_MAIN(smallest_blobs, entries_with_all_strings_each, strings_that_share_one_long_text,
    values_that_share_all_bytes, zeros, properties_with_one_key, a_heading_for_each_property,
    a_long_heading_with_many_properties, empty_lines_and_no_property, sections_with_one_long_name,
    sections_that_overlap, modules_of_a_header_each, archive_members_with_one_long_name,
    many_files_of_one_owner)
