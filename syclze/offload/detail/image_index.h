/* The index of an image's SPIR-V, and its division (division.h): a part may fit a device that lacks
 * a requirement of the whole module. Made on first use, shared by reference count. */
#ifndef SYCLZE_OFFLOAD_DETAIL_IMAGE_INDEX_H
#define SYCLZE_OFFLOAD_DETAIL_IMAGE_INDEX_H

#include "../spirv.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__division;

struct syclze__shared_index {
  uint32_t count; /* references */
  struct syclze__status status;
  syclze_spirv_index index;          /* if the status is success */
  struct syclze__division *division; /* null until it is tried; guarded by the set's lock */
  void (*division_end)(struct syclze__division *division);
  void *bytes; /* of a part: its allocation */
};

/* The part of a module that has a kernel, by its number from 1 on. Null without such a part, and
 * without memory, which sets `result`. Valid as long as the index of the whole. Needs the set's
 * lock. */
typedef struct syclze__shared_index *(*syclze__part_function)(
    struct syclze__shared_index *shared, const char *kernel, uint32_t *number, ze_result_t *result);

#if SYCLZE__BODIES

SYCLZE_LOCAL void syclze__shared_index_release(struct syclze__shared_index *shared) {
  if (shared == NULL || __atomic_fetch_sub(&shared->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  if (shared->division != NULL) shared->division_end(shared->division);
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

#endif

SYCLZE_EXTERN_C_END

#endif
