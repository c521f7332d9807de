/* A program in C with a queue of its own calls a C++ library that takes a sycl::queue *, as oneMKL
 * does: their commands run in the order of their calls, with no wait on the host between them. */
#include "sycl_library.h"
#include "syclze/queue_commands.h"
#include "syclze/sycl_interop.h"
#include "syclze/syclze.h"

#include <stdio.h>

#define TRY(call)                                                                                  \
  if ((result = (call)) != ZE_RESULT_SUCCESS)                                                      \
  return printf("%s: %s\n", #call, syclze_result_string(result)), 1

int main(void) {
  const size_t count = 1 << 16, size = count * sizeof(float);
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  const float two = 2;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  void *x, *y, *z, *sycl_queue;
  ze_result_t result;
  TRY(syclze_device_get_selected(&(uint32_t){1}, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, &in_order, &queue));
  TRY(syclze_malloc_device(size, device, context, &x));
  TRY(syclze_malloc_device(size, device, context, &y));
  TRY(syclze_malloc_host(size, context, &z));

  TRY(syclze_queue_fill(queue, x, &two, sizeof two, size, NULL, 0, NULL));
  TRY(syclze_queue_to_sycl(queue, &sycl_queue));
  sycl_library_copy(sycl_queue, count, x, y);
  TRY(syclze_queue_copy(queue, z, y, size, NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));

  size_t wrong = 0;
  for (size_t i = 0; i < count; i++)
    wrong += ((float *)z)[i] != two;
  syclze_sycl_delete(sycl_queue);
  TRY(syclze_free(x, context));
  TRY(syclze_free(y, context));
  TRY(syclze_free(z, context));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  printf("%zu numbers, %zu wrong\n", count, wrong);
  return wrong != 0;
}
