/* How do two libraries that both vendor syclze share handles? Through native handles: each has a
   state of its own and wraps the handles of the other; the context and the queue are kept, the
   event is transferred. */
#include "examples/common.h"
#include "libraries.h"

int main(void) {
  CLAIM(maker_state() != user_state());
  maker_begin();
  /* The pool has capacity 1: the second event is created only if the first was destroyed. */
  for (int i = 0; i < 2; i++)
    CLAIM(user_fill(maker_device(), maker_context(), maker_queue(), maker_event()) == 0);
  puts("filled twice: the list outlived the first user, the event did not");
  maker_end();
  return 0;
}
