/* A hash table from the accesses of memory objects to indices in an array. */
#ifndef SYCLZE_COMMAND_DETAIL_GRAPH_MEMORY_INDEX_H
#define SYCLZE_COMMAND_DETAIL_GRAPH_MEMORY_INDEX_H

#include "../order/access.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__memory_place {
  const struct syclze__accesses *accesses; /* null in an unused entry */
  uint32_t at;
};

/* All zero without entries. */
struct syclze__memory_index {
  struct syclze__memory_place *places; /* allocated; null at first */
  uint32_t room;                       /* a power of two, and at least twice the entries; or 0 */
};

#if SYCLZE__BODIES

/* The entry of the accesses, or the unused one for them. The index has room. */
SYCLZE_LOCAL struct syclze__memory_place *syclze__memory_index_find(
    const struct syclze__memory_index *index, const struct syclze__accesses *accesses) {
  uint64_t at = syclze__alias_hash(accesses);
  for (;; at++) {
    struct syclze__memory_place *place = &index->places[at & (index->room - 1)];
    if (place->accesses == accesses || place->accesses == NULL) return place;
  }
}

/* Makes room for so many entries; false without memory. */
SYCLZE_LOCAL bool syclze__memory_index_reserve(struct syclze__memory_index *index, uint32_t count) {
  struct syclze__memory_index larger = {NULL, 16};
  if (count <= index->room / 2) return true;
  while (larger.room / 2 < count)
    larger.room *= 2;
  larger.places = (struct syclze__memory_place *)calloc(larger.room, sizeof *larger.places);
  if (larger.places == NULL) return false;
  for (uint32_t i = 0; i < index->room; i++)
    if (index->places[i].accesses != NULL)
      *syclze__memory_index_find(&larger, index->places[i].accesses) = index->places[i];
  free(index->places);
  *index = larger;
  return true;
}

#endif

SYCLZE_EXTERN_C_END

#endif
