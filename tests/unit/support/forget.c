#include "forget.h"

#include "syclze/syclze.h"

static uint32_t settled;

unsigned work_settle(void) {
  const struct syclze__workers *workers = &SYCLZE__STATE.workers;
  if (workers->count > 0 || workers->first != NULL) syclze__workers_end();
  const unsigned ended = workers->ended - settled;
  settled = workers->ended;
  return ended;
}

void forget_state(void) {
  struct syclze__state *state = &SYCLZE__STATE;
  work_settle();
  while (state->platforms != NULL) {
    struct syclze__platform *platform = state->platforms;
    state->platforms = platform->next;
    while (platform->devices != NULL) {
      struct syclze__device *device = platform->devices;
      platform->devices = device->next;
      free(device);
    }
    free(platform);
  }
  for (int kind = 0; kind < SYCLZE__POOL_KINDS; kind++)
    for (int slab = 0; slab < SYCLZE__SLABS; slab++)
      free(state->pools[kind].slab[slab]);
  memset(state, 0, sizeof *state);
  settled = 0;
}
