/* Files that hold device images in other ways than the samples do. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/file.h"
#include "syclze/offload/detail/buffer_writer.h"
#include "support/sample.h"
#include "tests/check.h"

static uint8_t buffer[1 << 16];
static struct syclze__writer sink;

static void begin(void) {
  size_t room = sizeof buffer;
  memset(buffer, 0, sizeof buffer);
  sink = syclze__writer_of(buffer, &room);
}

static void put_sample(const char *name) {
  syclze_bytes file = sample_read(name);
  syclze__writer_put(&sink, file.data, file.size);
  free((void *)file.data);
}

/* Walks the file: formats, one letter each, in their order. */
static void check_formats(const char *formats, ze_result_t result) {
  static const char letters[] = "?SLZWACXEB"; /* in the order of syclze_offload_format */
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(buffer, sink.size));
  syclze_offload_image image;
  char found[64] = "";
  while (strlen(found) < 60 && syclze_offload_file_next(&cursor, &image)) {
    found[strlen(found) + 1] = '\0';
    found[strlen(found)] = letters[syclze_offload_format_of(image.bytes)];
  }
  CHECK_STR_EQ(found, formats);
  CHECK_EQ(cursor.result, result);
  CHECK_EQ(cursor.rule != NULL, result != ZE_RESULT_SUCCESS);
}

/* The header of a 64-bit object whose sections come after `body` bytes: the names, and then `count`
   sections of device images. */
static void put_elf_header(size_t body, uint16_t count) {
  static const uint8_t magic[16] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  syclze__writer_put(&sink, magic, sizeof magic);
  syclze__writer_put_u32(&sink, 1 | 62 << 16);
  syclze__writer_put_u32(&sink, 1);
  syclze__writer_put_zeros(&sink, 16);
  syclze__writer_put_u64(&sink, 64 + body);
  syclze__writer_put_u32(&sink, 0);
  syclze__writer_put_u32(&sink, 64);
  syclze__writer_put_u16(&sink, 0);
  syclze__writer_put_u16(&sink, 64);
  syclze__writer_put_u16(&sink, (uint16_t)(count + 2));
  syclze__writer_put_u16(&sink, 1);
}

static void put_elf_section(
    uint32_t name, uint32_t type, uint64_t flags, size_t offset, size_t size) {
  syclze__writer_put_u32(&sink, name);
  syclze__writer_put_u32(&sink, type);
  syclze__writer_put_u64(&sink, flags);
  syclze__writer_put_u64(&sink, 0);
  syclze__writer_put_u64(&sink, offset);
  syclze__writer_put_u64(&sink, size);
  syclze__writer_put_zeros(&sink, 24);
}

/* Makes the bytes written at 128 one section of that type and flags. */
static void end_elf(uint32_t name, uint32_t type, uint64_t flags) {
  syclze__writer_pad(&sink);
  size_t size = sink.size;
  sink.size = 0;
  put_elf_header(size - 64, 1);
  sink.size = size;
  memcpy(buffer + 64, "\0sycl_images\0.llvm.offloading", 30);
  put_elf_section(0, 0, 0, 0, 0);
  put_elf_section(0, 3, 0, 64, 30);
  put_elf_section(name, type, flags, 128, size - 128);
}

enum { SYCL_IMAGES = 1, LLVM_OFFLOADING = 13 };

/* Images of several compilers in a row, each padded as its linker or its writer does. */
TEST(a_section_may_hold_modules_and_containers) { // shows offload 16
  begin();
  sink.size = 128;
  put_sample("two.llvmspirv15.spv");
  syclze__writer_pad(&sink);
  put_sample("pack22.ob");
  syclze__writer_put_zeros(&sink, 24);
  put_sample("dbl.clang22.spv");
  syclze__writer_pad(&sink);
  put_sample("sg.clang22.spv");
  syclze__writer_pad(&sink);
  put_sample("pack23.ob");
  end_elf(SYCL_IMAGES, 1, 2);
  check_formats("SSSSSSS", ZE_RESULT_SUCCESS);
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(buffer, sink.size));
  syclze_offload_image image;
  static const size_t sizes[] = {2820, 2820, 1056, 852, 824, 2820, 1056};
  for (size_t i = 0; i < 7; i++) {
    CHECK(syclze_offload_file_next(&cursor, &image));
    CHECK_EQ(image.bytes.size, sizes[i]);
    CHECK_STR_EQ(cursor.place, "sycl_images");
  }
}

TEST(modules_may_follow_each_other_without_padding) {
  begin();
  put_sample("two.llvmspirv15.spv");
  sink.size += 4;
  put_sample("dbl.clang22.spv");
  put_sample("sg.clang22.spv");
  check_formats("SSS", ZE_RESULT_SUCCESS);
}

TEST(sections_are_found_by_type_or_by_name) { // shows offload 12
  static const struct {
    uint32_t name, type;
    const char *formats;
  } sections[] = {{0, SYCLZE_ELF_SECTION_LLVM_OFFLOADING, "LL"}, {LLVM_OFFLOADING, 1, "LL"},
      {SYCL_IMAGES, 1, "LL"}, {0, 1, ""}, {SYCL_IMAGES, SYCLZE_ELF_SECTION_NOBITS, ""}};
  for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
    begin();
    sink.size = 128;
    for (int copies = 0; copies < 2; copies++) {
      syclze_bytes object = sample_read("fsycl22.o");
      syclze__writer_put(&sink, (const uint8_t *)object.data + 0xb0, 0xb28);
      free((void *)object.data);
    }
    end_elf(sections[i].name, sections[i].type, 0);
    check_formats(sections[i].formats, ZE_RESULT_SUCCESS);
  }
}

TEST(a_section_of_anything_else_is_one_image) {
  begin();
  sink.size = 128;
  put_sample("two.ocloc.dg2.zebin");
  end_elf(SYCL_IMAGES, 1, 0);
  check_formats("Z", ZE_RESULT_SUCCESS);
}

TEST(compressed_and_damaged_sections_are_refused) {
  begin();
  sink.size = 128;
  put_sample("pack22.ob");
  end_elf(LLVM_OFFLOADING, 1, SYCLZE_ELF_FLAG_COMPRESSED);
  check_formats("", SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED);
  begin();
  sink.size = 128;
  put_sample("pack22.ob");
  buffer[128 + 16]++;
  buffer[128 + 24] = 1;
  end_elf(LLVM_OFFLOADING, 1, 0);
  check_formats("", SYCLZE_RESULT_ERROR_INVALID);
}

TEST(sections_that_overlap_are_refused) {
  begin();
  sink.size = 128;
  put_sample("dbl.clang22.spv");
  size_t end = sink.size;
  sink.size = 0;
  put_elf_header(end - 64, 6);
  sink.size = end;
  for (int i = 0; i < 8; i++)
    put_elf_section(0, i < 2 ? 0 : SYCLZE_ELF_SECTION_LLVM_OFFLOADING, 0, 128, end - 128);
  check_formats("S", SYCLZE_RESULT_ERROR_INVALID);
}

static void put_member(const char *name, const char *sample) {
  char header[61];
  syclze_bytes file = sample_read(sample);
  snprintf(header, sizeof header, "%-48s%-10zu`\n", name, file.size);
  syclze__writer_put(&sink, header, 60);
  syclze__writer_put(&sink, file.data, file.size);
  if (file.size % 2 != 0) syclze__writer_put(&sink, "\n", 1);
  free((void *)file.data);
}

TEST(a_static_library_holds_the_images_of_its_objects) { // shows offload 15
  begin();
  syclze__writer_put(&sink, "!<arch>\n", 8);
  put_member("object.o/", "host_clang22.o");
  put_member("object.o/", "two.cl");
  put_member("64.obj/", "host_clang22.obj");
  put_member("64.o/", "fsycl22.o");
  check_formats("SSSSL", ZE_RESULT_SUCCESS);
  sink.size--;
  check_formats("SSSS", SYCLZE_RESULT_ERROR_INVALID);
}

TEST(an_archive_of_native_code_is_one_image) {
  begin();
  syclze__writer_put(&sink, "!<arch>\n", 8);
  put_member("64.dg2/", "two.ocloc.dg2.zebin");
  check_formats("A", ZE_RESULT_SUCCESS);
}

TEST(damaged_coff_is_refused) {
  static const struct {
    size_t offset;
    uint8_t value;
    ze_result_t result;
  } damages[] = {{2, 0xff, SYCLZE_RESULT_ERROR_INVALID}, {11, 0x7f, SYCLZE_RESULT_ERROR_INVALID},
      {15, 0x7f, SYCLZE_RESULT_ERROR_INVALID}, {16, 0xff, SYCLZE_RESULT_ERROR_INVALID},
      {0x8c + 19, 0xff, SYCLZE_RESULT_ERROR_INVALID},
      {0x8c + 23, 0xff, SYCLZE_RESULT_ERROR_INVALID}, {0, 0, SYCLZE_RESULT_ERROR_INVALID}};
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    begin();
    put_sample("host_clang22.obj");
    buffer[damages[i].offset] = damages[i].value;
    syclze_coff coff;
    CHECK_EQ(syclze_coff_open(syclze_bytes_of(buffer, sink.size), &coff), damages[i].result);
    CHECK_EQ(coff.section_count, 0);
    CHECK(coff.sections == NULL);
  }
  begin();
  CHECK_EQ(
      syclze_coff_open(syclze_bytes_of(buffer, 0), NULL), ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

/* A PE program is an object with a header before it, whose names are cut off and whose sections end
   where they end in memory. */
TEST(a_program_for_windows_is_read) { // shows offload 14
  begin();
  put_sample("two.llvmspirv15.spv");
  size_t size = sink.size, at = 0x400;
  memmove(buffer + at, buffer, size);
  memset(buffer, 0, at);
  memcpy(buffer, "MZ", 2);
  buffer[60] = 0x80;
  sink.size = 0x80;
  syclze__writer_put(&sink, "PE\0", 4);
  syclze__writer_put_u32(&sink, 0x8664 | 1 << 16);
  syclze__writer_put_zeros(&sink, 12);
  syclze__writer_put_u32(&sink, 0);
  syclze__writer_put(&sink, ".llvm.of", 8);
  syclze__writer_put_u32(&sink, (uint32_t)size);
  syclze__writer_put_u32(&sink, 0x1000);
  syclze__writer_put_u32(&sink, (uint32_t)size + 100);
  syclze__writer_put_u32(&sink, (uint32_t)at);
  sink.size = at + size + 100;
  check_formats("S", ZE_RESULT_SUCCESS);
  syclze_coff coff;
  syclze_coff_section section;
  CHECK_EQ(syclze_coff_open(syclze_bytes_of(buffer, sink.size), &coff), ZE_RESULT_SUCCESS);
  CHECK(syclze_coff_section_at(&coff, 0, &section));
  CHECK(syclze_text_is(section.name, ".llvm.of"));
  CHECK_EQ(section.bytes.size, size);
  CHECK(!syclze_coff_section_at(&coff, 1, &section));
  memcpy(buffer + 0x80, "NE", 2);
  check_formats("", SYCLZE_RESULT_ERROR_INVALID);
}

TEST_MAIN(a_section_may_hold_modules_and_containers, modules_may_follow_each_other_without_padding,
    sections_are_found_by_type_or_by_name, a_section_of_anything_else_is_one_image,
    compressed_and_damaged_sections_are_refused, sections_that_overlap_are_refused,
    a_static_library_holds_the_images_of_its_objects, an_archive_of_native_code_is_one_image,
    damaged_coff_is_refused, a_program_for_windows_is_read)
