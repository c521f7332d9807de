/* What device images does a file hold, what do they require, and which kernels are in them?
 *
 * `offload_dump [-s] FILE` lists them for any file: a program that a SYCL compiler made, an object,
 * a library, an Offload Binary, SYCLBIN, bitcode, SPIR-V, native code; then a summary, or with -s
 * the summary alone. Without a file it lists what is built into itself. */
#include "syclze/offload/archive.h"
#include "syclze/offload/bitcode.h"
#include "syclze/offload/embed.h"
#include "syclze/offload/property_set.h"
#include "syclze/offload/requirement.h"
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

static uint32_t load_u32(const uint8_t *from) {
  return (uint32_t)from[0] | (uint32_t)from[1] << 8 | (uint32_t)from[2] << 16 |
         (uint32_t)from[3] << 24;
}

/* A property of the device requirements. */
static void print_requirement(
    const syclze_property *property, syclze_aspect_numbers aspect_numbers) {
  const uint8_t *bytes = (const uint8_t *)property->bytes.data;
  printf("    requires ");
  print_text(property->key);
  if (property->type == SYCLZE_PROPERTY_TYPE_UINT32) printf(" %u", property->number);
  /* A work-group's sizes have eight bytes each, of which the lower four matter. */
  size_t width = syclze_text_is(property->key, SYCLZE_PROPERTY_REQD_WORK_GROUP_SIZE_U64) ? 8 : 4;
  for (size_t i = 0; i + width <= property->bytes.size; i += width) {
    if (syclze_text_is(property->key, SYCLZE_PROPERTY_ASPECTS))
      printf(" %s", syclze_aspect_string(load_u32(bytes + i), aspect_numbers));
    else
      printf(" %u", load_u32(bytes + i));
  }
  printf("\n");
}

/* Requirements, then how many properties each other set has. */
static void print_properties(const syclze_offload_image *image) {
  syclze_property_sets sets;
  if (syclze_property_sets_open(image, &sets) != ZE_RESULT_SUCCESS) {
    printf("    malformed properties\n");
    return;
  }
  size_t count = syclze_property_count(sets), first = 0;
  for (size_t i = 0; i < count; i++) {
    const syclze_property *property = syclze_property_at(sets, i);
    const syclze_property *next = syclze_property_at(sets, i + 1);
    bool is_requirement = syclze_text_is(property->set, SYCLZE_PROPERTY_SET_REQUIREMENTS);
    if (is_requirement) print_requirement(property, image->aspect_numbers);
    if (next != NULL && syclze_text_equal(next->set, property->set)) continue;
    if (!is_requirement) {
      printf("    properties ");
      print_text(property->set);
      printf(": %zu\n", i + 1 - first);
    }
    first = i + 1;
  }
  syclze_property_sets_close(sets);
}

/* What SPIR-V needs by its capabilities, where properties do not have it. */
static void print_needs(const syclze_offload_image *image) {
  static const struct {
    uint32_t need;
    const char *name;
  } needs[] = {{SYCLZE_SPIRV_NEEDS_FP16, "fp16"}, {SYCLZE_SPIRV_NEEDS_FP64, "fp64"},
      {SYCLZE_SPIRV_NEEDS_ATOMIC64, "atomic64"}, {SYCLZE_SPIRV_NEEDS_IMAGES, "image"},
      {SYCLZE_SPIRV_NEEDS_SUB_GROUPS, "sub-groups"}};
  syclze_spirv_index index;
  syclze_bytes spirv = syclze_offload_spirv_of(image->bytes);
  if (spirv.size == 0 || syclze_spirv_index_make(spirv, &index) != ZE_RESULT_SUCCESS) return;
  for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
    if (index.needs & needs[i].need) printf("    SPIR-V needs %s\n", needs[i].name);
  syclze_spirv_index_end(&index);
}

/* Sums over all images. */
struct summary {
  size_t images, bytes, kernels;
  size_t formats[SYCLZE_OFFLOAD_FORMAT_SYCLBIN + 1];
};

/* Whether a name among the kernels is that of a function which other images call. */
static bool is_exported(syclze_property_sets sets, syclze_text name) {
  char *terminated = sets.rep != NULL ? malloc(name.size + 1) : NULL;
  if (terminated == NULL) return false;
  memcpy(terminated, name.data, name.size);
  terminated[name.size] = '\0';
  bool is_there =
      syclze_property_find(sets, SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, terminated) != NULL;
  free(terminated);
  return is_there;
}

/* Counts an image, and lists it unless the summary is printed alone. */
static void print_image(
    const syclze_offload_image *image, const char *place, struct summary *sum, bool is_listed) {
  syclze_symbol_cursor cursor;
  syclze_offload_string string;
  syclze_text name;
  syclze_offload_format format = syclze_offload_format_of(image->bytes);
  if (is_listed) {
    printf("image %zu, in %s: %s, %zu bytes\n", sum->images, place,
        syclze_offload_format_string(format), image->bytes.size);
    printf("    image kind %s, offload kind %s\n",
        syclze_offload_image_kind_string(image->image_kind),
        syclze_offload_kind_string(image->offload_kind));
  }
  for (size_t i = 0; is_listed && syclze_offload_image_string_at(image, i, &string); i++) {
    if (syclze_text_is(string.key, "symbols")) continue;
    printf("    ");
    print_text(string.key);
    printf(" \"");
    print_text(syclze_text_of_bytes(string.value));
    printf("\"\n");
  }
  if (is_listed) {
    print_target(image->bytes);
    print_properties(image);
    print_needs(image);
  }
  sum->images++;
  sum->bytes += image->bytes.size;
  sum->formats[format]++;
  syclze_property_sets sets = {NULL};
  if (syclze_property_sets_open(image, &sets) != ZE_RESULT_SUCCESS) sets.rep = NULL;
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name)) {
    bool is_function = is_exported(sets, name);
    sum->kernels += !is_function;
    if (!is_listed) continue;
    printf(is_function ? "    function " : "    kernel ");
    print_text(name);
    printf("\n");
  }
  syclze_property_sets_close(sets);
}

static void print_summary(const struct summary *sum) {
  const char *separator = ": ";
  printf("%zu images, %zu bytes, %zu kernels", sum->images, sum->bytes, sum->kernels);
  for (int format = 0; format <= SYCLZE_OFFLOAD_FORMAT_SYCLBIN; format++) {
    if (sum->formats[format] == 0) continue;
    printf("%s%zu %s", separator, sum->formats[format],
        syclze_offload_format_string((syclze_offload_format)format));
    separator = ", ";
  }
  printf("\n");
}

int main(int argc, char **argv) {
  bool is_listed = argc < 2 || strcmp(argv[1], "-s") != 0;
  const char *path = argc > 1 ? argv[argc - 1] : NULL;
  if (!is_listed && argc < 3) path = NULL;
  syclze_bytes bytes = path != NULL ? read_file(path) : syclze_bytes_of(NULL, 0);
  syclze_offload_file_cursor cursor =
      path != NULL ? syclze_offload_file_begin_bitcode(bytes) : syclze_embedded_images();
  syclze_offload_image image;
  struct summary sum;
  memset(&sum, 0, sizeof sum);
  while (syclze_offload_file_next(&cursor, &image))
    print_image(&image, cursor.place, &sum, is_listed);
  print_summary(&sum);
  ze_result_t result = cursor.result;
  if (result != ZE_RESULT_SUCCESS) fprintf(stderr, "%s\n", cursor.rule);
  syclze_offload_file_end(&cursor);
  free((void *)bytes.data);
  return result != ZE_RESULT_SUCCESS;
}
