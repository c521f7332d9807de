/* Diagnostics: which rule a refused or failed call broke.
 *
 *     static const syclze_diagnostic_handler handler = {notify, NULL};
 *     syclze_diagnostic_set_handler(&handler);
 */
#ifndef SYCLZE_DIAGNOSTIC_H
#define SYCLZE_DIAGNOSTIC_H

#include "detail/state.h"

SYCLZE_EXTERN_C_BEGIN

/* One refused or failed call. Valid during the notification. */
typedef struct syclze_diagnostic {
  ze_result_t result;   /* what the call returns */
  const char *function; /* the function that returns it */
  const char *rule;     /* the rule that was broken, or the Level Zero call that failed */
  const void *handle;   /* the native handle in question; may be null */
  const char *detail;   /* the build log of a failed build; else null */
} syclze_diagnostic;

/* Receives diagnostics, from any thread that calls the library. What it is told of a handle whose
 * destruction failed may come while a queue is locked: then it must not submit anything, or wait.
 */
typedef struct syclze_diagnostic_handler {
  void (*notify)(void *user, const syclze_diagnostic *diagnostic);
  void *user;
} syclze_diagnostic_handler;

/* Installs a handler, which must live until another takes its place; null for none. Returns the
 * one before, or null. */
SYCLZE_INLINE const syclze_diagnostic_handler *syclze_diagnostic_set_handler(
    const syclze_diagnostic_handler *handler) {
  return __atomic_exchange_n(&SYCLZE__STATE.diagnostic_handler, handler, __ATOMIC_ACQ_REL);
}

/* Notifies the handler, if there is one. */
SYCLZE_LOCAL void syclze__report(ze_result_t result, const char *function, const char *rule,
    const void *handle, const char *detail) {
  const syclze_diagnostic_handler *handler =
      __atomic_load_n(&SYCLZE__STATE.diagnostic_handler, __ATOMIC_ACQUIRE);
  if (handler == NULL) return;
  const syclze_diagnostic diagnostic = {result, function, rule, handle, detail};
  handler->notify(handler->user, &diagnostic);
}

SYCLZE_EXTERN_C_END

#endif
