/* How does a queue wait for another interface, such as Vulkan, and that one for the queue? By
   semaphores that the other interface exports as file descriptors. Here the program itself is the
   other side, with eventfds, which are the embedded device's semaphores. A loader or a driver
   without semaphores refuses them by name. */
#include "command.h"
#include "syclze/command/external_semaphore.h"

#include <sys/eventfd.h>
#include <unistd.h>

enum { SIZE = 4096 };

static void show(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  printf("%s: %s\n", diagnostic->function, diagnostic->rule);
}

/* Takes a duplicate of the descriptor, or null where it is refused. */
static syclze_external_semaphore import(int fd, syclze_device device, syclze_context context) {
  syclze_external_semaphore semaphore;
  const int own = dup(fd);
  if (syclze_external_semaphore_import(own, SYCLZE_EXTERNAL_SEMAPHORE_OPAQUE_FD, device, context,
          &semaphore) != ZE_RESULT_SUCCESS)
    close(own);
  return semaphore;
}

int main(void) {
  const syclze_diagnostic_handler handler = {.notify = show};
  const int rendered = eventfd(0, EFD_SEMAPHORE), shown = eventfd(0, EFD_SEMAPHORE);
  syclze_diagnostic_set_handler(&handler);
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  syclze_external_semaphore before = import(shown, device, context);
  syclze_external_semaphore after = import(rendered, device, context);
  if (before.rep == NULL || after.rep == NULL)
    puts("no semaphores here: the two sides meet on the host");
  else {
    const unsigned char pixel = 7;
    unsigned char *frame;
    eventfd_t count;
    syclze_event begun, done;
    void *memory;
    TRY(syclze_malloc_shared(SIZE, device, context, &memory));
    frame = memory;
    frame[0] = 0;
    TRY(syclze_queue_wait_external_semaphore(queue, before, 0, NULL, 0, &begun));
    TRY(syclze_queue_fill(queue, frame, &pixel, 1, SIZE, &begun, 1, &done));
    TRY(syclze_queue_signal_external_semaphore(queue, after, 0, &done, 1, NULL));
    /* The other side: the last frame is shown, and the next one is awaited. */
    CLAIM(eventfd_write(shown, 1) == 0);
    CLAIM(eventfd_read(rendered, &count) == 0 && count == 1);
    CLAIM(frame[0] == pixel && frame[SIZE - 1] == pixel);
    TRY(syclze_queue_wait(queue));
    TRY(syclze_release(begun));
    TRY(syclze_release(done));
    TRY(syclze_free(memory, context));
  }
  TRY(syclze_external_semaphore_release(before));
  TRY(syclze_external_semaphore_release(after));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  close(rendered);
  close(shown);
  puts("OK");
  return 0;
}
