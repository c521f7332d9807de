#include "events/event_state.h"

#include "engine/engine.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16, PAGE = 4096 };

union slot {
  struct zecl_event_state state;
  union slot *next; /* while it is free */
};

struct chunk {
  struct chunk *older;
  void *origin; /* by which it would be freed */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static union slot *spare;
static struct chunk *newest;

static void add_chunk(void) {
  ze_result_t error;
  struct chunk *chunk = malloc(sizeof *chunk);
  if (!chunk) return;
  union slot *slots =
      zecl_engine()->memory->allocate(0, ZE_MEMORY_TYPE_HOST, CHUNK, PAGE, &chunk->origin, &error);
  if (!slots) {
    free(chunk);
    return;
  }
  chunk->older = newest;
  newest = chunk;
  for (size_t i = 0; i < CHUNK / sizeof *slots; i++) {
    slots[i].next = spare;
    spare = &slots[i];
  }
}

struct zecl_event_state *zecl_event_state_take(void) {
  pthread_mutex_lock(&lock);
  if (!spare) add_chunk();
  union slot *slot = spare;
  if (slot) spare = slot->next;
  pthread_mutex_unlock(&lock);
  if (!slot) return NULL;
  memset(slot, 0, sizeof *slot);
  slot->state.flag.is_polled = true;
  return &slot->state;
}

void zecl_event_state_give(struct zecl_event_state *state) {
  union slot *slot = (union slot *)(void *)state;
  pthread_mutex_lock(&lock);
  slot->next = spare;
  spare = slot;
  pthread_mutex_unlock(&lock);
}
