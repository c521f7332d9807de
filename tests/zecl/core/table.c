#include "core/table.h"

#include "core/check.h"

typedef ze_result_t slot(void);

static ze_result_t unsupported(void) {
  return ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
}

ze_result_t zecl_table_fill(ze_api_version_t version, void *table, const void *known,
    size_t known_slots, const struct zecl_growth *growth, size_t steps) {
  ZECL_CHECK_POINTER(table);
  ZECL_REQUIRE(ZE_MAJOR_VERSION(version) == 1, ZE_RESULT_ERROR_UNSUPPORTED_VERSION);
  slot **out = table;
  slot *const *in = known;
  unsigned slots = 0;
  for (size_t i = 0; i < steps && growth[i].minor <= ZE_MINOR_VERSION(version); i++)
    slots = growth[i].slots;
  for (unsigned i = 0; i < slots; i++)
    out[i] = i < known_slots && in[i] ? in[i] : unsupported;
  return ZE_RESULT_SUCCESS;
}
