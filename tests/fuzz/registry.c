/* Fuzz target: register descriptors. Their pointers are trusted, and stand here for parts of the
   input; versions, kinds, counts and what is pointed to are anything. */
#undef SYCLZE_DECLARATIONS
#include "syclze/offload/registry.h"
#include "use.h"

enum { IMAGE = 96, ENTRY = 56, ENTRIES = 4 };

static void put_pointer(uint8_t *to, const void *pointer) {
  memcpy(to, &pointer, sizeof pointer);
}

/* An image's descriptor in the layout of its version and kind: `bytes` with a name in
   each of its entries. */
static void lay_out(uint8_t *image, syclze_bytes bytes, const uint8_t *entries, size_t entry_size,
    const char *triple) {
  const size_t size = syclze__descriptor_image_size(image);
  uint8_t *fields = image + (size == 96 ? 48 : 32);
  put_pointer(image + 8, triple);
  put_pointer(fields, bytes.data);
  put_pointer(fields + 8, (const uint8_t *)bytes.data + bytes.size);
  put_pointer(fields + 16, entries);
  put_pointer(fields + 24, entries + ENTRIES * entry_size);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { HEAD = 16, TEXT = 16 };
  static uint8_t image[IMAGE], entries[ENTRIES * ENTRY], descriptor[32];
  char text[TEXT + 1] = "";
  if (size < HEAD + TEXT) return 0;
  memset(image, 0, sizeof image);
  memset(entries, 0, sizeof entries);
  memcpy(text, data + HEAD, TEXT);
  memcpy(descriptor, data, 4);
  memcpy(image, data + 4, 4);
  const bool is_new = data[8] & 1;
  const size_t entry_size = is_new ? 56 : 32;
  if (descriptor[2] > 1 || descriptor[3]) return 0; /* one image is behind the pointer */
  put_pointer(descriptor + 8, image);
  for (int i = 0; i < ENTRIES; i++) {
    uint8_t *entry = entries + (size_t)i * entry_size;
    if (is_new) {
      entry[8] = 1;
      entry[10] = data[9] & 1 ? 8 : 4;
    } else
      entry[0] = 1; /* an address */
    put_pointer(entry + (is_new ? 24 : 8), text + (i < TEXT ? i : 0));
  }
  lay_out(image, syclze_bytes_of(data + HEAD + TEXT, size - HEAD - TEXT), entries, entry_size,
      data[10] & 1 ? text : NULL);
  if (syclze_register_descriptor(descriptor, 0) != ZE_RESULT_SUCCESS) return 0;
  uint32_t count = 1;
  syclze_offload_found found;
  syclze_offload_set_find(syclze_offload_registered(), text, &count, &found);
  if (count != 0) use_image(&found.image);
  syclze_unregister_descriptor(descriptor);
  return 0;
}
