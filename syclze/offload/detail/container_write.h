/* Writing of Offload Binaries. */
#ifndef SYCLZE_OFFLOAD_DETAIL_CONTAINER_WRITE_H
#define SYCLZE_OFFLOAD_DETAIL_CONTAINER_WRITE_H

#include "../container.h"
#include "buffer_writer.h"

SYCLZE_EXTERN_C_BEGIN

/* Offsets of the parts of a blob from its first byte. */
struct syclze__container_layout {
  uint64_t entries, records, texts, images, size;
};

#if SYCLZE__BODIES

SYCLZE_LOCAL struct syclze__status syclze__container_lay_out(uint32_t version,
    const syclze_offload_image *images, size_t count, struct syclze__container_layout *layout) {
  uint64_t stride = version == 1 ? SYCLZE__CONTAINER_RECORD_V1 : SYCLZE__CONTAINER_RECORD_V2;
  uint64_t records = 0, texts = 0, bytes = 0;
  syclze_offload_string string;
  for (size_t i = 0; i < count; i++) {
    for (size_t s = 0; syclze_offload_image_string_at(&images[i], s, &string); s++) {
      if (string.key.size == 0 || memchr(string.key.data, 0, string.key.size) != NULL)
        return syclze__invalid("Offload Binary: a key is empty or holds a NUL");
      if (version == 1 && string.value.size != 0 &&
          memchr(string.value.data, 0, string.value.size) != NULL)
        return syclze__unsupported("Offload Binary: version 1 has no values with a NUL");
      records++;
      texts += string.key.size + 1 + string.value.size + 1;
    }
    if (images[i].bytes.size > SIZE_MAX / 2 - bytes)
      return syclze__invalid("Offload Binary: the images are larger than memory");
    bytes += syclze__align8(images[i].bytes.size);
  }
  layout->entries = version == 3 ? SYCLZE__CONTAINER_HEADER_V3 : SYCLZE__CONTAINER_HEADER_V1;
  layout->records = layout->entries + (uint64_t)SYCLZE__CONTAINER_ENTRY * count;
  layout->texts = layout->records + stride * records;
  layout->images = syclze__align8(layout->texts + texts);
  layout->size = layout->images + bytes;
  return syclze__allowed();
}

SYCLZE_LOCAL void syclze__container_put_entries(struct syclze__writer *writer, uint32_t version,
    const syclze_offload_image *images, size_t count,
    const struct syclze__container_layout *layout) {
  uint64_t stride = version == 1 ? SYCLZE__CONTAINER_RECORD_V1 : SYCLZE__CONTAINER_RECORD_V2;
  uint64_t record = layout->records, image = layout->images, text = layout->texts;
  syclze_offload_string string;
  for (size_t i = 0; i < count; i++) {
    syclze__writer_put_u16(writer, images[i].image_kind);
    syclze__writer_put_u16(writer, images[i].offload_kind);
    syclze__writer_put_u32(writer, images[i].flags);
    syclze__writer_put_u64(writer, record);
    syclze__writer_put_u64(writer, images[i].strings.count);
    syclze__writer_put_u64(writer, image);
    syclze__writer_put_u64(writer, images[i].bytes.size);
    record += stride * images[i].strings.count;
    image += syclze__align8(images[i].bytes.size);
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t s = 0; syclze_offload_image_string_at(&images[i], s, &string); s++) {
      syclze__writer_put_u64(writer, text);
      syclze__writer_put_u64(writer, text + string.key.size + 1);
      if (version != 1) syclze__writer_put_u64(writer, string.value.size);
      text += string.key.size + 1 + string.value.size + 1;
    }
  }
}

SYCLZE_LOCAL struct syclze__status syclze__container_put_blob(struct syclze__writer *writer,
    uint32_t version, const syclze_offload_image *images, size_t count) {
  struct syclze__container_layout layout;
  struct syclze__status status = syclze__container_lay_out(version, images, count, &layout);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze__writer_put_u32(writer, SYCLZE__CONTAINER_MAGIC);
  syclze__writer_put_u32(writer, version);
  syclze__writer_put_u64(writer, layout.size);
  syclze__writer_put_u64(writer, layout.entries);
  syclze__writer_put_u64(writer, version == 1 ? (uint64_t)SYCLZE__CONTAINER_ENTRY : count);
  if (version == 3) syclze__writer_put_u64(writer, 0); /* not compressed */
  syclze__container_put_entries(writer, version, images, count, &layout);
  syclze_offload_string string;
  for (size_t i = 0; i < count; i++) {
    for (size_t s = 0; syclze_offload_image_string_at(&images[i], s, &string); s++) {
      syclze__writer_put_text(writer, string.key);
      syclze__writer_put_zeros(writer, 1);
      syclze__writer_put(writer, string.value.data, string.value.size);
      syclze__writer_put_zeros(writer, 1);
    }
  }
  syclze__writer_pad(writer);
  for (size_t i = 0; i < count; i++) {
    syclze__writer_put(writer, images[i].bytes.data, images[i].bytes.size);
    syclze__writer_pad(writer);
  }
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_container_write(uint32_t version, const syclze_offload_image *images,
    size_t count, void *buffer, size_t *size) {
  if (size == NULL || (images == NULL && count != 0))
    return syclze__fail_pointer(
        "syclze_container_write", "the images' or the size's pointer is null");
  struct syclze__status status = syclze__allowed();
  if (version < 1 || version > 3)
    status = syclze__unsupported("Offload Binary: versions 1 to 3 are written");
  struct syclze__writer writer = syclze__writer_of(buffer, size);
  size_t in_blob = version == 1 ? 1 : count;
  for (size_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i += in_blob)
    status = syclze__container_put_blob(&writer, version, &images[i], in_blob);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, "syclze_container_write", NULL);
  return syclze__writer_end(&writer, size, "syclze_container_write");
}

#endif

SYCLZE_EXTERN_C_END

#endif
