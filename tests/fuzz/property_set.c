/* Fuzz target: property sets as text. What can be read is written, and reads back as the same. */
#include "syclze/offload/property_set.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void use_property(syclze_property_sets sets, const syclze_property *property) {
  use(property->set.data, property->set.size);
  use(property->key.data, property->key.size);
  use(property->bytes.data, property->bytes.size);
  if (property->type == SYCLZE_PROPERTY_TYPE_UINT32) used = (uint8_t)property->number;
  syclze_property_next(sets, "a", property);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(NULL, 0));
  image.property_text = syclze_bytes_of(data, size);
  syclze_property_sets sets, again;
  if (syclze_property_sets_open(&image, &sets) != ZE_RESULT_SUCCESS) return 0;
  for (size_t i = 0; i < syclze_property_count(sets); i++)
    use_property(sets, syclze_property_at(sets, i));
  syclze_property_find(sets, "a", "b");

  size_t length = 0, same_length;
  if (syclze_property_write_text(sets, NULL, &length) != ZE_RESULT_SUCCESS) abort();
  char *text = (char *)malloc(length + 1), *same = (char *)malloc(length + 1);
  if (text == NULL || same == NULL) abort();
  if (syclze_property_write_text(sets, text, &length) != ZE_RESULT_SUCCESS) abort();
  image.property_text = syclze_bytes_of(text, length);
  if (syclze_property_sets_open(&image, &again) != ZE_RESULT_SUCCESS) abort();
  same_length = length;
  if (syclze_property_write_text(again, same, &same_length) != ZE_RESULT_SUCCESS) abort();
  if (same_length != length || memcmp(text, same, length) != 0) abort();
  syclze_property_sets_close(again);
  syclze_property_sets_close(sets);
  free(text);
  free(same);
  return 0;
}
