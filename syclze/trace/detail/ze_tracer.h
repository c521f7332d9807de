/* Every call of Level Zero that the program makes, told before and after.
 *
 * A listener is a tracer of the loader's tracing layer, which must be on: ZE_ENABLE_TRACING_LAYER=1
 * stands in the environment before the first zeInit, or the loader is new enough to turn it on when
 * asked. The library's own calls are calls like the program's. Which functions are told depends on
 * the loader alone: one that it cannot trace is left out.
 *
 * Each call's end follows its begin on the same thread, whatever the call returns; calls that a
 * listener makes are not told. Listeners may be called from any thread at any time. */
#ifndef SYCLZE_TRACE_CALLS_H
#define SYCLZE_TRACE_CALLS_H

#include "../../detail/loader.h"
#include "ze_functions.h"

#include <string.h>

#if SYCLZE_HAS_DLSYM
#include <dlfcn.h>
#endif

SYCLZE_EXTERN_C_BEGIN

enum syclze__call_number {
#define SYCLZE__CALL_NUMBER(name) SYCLZE__CALL_##name,
  SYCLZE_TRACE_CALLS(SYCLZE__CALL_NUMBER)
#undef SYCLZE__CALL_NUMBER
      SYCLZE__CALL_NUMBERS
};

/* One call, during the notification. */
typedef struct syclze_call {
  uint32_t function;         /* its place in calls_table.h, from 0 */
  const char *name;          /* "zeCommandListAppendBarrier"; lives as long as the program */
  void *arguments;           /* a ze_..._params_t of the function: pointers to the arguments */
  const ze_result_t *result; /* null at the begin */
  void **instance;           /* a word of the listener's own, the same at begin and end */
} syclze_call;

/* Lives until it was stopped. */
typedef struct syclze_calls_listener {
  void (*begin)(struct syclze_calls_listener *listener, const syclze_call *call);
  void (*end)(struct syclze_calls_listener *listener, const syclze_call *call);
  void *tracer;       /* the library's: 0 at the start */
  uint32_t functions; /* out: how many functions are told */
} syclze_calls_listener;

/* Begins to tell calls. Calls zeInit. ZE_RESULT_ERROR_UNSUPPORTED_FEATURE where the tracing layer
 * is off or is none; what zeInit returns. Not from two threads with one listener. */
SYCLZE_COLD ze_result_t syclze_calls_listen(syclze_calls_listener *listener)
    SYCLZE_LINK_NAME(syclze_calls_listen);

/* Ends it. Calls that run now may still be told, so the listener stays valid until they returned.
 */
SYCLZE_COLD ze_result_t syclze_calls_stop(syclze_calls_listener *listener)
    SYCLZE_LINK_NAME(syclze_calls_stop);

/* The functions of zel_tracing_api.h and zel_tracing_register_cb.h, looked up by name: programs
 * link with loaders that lack some. The latter take a callback for each function of the same shape,
 * but for the type that `arguments` points to. */
typedef void(ZE_APICALL *syclze__tracer_callback)(
    void *arguments, ze_result_t result, void *listener, void **instance);
typedef ze_result_t(ZE_APICALL *syclze__tracer_register)(
    void *tracer, int when, syclze__tracer_callback callback);
enum { SYCLZE__TRACER_PROLOGUE = 0, SYCLZE__TRACER_EPILOGUE = 1 };

struct syclze__tracer_desc {
  uint32_t stype;
  const void *pNext;
  void *pUserData;
};

struct syclze__traced_function {
  const char *name;
  const char *registration; /* the function that takes its callbacks */
  syclze__tracer_callback begin, end;
};

#define SYCLZE__CALL_CALLBACKS(function)                                                           \
  SYCLZE_COLD void ZE_APICALL syclze__begin_##function(void *arguments, ze_result_t result,        \
      void *user, void **instance) SYCLZE_LINK_NAME(syclze__begin_##function);                     \
  SYCLZE_COLD void ZE_APICALL syclze__begin_##function(                                            \
      void *arguments, ze_result_t result, void *user, void **instance) {                          \
    syclze_calls_listener *listener = (syclze_calls_listener *)user;                               \
    const syclze_call call = {SYCLZE__CALL_##function, "ze" #function, arguments, NULL, instance}; \
    (void)result;                                                                                  \
    listener->begin(listener, &call);                                                              \
  }                                                                                                \
  SYCLZE_COLD void ZE_APICALL syclze__end_##function(void *arguments, ze_result_t result,          \
      void *user, void **instance) SYCLZE_LINK_NAME(syclze__end_##function);                       \
  SYCLZE_COLD void ZE_APICALL syclze__end_##function(                                              \
      void *arguments, ze_result_t result, void *user, void **instance) {                          \
    syclze_calls_listener *listener = (syclze_calls_listener *)user;                               \
    const syclze_call call = {                                                                     \
        SYCLZE__CALL_##function, "ze" #function, arguments, &result, instance};                    \
    listener->end(listener, &call);                                                                \
  }
SYCLZE_TRACE_CALLS(SYCLZE__CALL_CALLBACKS)
#undef SYCLZE__CALL_CALLBACKS

/* Stores the loader's function of that name at `function`, of any type; false if there is none. */
SYCLZE_LOCAL bool syclze__tracer_find(const char *name, void *function) {
#if SYCLZE_HAS_DLSYM
  void *address = syclze__loader_symbol(name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
#else
  (void)name, (void)function;
  return false;
#endif
}

/* Asks the loader for callbacks of each function that it can trace. */
SYCLZE_LOCAL ze_result_t syclze__calls_register(syclze_calls_listener *listener) {
  static const struct syclze__traced_function functions[] = {
#define SYCLZE__CALL_ROW(function)                                                                 \
  {"ze" #function, "zelTracer" #function "RegisterCallback", syclze__begin_##function,             \
      syclze__end_##function},
      SYCLZE_TRACE_CALLS(SYCLZE__CALL_ROW)
#undef SYCLZE__CALL_ROW
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    syclze__tracer_register enter;
    if (!syclze__tracer_find(functions[i].registration, &enter)) continue;
    ze_result_t result = enter(listener->tracer, SYCLZE__TRACER_PROLOGUE, functions[i].begin);
    if (result == ZE_RESULT_SUCCESS)
      result = enter(listener->tracer, SYCLZE__TRACER_EPILOGUE, functions[i].end);
    if (result != ZE_RESULT_SUCCESS) return result;
    listener->functions++;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_calls_stop(syclze_calls_listener *listener) {
  ze_result_t(ZE_APICALL * enable)(void *, ze_bool_t);
  if (listener->tracer == NULL || !syclze__tracer_find("zelTracerSetEnabled", &enable))
    return ZE_RESULT_SUCCESS;
  return enable(listener->tracer, false);
}

SYCLZE_COLD ze_result_t syclze_calls_listen(syclze_calls_listener *listener) {
  static const char *const function = "syclze_calls_listen";
  static const char *const off = "ZE_ENABLE_TRACING_LAYER=1 must stand in the environment";
  ze_result_t(ZE_APICALL * create)(const struct syclze__tracer_desc *, void **);
  ze_result_t(ZE_APICALL * enable)(void *, ze_bool_t);
  ze_result_t(ZE_APICALL * turn_on)(void);
  ze_result_t result = SYCLZE__ZE(zeInit)(0);
  if (result != ZE_RESULT_SUCCESS) return syclze__fail(result, function, "zeInit", NULL);
  if (!syclze__tracer_find("zelTracerCreate", &create) ||
      !syclze__tracer_find("zelTracerSetEnabled", &enable))
    return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, function, off, NULL);
  if (syclze__tracer_find("zelEnableTracingLayer", &turn_on)) turn_on();
  if (listener->tracer == NULL) {
    const struct syclze__tracer_desc desc = {1, NULL, listener};
    if (create(&desc, &listener->tracer) != ZE_RESULT_SUCCESS) {
      listener->tracer = NULL;
      return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, function, off, NULL);
    }
    listener->functions = 0;
    result = syclze__calls_register(listener);
    if (result != ZE_RESULT_SUCCESS)
      return syclze__fail(result, function, "the tracer's callbacks", NULL);
  }
  result = enable(listener->tracer, true);
  return result == ZE_RESULT_SUCCESS ? result
                                     : syclze__fail(result, function, "zelTracerSetEnabled", NULL);
}

SYCLZE_EXTERN_C_END

#endif
