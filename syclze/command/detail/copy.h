/* Bodies of copy.h: memory arguments, copies, fills and hints. */
#ifndef SYCLZE_COMMAND_DETAIL_COPY_H
#define SYCLZE_COMMAND_DETAIL_COPY_H

#include "../copy.h"
#include "transfer.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_WARM ze_result_t syclze__group_copy(syclze_group *group, const syclze_memory_argument *to,
    const syclze_memory_argument *from, size_t size, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__group_copy);
/* The same of pointers, without an event. */
SYCLZE_WARM ze_result_t syclze__group_copy_plain(syclze_group *group, void *to, const void *from,
    size_t size) SYCLZE_LINK_NAME(syclze__group_copy_plain);
SYCLZE_WARM ze_result_t syclze__group_fill(syclze_group *group, const syclze_memory_argument *to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event)
    SYCLZE_LINK_NAME(syclze__group_fill);
/* The same of a pointer, without an event. */
SYCLZE_WARM ze_result_t syclze__group_fill_plain(syclze_group *group, void *to, const void *pattern,
    size_t pattern_size, size_t size) SYCLZE_LINK_NAME(syclze__group_fill_plain);
/* A null advice is a prefetch. */
SYCLZE_COLD ze_result_t syclze__group_hint(syclze_group *group,
    const syclze_memory_argument *memory, size_t size, const ze_memory_advice_t *advice,
    syclze_event *event) SYCLZE_LINK_NAME(syclze__group_hint);
SYCLZE_WARM ze_result_t syclze__group_hint_plain(syclze_group *group, const void *memory,
    size_t size, const ze_memory_advice_t *advice) SYCLZE_LINK_NAME(syclze__group_hint_plain);
SYCLZE_COLD ze_result_t syclze__group_copy_2d(syclze_group *group, const syclze_memory_argument *to,
    size_t to_pitch, const syclze_memory_argument *from, size_t from_pitch, size_t width,
    size_t height, syclze_event *event) SYCLZE_LINK_NAME(syclze__group_copy_2d);
SYCLZE_WARM ze_result_t syclze__group_copy_2d_plain(syclze_group *group, void *to, size_t to_pitch,
    const void *from, size_t from_pitch, size_t width, size_t height)
    SYCLZE_LINK_NAME(syclze__group_copy_2d_plain);

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
  if (__builtin_constant_p(to.is_accessor | from.is_accessor) && !to.is_accessor &&
      !from.is_accessor && __builtin_constant_p(event == NULL) && event == NULL)
    return syclze__group_copy_plain(group, to.pointer, from.pointer, size);
  return syclze__group_copy(group, &to, &from, size, event);
}

SYCLZE_INLINE ze_result_t syclze_group_fill(syclze_group *group, syclze_memory_argument to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event) {
  if (__builtin_constant_p(to.is_accessor) && !to.is_accessor &&
      __builtin_constant_p(event == NULL) && event == NULL)
    return syclze__group_fill_plain(group, to.pointer, pattern, pattern_size, size);
  return syclze__group_fill(group, &to, pattern, pattern_size, size, event);
}

/* By a pointer where it is one, since an argument that is stored and read again takes as long as
 * the rest. */
SYCLZE_INLINE ze_result_t syclze__group_hint_of(syclze_group *group,
    const syclze_memory_argument *memory, size_t size, const ze_memory_advice_t *advice,
    syclze_event *event) {
  if (__builtin_constant_p(memory->is_accessor) && !memory->is_accessor &&
      __builtin_constant_p(event == NULL) && event == NULL)
    return syclze__group_hint_plain(group, memory->pointer, size, advice);
  return syclze__group_hint(group, memory, size, advice, event);
}

SYCLZE_INLINE ze_result_t syclze_group_prefetch(
    syclze_group *group, syclze_memory_argument memory, size_t size, syclze_event *event) {
  return syclze__group_hint_of(group, &memory, size, NULL, event);
}

SYCLZE_INLINE ze_result_t syclze_group_advise(syclze_group *group, syclze_memory_argument memory,
    size_t size, ze_memory_advice_t advice, syclze_event *event) {
  return syclze__group_hint_of(group, &memory, size, &advice, event);
}

SYCLZE_INLINE ze_result_t syclze_group_copy_2d(syclze_group *group, syclze_memory_argument to,
    size_t to_pitch, syclze_memory_argument from, size_t from_pitch, size_t width, size_t height,
    syclze_event *event) {
  if (__builtin_constant_p(to.is_accessor | from.is_accessor) && !to.is_accessor &&
      !from.is_accessor && __builtin_constant_p(event == NULL) && event == NULL)
    return syclze__group_copy_2d_plain(
        group, to.pointer, to_pitch, from.pointer, from_pitch, width, height);
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
    return "an accessor is none of the command group, or of the wrong kind";
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
    status = syclze__null_pointer("the memory's pointer is null");
  } else {
    const char *rule = syclze__check_accessor(group, accessor, false, writes);
    if (SYCLZE__LIKELY(rule == NULL && size <= accessor->size)) return accessor->native;
    status = rule != NULL ? syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR, rule)
                          : syclze__invalid("the accessor's part is smaller, or not contiguous");
  }
  syclze__group_fail(group, status);
  return NULL;
}

/* True if a copy or fill of the group may be recorded as its one access. */
SYCLZE_INLINE bool syclze__single_is_untraced(const syclze_group *group) {
  return syclze__group_is_single(group) && !SYCLZE__TRACING_COMMANDS();
}

/* The argument's memory in such a group; null if that takes a closer look. */
SYCLZE_INLINE void *syclze__single_memory(
    const syclze_group *group, const syclze_memory_argument *argument, size_t size, bool writes) {
  return argument->is_accessor ? syclze__single_address(group, &argument->accessor, size, writes)
                               : argument->pointer;
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
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__transfer *copy = syclze__transfer_of(command);
  return SYCLZE__ZE(zeCommandListAppendMemoryCopy)(submission->list, copy->to, copy->from,
      copy->size, submission->signal, submission->wait_count, submission->waits.natives);
}

/* A copy by the way of all commands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__copy_submit(syclze_group *group,
    const syclze_memory_argument *to, const syclze_memory_argument *from, size_t size,
    syclze_event *event) {
  struct syclze__transfer copy;
  syclze__transfer_init(&copy, "syclze_group_copy", SYCLZE__TRACE_COPY, syclze__copy_append);
  copy.to = syclze__mem_address(group, to, size, true);
  copy.from = syclze__mem_address(group, from, size, false);
  copy.to_accessor = syclze__mem_accessor(to);
  copy.from_accessor = syclze__mem_accessor(from);
  copy.size = size;
  return syclze__command_submit(group, &copy.command, event);
}

/* The same between pointers. */
SYCLZE_LOCAL_WARM ze_result_t syclze__copy_pointers_submit(
    syclze_group *group, void *to, const void *from, size_t size) {
  struct syclze__transfer copy;
  syclze__transfer_init(&copy, "syclze_group_copy", SYCLZE__TRACE_COPY, syclze__copy_append);
  if (to == NULL || from == NULL)
    syclze__group_fail(group, syclze__null_pointer("the memory's pointer is null"));
  copy.to = to;
  copy.from = from;
  copy.size = size;
  return syclze__command_submit(group, &copy.command, NULL);
}

SYCLZE_WARM ze_result_t syclze__group_copy(syclze_group *group, const syclze_memory_argument *to,
    const syclze_memory_argument *from, size_t size, syclze_event *event) {
  struct syclze__single single;
  void *target, *source;
  struct syclze__queue_state *state;
  if (!syclze__single_is_untraced(group) ||
      (target = syclze__single_memory(group, to, size, true)) == NULL ||
      (source = syclze__single_memory(group, from, size, false)) == NULL ||
      SYCLZE__UNLIKELY((state = syclze__single_open(group, event != NULL, &single)) == NULL))
    return syclze__copy_submit(group, to, from, size, event);
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(state->queue->native.list,
      target, source, size, single.signal, single.wait_count, &single.wait);
  return syclze__single_close(group, state, &single, event, result, "syclze_group_copy");
}

/* After the append to the list of a state that syclze__plain_enter returned. */
SYCLZE_INLINE ze_result_t syclze__plain_leave(
    struct syclze__queue_state *state, ze_result_t result, const char *rule, const char *function) {
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) {
    syclze__queue_state_leave(state, NULL);
    return ZE_RESULT_SUCCESS;
  }
  return syclze__queue_state_fail(state, NULL, result, rule, function);
}

SYCLZE_WARM ze_result_t syclze__group_copy_plain(
    syclze_group *group, void *to, const void *from, size_t size) {
  struct syclze__queue_state *state =
      SYCLZE__LIKELY(to != NULL && from != NULL) ? syclze__plain_enter(group) : NULL;
  if (SYCLZE__UNLIKELY(state == NULL)) return syclze__copy_pointers_submit(group, to, from, size);
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendMemoryCopy)(
      group->queue->native.list, to, from, size, NULL, 0, NULL);
  return syclze__plain_leave(
      state, result, "zeCommandListAppendMemoryCopy failed", "syclze_group_copy");
}

SYCLZE_LOCAL_WARM ze_result_t syclze__fill_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__transfer *fill = syclze__transfer_of(command);
  return SYCLZE__ZE(zeCommandListAppendMemoryFill)(submission->list, fill->to, fill->from,
      fill->pattern_size, fill->size, submission->signal, submission->wait_count,
      submission->waits.natives);
}

/* A fill by the way of all commands. */
SYCLZE_LOCAL_WARM ze_result_t syclze__fill_submit(syclze_group *group,
    const syclze_memory_argument *to, const void *pattern, size_t pattern_size, size_t size,
    syclze_event *event) {
  struct syclze__transfer fill;
  syclze__transfer_init(&fill, "syclze_group_fill", SYCLZE__TRACE_FILL, syclze__fill_append);
  fill.to = syclze__mem_address(group, to, size, true);
  fill.to_accessor = syclze__mem_accessor(to);
  fill.from = pattern;
  fill.pattern_size = pattern_size;
  fill.size = size;
  return syclze__command_submit(group, &fill.command, event);
}

SYCLZE_WARM ze_result_t syclze__group_fill(syclze_group *group, const syclze_memory_argument *to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event) {
  struct syclze__single single;
  void *target;
  struct syclze__queue_state *state;
  if (!syclze__single_is_untraced(group) ||
      (target = syclze__single_memory(group, to, size, true)) == NULL ||
      SYCLZE__UNLIKELY((state = syclze__single_open(group, event != NULL, &single)) == NULL))
    return syclze__fill_submit(group, to, pattern, pattern_size, size, event);
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendMemoryFill)(state->queue->native.list,
      target, pattern, pattern_size, size, single.signal, single.wait_count, &single.wait);
  return syclze__single_close(group, state, &single, event, result, "syclze_group_fill");
}

SYCLZE_WARM ze_result_t syclze__group_fill_plain(
    syclze_group *group, void *to, const void *pattern, size_t pattern_size, size_t size) {
  struct syclze__queue_state *state =
      SYCLZE__LIKELY(to != NULL) ? syclze__plain_enter(group) : NULL;
  if (SYCLZE__UNLIKELY(state == NULL)) {
    const syclze_memory_argument target = syclze_memory_argument_pointer(to);
    return syclze__group_fill(group, &target, pattern, pattern_size, size, NULL);
  }
  const ze_result_t result = SYCLZE__ZE(zeCommandListAppendMemoryFill)(
      group->queue->native.list, to, pattern, pattern_size, size, NULL, 0, NULL);
  return syclze__plain_leave(
      state, result, "zeCommandListAppendMemoryFill failed", "syclze_group_fill");
}

/* Hints take no events: barriers around them do. */
SYCLZE_LOCAL ze_result_t syclze__hint_append(
    const struct syclze__command *command, struct syclze__submission *submission) {
  const struct syclze__transfer *hint = syclze__transfer_of(command);
  ze_result_t result = syclze__append_waits(submission);
  if (result == ZE_RESULT_SUCCESS)
    result =
        hint->kind == SYCLZE__TRACE_ADVISE
            ? SYCLZE__ZE(zeCommandListAppendMemAdvise)(submission->list,
                  submission->state->queue->device->native, hint->from, hint->size, *hint->advice)
            : SYCLZE__ZE(zeCommandListAppendMemoryPrefetch)(
                  submission->list, hint->from, hint->size);
  if (result == ZE_RESULT_SUCCESS && submission->signal != NULL)
    result = SYCLZE__ZE(zeCommandListAppendBarrier)(submission->list, submission->signal, 0, NULL);
  return result;
}

SYCLZE_COLD ze_result_t syclze__group_hint(syclze_group *group,
    const syclze_memory_argument *memory, size_t size, const ze_memory_advice_t *advice,
    syclze_event *event) {
  struct syclze__transfer hint;
  if (advice != NULL)
    syclze__transfer_init(&hint, "syclze_group_advise", SYCLZE__TRACE_ADVISE, syclze__hint_append);
  else
    syclze__transfer_init(
        &hint, "syclze_group_prefetch", SYCLZE__TRACE_PREFETCH, syclze__hint_append);
  hint.advice = advice;
  hint.to = NULL;
  hint.from = syclze__mem_address(group, memory, size, false);
  hint.from_accessor = syclze__mem_accessor(memory);
  hint.size = size;
  return syclze__command_submit(group, &hint.command, event);
}

SYCLZE_WARM ze_result_t syclze__group_hint_plain(
    syclze_group *group, const void *memory, size_t size, const ze_memory_advice_t *advice) {
  struct syclze__queue_state *state =
      SYCLZE__LIKELY(memory != NULL) ? syclze__plain_enter(group) : NULL;
  if (SYCLZE__UNLIKELY(state == NULL)) {
    const syclze_memory_argument argument = syclze_memory_argument_pointer(memory);
    return syclze__group_hint(group, &argument, size, advice, NULL);
  }
  if (advice == NULL)
    return syclze__plain_leave(state,
        SYCLZE__ZE(zeCommandListAppendMemoryPrefetch)(group->queue->native.list, memory, size),
        "zeCommandListAppendMemoryPrefetch failed", "syclze_group_prefetch");
  return syclze__plain_leave(state,
      SYCLZE__ZE(zeCommandListAppendMemAdvise)(
          group->queue->native.list, group->queue->device->native, memory, size, *advice),
      "zeCommandListAppendMemAdvise failed", "syclze_group_advise");
}

#endif

SYCLZE_EXTERN_C_END

#include "copy_2d.h"
#include "copy_image.h"
#include "copy_part.h"

#endif
