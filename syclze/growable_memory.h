/**
 * @file
 * Growable device memory: an allocation that grows and shrinks at its end, at the same address.
 * EXPERIMENTAL, and included by name.
 *
 *     #include "syclze/syclze.h"
 *     #include "syclze/growable_memory.h"
 *     static ze_result_t begin_log(
 *         syclze_device device, syclze_context context, syclze_growable_memory *log) {
 *       ze_result_t result = syclze_growable_memory_reserve(1u << 30, device, context, log);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_growable_memory_grow(*log, 65536);
 *       if (result != ZE_RESULT_SUCCESS) syclze_growable_memory_release(*log);
 *       return result;
 *     }
 *
 * The address space is reserved once, for the maximum size, and costs no memory. Growth maps
 * physical memory at the end: pointers stay valid, and contents are kept. The pointer is device
 * memory for kernels and copies; not for zeMemFree, nor for a buffer if the driver does not list it
 * as an allocation.
 *
 * Ownership: the object keeps its context. Neither shrinking nor the last release waits: the work
 * that uses the memory must be complete.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference. Only one thread at a time may grow or shrink an object.
 */
#ifndef SYCLZE_GROWABLE_MEMORY_H
#define SYCLZE_GROWABLE_MEMORY_H

#include "buffer.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__growable;

/** Growable memory; {0} is null. @see Level Zero, virtual memory; sycl_ext_oneapi_virtual_mem */
typedef struct syclze_growable_memory {
  struct syclze__growable *rep;
} syclze_growable_memory;

/**
 * Reserves address space, without memory.
 *
 * @param[in] capacity  The maximum size, in bytes, not 0; rounded up to pages.
 * @param[in] device  In the context; null is refused. The memory is this device's.
 * @param[in] context  Null is refused. The object keeps it.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: a reference of the caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device or the context is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_SIZE: the capacity is 0, or too large
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeVirtualMemQueryPageSize and zeVirtualMemReserve return
 * @see Level Zero, zeVirtualMemReserve
 */
SYCLZE_COLD ze_result_t syclze_growable_memory_reserve(
    size_t capacity, syclze_device device, syclze_context context, syclze_growable_memory *memory)
    SYCLZE_LINK_NAME(syclze_growable_memory_reserve);

/**
 * Grows to at least a size. Existing contents are kept; new ones are undefined.
 *
 * @param[in] memory  Null is refused.
 * @param[in] size  In bytes; rounded up to pages. No effect if it is that large already.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the memory is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the size is beyond the capacity
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the list of parts
 * - what zePhysicalMemCreate and zeVirtualMemMap return
 *
 * After an error the memory is unchanged.
 * @see Level Zero, zePhysicalMemCreate, zeVirtualMemMap
 */
SYCLZE_COLD ze_result_t syclze_growable_memory_grow(syclze_growable_memory memory, size_t size)
    SYCLZE_LINK_NAME(syclze_growable_memory_grow);

/**
 * Shrinks towards a size: releases, from the end, each growth that is not needed.
 *
 * @param[in] memory  Null is refused.
 * @param[in] size  In bytes, to be kept; syclze_growable_memory_get_size returns the remaining
 * size. No effect if it is that small already.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the memory is null
 * - what zeVirtualMemUnmap returns: the part, and those before it, stay
 * - what zePhysicalMemDestroy returns: the part is unmapped, and its memory leaked
 * @see Level Zero, zeVirtualMemUnmap, zePhysicalMemDestroy
 */
SYCLZE_COLD ze_result_t syclze_growable_memory_shrink(syclze_growable_memory memory, size_t size)
    SYCLZE_LINK_NAME(syclze_growable_memory_shrink);

/**
 * Returns the address.
 *
 * @param[in] memory  Not null.
 * @return The first byte, the same for the object's whole life. Ownership is unchanged.
 * @see Level Zero, zeVirtualMemReserve
 */
SYCLZE_COLD void *syclze_growable_memory_get_pointer(syclze_growable_memory memory)
    SYCLZE_LINK_NAME(syclze_growable_memory_get_pointer);

/**
 * Returns the size that can be accessed.
 *
 * @param[in] memory  Not null.
 * @return The size, in bytes; 0 before the first growth.
 * @see Level Zero, zeVirtualMemMap
 */
SYCLZE_COLD size_t syclze_growable_memory_get_size(syclze_growable_memory memory)
    SYCLZE_LINK_NAME(syclze_growable_memory_get_size);

/**
 * Returns the reserved size.
 *
 * @param[in] memory  Not null.
 * @return The size, in bytes: whole pages.
 * @see Level Zero, zeVirtualMemReserve
 */
SYCLZE_COLD size_t syclze_growable_memory_get_capacity(syclze_growable_memory memory)
    SYCLZE_LINK_NAME(syclze_growable_memory_get_capacity);

/**
 * Adds a reference.
 *
 * @param[in] memory  No effect for null.
 * @return ZE_RESULT_SUCCESS.
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_growable_memory_retain(syclze_growable_memory memory)
    SYCLZE_LINK_NAME(syclze_growable_memory_retain);

/**
 * Drops a reference. The last one releases the memory and the address space.
 *
 * @param[in] memory  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - the first that zeVirtualMemUnmap, zePhysicalMemDestroy, zeVirtualMemFree and the release of the
 *   context return; the object is released anyway
 * @see Level Zero, zeVirtualMemFree
 */
SYCLZE_COLD ze_result_t syclze_growable_memory_release(syclze_growable_memory memory)
    SYCLZE_LINK_NAME(syclze_growable_memory_release);

SYCLZE_EXTERN_C_END

/* The place in the list of kinds. */
#undef SYCLZE__WITH_GROWABLE_MEMORY
#define SYCLZE__WITH_GROWABLE_MEMORY(...) __VA_ARGS__
SYCLZE__OVERLOAD_RETAIN(growable_memory)
SYCLZE__OVERLOAD_RELEASE(growable_memory)

#include "detail/objects/growable_memory.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_growable_memory_reserve(...)                                                        \
  (SYCLZE__HERE(syclze_growable_memory_reserve)(__VA_ARGS__))
#define syclze_growable_memory_release(...)                                                        \
  (SYCLZE__HERE(syclze_growable_memory_release)(__VA_ARGS__))
#endif

#endif
