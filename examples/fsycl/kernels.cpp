// A SYCL kernel in a C++ file, compiled by `clang++ -fsycl`. The compiler keeps the kernel for the
// device; what is left for the host hands the kernel's name and its closure to C (main.c).
//
// No #ifdef stands in the lambda: host and device must agree on what it captures.
#include <stddef.h>

extern "C" void scale(float *numbers, float factor, size_t count);
extern "C" void launch(const char *kernel, const void *closure, size_t size, size_t count);

static inline size_t global_id() {
#ifdef __SYCL_DEVICE_ONLY__
  return __builtin_spirv_global_invocation_id(0);
#else
  return 0;
#endif
}

// Compilers since 23 hand the kernel to this function too; parallel_for does the same with a count.
template <typename Name, typename... Arguments>
void sycl_kernel_launch(const char *, Arguments...) {
}

template <typename Name, typename Function>
[[clang::sycl_kernel_entry_point(Name)]] void entry(Function function) {
  function();
}

template <typename Name, typename Function> void parallel_for(size_t count, Function function) {
  entry<Name>(function);
  launch(__builtin_sycl_unique_stable_name(Name), &function, sizeof function, count);
}

struct Scale;

void scale(float *numbers, float factor, size_t count) {
  parallel_for<Scale>(count, [=]() { numbers[global_id()] *= factor; });
}
