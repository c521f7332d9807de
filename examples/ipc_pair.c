/* How do two processes hand over device memory in turns, and survive each other's death? By two
   events of a pool that both have opened: queues signal them and wait for them, and no message is
   sent. The first process does it with two others, and the latter is asked to die in its turn. */
#include "common.h"
#include "syclze/command.h"
#include "syclze/command/event_sync.h"
#include "syclze/ipc.h"
#include "syclze/setup.h"
#include "syclze/syclze.h"

#include <sys/wait.h>
#include <unistd.h>

enum { TURNS = 8, SECOND = 1000000000 };
static const uint64_t patience = 60ull * SECOND;

struct side {
  syclze_setup setup;
  syclze_event mine, theirs;
  int *number; /* in device memory that both have */
};

static void side_begin(struct side *side) {
  const syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  TRY(syclze_setup_create((syclze_device){0}, &in_order, &side->setup));
}

static ze_result_t put(const struct side *side, int value) {
  TRY(syclze_queue_copy(side->setup.queue, side->number, &value, sizeof value, NULL, 0, NULL));
  return syclze_queue_wait(side->setup.queue);
}

static int get(const struct side *side) {
  int value;
  TRY(syclze_queue_copy(side->setup.queue, &value, side->number, sizeof value, NULL, 0, NULL));
  TRY(syclze_queue_wait(side->setup.queue));
  return value;
}

/* Adds one to what the other process left, and hands over. Nothing waits for the other process but
   the limited wait. */
static ze_result_t turn(const struct side *side, uint64_t nanoseconds) {
  const ze_result_t result = syclze_event_wait_for(side->theirs, nanoseconds);
  if (result != ZE_RESULT_SUCCESS) return result;
  TRY(syclze_event_reset(side->theirs));
  TRY(put(side, get(side) + 1));
  TRY(syclze_queue_signal_event(side->setup.queue, side->mine, NULL, 0, NULL));
  return syclze_queue_wait(side->setup.queue);
}

/* Another process: it takes its turns, or dies in the third one, and ends without a word. */
static void second(int input, bool dies) {
  struct side side = {0};
  syclze_ipc_handle handles[2];
  syclze_ipc_event_pool pool;
  syclze_ipc_memory memory;
  if (read(input, handles, sizeof handles) != sizeof handles) return; /* nothing is shared */
  side_begin(&side);
  TRY(syclze_ipc_event_pool_open(&handles[0], side.setup.context, &pool));
  TRY(syclze_ipc_memory_open(&handles[1], 0, side.setup.device, side.setup.context, &memory));
  TRY(syclze_ipc_event_pool_get_event(pool, 1, &side.mine));
  TRY(syclze_ipc_event_pool_get_event(pool, 0, &side.theirs));
  side.number = syclze_ipc_memory_get_pointer(memory);
  for (int i = 0; i < TURNS; i++) {
    if (dies && i == 2) {
      TRY(syclze_event_wait_for(side.theirs, patience));
      _exit(0);
    }
    TRY(turn(&side, patience));
  }
  TRY(syclze_release(side.mine, side.theirs, memory, pool));
  TRY(syclze_setup_release(&side.setup));
}

/* The other process is gone with its turn: work that waits for its event goes on once this process
   signals that. */
static void go_on(const struct side *side) {
  syclze_event done;
  TRY(syclze_queue_submit_barrier_after(side->setup.queue, &side->theirs, 1, &done));
  CLAIM(syclze_event_wait_for(done, SECOND / 10) == ZE_RESULT_NOT_READY);
  TRY(syclze_event_signal(side->theirs));
  TRY(syclze_event_wait_for(done, patience));
  TRY(syclze_release(done));
}

static void first(struct side *side, int output, pid_t other, bool dies) {
  const syclze_setup *setup = &side->setup;
  syclze_ipc_event_pool pool;
  syclze_ipc_memory exported;
  TRY(syclze_malloc_device(sizeof(int), setup->device, setup->context, (void **)&side->number));
  TRY(put(side, 0));
  TRY(syclze_ipc_event_pool_create(setup->context, 2, &pool));
  TRY(syclze_ipc_memory_export(side->number, 0, setup->context, &exported));
  TRY(syclze_ipc_event_pool_get_event(pool, 0, &side->mine));
  TRY(syclze_ipc_event_pool_get_event(pool, 1, &side->theirs));
  const syclze_ipc_handle handles[2] = {
      syclze_ipc_event_pool_get_handle(pool), syclze_ipc_memory_get_handle(exported)};
  CLAIM(write(output, handles, sizeof handles) == sizeof handles);
  TRY(syclze_event_signal(side->mine)); /* the first turn is the other one's */
  for (int i = 0; i < (dies ? 2 : TURNS); i++)
    TRY(turn(side, patience));
  CLAIM(waitpid(other, NULL, 0) == other);
  if (dies) go_on(side);
  printf("%s: %d\n", dies ? "with one that died" : "in turns", get(side));
  CLAIM(get(side) == (dies ? 4 : 2 * TURNS));
  TRY(syclze_release(side->mine, side->theirs, exported, pool));
  TRY(syclze_free(side->number, setup->context));
}

int main(void) {
  struct side side = {0};
  pid_t others[2];
  int outputs[2];
  for (int dies = 0; dies < 2; dies++) { /* before Level Zero is used */
    int ends[2];
    CLAIM(pipe(ends) == 0 && (others[dies] = fork()) >= 0);
    close(ends[others[dies] == 0]);
    outputs[dies] = ends[1];
    if (others[dies] != 0) continue;
    if (dies) close(outputs[0]);
    second(ends[0], dies);
    return 0;
  }
  side_begin(&side);
  ze_ipc_property_flags_t support;
  TRY(syclze_ipc_get_support(syclze_device_get_platform(side.setup.device), &support));
  const bool shares = (support & ZE_IPC_PROPERTY_FLAG_MEMORY) != 0 &&
                      (support & ZE_IPC_PROPERTY_FLAG_EVENT_POOL) != 0;
  for (int dies = 0; dies < 2; dies++) {
    if (shares) first(&side, outputs[dies], others[dies], dies);
    close(outputs[dies]);
  }
  TRY(syclze_setup_release(&side.setup));
  puts(shares ? "OK" : "OK: the driver shares no events or no memory");
  return 0;
}
