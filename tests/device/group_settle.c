/* Release of a buffer whose work status is unknown for lack of memory: under keep it returns an
   error or waits; transferred memory is never freed under work. */
#define _POSIX_C_SOURCE 200809L
#include "support/failing.h"

#include "support/made.h"
#include "support/spy.h"
#include "tests/soon.h"

#include <time.h>

enum { ITEMS = 64, MOST = 20 };

struct world {
  struct given g;
  syclze_device device;
  syclze_context context;
  syclze_queue queues[2]; /* in order, out of order */
  syclze_event gate;
  uint32_t *memory;
  syclze_buffer buffer;
};

static struct world begin(syclze_ownership ownership) {
  given_needs_execution();
  struct world w = {.g = given()};
  void *memory;
  w.device = made_device(&w.g);
  w.context = made_context(&w.g, SYCLZE_OWNERSHIP_KEEP);
  syclze_property_list in_order = {.flags = SYCLZE_QUEUE_PROPERTY_IN_ORDER};
  CHECK_EQ(syclze_queue_create(w.context, w.device, &in_order, &w.queues[0]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_queue_create(w.context, w.device, NULL, &w.queues[1]), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_malloc_shared(ITEMS * sizeof *w.memory, w.device, w.context, &memory),
      ZE_RESULT_SUCCESS);
  w.memory = memset(memory, 0, ITEMS * sizeof *w.memory);
  CHECK_EQ(syclze_event_create(w.context, 0, &w.gate), ZE_RESULT_SUCCESS);
  syclze_buffer_input input = {.native_handle = memory, .ownership = ownership};
  CHECK_EQ(syclze_make_buffer(&input, w.context, &w.buffer), ZE_RESULT_SUCCESS);
  return w;
}

static void end(struct world *w) {
  for (int i = 0; i < 2; i++) {
    CHECK_EQ(syclze_queue_wait(w->queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_release(w->queues[i]), ZE_RESULT_SUCCESS);
  }
  CHECK_EQ(syclze_release(w->gate), ZE_RESULT_SUCCESS);
  CHECK_EQ(syclze_release(w->context), ZE_RESULT_SUCCESS);
  given_end(&w->g);
}

/* A fill of one half on each queue; both wait for the gate. */
static void fill_gated(const struct world *w) {
  const uint32_t seven = 7;
  const size_t half = ITEMS / 2 * sizeof seven;
  for (size_t i = 0; i < 2; i++) {
    syclze_group group = syclze_group_begin(w->queues[i]);
    syclze_group_depends_on(&group, w->gate);
    CHECK_EQ(syclze_group_barrier(&group, NULL), ZE_RESULT_SUCCESS);
    group = syclze_group_begin(w->queues[i]);
    syclze_accessor part =
        syclze_group_require_range(&group, w->buffer, SYCLZE_ACCESS_WRITE, i * half, half);
    CHECK_EQ(syclze_group_fill(&group, syclze_mem_arg(part), &seven, sizeof seven, half, NULL),
        ZE_RESULT_SUCCESS);
  }
}

static void nap(long milliseconds) {
  nanosleep(&(struct timespec){.tv_nsec = milliseconds * 1000 * 1000}, NULL);
}

static void *open_gate_later(void *world) {
  const struct world *w = world;
  nap(50);
  CHECK_EQ(zeEventHostSignal(syclze_get_native(w->gate)), ZE_RESULT_SUCCESS);
  return NULL;
}

static bool is_filled(const struct world *w) {
  return w->memory[0] == 7 && w->memory[ITEMS - 1] == 7;
}

TEST(releasing_a_kept_buffer_waits_or_returns_an_error) {
  bool failed = true;
  for (long n = 1; failed && n < MOST; n++) {
    struct world w = begin(SYCLZE_OWNERSHIP_KEEP);
    pthread_t opener;
    fill_gated(&w);
    CHECK_EQ(pthread_create(&opener, NULL, open_gate_later, &w), 0);
    failing_at(n);
    ze_result_t result = syclze_release(w.buffer);
    failed = failing_end();
    if (result == ZE_RESULT_SUCCESS)
      CHECK(is_filled(&w));
    else
      CHECK_EQ(result, ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY);
    CHECK(failed || result == ZE_RESULT_SUCCESS);
    CHECK_EQ(pthread_join(opener, NULL), 0);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    CHECK_EQ(syclze_free(w.memory, w.context), ZE_RESULT_SUCCESS);
    end(&w);
  }
  CHECK(!failed);
}

/* Objects that were not destroyed stay reachable for leak checkers. */
static void *volatile left[MOST];

TEST(a_transferred_buffer_is_not_freed_under_work) {
  bool failed = true;
  for (long n = 1; failed && n < MOST; n++) {
    struct world w = begin(SYCLZE_OWNERSHIP_TRANSFER);
    pthread_t opener;
    fill_gated(&w);
    left[n] = w.buffer.rep;
    CHECK_EQ(pthread_create(&opener, NULL, open_gate_later, &w), 0);
    failing_at(n);
    ze_result_t result = syclze_release(w.buffer);
    failed = failing_end();
    CHECK(result == ZE_RESULT_SUCCESS || (failed && result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY));
    const bool is_alive = spy_is_alive(SPY_MEMORY, w.memory);
    if (zeEventQueryStatus(syclze_get_native(w.gate)) == ZE_RESULT_NOT_READY) CHECK(is_alive);
    CHECK_EQ(pthread_join(opener, NULL), 0);
    for (int i = 0; i < 2; i++)
      CHECK_EQ(syclze_queue_wait(w.queues[i]), ZE_RESULT_SUCCESS);
    if (result != ZE_RESULT_SUCCESS) {
      CHECK(is_filled(&w));
      CHECK_EQ(syclze_free(w.memory, w.context), ZE_RESULT_SUCCESS);
      /* The buffer remains, and would keep the context. */
      struct syclze__parent *parent = &w.context.rep->parent;
      CHECK_EQ(parent->slow(parent, SYCLZE__CHILD_LEAVE, SYCLZE__POOL_BUFFER, NULL, 0).result,
          ZE_RESULT_SUCCESS);
    }
    /* Without a thread, a later wait finds the work done. */
    CHECK_SOON(
        syclze_queue_wait(w.queues[0]) == ZE_RESULT_SUCCESS && !spy_is_alive(SPY_MEMORY, w.memory));
    end(&w);
  }
  CHECK(!failed);
}

TEST_MAIN(
    releasing_a_kept_buffer_waits_or_returns_an_error, a_transferred_buffer_is_not_freed_under_work)
