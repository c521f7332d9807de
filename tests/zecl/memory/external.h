/* Memory that is exported and imported as a file descriptor: device memory whose descriptor has an
 * extension for it. An opaque descriptor is here an anonymous file of the allocation's own, of
 * which the size is sealed; an engine that has memory of its own makes its own. */
#ifndef ZECL_MEMORY_EXTERNAL_H
#define ZECL_MEMORY_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <level_zero/ze_api.h>

struct zecl_shared_range;
struct zecl_allocation;

/* The types of which there are both. */
ze_external_memory_type_flags_t zecl_external_types(void);

/* True if the extensions of a descriptor of device memory request external memory. */
bool zecl_external_is_wanted(const void *next);

/* Allocates or imports it. An imported descriptor is closed, after success only. */
ze_result_t zecl_external_take(
    const void *next, size_t size, size_t alignment, struct zecl_shared_range **range);

/* Allocates or imports it in memory of the engine. An imported descriptor is closed, after success
 * only. */
ze_result_t zecl_external_take_of_engine(
    const void *next, size_t alignment, struct zecl_allocation *allocation);

/* Fills extensions of a query that request descriptors of the allocation. */
ze_result_t zecl_external_export(const struct zecl_allocation *allocation, void *next);

#endif
