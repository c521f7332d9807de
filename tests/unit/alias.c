/* The table that finds memory objects over one allocation, without memory too. */
#undef SYCLZE_DECLARATIONS
#include "support/memory.h"
#include "support/world.h"
#include "syclze/command/detail/order/shared_native.h"
#include "tests/check.h"

enum { MANY = 8 * SYCLZE__ALIAS_ROOM };

static struct syclze__alias_shard shard;
static struct syclze__alias aliases[MANY];
static struct syclze__memory memories[MANY];
static uint64_t natives[MANY];

/* Memory objects of the world's context over allocations of their own; an empty table. */
static void begin(void) {
  world_begin();
  memset(&shard, 0, sizeof shard);
  syclze__lock_acquire(&shard.lock);
  memset(aliases, 0, sizeof aliases);
  for (unsigned i = 0; i < MANY; i++) {
    memories[i].native = &natives[i];
    memories[i].context = world.context.rep;
  }
}

static void end(void) {
  syclze__lock_release(&shard.lock);
  free((void *)shard.buckets);
  world_end();
}

static void check_found(unsigned count) {
  for (unsigned i = 0; i < MANY; i++)
    CHECK_EQ(syclze__alias_find(&shard, &memories[i]), i < count ? &aliases[i] : NULL);
}

TEST(every_alias_is_found_while_the_table_grows) {
  begin();
  for (unsigned i = 0; i < MANY; i++) {
    CHECK(syclze__alias_add(&shard, &aliases[i], &memories[i]));
    CHECK_EQ(shard.count, i + 1);
    check_found(i + 1);
  }
  CHECK_EQ(shard.room, MANY);
  for (unsigned i = MANY; i > 0; i--) {
    syclze__alias_remove(&shard, &aliases[i - 1]);
    CHECK_EQ(shard.count, i - 1);
    check_found(i - 1);
  }
  end();
}

TEST(the_first_alias_needs_memory) {
  begin();
  memory_fail(1);
  CHECK(!syclze__alias_add(&shard, &aliases[0], &memories[0]));
  CHECK_EQ(shard.count, 0);
  check_found(0);
  memory_fail(0);
  CHECK(syclze__alias_add(&shard, &aliases[0], &memories[0]));
  check_found(1);
  syclze__alias_remove(&shard, &aliases[0]);
  end();
}

TEST(a_table_that_cannot_grow_holds_more) {
  begin();
  for (unsigned i = 0; i < MANY; i++) {
    if (i >= SYCLZE__ALIAS_ROOM) memory_fail(1);
    CHECK(syclze__alias_add(&shard, &aliases[i], &memories[i]));
  }
  memory_fail(0);
  CHECK_EQ(shard.room, SYCLZE__ALIAS_ROOM);
  check_found(MANY);
  end();
}

TEST(memory_of_another_context_is_another) {
  begin();
  const ze_context_handle_t native = fake_context(world.driver);
  const syclze_context other = world_context(native, &world.device, 1);
  struct syclze__memory there = memories[0];
  there.context = other.rep;
  CHECK(syclze__alias_add(&shard, &aliases[0], &memories[0]));
  CHECK_EQ(syclze__alias_find(&shard, &there), NULL);
  CHECK(syclze__alias_add(&shard, &aliases[1], &there));
  CHECK_EQ(syclze__alias_find(&shard, &there), &aliases[1]);
  CHECK_EQ(syclze__alias_find(&shard, &memories[0]), &aliases[0]);
  CHECK_OK(syclze_context_release(other));
  fake_destroy(native);
  end();
}

static struct syclze__aliases *had_meanwhile;

static void get_meanwhile(void) {
  had_meanwhile = syclze__aliases_get();
}

TEST(two_threads_make_one_table) {
  begin();
  const long live = memory_live();
  memory_interrupt(sizeof(struct syclze__aliases), get_meanwhile);
  struct syclze__aliases *all = syclze__aliases_get();
  CHECK(all != NULL);
  CHECK_EQ(all, had_meanwhile);
  CHECK_EQ(memory_live(), live + 1);
  CHECK_EQ(syclze__aliases_get(), all);
  SYCLZE__STATE.aliases = NULL;
  free(all);
  end();
}

TEST_MAIN(every_alias_is_found_while_the_table_grows, the_first_alias_needs_memory,
    a_table_that_cannot_grow_holds_more, memory_of_another_context_is_another,
    two_threads_make_one_table)
