/* What a trace knows of native handles: a table by handle. One thread at a time. */
#ifndef SYCLZE_TRACE_MAP_H
#define SYCLZE_TRACE_MAP_H

#include "../../config.h"

#include <stdlib.h>
#include <string.h>

SYCLZE_EXTERN_C_BEGIN

/* A pointer or handle as a number. */
#define SYCLZE__WORD(pointer) ((uint64_t)(uintptr_t)(pointer))

/* What is kept of a handle; which fields mean what is said where the table is. */
struct syclze__traced {
  uint64_t handle; /* 0: the place is empty */
  uint64_t value;
  uint64_t other;
  const char *name;
  uint32_t flags;
};

/* Open addressing, at most three quarters full. */
struct syclze__map {
  struct syclze__traced *places;
  size_t mask; /* the number of places, less one */
  size_t count;
};

/* Null if the handle is not there. Valid until the table changes. */
SYCLZE_WARM struct syclze__traced *syclze__map_find(const struct syclze__map *map, uint64_t handle)
    SYCLZE_LINK_NAME(syclze__map_find);

SYCLZE_INLINE size_t syclze__map_home(const struct syclze__map *map, uint64_t handle) {
  return (size_t)((handle * 0x9e3779b97f4a7c15u) >> 20) & map->mask;
}

SYCLZE_WARM struct syclze__traced *syclze__map_find(
    const struct syclze__map *map, uint64_t handle) {
  if (map->count == 0 || handle == 0) return NULL;
  for (size_t i = syclze__map_home(map, handle);; i = (i + 1) & map->mask) {
    if (map->places[i].handle == handle) return &map->places[i];
    if (map->places[i].handle == 0) return NULL;
  }
}

SYCLZE_LOCAL bool syclze__map_grow(struct syclze__map *map) {
  struct syclze__map larger = {NULL, map->places == NULL ? 63 : 2 * map->mask + 1, map->count};
  larger.places = (struct syclze__traced *)calloc(larger.mask + 1, sizeof *larger.places);
  if (larger.places == NULL) return false;
  for (size_t i = 0; map->places != NULL && i <= map->mask; i++) {
    if (map->places[i].handle == 0) continue;
    size_t to = syclze__map_home(&larger, map->places[i].handle);
    while (larger.places[to].handle != 0)
      to = (to + 1) & larger.mask;
    larger.places[to] = map->places[i];
  }
  free(map->places);
  *map = larger;
  return true;
}

/* The handle's place, new and zero unless it is there already; null without memory. */
SYCLZE_LOCAL struct syclze__traced *syclze__map_put(struct syclze__map *map, uint64_t handle) {
  struct syclze__traced *there = syclze__map_find(map, handle);
  if (there != NULL || handle == 0) return there;
  if ((map->places == NULL || 4 * (map->count + 1) > 3 * (map->mask + 1)) && !syclze__map_grow(map))
    return NULL;
  size_t to = syclze__map_home(map, handle);
  while (map->places[to].handle != 0)
    to = (to + 1) & map->mask;
  map->places[to].handle = handle;
  map->count++;
  return &map->places[to];
}

/* Moves back what the gap would hide. */
SYCLZE_LOCAL void syclze__map_remove(struct syclze__map *map, uint64_t handle) {
  struct syclze__traced *there = syclze__map_find(map, handle);
  if (there == NULL) return;
  size_t gap = (size_t)(there - map->places);
  for (size_t i = (gap + 1) & map->mask; map->places[i].handle != 0; i = (i + 1) & map->mask) {
    const size_t home = syclze__map_home(map, map->places[i].handle);
    if (((i - home) & map->mask) < ((i - gap) & map->mask)) continue;
    map->places[gap] = map->places[i];
    gap = i;
  }
  memset(&map->places[gap], 0, sizeof map->places[gap]);
  map->count--;
}

SYCLZE_EXTERN_C_END

#endif
