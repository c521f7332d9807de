/* DPC++'s SYCLBIN: abstract modules, each with property sets, modules of an intermediate language
 * and native images. Version 1 is a file of its own; version 2 is an Offload Binary whose entries
 * have roles. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SYCLBIN_H
#define SYCLZE_OFFLOAD_DETAIL_SYCLBIN_H

#include "../property_set.h"
#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum {
  SYCLZE__SYCLBIN_HEADER = 56,
  SYCLZE__SYCLBIN_MODULE = 32, /* of each of the three lists of headers */
  SYCLZE__SYCLBIN_STRINGS = 2,
  SYCLZE__SYCLBIN_OWN = 4096 /* most bytes of an image's own metadata: images may share them */
};

/* A SYCLBIN file of version 1 whose lists and tables lie within it. */
struct syclze__syclbin {
  const uint8_t *modules, *irs, *natives;
  uint32_t module_count, ir_count, native_count;
  syclze_bytes metadata, binaries, global; /* the last: of the file's own metadata */
};

/* The bytes at the offset, and of the size, that `fields` contains, in a table. */
SYCLZE_INLINE bool syclze__syclbin_part(
    syclze_bytes table, const uint8_t *fields, syclze_bytes *part) {
  uint64_t offset = syclze__load_u64(fields), size = syclze__load_u64(fields + 8);
  if (!syclze__within(table.size, offset, size)) return false;
  *part = syclze_bytes_of((const uint8_t *)table.data + offset, (size_t)size);
  return true;
}

SYCLZE_LOCAL struct syclze__status syclze__syclbin_open(
    syclze_bytes bytes, struct syclze__syclbin *file) {
  const uint8_t *header = (const uint8_t *)bytes.data;
  if (bytes.size < SYCLZE__SYCLBIN_HEADER)
    return syclze__invalid("SYCLBIN: the file ends within its header");
  if (syclze__load_u32(header + 4) != 1)
    return syclze__unsupported("SYCLBIN: the version is not 1");
  file->module_count = syclze__load_u32(header + 8);
  file->ir_count = syclze__load_u32(header + 12);
  file->native_count = syclze__load_u32(header + 16);
  uint64_t metadata_size = syclze__load_u64(header + 24), size = syclze__load_u64(header + 32);
  uint64_t headers = (uint64_t)SYCLZE__SYCLBIN_MODULE * file->module_count +
                     (uint64_t)SYCLZE__SYCLBIN_MODULE * file->ir_count +
                     (uint64_t)SYCLZE__SYCLBIN_MODULE * file->native_count;
  uint64_t metadata = SYCLZE__SYCLBIN_HEADER + headers;
  if (!syclze__within(bytes.size, metadata, metadata_size))
    return syclze__invalid("SYCLBIN: headers or metadata end past the file");
  uint64_t binaries = (metadata + metadata_size + 7) & ~(uint64_t)7;
  if (!syclze__within(bytes.size, binaries, size))
    return syclze__invalid("SYCLBIN: the binaries end past the file");
  file->modules = header + SYCLZE__SYCLBIN_HEADER;
  file->irs = file->modules + (size_t)SYCLZE__SYCLBIN_MODULE * file->module_count;
  file->natives = file->irs + (size_t)SYCLZE__SYCLBIN_MODULE * file->ir_count;
  file->metadata = syclze_bytes_of(header + metadata, (size_t)metadata_size);
  file->binaries = syclze_bytes_of(header + binaries, (size_t)size);
  if (!syclze__syclbin_part(file->metadata, header + 40, &file->global))
    return syclze__invalid("SYCLBIN: the file's metadata end past their table");
  return syclze__allowed();
}

/* The state in the global metadata; unknown if they have none, or cannot be read. */
SYCLZE_LOCAL syclze_syclbin_state syclze__syclbin_state(syclze_bytes metadata) {
  syclze_offload_image own = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_property_sets sets = {NULL};
  uint32_t state = UINT32_MAX;
  own.property_text = metadata;
  if (syclze__property_sets_open(&own, &sets).result == ZE_RESULT_SUCCESS)
    syclze_property_get_u32(sets, "SYCLBIN/global metadata", "state", &state);
  syclze_property_sets_close(sets);
  return state <= 2 ? (syclze_syclbin_state)(state + SYCLZE_SYCLBIN_STATE_INPUT)
                    : SYCLZE_SYCLBIN_STATE_UNKNOWN;
}

/* Reads the strings of an image, from the only property set of its own metadata. */
SYCLZE_LOCAL struct syclze__status syclze__syclbin_strings(
    struct syclze__file_memory **memory, syclze_bytes metadata, syclze_offload_image *image) {
  static const char *const keys[SYCLZE__SYCLBIN_STRINGS][2] = {
      {"target", "triple"}, {"arch", "arch"}};
  syclze_offload_image own = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  syclze_property_sets sets = {NULL};
  size_t count = 0;
  if (metadata.size > SYCLZE__SYCLBIN_OWN)
    return syclze__unsupported("SYCLBIN: the metadata of an image is longer than 4096 bytes");
  own.property_text = metadata;
  const ze_result_t result = syclze__property_sets_open(&own, &sets).result;
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "SYCLBIN: the metadata of an image cannot be read");
  syclze_offload_string *strings = (syclze_offload_string *)syclze__file_allocate(
      memory, SYCLZE__SYCLBIN_STRINGS * sizeof *strings + (uint64_t)metadata.size);
  char *texts = (char *)(strings + SYCLZE__SYCLBIN_STRINGS);
  for (size_t i = 0; strings != NULL && i < syclze_property_count(sets); i++) {
    const syclze_property *property = syclze_property_at(sets, i);
    for (size_t k = 0; k < SYCLZE__SYCLBIN_STRINGS && count < SYCLZE__SYCLBIN_STRINGS; k++) {
      if (!syclze_text_is(property->key, keys[k][0]) ||
          property->type != SYCLZE_PROPERTY_TYPE_BYTES)
        continue;
      /* Digits are longer than their bytes, so that all texts fit. */
      if (property->bytes.size != 0) memcpy(texts, property->bytes.data, property->bytes.size);
      strings[count].key = syclze_text_of(keys[k][1]);
      strings[count].value = syclze_bytes_of(texts, property->bytes.size);
      texts += property->bytes.size;
      count++;
    }
  }
  syclze_property_sets_close(sets);
  if (strings == NULL) return syclze__out_of_memory();
  syclze_offload_image_set_strings(image, strings, count);
  return syclze__allowed();
}

/* A range of a list of headers; the images of all modules may not be more than there are headers,
 * since modules could share them. */
SYCLZE_LOCAL struct syclze__status syclze__syclbin_add(const struct syclze__syclbin *file,
    const uint8_t *range, bool is_native, syclze_bytes metadata,
    struct syclze__file_memory **memory, syclze_offload_image *list, size_t *count) {
  const uint8_t *headers = is_native ? file->natives : file->irs;
  uint32_t total = is_native ? file->native_count : file->ir_count;
  uint32_t images = syclze__load_u32(range), first = syclze__load_u32(range + 4);
  size_t room = (size_t)file->ir_count + file->native_count;
  if (first > total || images > total - first || images > room - *count)
    return syclze__invalid("SYCLBIN: a module must name existing images of its own");
  for (uint32_t i = 0; i < images; i++) {
    const uint8_t *header = headers + (size_t)SYCLZE__SYCLBIN_MODULE * (first + i);
    syclze_bytes own, bytes;
    if (!syclze__syclbin_part(file->metadata, header, &own) ||
        !syclze__syclbin_part(file->binaries, header + 16, &bytes))
      return syclze__invalid("SYCLBIN: an image ends past its table");
    syclze_offload_image image = syclze_offload_image_of(bytes);
    image.offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
    image.property_text = metadata;
    struct syclze__status status = syclze__syclbin_strings(memory, own, &image);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    list[(*count)++] = image;
  }
  return syclze__allowed();
}

/* Lists the images of a file of version 1, in the cursor's memory. */
SYCLZE_LOCAL struct syclze__status syclze__syclbin_read(syclze_bytes bytes,
    struct syclze__file_memory **memory, const syclze_offload_image **list, size_t *count,
    syclze_syclbin_state *state) {
  struct syclze__syclbin file;
  *count = 0;
  struct syclze__status status = syclze__syclbin_open(bytes, &file);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  *state = syclze__syclbin_state(file.global);
  uint64_t room = (uint64_t)file.ir_count + file.native_count;
  syclze_offload_image *images =
      (syclze_offload_image *)syclze__file_allocate(memory, room * sizeof *images);
  if (images == NULL) return syclze__out_of_memory();
  *list = images;
  for (uint32_t i = 0; i < file.module_count && status.result == ZE_RESULT_SUCCESS; i++) {
    const uint8_t *module = file.modules + (size_t)SYCLZE__SYCLBIN_MODULE * i;
    syclze_bytes metadata;
    if (!syclze__syclbin_part(file.metadata, module, &metadata))
      return syclze__invalid("SYCLBIN: a module's metadata end past their table");
    status = syclze__syclbin_add(&file, module + 16, false, metadata, memory, images, count);
    if (status.result == ZE_RESULT_SUCCESS)
      status = syclze__syclbin_add(&file, module + 24, true, metadata, memory, images, count);
  }
  return status;
}

/* The role of an entry of version 2. */
enum syclze__syclbin_role {
  SYCLZE__SYCLBIN_NO_ROLE, /* an image of any other container */
  SYCLZE__SYCLBIN_METADATA,
  SYCLZE__SYCLBIN_IMAGE
};

/* Reads metadata: the file's state, or properties that the images of a module share. */
SYCLZE_LOCAL struct syclze__status syclze__syclbin_metadata(
    syclze_offload_file_cursor *cursor, const syclze_offload_image *image, bool is_global) {
  const syclze_text version = syclze_offload_image_text(image, "sycl_format_version");
  if (version.size != 0 && !syclze_text_is(version, "2"))
    return syclze__unsupported("SYCLBIN: the version is not 2");
  if (is_global) cursor->state = syclze__syclbin_state(image->bytes);
  cursor->module_metadata = is_global ? syclze_bytes_of(NULL, 0) : image->bytes;
  cursor->module_index = syclze_offload_image_text(image, "am_index");
  return syclze__allowed();
}

/* The role of an entry; turns an image's entry into the image, whose module is the one of the
 * metadata before it. */
SYCLZE_LOCAL struct syclze__status syclze__syclbin_entry(syclze_offload_file_cursor *cursor,
    syclze_offload_image *image, enum syclze__syclbin_role *role) {
  const syclze_text name = syclze_offload_image_text(image, "role");
  *role = SYCLZE__SYCLBIN_NO_ROLE;
  if (name.size == 0 || image->image_kind <= SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV)
    return syclze__allowed();
  const bool is_global = syclze_text_is(name, "global_metadata");
  if (is_global || syclze_text_is(name, "am_metadata")) {
    *role = SYCLZE__SYCLBIN_METADATA;
    return syclze__syclbin_metadata(cursor, image, is_global);
  }
  if (!syclze_text_is(name, "ir") && !syclze_text_is(name, "native"))
    return syclze__unsupported("SYCLBIN: an entry of an unknown role");
  if (!syclze_text_equal(syclze_offload_image_text(image, "am_index"), cursor->module_index))
    return syclze__unsupported("SYCLBIN: an image does not follow its module's metadata");
  if (image->bytes.size < 8 ||
      syclze__load_u64((const uint8_t *)image->bytes.data) > image->bytes.size - 8)
    return syclze__invalid("SYCLBIN: an entry ends before its image");
  const uint8_t *own = (const uint8_t *)image->bytes.data + 8;
  const size_t size = (size_t)syclze__load_u64(image->bytes.data);
  *role = SYCLZE__SYCLBIN_IMAGE;
  image->bytes = syclze_bytes_of(own + size, image->bytes.size - 8 - size);
  image->property_text = cursor->module_metadata;
  image->aspect_numbers = SYCLZE_ASPECT_NUMBERS_2026;
  /* An entry's strings only repeat its own metadata. */
  return syclze_offload_image_text(image, "triple").size != 0
             ? syclze__allowed()
             : syclze__syclbin_strings(&cursor->memory, syclze_bytes_of(own, size), image);
}

#endif

SYCLZE_EXTERN_C_END

#endif
