#include "commands/stream_registry.h"

#include "events/event_state.h"

#include <pthread.h>
#include <stdlib.h>

struct deferred {
  struct deferred *next;
  void (*release)(void *object);
  void *object;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct zecl_stream *newest;
static uint64_t last_id;
static struct deferred *waiting;
static atomic_size_t waiting_count;

void zecl_stream_register(struct zecl_stream *stream) {
  pthread_mutex_lock(&lock);
  stream->id = ++last_id;
  stream->older = newest;
  if (newest) newest->newer = stream;
  newest = stream;
  pthread_mutex_unlock(&lock);
}

void zecl_stream_unregister(struct zecl_stream *stream) {
  pthread_mutex_lock(&lock);
  if (stream->older) stream->older->newer = stream->newer;
  if (stream->newer)
    stream->newer->older = stream->older;
  else
    newest = stream->older;
  pthread_mutex_unlock(&lock);
}

void zecl_stream_reclaim(struct zecl_stream *stream, bool all) {
  const uint32_t passed = atomic_load(&stream->passed->flag.word);
  while (stream->count) {
    const struct zecl_held held = stream->held[stream->first];
    if (!all && (int32_t)(passed - held.mark) < 0) break;
    stream->first = (stream->first + 1) % stream->capacity;
    stream->count--;
    held.release(held.object);
  }
}

/* Remaining work of a lost device never completes: the stream is idle. */
static bool is_idle(struct zecl_stream *stream) {
  const unsigned submitted = atomic_load(&stream->submitted);
  if (zecl_stream_is_submitting(submitted) || atomic_load(&stream->has_backlog)) return false;
  if (atomic_load(&stream->idle_at) == submitted) return true;
  const ze_result_t status = zecl_engine()->streams->status(stream->queue);
  if (status == ZE_RESULT_SUCCESS) atomic_store(&stream->idle_at, submitted);
  return status != ZE_RESULT_NOT_READY;
}

bool zecl_streams_are_idle(void) {
  bool all = true;
  pthread_mutex_lock(&lock);
  for (struct zecl_stream *stream = newest; stream && all; stream = stream->older)
    all = is_idle(stream);
  pthread_mutex_unlock(&lock);
  return all;
}

bool zecl_streams_are_lost(uint32_t device) {
  bool lost = false;
  pthread_mutex_lock(&lock);
  for (struct zecl_stream *stream = newest; stream && !lost; stream = stream->older) {
    if (device != ZECL_ANY_DEVICE && stream->device != device) continue;
    const ze_result_t status = zecl_engine()->streams->status(stream->queue);
    lost = status != ZE_RESULT_SUCCESS && status != ZE_RESULT_NOT_READY;
  }
  pthread_mutex_unlock(&lock);
  return lost;
}

void zecl_streams_defer(void (*release)(void *object), void *object) {
  struct deferred *deferred = malloc(sizeof *deferred);
  if (!deferred) {
    release(object);
    return;
  }
  *deferred = (struct deferred){.release = release, .object = object};
  pthread_mutex_lock(&lock);
  deferred->next = waiting;
  waiting = deferred;
  pthread_mutex_unlock(&lock);
  atomic_fetch_add(&waiting_count, 1);
  zecl_streams_run_deferred();
}

/* A submission of another thread meanwhile only postpones a release. */
void zecl_streams_run_deferred(void) {
  if (atomic_load_explicit(&waiting_count, memory_order_relaxed) == 0) return;
  pthread_mutex_lock(&lock);
  struct deferred *taken = waiting;
  waiting = NULL;
  pthread_mutex_unlock(&lock);
  const bool idle = zecl_streams_are_idle();
  while (taken) {
    struct deferred *next = taken->next;
    if (idle) {
      taken->release(taken->object);
      free(taken);
      atomic_fetch_sub(&waiting_count, 1);
    } else {
      pthread_mutex_lock(&lock);
      taken->next = waiting;
      waiting = taken;
      pthread_mutex_unlock(&lock);
    }
    taken = next;
  }
}
