/* Eight threads set the owner of one object: one succeeds, and its owner is called once. What the
   others read of it is whole. */
#include "support/threads.h"
#include "support/zoo.h"
#include "tests/check.h"

enum { ROUNDS = 200 };

static syclze_event event;
static unsigned accepted, calls;
static char data[THREADS];

static ze_result_t count(void *of_thread) {
  CHECK(of_thread >= (void *)data && of_thread < (void *)(data + THREADS));
  __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

static void set(unsigned thread) {
  const syclze_owner owner = {count, &data[thread]};
  if (syclze_event_set_owner(event, owner) == ZE_RESULT_SUCCESS) {
    __atomic_add_fetch(&accepted, 1, __ATOMIC_RELAXED);
    CHECK_EQ(syclze_event_get_owner(event).data, &data[thread]);
  }
  const syclze_owner owner_of_one = syclze_event_get_owner(event);
  if (owner_of_one.release != NULL) {
    CHECK(owner_of_one.release == count);
    CHECK(owner_of_one.data >= (void *)data && owner_of_one.data < (void *)(data + THREADS));
  }
  CHECK_EQ(syclze_event_release(event), ZE_RESULT_SUCCESS);
}

TEST(the_first_of_several_threads_sets_the_owner) {
  const unsigned rounds = (unsigned)check_repeats(ROUNDS);
  zoo_begin();
  syclze_diagnostic_set_handler(NULL);
  for (unsigned round = 1; round <= rounds; round++) {
    const syclze_event_input input = {zoo.event, SYCLZE_OWNERSHIP_KEEP};
    CHECK_EQ(syclze_make_event(&input, world.context, &event), ZE_RESULT_SUCCESS);
    for (int i = 1; i < THREADS; i++)
      CHECK_EQ(syclze_event_retain(event), ZE_RESULT_SUCCESS);
    threads_run(set);
    CHECK_EQ(accepted, round);
    CHECK_EQ(calls, round);
  }
  CHECK(fake_is_alive(zoo.event));
  notes_begin();
  zoo_end();
}

TEST_MAIN(the_first_of_several_threads_sets_the_owner)
