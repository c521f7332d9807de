/* Kernels of a cubin, an ELF file whose .nv.info.NAME sections describe each. */
#include "engine/cuda/ptx/native.h"

#include <elf.h>
#include <string.h>

enum {
  CUDA_ENTRY = 0x10, /* of a symbol's st_other */
  ATTRIBUTE_HAS_SIZE = 4,
  ATTRIBUTE_GROUP_SIZE = 0x10,
  ATTRIBUTE_PARAMETER = 0x17
};

struct file {
  const unsigned char *bytes;
  size_t size;
  Elf64_Ehdr head;
  struct zecl_text *log;
};

static bool fail(const struct file *file, const char *what) {
  zecl_text_add(file->log, "malformed cubin: %s\n", what);
  return false;
}

static bool read_section(const struct file *file, unsigned index, Elf64_Shdr *section) {
  const uint64_t at = file->head.e_shoff + (uint64_t)index * sizeof *section;
  if (index >= file->head.e_shnum || at > file->size || file->size - at < sizeof *section)
    return false;
  memcpy(section, file->bytes + at, sizeof *section);
  return section->sh_type == SHT_NOBITS ||
         (section->sh_offset <= file->size && section->sh_size <= file->size - section->sh_offset);
}

/* A name in a table of strings; null if it does not end there. */
static const char *string(const struct file *file, unsigned table, uint32_t at) {
  Elf64_Shdr section;
  if (!read_section(file, table, &section) || section.sh_type == SHT_NOBITS ||
      at >= section.sh_size)
    return NULL;
  const char *text = (const char *)file->bytes + section.sh_offset + at;
  return memchr(text, 0, section.sh_size - at) ? text : NULL;
}

static bool read_attribute(
    struct zecl_ptx_kernel *kernel, int attribute, const unsigned char *at, size_t size) {
  uint16_t ordinal;
  uint32_t bits;
  if (attribute == ATTRIBUTE_GROUP_SIZE && size >= sizeof kernel->required_group_size)
    memcpy(kernel->required_group_size, at, sizeof kernel->required_group_size);
  if (attribute != ATTRIBUTE_PARAMETER) return true;
  if (size < 12) return false;
  memcpy(&ordinal, at + 4, sizeof ordinal);
  memcpy(&bits, at + 8, sizeof bits);
  return zecl_ptx_set_arg(kernel, ordinal, ZECL_ARG_VALUE, bits >> 18);
}

static bool read_info(
    const struct file *file, const Elf64_Shdr *section, struct zecl_ptx_kernel *kernel) {
  const unsigned char *at = file->bytes + section->sh_offset, *end = at + section->sh_size;
  while (end - at >= 4) {
    const int attribute = at[1];
    const size_t size = at[0] == ATTRIBUTE_HAS_SIZE ? at[2] | (size_t)at[3] << 8 : 0;
    const unsigned char *value = at + 4;
    if (size > (size_t)(end - value) ||
        (at[0] == ATTRIBUTE_HAS_SIZE && !read_attribute(kernel, attribute, value, size)))
      return fail(file, "an attribute of a kernel");
    at = value + size;
  }
  return true;
}

/* The section that describes a kernel; a kernel without one has no parameters. */
static bool find_info(const struct file *file, struct zecl_ptx_kernel *kernel) {
  static const char prefix[] = ".nv.info.";
  for (unsigned i = 0; i < file->head.e_shnum; i++) {
    Elf64_Shdr section;
    if (!read_section(file, i, &section)) return fail(file, "a section beyond its end");
    const char *name = string(file, file->head.e_shstrndx, section.sh_name);
    if (name && section.sh_type != SHT_NOBITS && strncmp(name, prefix, sizeof prefix - 1) == 0 &&
        strcmp(name + sizeof prefix - 1, kernel->name) == 0)
      return read_info(file, &section, kernel);
  }
  return true;
}

static bool read_symbols(const struct file *file, const Elf64_Shdr *table, struct zecl_ptx *ptx) {
  for (uint64_t at = 0; table->sh_size - at >= sizeof(Elf64_Sym); at += sizeof(Elf64_Sym)) {
    Elf64_Sym symbol;
    memcpy(&symbol, file->bytes + table->sh_offset + at, sizeof symbol);
    if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || !(symbol.st_other & CUDA_ENTRY)) continue;
    const char *name = string(file, table->sh_link, symbol.st_name);
    if (!name || !*name) return fail(file, "a kernel without a name");
    struct zecl_ptx_kernel *kernel = zecl_ptx_add_kernel(ptx, name, strlen(name));
    if (!kernel || !find_info(file, kernel)) return false;
  }
  return true;
}

bool zecl_ptx_read_cubin(struct zecl_ptx *ptx, struct zecl_text *log) {
  struct file file = {.bytes = (const unsigned char *)ptx->image, .size = ptx->size, .log = log};
  memcpy(&file.head, file.bytes, sizeof file.head); /* is there, as its kind shows */
  for (unsigned i = 0; i < file.head.e_shnum; i++) {
    Elf64_Shdr section;
    if (!read_section(&file, i, &section)) return fail(&file, "a section beyond its end");
    if (section.sh_type == SHT_SYMTAB && !read_symbols(&file, &section, ptx)) return false;
  }
  return true;
}
