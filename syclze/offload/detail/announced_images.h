/* Announcements of device images in an ELF file, beside the images themselves. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_ANNOUNCED_IMAGES_H
#define SYCLZE_OFFLOAD_DETAIL_ANNOUNCED_IMAGES_H

#include "elf_pointers.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum {
  SYCLZE__ELF_SECTION_SYMBOLS = 2,
  SYCLZE__ELF_SECTION_DYNAMIC_SYMBOLS = 11,
  SYCLZE__ANNOUNCED_SLOT = 16 /* begin and size of an image in .tgtimg */
};

/* The number of images in DPC++'s table of them; 0 without a table. */
SYCLZE_LOCAL uint64_t syclze__announced_images(const syclze_elf *elf) {
  syclze_elf_section section;
  uint64_t count = 0;
  for (size_t i = 0; syclze_elf_section_at(elf, i, &section); i++)
    if (strcmp(section.name, ".tgtimg") == 0) count += section.bytes.size / SYCLZE__ANNOUNCED_SLOT;
  return count;
}

/* True if a symbol names a function of the SYCL runtime that registers images. */
SYCLZE_INLINE bool syclze__is_registration(syclze_bytes names, const uint8_t *symbol) {
  static const char function[] = "__sycl_register_lib";
  uint32_t name = syclze__load_u32(symbol);
  return syclze__load_u16(symbol + 6) == 0 && name != 0 &&
         syclze__within(names.size, name, sizeof function) &&
         memcmp((const char *)names.data + name, function, sizeof function) == 0;
}

/* True if a 64-bit file calls the SYCL runtime to register images. */
SYCLZE_LOCAL bool syclze__registers_images(const syclze_elf *elf) {
  for (size_t i = 0; i < elf->section_count; i++) {
    struct syclze__elf_header header = syclze__elf_header_at(elf, i);
    if (header.type != SYCLZE__ELF_SECTION_SYMBOLS &&
        header.type != SYCLZE__ELF_SECTION_DYNAMIC_SYMBOLS)
      continue;
    if (!elf->is_64_bit || header.link >= elf->section_count) continue;
    struct syclze__elf_header link = syclze__elf_header_at(elf, header.link);
    syclze_bytes names = syclze__elf_header_bytes(elf, &link);
    syclze_bytes symbols = syclze__elf_header_bytes(elf, &header);
    const uint8_t *symbol = (const uint8_t *)symbols.data;
    for (size_t left = symbols.size / SYCLZE__ELF_SYMBOL_SIZE; left != 0; left--) {
      if (syclze__is_registration(names, symbol)) return true;
      symbol += SYCLZE__ELF_SYMBOL_SIZE;
    }
  }
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
