/* Implementation of kernel.h. */
#ifndef SYCLZE_DETAIL_OBJECTS_KERNEL_H
#define SYCLZE_DETAIL_OBJECTS_KERNEL_H

#include "../../kernel.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__kernel {
  struct syclze__ref ref;
  ze_kernel_handle_t native;
  struct syclze__kernel_bundle *bundle;
  uint64_t name_hash; /* for tracing; 0 until it is computed */
  uint64_t arguments; /* their number plus 1; 0 until a launch has queried it */
  /* For launches (command/detail/commands/kernel_use.h). Null in memory from the pool. */
  uintptr_t owner;
  struct syclze__attachment *uses;
};

/* A flag of ref.ownership: `uses` is not null. */
enum { SYCLZE__LAUNCHED = 2 };

SYCLZE__POOLED(struct syclze__kernel);

/* syclze_make_kernel without tracing. Neither pointer is null. */
SYCLZE_COLD ze_result_t syclze__make_kernel_impl(const syclze_kernel_input *input,
    syclze_context context, syclze_kernel *kernel) SYCLZE_LINK_NAME(syclze__make_kernel_impl);

/* Slow path of the make. `named` is the result of syclze__kernel_is_in. */
SYCLZE_COLD struct syclze__made syclze__make_kernel_slow(syclze_kernel_input input,
    syclze_context context, ze_result_t named) SYCLZE_LINK_NAME(syclze__make_kernel_slow);

SYCLZE_COLD ze_result_t syclze__kernel_create_impl(syclze_kernel_bundle bundle, const char *name,
    syclze_kernel *kernel) SYCLZE_LINK_NAME(syclze__kernel_create_impl);

/* Checks that the module contains a kernel with this kernel's name: success,
 * SYCLZE_RESULT_ERROR_INVALID, or ZE_RESULT_NOT_READY if that is not known at once. */
SYCLZE_WARM ze_result_t syclze__kernel_is_in(ze_kernel_handle_t kernel,
    const struct syclze__kernel_bundle *bundle) SYCLZE_LINK_NAME(syclze__kernel_is_in);

/* Ends the kernel after its last release, or reports a release without a reference. A transferred
 * kernel is destroyed once its launches are done. */
SYCLZE_COLD ze_result_t syclze__kernel_last(struct syclze__kernel *kernel)
    SYCLZE_LINK_NAME(syclze__kernel_last);
/* syclze__kernel_last for a kernel without `uses`. */
SYCLZE_COLD ze_result_t syclze__kernel_destroy(struct syclze__kernel *kernel)
    SYCLZE_LINK_NAME(syclze__kernel_destroy);

SYCLZE_INLINE ze_kernel_handle_t syclze_kernel_get_native(syclze_kernel kernel) {
  SYCLZE__TRACE_GET(SYCLZE_OBJECT_KERNEL, kernel.rep);
  SYCLZE__CHECK_USE(kernel, "syclze_kernel_get_native", NULL);
  return kernel.rep->native;
}

SYCLZE_INLINE syclze_kernel_bundle syclze_kernel_get_kernel_bundle(syclze_kernel kernel) {
  syclze_kernel_bundle bundle = {kernel.rep->bundle};
  return bundle;
}

SYCLZE_INLINE syclze_context syclze_kernel_get_context(syclze_kernel kernel) {
  syclze_context context = {kernel.rep->bundle->context};
  return context;
}

/* Fills the memory of a kernel with one reference, and a reference to its bundle. */
SYCLZE_INLINE struct syclze__kernel *syclze__kernel_fill(
    void *memory, const syclze_kernel_input *input) {
  struct syclze__kernel *kernel = (struct syclze__kernel *)memory;
  syclze__ref_init(&kernel->ref, (uint32_t)input->ownership);
  kernel->native = input->native_handle;
  kernel->bundle = input->kernel_bundle.rep;
  kernel->name_hash = kernel->arguments = 0;
  return kernel;
}

SYCLZE_INLINE ze_result_t syclze_make_kernel(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  struct syclze__made made;
  void *memory;
  ze_result_t named = ZE_RESULT_NOT_READY;
  if (SYCLZE__UNLIKELY(kernel == NULL || input == NULL))
    return syclze__fail_null("syclze_make_kernel", kernel);
  if (SYCLZE__TRACING_CALLS() || SYCLZE__CHECKED) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(input->native_handle == NULL)) goto slow;
  if (SYCLZE__UNLIKELY((uint32_t)input->ownership > SYCLZE__KEPT)) goto slow;
  SYCLZE__SEPARATE();
  if (SYCLZE__UNLIKELY(input->kernel_bundle.rep == NULL)) goto slow;
  if (SYCLZE__UNLIKELY(input->kernel_bundle.rep->context != context.rep)) goto slow;
  if (SYCLZE__UNLIKELY(input->kernel_bundle.rep->module_count != 1)) goto slow;
  named = syclze__kernel_is_in(input->native_handle, input->kernel_bundle.rep);
  if (SYCLZE__UNLIKELY(named != ZE_RESULT_SUCCESS)) goto slow;
  memory = syclze__child_take(&input->kernel_bundle.rep->parent, SYCLZE__POOL_KERNEL);
  if (SYCLZE__UNLIKELY(memory == NULL)) goto slow;
  kernel->rep = syclze__kernel_fill(memory, input);
  return ZE_RESULT_SUCCESS;
slow:
  made = syclze__make_kernel_slow(*input, context, named);
  kernel->rep = (struct syclze__kernel *)made.rep;
  return made.result;
}

SYCLZE_INLINE ze_result_t syclze_kernel_retain(syclze_kernel kernel) {
  return syclze__retain(SYCLZE_OBJECT_KERNEL, kernel.rep, "syclze_kernel_retain");
}

/* Returns the object to its pool, and drops its reference to the bundle. */
SYCLZE_INLINE ze_result_t syclze__kernel_free(struct syclze__kernel *kernel) {
  struct syclze__kernel_bundle *bundle = kernel->bundle;
  return syclze__child_release(&bundle->parent, SYCLZE__POOL_KERNEL, &kernel->ref.slot);
}

SYCLZE_INLINE ze_result_t syclze__kernel_release_impl(syclze_kernel kernel) {
  if (kernel.rep == NULL) return ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_USE(kernel, "syclze_kernel_release", SYCLZE_RESULT_ERROR_INVALID);
  enum syclze__dropped dropped = syclze__ref_drop(&kernel.rep->ref);
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_ONE)) return ZE_RESULT_SUCCESS;
  if (SYCLZE__UNLIKELY(dropped == SYCLZE__DROPPED_LAST)) return syclze__kernel_last(kernel.rep);
  SYCLZE__CHECK_UNWRAPPED(kernel.rep->native);
  return syclze__kernel_free(kernel.rep);
}

SYCLZE_INLINE ze_result_t syclze_kernel_release(syclze_kernel kernel) {
  SYCLZE__RETURN_IF_TRACED(release, SYCLZE_OBJECT_KERNEL, kernel.rep);
  return syclze__kernel_release_impl(kernel);
}

#if SYCLZE__BODIES

/* Ends a make or a creation: reports the failure of `status` or of the memory. */
SYCLZE_LOCAL struct syclze__made syclze__kernel_new(
    const syclze_kernel_input *input, struct syclze__status status, const char *function) {
  void *memory =
      syclze__make_memory(&status, (struct syclze__parent *)(void *)input->kernel_bundle.rep,
          SYCLZE__POOL_KERNEL, sizeof(struct syclze__kernel));
  if (memory != NULL) syclze__kernel_fill(memory, input);
  return syclze__make_end(
      status, memory, "kernel", function, input->native_handle, (uint32_t)input->ownership);
}

SYCLZE_WARM ze_result_t syclze__kernel_is_in(
    ze_kernel_handle_t kernel, const struct syclze__kernel_bundle *bundle) {
  const struct syclze__kernel_names *names = __atomic_load_n(&bundle->names, __ATOMIC_ACQUIRE);
  uint64_t words[32];
  size_t size = sizeof words;
  words[0] = 0;
  if (SYCLZE__UNLIKELY(
          names == NULL ||
          SYCLZE__ZE(zeKernelGetName)(kernel, &size, (char *)words) != ZE_RESULT_SUCCESS ||
          size >= sizeof words))
    return ZE_RESULT_NOT_READY;
  return syclze__kernel_names_have(names, (const char *)words, size) ? ZE_RESULT_SUCCESS
                                                                     : SYCLZE_RESULT_ERROR_INVALID;
}

/* Caches the names of the kernels of the bundle's module. */
SYCLZE_LOCAL struct syclze__status syclze__kernel_bundle_name(
    struct syclze__kernel_bundle *bundle) {
  struct syclze__kernel_names *names = __atomic_load_n(&bundle->names, __ATOMIC_ACQUIRE),
                              *none = NULL;
  if (names != NULL) return syclze__allowed();
  ze_result_t result = syclze__kernel_names_get(bundle->modules[0], &names);
  if (result != ZE_RESULT_SUCCESS)
    return syclze__status_of(result, "the names of the module's kernels cannot be queried");
  if (!__atomic_compare_exchange_n(
          &bundle->names, &none, names, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    free(names);
  return syclze__allowed();
}

/* Checks a name of any length. */
SYCLZE_LOCAL struct syclze__status syclze__check_long_name(
    ze_kernel_handle_t kernel, const struct syclze__kernel_names *names, bool *found) {
  size_t size = 0;
  char *name;
  ze_result_t result = SYCLZE__ZE(zeKernelGetName)(kernel, &size, NULL);
  if (result == ZE_RESULT_SUCCESS) {
    name = (char *)calloc(size + sizeof(uint64_t), 1);
    if (name == NULL) return syclze__out_of_memory();
    result = SYCLZE__ZE(zeKernelGetName)(kernel, &size, name);
    *found = result == ZE_RESULT_SUCCESS && syclze__kernel_names_have(names, name, size);
    free(name);
  }
  return result == ZE_RESULT_SUCCESS
             ? syclze__allowed()
             : syclze__status_of(result, "zeKernelGetName refuses the handle");
}

SYCLZE_LOCAL struct syclze__status syclze__check_kernel_name(
    ze_kernel_handle_t kernel, struct syclze__kernel_bundle *bundle, ze_result_t named) {
  struct syclze__status status = syclze__kernel_bundle_name(bundle);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (named == ZE_RESULT_NOT_READY) named = syclze__kernel_is_in(kernel, bundle);
  bool found = named == ZE_RESULT_SUCCESS;
  if (named == ZE_RESULT_NOT_READY)
    status =
        syclze__check_long_name(kernel, __atomic_load_n(&bundle->names, __ATOMIC_ACQUIRE), &found);
  if (status.result != ZE_RESULT_SUCCESS || found) return status;
  return syclze__invalid("Level-Zero backend 4.3: the bundle's module has no kernel of this name");
}

SYCLZE_LOCAL struct syclze__status syclze__check_kernel(
    const syclze_kernel_input *input, const struct syclze__context *context, ze_result_t named) {
  struct syclze__kernel_bundle *bundle = input->kernel_bundle.rep;
  struct syclze__status status =
      syclze__check_handle(input->native_handle, (uint32_t)input->ownership);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (context == NULL || bundle == NULL)
    return syclze__null_handle("the context or the kernel bundle is null");
  status = syclze__check_in(context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  if (!SYCLZE__CHECK_ALIVE(bundle))
    return syclze__invalid("the kernel bundle is used after its last release");
  if (bundle->module_count != 1)
    return syclze__invalid("Level-Zero backend 4.3: the kernel bundle must have one module");
  if (bundle->context->native != context->native)
    return syclze__invalid("Level-Zero backend 4.3: the kernel bundle is of another context");
  return syclze__check_kernel_name(input->native_handle, bundle, named);
}

SYCLZE_LOCAL struct syclze__made syclze__kernel_make(
    const syclze_kernel_input *input, struct syclze__context *context, ze_result_t named) {
  return syclze__kernel_new(
      input, syclze__check_kernel(input, context, named), "syclze_make_kernel");
}

SYCLZE_COLD ze_result_t syclze__make_kernel_impl(
    const syclze_kernel_input *input, syclze_context context, syclze_kernel *kernel) {
  const struct syclze__made made = syclze__kernel_make(input, context.rep, ZE_RESULT_NOT_READY);
  kernel->rep = (struct syclze__kernel *)made.rep;
  return made.result;
}

SYCLZE_COLD struct syclze__made syclze__make_kernel_slow(
    syclze_kernel_input input, syclze_context context, ze_result_t named) {
  SYCLZE__MADE_IF_TRACED(make_kernel, syclze_kernel, &input, context, &created);
  return syclze__kernel_make(&input, context.rep, named);
}

SYCLZE_COLD ze_result_t syclze__kernel_last(struct syclze__kernel *kernel) {
  struct syclze__attachment *uses = kernel->uses;
  if (syclze__ref_is_missing(&kernel->ref))
    return syclze__ref_underflow(&kernel->ref, "syclze_kernel_release");
  return uses != NULL ? uses->end(uses) : syclze__kernel_destroy(kernel);
}

SYCLZE_COLD ze_result_t syclze__kernel_destroy(struct syclze__kernel *kernel) {
  ze_result_t result = ZE_RESULT_SUCCESS;
  SYCLZE__CHECK_UNWRAPPED(kernel->native);
  if (kernel->ref.ownership == SYCLZE__TRANSFERRED && !syclze__is_forked()) {
    result = SYCLZE__ZE(zeKernelDestroy)(kernel->native);
    if (SYCLZE__UNLIKELY(result != ZE_RESULT_SUCCESS))
      syclze__fail(result, "syclze_kernel_release", "zeKernelDestroy failed", kernel->native);
  } else
    result = syclze__owner_end(&kernel->ref);
  ze_result_t freed = syclze__kernel_free(kernel);
  return result != ZE_RESULT_SUCCESS ? result : freed;
}

/* Creates the native kernel, with indirect access to memory of every kind. */
SYCLZE_LOCAL struct syclze__status syclze__native_kernel_create(
    ze_module_handle_t module, const char *name, ze_kernel_handle_t *kernel) {
  SYCLZE__ZE_STRUCT(ze_kernel_desc_t, desc, KERNEL_DESC);
  desc.pKernelName = name;
  ze_result_t result = SYCLZE__ZE(zeKernelCreate)(module, &desc, kernel);
  if (result != ZE_RESULT_SUCCESS) return syclze__status_of(result, "zeKernelCreate failed");
  result = SYCLZE__ZE(zeKernelSetIndirectAccess)(
      *kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST | ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                   ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED);
  if (result == ZE_RESULT_SUCCESS) return syclze__allowed();
  SYCLZE__ZE(zeKernelDestroy)(*kernel);
  return syclze__status_of(result, "zeKernelSetIndirectAccess failed");
}

SYCLZE_COLD ze_result_t syclze__kernel_create_impl(
    syclze_kernel_bundle bundle, const char *name, syclze_kernel *kernel) {
  const char *const function = "syclze_kernel_create";
  syclze_kernel_input input = {bundle, NULL, SYCLZE_OWNERSHIP_TRANSFER};
  if (kernel != NULL) kernel->rep = NULL;
  if (kernel == NULL || name == NULL)
    return syclze__fail_pointer(function, "the result's or the name's pointer is null");
  if (bundle.rep == NULL) return syclze__fail_handle(function, "the kernel bundle is null");
  SYCLZE__CHECK_USE(bundle, function, SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__status status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__native_kernel_create(bundle.rep->modules[0], name, &input.native_handle);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__finish(status, function, bundle.rep->modules[0]);
  struct syclze__made made = syclze__kernel_new(&input, status, function);
  kernel->rep = (struct syclze__kernel *)made.rep;
  if (kernel->rep == NULL) SYCLZE__ZE(zeKernelDestroy)(input.native_handle);
  return made.result;
}

SYCLZE_COLD ze_result_t syclze_kernel_create(
    syclze_kernel_bundle bundle, const char *name, syclze_kernel *kernel) {
  SYCLZE__RETURN_IF_TRACED(kernel_create, bundle, name, kernel);
  return syclze__kernel_create_impl(bundle, name, kernel);
}

SYCLZE_COLD ze_result_t syclze_kernel_set_indirect_access(
    syclze_kernel kernel, ze_kernel_indirect_access_flags_t flags) {
  const char *const function = "syclze_kernel_set_indirect_access";
  if (kernel.rep == NULL) return syclze__fail_handle(function, "the kernel is null");
  SYCLZE__CHECK_USE(kernel, function, SYCLZE_RESULT_ERROR_INVALID);
  struct syclze__status status = syclze__check_fork();
  if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__status_of(SYCLZE__ZE(zeKernelSetIndirectAccess)(kernel.rep->native, flags),
        "zeKernelSetIndirectAccess failed");
  return syclze__finish(status, function, kernel.rep->native);
}

SYCLZE_COLD ze_result_t syclze_kernel_set_owner(syclze_kernel kernel, syclze_owner owner) {
  SYCLZE__OWNER_SET(kernel, kernel, kernel.rep->native,
      __atomic_load_n(&kernel.rep->ref.ownership, __ATOMIC_RELAXED) ==
              ((uint32_t)SYCLZE__KEPT | (uint32_t)SYCLZE__LAUNCHED)
          ? "the kernel is kept and has been launched"
          : NULL);
}

SYCLZE_COLD syclze_owner syclze_kernel_get_owner(syclze_kernel kernel) {
  return syclze__owner_get(&kernel.rep->ref);
}

#endif

SYCLZE_EXTERN_C_END

#endif
