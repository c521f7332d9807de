/* The memory objects that nodes access, by the order of their first accesses, with a hash table. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_MEMORY_INDEX_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_MEMORY_INDEX_H

#include "../order/access.h"

SYCLZE_EXTERN_C_BEGIN

/* The nodes' accesses to a memory object, or to several over one allocation. The nodes are those of
 * a graph under construction. */
struct syclze__graph_memory {
  struct syclze__accesses *accesses; /* of the object */
  uint32_t writer;                   /* the last node that writes it; UINT32_MAX for none */
  uint32_t reads;                    /* since then, the newest first; UINT32_MAX for none */
};

/* All zero without entries. */
struct syclze__memory_index {
  struct syclze__graph_memory *all; /* allocated; the table is behind it */
  uint32_t count, room;             /* room: of entries, a power of two; or 0 */
};

#if SYCLZE__BODIES

/* The place in the table of the object with these accesses: one more than its number, or 0. The
 * table has twice the room of the entries. */
SYCLZE_INLINE uint32_t *syclze__memory_index_place(
    const struct syclze__memory_index *index, const struct syclze__accesses *accesses) {
  uint32_t *places = (uint32_t *)(void *)(index->all + index->room);
  uint64_t at = syclze__alias_hash(accesses);
  for (;; at++) {
    uint32_t *place = &places[at & (2 * (uint64_t)index->room - 1)];
    if (*place == 0 || index->all[*place - 1].accesses == accesses) return place;
  }
}

/* The number of the object's entry, which is added if it is missing: then there must be room. */
SYCLZE_INLINE uint32_t syclze__memory_index_require(
    struct syclze__memory_index *index, struct syclze__accesses *accesses) {
  const struct syclze__graph_memory added = {accesses, UINT32_MAX, UINT32_MAX};
  uint32_t *place = syclze__memory_index_place(index, accesses);
  if (*place != 0) return *place - 1;
  index->all[index->count] = added;
  *place = index->count + 1;
  return index->count++;
}

/* Removes the newest entries, and leaves `count`. */
SYCLZE_LOCAL void syclze__memory_index_truncate(
    struct syclze__memory_index *index, uint32_t count) {
  for (; index->count > count; index->count--)
    *syclze__memory_index_place(index, index->all[index->count - 1].accesses) = 0;
}

SYCLZE_LOCAL bool syclze__memory_index_grow(struct syclze__memory_index *index, uint32_t more) {
  struct syclze__memory_index larger = {NULL, 0, 16};
  if (more > UINT32_MAX / 8 || index->count > UINT32_MAX / 8) return false;
  while (larger.room < index->count + more)
    larger.room *= 4;
  const size_t table = 2 * (size_t)larger.room * sizeof(uint32_t);
  larger.all = (struct syclze__graph_memory *)malloc(larger.room * sizeof *larger.all + table);
  if (larger.all == NULL) return false;
  memset((void *)(larger.all + larger.room), 0, table);
  for (; larger.count < index->count; larger.count++) {
    larger.all[larger.count] = index->all[larger.count];
    *syclze__memory_index_place(&larger, index->all[larger.count].accesses) = larger.count + 1;
  }
  free(index->all);
  *index = larger;
  return true;
}

/* Makes room for so many more entries; false without memory. */
SYCLZE_INLINE bool syclze__memory_index_reserve(struct syclze__memory_index *index, uint32_t more) {
  return more <= index->room - index->count || syclze__memory_index_grow(index, more);
}

#endif

SYCLZE_EXTERN_C_END

#endif
