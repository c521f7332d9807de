/* Launches of an empty kernel on the list of a wrapped queue. A block ends when all launches have
   completed. */
#include "bench.h"

static ze_result_t finish(const struct bench_world *world) {
  BENCH_TRY(zeCommandListAppendBarrier(world->list, world->event, 0, NULL));
  BENCH_TRY(zeEventHostSynchronize(world->event, UINT64_MAX));
  return zeEventHostReset(world->event);
}

static ze_result_t wrapped(const struct bench_world *world, uint32_t count) {
  ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < count; i++) {
    syclze_queue queue = world->wrapped.queue;
    syclze_kernel kernel = world->wrapped.no_work;
    BENCH_OPAQUE(queue.rep);
    BENCH_OPAQUE(kernel.rep);
    BENCH_TRY(zeCommandListAppendLaunchKernel(syclze_queue_get_native(queue).list,
        syclze_kernel_get_native(kernel), &groups, NULL, 0, NULL));
  }
  return finish(world);
}

static ze_result_t plain(const struct bench_world *world, uint32_t count) {
  ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendLaunchKernel(world->list, world->no_work, &groups, NULL, 0, NULL));
  return finish(world);
}

const struct bench_op bench_launch_ops[] = {
    {"launch on a wrapped queue", 0, 0, 0, wrapped, plain, 0, true},
    {0},
};
