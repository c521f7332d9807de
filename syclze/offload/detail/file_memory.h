/* Memory of a file's cursor: inflated images, and tables that describe images. It lives while the
 * cursor or a set uses its images. */
#ifndef SYCLZE_OFFLOAD_DETAIL_FILE_MEMORY_H
#define SYCLZE_OFFLOAD_DETAIL_FILE_MEMORY_H

#include "../device_image.h"

#include <stdlib.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__file_block {
  struct syclze__file_block *next;
  uint64_t alignment; /* what follows is aligned to 8 */
};

struct syclze__file_memory {
  uint32_t count; /* references */
  struct syclze__file_block *blocks;
};

/* Drops a reference. Null is allowed. */
SYCLZE_COLD void syclze__file_memory_release(struct syclze__file_memory *memory)
    SYCLZE_LINK_NAME(syclze__file_memory_release);

#if SYCLZE__BODIES

SYCLZE_COLD void syclze__file_memory_release(struct syclze__file_memory *memory) {
  if (memory == NULL || __atomic_fetch_sub(&memory->count, 1, __ATOMIC_ACQ_REL) != 1) return;
  while (memory->blocks != NULL) {
    struct syclze__file_block *next = memory->blocks->next;
    free(memory->blocks);
    memory->blocks = next;
  }
  free(memory);
}

/* Adopts a block from malloc, whose first bytes are for the list. False without memory: then the
 * block is freed. */
SYCLZE_LOCAL bool syclze__file_memory_adopt(
    struct syclze__file_memory **memory, struct syclze__file_block *block) {
  if (block != NULL && *memory == NULL) {
    *memory = (struct syclze__file_memory *)calloc(1, sizeof **memory);
    if (*memory != NULL) (*memory)->count = 1;
  }
  if (block == NULL || *memory == NULL) {
    free(block);
    return false;
  }
  block->next = (*memory)->blocks;
  (*memory)->blocks = block;
  return true;
}

/* Allocates zeros, aligned to 8; null without memory. */
SYCLZE_LOCAL void *syclze__file_allocate(struct syclze__file_memory **memory, uint64_t size) {
  if (size > SIZE_MAX - sizeof(struct syclze__file_block)) return NULL;
  struct syclze__file_block *block =
      (struct syclze__file_block *)calloc(1, sizeof *block + (size_t)size);
  return syclze__file_memory_adopt(memory, block) ? block + 1 : NULL;
}

#endif

SYCLZE_EXTERN_C_END

#endif
