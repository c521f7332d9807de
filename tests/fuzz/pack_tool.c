/* Fuzz target: offload/tools/pack.c, from options to the container that it writes, which is read
   again: the input has the container's version, then, of each image, the size of its option, the
   option, and its file, up to the next image. */
#define _GNU_SOURCE
#include "syclze/offload/container.h"
#include "syclze/offload/deflate.h"
#include "syclze/offload/symbol_table.h"
#include "use.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The tool ends with what it cannot do, and frees nothing. */
static jmp_buf refused;
static void *taken[4096];
static size_t taken_count;

static FILE *opened;

static FILE *open_file(const char *name, const char *mode) {
  return opened = fopen(name, mode);
}

static int close_file(FILE *file) {
  opened = NULL;
  return fclose(file);
}

static void *take(size_t size) {
  void *memory = malloc(size);
  if (taken_count < sizeof taken / sizeof *taken) taken[taken_count++] = memory;
  return memory;
}

__attribute__((noreturn)) static void leave(int code) {
  (void)code;
  longjmp(refused, 1);
}

static void keep(void *memory) {
  (void)memory;
}

static void print_nothing(FILE *file, const char *format, ...) {
  (void)file, (void)format;
}

#define main pack_main
#define malloc take
#define free keep
#define exit leave
#define fopen open_file
#define fclose close_file
#define fprintf print_nothing
#include "syclze/offload/tools/pack.c"
#undef main
#undef malloc
#undef free
#undef exit
#undef fopen
#undef fclose
#undef fprintf

enum { FUZZ_IMAGES = 3 };

static void check_written(const char *name) {
  syclze_bytes bytes = read_file(name);
  syclze_container container;
  if (syclze_container_open(bytes, &container) != ZE_RESULT_SUCCESS) abort();
  if (syclze_container_image_count(container) != image_count) abort();
  for (size_t i = 0; i < image_count; i++) {
    const syclze_offload_image *image = syclze_container_image_at(container, i);
    if (image->bytes.size != images[i].bytes.size ||
        memcmp(image->bytes.data, images[i].bytes.data, image->bytes.size) != 0 ||
        image->strings.count != images[i].strings.count)
      abort();
    use_image(image);
  }
  syclze_container_close(container);
}

static int new_file(const void *bytes, size_t size, char *name, size_t room) {
  int file = memfd_create("image", 0);
  if (file < 0 || (size != 0 && write(file, bytes, size) != (ssize_t)size)) abort();
  snprintf(name, room, "/proc/self/fd/%d", file);
  return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static char option[400];
  char out[40], name[40];
  static int files[FUZZ_IMAGES + 1];
  volatile size_t count = 0;
  if (size < 2) return 0;
  uint32_t version = data[0] % 4;
  data++, size--;
  image_count = 0;
  memset(inputs, 0, (FUZZ_IMAGES + 1) * sizeof *inputs);
  files[count++] = new_file(NULL, 0, out, sizeof out);
  if (setjmp(refused) == 0) {
    while (size > 2 && count <= FUZZ_IMAGES) {
      size_t text = data[0] % 128, length = (size_t)data[1] * 8;
      data += 2, size -= 2;
      if (text > size) text = size;
      if (length > size - text) length = size - text;
      files[count++] = new_file(data + text, length, name, sizeof name);
      int used_up =
          snprintf(option, sizeof option, "file=%s,%.*s", name, (int)text, (const char *)data);
      if (used_up < 0) abort();
      add_image(option, version);
      data += text + length, size -= text + length;
    }
    pack(out, version, NULL);
    check_written(out);
  }
  if (opened != NULL) close_file(opened);
  for (size_t i = 0; i < count; i++)
    close(files[i]);
  while (taken_count != 0)
    free(taken[--taken_count]);
  return 0;
}
