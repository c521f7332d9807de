/* What Python's ctypes calls: objects of dpctl, which are pointers to SYCL's, for the C library. No
 * C++ compiler, no header of SYCL's, and no link to libsycl. */
#include "library.h"
#include "syclze/sycl_interop.h"

#define EXPORTED __attribute__((visibility("default")))

/* `sycl_queue` is dpctl's, by SyclQueue.addressof_ref(). Null on failure. */
EXPORTED struct library *adapter_open(const void *sycl_queue, const char *spirv) {
  syclze_queue queue;
  if (syclze_queue_from_sycl(sycl_queue, &queue) != ZE_RESULT_SUCCESS) return NULL;
  struct library *library = library_open(queue, spirv);
  syclze_release(queue);
  return library;
}

/* Adds y = a * x + y behind what SYCL's queue was given, the host tasks of dpnp too. The event, in
 * new memory, is for dpctl.SyclEvent. Null on failure. */
EXPORTED void *adapter_saxpy(struct library *library, const void *sycl_queue, float a,
    const float *x, float *y, size_t count) {
  syclze_queue queue;
  syclze_event event;
  void *sycl_event = NULL;
  if (syclze_queue_from_sycl(sycl_queue, &queue) != ZE_RESULT_SUCCESS) return NULL;
  if (library_saxpy(library, a, x, y, count, &event) == ZE_RESULT_SUCCESS) {
    syclze_event_to_sycl(event, queue, &sycl_event);
    syclze_release(event);
  }
  syclze_release(queue);
  return sycl_event;
}

EXPORTED void adapter_close(struct library *library) {
  library_close(library);
}
