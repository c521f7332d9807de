#include "forget.h"

#include "syclze/syclze.h"

void forget_state(void) {
  struct syclze__state *state = &SYCLZE__STATE;
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
}
