/* The pointers that an ELF file's relocations store. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ELF_POINTERS_H
#define SYCLZE_OFFLOAD_DETAIL_ELF_POINTERS_H

#include "../elf.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__ELF_TYPE_OBJECT = 1,
  SYCLZE__ELF_TYPE_SHARED = 3,
  SYCLZE__ELF_SECTION_PROGBITS = 1,
  SYCLZE__ELF_SECTION_RELA = 4,
  SYCLZE__ELF_SECTION_RELR = 19,
  SYCLZE__ELF_FLAG_EXECUTE = 4,
  SYCLZE__ELF_FLAG_ALLOC = 2,
  SYCLZE__ELF_RELOCATION_SIZE = 24,
  SYCLZE__ELF_SYMBOL_SIZE = 24
};

/* A pointer that a relocation stores, in the layout of a relocation. */
struct syclze__elf_pointer {
  uint8_t address[8], info[8], value[8];
};

#if SYCLZE__BODIES

SYCLZE_LOCAL int syclze__elf_compare_pointers(const void *a, const void *b) {
  const struct syclze__elf_pointer *one = (const struct syclze__elf_pointer *)a;
  const struct syclze__elf_pointer *other = (const struct syclze__elf_pointer *)b;
  uint64_t left = syclze__load_u64(one->address), right = syclze__load_u64(other->address);
  if (left != right) return left < right ? -1 : 1;
  left = syclze__load_u64(one->value);
  right = syclze__load_u64(other->value);
  return left < right ? -1 : left > right;
}

SYCLZE_INLINE void syclze__elf_store_u64(uint8_t to[8], uint64_t value) {
  for (int i = 0; i < 8; i++)
    to[i] = (uint8_t)(value >> 8 * i);
}

/* Finds the address of a symbol that an object defines; false for other symbols. */
SYCLZE_LOCAL bool syclze__elf_symbol_address(
    const syclze_elf *elf, uint32_t table, uint32_t index, uint64_t *address) {
  if (table >= elf->section_count) return false;
  struct syclze__elf_header symbols = syclze__elf_header_at(elf, table);
  syclze_bytes bytes = syclze__elf_header_bytes(elf, &symbols);
  if (index >= bytes.size / SYCLZE__ELF_SYMBOL_SIZE) return false;
  const uint8_t *symbol = (const uint8_t *)bytes.data + (size_t)index * SYCLZE__ELF_SYMBOL_SIZE;
  uint16_t section = syclze__load_u16(symbol + 6);
  if (section == 0 || section >= elf->section_count) return false;
  *address = syclze__load_u64(symbol + 8) + syclze__elf_header_at(elf, section).offset;
  return true;
}

/* Finds the pointer that an object's relocation stores, which adds a symbol's address; false for
 * relocations of other kinds. */
SYCLZE_INLINE bool syclze__elf_relocation(const syclze_elf *elf,
    const struct syclze__elf_header *header, const struct syclze__elf_pointer *relocation,
    struct syclze__elf_pointer *pointer) {
  const uint64_t info = syclze__load_u64(relocation->info);
  uint64_t symbol;
  if ((uint32_t)info != (elf->machine == 62 ? 1u : 257u) || header->info >= elf->section_count ||
      !syclze__elf_symbol_address(elf, header->link, (uint32_t)(info >> 32), &symbol))
    return false;
  syclze__elf_store_u64(pointer->address,
      syclze__load_u64(relocation->address) + syclze__elf_header_at(elf, header->info).offset);
  syclze__elf_store_u64(pointer->value, syclze__load_u64(relocation->value) + symbol);
  return true;
}

/* The type of a linked file's relocation that adds the load address. */
SYCLZE_INLINE uint64_t syclze__elf_relative(const syclze_elf *elf) {
  return elf->machine == 62 ? 8 : 1027;
}

/* A section's relocations. */
SYCLZE_INLINE const struct syclze__elf_pointer *syclze__elf_relocations(
    const syclze_elf *elf, const struct syclze__elf_header *header, size_t *count) {
  const syclze_bytes bytes = syclze__elf_header_bytes(elf, header);
  *count = bytes.size / SYCLZE__ELF_RELOCATION_SIZE;
  return (const struct syclze__elf_pointer *)bytes.data;
}

#endif

SYCLZE_EXTERN_C_END

#endif
