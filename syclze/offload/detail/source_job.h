/* One compilation of OpenCL C. */
#include "../kernel_source.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SOURCE_JOB_H
#define SYCLZE_OFFLOAD_DETAIL_SOURCE_JOB_H

#include "selection.h"

#include <limits.h>

SYCLZE_EXTERN_C_BEGIN

struct syclze__source_job {
  const syclze_kernel_source *source;
  uint32_t ip_version;            /* of the device; 0 for any */
  struct syclze__text_buffer log; /* of all compilers that were tried */
  syclze_bytes spirv;             /* an allocation */
};

#if SYCLZE__BODIES

SYCLZE_INLINE const char *syclze__source_options(const struct syclze__source_job *job) {
  return job->source->options != NULL ? job->source->options : "";
}

SYCLZE_INLINE void syclze__source_clear_log(struct syclze__source_job *job) {
  job->log.text[0] = '\0';
  job->log.size = 0;
}

SYCLZE_LOCAL void syclze__source_note(
    struct syclze__source_job *job, const void *messages, size_t size) {
  if (messages != NULL)
    syclze__text_buffer_add(
        &job->log, "%.*s", size < INT_MAX ? (int)size : INT_MAX, (const char *)messages);
}

/* Keeps a compiler's output, if it is SPIR-V. */
SYCLZE_LOCAL ze_result_t syclze__source_keep(
    struct syclze__source_job *job, const void *data, size_t size) {
  syclze_spirv spirv;
  if (syclze__spirv_check(syclze_bytes_of(data, size), &spirv).result != ZE_RESULT_SUCCESS)
    return SYCLZE_RESULT_ERROR_BUILD;
  void *copy = malloc(size);
  if (copy == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  memcpy(copy, data, size);
  job->spirv = syclze_bytes_of(copy, size);
  return ZE_RESULT_SUCCESS;
}

#endif

SYCLZE_EXTERN_C_END

#endif
