/* Open events, and the submissions that they defer.
 *
 * An event is open while a host task that will signal it has not ended, or its submission is
 * deferred: no command of the device signals it yet. A native command that waited for an open event
 * would block its list ahead of the commands that the host task appends there, and deadlock. So
 * dependents of open events are deferred (deferred.h) until the last of them is closed.
 *
 * |           event_open                        add_dependent
 * |  closed -------------> open, no dependents ---------------> open, dependents --+
 * |    ^  ^                  |    |                                   |     ^      | add_dependent
 * |    |  |   event_unopen   |    |                                   |     +------+
 * |    |  +------------------+    |                                   |
 * |    +--------------------------+-----------------------------------+
 * | event_close: one open event fewer for each dependent
 *
 * The event of a recorded group is neither open nor closed: it has no native event (graph/event.h).
 *
 * Lock-free: dependents are pushed onto the event's list one by one, and removed all at once. Any
 * linked image may close an event: `ready` is a function of the image that deferred. */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_OPEN_EVENT_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_OPEN_EVENT_H

#include "wait_list.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__deferral {
  uint32_t open; /* open events that it waits for, plus one until all are counted */
  void (*ready)(struct syclze__deferral *deferral);
};

/* An entry of an open event's list; owned by its deferral. */
struct syclze__dependent {
  struct syclze__dependent *next;
  struct syclze__deferral *deferral;
};

#if SYCLZE__BODIES

/* The end of an open event's list. */
#define SYCLZE__DEPENDENTS_END ((struct syclze__dependent *)(uintptr_t)1)

SYCLZE_INLINE bool syclze__event_is_open(const struct syclze__event *event) {
  return __atomic_load_n(&event->dependents, __ATOMIC_ACQUIRE) != NULL;
}

SYCLZE_INLINE bool syclze__event_has_no_dependents(const struct syclze__event *event) {
  return __atomic_load_n(&event->dependents, __ATOMIC_RELAXED) == SYCLZE__DEPENDENTS_END;
}

/* True if an event of the list is open. */
SYCLZE_INLINE bool syclze__wait_list_is_open(const struct syclze__wait_list *list) {
  for (uint32_t i = 0; SYCLZE__UNLIKELY(list->was_open) && i < list->count; i++)
    if (syclze__event_is_open(list->events[i])) return true;
  return false;
}

/* Opens an event without dependents; false if it is open already. */
SYCLZE_INLINE bool syclze__event_open(struct syclze__event *event) {
  struct syclze__dependent *closed = NULL;
  return __atomic_compare_exchange_n(&event->dependents, &closed, SYCLZE__DEPENDENTS_END, false,
      __ATOMIC_RELAXED, __ATOMIC_RELAXED);
}

/* Closes an event without dependents. */
SYCLZE_INLINE void syclze__event_unopen(struct syclze__event *event) {
  SYCLZE__ASSERT(!syclze__event_is_open(event) || syclze__event_has_no_dependents(event));
  SYCLZE__CHECK_CLOSED(event);
  __atomic_store_n(&event->dependents, NULL, __ATOMIC_RELAXED);
}

/* Adds a dependent; false once the event is closed. */
SYCLZE_LOCAL_WARM bool syclze__event_add_dependent(
    struct syclze__event *event, struct syclze__dependent *dependent) {
  struct syclze__dependent *first = __atomic_load_n(&event->dependents, __ATOMIC_ACQUIRE);
  do {
    if (first == NULL) return false;
    SYCLZE__ASSERT(first != SYCLZE__DEPENDENTS_RECORDED);
    dependent->next = first;
  } while (!__atomic_compare_exchange_n(
      &event->dependents, &first, dependent, true, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE));
  return true;
}

/* Counts one open event fewer. The deferral may be freed afterwards. */
SYCLZE_LOCAL void syclze__deferral_advance(struct syclze__deferral *deferral) {
  if (__atomic_sub_fetch(&deferral->open, 1, __ATOMIC_ACQ_REL) == 0) deferral->ready(deferral);
}

/* Advances the dependents of a closed event, linked from the last to the first, in the order in
 * which they were submitted. */
SYCLZE_LOCAL void syclze__dependents_advance(struct syclze__dependent *last) {
  struct syclze__dependent *list = NULL;
  while (last != NULL && last != SYCLZE__DEPENDENTS_END) {
    struct syclze__dependent *before = last->next;
    last->next = list;
    list = last;
    last = before;
  }
  while (list != NULL) {
    struct syclze__dependent *next = list->next;
    syclze__deferral_advance(list->deferral);
    list = next;
  }
}

/* Closes the event, which is signalled, or which a command of the device will signal. */
SYCLZE_LOCAL void syclze__event_close(struct syclze__event *event) {
  SYCLZE__ASSERT(!syclze__event_is_recorded(event));
  if (__atomic_load_n(&event->dependents, __ATOMIC_RELAXED) == NULL) return;
  SYCLZE__CHECK_CLOSED(event);
  syclze__dependents_advance(__atomic_exchange_n(&event->dependents, NULL, __ATOMIC_ACQ_REL));
}

/* Marks the context of an event that will never be signalled as lost. */
SYCLZE_LOCAL void syclze__event_lose(struct syclze__event *event, ze_result_t result) {
  __atomic_store_n(
      &syclze__event_pools_there(event->context)->lost, (uint32_t)result, __ATOMIC_RELEASE);
  syclze__event_close(event);
}

#endif

SYCLZE_EXTERN_C_END

#endif
