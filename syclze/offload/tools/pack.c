/* pack -o OUT [-v VERSION] [-c zlib|zstd] --image=file=FILE[,triple=T][,arch=A]...: an Offload
 * Binary with an image of each file, in the order of the options, with a table of its kernels.
 *
 * pack -r FILE: prints a C file that holds the container FILE and registers it with the program, by
 * __sycl_register_lib, before its constructors (registry.h). For offload.mk.
 *
 * Compression is of version 3, and needs libz or libzstd where it runs. */
#include "syclze/offload/deflate.h"
#include "syclze/offload/symbol_table.h"

#include "tool.inc"

enum { IMAGES = 4096, STRINGS = 12 };

struct input {
  syclze_offload_string strings[STRINGS];
  size_t count;
};

static struct input inputs[IMAGES];
static syclze_offload_image images[IMAGES];
static size_t image_count;

static void fail(const char *name, const char *what) {
  fprintf(stderr, "pack: %s: %s\n", name, what);
  exit(1);
}

static void *allocate(size_t size) {
  void *memory = malloc(size + 1);
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

static void add_string(struct input *input, const char *key, const void *value, size_t size) {
  if (input->count == STRINGS) fail(key, "an image has too many strings");
  syclze_offload_string *string = &input->strings[input->count++];
  string->key = syclze_text_of(key);
  string->value = syclze_bytes_of(value, size);
}

/* The names of an image's kernels: as in the design, and as clang's runtime reads them. */
static void add_symbols(struct input *input, const syclze_offload_image *image, uint32_t version) {
  for (int form = SYCLZE_SYMBOL_FORM_TEXT; form <= SYCLZE_SYMBOL_FORM_BINARY; form++) {
    size_t size = 0;
    if (version == 1 && form == SYCLZE_SYMBOL_FORM_BINARY) continue;
    if (syclze_symbols_write(image, (syclze_symbol_form)form, NULL, &size) != ZE_RESULT_SUCCESS ||
        size == 0)
      continue;
    void *table = allocate(size);
    syclze_symbols_write(image, (syclze_symbol_form)form, table, &size);
    add_string(input, form == SYCLZE_SYMBOL_FORM_TEXT ? "SYMBOL_TABLE" : "symbols", table, size);
  }
}

/* file=F,key=value,... */
static void add_image(char *option, uint32_t version) {
  if (image_count == IMAGES) fail(option, "too many images");
  struct input *input = &inputs[image_count];
  syclze_offload_image *image = &images[image_count++];
  const char *file = NULL;
  for (char *pair = strtok(option, ","); pair != NULL; pair = strtok(NULL, ",")) {
    char *value = strchr(pair, '=');
    if (value == NULL) fail(pair, "is no key=value");
    *value++ = '\0';
    if (strcmp(pair, "file") == 0)
      file = value;
    else if (strcmp(pair, "kind") == 0) {
      if (strcmp(value, "sycl") != 0) fail(value, "only kind=sycl is packed");
    } else if (*value != '\0')
      add_string(input, pair, value, strlen(value));
  }
  if (file == NULL) fail("an image", "has no file");
  *image = syclze_offload_image_of(read_file(file));
  syclze_offload_format format = syclze_offload_format_of(image->bytes);
  image->offload_kind = SYCLZE_OFFLOAD_KIND_SYCL;
  if (format == SYCLZE_OFFLOAD_FORMAT_SPIRV)
    image->image_kind =
        version == 1 ? SYCLZE_OFFLOAD_IMAGE_KIND_NONE : SYCLZE_OFFLOAD_IMAGE_KIND_SPIRV;
  else if (format == SYCLZE_OFFLOAD_FORMAT_ZEBIN || format == SYCLZE_OFFLOAD_FORMAT_ELF)
    image->image_kind = SYCLZE_OFFLOAD_IMAGE_KIND_OBJECT;
  add_symbols(input, image, version);
}

static void pack(const char *out, uint32_t version, const char *compression) {
  size_t size = 0;
  for (size_t i = 0; i < image_count; i++)
    syclze_offload_image_set_strings(&images[i], inputs[i].strings, inputs[i].count);
  ze_result_t result = syclze_container_write(version, images, image_count, NULL, &size);
  if (result != ZE_RESULT_SUCCESS) fail(out, syclze_result_string(result));
  void *bytes = allocate(size);
  syclze_container_write(version, images, image_count, bytes, &size);
  syclze_bytes container = syclze_bytes_of(bytes, size), deflated;
  if (compression != NULL) {
    bool is_zstd = strcmp(compression, "zstd") == 0;
    if (!is_zstd && strcmp(compression, "zlib") != 0) fail(compression, "is neither zlib nor zstd");
    result = syclze_container_deflate(
        container, is_zstd ? SYCLZE_COMPRESSION_ZSTD : SYCLZE_COMPRESSION_ZLIB, &deflated);
    if (result != ZE_RESULT_SUCCESS) fail(compression, syclze_result_string(result));
    container = deflated;
  }
  write_file(out, container);
}

/* The section is the one in which LLVM's tools look for images. */
static void print_registration(const char *name) {
  if (strpbrk(name, "\"\\\n") != NULL) fail(name, "has a quote, a backslash or a line break");
  free((void *)(uintptr_t)read_file(name).data);
  printf("/* Registers the device images of a container with the program. */\n"
         "#include <stddef.h>\n"
         "__asm__(\".pushsection .llvm.offloading,\\\"a\\\",@0x6fff4c0b\\n\"\n"
         "        \".balign 8\\n\"\n"
         "        \"syclze_images_begin:\\n\"\n"
         "        \".incbin \\\"%s\\\"\\n\"\n"
         "        \"syclze_images_end:\\n\"\n"
         "        \".popsection\\n\");\n"
         "extern const char syclze_images_begin[] __attribute__((visibility(\"hidden\")));\n"
         "extern const char syclze_images_end[] __attribute__((visibility(\"hidden\")));\n"
         "void __sycl_register_lib(const void *, size_t);\n"
         "void __sycl_unregister_lib(const void *, size_t);\n"
         "__attribute__((constructor(101))) static void syclze_images_register(void) {\n"
         "  __sycl_register_lib(syclze_images_begin,\n"
         "      (size_t)(syclze_images_end - syclze_images_begin));\n"
         "}\n"
         "__attribute__((destructor(101))) static void syclze_images_unregister(void) {\n"
         "  __sycl_unregister_lib(syclze_images_begin,\n"
         "      (size_t)(syclze_images_end - syclze_images_begin));\n"
         "}\n",
      name);
}

int main(int argc, char **argv) {
  const char *out = NULL, *compression = NULL, *version = "1";
  if (argc == 3 && strcmp(argv[1], "-r") == 0) {
    print_registration(argv[2]);
    return 0;
  }
  for (int i = 1; i + 1 < argc; i++) {
    if (strcmp(argv[i], "-o") == 0) out = argv[i + 1];
    if (strcmp(argv[i], "-v") == 0) version = argv[i + 1];
    if (strcmp(argv[i], "-c") == 0) compression = argv[i + 1];
  }
  if (out == NULL) fail("usage", "pack -o OUT [-v VERSION] [-c zlib|zstd] --image=file=FILE,...");
  uint32_t number = compression != NULL ? 3 : (uint32_t)strtoul(version, NULL, 10);
  for (int i = 1; i < argc; i++)
    if (strncmp(argv[i], "--image=", 8) == 0) add_image(argv[i] + 8, number);
  if (image_count == 0) fail(out, "no image is given");
  pack(out, number, compression);
  return 0;
}
