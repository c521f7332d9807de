/* Transfers: commands that read or write memory, or are hints about it. */
#ifndef SYCLZE_COMMAND_DETAIL_TRANSFER_H
#define SYCLZE_COMMAND_DETAIL_TRANSFER_H

#include "command.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

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

/* Whether `from` is a pattern. */
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

SYCLZE_LOCAL void syclze__transfer_trace_region(struct syclze__trace_transfer_info *info,
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
    syclze__transfer_trace_region(info, transfer->to_accessor, transfer->region);
    break;
  case SYCLZE__TRACE_IMAGE_READ:
  case SYCLZE__TRACE_IMAGE_COPY:
    syclze__transfer_trace_region(info, transfer->from_accessor, transfer->region);
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

/* What the transfer refers to by pointers of its kind. */
SYCLZE_LOCAL struct syclze__status syclze__transfer_keep(
    struct syclze__command *copy, const syclze_group *group, void **extra) {
  struct syclze__transfer *transfer = (struct syclze__transfer *)(void *)copy;
  const void *from = transfer->region;
  size_t size = sizeof *transfer->region;
  (void)group;
  transfer->to_accessor = transfer->from_accessor = NULL;
  if (syclze__transfer_fills(transfer)) {
    from = transfer->from;
    size = transfer->pattern_size;
  } else if (transfer->kind == SYCLZE__TRACE_ADVISE) {
    from = transfer->advice;
    size = sizeof *transfer->advice;
  }
  if (from == NULL) return syclze__allowed();
  *extra = malloc(size);
  if (*extra == NULL) return syclze__out_of_memory();
  memcpy(*extra, from, size);
  if (syclze__transfer_fills(transfer))
    transfer->from = *extra;
  else if (transfer->kind == SYCLZE__TRACE_ADVISE)
    transfer->advice = (const ze_memory_advice_t *)*extra;
  else
    transfer->region = (const ze_image_region_t *)*extra;
  return syclze__allowed();
}

/* The table of a transfer; `append` reports by `rule`. */
#define SYCLZE__TRANSFER_TABLE(rule, append)                                                       \
  SYCLZE__COMMAND_TABLE(struct syclze__transfer, SYCLZE__SUBMISSION_COMMAND, rule, NULL, append,   \
      syclze__transfer_keep, syclze__transfer_trace)

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
  ze_copy_region_t region;
  memset(&region, 0, sizeof region);
  region.width = (uint32_t)extent[0];
  region.height = (uint32_t)extent[1];
  region.depth = (uint32_t)extent[2];
  return SYCLZE__ZE(zeCommandListAppendMemoryCopyRegion)(at->list, to, &region,
      (uint32_t)to_pitch[0], (uint32_t)to_pitch[1], from, &region, (uint32_t)from_pitch[0],
      (uint32_t)from_pitch[1], at->signal, at->wait_count, at->waits);
}

#endif

SYCLZE_EXTERN_C_END

#endif
