/* How few lines does a program need that runs a kernel? Compare adopt_plain.c, which does by hand
   what three calls and a guard do here. */
#include "common.h"
#include "syclze/queue_commands.h"
#include "syclze/setup.h"
#include "syclze/syclze.h"

enum { COUNT = 4096 };

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[1] : "examples/saxpy.spv";
  syclze_scoped(setup) s = {0};    /* released last */
  syclze_scoped(scope) made = {0}; /* in reverse order, at whatever return */
  syclze_kernel_bundle bundle;
  syclze_kernel saxpy;
  float *x, *y;
  char log[1000];
  const syclze_kernel_bundle_desc desc = {.build_log = log, .build_log_size = sizeof log};
  TRY(syclze_setup_create((syclze_device){0}, NULL, &s));
  if (syclze_kernel_bundle_load(s.context, s.device, path, &desc, &bundle) != ZE_RESULT_SUCCESS)
    return puts(log), 1;
  TRY(syclze_scope_add(&made, bundle));
  TRY(syclze_kernels_create(bundle, &(syclze_kernel_entry){"saxpy", &saxpy}, 1));
  TRY(syclze_scope_add(&made, saxpy));
  TRY(syclze_malloc_shared(COUNT * sizeof *x, s.device, s.context, (void **)&x));
  TRY(syclze_scope_add_memory(&made, x, s.context));
  TRY(syclze_malloc_shared(COUNT * sizeof *y, s.device, s.context, (void **)&y));
  TRY(syclze_scope_add_memory(&made, y, s.context));
  for (int i = 0; i < COUNT; i++)
    x[i] = (float)i, y[i] = 1;
  const syclze_nd_range range = {.global = {COUNT}};
  TRY(syclze_queue_launch(
      s.queue, saxpy, &range, NULL, 0, NULL, syclze_arg(2.0f), syclze_arg(x), syclze_arg(y)));
  TRY(syclze_queue_wait(s.queue));
  for (int i = 0; i < COUNT; i++)
    CLAIM(y[i] == 2.0f * (float)i + 1);
  puts("OK");
  return 0;
}
