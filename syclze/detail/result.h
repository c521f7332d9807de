/* Implementation of result.h, and the status of a check. */
#ifndef SYCLZE_DETAIL_RESULT_H
#define SYCLZE_DETAIL_RESULT_H

#include "../result.h"
#include "driver/environment.h"
#include "state.h"
#include "sync/held.h"
#include "trace_hooks.h"

#include <stdio.h>

SYCLZE_EXTERN_C_BEGIN

/* Reports a failed call. Returns `result`. */
SYCLZE_COLD ze_result_t syclze__fail_detail(ze_result_t result, const char *function,
    const char *rule, const void *handle, const char *detail) SYCLZE_LINK_NAME(syclze__fail_detail);

/* syclze__fail_detail without a detail. The caller of the failed function keeps `handle`. */
SYCLZE_INLINE ze_result_t syclze__fail(
    ze_result_t result, const char *function, const char *rule, const void *handle) {
  return syclze__fail_detail(result, function, rule, handle, NULL);
}

/* Outcome of a check: success, or the error and the rule that was broken. */
struct syclze__status {
  ze_result_t result;
  const char *rule;
};

/* The first error of two results. */
SYCLZE_INLINE ze_result_t syclze__first_error(ze_result_t before, ze_result_t result) {
  return before != ZE_RESULT_SUCCESS ? before : result;
}

SYCLZE_INLINE struct syclze__status syclze__status_of(ze_result_t result, const char *rule) {
  struct syclze__status status = {result, rule};
  return status;
}

SYCLZE_INLINE struct syclze__status syclze__allowed(void) {
  return syclze__status_of(ZE_RESULT_SUCCESS, NULL);
}

SYCLZE_INLINE struct syclze__status syclze__null_pointer(const char *rule) {
  return syclze__status_of(ZE_RESULT_ERROR_INVALID_NULL_POINTER, rule);
}

SYCLZE_INLINE struct syclze__status syclze__null_handle(const char *rule) {
  return syclze__status_of(ZE_RESULT_ERROR_INVALID_NULL_HANDLE, rule);
}

/* The status of an object that could not be allocated. */
SYCLZE_COLD struct syclze__status syclze__out_of_memory(void)
    SYCLZE_LINK_NAME(syclze__out_of_memory);

/* Reports that status. */
SYCLZE_COLD ze_result_t syclze__fail_memory(const char *function, const void *handle)
    SYCLZE_LINK_NAME(syclze__fail_memory);

/* The cause of a failure: no memory, or else `rule`. */
SYCLZE_INLINE const char *syclze__cause(ze_result_t result, const char *rule) {
  return result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY ? "no memory for the object" : rule;
}

/* The status of a call that fails without memory, or by `rule`. */
SYCLZE_INLINE struct syclze__status syclze__status_of_call(ze_result_t result, const char *rule) {
  return syclze__status_of(result, syclze__cause(result, rule));
}

SYCLZE_INLINE struct syclze__status syclze__invalid(const char *rule) {
  return syclze__status_of(SYCLZE_RESULT_ERROR_INVALID, rule);
}

SYCLZE_INLINE struct syclze__status syclze__unsupported(const char *rule) {
  return syclze__status_of(SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED, rule);
}

/* Returns the result of a function, and reports a failure. */
SYCLZE_INLINE ze_result_t syclze__finish_detail(
    struct syclze__status status, const char *function, const void *handle, const char *detail) {
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return status.result;
  return syclze__fail_detail(status.result, function, status.rule, handle, detail);
}

SYCLZE_INLINE ze_result_t syclze__finish(
    struct syclze__status status, const char *function, const void *handle) {
  if (SYCLZE__LIKELY(status.result == ZE_RESULT_SUCCESS)) return status.result;
  return syclze__fail(status.result, function, status.rule, handle);
}

SYCLZE_INLINE ze_result_t syclze__fail_pointer(const char *function, const char *rule) {
  return syclze__finish(syclze__null_pointer(rule), function, NULL);
}

SYCLZE_INLINE ze_result_t syclze__fail_handle(const char *function, const char *rule) {
  return syclze__finish(syclze__null_handle(rule), function, NULL);
}

#if SYCLZE__BODIES

SYCLZE_COLD struct syclze__status syclze__out_of_memory(void) {
  if (__atomic_load_n(&SYCLZE__STATE.forked, __ATOMIC_RELAXED) != 0)
    return syclze__status_of(
        ZE_RESULT_ERROR_UNINITIALIZED, "Level Zero cannot be used in the child of a fork");
  return syclze__status_of(ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY, "no memory for the object");
}

SYCLZE_LOCAL void syclze__diagnostic_print(FILE *file, const syclze_diagnostic *diagnostic) {
  /* Prints the number: names would be linked into every program that makes an object. */
  fprintf(file, "syclze: %s: %s (result 0x%x", diagnostic->function, diagnostic->rule,
      (unsigned)diagnostic->result);
  if (diagnostic->handle != NULL)
    fprintf(file, ", handle 0x%llx", (unsigned long long)(uintptr_t)diagnostic->handle);
  fprintf(file, ")%s%s\n", diagnostic->detail != NULL ? ": " : "",
      diagnostic->detail != NULL ? diagnostic->detail : "");
}

/* Prints to the destination that SYCLZE_DIAGNOSTICS names; without one to stderr if
 * `by_default`. */
SYCLZE_LOCAL void syclze__diagnostic_stock(const syclze_diagnostic *diagnostic, bool by_default) {
  const char *where = syclze__environment("SYCLZE_DIAGNOSTICS");
  if ((where == NULL || *where == '\0') && by_default) where = "stderr";
  if (where == NULL || *where == '\0' || strcmp(where, "off") == 0) return;
  if (strcmp(where, "stderr") == 0) {
    syclze__diagnostic_print(stderr, diagnostic);
    return;
  }
  FILE *file = fopen(where, "a");
  if (file == NULL) file = stderr;
  syclze__diagnostic_print(file, diagnostic);
  if (file != stderr) fclose(file);
}

/* Reports a diagnostic to the handler and the environment, not to traces; with `prints` to stderr
 * if the program has no handler. */
SYCLZE_LOCAL void syclze__report(const syclze_diagnostic *diagnostic, bool prints) {
  const syclze_diagnostic_handler *handler =
      __atomic_load_n(&SYCLZE__STATE.diagnostic_handler, __ATOMIC_ACQUIRE);
#ifdef SYCLZE_CHECK
  prints = true;
#endif
  SYCLZE__HELD_NONE();
  syclze__diagnostic_stock(diagnostic, prints && handler == NULL);
  if (handler != NULL) handler->notify(handler->user, diagnostic);
}

SYCLZE_COLD ze_result_t syclze__fail_detail(ze_result_t result, const char *function,
    const char *rule, const void *handle, const char *detail) {
  const syclze_diagnostic diagnostic = {result, function, rule, handle, detail};
#if XPTI_ENABLE_INSTRUMENTATION
  const struct syclze__trace_calls *calls = syclze__traced_calls();
#endif
  syclze__report(&diagnostic, false);
#if XPTI_ENABLE_INSTRUMENTATION
  if (calls != NULL) calls->diagnostic(function, rule);
#endif
  return result;
}

SYCLZE_COLD ze_result_t syclze__fail_memory(const char *function, const void *handle) {
  return syclze__finish(syclze__out_of_memory(), function, handle);
}

SYCLZE_COLD const syclze_diagnostic_handler *syclze_diagnostic_set_handler(
    const syclze_diagnostic_handler *handler) {
  return __atomic_exchange_n(&SYCLZE__STATE.diagnostic_handler, handler, __ATOMIC_ACQ_REL);
}

/* Value, name, class. Values instead of enumerators: an older ze_api.h lacks some. */
/* clang-format off */
#define SYCLZE__RESULTS(X) \
  X(0x00000000u, "ZE_RESULT_SUCCESS", SUCCESS) \
  X(0x00000001u, "ZE_RESULT_NOT_READY", SUCCESS) \
  X(0x70000001u, "ZE_RESULT_ERROR_DEVICE_LOST", RUNTIME) \
  X(0x70000002u, "ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY", MEMORY_ALLOCATION) \
  X(0x70000003u, "ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY", MEMORY_ALLOCATION) \
  X(0x70000004u, "ZE_RESULT_ERROR_MODULE_BUILD_FAILURE", BUILD) \
  X(0x70000005u, "ZE_RESULT_ERROR_MODULE_LINK_FAILURE", BUILD) \
  X(0x70000006u, "ZE_RESULT_ERROR_DEVICE_REQUIRES_RESET", RUNTIME) \
  X(0x70000007u, "ZE_RESULT_ERROR_DEVICE_IN_LOW_POWER_STATE", RUNTIME) \
  X(0x7ff00001u, "ZE_RESULT_EXP_ERROR_DEVICE_IS_NOT_VERTEX", INVALID) \
  X(0x7ff00002u, "ZE_RESULT_EXP_ERROR_VERTEX_IS_NOT_DEVICE", INVALID) \
  X(0x7ff00003u, "ZE_RESULT_EXP_ERROR_REMOTE_DEVICE", INVALID) \
  X(0x7ff00004u, "ZE_RESULT_EXP_ERROR_OPERANDS_INCOMPATIBLE", INVALID) \
  X(0x7ff00005u, "ZE_RESULT_EXP_RTAS_BUILD_RETRY", SUCCESS) \
  X(0x7ff00006u, "ZE_RESULT_EXP_RTAS_BUILD_DEFERRED", SUCCESS) \
  X(0x70010000u, "ZE_RESULT_ERROR_INSUFFICIENT_PERMISSIONS", RUNTIME) \
  X(0x70010001u, "ZE_RESULT_ERROR_NOT_AVAILABLE", RUNTIME) \
  X(0x70020000u, "ZE_RESULT_ERROR_DEPENDENCY_UNAVAILABLE", PLATFORM) \
  X(0x70020001u, "ZE_RESULT_WARNING_DROPPED_DATA", SUCCESS) \
  X(0x78000001u, "ZE_RESULT_ERROR_UNINITIALIZED", PLATFORM) \
  X(0x78000002u, "ZE_RESULT_ERROR_UNSUPPORTED_VERSION", FEATURE_NOT_SUPPORTED) \
  X(0x78000003u, "ZE_RESULT_ERROR_UNSUPPORTED_FEATURE", FEATURE_NOT_SUPPORTED) \
  X(0x78000004u, "ZE_RESULT_ERROR_INVALID_ARGUMENT", INVALID) \
  X(0x78000005u, "ZE_RESULT_ERROR_INVALID_NULL_HANDLE", INVALID) \
  X(0x78000006u, "ZE_RESULT_ERROR_HANDLE_OBJECT_IN_USE", INVALID) \
  X(0x78000007u, "ZE_RESULT_ERROR_INVALID_NULL_POINTER", INVALID) \
  X(0x78000008u, "ZE_RESULT_ERROR_INVALID_SIZE", INVALID) \
  X(0x78000009u, "ZE_RESULT_ERROR_UNSUPPORTED_SIZE", FEATURE_NOT_SUPPORTED) \
  X(0x7800000au, "ZE_RESULT_ERROR_UNSUPPORTED_ALIGNMENT", FEATURE_NOT_SUPPORTED) \
  X(0x7800000bu, "ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT", EVENT) \
  X(0x7800000cu, "ZE_RESULT_ERROR_INVALID_ENUMERATION", INVALID) \
  X(0x7800000du, "ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION", FEATURE_NOT_SUPPORTED) \
  X(0x7800000eu, "ZE_RESULT_ERROR_UNSUPPORTED_IMAGE_FORMAT", FEATURE_NOT_SUPPORTED) \
  X(0x7800000fu, "ZE_RESULT_ERROR_INVALID_NATIVE_BINARY", BUILD) \
  X(0x78000010u, "ZE_RESULT_ERROR_INVALID_GLOBAL_NAME", INVALID) \
  X(0x78000011u, "ZE_RESULT_ERROR_INVALID_KERNEL_NAME", INVALID) \
  X(0x78000012u, "ZE_RESULT_ERROR_INVALID_FUNCTION_NAME", INVALID) \
  X(0x78000013u, "ZE_RESULT_ERROR_INVALID_GROUP_SIZE_DIMENSION", ND_RANGE) \
  X(0x78000014u, "ZE_RESULT_ERROR_INVALID_GLOBAL_WIDTH_DIMENSION", ND_RANGE) \
  X(0x78000015u, "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_INDEX", KERNEL_ARGUMENT) \
  X(0x78000016u, "ZE_RESULT_ERROR_INVALID_KERNEL_ARGUMENT_SIZE", KERNEL_ARGUMENT) \
  X(0x78000017u, "ZE_RESULT_ERROR_INVALID_KERNEL_ATTRIBUTE_VALUE", INVALID) \
  X(0x78000018u, "ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED", INVALID) \
  X(0x78000019u, "ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE", INVALID) \
  X(0x7800001au, "ZE_RESULT_ERROR_OVERLAPPING_REGIONS", INVALID) \
  X(0x7800001bu, "ZE_RESULT_WARNING_ACTION_REQUIRED", SUCCESS) \
  X(0x7800001cu, "ZE_RESULT_ERROR_INVALID_KERNEL_HANDLE", INVALID) \
  X(0x7800001du, "ZE_RESULT_EXT_RTAS_BUILD_RETRY", SUCCESS) \
  X(0x7800001eu, "ZE_RESULT_EXT_RTAS_BUILD_DEFERRED", SUCCESS) \
  X(0x7800001fu, "ZE_RESULT_EXT_ERROR_OPERANDS_INCOMPATIBLE", INVALID) \
  X(0x78000020u, "ZE_RESULT_ERROR_SURVIVABILITY_MODE_DETECTED", RUNTIME) \
  X(0x78000021u, "ZE_RESULT_ERROR_ADDRESS_NOT_FOUND", INVALID) \
  X(0x78000022u, "ZE_RESULT_QUERY_TRUE", SUCCESS) \
  X(0x78000023u, "ZE_RESULT_QUERY_FALSE", SUCCESS) \
  X(0x78000024u, "ZE_RESULT_ERROR_INVALID_GRAPH", INVALID) \
  X(0x78000025u, "ZE_RESULT_ERROR_GRAPH_CAPTURE_UNSUPPORTED", FEATURE_NOT_SUPPORTED) \
  X(0x78000026u, "ZE_RESULT_ERROR_GRAPH_CAPTURE_INVALIDATED", RUNTIME) \
  X(0x78000027u, "ZE_RESULT_ERROR_GRAPH_CAPTURE_MERGE_ATTEMPT", RUNTIME) \
  X(0x78000028u, "ZE_RESULT_ERROR_COMMAND_LIST_NOT_CAPTURING", RUNTIME) \
  X(0x78000029u, "ZE_RESULT_ERROR_GRAPH_UNJOINED_FORKS", RUNTIME) \
  X(0x7800002au, "ZE_RESULT_ERROR_GRAPH_INTERNAL_EVENT", RUNTIME) \
  X(0x7ffffffeu, "ZE_RESULT_ERROR_UNKNOWN", RUNTIME) \
  X(SYCLZE__RESULT_BLOCK + 1u, "SYCLZE_RESULT_ERROR_RUNTIME", RUNTIME) \
  X(SYCLZE__RESULT_BLOCK + 2u, "SYCLZE_RESULT_ERROR_KERNEL", KERNEL) \
  X(SYCLZE__RESULT_BLOCK + 3u, "SYCLZE_RESULT_ERROR_ACCESSOR", ACCESSOR) \
  X(SYCLZE__RESULT_BLOCK + 4u, "SYCLZE_RESULT_ERROR_ND_RANGE", ND_RANGE) \
  X(SYCLZE__RESULT_BLOCK + 5u, "SYCLZE_RESULT_ERROR_EVENT", EVENT) \
  X(SYCLZE__RESULT_BLOCK + 6u, "SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT", KERNEL_ARGUMENT) \
  X(SYCLZE__RESULT_BLOCK + 7u, "SYCLZE_RESULT_ERROR_BUILD", BUILD) \
  X(SYCLZE__RESULT_BLOCK + 8u, "SYCLZE_RESULT_ERROR_INVALID", INVALID) \
  X(SYCLZE__RESULT_BLOCK + 9u, "SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION", MEMORY_ALLOCATION) \
  X(SYCLZE__RESULT_BLOCK + 10u, "SYCLZE_RESULT_ERROR_PLATFORM", PLATFORM) \
  X(SYCLZE__RESULT_BLOCK + 11u, "SYCLZE_RESULT_ERROR_PROFILING", PROFILING) \
  X(SYCLZE__RESULT_BLOCK + 12u, "SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED", FEATURE_NOT_SUPPORTED) \
  X(SYCLZE__RESULT_BLOCK + 13u, "SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED", KERNEL_NOT_SUPPORTED) \
  X(SYCLZE__RESULT_BLOCK + 14u, "SYCLZE_RESULT_ERROR_BACKEND_MISMATCH", BACKEND_MISMATCH)
/* clang-format on */

SYCLZE_COLD syclze_error_code syclze_errc(ze_result_t result) {
#define SYCLZE__CASE(value, name, code)                                                            \
  case value:                                                                                      \
    return SYCLZE_ERRC_##code;
  switch ((uint32_t)result) {
    SYCLZE__RESULTS(SYCLZE__CASE)
  default:
    return SYCLZE_ERRC_RUNTIME;
  }
#undef SYCLZE__CASE
}

SYCLZE_COLD const char *syclze_result_string(ze_result_t result) {
#define SYCLZE__CASE(value, name, code)                                                            \
  case value:                                                                                      \
    return name;
  switch ((uint32_t)result) {
    SYCLZE__RESULTS(SYCLZE__CASE)
  default:
    return "an unknown ze_result_t";
  }
#undef SYCLZE__CASE
}
#undef SYCLZE__RESULTS

#endif

SYCLZE_EXTERN_C_END

#endif
