/**
 * @file
 * Handles of memory and events for other processes (ipc.h). EXPERIMENTAL.
 *
 * A handle is sent as its sizeof(syclze_ipc_handle) bytes, or by syclze_ipc_handle_send (ipc.h). It
 * owns nothing.
 */
#ifndef SYCLZE_IPC_HANDLE_H
#define SYCLZE_IPC_HANDLE_H

#include "config.h"

SYCLZE_EXTERN_C_BEGIN

/** The kind of object that a handle stands for; zero is neither. */
typedef enum syclze_ipc_kind {
  SYCLZE_IPC_KIND_MEMORY = 1,
  SYCLZE_IPC_KIND_EVENT_POOL = 2
} syclze_ipc_kind;

/**
 * A handle: bytes without pointers, for a process with the same ze_api.h. For a handle of plain
 * Level Zero: `{.kind = SYCLZE_IPC_KIND_MEMORY, .native.memory = handle}`.
 */
typedef struct syclze_ipc_handle {
  uint32_t kind;   /* of syclze_ipc_kind */
  uint32_t count;  /* events of a pool; 0 if unknown */
  uint64_t offset; /* in bytes, of the exported pointer in its allocation */
  uint64_t size;   /* in bytes, from there to the end of the allocation; 0 if unknown */
  union {
    ze_ipc_mem_handle_t memory;
    ze_ipc_event_pool_handle_t event_pool;
  } native;
  int32_t process;        /* whose descriptor `native` is; 0 if it is not a descriptor */
  uint64_t device, inode; /* of the descriptor's file */
} syclze_ipc_handle;

SYCLZE_EXTERN_C_END

#endif
