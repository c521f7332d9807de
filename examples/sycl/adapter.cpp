// What Python's ctypes calls: objects of dpctl, which are pointers to SYCL's, for the C library.
#include "library.h"
#include "syclze/sycl.hpp"

#include <cstdio>

#define EXPORTED extern "C" __attribute__((visibility("default")))

// `queue` is dpctl's, by SyclQueue.addressof_ref(). Null on failure.
EXPORTED struct library *adapter_open(void *queue, const char *spirv) try {
  const syclze_queue same = syclze::from_sycl(*static_cast<sycl::queue *>(queue));
  struct library *library = library_open(same, spirv);
  syclze_release(same);
  return library;
} catch (const std::exception &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return nullptr;
}

// The event, in new memory, is for dpctl.SyclEvent. Null on failure.
EXPORTED void *adapter_saxpy(
    struct library *library, float a, const float *x, float *y, size_t count) {
  syclze_event event = {};
  if (library_saxpy(library, a, x, y, count, &event) != ZE_RESULT_SUCCESS) return nullptr;
  sycl::event *done = nullptr;
  try {
    done = new sycl::event(syclze::to_sycl(event, library->queue));
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  syclze_release(event);
  return done;
}

EXPORTED void adapter_close(struct library *library) {
  library_close(library);
}
