/**
 * @file
 * Decompression of what compilers compress: blobs of Offload Binaries of version 3, and single
 * images.
 *
 *     syclze_bytes inflated;
 *     if (syclze_container_inflate(syclze_bytes_of(file, file_size), 0, &inflated) ==
 *         ZE_RESULT_SUCCESS) {
 *       syclze_container_cursor cursor = syclze_container_begin(inflated);
 *       printf("%zu bytes\n", cursor.bytes.size);
 *       syclze_inflated_free(inflated);
 *     }
 *
 * zlib and zstd are opened at run time, by dlopen(), where they are installed: a program is neither
 * compiled nor linked with them. Without one, what needs it is
 * SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, by name. Ownership: inflated bytes are the caller's,
 * freed by syclze_inflated_free. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_INFLATE_H
#define SYCLZE_OFFLOAD_INFLATE_H

#include "container.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Makes a container of the same images in which no blob is compressed.
 *
 * @param[in] container  may be any bytes, with null data if empty.
 * @param[in] limit  the largest result in bytes; 0: 32 times the input, and 64 MiB.
 * @param[out] inflated  not null; empty on failure. The caller frees it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `inflated` is null
 * - SYCLZE_RESULT_ERROR_INVALID: malformed, or not of the size that its header has
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the library for it is not installed
 * - ZE_RESULT_ERROR_UNSUPPORTED_SIZE: beyond the limit
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, Device code packaging
 */
SYCLZE_COLD ze_result_t syclze_container_inflate(syclze_bytes container, size_t limit,
    syclze_bytes *inflated) SYCLZE_LINK_NAME(syclze_container_inflate);

/**
 * Inflates an image that is one zstd frame with its size in its header, as DPC++ writes them.
 *
 * @param[in] image  may be any bytes, with null data if empty.
 * @param[in] limit  the largest result in bytes; 0: 32 times the input, and 64 MiB.
 * @param[out] inflated  not null; empty on failure. The caller frees it.
 * @return as syclze_container_inflate; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED also for other
 *   formats, and for a frame without its size.
 * @see offload design, Device code packaging
 */
SYCLZE_COLD ze_result_t syclze_offload_image_inflate(syclze_bytes image, size_t limit,
    syclze_bytes *inflated) SYCLZE_LINK_NAME(syclze_offload_image_inflate);

/**
 * Frees inflated bytes.
 *
 * @param[in] inflated  from one of the functions above; null data is allowed and has no effect.
 * @see offload design, Device code packaging
 */
SYCLZE_INLINE void syclze_inflated_free(syclze_bytes inflated);

SYCLZE_EXTERN_C_END

#include "detail/inflate.h"

#endif
