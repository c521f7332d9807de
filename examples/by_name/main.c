/* How does C launch a kernel by its name? The project's Makefile compiles saxpy.cl to SPIR-V, packs
   it, and links an object that registers it with the program: there is no file to load and no
   module to build. Arguments are checked against the image's own description of the kernel. */
#include "syclze/syclze.h"
#include "syclze/command.h"
#include "syclze/offload/launch.h"
#include "syclze/offload/offload.h"

#include "examples/common.h"

SYCLZE_DEFINE_SYCL_REGISTER

enum { COUNT = 4096 };

static void show(void *user, const syclze_diagnostic *diagnostic) {
  (void)user;
  printf("refused: %s\n", diagnostic->detail != NULL ? diagnostic->detail : diagnostic->rule);
}

int main(void) {
  static const syclze_diagnostic_handler handler = {show, NULL};
  uint32_t one = 1;
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
  syclze_program program;
  syclze_event done;
  void *memory;
  TRY(syclze_device_get_selected(&one, &device));
  TRY(syclze_context_create(&device, 1, &context));
  TRY(syclze_queue_create(context, device, NULL, &queue));
  TRY(syclze_program_create(context, NULL, &program));
  TRY(syclze_malloc_shared(2 * COUNT * sizeof(float), device, context, &memory));
  float *x = (float *)memory, *y = x + COUNT;
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i, y[i] = 1;

  syclze_nd_range range = {.global = {COUNT}};
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_launch_by_name(program, &group, "saxpy", &range, &done, syclze_arg(2.0f),
      syclze_arg(x), syclze_arg(y)));
  TRY(syclze_event_wait(done));
  TRY(syclze_event_release(done));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += y[i] != 2.0f * (float)i + 1;
  printf("%d numbers, %d wrong\n", COUNT, wrong);
  CLAIM(wrong == 0);

  /* An integer for the number a is the same four bytes, and not what the kernel takes. */
  syclze_diagnostic_set_handler(&handler);
  group = syclze_group_begin(queue);
  CLAIM(syclze_launch_by_name(program, &group, "saxpy", &range, &done, syclze_arg(2),
            syclze_arg(x), syclze_arg(y)) == SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT);

  TRY(syclze_free(memory, context));
  TRY(syclze_program_release(program));
  TRY(syclze_queue_release(queue));
  TRY(syclze_context_release(context));
  puts("OK");
  return 0;
}
