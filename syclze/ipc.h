/**
 * @file
 * Device memory and events shared between processes. EXPERIMENTAL, and included by name.
 *
 * The exporter exports an allocation; the bytes of the handle are sent over a socket, by MPI or in
 * a file:
 *
 *     #include <stdio.h>
 *     #include "syclze/syclze.h"
 *     #include "syclze/ipc.h"
 *     static ze_result_t offer(void *memory, syclze_context context, FILE *other) {
 *       syclze_ipc_memory exported;
 *       ze_result_t result = syclze_ipc_memory_export(memory, 0, context, &exported);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       const syclze_ipc_handle handle = syclze_ipc_memory_get_handle(exported);
 *       fwrite(&handle, sizeof handle, 1, other);
 *       return syclze_ipc_memory_release(exported); // once the other process has opened it
 *     }
 *
 * The importer opens the handle, uses the pointer as device memory of its own, and releases it:
 *
 *     #include <stdio.h>
 *     #include "syclze/syclze.h"
 *     #include "syclze/ipc.h"
 *     static ze_result_t use(
 *         const syclze_ipc_handle *handle, syclze_device device, syclze_context context) {
 *       syclze_ipc_memory opened;
 *       ze_result_t result = syclze_ipc_memory_open(handle, 0, device, context, &opened);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       printf("%zu bytes at %p\n", syclze_ipc_memory_get_size(opened),
 *           syclze_ipc_memory_get_pointer(opened));
 *       return syclze_ipc_memory_release(opened);
 *     }
 *
 * Ownership: an object keeps its context. The last release of an exported object returns the handle
 * to the driver, once; the allocation stays the application's, who must free it after that. The
 * last release of an opened object closes it, once, and does not wait for work: the work must be
 * complete, or the memory be a buffer with syclze_ipc_memory_as_owner as its owner, which closes
 * the memory after its work. An event of an opened pool keeps the pool.
 *
 * A handle may be opened several times: each open gives an object and a pointer of its own, closed
 * once. A release without a reference is refused, if detected, and closes nothing. A handle must be
 * opened while its exported object lives and before the allocation is freed; later, or after the
 * exporter's process has ended, the open returns what the driver returns. Opened memory stays
 * accessible until it is closed, whatever the exporter does; its contents are the exporter's until
 * the allocation is freed and the handle is put (Level Zero, zeMemOpenIpcHandle).
 *
 * syclze_ipc_get_support returns what a driver can share. On Linux a native handle of Intel's
 * driver is a file descriptor of the exporter's process. The open fetches it from there
 * (pidfd_getfd, Linux 5.6), for which the exporter must allow the importer to trace it: processes
 * of one user may, unless the system restricts it (Yama's ptrace_scope, containers). In that case
 * the exporter calls prctl(PR_SET_PTRACER), or sends the handle with its descriptor over a socket
 * of the Unix domain:
 *
 *     #include <unistd.h>
 *     #include "syclze/syclze.h"
 *     #include "syclze/ipc.h"
 *     static ze_result_t receive(
 *         int socket, syclze_device device, syclze_context context, syclze_ipc_memory *opened) {
 *       syclze_ipc_handle handle;
 *       int descriptor;
 *       ze_result_t result = syclze_ipc_handle_receive(socket, &handle, &descriptor);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_ipc_memory_open(&handle, 0, device, context, opened);
 *       if (descriptor >= 0) close(descriptor);
 *       return result;
 *     }
 *
 * On Windows a native handle belongs to the exporter's process, and the open duplicates it; the
 * exporter must live until then, and allow it (PROCESS_DUP_HANDLE).
 *
 * A peer is not trusted: the offset and size of a handle must be within the driver's allocation,
 * and a descriptor must be that of the exported file.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference. One thread at a time may make events of a pool.
 */
#ifndef SYCLZE_IPC_H
#define SYCLZE_IPC_H

#include "buffer.h"
#include "event.h"
#include "ipc_handle.h"
#include "owner.h"

SYCLZE_EXTERN_C_BEGIN

/** Flags of syclze_ipc_memory_export. */
typedef enum syclze_ipc_flag {
  SYCLZE_IPC_FLAG_FABRIC = 1 << 0 /* for other machines, over a fabric that the driver supports */
} syclze_ipc_flag;

struct syclze__ipc;

/** Exported or opened memory; {0} is null. @see Level Zero, inter-process communication */
typedef struct syclze_ipc_memory {
  struct syclze__ipc *rep;
} syclze_ipc_memory;

/** A created or opened pool of events; {0} is null. @see Level Zero, inter-process communication */
typedef struct syclze_ipc_event_pool {
  struct syclze__ipc *rep;
} syclze_ipc_event_pool;

/**
 * Returns what the driver of a platform can share.
 *
 * @param[in] platform  Null is refused.
 * @param[out] flags  Of ze_ipc_property_flag_t; not null; 0 on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `flags` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the platform is null
 * - what zeDriverGetIpcProperties returns
 * @see Level Zero, inter-process communication
 */
SYCLZE_COLD ze_result_t syclze_ipc_get_support(syclze_platform platform,
    ze_ipc_property_flags_t *flags) SYCLZE_LINK_NAME(syclze_ipc_get_support);

/**
 * Exports an allocation to other processes.
 *
 * @param[in] memory  In an allocation of the context, not necessarily its first byte; not null.
 * @param[in] flags  Of syclze_ipc_flag; unknown ones are refused.
 * @param[in] context  Null is refused. The object keeps it.
 * @param[out] exported  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, who must free it after the last release.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` or `exported` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: unknown flags
 * - SYCLZE_RESULT_ERROR_INVALID: the memory is not an allocation of the context
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: SYCLZE_IPC_FLAG_FABRIC, and the loader has no
 *   zeMemGetIpcHandleWithProperties; or the driver shares no memory
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeMemGetAllocProperties, zeMemGetAddressRange, zeMemGetIpcHandle and
 *   zeMemGetIpcHandleWithProperties return
 * @see Level Zero, zeMemGetIpcHandle
 */
SYCLZE_COLD ze_result_t syclze_ipc_memory_export(void *memory, uint32_t flags,
    syclze_context context, syclze_ipc_memory *exported) SYCLZE_LINK_NAME(syclze_ipc_memory_export);

/**
 * Opens memory that another process exported.
 *
 * @param[in] handle  Of memory; not null.
 * @param[in] flags  Of ze_ipc_memory_flag_t, or 0.
 * @param[in] device  In the context, and with access to the exporter's device; null is refused.
 * @param[in] context  Null is refused. The object keeps it.
 * @param[out] opened  Not null; set to null on failure.
 * Ownership afterwards: the mapping is the object's, closed by its last release.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `handle` or `opened` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device or the context is null
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not one of memory, or its offset or size is not in
 * the allocation; the device is not in the context
 * - ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS: the exporter's descriptor may not be fetched
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the system cannot fetch descriptors
 * - ZE_RESULT_ERROR_INVALID_ARGUMENT: the exporter has no such descriptor, or has ended
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeMemOpenIpcHandle returns, also if the exporter has ended or freed the memory
 * - what zeMemGetAddressRange returns, if the handle has an offset or a size to check
 * @see Level Zero, zeMemOpenIpcHandle
 */
SYCLZE_COLD ze_result_t syclze_ipc_memory_open(const syclze_ipc_handle *handle,
    ze_ipc_memory_flags_t flags, syclze_device device, syclze_context context,
    syclze_ipc_memory *opened) SYCLZE_LINK_NAME(syclze_ipc_memory_open);

/**
 * Returns the handle to send: of opened memory, the one that it was opened with.
 *
 * @param[in] memory  Not null.
 * @return A copy. Usable while the exported object lives.
 * @see Level Zero, zeMemGetIpcHandle
 */
SYCLZE_COLD syclze_ipc_handle syclze_ipc_memory_get_handle(syclze_ipc_memory memory)
    SYCLZE_LINK_NAME(syclze_ipc_memory_get_handle);

/**
 * Returns the memory in this process.
 *
 * @param[in] memory  Not null.
 * @return The exported pointer, or the mapped one. Ownership is unchanged: opened memory is valid
 * until the last release.
 * @see Level Zero, zeMemOpenIpcHandle
 */
SYCLZE_COLD void *syclze_ipc_memory_get_pointer(syclze_ipc_memory memory)
    SYCLZE_LINK_NAME(syclze_ipc_memory_get_pointer);

/**
 * Returns the size from the pointer to the end of the allocation.
 *
 * @param[in] memory  Not null.
 * @return The size, in bytes; 0 if neither the handle nor the driver has it.
 * @see Level Zero, zeMemGetAddressRange
 */
SYCLZE_COLD size_t syclze_ipc_memory_get_size(syclze_ipc_memory memory)
    SYCLZE_LINK_NAME(syclze_ipc_memory_get_size);

/**
 * Adds a reference.
 *
 * @param[in] memory  No effect for null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_ipc_memory_retain(syclze_ipc_memory memory)
    SYCLZE_LINK_NAME(syclze_ipc_memory_retain);

/**
 * Drops a reference. The last one returns the handle of exported memory to the driver, if the
 * loader has zeMemPutIpcHandle (Level Zero 1.6), and closes opened memory.
 *
 * @param[in] memory  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeMemPutIpcHandle, zeMemCloseIpcHandle and the release of the context return; the object
 * is released anyway
 * @see Level Zero, zeMemPutIpcHandle, zeMemCloseIpcHandle
 */
SYCLZE_COLD ze_result_t syclze_ipc_memory_release(syclze_ipc_memory memory)
    SYCLZE_LINK_NAME(syclze_ipc_memory_release);

/**
 * Makes an owner (owner.h) that holds a reference, for a buffer of opened memory: the buffer's last
 * release drops the reference, after its work.
 *
 *     syclze_buffer_input of_opened = {0};
 *     of_opened.native_handle = syclze_ipc_memory_get_pointer(opened);
 *     of_opened.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     ze_result_t made = syclze_make_buffer(&of_opened, context, &buffer);
 *     if (made == ZE_RESULT_SUCCESS)
 *       made = syclze_buffer_set_owner(buffer, syclze_ipc_memory_as_owner(opened));
 *
 * @param[in] memory  Not null.
 * Ownership afterwards: the reference is the owner's once it is set; until then the caller's.
 * @return The owner.
 * @see Level-Zero backend 4.4 (no counterpart)
 */
SYCLZE_COLD syclze_owner syclze_ipc_memory_as_owner(syclze_ipc_memory memory)
    SYCLZE_LINK_NAME(syclze_ipc_memory_as_owner);

/**
 * Sends a handle, and its descriptor if it has one, over a socket in one message.
 *
 * @param[in] socket  Connected, of the Unix domain; the caller's.
 * @param[in] handle  Exported or received by this process; not null.
 * Ownership afterwards: unchanged.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `handle` is null
 * - ZE_RESULT_ERROR_INVALID_ARGUMENT: the descriptor is not that of the exported file any more
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the system passes no descriptors
 * - SYCLZE_RESULT_ERROR_RUNTIME: the socket does not take it
 * @see Level Zero, inter-process communication; unix(7), SCM_RIGHTS
 */
SYCLZE_COLD ze_result_t syclze_ipc_handle_send(int socket, const syclze_ipc_handle *handle)
    SYCLZE_LINK_NAME(syclze_ipc_handle_send);

/**
 * Receives a handle that syclze_ipc_handle_send sent. Waits for it on a blocking socket.
 *
 * @param[in] socket  Connected, of the Unix domain; the caller's.
 * @param[out] handle  Not null; all zero on failure.
 * @param[out] descriptor  Not null; -1 if the handle needs none, and on failure.
 * Ownership afterwards: the descriptor is the caller's, who closes it after the last open of the
 * handle.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `handle` or `descriptor` is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the system passes no descriptors
 * - SYCLZE_RESULT_ERROR_INVALID: the message has a descriptor that the handle does not need, or
 *   lacks one
 * - SYCLZE_RESULT_ERROR_RUNTIME: the socket has no whole handle
 * @see Level Zero, inter-process communication; unix(7), SCM_RIGHTS
 */
SYCLZE_COLD ze_result_t syclze_ipc_handle_receive(int socket, syclze_ipc_handle *handle,
    int *descriptor) SYCLZE_LINK_NAME(syclze_ipc_handle_receive);

/**
 * Creates a pool of events that other processes can open. The host can see them.
 *
 * @param[in] context  Null is refused. The pool keeps it.
 * @param[in] count  The number of events, not 0.
 * @param[out] pool  Not null; set to null on failure.
 * Ownership afterwards: the native pool is the object's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `pool` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: `count` is 0
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeEventPoolCreate and zeEventPoolGetIpcHandle return
 * @see Level Zero, zeEventPoolGetIpcHandle
 */
SYCLZE_COLD ze_result_t syclze_ipc_event_pool_create(syclze_context context, uint32_t count,
    syclze_ipc_event_pool *pool) SYCLZE_LINK_NAME(syclze_ipc_event_pool_create);

/**
 * Opens a pool that another process created.
 *
 * @param[in] handle  Of a pool; not null.
 * @param[in] context  Null is refused. The pool keeps it.
 * @param[out] pool  Not null; set to null on failure.
 * Ownership afterwards: the opened pool is the object's, closed by its last release.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `handle` or `pool` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - SYCLZE_RESULT_ERROR_INVALID: the handle is not one of a pool
 * - ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE and
 *   ZE_RESULT_ERROR_INVALID_ARGUMENT as of syclze_ipc_memory_open
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeEventPoolOpenIpcHandle returns
 * @see Level Zero, zeEventPoolOpenIpcHandle
 */
SYCLZE_COLD ze_result_t syclze_ipc_event_pool_open(
    const syclze_ipc_handle *handle, syclze_context context, syclze_ipc_event_pool *pool)
    SYCLZE_LINK_NAME(syclze_ipc_event_pool_open);

/**
 * Returns the handle to send: of an opened pool, the one that it was opened with.
 *
 * @param[in] pool  Not null.
 * @return A copy. Usable while the created object lives.
 * @see Level Zero, zeEventPoolGetIpcHandle
 */
SYCLZE_COLD syclze_ipc_handle syclze_ipc_event_pool_get_handle(syclze_ipc_event_pool pool)
    SYCLZE_LINK_NAME(syclze_ipc_event_pool_get_handle);

/**
 * Returns the native pool.
 *
 * @param[in] pool  Not null.
 * @return The handle. Ownership is unchanged.
 * @see Level Zero, zeEventPoolOpenIpcHandle
 */
SYCLZE_COLD ze_event_pool_handle_t syclze_ipc_event_pool_get_native(syclze_ipc_event_pool pool)
    SYCLZE_LINK_NAME(syclze_ipc_event_pool_get_native);

/**
 * Makes the event of an index. Each process makes an object of its own, at most one at a time.
 *
 * @param[in] pool  Null is refused. The event keeps it.
 * @param[in] index  Below the number of events.
 * @param[out] event  Not null; set to null on failure.
 * Ownership afterwards: the event is destroyed by its last release; the pool lives until then.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `event` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the pool is null
 * - SYCLZE_RESULT_ERROR_INVALID: the pool has no such index
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeEventCreate returns
 * @see Level Zero, zeEventCreate
 */
SYCLZE_COLD ze_result_t syclze_ipc_event_pool_get_event(syclze_ipc_event_pool pool, uint32_t index,
    syclze_event *event) SYCLZE_LINK_NAME(syclze_ipc_event_pool_get_event);

/**
 * Adds a reference.
 *
 * @param[in] pool  No effect for null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_ipc_event_pool_retain(syclze_ipc_event_pool pool)
    SYCLZE_LINK_NAME(syclze_ipc_event_pool_retain);

/**
 * Drops a reference. The last one closes an opened pool. For a created one it returns the handle to
 * the driver, if the loader has zeEventPoolPutIpcHandle (Level Zero 1.6), and destroys the pool.
 *
 * @param[in] pool  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeEventPoolPutIpcHandle, zeEventPoolDestroy, zeEventPoolCloseIpcHandle and the release of
 *   the context return; the object is released anyway
 * @see Level Zero, zeEventPoolPutIpcHandle, zeEventPoolCloseIpcHandle
 */
SYCLZE_COLD ze_result_t syclze_ipc_event_pool_release(syclze_ipc_event_pool pool)
    SYCLZE_LINK_NAME(syclze_ipc_event_pool_release);

SYCLZE_EXTERN_C_END

/* Their places in the list of kinds. */
#undef SYCLZE__WITH_IPC
#define SYCLZE__WITH_IPC(...) __VA_ARGS__
SYCLZE__OVERLOAD_RETAIN(ipc_memory)
SYCLZE__OVERLOAD_RELEASE(ipc_memory)
SYCLZE__OVERLOAD_RETAIN(ipc_event_pool)
SYCLZE__OVERLOAD_RELEASE(ipc_event_pool)

#include "detail/objects/ipc_event_pool.h"
#include "detail/objects/ipc_memory.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_ipc_memory_export(...) (SYCLZE__HERE(syclze_ipc_memory_export)(__VA_ARGS__))
#define syclze_ipc_memory_open(...) (SYCLZE__HERE(syclze_ipc_memory_open)(__VA_ARGS__))
#define syclze_ipc_memory_release(...) (SYCLZE__HERE(syclze_ipc_memory_release)(__VA_ARGS__))
#define syclze_ipc_event_pool_create(...) (SYCLZE__HERE(syclze_ipc_event_pool_create)(__VA_ARGS__))
#define syclze_ipc_event_pool_open(...) (SYCLZE__HERE(syclze_ipc_event_pool_open)(__VA_ARGS__))
#define syclze_ipc_event_pool_get_event(...)                                                       \
  (SYCLZE__HERE(syclze_ipc_event_pool_get_event)(__VA_ARGS__))
#define syclze_ipc_event_pool_release(...)                                                         \
  (SYCLZE__HERE(syclze_ipc_event_pool_release)(__VA_ARGS__))
#endif

#endif
