/* Bodies of archive.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ARCHIVE_H
#define SYCLZE_OFFLOAD_DETAIL_ARCHIVE_H

#include "../archive.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_archive_cursor syclze_archive_begin(syclze_bytes bytes) {
  SYCLZE__ZEROED(syclze_archive_cursor, cursor);
  cursor.bytes = bytes;
  return cursor;
}

enum { SYCLZE__ARCHIVE_HEADER = 60, SYCLZE__ARCHIVE_NAME_LIMIT = 4096 };

#if SYCLZE__BODIES

/* Reads a decimal number that fills a field up to its blanks. */
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
SYCLZE_LOCAL struct syclze__status syclze__archive_read(
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

/* Reads the next member, without a diagnostic. */
SYCLZE_LOCAL bool syclze__archive_step(
    syclze_archive_cursor *cursor, syclze_archive_member *member) {
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
    status = syclze__archive_read(cursor, member);
    if (status.result != ZE_RESULT_SUCCESS) break;
    if (syclze_text_is(member->name, "/") || syclze_text_is(member->name, "/SYM64/") ||
        (member->name.size >= 9 && memcmp(member->name.data, "__.SYMDEF", 9) == 0)) {
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
  cursor->result = status.result;
  return false;
}

SYCLZE_COLD bool syclze_archive_next(syclze_archive_cursor *cursor, syclze_archive_member *member) {
  const bool had_failed = cursor->result != ZE_RESULT_SUCCESS;
  if (syclze__archive_step(cursor, member)) return true;
  if (cursor->result != ZE_RESULT_SUCCESS && !had_failed)
    syclze__fail(cursor->result, "syclze_archive_next", cursor->rule, NULL);
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
