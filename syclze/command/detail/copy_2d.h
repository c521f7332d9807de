/* Copies and fills of rows. */
#ifndef SYCLZE_COMMAND_DETAIL_COPY_2D_H
#define SYCLZE_COMMAND_DETAIL_COPY_2D_H

#include "copy.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

struct syclze__transfer_2d {
  struct syclze__transfer transfer;
  size_t width, height;
  size_t to_pitch, from_pitch;
};

SYCLZE_INLINE const struct syclze__transfer_2d *syclze__transfer_2d_of(
    const struct syclze__command *command) {
  return (const struct syclze__transfer_2d *)(const void *)command;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL void syclze__transfer_2d_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  const struct syclze__transfer_2d *rows = syclze__transfer_2d_of(command);
  syclze__transfer_trace(command, trace);
  trace->transfer.extent[0] = rows->width;
  trace->transfer.extent[1] = rows->height;
  trace->transfer.to_pitch = rows->to_pitch;
  trace->transfer.from_pitch = rows->from_pitch;
}
#endif

SYCLZE_LOCAL void syclze__transfer_2d_init(struct syclze__transfer_2d *rows, const char *function,
    enum syclze__trace_transfer kind,
    ze_result_t (*append)(
        const struct syclze__command *command, struct syclze__submission *submission)) {
  syclze__transfer_init(&rows->transfer, function, kind, append);
  rows->transfer.command.size = sizeof *rows;
#if XPTI_ENABLE_INSTRUMENTATION
  rows->transfer.command.trace = syclze__transfer_2d_trace;
#endif
}

/* The bytes from the first to the last one of the rows. */
SYCLZE_INLINE size_t syclze__transfer_2d_span(
    const struct syclze__transfer_2d *rows, size_t pitch) {
  return rows->width != 0 && rows->height != 0 ? (rows->height - 1) * pitch + rows->width : 0;
}

SYCLZE_LOCAL struct syclze__status syclze__check_2d(const struct syclze__transfer_2d *rows) {
  size_t largest = rows->to_pitch > rows->from_pitch ? rows->to_pitch : rows->from_pitch;
  if (rows->to_pitch < rows->width || rows->from_pitch < rows->width)
    return syclze__invalid("SYCL_EXT_ONEAPI_MEMCPY2D: a pitch is smaller than the width of a row");
  if (rows->height > largest) largest = rows->height;
  if (largest > UINT32_MAX)
    return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
        "Level Zero copies no 2^32 rows, nor rows that are 4 GiB or more apart");
  return syclze__allowed();
}

/* Waits and signals, and no more. */
SYCLZE_LOCAL ze_result_t syclze__no_rows_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  (void)command;
  return SYCLZE__ZE(zeCommandListAppendBarrier)(
      submission->list, submission->signal, submission->wait_count, submission->waits.natives);
}

SYCLZE_INLINE ze_copy_region_t syclze__region_of(size_t width, size_t height) {
  ze_copy_region_t region;
  memset(&region, 0, sizeof region);
  region.width = (uint32_t)width;
  region.height = (uint32_t)height;
  region.depth = 1;
  return region;
}

SYCLZE_LOCAL ze_result_t syclze__copy_2d_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__transfer_2d *copy = syclze__transfer_2d_of(command);
  const ze_copy_region_t region = syclze__region_of(copy->width, copy->height);
  return SYCLZE__ZE(zeCommandListAppendMemoryCopyRegion)(submission->list, copy->transfer.to,
      &region, (uint32_t)copy->to_pitch, 0, copy->transfer.from, &region,
      (uint32_t)copy->from_pitch, 0, submission->signal, submission->wait_count,
      submission->waits.natives);
}

/* Level Zero fills no regions: a fill for each row, between barriers. */
SYCLZE_LOCAL ze_result_t syclze__fill_2d_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__transfer_2d *fill = syclze__transfer_2d_of(command);
  ze_result_t result = syclze__append_waits(submission);
  size_t row = 0;
  for (; row < fill->height && result == ZE_RESULT_SUCCESS; row++)
    result = SYCLZE__ZE(zeCommandListAppendMemoryFill)(submission->list,
        (char *)fill->transfer.to + row * fill->to_pitch, fill->transfer.from,
        fill->transfer.pattern_size, fill->width, NULL, 0, NULL);
  if (result == ZE_RESULT_SUCCESS && submission->signal != NULL)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
  /* The rows before the failed append are under way, in their place of the native order. */
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS && row > 1 && submission->state->is_list)) {
    submission->begun = true;
    submission->state->position++;
  }
  return result;
}

/* From valid rows on. `to` is the first argument, `from` null for a fill. */
SYCLZE_LOCAL ze_result_t syclze__group_transfer_2d(syclze_group *group,
    struct syclze__transfer_2d *rows, const syclze_memory_argument *to,
    const syclze_memory_argument *from, syclze_event *event) {
  struct syclze__transfer *transfer = &rows->transfer;
  const struct syclze__status status = syclze__check_2d(rows);
  syclze__recording_exclude(
      group, "sycl_ext_oneapi_graph: copies and fills of rows may not be recorded to a graph");
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  const bool is_whole = rows->to_pitch == rows->width && rows->from_pitch == rows->width;
  transfer->size = rows->width * rows->height;
  transfer->to =
      syclze__mem_address(group, to, syclze__transfer_2d_span(rows, rows->to_pitch), true);
  transfer->to_accessor = syclze__mem_accessor(to);
  if (from != NULL) {
    transfer->from =
        syclze__mem_address(group, from, syclze__transfer_2d_span(rows, rows->from_pitch), false);
    transfer->from_accessor = syclze__mem_accessor(from);
  }
  if (transfer->size == 0)
    transfer->command.append = syclze__no_rows_append;
  else if (is_whole)
    transfer->command.append = from != NULL ? syclze__copy_append : syclze__fill_append;
  return syclze__command_submit(group, &transfer->command, event);
}

SYCLZE_COLD ze_result_t syclze__group_copy_2d(syclze_group *group, const syclze_memory_argument *to,
    size_t to_pitch, const syclze_memory_argument *from, size_t from_pitch, size_t width,
    size_t height, syclze_event *event) {
  struct syclze__transfer_2d copy;
  syclze__transfer_2d_init(
      &copy, "syclze_group_copy_2d", SYCLZE__TRACE_COPY_2D, syclze__copy_2d_append);
  copy.width = width;
  copy.height = height;
  copy.to_pitch = to_pitch;
  copy.from_pitch = from_pitch;
  return syclze__group_transfer_2d(group, &copy, to, from, event);
}

/* The state, locked, where rows between two pointers are one append; else null. */
SYCLZE_INLINE struct syclze__queue_state *syclze__copy_2d_enter(const syclze_group *group,
    const void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
    size_t height) {
  if (to == NULL || from == NULL) return NULL;
  if (width == 0 || height == 0 || to_pitch < width || from_pitch < width) return NULL;
  if ((to_pitch | from_pitch | height) > UINT32_MAX || (to_pitch == width && from_pitch == width))
    return NULL;
  return syclze__plain_enter(group);
}

SYCLZE_WARM ze_result_t syclze__group_copy_2d_plain(syclze_group *group, void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height) {
  struct syclze__queue_state *state =
      syclze__copy_2d_enter(group, to, to_pitch, from, from_pitch, width, height);
  if (SYCLZE__UNLIKELY(state == NULL)) {
    const syclze_memory_argument target = syclze_memory_argument_pointer(to);
    const syclze_memory_argument source = syclze_memory_argument_pointer(from);
    return syclze__group_copy_2d(
        group, &target, to_pitch, &source, from_pitch, width, height, NULL);
  }
  const ze_copy_region_t region = syclze__region_of(width, height);
  const ze_result_t result =
      SYCLZE__ZE(zeCommandListAppendMemoryCopyRegion)(group->queue->native.list, to, &region,
          (uint32_t)to_pitch, 0, from, &region, (uint32_t)from_pitch, 0, NULL, 0, NULL);
  return syclze__plain_leave(
      state, result, "zeCommandListAppendMemoryCopyRegion failed", "syclze_group_copy_2d");
}

SYCLZE_COLD ze_result_t syclze_group_fill_2d(syclze_group *group, syclze_memory_argument to,
    size_t pitch, const void *pattern, size_t pattern_size, size_t width, size_t height,
    syclze_event *event) {
  struct syclze__transfer_2d fill;
  syclze__transfer_2d_init(
      &fill, "syclze_group_fill_2d", SYCLZE__TRACE_FILL_2D, syclze__fill_2d_append);
  fill.transfer.from = pattern;
  fill.transfer.pattern_size = pattern_size;
  fill.width = width;
  fill.height = height;
  fill.to_pitch = fill.from_pitch = pitch;
  if (pattern == NULL)
    syclze__group_fail(group, syclze__null_pointer("the pattern is null"));
  else if (pattern_size == 0 || width % pattern_size != 0)
    syclze__group_fail(group, syclze__invalid("a row is no multiple of the pattern"));
  return syclze__group_transfer_2d(group, &fill, &to, NULL, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
