/* The file that clang-offload-bundler writes: a list of bundles, each for a target, then their
 * bytes. */
#include "../file.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_BUNDLE_FILE_H
#define SYCLZE_OFFLOAD_DETAIL_BUNDLE_FILE_H

#include "file_memory.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

enum { SYCLZE__BUNDLE_MAGIC = 24, SYCLZE__BUNDLE_ENTRY = 24 };

SYCLZE_INLINE bool syclze__is_bundle_file(syclze_bytes bytes) {
  return bytes.size >= SYCLZE__BUNDLE_MAGIC + 8 &&
         memcmp(bytes.data, "__CLANG_OFFLOAD_BUNDLE__", SYCLZE__BUNDLE_MAGIC) == 0;
}

/* Splits a target such as "sycl-spir64-unknown-unknown": the kind, then the triple. False for the
 * host's bundle, and for other models'. */
SYCLZE_INLINE bool syclze__bundle_triple(syclze_text target, syclze_text *triple) {
  if (target.size < 5 || memcmp(target.data, "sycl-", 5) != 0) return false;
  triple->data = target.data + 5;
  triple->size = target.size - 5;
  return true;
}

/* Lists the images of the file, in the cursor's memory. */
SYCLZE_LOCAL struct syclze__status syclze__bundle_file_read(syclze_bytes bytes,
    struct syclze__file_memory **memory, const syclze_offload_image **list, size_t *count) {
  const uint8_t *file = (const uint8_t *)bytes.data;
  uint64_t bundles = syclze__load_u64(file + SYCLZE__BUNDLE_MAGIC), used = 0;
  uint64_t at = SYCLZE__BUNDLE_MAGIC + 8;
  *count = 0;
  if (bundles > (bytes.size - at) / SYCLZE__BUNDLE_ENTRY)
    return syclze__invalid("bundle: the list of bundles ends past the file");
  syclze_offload_image *images = (syclze_offload_image *)syclze__file_allocate(
      memory, bundles * (sizeof *images + sizeof(syclze_offload_string)) + 1);
  if (images == NULL) return syclze__out_of_memory();
  syclze_offload_string *strings = (syclze_offload_string *)(void *)(images + bundles);
  *list = images;
  for (uint64_t i = 0; i < bundles; i++) {
    if (!syclze__within(bytes.size, at, SYCLZE__BUNDLE_ENTRY))
      return syclze__invalid("bundle: the list of bundles ends past the file");
    uint64_t offset = syclze__load_u64(file + at), size = syclze__load_u64(file + at + 8);
    uint64_t length = syclze__load_u64(file + at + 16);
    at += SYCLZE__BUNDLE_ENTRY;
    if (!syclze__within(bytes.size, at, length) || !syclze__within(bytes.size, offset, size))
      return syclze__invalid("bundle: a bundle ends past the file");
    syclze_text target = {(const char *)file + at, (size_t)length}, triple;
    at += length;
    used += size;
    if (used > bytes.size) return syclze__invalid("bundle: bundles overlap");
    if (size == 0 || !syclze__bundle_triple(target, &triple)) continue;
    strings[*count].key = syclze_text_of("triple");
    strings[*count].value = syclze_bytes_of(triple.data, triple.size);
    images[*count] = syclze_offload_image_of(syclze_bytes_of(file + offset, (size_t)size));
    images[*count].offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
    syclze_offload_image_set_strings(&images[*count], &strings[*count], 1);
    (*count)++;
  }
  return syclze__allowed();
}

#endif

SYCLZE_EXTERN_C_END

#endif
