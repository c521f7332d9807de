/* The streams ur.call and ur.call.debug: calls of this library, under the names and numbers of the
 * runtime interface's functions, with their parameters. Objects stand for the interface's handles;
 * parameters without a counterpart are null.
 *
 * In the form of today's runtimes, ur.call carries parameters too, under one event and without a
 * parent, and nothing while ur.call.debug has a subscriber. Calls made within a call are not
 * reported: the layer of today's runtimes sees none of them, and tools keep one call per thread.
 */
#ifndef SYCLZE_TRACE_UR_CALLS_H
#define SYCLZE_TRACE_UR_CALLS_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "startup.h"

SYCLZE_EXTERN_C_BEGIN

/* ur_result_t. */
SYCLZE_LOCAL uint32_t syclze__ur_error(ze_result_t result) {
  static const uint32_t codes[][2] = {{ZE_RESULT_ERROR_DEVICE_LOST, 20},
      {ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, 38}, {ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY, 39},
      {ZE_RESULT_ERROR_MODULE_BUILD_FAILURE, 41}, {ZE_RESULT_ERROR_UNINITIALIZED, 37},
      {ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, 44}, {ZE_RESULT_ERROR_INVALID_ARGUMENT, 45},
      {ZE_RESULT_ERROR_INVALID_NULL_HANDLE, 46}, {ZE_RESULT_ERROR_INVALID_NULL_POINTER, 48},
      {ZE_RESULT_ERROR_INVALID_SIZE, 49}, {ZE_RESULT_ERROR_UNSUPPORTED_SIZE, 50},
      {ZE_RESULT_ERROR_INVALID_ENUMERATION, 53}, {ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION, 54},
      {ZE_RESULT_ERROR_INVALID_KERNEL_NAME, 29}, {SYCLZE_RESULT_ERROR_INVALID, 45},
      {SYCLZE_RESULT_ERROR_ACCESSOR, 45}, {SYCLZE_RESULT_ERROR_ND_RANGE, 15},
      {SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, 44}};
  for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
    if (codes[i][0] == (uint32_t)result) return codes[i][1];
  return 0x7ffffffe; /* UR_RESULT_ERROR_UNKNOWN */
}

SYCLZE_INLINE uint32_t syclze__ur_result(ze_result_t result) {
  return SYCLZE__LIKELY(result == ZE_RESULT_SUCCESS) ? 0 : syclze__ur_error(result);
}

/* Reports the begin of a call, or with a result its end, if there was a subscriber at the begin.
 */
SYCLZE_INLINE void syclze__ur_call_name(
    const struct syclze__xpti *xpti, const struct syclze__ur_call *call, const uint32_t *result) {
  void *layer = xpti->layers[SYCLZE__STREAM_UR_CALL];
  const uint32_t ends = result != NULL;
  if (call->instances[0] == 0) return;
  if (SYCLZE__UNLIKELY(syclze__xpti_is_current(xpti))) {
    const struct syclze__xpti_function info = {
        call->function, call->name, call->arguments, result, NULL};
    syclze__xpti_notify_now(xpti, SYCLZE__STREAM_UR_CALL, SYCLZE__XPTI_ARGUMENTS_BEGIN + ends, NULL,
        layer, call->instances[0], &info);
  } else
    syclze__xpti_notify_now(xpti, SYCLZE__STREAM_UR_CALL, SYCLZE__XPTI_FUNCTION_BEGIN + ends, layer,
        NULL, call->instances[0], call->name);
}

SYCLZE_INLINE void syclze__ur_call_arguments(
    const struct syclze__xpti *xpti, const struct syclze__ur_call *call, const uint32_t *result) {
  void *layer = xpti->layers[SYCLZE__STREAM_UR_CALL_DEBUG];
  const uint32_t ends = result != NULL;
  if (call->instances[1] == 0) return;
  const struct syclze__xpti_function info = {
      call->function, call->name, call->arguments, result, NULL};
  syclze__xpti_notify_now(xpti, SYCLZE__STREAM_UR_CALL_DEBUG, SYCLZE__XPTI_ARGUMENTS_BEGIN + ends,
      syclze__xpti_is_current(xpti) ? NULL : layer, syclze__xpti_is_current(xpti) ? layer : NULL,
      call->instances[1], &info);
}

/* Opens a call whose instances are 0. Nothing is reported without a subscriber, and in the form of
 * today's runtimes within another call. True if the values are needed. */
SYCLZE_INLINE bool syclze__ur_call_open(struct syclze__xpti *xpti, struct syclze__ur_call *call,
    enum syclze__ur_function function, const char *name) {
  call->function = (uint32_t)function;
  call->name = name;
  if (SYCLZE__UNLIKELY(syclze__xpti_is_current(xpti)) && syclze__xpti_thread_get()->call != NULL)
    return false;
  const bool debug = syclze__xpti_subscribed(xpti, SYCLZE__STREAM_UR_CALL_DEBUG, SYCLZE__XPTI_ANY);
  const bool plain = !(syclze__xpti_is_current(xpti) && debug) &&
                     syclze__xpti_subscribed_pair(xpti, SYCLZE__STREAM_UR_CALL,
                         syclze__xpti_is_current(xpti) ? SYCLZE__XPTI_ARGUMENTS_BEGIN
                                                       : SYCLZE__XPTI_FUNCTION_BEGIN);
  if (plain) call->instances[0] = xpti->GetUniqueId();
  if (debug) call->instances[1] = xpti->GetUniqueId();
  if (SYCLZE__UNLIKELY(syclze__xpti_is_current(xpti)) && (plain || debug))
    syclze__xpti_thread_get()->call = call;
  return debug || (plain && syclze__xpti_is_current(xpti));
}

/* Cancels an opened call, which is not reported. */
SYCLZE_LOCAL void syclze__ur_call_cancel(struct syclze__ur_call *call) {
  struct syclze__xpti_thread *thread = syclze__xpti_thread_get();
  if (thread->call == call) thread->call = NULL;
  call->instances[0] = call->instances[1] = 0;
}

/* Sets the parameters; `values` live until the call ends. No parameter is null, since printers
 * dereference them. */
SYCLZE_INLINE void syclze__ur_call_fill(
    struct syclze__ur_call *call, const uint64_t *values, uint32_t count) {
  static const uint64_t nothing[3] = {0, 0, 0};
  for (uint32_t i = 0; i < SYCLZE__UR_ARGUMENTS; i++)
    call->arguments[i] = i < count ? &values[i] : nothing;
}

SYCLZE_INLINE void syclze__ur_call_begin(
    const struct syclze__xpti *xpti, const struct syclze__ur_call *call) {
  syclze__ur_call_name(xpti, call, NULL);
  syclze__ur_call_arguments(xpti, call, NULL);
}

SYCLZE_INLINE void syclze__ur_call_end(
    const struct syclze__xpti *xpti, const struct syclze__ur_call *call, ze_result_t result) {
  const uint32_t code = syclze__ur_result(result);
  syclze__ur_call_arguments(xpti, call, &code);
  syclze__ur_call_name(xpti, call, &code);
  if (SYCLZE__UNLIKELY(syclze__xpti_is_current(xpti))) syclze__xpti_thread_get()->call = NULL;
}

/* Starts an opened call; `values` live until it ends. */
SYCLZE_LOCAL void syclze__ur_call_start(struct syclze__ur_call *call,
    enum syclze__ur_function function, const char *name, const uint64_t *values, uint32_t count) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  call->instances[0] = call->instances[1] = 0;
  if (xpti == NULL) return;
  if (syclze__ur_call_open(xpti, call, function, name)) syclze__ur_call_fill(call, values, count);
  syclze__ur_call_begin(xpti, call);
}

SYCLZE_LOCAL ze_result_t syclze__ur_call_finish(struct syclze__ur_call *call, ze_result_t result) {
  if ((call->instances[0] | call->instances[1]) != 0)
    syclze__ur_call_end(SYCLZE__STATE.xpti, call, result);
  return result;
}

SYCLZE_EXTERN_C_END

#endif

#endif
