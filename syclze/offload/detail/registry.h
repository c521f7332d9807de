/* Bodies of registry.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_REGISTRY_H
#define SYCLZE_OFFLOAD_DETAIL_REGISTRY_H

#include "../registry.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE ze_result_t syclze_register_embedded(void) {
  syclze_offload_file_cursor cursor = syclze_embedded_images();
  return syclze_offload_set_add_file(syclze_offload_registered(), &cursor, cursor.bytes.data);
}

/* The fields of a descriptor and of its images, in bytes from their beginnings; a pointer has 8. */
enum {
  SYCLZE__DESCRIPTOR_VERSION = 1,
  SYCLZE__DESCRIPTOR_IMAGES = 8,
  SYCLZE__DESCRIPTOR_KIND_DPCPP = 4,
  SYCLZE__DESCRIPTOR_KIND_SYCL = 8,
  SYCLZE__DESCRIPTOR_STRINGS = 8, /* triple, compile options, link options */
  SYCLZE__DESCRIPTOR_BYTES = 32,  /* in the short form; behind the manifest in the long one */
  SYCLZE__DESCRIPTOR_MANIFEST = 16,
  SYCLZE__DESCRIPTOR_SHORT = 80,
  SYCLZE__DESCRIPTOR_LONG = 96,
  SYCLZE__DESCRIPTOR_ENTRY_NEW = 56,
  SYCLZE__DESCRIPTOR_ENTRY_OLD = 32
};

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_register_image(syclze_bytes bytes) {
  return syclze_offload_set_add_bytes(syclze_offload_registered(), bytes, bytes.data);
}

SYCLZE_COLD uint32_t syclze_unregister_image(syclze_bytes bytes) {
  return syclze_offload_set_remove(syclze_offload_registered(), bytes.data);
}

#ifdef __ELF__
#endif

SYCLZE_COLD uint32_t syclze_unregister_descriptor(const void *descriptor) {
  return syclze_offload_set_remove(syclze_offload_registered(), descriptor);
}

SYCLZE_INLINE const uint8_t *syclze__load_pointer(const uint8_t *from) {
  const uint8_t *pointer;
  memcpy(&pointer, from, sizeof pointer);
  return pointer;
}

/* The size of an image's descriptor; 0 for an unknown one. */
SYCLZE_INLINE size_t syclze__descriptor_image_size(const uint8_t *image) {
  uint16_t version = syclze__load_u16(image);
  uint8_t kind = image[2];
  if (kind == SYCLZE__DESCRIPTOR_KIND_DPCPP && (version == 1 || version == 2))
    return SYCLZE__DESCRIPTOR_LONG;
  if ((kind == SYCLZE__DESCRIPTOR_KIND_DPCPP || kind == SYCLZE__DESCRIPTOR_KIND_SYCL) &&
      version == 3)
    return SYCLZE__DESCRIPTOR_SHORT;
  return 0;
}

/* The name in an entry of the offload table, and the entry's size. */
SYCLZE_INLINE const char *syclze__descriptor_entry(const uint8_t *entry, size_t *size) {
  bool is_new = syclze__load_u64(entry) == 0 && syclze__load_u16(entry + 8) == 1 &&
                (syclze__load_u16(entry + 10) == SYCLZE__DESCRIPTOR_KIND_SYCL ||
                    syclze__load_u16(entry + 10) == SYCLZE__DESCRIPTOR_KIND_DPCPP) &&
                syclze__load_u32(entry + 12) == 0;
  *size = is_new ? SYCLZE__DESCRIPTOR_ENTRY_NEW : SYCLZE__DESCRIPTOR_ENTRY_OLD;
  return (const char *)syclze__load_pointer(entry + (is_new ? 24 : 8));
}

SYCLZE_LOCAL struct syclze__status syclze__register_descriptor_image(
    struct syclze__offload_set *set, const uint8_t *from, size_t size, const void *owner) {
  const uint8_t *bytes = from + SYCLZE__DESCRIPTOR_BYTES +
                         (size == SYCLZE__DESCRIPTOR_LONG ? SYCLZE__DESCRIPTOR_MANIFEST : 0);
  const uint8_t *begin = syclze__load_pointer(bytes), *end = syclze__load_pointer(bytes + 8);
  const uint8_t *entry = syclze__load_pointer(bytes + 16);
  const uint8_t *entries_end = syclze__load_pointer(bytes + 24);
  if ((uintptr_t)end < (uintptr_t)begin)
    return syclze__invalid("register descriptor: an image ends before it begins");
  syclze_offload_image image =
      syclze_offload_image_of(syclze_bytes_of(begin, (size_t)(end - begin)));
  image.offload_kind = from[2];
  image.image_kind = from[3];
  image.strings.base = from + SYCLZE__DESCRIPTOR_STRINGS;
  image.strings.count = 3;
  image.strings.source = SYCLZE__STRINGS_OF_DESCRIPTOR;
  image.property_sets_begin = syclze__load_pointer(bytes + 32);
  image.property_sets_end = syclze__load_pointer(bytes + 40);
  uint32_t number = 0;
  struct syclze__status status = syclze__offload_add(set, &image, owner, &number);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  while ((uintptr_t)entry < (uintptr_t)entries_end) {
    size_t entry_size;
    const char *name = syclze__descriptor_entry(entry, &entry_size);
    if (name != NULL && name[0] != '\0' && strstr(name, "__sycl_service_kernel__") == NULL &&
        !syclze__offload_add_symbol(set, number, syclze_text_of(name), SYCLZE__SYMBOL_KERNEL))
      return syclze__out_of_memory();
    entry += entry_size;
  }
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__register_descriptor_images(
    struct syclze__offload_set *set, const uint8_t *descriptor) {
  struct syclze__status status = syclze__allowed();
  if (syclze__load_u16(descriptor) != SYCLZE__DESCRIPTOR_VERSION)
    return syclze__unsupported("register descriptor: unknown version");
  const uint8_t *image = syclze__load_pointer(descriptor + SYCLZE__DESCRIPTOR_IMAGES);
  uint16_t count = syclze__load_u16(descriptor + 2);
  for (uint16_t i = 0; i < count && status.result == ZE_RESULT_SUCCESS; i++) {
    size_t size = syclze__descriptor_image_size(image);
    if (size == 0)
      return syclze__unsupported("register descriptor: an image's version and kind are unknown");
    status = syclze__register_descriptor_image(set, image, size, descriptor);
    image += size;
  }
  return status;
}

SYCLZE_COLD ze_result_t syclze_register_descriptor(const void *descriptor, size_t size) {
  static const uint8_t magic[4] = {0x10, 0xff, 0x10, 0xad};
  syclze_offload_set set = syclze_offload_registered();
  if (descriptor == NULL || set.rep == NULL)
    return syclze__fail(descriptor == NULL ? ZE_RESULT_ERROR_INVALID_NULL_POINTER
                                           : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY,
        "syclze_register_descriptor", "the descriptor's pointer is null, or there is no memory",
        descriptor);
  if (memcmp(descriptor, magic, sizeof magic) == 0)
    return syclze_register_image(syclze_bytes_of(descriptor, size));
  syclze__lock_acquire(&set.rep->lock);
  struct syclze__status status =
      syclze__register_descriptor_images(set.rep, (const uint8_t *)descriptor);
  if (status.result != ZE_RESULT_SUCCESS) syclze__offload_remove(set.rep, descriptor);
  syclze__lock_release(&set.rep->lock);
  if (status.result == ZE_RESULT_SUCCESS) return status.result;
  return syclze__fail(status.result, "syclze_register_descriptor", status.rule, descriptor);
}

#endif

SYCLZE_EXTERN_C_END

#endif
