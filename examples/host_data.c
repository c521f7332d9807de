/* Data of the host as a buffer: the library copies them to the device and back, or uses them in
   place where the device can. A host accessor reads in between. */
#include "command.h"

#include "syclze/command/host_accessor.h"

enum { COUNT = 256, HALF = COUNT / 2 };

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  int numbers[COUNT];
  for (int i = 0; i < COUNT; i++)
    numbers[i] = i;

  syclze_buffer_desc desc = {.host_data = numbers, .element_size = sizeof(int), .range = {COUNT}};
  syclze_buffer buffer, half;
  TRY(syclze_buffer_create(context, &desc, &buffer));

  /* Work on a part, which is a buffer of its own. */
  const size_t offset = HALF, count = HALF;
  const int seven = 7;
  TRY(syclze_buffer_create_sub(buffer, &offset, &count, &half));
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor part = syclze_require(&group, half, SYCLZE_ACCESS_WRITE);
  TRY(syclze_group_fill(
      &group, syclze_mem_arg(part), &seven, sizeof seven, HALF * sizeof(int), NULL));

  /* The host waits for that work; what is submitted meanwhile waits for the host. */
  syclze_host_accessor accessor;
  TRY(syclze_host_accessor_create(buffer, SYCLZE_ACCESS_READ_WRITE, &accessor));
  int *now = syclze_host_accessor_get_pointer(accessor);
  CLAIM(now[0] == 0 && now[HALF] == seven);
  now[1] = 100;
  TRY(syclze_host_accessor_release(accessor));

  /* The last release writes back. */
  TRY(syclze_buffer_release(half));
  TRY(syclze_buffer_release(buffer));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += numbers[i] != (i == 1 ? 100 : i < HALF ? i : seven);
  printf("checked: %d numbers, %d wrong\n", COUNT, wrong);
  TRY(syclze_queue_wait(queue));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
