/* Objects of this library as SYCL's. Each function makes a reference to SYCL's object, which the
 * caller releases. */
#ifndef SYCLZE_DETAIL_SYCL_TO_H
#define SYCLZE_DETAIL_SYCL_TO_H

#include "from.h"

SYCLZE_EXTERN_C_BEGIN

#if SYCLZE__BODIES

/* A sycl::property_list. */
struct syclze__sycl_properties {
  uint64_t bits;
  struct syclze__sycl_vector others;
};

SYCLZE_LOCAL struct syclze__sycl_object syclze__sycl_platform_to(
    const struct syclze__sycl *sycl, syclze_platform platform) {
  const struct syclze__sycl_result made =
      sycl->make_platform(syclze_platform_get_native(platform), SYCLZE__SYCL_LEVEL_ZERO);
  return syclze__sycl_object_of(&made);
}

SYCLZE_LOCAL struct syclze__sycl_object syclze__sycl_device_to(
    const struct syclze__sycl *sycl, syclze_device device) {
  const struct syclze__sycl_result made =
      sycl->make_device(syclze_device_get_native(device), SYCLZE__SYCL_LEVEL_ZERO);
  const struct syclze__sycl_object object = {made.words[0], NULL};
  return object;
}

/* The handler of errors of a context of SYCL's, which keeps the context that it was made of. */
SYCLZE_LOCAL bool syclze__sycl_handler_manage(void **to, void *const *from, int operation) {
  syclze_context context;
  if (operation == SYCLZE__SYCL_CLONE) to[0] = from[0];
  context.rep = (struct syclze__context *)to[0];
  if (operation == SYCLZE__SYCL_CLONE)
    (void)syclze_context_retain(context);
  else if (operation == SYCLZE__SYCL_DESTROY)
    (void)syclze_context_release(context);
  else
    to[0] = operation == SYCLZE__SYCL_ADDRESS_OF ? (void *)(uintptr_t)from : NULL;
  return false;
}

/* The weak reference to SYCL's context; made where there is none. Another owner is refused. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_context_weak(
    const struct syclze__sycl *sycl, syclze_context context, struct syclze__sycl_context **found) {
  syclze_owner owner = syclze_context_get_owner(context);
  *found = (struct syclze__sycl_context *)owner.data;
  if (owner.release == sycl->end_context) return syclze__allowed();
  struct syclze__sycl_context *made = (struct syclze__sycl_context *)calloc(1, sizeof *made);
  if (made == NULL) return syclze__out_of_memory();
  made->native = syclze_context_get_native(context);
  made->is_kept = syclze__ref_is_kept(&context.rep->parent.ref);
  owner.release = sycl->end_context;
  owner.data = *found = made;
  const ze_result_t result = syclze_context_set_owner(context, owner);
  if (result != ZE_RESULT_SUCCESS) free(made);
  return syclze__status_of(result, "the owner could not be set");
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_context_make(
    const struct syclze__sycl *sycl, syclze_context context, struct syclze__sycl_object *made) {
  const uint32_t count = syclze_context_get_device_count(context);
  void **devices = (void **)calloc(count, sizeof *devices);
  if (devices == NULL) return syclze__out_of_memory();
  for (uint32_t i = 0; i < count; i++)
    devices[i] = syclze__sycl_device_to(sycl, syclze_context_get_device(context, i)).impl;
  const struct syclze__sycl_vector list =
      syclze__sycl_vector_of((void *)devices, count * sizeof *devices);
  SYCLZE__ZEROED(struct syclze__sycl_function, handler);
  handler.data[0] = context.rep;
  handler.manage = syclze__sycl_handler_manage;
  handler.call = __atomic_load_n(&sycl->handle_errors, __ATOMIC_RELAXED);
  const struct syclze__sycl_result result = sycl->make_context(
      syclze_context_get_native(context), &handler, SYCLZE__SYCL_LEVEL_ZERO, true, &list);
  *made = syclze__sycl_object_of(&result);
  free((void *)devices);
  return syclze__allowed();
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_context_to(
    struct syclze__sycl *sycl, syclze_context context, struct syclze__sycl_object *made) {
  struct syclze__sycl_shared *shared = NULL;
  struct syclze__sycl_context *weak = NULL;
  struct syclze__status status = syclze__allowed();
  syclze__sycl_mutex_acquire(&sycl->exchange);
  if (syclze_context_get_owner(context).release != sycl->end_context)
    status = syclze__sycl_shared_get(
        sycl, syclze__sycl_any(SYCLZE_OBJECT_CONTEXT, context.rep), &shared);
  if (shared != NULL)
    *made = syclze__sycl_retain(&shared->entry.object);
  else if (status.result == ZE_RESULT_SUCCESS)
    status = syclze__sycl_context_weak(sycl, context, &weak);
  if (status.result == ZE_RESULT_SUCCESS && shared == NULL) {
    *made = weak->weak;
    if (!syclze__sycl_lock_weak(&weak->weak)) {
      status = syclze__sycl_context_make(sycl, context, made);
      syclze__sycl_release_weak(&weak->weak);
      if (status.result == ZE_RESULT_SUCCESS) weak->weak = syclze__sycl_retain_weak(made);
    }
  }
  syclze__sycl_mutex_release(&sycl->exchange);
  return status;
}

/* Begins the exchange of an object: `*shared` is the data of its owner, which has no object of
 * SYCL's yet if this is the first time. `destroy` ends a transferred handle until SYCL's object
 * owns it. */
SYCLZE_LOCAL struct syclze__status syclze__sycl_exchange_begin(struct syclze__sycl *sycl,
    syclze_object own, const struct syclze__ref *ref, void *native,
    ze_result_t (*destroy)(void *native), struct syclze__sycl_shared **shared) {
  const struct syclze__sycl_object none = {NULL, NULL};
  const bool is_kept = syclze__ref_is_kept(ref);
  syclze__sycl_mutex_acquire(&sycl->exchange);
  struct syclze__status status = syclze__sycl_shared_get(sycl, own, shared);
  if (status.result == ZE_RESULT_SUCCESS && *shared == NULL) {
    status = syclze__sycl_share(sycl, own, &none, shared);
    if (status.result == ZE_RESULT_SUCCESS) {
      (*shared)->native = native;
      (*shared)->destroy = is_kept ? NULL : destroy;
    }
  }
  if (status.result != ZE_RESULT_SUCCESS) syclze__sycl_mutex_release(&sycl->exchange);
  return status;
}

/* Ends the exchange, with what SYCL made of the handle, if it had none before. */
SYCLZE_LOCAL struct syclze__sycl_object syclze__sycl_exchange_end(struct syclze__sycl *sycl,
    struct syclze__sycl_shared *shared, const struct syclze__sycl_result *made) {
  if (made != NULL) {
    shared->entry.object = syclze__sycl_object_of(made);
    shared->destroy = NULL;
  }
  const struct syclze__sycl_object object = syclze__sycl_retain(&shared->entry.object);
  syclze__sycl_mutex_release(&sycl->exchange);
  return object;
}

SYCLZE_LOCAL ze_result_t syclze__sycl_module_destroy(void *native) {
  return SYCLZE__ZE(zeModuleDestroy)((ze_module_handle_t)native);
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_kernel_bundle_to(
    struct syclze__sycl *sycl, syclze_kernel_bundle bundle, struct syclze__sycl_object *made) {
  const ze_module_handle_t native = syclze_kernel_bundle_get_native(bundle).modules[0];
  struct syclze__sycl_shared *shared;
  struct syclze__sycl_object context;
  struct syclze__sycl_result result;
  struct syclze__status status =
      syclze__sycl_context_to(sycl, syclze_kernel_bundle_get_context(bundle), &context);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status =
      syclze__sycl_exchange_begin(sycl, syclze__sycl_any(SYCLZE_OBJECT_KERNEL_BUNDLE, bundle.rep),
          &bundle.rep->parent.ref, (void *)native, syclze__sycl_module_destroy, &shared);
  if (status.result == ZE_RESULT_SUCCESS) {
    const bool is_first = shared->entry.object.counts == NULL;
    if (is_first)
      result = sycl->make_kernel_bundle(native, &context, shared->destroy == NULL,
          SYCLZE__SYCL_EXECUTABLE, SYCLZE__SYCL_LEVEL_ZERO);
    *made = syclze__sycl_exchange_end(sycl, shared, is_first ? &result : NULL);
  }
  syclze__sycl_release(&context);
  return status;
}

SYCLZE_LOCAL ze_result_t syclze__sycl_kernel_destroy(void *native) {
  return SYCLZE__ZE(zeKernelDestroy)((ze_kernel_handle_t)native);
}

SYCLZE_LOCAL struct syclze__status syclze__sycl_kernel_to(
    struct syclze__sycl *sycl, syclze_kernel kernel, struct syclze__sycl_object *made) {
  const ze_kernel_handle_t native = syclze_kernel_get_native(kernel);
  struct syclze__sycl_shared *shared;
  struct syclze__sycl_object bundle;
  struct syclze__sycl_result result;
  struct syclze__status status =
      syclze__sycl_kernel_bundle_to(sycl, syclze_kernel_get_kernel_bundle(kernel), &bundle);
  if (status.result != ZE_RESULT_SUCCESS) return status;
  status = syclze__sycl_exchange_begin(sycl, syclze__sycl_any(SYCLZE_OBJECT_KERNEL, kernel.rep),
      &kernel.rep->ref, (void *)native, syclze__sycl_kernel_destroy, &shared);
  if (status.result == ZE_RESULT_SUCCESS) {
    const bool is_first = shared->entry.object.counts == NULL;
    if (is_first) {
      const struct syclze__sycl_result its_context = sycl->bundle_context(&bundle);
      struct syclze__sycl_object context = syclze__sycl_object_of(&its_context);
      result = sycl->make_kernel(
          &context, &bundle, native, shared->destroy == NULL, SYCLZE__SYCL_LEVEL_ZERO);
      syclze__sycl_release(&context);
    }
    *made = syclze__sycl_exchange_end(sycl, shared, is_first ? &result : NULL);
  }
  syclze__sycl_release(&bundle);
  return status;
}

#endif

SYCLZE_EXTERN_C_END

#endif
