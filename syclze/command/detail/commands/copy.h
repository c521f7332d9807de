/* Bodies of copy.h: memory arguments, copies, fills and hints. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_COPY_H

#include "../../copy.h"
#include "../submit/submit.h"
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
  SYCLZE__ZEROED(syclze_memory_argument, argument);
  memcpy(&argument.pointer, &pointer, sizeof pointer);
  return argument;
}

#ifndef __cplusplus
/* Operands of syclze_copy and syclze_fill. */
SYCLZE_INLINE syclze_memory_argument syclze__operand_buffer(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode) {
  return syclze_memory_argument_accessor(syclze_group_require_buffer(group, buffer, mode));
}

SYCLZE_INLINE syclze_memory_argument syclze__operand_accessor(
    syclze_group *group, syclze_accessor accessor, syclze_access_mode mode) {
  (void)group, (void)mode;
  return syclze_memory_argument_accessor(accessor);
}

SYCLZE_INLINE syclze_memory_argument syclze__operand_same(
    syclze_group *group, syclze_memory_argument memory, syclze_access_mode mode) {
  (void)group, (void)mode;
  return memory;
}

SYCLZE_INLINE syclze_memory_argument syclze__operand_pointer(
    syclze_group *group, const void *pointer, syclze_access_mode mode) {
  (void)group, (void)mode;
  return syclze_memory_argument_pointer(pointer);
}
#endif

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

#ifndef __cplusplus
/* Never matches its call, so that the compiler's message shows its name. */
syclze_memory_argument syclze__error_an_image_is_no_operand_of_a_copy_of_bytes(void);
#else
extern "C++" {
SYCLZE_INLINE syclze_memory_argument syclze__operand(
    syclze_group *group, syclze_buffer buffer, syclze_access_mode mode) {
  return syclze_memory_argument_accessor(syclze_group_require_buffer(group, buffer, mode));
}
SYCLZE_INLINE syclze_memory_argument syclze__operand(
    syclze_group *, syclze_accessor accessor, syclze_access_mode) {
  return syclze_memory_argument_accessor(accessor);
}
SYCLZE_INLINE syclze_memory_argument syclze__operand(
    syclze_group *, syclze_memory_argument memory, syclze_access_mode) {
  return memory;
}
SYCLZE_INLINE syclze_memory_argument syclze__operand(
    syclze_group *, const void *pointer, syclze_access_mode) {
  return syclze_memory_argument_pointer(pointer);
}
struct syclze__error_an_image_is_no_operand_of_a_copy_of_bytes {};
syclze__error_an_image_is_no_operand_of_a_copy_of_bytes syclze__operand(
    syclze_group *, syclze_image, syclze_access_mode) = delete;

template <typename To, typename From>
SYCLZE_INLINE ze_result_t syclze_copy(
    syclze_group *group, const To &to, const From &from, size_t size, syclze_event *event) {
  const syclze_memory_argument target = syclze__operand(group, to, SYCLZE_ACCESS_WRITE);
  return syclze_group_copy(
      group, target, syclze__operand(group, from, SYCLZE_ACCESS_READ), size, event);
}

template <typename To>
SYCLZE_INLINE ze_result_t syclze_fill(syclze_group *group, const To &to, const void *pattern,
    size_t pattern_size, size_t size, syclze_event *event) {
  return syclze_group_fill(
      group, syclze__operand(group, to, SYCLZE_ACCESS_WRITE), pattern, pattern_size, size, event);
}
}
#endif

#if SYCLZE__BODIES

/* Null for a pointer. */
SYCLZE_INLINE const syclze_accessor *syclze__mem_accessor(const syclze_memory_argument *argument) {
  return argument->is_accessor ? &argument->accessor : NULL;
}

/* The rule that this use of the accessor breaks, or null. */
SYCLZE_INLINE const char *syclze__check_accessor(
    const syclze_group *group, const syclze_accessor *accessor, bool is_image, bool writes) {
  if (SYCLZE__UNLIKELY(syclze__accessor_find(syclze__group_accessors(group), group->accessor_count,
                           accessor) == NULL))
    return "an accessor does not belong to the command group";
  if (SYCLZE__UNLIKELY(accessor->is_image != is_image))
    return is_image ? "the accessor must be an image's" : "the accessor must be a buffer's";
  if (SYCLZE__UNLIKELY(writes && accessor->mode == SYCLZE_ACCESS_READ))
    return "the accessor of written memory only reads";
  return NULL;
}

/* The argument's memory; null after an error, which the group keeps. */
SYCLZE_LOCAL_WARM void *syclze__mem_address(
    syclze_group *group, const syclze_memory_argument *argument, size_t size, bool writes) {
  const syclze_accessor *accessor = &argument->accessor;
  struct syclze__status status;
  if (!argument->is_accessor) {
    status = SYCLZE__LIKELY(argument->pointer != NULL) ? syclze__allowed() : syclze__null_memory();
    status = SYCLZE__CHECK_SPANS(group->queue, status, argument->pointer, size, NULL, 0);
    if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return argument->pointer;
  } else {
    const char *rule = syclze__check_accessor(group, accessor, false, writes);
    if (SYCLZE__LIKELY(rule == NULL && size <= accessor->size)) return accessor->native;
    status = rule != NULL ? syclze__status_of(SYCLZE_RESULT_ERROR_ACCESSOR, rule)
             : accessor->size == 0
                 ? syclze__invalid("the accessor's part must be contiguous")
                 : syclze__invalid("the accessor's part must not be smaller than the access");
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

SYCLZE_WARM ze_result_t syclze__group_fill(syclze_group *group, const syclze_memory_argument *to,
    const void *pattern, size_t pattern_size, size_t size, syclze_event *event) {
  struct syclze__transfer fill;
  syclze__fill_init(&fill, "syclze_group_fill", pattern, pattern_size, size);
  const struct syclze__status status = syclze__fill_check(pattern, pattern_size, size);
  if (SYCLZE__UNLIKELY(status.result != ZE_RESULT_SUCCESS)) syclze__group_fail(group, status);
  fill.to = syclze__mem_address(group, to, size, true);
  fill.to_accessor = syclze__mem_accessor(to);
  return syclze__command_submit(group, &fill.command, event);
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
