/* Transfers: commands that read or write memory, or are hints about it. */
#ifndef SYCLZE_COMMAND_DETAIL_COMMANDS_TRANSFER_H
#define SYCLZE_COMMAND_DETAIL_COMMANDS_TRANSFER_H

#include "../../accessor.h"
#include "../../accessor.h"
#include "fill.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

#if SYCLZE__CHECKED
/* Checks that a range lies within its allocation. Memory that the driver does not know passes. */
SYCLZE_LOCAL struct syclze__status syclze__check_span(
    const struct syclze__queue *queue, const void *memory, size_t size) {
  void *base = NULL;
  size_t whole = 0;
  if (queue == NULL || memory == NULL || size == 0) return syclze__allowed();
  if (SYCLZE__ZE(zeMemGetAddressRange)(queue->context->native, memory, &base, &whole) !=
          ZE_RESULT_SUCCESS ||
      base == NULL || size <= whole - (size_t)((const char *)memory - (const char *)base))
    return syclze__allowed();
  return syclze__invalid("the range of memory does not lie in its allocation");
}

/* Checks two ranges, the second of which may be null, unless `status` is an error. */
SYCLZE_LOCAL struct syclze__status syclze__check_spans(const struct syclze__queue *queue,
    struct syclze__status status, const void *to, size_t to_size, const void *from,
    size_t from_size) {
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_span(queue, to, to_size);
  if (status.result == ZE_RESULT_SUCCESS) status = syclze__check_span(queue, from, from_size);
  return status;
}
#define SYCLZE__CHECK_SPANS(queue, status, to, to_size, from, from_size)                           \
  syclze__check_spans(queue, status, to, to_size, from, from_size)
#else
#define SYCLZE__CHECK_SPANS(queue, status, to, to_size, from, from_size) (status)
#endif

/* Members beyond those of its kind are unset. */
struct syclze__transfer {
  struct syclze__command command;
  enum syclze__trace_transfer kind;
  void *to;                                           /* memory, or an image; null for none */
  const void *from;                                   /* the same; a fill's pattern */
  const syclze_accessor *to_accessor, *from_accessor; /* null for pointers */
  size_t size;                                        /* in bytes, of memory */
  size_t pattern_size;
  const ze_memory_advice_t *advice;
  const ze_image_region_t *region; /* null for all of the image */
};

SYCLZE_INLINE const struct syclze__transfer *syclze__transfer_of(
    const struct syclze__command *command) {
  return (const struct syclze__transfer *)(const void *)command;
}

/* True if `from` is a pattern. */
SYCLZE_INLINE bool syclze__transfer_fills(const struct syclze__transfer *transfer) {
  return transfer->kind == SYCLZE__TRACE_FILL || transfer->kind == SYCLZE__TRACE_FILL_2D;
}

#if XPTI_ENABLE_INSTRUMENTATION
SYCLZE_LOCAL struct syclze__trace_operand syclze__trace_operand_of(
    const void *native, const syclze_accessor *accessor) {
  struct syclze__trace_operand operand = {native, NULL, NULL};
  if (accessor == NULL || accessor->memory == NULL) return operand;
  operand.object = accessor->memory;
  if (!accessor->is_image) operand.base = accessor->memory->native;
  return operand;
}

SYCLZE_LOCAL void syclze__transfer_trace(
    const struct syclze__command *command, struct syclze__command_trace *trace) {
  const struct syclze__transfer *transfer = syclze__transfer_of(command);
  struct syclze__trace_transfer_info *info = &trace->transfer;
  const bool fills = syclze__transfer_fills(transfer);
  memset(info, 0, sizeof *info);
  trace->command.transfer = info;
  info->kind = transfer->kind;
  info->to = syclze__trace_operand_of(transfer->to, transfer->to_accessor);
  if (!fills) info->from = syclze__trace_operand_of(transfer->from, transfer->from_accessor);
  switch (transfer->kind) {
  case SYCLZE__TRACE_IMAGE_WRITE:
  case SYCLZE__TRACE_IMAGE_READ:
  case SYCLZE__TRACE_IMAGE_COPY:
    break;
  case SYCLZE__TRACE_COPY:
  case SYCLZE__TRACE_COPY_2D:
  case SYCLZE__TRACE_FILL:
  case SYCLZE__TRACE_FILL_2D:
  case SYCLZE__TRACE_PREFETCH:
  case SYCLZE__TRACE_ADVISE:
  case SYCLZE__TRACE_STORAGE:
    info->size = transfer->size;
  }
  if (transfer->kind == SYCLZE__TRACE_ADVISE) info->advice = (uint32_t)*transfer->advice;
  if (!fills) return;
  info->value = transfer->from;
  info->value_size = transfer->pattern_size;
}
#endif

/* The data that the transfer refers to by a pointer of its kind; null for none. */
SYCLZE_LOCAL const void *syclze__transfer_kept(
    const struct syclze__transfer *transfer, size_t *size) {
  *size = sizeof *transfer->region;
  if (syclze__transfer_fills(transfer)) {
    *size = transfer->pattern_size;
    return transfer->from;
  }
  if (transfer->kind != SYCLZE__TRACE_ADVISE) return transfer->region;
  *size = sizeof *transfer->advice;
  return transfer->advice;
}

SYCLZE_LOCAL size_t syclze__transfer_kept_size(const struct syclze__command *command) {
  size_t size;
  return syclze__transfer_kept(syclze__transfer_of(command), &size) != NULL ? size : 0;
}

SYCLZE_LOCAL struct syclze__status syclze__transfer_keep(const struct syclze__command *command,
    struct syclze__command *copy, const struct syclze_group *group, char *kept) {
  struct syclze__transfer *transfer = (struct syclze__transfer *)(void *)copy;
  size_t size;
  memcpy((void *)copy, (const void *)command, command->table->size);
  const void *from = syclze__transfer_kept(transfer, &size);
  (void)group;
  transfer->to_accessor = transfer->from_accessor = NULL;
  if (from == NULL) return syclze__allowed();
  memcpy(kept, from, size);
  if (syclze__transfer_fills(transfer))
    transfer->from = kept;
  else if (transfer->kind == SYCLZE__TRACE_ADVISE)
    transfer->advice = (const ze_memory_advice_t *)(const void *)kept;
  else
    transfer->region = (const ze_image_region_t *)(const void *)kept;
  return syclze__allowed();
}

/* The table of a command whose struct begins with a transfer; `append` reports by `rule`. */
#define SYCLZE__TRANSFER_TABLE_OF(type, rule, unrecorded, append, trace)                           \
  SYCLZE__COMMAND_TABLE(type, SYCLZE__SUBMISSION_COMMAND, rule, unrecorded, NULL, NULL, append,    \
      syclze__transfer_kept_size, syclze__transfer_keep, trace)
#define SYCLZE__TRANSFER_TABLE(rule, append)                                                       \
  SYCLZE__TRANSFER_TABLE_OF(struct syclze__transfer, rule, NULL, append, syclze__transfer_trace)

SYCLZE_INLINE void syclze__transfer_init(struct syclze__transfer *transfer,
    const struct syclze__command_table *table, const char *function,
    enum syclze__trace_transfer kind) {
  transfer->command.table = table;
  transfer->command.function = function;
  transfer->command.kernel = NULL;
  transfer->kind = kind;
  transfer->to = NULL;
  transfer->to_accessor = transfer->from_accessor = NULL;
  transfer->region = NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__null_memory(void) {
  return syclze__null_pointer("the memory's pointer is null");
}

/* Copies rows. `extent` has the bytes of a row and the numbers of rows and slices, a pitch the
 * bytes from a row and from a slice to the next. */
SYCLZE_LOCAL_WARM ze_result_t syclze__append_region(struct syclze__append *at, void *to,
    const size_t *to_pitch, const void *from, const size_t *from_pitch, const size_t *extent) {
  SYCLZE__ZEROED(ze_copy_region_t, region);
  region.width = (uint32_t)extent[0];
  region.height = (uint32_t)extent[1];
  region.depth = (uint32_t)extent[2];
  return SYCLZE__ZE(zeCommandListAppendMemoryCopyRegion)(at->list, to, &region,
      (uint32_t)to_pitch[0], (uint32_t)to_pitch[1], from, &region, (uint32_t)from_pitch[0],
      (uint32_t)from_pitch[1], at->signal, at->wait_count, at->waits);
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

SYCLZE_INLINE ze_result_t syclze__list_append_fill(ze_command_list_handle_t list, void *to,
    const struct syclze__transfer *fill, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  return SYCLZE__ZE(zeCommandListAppendMemoryFill)(
      list, to, fill->from, fill->pattern_size, size, signal, wait_count, waits);
}

/* Appends the fill at once where the driver takes the pattern. */
SYCLZE_LOCAL_WARM ze_result_t syclze__fill_append(
    const struct syclze__command *command, struct syclze__append *at) {
  const struct syclze__transfer *fill = syclze__transfer_of(command);
  ze_result_t result = ZE_RESULT_ERROR_INVALID_SIZE;
  if (SYCLZE__LIKELY(syclze__is_power_of_two(fill->pattern_size)))
    result = syclze__list_append_fill(
        at->list, fill->to, fill, fill->size, at->signal, at->wait_count, at->waits);
  if (SYCLZE__LIKELY(result != ZE_RESULT_ERROR_INVALID_SIZE)) return result;
  struct syclze__fill_rows row = {(char *)fill->to, (const char *)fill->from, fill->pattern_size,
      fill->size, fill->size != 0, 0, 0};
  return syclze__fill_append_pieces(at, &row);
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

/* Appends a hint between barriers, since hints take no events. */
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

#endif

SYCLZE_EXTERN_C_END

#endif
