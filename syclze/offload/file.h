/**
 * @file
 * Every device image in a file, whatever the file is.
 *
 *     syclze_bytes bytes = syclze_bytes_of(file, file_size);
 *     syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
 *     syclze_offload_image image;
 *     while (syclze_offload_file_next(&cursor, &image))
 *       printf("%s in %s\n", syclze_offload_format_string(syclze_offload_format_of(image.bytes)),
 *           cursor.place);
 *     if (cursor.result != ZE_RESULT_SUCCESS) puts(cursor.rule);
 *
 * - An Offload Binary: its images.
 * - A host's object, program or shared object: those in sections of the type of `.llvm.offloading`,
 *   or with that name or the name `sycl_images`: Offload Binaries in a row, SPIR-V modules as clang
 *   22 leaves them in a program, or one image of any other kind. In COFF it is the name alone.
 * - A host's static library: those of its objects.
 * - SPIR-V, LLVM IR, native code, ocloc's archive: one image.
 *
 * Ownership: images are views into the caller's bytes; nothing is allocated. Threads: a cursor is
 * used by one thread at a time. Unrecognised bytes are SYCLZE_RESULT_ERROR_INVALID, compressed
 * sections SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED.
 */
#ifndef SYCLZE_OFFLOAD_FILE_H
#define SYCLZE_OFFLOAD_FILE_H

#include "archive.h"
#include "coff.h"
#include "container.h"
#include "elf.h"

SYCLZE_EXTERN_C_BEGIN

/** A position in a file. */
typedef struct syclze_offload_file_cursor {
  syclze_bytes bytes;            /**< the file */
  ze_result_t result;            /**< why the iteration ended; success at the end of the file */
  const char *rule;              /**< the rule that the file breaks; null on success */
  const char *place;             /**< where the last image was found: a section's name, or "file" */
  bool begun;                    /**< private */
  bool in_archive;               /**< private */
  syclze_archive_cursor archive; /**< private */
  syclze_elf elf;                /**< private: the current object; the other is empty */
  syclze_coff coff;              /**< private */
  size_t next_section;           /**< private */
  size_t section_bytes;          /**< private: of all sections that were read */
  syclze_bytes pieces;           /**< private: the current section or container */
  size_t next_piece;             /**< private */
  syclze_container_cursor container; /**< private: the current piece */
} syclze_offload_file_cursor;

/**
 * A cursor before the first image.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive cursor and images.
 * @return the cursor.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE syclze_offload_file_cursor syclze_offload_file_begin(syclze_bytes bytes);

/**
 * Advances to the next image.
 *
 * @param[in,out] cursor  not null. `cursor->result` distinguishes the end from an error:
 *   SYCLZE_RESULT_ERROR_INVALID, SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED.
 * @param[out] image  not null; zeros if there is none.
 * @return false at the end and on an error, and from then on.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD bool syclze_offload_file_next(syclze_offload_file_cursor *cursor,
    syclze_offload_image *image) SYCLZE_LINK_NAME(syclze_offload_file_next);

SYCLZE_EXTERN_C_END

#include "detail/file.h"

#endif
