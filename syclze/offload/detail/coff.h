/* Bodies of coff.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_COFF_H
#define SYCLZE_OFFLOAD_DETAIL_COFF_H

#include "../coff.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__COFF_HEADER = 20,
  SYCLZE__COFF_SECTION = 40,
  SYCLZE__COFF_SYMBOL = 18,
  SYCLZE__COFF_NAME_LIMIT = 256
};

#if SYCLZE__BODIES

/* The offset of the header that objects begin with: in a program, it follows the letters "PE". */
SYCLZE_INLINE uint64_t syclze__coff_header_offset(syclze_bytes bytes) {
  const uint8_t *file = (const uint8_t *)bytes.data;
  if (bytes.size < 64 || file[0] != 'M' || file[1] != 'Z') return 0;
  uint64_t offset = syclze__load_u32(file + 60);
  if (!syclze__within(bytes.size, offset, 4) || memcmp(file + offset, "PE\0", 4) != 0) return 0;
  return offset + 4;
}

/* True if the bytes begin like a COFF object or a PE program. */
SYCLZE_INLINE bool syclze__is_coff(syclze_bytes bytes) {
  uint64_t offset = syclze__coff_header_offset(bytes);
  if (!syclze__within(bytes.size, offset, SYCLZE__COFF_HEADER)) return false;
  uint16_t machine = syclze__load_u16((const uint8_t *)bytes.data + offset);
  return machine == 0x8664 || machine == 0xaa64;
}

SYCLZE_LOCAL struct syclze__status syclze__coff_read(syclze_bytes bytes, syclze_coff *coff) {
  if (!syclze__is_coff(bytes))
    return syclze__invalid("COFF: the file does not begin with a header of x86-64 or Arm64");
  uint64_t offset = syclze__coff_header_offset(bytes);
  const uint8_t *file = (const uint8_t *)bytes.data, *header = file + offset;
  uint64_t count = syclze__load_u16(header + 2);
  uint64_t names = syclze__load_u32(header + 8);
  uint64_t table = offset + SYCLZE__COFF_HEADER + syclze__load_u16(header + 16);
  coff->bytes = bytes;
  coff->machine = syclze__load_u16(header);
  if (!syclze__within(bytes.size, table, count * SYCLZE__COFF_SECTION))
    return syclze__invalid("COFF: the table of sections does not fit");
  coff->sections = file + table;
  if (names != 0) {
    names += (uint64_t)SYCLZE__COFF_SYMBOL * syclze__load_u32(header + 12);
    if (!syclze__within(bytes.size, names, 4) ||
        !syclze__within(bytes.size, names, syclze__load_u32(file + names)))
      return syclze__invalid("COFF: the table of names does not fit");
    coff->names.data = (const char *)file + names;
    coff->names.size = syclze__load_u32(file + names);
  }
  for (uint64_t i = 0; i < count; i++) {
    const uint8_t *section = coff->sections + SYCLZE__COFF_SECTION * i;
    uint32_t at = syclze__load_u32(section + 20), size = syclze__load_u32(section + 16);
    if (at != 0 && !syclze__within(bytes.size, at, size))
      return syclze__invalid("COFF: a section ends past the file");
  }
  coff->section_count = (size_t)count;
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_coff_open(syclze_bytes bytes, syclze_coff *coff) {
  if (coff == NULL) return syclze__fail_pointer("syclze_coff_open", "the result's pointer is null");
  memset(coff, 0, sizeof *coff);
  struct syclze__status status = syclze__coff_read(bytes, coff);
  if (status.result != ZE_RESULT_SUCCESS) memset(coff, 0, sizeof *coff);
  return syclze__finish(status, "syclze_coff_open", NULL);
}

/* The name of a section: "/123" refers to that offset of the table; any other name is in the header
 * itself. */
SYCLZE_INLINE syclze_text syclze__coff_name(const syclze_coff *coff, const char *field) {
  syclze_text name = {field, syclze__length(field, 8)};
  uint64_t offset = 0;
  size_t digit = 1;
  for (; digit < name.size && field[digit] >= '0' && field[digit] <= '9'; digit++)
    offset = offset * 10 + (uint64_t)(field[digit] - '0');
  if (name.size < 2 || field[0] != '/' || digit != name.size || offset >= coff->names.size)
    return name;
  size_t limit = coff->names.size - (size_t)offset;
  name.data = coff->names.data + offset;
  name.size = syclze__length(
      name.data, limit < SYCLZE__COFF_NAME_LIMIT ? limit : (size_t)SYCLZE__COFF_NAME_LIMIT);
  return name;
}

SYCLZE_COLD bool syclze_coff_section_at(
    const syclze_coff *coff, size_t index, syclze_coff_section *section) {
  memset(section, 0, sizeof *section);
  if (index >= coff->section_count) return false;
  const uint8_t *header = coff->sections + SYCLZE__COFF_SECTION * index;
  uint32_t in_memory = syclze__load_u32(header + 8), size = syclze__load_u32(header + 16);
  uint32_t offset = syclze__load_u32(header + 20);
  section->name = syclze__coff_name(coff, (const char *)header);
  if (in_memory != 0 && in_memory < size) size = in_memory;
  if (offset != 0)
    section->bytes = syclze_bytes_of((const uint8_t *)coff->bytes.data + offset, size);
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
