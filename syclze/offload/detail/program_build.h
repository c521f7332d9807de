/* A module of a program: from the folder of its cache, or by the driver. */
#include "../program.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_PROGRAM_BUILD_H
#define SYCLZE_OFFLOAD_DETAIL_PROGRAM_BUILD_H

#include "bundle_cache.h"
#include "disk_lock.h"

SYCLZE_EXTERN_C_BEGIN

struct syclze__program {
  uint32_t count; /* references */
  syclze_context context;
  syclze_offload_set set;
  bool owns_set;        /* a reference to it */
  char *build_flags;    /* behind the struct; never null */
  char *cache_folder;   /* an allocation; empty for none */
  char *package_folder; /* behind the build flags; empty for none */
  struct syclze__disk_limits limits;
  struct syclze__bundle_cache cache;
  struct syclze__program_globals *globals; /* a reference */
};

/* A request in progress. */
struct syclze__program_work {
  struct syclze__program *program;
  syclze_device device;
  const syclze_program_request *request;
  syclze_device_traits traits;
  syclze_candidate chosen;        /* the one that was made */
  struct syclze__text_buffer log; /* the request's */
  struct syclze__text_buffer own; /* the diagnostic's */
  char *flags;                    /* of the candidate */
};

#if SYCLZE__BODIES

/* Adds the constants that a module is built with to a key. The slots are in the order of the
 * leaves.
 */
SYCLZE_INLINE void syclze__key_add_constants(
    struct syclze__key *key, const ze_module_constants_t *constants) {
  syclze__key_add_number(key, constants->numConstants);
  for (uint32_t i = 0; i < constants->numConstants; i++) {
    syclze__key_add_number(key, constants->pConstantIds[i]);
    syclze__key_add(key, constants->pConstantValues[i], sizeof(uint64_t));
  }
}

/* The key of a native binary: all of its inputs. */
SYCLZE_LOCAL struct syclze__key syclze__disk_key(const struct syclze__program_work *work,
    const syclze_candidate *candidate, const ze_module_constants_t *constants) {
  struct syclze__key key = {NULL, 0, 0, false};
  const syclze_device_traits *traits = &work->traits;
  syclze__key_add_sized(&key, candidate->module.data, candidate->module.size);
  syclze__key_add_constants(&key, constants);
  syclze__key_add_sized(&key, work->flags, strlen(work->flags));
  syclze__key_add_sized(&key, traits->name, strlen(traits->name));
  syclze__key_add_number(&key, traits->vendor_id);
  syclze__key_add_number(&key, traits->ip_version);
  syclze__key_add_number(&key, traits->driver_version);
  return key;
}

/* The bundle of a binary in a folder; null without one that the driver accepts. */
SYCLZE_LOCAL struct syclze__kernel_bundle *syclze__program_load_from(
    struct syclze__program_work *work, const char *folder, const struct syclze__key *key) {
  syclze_kernel_bundle bundle = {NULL};
  SYCLZE__ZEROED(syclze_candidate, candidate);
  candidate.format = ZE_MODULE_FORMAT_NATIVE;
  syclze_bytes whole = syclze_bytes_of(key->data, key->size);
  const bool is_own = folder != work->program->package_folder;
  if (folder[0] == '\0' || !syclze__disk_cache_read(folder, whole, is_own, &candidate.module))
    return NULL;
  SYCLZE__ZEROED(syclze_module_order, order);
  order.candidate = &candidate;
  if (syclze_module_build(work->program->context, work->device, &order, &bundle) !=
          ZE_RESULT_SUCCESS &&
      is_own)
    syclze__disk_cache_remove(folder, whole);
  free((void *)(uintptr_t)candidate.module.data);
  return bundle.rep;
}

/* The bundle of a binary of the package, or of the program's own folder. */
SYCLZE_LOCAL struct syclze__kernel_bundle *syclze__program_load(
    struct syclze__program_work *work, const struct syclze__key *key) {
  struct syclze__kernel_bundle *bundle =
      syclze__program_load_from(work, work->program->package_folder, key);
  return bundle != NULL ? bundle
                        : syclze__program_load_from(work, work->program->cache_folder, key);
}

SYCLZE_LOCAL void syclze__program_store(struct syclze__program_work *work,
    const struct syclze__key *key, const struct syclze__kernel_bundle *bundle) {
  const struct syclze__program *program = work->program;
  size_t size = 0;
  if (SYCLZE__ZE(zeModuleGetNativeBinary)(bundle->modules[0], &size, NULL) != ZE_RESULT_SUCCESS ||
      size == 0)
    return;
  uint8_t *binary = (uint8_t *)malloc(size);
  if (binary != NULL &&
      SYCLZE__ZE(zeModuleGetNativeBinary)(bundle->modules[0], &size, binary) == ZE_RESULT_SUCCESS &&
      syclze__disk_cache_write(program->cache_folder, syclze_bytes_of(key->data, key->size),
          syclze_bytes_of(binary, size)))
    syclze__disk_evict(program->cache_folder, &program->limits);
  free(binary);
}

/* Builds by the driver, unless another process has built it meanwhile. */
SYCLZE_LOCAL ze_result_t syclze__program_build_and_store(struct syclze__program_work *work,
    const syclze_module_order *order, const struct syclze__key *key, bool *is_from_disk,
    syclze_kernel_bundle *made) {
  const struct syclze__program *program = work->program;
  const struct syclze__disk_lock lock =
      syclze__disk_lock_acquire(program->cache_folder, syclze_bytes_of(key->data, key->size));
  ze_result_t result = ZE_RESULT_SUCCESS;
  made->rep = syclze__program_load(work, key);
  *is_from_disk = made->rep != NULL;
  if (!*is_from_disk) result = syclze_module_build(program->context, work->device, order, made);
  if (made->rep != NULL && !*is_from_disk) syclze__program_store(work, key, made->rep);
  syclze__disk_lock_release(&lock);
  return result;
}

/* Loads a bundle from disk, or builds it by the driver; `order` has all except the candidate's own.
 */
SYCLZE_LOCAL ze_result_t syclze__program_load_or_build(struct syclze__program_work *work,
    const syclze_module_order *order, const ze_module_constants_t *constants,
    struct syclze__kernel_bundle **bundle) {
  struct syclze__program *program = work->program;
  syclze_kernel_bundle made = {NULL};
  struct syclze__key key = {NULL, 0, 0, true};
  ze_result_t result = ZE_RESULT_SUCCESS;
  const bool has_folder = program->cache_folder[0] != '\0';
  if ((has_folder || program->package_folder[0] != '\0') && order->other_count == 0 &&
      order->candidate->format == ZE_MODULE_FORMAT_IL_SPIRV &&
      syclze__disk_is_worth(&program->limits, order->candidate->module.size))
    key = syclze__disk_key(work, order->candidate, constants);
  if (!key.failed) made.rep = syclze__program_load(work, &key);
  bool is_from_disk = made.rep != NULL;
  if (!is_from_disk && !key.failed && has_folder)
    result = syclze__program_build_and_store(work, order, &key, &is_from_disk, &made);
  else if (!is_from_disk)
    result = syclze_module_build(program->context, work->device, order, &made);
  if (result == ZE_RESULT_SUCCESS) {
    syclze__lock_acquire(&program->cache.lock);
    program->cache.counts.from_disk += is_from_disk;
    program->cache.counts.built += !is_from_disk;
    syclze__lock_release(&program->cache.lock);
  }
  free(key.data);
  *bundle = made.rep;
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
