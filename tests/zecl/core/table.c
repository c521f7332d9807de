#include "core/table.h"

#include "core/check.h"

static ze_result_t unsupported(void) {
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t zecl_table_fill(
    ze_api_version_t version, void *table, const struct zecl_table *contents) {
  ZECL_CHECK_POINTER(table);
  ZECL_REQUIRE(ZE_MAJOR_VERSION(version) == 1, ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
  zecl_function **out = table, *const *in = contents->known;
  unsigned slots = 0;
  for (size_t i = 0; i < contents->steps; i++)
    if (contents->growth[i].minor <= ZE_MINOR_VERSION(version)) slots = contents->growth[i].slots;
  for (unsigned i = 0; i < slots; i++)
    out[i] = i < contents->known_slots && in[i] ? in[i] : (zecl_function *)unsupported;
  for (size_t i = 0; i < contents->newer_count; i++)
    if (contents->newer[i].index < slots && contents->newer[i].function)
      out[contents->newer[i].index] = contents->newer[i].function;
  return ZE_RESULT_SUCCESS;
}
