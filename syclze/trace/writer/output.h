/* Bodies of ../writer.h: starting, stopping and writing. */
#ifndef SYCLZE_TRACE_WRITER_OUTPUT_H
#define SYCLZE_TRACE_WRITER_OUTPUT_H

#include "../writer.h"

#include "../../command.h"
#include "../../syclze.h"

#if SYCLZE__BODIES
#include "chrome.h"
#include "dot.h"
#include "html.h"
#include "table.h"
#endif

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__writer_autostart(void) SYCLZE_LINK_NAME(syclze__writer_autostart);

#if SYCLZE__BODIES

/* Writes one format; false without memory. */
typedef bool (*syclze__writer_format)(const struct syclze__model *model, FILE *file);

/* The format by a path's ending; null for others. */
SYCLZE_LOCAL syclze__writer_format syclze__writer_format_of(const char *path) {
  const char *end = strrchr(path, '.');
  if (strcmp(path, "table") == 0) return syclze__table_write;
  if (end == NULL) return NULL;
  if (strcmp(end, ".json") == 0) return syclze__chrome_write;
  if (strcmp(end, ".dot") == 0) return syclze__dot_write;
  if (strcmp(end, ".html") == 0) return syclze__html_write;
  return NULL;
}

SYCLZE_LOCAL struct syclze__status syclze__writer_write(
    const struct syclze__model *model, const char *path) {
  const syclze__writer_format format = syclze__writer_format_of(path);
  if (format == syclze__table_write)
    return syclze__table_write(model, stderr)
               ? syclze__allowed()
               : syclze__status_of(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the totals");
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_NOT_AVAILABLE, "the trace's file cannot be opened");
  const bool complete = format(model, file);
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed)
    return syclze__status_of(
        ZE_RESULT_ERROR_NOT_AVAILABLE, "the trace's file cannot be written to its end");
  if (!complete)
    return syclze__status_of(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the trace's tracks");
  return syclze__allowed();
}

SYCLZE_LOCAL bool syclze__recorder_is_stopped(const struct syclze__recorder *recorder) {
  return recorder != NULL && __atomic_load_n(&recorder->rings->stopped, __ATOMIC_RELAXED);
}

SYCLZE_LOCAL struct syclze__status syclze__writer_write_all(const char *path) {
  struct syclze__recorder *recorder = __atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE);
  if (recorder == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_UNINITIALIZED, "nothing was recorded: start first");
  if (syclze__recorder_is_stopped(recorder))
    return syclze__status_of(
        ZE_RESULT_ERROR_UNINITIALIZED, "a trace cannot be written in the child of a fork");
  if (syclze__writer_format_of(path) == NULL)
    return syclze__status_of(ZE_RESULT_ERROR_INVALID_ARGUMENT,
        "the file's name must end in .json, .dot or .html, or be table");
  struct syclze__model model;
  if (!syclze__model_make(recorder, &model))
    return syclze__status_of(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the trace");
  struct syclze__status status = syclze__writer_write(&model, path);
  syclze__model_free(&model);
  return status;
}

SYCLZE_COLD ze_result_t syclze_trace_write(const char *path) {
  if (path == NULL) return syclze__fail_pointer("syclze_trace_write", "the file's name is null");
  const struct syclze__status status = syclze__writer_write_all(path);
  return syclze__finish_detail(status, "syclze_trace_write", NULL, path);
}

/* Stops recording in the child of a fork. Takes no lock, since a thread that the child does not
 * have may hold it. */
SYCLZE_LOCAL void syclze__recorder_forked(void) {
  struct syclze__recorder *recorder = __atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE);
  if (recorder != NULL) __atomic_store_n(&recorder->rings->stopped, 1, __ATOMIC_RELAXED);
}

/* Stops recording at the end of the program, except in the child of a fork. */
SYCLZE_LOCAL void syclze__recorder_stop(void) {
  struct syclze__recorder *recorder = SYCLZE__STATE.recorder;
  if (syclze__recorder_is_stopped(recorder)) return;
  syclze__submissions_record(false);
  syclze_tracer_stop(&recorder->tracer);
}

SYCLZE_COLD ze_result_t syclze_trace_start(void) {
  static const char *const function = "syclze_trace_start";
  if (__atomic_load_n(&SYCLZE__STATE.recorder, __ATOMIC_ACQUIRE) != NULL) return ZE_RESULT_SUCCESS;
  const char *memory = syclze__environment("SYCLZE_TRACE_MEMORY");
  const unsigned long mebibytes = memory != NULL ? strtoul(memory, NULL, 10) : 0;
  struct syclze__recorder *recorder = (struct syclze__recorder *)calloc(1, sizeof *recorder);
  if (recorder != NULL)
    recorder->rings = syclze__rings_new(mebibytes != 0 && mebibytes < 1ul << 20
                                            ? (uint64_t)mebibytes
                                            : (uint64_t)SYCLZE__RECORDER_MEMORY);
  if (recorder == NULL || recorder->rings == NULL) {
    free(recorder);
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the trace", NULL);
  }
  syclze__mutex_init(&recorder->lock);
  recorder->tracer.begin = syclze__recorder_begin;
  recorder->tracer.end = syclze__recorder_end;
  struct syclze__recorder *none = NULL;
  if (!__atomic_compare_exchange_n(
          &SYCLZE__STATE.recorder, &none, recorder, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    syclze__rings_free(recorder->rings);
    free(recorder);
    return ZE_RESULT_SUCCESS;
  }
#ifndef _WIN32
  pthread_atfork(NULL, NULL, syclze__recorder_forked);
#endif
  atexit(syclze__recorder_stop);
  syclze__submissions_record(true);
  return syclze_tracer_start(&recorder->tracer);
}

/* Writes at the end of the program. */
SYCLZE_LOCAL void syclze__writer_exit(void) {
  const char *path = syclze__environment("SYCLZE_TRACE");
  const struct syclze__recorder *recorder = SYCLZE__STATE.recorder;
  if (recorder != NULL) syclze__recorder_stop();
  if (path == NULL || syclze__recorder_is_stopped(recorder)) return;
  const struct syclze__status status = syclze__writer_write_all(path);
  const syclze_diagnostic diagnostic = {
      status.result, "syclze_trace_write", status.rule, NULL, path};
  if (status.result != ZE_RESULT_SUCCESS) syclze__report(&diagnostic, true);
}

SYCLZE_COLD void syclze__writer_autostart(void) {
  const char *path = syclze__environment("SYCLZE_TRACE");
  int (*set)(const char *, const char *, int);
  if (path == NULL || path[0] == 0 || SYCLZE__STATE.recorder != NULL) return;
  if (syclze__tracer_find("setenv", &set)) set("ZE_ENABLE_TRACING_LAYER", "1", 0);
  syclze_trace_start();
  atexit(syclze__writer_exit);
}

#endif

/* Runs before main, since the loader reads its environment in the first zeInit. Each file that
 * includes this has one; the first one acts. */
__attribute__((constructor)) static void syclze__writer_constructor(void) {
  syclze__writer_autostart();
}

SYCLZE_EXTERN_C_END

#include "../../detail/call_site.h"

#endif
