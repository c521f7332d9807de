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
#if SYCLZE_HAS_THREAD_CACHE
  while (state->threads != NULL) {
    struct syclze__thread *thread = state->threads;
    state->threads = thread->next;
    free(thread->memory);
  }
  SYCLZE__THREAD = &SYCLZE__NO_THREAD;
#endif
  for (int kind = 0; kind < SYCLZE__POOL_KINDS; kind++)
    while (state->pools[kind].newest != NULL) {
      struct syclze__slab *slab = state->pools[kind].newest;
      state->pools[kind].newest = slab->older;
      free(slab);
    }
  memset(state, 0, sizeof *state);
}
