/* Several threads allocate and free memory of one pool and of a default one, each by its own queue,
   and free each other's. */
#include "support/made.h"

#include "syclze/async_memory.h"

#include <pthread.h>

enum { THREADS = 4, ROUNDS = 40, ITEMS = 256, SIZE = ITEMS * 4 };

#define OK ZE_RESULT_SUCCESS

struct thread {
  pthread_t thread;
  syclze_queue queue;
  syclze_memory_pool pool;
  void *left;        /* for the next thread to free */
  syclze_event done; /* of the work on that */
  uint32_t value;
};

/* Fills memory that no other queue may use by now, and reads it. */
static void use(const struct thread *thread, void *memory, uint32_t value) {
  uint32_t result[ITEMS] = {0};
  syclze_event event;
  CHECK_EQ(syclze_queue_fill(thread->queue, memory, &value, sizeof value, SIZE, NULL, 0, NULL), OK);
  CHECK_EQ(syclze_queue_copy(thread->queue, result, memory, SIZE, NULL, 0, &event), OK);
  CHECK_EQ(syclze_event_wait(event), OK);
  CHECK_EQ(syclze_release(event), OK);
  for (int i = 0; i < ITEMS; i++)
    CHECK_EQ(result[i], value);
}

static void *allocate(void *argument) {
  struct thread *thread = argument;
  const int rounds = check_repeats(ROUNDS);
  for (int i = 0; i < rounds; i++) {
    const uint32_t value = thread->value + (uint32_t)i;
    void *first, *second;
    CHECK_EQ(
        syclze_malloc_async_from_pool(thread->queue, SIZE, thread->pool, &first, NULL, 0, NULL),
        OK);
    CHECK_EQ(
        syclze_malloc_async(thread->queue, ZE_MEMORY_TYPE_DEVICE, SIZE, &second, NULL, 0, NULL),
        OK);
    use(thread, first, value);
    CHECK_EQ(syclze_free_async(thread->queue, first, NULL, 0, NULL), OK);
    use(thread, second, value + 1);
    CHECK_EQ(syclze_free_async(thread->queue, second, NULL, 0, NULL), OK);
    CHECK(syclze_memory_pool_get_used_size(thread->pool) <= THREADS * SIZE);
  }
  CHECK_EQ(syclze_malloc_async_from_pool(
               thread->queue, SIZE, thread->pool, &thread->left, NULL, 0, NULL),
      OK);
  CHECK_EQ(syclze_queue_fill(thread->queue, thread->left, &thread->value, sizeof thread->value,
               SIZE, NULL, 0, &thread->done),
      OK);
  CHECK_EQ(syclze_release(thread->pool), OK);
  return NULL;
}

static void *free_left(void *argument) {
  struct thread *thread = argument;
  CHECK_EQ(syclze_free_async(thread->queue, thread->left, &thread->done, 1, NULL), OK);
  CHECK_EQ(syclze_release(thread->done), OK);
  CHECK_EQ(syclze_release(thread->queue), OK);
  return NULL;
}

/* `at` runs on each thread. */
static void run(struct thread *threads, void *(*at)(void *)) {
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_create(&threads[i].thread, NULL, at, &threads[i]), 0);
  for (int i = 0; i < THREADS; i++)
    CHECK_EQ(pthread_join(threads[i].thread, NULL), 0);
}

TEST(threads_allocate_from_one_pool) { // shows async_memory 12
  given_needs_execution();
  struct given g = given();
  const syclze_memory_pool_properties some = {.initial_threshold = 2 * SIZE};
  const syclze_device device = made_device(&g);
  const syclze_context context = made_context(&g, SYCLZE_OWNERSHIP_KEEP);
  const uint32_t kind = SYCLZE_QUEUE_PROPERTY_IN_ORDER;
  struct thread threads[THREADS], turned[THREADS];
  syclze_memory_pool pool;
  CHECK_EQ(syclze_memory_pool_create(ZE_MEMORY_TYPE_DEVICE, device, context, &some, &pool), OK);
  for (int i = 0; i < THREADS; i++) {
    threads[i] = (struct thread){.pool = pool, .value = 1000 * (uint32_t)i};
    made_queues(context, device, &kind, &threads[i].queue, 1);
    CHECK_EQ(syclze_memory_pool_retain(pool), OK);
  }
  run(threads, allocate);
  CHECK_EQ(syclze_memory_pool_get_used_size(pool) >= THREADS * SIZE, true);
  CHECK_EQ(syclze_release(pool), OK);
  for (int i = 0; i < THREADS; i++) {
    turned[i] = threads[i];
    turned[i].queue = threads[(i + 1) % THREADS].queue;
  }
  run(turned, free_left);
  CHECK_EQ(syclze_release(context), OK);
  given_end(&g);
}

TEST_MAIN(threads_allocate_from_one_pool)
