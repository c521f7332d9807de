/* The streams ur.call and ur.call.debug: calls of this library, under the names and numbers of the
 * runtime interface's functions, with their parameters. Objects stand for the interface's handles;
 * what has no counterpart here is null.
 *
 * In the form of today's runtimes, ur.call carries parameters too, under one event and without a
 * parent, and nothing while anybody listens to ur.call.debug. What a call does by others of ours is
 * not told there: their layer sees none of it, and their tools keep one call of a thread at a time.
 */
#ifndef SYCLZE_TRACE_UR_CALL_H
#define SYCLZE_TRACE_UR_CALL_H

#include "../config.h"

#if XPTI_ENABLE_INSTRUMENTATION

#include "tell.h"

SYCLZE_EXTERN_C_BEGIN

/* Whether the parameters go with the name. */
SYCLZE_INLINE bool syclze__ur_call_detailed(
    const struct syclze__xpti *xpti, enum syclze__stream_number stream) {
  return xpti->current || stream == SYCLZE__STREAM_UR_CALL_DEBUG;
}

SYCLZE_COLD void syclze__ur_call_tell(struct syclze__xpti *xpti, enum syclze__stream_number stream,
    const struct syclze__ur_call *call, uint64_t instance, const ze_result_t *result)
    SYCLZE_LINK_NAME(syclze__ur_call_tell);

/* The end, if there is a result. */
SYCLZE_COLD void syclze__ur_call_tell(struct syclze__xpti *xpti, enum syclze__stream_number stream,
    const struct syclze__ur_call *call, uint64_t instance, const ze_result_t *result) {
  void *layer = xpti->layers[stream];
  if (!syclze__ur_call_detailed(xpti, stream)) {
    syclze__trace_tell(xpti, stream,
        result == NULL ? SYCLZE__TRACE_FUNCTION_BEGIN : SYCLZE__TRACE_FUNCTION_END, layer, NULL,
        instance, call->name);
    return;
  }
  const struct syclze__xpti_function function = {
      call->function, call->name, call->arguments, result, NULL};
  syclze__trace_tell(xpti, stream,
      result == NULL ? SYCLZE__TRACE_ARGUMENTS_BEGIN : SYCLZE__TRACE_ARGUMENTS_END,
      xpti->current ? NULL : layer, xpti->current ? layer : NULL, instance, &function);
}

SYCLZE_COLD void syclze__trace_call_begin(struct syclze__ur_call *call,
    enum syclze__ur_function function, const char *name, const uint64_t *values, uint32_t count) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  call->instances[0] = call->instances[1] = 0;
  if (xpti == NULL ||
      !(syclze__trace_wanted(xpti, SYCLZE__STREAM_UR_CALL, SYCLZE__TRACE_ANY) ||
          syclze__trace_wanted(xpti, SYCLZE__STREAM_UR_CALL_DEBUG, SYCLZE__TRACE_ANY)))
    return;
  if (xpti->current) {
    struct syclze__trace_thread *thread = syclze__trace_mine();
    if (thread->call != NULL) return;
    thread->call = call;
  }
  call->function = function;
  call->name = name;
  const bool debug =
      syclze__trace_wanted(xpti, SYCLZE__STREAM_UR_CALL_DEBUG, SYCLZE__TRACE_ARGUMENTS_BEGIN);
  if (xpti->current || debug)
    for (uint32_t i = 0; i < SYCLZE__UR_ARGUMENTS; i++) {
      call->values[i] = i < count ? values[i] : 0;
      call->arguments[i] = i < count ? &call->values[i] : NULL;
    }
  const enum syclze__stream_number streams[2] = {
      SYCLZE__STREAM_UR_CALL, SYCLZE__STREAM_UR_CALL_DEBUG};
  for (uint32_t i = 0; i < 2; i++) {
    if (i == 1 ? !debug : xpti->current && debug) continue;
    call->instances[i] = xpti->GetUniqueId();
    syclze__ur_call_tell(xpti, streams[i], call, call->instances[i], NULL);
  }
}

SYCLZE_COLD ze_result_t syclze__trace_call_end(struct syclze__ur_call *call, ze_result_t result) {
  struct syclze__xpti *xpti = SYCLZE__STATE.xpti;
  if (call->instances[1] != 0)
    syclze__ur_call_tell(xpti, SYCLZE__STREAM_UR_CALL_DEBUG, call, call->instances[1], &result);
  if (call->instances[0] != 0)
    syclze__ur_call_tell(xpti, SYCLZE__STREAM_UR_CALL, call, call->instances[0], &result);
  if ((call->instances[0] | call->instances[1]) != 0 && xpti->current)
    syclze__trace_mine()->call = NULL;
  return result;
}

SYCLZE_COLD void syclze__trace_call(
    enum syclze__ur_function function, const char *name, const void *object) {
  struct syclze__ur_call call;
  const uint64_t value = SYCLZE__WORD(object);
  syclze__trace_call_begin(&call, function, name, &value, 1);
  syclze__trace_call_end(&call, ZE_RESULT_SUCCESS);
}

SYCLZE_EXTERN_C_END

#endif

#endif
