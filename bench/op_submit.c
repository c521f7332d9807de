/* Submissions of command groups to each kind of queue. A block ends when its work has completed.
   The first block creates the fixtures, which stay. */
#include "launches.h"

/* The queue's kind is no argument at run time. */
#define ALWAYS_INLINE static inline __attribute__((always_inline))

enum queue_kind {
  OWN,          /* that the library created, in order */
  WRAPPED,      /* over an immediate list that the application created in-order */
  OUT_OF_ORDER, /* over an immediate list that was not */
  REGULAR,      /* over a command queue */
  QUEUE_KINDS
};

static struct {
  syclze_queue queues[QUEUE_KINDS];
  ze_command_list_handle_t lists[QUEUE_KINDS]; /* null for a command queue */
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

/* Loaders without zeCommandListImmediateGetFlags need the property. */
static ze_result_t make_queue(const struct bench_world *world, enum queue_kind kind) {
  const bool is_in_order = kind == WRAPPED;
  syclze_queue_input input = {{0}, world->wrapped.device, SYCLZE_OWNERSHIP_KEEP, {0}};
  input.native_handle = syclze_native_queue_of_queue(world->queue);
  if (is_in_order && world->newer.list_get_flags == NULL)
    input.properties.flags = SYCLZE_QUEUE_PROPERTY_NATIVE_IN_ORDER;
  if (kind != REGULAR) {
    ze_command_queue_desc_t desc = world->queue_desc;
    if (is_in_order) desc.flags |= 1u << 1; /* ZE_COMMAND_QUEUE_FLAG_IN_ORDER */
    BENCH_TRY(
        zeCommandListCreateImmediate(world->context, world->device, &desc, &made.lists[kind]));
    input.native_handle = syclze_native_queue_of_list(made.lists[kind]);
  }
  return syclze_make_queue(&input, world->wrapped.context, &made.queues[kind]);
}

static ze_result_t make(const struct bench_world *world) {
  if (made.there) return ZE_RESULT_SUCCESS;
  syclze_property_list properties = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  BENCH_TRY(syclze_queue_create(
      world->wrapped.context, world->wrapped.device, &properties, &made.queues[OWN]));
  made.lists[OWN] = syclze_queue_get_native(made.queues[OWN]).list;
  BENCH_TRY(make_queue(world, WRAPPED));
  BENCH_TRY(make_queue(world, OUT_OF_ORDER));
  BENCH_TRY(make_queue(world, REGULAR));
  BENCH_TRY(make_buffer(world, 0, &made.x));
  BENCH_TRY(make_buffer(world, 1, &made.y));
  made.there = true;
  return ZE_RESULT_SUCCESS;
}

static ze_result_t finish_list(const struct bench_world *world, ze_command_list_handle_t list) {
  BENCH_TRY(zeCommandListAppendBarrier(list, world->event, 0, NULL));
  BENCH_TRY(zeEventHostSynchronize(world->event, UINT64_MAX));
  return zeEventHostReset(world->event);
}

static ze_result_t finish(const struct bench_world *world, enum queue_kind kind) {
  if (kind == REGULAR) return syclze_queue_wait(made.queues[kind]);
  return finish_list(world, made.lists[kind]);
}

static ze_result_t submit_untraced(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  BENCH_TRY(bench_launches_untraced(made.queues[OWN], world->wrapped.no_work, count));
  return finish(world, OWN);
}

ALWAYS_INLINE ze_result_t launch(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  BENCH_TRY(bench_launches(made.queues[kind], world->wrapped.no_work, count));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t launch_range(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    const syclze_nd_range *range = &one;
    BENCH_OPAQUE(range);
    syclze_group group = syclze_group_begin(made.queues[kind]);
    BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, range, NULL, 0, NULL));
  }
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t launch_event(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_event event;
    syclze_group group = syclze_group_begin(made.queues[kind]);
    BENCH_TRY(syclze_group_launch(&group, world->wrapped.no_work, &one, NULL, 0, &event));
    BENCH_TRY(syclze_event_release(event));
  }
  return finish(world, kind);
}

/* One buffer is read, the other written: each launch depends on the previous one. */
ALWAYS_INLINE ze_result_t launch_accessors(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  float factor = 0;
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(made.queues[kind]);
    syclze_accessor x = syclze_require(&group, made.x, SYCLZE_ACCESS_READ);
    syclze_accessor y = syclze_require(&group, made.y, SYCLZE_ACCESS_READ_WRITE);
    BENCH_TRY(syclze_launch(&group, world->wrapped.kernel, &one, NULL, syclze_arg(factor),
        syclze_arg(x), syclze_arg(y)));
  }
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t copies(
    const struct bench_world *world, uint32_t count, enum queue_kind kind, bool waits) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    syclze_group group = syclze_group_begin(made.queues[kind]);
    BENCH_TRY(syclze_group_copy(
        &group, syclze_mem_arg(made.memory[0]), syclze_mem_arg(made.memory[1]), 64, NULL));
    if (waits) BENCH_TRY(syclze_queue_wait(made.queues[kind]));
  }
  return waits ? ZE_RESULT_SUCCESS : finish(world, kind);
}

/* Without a group object. */
ALWAYS_INLINE ze_result_t queue_copy(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(
        syclze_queue_copy(made.queues[kind], made.memory[0], made.memory[1], 64, NULL, 0, NULL));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t queue_launch(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_launch(
        made.queues[kind], world->wrapped.no_work, &one, NULL, 0, NULL, 0, NULL));
  return finish(world, kind);
}

ALWAYS_INLINE ze_result_t copy(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return copies(world, count, kind, false);
}

ALWAYS_INLINE ze_result_t copy_and_wait(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  return copies(world, count, kind, true);
}

ALWAYS_INLINE ze_result_t barrier(
    const struct bench_world *world, uint32_t count, enum queue_kind kind) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(syclze_queue_submit_barrier(made.queues[kind], NULL));
  return finish(world, kind);
}

static ze_result_t launch_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(
        zeCommandListAppendLaunchKernel(made.lists[OWN], world->no_work, &groups, NULL, 0, NULL));
  }
  return finish(world, OWN);
}

/* With the calls that an event takes. */
static ze_result_t event_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_group_count_t groups = {1, 1, 1};
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeEventHostReset(world->event));
    BENCH_TRY(zeKernelSetGroupSize(world->no_work, 1, 1, 1));
    BENCH_TRY(zeCommandListAppendLaunchKernel(
        made.lists[OWN], world->no_work, &groups, world->event, 0, NULL));
    zeEventQueryStatus(world->event);
  }
  return finish(world, OWN);
}

static ze_result_t accessors_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  ze_group_count_t groups = {1, 1, 1};
  float factor = 0;
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 0, sizeof factor, &factor));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 1, sizeof(void *), &made.memory[0]));
    BENCH_TRY(zeKernelSetArgumentValue(world->kernel, 2, sizeof(void *), &made.memory[1]));
    BENCH_TRY(zeKernelSetGroupSize(world->kernel, 1, 1, 1));
    BENCH_TRY(
        zeCommandListAppendLaunchKernel(made.lists[OWN], world->kernel, &groups, NULL, 0, NULL));
  }
  return finish(world, OWN);
}

static ze_result_t copy_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendMemoryCopy(
        made.lists[OWN], made.memory[0], made.memory[1], 64, NULL, 0, NULL));
  return finish(world, OWN);
}

/* On older loaders by a barrier's event. */
static ze_result_t copy_and_wait_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++) {
    BENCH_TRY(zeCommandListAppendMemoryCopy(
        made.lists[OWN], made.memory[0], made.memory[1], 64, NULL, 0, NULL));
    if (world->newer.list_synchronize != NULL)
      BENCH_TRY(world->newer.list_synchronize(made.lists[OWN], UINT64_MAX));
    else
      BENCH_TRY(finish(world, OWN));
  }
  return ZE_RESULT_SUCCESS;
}

static ze_result_t barrier_plain(const struct bench_world *world, uint32_t count) {
  BENCH_TRY(make(world));
  for (uint32_t i = 0; i < count; i++)
    BENCH_TRY(zeCommandListAppendBarrier(made.lists[OWN], NULL, 0, NULL));
  return finish(world, OWN);
}

/* An operation on one kind of queue. */
#define ON(name, operation, kind)                                                                  \
  static ze_result_t name(const struct bench_world *world, uint32_t count) {                       \
    return operation(world, count, kind);                                                          \
  }
ON(own_launch, launch, OWN)
ON(own_range, launch_range, OWN)
ON(own_event, launch_event, OWN)
ON(own_accessors, launch_accessors, OWN)
ON(own_copy, copy, OWN)
ON(own_queue_copy, queue_copy, OWN)
ON(own_queue_launch, queue_launch, OWN)
ON(own_wait, copy_and_wait, OWN)
ON(own_barrier, barrier, OWN)
ON(wrapped_launch, launch, WRAPPED)
ON(wrapped_range, launch_range, WRAPPED)
ON(wrapped_event, launch_event, WRAPPED)
ON(wrapped_accessors, launch_accessors, WRAPPED)
ON(wrapped_copy, copy, WRAPPED)
ON(wrapped_wait, copy_and_wait, WRAPPED)
ON(wrapped_barrier, barrier, WRAPPED)
ON(any_launch, launch, OUT_OF_ORDER)
ON(any_event, launch_event, OUT_OF_ORDER)
ON(any_accessors, launch_accessors, OUT_OF_ORDER)
ON(any_wait, copy_and_wait, OUT_OF_ORDER)
ON(regular_launch, launch, REGULAR)
ON(regular_event, launch_event, REGULAR)
ON(regular_accessors, launch_accessors, REGULAR)

const struct bench_op bench_submit_ops[] = {
    {"submit a kernel, in-order, no event", 60, 3000, own_launch, launch_plain, 0, true},
    {"submit a kernel, beside one without trace points", 8, 0, own_launch, submit_untraced, 0,
        true},
    {"submit a kernel, in-order, range of run time", 60, 3000, own_range, launch_plain, 0, true},
    {"submit a kernel, in-order, with an event", 150, 4127, own_event, event_plain, 0, true},
    {"submit a kernel, in-order, two accessors", 260, 22640, own_accessors, accessors_plain, 0,
        true},
    {"submit a USM copy, in-order", 60, 1386, own_copy, copy_plain, 0, false},
    {"submit a USM copy, no group, in-order", 60, 1386, own_queue_copy, copy_plain, 0, false},
    {"submit a kernel, no group, in-order", 60, 3000, own_queue_launch, launch_plain, 0, true},
    {"submit a USM copy and wait, in-order", 0, 0, own_wait, copy_and_wait_plain, 0, false},
    {"submit a barrier, in-order", 60, 0, own_barrier, barrier_plain, 0, false},
    {"submit a kernel, wrapped in-order, no event", 60, 3000, wrapped_launch, launch_plain, 0,
        true},
    {"submit a kernel, wrapped in-order, range of run time", 60, 3000, wrapped_range, launch_plain,
        0, true},
    {"submit a kernel, wrapped in-order, with an event", 150, 4127, wrapped_event, event_plain, 0,
        true},
    {"submit a kernel, wrapped in-order, two accessors", 260, 22640, wrapped_accessors,
        accessors_plain, 0, true},
    {"submit a USM copy, wrapped in-order", 60, 1386, wrapped_copy, copy_plain, 0, false},
    {"submit a USM copy and wait, wrapped in-order", 0, 0, wrapped_wait, copy_and_wait_plain, 0,
        false},
    {"submit a barrier, wrapped in-order", 60, 0, wrapped_barrier, barrier_plain, 0, false},
    {"submit a kernel, out of order, no event", 60, 0, any_launch, launch_plain, 0, true},
    {"submit a kernel, out of order, with an event", 0, 0, any_event, event_plain, 0, true},
    {"submit a kernel, out of order, two accessors", 0, 0, any_accessors, accessors_plain, 0, true},
    {"submit a USM copy and wait, out of order", 0, 0, any_wait, copy_and_wait_plain, 0, false},
    {"submit a kernel, command queue, no event", 0, 0, regular_launch, launch_plain, 0, true},
    {"submit a kernel, command queue, with an event", 0, 0, regular_event, event_plain, 0, true},
    {"submit a kernel, command queue, two accessors", 0, 0, regular_accessors, accessors_plain, 0,
        true},
    {0},
};
