/* The fat archive that ocloc writes for several devices: its members and whom they are for.
 *
 *     syclze_archive_cursor cursor = syclze_archive_begin(syclze_bytes_of(file, file_size));
 *     syclze_archive_member member;
 *     while (syclze_archive_next(&cursor, &member))
 *       if (!member.is_padding) printf("%.*s\n", (int)member.name.size, member.name.data);
 *
 * Any archive of `ar` is read, with the long names of GNU and of BSD; tables of symbols and of
 * names are not members. Members are views into the caller's bytes; nothing is allocated. A cursor
 * belongs to one thread. Malformed bytes end the iteration with SYCLZE_RESULT_ERROR_INVALID. A
 * driver takes such an archive whole as native code, and picks the member itself. */
#ifndef SYCLZE_OFFLOAD_ARCHIVE_H
#define SYCLZE_OFFLOAD_ARCHIVE_H

#include "ip_version.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_archive_member {
  syclze_text name; /* "64.dg2", "64.12.60.7", "generic_ir", "pad_0" */
  syclze_bytes bytes;
  bool is_padding;       /* ocloc's filler before a member, so that this one is aligned to 8 */
  bool is_generic_ir;    /* SPIR-V in Intel's wrapper, for any device */
  uint32_t pointer_bits; /* 64 or 32 of native code; else 0 */
  syclze_text target;    /* of native code: a product's name or its version; else empty */
  uint32_t ip_version;   /* of a target that is a version; else 0 */
} syclze_archive_member;

typedef struct syclze_archive_cursor {
  syclze_bytes bytes;
  ze_result_t result; /* why the iteration ended; success at the end of the bytes */
  const char *rule;   /* the rule that the bytes break; null on success */
  size_t next_offset;
  syclze_text long_names; /* the member "//" of GNU's archives */
} syclze_archive_cursor;

/* A cursor before the first member. */
SYCLZE_INLINE syclze_archive_cursor syclze_archive_begin(syclze_bytes bytes) {
  syclze_archive_cursor cursor;
  memset(&cursor, 0, sizeof cursor);
  cursor.bytes = bytes;
  return cursor;
}

/* Goes on to the next member. False at the end and on an error, which cursor->result tells apart;
 * it stays false. */
SYCLZE_COLD bool syclze_archive_next(syclze_archive_cursor *cursor, syclze_archive_member *member)
    SYCLZE_LINK_NAME(syclze_archive_next);

enum { SYCLZE__ARCHIVE_HEADER = 60, SYCLZE__ARCHIVE_NAME_LIMIT = 4096 };

/* A decimal number that fills a field up to its blanks. */
SYCLZE_INLINE bool syclze__archive_number(const char *field, size_t width, uint64_t *number) {
  size_t at = 0;
  *number = 0;
  for (; at < width && field[at] >= '0' && field[at] <= '9'; at++)
    *number = *number * 10 + (uint64_t)(field[at] - '0');
  if (at == 0) return false;
  for (; at < width; at++)
    if (field[at] != ' ') return false;
  return true;
}

SYCLZE_LOCAL struct syclze__status syclze__archive_name(
    const syclze_archive_cursor *cursor, const char *field, syclze_archive_member *member) {
  uint64_t number = 0;
  syclze_text name = {field, 16};
  if (memcmp(field, "#1/", 3) == 0 && syclze__archive_number(field + 3, 13, &number)) {
    if (number > member->bytes.size || number > SYCLZE__ARCHIVE_NAME_LIMIT)
      return syclze__invalid("archive: a name is longer than its member, or than any name");
    name.data = (const char *)member->bytes.data;
    name.size = (size_t)number;
    member->bytes.data = name.data + number;
    member->bytes.size -= (size_t)number;
    member->name = syclze__text_before(name, '\0');
    return syclze__allowed();
  }
  if (field[0] == '/' && syclze__archive_number(field + 1, 15, &number)) {
    if (number >= cursor->long_names.size)
      return syclze__invalid("archive: a name is not among the long names");
    name.data = cursor->long_names.data + number;
    name.size = cursor->long_names.size - (size_t)number;
    if (name.size > SYCLZE__ARCHIVE_NAME_LIMIT) name.size = SYCLZE__ARCHIVE_NAME_LIMIT;
    syclze_text line = syclze__text_before(name, '\n');
    if (line.size == name.size) return syclze__invalid("archive: a long name does not end");
    if (line.size != 0 && line.data[line.size - 1] == '/') line.size--;
    member->name = line;
    return syclze__allowed();
  }
  while (name.size != 0 && name.data[name.size - 1] == ' ')
    name.size--;
  if (name.size > 1 && name.data[0] != '/' && name.data[name.size - 1] == '/') name.size--;
  member->name = name;
  return syclze__allowed();
}

/* "64." or "32.", and then the target. */
SYCLZE_INLINE void syclze__archive_describe(syclze_archive_member *member) {
  syclze_text name = member->name;
  member->is_padding = name.size >= 4 && memcmp(name.data, "pad_", 4) == 0;
  member->is_generic_ir = syclze_text_is(name, "generic_ir");
  if (name.size <= 3 || (memcmp(name.data, "64.", 3) != 0 && memcmp(name.data, "32.", 3) != 0))
    return;
  member->pointer_bits = name.data[0] == '6' ? 64 : 32;
  member->target.data = name.data + 3;
  member->target.size = name.size - 3;
  syclze_ip_version_parse(member->target, &member->ip_version);
}

/* Reads the member that begins at the cursor's offset, and moves past it. */
SYCLZE_LOCAL struct syclze__status syclze__archive_take(
    syclze_archive_cursor *cursor, syclze_archive_member *member) {
  size_t rest = cursor->bytes.size - cursor->next_offset;
  const char *header = (const char *)cursor->bytes.data + cursor->next_offset;
  uint64_t size = 0;
  memset(member, 0, sizeof *member);
  if (rest < SYCLZE__ARCHIVE_HEADER || memcmp(header + 58, "`\n", 2) != 0 ||
      !syclze__archive_number(header + 48, 10, &size))
    return syclze__invalid("archive: a member does not begin with its header");
  rest -= SYCLZE__ARCHIVE_HEADER;
  if (size > rest) return syclze__invalid("archive: a member ends past the archive");
  cursor->next_offset += SYCLZE__ARCHIVE_HEADER + (size_t)size;
  if (size % 2 != 0 && size != rest) cursor->next_offset++;
  member->bytes = syclze_bytes_of(header + SYCLZE__ARCHIVE_HEADER, (size_t)size);
  return syclze__archive_name(cursor, header, member);
}

SYCLZE_COLD bool syclze_archive_next(syclze_archive_cursor *cursor, syclze_archive_member *member) {
  struct syclze__status status = syclze__allowed();
  memset(member, 0, sizeof *member);
  if (cursor->result != ZE_RESULT_SUCCESS) return false;
  if (cursor->next_offset == 0) {
    if (cursor->bytes.size < 8 || memcmp(cursor->bytes.data, "!<arch>\n", 8) != 0)
      status = syclze__invalid("archive: the file does not begin with \"!<arch>\"");
    cursor->next_offset = 8;
  }
  while (status.result == ZE_RESULT_SUCCESS) {
    if (cursor->next_offset == cursor->bytes.size) return false;
    status = syclze__archive_take(cursor, member);
    if (status.result != ZE_RESULT_SUCCESS) break;
    if (syclze_text_is(member->name, "/") || syclze_text_is(member->name, "/SYM64/")) {
      continue;
    } else if (syclze_text_is(member->name, "//")) {
      cursor->long_names = syclze_text_of_bytes(member->bytes);
    } else {
      syclze__archive_describe(member);
      return true;
    }
  }
  memset(member, 0, sizeof *member);
  cursor->rule = status.rule;
  cursor->result = syclze__fail(status.result, "syclze_archive_next", status.rule, NULL);
  return false;
}

SYCLZE_EXTERN_C_END

#endif
