/* How do two libraries that both vendor syclze share handles? By the natives: each has a state of
   its own, and wraps what the other gives; the context and the queue are kept, the event
   transferred. */
#include "examples/common.h"
#include "libraries.h"

int main(void) {
  CLAIM(maker_state() != user_state());
  maker_begin();
  /* The pool has room for one event: the second is made only if the first was destroyed. */
  for (int i = 0; i < 2; i++)
    CLAIM(user_fill(maker_device(), maker_context(), maker_queue(), maker_event()) == 0);
  puts("filled twice: the list outlived the first user, the event did not");
  maker_end();
  return 0;
}
