/* A trace for those who have no tool.
 *
 * Included in one file of a program or more, it writes what the program did when the program ends,
 * to the file that the environment names:
 *
 *   SYCLZE_TRACE=run.json   Chrome's format, for Perfetto and chrome://tracing
 *   SYCLZE_TRACE=run.dot    the graph of commands, for Graphviz
 *   SYCLZE_TRACE=run.html   one page with a time line, the graph and totals; needs no network
 *
 * Without the variable it does nothing. A program may also start and write a trace itself:
 *
 *     syclze_trace_start();
 *     syclze_trace_write("run.html");
 *
 * What is seen is every call of Level Zero (calls.h), and what hear.h makes of it: commands,
 * dependencies and memory. Submissions of command groups and runs of host tasks are seen too
 * (submissions.h), of files with trace points. traced.h is what the trace knows, by times.h and
 * clock.h when commands ran, by memory_use.h what is in use; model.h and lanes.h bring the records
 * into order for chrome.h, dot.h and html.h. What it costs in memory is said in record.h; while a
 * trace is written, as much again. A child of fork records nothing: the trace is its parent's. Any
 * thread. */
#ifndef SYCLZE_TRACE_WRITER_H
#define SYCLZE_TRACE_WRITER_H

#ifndef SYCLZE_INSTRUMENTATION_METADATA
#define SYCLZE_INSTRUMENTATION_METADATA 1
#endif

#include "../command.h"
#include "../syclze.h"

#include "writer/chrome.h"
#include "writer/dot.h"
#include "writer/html.h"

SYCLZE_EXTERN_C_BEGIN

/* Starts to record, if nothing does so yet; what is recorded stays until the program ends. Errors:
 * those of syclze_calls_listen, and then submissions and host tasks are recorded all the same;
 * ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY. */
SYCLZE_COLD ze_result_t syclze_trace_start(void) SYCLZE_LINK_NAME(syclze_trace_start);

/* Writes what was recorded so far; its name says how. Recording goes on meanwhile. Errors:
 * ZE_RESULT_ERROR_UNINITIALIZED before the start; ZE_RESULT_ERROR_INVALID_NULL_POINTER;
 * ZE_RESULT_ERROR_INVALID_ARGUMENT for a name that does not end in .json, .dot or .html;
 * ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY; ZE_RESULT_ERROR_NOT_AVAILABLE for a file that cannot be
 * written. */
SYCLZE_COLD ze_result_t syclze_trace_write(const char *path) SYCLZE_LINK_NAME(syclze_trace_write);

/* Fails without memory. */
typedef bool (*syclze__trace_format)(const struct syclze__model *model, FILE *file);

/* Null for a name that says nothing. */
SYCLZE_LOCAL syclze__trace_format syclze__trace_format_of(const char *path) {
  const char *end = strrchr(path, '.');
  if (end == NULL) return NULL;
  if (strcmp(end, ".json") == 0) return syclze__chrome_write;
  if (strcmp(end, ".dot") == 0) return syclze__dot_write;
  if (strcmp(end, ".html") == 0) return syclze__html_write;
  return NULL;
}

SYCLZE_LOCAL ze_result_t syclze__trace_write_model(
    const struct syclze__model *model, const char *path) {
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return syclze__fail(ZE_RESULT_ERROR_NOT_AVAILABLE, "syclze_trace_write",
        "the trace's file cannot be opened", NULL);
  const bool complete = syclze__trace_format_of(path)(model, file);
  const bool failed = ferror(file) != 0;
  if (fclose(file) != 0 || failed)
    return syclze__fail(ZE_RESULT_ERROR_NOT_AVAILABLE, "syclze_trace_write",
        "the trace's file cannot be written to its end", NULL);
  if (!complete)
    return syclze__fail(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "syclze_trace_write",
        "no memory for the trace's tracks", NULL);
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_trace_write(const char *path) {
  static const char *const function = "syclze_trace_write";
  struct syclze__trace *trace = __atomic_load_n(&SYCLZE__STATE.trace, __ATOMIC_ACQUIRE);
  if (path == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_INVALID_NULL_POINTER, function, "the file's name is null", NULL);
  if (trace == NULL)
    return syclze__fail(
        ZE_RESULT_ERROR_UNINITIALIZED, function, "nothing was recorded: start first", NULL);
  if (syclze__trace_format_of(path) == NULL)
    return syclze__fail(ZE_RESULT_ERROR_INVALID_ARGUMENT, function,
        "the file's name ends in .json, .dot or .html", NULL);
  struct syclze__model model;
  if (!syclze__model_make(trace, &model))
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the trace", NULL);
  ze_result_t result = syclze__trace_write_model(&model, path);
  syclze__model_free(&model);
  return result;
}

/* The child's locks may be held by threads that it does not have: it takes none. */
SYCLZE_LOCAL void syclze__trace_forked(void) {
  struct syclze__trace *trace = __atomic_load_n(&SYCLZE__STATE.trace, __ATOMIC_ACQUIRE);
  if (trace != NULL) __atomic_store_n(&trace->rings->stopped, 1, __ATOMIC_RELAXED);
}

/* At the end of the program, but not of a child's. */
SYCLZE_LOCAL void syclze__trace_stop(void) {
  struct syclze__trace *trace = SYCLZE__STATE.trace;
  if (__atomic_load_n(&trace->rings->stopped, __ATOMIC_RELAXED)) return;
  syclze__submissions_record(false);
  syclze_calls_stop(&trace->listener);
}

SYCLZE_COLD ze_result_t syclze_trace_start(void) {
  static const char *const function = "syclze_trace_start";
  if (__atomic_load_n(&SYCLZE__STATE.trace, __ATOMIC_ACQUIRE) != NULL) return ZE_RESULT_SUCCESS;
  const char *memory = getenv("SYCLZE_TRACE_MEMORY");
  const unsigned long mebibytes = memory != NULL ? strtoul(memory, NULL, 10) : 0;
  struct syclze__trace *trace = (struct syclze__trace *)calloc(1, sizeof *trace);
  if (trace != NULL)
    trace->rings =
        syclze__rings_new(mebibytes != 0 && mebibytes < 1ul << 20 ? (uint64_t)mebibytes
                                                                  : (uint64_t)SYCLZE__TRACE_MEMORY);
  if (trace == NULL || trace->rings == NULL) {
    free(trace);
    return syclze__fail(
        ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, function, "no memory for the trace", NULL);
  }
  pthread_mutex_init(&trace->lock, NULL);
  trace->listener.begin = syclze__trace_begin;
  trace->listener.end = syclze__trace_end;
  struct syclze__trace *none = NULL;
  if (!__atomic_compare_exchange_n(
          &SYCLZE__STATE.trace, &none, trace, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    syclze__rings_free(trace->rings);
    free(trace);
    return ZE_RESULT_SUCCESS;
  }
#ifndef _WIN32
  pthread_atfork(NULL, NULL, syclze__trace_forked);
#endif
  atexit(syclze__trace_stop);
  syclze__submissions_record(true);
  return syclze_calls_listen(&trace->listener);
}

/* Writes at the end of the program. */
SYCLZE_LOCAL void syclze__trace_exit(void) {
  const char *path = getenv("SYCLZE_TRACE");
  syclze__trace_stop();
  if (path != NULL && !__atomic_load_n(&SYCLZE__STATE.trace->rings->stopped, __ATOMIC_RELAXED))
    syclze_trace_write(path);
}

SYCLZE_COLD void syclze__trace_obey(void) SYCLZE_LINK_NAME(syclze__trace_obey);

SYCLZE_COLD void syclze__trace_obey(void) {
  const char *path = getenv("SYCLZE_TRACE");
  int (*set)(const char *, const char *, int);
  if (path == NULL || path[0] == 0 || SYCLZE__STATE.trace != NULL) return;
  if (syclze__tracer_find("setenv", &set)) set("ZE_ENABLE_TRACING_LAYER", "1", 0);
  syclze_trace_start();
  if (SYCLZE__STATE.trace != NULL) atexit(syclze__trace_exit);
}

/* Before main, since the loader reads its environment in the first zeInit. Each file that includes
 * this has one; the first does it. */
__attribute__((constructor)) static void syclze__trace_constructor(void) {
  syclze__trace_obey();
}

SYCLZE_EXTERN_C_END

#include "../detail/call_site.h"

#endif
