/* split kernel|requirement|auto FILE PREFIX: divides a SPIR-V module by split.h, for offload.mk.
 *
 * Writes PREFIX0.spv, PREFIX1.spv and so on, and prints their names, a line each. A module that
 * cannot be divided is copied whole, with a message. */
#include "syclze/offload/split.h"

#include "tool.inc"

static int fail(const char *name, const char *what) {
  fprintf(stderr, "split: %s: %s\n", name, what);
  return 1;
}

static bool write_part(syclze_split *split, uint32_t part, const char *prefix) {
  char name[4096];
  size_t size = 0;
  if (syclze_split_write(split, part, NULL, &size) != ZE_RESULT_SUCCESS) return false;
  int length = snprintf(name, sizeof name, "%s%u.spv", prefix, part);
  void *data = malloc(size);
  const bool is_written = length > 0 && (size_t)length < sizeof name && data != NULL &&
                          syclze_split_write(split, part, data, &size) == ZE_RESULT_SUCCESS &&
                          tool_write(name, syclze_bytes_of(data, size));
  free(data);
  return is_written && puts(name) >= 0;
}

int main(int argc, char **argv) {
  syclze_split split;
  syclze_bytes bytes;
  syclze_split_by by = SYCLZE_SPLIT_BY_KERNEL;
  if (argc != 4) return fail("usage", "split kernel|requirement|auto FILE PREFIX");
  if (strcmp(argv[1], "requirement") == 0)
    by = SYCLZE_SPLIT_BY_REQUIREMENT;
  else if (strcmp(argv[1], "auto") == 0)
    by = SYCLZE_SPLIT_AUTO;
  else if (strcmp(argv[1], "kernel") != 0)
    return fail(argv[1], "not a way to divide modules: kernel, requirement or auto");
  if (!tool_read(argv[2], &bytes)) return fail(argv[2], "cannot be read");
  ze_result_t result = syclze_split_make(bytes, by, &split);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) {
    fail(argv[2], "cannot be divided; it stays whole");
    result = syclze_split_make(bytes, SYCLZE_SPLIT_BY_SOURCE, &split);
  }
  if (result != ZE_RESULT_SUCCESS) return fail(argv[2], syclze_result_string(result));
  for (uint32_t part = 0; part < split.part_count; part++)
    if (!write_part(&split, part, argv[3])) return fail(argv[3], "a part cannot be written");
  syclze_split_end(&split);
  free((void *)bytes.data);
  return 0;
}
