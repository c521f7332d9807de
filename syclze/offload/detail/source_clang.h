/* OpenCL C compiled by clang, which writes SPIR-V itself from version 22 on; before, by llvm-spirv
 * of the same version. The rules are those of tools/offload.mk. */
#include "../kernel_source.h"

#ifndef SYCLZE_OFFLOAD_DETAIL_SOURCE_CLANG_H
#define SYCLZE_OFFLOAD_DETAIL_SOURCE_CLANG_H

#include "source_job.h"
#include "source_process.h"

SYCLZE_EXTERN_C_BEGIN

enum {
  SYCLZE__CLANG_NEWEST = 30,
  SYCLZE__CLANG_WITH_SPIRV = 22,
  SYCLZE__CLANG_OLDEST = 14,
  SYCLZE__CLANG_WORDS = 16 /* beside the options */
};

/* Tools of one version, by their paths. */
struct syclze__clang_tools {
  int version; /* 0: none */
  char clang[SYCLZE__SOURCE_PATH], translator[SYCLZE__SOURCE_PATH], opt[SYCLZE__SOURCE_PATH];
};

#if SYCLZE__BODIES && !defined(_WIN32)

/* Finds a tool in folders with ':' between. Skips relative ones, which would depend on the current
 * folder.
 */
SYCLZE_LOCAL bool syclze__tool_find(
    const char *folders, const char *tool, int version, char path[SYCLZE__SOURCE_PATH]) {
  struct stat properties;
  for (const char *at = folders; *at != '\0';) {
    const size_t size = strcspn(at, ":");
    const char *folder = at;
    at += size + (at[size] == ':');
    if (*folder != '/' || size > SYCLZE__SOURCE_PATH - 64) continue;
    snprintf(path, SYCLZE__SOURCE_PATH, "%.*s/%s-%d", (int)size, folder, tool, version);
    if (stat(path, &properties) == 0 && SYCLZE__IS_REGULAR(properties.st_mode) &&
        access(path, X_OK) == 0)
      return true;
  }
  *path = '\0';
  return false;
}

SYCLZE_LOCAL void syclze__clang_find(const char *folders, struct syclze__clang_tools *tools) {
  for (int version = SYCLZE__CLANG_NEWEST; version >= SYCLZE__CLANG_OLDEST; version--) {
    tools->version = version;
    if (!syclze__tool_find(folders, "clang", version, tools->clang)) continue;
    if (version >= SYCLZE__CLANG_WITH_SPIRV) return;
    if (!syclze__tool_find(folders, "llvm-spirv", version, tools->translator)) continue;
    syclze__tool_find(folders, "opt", version, tools->opt);
    return;
  }
  tools->version = 0;
}

/* Runs clang with the source's options, without those that old translators do not support. */
SYCLZE_LOCAL ze_result_t syclze__clang_run(struct syclze__source_job *job,
    const struct syclze__clang_tools *tools, const char *folder, const char *from, const char *to) {
  const bool is_new = tools->version >= SYCLZE__CLANG_WITH_SPIRV;
  const char *const old_words[] = {"-cl-std=CL2.0", "-O2", "-Xclang", "-disable-llvm-passes",
      "-emit-llvm", "-Xclang", "-finclude-default-header"};
  const char *options = syclze__source_options(job);
  const size_t size = strlen(options) + 1;
  const char **words = (const char **)malloc((SYCLZE__CLANG_WORDS + size) * sizeof *words + size);
  if (words == NULL) return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  char *copy = (char *)(void *)(words + SYCLZE__CLANG_WORDS + size);
  memcpy(copy, options, size);
  size_t count = 0;
  words[count++] = tools->clang;
  words[count++] = "-c";
  words[count++] = "-target";
  words[count++] = is_new ? "spirv64" : "spir64";
  words[count++] = "-xcl";
  if (is_new) words[count++] = "-cl-std=CL3.0", words[count++] = "-O2";
  for (char *word = copy; *(word += strspn(word, " \t\n")) != '\0';) {
    char *end = word + strcspn(word, " \t\n");
    const bool is_last = *end == '\0';
    *end = '\0';
    if (is_new || (strncmp(word, "-cl-std=", 8) != 0 && strncmp(word, "-O", 2) != 0))
      words[count++] = word;
    word = is_last ? end : end + 1;
  }
  for (size_t i = 0; !is_new && i < sizeof old_words / sizeof *old_words; i++)
    words[count++] = old_words[i];
  words[count++] = "-o";
  words[count++] = to;
  words[count++] = from;
  words[count] = NULL;
  const ze_result_t result = syclze__process_run(job, words, folder);
  free(words);
  return result;
}

/* Translates with the passes whose output is valid: old translators write invalid code for others.
 */
SYCLZE_LOCAL ze_result_t syclze__clang_translate(struct syclze__source_job *job,
    const struct syclze__clang_tools *tools, const char *folder, const char *from, const char *to) {
  const char *const opt[] = {
      tools->opt, "-passes=sroa,early-cse,instcombine", "-o", from, from, NULL};
  const char *const translate[] = {tools->translator, "-o", to, from, NULL};
  const ze_result_t result =
      tools->opt[0] != '\0' ? syclze__process_run(job, opt, folder) : ZE_RESULT_SUCCESS;
  return result != ZE_RESULT_SUCCESS ? result : syclze__process_run(job, translate, folder);
}

/* Compiles in a folder, with the tools of one version. */
SYCLZE_LOCAL ze_result_t syclze__clang_compile_in(
    struct syclze__source_job *job, const struct syclze__clang_tools *tools, const char *folder) {
  char paths[4][SYCLZE__SOURCE_PATH + 32];
  static const char *const names[4] = {"main.cl", "main.bc", "main.spv", "log"};
  for (int i = 0; i < 4; i++)
    snprintf(paths[i], sizeof paths[i], "%s/%s", folder, names[i]);
  const bool is_new = tools->version >= SYCLZE__CLANG_WITH_SPIRV;
  ze_result_t result = SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  if (syclze__folder_write(paths[0], job->source->text, strlen(job->source->text)))
    result = syclze__clang_run(job, tools, folder, paths[0], paths[is_new ? 2 : 1]);
  else
    syclze__text_buffer_add(&job->log, "%s cannot be written\n", paths[0]);
  if (result == ZE_RESULT_SUCCESS && !is_new)
    result = syclze__clang_translate(job, tools, folder, paths[1], paths[2]);
  const syclze_bytes log = syclze__folder_read(paths[3]), made = syclze__folder_read(paths[2]);
  if (result == ZE_RESULT_SUCCESS) result = syclze__source_keep(job, made.data, made.size);
  if (result != ZE_RESULT_SUCCESS) syclze__source_note(job, log.data, log.size);
  free((void *)(uintptr_t)log.data);
  free((void *)(uintptr_t)made.data);
  return result;
}

/* Compiles; SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED without a compiler. */
SYCLZE_LOCAL ze_result_t syclze__clang_compile(struct syclze__source_job *job) {
  struct syclze__clang_tools tools;
  char folder[SYCLZE__SOURCE_PATH];
  const char *folders = job->source->tools;
  if (folders == NULL) folders = syclze__environment("PATH");
  tools.version = 0;
  if (syclze__process_is_privileged())
    syclze__text_buffer_add(&job->log, "clang: the program has more privileges than its caller\n");
  else if (folders != NULL && *folders != '\0')
    syclze__clang_find(folders, &tools);
  if (tools.version == 0) {
    syclze__text_buffer_add(&job->log,
        "no clang-%d or newer, and no older one with llvm-spirv of its version, is installed\n",
        SYCLZE__CLANG_WITH_SPIRV);
    return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  }
  if (!syclze__folder_make(folder)) {
    syclze__text_buffer_add(&job->log, "%s: no folder in TMPDIR or /tmp\n", tools.clang);
    return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
  }
  syclze__source_clear_log(job);
  const ze_result_t result = syclze__clang_compile_in(job, &tools, folder);
  syclze__folder_remove(folder);
  return result;
}
#elif SYCLZE__BODIES
SYCLZE_LOCAL ze_result_t syclze__clang_compile(struct syclze__source_job *job) {
  (void)job;
  return SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED;
}
#endif

SYCLZE_EXTERN_C_END

#endif
