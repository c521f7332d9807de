/* A hand-over between two queues without a named event: the buffer orders its writer and its
   reader. A disjoint part of it is written concurrently. */
#include "command.h"

enum { COUNT = 256, HALF = COUNT / 2 };

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue producer = queue_of(context, device), consumer = queue_of(context, device);
  syclze_buffer buffer = ints_of(context, device, COUNT);
  const int one = 1, two = 2;
  int seen[COUNT];

  for (size_t part = 0; part < 2; part++) {
    syclze_group group = syclze_group_begin(producer);
    syclze_accessor half =
        syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_DISCARD_WRITE, part * HALF, HALF);
    TRY(syclze_group_fill(&group, syclze_mem_arg(half), part == 0 ? &one : &two, sizeof(int),
        HALF * sizeof(int), NULL));
  }
  for (size_t part = 0; part < 2; part++) {
    syclze_group group = syclze_group_begin(consumer);
    syclze_accessor half =
        syclze_group_require_range(&group, buffer, SYCLZE_ACCESS_READ, part * HALF, HALF);
    TRY(syclze_group_update_host(&group, seen + part * HALF, half, NULL));
  }
  TRY(syclze_queue_wait(consumer));

  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += seen[i] != (i < HALF ? one : two);
  printf("checked: %d numbers, %d wrong\n", COUNT, wrong);
  TRY(syclze_queue_wait(producer));
  TRY(syclze_release(buffer));
  TRY(syclze_release(producer));
  TRY(syclze_release(consumer));
  TRY(syclze_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
