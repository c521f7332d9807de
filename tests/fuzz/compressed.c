/* Fuzz target: compressed containers and images that a file holds, and compression: a container
   that is written is inflated to the same bytes. The first byte chooses. */
#include "syclze/offload/container.h"
#include "syclze/offload/deflate.h"
#include "syclze/offload/inflate.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROOM = 1 << 16, LIMIT = 1 << 18 };

/* A container of one image, of the input, there and back. */
static void deflate_and_inflate(const uint8_t *data, size_t size, syclze_compression compression) {
  static uint8_t file[ROOM];
  size_t room = sizeof file;
  syclze_bytes deflated, inflated;
  syclze_offload_image image = syclze_offload_image_of(syclze_bytes_of(data, size));
  if (syclze_container_write(3, &image, 1, file, &room) != ZE_RESULT_SUCCESS) return;
  syclze_bytes container = syclze_bytes_of(file, room);
  ze_result_t result = syclze_container_deflate(container, compression, &deflated);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) return; /* without the library */
  if (result != ZE_RESULT_SUCCESS) abort();
  if (syclze_container_inflate(deflated, LIMIT, &inflated) != ZE_RESULT_SUCCESS) abort();
  syclze_container_cursor cursor = syclze_container_begin(inflated);
  syclze_offload_image again;
  if (!syclze_container_next(&cursor, &again) || again.bytes.size != size ||
      (size != 0 && memcmp(again.bytes.data, data, size) != 0))
    abort();
  syclze_inflated_free(inflated);
  syclze_inflated_free(deflated);
}

/* A frame of zstd as it follows its magic number. */
static void inflate_image(const uint8_t *data, size_t size) {
  static const uint8_t magic[4] = {0x28, 0xb5, 0x2f, 0xfd};
  syclze_bytes inflated;
  uint8_t *frame = malloc(sizeof magic + size);
  if (frame == NULL) abort();
  memcpy(frame, magic, sizeof magic);
  if (size != 0) memcpy(frame + sizeof magic, data, size);
  if (syclze_offload_image_inflate(syclze_bytes_of(frame, sizeof magic + size), LIMIT, &inflated) ==
      ZE_RESULT_SUCCESS) {
    if (inflated.size > LIMIT) abort();
    use(inflated.data, inflated.size);
    syclze_inflated_free(inflated);
  }
  free(frame);
}

/* A container of version 3 whose blob is compressed, by the header's own sizes. */
static void inflate_container(const uint8_t *data, size_t size) {
  static const uint8_t magic[8] = {0x10, 0xff, 0x10, 0xad, 3};
  syclze_bytes inflated;
  if (size < 40) return;
  uint8_t *file = malloc(size);
  if (file == NULL) abort();
  memcpy(file, data, size);
  memcpy(file, magic, sizeof magic);
  if (syclze_container_inflate(syclze_bytes_of(file, size), LIMIT, &inflated) ==
      ZE_RESULT_SUCCESS) {
    syclze_container_cursor cursor = syclze_container_begin(inflated);
    syclze_offload_image image;
    while (syclze_container_next(&cursor, &image))
      use_image(&image);
    syclze_inflated_free(inflated);
  }
  free(file);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 1 || size > ROOM / 2) return 0;
  switch (data[0] % 4) {
  case 0:
    deflate_and_inflate(data + 1, size - 1, SYCLZE_COMPRESSION_ZLIB);
    break;
  case 1:
    deflate_and_inflate(data + 1, size - 1, SYCLZE_COMPRESSION_ZSTD);
    break;
  case 2:
    inflate_image(data + 1, size - 1);
    break;
  default:
    inflate_container(data + 1, size - 1);
  }
  return 0;
}
