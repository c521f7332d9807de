/* How do I use a queue without command groups? Copies, fills and barriers on pointers are one call
   each, which takes the events to wait for and may return one. */
#include "command.h"

enum { WIDTH = 8, HEIGHT = 4, PITCH = 16 };

int main(void) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device), ordered; /* the first is out of order */
  TRY(syclze_queue_create(context, device, &in_order, &ordered));
  void *memory;
  TRY(syclze_malloc_shared(HEIGHT * PITCH, device, context, &memory));
  unsigned char *rows = memory, seen[WIDTH * HEIGHT];
  const unsigned char empty = 0, full = 7;

  /* Each waits for the one before by its event; the rows have gaps. */
  syclze_event cleared, filled;
  TRY(syclze_queue_fill(queue, rows, &empty, 1, HEIGHT * PITCH, NULL, 0, &cleared));
  TRY(syclze_queue_fill_2d(queue, rows, PITCH, &full, 1, WIDTH, HEIGHT, &cleared, 1, &filled));

  /* On the other queue all that follows waits for that event; its commands keep their order. */
  TRY(syclze_queue_set_external_event(ordered, filled));
  TRY(syclze_queue_copy_2d(ordered, seen, WIDTH, rows, PITCH, WIDTH, HEIGHT, NULL, 0, NULL));
  syclze_event last;
  TRY(syclze_queue_get_last_event(ordered, &last));
  const syclze_event all[] = {filled, last};
  TRY(syclze_events_wait(all, 2));
  bool is_empty;
  TRY(syclze_queue_is_empty(ordered, &is_empty));
  CLAIM(is_empty);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    CLAIM(seen[i] == full);
  CLAIM(rows[WIDTH] == empty);

  TRY(syclze_event_release(cleared));
  TRY(syclze_event_release(filled));
  TRY(syclze_event_release(last));
  TRY(syclze_queue_wait(queue));
  TRY(syclze_free(memory, context));
  TRY(syclze_release(ordered));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
