/* The symbols of a shared object's file, read with care: the bytes may be junk. */
#ifndef ZECL_MODULES_ELF_FILE_H
#define ZECL_MODULES_ELF_FILE_H

#include <link.h>
#include <stdbool.h>
#include <stddef.h>
#include "core/text.h"

struct zecl_elf_file {
  ElfW(Sym) * symbols; /* into the bytes */
  size_t symbol_count;
  const char *strings;
  size_t strings_size;
  const ElfW(Dyn) * dynamic;
  size_t dynamic_count;
};

/* False, with the reason in the log: this is no shared object that the host's loader can be given.
 */
bool zecl_elf_file_read(
    struct zecl_elf_file *file, unsigned char *bytes, size_t size, struct zecl_text *log);

/* A symbol's name; "" where it has none or it lies outside of the file. */
const char *zecl_elf_file_name(const struct zecl_elf_file *file, const ElfW(Sym) * symbol);

/* The library that entry `index` of the dynamic section needs; null where it needs none. */
const char *zecl_elf_file_needed(const struct zecl_elf_file *file, size_t index);

#endif
