/* Bodies of queue_submit.h. */
#ifndef SYCLZE_COMMAND_DETAIL_QUEUE_SUBMIT_H
#define SYCLZE_COMMAND_DETAIL_QUEUE_SUBMIT_H

#include "../queue_submit.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__group_depends_on_all(syclze_group *group, const syclze_event *events,
    uint32_t count) SYCLZE_LINK_NAME(syclze__group_depends_on_all);

/* Not a function that returns the group, which is large, and would be copied. */
SYCLZE_INLINE void syclze__group_wait_for(
    syclze_group *group, const syclze_event *waits, uint32_t wait_count) {
  if (wait_count != 0) syclze__group_depends_on_all(group, waits, wait_count);
}

SYCLZE_INLINE ze_result_t syclze_queue_copy(syclze_queue queue, void *to, const void *from,
    size_t size, const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_copy(&group, syclze_memory_argument_pointer(to),
      syclze_memory_argument_pointer(from), size, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_fill(syclze_queue queue, void *to, const void *pattern,
    size_t pattern_size, size_t size, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_fill(
      &group, syclze_memory_argument_pointer(to), pattern, pattern_size, size, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_copy_2d(syclze_queue queue, void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_copy_2d(&group, syclze_memory_argument_pointer(to), to_pitch,
      syclze_memory_argument_pointer(from), from_pitch, width, height, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_fill_2d(syclze_queue queue, void *to, size_t pitch,
    const void *pattern, size_t pattern_size, size_t width, size_t height,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_fill_2d(&group, syclze_memory_argument_pointer(to), pitch, pattern,
      pattern_size, width, height, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_prefetch(syclze_queue queue, const void *memory, size_t size,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_prefetch(&group, syclze_memory_argument_pointer(memory), size, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_advise(syclze_queue queue, const void *memory, size_t size,
    ze_memory_advice_t advice, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_advise(&group, syclze_memory_argument_pointer(memory), size, advice, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_launch(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_launch(&group, kernel, range, arguments, count, event);
}

SYCLZE_INLINE ze_result_t syclze_queue_submit_barrier_after(
    syclze_queue queue, const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  return syclze_group_barrier(&group, event);
}

#if SYCLZE__BODIES

SYCLZE_COLD ze_result_t syclze_queue_launch_sampled(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_sampler *samplers, uint32_t sampler_count, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  syclze_group group = syclze_group_begin(queue);
  syclze__group_wait_for(&group, waits, wait_count);
  if (samplers == NULL && sampler_count != 0)
    syclze__group_fail(&group, syclze__null_pointer("the list of samplers is null"));
  for (uint32_t i = 0; samplers != NULL && i < sampler_count; i++)
    syclze_group_require_sampler(&group, samplers[i]);
  return syclze_group_launch(&group, kernel, range, arguments, count, event);
}

SYCLZE_COLD void syclze__group_depends_on_all(
    syclze_group *group, const syclze_event *events, uint32_t count) {
  if (events == NULL) {
    syclze__group_fail(group, syclze__null_pointer("the list of events to wait for is null"));
    return;
  }
  for (uint32_t i = 0; i < count; i++)
    syclze_group_depends_on(group, events[i]);
}

#endif

SYCLZE_EXTERN_C_END

#endif
