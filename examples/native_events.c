/* Native events in and out: a native command appends Level Zero calls to the queue's list, waits
   for its dependencies by native events, and names the native event that later commands wait for.
   The host waits only at the end. */
#include "command.h"

enum { COUNT = 256 };

struct copy {
  syclze_accessor from;
  int *to;
  ze_event_handle_t done;
};

static ze_result_t append(syclze_interop_handle handle, void *argument) {
  struct copy *copy = argument;
  syclze_native_queue queue;
  uint32_t count;
  const ze_event_handle_t *waits;
  void *memory;
  TRY(syclze_interop_handle_get_native_queue(handle, &queue));
  TRY(syclze_interop_handle_get_wait_list(handle, &count, &waits));
  TRY(syclze_get_native_mem(handle, copy->from, &memory));
  if (count > 0)
    TRY(zeCommandListAppendBarrier(queue.list, NULL, count, (ze_event_handle_t *)waits));
  TRY(zeCommandListAppendMemoryCopy(
      queue.list, copy->to, memory, COUNT * sizeof(int), copy->done, 0, NULL));
  return syclze_interop_handle_add_event(handle, copy->done);
}

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device), other = queue_of(context, device);
  syclze_buffer buffer = ints_of(context, device, COUNT);
  syclze_event native;
  TRY(syclze_event_create(context, 0, &native));
  const int seven = 7, nine = 9;
  static int seen[COUNT];

  syclze_group before = syclze_group_begin(other);
  syclze_accessor all = syclze_require(&before, buffer, SYCLZE_ACCESS_DISCARD_WRITE);
  TRY(syclze_group_fill(
      &before, syclze_mem_arg(all), &seven, sizeof seven, COUNT * sizeof seven, NULL));

  struct copy copy = {.to = seen, .done = syclze_get_native(native)};
  syclze_group group = syclze_group_begin(queue);
  copy.from = syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
  TRY(syclze_group_native_command(&group, append, &copy, NULL));

  syclze_group after = syclze_group_begin(other);
  all = syclze_require(&after, buffer, SYCLZE_ACCESS_DISCARD_WRITE);
  TRY(syclze_group_fill(
      &after, syclze_mem_arg(all), &nine, sizeof nine, COUNT * sizeof nine, NULL));
  TRY(syclze_queue_wait(other));
  TRY(syclze_queue_wait(queue));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += seen[i] != seven;
  printf("checked: %d numbers, %d wrong\n", COUNT, wrong);
  TRY(syclze_release(native));
  TRY(syclze_release(buffer));
  TRY(syclze_release(queue));
  TRY(syclze_release(other));
  TRY(syclze_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
