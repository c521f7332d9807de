/* Bodies of kernel_source.h. */
#ifndef SYCLZE_OFFLOAD_DETAIL_KERNEL_SOURCE_H
#define SYCLZE_OFFLOAD_DETAIL_KERNEL_SOURCE_H

#include "../kernel_source.h"
#include "../module_build.h"
#include "cache_key.h"
#include "disk_lock.h"
#include "source_clang.h"
#include "source_ocloc.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_INLINE void syclze_kernel_source_free(syclze_bytes spirv) {
  free((void *)(uintptr_t)spirv.data);
}

/* OpenCL C as a format of zeModuleCreate: newer drivers of Intel's accept it, though no
 * header names it. */
enum { SYCLZE__MODULE_FORMAT_OPENCL_C = 3, SYCLZE__SOURCE_LOG = 4096 };

#if SYCLZE__BODIES

/* Compiles by the first compiler that is available. */
SYCLZE_LOCAL ze_result_t syclze__source_compile(struct syclze__source_job *job) {
  ze_result_t result = syclze__ocloc_compile(job);
  if (result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED) result = syclze__clang_compile(job);
  return result;
}

/* The key of SPIR-V: all of its inputs except the compiler's version. */
SYCLZE_LOCAL struct syclze__key syclze__source_key(const struct syclze__source_job *job) {
  static const char name[] = "OpenCL C";
  const syclze_kernel_source *source = job->source;
  const char *const texts[] = {name, source->text, syclze__source_options(job),
      source->ocloc != NULL ? source->ocloc : name, source->tools != NULL ? source->tools : name};
  struct syclze__key key = {NULL, 0, 0, false};
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
    syclze__key_add_sized(&key, texts[i], strlen(texts[i]));
  syclze__key_add_number(&key, job->ip_version);
  return key;
}

/* Loads SPIR-V from a folder; false if there is none. */
SYCLZE_LOCAL bool syclze__source_load(
    struct syclze__source_job *job, const char *folder, syclze_bytes key) {
  syclze_spirv spirv;
  if (!syclze__disk_cache_read(folder, key, true, &job->spirv)) return false;
  if (syclze__spirv_check(job->spirv, &spirv).result == ZE_RESULT_SUCCESS) return true;
  syclze_kernel_source_free(job->spirv);
  job->spirv = syclze_bytes_of(NULL, 0);
  return false;
}

/* Loads SPIR-V from a folder, or compiles it, in one process at a time. */
SYCLZE_LOCAL ze_result_t syclze__source_load_or_compile(
    struct syclze__source_job *job, const char *folder, syclze_bytes key) {
  const struct syclze__disk_limits limits = syclze__disk_limits_make();
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (syclze__source_load(job, folder, key)) return result;
  const struct syclze__disk_lock lock = syclze__disk_lock_acquire(folder, key);
  if (!syclze__source_load(job, folder, key)) {
    result = syclze__source_compile(job);
    if (result == ZE_RESULT_SUCCESS && syclze__disk_is_worth(&limits, job->spirv.size) &&
        syclze__disk_cache_write(folder, key, job->spirv))
      syclze__disk_evict(folder, &limits);
  }
  syclze__disk_lock_release(&lock);
  return result;
}

SYCLZE_LOCAL ze_result_t syclze__source_run(struct syclze__source_job *job) {
  char *folder = syclze__disk_folder(job->source->cache_folder);
  struct syclze__key key = {NULL, 0, 0, folder == NULL};
  ze_result_t result = ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  if (folder != NULL && *folder != '\0') key = syclze__source_key(job);
  if (key.data != NULL && !key.failed)
    result = syclze__source_load_or_compile(job, folder, syclze_bytes_of(key.data, key.size));
  else if (!key.failed)
    result = syclze__source_compile(job);
  free(key.data);
  free(folder);
  if (result == ZE_RESULT_SUCCESS) syclze__source_clear_log(job);
  return result;
}

/* Begins a compilation, whose log is the source's, or `own`, for the diagnostic. */
SYCLZE_LOCAL struct syclze__source_job syclze__source_begin(
    const syclze_kernel_source *source, char own[SYCLZE__SOURCE_LOG]) {
  const bool has_log = source->log != NULL && source->log_size != 0;
  SYCLZE__ZEROED(struct syclze__source_job, job);
  job.source = source;
  job.log.text = has_log ? source->log : own;
  job.log.room = has_log ? source->log_size : (size_t)SYCLZE__SOURCE_LOG;
  syclze__source_clear_log(&job);
  return job;
}

/* Reports the end of a compilation. */
SYCLZE_LOCAL ze_result_t syclze__source_end(
    const struct syclze__source_job *job, ze_result_t result, const char *function) {
  if (result == ZE_RESULT_SUCCESS) return result;
  return syclze__fail_detail(result, function,
      result == SYCLZE_RESULT_ERROR_BUILD ? "the compiler refuses the source"
      : result == SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED
          ? "no compiler of OpenCL C to SPIR-V is available"
          : "no memory for the compilation",
      NULL, job->log.text);
}

SYCLZE_COLD ze_result_t syclze_kernel_source_compile(
    const syclze_kernel_source *source, syclze_bytes *spirv) {
  char own[SYCLZE__SOURCE_LOG];
  if (spirv != NULL) *spirv = syclze_bytes_of(NULL, 0);
  if (source == NULL || source->text == NULL || spirv == NULL)
    return syclze__fail_pointer(
        "syclze_kernel_source_compile", "the source's, its text's or the result's pointer is null");
  struct syclze__source_job job = syclze__source_begin(source, own);
  const ze_result_t result = syclze__source_run(&job);
  *spirv = job.spirv;
  return syclze__source_end(&job, result, "syclze_kernel_source_compile");
}

/* Compiles by the driver; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED if it does not support that. */
SYCLZE_LOCAL ze_result_t syclze__source_build_by_driver(struct syclze__source_job *job,
    syclze_context context, syclze_device device, syclze_kernel_bundle *bundle) {
  SYCLZE__ZEROED(syclze_candidate, candidate);
  SYCLZE__ZEROED(syclze_module_order, order);
  /* Intel's driver drops the last byte, for which it expects the NUL. */
  candidate.module = syclze_bytes_of(job->source->text, strlen(job->source->text) + 1);
  candidate.format = (ze_module_format_t)SYCLZE__MODULE_FORMAT_OPENCL_C;
  order.candidate = &candidate;
  order.build_flags = syclze__source_options(job);
  order.log = job->log.text;
  order.log_size = job->log.room;
  const ze_result_t result = syclze_module_build(context, device, &order, bundle);
  if (result == ZE_RESULT_SUCCESS) return result;
  const bool is_refused =
      result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE && job->log.text[0] != '\0';
  if (!is_refused) syclze__source_clear_log(job);
  return is_refused ? SYCLZE_RESULT_ERROR_BUILD : SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
}

/* Builds SPIR-V that was compiled for the device. */
SYCLZE_LOCAL ze_result_t syclze__source_build(struct syclze__source_job *job,
    syclze_context context, syclze_device device, syclze_kernel_bundle *bundle) {
  SYCLZE__ZEROED(syclze_kernel_bundle_desc, desc);
  desc.spirv = job->spirv.data;
  desc.size = job->spirv.size;
  desc.build_flags = job->source->build_flags;
  desc.build_log = job->log.text;
  desc.build_log_size = job->log.room;
  const ze_result_t result = syclze_kernel_bundle_create(context, device, &desc, bundle);
  syclze_kernel_source_free(job->spirv);
  return result;
}

SYCLZE_COLD ze_result_t syclze_kernel_bundle_create_from_source(syclze_context context,
    syclze_device device, const syclze_kernel_source *source, syclze_kernel_bundle *bundle) {
  static const char function[] = "syclze_kernel_bundle_create_from_source";
  char own[SYCLZE__SOURCE_LOG];
  if (bundle != NULL) bundle->rep = NULL;
  if (source == NULL || source->text == NULL || bundle == NULL)
    return syclze__fail_pointer(
        function, "the source's, its text's or the result's pointer is null");
  const struct syclze__status status = syclze__check_device_in(context.rep, device.rep);
  if (status.result != ZE_RESULT_SUCCESS) return syclze__finish(status, function, NULL);
  syclze_device_traits traits;
  struct syclze__source_job job = syclze__source_begin(source, own);
  ze_result_t result = syclze_device_get_traits(device, &traits);
  if (result != ZE_RESULT_SUCCESS) return result;
  job.ip_version = traits.ip_version;
  result = syclze__source_build_by_driver(&job, context, device, bundle);
  if (result != SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED)
    return syclze__source_end(&job, result, function);
  result = syclze__source_run(&job);
  if (result != ZE_RESULT_SUCCESS) return syclze__source_end(&job, result, function);
  return syclze__source_build(&job, context, device, bundle);
}

#endif

SYCLZE_EXTERN_C_END

#endif
