/* State of the recorder: rings of records, and tables of native handles. */
#ifndef SYCLZE_TRACE_STATE_H
#define SYCLZE_TRACE_STATE_H

#include "../tracer.h"
#include "../detail/handle_map.h"
#include "ring.h"

#if SYCLZE__BODIES

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__HANDLE_TIMESTAMPS = 1, /* pools and events */
  SYCLZE__HANDLE_PENDING = 2,    /* events: the command's times were not read yet */
  SYCLZE__HANDLE_IN_ORDER = 4,   /* lists */
  SYCLZE__HANDLE_FREEING = 8     /* memory and images */
};

struct syclze__recorder {
  syclze_tracer tracer; /* first: the callbacks are given its address */
  struct syclze__rings *rings;
  uint64_t commands;              /* appended so far */
  uint64_t memory;                /* bytes in use */
  uint64_t computed;              /* images whose size is by their descriptors */
  syclze__mutex lock;             /* of all that follows, and the counts */
  struct syclze__map allocations; /* value: bytes */
  struct syclze__map images;      /* value: bytes */
  struct syclze__map kernels;     /* name */
  struct syclze__map pools;       /* flags */
  struct syclze__map events;      /* value: the command that signals it; other: its list; name */
  struct syclze__map lists;       /* value: its last command; other: its device, or its queue */
  struct syclze__map queues;      /* other: of a list that a queue executes, the queue */
  struct syclze__map devices;     /* of lists (syclze__device_clock) */
  struct syclze__map sites;       /* name; by function, kernel and place, mixed (submissions.h) */
  struct syclze__map tracks;      /* name of a queue or a kernel, by the application (marks.h) */
  struct syclze__map names;       /* name of kernels and submissions, each once; by its hash */
};

/* An argument of the call, of type `type`, numbered from 0 in the order of ze_api.h. */
#define SYCLZE__ARGUMENT(call, number, type)                                                       \
  (*(type const *)((const void *const *)(call)->arguments)[number])
#define SYCLZE__HANDLE(call, number) ((uint64_t)(uintptr_t)SYCLZE__ARGUMENT(call, number, void *))

SYCLZE_INLINE uint64_t syclze__recorder_mix(uint64_t key, uint64_t word) {
  key = (key ^ word) * 0x9e3779b97f4a7c15u;
  return key ^ key >> 29;
}

SYCLZE_LOCAL const char *syclze__recorder_intern(
    struct syclze__recorder *recorder, const char *name) {
  struct syclze__map_entry *entry;
  uint64_t key = 1;
  for (const char *c = name; *c != 0; c++)
    key = syclze__recorder_mix(key, (unsigned char)*c);
  do
    entry = syclze__map_put(&recorder->names, key++ | 1);
  while (entry != NULL && entry->name != NULL && strcmp(entry->name, name) != 0);
  char *copy = entry != NULL && entry->name == NULL ? (char *)malloc(strlen(name) + 1) : NULL;
  if (copy != NULL) entry->name = strcpy(copy, name);
  return entry != NULL && entry->name != NULL ? entry->name : "(no memory for a name)";
}

SYCLZE_EXTERN_C_END

#endif

#endif
