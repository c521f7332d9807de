/* The appends that move memory. */
#include "commands/list.h"
#include "core/check.h"
#include "core/device.h"
#include "core/entries.h"
#include "core/fail.h"
#include "core/strict.h"

#include <stdlib.h>
#include <string.h>

static ze_result_t append_copy(ze_command_list_handle_t list, void *to, const void *from,
    size_t size, ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_CHECK_POINTER(to);
  ZECL_CHECK_POINTER(from);
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_COPY;
  draft.copy = (struct zecl_copy){.to = to, .from = from, .size = size};
  return zecl_append(list, &draft, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to,
    const void *from, size_t size, ze_event_handle_t signal, uint32_t wait_count,
    ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryCopy);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  return append_copy(list, to, from, size, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendMemoryCopyFromContext(ze_command_list_handle_t list, void *to,
    ze_context_handle_t from_context, const void *from, size_t size, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryCopyFromContext);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_HANDLE(from_context, ZECL_CONTEXT);
  return append_copy(list, to, from, size, signal, wait_count, waits);
}

ze_result_t zecl_zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *to,
    const void *pattern, size_t pattern_size, size_t size, ze_event_handle_t signal,
    uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryFill);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_POINTER(to);
  ZECL_CHECK_POINTER(pattern);
  ZECL_REQUIRE(pattern_size != 0 && (pattern_size & (pattern_size - 1)) == 0 &&
                   pattern_size <= ZECL_MAX_FILL_PATTERN,
      ZE_RESULT_ERROR_INVALID_SIZE);
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_FILL;
  draft.fill.to = to;
  draft.fill.size = size;
  draft.fill.pattern_size = pattern_size;
  draft.fill.long_pattern = NULL;
  if (pattern_size > ZECL_COMMAND_PATTERN) {
    draft.fill.long_pattern = malloc(pattern_size);
    if (!draft.fill.long_pattern) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  memcpy(draft.fill.long_pattern ? draft.fill.long_pattern : draft.fill.pattern, pattern,
      pattern_size);
  return zecl_append(list, &draft, signal, wait_count, waits);
}

/* A region without height or depth is one row, or one slice. */
static size_t at_least_one(uint32_t count) {
  return count ? count : 1;
}

ze_result_t zecl_zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to,
    const ze_copy_region_t *to_region, uint32_t to_pitch, uint32_t to_slice_pitch, const void *from,
    const ze_copy_region_t *from_region, uint32_t from_pitch, uint32_t from_slice_pitch,
    ze_event_handle_t signal, uint32_t wait_count, ze_event_handle_t *waits) {
  ZECL_ENTER(zeCommandListAppendMemoryCopyRegion);
  ZECL_TRY(zecl_append_check(list, signal, wait_count, waits));
  ZECL_CHECK_POINTER(to);
  ZECL_CHECK_POINTER(to_region);
  ZECL_CHECK_POINTER(from);
  ZECL_CHECK_POINTER(from_region);
  ZECL_REQUIRE(to_region->width == from_region->width && to_region->height == from_region->height &&
                   to_region->depth == from_region->depth,
      ZE_RESULT_ERROR_INVALID_SIZE);
  struct zecl_command draft;
  draft.kind = ZECL_COMMAND_COPY_REGION;
  struct zecl_copy_region *region = &draft.region;
  region->width = to_region->width;
  region->height = at_least_one(to_region->height);
  region->depth = at_least_one(to_region->depth);
  region->to_pitch = to_pitch;
  region->to_slice_pitch = to_slice_pitch;
  region->from_pitch = from_pitch;
  region->from_slice_pitch = from_slice_pitch;
  region->to = (char *)to + to_region->originX + (size_t)to_region->originY * to_pitch +
               (size_t)to_region->originZ * to_slice_pitch;
  region->from = (const char *)from + from_region->originX +
                 (size_t)from_region->originY * from_pitch +
                 (size_t)from_region->originZ * from_slice_pitch;
  return zecl_append(list, &draft, signal, wait_count, waits);
}

/* The advice of the newest headers, in numbers since older ones lack some. */
enum { LAST_ADVICE = 9 };

/* Both hints are looked at and then do nothing: all memory is the host's. */
static ze_result_t append_hint(ze_command_list_handle_t list, const void *pointer, size_t size) {
  ZECL_TRY(zecl_append_check(list, NULL, 0, NULL));
  ZECL_CHECK_POINTER(pointer);
  ZECL_REQUIRE(size != 0, ZE_RESULT_ERROR_INVALID_SIZE);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zecl_zeCommandListAppendMemoryPrefetch(
    ze_command_list_handle_t list, const void *pointer, size_t size) {
  ZECL_ENTER(zeCommandListAppendMemoryPrefetch);
  return append_hint(list, pointer, size);
}

ze_result_t zecl_zeCommandListAppendMemAdvise(ze_command_list_handle_t list,
    ze_device_handle_t device, const void *pointer, size_t size, ze_memory_advice_t advice) {
  ZECL_ENTER(zeCommandListAppendMemAdvise);
  ZECL_CHECK_HANDLE(list, ZECL_LIST);
  ZECL_CHECK_HANDLE(device, ZECL_DEVICE);
  ZECL_REQUIRE(
      (unsigned)advice <= LAST_ADVICE || !zecl_is_strict(), ZE_RESULT_ERROR_INVALID_ENUMERATION);
  return append_hint(list, pointer, size);
}
