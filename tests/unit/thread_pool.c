/* Pools with the caches of threads, enabled under sanitizers too. A slot belongs to one thread at a
   time, and each object takes lines of its own. */
#undef SYCLZE_DECLARATIONS
#define SYCLZE_HAS_POOLS 1
#include "support/memory.h"
#include "support/threads.h"
#include "syclze/detail/memory/pool.h"
#include "tests/check.h"

struct item {
  struct syclze__slot slot;
  unsigned taken; /* number of concurrent owners */
  unsigned uses;  /* not atomic, so that a race is detected */
};

static struct syclze__pool *const pool = &SYCLZE__STATE.pools[SYCLZE__POOL_TRACE];

static struct item *take(void) {
  return (struct item *)syclze__pool_acquire(pool, sizeof(struct item));
}

static void give(struct item *item) {
  syclze__pool_release(&item->slot);
}

static unsigned slabs(void) {
  unsigned count = 0;
  for (struct syclze__slab *slab = pool->newest; slab != NULL; slab = slab->older)
    count++;
  return count;
}

static unsigned blocks(void) {
  unsigned count = 0;
  for (struct syclze__thread *thread = SYCLZE__STATE.threads; thread != NULL; thread = thread->next)
    count++;
  return count;
}

/* The first enumeration does this in a program. */
__attribute__((constructor)) static void begin(void) {
  syclze__threads_enable();
}

static void empty_pool(void) {
  while (pool->newest != NULL) {
    struct syclze__slab *slab = pool->newest;
    pool->newest = slab->older;
    free(slab);
  }
#if SYCLZE_HAS_THREAD_CACHE
  while (SYCLZE__STATE.threads != NULL) {
    struct syclze__thread *thread = SYCLZE__STATE.threads;
    SYCLZE__STATE.threads = thread->next;
    free(thread->memory);
  }
  syclze__own_thread_set(&SYCLZE__NO_THREAD);
#endif
  memset(&SYCLZE__STATE, 0, sizeof SYCLZE__STATE);
  syclze__threads_enable();
}

TEST(a_returned_object_is_reused_unchanged) {
  struct item *first = take(), *second = take();
  CHECK(first != second);
  CHECK_EQ((uintptr_t)first % 64, 0);
  first->uses = 42;
  give(first);
  CHECK_EQ(take(), first);
  CHECK_EQ(first->uses, 42);
  give(first);
  give(second);
  CHECK_EQ(take(), second);
  CHECK_EQ(take(), first);
  empty_pool();
}

/* Lists of single objects, returned one after the other. */
TEST(returned_objects_join_those_that_are_free) {
  struct syclze__slot *slots[4];
  uint32_t count;
  for (int i = 0; i < 4; i++) {
    slots[i] = syclze__pool_pop(pool, sizeof(struct item), 1, &count);
    CHECK_EQ(count, 1);
  }
  slots[0]->next = slots[1];
  slots[1]->next = slots[2];
  slots[2]->next = slots[3]->next = NULL;
  syclze__pool_push(slots[0], false);
  syclze__pool_push(slots[3], false);
  struct syclze__slot *slot = syclze__pool_pop(pool, sizeof(struct item), 4, &count);
  CHECK_EQ(count, 4);
  unsigned found = 0;
  for (; slot != NULL; slot = slot->next)
    for (unsigned i = 0; i < 4; i++)
      found |= (unsigned)(slot == slots[i]) << i;
  CHECK_EQ(found, 15);
  empty_pool();
}

#if SYCLZE_HAS_THREAD_CACHE
static unsigned allocated;

static void count_allocation(void) {
  allocated++;
}

/* Pairs of cache lines, with others of its own before and behind. */
TEST(the_block_of_a_thread_shares_no_line) {
  const size_t size = (sizeof(struct syclze__thread) + 127) / 128 * 128 + 128;
  empty_pool();
  allocated = 0;
  memory_interrupt(size, count_allocation);
  const struct syclze__thread *thread = syclze__thread_require();
  CHECK_EQ(allocated, 1);
  CHECK_EQ((uintptr_t)thread % 128, 0);
  CHECK((const char *)thread > (const char *)thread->memory);
  CHECK((const char *)(thread + 1) <= (const char *)thread->memory + size);
  empty_pool();
}
#else
TEST(the_block_of_a_thread_shares_no_line) {
  SKIP("threads have no blocks");
}
#endif

TEST(warm_pools_do_not_allocate) {
  struct item *items[100];
  for (int round = 0; round < 3; round++) {
    unsigned callocs = memory_callocs();
    for (int i = 0; i < 100; i++)
      items[i] = take();
    if (round != 0) CHECK_EQ(memory_callocs(), callocs);
    for (int i = 0; i < 100; i++)
      give(items[i]);
  }
  empty_pool();
}

TEST(a_million_objects_are_distinct) {
  const unsigned many = (unsigned)check_repeats(1000000);
  struct item **items = (struct item **)malloc(many * sizeof *items);
  CHECK(items != NULL);
  give(take()); /* makes the thread's block */
  long live = memory_live() - (long)slabs();
  for (unsigned i = 0; i < many; i++) {
    items[i] = take();
    CHECK(items[i] != NULL);
    items[i]->uses = i;
  }
  CHECK_EQ(memory_live() - live, slabs());
  CHECK(slabs() < 20);
  for (unsigned i = 0; i < many; i++)
    CHECK_EQ(items[i]->uses, i);
  for (unsigned i = 0; i < many; i++)
    give(items[i]);
  live = memory_live();
  for (unsigned i = 0; i < many; i++)
    CHECK(take() != NULL);
  CHECK_EQ(memory_live(), live);
  free(items);
  empty_pool();
}

static unsigned vacant_chunks(void) {
  unsigned count = 0;
  for (struct syclze__slab *slab = pool->newest; slab != NULL; slab = slab->older)
    count += slab->vacant;
  return count;
}

/* All free objects of a pool, and each in one list. */
static unsigned count_free(void) {
  unsigned count = 0;
  for (struct syclze__slot *slot = pool->free; slot != NULL; slot = slot->next)
    count++;
  for (struct syclze__slot *batch = pool->batches; batch != NULL;
       batch = (struct syclze__slot *)(void *)batch->pool) {
    unsigned in_batch = 0;
    for (struct syclze__slot *slot = batch; slot != NULL; slot = slot->next)
      in_batch++;
    CHECK_EQ(in_batch, SYCLZE__BATCH);
    count += in_batch;
  }
  return count;
}

TEST(the_pages_of_free_objects_are_returned_and_used_again) { // shows promises 33
#ifndef __linux__
  SKIP("pages are returned on Linux");
#endif
  enum { MANY = 50000, HELD = 40 };
  struct item **items = (struct item **)malloc(MANY * sizeof *items);
  CHECK(items != NULL);
  for (unsigned i = 0; i < MANY; i++) {
    items[i] = take();
    items[i]->uses = i + 1;
  }
  const unsigned slabs_before = slabs();
  for (unsigned i = HELD; i < MANY; i++)
    give(items[i]);
  syclze__pools_trim();
  CHECK_EQ(count_free(), pool->free_count);
  CHECK(pool->free_count < 2 * SYCLZE__POOL_KEPT);
  CHECK(vacant_chunks() > 0);
  /* A released slot stays readable, and those in use are what they were. */
  unsigned zero = 0;
  for (unsigned i = 0; i < MANY; i++)
    if (i < HELD)
      CHECK_EQ(items[i]->uses, i + 1);
    else
      zero += items[i]->uses == 0 && items[i]->slot.pool == NULL;
  CHECK(zero > MANY - 4 * SYCLZE__POOL_KEPT);
  for (unsigned i = HELD; i < MANY; i++) {
    items[i] = take();
    CHECK_EQ(items[i]->slot.pool, pool);
    items[i]->uses = i + 1;
  }
  CHECK_EQ(slabs(), slabs_before);
  for (unsigned i = 0; i < MANY; i++)
    CHECK_EQ(items[i]->uses, i + 1);
  free(items);
  empty_pool();
}

TEST(acquire_returns_null_when_allocation_fails) {
  struct item *items[SYCLZE__SLAB_FIRST];
#if SYCLZE_HAS_THREAD_CACHE
  syclze__thread_require();
#endif
  memory_fail(1);
  CHECK_EQ(take(), NULL);
  CHECK(memory_failed());
  for (int i = 0; i < SYCLZE__SLAB_FIRST; i++)
    CHECK((items[i] = take()) != NULL);
  memory_fail(1);
  CHECK_EQ(take(), NULL);
  give(items[0]);
  CHECK_EQ(take(), items[0]);
  memory_fail(0);
  CHECK(take() != NULL);
  empty_pool();
}

/* Each object then comes from the pool, and returns to it. */
TEST(a_thread_without_memory_for_a_block_has_no_cache) {
  if (!SYCLZE_HAS_THREAD_CACHE) SKIP("no thread has a cache in this configuration");
  memory_fail(1);
  struct item *item = take();
  CHECK(memory_failed());
  CHECK(item != NULL);
  CHECK_EQ(blocks(), 0);
  memory_fail(1);
  give(item);
  CHECK_EQ(pool->free, &item->slot);
  memory_fail(0);
  empty_pool();
}

TEST(an_object_outside_all_slabs_is_freed) {
  long live = memory_live();
  struct item *item = (struct item *)calloc(1, sizeof *item);
  CHECK(item != NULL);
  give(item);
  CHECK_EQ(memory_live(), live);
}

TEST(an_object_of_another_image_returns_to_its_pool) {
  static struct syclze__pool other;
  struct item *item = (struct item *)syclze__pool_acquire_lasting(&other, sizeof *item);
  CHECK(item != NULL);
  give(item);
  CHECK_EQ(other.free, &item->slot);
  syclze__pool_release_to(
      pool, (struct syclze__slot *)syclze__pool_acquire_lasting(&other, sizeof *item));
  CHECK_EQ(other.free, &item->slot);
  free(other.newest);
  empty_pool();
}

static void take_and_give(unsigned thread) {
  struct item *items[40];
  unsigned seed = thread + 1;
  for (int round = 0; round < 2000; round++) {
    seed = seed * 1103515245u + 12345u;
    unsigned count = 1 + (seed >> 16) % 40;
    for (unsigned i = 0; i < count; i++) {
      items[i] = take();
      CHECK(items[i] != NULL);
      CHECK_EQ(__atomic_fetch_add(&items[i]->taken, 1, __ATOMIC_RELAXED), 0);
      items[i]->uses++;
    }
    for (unsigned i = 0; i < count; i++) {
      CHECK_EQ(__atomic_fetch_sub(&items[i]->taken, 1, __ATOMIC_RELAXED), 1);
      give(items[i]);
    }
  }
}

TEST(eight_threads_share_a_pool) {
  threads_run(take_and_give);
  /* Each thread keeps less than two batches, besides what it has taken. */
  unsigned count = blocks();
  CHECK(count <= 8);
  struct item *item;
  unsigned idle = 0;
  for (struct syclze__thread *thread = SYCLZE__STATE.threads; thread != NULL; thread = thread->next)
    for (struct syclze__slot *slot = thread->caches[SYCLZE__POOL_TRACE].free; slot != NULL;
         slot = slot->next) {
      item = (struct item *)(void *)slot;
      CHECK_EQ(item->taken, 0);
      idle++;
    }
  CHECK(idle >= 40 || !SYCLZE_HAS_THREAD_CACHE);
  CHECK(idle <= count * SYCLZE__BATCH);
  empty_pool();
}

static void take_many_and_give(unsigned thread) {
  enum { MANY = 3000 };
  struct item **items = (struct item **)malloc(MANY * sizeof *items);
  CHECK(items != NULL);
  for (int round = 0, rounds = check_repeats(20); round < rounds; round++) {
    for (unsigned i = 0; i < MANY; i++) {
      items[i] = take();
      CHECK(items[i] != NULL);
      __atomic_store_n(&items[i]->taken, thread + 1, __ATOMIC_RELAXED);
    }
    for (unsigned i = 0; i < MANY; i++) {
      CHECK_EQ(__atomic_load_n(&items[i]->taken, __ATOMIC_RELAXED), thread + 1);
      give(items[i]);
    }
    syclze__pools_trim();
  }
  free(items);
}

/* Objects that a trim leaves share their chunk with an object outside the pool, or their slab has
 * no chunks. Their number depends on the order of the threads. */
static unsigned free_in_whole_chunks(void) {
  unsigned count = 0;
  for (const struct syclze__slab *slab = pool->newest; slab != NULL; slab = slab->older)
    for (uint32_t at = 0; at < slab->begun; at++) {
      const uintptr_t chunk = (uintptr_t)slab->chunks + (uintptr_t)at * SYCLZE__CHUNK;
      unsigned in_pool = 0;
      if (slab->free[at] == SYCLZE__VACANT) continue;
      for (struct syclze__slot *slot = pool->free; slot != NULL; slot = slot->next)
        in_pool += (uintptr_t)slot - chunk < SYCLZE__CHUNK;
      for (struct syclze__slot *batch = pool->batches; batch != NULL;
           batch = (struct syclze__slot *)(void *)batch->pool)
        for (struct syclze__slot *slot = batch; slot != NULL; slot = slot->next)
          in_pool += (uintptr_t)slot - chunk < SYCLZE__CHUNK;
      count += in_pool == slab->in_chunk;
    }
  return count;
}

TEST(eight_threads_trim_a_pool_that_they_use) { // shows promises 33
  threads_run(take_many_and_give);
  __atomic_fetch_or(&SYCLZE__STATE.trims, 1u << SYCLZE__POOL_TRACE, __ATOMIC_RELAXED);
  syclze__pools_trim();
  CHECK_EQ(count_free(), pool->free_count);
  CHECK_EQ(free_in_whole_chunks(), 0);
  empty_pool();
}

static void grow(unsigned thread) {
  (void)thread;
  for (int i = 0; i < 5000; i++) {
    struct item *item = take();
    CHECK(item != NULL);
    CHECK_EQ(__atomic_fetch_add(&item->taken, 1, __ATOMIC_RELAXED), 0);
  }
}

TEST(eight_threads_make_a_pool_grow) {
  threads_run(grow);
  CHECK(slabs() <= 11); /* 64 * (2^10 - 1) = 65472 slots */
  empty_pool();
}

/* Threads that end leave their blocks to later ones. */
TEST(blocks_are_as_many_as_threads_at_once) {
  if (!SYCLZE__SEES_ENDS_OF_THREADS) SKIP("ends of threads are not seen");
  for (int round = 0, rounds = check_repeats(50); round < rounds; round++)
    threads_run(take_and_give);
  CHECK(blocks() <= 16); /* a thread may still be ending when another begins */
  CHECK(slabs() <= 5);
  empty_pool();
}

static struct item *handed[8][300];

static void take_all(unsigned thread) {
  for (int i = 0; i < 300; i++)
    CHECK((handed[thread][i] = take()) != NULL);
}

static void give_all_of_another(unsigned thread) {
  for (int i = 0; i < 300; i++)
    give(handed[(thread + 1) % 8][i]);
}

TEST(objects_of_one_thread_are_given_back_by_another) {
  if (!SYCLZE__SEES_ENDS_OF_THREADS) SKIP("ends of threads are not seen");
  for (int round = 0, rounds = check_repeats(20); round < rounds; round++) {
    threads_run(take_all);
    threads_run(give_all_of_another);
  }
  CHECK(slabs() <= 7);
  empty_pool();
}

TEST_MAIN(a_returned_object_is_reused_unchanged, returned_objects_join_those_that_are_free,
    the_block_of_a_thread_shares_no_line, warm_pools_do_not_allocate,
    a_million_objects_are_distinct, the_pages_of_free_objects_are_returned_and_used_again,
    eight_threads_trim_a_pool_that_they_use, acquire_returns_null_when_allocation_fails,
    a_thread_without_memory_for_a_block_has_no_cache, an_object_outside_all_slabs_is_freed,
    an_object_of_another_image_returns_to_its_pool, eight_threads_share_a_pool,
    eight_threads_make_a_pool_grow, blocks_are_as_many_as_threads_at_once,
    objects_of_one_thread_are_given_back_by_another)
