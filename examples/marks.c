/* Where does the time go, by the names that the program gives? Ranges and the name of a queue in a
   trace, and a table of totals: SYCLZE_TRACE=table prints it to stderr when the program ends. */
#include "command.h"
#include "syclze/trace/marks.h"
#include "syclze/trace/writer.h"

enum { COUNT = 1 << 16, STEPS = 4 };

static void step(syclze_queue queue, unsigned char *memory, int number) {
  const syclze_trace_range whole = syclze_trace_range_begin("step");
  const unsigned char value = (unsigned char)number;
  TRY(syclze_queue_fill(queue, memory, &value, 1, COUNT, NULL, 0, NULL));
  const syclze_trace_range wait = syclze_trace_range_begin("wait");
  TRY(syclze_queue_wait(queue));
  syclze_trace_range_end(wait);
  syclze_trace_range_end(whole);
}

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  void *memory;
  TRY(syclze_trace_name_object(syclze_get_native(queue).list, "fills"));
  TRY(syclze_malloc_shared(COUNT, device, context, &memory));
  for (int i = 0; i < STEPS; i++)
    step(queue, memory, i + 1);
  CLAIM(*(unsigned char *)memory == STEPS);
  TRY(syclze_free(memory, context));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
