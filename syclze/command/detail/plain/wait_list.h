/* Wait lists: events, and their native handles as Level Zero takes them. */
#ifndef SYCLZE_COMMAND_DETAIL_PLAIN_WAIT_LIST_H
#define SYCLZE_COMMAND_DETAIL_PLAIN_WAIT_LIST_H

#include "../../../event.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__WAIT_LIST_FEW = 8,
  SYCLZE__WAIT_LIST_LOOKS = 8, /* last entries that a new one is compared with */
  SYCLZE__WAIT_LIST_WORDS = 4  /* of the filter of addresses */
};

struct syclze__wait_list {
  struct syclze__event **events; /* each with a reference */
  ze_event_handle_t *natives;    /* in the same allocation, if there is one */
  uint32_t count, room;
  bool was_open;                          /* one of the events, when it was added */
  uint64_t seen[SYCLZE__WAIT_LIST_WORDS]; /* without an event's bit it is not in the list */
  struct syclze__event *few_events[SYCLZE__WAIT_LIST_FEW];
  ze_event_handle_t few_natives[SYCLZE__WAIT_LIST_FEW];
};

/* True if the event is known to be signalled: false too if the query fails. */
SYCLZE_INLINE bool syclze__event_is_signalled(const struct syclze__event *event) {
  return SYCLZE__ZE(zeEventQueryStatus)(event->native) == ZE_RESULT_SUCCESS;
}

#if SYCLZE__BODIES

/* Drops a reference of the library's own, which traces do not show. */
SYCLZE_LOCAL_WARM void syclze__event_release(struct syclze__event *rep) {
  syclze_event event = {rep};
  syclze__event_release_impl(event);
}

/* Replaces a reference to an event. Null is allowed. */
SYCLZE_LOCAL_WARM void syclze__event_assign(
    struct syclze__event **reference, struct syclze__event *event) {
  struct syclze__event *before = *reference;
  if (event != NULL) syclze__ref_retain(&event->ref);
  *reference = event;
  if (before != NULL) syclze__event_release(before);
}

SYCLZE_INLINE void syclze__wait_list_init(struct syclze__wait_list *list) {
  list->events = list->few_events;
  list->natives = list->few_natives;
  list->count = 0;
  list->room = SYCLZE__WAIT_LIST_FEW;
  list->was_open = false;
  memset(list->seen, 0, sizeof list->seen);
}

SYCLZE_INLINE void syclze__wait_list_free_arrays(struct syclze__wait_list *list) {
  if (SYCLZE__UNLIKELY(list->events != list->few_events)) free((void *)list->events);
}

/* Makes room for `room` events in all; false without memory. */
SYCLZE_LOCAL bool syclze__wait_list_grow(struct syclze__wait_list *list, uint32_t room) {
  const size_t each = sizeof *list->events + sizeof *list->natives;
  struct syclze__event **events = (struct syclze__event **)malloc(room * each);
  if (events == NULL) return false;
  ze_event_handle_t *natives = (ze_event_handle_t *)(void *)(events + room);
  memcpy((void *)events, (const void *)list->events, list->count * sizeof *events);
  memcpy((void *)natives, (const void *)list->natives, list->count * sizeof *natives);
  syclze__wait_list_free_arrays(list);
  list->events = events;
  list->natives = natives;
  list->room = room;
  return true;
}

/* Makes room for `more` events. */
SYCLZE_INLINE ze_result_t syclze__wait_list_reserve(struct syclze__wait_list *list, uint32_t more) {
  if (SYCLZE__UNLIKELY(more > list->room - list->count) &&
      !syclze__wait_list_grow(list, list->count + more))
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return ZE_RESULT_SUCCESS;
}

/* The word of the filter that has the event's bit. */
SYCLZE_INLINE uint64_t *syclze__wait_list_seen(
    struct syclze__wait_list *list, const struct syclze__event *event) {
  return &list->seen[(uintptr_t)event / SYCLZE__SLOT_LINE / 64 % SYCLZE__WAIT_LIST_WORDS];
}

SYCLZE_INLINE uint64_t syclze__wait_list_bit(const struct syclze__event *event) {
  return (uint64_t)1 << (uintptr_t)event / SYCLZE__SLOT_LINE % 64;
}

/* Adds an event, with a reference, to a list with room. */
SYCLZE_INLINE ze_result_t syclze__wait_list_put(
    struct syclze__wait_list *list, struct syclze__event *event) {
  const uint32_t count = list->count;
  *syclze__wait_list_seen(list, event) |= syclze__wait_list_bit(event);
  syclze__ref_retain(&event->ref);
  /* No event is opened again once it is shared. */
  if (SYCLZE__UNLIKELY(__atomic_load_n(&event->dependents, __ATOMIC_ACQUIRE) != NULL))
    list->was_open = true;
  list->natives[count] = event->native;
  list->events[count] = event;
  list->count = count + 1;
  return ZE_RESULT_SUCCESS;
}

/* Slow path of syclze__wait_list_add: the event may be in the list, or the list has no room. */
SYCLZE_LOCAL ze_result_t syclze__wait_list_add_other(
    struct syclze__wait_list *list, struct syclze__event *event) {
  for (uint32_t i = list->count; i > 0 && list->count - i < SYCLZE__WAIT_LIST_LOOKS; i--)
    if (list->events[i - 1] == event) return ZE_RESULT_SUCCESS;
  if (list->count == list->room && !syclze__wait_list_grow(list, 4 * list->room))
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  return syclze__wait_list_put(list, event);
}

/* Adds an event, with a reference, unless it is one of the last in the list. */
SYCLZE_LOCAL_WARM ze_result_t syclze__wait_list_add(
    struct syclze__wait_list *list, struct syclze__event *event) {
  if (SYCLZE__UNLIKELY(list->count == list->room) ||
      SYCLZE__UNLIKELY((*syclze__wait_list_seen(list, event) & syclze__wait_list_bit(event)) != 0))
    return syclze__wait_list_add_other(list, event);
  return syclze__wait_list_put(list, event);
}

/* Removes all but the first `count` events. */
SYCLZE_LOCAL void syclze__wait_list_truncate(struct syclze__wait_list *list, uint32_t count) {
  while (list->count > count)
    syclze__event_release(list->events[--list->count]);
}

SYCLZE_INLINE void syclze__wait_list_end(struct syclze__wait_list *list) {
  if (SYCLZE__UNLIKELY(list->count != 0)) syclze__wait_list_truncate(list, 0);
  syclze__wait_list_free_arrays(list);
}

#endif

SYCLZE_EXTERN_C_END

#endif
