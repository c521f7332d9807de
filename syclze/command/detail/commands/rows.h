/* Transfers of rows. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_ROWS_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_ROWS_H

#include "transfer.h"

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

/* The number of bytes from the first row's first to the last row's last. */
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
    return syclze__unsupported(
        "Level Zero copies no 2^32 rows, nor rows that are 4 GiB or more apart");
  return syclze__allowed();
}

/* Only waits and signals. */
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

SYCLZE_LOCAL ze_result_t syclze__fill_2d_append_pieces(
    const struct syclze__transfer_2d *fill, struct syclze__append *at) {
  struct syclze__fill_rows rows = {(char *)fill->transfer.to, (const char *)fill->transfer.from,
      fill->transfer.pattern_size, fill->width, fill->height, fill->to_pitch, 0};
  return syclze__fill_append_pieces(at, &rows);
}

/* Appends a fill for each row, between barriers: Level Zero fills no regions. */
SYCLZE_LOCAL ze_result_t syclze__fill_2d_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer_2d *fill = syclze__transfer_2d_of(command);
  if (!syclze__is_power_of_two(fill->transfer.pattern_size))
    return syclze__fill_2d_append_pieces(fill, at);
  ze_result_t result = syclze__append_waits(at);
  size_t row = 0;
  for (; row < fill->height && result == ZE_RESULT_SUCCESS; row++)
    result = syclze__list_append_fill(at->list, (char *)fill->transfer.to + row * fill->to_pitch,
        &fill->transfer, fill->width, NULL, 0, NULL);
  if (SYCLZE__UNLIKELY(result == ZE_RESULT_ERROR_INVALID_SIZE && row == 1))
    return syclze__fill_2d_append_pieces(fill, at);
  if (result == ZE_RESULT_SUCCESS && at->signal != NULL)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  /* The rows before the failed append are under way, at their place in the native order. */
  if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS && row > 1 && at->state->is_list)) {
    at->begun = true;
    at->state->position++;
  }
  return result;
}

#define SYCLZE__ROWS_UNRECORDED                                                                    \
  "sycl_ext_oneapi_graph: copies and fills of rows may not be recorded to a graph"

/* The table of a transfer of rows. */
#define SYCLZE__TRANSFER_2D_TABLE(rule, append)                                                    \
  SYCLZE__TRANSFER_TABLE_OF(struct syclze__transfer_2d, rule, SYCLZE__ROWS_UNRECORDED, append,     \
      syclze__transfer_2d_trace)

/* The table for the shape: no append without rows, a single one without gaps. */
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

/* Initialises all of a transfer of rows except its memory. */
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

/* Initialises all of a fill of rows except its memory. */
SYCLZE_LOCAL struct syclze__status syclze__fill_2d_init(struct syclze__transfer_2d *fill,
    const char *function, size_t pitch, const void *pattern, size_t pattern_size, size_t width,
    size_t height) {
  const struct syclze__status status =
      syclze__transfer_2d_init(fill, function, SYCLZE__TRACE_FILL_2D, pitch, pitch, width, height);
  fill->transfer.from = pattern;
  fill->transfer.pattern_size = pattern_size;
  return status.result != ZE_RESULT_SUCCESS ? status
                                            : syclze__fill_check(pattern, pattern_size, width);
}

#endif

SYCLZE_EXTERN_C_END

#endif
