/* Bodies of ../level_zero.h. */
#ifndef SYCLZE_TRACE_LEVEL_ZERO_STREAMS_H
#define SYCLZE_TRACE_LEVEL_ZERO_STREAMS_H

#include "../level_zero.h"

#if XPTI_ENABLE_INSTRUMENTATION

SYCLZE_EXTERN_C_BEGIN

SYCLZE_COLD void syclze__level_zero_start(void) SYCLZE_LINK_NAME(syclze__level_zero_start);

#if SYCLZE__BODIES

/* Notifies both streams; their instances are 0 without a subscriber at the begin. */
SYCLZE_LOCAL void syclze__level_zero_notify(
    const syclze_tracer_call *call, const uint64_t *instances) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  const bool ends = call->result != NULL;
  if (instances[0] != 0)
    syclze__xpti_notify(xpti, SYCLZE__STREAM_ZE_CALL,
        ends ? SYCLZE__XPTI_FUNCTION_END : SYCLZE__XPTI_FUNCTION_BEGIN,
        xpti->layers[SYCLZE__STREAM_ZE_CALL], NULL, instances[0], call->name);
  const struct syclze__xpti_function function = {
      call->function, call->name, call->arguments, call->result, NULL};
  if (instances[1] != 0)
    syclze__xpti_notify(xpti, SYCLZE__STREAM_ZE_CALL_DEBUG,
        ends ? SYCLZE__XPTI_ARGUMENTS_END : SYCLZE__XPTI_ARGUMENTS_BEGIN,
        xpti->layers[SYCLZE__STREAM_ZE_CALL_DEBUG], NULL, instances[1], &function);
}

SYCLZE_LOCAL void syclze__level_zero_begin(
    struct syclze_tracer *tracer, const syclze_tracer_call *call) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  (void)tracer;
  *call->instance = NULL;
  if (__atomic_load_n(&SYCLZE__STATE.xpti_off, __ATOMIC_RELAXED) != 0 || !xpti->TraceEnabled())
    return;
  uint64_t *instances = (uint64_t *)malloc(2 * sizeof *instances);
  if (instances == NULL) return;
  instances[0] =
      syclze__xpti_subscribed_pair(xpti, SYCLZE__STREAM_ZE_CALL, SYCLZE__XPTI_FUNCTION_BEGIN)
          ? xpti->GetUniqueId()
          : 0;
  instances[1] =
      syclze__xpti_subscribed_pair(xpti, SYCLZE__STREAM_ZE_CALL_DEBUG, SYCLZE__XPTI_ARGUMENTS_BEGIN)
          ? xpti->GetUniqueId()
          : 0;
  *call->instance = instances;
  syclze__level_zero_notify(call, instances);
}

SYCLZE_LOCAL void syclze__level_zero_end(
    struct syclze_tracer *tracer, const syclze_tracer_call *call) {
  uint64_t *instances = (uint64_t *)*call->instance;
  (void)tracer;
  if (instances == NULL) return;
  syclze__level_zero_notify(call, instances);
  free(instances);
}

SYCLZE_LOCAL struct syclze_tracer *syclze__level_zero_tracer(void) {
  static syclze_tracer tracer = {syclze__level_zero_begin, syclze__level_zero_end, NULL, 0};
  return &tracer;
}

/* Stops the tracer, before the framework ends. */
SYCLZE_LOCAL void syclze__level_zero_stop(void) {
  syclze_tracer_stop(syclze__level_zero_tracer());
}

SYCLZE_COLD void syclze__level_zero_start(void) {
  if (syclze_tracer_start(syclze__level_zero_tracer()) == ZE_RESULT_SUCCESS)
    atexit(syclze__level_zero_stop);
}

#endif

/* Runs before main, so that the hook is set when the framework is bound. */
__attribute__((constructor)) static void syclze__level_zero_constructor(void) {
  SYCLZE__STATE.trace_level_zero = syclze__level_zero_start;
}

SYCLZE_EXTERN_C_END

#endif

#endif
