/* Copies and fills of rows in groups. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_2D_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_2D_H

#include "copy.h"
#include "rows.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Submits a transfer of rows; `status` is the result of checking them. `from` is null for a
 * fill. */
SYCLZE_LOCAL ze_result_t syclze__group_transfer_2d(syclze_group *group,
    struct syclze__transfer_2d *rows, struct syclze__status status,
    const syclze_memory_argument *to, const syclze_memory_argument *from, syclze_event *event) {
  struct syclze__transfer *transfer = &rows->transfer;
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
