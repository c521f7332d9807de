#undef SYCLZE_DECLARATIONS
#include "forget.h"

#include "syclze/detail/sycl/runtime.h"
#include "syclze/syclze.h"

static uint32_t settled;

unsigned work_settle(void) {
  const struct syclze__workers *workers = &SYCLZE__STATE.workers;
  if (workers->count > 0 || workers->first != NULL) syclze__workers_end();
  const unsigned ended = workers->ended - settled;
  settled = workers->ended;
  return ended;
}

static void forget_devices(struct syclze__device *first) {
  while (first != NULL) {
    struct syclze__device *device = first;
    first = device->next;
    free(device);
  }
}

void forget_state(void) {
  struct syclze__state *state = &SYCLZE__STATE;
  work_settle();
  while (state->platforms != NULL) {
    struct syclze__platform *platform = state->platforms;
    state->platforms = platform->next;
    forget_devices(platform->devices);
    forget_devices(platform->composites);
    free(platform);
  }
#if SYCLZE_HAS_THREAD_CACHE
  while (state->threads != NULL) {
    struct syclze__thread *thread = state->threads;
    state->threads = thread->next;
    free(thread->memory);
  }
  syclze__own_thread_set(&SYCLZE__NO_THREAD);
#endif
  for (int kind = 0; kind < SYCLZE__POOL_KINDS; kind++)
    while (state->pools[kind].newest != NULL) {
      struct syclze__slab *slab = state->pools[kind].newest;
      state->pools[kind].newest = slab->older;
      free(slab);
    }
  if (state->sycl != NULL) free(state->sycl->joins);
  free(state->sycl);
  memset(state, 0, sizeof *state);
  settled = 0;
}
