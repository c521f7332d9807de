/**
 * @file
 * Compression of Offload Binaries of version 3, as compilers do it.
 *
 *     syclze_bytes deflated;
 *     if (syclze_container_deflate(container, SYCLZE_COMPRESSION_ZSTD, &deflated) ==
 *         ZE_RESULT_SUCCESS) {
 *       fwrite(deflated.data, 1, deflated.size, output);
 *       syclze_inflated_free(deflated);
 *     }
 *
 * The libraries are opened at run time, as for inflate.h, which reads the result. Ownership:
 * deflated bytes are the caller's, freed by syclze_inflated_free. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_DEFLATE_H
#define SYCLZE_OFFLOAD_DEFLATE_H

#include "inflate.h"

SYCLZE_EXTERN_C_BEGIN

/** A format of compression. */
typedef enum syclze_compression {
  SYCLZE_COMPRESSION_ZLIB, /**< with libz */
  SYCLZE_COMPRESSION_ZSTD  /**< with libzstd */
} syclze_compression;

/**
 * Makes a container of the same images in which every blob is compressed.
 *
 * @param[in] container  may be any bytes, with null data if empty; blobs of version 3, none of
 * which is compressed.
 * @param[in] compression  the format.
 * @param[out] deflated  not null; empty on failure. The caller frees it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `deflated` is null
 * - SYCLZE_RESULT_ERROR_INVALID: malformed
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: the library for it is not installed; a blob of
 *   another version, or a compressed one
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, Device code packaging
 */
SYCLZE_COLD ze_result_t syclze_container_deflate(
    syclze_bytes container, syclze_compression compression, syclze_bytes *deflated)
    SYCLZE_LINK_NAME(syclze_container_deflate);

SYCLZE_EXTERN_C_END

#include "detail/deflate.h"

#endif
