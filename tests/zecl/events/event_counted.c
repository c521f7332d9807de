#include "events/event_counted.h"

#include <pthread.h>

/* Of the `latest` of all events. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

struct zecl_event *zecl_event_seen(struct zecl_event *event) {
  if (!event->is_counted) {
    zecl_object_retain(event);
    return event;
  }
  pthread_mutex_lock(&lock);
  struct zecl_event *latest = event->latest;
  if (latest) zecl_object_retain(latest);
  pthread_mutex_unlock(&lock);
  return latest;
}

struct zecl_event *zecl_event_next(const struct zecl_event *event) {
  struct zecl_event *next = zecl_object_create(ZECL_EVENT, sizeof *next);
  if (!next) return NULL;
  zecl_object_kill(next, ZECL_EVENT); /* no handle of anybody's */
  next->state = &next->own;
  next->has_timestamps = event->has_timestamps;
  return next;
}

void zecl_event_advance(struct zecl_event *event, struct zecl_event *next) {
  pthread_mutex_lock(&lock);
  struct zecl_event *before = event->latest;
  event->latest = next;
  pthread_mutex_unlock(&lock);
  if (before) zecl_event_release(before);
}
