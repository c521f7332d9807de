/** @file
 * Callbacks before and after each Level Zero call of the program, the library's own included.
 *
 *     static void begin(syclze_tracer *tracer, const syclze_tracer_call *call) {
 *       puts(call->name);
 *     }
 *     static void end(syclze_tracer *tracer, const syclze_tracer_call *call) {
 *     }
 *     static syclze_tracer tracer = {begin, end, NULL, 0};
 *     static ze_result_t start(void) {
 *       return syclze_tracer_start(&tracer);
 *     }
 *
 * Uses the loader's tracing layer, which must be on: ZE_ENABLE_TRACING_LAYER=1 is in the
 * environment before the first zeInit, or the loader is new enough to turn it on later. Functions
 * that the loader cannot trace are left out.
 *
 * Ownership: a tracer is the program's and must stay valid until its calls have returned after
 * syclze_tracer_stop.
 * Threads: callbacks run on the calling thread, also of several threads at once. The end of a call
 * follows its begin on the same thread, whatever the call returns; calls that a callback makes are
 * not traced. The library makes calls while it holds locks, so a callback must neither call the
 * library nor wait for another thread. One tracer is started and stopped by one thread at a time.
 */
#ifndef SYCLZE_TRACE_TRACER_H
#define SYCLZE_TRACE_TRACER_H

#include "../loader.h"
#include "../result.h"

SYCLZE_EXTERN_C_BEGIN

/* One call. Valid during the callback. */
typedef struct syclze_tracer_call {
  uint32_t function;         /* index in detail/ze_functions.h, from 0 */
  const char *name;          /* "zeCommandListAppendBarrier"; static */
  void *arguments;           /* a ze_..._params_t of the function: pointers to the arguments */
  const ze_result_t *result; /* null at the begin */
  void **instance;           /* a word of the tracer's, the same at begin and end */
} syclze_tracer_call;

typedef struct syclze_tracer {
  void (*begin)(struct syclze_tracer *tracer, const syclze_tracer_call *call);
  void (*end)(struct syclze_tracer *tracer, const syclze_tracer_call *call);
  void *handle;       /* private; null at the start */
  uint32_t functions; /* set by the start: how many functions are traced */
} syclze_tracer;

/**
 * Starts to trace calls; calls zeInit, for the types of drivers that syclze_init was given, or for
 * GPUs.
 *
 * @param[in,out] tracer  Not null, with both callbacks; stays the caller's.
 * @return ZE_RESULT_SUCCESS, also for a tracer that is started already;
 * - ZE_RESULT_ERROR_UNSUPPORTED_FEATURE: the loader has no tracing layer, or it is off;
 * - what zeInit and the loader's tracing functions return.
 * @see Level Zero loader, tracing layer (zel_tracing_api.h)
 */
SYCLZE_COLD ze_result_t syclze_tracer_start(syclze_tracer *tracer)
    SYCLZE_LINK_NAME(syclze_tracer_start);

/**
 * Stops tracing. Calls that are running may still be reported, so the tracer stays valid until they
 * have returned. It may be started again.
 *
 * @param[in] tracer  Not null; stays the caller's.
 * @return ZE_RESULT_SUCCESS, also for a tracer that was never started; what zelTracerSetEnabled
 * returns.
 * @see Level Zero loader, tracing layer (zel_tracing_api.h)
 */
SYCLZE_COLD ze_result_t syclze_tracer_stop(syclze_tracer *tracer)
    SYCLZE_LINK_NAME(syclze_tracer_stop);

SYCLZE_EXTERN_C_END

#include "detail/tracer.h"

#endif
