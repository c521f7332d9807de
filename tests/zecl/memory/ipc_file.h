/* Files of memory between processes: anonymous, sealed against truncation, and found by handles
 * that may be junk, or a hostile peer's. */
#ifndef ZECL_MEMORY_IPC_FILE_H
#define ZECL_MEMORY_IPC_FILE_H

#include "memory/ipc.h"

/* A file of that size, with more seals (fcntl); -1 if there is none. */
int zecl_ipc_file_new(size_t size, int seals);

/* The file of a name, to be closed; -1 unless it is such a file and has the inode of the name. */
int zecl_ipc_file_open(const struct zecl_ipc_name *name);

/* Completes a name that is a descriptor of this process alone: all of its file. */
bool zecl_ipc_file_complete(struct zecl_ipc_name *name);

#endif
