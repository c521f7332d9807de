/* Eight threads select concurrently, before any enumeration. */
#include "support/threads.h"
#include "support/world.h"
#include "tests/check.h"

static syclze_device found[THREADS][4];

static void select_devices(unsigned thread) {
  static const char *const texts[] = {"level_zero:0,0.0,0.0.0", "*:*;!*:1", "!level_zero:2"};
  uint32_t count = 4;
  CHECK_EQ(syclze_device_select(texts[thread % 3], &count, found[thread]), ZE_RESULT_SUCCESS);
  CHECK_EQ(count, thread % 3 == 0 ? 3 : 2);
  CHECK_EQ(syclze_device_find("level_zero:2", &found[thread][3]), ZE_RESULT_SUCCESS);
}

TEST(threads_select_the_same_devices) {
  for (int round = 0, count = check_repeats(50); round < count; round++) {
    world_begin_bare();
    threads_run(select_devices);
    for (unsigned thread = 0; thread < THREADS; thread++) {
      const ze_device_handle_t expected[3][3] = {{world.root, world.sub, world.sub_sub},
          {world.root, world.other_root, NULL}, {world.root, world.root2, NULL}};
      const ze_device_handle_t *mine = expected[thread % 3];
      for (int i = 0; i < 3 && mine[i] != NULL; i++)
        CHECK_EQ(syclze_device_get_native(found[thread][i]), mine[i]);
      CHECK_EQ(syclze_device_get_native(found[thread][3]), world.other_root);
      CHECK_EQ(found[thread][0].rep, found[0][0].rep);
    }
    world_end();
  }
}

TEST_MAIN(threads_select_the_same_devices)
