/* Bodies of copy.h: memory arguments, copies, fills and hints. */
#ifndef SYCLZE_COMMAND_DETAIL_COPY_H
#define SYCLZE_COMMAND_DETAIL_COPY_H

#include "../copy.h"
#include "transfer.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_WARM ze_result_t syclze__group_copy(syclze_group *group, const syclze_memory_argument *to,
    const syclze_memory_argument *from, size_t size, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__group_copy);
SYCLZE_WARM ze_result_t syclze__group_fill(syclze_group *group, const syclze_memory_argument *to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__group_fill);
/* A null advice is a prefetch. */
SYCLZE_COLD ze_result_t syclze__group_hint(syclze_group *group,
    const syclze_memory_argument *memory, size_t size, const ze_memory_advice_t *advice,
    syclze_event *event) SYCLZE_LINK_NAME(syclze__group_hint);
SYCLZE_COLD ze_result_t syclze__group_copy_2d(syclze_group *group, const syclze_memory_argument *to,
    size_t to_pitch, const syclze_memory_argument *from, size_t from_pitch, size_t width,
    size_t height, syclze_event *event) SYCLZE_LINK_NAME(syclze__group_copy_2d);

SYCLZE_INLINE syclze_memory_argument syclze_memory_argument_accessor(syclze_accessor accessor) {
  syclze_memory_argument argument;
  argument.pointer = NULL;
  argument.accessor = accessor;
  argument.is_accessor = true;
  return argument;
}

SYCLZE_INLINE syclze_memory_argument syclze_memory_argument_pointer(const void *pointer) {
  syclze_memory_argument argument;
  memset(&argument, 0, sizeof argument);
  memcpy(&argument.pointer, &pointer, sizeof pointer);
  return argument;
}

SYCLZE_INLINE ze_result_t syclze_group_copy(syclze_group *group, syclze_memory_argument to,
    syclze_memory_argument from, size_t size, syclze_event *event) {
  return syclze__group_copy(group, &to, &from, size, event);
}

SYCLZE_INLINE ze_result_t syclze_group_fill(syclze_group *group, syclze_memory_argument to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event) {
  return syclze__group_fill(group, &to, pattern, pattern_size, size, event);
}

SYCLZE_INLINE ze_result_t syclze_group_prefetch(
    syclze_group *group, syclze_memory_argument memory, size_t size, syclze_event *event) {
  return syclze__group_hint(group, &memory, size, NULL, event);
}

SYCLZE_INLINE ze_result_t syclze_group_advise(syclze_group *group, syclze_memory_argument memory,
    size_t size, ze_memory_advice_t advice, syclze_event *event) {
  return syclze__group_hint(group, &memory, size, &advice, event);
}

SYCLZE_INLINE ze_result_t syclze_group_copy_2d(syclze_group *group, syclze_memory_argument to,
    size_t to_pitch, syclze_memory_argument from, size_t from_pitch, size_t width, size_t height,
    syclze_event *event) {
  return syclze__group_copy_2d(group, &to, to_pitch, &from, from_pitch, width, height, event);
}

SYCLZE_INLINE ze_result_t syclze_group_update_host(
    syclze_group *group, void *host, syclze_accessor from, syclze_event *event) {
  return syclze_group_copy_part(
      group, syclze_memory_argument_pointer(host), syclze_memory_argument_accessor(from), event);
}

#if SYCLZE__BODIES

/* Null for a pointer. */
SYCLZE_INLINE const syclze_accessor *syclze__mem_accessor(const syclze_memory_argument *argument) {
  return argument->is_accessor ? &argument->accessor : NULL;
}

/* The rule that the use of the accessor breaks; null for none. */
SYCLZE_INLINE const char *syclze__check_accessor(
    const syclze_group *group, const syclze_accessor *accessor, bool is_image, bool writes) {
  if (SYCLZE__UNLIKELY(syclze__accessor_find(syclze__group_accessors(group), group->accessor_count,
                           accessor) == NULL ||
                       accessor->is_image != is_image))
    return "an accessor does not belong to the command group, or is of the wrong kind";
  if (SYCLZE__UNLIKELY(writes && accessor->mode == SYCLZE_ACCESS_READ))
    return "what is written has an accessor that only reads";
  return NULL;
}

/* The argument's memory; null after an error, which the group keeps. */
SYCLZE_LOCAL_WARM void *syclze__mem_address(
    syclze_group *group, const syclze_memory_argument *argument, size_t size, bool writes) {
  const syclze_accessor *accessor = &argument->accessor;
  struct syclze__status status;
  if (!argument->is_accessor) {
    if (SYCLZE__LIKELY(argument->pointer != NULL)) return argument->pointer;
    status = syclze__null_memory();
  } else {
    const char *rule = syclze__check_accessor(group, accessor, false, writes);
    if (SYCLZE__LIKELY(rule == NULL && size <= accessor->size)) return accessor->native;
    status = rule != NULL ? syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR, rule)
                          : syclze__invalid("the accessor's part is smaller, or not contiguous");
  }
  syclze__group_fail(group, status);
  return NULL;
}

/* The image of an accessor; null after an error, which the group keeps. */
SYCLZE_LOCAL ze_image_handle_t syclze__mem_image(
    syclze_group *group, const syclze_accessor *accessor, bool writes) {
  const char *rule = syclze__check_accessor(group, accessor, true, writes);
  if (rule == NULL && syclze__accessor_is_sampler(accessor)) rule = "the accessor is a sampler's";
  if (rule == NULL) return (ze_image_handle_t)accessor->native;
  syclze__group_fail(group, syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR, rule));
  return NULL;
}

SYCLZE_LOCAL_WARM ze_result_t syclze__copy_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *copy = syclze__transfer_of(command);
  return SYCLZE__ZE(zeCommandListAppendMemoryCopy)(
      at->list, copy->to, copy->from, copy->size, at->signal, at->wait_count, at->waits);
}

SYCLZE_INLINE void syclze__copy_init(struct syclze__transfer *copy, const char *function) {
  static const struct syclze__command_table table =
      SYCLZE__TRANSFER_TABLE("zeCommandListAppendMemoryCopy failed", syclze__copy_append);
  syclze__transfer_init(copy, &table, function, SYCLZE__TRACE_COPY);
}

SYCLZE_WARM ze_result_t syclze__group_copy(syclze_group *group, const syclze_memory_argument *to,
    const syclze_memory_argument *from, size_t size, syclze_event *event) {
  struct syclze__transfer copy;
  syclze__copy_init(&copy, "syclze_group_copy");
  copy.to = syclze__mem_address(group, to, size, true);
  copy.from = syclze__mem_address(group, from, size, false);
  copy.to_accessor = syclze__mem_accessor(to);
  copy.from_accessor = syclze__mem_accessor(from);
  copy.size = size;
  return syclze__command_submit(group, &copy.command, event);
}

SYCLZE_INLINE ze_result_t syclze__list_append_fill(ze_command_list_handle_t list, void *to,
    const struct syclze__transfer *fill, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  return SYCLZE__ZE(zeCommandListAppendMemoryFill)(
      list, to, fill->from, fill->pattern_size, size, signal, wait_count, waits);
}

SYCLZE_LOCAL_WARM ze_result_t syclze__fill_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *fill = syclze__transfer_of(command);
  return syclze__list_append_fill(
      at->list, fill->to, fill, fill->size, at->signal, at->wait_count, at->waits);
}

SYCLZE_INLINE void syclze__fill_init(struct syclze__transfer *fill, const char *function,
    const void *pattern, size_t pattern_size, size_t size) {
  static const struct syclze__command_table table =
      SYCLZE__TRANSFER_TABLE("zeCommandListAppendMemoryFill failed", syclze__fill_append);
  syclze__transfer_init(fill, &table, function, SYCLZE__TRACE_FILL);
  fill->from = pattern;
  fill->pattern_size = pattern_size;
  fill->size = size;
}

SYCLZE_WARM ze_result_t syclze__group_fill(syclze_group *group, const syclze_memory_argument *to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event) {
  struct syclze__transfer fill;
  syclze__fill_init(&fill, "syclze_group_fill", pattern, pattern_size, size);
  fill.to = syclze__mem_address(group, to, size, true);
  fill.to_accessor = syclze__mem_accessor(to);
  return syclze__command_submit(group, &fill.command, event);
}

/* Hints take no events: barriers around them do. */
SYCLZE_LOCAL_WARM ze_result_t syclze__hint_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *hint = syclze__transfer_of(command);
  ze_result_t result = syclze__append_waits(at);
  if (result == ZE_RESULT_SUCCESS)
    result = hint->kind == SYCLZE__TRACE_ADVISE
                 ? SYCLZE__ZE(zeCommandListAppendMemAdvise)(at->list,
                       at->state->queue->device->native, hint->from, hint->size, *hint->advice)
                 : SYCLZE__ZE(zeCommandListAppendMemoryPrefetch)(at->list, hint->from, hint->size);
  if (result == ZE_RESULT_SUCCESS && at->signal != NULL)
    result = syclze__list_append_barrier(at->list, at->signal, 0, NULL);
  return result;
}

/* A null advice is a prefetch; `by_queue` for the functions of queues. */
SYCLZE_INLINE void syclze__hint_init(
    struct syclze__transfer *hint, bool by_queue, size_t size, const ze_memory_advice_t *advice) {
  static const struct syclze__command_table prefetch = SYCLZE__TRANSFER_TABLE(
                                                "zeCommandListAppendMemoryPrefetch failed",
                                                syclze__hint_append),
                                            advise = SYCLZE__TRANSFER_TABLE(
                                                "zeCommandListAppendMemAdvise failed",
                                                syclze__hint_append);
  if (advice != NULL)
    syclze__transfer_init(hint, &advise, by_queue ? "syclze_queue_advise" : "syclze_group_advise",
        SYCLZE__TRACE_ADVISE);
  else
    syclze__transfer_init(hint, &prefetch,
        by_queue ? "syclze_queue_prefetch" : "syclze_group_prefetch", SYCLZE__TRACE_PREFETCH);
  hint->advice = advice;
  hint->size = size;
}

SYCLZE_COLD ze_result_t syclze__group_hint(syclze_group *group,
    const syclze_memory_argument *memory, size_t size, const ze_memory_advice_t *advice,
    syclze_event *event) {
  struct syclze__transfer hint;
  syclze__hint_init(&hint, false, size, advice);
  hint.from = syclze__mem_address(group, memory, size, false);
  hint.from_accessor = syclze__mem_accessor(memory);
  return syclze__command_submit(group, &hint.command, event);
}

#endif

SYCLZE_EXTERN_C_END

#include "copy_2d.h"
#include "copy_image.h"
#include "copy_part.h"

#endif
