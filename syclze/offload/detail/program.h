/* Bodies of program.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_PROGRAM_H
#define SYCLZE_OFFLOAD_DETAIL_PROGRAM_H

#include "../program.h"
#include "program_request.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE ze_result_t syclze_program_retain(syclze_program program) {
  if (program.rep != NULL) __atomic_fetch_add(&program.rep->count, 1, __ATOMIC_RELAXED);
  return ZE_RESULT_SUCCESS;
}

#if SYCLZE__BODIES

/* Finds or builds the bundle of a request, which is null on entry, and the candidate that it is
 * made of. */
SYCLZE_LOCAL ze_result_t syclze__program_resolve(syclze_program program, syclze_device device,
    const syclze_program_request *request, const char *function, syclze_kernel_bundle *bundle,
    syclze_candidate *choice) {
  if (program.rep == NULL) return syclze__fail_handle(function, "the program is null");
  if (request == NULL || request->kernel == NULL ||
      (request->value_count != 0 && request->values == NULL))
    return syclze__fail_pointer(
        function, "the request's, its kernel's or its values' pointer is null");
  struct syclze__status status = syclze__check_device_in(program.rep->context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  bool has_log = request->log != NULL && request->log_size != 0;
  if (has_log) request->log[0] = '\0';
  struct syclze__key key = syclze__request_key(device, request);
  if (!key.failed)
    bundle->rep = syclze__bundle_cache_find(
        &program.rep->cache, &key, syclze__program_generation(program.rep), choice);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (bundle->rep == NULL) {
    uint64_t generation = syclze__program_generation(program.rep);
    SYCLZE__ZEROED(struct syclze__program_work, work);
    work.program = program.rep;
    work.device = device;
    work.request = request;
    work.log.text = request->log;
    work.log.room = has_log ? request->log_size : 0;
    result = syclze_device_get_traits(device, &work.traits);
    if (result == ZE_RESULT_SUCCESS) result = syclze__program_select(&work, function, &bundle->rep);
    *choice = work.chosen;
    if (result == ZE_RESULT_SUCCESS && !key.failed)
      bundle->rep =
          syclze__bundle_cache_insert(&program.rep->cache, &key, bundle->rep, choice, generation);
  }
  free(key.data);
  return result;
}

SYCLZE_COLD ze_result_t syclze_program_get_bundle(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel_bundle *bundle) {
  syclze_candidate choice;
  if (bundle == NULL)
    return syclze__fail_pointer("syclze_program_get_bundle", "the result's pointer is null");
  bundle->rep = NULL;
  return syclze__program_resolve(
      program, device, request, "syclze_program_get_bundle", bundle, &choice);
}

SYCLZE_COLD ze_result_t syclze_program_get_choice(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_candidate *choice) {
  syclze_kernel_bundle bundle = {NULL};
  if (choice == NULL)
    return syclze__fail_pointer("syclze_program_get_choice", "the result's pointer is null");
  memset(choice, 0, sizeof *choice);
  ze_result_t result = syclze__program_resolve(
      program, device, request, "syclze_program_get_choice", &bundle, choice);
  return syclze__first_error(result, syclze_kernel_bundle_release(bundle));
}

/* Creates a kernel of a bundle, by the name of a request that an image answered. Releases the
 * bundle. */
SYCLZE_LOCAL ze_result_t syclze__program_make_kernel(syclze_kernel_bundle bundle,
    const syclze_candidate *choice, const char *name, syclze_kernel *kernel) {
  char *copy;
  const char *own_name = syclze__kernel_own_name(&choice->image, name, &copy);
  ze_result_t result = own_name != NULL ? syclze_kernel_create(bundle, own_name, kernel)
                                        : ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  free(copy);
  return syclze__first_error(result, syclze_kernel_bundle_release(bundle));
}

SYCLZE_COLD ze_result_t syclze_program_get_kernel(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel *kernel) {
  syclze_kernel_bundle bundle = {NULL};
  syclze_candidate choice;
  if (kernel == NULL)
    return syclze__fail_pointer("syclze_program_get_kernel", "the result's pointer is null");
  kernel->rep = NULL;
  ze_result_t result = syclze__program_resolve(
      program, device, request, "syclze_program_get_kernel", &bundle, &choice);
  if (result != ZE_RESULT_SUCCESS) return result;
  return syclze__program_make_kernel(bundle, &choice, request->kernel, kernel);
}

SYCLZE_COLD ze_result_t syclze_program_get_global(syclze_program program, syclze_device device,
    const syclze_program_request *request, const char *name, void **pointer, size_t *size) {
  syclze_kernel_bundle bundle = {NULL};
  syclze_candidate choice;
  size_t found_size = 0;
  if (pointer != NULL) *pointer = NULL;
  if (size != NULL) *size = 0;
  if (name == NULL || pointer == NULL)
    return syclze__fail_pointer(
        "syclze_program_get_global", "the name's or the result's pointer is null");
  ze_result_t result = syclze__program_resolve(
      program, device, request, "syclze_program_get_global", &bundle, &choice);
  if (result != ZE_RESULT_SUCCESS) return result;
  struct syclze__status status =
      syclze__bundle_global(bundle.rep, &choice.image, device.rep, name, &found_size, pointer);
  ze_result_t released = syclze_kernel_bundle_release(bundle);
  if (status.result == ZE_RESULT_SUCCESS) {
    if (size != NULL) *size = found_size;
    return released;
  }
  *pointer = NULL;
  return syclze__finish_detail(status, "syclze_program_get_global", NULL, name);
}

SYCLZE_COLD syclze_program_counts syclze_program_get_counts(syclze_program program) {
  syclze__lock_acquire(&program.rep->cache.lock);
  syclze_program_counts counts = program.rep->cache.counts;
  syclze__lock_release(&program.rep->cache.lock);
  return counts;
}

SYCLZE_COLD ze_result_t syclze_program_create(
    syclze_context context, const syclze_program_desc *desc, syclze_program *program) {
  if (program == NULL)
    return syclze__fail_pointer("syclze_program_create", "the result's pointer is null");
  program->rep = NULL;
  if (context.rep == NULL)
    return syclze__fail_handle("syclze_program_create", "the context is null");
  const char *flags = desc != NULL ? desc->build_flags : NULL;
  if (flags == NULL) flags = "";
  const char *package = desc != NULL ? desc->package_folder : NULL;
  if (package == NULL) package = "";
  size_t flags_size = strlen(flags) + 1, package_size = strlen(package) + 1;
  struct syclze__program *rep =
      (struct syclze__program *)calloc(1, sizeof *rep + flags_size + package_size);
  syclze_offload_set set = {desc != NULL ? desc->set.rep : NULL};
  bool is_own = set.rep != NULL;
  if (!is_own) set = syclze_offload_registered();
  if (rep != NULL && set.rep != NULL)
    rep->cache_folder = syclze__disk_folder(desc != NULL ? desc->cache_folder : NULL);
  if (rep != NULL && rep->cache_folder != NULL)
    rep->globals = syclze__program_globals_make(context);
  if (rep == NULL || rep->globals == NULL) {
    if (rep != NULL) free(rep->cache_folder);
    free(rep);
    return syclze__fail_memory("syclze_program_create", NULL);
  }
  syclze_context_retain(context);
  rep->count = 1;
  rep->cache.hash_key = syclze__hash_key_make();
  rep->context = context;
  rep->set = set;
  if (is_own) syclze_offload_set_retain(set);
  rep->owns_set = is_own;
  rep->build_flags = (char *)(rep + 1);
  rep->limits = syclze__disk_limits_make();
  memcpy(rep->build_flags, flags, flags_size);
  rep->package_folder = rep->build_flags + flags_size;
  memcpy(rep->package_folder, package, package_size);
  program->rep = rep;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_program_release(syclze_program program) {
  struct syclze__program *rep = program.rep;
  if (rep == NULL || __atomic_fetch_sub(&rep->count, 1, __ATOMIC_ACQ_REL) != 1)
    return ZE_RESULT_SUCCESS;
  free(rep->cache_folder);
  ze_result_t result = syclze__bundle_cache_end(&rep->cache);
  result = syclze__first_error(result, syclze__program_globals_release(rep->globals));
  if (rep->owns_set) syclze_offload_set_release(rep->set);
  ze_result_t released = syclze_context_release(rep->context);
  free(rep);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

#endif

SYCLZE_EXTERN_C_END

#endif
