/* convert -o OUT [-f FORMAT] [-k KERNEL] [-i INDEX] [-s STATE] FILE...: the device images of files
 * of any kind that syclze/offload/file.h and bitcode.h read, in one file of another kind.
 *
 * FORMAT: v1, v2 or v3 is an Offload Binary of that version, zlib or zstd a compressed one of
 * version 3, syclbin and syclbin2 SYCLBIN of version 1 and 2, and image the bytes of the only
 * image. Without -f, v2. -k KERNEL leaves out images without that kernel, and what of SPIR-V the
 * kernel does not need; -i INDEX leaves out all but one. STATE, of SYCLBIN: input, object or
 * executable; without -s, input for SPIR-V and executable where all images are native code.
 *
 * Strings and property sets are kept where the format has them; property arrays become text. */
#include "syclze/offload/bitcode.h"
#include "syclze/offload/deflate.h"
#include "syclze/offload/file.h"
#include "syclze/offload/property_set.h"
#include "syclze/offload/split.h"
#include "syclze/offload/symbol_table.h"

#include "tool.inc"

enum { STRINGS = 16, HEADER = 56, PART = 32 };

static syclze_offload_image *images;
static size_t image_count, seen;
static const char *kernel, *state;
static long only = -1;

static void fail(const char *name, const char *what) {
  fprintf(stderr, "convert: %s: %s\n", name, what);
  exit(1);
}

static void check(ze_result_t result, const char *name) {
  if (result != ZE_RESULT_SUCCESS) fail(name, syclze_result_string(result));
}

static void *allocate(size_t size) {
  void *memory = calloc(1, size + 1);
  if (memory == NULL) fail("memory", "there is none");
  return memory;
}

static syclze_bytes read_file(const char *name) {
  syclze_bytes bytes;
  if (!tool_read(name, &bytes)) fail(name, "cannot be read");
  return bytes;
}

static void write_file(const char *name, syclze_bytes bytes) {
  if (!tool_write(name, bytes)) fail(name, "cannot be written");
}

static bool has_kernel(const syclze_offload_image *image) {
  syclze_symbol_cursor cursor;
  syclze_text name;
  syclze_symbols_begin(image, &cursor);
  while (syclze_symbol_next(&cursor, &name))
    if (syclze_text_is(name, kernel)) return true;
  return false;
}

/* The strings of an image but its table of names, with the kernel's name as such a table. */
static void name_kernel(syclze_offload_image *image) {
  syclze_offload_string *strings =
      (syclze_offload_string *)allocate(STRINGS * sizeof(syclze_offload_string));
  syclze_offload_string string;
  size_t count = 1;
  strings[0].key = syclze_text_of("SYMBOL_TABLE");
  strings[0].value = syclze_bytes_of(kernel, strlen(kernel));
  for (size_t i = 0; syclze_offload_image_string_at(image, i, &string); i++) {
    if (syclze_text_is(string.key, "symbols") || syclze_text_is(string.key, "SYMBOL_TABLE"))
      continue;
    if (count == STRINGS) fail(kernel, "its image has too many strings");
    strings[count++] = string;
  }
  syclze_offload_image_set_strings(image, strings, count);
}

/* Replaces SPIR-V by the part of it that has the kernel. */
static void cut(syclze_offload_image *image) {
  syclze_split split;
  if (syclze_offload_format_of(image->bytes) != SYCLZE_OFFLOAD_FORMAT_SPIRV) return;
  ze_result_t result = syclze_split_make(image->bytes, SYCLZE_SPLIT_BY_KERNEL, &split);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) {
    fprintf(stderr, "convert: %s: its module cannot be divided, and stays whole\n", kernel);
    return;
  }
  check(result, kernel);
  for (uint32_t part = 0; part < split.part_count; part++) {
    size_t size = 0;
    check(syclze_split_write(&split, part, NULL, &size), kernel);
    uint8_t *bytes = (uint8_t *)allocate(size);
    check(syclze_split_write(&split, part, bytes, &size), kernel);
    const syclze_offload_image alone = syclze_offload_image_of(syclze_bytes_of(bytes, size));
    if (has_kernel(&alone)) {
      image->bytes = alone.bytes;
      name_kernel(image);
      break;
    }
    free(bytes);
  }
  syclze_split_end(&split);
}

/* The images of a file that are wanted. Its bytes stay to the end of the program. */
static void take(const char *name) {
  syclze_offload_file_cursor cursor = syclze_offload_file_begin_bitcode(read_file(name));
  syclze_offload_image image;
  while (syclze_offload_file_next(&cursor, &image)) {
    if (only >= 0 && seen++ != (size_t)only) continue;
    if (kernel != NULL && !has_kernel(&image)) continue;
    if (kernel != NULL) cut(&image);
    images = (syclze_offload_image *)realloc(images, (image_count + 1) * sizeof *images);
    if (images == NULL) fail("memory", "there is none");
    images[image_count++] = image;
  }
  if (cursor.result != ZE_RESULT_SUCCESS) fail(name, cursor.rule);
}

static syclze_bytes to_container(const char *format) {
  const bool is_compressed = format[0] == 'z';
  const uint32_t version = is_compressed ? 3 : (uint32_t)(format[1] - '0');
  size_t size = 0;
  for (size_t i = 0; i < image_count; i++)
    if (images[i].property_sets_begin != NULL || images[i].property_text.size != 0)
      fprintf(stderr, "convert: image %zu: its property sets are left out; syclbin has them\n", i);
  check(syclze_container_write(version, images, image_count, NULL, &size), format);
  void *bytes = allocate(size);
  check(syclze_container_write(version, images, image_count, bytes, &size), format);
  syclze_bytes container = syclze_bytes_of(bytes, size), deflated;
  if (!is_compressed) return container;
  check(syclze_container_deflate(container,
            strcmp(format, "zstd") == 0 ? SYCLZE_COMPRESSION_ZSTD : SYCLZE_COMPRESSION_ZLIB,
            &deflated),
      format);
  return deflated;
}

#include "syclbin.inc"

static syclze_bytes convert(const char *format) {
  if (strcmp(format, "syclbin") == 0) return to_syclbin();
  if (strcmp(format, "syclbin2") == 0) return to_syclbin_2();
  if (strcmp(format, "image") == 0) {
    if (image_count != 1) fail(format, "needs one image; -k or -i choose it");
    return images[0].bytes;
  }
  if ((format[0] == 'v' && format[1] >= '1' && format[1] <= '3' && format[2] == '\0') ||
      strcmp(format, "zlib") == 0 || strcmp(format, "zstd") == 0)
    return to_container(format);
  fail(format, "is no format: v1, v2, v3, zlib, zstd, syclbin, syclbin2 or image");
  return syclze_bytes_of(NULL, 0);
}

int main(int argc, char **argv) {
  const char *out = NULL, *format = "v2";
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    const char *value = argv[first + 1];
    switch (argv[first][1]) {
    case 'o':
      out = value;
      break;
    case 'f':
      format = value;
      break;
    case 'k':
      kernel = value;
      break;
    case 'i':
      only = strtol(value, NULL, 10);
      break;
    case 's':
      state = value;
      break;
    default:
      fail(argv[first], "is no option");
    }
  }
  if (out == NULL || first >= argc)
    fail("usage", "convert -o OUT [-f FORMAT] [-k KERNEL] [-i INDEX] [-s STATE] FILE...");
  for (; first < argc; first++)
    take(argv[first]);
  if (image_count == 0) fail(out, "no image is left");
  write_file(out, convert(format));
  return 0;
}
