/**
 * @file
 * Kernel bundles in executable state: fully linked Level Zero modules.
 *
 *     syclze_kernel_bundle_input input = {0};
 *     input.native_handle = module;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_kernel_bundle bundle;
 *     if (syclze_make_kernel_bundle(&input, context, &bundle) == ZE_RESULT_SUCCESS)
 *       syclze_kernel_bundle_release(bundle);
 *
 * Ownership: a bundle keeps its context, and kernels keep their bundle: a transferred module is
 * destroyed with the last of the bundle and its kernels. Kernels of a transferred module that the
 * application created itself must be destroyed by then (Level-Zero backend 4.3).
 *
 * Threads: any thread may call any function; each thread that retains or releases holds a
 * reference.
 */
#ifndef SYCLZE_KERNEL_BUNDLE_H
#define SYCLZE_KERNEL_BUNDLE_H

#include "context.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__kernel_bundle;

/** A kernel bundle; {0} is null. @see SYCL 2020 4.11 */
typedef struct syclze_kernel_bundle {
  struct syclze__kernel_bundle *rep;
} syclze_kernel_bundle;

/** Input of syclze_make_kernel_bundle. @see Level-Zero backend 4.1 */
typedef struct syclze_kernel_bundle_input {
  ze_module_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_kernel_bundle_input;

/** The modules of a bundle, valid until its last release. @see Level-Zero backend 4.1 */
typedef struct syclze_native_modules {
  const ze_module_handle_t *modules;
  size_t count;
} syclze_native_modules;

/** The build of a bundle, from SPIR-V or native code. */
typedef struct syclze_kernel_bundle_desc {
  const void *spirv;                      /* or native code; read during the call only */
  size_t size;                            /* in bytes */
  const char *build_flags;                /* as for zeModuleCreate; default: none */
  const ze_module_constants_t *constants; /* specialisation constants; default: the module's */
  char *build_log;                        /* receives the log of a failed build; default: none */
  size_t build_log_size;                  /* in bytes; a longer log is cut and terminated */
  ze_module_format_t format;              /* default: SPIR-V; ZE_MODULE_FORMAT_NATIVE */
} syclze_kernel_bundle_desc;

/**
 * Wraps a fully linked module.
 *
 * Level Zero cannot query the context of a module: `context` is not checked.
 *
 * @param[in] input  Not null.
 * @param[in] context  That of the module; null is refused. The bundle keeps it.
 * @param[out] bundle  Not null; set to null on failure.
 * Ownership afterwards: with transfer the library's, with keep the caller's. After an error the
 * caller's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `input` or `bundle` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the handle or the context is null
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the ownership is neither transfer nor keep
 * - SYCLZE_RESULT_ERROR_INVALID: the module has unresolved imports
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeModuleGetProperties returns
 * @see Level-Zero backend 4.3
 */
SYCLZE_INLINE ze_result_t syclze_make_kernel_bundle(
    const syclze_kernel_bundle_input *input, syclze_context context, syclze_kernel_bundle *bundle);

/**
 * Builds SPIR-V, or loads native code, for a device of the context, by one call of
 * zeModuleCreate. setup.h does so for a file.
 *
 * @param[in] context  Null is refused. The bundle keeps it.
 * @param[in] device  In the context; null is refused.
 * @param[in] desc  Not null; neither is its `spirv`. After a failed build `build_log` has the log,
 * and so has the detail of the diagnostic.
 * @param[out] bundle  Not null; set to null on failure.
 * Ownership afterwards: the module is the library's.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context; the module has unresolved
 * imports
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory for the object
 * - what zeModuleCreate returns: ZE_RESULT_ERROR_MODULE_BUILD_FAILURE for a failed build
 * @see SYCL 2020 4.11.11
 */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_create(syclze_context context, syclze_device device,
    const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_kernel_bundle_create);

/**
 * Returns the modules.
 *
 * @param[in] bundle  Not null.
 * @return The modules. Ownership is unchanged.
 * @see Level-Zero backend 4.2, 4.4.3
 */
SYCLZE_INLINE syclze_native_modules syclze_kernel_bundle_get_native(syclze_kernel_bundle bundle);

/**
 * Returns the context.
 *
 * @param[in] bundle  Not null.
 * @return The context, without a reference of its own.
 * @see SYCL 2020 4.11.12
 */
SYCLZE_INLINE syclze_context syclze_kernel_bundle_get_context(syclze_kernel_bundle bundle);

/** @copydoc syclze_context_retain */
SYCLZE_INLINE ze_result_t syclze_kernel_bundle_retain(syclze_kernel_bundle object);

/**
 * Drops a reference. The last one destroys a transferred module, and drops the reference to the
 * context.
 *
 * @param[in] bundle  No effect for null.
 * @return ZE_RESULT_SUCCESS, or
 * - SYCLZE_RESULT_ERROR_INVALID: no reference is left, if detected
 * - what zeModuleDestroy and the release of the context return; the object is released anyway
 * @see Level-Zero backend 4.4
 */
SYCLZE_INLINE ze_result_t syclze_kernel_bundle_release(syclze_kernel_bundle bundle);

/**
 * @copydoc syclze_context_set_owner
 * - SYCLZE_RESULT_ERROR_INVALID, too: the bundle is of a program of device images, and ends other
 * objects with its module
 */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_set_owner(syclze_kernel_bundle object,
    syclze_owner owner) SYCLZE_LINK_NAME(syclze_kernel_bundle_set_owner);

/** @copydoc syclze_context_get_owner */
SYCLZE_COLD syclze_owner syclze_kernel_bundle_get_owner(syclze_kernel_bundle object)
    SYCLZE_LINK_NAME(syclze_kernel_bundle_get_owner);

SYCLZE_EXTERN_C_END

#include "detail/objects/kernel_bundle.h"

#endif
