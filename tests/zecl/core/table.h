/* A driver hands its functions to the loader in tables of pointers, which grow at the end from one
 * version of Level Zero to the next. A table is filled up to the slot where it ended in the version
 * that the loader asks for, and not beyond: an older loader's table is shorter than ours. */
#ifndef ZECL_CORE_TABLE_H
#define ZECL_CORE_TABLE_H

#include <stddef.h>
#include <level_zero/ze_api.h>

/* From version 1.`minor` on, the table has `slots` slots. */
struct zecl_growth {
  unsigned minor, slots;
};

/* Fills `table` from `known`, a table of `known_slots` slots. A slot that is null there, or lies
 * beyond it, answers UNSUPPORTED_FEATURE. `growth` has `steps` entries, oldest first. */
ze_result_t zecl_table_fill(ze_api_version_t version, void *table, const void *known,
    size_t known_slots, const struct zecl_growth *growth, size_t steps);

#define ZECL_EXPORT __attribute__((visibility("default")))

#endif
