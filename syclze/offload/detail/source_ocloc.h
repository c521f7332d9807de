/* OpenCL C compiled by the library of Intel's offline compiler. */
#include "../kernel_source.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SOURCE_OCLOC_H
#define SYCLZE_OFFLOAD_DETAIL_SOURCE_OCLOC_H

#include "compression.h"
#include "source_job.h"

SYCLZE_EXTERN_C_BEGIN

#ifdef _WIN32
#define SYCLZE__OCLOC_LIBRARY "ocloc64.dll"
#else
#define SYCLZE__OCLOC_LIBRARY "libocloc.so"
#endif

enum { SYCLZE__OCLOC_REFUSED = -11, SYCLZE__OCLOC_FIRST_INTEL = 0x02000000 };

struct syclze__ocloc {
  int (*invoke)(unsigned, const char **, uint32_t, const uint8_t **, const uint64_t *,
      const char **, uint32_t, const uint8_t **, const uint64_t *, const char **, uint32_t *,
      uint8_t ***, uint64_t **, char ***);
  int (*free_output)(uint32_t *, uint8_t ***, uint64_t **, char ***);
};

/* The results of an invocation, in the library's memory. */
struct syclze__ocloc_output {
  uint32_t count;
  uint8_t **data;
  uint64_t *sizes;
  char **names;
};

#if SYCLZE__BODIES

/* Finds the functions of the library, which stays open, as its compiler needs it. */
SYCLZE_LOCAL bool syclze__ocloc_find(const char *path, struct syclze__ocloc *ocloc) {
  static const char *const names[] = {"oclocInvoke", "oclocFreeOutput"};
  void *library = NULL;
  memset(ocloc, 0, sizeof *ocloc);
  return *path != '\0' && syclze__library_functions(path, &library, names, 2, ocloc);
}

SYCLZE_LOCAL ze_result_t syclze__ocloc_read(
    struct syclze__source_job *job, int error, const struct syclze__ocloc_output *output) {
  ze_result_t result = SYCLZE_RESULT_ERROR_BUILD;
  for (uint32_t i = 0; i < output->count; i++) {
    const size_t size = (size_t)output->sizes[i];
    if (output->data[i] == NULL || size == 0) continue;
    if (strcmp(output->names[i], "stdout.log") == 0)
      syclze__source_note(job, output->data[i], size);
    else if (error == 0 && job->spirv.size == 0 && strstr(output->names[i], ".spv") != NULL)
      result = syclze__source_keep(job, output->data[i], size);
  }
  if (error != 0 && error != SYCLZE__OCLOC_REFUSED) {
    syclze__text_buffer_add(&job->log, "ocloc: error %d\n", error);
    result = SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  }
  return result;
}

/* Compiles; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED without the library, or without its own
 * dependencies. */
SYCLZE_LOCAL ze_result_t syclze__ocloc_compile(struct syclze__source_job *job) {
  const char *path = job->source->ocloc != NULL ? job->source->ocloc : SYCLZE__OCLOC_LIBRARY;
  struct syclze__ocloc ocloc;
  if (!syclze__ocloc_find(path, &ocloc)) {
    if (*path != '\0') syclze__text_buffer_add(&job->log, "%s is not installed\n", path);
    return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  }
  const uint8_t *text = (const uint8_t *)job->source->text;
  const uint64_t size = strlen(job->source->text) + 1;
  const char *name = "main.cl", *words[9] = {"ocloc", "-q", "-spv_only", "-file", name};
  unsigned count = 5;
  char device[16];
  if (*syclze__source_options(job) != '\0') {
    words[count++] = "-options";
    words[count++] = syclze__source_options(job);
  }
  if (job->ip_version >= SYCLZE__OCLOC_FIRST_INTEL) {
    snprintf(device, sizeof device, "%u", (unsigned)job->ip_version);
    words[count++] = "-device";
    words[count++] = device;
  }
  struct syclze__ocloc_output output = {0, NULL, NULL, NULL};
  const int error = ocloc.invoke(count, words, 1, &text, &size, &name, 0, NULL, NULL, NULL,
      &output.count, &output.data, &output.sizes, &output.names);
  const ze_result_t result = syclze__ocloc_read(job, error, &output);
  ocloc.free_output(&output.count, &output.data, &output.sizes, &output.names);
  return result;
}

#endif

SYCLZE_EXTERN_C_END

#endif
