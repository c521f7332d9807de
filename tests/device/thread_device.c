/* Eight threads on one context: events, queues, memory, and the release of the context. */
#include "support/made.h"
#include "support/spy.h"

#include <pthread.h>

enum { THREADS = 8, ROUNDS = 100 };

/* Shared data, and data of each thread. */
struct shared {
  struct given g;
  syclze_context context;
  syclze_device device;
  syclze_event event;
  syclze_queue queue;
};

struct worker {
  pthread_t thread;
  const struct shared *shared;
  syclze_platform platform;
  syclze_device device;
};

static void run_threads(
    struct worker workers[THREADS], const struct shared *shared, void *(*work)(void *)) {
  for (int i = 0; i < THREADS; i++) {
    workers[i].shared = shared;
    CHECK_EQ(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(workers[i].thread, NULL), 0);
}

static void *enumerate(void *argument) {
  struct worker *worker = argument;
  const struct given *g = &worker->shared->g;
  CHECK_EQ(syclze_make_device(g->device, &worker->device), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_make_platform(g->driver, &worker->platform), ZE_RESULT_SUCCESS);
  return NULL;
}

/* Runs first, before any enumeration; all threads get the same result. */
TEST(all_threads_enumerate_first) {
  struct shared shared = {.g = given()};
  struct worker workers[THREADS];
  run_threads(workers, &shared, enumerate);
  for (int i = 0; i < THREADS; i++) {
    CHECK_EQ(workers[i].device.rep, workers[0].device.rep);
    CHECK_EQ(workers[i].platform.rep, workers[0].platform.rep);
    CHECK_EQ(syclze_device_get_platform(workers[i].device).rep, workers[0].platform.rep);
  }
  given_end(&shared.g);
}

static struct shared begin(void) {
  struct shared s = {.g = given()};
  s.context = made_context(&s.g, SYCLZE_OWNERSHIP_TRANSFER);
  s.device = made_device(&s.g);
  s.queue = made_queue(&s.g, s.context, syclze_native_queue_of(s.g.list), SYCLZE_OWNERSHIP_KEEP);
  CHECK_EQ(syclze_event_create(s.context, 0, &s.event), ZE_RESULT_SUCCESS);
  spy_count_only();
  return s;
}

/* Checks counts: given_end does not track handles that were only counted. */
static void end(struct shared *s) {
  CHECK_EQ(zeEventPoolDestroy(s->g.pool), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_event_release(s->event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_release(s->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandListDestroy(s->g.list), ZE_RESULT_SUCCESS);
  CHECK_EQ(zeCommandQueueDestroy(s->g.queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_context_release(s->context), ZE_RESULT_SUCCESS);
  spy_end();
}

static void *use_events(void *argument) {
  const struct shared *s = ((struct worker *)argument)->shared;
  syclze_event events[3];
  for (int round = 0, count = check_repeats(ROUNDS); round < count; round++) {
    for (uint32_t i = 0; i < 3; i++) {
      CHECK_EQ(syclze_event_create(s->context, i % 2, &events[i]), ZE_RESULT_SUCCESS);
      ze_event_handle_t native = syclze_event_get_native(events[i]);
      CHECK_EQ(zeEventQueryStatus(native), ZE_RESULT_NOT_READY);
      CHECK_EQ(zeEventHostSignal(native), ZE_RESULT_SUCCESS);
      CHECK_EQ(zeEventHostSynchronize(native, UINT64_MAX), ZE_RESULT_SUCCESS);
    }
    for (int i = 0; i < 3; i++)
      CHECK_EQ(syclze_event_release(events[i]), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

TEST(events_are_created_signalled_and_released) {
  struct shared s = begin();
  struct worker workers[THREADS];
  run_threads(workers, &s, use_events);
  end(&s);
}

/* Native events from a pool per thread, as Level Zero requires, each wrapped and transferred. */
static void *wrap_events(void *argument) {
  struct worker *worker = argument;
  const struct shared *s = worker->shared;
  ze_event_pool_desc_t pool_desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
      .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
      .count = 1};
  ze_event_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
  ze_event_pool_handle_t pool;
  ze_device_handle_t device = s->g.device;
  CHECK_EQ(zeEventPoolCreate(syclze_context_get_native(s->context), &pool_desc, 1, &device, &pool),
      ZE_RESULT_SUCCESS);
  for (int round = 0, count = check_repeats(ROUNDS); round < count; round++) {
    ze_event_handle_t native;
    CHECK_EQ(zeEventCreate(pool, &desc, &native), ZE_RESULT_SUCCESS);
    syclze_event_input input = {.native_handle = native};
    syclze_event event;
    CHECK_EQ(syclze_make_event(&input, s->context, &event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_retain(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeEventHostSignal(syclze_event_get_native(event)), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(zeEventPoolDestroy(pool), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(events_are_wrapped_and_destroyed) {
  struct shared s = begin();
  struct worker workers[THREADS];
  run_threads(workers, &s, wrap_events);
  CHECK_EQ(spy_alive(SPY_EVENT_POOL), 2);
  end(&s);
}

/* One created and one wrapped queue per round. */
static void *use_queues(void *argument) {
  const struct shared *s = ((struct worker *)argument)->shared;
  for (int round = 0, count = check_repeats(ROUNDS / 4); round < count; round++) {
    ze_command_list_handle_t list = given_list(&s->g);
    syclze_queue_input input = {.native_handle = syclze_native_queue_of(list), .device = s->device};
    syclze_queue queues[2];
    syclze_event event;
    CHECK_EQ(syclze_make_queue(&input, s->context, &queues[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_queue_create(s->context, s->device, NULL, &queues[1]), ZE_RESULT_SUCCESS);
    for (int i = 0; i < 2; i++) {
      CHECK_EQ(syclze_event_create(s->context, 0, &event), ZE_RESULT_SUCCESS);
      ze_event_handle_t native = syclze_event_get_native(event);
      CHECK_EQ(zeCommandListAppendSignalEvent(syclze_queue_get_native(queues[i]).list, native),
          ZE_RESULT_SUCCESS);
      CHECK_EQ(zeEventHostSynchronize(native, UINT64_MAX), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
      CHECK_EQ(syclze_queue_release(queues[i]), ZE_RESULT_SUCCESS);
    }
  }
  return NULL;
}

TEST(queues_are_made_used_and_released) {
  struct shared s = begin();
  struct worker workers[THREADS];
  run_threads(workers, &s, use_queues);
  CHECK_EQ(spy_alive(SPY_LIST), 1);
  end(&s);
}

/* References and native handles of shared objects. */
static void *share(void *argument) {
  const struct shared *s = ((struct worker *)argument)->shared;
  for (int round = 0, count = check_repeats(10 * ROUNDS); round < count; round++) {
    CHECK_EQ(syclze_retain(s->context), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_retain(s->queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_retain(s->event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_get_native(s->context), s->g.context);
    CHECK_EQ(syclze_get_native(s->queue).list, s->g.list);
    CHECK_EQ(zeEventQueryStatus(syclze_get_native(s->event)), ZE_RESULT_NOT_READY);
    CHECK_EQ(syclze_release(s->event), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(s->queue), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(s->context), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

TEST(objects_are_shared_between_threads) { // shows backend 80
  struct shared s = begin();
  struct worker workers[THREADS];
  run_threads(workers, &s, share);
  CHECK_EQ(spy_destroys(), 0);
  end(&s);
}

/* Each thread drops its own references; the last one destroys, on any thread. */
static void *drop(void *argument) {
  const struct shared *s = ((struct worker *)argument)->shared;
  CHECK_EQ(syclze_release(s->queue), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(s->event), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(s->context), ZE_RESULT_SUCCESS);
  return NULL;
}

TEST(any_thread_may_drop_the_last_reference) {
  for (int round = 0, count = check_repeats(ROUNDS); round < count; round++) {
    struct shared s = {.g = given()};
    spy_count_only();
    CHECK_EQ(zeEventPoolDestroy(s.g.pool), ZE_RESULT_SUCCESS);
    CHECK_EQ(zeCommandQueueDestroy(s.g.queue), ZE_RESULT_SUCCESS);
    s.context = made_context(&s.g, SYCLZE_OWNERSHIP_TRANSFER);
    s.queue =
        made_queue(&s.g, s.context, syclze_native_queue_of(s.g.list), SYCLZE_OWNERSHIP_TRANSFER);
    CHECK_EQ(syclze_event_create(s.context, 0, &s.event), ZE_RESULT_SUCCESS);
    for (int i = 1; i < THREADS; i++) {
      syclze_retain(s.context);
      syclze_retain(s.queue);
      syclze_retain(s.event);
    }
    struct worker workers[THREADS];
    run_threads(workers, &s, drop);
    CHECK_EQ(spy_alive_in_all(), 0);
    spy_end();
  }
}

/* Allocations are per thread. */
static void *allocate(void *argument) {
  const struct shared *s = ((struct worker *)argument)->shared;
  for (int round = 0, count = check_repeats(ROUNDS); round < count; round++) {
    void *memory[2];
    CHECK_EQ(syclze_malloc_host(256, s->context, &memory[0]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_malloc_shared(256, s->device, s->context, &memory[1]), ZE_RESULT_SUCCESS);
    memset(memory[0], round, 256);
    memset(memory[1], round + 1, 256);
    CHECK_EQ(*(unsigned char *)memory[0], (unsigned char)round);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_free(memory[i], s->context), ZE_RESULT_SUCCESS);
  }
  return NULL;
}

TEST(memory_is_allocated_and_freed) {
  struct shared s = begin();
  struct worker workers[THREADS];
  run_threads(workers, &s, allocate);
  CHECK_EQ(spy_alive(SPY_MEMORY), 0);
  end(&s);
}

TEST_MAIN(all_threads_enumerate_first, events_are_created_signalled_and_released,
    events_are_wrapped_and_destroyed, queues_are_made_used_and_released,
    objects_are_shared_between_threads, any_thread_may_drop_the_last_reference,
    memory_is_allocated_and_freed)
