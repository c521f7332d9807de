/* Memory that leaves and comes as a file descriptor: device memory whose descriptor has an
 * extension that asks for it. An opaque descriptor is here an anonymous file of the allocation's
 * own, of which the size is sealed; an engine that has memory of its own makes its own. */
#ifndef ZECL_MEMORY_EXTERNAL_H
#define ZECL_MEMORY_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <level_zero/ze_api.h>

struct zecl_shared_range;
struct zecl_allocation;

/* The types of which there are both. */
ze_external_memory_type_flags_t zecl_external_types(void);

/* Whether the extensions of a descriptor of device memory ask for external memory. */
bool zecl_external_is_wanted(const void *next);

/* Allocates or imports it. An imported descriptor is closed, after success only. */
ze_result_t zecl_external_take(
    const void *next, size_t size, size_t alignment, struct zecl_shared_range **range);

/* The same in the memory of an engine. */
ze_result_t zecl_external_take_of_engine(
    const void *next, size_t alignment, struct zecl_allocation *allocation);

/* Fills extensions of a query that ask for descriptors of the allocation. */
ze_result_t zecl_external_export(const struct zecl_allocation *allocation, void *next);

#endif
