/* Events of places in the program: what a place submits is one node, however often it is passed. */
#ifndef SYCLZE_TRACE_PLACE_H
#define SYCLZE_TRACE_PLACE_H

#include "../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "tell.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD uint64_t syclze__trace_hash(uint64_t hash, const char *text)
    SYCLZE_LINK_NAME(syclze__trace_hash);

/* FNV-1a. */
SYCLZE_COLD uint64_t syclze__trace_hash(uint64_t hash, const char *text) {
  for (; *text != 0; text++)
    hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
  return hash;
}

SYCLZE_COLD uint64_t syclze__trace_place_of(const struct syclze__xpti *xpti, const char *name,
    ze_device_handle_t device) SYCLZE_LINK_NAME(syclze__trace_place_of);

/* A number for what the thread's place does on a device, by its text, as libraries come and go; 0
 * where the place is not known, and where each command has an event of its own. */
SYCLZE_COLD uint64_t syclze__trace_place_of(
    const struct syclze__xpti *xpti, const char *name, ze_device_handle_t device) {
  const struct syclze__trace_place *place = SYCLZE__TRACE_PLACE;
  if (xpti->current || place == NULL) return 0;
  const uint64_t start = (SYCLZE__WORD(device) << 20 ^ place->line) + 0xcbf29ce484222325u;
  return syclze__trace_hash(syclze__trace_hash(start, name), place->file);
}

SYCLZE_COLD void *syclze__trace_place_find(struct syclze__xpti *xpti, uint64_t place)
    SYCLZE_LINK_NAME(syclze__trace_place_find);

/* The event of a place whose node was told; null for none. */
SYCLZE_COLD void *syclze__trace_place_find(struct syclze__xpti *xpti, uint64_t place) {
  syclze__lock_take(&xpti->lock);
  const struct syclze__traced *known = syclze__map_find(&xpti->places, place);
  void *event = known != NULL ? (void *)(uintptr_t)known->value : NULL;
  syclze__lock_give(&xpti->lock);
  return event;
}

SYCLZE_COLD bool syclze__trace_place_keep(struct syclze__xpti *xpti, uint64_t place, void *event)
    SYCLZE_LINK_NAME(syclze__trace_place_keep);

/* Makes the event the place's, if it has none. After the node was told, so that no task comes
 * before it: of two threads that come to a place for the first time at once, both tell it. */
SYCLZE_COLD bool syclze__trace_place_keep(struct syclze__xpti *xpti, uint64_t place, void *event) {
  syclze__lock_take(&xpti->lock);
  struct syclze__traced *known = syclze__map_put(&xpti->places, place);
  const bool first = known != NULL && known->value == 0;
  if (first) known->value = SYCLZE__WORD(event);
  syclze__lock_give(&xpti->lock);
  return first;
}

SYCLZE_EXTERN_C_END

#endif

#endif
