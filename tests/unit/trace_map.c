/* The hash table by handle of the tracing code. */
#undef SYCLZE_DECLARATIONS
#include "syclze/trace/detail/handle_map.h"
#include "tests/check.h"

enum { HANDLES = 5000 };

/* Handles spaced as an allocator would. */
static uint64_t handle_of(uint32_t i) {
  return 0x7f0000001000u + 64u * (uint64_t)i;
}

TEST(entries_are_found_until_removed) {
  struct syclze__map map = {NULL, 0, 0};
  CHECK(syclze__map_find(&map, handle_of(0)) == NULL);
  syclze__map_remove(&map, handle_of(0));
  for (uint32_t i = 0; i < HANDLES; i++) {
    struct syclze__map_entry *place = syclze__map_put(&map, handle_of(i));
    CHECK(place != NULL && place->value == 0);
    place->value = i + 1;
  }
  CHECK_EQ(map.count, HANDLES);
  CHECK_EQ(syclze__map_put(&map, handle_of(7))->value, 8);
  CHECK_EQ(map.count, HANDLES);
  CHECK(syclze__map_put(&map, 0) == NULL);
  /* Removing every third entry hides none of the others. */
  for (uint32_t i = 0; i < HANDLES; i += 3)
    syclze__map_remove(&map, handle_of(i));
  for (uint32_t i = 0; i < HANDLES; i++) {
    const struct syclze__map_entry *place = syclze__map_find(&map, handle_of(i));
    CHECK_EQ(place != NULL, i % 3 != 0);
    if (place != NULL) CHECK_EQ(place->value, i + 1);
  }
  for (uint32_t i = 0; i < HANDLES; i++)
    syclze__map_remove(&map, handle_of(i));
  CHECK_EQ(map.count, 0);
  for (size_t i = 0; i <= map.mask; i++)
    CHECK_EQ(map.entries[i].handle, 0);
  free(map.entries);
}

TEST(a_table_doubles_when_it_would_be_more_than_three_quarters_full) {
  struct syclze__map map = {NULL, 0, 0};
  size_t entries = 64;
  for (uint32_t i = 0; i < HANDLES; i++) {
    CHECK(syclze__map_put(&map, handle_of(i)) != NULL);
    if (4 * map.count > 3 * entries) entries *= 2;
    CHECK_EQ(map.mask, entries - 1);
  }
  free(map.entries);
}

TEST_MAIN(
    entries_are_found_until_removed, a_table_doubles_when_it_would_be_more_than_three_quarters_full)
