/* Copies, fills, hints, image copies and barriers.
 *
 *     ze_result_t copied =
 *         syclze_group_copy(&group, syclze_mem_arg(y), syclze_mem_arg(pointer), 4096, &event);
 *
 * A place is the memory of an accessor of the group, or a pointer: to memory that the queue's
 * device can access, or for copies to the host's own, which must live until the work is done.
 * `event` may be null in all of them. Errors of all: what the group kept;
 * ZE_RESULT_ERROR_INVALID_NULL_POINTER for a null place; SYCLZE_RESULT_ERROR_ACCESSOR for an
 * accessor that is none of the group, is of the wrong kind, or only reads what is written;
 * SYCLZE_RESULT_ERROR_INVALID for more bytes than the accessor has, for a part that is not
 * contiguous, or for a region that does not lie in the image; what Level Zero returns. After an
 * error nothing is submitted. */
#ifndef SYCLZE_COMMAND_COPY_H
#define SYCLZE_COMMAND_COPY_H

#include "detail/submission.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_memory_place {
  void *pointer;            /* of a place that is no accessor */
  syclze_accessor accessor; /* with a null memory for a pointer */
  bool is_accessor;
} syclze_memory_place;

SYCLZE_INLINE syclze_memory_place syclze_place_of_accessor(syclze_accessor accessor) {
  syclze_memory_place place;
  place.pointer = NULL;
  place.accessor = accessor;
  place.is_accessor = true;
  return place;
}

/* What is written through a pointer to const is the caller's fault. */
SYCLZE_INLINE syclze_memory_place syclze_place_of_pointer(const void *pointer) {
  syclze_memory_place place;
  memset(&place, 0, sizeof place);
  memcpy(&place.pointer, &pointer, sizeof pointer);
  return place;
}

#ifndef __cplusplus
#define syclze_mem_arg(memory)                                                                     \
  _Generic((memory), syclze_accessor                                                               \
           : syclze_place_of_accessor, default                                                     \
           : syclze_place_of_pointer)(memory)
#else
extern "C++" {
inline syclze_memory_place syclze_mem_arg(syclze_accessor accessor) {
  return syclze_place_of_accessor(accessor);
}
inline syclze_memory_place syclze_mem_arg(const void *pointer) {
  return syclze_place_of_pointer(pointer);
}
}
#endif

/* Null for a place that is a pointer. */
SYCLZE_INLINE const syclze_accessor *syclze__place_accessor(const syclze_memory_place *place) {
  return place->is_accessor ? &place->accessor : NULL;
}

SYCLZE_INLINE struct syclze__status syclze__check_accessor(
    const syclze_group *group, const syclze_accessor *accessor, bool image, bool writes) {
  if (syclze__accessor_find(syclze__group_accessors(group), group->accessor_count, accessor) ==
          NULL ||
      accessor->is_image != image)
    return syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR,
        "an accessor is none of the command group, or of the wrong kind");
  if (writes && accessor->mode == SYCLZE_ACCESS_READ)
    return syclze__status_of(
        SYCLZE_RESULT_ERROR_ACCESSOR, "what is written has an accessor that only reads");
  return syclze__allowed();
}

SYCLZE_COLD void *syclze__place_memory(syclze_group *group, const syclze_memory_place *place,
    size_t size, bool writes) SYCLZE_LINK_NAME(syclze__place_memory);

/* The place's memory; after an error, which the group keeps, null. */
SYCLZE_COLD void *syclze__place_memory(
    syclze_group *group, const syclze_memory_place *place, size_t size, bool writes) {
  const syclze_accessor *accessor = &place->accessor;
  struct syclze__status status = syclze__allowed();
  if (!place->is_accessor && place->pointer == NULL)
    status = syclze__null_pointer("the memory's pointer is null");
  else if (place->is_accessor) {
    status = syclze__check_accessor(group, accessor, false, writes);
    if (status.result == ZE_RESULT_SUCCESS && size > accessor->size)
      status = syclze__invalid("the accessor's part is smaller, or not contiguous");
  }
  if (status.result == ZE_RESULT_SUCCESS)
    return place->is_accessor ? accessor->native : place->pointer;
  syclze__group_fail(group, status);
  return NULL;
}

SYCLZE_COLD ze_image_handle_t syclze__place_image(syclze_group *group,
    const syclze_accessor *accessor, bool writes) SYCLZE_LINK_NAME(syclze__place_image);

SYCLZE_COLD ze_image_handle_t syclze__place_image(
    syclze_group *group, const syclze_accessor *accessor, bool writes) {
  struct syclze__status status = syclze__check_accessor(group, accessor, true, writes);
  if (status.result == ZE_RESULT_SUCCESS) return (ze_image_handle_t)accessor->native;
  syclze__group_fail(group, status);
  return NULL;
}

SYCLZE_COLD struct syclze__trace_operand syclze__trace_operand_of(
    const void *native, const syclze_accessor *accessor) SYCLZE_LINK_NAME(syclze__trace_operand_of);

/* `accessor` is null for a pointer. */
SYCLZE_COLD struct syclze__trace_operand syclze__trace_operand_of(
    const void *native, const syclze_accessor *accessor) {
  struct syclze__trace_operand operand = {native, NULL, NULL};
  if (accessor == NULL || accessor->memory == NULL) return operand;
  operand.object = accessor->memory;
  if (!accessor->is_image) operand.base = accessor->memory->native;
  return operand;
}

SYCLZE_COLD void syclze__trace_region(struct syclze__trace_transfer_info *info,
    const syclze_accessor *accessor, const ze_image_region_t *region)
    SYCLZE_LINK_NAME(syclze__trace_region);

/* A region of an image, null for all of it. */
SYCLZE_COLD void syclze__trace_region(struct syclze__trace_transfer_info *info,
    const syclze_accessor *accessor, const ze_image_region_t *region) {
  if (accessor->memory == NULL || !accessor->is_image) return;
  const struct syclze__image *image = (const struct syclze__image *)(const void *)accessor->memory;
  memcpy(info->extent, image->memory.range, sizeof info->extent);
  if (region != NULL) {
    const size_t origin[3] = {region->originX, region->originY, region->originZ};
    const size_t extent[3] = {region->width, region->height, region->depth};
    for (uint32_t i = 0; i < 3; i++) {
      info->origin[i] = origin[i];
      info->extent[i] = extent[i] != 0 ? extent[i] : 1;
    }
  }
  info->size = info->extent[0] * info->extent[1] * info->extent[2] *
               syclze__image_pixel_size(image->order, image->type);
}

/* In a block that submits: what its command does, in `transfer`; null where nothing is traced. */
#define SYCLZE__TRANSFER(of_kind, to_native, to_accessor, from_native, from_accessor, bytes)       \
  const struct syclze__trace_transfer_info *transfer = NULL;                                       \
  struct syclze__trace_transfer_info info;                                                         \
  if (SYCLZE__TRACING_COMMANDS()) {                                                                \
    memset(&info, 0, sizeof info);                                                                 \
    info.kind = of_kind;                                                                           \
    info.to = syclze__trace_operand_of(to_native, to_accessor);                                    \
    info.from = syclze__trace_operand_of(from_native, from_accessor);                              \
    info.size = bytes;                                                                             \
    transfer = &info;                                                                              \
  }

/* One action: `call` appends, with the action's signal and wait list. */
#define SYCLZE__COMMAND(group, kind, transfer, event, function, call)                              \
  do {                                                                                             \
    struct syclze__submission submission;                                                          \
    submission.kernel_info = NULL;                                                                 \
    submission.transfer_info = transfer;                                                           \
    ze_result_t result = syclze__submission_begin(group, kind, event, function, &submission);      \
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS)) return result;                              \
    result = call;                                                                                 \
    return syclze__submission_end(group, kind, &submission, event, result, "the append failed");   \
  } while (0)
#define SYCLZE__SIGNAL submission.signal, submission.wait_count, submission.waits

/* Copies `size` bytes. */
SYCLZE_INLINE ze_result_t syclze_group_copy(syclze_group *group, syclze_memory_place to,
    syclze_memory_place from, size_t size, syclze_event *event) {
  void *target = syclze__place_memory(group, &to, size, true);
  const void *source = syclze__place_memory(group, &from, size, false);
  SYCLZE__TRANSFER(SYCLZE__TRACE_COPY, target, syclze__place_accessor(&to), source,
      syclze__place_accessor(&from), size)
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, "syclze_group_copy",
      SYCLZE__ZE(zeCommandListAppendMemoryCopy)(
          submission.list, target, source, size, SYCLZE__SIGNAL));
}

/* Fills `size` bytes with a pattern of a power of two bytes. */
SYCLZE_INLINE ze_result_t syclze_group_fill(syclze_group *group, syclze_memory_place to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event) {
  void *target = syclze__place_memory(group, &to, size, true);
  SYCLZE__TRANSFER(SYCLZE__TRACE_FILL, target, syclze__place_accessor(&to), NULL, NULL, size)
  if (SYCLZE__UNLIKELY(transfer != NULL)) {
    info.value = pattern;
    info.value_size = pattern_size;
  }
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, "syclze_group_fill",
      SYCLZE__ZE(zeCommandListAppendMemoryFill)(
          submission.list, target, pattern, pattern_size, size, SYCLZE__SIGNAL));
}

/* Rows of bytes, and how far apart they are: what Level Zero copies as a region. */
struct syclze__block {
  size_t extent[3]; /* bytes, rows, slices */
  size_t pitch[2];  /* of a row and a slice, in bytes */
};

/* The part of an accessor of the group's, of a buffer, whose last dimension is that of the rows. */
SYCLZE_LOCAL struct syclze__block syclze__block_of(
    const syclze_group *group, const syclze_accessor *accessor) {
  const syclze_accessor *all = syclze__group_accessors(group);
  uint32_t place = (uint32_t)(syclze__accessor_find(all, group->accessor_count, accessor) - all);
  struct syclze__range box = accessor->is_whole ? syclze__range_whole(accessor->memory)
                                                : *syclze__group_part(group, place);
  syclze_buffer buffer = {(struct syclze__buffer *)(void *)accessor->memory};
  struct syclze__block block;
  size_t whole[3];
  for (uint32_t i = 0; i < 3; i++) {
    uint32_t at = syclze_buffer_get_dimensions(buffer) - 1 - i;
    bool there = i < syclze_buffer_get_dimensions(buffer);
    block.extent[i] = there ? box.end[at] - box.first[at] : 1;
    whole[i] = there ? syclze_buffer_get_range(buffer, at) : 1;
  }
  size_t element = syclze_buffer_get_element_size(buffer);
  block.extent[0] *= element;
  block.pitch[0] = whole[0] * element;
  block.pitch[1] = block.pitch[0] * whole[1];
  return block;
}

/* The same rows without gaps. */
SYCLZE_INLINE struct syclze__block syclze__block_packed(const struct syclze__block *like) {
  struct syclze__block block = *like;
  block.pitch[0] = like->extent[0];
  block.pitch[1] = like->extent[0] * like->extent[1];
  return block;
}

SYCLZE_LOCAL struct syclze__status syclze__inflate_blocks_check(
    const struct syclze__block *to, const struct syclze__block *from) {
  size_t largest = to->pitch[1] > from->pitch[1] ? to->pitch[1] : from->pitch[1];
  for (uint32_t i = 0; i < 3; i++) {
    if (to->extent[i] != from->extent[i])
      return syclze__invalid("the two parts are not of the same rows, in number and in bytes");
    if (to->extent[i] > largest) largest = to->extent[i];
  }
  if (largest > UINT32_MAX)
    return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
        "Level Zero copies no rows with gaps whose slices are 4 GiB or more apart");
  return syclze__allowed();
}

/* Copies the part of an accessor, contiguous or not, to that of another with rows of the same
 * number and size, or one of the two to or from memory without gaps: the other place is a pointer.
 * The two must not overlap. Errors besides: SYCLZE_RESULT_ERROR_ACCESSOR where both are pointers;
 * SYCLZE_RESULT_ERROR_INVALID for rows that differ; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED for
 * parts with gaps of slices that are 4 GiB or more apart. */
SYCLZE_COLD ze_result_t syclze_group_copy_part(syclze_group *group, syclze_memory_place to,
    syclze_memory_place from, syclze_event *event) SYCLZE_LINK_NAME(syclze_group_copy_part);

SYCLZE_COLD ze_result_t syclze_group_copy_part(
    syclze_group *group, syclze_memory_place to, syclze_memory_place from, syclze_event *event) {
  static const char *const function = "syclze_group_copy_part";
  void *target = syclze__place_memory(group, &to, 0, true);
  const void *source = syclze__place_memory(group, &from, 0, false);
  struct syclze__block target_block, source_block;
  memset(&target_block, 0, sizeof target_block);
  source_block = target_block;
  if (group->status.result == ZE_RESULT_SUCCESS && !to.is_accessor && !from.is_accessor)
    syclze__group_fail(group,
        syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR, "neither of the places is an accessor"));
  size_t size = 0; /* of parts without gaps */
  if (group->status.result == ZE_RESULT_SUCCESS) {
    if (to.is_accessor) target_block = syclze__block_of(group, &to.accessor);
    source_block = from.is_accessor ? syclze__block_of(group, &from.accessor)
                                    : syclze__block_packed(&target_block);
    if (!to.is_accessor) target_block = syclze__block_packed(&source_block);
    if ((!to.is_accessor || to.accessor.size != 0) &&
        (!from.is_accessor || from.accessor.size != 0))
      size = to.is_accessor ? to.accessor.size : from.accessor.size;
    if (size != 0 && to.is_accessor && from.is_accessor && from.accessor.size != size)
      syclze__group_fail(
          group, syclze__invalid("the two parts are not of the same number of bytes"));
    if (size == 0)
      syclze__group_fail(group, syclze__inflate_blocks_check(&target_block, &source_block));
  }
  SYCLZE__TRANSFER(SYCLZE__TRACE_COPY, target, syclze__place_accessor(&to), source,
      syclze__place_accessor(&from),
      size != 0 ? size : target_block.extent[0] * target_block.extent[1] * target_block.extent[2])
  if (size != 0)
    SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, function,
        SYCLZE__ZE(zeCommandListAppendMemoryCopy)(
            submission.list, target, source, size, SYCLZE__SIGNAL));
  ze_copy_region_t region;
  memset(&region, 0, sizeof region);
  region.width = (uint32_t)target_block.extent[0];
  region.height = (uint32_t)target_block.extent[1];
  region.depth = (uint32_t)target_block.extent[2];
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, function,
      SYCLZE__ZE(zeCommandListAppendMemoryCopyRegion)(submission.list, target, &region,
          (uint32_t)target_block.pitch[0], (uint32_t)target_block.pitch[1], source, &region,
          (uint32_t)source_block.pitch[0], (uint32_t)source_block.pitch[1], SYCLZE__SIGNAL));
}

/* Copies an accessor's part to the host's memory, where it has no gaps. Errors as of
 * syclze_group_copy_part. */
SYCLZE_INLINE ze_result_t syclze_group_update_host(
    syclze_group *group, syclze_accessor from, void *host, syclze_event *event) {
  return syclze_group_copy_part(
      group, syclze_place_of_pointer(host), syclze_place_of_accessor(from), event);
}

SYCLZE_COLD ze_result_t syclze__append_hint(struct syclze__submission *submission,
    const void *memory, size_t size, const ze_memory_advice_t *advice, ze_device_handle_t device)
    SYCLZE_LINK_NAME(syclze__append_hint);

/* Hints take no events: barriers around them do. */
SYCLZE_COLD ze_result_t syclze__append_hint(struct syclze__submission *submission,
    const void *memory, size_t size, const ze_memory_advice_t *advice, ze_device_handle_t device) {
  ze_result_t result = syclze__submission_append_waits(submission);
  if (result == ZE_RESULT_SUCCESS)
    result = advice != NULL
                 ? SYCLZE__ZE(zeCommandListAppendMemAdvise)(
                       submission->list, device, memory, size, *advice)
                 : SYCLZE__ZE(zeCommandListAppendMemoryPrefetch)(submission->list, memory, size);
  if (result == ZE_RESULT_SUCCESS && submission->signal != NULL)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
  return result;
}

/* Shared memory will be needed on the queue's device. */
SYCLZE_INLINE ze_result_t syclze_group_prefetch(
    syclze_group *group, syclze_memory_place place, size_t size, syclze_event *event) {
  const void *memory = syclze__place_memory(group, &place, size, false);
  SYCLZE__TRANSFER(SYCLZE__TRACE_PREFETCH, NULL, NULL, memory, syclze__place_accessor(&place), size)
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, "syclze_group_prefetch",
      syclze__append_hint(&submission, memory, size, NULL, NULL));
}

/* How the queue's device will use the memory. */
SYCLZE_INLINE ze_result_t syclze_group_advise(syclze_group *group, syclze_memory_place place,
    size_t size, ze_memory_advice_t advice, syclze_event *event) {
  const void *memory = syclze__place_memory(group, &place, size, false);
  SYCLZE__TRANSFER(SYCLZE__TRACE_ADVISE, NULL, NULL, memory, syclze__place_accessor(&place), size)
  if (SYCLZE__UNLIKELY(transfer != NULL)) info.advice = (uint32_t)advice;
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, "syclze_group_advise",
      syclze__append_hint(&submission, memory, size, &advice, group->queue->device->native));
}

SYCLZE_LOCAL bool syclze__region_is_in(const ze_image_region_t *region, const size_t *range) {
  const size_t first[3] = {region->originX, region->originY, region->originZ};
  const size_t count[3] = {region->width, region->height, region->depth};
  for (uint32_t i = 0; i < 3; i++)
    if (first[i] > range[i] || count[i] > range[i] - first[i]) return false;
  return true;
}

SYCLZE_COLD size_t syclze__image_bytes(syclze_group *group, const syclze_accessor *accessor,
    const ze_image_region_t *region) SYCLZE_LINK_NAME(syclze__image_bytes);

/* What a region of an image, null for all of it, is in memory; 0 where the accessor is of none, or
 * the region does not lie in the image, which the group keeps. */
SYCLZE_COLD size_t syclze__image_bytes(
    syclze_group *group, const syclze_accessor *accessor, const ze_image_region_t *region) {
  if (accessor->memory == NULL || !accessor->is_image) return 0;
  const struct syclze__image *image = (const struct syclze__image *)(const void *)accessor->memory;
  const size_t *range = image->memory.range;
  size_t pixels = range[0] * range[1] * range[2];
  if (region != NULL && !syclze__region_is_in(region, range)) {
    syclze__group_fail(group, syclze__invalid("the region does not lie in the image"));
    return 0;
  }
  if (region != NULL)
    pixels = (size_t)region->width * (region->height != 0 ? region->height : 1) *
             (region->depth != 0 ? region->depth : 1);
  return pixels * syclze__image_pixel_size(image->order, image->type);
}

/* Copies a region of an image, null for all of it, from memory without gaps between the rows. */
SYCLZE_INLINE ze_result_t syclze_group_copy_to_image(syclze_group *group, syclze_accessor to,
    syclze_memory_place from, const ze_image_region_t *region, syclze_event *event) {
  ze_image_handle_t image = syclze__place_image(group, &to, true);
  const void *source =
      syclze__place_memory(group, &from, syclze__image_bytes(group, &to, region), false);
  SYCLZE__TRANSFER(SYCLZE__TRACE_IMAGE_WRITE, image, &to, source, syclze__place_accessor(&from), 0)
  if (SYCLZE__UNLIKELY(transfer != NULL)) syclze__trace_region(&info, &to, region);
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, "syclze_group_copy_to_image",
      SYCLZE__ZE(zeCommandListAppendImageCopyFromMemory)(
          submission.list, image, source, region, SYCLZE__SIGNAL));
}

/* The other way. */
SYCLZE_INLINE ze_result_t syclze_group_copy_from_image(syclze_group *group, syclze_memory_place to,
    syclze_accessor from, const ze_image_region_t *region, syclze_event *event) {
  ze_image_handle_t image = syclze__place_image(group, &from, false);
  void *target = syclze__place_memory(group, &to, syclze__image_bytes(group, &from, region), true);
  SYCLZE__TRANSFER(SYCLZE__TRACE_IMAGE_READ, target, syclze__place_accessor(&to), image, &from, 0)
  if (SYCLZE__UNLIKELY(transfer != NULL)) syclze__trace_region(&info, &from, region);
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event,
      "syclze_group_copy_from_image",
      SYCLZE__ZE(zeCommandListAppendImageCopyToMemory)(
          submission.list, target, image, region, SYCLZE__SIGNAL));
}

/* Copies a whole image to another of the same kind. */
SYCLZE_INLINE ze_result_t syclze_group_copy_image(
    syclze_group *group, syclze_accessor to, syclze_accessor from, syclze_event *event) {
  ze_image_handle_t target = syclze__place_image(group, &to, true);
  ze_image_handle_t source = syclze__place_image(group, &from, false);
  SYCLZE__TRANSFER(SYCLZE__TRACE_IMAGE_COPY, target, &to, source, &from, 0)
  if (SYCLZE__UNLIKELY(transfer != NULL)) syclze__trace_region(&info, &from, NULL);
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_COMMAND, transfer, event, "syclze_group_copy_image",
      SYCLZE__ZE(zeCommandListAppendImageCopy)(submission.list, target, source, SYCLZE__SIGNAL));
}

SYCLZE_COLD ze_result_t syclze__append_barrier(const syclze_group *group,
    struct syclze__submission *submission) SYCLZE_LINK_NAME(syclze__append_barrier);

/* A native barrier with a wait list waits for nothing else: the queue's own work is waited for by a
 * second one. */
SYCLZE_COLD ze_result_t syclze__append_barrier(
    const syclze_group *group, struct syclze__submission *submission) {
  if (syclze__group_depends(group) || submission->wait_count == 0 || !submission->state->is_list)
    return SYCLZE__ZE(zeCommandListAppendBarrier)(
        submission->list, submission->signal, submission->wait_count, submission->waits);
  ze_result_t result = syclze__submission_append_waits(submission);
  if (result != ZE_RESULT_SUCCESS) return result;
  return SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
}

/* What the queue is given later waits: for what the group requires, or, where it requires nothing,
 * for all that the queue was given before. */
SYCLZE_INLINE ze_result_t syclze_group_barrier(syclze_group *group, syclze_event *event) {
  SYCLZE__COMMAND(group, SYCLZE__SUBMISSION_BARRIER, NULL, event, "syclze_group_barrier",
      syclze__append_barrier(group, &submission));
}

#undef SYCLZE__TRANSFER
#undef SYCLZE__COMMAND
#undef SYCLZE__SIGNAL

SYCLZE_EXTERN_C_END

#endif
