/**
 * @file
 * Setup of programs, in a line each: device, context and queue; a bundle of a file; kernels by a
 * table of names; and one guard that releases all objects of a scope. EXPERIMENTAL, and included by
 * name.
 *
 *     #include "syclze/setup.h"
 *     static ze_result_t begin(const char *path) {
 *       syclze_scoped(setup) s = {0};
 *       syclze_scoped(scope) made = {0};
 *       syclze_kernel_bundle bundle;
 *       syclze_kernel add, scale;
 *       const syclze_kernel_entry table[] = {{"add", &add}, {"scale", &scale}};
 *       ze_result_t result = syclze_setup_create((syclze_device){0}, NULL, &s);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_kernel_bundle_load(s.context, s.device, path, NULL, &bundle);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_scope_add(&made, bundle);
 *       if (result == ZE_RESULT_SUCCESS) result = syclze_kernels_create(bundle, table, 2);
 *       if (result != ZE_RESULT_SUCCESS) return result;
 *       result = syclze_scope_add(&made, add);
 *       if (result == ZE_RESULT_SUCCESS) return syclze_scope_add(&made, scale);
 *       syclze_kernel_release(scale);
 *       return result; // here `made` releases, in reverse order, and then `s`
 *     }
 *
 * Guards are an extension of GNU C (scope.h).
 *
 * Ownership: what a function creates is the caller's, or the scope's from syclze_scope_add on.
 * Threads: a setup and a scope are used by one thread at a time.
 */
#ifndef SYCLZE_SETUP_H
#define SYCLZE_SETUP_H

#include "object.h"
#include "queue.h"
#include "scope.h"
#include "selector.h"
#include "usm.h"

SYCLZE_EXTERN_C_BEGIN

/** A device, and a context and a queue of it; {0} is none. */
typedef struct syclze_setup {
  syclze_device device;
  syclze_context context;
  syclze_queue queue;
} syclze_setup;

/** A row of a table of kernels. */
typedef struct syclze_kernel_entry {
  const char *name;
  syclze_kernel *kernel; /* receives the kernel */
} syclze_kernel_entry;

enum { SYCLZE__SCOPE_FEW = 16 };

struct syclze__scope_item {
  syclze_object object; /* a context for memory */
  void *memory;         /* null for an object */
};

/** A list of objects to release together; {0} is empty. All members are private. */
typedef struct syclze_scope {
  struct syclze__scope_item few[SYCLZE__SCOPE_FEW];
  struct syclze__scope_item *many; /* those beyond */
  size_t count, room;
} syclze_scope;

/**
 * Creates a context of a device, and a queue.
 *
 * @param[in] device  Null: the first one that the environment selects (syclze_device_get_selected).
 * @param[in] properties  Of the queue; null for the default.
 * @param[out] setup  Not null; nulls on failure.
 * Ownership afterwards: context and queue are the caller's, for syclze_setup_release.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `setup` is null
 * - SYCLZE_RESULT_ERROR_RUNTIME: there is no device
 * - what syclze_device_get_selected, syclze_context_create and syclze_queue_create return
 * @see SYCL 2020 4.6.5 (queue's default constructor)
 */
SYCLZE_COLD ze_result_t syclze_setup_create(
    syclze_device device, const syclze_property_list *properties, syclze_setup *setup)
    SYCLZE_LINK_NAME(syclze_setup_create);

/**
 * Releases the queue and the context, which become null.
 *
 * @param[in,out] setup  No effect for null, and for nulls.
 * Ownership afterwards: objects of the context that the program still has keep it.
 * @return ZE_RESULT_SUCCESS, or the first error of syclze_queue_release and syclze_context_release
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_setup_release(syclze_setup *setup)
    SYCLZE_LINK_NAME(syclze_setup_release);

/**
 * Builds a bundle from a file: of SPIR-V, recognised by its first word, or else of native code.
 *
 * @param[in] context, device  As of syclze_kernel_bundle_create.
 * @param[in] path  Not null.
 * @param[in] desc  Build flags, constants and the place for the log; its bytes and format are not
 * read. Null for none.
 * @param[out] bundle  Not null; set to null on failure.
 * Ownership afterwards: the bundle is the caller's.
 * @return As syclze_kernel_bundle_create, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `path` or `bundle` is null
 * - SYCLZE_RESULT_ERROR_INVALID: the file cannot be opened or read, or is empty; the diagnostic
 *   has the path
 * @see SYCL 2020 4.11.11; sycl_ext_oneapi_kernel_compiler (create_kernel_bundle_from_source)
 */
SYCLZE_COLD ze_result_t syclze_kernel_bundle_load(syclze_context context, syclze_device device,
    const char *path, const syclze_kernel_bundle_desc *desc, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_kernel_bundle_load);

/**
 * Creates the kernels of a table, all or none.
 *
 * @param[in] bundle  Null is refused. Each kernel keeps it.
 * @param[in] table  `count` rows, without nulls; may be null for none.
 * @param[in] count  Number of rows.
 * Ownership afterwards: each kernel is the caller's; after an error all are null.
 * @return ZE_RESULT_SUCCESS, the first error of syclze_kernel_create, or
 * - ZE_RESULT_ERROR_INVALID_NULL_POINTER: `table`, a name or a pointer in it is null
 * @see SYCL 2020 4.11.12 (kernel_bundle::get_kernel)
 */
SYCLZE_COLD ze_result_t syclze_kernels_create(syclze_kernel_bundle bundle,
    const syclze_kernel_entry *table, uint32_t count) SYCLZE_LINK_NAME(syclze_kernels_create);

/**
 * Adds an object to those that a scope releases.
 *
 * @param[in,out] scope  Not null.
 * @param[in] object  Of a kind that is counted; no effect for null.
 * Ownership afterwards: the reference is the scope's. After an error it has been released.
 * @return ZE_RESULT_SUCCESS, or
 * - ZE_RESULT_ERROR_INVALID_ENUMERATION: the kind is unknown
 * - ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY: no memory; the first 16 need none
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_scope_add_object(syclze_scope *scope, syclze_object object)
    SYCLZE_LINK_NAME(syclze_scope_add_object);

/**
 * Adds USM to the memory that a scope frees. Nothing waits for work that uses it.
 *
 * @param[in,out] scope  Not null.
 * @param[in] memory  Of the context; no effect for null.
 * @param[in] context  Must outlive the scope's end, as it does if it was added before.
 * Ownership afterwards: the memory is the scope's. After an error it has been freed.
 * @return As syclze_scope_add_object.
 * @see SYCL 2020 4.8.3.5 (free)
 */
SYCLZE_COLD ze_result_t syclze_scope_add_memory(syclze_scope *scope, void *memory,
    syclze_context context) SYCLZE_LINK_NAME(syclze_scope_add_memory);

/**
 * Releases and frees all that was added, in reverse order, continuing after a failed release. A
 * guard, syclze_scoped(scope), calls it.
 *
 * @param[in,out] scope  Not null; empty afterwards, and may be used again.
 * @return ZE_RESULT_SUCCESS, or the first error of the releases
 * @see Level-Zero backend 4.4
 */
SYCLZE_COLD ze_result_t syclze_scope_end(syclze_scope *scope) SYCLZE_LINK_NAME(syclze_scope_end);

#ifndef __cplusplus
#define SYCLZE__SCOPE_CASE(kind, ...) , syclze_##kind : syclze__scope_add_##kind
#define SYCLZE__SCOPE_FIRST(kind, ...) syclze_##kind : syclze__scope_add_##kind
/** syclze_scope_add_object of an object of any counted kind: syclze_scope_add(&scope, queue). */
#define syclze_scope_add(scope, object)                                                            \
  _Generic((object), SYCLZE__CONTEXT_KIND(SYCLZE__SCOPE_FIRST, 0)                                  \
                         SYCLZE__CONTAINED_KINDS(SYCLZE__SCOPE_CASE, 0))(scope, object)
#endif

SYCLZE_EXTERN_C_END

#include "detail/objects/setup.h"

#ifdef SYCLZE_CHECK
/* Their call sites. */
#define syclze_setup_create(...) (SYCLZE__HERE(syclze_setup_create)(__VA_ARGS__))
#define syclze_setup_release(...) (SYCLZE__HERE(syclze_setup_release)(__VA_ARGS__))
#define syclze_kernel_bundle_load(...) (SYCLZE__HERE(syclze_kernel_bundle_load)(__VA_ARGS__))
#define syclze_kernels_create(...) (SYCLZE__HERE(syclze_kernels_create)(__VA_ARGS__))
#define syclze_scope_end(...) (SYCLZE__HERE(syclze_scope_end)(__VA_ARGS__))
#endif

#endif
