/* Device memory passed to a C library on the host: the device fills, a host task sorts, the device
   copies. Only the last line waits. */
#include "command.h"

enum { COUNT = 1024 };

static int compare(const void *a, const void *b) {
  const int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* The C library's function is qsort. */
static ze_result_t sort(syclze_interop_handle handle, void *argument) {
  syclze_accessor accessor = *(syclze_accessor *)argument;
  int *numbers;
  TRY(syclze_get_native_mem(handle, accessor, &numbers));
  qsort(numbers, COUNT, sizeof *numbers, compare);
  return ZE_RESULT_SUCCESS;
}

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  void *memory;
  syclze_buffer shared, result = ints_of(context, device, COUNT);
  TRY(syclze_malloc_shared(COUNT * sizeof(int), device, context, &memory));
  syclze_buffer_input input = {.native_handle = memory, .element_size = sizeof(int)};
  TRY(syclze_make_native(&input, context, &shared));

  int numbers[COUNT], sorted[COUNT];
  for (int i = 0; i < COUNT; i++)
    numbers[i] = (i * 389) % COUNT;
  syclze_group in = syclze_group_begin(queue);
  TRY(syclze_copy(&in, shared, numbers, sizeof numbers, NULL));

  syclze_group host = syclze_group_begin(queue);
  syclze_accessor accessor = syclze_require(&host, shared, SYCLZE_ACCESS_READ_WRITE);
  TRY(syclze_group_host_task(&host, sort, &accessor, NULL));

  syclze_group on = syclze_group_begin(queue);
  TRY(syclze_copy(&on, result, shared, sizeof numbers, NULL));

  syclze_group out = syclze_group_begin(queue);
  TRY(syclze_copy(&out, sorted, result, sizeof sorted, NULL));
  TRY(syclze_queue_wait(queue));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += sorted[i] != i;
  printf("checked: %d numbers, %d wrong\n", COUNT, wrong);
  TRY(syclze_release(shared, result, queue, context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
