/* The streams sycl.experimental.level_zero.call and .debug: every call of Level Zero that the
 * program makes, the library's own among them.
 *
 *     #include "syclze/trace/level_zero.h"
 *
 * Included in one file of a program or more; it then listens (calls.h) once a subscriber has asked
 * for one of the streams. It takes the loader's tracing layer: ZE_ENABLE_TRACING_LAYER=1 in the
 * environment, or a loader that turns it on when asked. Where it cannot be had, that is one
 * diagnostic, and the other streams go on. */
#ifndef SYCLZE_TRACE_LEVEL_ZERO_H
#define SYCLZE_TRACE_LEVEL_ZERO_H

#include "../result.h"
#include "detail/ze_tracer.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "xpti.h"

SYCLZE_EXTERN_C_BEGIN

/* One of each stream; 0 where nobody listened at the begin. */
SYCLZE_LOCAL void syclze__level_zero_notify(const syclze_call *call, const uint64_t *instances) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  const bool ends = call->result != NULL;
  if (instances[0] != 0)
    syclze__trace_notify(xpti, SYCLZE__STREAM_ZE_CALL,
        ends ? SYCLZE__TRACE_FUNCTION_END : SYCLZE__TRACE_FUNCTION_BEGIN,
        xpti->layers[SYCLZE__STREAM_ZE_CALL], NULL, instances[0], call->name);
  const struct syclze__xpti_function function = {
      call->function, call->name, call->arguments, call->result, NULL};
  if (instances[1] != 0)
    syclze__trace_notify(xpti, SYCLZE__STREAM_ZE_CALL_DEBUG,
        ends ? SYCLZE__TRACE_ARGUMENTS_END : SYCLZE__TRACE_ARGUMENTS_BEGIN,
        xpti->layers[SYCLZE__STREAM_ZE_CALL_DEBUG], NULL, instances[1], &function);
}

SYCLZE_LOCAL void syclze__level_zero_begin(
    struct syclze_calls_listener *listener, const syclze_call *call) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  (void)listener;
  *call->instance = NULL;
  if (__atomic_load_n(&SYCLZE__STATE.xpti_off, __ATOMIC_RELAXED) != 0 || !xpti->TraceEnabled())
    return;
  uint64_t *instances = (uint64_t *)malloc(2 * sizeof *instances);
  if (instances == NULL) return;
  instances[0] = syclze__trace_wanted(xpti, SYCLZE__STREAM_ZE_CALL, SYCLZE__TRACE_FUNCTION_BEGIN)
                     ? xpti->GetUniqueId()
                     : 0;
  instances[1] =
      syclze__trace_wanted(xpti, SYCLZE__STREAM_ZE_CALL_DEBUG, SYCLZE__TRACE_ARGUMENTS_BEGIN)
          ? xpti->GetUniqueId()
          : 0;
  *call->instance = instances;
  syclze__level_zero_notify(call, instances);
}

SYCLZE_LOCAL void syclze__level_zero_end(
    struct syclze_calls_listener *listener, const syclze_call *call) {
  uint64_t *instances = (uint64_t *)*call->instance;
  (void)listener;
  if (instances == NULL) return;
  syclze__level_zero_notify(call, instances);
  free(instances);
}

SYCLZE_LOCAL struct syclze_calls_listener *syclze__level_zero_listener(void) {
  static syclze_calls_listener listener = {
      syclze__level_zero_begin, syclze__level_zero_end, NULL, 0};
  return &listener;
}

/* Before the framework goes. */
SYCLZE_LOCAL void syclze__level_zero_stop(void) {
  syclze_calls_stop(syclze__level_zero_listener());
}

SYCLZE_COLD void syclze__level_zero_listen(void) SYCLZE_LINK_NAME(syclze__level_zero_listen);

SYCLZE_COLD void syclze__level_zero_listen(void) {
  if (syclze_calls_listen(syclze__level_zero_listener()) == ZE_RESULT_SUCCESS)
    atexit(syclze__level_zero_stop);
}

/* Before main, so that it stands when the framework is bound. */
__attribute__((constructor)) static void syclze__level_zero_constructor(void) {
  SYCLZE__STATE.trace_level_zero = syclze__level_zero_listen;
}

SYCLZE_EXTERN_C_END

#endif

#endif
