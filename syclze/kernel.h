/**
 * @file
 * Kernels.
 *
 *     syclze_kernel_input input = {0};
 *     input.kernel_bundle = bundle;
 *     input.native_handle = handle;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_kernel kernel;
 *     if (syclze_make_kernel(&input, context, &kernel) == ZE_RESULT_SUCCESS)
 *       syclze_kernel_release(kernel);
 *
 * Ownership: a kernel keeps its bundle, and thereby the context: a transferred kernel is destroyed
 * before its module, and once its launches are done, if need be in the background.
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference, and any thread may launch any kernel. The application may use a native kernel itself
 * in one thread at a time, and not while another one launches it (Level-Zero backend 4.4.4).
 */
#ifndef SYCLZE_KERNEL_H
#define SYCLZE_KERNEL_H

#include "kernel_bundle.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__kernel;

/** A kernel; {0} is null. @see SYCL 2020 4.11.13 */
typedef struct syclze_kernel {
  struct syclze__kernel *rep;
} syclze_kernel;

/** Input of syclze_make_kernel. @see Level-Zero backend 4.1 */
typedef struct syclze_kernel_input {
  syclze_kernel_bundle kernel_bundle; /* of the one module that the kernel was created from */
  ze_kernel_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_kernel_input;

/**
 * Wraps a native kernel.
 *
 * Level Zero has no query for the module of a kernel: the module must have a kernel of this name.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the bundle; null is refused.
 * @param[out] kernel  Not null; set to null on failure. The kernel keeps the bundle.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `kernel` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle, the bundle or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep
 * - SYCLZE_RESULT_ERROR_INVALID: the bundle does not have exactly one module, or is of another
 *   context; its module has no kernel of this name
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeKernelGetName and zeModuleGetKernelNames return
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_kernel(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel);

/**
 * Creates a kernel, with indirect access to host, device and shared memory: USM that it reaches by
 * pointers in memory or in structs is resident.
 *
 * @param[in] bundle  Null is refused. The kernel keeps it.
 * @param[in] name  Of a kernel in the bundle's module; not null.
 * @param[out] kernel  Not null; set to null on failure.
 * Ownership afterwards: the native kernel is the library's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `name` or `kernel` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the bundle is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeKernelCreate returns: ZE_RESULT_ERROR_INVALID_KERNEL_NAME for an unknown name
 * - what zeKernelSetIndirectAccess returns
 * @see SYCL 2020 4.8.3.4
 */
SYCLZE_COLD ze_result_t syclze_kernel_create(syclze_kernel_bundle bundle, const char *name,
    syclze_kernel *kernel) SYCLZE_LINK_NAME(syclze_kernel_create);

/**
 * Sets the kinds of memory that a kernel accesses by pointers other than its arguments. Kernels of
 * syclze_kernel_create access all kinds; wrapped kernels those that the application set.
 *
 * @param[in] kernel  Null is refused.
 * @param[in] flags  Of ze_kernel_indirect_access_flag_t.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the kernel is null
 * - what zeKernelSetIndirectAccess returns
 * @see SYCL 2020 4.8.3.4
 */
SYCLZE_COLD ze_result_t syclze_kernel_set_indirect_access(syclze_kernel kernel,
    ze_kernel_indirect_access_flags_t flags) SYCLZE_LINK_NAME(syclze_kernel_set_indirect_access);

/**
 * Returns the native handle.
 *
 * @param[in] kernel  Not null.
 * @return The handle. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE ze_kernel_handle_t syclze_kernel_get_native(syclze_kernel kernel);

/**
 * Returns the kernel bundle.
 *
 * @param[in] kernel  Not null.
 * @return The bundle, without a reference of its own.
 * @see SYCL 2020 4.11.13.1
 */
SYCLZE_INLINE syclze_kernel_bundle syclze_kernel_get_kernel_bundle(syclze_kernel kernel);

/**
 * Returns the context.
 *
 * @param[in] kernel  Not null.
 * @return The context, without a reference of its own.
 * @see SYCL 2020 4.11.13.1
 */
SYCLZE_INLINE syclze_context syclze_kernel_get_context(syclze_kernel kernel);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_kernel_retain(syclze_kernel object);

/**
 * Drops a reference. The last one destroys a transferred kernel, and drops the reference to the
 * bundle.
 *
 * @param[in] kernel  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeKernelDestroy and the release of the bundle return; the object is released anyway
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_kernel_release(syclze_kernel kernel);

/**
 * @copydoc syclze_context_set_owner
 * - SYCLZE_RESULT_ERROR_INVALID, too: the kernel is kept and has been launched
 */
SYCLZE_COLD ze_result_t syclze_kernel_set_owner(syclze_kernel object, syclze_owner owner)
    SYCLZE_LINK_NAME(syclze_kernel_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_kernel_get_owner(syclze_kernel object)
    SYCLZE_LINK_NAME(syclze_kernel_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/kernel.h"

#endif
