/**
 * @file
 * The sections of an ELF file: 64 or 32 bits, little-endian, of any machine.
 *
 *     syclze_elf elf;
 *     syclze_elf_section section;
 *     if (syclze_elf_open(syclze_bytes_of(file, file_size), &elf) == ZE_RESULT_SUCCESS)
 *       for (size_t i = 0; syclze_elf_section_at(&elf, i, &section); i++)
 *         printf("%s: %zu bytes\n", section.name, section.bytes.size);
 *
 * Ownership: an opened file is a value of views into the caller's bytes; nothing is allocated.
 * Opening checks every section's header, so that later calls cannot fail. Threads: any number of
 * threads may read one opened file.
 */
#ifndef SYCLZE_OFFLOAD_ELF_H
#define SYCLZE_OFFLOAD_ELF_H

#include "device_image.h"

SYCLZE_EXTERN_C_BEGIN

/** Type of a section that has a size in memory, and no bytes. */
#define SYCLZE_ELF_SECTION_NOBITS 8u
/** Type of a section of Offload Binaries. */
#define SYCLZE_ELF_SECTION_LLVM_OFFLOADING 0x6fff4c0bu
/** Flag of a section whose bytes are compressed. */
#define SYCLZE_ELF_FLAG_COMPRESSED 0x800u

/** An opened ELF file. */
typedef struct syclze_elf {
  syclze_bytes bytes;
  uint16_t type;    /**< as in ELF: 1 an object, 2 a program, 3 a shared object */
  uint16_t machine; /**< as in ELF: 62 x86-64, 205 an Intel GPU */
  bool is_64_bit;
  size_t section_count;
  const uint8_t *sections; /**< private: the table of headers */
  size_t section_size;     /**< private: the size of a header */
  const char *names;       /**< private: the section of names */
} syclze_elf;

/** A section of an ELF file. */
typedef struct syclze_elf_section {
  const char *name; /**< never null; empty where it has none */
  uint32_t type;
  uint64_t flags;
  uint64_t address; /**< in memory; 0 where it is not loaded */
  syclze_bytes bytes;
} syclze_elf_section;

/**
 * Opens an ELF file.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive the opened file.
 * @param[out] elf  not null; zeros on failure.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `elf` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the bytes are no ELF file, or its headers do not fit
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: a big-endian file
 * @see offload design, Front-end host compilation
 */
SYCLZE_COLD ze_result_t syclze_elf_open(syclze_bytes bytes, syclze_elf *elf)
    SYCLZE_LINK_NAME(syclze_elf_open);

/**
 * A section by its index.
 *
 * @param[in] elf  opened; not null.
 * @param[in] index  from 0, as in the file's table.
 * @param[out] section  not null; empty past the last.
 * @return false past the last.
 * @see offload design, Front-end host compilation
 */
SYCLZE_COLD bool syclze_elf_section_at(const syclze_elf *elf, size_t index,
    syclze_elf_section *section) SYCLZE_LINK_NAME(syclze_elf_section_at);

/**
 * The first section with a name.
 *
 * @param[in] elf  opened; not null.
 * @param[in] name  not null.
 * @param[out] section  not null; empty if there is none.
 * @return false if there is none.
 * @see offload design, Front-end host compilation
 */
SYCLZE_COLD bool syclze_elf_section_find(const syclze_elf *elf, const char *name,
    syclze_elf_section *section) SYCLZE_LINK_NAME(syclze_elf_section_find);

SYCLZE_EXTERN_C_END

#include "detail/elf.h"

#endif
