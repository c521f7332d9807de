/**
 * @file
 * Memory shared with other interfaces: device memory exported or imported as a file descriptor or,
 * on Windows, as a handle; and host memory of malloc that a driver pins. EXPERIMENTAL, and included
 * by name.
 *
 *     #include "syclze/syclze.h"
 *     #include "syclze/external_memory.h"
 *     static ze_result_t offer(
 *         size_t size, syclze_device device, syclze_context context, void **memory, int *fd) {
 *       const ze_external_memory_type_flag_t type = ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;
 *       ze_result_t result = syclze_external_memory_allocate(size, type, device, context, memory);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       return syclze_external_memory_get_fd(*memory, type, context, fd);
 *     }
 *
 * syclze_external_memory_get_support returns the types that a device supports; others are refused,
 * on Linux also the handles of Windows.
 *
 * Ownership: exportable and imported memory is the caller's, for syclze_free, and may be a buffer
 * like any other. A registered pointer stays the caller's, who must unregister it before it is
 * freed.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_EXTERNAL_MEMORY_H
#define SYCLZE_EXTERNAL_MEMORY_H

#include "usm.h"

SYCLZE_EXTERN_C_BEGIN

/**
 * Returns the types of descriptors of a device's allocations.
 *
 * @param[in] device  Null is refused.
 * @param[out] imports, exports  Of ze_external_memory_type_flag_t; not null; 0 on failure.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `imports` or `exports` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device is null
 * - what zeDeviceGetExternalMemoryProperties returns
 * @see Level Zero, external memory
 */
SYCLZE_COLD ze_result_t syclze_external_memory_get_support(syclze_device device,
    ze_external_memory_type_flags_t *imports, ze_external_memory_type_flags_t *exports)
    SYCLZE_LINK_NAME(syclze_external_memory_get_support);

/**
 * Allocates device memory that can be exported.
 *
 * @param[in] size  In bytes.
 * @param[in] type  A flag of what the device exports.
 * @param[in] device  In the context; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the device or the context is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION: the device does not export the type
 * - what zeDeviceGetExternalMemoryProperties and zeMemAllocDevice return
 * @see Level Zero, ze_external_memory_export_desc_t
 */
SYCLZE_COLD ze_result_t syclze_external_memory_allocate(size_t size,
    ze_external_memory_type_flag_t type, syclze_device device, syclze_context context,
    void **memory) SYCLZE_LINK_NAME(syclze_external_memory_allocate);

/**
 * Returns a file descriptor of exportable memory.
 *
 * @param[in] memory  Of syclze_external_memory_allocate; not null.
 * @param[in] type  As there.
 * @param[in] context  That of the memory; null is refused.
 * @param[out] fd  Not null; -1 on failure.
 * Ownership afterwards: the descriptor is the driver's, and is valid while the memory is; dup() it
 * for longer.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` or `fd` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the driver returns no descriptor
 * - what zeMemGetAllocProperties returns
 * @see Level Zero, ze_external_memory_export_fd_t
 */
SYCLZE_COLD ze_result_t syclze_external_memory_get_fd(
    void *memory, ze_external_memory_type_flag_t type, syclze_context context, int *fd)
    SYCLZE_LINK_NAME(syclze_external_memory_get_fd);

/**
 * Imports the memory of a file descriptor.
 *
 * @param[in] fd  Not negative.
 * @param[in] type  A flag of what the device imports.
 * @param[in] size  Of the memory, in bytes.
 * @param[in] device  In the context; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free; the descriptor is the driver's
 * after success, as Level Zero has it, and after an error the caller's.
 * @return As syclze_external_memory_allocate, of what the device imports; and
 * - ZE_RESULT_ERROR_INVALID_ARGUMENT: the descriptor is negative
 * @see Level Zero, ze_external_memory_import_fd_t
 */
SYCLZE_COLD ze_result_t syclze_external_memory_import(int fd, ze_external_memory_type_flag_t type,
    size_t size, syclze_device device, syclze_context context, void **memory)
    SYCLZE_LINK_NAME(syclze_external_memory_import);

/**
 * Returns an NT handle of exportable memory, or with ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32_KMT
 * a global share handle.
 *
 * @param[in] memory  Of syclze_external_memory_allocate; not null.
 * @param[in] type  As there: ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32 or one of those behind it.
 * @param[in] context  That of the memory; null is refused.
 * @param[out] handle  Not null; set to null on failure.
 * Ownership afterwards: the handle is the driver's, and is valid while the memory is;
 * DuplicateHandle() makes one for longer, or for another process.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` or `handle` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the type is of no handle
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the driver returns no handle
 * - what zeMemGetAllocProperties returns
 * @see Level Zero, ze_external_memory_export_win32_handle_t
 */
SYCLZE_COLD ze_result_t syclze_external_memory_get_win32(
    void *memory, ze_external_memory_type_flag_t type, syclze_context context, void **handle)
    SYCLZE_LINK_NAME(syclze_external_memory_get_win32);

/**
 * Imports the memory of a handle of Windows.
 *
 * @param[in] handle  An NT handle or a global share handle, by the type; not null.
 * @param[in] type  A flag of what the device imports: ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_WIN32 or
 * one of those behind it.
 * @param[in] size  Of the memory, in bytes.
 * @param[in] device  In the context; null is refused.
 * @param[in] context  Null is refused.
 * @param[out] memory  Not null; set to null on failure.
 * Ownership afterwards: the memory is the caller's, for syclze_free; the handle stays the caller's,
 * who may close an NT handle after the import.
 * @return As syclze_external_memory_allocate, of what the device imports; and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `handle` is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the type is of no handle
 * @see Level Zero, ze_external_memory_import_win32_handle_t
 */
SYCLZE_COLD ze_result_t syclze_external_memory_import_win32(void *handle,
    ze_external_memory_type_flag_t type, size_t size, syclze_device device, syclze_context context,
    void **memory) SYCLZE_LINK_NAME(syclze_external_memory_import_win32);

/**
 * Registers host memory of the program with the driver, so that copies need no staging and kernels
 * may use the pointer.
 *
 * @param[in] memory  Of malloc, mmap or the like; not null.
 * @param[in] size  In bytes, not 0.
 * @param[in] context  Null is refused. The memory is registered with its driver.
 * Ownership afterwards: the memory is the caller's, who must unregister it before it is freed.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: `size` is 0
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the driver has no zexDriverImportExternalPointer
 * - what zexDriverImportExternalPointer returns
 * @see Level Zero, driver extension functions; sycl_ext_oneapi_copy_optimize
 */
SYCLZE_COLD ze_result_t syclze_host_memory_register(void *memory, size_t size,
    syclze_context context) SYCLZE_LINK_NAME(syclze_host_memory_register);

/**
 * Unregisters host memory. Work that uses it must be complete.
 *
 * @param[in] memory  As registered; not null.
 * @param[in] context  Of the same driver; null is refused.
 * Ownership afterwards: the caller's, as before.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `memory` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context is null
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the driver has no zexDriverReleaseImportedPointer
 * - what zexDriverReleaseImportedPointer returns
 * @see Level Zero, driver extension functions; sycl_ext_oneapi_copy_optimize
 */
SYCLZE_COLD ze_result_t syclze_host_memory_unregister(void *memory, syclze_context context)
    SYCLZE_LINK_NAME(syclze_host_memory_unregister);

SYCLZE_EXTERN_C_END

#include "detail/objects/external_memory.h"

#endif
