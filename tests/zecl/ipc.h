/* Memory that other processes can map. With ZECL_IPC=1 all device memory is of this kind; without
 * it there is none, since it costs a mapping for each allocation. */
#ifndef ZECL_IPC_H
#define ZECL_IPC_H

#include <stdbool.h>
#include <stddef.h>

struct zecl_shared_range;

bool zecl_ipc_is_wanted(void);

/* Zeroed memory, which zecl_ipc_give unmaps; null when there is none. */
char *zecl_ipc_take(size_t size, size_t alignment, struct zecl_shared_range **range);
void zecl_ipc_give(struct zecl_shared_range *range);

#endif
