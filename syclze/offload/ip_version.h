/**
 * @file
 * The version of a GPU's architecture as Intel's tools and drivers pack it into 32 bits: the target
 * of native code, and the value of ze_device_ip_version_ext_t.
 *
 *     uint32_t version = 0;
 *     if (syclze_ip_version_parse(syclze_text_of("12.60.7"), &version) == 3)
 *       printf("%x\n", version);
 *
 * Threads: any. No function here fails.
 */
#ifndef SYCLZE_OFFLOAD_IP_VERSION_H
#define SYCLZE_OFFLOAD_IP_VERSION_H

#include "device_image.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Packs a version.
 *
 * @param[in] architecture  below 1024.
 * @param[in] release  below 256.
 * @param[in] revision  below 16384.
 * @return the version.
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_INLINE uint32_t syclze_ip_version_of(
    uint32_t architecture, uint32_t release, uint32_t revision);

/** The architecture of a version: 12 of 12.60.7.
 * @return the number. @see offload design, AOT compilation flow for SPIR-V based targets */
SYCLZE_INLINE uint32_t syclze_ip_version_architecture(uint32_t version);

/** The release of a version: 60 of 12.60.7.
 * @return the number, a copy. @see offload design, AOT compilation flow for SPIR-V based targets */
SYCLZE_INLINE uint32_t syclze_ip_version_release(uint32_t version);

/** The revision of a version: 7 of 12.60.7.
 * @return the number. @see offload design, AOT compilation flow for SPIR-V based targets */
SYCLZE_INLINE uint32_t syclze_ip_version_revision(uint32_t version);

/**
 * Parses "12.60.7" or "12.60", whose missing revision is 0.
 *
 * @param[in] text  may be empty, with null data.
 * @param[out] version  not null; unchanged if the text is no version.
 * @return the number of parts, 3 or 2; 0 for any other text, such as a product's name.
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_COLD int syclze_ip_version_parse(syclze_text text, uint32_t *version)
    SYCLZE_LINK_NAME(syclze_ip_version_parse);

SYCLZE_EXTERN_C_END

#include "detail/ip_version.h"

#endif
