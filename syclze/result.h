/**
 * @file
 * Results, SYCL's error codes, and diagnostics.
 *
 *     ze_result_t result = syclze_make_queue(&input, context, &queue);
 *     if (result != ZE_RESULT_SUCCESS)
 *       fprintf(stderr, "%s\n", syclze_result_string(result));
 *
 * Level Zero's codes pass through unchanged. SYCL's error codes have values in ze_result_t's range
 * that Level Zero does not use. A failed call reports the broken rule and the native handle to the
 * diagnostic handler; there is none at first:
 *
 *     static const syclze_diagnostic_handler handler = {notify, NULL};
 *     syclze_diagnostic_set_handler(&handler);
 *
 * The environment variable SYCLZE_DIAGNOSTICS prints the diagnostics of any program, a line each,
 * in addition to its handler: "stderr", or the name of a file to append to. Source files compiled
 * with SYCLZE_CHECK (check.h) print them to stderr if the program has no handler, unless the
 * variable is "off"; so does a trace of SYCLZE_TRACE that cannot be written (trace/writer.h). The
 * library prints nothing else, and never aborts.
 *
 * Threads: any thread may call any function.
 */
#ifndef SYCLZE_RESULT_H
#define SYCLZE_RESULT_H

#include "config.h"

SYCLZE_EXTERN_C_BEGIN

/** SYCL's errc, in its order. @see SYCL 2020 4.13.2 */
typedef enum syclze_error_code {
  SYCLZE_ERRC_SUCCESS = 0,
  SYCLZE_ERRC_RUNTIME,
  SYCLZE_ERRC_KERNEL,
  SYCLZE_ERRC_ACCESSOR,
  SYCLZE_ERRC_ND_RANGE,
  SYCLZE_ERRC_EVENT,
  SYCLZE_ERRC_KERNEL_ARGUMENT,
  SYCLZE_ERRC_BUILD,
  SYCLZE_ERRC_INVALID,
  SYCLZE_ERRC_MEMORY_ALLOCATION,
  SYCLZE_ERRC_PLATFORM,
  SYCLZE_ERRC_PROFILING,
  SYCLZE_ERRC_FEATURE_NOT_SUPPORTED,
  SYCLZE_ERRC_KERNEL_NOT_SUPPORTED,
  SYCLZE_ERRC_BACKEND_MISMATCH
} syclze_error_code;

#define SYCLZE__RESULT_BLOCK 0x7a5c0000u
#define SYCLZE__RESULT(code) ((ze_result_t)(SYCLZE__RESULT_BLOCK + SYCLZE_ERRC_##code))

/** SYCL's error codes as results of functions. */
#define SYCLZE_RESULT_ERROR_RUNTIME SYCLZE__RESULT(RUNTIME)
#define SYCLZE_RESULT_ERROR_KERNEL SYCLZE__RESULT(KERNEL)
#define SYCLZE_RESULT_ERROR_ACCESSOR SYCLZE__RESULT(ACCESSOR)
#define SYCLZE_RESULT_ERROR_ND_RANGE SYCLZE__RESULT(ND_RANGE)
#define SYCLZE_RESULT_ERROR_EVENT SYCLZE__RESULT(EVENT)
#define SYCLZE_RESULT_ERROR_KERNEL_ARGUMENT SYCLZE__RESULT(KERNEL_ARGUMENT)
#define SYCLZE_RESULT_ERROR_BUILD SYCLZE__RESULT(BUILD)
#define SYCLZE_RESULT_ERROR_INVALID SYCLZE__RESULT(INVALID)
#define SYCLZE_RESULT_ERROR_MEMORY_ALLOCATION SYCLZE__RESULT(MEMORY_ALLOCATION)
#define SYCLZE_RESULT_ERROR_PLATFORM SYCLZE__RESULT(PLATFORM)
#define SYCLZE_RESULT_ERROR_PROFILING SYCLZE__RESULT(PROFILING)
#define SYCLZE_RESULT_ERROR_FEATURE_NOT_SUPPORTED SYCLZE__RESULT(FEATURE_NOT_SUPPORTED)
#define SYCLZE_RESULT_ERROR_KERNEL_NOT_SUPPORTED SYCLZE__RESULT(KERNEL_NOT_SUPPORTED)
#define SYCLZE_RESULT_ERROR_BACKEND_MISMATCH SYCLZE__RESULT(BACKEND_MISMATCH)

/**
 * Classifies a result.
 *
 * @param[in] result  Any code of Level Zero or of this library.
 * @return The error code. Success, warnings and ZE_RESULT_NOT_READY are SYCLZE_ERRC_SUCCESS; an
 * unlisted code is SYCLZE_ERRC_RUNTIME.
 * @see SYCL 2020 4.13.2
 */
SYCLZE_COLD syclze_error_code syclze_errc(ze_result_t result) SYCLZE_LINK_NAME(syclze_errc);

/**
 * Names a result.
 *
 * @param[in] result  Any code of Level Zero or of this library.
 * @return The name as the headers spell it: a static string, never null.
 * @see SYCL 2020 4.13.2
 */
SYCLZE_COLD const char *syclze_result_string(ze_result_t result)
    SYCLZE_LINK_NAME(syclze_result_string);

/** One failed call. Valid during the notification. */
typedef struct syclze_diagnostic {
  ze_result_t result;   /* what the call returns */
  const char *function; /* the function that returns it */
  const char *rule;     /* the rule that was broken, or the Level Zero call that failed */
  const void *handle;   /* the native handle in question; may be null */
  const char *detail;   /* more, such as the log of a failed build; may be null */
} syclze_diagnostic;

/**
 * Receives diagnostics, on any thread of the program or the library, with no lock of the library
 * held.
 */
typedef struct syclze_diagnostic_handler {
  void (*notify)(void *user, const syclze_diagnostic *diagnostic);
  void *user;
} syclze_diagnostic_handler;

/**
 * Installs the diagnostic handler of the linked image.
 *
 * @param[in] handler  Must live until it is replaced; null for none.
 * @return The previous handler, or null.
 * @see SYCL 2020 4.13.2
 */
SYCLZE_COLD const syclze_diagnostic_handler *syclze_diagnostic_set_handler(
    const syclze_diagnostic_handler *handler) SYCLZE_LINK_NAME(syclze_diagnostic_set_handler);

SYCLZE_EXTERN_C_END

#include "detail/result.h"

#endif
