/* Bodies of zebin.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_ZEBIN_H
#define SYCLZE_OFFLOAD_DETAIL_ZEBIN_H

#include "../zebin.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_zebin_kernel_cursor syclze_zebin_kernels(const syclze_zebin *zebin) {
  SYCLZE__ZEROED(syclze_zebin_kernel_cursor, cursor);
  cursor.zebin = zebin;
  cursor.rest = zebin->info;
  return cursor;
}

enum {
  SYCLZE__ZEBIN_NOTE_PRODUCT_FAMILY = 1,
  SYCLZE__ZEBIN_NOTE_GFX_CORE = 2,
  SYCLZE__ZEBIN_NOTE_TARGET_METADATA = 3,
  SYCLZE__ZEBIN_NOTE_VERSION = 4,
  SYCLZE__ZEBIN_NOTE_IP_VERSION = 6,
  SYCLZE__ZEBIN_NAME_LIMIT = 4096
};

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__status syclze__zebin_read_notes(
    syclze_bytes notes, syclze_zebin *zebin) {
  const uint8_t *at = (const uint8_t *)notes.data;
  uint64_t left = notes.size;
  while (left >= 12) {
    uint64_t name_size = syclze__load_u32(at), size = syclze__load_u32(at + 4);
    uint32_t type = syclze__load_u32(at + 8);
    uint64_t name_padded = (name_size + 3) & ~(uint64_t)3, padded = (size + 3) & ~(uint64_t)3;
    const uint8_t *name = at + 12, *value = name + name_padded;
    if (12 + name_padded + size > left)
      return syclze__invalid("zebin: a note of .note.intelgt.compat ends past its section");
    if (name_size == 8 && memcmp(name, "IntelGT", 8) == 0) {
      uint32_t number = size == 4 ? syclze__load_u32(value) : 0;
      syclze_text text = {(const char *)value, (size_t)size};
      if (type == SYCLZE__ZEBIN_NOTE_PRODUCT_FAMILY) zebin->product_family = number;
      if (type == SYCLZE__ZEBIN_NOTE_GFX_CORE) zebin->gfx_core = number;
      if (type == SYCLZE__ZEBIN_NOTE_TARGET_METADATA) zebin->target_metadata = number;
      if (type == SYCLZE__ZEBIN_NOTE_IP_VERSION) zebin->ip_version = number;
      if (type == SYCLZE__ZEBIN_NOTE_VERSION) zebin->version = syclze__text_before(text, '\0');
    }
    uint64_t note = 12 + name_padded + padded;
    if (note > left) break;
    at += note;
    left -= note;
  }
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__zebin_read(syclze_bytes bytes, syclze_zebin *zebin) {
  struct syclze__status status = syclze__elf_read(bytes, &zebin->elf);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  bool is_wrapper = zebin->elf.machine == 0 && zebin->elf.type == SYCLZE_ELF_TYPE_INTEL_WRAPPER;
  if (zebin->elf.machine != SYCLZE_ELF_MACHINE_INTEL_GPU && !is_wrapper)
    return syclze__invalid("zebin: the ELF file is not for an Intel GPU");
  syclze_elf_section section;
  if (syclze_elf_section_find(&zebin->elf, is_wrapper ? "SPIRV Object" : ".spv", &section))
    zebin->spirv = section.bytes;
  if (syclze_elf_section_find(&zebin->elf, ".ze_info", &section))
    zebin->info = syclze_text_of_bytes(section.bytes);
  if (!syclze_elf_section_find(&zebin->elf, ".note.intelgt.compat", &section))
    return syclze__allowed();
  return syclze__zebin_read_notes(section.bytes, zebin);
}

SYCLZE_COLD ze_result_t syclze_zebin_open(syclze_bytes bytes, syclze_zebin *zebin) {
  if (zebin == NULL)
    return syclze__fail_pointer("syclze_zebin_open", "the result's pointer is null");
  memset(zebin, 0, sizeof *zebin);
  struct syclze__status status = syclze__zebin_read(bytes, zebin);
  if (status.result != ZE_RESULT_SUCCESS) memset(zebin, 0, sizeof *zebin);
  return syclze__finish(status, "syclze_zebin_open", NULL);
}

/* The value of "name:   value" or "name:   'value'". */
SYCLZE_INLINE bool syclze__zebin_parse_name(syclze_text line, syclze_text *name) {
  if (line.size < 5 || memcmp(line.data, "name:", 5) != 0) return false;
  const char *begin = line.data + 5, *end = line.data + line.size;
  while (begin != end && *begin == ' ')
    begin++;
  while (end != begin && (end[-1] == ' ' || end[-1] == '\r'))
    end--;
  if (end - begin >= 2 && (*begin == '\'' || *begin == '"') && end[-1] == *begin) begin++, end--;
  name->data = begin;
  name->size = (size_t)(end - begin);
  return name->size != 0;
}

/* True if the next line of .ze_info names a kernel: the key `name` of an item of the list below the
 * line "kernels:". Deeper lists also have names, and more indentation. */
SYCLZE_LOCAL bool syclze__zebin_line_names(
    syclze_zebin_kernel_cursor *cursor, syclze_text line, syclze_text *name) {
  size_t indent = 0;
  while (indent < line.size && line.data[indent] == ' ')
    indent++;
  if (indent == line.size) return false;
  line.data += indent;
  line.size -= indent;
  bool is_item = line.data[0] == '-' && (line.size == 1 || line.data[1] == ' ');
  if (indent == 0 && !is_item) {
    cursor->in_kernels = line.size >= 8 && memcmp(line.data, "kernels:", 8) == 0;
    cursor->item_indent = 0;
    return false;
  }
  if (!cursor->in_kernels) return false;
  size_t indent_after_dash = indent;
  if (is_item) {
    size_t dash = line.size < 2 ? line.size : 2;
    line.data += dash;
    line.size -= dash;
    indent_after_dash += 2;
    if (cursor->item_indent == 0) cursor->item_indent = indent_after_dash;
  }
  return indent_after_dash == cursor->item_indent && syclze__zebin_parse_name(line, name);
}

SYCLZE_COLD bool syclze_zebin_kernel_next(syclze_zebin_kernel_cursor *cursor, syclze_text *name) {
  syclze_elf_section section;
  while (cursor->rest.size != 0) {
    syclze_text line = syclze__text_before(cursor->rest, '\n');
    size_t taken = line.size < cursor->rest.size ? line.size + 1 : line.size;
    cursor->rest.data += taken;
    cursor->rest.size -= taken;
    if (syclze__zebin_line_names(cursor, line, name)) return true;
  }
  if (cursor->zebin->info.size != 0) return false;
  while (syclze_elf_section_at(&cursor->zebin->elf, cursor->section, &section)) {
    cursor->section++;
    if (strncmp(section.name, ".text.", 6) != 0) continue;
    name->data = section.name + 6;
    name->size = syclze__length(name->data, SYCLZE__ZEBIN_NAME_LIMIT);
    if (name->size != 0 && name->size != SYCLZE__ZEBIN_NAME_LIMIT) return true;
  }
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
