/* Memory that other processes can map. The events of pools for it are of this kind, and with
 * ZECL_IPC=1 or ZECL_IPC=descriptor all device memory; without it none, since it costs a mapping
 * for each allocation. */
#ifndef ZECL_MEMORY_IPC_H
#define ZECL_MEMORY_IPC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Memory in a file. */
struct zecl_shared_range {
  char *base;
  size_t size; /* of the mapping */
  off_t offset;
  int file;       /* its own (external.h), or -1 for that of all shared memory of the process */
  unsigned named; /* atomic: handles that were got and not put */
};

bool zecl_ipc_is_wanted(void);
bool zecl_ipc_is_descriptor(void); /* handles are descriptors alone */

/* Maps a part of a file at an aligned address; null when there is no room. */
char *zecl_ipc_map(int from, off_t offset, size_t size, size_t alignment);

/* Zeroed memory, which zecl_ipc_give unmaps; null when there is none. */
char *zecl_ipc_take(size_t size, size_t alignment, struct zecl_shared_range **range);
void zecl_ipc_give(struct zecl_shared_range *range);

void *zecl_ipc_base(const struct zecl_shared_range *range);
size_t zecl_ipc_size(const struct zecl_shared_range *range); /* whole pages */

/* The name of a range in other processes. It fits into Level Zero's handles. */
struct zecl_ipc_name {
  int file;
  int process; /* 0 for a descriptor alone; then what follows is zero, but for a pool's numbers */
  uint64_t device, inode, offset, size;
  uint32_t event_count, event_flags; /* of a pool of events; zero for memory */
  uint64_t base;                     /* in the exporting process */
};

/* Among `event_flags`: the state of a counter-based event, which is no pool. */
#define ZECL_IPC_OF_COUNTED (1u << 31)

/* The name of the first `size` bytes of a range, without events; false where there is none. */
bool zecl_ipc_name(const struct zecl_shared_range *range, size_t size, struct zecl_ipc_name *name);

/* Maps the range of a name, which may be junk. Null if it cannot be mapped. Completes the name of a
 * descriptor alone. */
char *zecl_ipc_open(struct zecl_ipc_name *name, struct zecl_shared_range **range);

#endif
