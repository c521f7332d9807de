/* Wait lists: events, and their native handles as Level Zero takes them. */
#ifndef SYCLZE_COMMAND_DETAIL_WAIT_LIST_H
#define SYCLZE_COMMAND_DETAIL_WAIT_LIST_H

#include "../../event.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__wait_list {
  struct syclze__event **events; /* each with a reference */
  ze_event_handle_t *natives;
  uint32_t count, room;
};

/* How many of the last entries are searched for an event that is added again. */
enum { SYCLZE__WAIT_LIST_LOOKS = 8 };

SYCLZE_INLINE void syclze__event_release(struct syclze__event *rep) {
  syclze_event event = {rep};
  syclze_event_release(event);
}

/* Replaces an event reference. Null is allowed. */
SYCLZE_INLINE void syclze__event_assign(
    struct syclze__event **reference, struct syclze__event *event) {
  struct syclze__event *before = *reference;
  if (event != NULL) syclze__ref_retain(&event->ref);
  *reference = event;
  if (before != NULL) syclze__event_release(before);
}

/* True once the event is signalled. A query that fails leaves that unknown. */
SYCLZE_INLINE bool syclze__event_is_signalled(const struct syclze__event *event) {
  return SYCLZE__ZE(zeEventQueryStatus)(event->native) == ZE_RESULT_SUCCESS;
}

#if SYCLZE__BODIES

SYCLZE_LOCAL bool syclze__wait_list_grow(struct syclze__wait_list *list) {
  const uint32_t room = list->room != 0 ? 2 * list->room : 8;
  struct syclze__event **events =
      (struct syclze__event **)realloc((void *)list->events, room * sizeof *events);
  if (events != NULL) list->events = events;
  ze_event_handle_t *natives = (ze_event_handle_t *)realloc(list->natives, room * sizeof *natives);
  if (natives != NULL) list->natives = natives;
  if (events == NULL || natives == NULL) return false;
  list->room = room;
  return true;
}

/* Adds an event, with a reference. */
SYCLZE_LOCAL_WARM ze_result_t syclze__wait_list_add(
    struct syclze__wait_list *list, struct syclze__event *event) {
  for (uint32_t i = list->count; i > 0 && list->count - i < SYCLZE__WAIT_LIST_LOOKS; i--)
    if (list->events[i - 1] == event) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(list->count == list->room) && !syclze__wait_list_grow(list))
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  syclze__ref_retain(&event->ref);
  list->natives[list->count] = event->native;
  list->events[list->count++] = event;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_LOCAL void syclze__wait_list_clear(struct syclze__wait_list *list) {
  while (list->count > 0)
    syclze__event_release(list->events[--list->count]);
}

SYCLZE_LOCAL void syclze__wait_list_free(struct syclze__wait_list *list) {
  syclze__wait_list_clear(list);
  free((void *)list->events);
  free(list->natives);
  memset(list, 0, sizeof *list);
}

#endif

SYCLZE_EXTERN_C_END

#endif
