/* Fuzz target: the Offload Binary of version 3: images of the input are written as one, up to seven
   of its bytes are changed, and it is read to its end, opened for look-ups, and written again, to
   the same bytes the second time. */
#include "syclze/offload/container.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { IMAGES = 6, ROOM = 1 << 14 };

/* The images of a container as it is written; null if they cannot be. */
static uint8_t *write_again(syclze_container container, size_t *size) {
  size_t count = syclze_container_image_count(container);
  *size = 0;
  if (syclze_container_write(3, container.rep->images, count, NULL, size) != ZE_RESULT_SUCCESS ||
      *size > 1u << 20)
    return NULL;
  uint8_t *bytes = malloc(*size + 1);
  if (bytes == NULL) abort();
  if (syclze_container_write(3, container.rep->images, count, bytes, size) != ZE_RESULT_SUCCESS)
    abort();
  return bytes;
}

static void read_and_rewrite(syclze_bytes bytes) {
  syclze_container_cursor cursor = syclze_container_begin(bytes);
  syclze_offload_image image;
  while (syclze_container_next(&cursor, &image))
    use_image(&image);
  syclze_container container, again;
  if (syclze_container_open(bytes, &container) != ZE_RESULT_SUCCESS) return;
  size_t first_size, second_size;
  uint8_t *first = write_again(container, &first_size);
  if (first != NULL) {
    if (syclze_container_open(syclze_bytes_of(first, first_size), &again) != ZE_RESULT_SUCCESS)
      abort();
    uint8_t *second = write_again(again, &second_size);
    if (second == NULL || second_size != first_size || memcmp(first, second, first_size) != 0)
      abort();
    free(second);
    syclze_container_close(again);
  }
  free(first);
  syclze_container_close(container);
}

/* Images of the input: a kind, the size of a string's value, the size of the bytes; then both. */
static size_t images_of(const uint8_t *data, size_t size, syclze_offload_image *images,
    syclze_offload_string *strings) {
  size_t count = 0;
  while (size >= 3 && count < IMAGES) {
    size_t text = data[1] % 64, length = data[2];
    const uint8_t *next = data + 3;
    if (text > size - 3) text = size - 3;
    if (length > size - 3 - text) length = size - 3 - text;
    images[count] = syclze_offload_image_of(syclze_bytes_of(next + text, length));
    images[count].image_kind = data[0] % 8;
    strings[count].key = syclze_text_of("key");
    strings[count].value = syclze_bytes_of(next, text);
    syclze_offload_image_set_strings(&images[count], &strings[count], data[0] >> 7);
    count++;
    data += 3 + text + length;
    size -= 3 + text + length;
  }
  return count;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static uint8_t file[ROOM];
  syclze_offload_image images[IMAGES];
  syclze_offload_string strings[IMAGES];
  size_t changes = size != 0 ? data[0] % 8 : 0, room = sizeof file;
  if (size < 1 + 3 * changes) return 0;
  const uint8_t *change = data + 1;
  data += 1 + 3 * changes;
  size -= 1 + 3 * changes;
  size_t count = images_of(data, size, images, strings);
  if (syclze_container_write(3, images, count, file, &room) != ZE_RESULT_SUCCESS || room == 0)
    return 0;
  uint8_t *exact = malloc(room + 1);
  if (exact == NULL) abort();
  memcpy(exact, file, room);
  for (size_t i = 0; i < changes; i++)
    exact[((size_t)change[3 * i] | (size_t)change[3 * i + 1] << 8) % room] = change[3 * i + 2];
  exact[4] = 3; /* it stays of version 3: an entry's flags have no meaning in version 1 */
  read_and_rewrite(syclze_bytes_of(exact, room));
  free(exact);
  return 0;
}
