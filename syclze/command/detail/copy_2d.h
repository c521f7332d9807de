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
    const struct syclze__command *command, struct syclze__append *at) {
  (void)command;
  return syclze__list_append_barrier(at->list, at->signal, at->wait_count, at->waits);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__copy_2d_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer_2d *copy = syclze__transfer_2d_of(command);
  const size_t extent[3] = {copy->width, copy->height, 1};
  const size_t to_pitch[2] = {copy->to_pitch, 0}, from_pitch[2] = {copy->from_pitch, 0};
  return syclze__append_region(
      at, copy->transfer.to, to_pitch, copy->transfer.from, from_pitch, extent);
}

/* Level Zero fills no regions: a fill for each row, between barriers. */
SYCLZE_LOCAL ze_result_t syclze__fill_2d_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer_2d *fill = syclze__transfer_2d_of(command);
  ze_result_t result = syclze__append_waits(at);
  size_t row = 0;
  for (; row < fill->height && result == ZE_RESULT_SUCCESS; row++)
    result = syclze__list_append_fill(at->list, (char *)fill->transfer.to + row * fill->to_pitch,
        &fill->transfer, fill->width, NULL, 0, NULL);
  if (result == ZE_RESULT_SUCCESS && at->signal != NULL)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  /* The rows before the failed append are under way, in their place of the native order. */
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS && row > 1 && at->state->is_list)) {
    at->begun = true;
    at->state->position++;
  }
  return result;
}

/* The table of a transfer of rows. */
#define SYCLZE__TRANSFER_2D_TABLE(rule, append)                                                    \
  SYCLZE__COMMAND_TABLE(struct syclze__transfer_2d, SYCLZE__SUBMISSION_COMMAND, rule, NULL,        \
      append, syclze__transfer_keep, syclze__transfer_2d_trace)

/* The append by the shape: none without rows, one without gaps. */
SYCLZE_LOCAL const struct syclze__command_table *syclze__transfer_2d_table(
    const struct syclze__transfer_2d *rows) {
  static const struct syclze__command_table none =
      SYCLZE__TRANSFER_2D_TABLE("zeCommandListAppendBarrier failed", syclze__no_rows_append);
  static const struct syclze__command_table copy =
      SYCLZE__TRANSFER_2D_TABLE("zeCommandListAppendMemoryCopy failed", syclze__copy_append);
  static const struct syclze__command_table copy_rows = SYCLZE__TRANSFER_2D_TABLE(
      "zeCommandListAppendMemoryCopyRegion failed", syclze__copy_2d_append);
  static const struct syclze__command_table fill =
      SYCLZE__TRANSFER_2D_TABLE("zeCommandListAppendMemoryFill failed", syclze__fill_append);
  static const struct syclze__command_table fill_rows =
      SYCLZE__TRANSFER_2D_TABLE("zeCommandListAppendMemoryFill failed", syclze__fill_2d_append);
  const bool fills = syclze__transfer_fills(&rows->transfer);
  if (rows->width == 0 || rows->height == 0) return &none;
  if (rows->to_pitch == rows->width && rows->from_pitch == rows->width)
    return fills ? &fill : &copy;
  return fills ? &fill_rows : &copy_rows;
}

/* Initialises a transfer of rows but for its memory. */
SYCLZE_LOCAL_WARM struct syclze__status syclze__transfer_2d_init(struct syclze__transfer_2d *rows,
    const char *function, enum syclze__trace_transfer kind, size_t to_pitch, size_t from_pitch,
    size_t width, size_t height) {
  rows->transfer.kind = kind;
  rows->width = width;
  rows->height = height;
  rows->to_pitch = to_pitch;
  rows->from_pitch = from_pitch;
  syclze__transfer_init(&rows->transfer, syclze__transfer_2d_table(rows), function, kind);
  rows->transfer.size = width * height;
  return syclze__check_2d(rows);
}

/* The same of a fill. */
SYCLZE_LOCAL struct syclze__status syclze__fill_2d_init(struct syclze__transfer_2d *fill,
    const char *function, size_t pitch, const void *pattern, size_t pattern_size, size_t width,
    size_t height) {
  const struct syclze__status status =
      syclze__transfer_2d_init(fill, function, SYCLZE__TRACE_FILL_2D, pitch, pitch, width, height);
  fill->transfer.from = pattern;
  fill->transfer.pattern_size = pattern_size;
  if (pattern == NULL) return syclze__null_pointer("the pattern is null");
  if (pattern_size == 0 || width % pattern_size != 0)
    return syclze__invalid("a row is no multiple of the pattern");
  return status;
}

SYCLZE_LOCAL struct syclze__status syclze__check_rows_recorded(const struct syclze__queue *queue) {
  const struct syclze__queue_state *state = queue != NULL ? syclze__queue_state_get(queue) : NULL;
  if (state == NULL || !syclze__queue_state_records(state)) return syclze__allowed();
  return syclze__invalid(
      "sycl_ext_oneapi_graph: copies and fills of rows may not be recorded to a graph");
}

/* Submits rows of the group, of which `status` tells whether they are valid. `from` is null for a
 * fill. */
SYCLZE_LOCAL ze_result_t syclze__group_transfer_2d(syclze_group *group,
    struct syclze__transfer_2d *rows, struct syclze__status status,
    const syclze_memory_argument *to, const syclze_memory_argument *from, syclze_event *event) {
  struct syclze__transfer *transfer = &rows->transfer;
  const struct syclze__status recorded = syclze__check_rows_recorded(group->queue);
  if (recorded.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, recorded);
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  transfer->to =
      syclze__mem_address(group, to, syclze__transfer_2d_span(rows, rows->to_pitch), true);
  transfer->to_accessor = syclze__mem_accessor(to);
  if (from != NULL) {
    transfer->from =
        syclze__mem_address(group, from, syclze__transfer_2d_span(rows, rows->from_pitch), false);
    transfer->from_accessor = syclze__mem_accessor(from);
  }
  return syclze__command_submit(group, &transfer->command, event);
}

SYCLZE_COLD ze_result_t syclze__group_copy_2d(syclze_group *group, const syclze_memory_argument *to,
    size_t to_pitch, const syclze_memory_argument *from, size_t from_pitch, size_t width,
    size_t height, syclze_event *event) {
  struct syclze__transfer_2d copy;
  const struct syclze__status status = syclze__transfer_2d_init(
      &copy, "syclze_group_copy_2d", SYCLZE__TRACE_COPY_2D, to_pitch, from_pitch, width, height);
  return syclze__group_transfer_2d(group, &copy, status, to, from, event);
}

SYCLZE_COLD ze_result_t syclze_group_fill_2d(syclze_group *group, syclze_memory_argument to,
    size_t pitch, const void *pattern, size_t pattern_size, size_t width, size_t height,
    syclze_event *event) {
  struct syclze__transfer_2d fill;
  const struct syclze__status status = syclze__fill_2d_init(
      &fill, "syclze_group_fill_2d", pitch, pattern, pattern_size, width, height);
  return syclze__group_transfer_2d(group, &fill, status, &to, NULL, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
