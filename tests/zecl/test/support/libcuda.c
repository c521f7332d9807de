#define _GNU_SOURCE
#include "libcuda.h"

#include "test/harness/check.h"

#include <dlfcn.h>
#include <unistd.h>

static void *library;

static void set(const char *variable, int value) {
  char text[16];
  snprintf(text, sizeof text, "%d", value);
  setenv(variable, text, 1);
}

/* The library is in the build folder, two levels above the program. */
void test_load_libcuda(int megabytes, int devices) {
  char path[4200];
  set("LIBCUDA_MEMORY", megabytes);
  set("LIBCUDA_DEVICES", devices);
  const ssize_t length = readlink("/proc/self/exe", path, 4096);
  if (length <= 0) return;
  path[length] = 0;
  for (int parts = 0; parts < 2; parts++)
    *strrchr(path, '/') = 0;
  strcat(path, "/libcuda/libcuda.so.1");
  library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
  if (!library) fprintf(stderr, "%s\n", dlerror());
  setenv("ZECL_ENGINE", "cuda", 1);
}

void *test_libcuda_symbol(const char *name) {
  void *symbol = library ? dlsym(library, name) : NULL;
  CHECK(symbol != NULL);
  return symbol;
}

long test_libcuda_live(enum libcuda_kind kind) {
  long (*count)(enum libcuda_kind);
  void *symbol = test_libcuda_symbol("libcuda_live");
  memcpy(&count, &symbol, sizeof count);
  return count(kind);
}
