/* The sections of an ELF file: 64 or 32 bits, little-endian, of any machine.
 *
 *     syclze_elf elf;
 *     syclze_elf_section section;
 *     if (syclze_elf_open(syclze_bytes_of(file, file_size), &elf) == ZE_RESULT_SUCCESS)
 *       for (size_t i = 0; syclze_elf_section_at(&elf, i, &section); i++)
 *         printf("%s: %zu bytes\n", section.name, section.bytes.size);
 *
 * An opened file is a value of views into the caller's bytes; nothing is allocated. Opening checks
 * every section's header, so that what follows cannot fail; any number of threads may read. A file
 * that is not ELF or whose headers do not fit is refused with SYCLZE_RESULT_ERROR_INVALID, and a
 * big-endian one with SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED. */
#ifndef SYCLZE_OFFLOAD_ELF_H
#define SYCLZE_OFFLOAD_ELF_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

#define SYCLZE_ELF_SECTION_NOBITS 8u                   /* has a size in memory, and no bytes */
#define SYCLZE_ELF_SECTION_LLVM_OFFLOADING 0x6fff4c0bu /* holds Offload Binaries */
#define SYCLZE_ELF_FLAG_COMPRESSED 0x800u

typedef struct syclze_elf {
  syclze_bytes bytes;
  uint16_t type;    /* as in ELF: 1 an object, 2 a program, 3 a shared object */
  uint16_t machine; /* as in ELF: 62 x86-64, 205 an Intel GPU */
  bool is_64_bit;
  size_t section_count;
  const uint8_t *sections; /* private: the headers' table, and the size of a header */
  size_t section_size;
  const char *names; /* private: the section of names */
} syclze_elf;

typedef struct syclze_elf_section {
  const char *name; /* never null; empty where it has none */
  uint32_t type;
  uint64_t flags;
  syclze_bytes bytes;
} syclze_elf_section;

/* Errors: ZE_RESULT_ERROR_INVALID_NULL_POINTER for no result, and as said above. */
SYCLZE_COLD ze_result_t syclze_elf_open(syclze_bytes bytes, syclze_elf *elf)
    SYCLZE_LINK_NAME(syclze_elf_open);

/* The section with this number. False past the last. */
SYCLZE_COLD bool syclze_elf_section_at(const syclze_elf *elf, size_t index,
    syclze_elf_section *section) SYCLZE_LINK_NAME(syclze_elf_section_at);

/* The first section with this name. False where there is none. */
SYCLZE_COLD bool syclze_elf_section_find(const syclze_elf *elf, const char *name,
    syclze_elf_section *section) SYCLZE_LINK_NAME(syclze_elf_section_find);

/* What a section's header says. */
struct syclze__elf_header {
  uint32_t name, type, link;
  uint64_t flags, offset, size;
};

SYCLZE_INLINE struct syclze__elf_header syclze__elf_header_at(
    const syclze_elf *elf, uint64_t index) {
  const uint8_t *at = elf->sections + index * elf->section_size;
  struct syclze__elf_header header;
  header.name = syclze__load_u32(at);
  header.type = syclze__load_u32(at + 4);
  header.flags = elf->is_64_bit ? syclze__load_u64(at + 8) : syclze__load_u32(at + 8);
  header.offset = elf->is_64_bit ? syclze__load_u64(at + 24) : syclze__load_u32(at + 16);
  header.size = elf->is_64_bit ? syclze__load_u64(at + 32) : syclze__load_u32(at + 20);
  header.link = syclze__load_u32(at + (elf->is_64_bit ? 40 : 24));
  return header;
}

SYCLZE_LOCAL struct syclze__status syclze__elf_read(syclze_bytes bytes, syclze_elf *elf) {
  static const char magic[4] = {0x7f, 'E', 'L', 'F'};
  const uint8_t *file = (const uint8_t *)bytes.data;
  elf->bytes = bytes;
  elf->names = "";
  if (bytes.size < 52 || memcmp(file, magic, sizeof magic) != 0)
    return syclze__invalid("ELF: the file does not begin with ELF's header");
  if (file[5] != 1) return syclze__unsupported("ELF: the file is not little-endian");
  elf->is_64_bit = file[4] == 2;
  if (file[4] != 1 && (file[4] != 2 || bytes.size < 64))
    return syclze__invalid("ELF: the class is unknown, or the file ends within its header");
  elf->type = syclze__load_u16(file + 16);
  elf->machine = syclze__load_u16(file + 18);
  uint64_t table = elf->is_64_bit ? syclze__load_u64(file + 40) : syclze__load_u32(file + 32);
  const uint8_t *counts = file + (elf->is_64_bit ? 58 : 46);
  size_t size = elf->is_64_bit ? 64 : 40;
  uint64_t count = syclze__load_u16(counts + 2), names_index = syclze__load_u16(counts + 4);
  if (table == 0) return syclze__allowed();
  elf->section_size = syclze__load_u16(counts);
  if (elf->section_size < size || !syclze__within(bytes.size, table, elf->section_size))
    return syclze__invalid("ELF: the table of sections does not fit");
  elf->sections = file + table;
  struct syclze__elf_header first = syclze__elf_header_at(elf, 0);
  if (count == 0) count = first.size;
  if (names_index == 0xffff) names_index = first.link;
  if (count > (bytes.size - table) / elf->section_size)
    return syclze__invalid("ELF: the table of sections does not fit");

  uint64_t named = 0; /* a name begins below this offset in the section of names */
  if (names_index != 0 && names_index < count) {
    struct syclze__elf_header names = syclze__elf_header_at(elf, names_index);
    if (names.type == SYCLZE_ELF_SECTION_NOBITS ||
        !syclze__within(bytes.size, names.offset, names.size))
      return syclze__invalid("ELF: the sections' names do not fit");
    elf->names = (const char *)file + names.offset;
    for (named = names.size; named > 0; named--)
      if (elf->names[named - 1] == '\0') break;
    if (named == 0) elf->names = "";
  }
  for (uint64_t i = 0; i < count; i++) {
    struct syclze__elf_header header = syclze__elf_header_at(elf, i);
    if (header.name != 0 && header.name >= named)
      return syclze__invalid("ELF: a section's name is not among the names");
    if (header.type != 0 && header.type != SYCLZE_ELF_SECTION_NOBITS &&
        !syclze__within(bytes.size, header.offset, header.size))
      return syclze__invalid("ELF: a section ends past the file");
  }
  elf->section_count = (size_t)count;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_elf_open(syclze_bytes bytes, syclze_elf *elf) {
  static const char *const function = "syclze_elf_open";
  if (elf == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  memset(elf, 0, sizeof *elf);
  struct syclze__status status = syclze__elf_read(bytes, elf);
  if (status.result == ZE_RESULT_SUCCESS) return ZE_RESULT_SUCCESS;
  memset(elf, 0, sizeof *elf);
  return syclze__fail(status.result, function, status.rule, NULL);
}

SYCLZE_COLD bool syclze_elf_section_at(
    const syclze_elf *elf, size_t index, syclze_elf_section *section) {
  memset(section, 0, sizeof *section);
  section->name = "";
  if (index >= elf->section_count) return false;
  struct syclze__elf_header header = syclze__elf_header_at(elf, index);
  section->name = elf->names + header.name;
  section->type = header.type;
  section->flags = header.flags;
  if (header.type != 0 && header.type != SYCLZE_ELF_SECTION_NOBITS)
    section->bytes =
        syclze_bytes_of((const uint8_t *)elf->bytes.data + header.offset, (size_t)header.size);
  return true;
}

SYCLZE_COLD bool syclze_elf_section_find(
    const syclze_elf *elf, const char *name, syclze_elf_section *section) {
  for (size_t i = 0; syclze_elf_section_at(elf, i, section); i++)
    if (strcmp(section->name, name) == 0) return true;
  return false;
}

SYCLZE_EXTERN_C_END

#endif
