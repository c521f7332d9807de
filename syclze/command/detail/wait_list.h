/* Wait lists: events, and their native handles as Level Zero takes them. */
#ifndef SYCLZE_COMMAND_DETAIL_WAIT_LIST_H
#define SYCLZE_COMMAND_DETAIL_WAIT_LIST_H

#include "../../event.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__WAIT_LIST_FEW = 8,
  SYCLZE__WAIT_LIST_LOOKS = 8 /* how many of the last entries are compared with a new one */
};

struct syclze__wait_list {
  struct syclze__event **events; /* each with a reference */
  ze_event_handle_t *natives;
  uint32_t count, room;
  struct syclze__event *few_events[SYCLZE__WAIT_LIST_FEW];
  ze_event_handle_t few_natives[SYCLZE__WAIT_LIST_FEW];
};

/* Drops a reference of the library's own, which traces do not show. */
SYCLZE_INLINE void syclze__event_release(struct syclze__event *rep) {
  syclze_event event = {rep};
  syclze__event_release_impl(event);
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

SYCLZE_INLINE void syclze__wait_list_init(struct syclze__wait_list *list) {
  list->events = list->few_events;
  list->natives = list->few_natives;
  list->count = 0;
  list->room = SYCLZE__WAIT_LIST_FEW;
}

SYCLZE_INLINE void syclze__wait_list_free_arrays(struct syclze__wait_list *list) {
  if (SYCLZE__LIKELY(list->events == list->few_events)) return;
  free((void *)list->events);
  free(list->natives);
}

SYCLZE_LOCAL bool syclze__wait_list_grow(struct syclze__wait_list *list) {
  const uint32_t room = 2 * list->room;
  struct syclze__event **events = (struct syclze__event **)malloc(room * sizeof *events);
  ze_event_handle_t *natives = (ze_event_handle_t *)malloc(room * sizeof *natives);
  if (events == NULL || natives == NULL) {
    free((void *)events);
    free(natives);
    return false;
  }
  for (uint32_t i = 0; i < list->count; i++) {
    events[i] = list->events[i];
    natives[i] = list->natives[i];
  }
  syclze__wait_list_free_arrays(list);
  list->events = events;
  list->natives = natives;
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

/* Keeps the first `count` events. */
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
