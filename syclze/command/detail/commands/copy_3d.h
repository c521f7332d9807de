/* Copies of boxes. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_3D_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_3D_H

#include "../../copy_3d.h"
#include "copy.h"
#include "rows.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

struct syclze__transfer_3d {
  struct syclze__transfer transfer;
  size_t extent[3];
  size_t to_pitches[2], from_pitches[2];
};

SYCLZE_LOCAL ze_result_t syclze__copy_3d_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer_3d *box = (const struct syclze__transfer_3d *)(const void *)command;
  return syclze__append_region(
      at, box->transfer.to, box->to_pitches, box->transfer.from, box->from_pitches, box->extent);
}

/* Sets the pitches of one side. Returns the rule that they break, or null. */
SYCLZE_LOCAL const char *syclze__pitches_take(
    const size_t *extent, const size_t *pitches, size_t *taken) {
  taken[0] = pitches != NULL ? pitches[0] : extent[0];
  taken[1] = pitches != NULL ? pitches[1] : extent[0] * extent[1];
  if (taken[0] < extent[0]) return "the pitch of rows must not be smaller than a row";
  if (extent[2] > 1 && extent[1] != 0 && taken[1] / extent[1] < taken[0])
    return "the pitch of slices must not be smaller than a slice";
  return NULL;
}

/* The number of bytes from a side's first to its last. */
SYCLZE_LOCAL size_t syclze__transfer_3d_span(
    const struct syclze__transfer_3d *box, const size_t *pitches) {
  const size_t *extent = box->extent;
  if (box->transfer.size == 0) return 0;
  return (extent[2] - 1) * pitches[1] + (extent[1] - 1) * pitches[0] + extent[0];
}

/* Initialises all of a box except its memory. */
SYCLZE_LOCAL struct syclze__status syclze__transfer_3d_init(struct syclze__transfer_3d *box,
    const char *function, const size_t *extent, const size_t *to_pitches,
    const size_t *from_pitches) {
  static const size_t nothing[3] = {0, 0, 0};
  static const struct syclze__command_table none =
      SYCLZE__TRANSFER_TABLE_OF(struct syclze__transfer_3d, "zeCommandListAppendBarrier failed",
          SYCLZE__ROWS_UNRECORDED, syclze__no_rows_append, syclze__transfer_trace);
  static const struct syclze__command_table some = SYCLZE__TRANSFER_TABLE_OF(
      struct syclze__transfer_3d, "zeCommandListAppendMemoryCopyRegion failed",
      SYCLZE__ROWS_UNRECORDED, syclze__copy_3d_append, syclze__transfer_trace);
  const size_t *counts = extent != NULL ? extent : nothing;
  const bool is_empty = counts[0] == 0 || counts[1] == 0 || counts[2] == 0;
  const size_t largest = UINT32_MAX;
  syclze__transfer_init(&box->transfer, is_empty ? &none : &some, function, SYCLZE__TRACE_COPY);
  memcpy(box->extent, counts, sizeof box->extent);
  box->transfer.size = 0;
  if (extent == NULL) return syclze__null_pointer("the extent's pointer is null");
  if (counts[0] > largest || counts[1] > largest || counts[2] > largest)
    return syclze__unsupported("Level Zero copies no boxes of 2^32 rows, slices or bytes of a row");
  const char *rule = syclze__pitches_take(counts, to_pitches, box->to_pitches);
  if (rule == NULL) rule = syclze__pitches_take(counts, from_pitches, box->from_pitches);
  if (rule != NULL) return syclze__invalid(rule);
  if (box->to_pitches[0] > largest || box->to_pitches[1] > largest ||
      box->from_pitches[0] > largest || box->from_pitches[1] > largest)
    return syclze__unsupported("Level Zero copies no rows or slices that are 4 GiB or more apart");
  box->transfer.size = counts[0] * counts[1] * counts[2];
  return syclze__allowed();
}

SYCLZE_COLD ze_result_t syclze_group_copy_3d(syclze_group *group, syclze_memory_argument to,
    const size_t *to_pitches, syclze_memory_argument from, const size_t *from_pitches,
    const size_t *extent, syclze_event *event) {
  struct syclze__transfer_3d box;
  struct syclze__status status =
      syclze__transfer_3d_init(&box, "syclze_group_copy_3d", extent, to_pitches, from_pitches);
  if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  box.transfer.to =
      syclze__mem_address(group, &to, syclze__transfer_3d_span(&box, box.to_pitches), true);
  box.transfer.from =
      syclze__mem_address(group, &from, syclze__transfer_3d_span(&box, box.from_pitches), false);
  box.transfer.to_accessor = syclze__mem_accessor(&to);
  box.transfer.from_accessor = syclze__mem_accessor(&from);
  return syclze__command_submit(group, &box.transfer.command, event);
}

SYCLZE_COLD ze_result_t syclze_queue_copy_3d(syclze_queue queue, void *to, const size_t *to_pitches,
    const void *from, const size_t *from_pitches, const size_t *extent, const syclze_event *waits,
    uint32_t wait_count, syclze_event *event) {
  struct syclze__transfer_3d box;
  struct syclze__status status =
      syclze__transfer_3d_init(&box, "syclze_queue_copy_3d", extent, to_pitches, from_pitches);
  if (status.result == ZE_RESULT_SUCCESS && (to == NULL || from == NULL))
    status = syclze__null_memory();
  box.transfer.to = to;
  box.transfer.from = from;
  status =
      SYCLZE__CHECK_SPANS(queue.rep, status, to, syclze__transfer_3d_span(&box, box.to_pitches),
          from, syclze__transfer_3d_span(&box, box.from_pitches));
  return syclze__queue_submit(queue, &box.transfer.command, status, waits, wait_count, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
