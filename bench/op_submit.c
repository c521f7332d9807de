/* Submissions of command groups. A block ends when its work has completed. The first block creates
   the fixtures, which stay. */
#include "launches.h"

static struct {
  syclze_queue queue; /* in order */
  syclze_buffer x, y;
  void *memory[2];
  bool there;
} made;

static const syclze_nd_range one = {.global = {1}, .local = {1}};

static ze_result_t make_buffer(const struct bench_world *world, int at, syclze_buffer *buffer) {
  BENCH_TRY(
      syclze_malloc_device(64, world->wrapped.device, world->wrapped.context, &made.memory[at]));
  syclze_buffer_input input = {made.memory[at], SYCLZE_OWNERSHIP_KEEP, 4, 1, {16, 0, 0}};
  return syclze_make_buffer(&input, world->wrapped.context, buffer);
}

static ze_result_t make(const struct bench_world *world) {
  if (made.there) return ZE_RESULT_SUCCESS;
  syclze_property_list properties = {SYCLZE_QUEUE_PROPERTY_IN_ORDER, 0};
  BENCH_TRY(
      syclze_queue_create(world->wrapped.context, world->wrapped.device, &properties, &made.queue));
  BENCH_TRY(make_buffer(world, 0, &made.x));
  BENCH_TRY(make_buffer(world, 1, &made.y));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t finish(const struct bench_world *world) {
  ze_command_list_handle_t list = syclze_queue_get_native(made.queue).list;
  BENCH_TRY(zeCommandListAppendBarrier(list, world->event, 0, NULL));
  BENCH_TRY(zeEventHostSynchronize(world->event, UINT64_MAX));
  return zeEventHostReset(world->event);
}

static ze_result_t submit(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  BENCH_TRY(bench_launches(made.queue, world->wrapped.no_work, count));
  return finish(world);
}

static ze_result_t submit_untraced(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  BENCH_TRY(bench_launches_untraced(made.queue, world->wrapped.no_work, count));
  return finish(world);
}

static ze_result_t submit_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_command_list_handle_t list = syclze_queue_get_native(made.queue).list;
  ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->no_work, &groups, NULL, 0, NULL));
  }
  return finish(world);
}

static ze_result_t with_event(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(made.queue);
    BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, &one, NULL, 0, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return finish(world);
}

/* One buffer is read, the other written: each launch depends on the previous one. */
static ze_result_t with_accessors(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  float factor = 0;
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(made.queue);
    syclze_accessor x = syclze_require(&group, made.x, SYCLZE_ACCESS_READ);
    syclze_accessor y = syclze_require(&group, made.y, SYCLZE_ACCESS_READ_WRITE);
    BENCH_TRY(syclze_launch(&group, world->wrapped.kernel, &one, NULL, syclze_arg(factor),
        syclze_arg(x), syclze_arg(y)));
  }
  return finish(world);
}

static ze_result_t with_arguments(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_command_list_handle_t list = syclze_queue_get_native(made.queue).list;
  ze_group_count_t groups = {1, 1, 1};
  float factor = 0;
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 1, sizeof(void *), &made.memory[0]));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 2, sizeof(void *), &made.memory[1]));
    BENCH_TRY(zeKernelSetGroupSize(world->kernel, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(list, world->kernel, &groups, NULL, 0, NULL));
  }
  return finish(world);
}

static ze_result_t barrier(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_submit_barrier(made.queue, NULL));
  return finish(world);
}

static ze_result_t barrier_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_command_list_handle_t list = syclze_queue_get_native(made.queue).list;
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendBarrier(list, NULL, 0, NULL));
  return finish(world);
}

const struct bench_op bench_submit_ops[] = {
    {"submit a kernel, in-order, no event", 60, 3000, submit, submit_plain, 0, true},
    {"submit a kernel, beside one without trace points", 8, 0, submit, submit_untraced, 0, true},
    {"submit a kernel, in-order, with an event", 0, 4127, with_event, submit_plain, 0, true},
    {"submit a kernel, in-order, two accessors", 260, 22640, with_accessors, with_arguments, 0,
        true},
    {"submit a barrier, in-order", 0, 0, barrier, barrier_plain, 0, false},
    {0},
};
