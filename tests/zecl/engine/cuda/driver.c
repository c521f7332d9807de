#include "engine/cuda/driver.h"

#include <dlfcn.h>
#include <string.h>

struct zecl_cuda_driver zecl_cuda;

bool zecl_cuda_load(const char **missing) {
  const char *older = NULL;
  *missing = NULL;
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL), *address;
  if (!library) return false;
#define FIND(name, symbol, lacks)                                                                  \
  address = dlsym(library, #symbol);                                                               \
  if (!address) lacks = #symbol;                                                                   \
  memcpy(&zecl_cuda.name, &address, sizeof address);
#define FIND_NEEDED(name, symbol, parameters) FIND(name, symbol, *missing)
#define FIND_NEWER(name, symbol, parameters) FIND(name, symbol, older)
#define FORGET(name, symbol, parameters) zecl_cuda.name = NULL;
  ZECL_CUDA_FUNCTIONS(FIND_NEEDED)
  ZECL_CUDA_GRAPH_FUNCTIONS(FIND_NEWER)
  if (older) {
    ZECL_CUDA_GRAPH_FUNCTIONS(FORGET)
  }
#undef FORGET
#undef FIND_NEWER
#undef FIND_NEEDED
#undef FIND
  return !*missing;
}
