/* Queries if the framework traces now; the first query starts the streams. */
#ifndef SYCLZE_TRACE_STARTUP_H
#define SYCLZE_TRACE_STARTUP_H

#include "../../config.h"

#if XPTI_ENABLE_INSTRUMENTATION && SYCLZE__BODIES

#include "metadata.h"

SYCLZE_EXTERN_C_BEGIN

SYCLZE_LOCAL void syclze__xpti_start(struct syclze__xpti *xpti) {
  const char *form = syclze__environment("SYCLZE_TRACE_FORM");
  xpti->current = form != NULL && strcmp(form, "current") == 0;
#define SYCLZE__STREAM_START(number, name, major, minor, version)                                  \
  xpti->streams[SYCLZE__STREAM_##number] = xpti->RegisterStream(name);                             \
  xpti->Initialize(name, major, minor, version);                                                   \
  xpti->layers[SYCLZE__STREAM_##number] =                                                          \
      syclze__xpti_event_make(xpti, name, false, SYCLZE__XPTI_EVENT_ALGORITHM);
  SYCLZE__STREAMS_OF(SYCLZE__STREAM_START)
#undef SYCLZE__STREAM_START
  xpti->RegisterStream("sycl.experimental.cuda.call");
  xpti->RegisterStream("sycl.experimental.cuda.debug");
  xpti->graph =
      syclze__xpti_event_make(xpti, "sycl.application.graph", false, syclze__xpti_node_type(xpti));
  syclze__xpti_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_GRAPH_CREATE, NULL, xpti->graph,
      xpti->GetUniqueId(), NULL);
}

/* Starts the parts that depend on subscribers. */
SYCLZE_LOCAL void syclze__xpti_started(const struct syclze__xpti *xpti) {
  if (xpti->current && !syclze__xpti_is_current(xpti)) {
    const syclze_diagnostic diagnostic = {SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED,
        "SYCLZE_TRACE_FORM", "the program must include trace/current.h for this form", NULL,
        NULL};
    syclze__report(&diagnostic, false);
  }
  if (SYCLZE__STATE.trace_level_zero != NULL &&
      (syclze__xpti_subscribed(xpti, SYCLZE__STREAM_ZE_CALL, SYCLZE__XPTI_ANY) ||
          syclze__xpti_subscribed(xpti, SYCLZE__STREAM_ZE_CALL_DEBUG, SYCLZE__XPTI_ANY)))
    SYCLZE__STATE.trace_level_zero();
}

SYCLZE_COLD struct syclze__xpti *syclze__xpti_first(void) SYCLZE_LINK_NAME(syclze__xpti_first);

/* Binds the framework and starts the streams. */
SYCLZE_COLD struct syclze__xpti *syclze__xpti_first(void) {
  if (__atomic_load_n(&SYCLZE__STATE.xpti_off, __ATOMIC_RELAXED) != 0) return NULL;
  struct syclze__xpti *xpti = __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE);
  if (xpti == NULL) xpti = syclze__xpti_bind();
  if (xpti == NULL || !xpti->TraceEnabled() || syclze__xpti_thread_get() == NULL) return NULL;
  syclze__lock_acquire(&SYCLZE__STATE.trace_lock);
  const bool first = __atomic_load_n(&xpti->ready, __ATOMIC_RELAXED) == 0;
  if (first) syclze__xpti_start(xpti);
  __atomic_store_n(&xpti->ready, 1, __ATOMIC_RELEASE);
  syclze__lock_release(&SYCLZE__STATE.trace_lock);
  if (first) syclze__xpti_started(xpti);
  return xpti;
}

/* The framework, if it traces now; else null. */
SYCLZE_INLINE struct syclze__xpti *syclze__xpti_now(void) {
  struct syclze__xpti *xpti = __atomic_load_n(&SYCLZE__STATE.xpti, __ATOMIC_ACQUIRE);
  if (SYCLZE__UNLIKELY(xpti == NULL || __atomic_load_n(&xpti->ready, __ATOMIC_ACQUIRE) == 0))
    return syclze__xpti_first();
  return xpti->TraceEnabled() && syclze__xpti_thread_get() != NULL ? xpti : NULL;
}

SYCLZE_LOCAL void syclze__xpti_diagnostic(const char *function, const char *rule) {
  struct syclze__xpti *xpti = syclze__xpti_now();
  if (xpti == NULL || !syclze__xpti_subscribed(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_DIAGNOSTICS))
    return;
  void *event = syclze__xpti_event_make(xpti, function, true, SYCLZE__XPTI_EVENT_ALGORITHM);
  if (event == NULL) return;
  syclze__xpti_add_call_site(xpti, event);
  syclze__xpti_notify(xpti, SYCLZE__STREAM_SYCL, SYCLZE__XPTI_DIAGNOSTICS, NULL, event,
      ((struct syclze__xpti_event *)event)->instance_id, rule);
  syclze__xpti_event_release(xpti, event);
}

SYCLZE_EXTERN_C_END

#endif

#endif
