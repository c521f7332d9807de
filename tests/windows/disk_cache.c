/* Cached native binaries on Windows, whose rename replaces no file, and whose paths have
 * backslashes. */
#include "syclze/offload/offload.h"
#include "tests/check.h"

#include <stdlib.h>
#include <windows.h>

static char folder[2 * MAX_PATH];

static bool is_cached(syclze_bytes key, const char *content) {
  syclze_bytes binary;
  const bool is_there = syclze__disk_cache_read(folder, key, false, &binary);
  const bool is_equal =
      is_there && binary.size == strlen(content) && memcmp(binary.data, content, binary.size) == 0;
  free((void *)(uintptr_t)binary.data);
  return is_equal;
}

TEST(parents_of_a_folder_are_made_and_a_torn_entry_is_replaced) {
  const syclze_bytes key = syclze_bytes_of("key", 3);
  char temporary[MAX_PATH];
  CHECK(GetTempPathA(sizeof temporary, temporary) != 0);
  snprintf(folder, sizeof folder, "%ssyclze_%lu\\parent\\cache", temporary, GetCurrentProcessId());
  CHECK(syclze__disk_cache_write(folder, key, syclze_bytes_of("first", 5)));
  CHECK(is_cached(key, "first"));
  CHECK(syclze__disk_cache_write(folder, key, syclze_bytes_of("again", 5)));
  CHECK(is_cached(key, "again"));
  syclze__disk_cache_remove(folder, key);
  for (int i = 0; i < 3; i++) {
    CHECK(RemoveDirectoryA(folder));
    *strrchr(folder, '\\') = '\0';
  }
}

TEST_MAIN(parents_of_a_folder_are_made_and_a_torn_entry_is_replaced)
