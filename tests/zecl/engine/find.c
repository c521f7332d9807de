/* The engine of the process: the one that ZECL_ENGINE names; else CUDA if it has a device; else
 * OpenCL. */
#include "engine/cuda/cuda.h"
#include "engine/engine.h"
#include "engine/opencl/opencl.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct zecl_engine *found;

static void find(void) {
  const char *named = secure_getenv("ZECL_ENGINE");
  const bool any = !named && !secure_getenv("ZECL_PLATFORM");
  const bool is_cuda = named && strcmp(named, "cuda") == 0;
  if (any || is_cuda) found = zecl_cuda_engine(is_cuda);
  if (!found && !is_cuda) found = zecl_opencl_engine();
}

const struct zecl_engine *zecl_engine(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find);
  return found;
}
