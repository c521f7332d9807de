/* A table by native handle. One thread at a time. */
#ifndef SYCLZE_TRACE_HANDLE_MAP_H
#define SYCLZE_TRACE_HANDLE_MAP_H

#include "../../detail/trace_hooks.h"

#include <stdlib.h>
#include <string.h>

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

/* The entry of a handle; each table states the meaning of its fields. */
struct syclze__map_entry {
  uint64_t handle; /* 0 for a free entry */
  uint64_t value;
  uint64_t other;
  const char *name;
  uint32_t flags;
};

/* Open addressing, at most three quarters full. */
struct syclze__map {
  struct syclze__map_entry *entries;
  size_t mask; /* the number of entries, less one */
  size_t count;
};

/* Finds a handle's entry, valid until the table changes; null if there is none. */
SYCLZE_WARM struct syclze__map_entry *syclze__map_find(
    const struct syclze__map *map, uint64_t handle) SYCLZE_LINK_NAME(syclze__map_find);

SYCLZE_INLINE size_t syclze__map_slot(const struct syclze__map *map, uint64_t handle) {
  return (size_t)((handle * 0x9e3779b97f4a7c15u) >> 20) & map->mask;
}

SYCLZE_WARM struct syclze__map_entry *syclze__map_find(
    const struct syclze__map *map, uint64_t handle) {
  if (map->count == 0 || handle == 0) return NULL;
  for (size_t i = syclze__map_slot(map, handle);; i = (i + 1) & map->mask) {
    if (map->entries[i].handle == handle) return &map->entries[i];
    if (map->entries[i].handle == 0) return NULL;
  }
}

SYCLZE_LOCAL bool syclze__map_grow(struct syclze__map *map) {
  struct syclze__map larger = {NULL, map->entries == NULL ? 63 : 2 * map->mask + 1, map->count};
  larger.entries = (struct syclze__map_entry *)calloc(larger.mask + 1, sizeof *larger.entries);
  if (larger.entries == NULL) return false;
  for (size_t i = 0; map->entries != NULL && i <= map->mask; i++) {
    if (map->entries[i].handle == 0) continue;
    size_t to = syclze__map_slot(&larger, map->entries[i].handle);
    while (larger.entries[to].handle != 0)
      to = (to + 1) & larger.mask;
    larger.entries[to] = map->entries[i];
  }
  free(map->entries);
  *map = larger;
  return true;
}

/* Finds or adds a handle's entry; a new one is zero. Null without memory. */
SYCLZE_LOCAL struct syclze__map_entry *syclze__map_put(struct syclze__map *map, uint64_t handle) {
  struct syclze__map_entry *there = syclze__map_find(map, handle);
  if (there != NULL || handle == 0) return there;
  if ((map->entries == NULL || 4 * (map->count + 1) > 3 * (map->mask + 1)) &&
      !syclze__map_grow(map))
    return NULL;
  size_t to = syclze__map_slot(map, handle);
  while (map->entries[to].handle != 0)
    to = (to + 1) & map->mask;
  map->entries[to].handle = handle;
  map->count++;
  return &map->entries[to];
}

/* Removes a handle, and moves back the entries that the gap would hide. */
SYCLZE_LOCAL void syclze__map_remove(struct syclze__map *map, uint64_t handle) {
  struct syclze__map_entry *there = syclze__map_find(map, handle);
  if (there == NULL) return;
  size_t gap = (size_t)(there - map->entries);
  for (size_t i = (gap + 1) & map->mask; map->entries[i].handle != 0; i = (i + 1) & map->mask) {
    const size_t home = syclze__map_slot(map, map->entries[i].handle);
    if (((i - home) & map->mask) < ((i - gap) & map->mask)) continue;
    map->entries[gap] = map->entries[i];
    gap = i;
  }
  memset(&map->entries[gap], 0, sizeof map->entries[gap]);
  map->count--;
}

SYCLZE_EXTERN_C_END

#endif

#endif
