/* kernels.cpp without a SYCL compiler: the device image that clang generated, embedded in the
   program, and the closure in clang's layout. */
#include "syclze/offload/embed.h"

syclze_embed("examples/fsycl/kernels.spv", fsycl_kernels);

void scale(float *numbers, float factor, size_t count);
void launch(const char *kernel_name, const void *closure, size_t size, size_t count);

void scale(float *numbers, float factor, size_t count) {
  struct closure {
    float *numbers;
    float factor;
  } closure;
  memset(&closure, 0, sizeof closure);
  closure.numbers = numbers;
  closure.factor = factor;
  launch("_ZTS5Scale", &closure, sizeof closure, count);
}
