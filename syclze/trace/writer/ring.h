/* The records of a trace, in one ring for each thread.
 *
 * Recording takes no lock and formats nothing: it stores six words in the thread's ring. A full
 * ring overwrites its oldest records, and counts them. All rings together take at most
 * SYCLZE_TRACE_MEMORY MiB (default 256; the environment is read at the start), and a ring of
 * SYCLZE__RING_LEAST records for each further thread that runs at the same time. The first thread's
 * ring is a quarter of that, the next one's a quarter of the rest, and so on. An unwritten ring
 * takes address space only. A new thread takes over the ring of one that has ended, with its
 * records.
 *
 * A snapshot may be taken while other threads record: records that they overwrite meanwhile are
 * left out. */
#ifndef SYCLZE_TRACE_RING_H
#define SYCLZE_TRACE_RING_H

#include "../../detail/sync/clock.h"
#include "../detail/thread.h"

#include <stdlib.h>
#include <string.h>

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

struct syclze__trace_call_site;

enum syclze__record_kind {
  SYCLZE__RECORD_CALL = 1, /* a call or a submission on the host; value: nanoseconds */
  SYCLZE__RECORD_COMMAND,  /* an appended command; value: 0; id, track */
  SYCLZE__RECORD_DEVICE,   /* a command's run on the device, or the scope of a host accessor; value:
                              nanoseconds; id, track */
  SYCLZE__RECORD_TASK,     /* a host task's run; value: nanoseconds; id, track */
  SYCLZE__RECORD_EDGE,     /* command `id` ends before command `value` begins */
  SYCLZE__RECORD_MEMORY    /* value: bytes in use from now on */
};

struct syclze__record {
  uint64_t start; /* in nanoseconds of the system's monotonic clock */
  uint64_t value;
  const char *name; /* lives as long as the program; null where the kind has none */
  uint64_t id;      /* of a command, from 1 */
  uint64_t track;   /* the queue or command list */
  uint32_t kind;
  uint32_t thread; /* from 1, in the order of their first records */
};

/* The track of host accessors, which have no queue; smaller than any handle. */
enum { SYCLZE__TRACK_HOST = 1 };

enum { SYCLZE__RING_LEAST = 4096, SYCLZE__RING_MOST = 1 << 26, SYCLZE__RECORDER_MEMORY = 256 };

struct syclze__ring {
  struct syclze__ring *next;
  uint64_t mask;    /* the number of records, less one */
  uint64_t written; /* in all; the last record is at (written - 1) & mask */
  uint32_t thread;  /* that has the ring now */
  uint32_t owned;   /* by a thread that runs */
  bool is_quiet;    /* the thread's calls are the recorder's own, with its lock held */
  struct syclze__record *records;
  /* The thread's submission (submissions.h). */
  const struct syclze__trace_call_site *site; /* of the running call; null for unknown */
  uint64_t first_call;     /* when its first call of Level Zero began; 0 for none yet */
  const char *submission;  /* its name; null while nothing is submitted */
  uint64_t submitted_from; /* when the submission began */
};

struct syclze__rings {
  struct syclze__ring *first; /* a list that only grows */
  uint64_t memory_left;       /* bytes */
  uint64_t lost;              /* records of threads that got no ring */
  uint32_t threads;
  uint32_t stopped; /* nothing is recorded any more */
  syclze__mutex lock;
};

/* The calling thread's ring, found or created; null without memory. */
SYCLZE_COLD struct syclze__ring *syclze__ring_take(struct syclze__rings *rings)
    SYCLZE_LINK_NAME(syclze__ring_take);

SYCLZE_INLINE struct syclze__ring *syclze__ring_mine(struct syclze__rings *rings) {
  struct syclze__ring *ring = syclze__trace_thread_own()->ring;
  return SYCLZE__LIKELY(ring != NULL) ? ring : syclze__ring_take(rings);
}

/* Adds a record. Each word is stored with release, and read with acquire: a reader of any word of a
 * record also sees how far the ring was written before it. */
SYCLZE_INLINE void syclze__record_add(struct syclze__rings *rings, enum syclze__record_kind kind,
    const char *name, uint64_t start, uint64_t value, uint64_t id, uint64_t track) {
  if (SYCLZE__UNLIKELY(__atomic_load_n(&rings->stopped, __ATOMIC_RELAXED))) return;
  struct syclze__ring *ring = syclze__ring_mine(rings);
  if (SYCLZE__UNLIKELY(ring == NULL)) return;
  const uint64_t written = ring->written;
  struct syclze__record *record = &ring->records[written & ring->mask];
  __atomic_store_n(&record->start, start, __ATOMIC_RELEASE);
  __atomic_store_n(&record->value, value, __ATOMIC_RELEASE);
  __atomic_store_n(&record->name, name, __ATOMIC_RELEASE);
  __atomic_store_n(&record->id, id, __ATOMIC_RELEASE);
  __atomic_store_n(&record->track, track, __ATOMIC_RELEASE);
  __atomic_store_n(&record->kind, (uint32_t)kind, __ATOMIC_RELEASE);
  __atomic_store_n(&record->thread, ring->thread, __ATOMIC_RELEASE);
  __atomic_store_n(&ring->written, written + 1, __ATOMIC_RELEASE);
}

/* The records so far, by start, without the `lost` ones. */
struct syclze__snapshot {
  struct syclze__record *records;
  size_t count;
  uint64_t lost;
};

/* Creates the rings, of at most `mebibytes`; null without memory. */
SYCLZE_LOCAL struct syclze__rings *syclze__rings_new(uint64_t mebibytes) {
  struct syclze__rings *rings = (struct syclze__rings *)calloc(1, sizeof *rings);
  if (rings == NULL) return NULL;
  if (!syclze__trace_threads_begin()) {
    free(rings);
    return NULL;
  }
  rings->memory_left = mebibytes << 20;
  syclze__mutex_init(&rings->lock);
  return rings;
}

/* Frees the rings. No thread may record any more, and other threads that did have ended. */
SYCLZE_LOCAL void syclze__rings_free(struct syclze__rings *rings) {
  struct syclze__ring *ring = rings->first;
  while (ring != NULL) {
    struct syclze__ring *next = ring->next;
    free(ring->records);
    free(ring);
    ring = next;
  }
  struct syclze__trace_thread *thread = syclze__trace_thread_own();
  if (thread->ring != NULL) {
    thread->ring = NULL;
    thread->ring_owned = NULL;
  }
  syclze__mutex_destroy(&rings->lock);
  free(rings);
}

/* Creates a ring, of a quarter of the memory left. */
SYCLZE_LOCAL struct syclze__ring *syclze__ring_new(struct syclze__rings *rings) {
  uint64_t capacity = SYCLZE__RING_LEAST;
  while (capacity < SYCLZE__RING_MOST &&
         2 * capacity * sizeof(struct syclze__record) <= rings->memory_left / 4)
    capacity *= 2;
  struct syclze__ring *ring = (struct syclze__ring *)calloc(1, sizeof *ring);
  if (ring == NULL) return NULL;
  ring->records = (struct syclze__record *)calloc((size_t)capacity, sizeof(struct syclze__record));
  if (ring->records == NULL) {
    free(ring);
    return NULL;
  }
  ring->mask = capacity - 1;
  const uint64_t bytes = capacity * sizeof(struct syclze__record);
  rings->memory_left -= bytes < rings->memory_left ? bytes : rings->memory_left;
  ring->next = rings->first;
  __atomic_store_n(&rings->first, ring, __ATOMIC_RELEASE);
  return ring;
}

SYCLZE_COLD struct syclze__ring *syclze__ring_take(struct syclze__rings *rings) {
  struct syclze__trace_thread *thread = syclze__trace_thread_require();
  if (thread != NULL && thread->ring != NULL) return thread->ring;
  syclze__mutex_lock(&rings->lock);
  struct syclze__ring *ring = thread != NULL ? rings->first : NULL;
  while (ring != NULL && __atomic_load_n(&ring->owned, __ATOMIC_ACQUIRE))
    ring = ring->next;
  if (thread != NULL && ring == NULL) ring = syclze__ring_new(rings);
  if (ring != NULL) {
    ring->owned = 1;
    ring->site = NULL;
    ring->submission = NULL;
    ring->thread = ++rings->threads;
    thread->ring = ring;
    thread->ring_owned = &ring->owned;
  } else {
    rings->lost++;
  }
  syclze__mutex_unlock(&rings->lock);
  return ring;
}

SYCLZE_LOCAL int syclze__record_compare(const void *a, const void *b) {
  const struct syclze__record *x = (const struct syclze__record *)a;
  const struct syclze__record *y = (const struct syclze__record *)b;
  if (x->start != y->start) return x->start < y->start ? -1 : 1;
  return x->value > y->value ? -1 : x->value < y->value; /* the outer span first */
}

/* Adds the records of one ring, whose owner may be writing, and takes their places from the room.
 */
SYCLZE_LOCAL void syclze__snapshot_add(
    struct syclze__snapshot *snapshot, const struct syclze__ring *ring, uint64_t *room) {
  const uint64_t capacity = ring->mask + 1;
  uint64_t written = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE);
  uint64_t first = written > capacity ? written - capacity : 0;
  if (written - first > *room) written = first + *room; /* records since the room was measured */
  *room -= written - first;
  struct syclze__record *to = snapshot->records + snapshot->count;
  for (uint64_t i = first; i < written; i++) {
    const struct syclze__record *from = &ring->records[i & ring->mask];
    struct syclze__record *copy = &to[i - first];
    copy->start = __atomic_load_n(&from->start, __ATOMIC_ACQUIRE);
    copy->value = __atomic_load_n(&from->value, __ATOMIC_ACQUIRE);
    copy->name = __atomic_load_n(&from->name, __ATOMIC_ACQUIRE);
    copy->id = __atomic_load_n(&from->id, __ATOMIC_ACQUIRE);
    copy->track = __atomic_load_n(&from->track, __ATOMIC_ACQUIRE);
    copy->kind = __atomic_load_n(&from->kind, __ATOMIC_ACQUIRE);
    copy->thread = __atomic_load_n(&from->thread, __ATOMIC_ACQUIRE);
  }
  /* Record `now` may be half written, in the place of record `now` - capacity. */
  const uint64_t now = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE);
  uint64_t torn = now >= capacity ? now - capacity + 1 : 0;
  if (torn > written) torn = written;
  if (torn > first) {
    memmove(to, to + (torn - first), (size_t)(written - torn) * sizeof *to);
    first = torn;
  }
  snapshot->count += (size_t)(written - first);
  snapshot->lost += first;
}

/* Takes a snapshot; false without memory. The caller frees `records`. */
SYCLZE_LOCAL bool syclze__snapshot_take(
    struct syclze__rings *rings, struct syclze__snapshot *snapshot) {
  memset(snapshot, 0, sizeof *snapshot);
  syclze__mutex_lock(&rings->lock);
  snapshot->lost = rings->lost;
  uint64_t room = 0;
  for (struct syclze__ring *ring = rings->first; ring != NULL; ring = ring->next) {
    const uint64_t written = __atomic_load_n(&ring->written, __ATOMIC_ACQUIRE);
    room += written <= ring->mask ? written + SYCLZE__RING_LEAST : ring->mask + 1;
  }
  snapshot->records =
      (struct syclze__record *)malloc((size_t)(room + 1) * sizeof *snapshot->records);
  if (snapshot->records != NULL) {
    for (struct syclze__ring *ring = rings->first; ring != NULL; ring = ring->next)
      syclze__snapshot_add(snapshot, ring, &room);
  }
  syclze__mutex_unlock(&rings->lock);
  if (snapshot->records == NULL) return false;
  qsort(snapshot->records, snapshot->count, sizeof *snapshot->records, syclze__record_compare);
  return true;
}

SYCLZE_EXTERN_C_END

#endif

#endif
