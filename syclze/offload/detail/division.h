/* Bodies of division.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_DIVISION_H
#define SYCLZE_OFFLOAD_DETAIL_DIVISION_H

#include "../division.h"
#include "image_table.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

/* A module by requirement. */
struct syclze__division {
  syclze_split split;                  /* empty if the module cannot be divided */
  struct syclze__shared_index **parts; /* null without two; of each, null until its first use */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__division_end(struct syclze__division *division) {
  for (uint32_t i = 0; division->parts != NULL && i < division->split.part_count; i++)
    syclze__shared_index_release(division->parts[i]);
  free((void *)division->parts);
  syclze_split_end(&division->split);
  free(division);
}

/* Divides a module of several kernels or exports, once, or again after a lack of memory, the only
 * failure that is returned. Needs the set's lock. */
SYCLZE_LOCAL ze_result_t syclze__division_make(struct syclze__shared_index *shared) {
  if (shared->division != NULL || shared->status.result != ZE_RESULT_SUCCESS ||
      shared->index.kernel_count < 2)
    return ZE_RESULT_SUCCESS;
  const syclze_bytes spirv =
      syclze_bytes_of(shared->index.spirv.data, (size_t)shared->index.spirv.words * 4);
  struct syclze__division *division = (struct syclze__division *)calloc(1, sizeof *division);
  if (division == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result =
      syclze__split_make(spirv, SYCLZE_SPLIT_BY_REQUIREMENT, &division->split).result;
  if (result == ZE_RESULT_SUCCESS && division->split.part_count > 1) {
    division->parts =
        (struct syclze__shared_index **)calloc(division->split.part_count, sizeof *division->parts);
    if (division->parts == NULL) result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) {
    syclze__division_end(division);
    return result;
  }
  shared->division = division;
  shared->division_end = syclze__division_end;
  return ZE_RESULT_SUCCESS;
}

/* The index of a part of a divided module; null if it cannot be written, and without memory, which
 * sets `result`. */
SYCLZE_LOCAL struct syclze__shared_index *syclze__division_write(
    struct syclze__division *division, uint32_t part, ze_result_t *result) {
  size_t size = 0;
  void *bytes = NULL;
  ze_result_t written = syclze_split_write(&division->split, part, NULL, &size);
  if (written == ZE_RESULT_SUCCESS) {
    bytes = malloc(size);
    written = bytes == NULL ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                            : syclze_split_write(&division->split, part, bytes, &size);
  }
  struct syclze__shared_index *made = NULL;
  if (written == ZE_RESULT_SUCCESS) {
    made = syclze__shared_index_make(syclze_bytes_of(bytes, size));
    if (made == NULL) written = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (made != NULL)
    made->bytes = bytes;
  else
    free(bytes);
  if (written == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) *result = written;
  return made;
}

/* A syclze__part_function. */
SYCLZE_LOCAL struct syclze__shared_index *syclze__division_part(struct syclze__shared_index *shared,
    const char *kernel, uint32_t *number, ze_result_t *result) {
  const ze_result_t made = syclze__division_make(shared);
  if (made != ZE_RESULT_SUCCESS) *result = made;
  struct syclze__division *division = shared->division;
  if (division == NULL || division->parts == NULL) return NULL;
  const syclze_spirv_kernel *found = syclze_spirv_index_kernel(&shared->index, kernel);
  const uint32_t part = found != NULL ? division->split.reach.ids[found->function].part : 0;
  if (part == 0) return NULL;
  *number = part;
  struct syclze__shared_index **slot = &division->parts[part - 1];
  if (*slot == NULL) *slot = syclze__division_write(division, part - 1, result);
  return *slot;
}

SYCLZE_COLD ze_result_t syclze_offload_set_allow_division(syclze_offload_set set) {
  if (set.rep == NULL)
    return syclze__fail_handle("syclze_offload_set_allow_division", "the set is null");
  syclze__lock_acquire(&set.rep->lock);
  set.rep->part_of = syclze__division_part;
  syclze__lock_release(&set.rep->lock);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
