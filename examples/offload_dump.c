/* What device images does a file hold, and which kernels are in them?
 *
 * `offload_dump FILE` lists them for any file: a program that a SYCL compiler made, an object, a
 * library, an Offload Binary, SPIR-V, native code. Without a file it lists what is built into
 * itself. */
#include "syclze/offload/archive.h"
#include "syclze/offload/embed.h"
#include "syclze/offload/symbol_table.h"

#include <stdio.h>
#include <stdlib.h>

syclze_embed("examples/saxpy.spv", saxpy);

static syclze_bytes read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  size_t size = 0, room = 0;
  char *bytes = NULL;
  if (file == NULL) return syclze_bytes_of(NULL, 0);
  do {
    room = 2 * room + 65536;
    bytes = (char *)realloc(bytes, room);
    if (bytes == NULL) exit(1);
    size += fread(bytes + size, 1, room - size, file);
  } while (size == room);
  fclose(file);
  return syclze_bytes_of(bytes, size);
}

/* Escapes text from a file. */
static void print_text(syclze_text text) {
  for (size_t i = 0; i < text.size; i++)
    putchar(text.data[i] >= ' ' && text.data[i] <= '~' ? text.data[i] : '?');
}

static void print_target(syclze_bytes bytes) {
  syclze_zebin zebin;
  syclze_archive_member member;
  syclze_archive_cursor cursor = syclze_archive_begin(bytes);
  switch (syclze_offload_format_of(bytes)) {
  case SYCLZE_OFFLOAD_FORMAT_ZEBIN:
    if (syclze_zebin_open(bytes, &zebin) != ZE_RESULT_SUCCESS) break;
    printf("    for %u.%u.%u\n", syclze_ip_version_architecture(zebin.ip_version),
        syclze_ip_version_release(zebin.ip_version), syclze_ip_version_revision(zebin.ip_version));
    break;
  case SYCLZE_OFFLOAD_FORMAT_FAT_ARCHIVE:
    while (syclze_archive_next(&cursor, &member)) {
      if (member.is_padding) continue;
      printf("    member ");
      print_text(member.name);
      printf(", %zu bytes\n", member.bytes.size);
    }
    break;
  default:
    break;
  }
}

static void print_image(const syclze_offload_image *image, const char *place, int number) {
  syclze_symbol_cursor cursor;
  syclze_offload_string string;
  syclze_text name;
  printf("image %d, in %s: %s, %zu bytes\n", number, place,
      syclze_offload_format_string(syclze_offload_format_of(image->bytes)), image->bytes.size);
  for (size_t i = 0; syclze_offload_image_string_at(image, i, &string); i++) {
    if (syclze_text_is(string.key, "symbols")) continue;
    printf("    ");
    print_text(string.key);
    printf(" \"");
    print_text(syclze_text_of_bytes(string.value));
    printf("\"\n");
  }
  print_target(image->bytes);
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    printf("    kernel ");
    print_text(name);
    printf("\n");
  }
}

int main(int argc, char **argv) {
  syclze_bytes bytes = argc > 1 ? read_file(argv[1]) : syclze_bytes_of(NULL, 0);
  syclze_offload_file_cursor cursor =
      argc > 1 ? syclze_offload_file_begin(bytes) : syclze_embedded_images();
  syclze_offload_image image;
  for (int number = 0; syclze_offload_file_next(&cursor, &image); number++)
    print_image(&image, cursor.place, number);
  free((void *)bytes.data);
  if (cursor.result == ZE_RESULT_SUCCESS) return 0;
  fprintf(stderr, "%s\n", cursor.rule);
  return 1;
}
