/* Fuzz target: the Offload Binary, read to its end, with every string of every image. */
#include "syclze/offload/container.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_container_cursor cursor = syclze_container_begin(syclze_bytes_of(data, size));
  syclze_offload_image image;
  while (syclze_container_next(&cursor, &image))
    use_image(&image);
  return 0;
}
