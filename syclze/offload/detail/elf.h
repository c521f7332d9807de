/* Bodies of elf.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ELF_H
#define SYCLZE_OFFLOAD_DETAIL_ELF_H

#include "../elf.h"

SYCLZE_EXTERN_C_BEGIN

/* The header of a section. */
struct syclze__elf_header {
  uint32_t name, type, link, info;
  uint64_t flags, address, offset, size;
};

#if SYCLZE__BODIES

SYCLZE_INLINE struct syclze__elf_header syclze__elf_header_at(
    const syclze_elf *elf, uint64_t index) {
  const uint8_t *at = elf->sections + index * elf->section_size;
  struct syclze__elf_header header;
  header.name = syclze__load_u32(at);
  header.type = syclze__load_u32(at + 4);
  header.flags = elf->is_64_bit ? syclze__load_u64(at + 8) : syclze__load_u32(at + 8);
  header.address = elf->is_64_bit ? syclze__load_u64(at + 16) : syclze__load_u32(at + 12);
  header.offset = elf->is_64_bit ? syclze__load_u64(at + 24) : syclze__load_u32(at + 16);
  header.size = elf->is_64_bit ? syclze__load_u64(at + 32) : syclze__load_u32(at + 20);
  header.link = syclze__load_u32(at + (elf->is_64_bit ? 40 : 24));
  header.info = syclze__load_u32(at + (elf->is_64_bit ? 44 : 28));
  return header;
}

SYCLZE_INLINE syclze_bytes syclze__elf_header_bytes(
    const syclze_elf *elf, const struct syclze__elf_header *header) {
  if (header->type == 0 || header->type == SYCLZE_ELF_SECTION_NOBITS)
    return syclze_bytes_of(NULL, 0);
  return syclze_bytes_of((const uint8_t *)elf->bytes.data + header->offset, (size_t)header->size);
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
  if (elf == NULL) return syclze__fail_pointer("syclze_elf_open", "the result's pointer is null");
  memset(elf, 0, sizeof *elf);
  struct syclze__status status = syclze__elf_read(bytes, elf);
  if (status.result != ZE_RESULT_SUCCESS) memset(elf, 0, sizeof *elf);
  return syclze__finish(status, "syclze_elf_open", NULL);
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
  section->address = header.address;
  section->bytes = syclze__elf_header_bytes(elf, &header);
  return true;
}

SYCLZE_COLD bool syclze_elf_section_find(
    const syclze_elf *elf, const char *name, syclze_elf_section *section) {
  for (size_t i = 0; syclze_elf_section_at(elf, i, section); i++)
    if (strcmp(section->name, name) == 0) return true;
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
