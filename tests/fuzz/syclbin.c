/* Fuzz target: SYCLBIN, of version 1 as a file of its own, and of version 2 as a container whose
   entries have the roles, kinds and bytes that the input chooses. The first byte chooses. */
#include "syclze/offload/container.h"
#include "syclze/offload/file.h"
#include "syclze/offload/property_set.h"
#include "use.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ENTRIES = 8, ROOM = 1 << 16 };

static void read_all(syclze_bytes bytes) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin(bytes);
  syclze_offload_image image;
  syclze_property_sets sets;
  while (syclze_offload_file_next(&cursor, &image)) {
    use(cursor.place, strlen(cursor.place));
    use_image(&image);
    use(image.property_text.data, image.property_text.size);
    if (syclze_property_sets_open(&image, &sets) != ZE_RESULT_SUCCESS) continue;
    for (size_t i = 0; i < syclze_property_count(sets); i++)
      use(syclze_property_at(sets, i)->bytes.data, syclze_property_at(sets, i)->bytes.size);
    syclze_property_sets_close(sets);
  }
  syclze_offload_file_end(&cursor);
}

/* Entries of a role, a kind, strings and a size, then bytes. */
static void read_entries(const uint8_t *data, size_t size) {
  static const char *const roles[] = {
      "global_metadata", "am_metadata", "ir", "native", "", "another"};
  static uint8_t file[ROOM];
  syclze_offload_image images[ENTRIES];
  syclze_offload_string strings[ENTRIES][3];
  size_t count = 0, room = sizeof file;
  while (size >= 3 && count < ENTRIES) {
    const char *role = roles[data[0] % 6];
    size_t length = data[2] < size - 3 ? data[2] : size - 3;
    images[count] = syclze_offload_image_of(syclze_bytes_of(data + 3, length));
    images[count].image_kind = (data[1] & 15) % 12;
    strings[count][0].key = syclze_text_of("role");
    strings[count][0].value = syclze_bytes_of(role, strlen(role));
    strings[count][1].key = syclze_text_of((data[1] & 16) != 0 ? "triple" : "sycl_format_version");
    strings[count][1].value = syclze_bytes_of("2", 1);
    strings[count][2].key = syclze_text_of("am_index");
    strings[count][2].value = syclze_bytes_of((data[1] & 32) != 0 ? "1" : "0", 1);
    syclze_offload_image_set_strings(&images[count], strings[count], data[1] >> 6);
    count++;
    data += 3 + length;
    size -= 3 + length;
  }
  if (syclze_container_write(2, images, count, file, &room) != ZE_RESULT_SUCCESS) return;
  uint8_t *exact = malloc(room + 1);
  if (exact == NULL) abort();
  memcpy(exact, file, room);
  read_all(syclze_bytes_of(exact, room));
  free(exact);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const uint8_t header[8] = {0x49, 0x42, 0x59, 0x53, 1};
  if (size < 1) return 0;
  if (data[0] % 2 != 0) {
    read_entries(data + 1, size - 1);
    return 0;
  }
  uint8_t *file = malloc(size + sizeof header);
  if (file == NULL) abort();
  memcpy(file, header, sizeof header);
  memcpy(file + sizeof header, data + 1, size - 1);
  read_all(syclze_bytes_of(file, size - 1 + sizeof header));
  free(file);
  return 0;
}
