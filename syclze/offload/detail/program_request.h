/* One request for a kernel: candidates one after the other, each with the request's values, from
 * the cache, from disk or by the driver. */
#include "../program.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_PROGRAM_REQUEST_H
#define SYCLZE_OFFLOAD_DETAIL_PROGRAM_REQUEST_H

#include "bundle_globals.h"
#include "program_build.h"

SYCLZE_EXTERN_C_BEGIN

enum { SYCLZE__PROGRAM_LINKED = 64, SYCLZE__PROGRAM_LOG = 4096 };

enum { SYCLZE__PROGRAM_CANDIDATES = 16 };

#if SYCLZE__BODIES

/* Changes when images are added to the program's set, or removed. */
SYCLZE_INLINE uint64_t syclze__program_generation(const struct syclze__program *program) {
  return __atomic_load_n(&program->set.rep->generation, __ATOMIC_ACQUIRE);
}

/* The key of a request: 'R', the device, the kernel, the values. */
SYCLZE_LOCAL struct syclze__key syclze__request_key(
    syclze_device device, const syclze_program_request *request) {
  struct syclze__key key = {NULL, 0, 0, false};
  syclze__key_add_number(&key, 'R');
  syclze__key_add_number(&key, (uint64_t)(uintptr_t)device.rep);
  syclze__key_add_sized(&key, request->kernel, strlen(request->kernel));
  for (uint32_t i = 0; i < request->value_count; i++) {
    const syclze_spec_value *value = &request->values[i];
    syclze__key_add_sized(&key, value->name, value->name != NULL ? strlen(value->name) + 1 : 0);
    syclze__key_add_number(&key, value->id);
    syclze__key_add_sized(&key, value->data, value->data != NULL ? value->size : 0);
  }
  return key;
}

SYCLZE_INLINE void syclze__program_log(struct syclze__program_work *work,
    const syclze_candidate *candidate, ze_result_t result, const char *text) {
  unsigned long long serial = candidate->serial;
  const char *code = syclze_result_string(result);
  syclze__text_buffer_add(&work->own, "image %llu: %s: %s\n", serial, code, text);
  if (work->log.room != 0)
    syclze__text_buffer_add(&work->log, "image %llu: %s: %s\n", serial, code, text);
}

/* Allocates the build options of a candidate; null without memory. The options of its image are for
 * SPIR-V only. */
SYCLZE_LOCAL char *syclze__program_flags(
    const struct syclze__program_work *work, const syclze_candidate *candidate) {
  syclze_offload_image image = candidate->image;
  size_t size = 0;
  if (candidate->format != ZE_MODULE_FORMAT_IL_SPIRV) {
    size = strlen(work->program->build_flags) + 1;
    char *flags = (char *)malloc(size);
    if (flags != NULL) memcpy(flags, work->program->build_flags, size);
    return flags;
  }
  syclze_build_options(&image, &work->traits, work->program->build_flags, NULL, &size);
  char *flags = (char *)malloc(size);
  if (flags == NULL || syclze_build_options(&image, &work->traits, work->program->build_flags,
                           flags, &size) == ZE_RESULT_SUCCESS)
    return flags;
  free(flags);
  return NULL;
}

SYCLZE_LOCAL void syclze__program_free_flags(char **flags, uint32_t count) {
  for (uint32_t i = 0; flags != NULL && i < count; i++)
    free(flags[i]);
  free((void *)flags);
}

/* Allocates the build options of each image that a candidate is linked with; null without memory.
 */
SYCLZE_LOCAL char **syclze__program_other_flags(
    const struct syclze__program_work *work, const syclze_candidate *others, uint32_t count) {
  char **flags = (char **)calloc((size_t)count + 1, sizeof *flags);
  for (uint32_t i = 0; flags != NULL && i < count; i++) {
    flags[i] = syclze__program_flags(work, &others[i]);
    if (flags[i] != NULL) continue;
    syclze__program_free_flags(flags, count);
    return NULL;
  }
  return flags;
}

/* Finds the images that a candidate imports from: the order's others, for which `others` has room.
 */
SYCLZE_LOCAL ze_result_t syclze__program_link(const struct syclze__program_work *work,
    const syclze_candidate *candidate, syclze_candidate *others, syclze_module_order *order) {
  char symbol[256];
  order->candidate = candidate;
  order->others = others;
  order->other_count = SYCLZE__PROGRAM_LINKED;
  struct syclze__status status = syclze__selection_link(work->program->set, candidate,
      &work->traits, &order->other_count, others, symbol, sizeof symbol);
  if (status.result != ZE_RESULT_SUCCESS)
    snprintf(order->log, order->log_size, "%s: %s", status.rule, symbol);
  return status.result;
}

/* The key of a module: a candidate, the images that it is linked with, and the values that it is
 * built with. */
SYCLZE_LOCAL struct syclze__key syclze__module_key(const struct syclze__program_work *work,
    const syclze_module_order *order, const ze_module_constants_t *constants) {
  struct syclze__key key = {NULL, 0, 0, false};
  syclze__key_add_number(&key, 'M');
  syclze__key_add_number(&key, (uint64_t)(uintptr_t)work->device.rep);
  syclze__key_add_number(&key, order->candidate->serial);
  syclze__key_add_number(&key, (uint64_t)order->candidate->format);
  syclze__key_add_number(&key, order->candidate->part);
  syclze__key_add_number(&key, order->other_count);
  for (uint32_t i = 0; i < order->other_count; i++)
    syclze__key_add_number(&key, order->others[i].serial);
  syclze__key_add_constants(&key, constants);
  return key;
}

/* Builds a candidate with the images that it is linked with, and stores the pointers of its
 * variables. */
SYCLZE_LOCAL ze_result_t syclze__program_build(struct syclze__program_work *work,
    syclze_module_order *order, const ze_module_constants_t *constants,
    struct syclze__kernel_bundle **bundle) {
  char **flags = NULL;
  order->build_flags = work->flags;
  order->constants = constants->numConstants != 0 ? constants : NULL;
  if (order->other_count != 0) {
    flags = syclze__program_other_flags(work, order->others, order->other_count);
    if (flags == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
    order->other_flags = (const char *const *)flags;
  }
  ze_result_t result = syclze__program_load_or_build(work, order, constants, bundle);
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze__bundle_globals_store(work->program->globals, work->device.rep, order, *bundle);
    if (result != ZE_RESULT_SUCCESS) {
      const syclze_kernel_bundle made = {*bundle};
      syclze_kernel_bundle_release(made);
      *bundle = NULL;
    }
  }
  syclze__program_free_flags(flags, order->other_count);
  return result;
}

/* Builds and keeps the bundle of a key, or waits for the build of another thread. A build that
 * failed before is not repeated. */
SYCLZE_LOCAL ze_result_t syclze__program_build_once(struct syclze__program_work *work,
    const struct syclze__key *key, syclze_module_order *order,
    const ze_module_constants_t *constants, struct syclze__kernel_bundle **bundle) {
  struct syclze__bundle_cache *cache = &work->program->cache;
  struct syclze__shared_build *build =
      syclze__shared_build_begin(&cache->lock, &cache->builds, key);
  ze_result_t result = build != NULL ? build->failure : ZE_RESULT_SUCCESS;
  if (result != ZE_RESULT_SUCCESS) {
    snprintf(order->log, order->log_size, "%s", build->log != NULL ? build->log : "");
  } else {
    *bundle =
        syclze__bundle_cache_find(cache, key, syclze__program_generation(work->program), NULL);
    if (*bundle == NULL) {
      result = syclze__program_build(work, order, constants, bundle);
      if (result == ZE_RESULT_SUCCESS)
        *bundle = syclze__bundle_cache_insert(cache, key, *bundle, NULL, 0);
    }
  }
  syclze__shared_build_end(&cache->lock, &cache->builds, build, result, order->log);
  return result;
}

/* Finds the bundle of one candidate with some values in the cache, or builds and keeps it. */
SYCLZE_LOCAL ze_result_t syclze__program_get_module(struct syclze__program_work *work,
    const syclze_candidate *candidate, const ze_module_constants_t *constants,
    struct syclze__kernel_bundle **bundle) {
  char log[SYCLZE__PROGRAM_LOG] = "";
  SYCLZE__ZEROED(syclze_module_order, order);
  order.log = log;
  order.log_size = sizeof log;
  syclze_candidate *others = (syclze_candidate *)malloc(SYCLZE__PROGRAM_LINKED * sizeof *others);
  if (others == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  ze_result_t result = syclze__program_link(work, candidate, others, &order);
  if (result == ZE_RESULT_SUCCESS) {
    struct syclze__key key = syclze__module_key(work, &order, constants);
    *bundle = key.failed ? NULL
                         : syclze__bundle_cache_find(&work->program->cache, &key,
                               syclze__program_generation(work->program), NULL);
    if (*bundle == NULL && key.failed)
      result = syclze__program_build(work, &order, constants, bundle);
    else if (*bundle == NULL)
      result = syclze__program_build_once(work, &key, &order, constants, bundle);
    free(key.data);
  }
  if (result != ZE_RESULT_SUCCESS) syclze__program_log(work, candidate, result, log);
  free(others);
  return result;
}

/* Finds or builds the bundle of a candidate with the request's values. */
SYCLZE_LOCAL ze_result_t syclze__program_build_candidate(struct syclze__program_work *work,
    const syclze_candidate *candidate, struct syclze__kernel_bundle **bundle) {
  syclze_spec_constants values = {NULL};
  syclze_offload_image image = candidate->image;
  image.bytes = candidate->module;
  SYCLZE__ZEROED(ze_module_constants_t, constants);
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (work->request->value_count != 0) {
    result = syclze_spec_constants_make(&image, &values);
    if (result == ZE_RESULT_SUCCESS)
      result =
          syclze_spec_constants_apply(values, work->request->values, work->request->value_count);
    if (result == ZE_RESULT_SUCCESS) constants = syclze_spec_constants_native(values);
  }
  if (result == ZE_RESULT_SUCCESS) {
    work->flags = syclze__program_flags(work, candidate);
    if (work->flags == NULL) result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  }
  if (result == ZE_RESULT_SUCCESS) {
    result = syclze__program_get_module(work, candidate, &constants, bundle);
    free(work->flags);
    work->flags = NULL;
  } else {
    syclze__program_log(work, candidate, result, "its specialization constants cannot be used");
  }
  syclze_spec_constants_end(values);
  return result;
}

/* True if the candidate ignores the request's values: native code that describes no
 * specialisation constants was compiled with some value of each. */
SYCLZE_INLINE bool syclze__program_ignores_values(
    const struct syclze__program_work *work, const syclze_candidate *candidate) {
  syclze_spec_constants constants;
  if (work->request->value_count == 0 || candidate->format != ZE_MODULE_FORMAT_NATIVE ||
      syclze_spec_constants_make(&candidate->image, &constants) != ZE_RESULT_SUCCESS)
    return false;
  bool ignores_values = syclze_spec_constant_count(constants) == 0;
  syclze_spec_constants_end(constants);
  return ignores_values;
}

SYCLZE_LOCAL ze_result_t syclze__program_select(struct syclze__program_work *work,
    const char *function, struct syclze__kernel_bundle **bundle) {
  char own[SYCLZE__PROGRAM_LOG] = "";
  work->own.text = own;
  work->own.room = sizeof own;
  uint32_t count = SYCLZE__PROGRAM_CANDIDATES;
  syclze_candidate *candidates = (syclze_candidate *)malloc(count * sizeof *candidates);
  if (candidates == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the candidates", NULL);
  ze_result_t result = syclze_selection_find(work->program->set, work->request->kernel,
      &work->traits, &count, candidates, work->log.text, work->log.room);
  bool is_checked = result == ZE_RESULT_SUCCESS;
  if (work->log.room != 0) work->log.size = strlen(work->log.text);
  if (count > SYCLZE__PROGRAM_CANDIDATES) count = SYCLZE__PROGRAM_CANDIDATES;
  /* Candidates that use the values precede the others. */
  for (uint32_t i = 0; i < 2 * count && is_checked && *bundle == NULL; i++) {
    const syclze_candidate *candidate = &candidates[i % count];
    if (syclze__program_ignores_values(work, candidate) == (i >= count))
      result = syclze__program_build_candidate(work, candidate, bundle);
    if (*bundle != NULL) work->chosen = *candidate;
  }
  free(candidates);
  if (result == ZE_RESULT_SUCCESS || !is_checked) return result;
  return syclze__fail_detail(
      result, function, "the driver accepted none of the images that fit", NULL, own);
}

#endif

SYCLZE_EXTERN_C_END

#endif
