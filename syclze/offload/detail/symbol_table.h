/* Bodies of symbol_table.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_SYMBOL_TABLE_H
#define SYCLZE_OFFLOAD_DETAIL_SYMBOL_TABLE_H

#include "../symbol_table.h"
#include "buffer_writer.h"

SYCLZE_EXTERN_C_BEGIN

/* The most names of a binary table. */
enum { SYCLZE__SYMBOLS_MOST = 0xffffff };

#if SYCLZE__BODIES

/* The table of names in an image's strings, if any. */
SYCLZE_INLINE bool syclze__symbols_find(const syclze_offload_image *image, syclze_bytes *table) {
  return syclze_offload_image_find(image, "symbols", table) ||
         syclze_offload_image_find(image, "SYMBOL_TABLE", table);
}

/* A table that begins with a count which it has room for is binary: no text begins so, for the
 * count's highest byte is a NUL. */
SYCLZE_INLINE bool syclze__symbols_are_binary(syclze_bytes table) {
  if (table.size < 4) return false;
  uint64_t count = syclze__load_u32(table.data);
  return count <= SYCLZE__SYMBOLS_MOST && count * 8 <= table.size - 4;
}

/* Begins to read code; of an archive, one member. */
SYCLZE_LOCAL void syclze__symbols_begin_code(syclze_bytes code, syclze_symbol_cursor *cursor) {
  syclze_bytes spirv = code;
  switch (syclze_offload_format_of(code)) {
  case SYCLZE_OFFLOAD_FORMAT_ZEBIN:
  case SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER:
    memset(&cursor->zebin, 0, sizeof cursor->zebin);
    if (syclze__zebin_read(code, &cursor->zebin).result != ZE_RESULT_SUCCESS) return;
    cursor->in_zebin = true;
    cursor->zebin_kernels = syclze_zebin_kernels(&cursor->zebin);
    if (cursor->zebin.elf.machine == SYCLZE_ELF_MACHINE_INTEL_GPU) return;
    spirv = cursor->zebin.spirv;
    break;
  case SYCLZE_OFFLOAD_FORMAT_SPIRV:
    break;
  default:
    return;
  }
  cursor->spirv_position = 0;
  if (syclze__spirv_check(spirv, &cursor->spirv).result != ZE_RESULT_SUCCESS)
    cursor->spirv.words = 0;
}

SYCLZE_COLD void syclze_symbols_begin(
    const syclze_offload_image *image, syclze_symbol_cursor *cursor) {
  syclze_bytes table;
  memset(cursor, 0, sizeof *cursor);
  if (syclze__symbols_find(image, &table)) {
    if (syclze__symbols_are_binary(table)) {
      cursor->binary = table;
      cursor->binary_count = syclze__load_u32(table.data);
    } else
      cursor->table = syclze_text_of_bytes(table);
    return;
  }
  cursor->in_archive = syclze_offload_format_of(image->bytes) == SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE;
  if (cursor->in_archive)
    cursor->archive = syclze_archive_begin(image->bytes);
  else
    syclze__symbols_begin_code(image->bytes, cursor);
}

SYCLZE_INLINE bool syclze__symbol_in_table(syclze_symbol_cursor *cursor, syclze_text *name) {
  while (cursor->table.size != 0) {
    *name = syclze__text_before(cursor->table, '\n');
    size_t taken = name->size < cursor->table.size ? name->size + 1 : name->size;
    cursor->table.data += taken;
    cursor->table.size -= taken;
    while (name->size != 0 &&
           (name->data[name->size - 1] == '\r' || name->data[name->size - 1] == '\0'))
      name->size--;
    if (name->size != 0) return true;
  }
  return false;
}

SYCLZE_INLINE bool syclze__symbol_in_binary(syclze_symbol_cursor *cursor, syclze_text *name) {
  const uint8_t *table = (const uint8_t *)cursor->binary.data;
  while (cursor->binary_next < cursor->binary_count) {
    const uint8_t *record = table + 4 + 8 * cursor->binary_next++;
    uint32_t offset = syclze__load_u32(record), length = syclze__load_u32(record + 4);
    if (length == 0 || !syclze__within(cursor->binary.size, offset, length)) continue;
    name->data = (const char *)table + offset;
    name->size = length;
    return true;
  }
  return false;
}

SYCLZE_LOCAL bool syclze__symbol_in_code(syclze_symbol_cursor *cursor, syclze_text *name) {
  const char *entry_point;
  while (cursor->in_zebin) {
    cursor->in_zebin = syclze_zebin_kernel_next(&cursor->zebin_kernels, name);
    if (cursor->in_zebin && name->size != 0) return true;
  }
  while (cursor->spirv.words != 0) {
    entry_point = syclze_spirv_next_kernel_name(&cursor->spirv, &cursor->spirv_position);
    if (entry_point == NULL) break;
    *name = syclze_text_of(entry_point);
    if (name->size != 0) return true;
  }
  cursor->spirv.words = 0;
  return false;
}

/* syclze_symbol_next without a diagnostic: locks may be held. */
SYCLZE_LOCAL bool syclze__symbol_step(syclze_symbol_cursor *cursor, syclze_text *name) {
  syclze_archive_member member;
  if (syclze__symbol_in_table(cursor, name) || syclze__symbol_in_binary(cursor, name) ||
      syclze__symbol_in_code(cursor, name))
    return true;
  while (cursor->in_archive && syclze__archive_step(&cursor->archive, &member)) {
    syclze__symbols_begin_code(member.bytes, cursor);
    if (syclze__symbol_in_code(cursor, name)) return true;
  }
  cursor->in_archive = false;
  return false;
}

SYCLZE_COLD bool syclze_symbol_next(syclze_symbol_cursor *cursor, syclze_text *name) {
  const bool was_in_archive = cursor->in_archive;
  if (syclze__symbol_step(cursor, name)) return true;
  if (was_in_archive && cursor->archive.result != ZE_RESULT_SUCCESS)
    syclze__fail(cursor->archive.result, "syclze_symbol_next", cursor->archive.rule, NULL);
  return false;
}

SYCLZE_COLD syclze_bytes syclze_offload_spirv_of(syclze_bytes bytes) {
  syclze_bytes none = {NULL, 0};
  syclze_zebin zebin;
  syclze_archive_member member;
  switch (syclze_offload_format_of(bytes)) {
  case SYCLZE_OFFLOAD_FORMAT_SPIRV:
    return bytes;
  case SYCLZE_OFFLOAD_FORMAT_ZEBIN:
  case SYCLZE_OFFLOAD_FORMAT_INTEL_WRAPPER:
    memset(&zebin, 0, sizeof zebin);
    return syclze__zebin_read(bytes, &zebin).result == ZE_RESULT_SUCCESS ? zebin.spirv : none;
  case SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE: {
    syclze_archive_cursor archive = syclze_archive_begin(bytes);
    while (syclze__archive_step(&archive, &member)) {
      memset(&zebin, 0, sizeof zebin);
      if (member.is_generic_ir &&
          syclze__zebin_read(member.bytes, &zebin).result == ZE_RESULT_SUCCESS)
        return zebin.spirv;
    }
    return none;
  }
  default:
    return none;
  }
}

/* Writes a binary table: the number of names, the offset and length of each, and the names with a
 * NUL behind each. */
SYCLZE_LOCAL bool syclze__symbols_put_binary(
    const syclze_offload_image *image, struct syclze__writer *writer) {
  syclze_symbol_cursor cursor;
  syclze_text name;
  uint64_t count = 0, offset;
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name))
    count++;
  offset = 4 + 8 * count;
  if (count > SYCLZE__SYMBOLS_MOST) return false;
  syclze__writer_put_u32(writer, (uint32_t)count);
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    if (offset + name.size > UINT32_MAX) return false;
    syclze__writer_put_u32(writer, (uint32_t)offset);
    syclze__writer_put_u32(writer, (uint32_t)name.size);
    offset += name.size + 1;
  }
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    syclze__writer_put_text(writer, name);
    syclze__writer_put_zeros(writer, 1);
  }
  return true;
}

/* Line breaks of any system end a name, and so does a NUL. */
SYCLZE_LOCAL bool syclze__symbol_has_text_form(syclze_text name) {
  return memchr(name.data, '\n', name.size) == NULL && memchr(name.data, '\r', name.size) == NULL &&
         memchr(name.data, '\0', name.size) == NULL;
}

SYCLZE_LOCAL bool syclze__symbols_put_text(
    const syclze_offload_image *image, struct syclze__writer *writer) {
  syclze_symbol_cursor cursor;
  syclze_text name;
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    if (!syclze__symbol_has_text_form(name)) return false;
    syclze__writer_put_text(writer, name);
    syclze__writer_put(writer, "\n", 1);
  }
  return true;
}

SYCLZE_COLD ze_result_t syclze_symbols_write(
    const syclze_offload_image *image, syclze_symbol_form form, void *buffer, size_t *size) {
  if (image == NULL || size == NULL)
    return syclze__fail_pointer(
        "syclze_symbols_write", "the image's or the size's pointer is null");
  struct syclze__writer writer = syclze__writer_of(buffer, size);
  bool is_written = form == SYCLZE_SYMBOL_FORM_BINARY ? syclze__symbols_put_binary(image, &writer)
                                                      : syclze__symbols_put_text(image, &writer);
  if (!is_written)
    return syclze__fail(SYCLZE_RESULT_ERROR_INVALID, "syclze_symbols_write",
        "symbol table: a name has a line break or a NUL, or the names are too many",
        image->bytes.data);
  return syclze__writer_end(&writer, size, "syclze_symbols_write");
}

#endif

SYCLZE_EXTERN_C_END

#endif
