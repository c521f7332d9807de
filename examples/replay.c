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
  return syclze_launch(&group, kernel, &range, NULL, syclze_arg(a),
      syclze_arg(syclze_require(&group, x, SYCLZE_ACCESS_READ)),
      syclze_arg(syclze_require(&group, y, SYCLZE_ACCESS_READ_WRITE)));
}

static ze_result_t fill(syclze_queue queue, syclze_buffer buffer, float value) {
  syclze_group group = syclze_group_begin(queue);
  return syclze_fill(&group, buffer, &value, sizeof value, COUNT * sizeof value, NULL);
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
  const uint32_t last = syclze_graph_get_node_count(graph); /* the next node's index */
  TRY(axpy(queue, kernel, 2, x, y));                        /* y = y + 1 + 2 * 3 */
  TRY(syclze_graph_end_recording(graph, queue));
  TRY(syclze_graph_finalize(graph, SYCLZE_GRAPH_UPDATABLE, &step));
  TRY(syclze_graph_release(graph));

  TRY(fill(queue, y, 0));
  for (int i = 0; i < TIMES; i++)
    TRY(syclze_queue_submit_graph(queue, step, NULL)); /* one submission */
  const float factor = 4;                              /* from here on y = y + 1 + 4 * 3 */
  const syclze_argument a = syclze_arg(factor);
  TRY(syclze_executable_graph_update_argument(step, last, 0, &a));
  for (int i = 0; i < TIMES; i++)
    TRY(syclze_queue_submit_graph(queue, step, NULL));

  float seen[COUNT];
  syclze_group group = syclze_group_begin(queue);
  TRY(syclze_copy(&group, seen, y, sizeof seen, NULL));
  TRY(syclze_queue_wait(queue));
  int wrong = 0;
  for (int i = 0; i < COUNT; i++)
    wrong += seen[i] < 20 * TIMES || seen[i] > 20 * TIMES;
  printf("checked: %d numbers after %d runs, %d wrong\n", COUNT, 2 * TIMES, wrong);

  TRY(syclze_release(step, kernel, bundle, x, y, queue, context));
  puts(wrong == 0 ? "OK" : "FAILED");
  return wrong != 0;
}
