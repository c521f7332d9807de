/**
 * @file
 * The device images that LLVM's bitcode embeds: what `clang -c -emit-llvm -fembed-offload-object`
 * and link-time optimisation leave in place of an object. EXPERIMENTAL, and not part of offload.h:
 * a program that needs it includes it by name.
 *
 *     syclze_bytes bytes = syclze_bytes_of(file, file_size);
 *     syclze_offload_file_cursor cursor = syclze_offload_file_begin_bitcode(bytes);
 *     syclze_offload_image image;
 *     while (syclze_offload_file_next(&cursor, &image))
 *       printf("%zu bytes\n", image.bytes.size);
 *     if (cursor.result != ZE_RESULT_SUCCESS) puts(cursor.rule);
 *     syclze_offload_file_end(&cursor);
 *
 * Ownership and threads: as in file.h; the cursor owns a copy of what is embedded.
 */
#ifndef SYCLZE_OFFLOAD_BITCODE_H
#define SYCLZE_OFFLOAD_BITCODE_H

#include "file.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * A cursor before the first image of the Offload Binaries that bitcode embeds. Bitcode without any,
 * and every other file, is read as by syclze_offload_file_begin.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive cursor and images.
 * @return the cursor, which the caller ends. Its result is ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, and
 * the iteration over, without memory for the copy.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD syclze_offload_file_cursor syclze_offload_file_begin_bitcode(syclze_bytes bytes)
    SYCLZE_LINK_NAME(syclze_offload_file_begin_bitcode);

SYCLZE_EXTERN_C_END

#include "detail/bitcode.h"

#endif
