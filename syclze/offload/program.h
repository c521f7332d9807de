/* Kernels by name, from device images that are built when they are first asked for.
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
 * A program is a set of images in one context, and the cache of what was built of them: one bundle
 * for an image, a device, and values of specialisation constants. It keeps the context, its bundles
 * and the set, until its last release; a bundle or kernel that it handed out lives on its own. The
 * memory of an image may go when the image is removed from the set and no call is using it. Where
 * the environment names a folder in SYCLZE_CACHE_DIR, or the program does, native binaries are kept
 * there for other processes. Any number of threads may use a program; two that want the same at
 * once may both build it, and one result is kept. */
#ifndef SYCLZE_OFFLOAD_PROGRAM_H
#define SYCLZE_OFFLOAD_PROGRAM_H

#include "../kernel.h"
#include "detail/program_request.h"

SYCLZE_EXTERN_C_BEGIN

typedef struct syclze_program {
  struct syclze__program *rep;
} syclze_program;

typedef struct syclze_program_desc {
  syclze_offload_set set;   /* default: the images that are registered */
  const char *build_flags;  /* go behind those that an image brings; default: none */
  const char *cache_folder; /* default: SYCLZE_CACHE_DIR; "" is none */
} syclze_program_desc;

/* A program in a context, with one reference. `desc` may be null; its strings are copied. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE, ZE_RESULT_ERROR_INVALID_NULL_POINTER,
 * ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_program_create(
    syclze_context context, const syclze_program_desc *desc, syclze_program *program)
    SYCLZE_LINK_NAME(syclze_program_create);

/* The bundle with the kernel, for a device of the context; the caller releases it. The candidates
 * of syclze_selection_find are tried, best first, until the driver takes one. Errors:
 * ZE_RESULT_ERROR_INVALID_NULL_HANDLE, ZE_RESULT_ERROR_INVALID_NULL_POINTER; those of
 * syclze_selection_find, of syclze_selection_link, of syclze_spec_constants_apply and of
 * syclze_module_build, of the last candidate; the request's log and the diagnostic's detail say
 * what happened to each. */
SYCLZE_COLD ze_result_t syclze_program_get_bundle(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel_bundle *bundle)
    SYCLZE_LINK_NAME(syclze_program_get_bundle);

/* The candidate that the bundle of the same request is made of: its image, and whether its native
 * code or its SPIR-V. What is not built yet is built. Where native code takes the values of
 * specialisation constants as an argument, this is the image to make their blob for
 * (spec_constant.h). The views in it are good until the image is removed from the set. Errors: as
 * above. */
SYCLZE_COLD ze_result_t syclze_program_get_choice(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_candidate *choice)
    SYCLZE_LINK_NAME(syclze_program_get_choice);

/* A kernel of its own: its arguments are nobody else's. The caller releases it. Errors: as above,
 * and those of syclze_kernel_create. */
SYCLZE_COLD ze_result_t syclze_program_get_kernel(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel *kernel)
    SYCLZE_LINK_NAME(syclze_program_get_kernel);

/* `program` is not null. */
SYCLZE_COLD syclze_program_counts syclze_program_get_counts(syclze_program program)
    SYCLZE_LINK_NAME(syclze_program_get_counts);

/* Adds a reference. Null is allowed and has no effect. */
SYCLZE_INLINE void syclze_program_retain(syclze_program program) {
  if (program.rep != NULL) __atomic_fetch_add(&program.rep->count, 1, __ATOMIC_RELAXED);
}

/* Drops a reference; the last one releases the bundles, the set and the context, and returns the
 * first error of those. Null is allowed and has no effect. */
SYCLZE_COLD ze_result_t syclze_program_release(syclze_program program)
    SYCLZE_LINK_NAME(syclze_program_release);

/* The bundle of a request, which is null on entry, and what it is made of. */
SYCLZE_LOCAL ze_result_t syclze__program_answer(syclze_program program, syclze_device device,
    const syclze_program_request *request, const char *function, syclze_kernel_bundle *bundle,
    syclze_candidate *choice) {
  if (program.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the program is null", NULL);
  if (request == NULL || request->kernel == NULL ||
      (request->value_count != 0 && request->values == NULL))
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, function,
        "the request's, its kernel's or its values' pointer is null", NULL);
  struct syclze__status status = syclze__check_device_in(program.rep->context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS)
    return syclze__fail(status.result, function, status.rule, NULL);
  bool has_log = request->log != NULL && request->log_size != 0;
  if (has_log) request->log[0] = '\0';
  struct syclze__key key = syclze__request_key(device, request);
  if (!key.failed)
    bundle->rep = syclze__bundle_cache_find(
        &program.rep->cache, &key, syclze__program_generation(program.rep), choice);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (bundle->rep == NULL) {
    uint64_t generation = syclze__program_generation(program.rep);
    struct syclze__program_work work;
    memset(&work, 0, sizeof work);
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
          syclze__bundle_cache_keep(&program.rep->cache, &key, bundle->rep, choice, generation);
  }
  free(key.data);
  return result;
}

SYCLZE_COLD ze_result_t syclze_program_get_bundle(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel_bundle *bundle) {
  static const char *const function = "syclze_program_get_bundle";
  syclze_candidate choice;
  if (bundle == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  bundle->rep = NULL;
  return syclze__program_answer(program, device, request, function, bundle, &choice);
}

SYCLZE_COLD ze_result_t syclze_program_get_choice(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_candidate *choice) {
  static const char *const function = "syclze_program_get_choice";
  syclze_kernel_bundle bundle = {NULL};
  if (choice == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  memset(choice, 0, sizeof *choice);
  ze_result_t result = syclze__program_answer(program, device, request, function, &bundle, choice);
  ze_result_t released = syclze_kernel_bundle_release(bundle);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_COLD ze_result_t syclze_program_get_kernel(syclze_program program, syclze_device device,
    const syclze_program_request *request, syclze_kernel *kernel) {
  syclze_kernel_bundle bundle;
  if (kernel == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_POINTER, "syclze_program_get_kernel",
        "the result's pointer is null", NULL);
  kernel->rep = NULL;
  ze_result_t result = syclze_program_get_bundle(program, device, request, &bundle);
  if (result != ZE_RESULT_SUCCESS) return result;
  result = syclze_kernel_create(bundle, request->kernel, kernel);
  ze_result_t released = syclze_kernel_bundle_release(bundle);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_COLD syclze_program_counts syclze_program_get_counts(syclze_program program) {
  syclze__lock_acquire(&program.rep->cache.lock);
  syclze_program_counts counts = program.rep->cache.counts;
  syclze__lock_release(&program.rep->cache.lock);
  return counts;
}

SYCLZE_COLD ze_result_t syclze_program_create(
    syclze_context context, const syclze_program_desc *desc, syclze_program *program) {
  static const char *const function = "syclze_program_create";
  if (program == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the result's pointer is null", NULL);
  program->rep = NULL;
  if (context.rep == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, function, "the context is null", NULL);
  const char *flags = desc != NULL ? desc->build_flags : NULL;
  const char *folder = desc != NULL ? desc->cache_folder : NULL;
  if (folder == NULL) folder = getenv("SYCLZE_CACHE_DIR");
  if (folder == NULL) folder = "";
  if (flags == NULL) flags = "";
  size_t flags_size = strlen(flags) + 1, folder_size = strlen(folder) + 1;
  struct syclze__program *rep =
      (struct syclze__program *)calloc(1, sizeof *rep + flags_size + folder_size);
  syclze_offload_set set = {desc != NULL ? desc->set.rep : NULL};
  bool is_own = set.rep != NULL;
  if (!is_own) set = syclze_offload_registered();
  if (rep == NULL || set.rep == NULL) {
    free(rep);
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the object", NULL);
  }
  if (is_own) syclze_offload_set_retain(set);
  syclze_context_retain(context);
  rep->count = 1;
  rep->context = context;
  rep->set = set;
  rep->owns_set = is_own;
  rep->build_flags = (char *)(rep + 1);
  rep->cache_folder = rep->build_flags + flags_size;
  memcpy(rep->build_flags, flags, flags_size);
  memcpy(rep->cache_folder, folder, folder_size);
  program->rep = rep;
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_program_release(syclze_program program) {
  struct syclze__program *rep = program.rep;
  if (rep == NULL || __atomic_fetch_sub(&rep->count, 1, __ATOMIC_ACQ_REL) != 1)
    return ZE_RESULT_SUCCESS;
  struct syclze__bundle_cache_entry *gone = NULL;
  syclze__bundle_cache_forget(&rep->cache, true, &gone);
  ze_result_t result = syclze__bundle_cache_drop(gone);
  if (rep->owns_set) syclze_offload_set_release(rep->set);
  ze_result_t released = syclze_context_release(rep->context);
  free(rep);
  return result != ZE_RESULT_SUCCESS ? result : released;
}

SYCLZE_EXTERN_C_END

#endif
