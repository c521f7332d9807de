/* Submissions with an event to an in-order list where events count, beside the same by hand without
   the reset. SYCLZE_COUNTED_EVENTS has the library use them in a context of these rows. */
#define _POSIX_C_SOURCE 200809L
#include "submissions.h"

#include <stdlib.h>

static struct {
  syclze_context context;
  syclze_kernel_bundle bundle;
  syclze_kernel kernel;
  syclze_queue queue;
  ze_command_list_handle_t list;
} made;

static ze_result_t make_kernel(const struct bench_world *world) {
  syclze_kernel_bundle_input bundle = {world->module, SYCLZE_OWNERSHIP_KEEP};
  BENCH_TRY(syclze_make_kernel_bundle(&bundle, made.context, &made.bundle));
  syclze_kernel_input kernel = {made.bundle, world->no_work, SYCLZE_OWNERSHIP_KEEP};
  return syclze_make_kernel(&kernel, made.context, &made.kernel);
}

/* The first submission decides which events are used. */
static ze_result_t make(const struct bench_world *world) {
  if (made.list != NULL) return ZE_RESULT_SUCCESS;
  syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  syclze_context_input context = {world->context, &world->wrapped.device, 1, SYCLZE_OWNERSHIP_KEEP};
  BENCH_TRY(syclze_make_context(&context, &made.context));
  BENCH_TRY(make_kernel(world));
  BENCH_TRY(syclze_queue_create(made.context, world->wrapped.device, &properties, &made.queue));
  made.list = syclze_queue_get_native(made.queue).list;
  setenv("SYCLZE_COUNTED_EVENTS", "1", 1);
  const ze_result_t result = bench_launches(made.queue, made.kernel, 1);
  unsetenv("SYCLZE_COUNTED_EVENTS");
  return result;
}

static ze_result_t launch_counted(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(made.queue);
    BENCH_TRY(syclze_group_launch(&group, made.kernel, &one, NULL, 0, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return finish_list(world, made.list);
}

/* With the calls that such an event takes, or the world's, which is plain, in its place. */
static ze_result_t counted_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(
        zeCommandListAppendLaunchKernel(made.list, world->no_work, &groups, world->event, 0, NULL));
    zeEventQueryStatus(world->event);
  }
  return finish_list(world, made.list);
}

const struct bench_op bench_counted_ops[] = {
    {"submit a kernel, in-order, with a counted event", 150, 2, 4127, launch_counted, counted_plain,
        0, true},
    {0},
};
