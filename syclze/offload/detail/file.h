/* Bodies of file.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_FILE_H
#define SYCLZE_OFFLOAD_DETAIL_FILE_H

#include "../file.h"
#include "bundle_file.h"
#include "file_memory.h"
#include "file_inflate.h"
#include "file_piece.h"
#include "syclbin.h"
#include "wrapped_images.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE syclze_offload_file_cursor syclze_offload_file_begin(syclze_bytes bytes) {
  SYCLZE__ZEROED(syclze_offload_file_cursor, cursor);
  cursor.bytes = bytes;
  cursor.place = "file";
  return cursor;
}

SYCLZE_INLINE void syclze_offload_file_end(syclze_offload_file_cursor *cursor) {
  if (cursor->memory != NULL) syclze__file_memory_release(cursor->memory);
  cursor->memory = NULL;
}

/* A cursor over the pieces of one section, which is in memory. */
SYCLZE_INLINE syclze_offload_file_cursor syclze__offload_file_begin_section(
    syclze_bytes section, const char *name) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(section);
  cursor.begun = true;
  cursor.place = name;
  cursor.pieces = section;
  return cursor;
}

#if SYCLZE__BODIES

SYCLZE_INLINE bool syclze__holds_offloading(const syclze_elf_section *section) {
  return section->type == SYCLZE_ELF_SECTION_LLVM_OFFLOADING ||
         strcmp(section->name, ".llvm.offloading") == 0 ||
         strcmp(section->name, "sycl_images") == 0;
}

/* True for a section of clang-offload-bundler's fat object with images for a target other than the
 * host. */
SYCLZE_INLINE bool syclze__holds_bundle(const syclze_elf_section *section) {
  static const char prefix[] = "__CLANG_OFFLOAD_BUNDLE__sycl-";
  return section->bytes.size > 1 && strncmp(section->name, prefix, sizeof prefix - 1) == 0;
}

/* True for a section of device images. Programs keep eight bytes of a name. */
SYCLZE_INLINE bool syclze__coff_holds_offloading(const syclze_coff_section *section) {
  return syclze_text_is(section->name, ".llvm.offloading") ||
         syclze_text_is(section->name, ".llvm.of");
}

/* Begins to read an ELF file: the images that descriptors describe come first. */
SYCLZE_LOCAL struct syclze__status syclze__offload_file_enter_elf(
    syclze_offload_file_cursor *cursor, syclze_bytes bytes) {
  struct syclze__status status = syclze__elf_read(bytes, &cursor->elf);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  cursor->next_image = 0;
  status = syclze__wrapped_images_read(
      &cursor->elf, &cursor->memory, &cursor->images, &cursor->image_count, &cursor->place);
  cursor->has_wrapped_images = cursor->image_count != 0;
  return status;
}

/* Begins to read an object, a container or an image. */
SYCLZE_LOCAL struct syclze__status syclze__offload_file_enter(
    syclze_offload_file_cursor *cursor, syclze_bytes bytes) {
  memset(&cursor->elf, 0, sizeof cursor->elf);
  memset(&cursor->coff, 0, sizeof cursor->coff);
  cursor->next_section = 0;
  cursor->has_wrapped_images = cursor->has_images = false;
  cursor->state = SYCLZE_SYCLBIN_STATE_UNKNOWN;
  syclze_offload_format format = syclze_offload_format_of(bytes);
  if (format == SYCLZE_OFFLOAD_FORMAT_ELF) return syclze__offload_file_enter_elf(cursor, bytes);
  cursor->place = "file";
  if (format == SYCLZE_OFFLOAD_FORMAT_UNKNOWN) {
    if (syclze__is_coff(bytes)) return syclze__coff_read(bytes, &cursor->coff);
    if (syclze__is_bundle_file(bytes))
      return syclze__bundle_file_read(
          bytes, &cursor->memory, &cursor->images, &cursor->image_count);
    return syclze__invalid("the file is no device image, nor anything that holds one");
  }
  cursor->pieces = bytes;
  cursor->next_piece = 0;
  return syclze__allowed();
}

/* True if an archive holds code for devices: such an archive is one image. A member may have a name
 * like ocloc's and be a host's object. */
SYCLZE_LOCAL bool syclze__is_fat_archive(syclze_bytes bytes) {
  syclze_archive_cursor cursor = syclze_archive_begin(bytes);
  syclze_archive_member member;
  while (syclze__archive_step(&cursor, &member)) {
    bool is_object = syclze_offload_format_of(member.bytes) == SYCLZE_OFFLOAD_FORMAT_ELF ||
                     syclze__is_coff(member.bytes);
    if (!is_object && (member.is_generic_ir || member.pointer_bits != 0)) return true;
  }
  return false;
}

SYCLZE_LOCAL struct syclze__status syclze__offload_file_start(syclze_offload_file_cursor *cursor) {
  cursor->begun = true;
  if (syclze_offload_format_of(cursor->bytes) == SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE &&
      !syclze__is_fat_archive(cursor->bytes)) {
    cursor->in_archive = true;
    cursor->archive = syclze_archive_begin(cursor->bytes);
    return syclze__allowed();
  }
  return syclze__offload_file_enter(cursor, cursor->bytes);
}

/* Begins to read a section of device images. Overlapping sections could hold more than can be read
 * in reasonable time. */
SYCLZE_LOCAL struct syclze__status syclze__offload_file_enter_section(
    syclze_offload_file_cursor *cursor, const char *name, syclze_bytes bytes) {
  cursor->place = name;
  cursor->pieces = bytes;
  cursor->next_piece = 0;
  cursor->section_bytes += bytes.size;
  if (cursor->section_bytes > cursor->bytes.size)
    return syclze__invalid("sections of device images overlap");
  return syclze__allowed();
}

/* Finds more to read: the next section, or the next object of an archive. Members that are not
 * objects are skipped. False at the end and on an error. */
SYCLZE_LOCAL bool syclze__offload_file_advance(
    syclze_offload_file_cursor *cursor, struct syclze__status *status) {
  syclze_elf_section section;
  while (syclze_elf_section_at(&cursor->elf, cursor->next_section, &section)) {
    cursor->next_section++;
    bool is_bundle = !cursor->has_wrapped_images && syclze__holds_bundle(&section);
    if (!is_bundle && !syclze__holds_offloading(&section)) continue;
    *status = syclze__offload_file_enter_section(cursor, section.name, section.bytes);
    if ((section.flags & SYCLZE_ELF_FLAG_COMPRESSED) != 0)
      *status = syclze__unsupported("ELF: a section of device images is compressed");
    return status->result == ZE_RESULT_SUCCESS;
  }
  if (!cursor->has_images && syclze__registers_images(&cursor->elf)) {
    *status = syclze__invalid("the file registers device images, and holds none that are known");
    return false;
  }
  syclze_coff_section coff_section;
  while (syclze_coff_section_at(&cursor->coff, cursor->next_section, &coff_section)) {
    cursor->next_section++;
    if (!syclze__coff_holds_offloading(&coff_section)) continue;
    *status = syclze__offload_file_enter_section(cursor, ".llvm.offloading", coff_section.bytes);
    return status->result == ZE_RESULT_SUCCESS;
  }
  syclze_archive_member member;
  while (cursor->in_archive && syclze__archive_step(&cursor->archive, &member)) {
    if (syclze_offload_format_of(member.bytes) != SYCLZE_OFFLOAD_FORMAT_ELF &&
        !syclze__is_coff(member.bytes))
      continue;
    *status = syclze__offload_file_enter(cursor, member.bytes);
    return status->result == ZE_RESULT_SUCCESS;
  }
  if (cursor->in_archive) *status = syclze__status_of(cursor->archive.result, cursor->archive.rule);
  return false;
}

/* True if compressed bytes are passed on as they are: their library is missing, or they are
 * malformed. */
SYCLZE_INLINE bool syclze__stays_compressed(const struct syclze__status *status) {
  return status->result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED ||
         status->result == SYCLZE_RESULT_ERROR_INVALID;
}

/* Completes an image that was found. `is_image` is set to false for an image that holds others,
 * which are next, and for metadata. */
SYCLZE_LOCAL struct syclze__status syclze__offload_file_finish(
    syclze_offload_file_cursor *cursor, syclze_offload_image *image, bool *is_image) {
  enum syclze__syclbin_role role;
  *is_image = cursor->has_images = true;
  /* The descriptor shows that the image is not compressed: its pages are not read. */
  if ((image->flags & SYCLZE__FLAG_PLAIN) != 0) {
    image->flags &= ~SYCLZE__FLAG_PLAIN;
    return syclze__allowed();
  }
  struct syclze__status status = syclze__syclbin_entry(cursor, image, &role);
  *is_image = role != SYCLZE__SYCLBIN_METADATA;
  if (status.result != ZE_RESULT_SUCCESS || !*is_image) return status;
  if (syclze_offload_format_of(image->bytes) == SYCLZE_OFFLOAD_FORMAT_COMPRESSED)
    status = syclze__file_inflate(cursor, syclze__image_inflate, &image->bytes);
  if (syclze__stays_compressed(&status)) return syclze__allowed();
  if (status.result == ZE_RESULT_SUCCESS &&
      syclze_offload_format_of(image->bytes) == SYCLZE_OFFLOAD_FORMAT_SYCLBIN) {
    *is_image = false;
    cursor->next_image = 0;
    status = syclze__syclbin_read(
        image->bytes, &cursor->memory, &cursor->images, &cursor->image_count, &cursor->state);
  }
  return status;
}

/* Finds the next image, or the next container or metadata of images; false at the end and on an
 * error. */
SYCLZE_LOCAL bool syclze__offload_file_step(syclze_offload_file_cursor *cursor,
    syclze_offload_image *image, struct syclze__status *status) {
  while (status->result == ZE_RESULT_SUCCESS) {
    syclze_bytes piece;
    if (cursor->next_image < cursor->image_count) {
      *image = cursor->images[cursor->next_image++];
      return true;
    }
    if (syclze__container_step(&cursor->container, image)) return true;
    *status = syclze__status_of(cursor->container.result, cursor->container.rule);
    if (status->result != ZE_RESULT_SUCCESS) break;
    *status = syclze__offload_next_piece(cursor, &piece);
    if (status->result != ZE_RESULT_SUCCESS) break;
    if (piece.size == 0) {
      if (!syclze__offload_file_advance(cursor, status)) return false;
    } else if (syclze_offload_format_of(piece) == SYCLZE_OFFLOAD_FORMAT_CONTAINER) {
      *status = syclze__file_inflate_container(cursor, &piece);
      if (syclze__stays_compressed(status)) {
        *status = syclze__allowed();
        *image = syclze_offload_image_of(piece);
        return true;
      }
      cursor->container = syclze_container_begin(piece);
    } else {
      *image = syclze_offload_image_of(piece);
      return true;
    }
  }
  return false;
}

/* syclze_offload_file_next without a diagnostic: locks may be held. */
SYCLZE_LOCAL bool syclze__offload_file_read(
    syclze_offload_file_cursor *cursor, syclze_offload_image *image) {
  struct syclze__status status = syclze__allowed();
  memset(image, 0, sizeof *image);
  if (cursor->result != ZE_RESULT_SUCCESS) return false;
  if (!cursor->begun) status = syclze__offload_file_start(cursor);
  while (syclze__offload_file_step(cursor, image, &status)) {
    bool is_image = true;
    status = syclze__offload_file_finish(cursor, image, &is_image);
    if (status.result == ZE_RESULT_SUCCESS && is_image) return true;
  }
  memset(image, 0, sizeof *image);
  cursor->rule = status.rule;
  cursor->result = status.result;
  return false;
}

SYCLZE_COLD bool syclze_offload_file_next(
    syclze_offload_file_cursor *cursor, syclze_offload_image *image) {
  const bool had_failed = cursor->result != ZE_RESULT_SUCCESS;
  if (syclze__offload_file_read(cursor, image)) return true;
  if (cursor->result != ZE_RESULT_SUCCESS && !had_failed)
    syclze__fail(cursor->result, "syclze_offload_file_next", cursor->rule, NULL);
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#endif
