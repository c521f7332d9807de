/* Kernels.
 *
 *     syclze_kernel_input input = {0};
 *     input.kernel_bundle = bundle;
 *     input.native_handle = handle;
 *     input.ownership = SYCLZE_OWNERSHIP_KEEP;
 *     syclze_kernel kernel;
 *     if (syclze_make_kernel(&input, context, &kernel) == ZE_RESULT_SUCCESS)
 *       syclze_kernel_release(kernel);
 *
 * A kernel keeps its bundle, and by it the context: a transferred kernel is destroyed before its
 * module. References may be added and dropped by any thread; arguments and group size of one
 * native kernel are for one thread at a time (4.4.4). */
#ifndef SYCLZE_KERNEL_H
#define SYCLZE_KERNEL_H

#include "kernel_bundle.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_kernel {
  struct syclze__kernel *rep;
} syclze_kernel;

typedef struct syclze_kernel_input {
  syclze_kernel_bundle kernel_bundle; /* of the one module that the kernel was created from */
  ze_kernel_handle_t native_handle;
  syclze_ownership ownership; /* default: transfer */
} syclze_kernel_input;

struct syclze__kernel {
  struct syclze__ref ref;
  ze_kernel_handle_t native;
  struct syclze__kernel_bundle *bundle;
  uint64_t name_hash; /* for tracing; 0 until computed */
};

/* Creates the kernel of that name, owned by the library. The kernel keeps `bundle`. Passes through
 * what zeKernelCreate returns: ZE_RESULT_ERROR_INVALID_KERNEL_NAME for one that is not there. */
SYCLZE_COLD ze_result_t syclze_kernel_create(syclze_kernel_bundle bundle, const char *name,
    syclze_kernel *kernel) SYCLZE_LINK_NAME(syclze_kernel_create);

/* The kernel's handle. `kernel` is not null. Nothing changes hands (4.4.3). */
SYCLZE_INLINE ze_kernel_handle_t syclze_kernel_get_native(syclze_kernel kernel) {
  SYCLZE__TRACE_GET(SYCLZE__TRACE_KERNEL, kernel.rep);
  return kernel.rep->native;
}

/* The kernel's bundle, without a reference of its own. `kernel` is not null. */
SYCLZE_INLINE syclze_kernel_bundle syclze_kernel_get_kernel_bundle(syclze_kernel kernel) {
  syclze_kernel_bundle bundle = {kernel.rep->bundle};
  return bundle;
}

/* The kernel's context, without a reference of its own. `kernel` is not null. */
SYCLZE_INLINE syclze_context syclze_kernel_get_context(syclze_kernel kernel) {
  syclze_context context = {kernel.rep->bundle->context};
  return context;
}

/* The names of the kernels of the bundle's module, kept by the first to ask. */
SYCLZE_COLD struct syclze__status syclze__kernel_bundle_name(struct syclze__kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze__kernel_bundle_name);

SYCLZE_COLD struct syclze__status syclze__kernel_bundle_name(struct syclze__kernel_bundle *bundle) {
  struct syclze__kernel_names *names = NULL, *none = NULL;
  ze_result_t result = syclze__kernel_names_get(bundle->modules[0], &names);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the names of the module's kernels cannot be had");
  if (!__atomic_compare_exchange_n(
          &bundle->names, &none, names, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    free(names);
  return syclze__allowed();
}

SYCLZE_COLD struct syclze__status syclze__check_long_name(ze_kernel_handle_t kernel,
    const struct syclze__kernel_names *names) SYCLZE_LINK_NAME(syclze__check_long_name);

SYCLZE_INLINE struct syclze__status syclze__check_name_found(bool found) {
  return found ? syclze__allowed()
               : syclze__invalid(
                     "Level-Zero backend 4.3: the bundle's module has no kernel of this name");
}

/* For names that are not looked at in place. */
SYCLZE_COLD struct syclze__status syclze__check_long_name(
    ze_kernel_handle_t kernel, const struct syclze__kernel_names *names) {
  size_t size = 0;
  ze_result_t result = SYCLZE__ZE(zeKernelGetName)(kernel, &size, NULL);
  char *name = NULL;
  if (result == ZE_RESULT_SUCCESS) {
    name = (char *)calloc(size + sizeof(uint64_t), 1);
    if (name == NULL) return syclze__out_of_memory();
    result = SYCLZE__ZE(zeKernelGetName)(kernel, &size, name);
  }
  struct syclze__status status =
      result == ZE_RESULT_SUCCESS
          ? syclze__check_name_found(syclze__kernel_names_have(names, name, size))
          : syclze__status_of(result, "zeKernelGetName refuses the handle");
  free(name);
  return status;
}

/* As far as Level Zero can tell: the module has a kernel of this kernel's name. */
SYCLZE_INLINE struct syclze__status syclze__check_kernel_name(
    ze_kernel_handle_t kernel, struct syclze__kernel_bundle *bundle) {
  const struct syclze__kernel_names *names = __atomic_load_n(&bundle->names, __ATOMIC_ACQUIRE);
  if (SYCLZE__UNLIKELY(names == NULL)) {
    struct syclze__status status = syclze__kernel_bundle_name(bundle);
    if (status.result != ZE_RESULT_SUCCESS) return status;
    names = __atomic_load_n(&bundle->names, __ATOMIC_ACQUIRE);
  }
  uint64_t words[32];
  size_t size = sizeof words;
  words[0] = 0;
  if (SYCLZE__LIKELY(
          SYCLZE__ZE(zeKernelGetName)(kernel, &size, (char *)words) == ZE_RESULT_SUCCESS &&
          size < sizeof words))
    return syclze__check_name_found(syclze__kernel_names_have(names, (const char *)words, size));
  return syclze__check_long_name(kernel, names);
}

SYCLZE_INLINE struct syclze__status syclze__check_kernel(
    const syclze_kernel_input *input, const struct syclze__context *context) {
  if (input == NULL) return syclze__null_pointer("the input's pointer is null");
  struct syclze__kernel_bundle *bundle = input->kernel_bundle.rep;
  struct syclze__status status = syclze__check_handle(input->native_handle, input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (context == NULL || bundle == NULL)
    return syclze__null_handle("the context or the kernel bundle is null");
  if (bundle->module_count != 1)
    return syclze__invalid("Level-Zero backend 4.3: the kernel bundle must have one module");
  if (SYCLZE__UNLIKELY(bundle->context != context) && bundle->context->native != context->native)
    return syclze__invalid("Level-Zero backend 4.3: the kernel bundle is of another context");
  return syclze__check_kernel_name(input->native_handle, bundle);
}

/* A kernel with one reference, and a reference to its bundle; null without memory. */
SYCLZE_INLINE struct syclze__kernel *syclze__kernel_new(
    ze_kernel_handle_t native, struct syclze__kernel_bundle *bundle, syclze_ownership ownership) {
  struct syclze__kernel *kernel = (struct syclze__kernel *)syclze__pool_acquire(
      &SYCLZE__STATE.pools[SYCLZE__POOL_KERNEL], sizeof *kernel);
  if (SYCLZE__UNLIKELY(kernel == NULL)) return NULL;
  syclze__ref_init(&kernel->ref, ownership);
  syclze__ref_retain(&bundle->ref);
  kernel->native = native;
  kernel->bundle = bundle;
  kernel->name_hash = 0;
  SYCLZE__CHECK_WRAPPED(native, ownership);
  return kernel;
}

/* Wraps a kernel of the bundle's module (4.3). The kernel keeps the bundle. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE for a null handle, bundle or context;
 * ZE_RESULT_ERROR_INVALID_ENUMERATION for an ownership that is none; SYCLZE_RESULT_ERROR_INVALID
 * for a bundle that has not exactly one module or is of another context, and for a kernel whose
 * name the module does not have; what zeKernelGetName says of the handle. After an error the
 * handle is the caller's. */
SYCLZE_INLINE ze_result_t syclze_make_kernel(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel);

SYCLZE_INLINE ze_result_t syclze__make_kernel_impl(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  static const char *const function = "syclze_make_kernel";
  if (kernel == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  kernel->rep = NULL;
  struct syclze__status status = syclze__check_kernel(input, context.rep);
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) {
    kernel->rep =
        syclze__kernel_new(input->native_handle, input->kernel_bundle.rep, input->ownership);
    if (SYCLZE__LIKELY(kernel->rep != NULL)) return ZE_RESULT_SUCCESS;
    status = syclze__out_of_memory();
  }
  return syclze__fail(
      status.result, function, status.rule, input != NULL ? input->native_handle : NULL);
}
SYCLZE_INLINE ze_result_t syclze_make_kernel(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  SYCLZE__RETURN_IF_MAKE_TRACED(
      make_kernel, syclze_kernel, input, kernel, &copy, context, &created);
  return syclze__make_kernel_impl(input, context, kernel);
}

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_kernel_retain(syclze_kernel kernel);

SYCLZE_INLINE ze_result_t syclze__kernel_retain_impl(syclze_kernel kernel) {
  if (kernel.rep != NULL) syclze__ref_retain(&kernel.rep->ref);
  return ZE_RESULT_SUCCESS;
}
SYCLZE_INLINE ze_result_t syclze_kernel_retain(syclze_kernel kernel) {
  SYCLZE__RETURN_IF_TRACED(kernel_retain, kernel);
  return syclze__kernel_retain_impl(kernel);
}

SYCLZE_INLINE ze_result_t syclze__kernel_destroy(const struct syclze__kernel *kernel) {
  ze_result_t result = SYCLZE__ZE(zeKernelDestroy)(kernel->native);
  if (SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS)) return result;
  return syclze__fail(result, "syclze_kernel_release", "zeKernelDestroy failed", kernel->native);
}

/* The end of a transferred kernel that nobody refers to any more. */
SYCLZE_COLD ze_result_t syclze__kernel_end(struct syclze__kernel *kernel)
    SYCLZE_LINK_NAME(syclze__kernel_end);

/* Hands back the object itself, and its reference. */
SYCLZE_INLINE ze_result_t syclze__kernel_leave(struct syclze__kernel *kernel) {
  struct syclze__kernel_bundle *bundle = kernel->bundle;
  SYCLZE__CHECK_UNWRAPPED(kernel->native);
  syclze__pool_release(&kernel->ref.slot);
  return syclze__kernel_bundle_release(bundle);
}

/* Drops a reference. The last one destroys a transferred kernel and returns what that returned,
 * and drops the kernel's reference to its bundle. Null is allowed and has no effect. */
SYCLZE_INLINE ze_result_t syclze_kernel_release(syclze_kernel kernel);

SYCLZE_INLINE ze_result_t syclze__kernel_release_impl(syclze_kernel kernel) {
  if (kernel.rep == NULL || !syclze__ref_release(&kernel.rep->ref)) return ZE_RESULT_SUCCESS;
  return kernel.rep->ref.ownership == SYCLZE_OWNERSHIP_TRANSFER ? syclze__kernel_end(kernel.rep)
                                                                : syclze__kernel_leave(kernel.rep);
}
SYCLZE_INLINE ze_result_t syclze_kernel_release(syclze_kernel kernel) {
  SYCLZE__RETURN_IF_TRACED(kernel_release, kernel);
  return syclze__kernel_release_impl(kernel);
}

SYCLZE_COLD ze_result_t syclze__kernel_end(struct syclze__kernel *kernel) {
  ze_result_t result = syclze__kernel_destroy(kernel);
  ze_result_t released = syclze__kernel_leave(kernel);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_COLD ze_result_t syclze__kernel_create_impl(syclze_kernel_bundle bundle, const char *name,
    syclze_kernel *kernel) SYCLZE_LINK_NAME(syclze__kernel_create_impl);

SYCLZE_COLD ze_result_t syclze__kernel_create_impl(
    syclze_kernel_bundle bundle, const char *name, syclze_kernel *kernel) {
  static const char *const function = "syclze_kernel_create";
  if (kernel == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  kernel->rep = NULL;
  if (name == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the kernel's name is null", NULL);
  if (bundle.rep == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the kernel bundle is null", NULL);
  ze_kernel_desc_t desc;
  memset(&desc, 0, sizeof desc);
  desc.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC;
  desc.pKernelName = name;
  ze_kernel_handle_t native = NULL;
  ze_result_t result = SYCLZE__ZE(zeKernelCreate)(bundle.rep->modules[0], &desc, &native);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__fail(result, function, "zeKernelCreate failed", bundle.rep->modules[0]);
  kernel->rep = syclze__kernel_new(native, bundle.rep, SYCLZE_OWNERSHIP_TRANSFER);
  if (kernel->rep != NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__ZE(zeKernelDestroy)(native);
  return syclze__fail(
      ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
}

SYCLZE_COLD ze_result_t syclze_kernel_create(
    syclze_kernel_bundle bundle, const char *name, syclze_kernel *kernel) {
  SYCLZE__RETURN_IF_TRACED(kernel_create, bundle, name, kernel);
  return syclze__kernel_create_impl(bundle, name, kernel);
}

SYCLZE_EXTERN_C_END

#endif
