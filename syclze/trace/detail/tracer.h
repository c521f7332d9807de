/* Bodies of ../tracer.h. */
#ifndef SYCLZE_TRACE_DETAIL_TRACER_H
#define SYCLZE_TRACE_DETAIL_TRACER_H

#include "../tracer.h"
#include "ze_functions.h"

#include <string.h>

SYCLZE_EXTERN_C_BEGIN

enum syclze__ze_function {
#define SYCLZE__CALL_NUMBER(name) SYCLZE__CALL_##name,
  SYCLZE__ZE_FUNCTIONS(SYCLZE__CALL_NUMBER)
#undef SYCLZE__CALL_NUMBER
      SYCLZE__CALL_NUMBERS
};

#if SYCLZE__BODIES

/* The functions of zel_tracing_api.h and zel_tracing_register_cb.h, looked up by name, since some
 * loaders lack some. All callbacks have the same type except for what `arguments` points to. */
typedef void(ZE_APICALL *syclze__tracer_callback)(
    void *arguments, ze_result_t result, void *tracer, void **instance);
typedef ze_result_t(ZE_APICALL *syclze__tracer_register)(
    void *tracer, int when, syclze__tracer_callback callback);
enum { SYCLZE__TRACER_PROLOGUE = 0, SYCLZE__TRACER_EPILOGUE = 1 };

struct syclze__tracer_desc {
  uint32_t stype;
  const void *pNext;
  void *pUserData;
};

struct syclze__tracer_function {
  const char *name;
  const char *registration; /* the function that takes its callbacks */
  syclze__tracer_callback begin, end;
};

#define SYCLZE__CALL_CALLBACKS(function)                                                           \
  SYCLZE_COLD void ZE_APICALL syclze__begin_##function(void *arguments, ze_result_t result,        \
      void *user, void **instance) SYCLZE_LINK_NAME(syclze__begin_##function);                     \
  SYCLZE_COLD void ZE_APICALL syclze__begin_##function(                                            \
      void *arguments, ze_result_t result, void *user, void **instance) {                          \
    syclze_tracer *tracer = (syclze_tracer *)user;                                                 \
    const syclze_tracer_call call = {                                                              \
        SYCLZE__CALL_##function, "ze" #function, arguments, NULL, instance};                       \
    (void)result;                                                                                  \
    tracer->begin(tracer, &call);                                                                  \
  }                                                                                                \
  SYCLZE_COLD void ZE_APICALL syclze__end_##function(void *arguments, ze_result_t result,          \
      void *user, void **instance) SYCLZE_LINK_NAME(syclze__end_##function);                       \
  SYCLZE_COLD void ZE_APICALL syclze__end_##function(                                              \
      void *arguments, ze_result_t result, void *user, void **instance) {                          \
    syclze_tracer *tracer = (syclze_tracer *)user;                                                 \
    const syclze_tracer_call call = {                                                              \
        SYCLZE__CALL_##function, "ze" #function, arguments, &result, instance};                    \
    tracer->end(tracer, &call);                                                                    \
  }
SYCLZE__ZE_FUNCTIONS(SYCLZE__CALL_CALLBACKS)
#undef SYCLZE__CALL_CALLBACKS

/* Stores the loader's function of that name in `function`, of any function type; false if there is
 * none. */
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

/* Registers callbacks for each function that the loader can trace. */
SYCLZE_LOCAL ze_result_t syclze__tracer_register_all(syclze_tracer *tracer) {
  static const struct syclze__tracer_function functions[] = {
#define SYCLZE__CALL_ROW(function)                                                                 \
  {"ze" #function, "zelTracer" #function "RegisterCallback", syclze__begin_##function,             \
      syclze__end_##function},
      SYCLZE__ZE_FUNCTIONS(SYCLZE__CALL_ROW)
#undef SYCLZE__CALL_ROW
  };
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    syclze__tracer_register enter;
    if (!syclze__tracer_find(functions[i].registration, &enter)) continue;
    ze_result_t result = enter(tracer->handle, SYCLZE__TRACER_PROLOGUE, functions[i].begin);
    if (result == ZE_RESULT_SUCCESS)
      result = enter(tracer->handle, SYCLZE__TRACER_EPILOGUE, functions[i].end);
    if (result != ZE_RESULT_SUCCESS) return result;
    tracer->functions++;
  }
  return ZE_RESULT_SUCCESS;
}

SYCLZE_COLD ze_result_t syclze_tracer_stop(syclze_tracer *tracer) {
  ze_result_t(ZE_APICALL * enable)(void *, ze_bool_t);
  if (tracer->handle == NULL || !syclze__tracer_find("zelTracerSetEnabled", &enable))
    return ZE_RESULT_SUCCESS;
  return enable(tracer->handle, false);
}

SYCLZE_COLD ze_result_t syclze_tracer_start(syclze_tracer *tracer) {
  static const char *const function = "syclze_tracer_start";
  static const char *const off = "ZE_ENABLE_TRACING_LAYER=1 must stand in the environment";
  ze_result_t(ZE_APICALL * create)(const struct syclze__tracer_desc *, void **);
  ze_result_t(ZE_APICALL * enable)(void *, ze_bool_t);
  ze_result_t(ZE_APICALL * destroy)(void *);
  ze_result_t(ZE_APICALL * turn_on)(void);
  const uint32_t types = __atomic_load_n(&SYCLZE__STATE.driver_types, __ATOMIC_RELAXED);
  ze_result_t result = SYCLZE__ZE(zeInit)(syclze__init_flags(types));
  if (result != ZE_RESULT_SUCCESS) return syclze__fail(result, function, "zeInit", NULL);
  if (!syclze__tracer_find("zelTracerCreate", &create) ||
      !syclze__tracer_find("zelTracerSetEnabled", &enable))
    return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, function, off, NULL);
  if (syclze__tracer_find("zelEnableTracingLayer", &turn_on)) turn_on();
  if (tracer->handle == NULL) {
    const struct syclze__tracer_desc desc = {1, NULL, tracer};
    if (create(&desc, &tracer->handle) != ZE_RESULT_SUCCESS) {
      tracer->handle = NULL;
      return syclze__fail(ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, function, off, NULL);
    }
    tracer->functions = 0;
    result = syclze__tracer_register_all(tracer);
    if (result != ZE_RESULT_SUCCESS) {
      if (syclze__tracer_find("zelTracerDestroy", &destroy)) destroy(tracer->handle);
      tracer->handle = NULL;
      tracer->functions = 0;
      return syclze__fail(result, function, "the tracer's callbacks", NULL);
    }
  }
  result = enable(tracer->handle, true);
  return result == ZE_RESULT_SUCCESS ? result
                                     : syclze__fail(result, function, "zelTracerSetEnabled", NULL);
}

#endif

SYCLZE_EXTERN_C_END

#endif
