/* Fuzz target: the bitstream of LLVM's bitcode, and the containers that its constants hold. What
   the input lacks of the four bytes that bitcode begins with is put before it. */
#include "syclze/offload/bitcode.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t magic[4] = {'B', 'C', 0xc0, 0xde};
  size_t begin = size >= 4 && memcmp(data, magic, sizeof magic) == 0 ? 0 : sizeof magic;
  uint8_t *file = malloc(begin + size + 1);
  if (file == NULL) abort();
  memcpy(file, magic, sizeof magic);
  if (size != 0) memcpy(file + begin, data, size);
  syclze_offload_file_cursor cursor =
      syclze_offload_file_begin_bitcode(syclze_bytes_of(file, begin + size));
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    use(cursor.place, strlen(cursor.place));
    use_image(&image);
  }
  syclze_offload_file_end(&cursor);
  free(file);
  return 0;
}
