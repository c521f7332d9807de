/* The reader of Offload Binaries. Look-ups are in container_index.h, writing in container_write.h.
 */
#ifndef SYCLZE_OFFLOAD_DETAIL_CONTAINER_H
#define SYCLZE_OFFLOAD_DETAIL_CONTAINER_H

#include "../container.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__CONTAINER_HEADER_V1 = 32, /* also of version 2 */
  SYCLZE__CONTAINER_HEADER_V3 = 40,
  SYCLZE__CONTAINER_ENTRY = 40,
  SYCLZE__CONTAINER_RECORD_V1 = 16,
  SYCLZE__CONTAINER_RECORD_V2 = 24
};

SYCLZE_INLINE syclze_container_cursor syclze_container_begin(syclze_bytes bytes) {
  SYCLZE__ZEROED(syclze_container_cursor, cursor);
  cursor.bytes = bytes;
  return cursor;
}

#if SYCLZE__BODIES

#define SYCLZE__CONTAINER_MAGIC 0xad10ff10u

/* The offset of the first byte at or after `offset`, a multiple of 8, that is not part of a zero
 * word; the size without one. */
SYCLZE_LOCAL_WARM size_t syclze__skip_zeros(syclze_bytes bytes, size_t offset) {
  static const uint8_t zeros[8] = {0};
  while (offset < bytes.size) {
    size_t length = bytes.size - offset < 8 ? bytes.size - offset : 8;
    if (memcmp((const uint8_t *)bytes.data + offset, zeros, length) != 0) return offset;
    offset += length;
  }
  return bytes.size;
}

/* Reads the header of the blob that begins at `offset`, which is a multiple of 8 within the bytes.
 */
SYCLZE_LOCAL struct syclze__status syclze__container_header(
    syclze_bytes bytes, size_t offset, struct syclze__container_blob *blob) {
  const uint8_t *base = (const uint8_t *)bytes.data + offset;
  uint64_t available = bytes.size - offset;
  memset(blob, 0, sizeof *blob);
  blob->base = base;
  if (available < 8 || syclze__load_u32(base) != SYCLZE__CONTAINER_MAGIC)
    return syclze__invalid("Offload Binary: no magic number where a blob should begin");
  blob->version = syclze__load_u32(base + 4);
  if (blob->version == 0) return syclze__invalid("Offload Binary: versions begin with 1");
  if (blob->version > 3) return syclze__unsupported("Offload Binary: the version is not 1, 2 or 3");
  uint64_t header = blob->version < 3 ? SYCLZE__CONTAINER_HEADER_V1 : SYCLZE__CONTAINER_HEADER_V3;
  if (available < header) return syclze__invalid("Offload Binary: the bytes end within a header");
  blob->size = syclze__load_u64(base + 8);
  if (blob->size < header || blob->size > available)
    return syclze__invalid(
        "Offload Binary: a blob is smaller than its header or ends past the bytes");
  blob->entries = syclze__load_u64(base + 16);
  blob->entry_count = blob->version == 1 ? 1 : syclze__load_u64(base + 24);
  if (blob->entries < header || blob->entries > blob->size)
    return syclze__invalid("Offload Binary: the entries stand outside of their blob");
  if (blob->version == 3) blob->inflated_size = syclze__load_u64(base + 32);
  if (blob->inflated_size != 0) return syclze__allowed();
  if (blob->version == 1 && syclze__load_u64(base + 24) < SYCLZE__CONTAINER_ENTRY)
    return syclze__invalid("Offload Binary: the entry of version 1 is too small");
  if (blob->entry_count > (blob->size - blob->entries) / SYCLZE__CONTAINER_ENTRY)
    return syclze__invalid("Offload Binary: the entries end past their blob");
  for (blob->terminated = blob->size; blob->terminated > 0; blob->terminated--)
    if (base[blob->terminated - 1] == 0) break;
  return syclze__allowed();
}

/* The offset at which the next blob may begin: after this one, which is padded to 8 bytes unless it
 * is the last.
 */
SYCLZE_INLINE size_t syclze__container_after(
    syclze_bytes bytes, size_t offset, const struct syclze__container_blob *blob) {
  size_t end = offset + (size_t)blob->size, padding = (0 - end) % 8;
  return padding < bytes.size - end ? end + padding : bytes.size;
}

/* True if the record's key and value lie within the blob. */
SYCLZE_INLINE bool syclze__container_record_fits(
    const struct syclze__container_blob *blob, const uint8_t *record) {
  if (syclze__load_u64(record) >= blob->terminated) return false;
  uint64_t value = syclze__load_u64(record + 8);
  return blob->version == 1 ? value < blob->terminated
                            : syclze__within(blob->size, value, syclze__load_u64(record + 16));
}

SYCLZE_LOCAL struct syclze__status syclze__container_entry(
    const struct syclze__container_blob *blob, uint64_t index, struct syclze__container_used *used,
    syclze_offload_image *image) {
  const uint8_t *entry = blob->base + blob->entries + SYCLZE__CONTAINER_ENTRY * index;
  uint64_t stride = blob->version == 1 ? SYCLZE__CONTAINER_RECORD_V1 : SYCLZE__CONTAINER_RECORD_V2;
  uint64_t records = syclze__load_u64(entry + 8), count = syclze__load_u64(entry + 16);
  uint64_t offset = syclze__load_u64(entry + 24), size = syclze__load_u64(entry + 32);
  memset(image, 0, sizeof *image);
  image->image_kind = syclze__load_u16(entry);
  image->offload_kind = syclze__load_u16(entry + 2);
  image->flags = syclze__load_u32(entry + 4);

  if (records > blob->size || count > (blob->size - records) / stride)
    return syclze__invalid("Offload Binary: an entry's strings end past their blob");
  used->records += count;
  if (used->records > blob->size / stride)
    return syclze__invalid("Offload Binary: entries share their strings' records");
  for (uint64_t i = 0; i < count; i++) {
    const uint8_t *record = blob->base + records + stride * i;
    if (!syclze__container_record_fits(blob, record))
      return syclze__invalid("Offload Binary: a key or a value ends past its blob");
    used->texts += strlen((const char *)blob->base + syclze__load_u64(record));
    used->texts += blob->version == 1
                       ? strlen((const char *)blob->base + syclze__load_u64(record + 8))
                       : syclze__load_u64(record + 16);
    if (used->texts / 16 > blob->size)
      return syclze__invalid("Offload Binary: too many strings share their texts");
  }
  image->strings.base = blob->base;
  image->strings.offset = records;
  image->strings.count = (size_t)count;
  image->strings.source =
      blob->version == 1 ? SYCLZE__STRINGS_RECORDS_V1 : SYCLZE__STRINGS_RECORDS_V2;

  if (blob->version > 1 && (image->flags & SYCLZE_OFFLOAD_FLAG_METADATA_ONLY) != 0)
    return syclze__allowed();
  if (!syclze__within(blob->size, offset, size))
    return syclze__invalid("Offload Binary: an image ends past its blob");
  image->bytes = syclze_bytes_of(blob->base + offset, (size_t)size);
  return syclze__allowed();
}

/* syclze_container_next without a diagnostic: locks may be held. */
SYCLZE_LOCAL bool syclze__container_step(
    syclze_container_cursor *cursor, syclze_offload_image *image) {
  memset(image, 0, sizeof *image);
  if (cursor->result != ZE_RESULT_SUCCESS) return false;
  struct syclze__status status = syclze__allowed();
  while (cursor->entry == cursor->blob.entry_count) {
    size_t offset = syclze__skip_zeros(cursor->bytes, cursor->next_offset);
    cursor->next_offset = offset;
    if (offset == cursor->bytes.size) return false;
    status = syclze__container_header(cursor->bytes, offset, &cursor->blob);
    if (status.result == ZE_RESULT_SUCCESS && cursor->blob.inflated_size != 0)
      status = syclze__unsupported(
          "Offload Binary: a blob is compressed; syclze_container_inflate unpacks it");
    if (status.result != ZE_RESULT_SUCCESS) break;
    cursor->blob_offset = offset;
    cursor->version = cursor->blob.version;
    cursor->next_offset = syclze__container_after(cursor->bytes, offset, &cursor->blob);
    cursor->entry = 0;
    memset(&cursor->used, 0, sizeof cursor->used);
  }
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__container_entry(&cursor->blob, cursor->entry++, &cursor->used, image);
  if (status.result == ZE_RESULT_SUCCESS) return true;
  memset(image, 0, sizeof *image);
  cursor->rule = status.rule;
  cursor->result = status.result;
  return false;
}

SYCLZE_COLD bool syclze_container_next(
    syclze_container_cursor *cursor, syclze_offload_image *image) {
  const bool had_failed = cursor->result != ZE_RESULT_SUCCESS;
  if (syclze__container_step(cursor, image)) return true;
  if (cursor->result != ZE_RESULT_SUCCESS && !had_failed)
    syclze__fail(cursor->result, "syclze_container_next", cursor->rule, NULL);
  return false;
}

#endif

SYCLZE_EXTERN_C_END

#include "container_index.h"
#include "container_write.h"

#endif
