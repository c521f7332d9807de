/* How do I submit the same work a thousand times? Record it once: a fill and three kernels become a
   graph, which is submitted as one command group, again and again. In between an argument of one
   kernel is updated. */
#include "command.h"
#include "syclze/command/graph_update.h"

enum { COUNT = 256, TIMES = 1000 };

/* y = a * x + y */
static ze_result_t axpy(
    syclze_queue queue, syclze_kernel kernel, float a, syclze_buffer x, syclze_buffer y) {
  const syclze_nd_range range = {.global = {COUNT}, .local = {64}};
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor in = syclze_require(&group, x, SYCLZE_ACCESS_READ);
  syclze_accessor out = syclze_require(&group, y, SYCLZE_ACCESS_READ_WRITE);
  return syclze_launch(
      &group, kernel, &range, NULL, syclze_arg(a), syclze_arg(in), syclze_arg(out));
}

static ze_result_t fill(syclze_queue queue, syclze_buffer buffer, float value) {
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor all = syclze_require(&group, buffer, SYCLZE_ACCESS_DISCARD_WRITE);
  return syclze_group_fill(
      &group, syclze_mem_arg(all), &value, sizeof value, COUNT * sizeof value, NULL);
}

int main(int argc, char **argv) {
  syclze_device device = first_device();
  syclze_context context = context_of(device);
  syclze_queue queue = queue_of(context, device);
  syclze_buffer x = ints_of(context, device, COUNT), y = ints_of(context, device, COUNT);
  ze_module_handle_t module = load_module(syclze_get_native(context), syclze_get_native(device),
      argc > 1 ? argv[1] : "tests/kernels/basic.spv");
  const syclze_kernel_bundle_input input = {.native_handle = module};
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  TRY(syclze_make_native(&input, context, &bundle));
  TRY(syclze_kernel_create(bundle, "axpy", &kernel));

  syclze_graph graph;
  syclze_executable_graph step;
  TRY(syclze_graph_create(context, device, &graph));
  TRY(syclze_graph_begin_recording(graph, queue));
  TRY(fill(queue, x, 1)); /* recorded, as all that follows */
  TRY(axpy(queue, kernel, 1, x, y));
  TRY(axpy(queue, kernel, 2, x, x));
  TRY(axpy(queue, kernel, 2, x, y)); /* y = y + 1 + 2 * 3 */
  TRY(syclze_graph_end_recording(graph, queue));
  TRY(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &step));
  TRY(syclze_graph_release(graph));

  TRY(fill(queue, y, 0));
  for (int i = 0; i < TIMES; i++)
    TRY(syclze_queue_submit_graph(queue, step, NULL)); /* one submission */
  const float factor = 4;                              /* from here on y = y + 1 + 4 * 3 */
  const syclze_argument a = syclze_arg(factor);
  TRY(syclze_executable_graph_update_argument(step, 3, 0, &a)); /* of the fourth node */
  for (int i = 0; i < TIMES; i++)
    TRY(syclze_queue_submit_graph(queue, step, NULL));

  float seen[COUNT];
  syclze_group group = syclze_group_begin(queue);
  syclze_accessor result = syclze_require(&group, y, SYCLZE_ACCESS_READ);
  TRY(syclze_group_update_host(&group, seen, result, NULL));
  TRY(syclze_queue_wait(queue));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += seen[i] < 20 * TIMES || seen[i] > 20 * TIMES;
  printf("checked: %d numbers after %d runs, %d wrong\n", COUNT, 2 * TIMES, wrong);

  TRY(syclze_executable_graph_release(step));
  TRY(syclze_release(kernel));
  TRY(syclze_release(bundle));
  TRY(syclze_release(x));
  TRY(syclze_release(y));
  TRY(syclze_release(queue));
  TRY(syclze_release(context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
