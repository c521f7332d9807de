/**
 * @file
 * The sections of a COFF object or of a PE program, as compilers for Windows make them.
 *
 *     syclze_coff coff;
 *     syclze_coff_section section;
 *     if (syclze_coff_open(syclze_bytes_of(file, file_size), &coff) == ZE_RESULT_SUCCESS)
 *       for (size_t i = 0; syclze_coff_section_at(&coff, i, &section); i++)
 *         printf("%.*s\n", (int)section.name.size, section.name.data);
 *
 * Ownership: an opened file is a value of views into the caller's bytes; nothing is allocated.
 * Opening checks every section's header. Threads: any number of threads may read one opened file.
 * An object has no magic number but its machine: x86-64 and Arm64 are recognised.
 */
#ifndef SYCLZE_OFFLOAD_COFF_H
#define SYCLZE_OFFLOAD_COFF_H

#include "device_image.h"

SYCLZE_EXTERN_C_BEGIN

/** An opened COFF or PE file. */
typedef struct syclze_coff {
  syclze_bytes bytes;
  uint16_t machine; /**< as in COFF: 0x8664 x86-64, 0xaa64 Arm64 */
  size_t section_count;
  const uint8_t *sections; /**< private: the table of headers */
  syclze_text names;       /**< private: the table of long names */
} syclze_coff;

/** A section of a COFF or PE file. */
typedef struct syclze_coff_section {
  syclze_text name; /**< in a program cut off after 8 bytes */
  syclze_bytes bytes;
} syclze_coff_section;

/**
 * Opens a COFF or PE file.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive the opened file.
 * @param[out] coff  not null; zeros on failure.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `coff` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the bytes are neither, or the headers do not fit
 * @see offload design, Front-end host compilation
 */
SYCLZE_COLD ze_result_t syclze_coff_open(syclze_bytes bytes, syclze_coff *coff)
    SYCLZE_LINK_NAME(syclze_coff_open);

/**
 * A section by its index.
 *
 * @param[in] coff  opened; not null.
 * @param[in] index  from 0, as in the file's table.
 * @param[out] section  not null; zeros past the last.
 * @return false past the last.
 * @see offload design, Front-end host compilation
 */
SYCLZE_COLD bool syclze_coff_section_at(const syclze_coff *coff, size_t index,
    syclze_coff_section *section) SYCLZE_LINK_NAME(syclze_coff_section_at);

SYCLZE_EXTERN_C_END

#include "detail/coff.h"

#endif
