/* bench [-i] [-s FILE] [TEXT]: times every operation, or those with the text in their names.
 *
 * -i       for callgrind: counts instructions, by dumps that instructions.awk reads
 * -s FILE  the SPIR-V of tests/kernels/basic.cl; without it kernels are left out on a driver that
 *          needs one */
#include "bench.h"

#include <stdio.h>

typedef ze_result_t measure(const struct bench_op *op, const struct bench_world *world);

/* Null on failure; never freed. */
static void *read_file(const char *path, size_t *size) {
  enum { MOST = 1 << 20 };
  FILE *file = fopen(path, "rb");
  char *content = (char *)malloc(MOST);
  *size = 0;
  if (file != NULL && content != NULL) *size = fread(content, 1, MOST, file);
  if (file != NULL) fclose(file);
  if (*size != 0) return content;
  free(content);
  return NULL;
}

static int run(measure *measure_one, const struct bench_world *world, const char *text) {
  /* The last table is counted, not timed. */
  static const struct bench_op *const tables[] = {bench_get_native_ops, bench_platform_ops,
      bench_context_ops, bench_queue_ops, bench_queue_create_ops, bench_event_ops,
      bench_kernel_bundle_ops, bench_kernel_ops, bench_buffer_ops, bench_retain_ops,
      bench_object_ops, bench_usm_ops, bench_launch_ops, bench_submit_ops,
      bench_queue_submit_ops, bench_queue_order_ops, bench_submit_other_ops, bench_graph_ops,
      bench_replay_ops, bench_live_ops, bench_trace_ops, bench_host_task_ops, bench_flat_ops};
  const size_t count = sizeof tables / sizeof *tables - (measure_one == bench_count ? 0 : 1);
  for (size_t i = 0; i < count; i++)
    for (const struct bench_op *op = tables[i]; op->name != NULL; op++) {
      if (strstr(op->name, text) == NULL || (op->needs_kernel && world->module == NULL)) continue;
      ze_result_t result = measure_one(op, world);
      if (result != ZE_RESULT_SUCCESS) {
        fprintf(stderr, "bench: %s: %s\n", op->name, syclze_result_string(result));
        return 1;
      }
      fflush(stdout);
    }
  return 0;
}

static void print_sizes(void) {
  printf("bytes per object: context %zu, queue %zu, event %zu, kernel bundle %zu, kernel %zu\n",
      sizeof(struct syclze__context), sizeof(struct syclze__queue), sizeof(struct syclze__event),
      sizeof(struct syclze__kernel_bundle), sizeof(struct syclze__kernel));
}

int main(int argc, char **argv) {
  static struct bench_world world;
  bool counting = false;
  void *spirv = NULL;
  size_t spirv_size = 0;
  const char *text = "";
  for (int i = 1; i < argc; i++) {
    if (strcmp(argv[i], "-i") == 0)
      counting = true;
    else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
      spirv = read_file(argv[++i], &spirv_size);
    else
      text = argv[i];
  }
  ze_result_t result = bench_world_open(&world, spirv, spirv_size);
  if (result != ZE_RESULT_SUCCESS) {
    fprintf(stderr, "bench: no device to run on: %s\n", syclze_result_string(result));
    return 1;
  }
  if (!counting) bench_time_heading();
  int failed = run(counting ? bench_count : bench_time, &world, text);
  if (!counting && !failed) print_sizes();
  bench_world_close(&world);
  free(spirv);
  return failed;
}
