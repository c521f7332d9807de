/* Bodies of registry.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_REGISTRY_H
#define SYCLZE_OFFLOAD_DETAIL_REGISTRY_H

#include "../registry.h"
#include "../../detail/sync/fork.h"
#include "descriptor.h"

SYCLZE_EXTERN_C_BEGIN

/* Registers a file by the address of its bytes. Ends the cursor. */
SYCLZE_COLD ze_result_t syclze__register_file(syclze_offload_file_cursor *cursor)
    SYCLZE_LINK_NAME(syclze__register_file);

#ifdef __ELF__
SYCLZE_INLINE ze_result_t syclze_register_embedded(void) {
  syclze_offload_file_cursor cursor = syclze_embedded_images();
  return syclze__register_file(&cursor);
}
#endif

#if SYCLZE__BODIES

/* Counts one more registration of an owner that is registered already. */
SYCLZE_LOCAL bool syclze__register_again(struct syclze__offload_set *set, const void *owner) {
  SYCLZE__HELD(&set->lock);
  uint32_t first = syclze__offload_owned_by(set, owner);
  if (first != 0) set->entries[set->symbols[first - 1].entry].registrations++;
  return first != 0;
}

/* Removes one registration; the last one removes the images. Returns their number. */
SYCLZE_LOCAL uint32_t syclze__unregister(const void *owner) {
  struct syclze__offload_set *set = syclze_offload_registered().rep;
  uint32_t removed = 0;
  if (set == NULL || syclze__is_forked()) return 0;
  syclze__lock_acquire(&set->lock);
  uint32_t first = syclze__offload_owned_by(set, owner);
  struct syclze__offload_entry *entry =
      first != 0 ? &set->entries[set->symbols[first - 1].entry] : NULL;
  if (entry != NULL && entry->registrations != 0)
    entry->registrations--;
  else
    removed = syclze__offload_remove(set, owner, 0);
  syclze__lock_release(&set->lock);
  return removed;
}

SYCLZE_COLD ze_result_t syclze__register_file(syclze_offload_file_cursor *cursor) {
  syclze_offload_set set = syclze_offload_registered();
  const void *owner = cursor->bytes.data;
  struct syclze__status status = syclze__check_fork();
  if (set.rep == NULL) {
    status = syclze__out_of_memory();
  } else if (status.result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&set.rep->lock);
    if (!syclze__register_again(set.rep, owner))
      status = syclze__offload_add_file(set.rep, cursor, owner);
    syclze__lock_release(&set.rep->lock);
  }
  syclze_offload_file_end(cursor);
  return syclze__finish(status, "syclze_offload_set_add_file", owner);
}

SYCLZE_COLD ze_result_t syclze_register_image(syclze_bytes bytes) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  return syclze__register_file(&cursor);
}

SYCLZE_COLD uint32_t syclze_unregister_image(syclze_bytes bytes) {
  return syclze__unregister(bytes.data);
}

SYCLZE_COLD uint32_t syclze_unregister_descriptor(const void *descriptor) {
  return syclze__unregister(descriptor);
}

SYCLZE_INLINE const uint8_t *syclze__load_pointer(const uint8_t *from) {
  const uint8_t *pointer;
  memcpy(&pointer, from, sizeof pointer);
  return pointer;
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
  image.aspect_numbers = syclze__descriptor_aspects(from);
  image.strings.base = from + SYCLZE__DESCRIPTOR_STRINGS;
  image.strings.count = 3;
  image.strings.source = SYCLZE__STRINGS_OF_DESCRIPTOR;
  image.property_sets_begin = syclze__load_pointer(bytes + 32);
  image.property_sets_end = syclze__load_pointer(bytes + 40);
  uint32_t number = 0, kernels = 0;
  struct syclze__status status = syclze__offload_add_image(set, &image, owner, &number);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  while ((uintptr_t)entry < (uintptr_t)entries_end) {
    size_t entry_size;
    const char *name = (const char *)syclze__load_pointer(
        entry + syclze__descriptor_entry_layout(entry, &entry_size));
    entry += entry_size;
    if (name == NULL || !syclze__descriptor_is_kernel(name)) continue;
    kernels++;
    if (!syclze__offload_add_symbol(set, number, syclze_text_of(name), SYCLZE__SYMBOL_KERNEL))
      return syclze__out_of_memory();
  }
  /* The compiler's list saves a walk over the code. */
  if (kernels == 0 && !syclze__offload_add_kernels(set, number)) return syclze__out_of_memory();
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
  struct syclze__status status = syclze__check_fork();
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, "syclze_register_descriptor", status.rule, descriptor);
  syclze__lock_acquire(&set.rep->lock);
  if (!syclze__register_again(set.rep, descriptor))
    status = syclze__register_descriptor_images(set.rep, (const uint8_t *)descriptor);
  if (status.result != ZE_RESULT_SUCCESS) syclze__offload_remove(set.rep, descriptor, 0);
  syclze__lock_release(&set.rep->lock);
  return syclze__finish(status, "syclze_register_descriptor", descriptor);
}

#endif

SYCLZE_EXTERN_C_END

#endif
