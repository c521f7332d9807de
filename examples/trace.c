/* Where does the time go? Two queues, one of which produces numbers for the other, and a host task
   that checks the sum, under a trace: SYCLZE_TRACE=run.html names the page; `make demo-trace`
   writes one. */
#include "command.h"
#include "syclze/trace/writer.h"

enum { COUNT = 1 << 16, ROUNDS = 12 };

static float result[COUNT];

/* Profiling puts the commands' device times into the trace. */
static syclze_queue profiling_queue(syclze_context context, syclze_device device) {
  syclze_queue queue;
  syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_ENABLE_PROFILING};
  TRY(syclze_queue_create(context, device, &properties, &queue));
  return queue;
}

static ze_result_t count_wrong(syclze_interop_handle handle, void *wrong) {
  (void)handle;
  for (int i = 0; i < COUNT; i++)
    *(int *)wrong += result[i] != (float)ROUNDS;
  return ZE_RESULT_SUCCESS;
}

int main(int argc, char **argv) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue makes = profiling_queue(context, device), adds = profiling_queue(context, device);
  ze_module_handle_t module = load_module(syclze_get_native(context), syclze_get_native(device),
      argc > 1 ? argv[1] : "examples/saxpy.spv");
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_kernel_bundle_input input = {.native_handle = module};
  TRY(syclze_make_native(&input, context, &bundle));
  TRY(syclze_kernel_create(bundle, "saxpy", &kernel));

  syclze_buffer x[2] = {ints_of(context, device, COUNT), ints_of(context, device, COUNT)};
  syclze_buffer sum = ints_of(context, device, COUNT);
  const float zero = 0, one = 1;
  syclze_group begin = syclze_group_begin(adds);
  syclze_accessor all = syclze_require(&begin, sum, SYCLZE_ACCESS_DISCARD_WRITE);
  TRY(syclze_group_fill(
      &begin, syclze_mem_arg(all), &zero, sizeof zero, COUNT * sizeof zero, NULL));

  syclze_nd_range range = {.global = {COUNT}, .local = {64}};
  for (int round = 0; round < ROUNDS; round++) {
    syclze_group make = syclze_group_begin(makes);
    syclze_accessor to = syclze_require(&make, x[round % 2], SYCLZE_ACCESS_DISCARD_WRITE);
    TRY(syclze_group_fill(&make, syclze_mem_arg(to), &one, sizeof one, COUNT * sizeof one, NULL));
    syclze_group add = syclze_group_begin(adds);
    syclze_accessor from = syclze_require(&add, x[round % 2], SYCLZE_ACCESS_READ);
    syclze_accessor into = syclze_require(&add, sum, SYCLZE_ACCESS_READ_WRITE);
    TRY(syclze_launch(
        &add, kernel, &range, NULL, syclze_arg(one), syclze_arg(from), syclze_arg(into)));
  }

  int wrong = 0;
  syclze_event copied;
  syclze_group out = syclze_group_begin(adds);
  all = syclze_require(&out, sum, SYCLZE_ACCESS_READ);
  TRY(syclze_group_update_host(&out, result, all, &copied));
  syclze_group check = syclze_group_begin(makes);
  syclze_group_depends_on(&check, copied);
  TRY(syclze_group_host_task(&check, count_wrong, &wrong, NULL));
  TRY(syclze_queue_wait(adds));
  TRY(syclze_queue_wait(makes));

  printf("checked: %d numbers, %d wrong\n", COUNT, wrong);
  TRY(syclze_release(copied));
  TRY(syclze_release(kernel));
  TRY(syclze_release(bundle));
  for (int i = 0; i < 2; i++)
    TRY(syclze_release(x[i]));
  TRY(syclze_release(sum));
  TRY(syclze_release(adds));
  TRY(syclze_release(makes));
  TRY(syclze_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
