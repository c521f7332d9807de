#!/bin/sh
# Command groups over linked images that each have the library: a program, and a shared object that
# works for it on its queue, or that is closed while its own work is under way.
# shows promises 51
cd "$(dirname "$0")/../.." || exit 1
. tests/checks.sh
begin_checks

cat >"$work/common.h" <<'SOURCE'
#include "syclze/command.h"
#include "syclze/syclze.h"
#include <stdio.h>
#include <stdlib.h>
#define TRY(call) \
  do { \
    const ze_result_t result_ = (call); \
    if (result_ != ZE_RESULT_SUCCESS) { \
      printf("%s:%d: %s: 0x%x\n", __FILE__, __LINE__, #call, (unsigned)result_); \
      exit(1); \
    } \
  } while (0)
static inline syclze_device first_device(void) {
  uint32_t one = 1;
  ze_driver_handle_t driver;
  ze_device_handle_t native;
  syclze_device device;
  TRY(zeInit(0));
  TRY(zeDriverGet(&one, &driver));
  one = 1;
  TRY(zeDeviceGet(driver, &one, &native));
  TRY(syclze_make_device(native, &device));
  return device;
}
SOURCE

cat >"$work/works.c" <<'SOURCE'
#include "common.h"
void host_task(syclze_queue queue, int *count);
void fill(syclze_queue queue, syclze_buffer buffer, int times);
ze_event_handle_t leave_work(void);
static ze_result_t count_up(syclze_interop_handle handle, void *count) {
  (void)handle;
  ++*(int *)count;
  return ZE_RESULT_SUCCESS;
}
void host_task(syclze_queue queue, int *count) {
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_group_host_task(&group, count_up, count, NULL));
}
void fill(syclze_queue queue, syclze_buffer buffer, int times) {
  const int zero = 0;
  for (int i = 0; i < times; i++) {
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    TRY(syclze_group_fill(&group, syclze_mem_arg(all), &zero, sizeof zero, 64, NULL));
  }
}
/* Releases a queue, a buffer and the context while work waits for the event. */
ze_event_handle_t leave_work(void) {
  syclze_device device = first_device();
  syclze_context context;
  syclze_queue queue;
  syclze_event gate;
  syclze_buffer buffer;
  void *memory;
  const int zero = 0;
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
  TRY(syclze_event_create(context, 0, &gate));
  TRY(syclze_malloc_shared(64, device, context, &memory));
  syclze_buffer_input input = {.native_handle = memory};
  TRY(syclze_make_buffer(&input, context, &buffer));
  syclze_group group = syclze_group_begin(queue);
  syclze_group_depends_on(&group, gate);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_WRITE);
  TRY(syclze_group_fill(&group, syclze_mem_arg(all), &zero, sizeof zero, 64, NULL));
  TRY(syclze_buffer_release(buffer));
  TRY(syclze_queue_release(queue));
  const ze_event_handle_t native = syclze_event_get_native(gate);
  TRY(syclze_context_release(context));
  return native; /* its object stays */
}
SOURCE

# Waits for a queue on which the other image submitted a host task.
cat >"$work/waits.c" <<'SOURCE'
#include "common.h"
void host_task(syclze_queue queue, int *count);
int main(void) {
  syclze_device device = first_device();
  syclze_context context;
  syclze_queue queue;
  int count = 0;
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
  for (int i = 1; i <= 1000; i++) {
    host_task(queue, &count);
    TRY(syclze_queue_wait(queue));
    if (count != i) return 1;
  }
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
  return 0;
}
SOURCE

# Two images submit to one buffer on two threads.
cat >"$work/shares.c" <<'SOURCE'
#include "common.h"
#include <pthread.h>
void fill(syclze_queue queue, syclze_buffer buffer, int times);
static syclze_buffer buffer;
static void *other(void *queue) {
  fill(*(syclze_queue *)queue, buffer, 2000);
  return NULL;
}
int main(void) {
  syclze_device device = first_device();
  syclze_context context;
  const syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  syclze_queue queues[2];
  void *memory;
  const int zero = 0;
  pthread_t thread;
  TRY(syclze_context_create(&device, 1, &context));
  for (int i = 0; i < 2; i++)
    TRY(syclze_queue_create(context, device, &in_order, &queues[i]));
  TRY(syclze_malloc_shared(64, device, context, &memory));
  syclze_buffer_input input = {.native_handle = memory};
  TRY(syclze_make_buffer(&input, context, &buffer));
  if (pthread_create(&thread, NULL, other, &queues[1]) != 0) return 1;
  for (int i = 0; i < 2000; i++) {
    syclze_group group = syclze_group_begin(queues[0]);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    TRY(syclze_group_fill(&group, syclze_mem_arg(all), &zero, sizeof zero, 64, NULL));
  }
  pthread_join(thread, NULL);
  TRY(syclze_buffer_release(buffer));
  for (int i = 0; i < 2; i++) {
    TRY(syclze_queue_wait(queues[i]));
    TRY(syclze_queue_release(queues[i]));
  }
  TRY(syclze_context_release(context));
  return 0;
}
SOURCE

# Closes the other image while its work is under way; the work is let go meanwhile.
cat >"$work/closes.c" <<'SOURCE'
#define _DEFAULT_SOURCE
#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static void *let_go(void *event) {
  usleep(50000);
  zeEventHostSignal((ze_event_handle_t)event);
  return NULL;
}
int main(int argc, char **argv) {
  void *image = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  pthread_t thread;
  if (image == NULL) return puts(dlerror()), 1;
  ze_event_handle_t (*leave_work)(void);
  *(void **)&leave_work = dlsym(image, "leave_work");
  const ze_event_handle_t event = leave_work();
  if (pthread_create(&thread, NULL, let_go, event) != 0) return 1;
  dlclose(image);
  if (dlopen(argv[argc - 1], RTLD_NOW | RTLD_NOLOAD) != NULL) return puts("still open"), 1;
  pthread_join(thread, NULL);
  usleep(50000); /* a thread of the image would run into what is not there any more */
  return 0;
}
SOURCE

# Submits in every way to a queue of the program's behind a host task of it, and is closed before that
# has run; or, with "at rest", once it has.
cat >"$work/attaches.c" <<'SOURCE'
#include "common.h"
#include "syclze/command/host_accessor.h"
void attach(syclze_queue queue, syclze_buffer buffer, int *memory, int way);
void attach(syclze_queue queue, syclze_buffer buffer, int *memory, int way) {
  const int one = 1;
  syclze_event event;
  if (way == 0) TRY(syclze_queue_fill(queue, memory, &one, sizeof one, 64, NULL, 0, NULL));
  if (way == 1) {
    TRY(syclze_queue_submit_barrier(queue, &event));
    TRY(syclze_queue_fill(queue, memory, &one, sizeof one, 64, &event, 1, NULL));
    TRY(syclze_event_release(event));
  }
  if (way == 2) {
    syclze_group group = syclze_group_begin(queue);
    syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
    TRY(syclze_group_fill(&group, syclze_mem_arg(all), &one, sizeof one, 64, NULL));
  }
  if (way == 3) {
    syclze_host_accessor accessor;
    TRY(syclze_host_accessor_begin(buffer, SYCLZE_ACCESS_READ_WRITE, &accessor, NULL));
    *(int *)syclze_host_accessor_get_pointer(accessor) = one;
    TRY(syclze_host_accessor_release(accessor));
  }
}
SOURCE

cat >"$work/outlives.c" <<'SOURCE'
#define _DEFAULT_SOURCE
#include "common.h"
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>
static ze_result_t slow(syclze_interop_handle handle, void *nothing) {
  (void)handle, (void)nothing;
  usleep(20000);
  return ZE_RESULT_SUCCESS;
}
int main(int argc, char **argv) {
  const int way = atoi(argv[1]);
  const bool rests = argc > 3;
  const syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  syclze_device device = first_device();
  syclze_context context;
  syclze_queue queue;
  syclze_buffer buffer;
  void *memory, *buffered;
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, &in_order, &queue));
  TRY(syclze_malloc_shared(64, device, context, &memory));
  TRY(syclze_malloc_shared(64, device, context, &buffered));
  memset(memory, 0, 64);
  memset(buffered, 0, 64);
  syclze_buffer_input input = {.native_handle = buffered};
  TRY(syclze_make_buffer(&input, context, &buffer));
  for (int round = 0; round < 3; round++) {
    void *image = dlopen(argv[2], RTLD_NOW | RTLD_LOCAL);
    void (*attach)(syclze_queue, syclze_buffer, int *, int);
    if (image == NULL) return puts(dlerror()), 1;
    *(void **)&attach = dlsym(image, "attach");
    if (!rests) {
      syclze_group group = syclze_group_begin(queue);
      (void)syclze_require(&group, buffer, SYCLZE_ACCESS_READ);
      TRY(syclze_group_host_task(&group, slow, NULL, NULL));
    }
    attach(queue, buffer, (int *)memory, way);
    dlclose(image);
    TRY(syclze_queue_wait(queue));
    if ((way < 2 ? *(int *)memory : *(int *)buffered) != 1) return puts("not written"), 1;
  }
  TRY(syclze_buffer_release(buffer));
  TRY(syclze_free(memory, context));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
  return 0;
}
SOURCE

# Uses objects of its own in every way, and releases them.
cat >"$work/uses.c" <<'SOURCE'
#include "common.h"
#include "syclze/command/graph.h"
void use(void);
static ze_result_t nothing(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  return ZE_RESULT_SUCCESS;
}
static void task(syclze_queue queue, syclze_buffer *buffers, int count) {
  syclze_group group = syclze_group_begin(queue);
  for (int i = 0; i < count; i++)
    (void)syclze_require(&group, buffers[i], SYCLZE_ACCESS_READ_WRITE);
  TRY(syclze_group_host_task(&group, nothing, NULL, NULL));
}
static void fill(syclze_queue queue, syclze_buffer buffer) {
  const int zero = 0;
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_READ_WRITE);
  TRY(syclze_group_fill(&group, syclze_mem_arg(all), &zero, sizeof zero, 64, NULL));
}
void use(void) {
  const syclze_property_list in_order = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  syclze_device device = first_device();
  syclze_context context;
  syclze_queue queue, other;
  syclze_buffer buffers[4];
  syclze_graph graph;
  syclze_executable_graph executable;
  void *memory;
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, &in_order, &queue));
  TRY(syclze_queue_create(context, device, NULL, &other));
  for (int i = 0; i < 4; i++) {
    TRY(syclze_malloc_shared(64, device, context, &memory));
    syclze_buffer_input input = {.native_handle = memory};
    TRY(syclze_make_buffer(&input, context, &buffers[i]));
    fill(i % 2 == 0 ? queue : other, buffers[i]);
  }
  task(other, buffers, 4);
  TRY(syclze_graph_create(context, device, &graph));
  TRY(syclze_graph_begin_recording(graph, queue));
  fill(queue, buffers[0]);
  TRY(syclze_graph_end_recording(graph, queue));
  TRY(syclze_graph_finalize(graph, 0, &executable));
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_group_execute_graph(&group, executable, NULL));
  task(queue, buffers, 2);
  TRY(syclze_queue_wait(queue));
  TRY(syclze_queue_wait(other));
  TRY(syclze_executable_graph_release(executable));
  TRY(syclze_graph_release(graph));
  for (int i = 0; i < 4; i++)
    TRY(syclze_buffer_release(buffers[i]));
  TRY(syclze_queue_release(other));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
}
SOURCE

# Opens, uses and closes the image over and over. What that leaves in the heap is compared with the
# same uses of an image that stays open, since drivers and the C library keep memory too.
cat >"$work/cycles.c" <<'SOURCE'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
enum { WARM = 50, COUNTED = 200, BYTES = 256 /* of platforms and devices, which handles may refer to */ };
static void use_of(const char *path, int closes) {
  void *image = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  void (*use)(void);
  if (image == NULL) puts(dlerror()), exit(1);
  *(void **)&use = dlsym(image, "use");
  use();
  if (closes) dlclose(image);
  if (closes && dlopen(path, RTLD_NOW | RTLD_NOLOAD) != NULL) puts("still open"), exit(1);
}
static long left_by(const char *path, int closes) {
  size_t before = 0;
  for (int i = 0; i < WARM + COUNTED; i++) {
    if (i == WARM) before = mallinfo2().uordblks;
    use_of(path, closes);
  }
  return (long)(mallinfo2().uordblks - before) / COUNTED;
}
int main(int argc, char **argv) {
  const long closed = left_by(argv[argc - 1], 1), open = left_by(argv[argc - 1], 0);
  printf("%ld bytes each if it is closed, %ld if not\n", closed, open);
  return closed > open + BYTES;
}
SOURCE

using() { cc -O1 -g -fPIC -shared -I. -I"$work" -o "$work/libuses.so" "$work/uses.c" -lze_loader -pthread; }
attaching() { cc -O1 -g -fPIC -shared -I. -I"$work" -o "$work/libattaches.so" "$work/attaches.c" -lze_loader -pthread; }
shared() { cc -O1 -g -fPIC -shared -I. -I"$work" "$@" -o "$work/libworks.so" "$work/works.c" -lze_loader -pthread; }
program() { cc -O1 -g -I. -I"$work" -o "$work/$1" "$work/$1.c" "$2" -lze_loader -ldl -pthread -Wl,-rpath,"$work"; }

check "the shared object is built" shared
program waits "$work/libworks.so" && program shares "$work/libworks.so" && program closes -lm
check "a queue's wait covers host tasks that another image submitted" timeout 900 "$work/waits"
check "two images submit to one buffer" timeout 900 "$work/shares"
check "an image is closed while its work is under way" timeout 900 "$work/closes" "$work/libworks.so"
check "an object is built that attaches to the program's objects" attaching
program outlives -lm
for way in 0 1 2 3; do
  check "an image that submitted in way $way behind a host task is closed before that" \
    timeout 900 "$work/outlives" $way "$work/libattaches.so"
  check "an image that submitted in way $way is closed at rest" \
    timeout 900 "$work/outlives" $way "$work/libattaches.so" rests
done
check "an object is built that uses objects of its own" using
program cycles -lm
check "an image that is closed leaves no memory without an object" \
  timeout 900 "$work/cycles" "$work/libuses.so"

end_checks
