/* A fence: a flag that a queue sets when it has run what was submitted with it. */
#ifndef ZECL_EVENTS_FENCE_H
#define ZECL_EVENTS_FENCE_H

#include "core/object.h"
#include "events/event.h"

struct zecl_fence {
  struct zecl_object object;
  struct zecl_event_state *state; /* the one below, or where streams write it */
  struct zecl_event_state own;
};

static inline struct zecl_fence *zecl_fence_of(ze_fence_handle_t handle) {
  return (struct zecl_fence *)(void *)handle;
}

void zecl_fence_release(struct zecl_fence *fence);

#endif
