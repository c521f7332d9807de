/* build -o FOLDER [-d DEVICE] [-b FLAGS] FILE...: builds every kernel of the device images in files
 * of any kind (syclze/offload/file.h) into a folder for syclze_program_desc's package_folder, so
 * that a program which brings the folder along compiles nothing on the machines of its users.
 *
 * For each device of Level Zero's drivers whose name has DEVICE in it, without -d for all. FLAGS
 * are the program's build_flags. Kernels that cannot be built are named with the reason, and built
 * on the machine that runs them. */
#include "syclze/offload/division.h"
#include "syclze/offload/program.h"

#include "tool.inc"

enum { PLATFORMS = 16, DEVICES = 64 };

static const char *folder, *wanted, *flags;
static unsigned failed;

static void fail(const char *name, const char *what) {
  fprintf(stderr, "build: %s: %s\n", name, what);
  exit(1);
}

static void check(ze_result_t result, const char *name) {
  if (result != ZE_RESULT_SUCCESS) fail(name, syclze_result_string(result));
}

static syclze_bytes read_file(const char *name) {
  syclze_bytes bytes;
  if (!tool_read(name, &bytes)) fail(name, "cannot be read");
  return bytes;
}

/* Builds what has a kernel; kernels of one module are built together. Tables of names also have
 * exported functions, of which the set has no kernel. */
static void build_kernel(
    syclze_program program, syclze_offload_set set, syclze_device device, syclze_text name) {
  static char log[8192];
  syclze_kernel_bundle bundle;
  uint32_t images = 0;
  char *kernel = (char *)malloc(name.size + 1);
  if (kernel == NULL) fail("memory", "there is none");
  memcpy(kernel, name.data, name.size);
  kernel[name.size] = '\0';
  const syclze_program_request request = {kernel, NULL, 0, log, sizeof log};
  syclze_offload_set_find(set, kernel, &images, NULL);
  if (images != 0 &&
      syclze_program_get_bundle(program, device, &request, &bundle) == ZE_RESULT_SUCCESS) {
    syclze_kernel_bundle_release(bundle);
  } else if (images != 0) {
    fprintf(stderr, "build: %s: %s\n", kernel, log);
    failed++;
  }
  free(kernel);
}

static void build_for(syclze_device device, syclze_offload_set set) {
  syclze_context context;
  syclze_program program;
  syclze_device_traits traits;
  uint32_t count = 0;
  check(syclze_device_get_traits(device, &traits), "a device");
  if (wanted != NULL && strstr(traits.name, wanted) == NULL) return;
  check(syclze_context_create(&device, 1, &context), traits.name);
  const syclze_program_desc desc = {set, flags, folder, NULL};
  check(syclze_program_create(context, &desc, &program), traits.name);
  syclze_offload_set_list(set, &count, NULL);
  syclze_offload_found *found =
      (syclze_offload_found *)calloc((size_t)count + 1, sizeof(syclze_offload_found));
  if (found == NULL) fail("memory", "there is none");
  syclze_offload_set_list(set, &count, found);
  for (uint32_t i = 0; i < count; i++) {
    syclze_symbol_cursor cursor;
    syclze_text name;
    syclze_symbols_begin(&found[i].image, &cursor);
    while (syclze_symbol_next(&cursor, &name))
      build_kernel(program, set, device, name);
  }
  const syclze_program_counts counts = syclze_program_get_counts(program);
  printf("%s: %u modules built, %u there already\n", traits.name, counts.built, counts.from_disk);
  free(found);
  syclze_program_release(program);
  syclze_context_release(context);
}

int main(int argc, char **argv) {
  syclze_platform platforms[PLATFORMS];
  syclze_offload_set set;
  uint32_t platform_count = PLATFORMS;
  int first = 1;
  for (; first + 1 < argc && argv[first][0] == '-'; first += 2) {
    const char option = argv[first][1];
    if (option == 'o') folder = argv[first + 1];
    if (option == 'd') wanted = argv[first + 1];
    if (option == 'b') flags = argv[first + 1];
  }
  if (folder == NULL || first >= argc)
    fail("usage", "build -o FOLDER [-d DEVICE] [-b FLAGS] FILE...");
  check(syclze_offload_set_create(&set), "images");
  check(syclze_offload_set_allow_division(set), "images");
  for (; first < argc; first++)
    check(syclze_offload_set_add_bytes(set, read_file(argv[first]), argv[first]), argv[first]);
  check(syclze_platform_get(&platform_count, platforms), "Level Zero");
  for (uint32_t i = 0; i < platform_count && i < PLATFORMS; i++) {
    syclze_device devices[DEVICES];
    uint32_t count = DEVICES;
    check(syclze_device_get(platforms[i], &count, devices), "devices");
    for (uint32_t k = 0; k < count && k < DEVICES; k++)
      build_for(devices[k], set);
  }
  syclze_offload_set_release(set);
  return failed != 0;
}
