/* The index of an image's SPIR-V, and its parts by requirement: a part may fit a device that lacks
 * a requirement of the whole module. Made on first use, shared by reference count. */
#ifndef SYCLZE_OFFLOAD_DETAIL_IMAGE_INDEX_H
#define SYCLZE_OFFLOAD_DETAIL_IMAGE_INDEX_H

#include "../spirv.h"
#include "../split.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__shared_index {
  uint32_t count; /* references */
  struct syclze__status status;
  syclze_spirv_index index; /* if the status is success */
  bool is_divided; /* or the attempt failed; guarded by the set's lock, as the next fields */
  syclze_split split;
  struct syclze__shared_index **parts; /* of each part, null until its first use */
  void *bytes;                         /* of a part: its allocation */
};

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__shared_index_release(struct syclze__shared_index *shared) {
  if (shared == NULL || __atomic_fetch_sub(&shared->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  for (uint32_t i = 0; shared->parts != NULL && i < shared->split.part_count; i++)
    syclze__shared_index_release(shared->parts[i]);
  free((void *)shared->parts);
  syclze_split_end(&shared->split);
  if (shared->status.result == ZE_RESULT_SUCCESS) syclze_spirv_index_end(&shared->index);
  free(shared->bytes);
  free(shared);
}

/* Null without memory. */
SYCLZE_LOCAL struct syclze__shared_index *syclze__shared_index_make(syclze_bytes spirv) {
  struct syclze__shared_index *shared = (struct syclze__shared_index *)calloc(1, sizeof *shared);
  if (shared == NULL) return NULL;
  shared->count = 1;
  shared->status = syclze__spirv_index_read(spirv, &shared->index);
  if (shared->status.result != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) return shared;
  free(shared);
  return NULL;
}

/* Divides a module of several kernels or exports, once, or again after a lack of memory, the only
 * failure that is returned. Needs the set's lock. */
SYCLZE_LOCAL ze_result_t syclze__shared_index_divide(struct syclze__shared_index *shared) {
  if (shared->is_divided || shared->status.result != ZE_RESULT_SUCCESS ||
      shared->index.kernel_count < 2)
    return ZE_RESULT_SUCCESS;
  syclze_bytes spirv =
      syclze_bytes_of(shared->index.spirv.data, (size_t)shared->index.spirv.words * 4);
  ze_result_t result =
      syclze__split_make(spirv, SYCLZE_SPLIT_BY_REQUIREMENT, &shared->split).result;
  if (result == ZE_RESULT_SUCCESS && shared->split.part_count > 1) {
    shared->parts =
        (struct syclze__shared_index **)calloc(shared->split.part_count, sizeof *shared->parts);
    if (shared->parts == NULL) {
      syclze_split_end(&shared->split);
      result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    }
  }
  shared->is_divided = result != ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return shared->is_divided ? ZE_RESULT_SUCCESS : result;
}

/* The part of a divided module that has a kernel, by its number from 1 on. Null without such a
 * part, and without memory, which sets `result`. Valid as long as the index of the whole. Needs the
 * set's lock. */
SYCLZE_LOCAL struct syclze__shared_index *syclze__shared_index_part(
    struct syclze__shared_index *shared, const char *kernel, uint32_t *number,
    ze_result_t *result) {
  ze_result_t divided = syclze__shared_index_divide(shared);
  if (divided != ZE_RESULT_SUCCESS) *result = divided;
  const syclze_spirv_kernel *found =
      shared->parts != NULL ? syclze_spirv_index_kernel(&shared->index, kernel) : NULL;
  uint32_t part = found != NULL ? shared->split.reach.ids[found->function].part : 0;
  if (part == 0) return NULL;
  *number = part;
  if (shared->parts[part - 1] != NULL) return shared->parts[part - 1];
  size_t size = 0;
  void *bytes = NULL;
  ze_result_t written = syclze_split_write(&shared->split, part - 1, NULL, &size);
  if (written == ZE_RESULT_SUCCESS) {
    bytes = malloc(size);
    written = bytes == NULL ? ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
                            : syclze_split_write(&shared->split, part - 1, bytes, &size);
  }
  struct syclze__shared_index *made = NULL;
  if (written == ZE_RESULT_SUCCESS) {
    made = syclze__shared_index_make(syclze_bytes_of(bytes, size));
    if (made == NULL) written = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (made == NULL) {
    free(bytes);
    if (written == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY) *result = written;
    return NULL;
  }
  made->bytes = bytes;
  shared->parts[part - 1] = made;
  return made;
}

#endif

SYCLZE_EXTERN_C_END

#endif
