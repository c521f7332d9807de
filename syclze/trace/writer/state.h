/* What a trace knows while it records: its rings, and tables of native handles. */
#ifndef SYCLZE_TRACE_TRACED_H
#define SYCLZE_TRACE_TRACED_H

#include "../detail/ze_tracer.h"
#include "../detail/handle_map.h"
#include "ring.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__TRACED_TIMESTAMPS = 1, /* pools and events */
  SYCLZE__TRACED_PENDING = 2,    /* events: its command's times were not read yet */
  SYCLZE__TRACED_IN_ORDER = 4,   /* lists */
  SYCLZE__TRACED_FREEING = 8     /* memory and images */
};

struct syclze__trace {
  syclze_calls_listener listener; /* first: the callbacks are given its address */
  struct syclze__rings *rings;
  uint64_t commands;              /* appended so far */
  uint64_t missed;                /* of them, those without times on the device */
  uint64_t memory;                /* bytes in use */
  uint64_t computed;              /* images whose size is of their descriptors */
  pthread_mutex_t lock;           /* of all that follows, and of the counts */
  struct syclze__map allocations; /* value: bytes */
  struct syclze__map images;      /* value: bytes */
  struct syclze__map kernels;     /* name */
  struct syclze__map pools;       /* flags */
  struct syclze__map events;      /* value: the command that signals it; other: its list; name */
  struct syclze__map lists;       /* value: its last command; other: its device, or its queue */
  struct syclze__map queues;      /* other: of a list that a queue executes, the queue */
  struct syclze__map devices;     /* of lists; see syclze__trace_clock */
  struct syclze__map sites;       /* name; by function, kernel and place, mixed (submissions.h) */
  struct syclze__trace_name *names;
};

/* Names of kernels and submissions, each once. */
struct syclze__trace_name {
  struct syclze__trace_name *next;
  char text[1]; /* as long as it is */
};

/* An argument of the call, counted from 0 as ze_api.h does; its type is `type`. */
#define SYCLZE__ARGUMENT(call, number, type)                                                       \
  (*(type const *)((const void *const *)(call)->arguments)[number])
#define SYCLZE__HANDLE(call, number) ((uint64_t)(uintptr_t)SYCLZE__ARGUMENT(call, number, void *))

SYCLZE_LOCAL const char *syclze__trace_intern(struct syclze__trace *trace, const char *name) {
  for (struct syclze__trace_name *known = trace->names; known != NULL; known = known->next)
    if (strcmp(known->text, name) == 0) return known->text;
  const size_t length = strlen(name);
  struct syclze__trace_name *added = (struct syclze__trace_name *)malloc(sizeof *added + length);
  if (added == NULL) return "(no memory for a name)";
  memcpy(added->text, name, length + 1);
  added->next = trace->names;
  trace->names = added;
  return added->text;
}

SYCLZE_EXTERN_C_END

#endif
