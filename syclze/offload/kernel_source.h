/**
 * @file
 * Kernels of OpenCL C that a program compiles while it runs, where a compiler is installed.
 * EXPERIMENTAL, and included by name.
 *
 *     #include "syclze/offload/kernel_source.h"
 *     static ze_result_t build(syclze_context context, syclze_device device,
 *         syclze_kernel_bundle *bundle) {
 *       char log[4096];
 *       syclze_kernel_source source = {0};
 *       source.text = "kernel void add(global int *x) { x[get_global_id(0)] += N; }";
 *       source.options = "-DN=2";
 *       source.log = log;
 *       source.log_size = sizeof log;
 *       ze_result_t result =
 *           syclze_kernel_bundle_create_from_source(context, device, &source, bundle);
 *       if (result != ZE_RESULT_SUCCESS) fputs(log, stderr);
 *       return result;
 *     }
 *
 * The first available one of these compilers is used: the driver, if it accepts OpenCL C, as newer
 * drivers of Intel's do; ocloc's library, opened by dlopen(); clang 22 or newer, or an older clang
 * and the llvm-spirv of its version. Clang and llvm-spirv are searched for in the folders of PATH
 * and run as processes, with files in a folder of their own in TMPDIR or /tmp that only the user
 * can enter. A program with more privileges than its caller, such as a set-user-ID one, runs no
 * processes.
 *
 * SPIR-V is kept in the folder of the cache of native binaries (program.h), under the source, its
 * options and the device's architecture: an entry outlives the compiler that made it.
 *
 * Ownership: what a function creates is the caller's. Threads: any.
 */
#ifndef SYCLZE_OFFLOAD_KERNEL_SOURCE_H
#define SYCLZE_OFFLOAD_KERNEL_SOURCE_H

#include "../kernel_bundle.h"
#include "device_traits.h"
#include "spirv.h"

SYCLZE_EXTERN_C_BEGIN

/** OpenCL C, and the options of its compilation. Zeros are the defaults. Read during the call only.
 */
typedef struct syclze_kernel_source {
  const char *text;         /**< not null */
  const char *options;      /**< OpenCL's, with spaces between; default: none */
  const char *build_flags;  /**< of the driver, for SPIR-V; default: none */
  const char *ocloc;        /**< the path of ocloc's library; default: the system's; "" is none */
  const char *tools;        /**< folders of clang and llvm-spirv, with ':' between; default: PATH;
                                 "" is none. Relative ones are ignored. */
  const char *cache_folder; /**< default: the environment's; "" is none */
  char *log;                /**< gets the messages of a failed compilation; default: none */
  size_t log_size;          /**< in bytes; longer messages are cut off, and terminated */
} syclze_kernel_source;

/**
 * Compiles a source to SPIR-V, for any device, by ocloc's library or clang.
 *
 * @param[in] source  not null; neither is its text.
 * @param[out] spirv  not null; empty on failure. The caller frees it by syclze_kernel_source_free.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `source`, its text or `spirv` is null
 * - SYCLZE_RESULT_ERROR_BUILD: the compiler refuses the source; the log and the diagnostic's detail
 *   say why
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: no compiler is available, or none can be run; the
 * log has a line for each
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see sycl_ext_oneapi_kernel_compiler (create_kernel_bundle_from_source, build)
 */
SYCLZE_COLD ze_result_t syclze_kernel_source_compile(const syclze_kernel_source *source,
    syclze_bytes *spirv) SYCLZE_LINK_NAME(syclze_kernel_source_compile);

/**
 * Frees SPIR-V.
 *
 * @param[in] spirv  from syclze_kernel_source_compile; null data is allowed and has no effect.
 * @see sycl_ext_oneapi_kernel_compiler
 */
SYCLZE_INLINE void syclze_kernel_source_free(syclze_bytes spirv);

/**
 * Compiles a source and builds it for a device.
 *
 * @param[in] context  null is refused. The bundle keeps it.
 * @param[in] device  in the context; null is refused.
 * @param[in] source  not null; neither is its text.
 * @param[out] bundle  not null; set to null on failure. The caller releases it.
 * @return the errors of syclze_kernel_source_compile, or
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `bundle` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: the context or the device is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - SYCLZE_RESULT_ERROR_BUILD: the driver, which compiles the source itself, refuses it
 * - the errors of syclze_device_get_traits and of syclze_kernel_bundle_create
 * @see sycl_ext_oneapi_kernel_compiler (create_kernel_bundle_from_source, build)
 */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_create_from_source(syclze_context context,
    syclze_device device, const syclze_kernel_source *source, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_kernel_bundle_create_from_source);

SYCLZE_EXTERN_C_END

#include "detail/kernel_source.h"

#ifdef SYCLZE_CHECK
/* Its call site. */
#define syclze_kernel_bundle_create_from_source(...)                                               \
  (SYCLZE__HERE(syclze_kernel_bundle_create_from_source)(__VA_ARGS__))
#endif

#endif
