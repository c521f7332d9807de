/* A driver gives its functions to the loader in tables of pointers, which grow at the end from one
 * version of Level Zero to the next. A table is filled up to the slot where it ended in the version
 * that the loader requests, and not beyond: an older loader's table is shorter than ours. */
#ifndef ZECL_CORE_TABLE_H
#define ZECL_CORE_TABLE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <level_zero/ze_api.h>

/* From version 1.`minor` on, the table has `slots` slots. */
struct zecl_growth {
  unsigned minor, slots;
};

typedef void zecl_function(void); /* of any type */

/* A slot that the oldest headers' table does not name. */
struct zecl_slot {
  unsigned index;
  zecl_function *function;
};

struct zecl_table {
  const void *known; /* the headers' table, of `known_slots` slots, or null */
  size_t known_slots;
  const struct zecl_slot *newer; /* they take precedence */
  size_t newer_count;
  const struct zecl_growth *growth; /* oldest first */
  size_t steps;
};

/* Fills `table` as far as it reaches in `version`. A slot without a function returns
 * UNSUPPORTED_FEATURE. */
ze_result_t zecl_table_fill(
    ze_api_version_t version, void *table, const struct zecl_table *contents);

/* The loader has the functions of graphs: it asked for their table. */
extern atomic_bool zecl_loader_has_graphs;

#define ZECL_EXPORT __attribute__((visibility("default")))

#endif
