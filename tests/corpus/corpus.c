/* The device images of a product's library, through syclze, for run.py:
 *
 *     corpus FILE              prints the number of images, of kernels, and of those kernels that
 *                              are found by their names in the image that they are in
 *     corpus FILE EVERY FROM   builds every EVERY-th kernel from number FROM on, on the first
 *                              device, and prints a line for each: its number, the result, the log
 */
#include "syclze/offload/division.h"
#include "syclze/offload/program.h"
#include "syclze/syclze.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define TRY(call)                                                                                  \
  do {                                                                                             \
    ze_result_t result_ = (call);                                                                  \
    if (result_ != ZE_RESULT_SUCCESS) {                                                            \
      printf("%s: %s\n", #call, syclze_result_string(result_));                                    \
      return 1;                                                                                    \
    }                                                                                              \
  } while (0)

static syclze_offload_set set;
static char **names;
static size_t name_count, name_room, found_count;

static syclze_bytes map(const char *path) {
  struct stat properties;
  const int file = open(path, O_RDONLY);
  if (file < 0 || fstat(file, &properties) != 0) return syclze_bytes_of(NULL, 0);
  void *bytes = mmap(NULL, (size_t)properties.st_size, PROT_READ, MAP_PRIVATE, file, 0);
  close(file);
  return syclze_bytes_of(bytes, bytes != MAP_FAILED ? (size_t)properties.st_size : 0);
}

static bool is_found(const char *name, uint64_t serial) {
  static syclze_offload_found found[4096];
  uint32_t count = sizeof found / sizeof *found;
  if (syclze_offload_set_find(set, name, &count, found) != ZE_RESULT_SUCCESS) return false;
  for (uint32_t i = 0; i < count && i < sizeof found / sizeof *found; i++)
    if (found[i].serial == serial) return true;
  return false;
}

/* Adds an image's kernels; its table has exported functions too. */
static void add_kernels(const syclze_offload_found *image) {
  syclze_property_sets sets = {NULL};
  syclze_symbol_cursor cursor;
  syclze_text text;
  if (syclze_property_sets_open(&image->image, &sets) != ZE_RESULT_SUCCESS) sets.rep = NULL;
  syclze_symbols_begin(&image->image, &cursor);
  while (syclze_symbol_next(&cursor, &text)) {
    char *name = strndup(text.data, text.size);
    if (name_count == name_room)
      names = realloc((void *)names, (name_room = 2 * name_room + 64) * sizeof *names);
    if (name == NULL || names == NULL) abort();
    if (sets.rep != NULL &&
        syclze_property_find(sets, SYCLZE_PROPERTY_SET_EXPORTED_SYMBOLS, name) != NULL) {
      free(name);
      continue;
    }
    names[name_count++] = name;
    found_count += is_found(name, image->serial);
  }
  syclze_property_sets_close(sets);
}

static int build(size_t every, size_t from) {
  static char log[4096];
  const syclze_program_desc desc = {.set = set, .cache_folder = ""};
  syclze_platform platform;
  syclze_device device;
  syclze_context context;
  syclze_program program;
  uint32_t one = 1;
  TRY(syclze_platform_get(&one, &platform));
  TRY(syclze_device_get(platform, &one, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_program_create(context, &desc, &program));
  for (size_t i = from; i < name_count; i += every) {
    const syclze_program_request request = {names[i], NULL, 0, log, sizeof log};
    syclze_kernel kernel;
    log[0] = '\0';
    const ze_result_t result = syclze_program_get_kernel(program, device, &request, &kernel);
    for (char *at = log; *at != '\0'; at++)
      if (*at == '\n' || *at == '\t' || *at == '\r') *at = ' ';
    printf("%zu\t%s\t%s\n", i, syclze_result_string(result), log);
    fflush(stdout);
    if (result == ZE_RESULT_SUCCESS) TRY(syclze_kernel_release(kernel));
  }
  TRY(syclze_program_release(program));
  return syclze_context_release(context) != ZE_RESULT_SUCCESS;
}

int main(int argc, char **argv) {
  uint32_t count = 0;
  if (argc != 2 && argc != 4) return 2;
  const syclze_bytes file = map(argv[1]);
  TRY(syclze_offload_set_create(&set));
  TRY(syclze_offload_set_allow_division(set));
  TRY(syclze_offload_set_add_bytes(set, file, NULL));
  syclze_offload_set_list(set, &count, NULL);
  syclze_offload_found *images = calloc((size_t)count + 1, sizeof *images);
  if (images == NULL) return 2;
  syclze_offload_set_list(set, &count, images);
  for (uint32_t i = 0; i < count; i++)
    add_kernels(&images[i]);
  free(images);
  if (argc == 2) printf("%u %zu %zu\n", count, name_count, found_count);
  const int result = argc == 4 ? build(strtoul(argv[2], NULL, 10), strtoul(argv[3], NULL, 10)) : 0;
  for (size_t i = 0; i < name_count; i++)
    free(names[i]);
  free((void *)names);
  syclze_offload_set_release(set);
  return result;
}
