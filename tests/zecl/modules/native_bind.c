/* Binding an import after the host's loader has left it null: the places that use it are those that
 * the object's own relocations name. */
#include "modules/native.h"

#include <dlfcn.h>
#include <link.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__x86_64__)
enum {
  RELOC_ADDRESS = R_X86_64_64,
  RELOC_DATA = R_X86_64_GLOB_DAT,
  RELOC_CALL = R_X86_64_JUMP_SLOT
};
#elif defined(__aarch64__)
enum {
  RELOC_ADDRESS = R_AARCH64_ABS64,
  RELOC_DATA = R_AARCH64_GLOB_DAT,
  RELOC_CALL = R_AARCH64_JUMP_SLOT
};
#else
enum { RELOC_ADDRESS = -1, RELOC_DATA = -2, RELOC_CALL = -3 };
#endif

struct relocations {
  const ElfW(Rela) * entries;
  size_t count;
};

struct image {
  uintptr_t base;
  const ElfW(Sym) * symbols;
  const char *strings;
  struct relocations calls, data;
};

/* Some loaders leave the dynamic section's addresses relative to the base. */
static const void *address_in(const struct link_map *map, ElfW(Addr) value) {
  return (const void *)(value < map->l_addr ? value + map->l_addr : value);
}

static struct image image_of(const struct link_map *map) {
  struct image image = {.base = map->l_addr};
  for (const ElfW(Dyn) *entry = map->l_ld; entry->d_tag != DT_NULL; entry++) {
    const ElfW(Addr) value = entry->d_un.d_ptr;
    switch (entry->d_tag) {
    case DT_SYMTAB:
      image.symbols = address_in(map, value);
      break;
    case DT_STRTAB:
      image.strings = address_in(map, value);
      break;
    case DT_JMPREL:
      image.calls.entries = address_in(map, value);
      break;
    case DT_PLTRELSZ:
      image.calls.count = value / sizeof(ElfW(Rela));
      break;
    case DT_RELA:
      image.data.entries = address_in(map, value);
      break;
    case DT_RELASZ:
      image.data.count = value / sizeof(ElfW(Rela));
      break;
    }
  }
  return image;
}

static bool write_word(uintptr_t place, uintptr_t value) {
  const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
  void *start = (void *)(place & ~(page - 1));
  if (mprotect(start, page, PROT_READ | PROT_WRITE)) return false;
  memcpy((void *)place, &value, sizeof value);
  return true;
}

static bool bind(
    const struct image *image, const struct relocations *all, const char *name, uintptr_t address) {
  for (size_t i = 0; all->entries && i < all->count; i++) {
    const ElfW(Rela) *entry = &all->entries[i];
    const ElfW(Sym) *symbol = &image->symbols[ELF64_R_SYM(entry->r_info)];
    if (!symbol->st_name || strcmp(image->strings + symbol->st_name, name) != 0) continue;
    const int type = (int)ELF64_R_TYPE(entry->r_info);
    if (type != RELOC_ADDRESS && type != RELOC_DATA && type != RELOC_CALL) return false;
    const uintptr_t value = address + (type == RELOC_ADDRESS ? (uintptr_t)entry->r_addend : 0);
    if (!write_word(image->base + entry->r_offset, value)) return false;
  }
  return true;
}

bool zecl_native_bind(
    struct zecl_native *native, struct zecl_native_import *import, void *address) {
  struct link_map *map;
  if (dlinfo(native->library, RTLD_DI_LINKMAP, &map)) return false;
  const struct image image = image_of(map);
  if (!image.symbols || !image.strings ||
      !bind(&image, &image.calls, import->name, (uintptr_t)address) ||
      !bind(&image, &image.data, import->name, (uintptr_t)address))
    return false;
  import->is_bound = true;
  return true;
}
