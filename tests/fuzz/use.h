/* Fuzz targets read every byte that a reader returns, so that a sanitizer detects wrong ones. */
#ifndef TESTS_FUZZ_USE_H
#define TESTS_FUZZ_USE_H

#include "syclze/offload/device_image.h"

static volatile uint8_t used;

static inline void use(const void *data, size_t size) {
  uint8_t sum = 0;
  for (size_t i = 0; i < size; i++)
    sum = (uint8_t)(sum + ((const uint8_t *)data)[i]);
  used = sum;
}

static inline void use_image(const syclze_offload_image *image) {
  syclze_offload_string string;
  use(image->bytes.data, image->bytes.size);
  use(syclze_offload_format_string(syclze_offload_format_of(image->bytes)), 1);
  for (size_t i = 0; syclze_offload_image_string_at(image, i, &string); i++) {
    use(string.key.data, string.key.size);
    use(string.value.data, string.value.size);
  }
  syclze_text triple = syclze_offload_image_text(image, "triple");
  use(triple.data, triple.size);
}

#endif
