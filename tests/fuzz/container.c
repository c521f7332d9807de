/* Fuzz target: the Offload Binary, read to its end with every string of every image, opened for
   look-ups, and written again in the three versions that are written. */
#include "syclze/offload/container.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void rewrite(syclze_container container, uint32_t version) {
  size_t size = 0, count = syclze_container_image_count(container);
  if (syclze_container_write(version, container.rep->images, count, NULL, &size) !=
          ZE_RESULT_SUCCESS ||
      size > 1u << 20)
    return;
  void *bytes = malloc(size + 1);
  if (bytes == NULL) abort();
  if (syclze_container_write(version, container.rep->images, count, bytes, &size) !=
      ZE_RESULT_SUCCESS)
    abort();
  syclze_container again;
  if (syclze_container_open(syclze_bytes_of(bytes, size), &again) != ZE_RESULT_SUCCESS) abort();
  if (syclze_container_image_count(again) != count) abort();
  for (size_t i = 0; i < count; i++) {
    const syclze_offload_image *old = syclze_container_image_at(container, i);
    const syclze_offload_image *new = syclze_container_image_at(again, i);
    if (version != 1 && (old->flags & SYCLZE_OFFLOAD_FLAG_METADATA_ONLY) != 0) continue;
    if (old->bytes.size != new->bytes.size || old->strings.count != new->strings.count) abort();
  }
  syclze_container_close(again);
  free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  syclze_bytes bytes = syclze_bytes_of(data, size);
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  syclze_offload_image image;
  while (syclze_container_next(&cursor, &image))
    use_image(&image);
  syclze_container container;
  ze_result_t result = syclze_container_open(bytes, &container);
  if (result != cursor.result) abort();
  if (result != ZE_RESULT_SUCCESS) return 0;
  syclze_offload_string string;
  for (size_t i = 0; i < syclze_container_image_count(container); i++) {
    const syclze_offload_image *found = syclze_container_image_at(container, i);
    for (size_t s = 0; syclze_offload_image_string_at(found, s, &string); s++)
      if (syclze_container_find(container, string.key.data, syclze_text_of_bytes(string.value)) ==
          NULL)
        abort();
  }
  rewrite(container, 1);
  rewrite(container, 2);
  rewrite(container, 3);
  syclze_container_close(container);
  return 0;
}
