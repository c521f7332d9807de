/**
 * @file
 * The fat archive that ocloc writes for several devices: its members and their targets.
 *
 *     syclze_archive_cursor cursor = syclze_archive_begin(syclze_bytes_of(file, file_size));
 *     syclze_archive_member member;
 *     while (syclze_archive_next(&cursor, &member))
 *       if (!member.is_padding) printf("%.*s\n", (int)member.name.size, member.name.data);
 *
 * Any archive of `ar` is read, with the long names of GNU and of BSD; tables of symbols and of
 * names are not members. A driver accepts such an archive whole as native code, and picks the
 * member itself. Ownership: members are views into the caller's bytes; nothing is allocated.
 * Threads: a cursor is used by one thread at a time.
 */
#ifndef SYCLZE_OFFLOAD_ARCHIVE_H
#define SYCLZE_OFFLOAD_ARCHIVE_H

#include "ip_version.h"

SYCLZE_EXTERN_C_BEGIN

/** A member of an archive. */
typedef struct syclze_archive_member {
  syclze_text name; /**< "64.dg2", "64.12.60.7", "generic_ir", "pad_0" */
  syclze_bytes bytes;
  bool is_padding;       /**< ocloc's filler, which aligns the next member to 8 */
  bool is_generic_ir;    /**< SPIR-V in Intel's wrapper, for any device */
  uint32_t pointer_bits; /**< 64 or 32 of native code; else 0 */
  syclze_text target;    /**< of native code: a product's name or its version; else empty */
  uint32_t ip_version;   /**< of a target that is a version; else 0 */
} syclze_archive_member;

/** A position in an archive. */
typedef struct syclze_archive_cursor {
  syclze_bytes bytes;
  ze_result_t result;     /**< why the iteration ended; success at the end of the bytes */
  const char *rule;       /**< the rule that the bytes break; null on success */
  size_t next_offset;     /**< private */
  syclze_text long_names; /**< private: the member "//" of GNU's archives */
} syclze_archive_cursor;

/**
 * A cursor before the first member.
 *
 * @param[in] bytes  may be any bytes, with null data if empty; must outlive cursor and members.
 * @return the cursor.
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_INLINE syclze_archive_cursor syclze_archive_begin(syclze_bytes bytes);

/**
 * Advances to the next member.
 *
 * @param[in,out] cursor  not null. `cursor->result` is SYCLZE_RESULT_ERROR_INVALID once malformed
 *   bytes ended the iteration.
 * @param[out] member  not null; zeros if there is none.
 * @return false at the end and on an error, and from then on.
 * @see offload design, AOT compilation flow for SPIR-V based targets
 */
SYCLZE_COLD bool syclze_archive_next(syclze_archive_cursor *cursor, syclze_archive_member *member)
    SYCLZE_LINK_NAME(syclze_archive_next);

SYCLZE_EXTERN_C_END

#include "detail/archive.h"

#endif
