/**
 * @file
 * Kernels by name, from device images that are built on first use.
 *
 *     syclze_program program;
 *     syclze_program_request request = {0};
 *     request.kernel = "saxpy";
 *     syclze_kernel saxpy;
 *     if (syclze_program_create(context, NULL, &program) == ZE_RESULT_SUCCESS) {
 *       if (syclze_program_get_kernel(program, device, &request, &saxpy) == ZE_RESULT_SUCCESS)
 *         syclze_kernel_release(saxpy);
 *       syclze_program_release(program);
 *     }
 *
 * A program is a set of images in one context, and a cache of the bundles built from them: one for
 * an image, a device, and values of specialisation constants. Ownership: it keeps the context, its
 * bundles and the set until its last release; bundles and kernels that it returned live on. The
 * memory of an image may be freed once the image is removed from the set and no call uses it.
 * Threads: any number may use one program; if several need one bundle at once, one of them builds
 * it, and the others wait. A build that the driver refused is not repeated.
 *
 * Native binaries are kept in a folder for other processes, of which one builds and the others
 * wait: in the program's own, else in that of SYCLZE_CACHE_DIR, else, where SYCL_CACHE_PERSISTENT
 * is 1, in the folder syclze in that of SYCL_CACHE_DIR, in XDG_CACHE_HOME or in ~/.cache. SYCL's
 * other variables hold for all of them: SYCL_CACHE_MAX_SIZE in megabytes (8192),
 * SYCL_CACHE_THRESHOLD in days without use (7), 0 for no limit, SYCL_CACHE_EVICTION_DISABLE, and
 * SYCL_CACHE_MIN_DEVICE_IMAGE_SIZE (0) and SYCL_CACHE_MAX_DEVICE_IMAGE_SIZE (1 GiB) in bytes.
 */
#ifndef SYCLZE_OFFLOAD_PROGRAM_H
#define SYCLZE_OFFLOAD_PROGRAM_H

#include "../kernel.h"
#include "module_build.h"
#include "selection.h"
#include "spec_constant.h"

SYCLZE_EXTERN_C_BEGIN

/** A program; null is none. */
typedef struct syclze_program {
  struct syclze__program *rep; /**< private */
} syclze_program;

/** Options of a program. Zeros are the defaults. */
typedef struct syclze_program_desc {
  syclze_offload_set set;   /**< default: the registered images */
  const char *build_flags;  /**< appended to an image's own; default: none */
  const char *cache_folder; /**< default: the environment's; "" is none */
  /** A cache that is only read, as a package brings it along: filled by tools/build.c for the same
   * build flags, and good for the devices and the version of the driver that it was made with.
   * Default: none. */
  const char *package_folder;
} syclze_program_desc;

/** A request for a kernel. */
typedef struct syclze_program_request {
  const char *kernel;              /**< not null */
  const syclze_spec_value *values; /**< those that the image lacks are left out; default: none */
  uint32_t value_count;
  char *log;       /**< gets why no image fits, or the logs of failed builds; default: none */
  size_t log_size; /**< in bytes; what is longer is cut off, and terminated */
} syclze_program_request;

/** The sources of a program's bundles. */
typedef struct syclze_program_counts {
  uint32_t from_memory;
  uint32_t from_disk;
  uint32_t built;
} syclze_program_counts;

/**
 * Creates a program in a context.
 *
 * @param[in] context  not null.
 * @param[in] desc  may be null, for the defaults; its strings are copied.
 * @param[out] program  not null; set to null on failure. The caller owns one reference.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `context` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `program` is null
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_program_create(
    syclze_context context, const syclze_program_desc *desc, syclze_program *program)
    SYCLZE_LINK_NAME(syclze_program_create);

/**
 * The bundle with a kernel. The candidates of syclze_selection_find are tried, best first, until
 * the driver accepts one.
 *
 * @param[in] program  not null.
 * @param[in] device  of the context; not null.
 * @param[in] request  not null.
 * @param[out] bundle  not null; set to null on failure. The caller releases it.
 * @return
 * - ZE_RESULT_SUCCESS
 * - ZE_RESULT_ERROR_INVALID_NULL_HANDLE: `program` is null
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `request`, its kernel, its values or `bundle` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the device is not in the context
 * - the errors of syclze_selection_find
 * - ZE_RESULT_ERROR_UNSUPPORTED_SIZE: a device global without device_image_scope has no bytes, or
 * more than that of another image with its name
 * - those of syclze_selection_link, syclze_spec_constants_apply and syclze_module_build for the
 * last candidate; the request's log and the diagnostic's detail have a line for each
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_program_get_bundle(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_program_get_bundle);

/**
 * The candidate of which the bundle of the same request is made: its image, and whether its native
 * code or its SPIR-V. Builds it if need be. Where native code takes the values of specialisation
 * constants as an argument, this is the image to make their blob for (spec_constant.h).
 *
 * @param[in] program  not null.
 * @param[in] device  of the context; not null.
 * @param[in] request  not null.
 * @param[out] choice  not null; zeros on failure. Its views are valid until the image is removed.
 * @return as syclze_program_get_bundle.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_program_get_choice(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_candidate *choice)
    SYCLZE_LINK_NAME(syclze_program_get_choice);

/**
 * A kernel object of the caller's own, with arguments that no other object shares.
 *
 * @param[in] program  not null.
 * @param[in] device  of the context; not null.
 * @param[in] request  not null.
 * @param[out] kernel  not null; set to null on failure. The caller releases it.
 * @return as syclze_program_get_bundle, and the errors of syclze_kernel_create.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_program_get_kernel(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel *kernel)
    SYCLZE_LINK_NAME(syclze_program_get_kernel);

/**
 * A global variable of the module that a request's kernel is in, or of those that it is linked
 * with: SYCL's device global by its unique id, or any variable that the module exports. Builds the
 * module if necessary. For a device global without device_image_scope, the address is that of the
 * program's memory for it.
 *
 * @param[in] program  not null.
 * @param[in] device  of the context; not null.
 * @param[in] request  not null.
 * @param[in] name  not null.
 * @param[out] pointer  not null; device memory, for copies; set to null on failure. Valid as long
 * as the program, and the image in its set.
 * @param[out] size  in bytes; may be null.
 * @return as syclze_program_get_bundle, and
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `name` or `pointer` is null
 * - what zeModuleGetGlobalPointer returns: ZE_RESULT_ERROR_INVALID_GLOBAL_NAME for an unknown one
 * - SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED: a device global without device_image_scope, for
 * whose pointer the module has no variable
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_program_get_global(syclze_program program, syclze_device device,
    const syclze_program_request *request, const char *name, void **pointer, size_t *size)
    SYCLZE_LINK_NAME(syclze_program_get_global);

/** The sources of a program's bundles so far.
 * @param[in] program  not null.
 * @return the counts. @see offload design, SYCL runtime */
SYCLZE_COLD syclze_program_counts syclze_program_get_counts(syclze_program program)
    SYCLZE_LINK_NAME(syclze_program_get_counts);

/** Adds a reference.
 * @param[in] program  may be null, which has no effect.
 * @return ZE_RESULT_SUCCESS. @see offload design, SYCL runtime */
SYCLZE_INLINE ze_result_t syclze_program_retain(syclze_program program);

/**
 * Drops a reference; the last one releases the bundles, the set and the context.
 *
 * @param[in] program  may be null, which has no effect.
 * @return ZE_RESULT_SUCCESS, or the first error of those releases.
 * @see offload design, SYCL runtime
 */
SYCLZE_COLD ze_result_t syclze_program_release(syclze_program program)
    SYCLZE_LINK_NAME(syclze_program_release);

SYCLZE_EXTERN_C_END

/* The place in the list of kinds. */
#undef SYCLZE__WITH_PROGRAMS
#define SYCLZE__WITH_PROGRAMS(...) __VA_ARGS__
SYCLZE__OVERLOAD_RETAIN(program)
SYCLZE__OVERLOAD_RELEASE(program)

#include "detail/program.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_program_get_bundle(...) (SYCLZE__HERE(syclze_program_get_bundle)(__VA_ARGS__))
#define syclze_program_get_kernel(...) (SYCLZE__HERE(syclze_program_get_kernel)(__VA_ARGS__))
#define syclze_program_release(...) (SYCLZE__HERE(syclze_program_release)(__VA_ARGS__))
#endif

#endif
