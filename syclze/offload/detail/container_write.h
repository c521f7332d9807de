/* Writing Offload Binaries that LLVM's tools read back.
 *
 *     syclze_offload_string triple = {syclze_text_of("triple"), syclze_bytes_of("spirv64", 7)};
 *     syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(file, file_size));
 *     image.offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
 *     syclze_offload_image_set_strings(&image, &triple, 1);
 *     size_t size = 0;
 *     if (syclze_container_write(1, &image, 1, NULL, &size) == ZE_RESULT_SUCCESS)
 *       printf("a container of %zu bytes\n", size);
 *
 * Version 1, which every reader knows, is a blob for each image; version 2, for readers since
 * clang 23, is one blob, and allows binary values and entries without an image. Every image begins
 * at a multiple of 8. Nothing is allocated, and nothing is kept. */
#ifndef SYCLZE_OFFLOAD_CONTAINER_WRITE_H
#define SYCLZE_OFFLOAD_CONTAINER_WRITE_H

#include "../container.h"
#include "buffer_writer.h"

SYCLZE_EXTERN_C_BEGIN

/* Writes the images with their tags and strings, wherever those come from, into `*size` bytes at
 * most, and sets `*size` to the container's size, a multiple of 8; null for `buffer` only does
 * that. No images make a container of no bytes. Errors: ZE_RESULT_ERROR_INVALID_NULL_POINTER;
 * ZE_RESULT_ERROR_INVALID_SIZE; SYCLZE_RESULT_ERROR_INVALID for a key that is empty or holds a NUL,
 * and for an image larger than it can be; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED for another
 * version, and for a value with a NUL in version 1. */
SYCLZE_COLD ze_result_t syclze_container_write(uint32_t version, const syclze_offload_image *images,
    size_t count, void *buffer, size_t *size) SYCLZE_LINK_NAME(syclze_container_write);

/* Where the parts of a blob begin, from the blob's first byte on. */
struct syclze__container_layout {
  uint64_t records, texts, images, size;
};

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
  layout->records = SYCLZE__CONTAINER_HEADER_V1 + (uint64_t)SYCLZE__CONTAINER_ENTRY * count;
  layout->texts = layout->records + stride * records;
  layout->images = syclze__align8(layout->texts + texts);
  layout->size = layout->images + bytes;
  return syclze__allowed();
}

SYCLZE_LOCAL void syclze__container_put_entries(struct syclze__sink *sink, uint32_t version,
    const syclze_offload_image *images, size_t count,
    const struct syclze__container_layout *layout) {
  uint64_t stride = version == 1 ? SYCLZE__CONTAINER_RECORD_V1 : SYCLZE__CONTAINER_RECORD_V2;
  uint64_t record = layout->records, image = layout->images, text = layout->texts;
  syclze_offload_string string;
  for (size_t i = 0; i < count; i++) {
    syclze__sink_put_u16(sink, images[i].image_kind);
    syclze__sink_put_u16(sink, images[i].offload_kind);
    syclze__sink_put_u32(sink, images[i].flags);
    syclze__sink_put_u64(sink, record);
    syclze__sink_put_u64(sink, images[i].strings.count);
    syclze__sink_put_u64(sink, image);
    syclze__sink_put_u64(sink, images[i].bytes.size);
    record += stride * images[i].strings.count;
    image += syclze__align8(images[i].bytes.size);
  }
  for (size_t i = 0; i < count; i++) {
    for (size_t s = 0; syclze_offload_image_string_at(&images[i], s, &string); s++) {
      syclze__sink_put_u64(sink, text);
      syclze__sink_put_u64(sink, text + string.key.size + 1);
      if (version != 1) syclze__sink_put_u64(sink, string.value.size);
      text += string.key.size + 1 + string.value.size + 1;
    }
  }
}

SYCLZE_LOCAL struct syclze__status syclze__container_put_blob(
    struct syclze__sink *sink, uint32_t version, const syclze_offload_image *images, size_t count) {
  struct syclze__container_layout layout;
  struct syclze__status status = syclze__container_lay_out(version, images, count, &layout);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  syclze__sink_put_u32(sink, SYCLZE__CONTAINER_MAGIC);
  syclze__sink_put_u32(sink, version);
  syclze__sink_put_u64(sink, layout.size);
  syclze__sink_put_u64(sink, SYCLZE__CONTAINER_HEADER_V1);
  syclze__sink_put_u64(sink, version == 1 ? (uint64_t)SYCLZE__CONTAINER_ENTRY : count);
  syclze__container_put_entries(sink, version, images, count, &layout);
  syclze_offload_string string;
  for (size_t i = 0; i < count; i++) {
    for (size_t s = 0; syclze_offload_image_string_at(&images[i], s, &string); s++) {
      syclze__sink_put_text(sink, string.key);
      syclze__sink_put_zeros(sink, 1);
      syclze__sink_put(sink, string.value.data, string.value.size);
      syclze__sink_put_zeros(sink, 1);
    }
  }
  syclze__sink_pad(sink);
  for (size_t i = 0; i < count; i++) {
    syclze__sink_put(sink, images[i].bytes.data, images[i].bytes.size);
    syclze__sink_pad(sink);
  }
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_container_write(uint32_t version, const syclze_offload_image *images,
    size_t count, void *buffer, size_t *size) {
  static const char *const function = "syclze_container_write";
  if (size == NULL || (images == NULL && count != 0))
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the images' or the size's pointer is null", NULL);
  struct syclze__status status = syclze__allowed();
  if (version != 1 && version != 2)
    status = syclze__unsupported("Offload Binary: only versions 1 and 2 are written");
  struct syclze__sink sink = syclze__sink_of(buffer, size);
  size_t in_blob = version == 1 ? 1 : count;
  for (size_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i += in_blob)
    status = syclze__container_put_blob(&sink, version, &images[i], in_blob);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  return syclze__sink_end(&sink, size, function);
}

SYCLZE_EXTERN_C_END

#endif
