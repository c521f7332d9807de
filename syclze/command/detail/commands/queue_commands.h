/* Bodies of queue_commands.h. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_QUEUE_COMMANDS_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_QUEUE_COMMANDS_H

#include "../../../queue_commands.h"
#include "launch_command.h"
#include "queue_wait.h"
#include "rows.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE ze_result_t syclze_queue_launch_arguments(syclze_queue queue, syclze_kernel kernel,
    const syclze_nd_range *range, const syclze_argument *arguments, uint32_t count,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  return syclze__queue_launch(queue, kernel.rep, range, arguments, count, waits, wait_count, event);
}

#if SYCLZE__BODIES

SYCLZE_WARM ze_result_t syclze_queue_copy(syclze_queue queue, void *to, const void *from,
    size_t size, const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  struct syclze__transfer copy;
  syclze__copy_init(&copy, "syclze_queue_copy");
  copy.to = to;
  copy.from = from;
  copy.size = size;
  return syclze__queue_submit(queue, &copy.command,
      SYCLZE__LIKELY(to != NULL && from != NULL)
          ? SYCLZE__CHECK_SPANS(queue.rep, syclze__allowed(), to, size, from, size)
          : syclze__null_memory(),
      waits, wait_count, event);
}

SYCLZE_WARM ze_result_t syclze_queue_fill(syclze_queue queue, void *to, const void *pattern,
    size_t pattern_size, size_t size, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  struct syclze__transfer fill;
  syclze__fill_init(&fill, "syclze_queue_fill", pattern, pattern_size, size);
  fill.to = to;
  return syclze__queue_submit(queue, &fill.command,
      SYCLZE__LIKELY(to != NULL)
          ? SYCLZE__CHECK_SPANS(
                queue.rep, syclze__fill_check(pattern, pattern_size, size), to, size, NULL, 0)
          : syclze__null_memory(),
      waits, wait_count, event);
}

/* Submits a transfer of rows between pointers; `status` is the result of checking them. */
SYCLZE_LOCAL_WARM ze_result_t syclze__queue_transfer_2d(syclze_queue queue,
    struct syclze__transfer_2d *rows, struct syclze__status status, void *to, const void *from,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  rows->transfer.to = to;
  rows->transfer.from = from;
  if (SYCLZE__UNLIKELY(to == NULL || from == NULL) && status.result == ZE_RESULT_SUCCESS)
    status = syclze__null_memory();
  status =
      SYCLZE__CHECK_SPANS(queue.rep, status, to, syclze__transfer_2d_span(rows, rows->to_pitch),
          syclze__transfer_fills(&rows->transfer) ? NULL : from,
          syclze__transfer_2d_span(rows, rows->from_pitch));
  return syclze__queue_submit(queue, &rows->transfer.command, status, waits, wait_count, event);
}

SYCLZE_WARM ze_result_t syclze_queue_copy_2d(syclze_queue queue, void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  struct syclze__transfer_2d copy;
  const struct syclze__status status = syclze__transfer_2d_init(
      &copy, "syclze_queue_copy_2d", SYCLZE__TRACE_COPY_2D, to_pitch, from_pitch, width, height);
  return syclze__queue_transfer_2d(queue, &copy, status, to, from, waits, wait_count, event);
}

SYCLZE_WARM ze_result_t syclze_queue_fill_2d(syclze_queue queue, void *to, size_t pitch,
    const void *pattern, size_t pattern_size, size_t width, size_t height,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  struct syclze__transfer_2d fill;
  const struct syclze__status status = syclze__fill_2d_init(
      &fill, "syclze_queue_fill_2d", pitch, pattern, pattern_size, width, height);
  return syclze__queue_transfer_2d(queue, &fill, status, to, pattern, waits, wait_count, event);
}

/* A null advice is a prefetch. */
SYCLZE_LOCAL_WARM ze_result_t syclze__queue_hint(syclze_queue queue, const void *memory,
    size_t size, const ze_memory_advice_t *advice, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  struct syclze__transfer hint;
  syclze__hint_init(&hint, true, size, advice);
  hint.from = memory;
  return syclze__queue_submit(queue, &hint.command,
      SYCLZE__LIKELY(memory != NULL)
          ? SYCLZE__CHECK_SPANS(queue.rep, syclze__allowed(), memory, size, NULL, 0)
          : syclze__null_memory(),
      waits, wait_count, event);
}

SYCLZE_WARM ze_result_t syclze_queue_prefetch(syclze_queue queue, const void *memory, size_t size,
    const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  return syclze__queue_hint(queue, memory, size, NULL, waits, wait_count, event);
}

SYCLZE_WARM ze_result_t syclze_queue_advise(syclze_queue queue, const void *memory, size_t size,
    ze_memory_advice_t advice, const syclze_event *waits, uint32_t wait_count,
    syclze_event *event) {
  return syclze__queue_hint(queue, memory, size, &advice, waits, wait_count, event);
}

SYCLZE_WARM ze_result_t syclze_queue_submit_barrier_after(
    syclze_queue queue, const syclze_event *waits, uint32_t wait_count, syclze_event *event) {
  const struct syclze__command barrier = syclze__barrier_of("syclze_queue_submit_barrier_after");
  return syclze__queue_submit(queue, &barrier, syclze__allowed(), waits, wait_count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
