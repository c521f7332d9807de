/* Host tasks with an accessor, on all threads: submitted, run by a worker and waited for, each or
   by the batch. */
#include "submissions.h"

enum { BATCH = 64 };

static uint32_t ran;

static ze_result_t task(syclze_interop_handle handle, void *argument) {
  (void)handle, (void)argument;
  ran++;
  return ZE_RESULT_SUCCESS;
}

ALWAYS_INLINE ze_result_t host_tasks(
    const struct bench_world *world, uint32_t count, enum queue_kind kind, uint32_t batch) {
  BENCH_TRY(bench_submissions_make(world));
  const uint32_t before = ran;
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(bench_made.queues[kind]);
    syclze_require(&group, bench_made.y, SYCLZE_ACCESS_READ_WRITE);
    BENCH_TRY(syclze_group_host_task(&group, task, NULL, NULL));
    if ((i + 1) % batch == 0) BENCH_TRY(syclze_queue_wait(bench_made.queues[kind]));
  }
  if (count % batch != 0) BENCH_TRY(syclze_queue_wait(bench_made.queues[kind]));
  return ran - before == count ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_UNKNOWN;
}

ALWAYS_INLINE ze_result_t host_task(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return host_tasks(world, count, kind, BATCH);
}

ALWAYS_INLINE ze_result_t host_task_and_wait(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return host_tasks(world, count, kind, 1);
}

ON(own_host_task, host_task, OWN)
ON(own_host_task_and_wait, host_task_and_wait, OWN)
ON(any_host_task, host_task, OUT_OF_ORDER)
ON(any_host_task_and_wait, host_task_and_wait, OUT_OF_ORDER)

const struct bench_op bench_host_task_ops[] = {
    {"host task with an accessor, in-order", 1620, 28, 13992, own_host_task, NULL, 0, false},
    {"host task with an accessor, then wait, in-order", 0, 48, 0, own_host_task_and_wait, NULL, 0,
        false},
    {"host task with an accessor, out of order", 1620, 28, 13992, any_host_task, NULL, 0, false},
    {"host task with an accessor, then wait, out of order", 0, 48, 0, any_host_task_and_wait, NULL,
        0, false},
    {0},
};
