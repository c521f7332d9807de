/* How does another library get at memory of mine? As a file descriptor, which may be sent to
   another process too. A driver without that refuses it by name. */
#include "command.h"
#include "syclze/external_memory.h"

#define OPAQUE ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD

enum { SIZE = 4096 };

/* What the other library does: it has a context of its own, and the descriptor. */
static unsigned char read_last(syclze_device device, int fd) {
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  unsigned char value = 0;
  void *memory;
  TRY(syclze_external_memory_import(fd, OPAQUE, SIZE, device, context, &memory)); /* takes `fd` */
  TRY(syclze_queue_copy(queue, &value, (char *)memory + SIZE - 1, 1, NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));
  TRY(syclze_free(memory, context));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  return value;
}

int main(void) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  ze_external_memory_type_flags_t imports, exports;
  TRY(syclze_external_memory_get_support(device, &imports, &exports));
  if ((imports & exports & OPAQUE) == 0) {
    puts("the driver has no memory as a descriptor\nOK");
    TRY(syclze_release(queue));
    TRY(syclze_release(context));
    return 0;
  }
  const unsigned char value = 42;
  void *memory;
  int fd;
  TRY(syclze_external_memory_allocate(SIZE, OPAQUE, device, context, &memory));
  TRY(syclze_queue_fill(queue, memory, &value, 1, SIZE, NULL, 0, NULL));
  TRY(syclze_queue_wait(queue));
  TRY(syclze_external_memory_get_fd(memory, OPAQUE, context, &fd));
  CLAIM(read_last(device, fd) == value);
  TRY(syclze_free(memory, context));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts("OK");
  return 0;
}
