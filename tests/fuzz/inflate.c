/* Fuzz target: compressed containers and images, with the libraries where they are installed. */
#include "syclze/offload/inflate.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_bytes bytes = syclze_bytes_of(data, size), inflated;
  if (syclze_container_inflate(bytes, 1u << 20, &inflated) == ZE_RESULT_SUCCESS) {
    syclze_container_cursor cursor = syclze_container_begin(inflated);
    syclze_offload_image image;
    while (syclze_container_next(&cursor, &image))
      use_image(&image);
    use(inflated.data, inflated.size);
  }
  syclze_inflated_free(inflated);
  if (syclze_offload_image_inflate(bytes, 1u << 20, &inflated) == ZE_RESULT_SUCCESS)
    use(inflated.data, inflated.size);
  syclze_inflated_free(inflated);
  return 0;
}
