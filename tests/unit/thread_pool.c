/* Free lists, enabled under sanitizers too. A slot belongs to one thread at a time, and each object
   takes its own size. */
#define SYCLZE_HAS_POOLS 1
#include "support/memory.h"
#include "support/threads.h"
#include "syclze/detail/pool.h"
#include "tests/check.h"

struct item {
  struct syclze__slot slot;
  unsigned taken; /* number of concurrent owners */
  unsigned uses;  /* not atomic, so that a race is detected */
};

static struct syclze__pool pool;

static struct item *take(void) {
  return (struct item *)syclze__pool_acquire(&pool, sizeof(struct item));
}

static void give(struct item *item) {
  syclze__pool_release(&item->slot);
}

static void empty_pool(void) {
  for (int slab = 0; slab < SYCLZE__SLABS; slab++)
    free(pool.slab[slab]);
  memset(&pool, 0, sizeof pool);
}

TEST(a_returned_object_is_reused_unchanged) {
  struct item *first = take(), *second = take();
  CHECK(first != second);
  CHECK_EQ((uintptr_t)first % 16, 0);
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

TEST(a_million_objects_are_distinct_and_packed) {
  enum { MANY = 1000000 };
  struct item **items = (struct item **)malloc(MANY * sizeof *items);
  CHECK(items != NULL);
  long live = memory_live();
  for (unsigned i = 0; i < MANY; i++) {
    items[i] = take();
    CHECK(items[i] != NULL);
    items[i]->uses = i;
  }
  unsigned slabs = 0, gaps = 0;
  for (int slab = 0; slab < SYCLZE__SLABS; slab++)
    slabs += pool.slab[slab] != NULL;
  CHECK_EQ(memory_live() - live, slabs);
  for (unsigned i = 0; i < MANY; i++) {
    CHECK_EQ(items[i]->uses, i);
    if (i != 0) gaps += items[i] != items[i - 1] + 1;
  }
  CHECK(gaps < slabs);
  for (unsigned i = 0; i < MANY; i++)
    give(items[i]);
  for (unsigned i = 0; i < MANY; i++)
    CHECK_EQ(take(), items[MANY - 1 - i]);
  free(items);
  empty_pool();
}

TEST(acquire_returns_null_when_allocation_fails) {
  struct item *items[SYCLZE__FIRST_SLAB];
  memory_fail(1);
  CHECK_EQ(take(), NULL);
  CHECK(memory_failed());
  for (int i = 0; i < SYCLZE__FIRST_SLAB; i++)
    CHECK((items[i] = take()) != NULL);
  memory_fail(1);
  CHECK_EQ(take(), NULL);
  give(items[0]);
  CHECK_EQ(take(), items[0]);
  memory_fail(0);
  CHECK(take() != NULL);
  empty_pool();
}

TEST(an_object_outside_all_slabs_is_freed) {
  long live = memory_live();
  struct item *item = (struct item *)calloc(1, sizeof *item);
  CHECK(item != NULL);
  give(item);
  CHECK_EQ(memory_live(), live);
}

TEST(objects_beyond_the_last_slab_are_allocated) {
  /* Simulates a pool whose slots are all in use. */
  uint32_t all = 0, slots = SYCLZE__FIRST_SLAB;
  for (int slab = 1; slab < SYCLZE__SLABS; slab++) {
    all += slots;
    if (slab <= SYCLZE__SLAB_DOUBLINGS) slots *= 2;
  }
  pool.used = all;
  long live = memory_live();
  struct item *item = take();
  CHECK(item != NULL);
  CHECK_EQ(pool.used, all);
  CHECK_EQ(memory_live(), live + 1);
  give(item);
  CHECK_EQ(memory_live(), live);
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
  CHECK(pool.used <= 8 * 40);
  struct item *item;
  unsigned idle = 0;
  while ((item = (struct item *)syclze__list_acquire(&pool.free, &pool)) != NULL) {
    CHECK_EQ(item->taken, 0);
    idle++;
  }
  CHECK_EQ(idle, pool.used);
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
  CHECK_EQ(pool.used, 8 * 5000);
  unsigned slabs = 0;
  for (int slab = 0; slab < SYCLZE__SLABS; slab++)
    slabs += pool.slab[slab] != NULL;
  CHECK_EQ(slabs, 10); /* 64 * (2^10 - 1) = 65472 slots */
  empty_pool();
}

TEST_MAIN(a_returned_object_is_reused_unchanged, warm_pools_do_not_allocate,
    a_million_objects_are_distinct_and_packed, acquire_returns_null_when_allocation_fails,
    an_object_outside_all_slabs_is_freed, objects_beyond_the_last_slab_are_allocated,
    eight_threads_share_a_pool, eight_threads_make_a_pool_grow)
