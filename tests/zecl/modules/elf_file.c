#include "modules/elf_file.h"

#include <stdint.h>
#include <string.h>

static bool refuse(struct zecl_text *log, const char *why) {
  zecl_text_add(log, "not a native module: %s\n", why);
  return false;
}

static bool inside(uint64_t offset, uint64_t length, size_t size) {
  return offset <= size && length <= size - offset;
}

static bool segments_inside(const ElfW(Ehdr) * header, const unsigned char *bytes, size_t size) {
  bool has_code = false;
  for (size_t i = 0; i < header->e_phnum; i++) {
    ElfW(Phdr) segment;
    memcpy(&segment, bytes + header->e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type != PT_LOAD) continue;
    if (!inside(segment.p_offset, segment.p_filesz, size) || segment.p_memsz < segment.p_filesz)
      return false;
    has_code = true;
  }
  return has_code;
}

/* The table of a section, checked against the file; null where it is not all there. */
static void *table_of(
    unsigned char *bytes, size_t size, const ElfW(Shdr) * section, size_t entry_size) {
  if (!inside(section->sh_offset, section->sh_size, size) ||
      section->sh_offset % sizeof(void *) != 0 ||
      (section->sh_entsize != entry_size && entry_size != 1))
    return NULL;
  return bytes + section->sh_offset;
}

static bool read_sections(
    struct zecl_elf_file *file, const ElfW(Ehdr) * header, unsigned char *bytes, size_t size) {
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(const void *)(bytes + header->e_shoff);
  for (size_t i = 0; i < header->e_shnum; i++) {
    if (sections[i].sh_type == SHT_DYNAMIC) {
      file->dynamic = table_of(bytes, size, &sections[i], sizeof(ElfW(Dyn)));
      file->dynamic_count = sections[i].sh_size / sizeof(ElfW(Dyn));
    }
    if (sections[i].sh_type == SHT_DYNSYM && sections[i].sh_link < header->e_shnum) {
      const ElfW(Shdr) *strings = &sections[sections[i].sh_link];
      file->symbols = table_of(bytes, size, &sections[i], sizeof(ElfW(Sym)));
      file->symbol_count = sections[i].sh_size / sizeof(ElfW(Sym));
      if (!inside(strings->sh_offset, strings->sh_size, size)) return false;
      file->strings = (const char *)bytes + strings->sh_offset;
      file->strings_size = strings->sh_size;
    }
  }
  return file->symbols && file->dynamic;
}

bool zecl_elf_file_read(
    struct zecl_elf_file *file, unsigned char *bytes, size_t size, struct zecl_text *log) {
  *file = (struct zecl_elf_file){0};
  ElfW(Ehdr) header;
  if (size < sizeof header || memcmp(bytes, ELFMAG, SELFMAG) != 0)
    return refuse(log, "it does not begin as an ELF file");
  memcpy(&header, bytes, sizeof header);
  if (header.e_ident[EI_CLASS] != (sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32) ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN)
    return refuse(log, "it is no shared object of this host");
  if (header.e_phentsize != sizeof(ElfW(Phdr)) ||
      !inside(header.e_phoff, header.e_phnum * sizeof(ElfW(Phdr)), size) ||
      !segments_inside(&header, bytes, size))
    return refuse(log, "its segments are not all in the file");
  if (header.e_shentsize != sizeof(ElfW(Shdr)) || header.e_shoff % sizeof(void *) != 0 ||
      !inside(header.e_shoff, header.e_shnum * sizeof(ElfW(Shdr)), size) ||
      !read_sections(file, &header, bytes, size))
    return refuse(log, "its dynamic symbols cannot be found");
  return true;
}

static const char *string_at(const struct zecl_elf_file *file, uint64_t offset) {
  if (offset >= file->strings_size ||
      !memchr(file->strings + offset, 0, file->strings_size - offset))
    return "";
  return file->strings + offset;
}

const char *zecl_elf_file_name(const struct zecl_elf_file *file, const ElfW(Sym) * symbol) {
  return string_at(file, symbol->st_name);
}

const char *zecl_elf_file_needed(const struct zecl_elf_file *file, size_t index) {
  const ElfW(Dyn) *entry = &file->dynamic[index];
  return entry->d_tag == DT_NEEDED ? string_at(file, entry->d_un.d_val) : NULL;
}
