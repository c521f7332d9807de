/* How do I keep a log on the device whose length is not known before? Memory that grows at its end,
   at the same address, so that pointers to it stay right. */
#include "command.h"
#include "syclze/growable_memory.h"

enum { STEPS = 8, BYTES = 100000, CAPACITY = 64 << 20 };

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  syclze_growable_memory log;
  TRY(syclze_growable_memory_reserve(CAPACITY, device, context, &log));
  char *const first = syclze_growable_memory_get_pointer(log); /* address space, no memory yet */
  CLAIM(syclze_growable_memory_get_size(log) == 0);

  for (int step = 0; step < STEPS; step++) {
    const unsigned char entry = (unsigned char)(step + 1);
    const size_t used = (size_t)step * BYTES;
    TRY(syclze_growable_memory_grow(
        log, used + BYTES)); /* whole pages: it may have become larger */
    CLAIM(syclze_growable_memory_get_pointer(log) == first);
    TRY(syclze_queue_fill(queue, first + used, &entry, 1, BYTES, NULL, 0, NULL));
    TRY(syclze_queue_wait(queue));
  }

  unsigned char seen[STEPS];
  for (int step = 0; step < STEPS; step++)
    TRY(syclze_queue_copy(
        queue, &seen[step], first + (size_t)(step + 1) * BYTES - 1, 1, NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));
  for (int step = 0; step < STEPS; step++)
    CLAIM(seen[step] == step + 1);

  TRY(syclze_growable_memory_shrink(log, BYTES)); /* what lies behind is given back */
  printf("%d entries of %d bytes, then %zu bytes\n", STEPS, BYTES,
      syclze_growable_memory_get_size(log));
  TRY(syclze_growable_memory_release(log));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
