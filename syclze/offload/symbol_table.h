/**
 * @file
 * The names of a device image's kernels, from its table, else from its code.
 *
 *     syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file, file_size));
 *     syclze_symbol_cursor cursor;
 *     syclze_text name;
 *     syclze_symbols_begin(&image, &cursor);
 *     while (syclze_symbol_next(&cursor, &name))
 *       printf("%.*s\n", (int)name.size, name.data);
 *
 * The table is the image's string "symbols", as text or binary, or "SYMBOL_TABLE". Without one the
 * names are the entry points of SPIR-V, the kernels of native code, those of all members of a fat
 * archive, some of them more than once. Malformed tables and images end early. Ownership: names are
 * views of the image's memory; nothing is allocated. Threads: a cursor is used by one thread at a
 * time.
 */
#ifndef SYCLZE_OFFLOAD_SYMBOL_TABLE_H
#define SYCLZE_OFFLOAD_SYMBOL_TABLE_H

#include "archive.h"
#include "spirv.h"
#include "zebin.h"

SYCLZE_EXTERN_C_BEGIN

/** A position among an image's kernels. Must not be copied. All members are private. */
typedef struct syclze_symbol_cursor {
  syclze_text table;   /**< the rest of a table of text */
  syclze_bytes binary; /**< a binary table */
  uint64_t binary_next, binary_count;
  syclze_spirv spirv; /**< of no words if there is none */
  uint32_t spirv_position;
  syclze_zebin zebin;
  syclze_zebin_kernel_cursor zebin_kernels;
  bool in_zebin, in_archive;
  syclze_archive_cursor archive;
} syclze_symbol_cursor;

/**
 * Places a cursor before the first name.
 *
 * @param[in] image  not null; its memory must outlive cursor and names.
 * @param[out] cursor  not null.
 * @see offload design, Symbol table generation
 */
SYCLZE_COLD void syclze_symbols_begin(const syclze_offload_image *image,
    syclze_symbol_cursor *cursor) SYCLZE_LINK_NAME(syclze_symbols_begin);

/**
 * Advances to the next name.
 *
 * @param[in,out] cursor  not null.
 * @param[out] name  not null; never empty on success.
 * @return false after the last.
 * @see offload design, Symbol table generation
 */
SYCLZE_COLD bool syclze_symbol_next(syclze_symbol_cursor *cursor, syclze_text *name)
    SYCLZE_LINK_NAME(syclze_symbol_next);

/** Formats of a table of symbols. */
typedef enum syclze_symbol_form {
  SYCLZE_SYMBOL_FORM_TEXT,  /**< the design's: each name with a line break behind it */
  SYCLZE_SYMBOL_FORM_BINARY /**< clang's since version 23, for containers of version 2 and later */
} syclze_symbol_form;

/**
 * Writes the table of an image's kernels, for its string "SYMBOL_TABLE" or, since that is what
 * compilers write, "symbols".
 *
 * @param[in] image  not null.
 * @param[in] form  the form; text has no names with line breaks or NULs.
 * @param[out] buffer  of `*size` bytes; null queries the size.
 * @param[in,out] size  not null; in bytes. Set to the table's size, 0 for an image without kernels
 *   as text.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `image` or `size` is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the buffer is too small
 * - SYCLZE_RESULT_ERROR_INVALID: a name that text does not have; more than 2^24 - 1 names
 * @see offload design, Symbol table generation
 */
SYCLZE_COLD ze_result_t syclze_symbols_write(const syclze_offload_image *image,
    syclze_symbol_form form, void *buffer, size_t *size) SYCLZE_LINK_NAME(syclze_symbols_write);

/**
 * The SPIR-V that an image holds: its bytes, or what native code or Intel's wrapper carries, or the
 * archive's member generic_ir.
 *
 * @param[in] bytes  an image's bytes; may be empty, with null data.
 * @return a view of them; empty, with null data, if there is none.
 * @see offload design, SYCL LLVM to SPIR-V translation
 */
SYCLZE_COLD syclze_bytes syclze_offload_spirv_of(syclze_bytes bytes)
    SYCLZE_LINK_NAME(syclze_offload_spirv_of);

SYCLZE_EXTERN_C_END

#include "detail/symbol_table.h"

#endif
