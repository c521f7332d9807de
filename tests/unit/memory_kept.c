/* Memory of the process after all objects of a peak were released. */
#include "support/world.h"
#include "tests/check.h"

#include <unistd.h>

/* Kilobytes in memory. */
static long resident(void) {
  long all = 0, here = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  CHECK(file != NULL);
  CHECK_EQ(fscanf(file, "%ld %ld", &all, &here), 2);
  fclose(file);
  return here * (sysconf(_SC_PAGESIZE) / 1024);
}

/* Valgrind keeps freed memory, to see its use. */
static bool keeps_freed_memory(void) {
  const char *preloaded = getenv("LD_PRELOAD");
  return !SYCLZE_HAS_POOLS || (preloaded != NULL && strstr(preloaded, "vgpreload") != NULL);
}

enum { MOST = 200000 };
static syclze_event events[MOST];

/* Kilobytes that the peak adds, and of these what stays. */
static void peak(unsigned count, bool ends_context, long *added, long *kept) {
  world_begin();
  const ze_event_pool_handle_t native_pool = fake_event_pool(world.native_context);
  const ze_event_handle_t native = fake_event(native_pool);
  const syclze_event_input input = {native, SYCLZE_OWNERSHIP_KEEP};
  syclze_context_input wrapped = {world.native_context, &world.device, 1, SYCLZE_OWNERSHIP_KEEP};
  syclze_context context;
  CHECK_OK(syclze_make_context(&wrapped, &context));
  memset(events, 0, sizeof events);
  const long before = resident();
  for (unsigned i = 0; i < count; i++)
    CHECK_OK(syclze_make_event(&input, context, &events[i]));
  *added = resident() - before;
  for (unsigned i = 0; i < count; i++)
    CHECK_OK(syclze_event_release(events[i]));
  if (ends_context) CHECK_OK(syclze_context_release(context));
  *kept = resident() - before;
  if (!ends_context) CHECK_OK(syclze_context_release(context));
  fake_destroy(native);
  fake_destroy(native_pool);
  world_end();
}

TEST(what_stays_is_what_a_thousand_objects_take) { // shows promises 33
  long few, few_kept, added, kept;
  if (keeps_freed_memory()) SKIP("the allocator keeps what is freed");
  peak(1000, true, &few, &few_kept);
  peak(MOST, true, &added, &kept);
  CHECK(added > 10 * 1024);
  if (kept > few + 512) check_fail(__FILE__, __LINE__, "%ld of %ld KB stay", kept, added);
}

/* Here some stay for its next objects. */
TEST(most_goes_back_while_the_context_lives) { // shows promises 33
  long added, kept;
  if (keeps_freed_memory()) SKIP("the allocator keeps what is freed");
  peak(MOST, false, &added, &kept);
  if (kept > added / 2) check_fail(__FILE__, __LINE__, "%ld of %ld KB stay", kept, added);
}

TEST_MAIN(what_stays_is_what_a_thousand_objects_take, most_goes_back_while_the_context_lives)
