/* Events of places in the program: what a place submits is one node, however often it is passed.
 *
 * A place is found by its address, and by what it says where it is come to first: the same line may
 * be in several files, and libraries come and go. */
#ifndef SYCLZE_TRACE_PLACE_H
#define SYCLZE_TRACE_PLACE_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "notify.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE uint64_t syclze__trace_mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 32;
}

SYCLZE_LOCAL uint64_t syclze__trace_hash(uint64_t hash, const char *text) {
  for (; *text != 0; text++)
    hash = syclze__trace_mix(hash, (unsigned char)*text);
  return hash;
}

/* A number for what the thread's place does on a device; 0 where the place is not known, and where
 * each command has an event of its own. `what` stands for the kernel or the action. */
SYCLZE_INLINE uint64_t syclze__trace_place_of(
    const struct syclze__xpti *xpti, uint64_t what, ze_device_handle_t device) {
  const struct syclze__trace_call_site *place = syclze__trace_site();
  if (xpti->current || place == NULL) return 0;
  const uint64_t where = SYCLZE__WORD(place) + 3 * SYCLZE__WORD(place->file) + place->line;
  return syclze__trace_mix(what + 5 * SYCLZE__WORD(device), where * 0xbf58476d1ce4e5b9u) | 1;
}

SYCLZE_COLD void *syclze__trace_place_find(struct syclze__xpti *xpti, uint64_t place)
    SYCLZE_LINK_NAME(syclze__trace_place_find);

/* The event of a place whose node was told; null for none. */
SYCLZE_COLD void *syclze__trace_place_find(struct syclze__xpti *xpti, uint64_t place) {
  syclze__lock_acquire(&xpti->lock);
  const struct syclze__traced *known = syclze__map_find(&xpti->places, place);
  void *event = known != NULL ? (void *)(uintptr_t)known->value : NULL;
  syclze__lock_release(&xpti->lock);
  return event;
}

/* The same; a thread's last one at once. */
SYCLZE_INLINE void *syclze__trace_place_again(
    struct syclze__xpti *xpti, struct syclze__trace_thread *thread, uint64_t place) {
  if (SYCLZE__LIKELY(thread->place == place)) return thread->place_event;
  void *event = syclze__trace_place_find(xpti, place);
  if (event != NULL) {
    thread->place = place;
    thread->place_event = event;
  }
  return event;
}

/* Makes the event the place's, if it has none. After the node was told, so that no task comes
 * before it: of two threads that come to a place for the first time at once, both tell it. */
SYCLZE_LOCAL bool syclze__trace_place_keep(struct syclze__xpti *xpti, uint64_t place, void *event) {
  syclze__lock_acquire(&xpti->lock);
  struct syclze__traced *known = syclze__map_put(&xpti->places, place);
  const bool first = known != NULL && known->value == 0;
  if (first) known->value = SYCLZE__WORD(event);
  syclze__lock_release(&xpti->lock);
  return first;
}

/* The number of the thread's place by its text; 0 where the place is not known. */
SYCLZE_LOCAL uint64_t syclze__trace_place_text(const char *name, ze_device_handle_t device) {
  const struct syclze__trace_call_site *place = syclze__trace_site();
  if (place == NULL) return 0;
  const uint64_t start = syclze__trace_mix(SYCLZE__WORD(device), place->line);
  return syclze__trace_hash(syclze__trace_hash(start, name), place->file) | 1;
}

SYCLZE_EXTERN_C_END

#endif

#endif
