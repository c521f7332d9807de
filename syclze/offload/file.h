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
 * - An Offload Binary: its images. SYCLBIN, and clang-offload-bundler's file: their SYCL images.
 * - A host's object, program or shared object: those in sections of the type of `.llvm.offloading`,
 *   or with that name or the name `sycl_images`: Offload Binaries in a row, SPIR-V modules as clang
 *   22 leaves them in a program, or one image of any other kind. In COFF it is the name alone.
 *   Those that DPC++'s descriptors point to, with their strings, kernels and property sets; in a
 * fat object those in its sections `__CLANG_OFFLOAD_BUNDLE__sycl-*`.
 * - A host's static library: those of its objects.
 * - LLVM IR: one image; bitcode.h reads the Offload Binaries that it embeds.
 * - SPIR-V, native code, ocloc's archive: one image.
 *
 * Compressed images and blobs are inflated, if the library is installed (inflate.h); one that
 * cannot be inflated is passed on unchanged, and the next one follows. Other recognised contents
 * that cannot be read are an error, and so is a file that registers more images than are found in
 * it. Ownership: images are views into the caller's bytes, or into the cursor's allocations
 * (inflated images, tables), which syclze_offload_file_end frees. Threads: a cursor is used by one
 * thread at a time. Unrecognised and malformed bytes are SYCLZE_RESULT_ERROR_INVALID.
 */
#ifndef SYCLZE_OFFLOAD_FILE_H
#define SYCLZE_OFFLOAD_FILE_H

#include "archive.h"
#include "coff.h"
#include "container.h"
#include "elf.h"
#include "inflate.h"

SYCLZE_EXTERN_C_BEGIN

/** SYCL's bundle_state of a SYCLBIN file's images. */
typedef enum syclze_syclbin_state {
  SYCLZE_SYCLBIN_STATE_UNKNOWN, /**< no SYCLBIN file, or one that does not have it */
  SYCLZE_SYCLBIN_STATE_INPUT,
  SYCLZE_SYCLBIN_STATE_OBJECT,
  SYCLZE_SYCLBIN_STATE_EXECUTABLE
} syclze_syclbin_state;

/** A position in a file. */
typedef struct syclze_offload_file_cursor {
  syclze_bytes bytes;   /**< the file */
  ze_result_t result;   /**< why the iteration ended; success at the end of the file */
  const char *rule;     /**< the rule that the file breaks; null on success */
  const char *place;    /**< where the last image was found: a section's name, or "file" */
  size_t inflate_limit; /**< most bytes to inflate; may be set before the first image. 0: 32 times
                             the file, and 64 MiB */
  syclze_syclbin_state state;         /**< of the last image */
  bool begun;                         /**< private */
  bool in_archive;                    /**< private */
  syclze_archive_cursor archive;      /**< private */
  syclze_elf elf;                     /**< private: the current object; the other is empty */
  syclze_coff coff;                   /**< private */
  size_t next_section;                /**< private */
  size_t section_bytes;               /**< private: of all sections that were read */
  syclze_bytes pieces;                /**< private: the current section or container */
  size_t next_piece;                  /**< private */
  syclze_container_cursor container;  /**< private: the current piece */
  const syclze_offload_image *images; /**< private: images read all at once */
  size_t image_count, next_image;     /**< private */
  bool has_wrapped_images;      /**< private: of the current object, read by its descriptors */
  bool has_images;              /**< private: of the current object */
  size_t inflated;              /**< private: bytes so far */
  syclze_bytes module_metadata; /**< private: of SYCLBIN's current module */
  syclze_text module_index;     /**< private: of the same */
  struct syclze__file_memory *memory; /**< private */
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
 *   SYCLZE_RESULT_ERROR_INVALID; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED for an unknown version;
 *   ZE_RESULT_ERROR_UNSUPPORTED_SIZE beyond the limit; ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY.
 * @param[out] image  not null; zeros if there is none.
 * @return false at the end and on an error, and from then on.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD bool syclze_offload_file_next(syclze_offload_file_cursor *cursor,
    syclze_offload_image *image) SYCLZE_LINK_NAME(syclze_offload_file_next);

/**
 * Frees what a cursor allocated. Its images end with it, unless a set holds them.
 *
 * @param[in,out] cursor  not null; must not be used afterwards.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE void syclze_offload_file_end(syclze_offload_file_cursor *cursor);

SYCLZE_EXTERN_C_END

#include "detail/file.h"

#endif
