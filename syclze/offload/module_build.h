/**
 * @file
 * Modules of selected images: built by the driver, linked with what they import from.
 *
 *     char log[4096];
 *     syclze_candidate candidate; // from syclze_selection_find
 *     syclze_module_order order = {0};
 *     order.candidate = &candidate;
 *     order.log = log;
 *     order.log_size = sizeof log;
 *     syclze_kernel_bundle built;
 *     if (syclze_module_build(context, device, &order, &built) != ZE_RESULT_SUCCESS)
 *       fputs(log, stderr);
 *
 * Nothing is cached here: program.h does that. Ownership: the bundle is the caller's. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_MODULE_BUILD_H
#define SYCLZE_OFFLOAD_MODULE_BUILD_H

#include "../kernel_bundle.h"
#include "selection.h"

SYCLZE_EXTERN_C_BEGIN

/** The module to build. Read during the call only. */
typedef struct syclze_module_order {
  const syclze_candidate *candidate; /**< not null */
  const syclze_candidate *others;    /**< to link it with; default: none */
  uint32_t other_count;
  const char *build_flags;                /**< default: none */
  const ze_module_constants_t *constants; /**< of the candidate; default: as in the module */
  char *log;                              /**< gets the driver's log of a failure; default: none */
  size_t log_size;                        /**< in bytes; a longer log is cut off, and terminated */
  const char *const *other_flags;         /**< of each other; default: build_flags for all */
} syclze_module_order;

/**
 * The options with which the driver builds an image's SPIR-V, as DPC++'s runtime passes them:
 * - its string "compile-opts", in which options of DPC++'s front end are replaced by the driver's,
 *   or dropped where they are for other devices; replaced by SYCL_PROGRAM_COMPILE_OPTIONS
 * - what its properties imply: register file, optimisation level, ESIMD
 * - SYCL_PROGRAM_APPEND_COMPILE_OPTIONS
 * - its string "link-opts"; replaced by SYCL_PROGRAM_LINK_OPTIONS
 * - SYCL_PROGRAM_APPEND_LINK_OPTIONS
 * - the caller's
 *
 * @param[in] image  not null.
 * @param[in] traits  the device's; not null.
 * @param[in] more  the caller's options; may be null, for none.
 * @param[out] buffer  of `*size` bytes, gets a terminated string; null queries the size.
 * @param[in,out] size  not null; in bytes. Set to the string's size, its NUL included.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `image`, `traits` or `size` is null
 * - ZE_RESULT_ERROR_INVALID_SIZE: the buffer is too small
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: the properties could not be read
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_build_options(const syclze_offload_image *image,
    const syclze_device_traits *traits, const char *more, char *buffer, size_t *size)
    SYCLZE_LINK_NAME(syclze_build_options);

/**
 * Builds a bundle that owns its modules. What the driver returns gives no diagnostic.
 *
 * @param[in] context  not null.
 * @param[in] device  of the context; not null.
 * @param[in] order  not null.
 * @param[out] bundle  not null; set to null on failure. The caller releases it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: a pointer is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - what zeModuleCreate and zeModuleDynamicLink return
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_module_build(syclze_context context, syclze_device device,
    const syclze_module_order *order, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_module_build);

SYCLZE_EXTERN_C_END

#include "detail/module_build.h"

#ifdef SYCLZE_CHECK
/* Its call site. */
#define syclze_module_build(...) (SYCLZE__HERE(syclze_module_build)(__VA_ARGS__))
#endif

#endif
