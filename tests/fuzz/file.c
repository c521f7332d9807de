/* Fuzz target: any file, and every image in it. */
#include "syclze/offload/file.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(syclze_bytes_of(data, size));
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    use(cursor.place, strlen(cursor.place));
    use_image(&image);
  }
  return 0;
}
