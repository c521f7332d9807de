/* What the diagnostic handler was told, and the checks of calls that are refused. */
#ifndef TESTS_UNIT_NOTES_H
#define TESTS_UNIT_NOTES_H

#include "syclze/result.h"

#ifdef __cplusplus
extern "C" {
#endif

struct notes {
  unsigned count;          /* since notes_start */
  syclze_diagnostic first; /* its strings are those of the library */
  char detail[256];        /* a copy: valid after the call */
  unsigned destroys;       /* of the fake at notes_start */
};
extern struct notes notes;

/* Installs the handler; fake_begin does it. */
void notes_begin(void);
void notes_start(void);

/* The call is refused with the code: one diagnostic that names the function, a rule and the handle,
 * and nothing is destroyed. */
#define CHECK_REFUSED(call, code, function, handle)                                                \
  (notes_start(), notes_check_refused(call, code, function, handle, 1, __FILE__, __LINE__, #call))

/* The same of a call that may destroy what it had made itself, or that is itself a release. */
#define CHECK_FAILED(call, code, function, handle)                                                 \
  (notes_start(), notes_check_refused(call, code, function, handle, 0, __FILE__, __LINE__, #call))

void notes_check_refused(ze_result_t result, ze_result_t code, const char *function,
    const void *handle, int nothing_destroyed, const char *file, int line, const char *text);

/* The call succeeds without a diagnostic. */
#define CHECK_OK(call) (notes_start(), notes_check_ok(call, __FILE__, __LINE__, #call))
void notes_check_ok(ze_result_t result, const char *file, int line, const char *text);

#ifdef __cplusplus
}
#endif

#endif
