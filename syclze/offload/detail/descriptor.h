/* The layout of the descriptors that SYCL compilers register. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DESCRIPTOR_H
#define SYCLZE_OFFLOAD_DETAIL_DESCRIPTOR_H

#include "../device_image.h"

SYCLZE_EXTERN_C_BEGIN

/* The fields of a descriptor and of its images, in bytes from their beginnings; a pointer has 8. */
enum {
  SYCLZE__DESCRIPTOR_VERSION = 1,
  SYCLZE__DESCRIPTOR_IMAGES = 8,
  SYCLZE__DESCRIPTOR_IMAGE_VERSION_LAST = 3,
  SYCLZE__DESCRIPTOR_KIND_DPCPP = 4,
  SYCLZE__DESCRIPTOR_KIND_SYCL = 8,
  SYCLZE__DESCRIPTOR_FORMAT_LAST = 4, /* of DPC++ */
  SYCLZE__DESCRIPTOR_FORMAT_COMPRESSED = 4,
  SYCLZE__DESCRIPTOR_STRINGS = 8, /* triple, compile options, link options */
  SYCLZE__DESCRIPTOR_BYTES = 32,  /* in the short form; behind the manifest in the long one */
  SYCLZE__DESCRIPTOR_MANIFEST = 16,
  SYCLZE__DESCRIPTOR_SHORT = 80,
  SYCLZE__DESCRIPTOR_LONG = 96,
  SYCLZE__DESCRIPTOR_ENTRY_NEW = 56,
  SYCLZE__DESCRIPTOR_ENTRY_OLD = 32
};

/* An image's flag while its file is read: the image is not compressed. */
#define SYCLZE__FLAG_PLAIN 0x80000000u

/* DPC++'s arrays of property sets and of properties in memory. */
struct syclze__property_array_set {
  const char *name, *begin, *end;
};

struct syclze__property_array_entry {
  const char *name, *value;
  uint32_t type, unused;
  uint64_t size;
};

#if SYCLZE__BODIES

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

/* DPC++ changed the numbers of aspects together with the layout. Clang's have no aspects. */
SYCLZE_INLINE syclze_aspect_numbers syclze__descriptor_aspects(const uint8_t *image) {
  return syclze__load_u16(image) == 3 ? SYCLZE_ASPECT_NUMBERS_2026 : SYCLZE_ASPECT_NUMBERS_2025;
}

/* The offset of the name's pointer in an entry of the offload table, and the entry's size. */
SYCLZE_INLINE size_t syclze__descriptor_entry_layout(const uint8_t *entry, size_t *size) {
  bool is_new = syclze__load_u64(entry) == 0 && syclze__load_u16(entry + 8) == 1 &&
                (syclze__load_u16(entry + 10) == SYCLZE__DESCRIPTOR_KIND_SYCL ||
                    syclze__load_u16(entry + 10) == SYCLZE__DESCRIPTOR_KIND_DPCPP) &&
                syclze__load_u32(entry + 12) == 0;
  *size = is_new ? SYCLZE__DESCRIPTOR_ENTRY_NEW : SYCLZE__DESCRIPTOR_ENTRY_OLD;
  return is_new ? 24 : 8;
}

/* True if an entry names a kernel of the program. */
SYCLZE_INLINE bool syclze__descriptor_is_kernel(const char *name) {
  return name[0] != '\0' && strstr(name, "__sycl_service_kernel__") == NULL;
}

#endif

SYCLZE_EXTERN_C_END

#endif
