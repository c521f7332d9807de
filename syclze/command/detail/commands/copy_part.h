/* Copies of parts of buffers, contiguous or not. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_PART_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_PART_H

#include "copy.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* Rows of bytes and their distances, as Level Zero copies a region. */
struct syclze__rows {
  size_t extent[3]; /* bytes of a row, rows, slices */
  size_t pitch[2];  /* of a row and a slice, in bytes */
};

struct syclze__copy_part {
  struct syclze__transfer transfer;
  bool is_whole; /* neither part has gaps */
  struct syclze__rows to, from;
};

/* The rows of an accessor of the group, along its last dimension. */
SYCLZE_LOCAL struct syclze__rows syclze__rows_of(
    const syclze_group *group, const syclze_accessor *accessor) {
  const syclze_accessor *all = syclze__group_accessors(group);
  const syclze_accessor *found = syclze__accessor_find(all, group->accessor_count, accessor);
  const struct syclze__buffer *buffer =
      (const struct syclze__buffer *)(const void *)accessor->memory;
  struct syclze__range range = syclze__range_whole(accessor->memory);
  if (accessor->is_part && found != NULL)
    range = *syclze__group_part(group, (uint32_t)(found - all));
  struct syclze__rows rows;
  size_t whole[3];
  for (uint32_t i = 0; i < 3; i++) {
    const bool there = i < buffer->dimensions;
    const uint32_t dimension = there ? buffer->dimensions - 1 - i : 0;
    rows.extent[i] = there ? range.end[dimension] - range.first[dimension] : 1;
    whole[i] = there ? buffer->memory.range[dimension] : 1;
  }
  rows.extent[0] *= buffer->element_size;
  rows.pitch[0] = whole[0] * buffer->element_size;
  rows.pitch[1] = rows.pitch[0] * whole[1];
  return rows;
}

/* The rows, packed without gaps. */
SYCLZE_INLINE struct syclze__rows syclze__rows_packed(const struct syclze__rows *like) {
  struct syclze__rows rows = *like;
  rows.pitch[0] = like->extent[0];
  rows.pitch[1] = like->extent[0] * like->extent[1];
  return rows;
}

SYCLZE_LOCAL struct syclze__status syclze__check_rows(
    const struct syclze__rows *to, const struct syclze__rows *from) {
  size_t largest = to->pitch[1] > from->pitch[1] ? to->pitch[1] : from->pitch[1];
  for (uint32_t i = 0; i < 3; i++) {
    if (to->extent[i] != from->extent[i])
      return syclze__invalid("the two parts must have the same rows, in number and in bytes");
    if (to->extent[i] > largest) largest = to->extent[i];
  }
  if (largest > UINT32_MAX)
    return syclze__unsupported(
        "Level Zero copies no rows with gaps whose slices are 4 GiB or more apart");
  return syclze__allowed();
}

/* The size of the two arguments in bytes if neither has gaps; else 0. */
SYCLZE_LOCAL struct syclze__status syclze__copy_part_size(
    const syclze_memory_argument *to, const syclze_memory_argument *from, size_t *size) {
  *size = 0;
  if ((to->is_accessor && to->accessor.size == 0) ||
      (from->is_accessor && from->accessor.size == 0))
    return syclze__allowed();
  *size = to->is_accessor ? to->accessor.size : from->accessor.size;
  if (from->is_accessor && from->accessor.size != *size)
    return syclze__invalid("the two parts must have the same number of bytes");
  return syclze__allowed();
}

/* True if the recorded range only contains the argument's part, whose rows are then unknown, as for
 * a view. */
SYCLZE_LOCAL bool syclze__is_part_of_view(
    const syclze_group *group, const syclze_memory_argument *argument) {
  const syclze_accessor *accessor = &argument->accessor;
  if (!argument->is_accessor || !accessor->is_part) return false;
  const syclze_accessor *all = syclze__group_accessors(group);
  const syclze_accessor *found = syclze__accessor_find(all, group->accessor_count, accessor);
  if (found == NULL) return false;
  struct syclze__range range = *syclze__group_part(group, (uint32_t)(found - all));
  size_t count[3], begin, size;
  for (uint32_t i = 0; i < 3; i++)
    count[i] = range.end[i] - range.first[i];
  const struct syclze__buffer *buffer =
      (const struct syclze__buffer *)(const void *)accessor->memory;
  return !syclze__range_place(buffer, range.first, count, &range, &begin, &size) ||
         size != accessor->size;
}

/* Fills in the rows and the size. The arguments are valid. */
SYCLZE_LOCAL struct syclze__status syclze__copy_part_shape(const syclze_group *group,
    const syclze_memory_argument *to, const syclze_memory_argument *from,
    struct syclze__copy_part *copy) {
  if (!to->is_accessor && !from->is_accessor)
    return syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR, "neither argument is an accessor");
  if (to->is_accessor) copy->to = syclze__rows_of(group, &to->accessor);
  copy->from =
      from->is_accessor ? syclze__rows_of(group, &from->accessor) : syclze__rows_packed(&copy->to);
  if (!to->is_accessor) copy->to = syclze__rows_packed(&copy->from);
  size_t size;
  struct syclze__status status = syclze__copy_part_size(to, from, &size);
  if (status.result == ZE_RESULT_SUCCESS && size == 0) {
    if (syclze__is_part_of_view(group, to) || syclze__is_part_of_view(group, from))
      return syclze__unsupported(
          "parts of sub-buffers and reinterpreted buffers are copied without gaps only");
    status = syclze__check_rows(&copy->to, &copy->from);
  }
  copy->transfer.size =
      size != 0 ? size : copy->to.extent[0] * copy->to.extent[1] * copy->to.extent[2];
  copy->is_whole = size != 0;
  return status;
}

SYCLZE_LOCAL ze_result_t syclze__copy_part_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__copy_part *copy = (const struct syclze__copy_part *)(const void *)command;
  return syclze__append_region(at, copy->transfer.to, copy->to.pitch, copy->transfer.from,
      copy->from.pitch, copy->to.extent);
}

SYCLZE_COLD ze_result_t syclze_group_copy_part(syclze_group *group, syclze_memory_argument to,
    syclze_memory_argument from, syclze_event *event) {
  static const struct syclze__command_table whole =
      SYCLZE__TRANSFER_TABLE_OF(struct syclze__copy_part, "zeCommandListAppendMemoryCopy failed",
          NULL, syclze__copy_append, syclze__transfer_trace);
  static const struct syclze__command_table rows = SYCLZE__TRANSFER_TABLE_OF(
      struct syclze__copy_part, "zeCommandListAppendMemoryCopyRegion failed", NULL,
      syclze__copy_part_append, syclze__transfer_trace);
  struct syclze__copy_part copy;
  void *const target = syclze__mem_address(group, &to, 0, true);
  const void *const source = syclze__mem_address(group, &from, 0, false);
  copy.is_whole = false;
  if (group->status.result == ZE_RESULT_SUCCESS) {
    const struct syclze__status status = syclze__copy_part_shape(group, &to, &from, &copy);
    if (status.result != ZE_RESULT_SUCCESS) syclze__group_fail(group, status);
  }
  syclze__transfer_init(
      &copy.transfer, copy.is_whole ? &whole : &rows, "syclze_group_copy_part", SYCLZE__TRACE_COPY);
  copy.transfer.to = target;
  copy.transfer.from = source;
  copy.transfer.to_accessor = syclze__mem_accessor(&to);
  copy.transfer.from_accessor = syclze__mem_accessor(&from);
  return syclze__command_submit(group, &copy.transfer.command, event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
