/* ELF files: the sections of real ones, those that a test lays out by hand, and damaged ones. */
#include "syclze/offload/elf.h"
#include "support/sample.h"
#include "tests/check.h"

static size_t sections_of_type(const syclze_elf *elf, uint32_t type, size_t *bytes) {
  syclze_elf_section section;
  size_t count = 0;
  *bytes = 0;
  for (size_t i = 0; syclze_elf_section_at(elf, i, &section); i++) {
    if (section.type != type) continue;
    count++;
    *bytes += section.bytes.size;
  }
  return count;
}

TEST(sections_of_real_files_are_found_by_type_and_by_name) {
  static const struct {
    const char *name;
    uint16_t type, machine;
    size_t sections, bytes;
  } samples[] = {{"fsycl22.o", 1, 62, 1, 0xb28}, {"fsycl22.exe", 3, 62, 1, 0x448},
      {"host_clang22.o", 1, 62, 1, 4200}, {"two.ocloc.dg2.zebin", 1, 205, 0, 0}};
  for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
    syclze_bytes file = sample_read(samples[i].name);
    syclze_elf elf;
    size_t bytes;
    CHECK_EQ(syclze_elf_open(file, &elf), ZE_RESULT_SUCCESS);
    CHECK_EQ(elf.type, samples[i].type);
    CHECK_EQ(elf.machine, samples[i].machine);
    CHECK(elf.is_64_bit);
    CHECK_EQ(
        sections_of_type(&elf, SYCLZE_ELF_SECTION_LLVM_OFFLOADING, &bytes), samples[i].sections);
    CHECK_EQ(bytes, samples[i].bytes);
    syclze_elf_section section;
    CHECK_EQ(syclze_elf_section_find(&elf, ".llvm.offloading", &section), samples[i].sections);
    CHECK_EQ(section.bytes.size, bytes);
    CHECK(!syclze_elf_section_find(&elf, ".no_such_section", &section));
    free((void *)file.data);
  }
}

/* A 32-bit file: the header, ".names" and ".bss", the names, and the table of three sections. */
struct file32 {
  uint8_t header[52];
  char names[16];
  uint32_t sections[3][10];
};

static struct file32 make_32_bit_file(void) {
  struct file32 file = {.names = "\0.names\0.bss"};
  static const uint8_t magic[7] = {0x7f, 'E', 'L', 'F', 1, 1, 1};
  memcpy(file.header, magic, sizeof magic);
  file.header[16] = 1;
  file.header[18] = 3;
  file.header[32] = offsetof(struct file32, sections);
  file.header[46] = 40;
  file.header[48] = 3;
  file.header[50] = 1;
  file.sections[1][0] = 1;
  file.sections[1][1] = 3;
  file.sections[1][4] = offsetof(struct file32, names);
  file.sections[1][5] = sizeof file.names;
  file.sections[2][0] = 8;
  file.sections[2][1] = SYCLZE_ELF_SECTION_NOBITS;
  file.sections[2][4] = 0xfffffff0u;
  file.sections[2][5] = 0xfffffff0u;
  return file;
}

static ze_result_t open_32_bit(const struct file32 *file, syclze_elf *elf) {
  return syclze_elf_open(syclze_bytes_of(file, sizeof *file), elf);
}

TEST(a_32_bit_file_is_read) {
  struct file32 file = make_32_bit_file();
  syclze_elf elf;
  syclze_elf_section section;
  CHECK_EQ(open_32_bit(&file, &elf), ZE_RESULT_SUCCESS);
  CHECK(!elf.is_64_bit);
  CHECK_EQ(elf.machine, 3);
  CHECK_EQ(elf.section_count, 3);
  CHECK(syclze_elf_section_find(&elf, ".names", &section));
  CHECK(section.bytes.data == file.names);
  CHECK_EQ(section.bytes.size, 16);
  CHECK(syclze_elf_section_find(&elf, ".bss", &section));
  CHECK_EQ(section.bytes.size, 0);
  CHECK(!syclze_elf_section_at(&elf, 3, &section));
  CHECK_STR_EQ(section.name, "");
}

TEST(counts_too_large_for_the_header_stand_in_the_first_section) {
  struct file32 file = make_32_bit_file();
  syclze_elf elf;
  syclze_elf_section section;
  file.header[48] = 0;
  file.header[50] = file.header[51] = 0xff;
  file.sections[0][5] = 3;
  file.sections[0][6] = 1;
  CHECK_EQ(open_32_bit(&file, &elf), ZE_RESULT_SUCCESS);
  CHECK_EQ(elf.section_count, 3);
  CHECK(syclze_elf_section_find(&elf, ".bss", &section));
}

TEST(a_file_without_sections_has_none) {
  struct file32 file = make_32_bit_file();
  syclze_elf elf;
  syclze_elf_section section;
  file.header[32] = 0;
  CHECK_EQ(open_32_bit(&file, &elf), ZE_RESULT_SUCCESS);
  CHECK(!syclze_elf_section_at(&elf, 0, &section));
}

TEST(damaged_files_are_refused) {
  const struct file32 good = make_32_bit_file();
  static const struct {
    size_t offset;
    uint32_t value;
    ze_result_t result;
  } damages[] = {{0, 0, SYCLZE_RESULT_ERROR_INVALID}, {4, 0x00010103, SYCLZE_RESULT_ERROR_INVALID},
      {4, 0x00010200 | 1, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED},
      {32, 0xffffffff, SYCLZE_RESULT_ERROR_INVALID},
      {46, 39 | 3 << 16, SYCLZE_RESULT_ERROR_INVALID},
      {48, 4 | 1 << 16, SYCLZE_RESULT_ERROR_INVALID},
      {offsetof(struct file32, sections[1][4]), 0xfffffff8, SYCLZE_RESULT_ERROR_INVALID},
      {offsetof(struct file32, sections[1][5]), 0xfffffff8, SYCLZE_RESULT_ERROR_INVALID},
      {offsetof(struct file32, sections[2][0]), 16, SYCLZE_RESULT_ERROR_INVALID},
      {offsetof(struct file32, sections[2][1]), 1, SYCLZE_RESULT_ERROR_INVALID}};
  for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
    struct file32 file = good;
    syclze_elf elf;
    memcpy((uint8_t *)&file + damages[i].offset, &damages[i].value, 4);
    CHECK_EQ(open_32_bit(&file, &elf), damages[i].result);
    CHECK_EQ(elf.section_count, 0);
  }
  syclze_elf elf;
  CHECK_EQ(syclze_elf_open(syclze_bytes_of(&good, 51), &elf), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_elf_open(syclze_bytes_of(NULL, 0), &elf), SYCLZE_RESULT_ERROR_INVALID);
  CHECK_EQ(syclze_elf_open(syclze_bytes_of(&good, sizeof good), NULL),
      ZE_RESULT_ERROR_INVALID_NULL_POINTER);
}

TEST_MAIN(sections_of_real_files_are_found_by_type_and_by_name, a_32_bit_file_is_read,
    counts_too_large_for_the_header_stand_in_the_first_section, a_file_without_sections_has_none,
    damaged_files_are_refused)
