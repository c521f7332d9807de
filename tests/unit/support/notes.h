/* Recorded diagnostics, and checks of refused calls. */
#ifndef TESTS_UNIT_NOTES_H
#define TESTS_UNIT_NOTES_H

#include "syclze/result.h"

#ifdef __cplusplus
extern "C" {
#endif

struct notes {
  unsigned count;          /* since notes_start */
  syclze_diagnostic first; /* its strings belong to the library */
  char detail[256];        /* a copy: valid after the call */
  unsigned destroys;       /* destroy count of the fake at notes_start */
};
extern struct notes notes;

/* Installs the handler; called by fake_begin. */
void notes_begin(void);
void notes_start(void);

/* The call fails with the code and one diagnostic that names the function, a rule and the handle,
   and destroys nothing. */
#define CHECK_REFUSED(call, code, function, handle)                                                \
  (notes_start(), notes_check_refused(call, code, function, handle, 1, __FILE__, __LINE__, #call))

/* For calls that may destroy what they created, and for releases. */
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
