#include "engine/cuda/driver.h"

#include <dlfcn.h>
#include <string.h>

struct zecl_cuda_driver zecl_cuda;

bool zecl_cuda_load(const char **missing) {
  *missing = NULL;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return false;
#define FIND(name, symbol, parameters)                                                             \
  do {                                                                                             \
    void *address = dlsym(library, #symbol);                                                       \
    if (!address) *missing = #symbol;                                                              \
    memcpy(&zecl_cuda.name, &address, sizeof address);                                             \
  } while (0);
  ZECL_CUDA_FUNCTIONS(FIND)
#undef FIND
  return !*missing;
}
