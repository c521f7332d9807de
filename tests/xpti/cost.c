/* cost kernel|accessors: submissions for callgrind, which counts within `counted` (cost.sh). They
   emit notifications where the environment names a framework. */
#include "bench/bench.h"
#include "syclze/trace/current.h"

#include <stdio.h>

enum { WARM = 64, COUNTED = 1024 };

static struct bench_world world;
static syclze_queue queue; /* in order */
static syclze_buffer buffers[2];
static void *memory[2];

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static ze_result_t make(void) {
  const syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  /* The stub loader accepts any bytes as a module. */
  BENCH_TRY(bench_world_open(&world, "module", 6));
  BENCH_TRY(syclze_queue_create(world.wrapped.context, world.wrapped.device, &properties, &queue));
  for (int i = 0; i < 2; i++) {
    BENCH_TRY(syclze_malloc_device(64, world.wrapped.device, world.wrapped.context, &memory[i]));
    const syclze_buffer_input input = {memory[i], SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
    BENCH_TRY(syclze_make_buffer(&input, world.wrapped.context, &buffers[i]));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t kernel(void) {
  syclze_group group = syclze_group_begin(queue);
  return syclze_group_launch(&group, world.wrapped.no_work, &one, NULL, 0, NULL);
}

static ze_result_t accessors(void) {
  syclze_group group = syclze_group_begin(queue);
  const syclze_accessor x = syclze_require(&group, buffers[0], SYCLZE_ACCESS_READ);
  const syclze_accessor y = syclze_require(&group, buffers[1], SYCLZE_ACCESS_READ_WRITE);
  const syclze_argument arguments[] = {syclze_arg(0.f), syclze_arg(x), syclze_arg(y)};
  return syclze_group_launch(&group, world.wrapped.kernel, &one, arguments, 3, NULL);
}

static ze_result_t submit(ze_result_t (*submission)(void), int count) {
  for (int i = 0; i < count; i++)
    BENCH_TRY(submission());
  return ZE_RESULT_SUCCESS;
}

BENCH_CALLED ze_result_t counted(ze_result_t (*submission)(void)) {
  return submit(submission, COUNTED);
}

int main(int argc, char **argv) {
  ze_result_t (*const submission)(void) =
      argc > 1 && strcmp(argv[1], "accessors") == 0 ? accessors : kernel;
  ze_result_t result = make();
  if (result == ZE_RESULT_SUCCESS) result = submit(submission, WARM);
  if (result == ZE_RESULT_SUCCESS) result = counted(submission);
  if (result != ZE_RESULT_SUCCESS) fprintf(stderr, "cost: %s\n", syclze_result_string(result));
  return result != ZE_RESULT_SUCCESS;
}
